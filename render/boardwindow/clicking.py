"""What clicks on a board, and keys for its mats, come to."""

from dataclasses import replace

from render.boardwindow.desk import Desk, Tool, moved, told
from render.boardwindow.editing import edited, placed
from render.boardwindow.picking import laid, mat_move_to, slot_of, way_at, ways_of, why_not_laid
from sim.bumpers import Layout, MatMove, Turn, board_of, house_faces, why_not
from sim.bumpers.board import Square
from sim.bumpers.rules import plain_text


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
    return mat_moved(desk, Turn(desk.mat, quarters))


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
    text = plain_text(desk.position.layout, move)
    is_free = desk.tool is Tool.EDIT_MATS
    reason = (why_not_laid if is_free else why_not)(desk.position, move)
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
