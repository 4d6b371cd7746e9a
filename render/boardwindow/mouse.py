"""The mouse on the board of the explorer, and the marks drawn for it.

`pointer_after` tracks the mouse, `after_mouse` turns its clicks and drags into changes of the
state, and `marks_of` gives the marks for the selection, a drag, or the solver's answer.
"""

from collections.abc import Mapping
from dataclasses import replace

import pygame
from pygame.event import Event

from physics.facts import fact
from render.boardwindow.explorer_state import (
    ExplorerState,
    Tool,
    with_edit,
    with_message,
    with_move,
    with_piece_carried,
    with_piece_placed,
    with_piece_sent,
)
from render.boardwindow.picking import (
    MovePreview,
    drag_direction,
    mat_move_to,
    move_previews,
    preview_at,
    rearranged,
    slot_of,
    target_slots,
    why_not_rearranged,
)
from render.boardwindow.picture import NO_MARKS, Marks, a_piece
from render.boardwindow.solving import Answer
from render.bumpers import BoardView
from sim.bumpers import (
    Direction,
    Layout,
    MatMove,
    MatTurn,
    PieceMove,
    Position,
    board_of,
    house_faces,
    why_illegal,
)
from sim.bumpers.board import Square
from sim.bumpers.moves import bare_move_text, moved_mats

Pixel = tuple[int, int]

_LEFT, _RIGHT = 1, 3
"""Mouse buttons, as pygame numbers them."""


@fact
class Pointer:
    """The mouse on the board."""

    at: Pixel
    square: Square
    begin: Pixel | None = None  # where the left button was pressed; None if it is up
    begin_square: Square | None = None


def pointer_after(
    pointer: Pointer | None, event: Event, box: pygame.Rect, view: BoardView
) -> Pointer | None:
    """Return the pointer after an event; None if the mouse is not on the board in its box."""
    if event.type == pygame.WINDOWLEAVE:
        return None
    if event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return pointer
    is_held = pointer is not None and pointer.begin is not None
    if not is_held and not box.collidepoint(event.pos):
        return None
    now = Pointer(at=event.pos, square=view.square_at(event.pos))
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT:
        return replace(now, begin=now.at, begin_square=now.square)
    is_up = event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT
    if pointer is None or is_up:
        return now
    return replace(now, begin=pointer.begin, begin_square=pointer.begin_square)


def is_release(pointer: Pointer | None, event: Event) -> bool:
    """Return True if an event ends a click or drag that began on the board."""
    is_up = event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT
    return is_up and pointer is not None and pointer.begin is not None


def pointer_drag(
    pointer: Pointer | None, scale_px: int, at: Pixel | None = None
) -> Direction | None:
    """Return the direction of a drag to a newer pixel of the mouse; None without one."""
    if pointer is None or pointer.begin is None:
        return None
    return drag_direction(pointer.begin, at or pointer.at, scale_px)


def after_mouse(
    state: ExplorerState, pointer: Pointer | None, event: Event, view: BoardView
) -> ExplorerState:
    """Return the state after a mouse event on the board, with the pointer before it."""
    if pointer is None:
        return state
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == _RIGHT:
        return _right_clicked(state, view.square_at(event.pos))
    if event.type == pygame.MOUSEMOTION:
        is_drag = pointer_drag(pointer, view.scale_px, event.pos) is not None
        return after_grab(state, pointer) if is_drag else state
    if not is_release(pointer, event):
        return state
    square, direction = view.square_at(event.pos), pointer_drag(pointer, view.scale_px, event.pos)
    if direction is None:
        return after_click(state, square)
    return after_drop(state, replace(pointer, square=square), direction)


def after_grab(state: ExplorerState, pointer: Pointer) -> ExplorerState:
    """Return the state with the piece or mat selected on which a drag began."""
    square = pointer.begin_square
    if square is None:
        return state
    layout = state.position.layout
    if state.tool.is_for_mats:
        return replace(state, mat=layout.mat_at(slot_of(square, layout.size)), message="")
    space = board_of(layout).spaces.get(square)
    if state.tool is Tool.MOVE_PIECES and space in move_previews(state.position):
        return replace(state, space=space, message="")
    return state


def after_drop(state: ExplorerState, pointer: Pointer, direction: Direction) -> ExplorerState:
    """Return the state after a drag that began on a piece or a mat."""
    begin = pointer.begin_square
    layout = state.position.layout
    if begin is None:
        return state
    if state.tool.is_for_mats:
        mat = layout.mat_at(slot_of(begin, layout.size))
        return state if mat is None else with_mat_brought(state, mat, pointer.square)
    spaces = board_of(layout).spaces
    start, end = spaces.get(begin), spaces.get(pointer.square)
    piece = None if start is None else state.position.piece_on(start)
    if piece is None or start is None:
        return state
    if state.tool is Tool.EDIT_PIECES:
        return state if end is None else with_piece_carried(state, start, end)
    if piece.colour is not state.position.to_move:
        return with_message(state, f"that is {a_piece(piece)}, but another side is to move")
    return with_piece_sent(replace(state, space=start), direction)


