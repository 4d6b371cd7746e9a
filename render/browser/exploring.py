"""A board being explored: its state, and pure functions from one state to the next.

An `ExplorerState` is a `History` of positions with the tool, the selection and a message. Each
function takes a state and returns another; an illegal move or edit only changes the message.
"""

from dataclasses import field, replace
from enum import Enum

import numpy as np

from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.render.browser.picking import (
    NO_MARKS,
    Marks,
    Press,
    mat_move_to,
    move_previews,
    next_space,
    preview_at,
    rearrange,
    slot_of,
    target_slots,
    why_not_rearrange,
)
from pucklab.render.bumpers.history import Entry, History, at_entry, entry_of_move, with_entry
from pucklab.sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Layout,
    MatMove,
    MatTurn,
    Move,
    Piece,
    PieceMove,
    Position,
    board_of,
    house_faces,
    parse_position,
    position_problems,
    why_illegal,
)
from pucklab.sim.bumpers.board import Square, with_pieces
from pucklab.sim.bumpers.game import Deck, GameConfig, random_start
from pucklab.sim.bumpers.moves import bare_move_text
from pucklab.sim.bumpers.solver.solution import line_steps


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
        >>> from pucklab.sim.bumpers import parse_move, parse_position
        >>> state = initial_state(parse_position("pb1:small:RPb7:-:R:-"))
        >>> state = with_move(state, parse_move(state.position, "b7E"))
        >>> state.history.entry.text, step_history(state, -1).history.index
        ('b7E', 0)
    """
    return ExplorerState(history=History(entries=(Entry(position=position),)))


def with_tool(state: ExplorerState, tool: Tool) -> ExplorerState:
    """Return the state with another tool and nothing selected."""
    return replace(state, tool=tool, space=None, mat=None, message="")


def with_message(state: ExplorerState, words: str) -> ExplorerState:
    """Return the state with a message."""
    return replace(state, message=words)


def step_history(state: ExplorerState, steps: int) -> ExplorerState:
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
    spaces = move_previews(state.position).keys()
    if not spaces:
        return with_message(state, "no piece can move")
    return replace(state, space=next_space(state.position, spaces, state.space, change), message="")


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
        GameConfig(board=bare, deck=Deck(), players=players), int(rng.integers(1 << 62))
    )
    return with_edit(state, start.position, "pieces at random")


def after_press(state: ExplorerState, press: Press) -> ExplorerState:
    """Return the state after a click or a drag."""
    if press.direction is None:
        return after_click(state, press.square)
    return after_drag(state, press.square, press.end, press.direction)


def after_click(state: ExplorerState, square: Square) -> ExplorerState:
    """Return the state after a click on a square, which selects, moves, or places."""
    position = state.position
    if state.tool.is_for_mats:
        there = position.layout.mat_at(slot_of(square, position.layout.size))
        if state.mat is not None and state.mat != there:
            return with_mat_brought(state, state.mat, square)
        return replace(state, mat=there if state.mat is None else None, message="")
    space = board_of(position.layout).spaces.get(square)
    piece = None if space is None else position.piece_on(space)
    if state.tool is Tool.EDIT_PIECES:
        brush = None if piece == state.brush else state.brush
        return state if space is None else with_piece_placed(state, space, brush)
    if state.space is not None:
        preview = preview_at(position, move_previews(position).get(state.space, ()), square)
        if preview is not None:
            return with_move(state, preview.move)
    if piece is None or space == state.space:
        return replace(state, space=None, message="")
    if position.to_move is piece.colour:
        return replace(state, space=space, message="")
    side = "nobody" if position.to_move is None else position.to_move.word
    message = f"that is {a_piece(piece)}, but {side} is to move"
    return replace(state, space=None, message=message)


def after_drag(
    state: ExplorerState, begin: Square, end: Square, direction: Direction
) -> ExplorerState:
    """Return the state after a drag that began on a piece or a mat."""
    layout = state.position.layout
    if state.tool.is_for_mats:
        mat = layout.mat_at(slot_of(begin, layout.size))
        return state if mat is None else with_mat_brought(state, mat, end)
    spaces = board_of(layout).spaces
    start, goal = spaces.get(begin), spaces.get(end)
    piece = None if start is None else state.position.piece_on(start)
    if piece is None or start is None:
        return state
    if state.tool is Tool.EDIT_PIECES:
        if goal is None:
            return state
        others = {space: each for space, each in state.position.pieces if space != start}
        text = f"{piece.code} to {board_of(layout).name_of(goal)}"
        return with_edit(state, with_pieces(state.position, {**others, goal: piece}), text)
    if piece.colour is not state.position.to_move:
        return with_message(state, f"that is {a_piece(piece)}, but another side is to move")
    return with_piece_sent(replace(state, space=start), direction)


def with_mat_turned(state: ExplorerState, quarters: int) -> ExplorerState:
    """Return the state after the selected mat turned by 1 to 3 quarter turns clockwise."""
    if state.mat is None:
        return with_message(state, "choose a mat first")
    return with_mat_move(state, MatTurn(state.mat, quarters))


def with_mat_flipped(state: ExplorerState) -> ExplorerState:
    """Return the state with the selected mat flipped, if it has another side (editing only)."""
    if state.mat is None or state.tool is not Tool.EDIT_MATS:
        return with_message(state, "choose a mat to edit first")
    layout = state.position.layout
    face = layout.faces[state.mat]
    other = house_faces().get(face.name if face.flipped else f"{face.name}f")
    if other is None or other.size != face.size:
        return with_message(state, f"mat {face.label} has no other side")
    faces = (*layout.faces[: state.mat], other, *layout.faces[state.mat + 1 :])
    after = replace(state.position, layout=Layout(faces, layout.places))
    return with_edit(state, after, f"{face.label} flipped to {other.label}")


def with_mat_brought(state: ExplorerState, mat: int, square: Square) -> ExplorerState:
    """Return the state after a shift or swap that brings a mat to the slot of a square."""
    layout = state.position.layout
    move = mat_move_to(layout, mat, slot_of(square, layout.size))
    selected = replace(state, mat=mat)
    return selected if move is None else with_mat_move(selected, move)


def with_mat_move(state: ExplorerState, move: MatMove) -> ExplorerState:
    """Return the state after a mat move; in editing, legal by the result alone."""
    text = bare_move_text(state.position.layout, move)
    is_free = state.tool is Tool.EDIT_MATS
    reason = (why_not_rearrange if is_free else why_illegal)(state.position, move)
    if reason:
        return with_message(state, f"{text}: {reason}")
    if is_free:
        return with_edit(state, rearrange(state.position, move), text, glides=True)
    return replace(with_move(state, move), mat=state.mat)


def marks_of(state: ExplorerState) -> Marks:
    """Return the marks of the selection: a mat with its targets, or a piece with its moves."""
    if state.tool.is_for_mats and state.mat is not None:
        slots = target_slots(state.position, state.mat, is_free=state.tool is Tool.EDIT_MATS)
        return Marks(mat=state.mat, slots=slots, reach="mats")
    if state.tool.is_for_mats:
        return Marks(reach="mats")
    if state.tool is Tool.EDIT_PIECES:
        return Marks(reach="spaces")
    if state.tool is not Tool.MOVE_PIECES or state.space is None:
        return NO_MARKS
    previews = move_previews(state.position).get(state.space, ())
    return Marks(selected=(state.space,), previews=previews)


def a_piece(piece: Piece) -> str:
    """Return a piece with its article.

    Example:
        >>> a_piece(Piece(Colour.ORANGE, Kind.PUCK)), a_piece(Piece(Colour.RED, Kind.MEEPLE))
        ('an orange puck', 'a red meeple')
    """
    return f"{'an' if piece.colour is Colour.ORANGE else 'a'} {piece}"
