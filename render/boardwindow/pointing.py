"""The mouse on a board that is explored: what it holds, and what is marked for it.

What clicks on a board, and keys for its mats, come to.
"""

from dataclasses import dataclass, replace

import pygame
from pygame.event import Event

from render.boardwindow.desk import Desk, Tool, carried, edited, headed, moved, placed, told
from render.boardwindow.picking import (
    Way,
    dragged,
    laid,
    mat_move_to,
    mat_slots,
    slot_of,
    way_at,
    ways_of,
    why_not_laid,
)
from render.boardwindow.picture import NO_MARKS, Marks
from render.boardwindow.solving import Answer
from render.bumpers import BoardView
from sim.bumpers import (
    Direction,
    Layout,
    MatMove,
    MatSwap,
    MatTurn,
    PieceMove,
    board_of,
    house_faces,
    why_illegal,
)
from sim.bumpers.board import Square
from sim.bumpers.rules import bare_move_text


def clicked(desk: Desk, square: Square) -> Desk:
    """Return the desk after a click on a square: it chooses, moves, or places."""
    if desk.tool.is_for_mats:
        return _mat_clicked(desk, square)
    space = board_of(desk.position.layout).spaces.get(square)
    if desk.tool is Tool.EDIT_PIECES:
        if space is None:
            return desk
        same = desk.position.piece_on(space) == desk.brush
        return placed(desk, space, None if same else desk.brush)
    return _space_clicked(desk, square, space)


def turned(desk: Desk, quarters: int) -> Desk:
    """Return the desk after the chosen mat turned, by 1 to 3 quarter turns clockwise."""
    if desk.mat is None:
        return told(desk, "choose a mat first")
    return mat_moved(desk, MatTurn(desk.mat, quarters))


def flipped(desk: Desk) -> Desk:
    """Return the desk, in editing, with the other side of the chosen mat up, if it has one."""
    if desk.mat is None or desk.tool is not Tool.EDIT_MATS:
        return told(desk, "choose a mat to edit first")
    layout = desk.position.layout
    face = layout.faces[desk.mat]
    other = house_faces().get(face.name if face.flipped else f"{face.name}f")
    if other is None or other.size != face.size:
        return told(desk, f"mat {face.label} has no other side")
    faces = (*layout.faces[: desk.mat], other, *layout.faces[desk.mat + 1 :])
    after = replace(desk.position, layout=Layout(faces, layout.places))
    return edited(desk, after, f"{face.label} flipped to {other.label}")


def brought(desk: Desk, mat: int, square: Square) -> Desk:
    """Return the desk after a mat was brought to where a square is, by a shift or a swap."""
    layout = desk.position.layout
    move = mat_move_to(layout, mat, slot_of(square, layout.size))
    chosen = replace(desk, mat=mat)
    return chosen if move is None else mat_moved(chosen, move)


def mat_moved(desk: Desk, move: MatMove) -> Desk:
    """Return the desk after a mat move: by the rules, or in editing by hand."""
    text = bare_move_text(desk.position.layout, move)
    is_free = desk.tool is Tool.EDIT_MATS
    reason = (why_not_laid if is_free else why_illegal)(desk.position, move)
    if reason:
        return told(desk, f"{text}: {reason}")
    if is_free:
        return edited(desk, laid(desk.position, move), text, glides=True)
    return replace(moved(desk, move), mat=desk.mat)


def _space_clicked(desk: Desk, square: Square, space: int | None) -> Desk:
    position = desk.position
    if desk.space is not None:
        way = way_at(position, ways_of(position).get(desk.space, ()), square)
        if way is not None:
            return moved(desk, way.move)
    piece = None if space is None else position.piece_on(space)
    if piece is None or space == desk.space:
        return replace(desk, space=None, told="")
    if position.to_move is not piece.colour:
        side = "nobody" if position.to_move is None else position.to_move.word
        return replace(desk, space=None, told=f"that is a {piece}, and {side} is to move")
    return replace(desk, space=space, told="")


def _mat_clicked(desk: Desk, square: Square) -> Desk:
    layout = desk.position.layout
    there = layout.mat_at(slot_of(square, layout.size))
    if desk.mat is None or desk.mat == there:
        return replace(desk, mat=there if desk.mat is None else None, told="")
    return brought(desk, desk.mat, square)


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


def tracked(
    pointer: Pointer | None, event: Event, box: pygame.Rect, view: BoardView
) -> Pointer | None:
    """Return where the mouse is after an event; None if it is not on the board.

    Args:
        pointer: Where it was.
        event: What it did.
        box: Where the board is in the window.
        view: Where its squares are.
    """
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
    """Return whether an event lets go what the mouse held on the board."""
    is_up = event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT
    return is_up and pointer is not None and pointer.begin is not None


def drag_of(pointer: Pointer | None, scale_px: int, at: Pixel | None = None) -> Direction | None:
    """Return the direction in which the mouse is dragged; None if it is not.

    Args:
        pointer: Where it is, and where its button was pressed.
        scale_px: Pixels of a space.
        at: Where it is now, if that is elsewhere.
    """
    if pointer is None or pointer.begin is None:
        return None
    return dragged(pointer.begin, at or pointer.at, scale_px)


def moused(desk: Desk, pointer: Pointer | None, event: Event, view: BoardView) -> Desk:
    """Return the desk after what the mouse did on the board.

    Args:
        desk: The board.
        pointer: Where the mouse was before.
        event: What it did.
        view: Where the squares are.
    """
    if pointer is None:
        return desk
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == _RIGHT:
        return _right_clicked(desk, view.square_at(event.pos))
    if event.type == pygame.MOUSEMOTION:
        return (
            taken(desk, pointer) if drag_of(pointer, view.scale_px, event.pos) is not None else desk
        )
    if not is_release(pointer, event):
        return desk
    square, direction = view.square_at(event.pos), drag_of(pointer, view.scale_px, event.pos)
    if direction is None:
        return clicked(desk, square)
    return dropped(desk, replace(pointer, square=square), direction)


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


def _right_clicked(desk: Desk, square: Square) -> Desk:
    """Return the desk after a click with the right button: it removes a piece, or lets go."""
    if desk.tool is not Tool.EDIT_PIECES:
        return replace(desk, space=None, mat=None, told="")
    space = board_of(desk.position.layout).spaces.get(square)
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
        mats = (move.first, move.second) if isinstance(move, MatSwap) else (move.mat,)
        return Marks(hinted_mats=mats)
    if answer.is_hint and answer.shown == 1:
        return Marks(hinted=(step.move.space,))
    way = Way(move=step.move, movements=step.change.movements)
    return Marks(ways=(way,), pointed=way)
