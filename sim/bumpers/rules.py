"""The rules of the board: legal moves and playing them.

Begin with `legal_moves` and `apply`; `play` returns the `Change` as well.
Written plainly rather than for speed: the compiled kernel is tested against it.
"""

from collections.abc import Collection
from dataclasses import replace

from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position, with_pieces
from pucklab.sim.bumpers.mats import Colour, are_slots_legal, slots_of, with_places
from pucklab.sim.bumpers.moves import (
    Change,
    Line,
    Move,
    Movement,
    PieceMove,
    bare_move_text,
    legal_mat_moves,
    moved_places,
    movements_of,
    nudge_movements,
    possible_moves,
    why_impossible,
    why_mat_move_illegal,
)


def legal_moves(
    position: Position,
    *,
    colours: Collection[Colour] | None = None,
    mats: bool = False,
    temporary: bool = False,
    before: Position | None = None,
) -> Line:
    """Return the legal moves: piece moves by space and direction, then mat moves.

    Args:
        position: The position. If its layout is not legal, only mats move (PB-23).
        colours: Colours that may move; by default the side to move.
        mats: Whether to include mat moves: every turn, swap and shift to a legal layout.
        temporary: As in `why_illegal`, for the mat moves.
        before: The position before the player's last piece move of this turn. A piece move that
            restores it is illegal (PB-10).

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> position = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> [move.direction.name for move in legal_moves(position)]
        ['N', 'E']
    """
    found: list[Move] = []
    if are_slots_legal(slots_of(position.layout), position.rules):
        found += [
            move
            for move, movements in possible_moves(position, _movers(position, colours))
            if not _restores(position, movements, before)
        ]
    if mats:
        found += legal_mat_moves(position.layout, position.rules, temporary=temporary)
    return tuple(found)


def why_illegal(
    position: Position,
    move: Move,
    *,
    colours: Collection[Colour] | None = None,
    before: Position | None = None,
    temporary: bool = False,
) -> str:
    """Return why a move is illegal, in a few words; empty if it is legal.

    Args:
        position: The position.
        move: The move.
        colours: As in `legal_moves`.
        before: As in `legal_moves`.
        temporary: Whether more mat moves follow in the same series, so that the layout after this
            one need not be legal (PB-23).
    """
    if not isinstance(move, PieceMove):
        return why_mat_move_illegal(position.layout, move, position.rules, temporary=temporary)
    piece = position.piece_on(move.space)
    if piece is None:
        return "no piece stands there"
    movers = _movers(position, colours)
    if piece.colour not in movers:
        allowed = " and ".join(colour.word for colour in movers) or "nobody"
        return f"that is a {piece}, and {allowed} may move"
    movements = movements_of(position, move)
    if not movements:
        return why_impossible(position, move)
    if _restores(position, movements, before):
        return "together with the move before it, it would leave every piece where it was (PB-10)"
    return ""


def play(
    position: Position,
    move: Move,
    *,
    colours: Collection[Colour] | None = None,
    before: Position | None = None,
    temporary: bool = False,
) -> tuple[Position, Change]:
    """Return the position after a move, and the change it made.

    Args:
        position: The position.
        move: The move.
        colours: As in `legal_moves`.
        before: As in `legal_moves`.
        temporary: As in `why_illegal`.

    Raises:
        InputError: The move is not legal; the message says why.
    """
    reason = why_illegal(position, move, colours=colours, before=before, temporary=temporary)
    if reason:
        raise InputError(f"move: {bare_move_text(position.layout, move)}: {reason}")
    if isinstance(move, PieceMove):
        movements = movements_of(position, move)
        return _with_movements(position, movements), Change(movements=movements)
    layout = with_places(position.layout, moved_places(position.layout, move))
    return replace(position, layout=layout), Change()


def apply(position: Position, move: Move) -> Position:
    """Return the position after a mat move or a move of the side to move.

    Raises:
        InputError: The move is not legal; the message says why.

    Example:
        >>> from pucklab.sim.bumpers import parse_position, position_text
        >>> position = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> position_text(apply(position, legal_moves(position)[0]))
        'pb1:classic:RPa3.BPa9:-:R:c5c5'
    """
    return play(position, move)[0]


def nudge(position: Position, move: PieceMove) -> tuple[Position, Change]:
    """Return the position and the change after a piece moves one space (the card Nudge, PB-14).

    Raises:
        InputError: No piece stands there, or the space ahead is not open.
    """
    reason = "no piece stands there"
    if position.piece_on(move.space) is not None:
        movements = nudge_movements(position, move)
        if movements:
            return _with_movements(position, movements), Change(movements=movements)
        reason = "the next space is not open"
    raise InputError(f"nudge: {bare_move_text(position.layout, move)}: {reason}")


def _movers(position: Position, colours: Collection[Colour] | None) -> Collection[Colour]:
    """Return the colours that may move: those given, else the side to move."""
    return position.movers if colours is None else colours


def _restores(position: Position, movements: tuple[Movement, ...], before: Position | None) -> bool:
    """Return whether movements restore the board before the last move (PB-10)."""
    if before is None:
        return False
    after = _with_movements(position, movements)
    now, then = ((one.layout, one.pieces, one.scored) for one in (after, before))
    return now == then


def _with_movements(position: Position, movements: tuple[Movement, ...]) -> Position:
    pieces = dict(position.pieces)
    scored = list(position.scored)
    for movement in movements:
        del pieces[movement.start]
        if movement.scored:
            scored[movement.piece.colour] += 1
        else:
            pieces[movement.end] = movement.piece
    return with_pieces(position, pieces, scored)