def after_click(state: ExplorerState, square: Square) -> ExplorerState:
    """Return the state after a click on a square, which selects, moves, or places."""
    if state.tool.is_for_mats:
        return _mat_clicked(state, square)
    space = board_of(state.position.layout).spaces.get(square)
    if state.tool is Tool.EDIT_PIECES:
        if space is None:
            return state
        same = state.position.piece_on(space) == state.brush
        return with_piece_placed(state, space, None if same else state.brush)
    return _space_clicked(state, square, space)


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
    reason = (why_not_rearranged if is_free else why_illegal)(state.position, move)
    if reason:
        return with_message(state, f"{text}: {reason}")
    if is_free:
        return with_edit(state, rearranged(state.position, move), text, glides=True)
    return replace(with_move(state, move), mat=state.mat)


def _space_clicked(state: ExplorerState, square: Square, space: int | None) -> ExplorerState:
    position = state.position
    if state.space is not None:
        preview = preview_at(position, move_previews(position).get(state.space, ()), square)
        if preview is not None:
            return with_move(state, preview.move)
    piece = None if space is None else position.piece_on(space)
    if piece is None or space == state.space:
        return replace(state, space=None, message="")
    if position.to_move is not piece.colour:
        side = "nobody" if position.to_move is None else position.to_move.word
        return replace(
            state, space=None, message=f"that is {a_piece(piece)}, but {side} is to move"
        )
    return replace(state, space=space, message="")


def _mat_clicked(state: ExplorerState, square: Square) -> ExplorerState:
    layout = state.position.layout
    there = layout.mat_at(slot_of(square, layout.size))
    if state.mat is None or state.mat == there:
        return replace(state, mat=there if state.mat is None else None, message="")
    return with_mat_brought(state, state.mat, square)


def marks_of(
    state: ExplorerState,
    pointer: Pointer | None,
    direction: Direction | None,
    answer: Answer | None,
) -> Marks:
    """Return the marks on the board: those of the selection, or of the solver's answer."""
    if state.tool.is_for_mats:
        return _mat_marks(state)
    if state.tool is Tool.EDIT_PIECES:
        return NO_MARKS
    if state.space is None and answer is not None:
        return _answer_marks(state, answer)
    square = None if pointer is None else pointer.square
    previews = move_previews(state.position)
    return piece_marks(state.position, previews, state.space, square, direction)


def piece_marks(
    position: Position,
    previews: Mapping[int, tuple[MovePreview, ...]],
    space: int | None,
    square: Square | None,
    direction: Direction | None,
) -> Marks:
    """Return the marks of a selected piece: its moves, and the one that the mouse stands for.

    Args:
        position: The position.
        previews: The moves of all pieces, by their space.
        space: That of the selected piece.
        square: The square under the mouse; None if it is not on the board.
        direction: The direction of a drag; None without one.
    """
    if space is None:
        return NO_MARKS
    own = previews.get(space, ())
    pointed = None
    if direction is not None:
        pointed = next((preview for preview in own if preview.move.direction is direction), None)
    elif square is not None:
        pointed = preview_at(position, own, square)
    return Marks(selected=(space,), previews=own, pointed=pointed)


def _right_clicked(state: ExplorerState, square: Square) -> ExplorerState:
    """Return the state after a right click, which removes a piece or clears the selection."""
    if state.tool is not Tool.EDIT_PIECES:
        return replace(state, space=None, mat=None, message="")
    space = board_of(state.position.layout).spaces.get(square)
    return state if space is None else with_piece_placed(state, space, None)


def _mat_marks(state: ExplorerState) -> Marks:
    if state.mat is None:
        return NO_MARKS
    slots = target_slots(state.position, state.mat, is_free=state.tool is Tool.EDIT_MATS)
    return Marks(mat=state.mat, slots=slots)


def _answer_marks(state: ExplorerState, answer: Answer) -> Marks:
    """Return marks of the next move of a solution, or of the part that a hint shows."""
    step = next((step for step in answer.steps if step.before == state.position), None)
    if step is None:
        return NO_MARKS
    if not isinstance(step.move, PieceMove):
        return Marks(hinted_mats=moved_mats(step.move))
    if answer.is_hint and answer.shown == 1:
        return Marks(hinted=(step.move.space,))
    preview = MovePreview(move=step.move, movements=step.change.movements)
    return Marks(previews=(preview,), pointed=preview)
