"""A board to explore: what is chosen, and what comes of moves and edits.

Functions take a state and return another. What cannot be done leaves all as it is but for a line
that says why.

What has been shown: positions one after another, and which of them is shown now.

An edit whose outcome is no legal position is refused, and it is told why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from physics import InputError
from render.boardwindow.picking import (
    move_previews,
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
from sim.bumpers.moves import bare_move_text


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
        >>> history.index, at_entry(history, 0).index
        (1, 0)
    """

    entries: tuple[Entry, ...]
    index: int = 0

    @property
    def entry(self) -> Entry:
        """The entry shown."""
        return self.entries[self.index]

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.entry.position

    @property
    def is_first(self) -> bool:
        """Whether there is nothing before it."""
        return self.index == 0

    @property
    def is_last(self) -> bool:
        """Whether there is nothing after it."""
        return self.index == len(self.entries) - 1


def history_of(entries: Iterable[Entry]) -> History:
    """Return a history at its first entry."""
    return History(entries=tuple(entries))


def with_entry(history: History, entry: Entry) -> History:
    """Return a history with an entry after the one shown; what came after that is gone."""
    entries = (*history.entries[: history.index + 1], entry)
    return History(entries=entries, index=len(entries) - 1)


def with_continuation(history: History, entries: Iterable[Entry]) -> History:
    """Return a history with other entries after the one shown, still to come."""
    return replace(history, entries=(*history.entries[: history.index + 1], *entries))


def at_entry(history: History, number: int) -> History:
    """Return a history at another entry, or at the nearest end."""
    return replace(history, index=min(max(number, 0), len(history.entries) - 1))


def next_turn_index(history: History, change: int) -> int:
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
        return next((start for start in starts if start > history.index), len(history.entries) - 1)
    return max((start for start in starts if start < history.index), default=0)


