"""The state of the explorer, and pure functions from one state to the next.

An `ExplorerState` is a `History` of positions with the tool, the selection and a message. Each
function takes a state and returns another; an illegal move or edit only changes the message.
"""

from collections.abc import Iterable
from dataclasses import field, replace
from enum import Enum

import numpy as np

from physics import InputError
from physics.facts import fact
from render.boardwindow.picking import move_previews
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
    parse_move,
    parse_position,
    position_problems,
    why_illegal,
)
from sim.bumpers.board import Square, with_pieces
from sim.bumpers.game import Deck, Table, random_start
from sim.bumpers.moves import bare_move_text
from sim.bumpers.solver.solution import LineStep, line_steps


@fact
class Entry:
    """A position and the step that led to it.

    Attributes:
        position: The position.
        text: The step in notation, such as ``c7N``; empty for a first position.
        description: The step in words; empty outside of games.
        movements: The pieces that the step moved, as in `sim.bumpers.Change`.
        glides: True if the step is animated.
        turn: The number of its turn; 0 outside of games.
    """

    position: Position
    text: str = ""
    description: str = ""
    movements: tuple[Movement, ...] = ()
    glides: bool = False
    turn: int = 0


@fact
class History:
    """Positions one after another, and the number of the one shown.

    Attributes:
        entries: The entries, at least one.
        index: Number of the entry shown, from 0.

    Example:
        >>> from sim.bumpers import parse_position
        >>> first = Entry(position=parse_position("pb1:small:RPb7:-:R:-"))
        >>> history = with_entry(History(entries=(first,)), first)
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
        """True if the first entry is shown."""
        return self.index == 0

    @property
    def is_last(self) -> bool:
        """True if the last entry is shown."""
        return self.index == len(self.entries) - 1


def entry_of_move(step: LineStep, description: str = "") -> Entry:
    """Return the entry of a move."""
    return Entry(
        position=step.after,
        text=step.text,
        description=description,
        movements=step.change.movements,
        glides=True,
    )


def with_entry(history: History, entry: Entry) -> History:
    """Return a history with an entry in place of all that came after the one shown."""
    entries = (*history.entries[: history.index + 1], entry)
    return History(entries=entries, index=len(entries) - 1)


def with_continuation(history: History, entries: Iterable[Entry]) -> History:
    """Return a history with other entries after the one shown, which stays."""
    return replace(history, entries=(*history.entries[: history.index + 1], *entries))


def at_entry(history: History, number: int) -> History:
    """Return a history at another entry, or at the nearer end if there is no such number."""
    return replace(history, index=min(max(number, 0), len(history.entries) - 1))


def next_turn_index(history: History, change: int) -> int:
    """Return the number of the first entry of another turn.

    Args:
        history: The history.
        change: 1 for the next turn; -1 for this turn, or from its first entry the one before.
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
    """Return the part of a game from one turn to another.

    It begins with the position before these turns.

    Args:
        history: The history.
        first: Number of the first turn.
        last: Number of the last one, at least ``first``.

    Raises:
        InputError: The history has no such turn.
    """
    numbers = [n for n, entry in enumerate(history.entries) if first <= entry.turn <= last]
    if not numbers:
        most = max(entry.turn for entry in history.entries)
        raise InputError(f"turns: {first}-{last} is not accepted; the game has turns 1 to {most}")
    begin = max(numbers[0] - 1, 0)
    before = replace(history.entries[begin], glides=False)
    return History(entries=(before, *history.entries[begin + 1 : numbers[-1] + 1]))


class Tool(Enum):
    """A tool: the effect of a click on the board."""

    MOVE_PIECES = "move pieces"
    MOVE_MATS = "move mats"
    EDIT_PIECES = "edit pieces"
    EDIT_MATS = "edit mats"

    @property
    def is_for_mats(self) -> bool:
        """True if the tool selects mats."""
        return self in (Tool.MOVE_MATS, Tool.EDIT_MATS)


