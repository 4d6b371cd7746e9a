"""The mouse on a board that is explored: what it holds, and what is marked for it."""

from dataclasses import dataclass, replace

import pygame
from pygame.event import Event

from render.boardwindow.desk import Desk, Tool, brought, carried, clicked, headed, placed, told
from render.boardwindow.marks import NO_MARKS, Marks
from render.boardwindow.picking import Way, dragged, mat_slots, slot_of, way_at, ways_of
from render.boardwindow.solving import Answer
from render.bumpers import BoardView
from sim.bumpers import Direction, PieceMove, Swap, board_of
from sim.bumpers.board import Square

Pixel = tuple[int, int]

_LEFT, _RIGHT = 1, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where the mouse is on the board.

    Attributes:
        at: The pixel.
        square: The square there.
        begin: Where its button was pressed; None if it is up.
        begin_square: The square there.
    """

    at: Pixel
    square: Square
    begin: Pixel | None = None
    begin_square: Square | None = None


def drag_of(pointer: Pointer, scale_px: int) -> Direction | None:
    """Return the direction in which the mouse is dragged; None if it is not."""
    if pointer.begin is None:
        return None
    return dragged(pointer.begin, pointer.at, scale_px)


def moused(
    desk: Desk, pointer: Pointer | None, event: Event, box: pygame.Rect, view: BoardView
) -> tuple[Desk, Pointer | None]:
    """Return the desk and the pointer after what the mouse did.

    Args:
        desk: The board.
        pointer: Where the mouse was; None if it was elsewhere.
        event: What it did.
        box: Where the board is in the window.
        view: Where its squares are.
    """
    if event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return desk, pointer
    held = pointer is not None and pointer.begin is not None
    if not held and not box.collidepoint(event.pos):
        return desk, None
    now = Pointer(at=event.pos, square=view.square_at(event.pos))
    if pointer is not None:
        now = replace(now, begin=pointer.begin, begin_square=pointer.begin_square)
    if event.type == pygame.MOUSEMOTION:
        is_drag = drag_of(now, view.scale_px) is not None
        return (taken(desk, now) if is_drag else desk), now
    if event.type == pygame.MOUSEBUTTONDOWN:
        if event.button == _RIGHT:
            return _right_clicked(desk, now), now
        if event.button == _LEFT:
            now = replace(now, begin=now.at, begin_square=now.square)
        return desk, now
    if event.button != _LEFT or now.begin is None:
        return desk, now
    direction = drag_of(now, view.scale_px)
    up = replace(now, begin=None, begin_square=None)
    if direction is None:
        return clicked(desk, now.square), up
    return dropped(desk, now, direction), up


def taken(desk: Desk, pointer: Pointer) -> Desk:
    """Return the desk with what a drag began on chosen."""
    square = pointer.begin_square
    if square is None:
        return desk
    layout = desk.position.layout
    if desk.tool.is_for_mats:
        return replace(desk, mat=layout.mat_at(slot_of(square, layout.size)), told="")
    space = board_of(layout).spaces.get(square)
    if desk.tool is Tool.MOVE_PIECES and space in ways_of(desk.position):
        return replace(desk, space=space, told="")
    return desk


def dropped(desk: Desk, pointer: Pointer, direction: Direction) -> Desk:
    """Return the desk after a drag that began on a piece or a mat."""
    begin = pointer.begin_square
    layout = desk.position.layout
    if begin is None:
        return desk
    if desk.tool.is_for_mats:
        mat = layout.mat_at(slot_of(begin, layout.size))
        return desk if mat is None else brought(desk, mat, pointer.square)
    spaces = board_of(layout).spaces
    start, end = spaces.get(begin), spaces.get(pointer.square)
    piece = None if start is None else desk.position.piece_on(start)
    if piece is None or start is None:
        return desk
    if desk.tool is Tool.EDIT_PIECES:
        return desk if end is None else carried(desk, start, end)
    if piece.colour is not desk.position.to_move:
        return told(desk, f"that is a {piece}, and another side is to move")
    return headed(replace(desk, space=start), direction)


def marks_of(
    desk: Desk, pointer: Pointer | None, direction: Direction | None, answer: Answer | None
) -> Marks:
    """Return what is marked.

    Args:
        desk: The board.
        pointer: Where the mouse is.
        direction: Where it drags to.
        answer: What the solver knows.
    """
    if desk.tool.is_for_mats:
        return _mat_marks(desk)
    if desk.tool is Tool.EDIT_PIECES:
        return NO_MARKS
    if desk.space is None:
        return NO_MARKS if answer is None else _answer_marks(desk, answer)
    ways = ways_of(desk.position).get(desk.space, ())
    pointed = None
    if direction is not None:
        pointed = next((way for way in ways if way.move.direction is direction), None)
    elif pointer is not None:
        pointed = way_at(desk.position, ways, pointer.square)
    return Marks(chosen=(desk.space,), ways=ways, pointed=pointed)


def _right_clicked(desk: Desk, pointer: Pointer) -> Desk:
    """Return the desk after a click with the right button: it removes a piece, or lets go."""
    if desk.tool is not Tool.EDIT_PIECES:
        return replace(desk, space=None, mat=None, told="")
    space = board_of(desk.position.layout).spaces.get(pointer.square)
    return desk if space is None else placed(desk, space, None)


def _mat_marks(desk: Desk) -> Marks:
    if desk.mat is None:
        return NO_MARKS
    slots = mat_slots(desk.position, desk.mat, is_free=desk.tool is Tool.EDIT_MATS)
    return Marks(mat=desk.mat, slots=slots)


def _answer_marks(desk: Desk, answer: Answer) -> Marks:
    """Return marks of the next move of a solution, or of as much of it as a hint shows."""
    step = next((step for step in answer.steps if step.before == desk.position), None)
    if step is None:
        return NO_MARKS
    if not isinstance(step.move, PieceMove):
        move = step.move
        mats = (move.first, move.second) if isinstance(move, Swap) else (move.mat,)
        return Marks(hinted_mats=mats)
    if answer.is_hint and answer.shown == 1:
        return Marks(hinted=(step.move.space,))
    way = Way(move=step.move, movements=step.change.movements)
    return Marks(ways=(way,), pointed=way)