def turns_of_game(history: History, first: int, last: int) -> History:
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
class ExplorerState:
    """A board being explored; build it with `initial_state`.

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
    message: str = ""

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.history.position


def initial_state(position: Position) -> ExplorerState:
    """Return a state with a position.

    Example:
        >>> from sim.bumpers import parse_move, parse_position
        >>> state = initial_state(parse_position("pb1:small:RPb7:-:R:-"))
        >>> state = with_move(state, parse_move(state.position, "b7E"))
        >>> state.history.entry.text, stepped(state, -1).history.index
        ('b7E', 0)
    """
    return ExplorerState(history=history_of([Entry(position=position)]))


def with_tool(state: ExplorerState, tool: Tool) -> ExplorerState:
    """Return the state with another tool, and nothing chosen."""
    return replace(state, tool=tool, space=None, mat=None, message="")


def with_brush(state: ExplorerState, brush: Piece | None) -> ExplorerState:
    """Return the state with another piece to place; None removes pieces."""
    return replace(state, brush=brush, message="")


def with_message(state: ExplorerState, words: str) -> ExplorerState:
    """Return the state with something to tell."""
    return replace(state, message=words)


def stepped(state: ExplorerState, steps: int) -> ExplorerState:
    """Return the state some positions back (below 0) or on."""
    history = at_entry(state.history, state.history.index + steps)
    return replace(state, history=history, space=None, mat=None, message="")


def with_move(state: ExplorerState, move: Move) -> ExplorerState:
    """Return the state after a legal move; the piece, or the mat, stays chosen."""
    position = state.position
    try:
        after, change = play(position, move)
    except InputError as error:
        return with_message(state, str(error))
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
    return replace(state, history=with_entry(state.history, entry), space=space, message="")


def with_moves(state: ExplorerState, texts: Iterable[str]) -> ExplorerState:
    """Return a state with moves to come, from the position shown.

    Args:
        state: The state.
        texts: The moves, as `sim.bumpers.parse_move` reads them.

    Raises:
        InputError: One is no legal move where it stands.
    """
    ahead = state
    for text in texts:
        ahead = with_move(ahead, parse_move(ahead.position, text))
    return replace(state, history=at_entry(ahead.history, state.history.index))


def with_piece_sent(state: ExplorerState, direction: Direction) -> ExplorerState:
    """Return the state after the chosen piece was sent in a direction."""
    if state.space is None:
        return with_message(state, "choose a piece first")
    move = PieceMove(state.space, direction)
    reason = why_illegal(state.position, move)
    if reason:
        return with_message(state, f"{bare_move_text(state.position.layout, move)}: {reason}")
    return with_move(state, move)


def with_next_piece(state: ExplorerState, change: int) -> ExplorerState:
    """Return the state with the next piece chosen of those that can move, or the one before."""
    spaces = sorted(
        move_previews(state.position), key=lambda space: _reading(state.position, space)
    )
    if not spaces:
        return with_message(state, "no piece can move")
    if state.space in spaces:
        number = (spaces.index(state.space) + change) % len(spaces)
    else:
        number = 0 if change > 0 else -1
    return replace(state, space=spaces[number], message="")


def _reading(position: Position, space: int) -> Square:
    return board_of(position.layout).squares[space]


def with_edit(
    state: ExplorerState, position: Position, text: str, *, glides: bool = False
) -> ExplorerState:
    """Return the state after an edit, if what comes of it is a legal position."""
    if position == state.position:
        return state
    problems = position_problems(position)
    if problems:
        return with_message(state, "; ".join(problems))
    entry = Entry(position=position, text=text, glides=glides)
    return replace(state, history=with_entry(state.history, entry), space=None, message="")


def with_pasted_line(state: ExplorerState, text: str) -> ExplorerState:
    """Return the state with the position of a line."""
    try:
        return replace(with_edit(state, parse_position(text), "pasted"), mat=None)
    except InputError as error:
        return with_message(state, str(error))


def with_side(state: ExplorerState, colour: Colour | None) -> ExplorerState:
    """Return the state with another side to move."""
    word = "nobody" if colour is None else colour.word
    return with_edit(state, replace(state.position, to_move=colour), f"{word} to move")


def with_next_side(state: ExplorerState) -> ExplorerState:
    """Return the state with the next colour to move, of those with a piece on the board."""
    there = sorted({piece.colour for _, piece in state.position.pieces})
    if not there:
        return with_message(state, "there is no piece on the board")
    now = state.position.to_move
    advanced = [colour for colour in there if now is not None and colour > now]
    return with_side(state, (advanced or there)[0])


def with_scored(state: ExplorerState, change: int) -> ExplorerState:
    """Return the state with more or fewer pucks scored by the side to move."""
    colour = state.position.to_move
    if colour is None:
        return with_message(state, "choose who is to move first")
    scored = list(state.position.scored)
    scored[colour] += change
    text = f"{colour.word}: {scored[colour]} scored"
    return with_edit(state, replace(state.position, scored=tuple(scored)), text)


def with_piece_placed(state: ExplorerState, space: int, piece: Piece | None) -> ExplorerState:
    """Return the state with a piece put on a space, or taken from it."""
    board = board_of(state.position.layout)
    name = board.name(board.squares[space])
    pieces = {other: there for other, there in state.position.pieces if other != space}
    if piece is not None:
        pieces[space] = piece
    text = f"{name} empty" if piece is None else f"{piece.code} on {name}"
    return with_edit(state, position_with_pieces(state.position, pieces), text)


def with_piece_carried(state: ExplorerState, start: int, end: int) -> ExplorerState:
    """Return the state with a piece taken from a space and put on another."""
    pieces = dict(state.position.pieces)
    piece = pieces.pop(start)
    pieces[end] = piece
    board = board_of(state.position.layout)
    text = f"{piece.code} to {board.name(board.squares[end])}"
    return with_edit(state, position_with_pieces(state.position, pieces), text)


def position_with_pieces(position: Position, pieces: Mapping[int, Piece]) -> Position:
    """Return a position with other pieces, by space."""
    bare = make_position(position.layout, pieces)
    return replace(position, pieces=bare.pieces)
