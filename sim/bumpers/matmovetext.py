"""Reading the text of a mat move; see `sim.bumpers.movetext`."""

import re

from sim.bumpers.directions import Direction
from sim.bumpers.layout import Layout
from sim.bumpers.marking import NotationError, Problem
from sim.bumpers.matrules import legal_mat_moves, why_mat_move_not
from sim.bumpers.moves import MatMove, Shift, Swap, Turn
from sim.bumpers.position import Position

_MAT = r"[A-Z][A-Z0-9]*"
_TURN = re.compile(rf"T:(?P<mat>{_MAT})(?:\+(?P<degrees>90|180|270))?")
_SWAP = re.compile(rf"S:(?P<mat>{_MAT})(?:,(?P<other>{_MAT}))?")
_SHIFT = re.compile(rf"H:(?P<mat>{_MAT})(?:,(?P<other>{_MAT})\.(?P<way>[NESW]{{1,99}}))?")
_FORMS = "T:K3+90 (turn), S:G1,K3 (swap) or H:K3,G1.N (shift to the north of G1)"


def read_mat_move(position: Position, text: str, *, temporary: bool) -> tuple[MatMove, ...]:
    """Return the legal mat moves that a text says; one if it says all.

    Raises:
        NotationError: It is no mat move, or an illegal one; the message says why.
    """
    match = _TURN.fullmatch(text) or _SWAP.fullmatch(text) or _SHIFT.fullmatch(text)
    if match is None:
        raise NotationError("move", text, [Problem(f"give {_FORMS}", 0, len(text))])
    layout, rules = position.layout, position.rules
    mat = _number(layout, text, match, "mat")
    move = _whole_move(layout, text, match, mat)
    if move is None:
        kind = {"T": Turn, "S": Swap, "H": Shift}[text[0]]
        return tuple(
            found
            for found in legal_mat_moves(layout, rules, temporary=temporary)
            if isinstance(found, kind) and mat in _mats(found)
        )
    reason = why_mat_move_not(layout, move, rules, temporary=temporary)
    if reason:
        raise NotationError("move", text, [Problem(reason, 2, len(text))])
    return (move,)


def _whole_move(layout: Layout, text: str, match: re.Match[str], mat: int) -> MatMove | None:
    """Return the move if the text says all of it."""
    parts = match.groupdict()
    if parts.get("degrees"):
        return Turn(mat, int(parts["degrees"]) // 90)
    if not parts.get("other"):
        return None
    other = _number(layout, text, match, "other")
    if not parts.get("way"):
        return Swap(min(mat, other), max(mat, other))
    row, column = layout.places[other].slot
    for letter in parts["way"]:
        down, right = Direction[letter].step
        row, column = row + down, column + right
    return Shift(mat, (row, column))


def _number(layout: Layout, text: str, match: re.Match[str], group: str) -> int:
    name = match[group]
    mat = layout.mat_named(name)
    if mat is None:
        names = ", ".join(face.name for face in layout.faces)
        message = f"there is no mat {name} on the board; give one of {names}"
        raise NotationError("move", text, [Problem(message, *match.span(group))])
    return mat


def _mats(move: MatMove) -> tuple[int, ...]:
    return (move.first, move.second) if isinstance(move, Swap) else (move.mat,)
