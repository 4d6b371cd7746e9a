"""Moves as text: `move_text` writes, `parse_move` reads.

A piece move is a square and a direction: ``c7N``. An ``x`` after it means that another piece is
set in motion, a ``*`` that a puck scores. Any unambiguous part will do when reading: ``c7`` if the
piece there has only one move, ``N`` if only one piece can move north, ``*`` if only one move
scores. Mat moves are ``T:K3+90``, ``S:G1,K3`` and ``H:K3,G1.N``, as in
`pucklab.sim.bumpers.moves.bare_move_text`.
"""

import re
from collections.abc import Collection, Sequence

from pucklab.sim.bumpers.board import Position, board_of
from pucklab.sim.bumpers.mat_notation import problem_in
from pucklab.sim.bumpers.mats import Colour, Direction, Layout
from pucklab.sim.bumpers.moves import (
    MatMove,
    MatShift,
    MatSwap,
    MatTurn,
    Move,
    PieceMove,
    bare_move_text,
    legal_mat_moves,
    moved_mats,
    movements_of,
    why_mat_move_illegal,
)
from pucklab.sim.bumpers.rules import legal_moves, why_illegal

_MAT = r"[A-Z][A-Z0-9]*"
_TURN = re.compile(rf"T:(?P<mat>{_MAT})(?:\+(?P<degrees>90|180|270))?")
_SWAP = re.compile(rf"S:(?P<mat>{_MAT})(?:,(?P<other>{_MAT}))?")
_SHIFT = re.compile(rf"H:(?P<mat>{_MAT})(?:,(?P<other>{_MAT})\.(?P<way>[NESW]{{1,99}}))?")
_FORMS = "T:K3+90 (turn), S:G1,K3 (swap) or H:K3,G1.N (shift to the slot north of G1)"
_PIECE_MOVE = re.compile(r"(?P<square>[a-z]*?[0-9]*)(?P<direction>[NESW]?)(?P<marks>x?\*?)")
_SMALL_WAY = re.compile(r"(?<=[0-9])[nesw](?=x?\*?$)")
_SQUARE = re.compile(r"[a-z]+[0-9]+")
_SHOWN = 8


def move_text(position: Position, move: Move) -> str:
    """Return the text of a legal move, with the marks ``x`` and ``*``.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> position = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> [move_text(position, move) for move in legal_moves(position)]
        ['a1Nx', 'a1E']
    """
    text = bare_move_text(position.layout, move)
    if not isinstance(move, PieceMove):
        return text
    movements = movements_of(position, move)
    sends = any(movement.start != move.space for movement in movements)
    scores = any(movement.scored for movement in movements)
    return text + "x" * sends + "*" * scores


def parse_move(
    position: Position,
    text: str,
    *,
    colours: Collection[Colour] | None = None,
    before: Position | None = None,
    temporary: bool = False,
) -> Move:
    """Return the legal move that a text denotes.

    Args:
        position: The position before the move.
        text: The text; surrounding blanks are ignored.
        colours: As in `pucklab.sim.bumpers.rules.legal_moves`.
        before: As in `pucklab.sim.bumpers.rules.legal_moves`.
        temporary: As in `pucklab.sim.bumpers.rules.why_illegal`.

    Raises:
        NotationError: It is not a move, an illegal one (the message says why), or ambiguous (the
            message lists the candidates).

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> position = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> parse_move(position, "N").direction.name
        'N'
        >>> parse_move(position, "a1")
        Traceback (most recent call last):
            ...
        pucklab.sim.bumpers.mat_notation.NotationError: move: '>>a1<<': 2 moves fit: a1Nx, a1E; ...
    """
    text = _SMALL_WAY.sub(lambda way: way[0].upper(), text.strip())
    candidates: Sequence[Move]
    if text[1:2] == ":":
        candidates = _mat_moves(position, text, temporary=temporary)
    else:
        candidates = _piece_moves(position, text, colours, before)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        names = _list_names([move_text(position, move) for move in candidates])
        message = f"{len(candidates)} moves fit: {names}; give one of them"
    else:
        names = _list_names(
            [
                move_text(position, move)
                for move in legal_moves(position, colours=colours, before=before)
            ]
        )
        message = f"no legal move fits; legal are {names or 'none'}"
    raise problem_in("move", text, message)


