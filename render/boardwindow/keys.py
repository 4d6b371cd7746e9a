"""The keys of boards that are explored, and of games."""

from functools import partial
from typing import TYPE_CHECKING

from render.boardwindow.clicking import flipped, turned
from render.boardwindow.desk import Tool, headed, next_piece, with_tool
from render.boardwindow.editing import with_next_side
from render.viewer import Shortcut
from sim.bumpers import Direction

if TYPE_CHECKING:
    from render.boardwindow.exploring import Exploring
    from render.boardwindow.playing import Playing

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
        Shortcut(keys=("u",), does="edit mats: flip the mat", action=view.doing(flipped)),
        Shortcut(keys=("t",), does="next side to move", action=view.doing(with_next_side)),
        Shortcut(keys=("z", "ctrl+z"), does="a step back", action=partial(view.go, -1)),
        Shortcut(keys=("y", "ctrl+y"), does="a step on", action=partial(view.go, 1)),
        Shortcut(keys=("home",), does="first position", action=partial(view.go_to, 0)),
        Shortcut(keys=("end",), does="last position", action=partial(view.go_to, last)),
        Shortcut(keys=("page up",), does="a turn back", action=partial(view.go_turn, -1)),
        Shortcut(keys=("page down",), does="a turn on", action=partial(view.go_turn, 1)),
        Shortcut(keys=("space",), does="play on, or pause", action=view.play),
        Shortcut(keys=("s",), does="solve, or stop", action=view.solve),
        Shortcut(keys=("i",), does="a hint; again for more", action=view.hint),
        Shortcut(keys=("g",), does="let the other sides move", action=view.reply),
        Shortcut(keys=("p",), does="save a picture", action=partial(view.save, is_film=False)),
        Shortcut(keys=("x",), does="save a film", action=partial(view.save, is_film=True)),
        Shortcut(keys=("c", "ctrl+c"), does="copy the position", action=view.copy),
        Shortcut(keys=("v", "ctrl+v"), does="paste a position", action=view.paste),
    )


def playing_keys(view: "Playing") -> tuple[Shortcut, ...]:
    """Return the keys of a game, in the order in which the help lists them."""
    return (
        Shortcut(keys=("tab",), does="next piece", action=partial(view.pick_next, 1)),
        Shortcut(keys=("shift+tab",), does="piece before", action=partial(view.pick_next, -1)),
        *(
            Shortcut(
                keys=(key,),
                does=f"send the piece {direction.name}",
                action=partial(view.head, direction),
            )
            for key, direction in ARROWS.items()
        ),
        Shortcut(keys=("r",), does="turn the mat right", action=partial(view.turn, 1)),
        Shortcut(keys=("e",), does="turn the mat left", action=partial(view.turn, 3)),
        Shortcut(keys=("space", "return"), does="pass, where it is offered", action=view.skip),
        Shortcut(keys=("z", "ctrl+z"), does="take your choice back", action=view.take_back),
        Shortcut(keys=("x",), does="explore this position", action=view.explore),
        Shortcut(keys=("w", "ctrl+s"), does="save the game", action=view.save),
    )