@fact
class ExplorerState:
    """A board being explored; `initial_state` makes one.

    Attributes:
        history: The positions so far.
        tool: The tool in use.
        space: The space of the selected piece.
        mat: The selected mat.
        brush: The piece that a click places in editing; None removes one.
        message: A message to the user, such as the reason for a refusal.
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
    """Return the state in which a position is first shown.

    Example:
        >>> from sim.bumpers import parse_move, parse_position
        >>> state = initial_state(parse_position("pb1:small:RPb7:-:R:-"))
        >>> state = with_move(state, parse_move(state.position, "b7E"))
        >>> state.history.entry.text, stepped(state, -1).history.index
        ('b7E', 0)
    """
    return ExplorerState(history=History(entries=(Entry(position=position),)))


def with_tool(state: ExplorerState, tool: Tool) -> ExplorerState:
    """Return the state with another tool and nothing selected."""
    return replace(state, tool=tool, space=None, mat=None, message="")


def with_brush(state: ExplorerState, brush: Piece | None) -> ExplorerState:
    """Return the state with another piece to place; None removes pieces."""
    return replace(state, brush=brush, message="")


def with_message(state: ExplorerState, words: str) -> ExplorerState:
    """Return the state with a message."""
    return replace(state, message=words)


def stepped(state: ExplorerState, steps: int) -> ExplorerState:
    """Return the state some positions forward, or back if negative."""
    history = at_entry(state.history, state.history.index + steps)
    return replace(state, history=history, space=None, mat=None, message="")


def with_move(state: ExplorerState, move: Move) -> ExplorerState:
    """Return the state after a legal move; the piece or mat stays selected."""
    try:
        (step,) = line_steps(state.position, [move])
    except InputError as error:
        return with_message(state, str(error))
    moving = [
        m for m in step.change.movements if isinstance(move, PieceMove) and m.start == move.space
    ]
    space = next((m.end for m in moving if not m.scored), None)
    if isinstance(move, PieceMove) and not moving:
        space = move.space
    return replace(
        state, history=with_entry(state.history, entry_of_move(step)), space=space, message=""
    )


def with_moves(state: ExplorerState, texts: Iterable[str]) -> ExplorerState:
    """Return the state with moves appended after the position shown.

    Args:
        state: The state.
        texts: The moves, as `sim.bumpers.parse_move` reads them.

    Raises:
        InputError: A move is not legal in its position.
    """
    ahead = state
    for text in texts:
        ahead = with_move(ahead, parse_move(ahead.position, text))
    return replace(state, history=at_entry(ahead.history, state.history.index))


def with_piece_sent(state: ExplorerState, direction: Direction) -> ExplorerState:
    """Return the state after the selected piece moved in a direction."""
    if state.space is None:
        return with_message(state, "choose a piece first")
    move = PieceMove(state.space, direction)
    reason = why_illegal(state.position, move)
    if reason:
        return with_message(state, f"{bare_move_text(state.position.layout, move)}: {reason}")
    return with_move(state, move)


def with_next_piece(state: ExplorerState, change: int) -> ExplorerState:
    """Return the state with the next, or previous, movable piece selected."""
    spaces = sorted(move_previews(state.position), key=lambda space: _square(state.position, space))
    if not spaces:
        return with_message(state, "no piece can move")
    if state.space in spaces:
        number = (spaces.index(state.space) + change) % len(spaces)
    else:
        number = 0 if change > 0 else -1
    return replace(state, space=spaces[number], message="")


def _square(position: Position, space: int) -> Square:
    """Return the row and column of a space, the reading order."""
    return board_of(position.layout).squares[space]


def with_edit(
    state: ExplorerState, position: Position, text: str, *, glides: bool = False
) -> ExplorerState:
    """Return the state after an edit, or with a message if the result is not legal."""
    if position == state.position:
        return state
    problems = position_problems(position)
    if problems:
        return with_message(state, "; ".join(problems))
    entry = Entry(position=position, text=text, glides=glides)
    return replace(state, history=with_entry(state.history, entry), space=None, message="")


def with_pasted_line(state: ExplorerState, text: str) -> ExplorerState:
    """Return the state with the position of a line of text."""
    try:
        return replace(with_edit(state, parse_position(text), "pasted"), mat=None)
    except InputError as error:
        return with_message(state, str(error))


def with_side(state: ExplorerState, colour: Colour | None) -> ExplorerState:
    """Return the state with another side to move."""
    word = "nobody" if colour is None else colour.word
    return with_edit(state, replace(state.position, to_move=colour), f"{word} to move")


def with_next_side(state: ExplorerState) -> ExplorerState:
    """Return the state with the next colour on the board as the side to move."""
    there = sorted({piece.colour for _, piece in state.position.pieces})
    if not there:
        return with_message(state, "there is no piece on the board")
    now = state.position.to_move
    advanced = [colour for colour in there if now is not None and colour > now]
    return with_side(state, (advanced or there)[0])


def with_scored(state: ExplorerState, change: int) -> ExplorerState:
    """Return the state with a changed number of pucks scored by the side to move."""
    colour = state.position.to_move
    if colour is None:
        return with_message(state, "choose the side to move first")
    scored = list(state.position.scored)
    scored[colour] += change
    text = f"{colour.word}: {scored[colour]} scored"
    return with_edit(state, replace(state.position, scored=tuple(scored)), text)


def with_piece_placed(state: ExplorerState, space: int, piece: Piece | None) -> ExplorerState:
    """Return the state with a piece placed on a space; None empties it."""
    name = board_of(state.position.layout).name_of(space)
    pieces = {other: there for other, there in state.position.pieces if other != space}
    if piece is not None:
        pieces[space] = piece
    text = f"{name} empty" if piece is None else f"{piece.code} on {name}"
    return with_edit(state, with_pieces(state.position, pieces), text)


def with_random_pieces(state: ExplorerState, rng: np.random.Generator) -> ExplorerState:
    """Return the state with the pieces placed as at the start of a game, at random.

    There are as many players as colours on the board, two at least.
    """
    players = max(len({piece.colour for _, piece in state.position.pieces}), 2)
    bare = replace(state.position, pieces=(), to_move=None, scored=(0,) * len(Colour))
    start = random_start(
        Table(board=bare, deck=Deck(), players=players), int(rng.integers(1 << 62))
    )
    return with_edit(state, start.position, "pieces at random")


def with_piece_carried(state: ExplorerState, start: int, end: int) -> ExplorerState:
    """Return the state with a piece carried from one space to another."""
    pieces = dict(state.position.pieces)
    piece = pieces.pop(start)
    pieces[end] = piece
    text = f"{piece.code} to {board_of(state.position.layout).name_of(end)}"
    return with_edit(state, with_pieces(state.position, pieces), text)
