"""A board to explore: what is chosen, and what comes of moves and edits.

Functions take a desk and return another. What cannot be done leaves all as it is but for a line
that says why.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from physics import InputError
from render.boardwindow.history import Entry, History, gone_to, history_of, with_entry
from render.boardwindow.picking import (
    ways_of,
)
from sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Move,
    Piece,
    PieceMove,
    Position,
    board_of,
    move_text,
    parse_move,
    play,
    why_not,
)
from sim.bumpers.board import Square
from sim.bumpers.rules import plain_text


class Tool(Enum):
    """What a click on the board does."""

    MOVE_PIECES = "move pieces"
    MOVE_MATS = "move mats"
    EDIT_PIECES = "edit pieces"
    EDIT_MATS = "edit mats"

    @property
    def is_for_mats(self) -> bool:
        """Whether mats are chosen with it."""
        return self in (Tool.MOVE_MATS, Tool.EDIT_MATS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A board being explored; build it with `desk_of`.

    Attributes:
        history: The positions so far.
        tool: What a click does.
        space: The space of the piece that is chosen.
        mat: The mat that is chosen.
        brush: The piece that a click places in editing; None removes one.
        told: What to tell, such as why something could not be done.
    """

    history: History
    tool: Tool = Tool.MOVE_PIECES
    space: int | None = None
    mat: int | None = None
    brush: Piece | None = field(default=Piece(Colour.RED, Kind.PUCK))
    told: str = ""

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.history.position


def desk_of(position: Position) -> Desk:
    """Return a desk with a position.

    Example:
        >>> from sim.bumpers import parse_move, parse_position
        >>> desk = desk_of(parse_position("pb1:small:RPb7:-:R:-"))
        >>> desk = moved(desk, parse_move(desk.position, "b7E"))
        >>> desk.history.entry.text, went(desk, -1).history.at
        ('b7E', 0)
    """
    return Desk(history=history_of([Entry(position=position)]))


def with_tool(desk: Desk, tool: Tool) -> Desk:
    """Return the desk with another tool, and nothing chosen."""
    return replace(desk, tool=tool, space=None, mat=None, told="")


def with_brush(desk: Desk, brush: Piece | None) -> Desk:
    """Return the desk with another piece to place; None removes pieces."""
    return replace(desk, brush=brush, told="")


def told(desk: Desk, words: str) -> Desk:
    """Return the desk with something to tell."""
    return replace(desk, told=words)


def went(desk: Desk, steps: int) -> Desk:
    """Return the desk some positions back (below 0) or on."""
    history = gone_to(desk.history, desk.history.at + steps)
    return replace(desk, history=history, space=None, mat=None, told="")


def moved(desk: Desk, move: Move) -> Desk:
    """Return the desk after a legal move; the piece, or the mat, stays chosen."""
    position = desk.position
    try:
        after, change = play(position, move)
    except InputError as error:
        return told(desk, str(error))
    entry = Entry(
        position=after,
        text=move_text(position, move),
        movements=change.movements,
        glides=True,
    )
    moving = [m for m in change.movements if isinstance(move, PieceMove) and m.start == move.space]
    space = next((m.end for m in moving if not m.scored), None)
    if isinstance(move, PieceMove) and not moving:
        space = move.space
    return replace(desk, history=with_entry(desk.history, entry), space=space, told="")


def desk_with_moves(desk: Desk, texts: Iterable[str]) -> Desk:
    """Return a desk with moves to come, from the position shown.

    Args:
        desk: The desk.
        texts: The moves, as `sim.bumpers.parse_move` reads them.

    Raises:
        InputError: One is no legal move where it stands.
    """
    ahead = desk
    for text in texts:
        ahead = moved(ahead, parse_move(ahead.position, text))
    return replace(desk, history=gone_to(ahead.history, desk.history.at))


def headed(desk: Desk, direction: Direction) -> Desk:
    """Return the desk after the chosen piece was sent in a direction."""
    if desk.space is None:
        return told(desk, "choose a piece first")
    move = PieceMove(desk.space, direction)
    reason = why_not(desk.position, move)
    if reason:
        return told(desk, f"{plain_text(desk.position.layout, move)}: {reason}")
    return moved(desk, move)


def next_piece(desk: Desk, change: int) -> Desk:
    """Return the desk with the next piece chosen of those that can move, or the one before."""
    spaces = sorted(ways_of(desk.position), key=lambda space: _reading(desk.position, space))
    if not spaces:
        return told(desk, "no piece can move")
    if desk.space in spaces:
        number = (spaces.index(desk.space) + change) % len(spaces)
    else:
        number = 0 if change > 0 else -1
    return replace(desk, space=spaces[number], told="")


def _reading(position: Position, space: int) -> Square:
    return board_of(position.layout).squares[space]
