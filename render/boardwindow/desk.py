"""A board to explore: what is chosen, and what comes of moves and edits.

Functions take a desk and return another. What cannot be done leaves all as it is but for a line
that says why.

What has been shown: positions one after another, and which of them is shown now.

Edits of a board: pieces put and taken, the side to move, what is scored, a line pasted.

An edit whose outcome is no legal position is refused, and it is told why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from physics import InputError
from render.boardwindow.picking import (
    ways_of,
)
from sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Move,
    Movement,
    Piece,
    PieceMove,
    Position,
    board_of,
    make_position,
    move_text,
    parse_move,
    parse_position,
    play,
    position_problems,
    why_illegal,
)
from sim.bumpers.board import Square
from sim.bumpers.rules import bare_move_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A position, and how it came about.

    Attributes:
        position: The position.
        text: What led to it, such as ``c7N``; empty for a first one.
        words: More of what led to it, for who goes through a game.
        movements: The pieces that moved to it, as `sim.bumpers.Change` has them.
        glides: Pieces or mats glide to it; otherwise it is just there.
        turn: The number of the turn in which it came about; 0 outside of games.
    """

    position: Position
    text: str = ""
    words: str = ""
    movements: tuple[Movement, ...] = ()
    glides: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Entries, and which of them is shown; build it with `history_of`.

    Attributes:
        entries: The entries, at least one.
        at: The number of the one shown.

    Example:
        >>> from sim.bumpers import parse_position
        >>> first = Entry(position=parse_position("pb1:small:RPb7:-:R:-"))
        >>> history = with_entry(history_of([first]), first)
        >>> history.at, gone_to(history, 0).at, len(with_entry(gone_to(history, 0), first).entries)
        (1, 0, 2)
    """

    entries: tuple[Entry, ...]
    at: int = 0

    @property
    def entry(self) -> Entry:
        """The entry shown."""
        return self.entries[self.at]

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.entry.position

    @property
    def is_first(self) -> bool:
        """Whether there is nothing before it."""
        return self.at == 0

    @property
    def is_last(self) -> bool:
        """Whether there is nothing after it."""
        return self.at == len(self.entries) - 1


def history_of(entries: Iterable[Entry]) -> History:
    """Return a history at its first entry."""
    return History(entries=tuple(entries))


def with_entry(history: History, entry: Entry) -> History:
    """Return a history with an entry after the one shown; what came after that is gone."""
    entries = (*history.entries[: history.at + 1], entry)
    return History(entries=entries, at=len(entries) - 1)


def with_future(history: History, entries: Iterable[Entry]) -> History:
    """Return a history with other entries after the one shown, still to come."""
    return replace(history, entries=(*history.entries[: history.at + 1], *entries))


def gone_to(history: History, number: int) -> History:
    """Return a history at another entry, or at the nearest end."""
    return replace(history, at=min(max(number, 0), len(history.entries) - 1))


def next_turn(history: History, change: int) -> int:
    """Return the number of the first entry of the next turn, or of this or the one before.

    Args:
        history: The history.
        change: 1 for the next turn; -1 for the start of this one, or from there of the one before.
    """
    starts = [
        number
        for number, entry in enumerate(history.entries)
        if number == 0 or entry.turn != history.entries[number - 1].turn
    ]
    if change > 0:
        return next((start for start in starts if start > history.at), len(history.entries) - 1)
    return max((start for start in starts if start < history.at), default=0)


def part_of(history: History, first: int, last: int) -> History:
    """Return the part of a history from the beginning of a turn to the end of another.

    It begins with the position before the first of these turns.

    Args:
        history: The history.
        first: Number of the first turn.
        last: Number of the last one, at least ``first``.

    Raises:
        InputError: No such turn is in the history.
    """
    numbers = [n for n, entry in enumerate(history.entries) if first <= entry.turn <= last]
    if not numbers:
        most = max(entry.turn for entry in history.entries)
        raise InputError(f"turns: {first}-{last} is not accepted; the game has turns 1 to {most}")
    begin = max(numbers[0] - 1, 0)
    before = replace(history.entries[begin], glides=False)
    return history_of([before, *history.entries[begin + 1 : numbers[-1] + 1]])


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
    reason = why_illegal(desk.position, move)
    if reason:
        return told(desk, f"{bare_move_text(desk.position.layout, move)}: {reason}")
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


def edited(desk: Desk, position: Position, text: str, *, glides: bool = False) -> Desk:
    """Return the desk after an edit, if what comes of it is a legal position."""
    if position == desk.position:
        return desk
    problems = position_problems(position)
    if problems:
        return told(desk, "; ".join(problems))
    entry = Entry(position=position, text=text, glides=glides)
    return replace(desk, history=with_entry(desk.history, entry), space=None, told="")


def pasted(desk: Desk, text: str) -> Desk:
    """Return the desk with the position of a line."""
    try:
        return replace(edited(desk, parse_position(text), "pasted"), mat=None)
    except InputError as error:
        return told(desk, str(error))


def with_side(desk: Desk, colour: Colour | None) -> Desk:
    """Return the desk with another side to move."""
    word = "nobody" if colour is None else colour.word
    return edited(desk, replace(desk.position, to_move=colour), f"{word} to move")


def with_next_side(desk: Desk) -> Desk:
    """Return the desk with the next colour to move, of those with a piece on the board."""
    there = sorted({piece.colour for _, piece in desk.position.pieces})
    if not there:
        return told(desk, "there is no piece on the board")
    now = desk.position.to_move
    later = [colour for colour in there if now is not None and colour > now]
    return with_side(desk, (later or there)[0])


def with_scored(desk: Desk, change: int) -> Desk:
    """Return the desk with more or fewer pucks scored by the side to move."""
    colour = desk.position.to_move
    if colour is None:
        return told(desk, "choose who is to move first")
    scored = list(desk.position.scored)
    scored[colour] += change
    text = f"{colour.word}: {scored[colour]} scored"
    return edited(desk, replace(desk.position, scored=tuple(scored)), text)


def placed(desk: Desk, space: int, piece: Piece | None) -> Desk:
    """Return the desk with a piece put on a space, or taken from it."""
    board = board_of(desk.position.layout)
    name = board.name(board.squares[space])
    pieces = {other: there for other, there in desk.position.pieces if other != space}
    if piece is not None:
        pieces[space] = piece
    text = f"{name} empty" if piece is None else f"{piece.code} on {name}"
    return edited(desk, with_pieces(desk.position, pieces), text)


def carried(desk: Desk, start: int, end: int) -> Desk:
    """Return the desk with a piece taken from a space and put on another."""
    pieces = dict(desk.position.pieces)
    piece = pieces.pop(start)
    pieces[end] = piece
    board = board_of(desk.position.layout)
    text = f"{piece.code} to {board.name(board.squares[end])}"
    return edited(desk, with_pieces(desk.position, pieces), text)


def with_pieces(position: Position, pieces: Mapping[int, Piece]) -> Position:
    """Return a position with other pieces, by space."""
    bare = make_position(position.layout, pieces)
    return replace(position, pieces=bare.pieces)