def _piece_moves(
    position: Position,
    text: str,
    colours: Collection[Colour] | None,
    before: Position | None,
) -> Sequence[Move]:
    """Return the legal piece moves that fit a text.

    Raises:
        NotationError: It is not a piece move, an illegal one, or one with wrong marks.
    """
    match = _PIECE_MOVE.fullmatch(text)
    if match is None or not text:
        message = "give a square and a direction, such as c7N, or a mat move (T: S: H:)"
        raise problem_in("move", text, message)
    square, direction, marks = match["square"], match["direction"], match["marks"]
    whole = _SQUARE.fullmatch(square)
    if whole:
        # The piece there may move, in the direction if one is given.
        board = board_of(position.layout)
        space = board.space_named(square)
        if space is None:
            message = f"there is no space {square}; {board.why_no_space(square)}"
            raise problem_in("move", text, message, 0, len(square))
        reasons = [
            why_illegal(position, PieceMove(space, way), colours=colours, before=before)
            for way in ([Direction[direction]] if direction else Direction)
        ]
        if all(reasons):
            same = len(set(reasons)) == 1
            message = reasons[0] if same else "the piece there has no legal move"
            raise problem_in("move", text, message, 0, len(square) + len(direction))
    # Columns, rows and directions may be left out.
    parts = re.compile(
        f"{square.rstrip('0123456789') or '[a-z]+'}"
        f"{square.lstrip('abcdefghijklmnopqrstuvwxyz') or '[0-9]+'}{direction or '[NESW]'}"
    )
    fits = [
        move
        for move in legal_moves(position, colours=colours, before=before)
        if parts.fullmatch(bare_move_text(position.layout, move))
    ]
    agreeing = [move for move in fits if all(m in move_text(position, move) for m in marks)]
    if fits and not agreeing and whole and direction:
        is_x = "x" in marks and "x" not in move_text(position, fits[0])
        wrong = "moves no other piece (x)" if is_x else "scores no puck (*)"
        raise problem_in("move", text, f"{square}{direction} {wrong}", *match.span("marks"))
    return agreeing


def _mat_moves(position: Position, text: str, *, temporary: bool) -> tuple[MatMove, ...]:
    """Return the legal mat moves that fit a text; exactly one if the text is complete.

    Raises:
        NotationError: It is not a mat move, or an illegal one; the message says why.
    """
    match = _TURN.fullmatch(text) or _SWAP.fullmatch(text) or _SHIFT.fullmatch(text)
    if match is None:
        raise problem_in("move", text, f"give {_FORMS}")
    layout, rules = position.layout, position.rules
    mat, parts = _number(layout, text, match, "mat"), match.groupdict()
    move: MatMove
    if parts.get("degrees"):
        move = MatTurn(mat, int(parts["degrees"]) // 90)
    elif parts.get("other"):
        other = _number(layout, text, match, "other")
        row, column = layout.places[other].slot
        for letter in parts.get("way", ""):
            down, right = Direction[letter].step
            row, column = row + down, column + right
        is_shift = "way" in parts
        move = MatShift(mat, (row, column)) if is_shift else MatSwap(*sorted((mat, other)))
    else:  # a part is left open
        kind = {"T": MatTurn, "S": MatSwap, "H": MatShift}[text[0]]
        return tuple(
            found
            for found in legal_mat_moves(layout, rules, temporary=temporary)
            if isinstance(found, kind) and mat in moved_mats(found)
        )
    reason = why_mat_move_illegal(layout, move, rules, temporary=temporary)
    if reason:
        raise problem_in("move", text, reason, 2)
    return (move,)


def _number(layout: Layout, text: str, match: re.Match[str], group: str) -> int:
    """Return the number of the mat named in a group of a match."""
    name = match[group]
    mat = layout.mat_named(name)
    if mat is None:
        names = ", ".join(face.name for face in layout.faces)
        message = f"there is no mat {name} on the board; give one of {names}"
        raise problem_in("move", text, message, *match.span(group))
    return mat


def _list_names(names: Sequence[str]) -> str:
    """Return the first names of a list, and the number of the others."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
