"""The keys of a board that is explored."""

from typing import TYPE_CHECKING

from render.boardwindow.desk import Tool, headed, next_piece, turned, with_next_side, with_tool
from render.viewer import Shortcut
from sim.bumpers import Direction

if TYPE_CHECKING:
    from render.boardwindow.exploring import Exploring

ARROWS = {
    "up": Direction.N,
    "right": Direction.E,
    "down": Direction.S,
    "left": Direction.W,
}
"""The direction of each arrow key."""


def exploring_keys(view: "Exploring") -> tuple[Shortcut, ...]:
    """Return the keys, in the order in which the help lists them."""
    last = len(view.desk.history.entries) - 1
    return (
        *(
            Shortcut(keys=(str(number),), does=tool.value, action=view.doing(with_tool, tool))
            for number, tool in enumerate(Tool, start=1)
        ),
        Shortcut(keys=("tab",), does="next piece", action=view.doing(next_piece, 1)),
        Shortcut(keys=("shift+tab",), does="piece before", action=view.doing(next_piece, -1)),
        *(
            Shortcut(
                keys=(key,),
                does=f"send the piece {direction.name}",
                action=view.doing(headed, direction),
            )
            for key, direction in ARROWS.items()
        ),
        Shortcut(keys=("r",), does="turn the mat right", action=view.doing(turned, 1)),
        Shortcut(keys=("e",), does="turn the mat left", action=view.doing(turned, 3)),
        Shortcut(keys=("t",), does="next side to move", action=view.doing(with_next_side)),
        Shortcut(keys=("z", "ctrl+z"), does="a step back", action=lambda: view.go(-1)),
        Shortcut(keys=("y", "ctrl+y"), does="a step on", action=lambda: view.go(1)),
        Shortcut(keys=("home",), does="first position", action=lambda: view.go_to(0)),
        Shortcut(keys=("end",), does="last position", action=lambda: view.go_to(last)),
        Shortcut(keys=("page up",), does="a turn back", action=lambda: view.go_turn(-1)),
        Shortcut(keys=("page down",), does="a turn on", action=lambda: view.go_turn(1)),
        Shortcut(keys=("space",), does="play on, or pause", action=view.play),
        Shortcut(keys=("s",), does="solve, or stop", action=view.solve),
        Shortcut(keys=("i",), does="a hint; again for more", action=view.hint),
        Shortcut(keys=("c", "ctrl+c"), does="copy the position", action=view.copy),
        Shortcut(keys=("v", "ctrl+v"), does="paste a position", action=view.paste),
    )
