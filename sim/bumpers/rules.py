"""The rules of the board: which moves are legal, and what comes of them.

Plainly written and slow; the fast kernel is checked against it.

Moves as text without their outcome.

``c7N`` is the piece on c7 going north; ``T:K3+90`` turns mat K3 clockwise, ``S:G1,K3`` swaps two
mats, ``H:K3,G1.N`` shifts K3 to the slot north of G1. The first mat by name that is next to the
slot says where it is; where none is, ``G1.NN`` counts steps on the lattice.
"""

from collections.abc import Collection
from dataclasses import replace

from physics import InputError
from sim.bumpers.board import Position, board_of, same_board, sorted_pieces
from sim.bumpers.mats import Colour, Direction, Layout, with_places
from sim.bumpers.moves import (
    Change,
    MatShift,
    MatTurn,
    Move,
    Movement,
    PieceMove,
    legal_mat_moves,
    moved_places,
    movements_of,
    nudge_movements,
    possible_moves,
    why_impossible,
    why_mat_move_illegal,
)


def bare_move_text(layout: Layout, move: Move) -> str:
    """Return a move's text, on the layout before it.

    Example:
        >>> from sim.bumpers.setups import setups
        >>> from sim.bumpers.moves import MatSwap
        >>> layout = setups()["small"].layout
        >>> bare_move_text(layout, MatSwap(0, 1)), bare_move_text(layout, MatShift(0, (-1, 1)))
        ('S:B5,B6', 'H:B5,K5.N')
    """
    if isinstance(move, PieceMove):
        board = board_of(layout)
        return board.name(board.squares[move.space]) + move.direction.name
    names = [face.name for face in layout.faces]
    if isinstance(move, MatTurn):
        return f"T:{names[move.mat]}+{90 * move.quarters}"
    if isinstance(move, MatShift):
        return f"H:{names[move.mat]},{_place_text(layout, move)}"
    return f"S:{names[move.first]},{names[move.second]}"


def _place_text(layout: Layout, move: MatShift) -> str:
    """Return the slot of a shift as seen from the nearest mat that stays."""
    row, column = move.slot
    ways = []
    for mat, place in enumerate(layout.places):
        if mat != move.mat:
            south, east = row - place.slot[0], column - place.slot[1]
            ways.append((abs(south) + abs(east), mat, south, east))
    if not ways:
        return "-"
    _, mat, south, east = min(ways)
    vertical = (Direction.S if south > 0 else Direction.N).name * abs(south)
    horizontal = (Direction.E if east > 0 else Direction.W).name * abs(east)
    return f"{layout.faces[mat].name}.{vertical}{horizontal}"


def legal_moves(
    position: Position,
    *,
    colours: Collection[Colour] | None = None,
    mats: bool = False,
    before: Position | None = None,
) -> tuple[Move, ...]:
    """Return the legal moves: of pieces by space and direction, then of mats.

    Args:
        position: The position; its layout is legal.
        colours: Whose pieces may move; by default the position's side to move.
        mats: Mats may move, too: every turn, swap and shift that leaves a legal layout.
        before: The position before the player's last piece move, if that was in this turn: a
            piece move that brings it back is refused (PB-10).

    Example:
        >>> from sim.bumpers import parse_position
        >>> position = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> [move.direction.name for move in legal_moves(position)]
        ['N', 'E']
    """
    found: list[Move] = [
        move
        for move, movements in possible_moves(position, _movers(position, colours))
        if not _is_back(position, movements, before)
    ]
    if mats:
        found.extend(legal_mat_moves(position.layout, position.rules))
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
        colours: As of `legal_moves`.
        before: As of `legal_moves`.
        temporary: More mat moves follow in the same series: the layout after this one need not be
            legal (PB-23).
    """
    if not isinstance(move, PieceMove):
        return why_mat_move_illegal(position.layout, move, position.rules, temporary=temporary)
    piece = position.piece_on(move.space)
    if piece is None:
        return "no piece stands there"
    movers = _movers(position, colours)
    if piece.colour not in movers:
        whose = " and ".join(colour.word for colour in movers) or "nobody"
        return f"that is a {piece}, and {whose} may move"
    movements = movements_of(position, move)
    if not movements:
        return why_impossible(position, move)
    if _is_back(position, movements, before):
        return "after it and the move before it no piece would have changed place (PB-10)"
    return ""


def play(
    position: Position,
    move: Move,
    *,
    colours: Collection[Colour] | None = None,
    before: Position | None = None,
    temporary: bool = False,
) -> tuple[Position, Change]:
    """Return the position after a move, and what the move changed.

    Args:
        position: The position.
        move: The move.
        colours: As of `legal_moves`.
        before: As of `legal_moves`.
        temporary: As of `why_illegal`.

    Raises:
        InputError: The move is not legal; the message says why.
    """
    reason = why_illegal(position, move, colours=colours, before=before, temporary=temporary)
    if reason:
        raise InputError(f"move: {bare_move_text(position.layout, move)}: {reason}")
    if isinstance(move, PieceMove):
        movements = movements_of(position, move)
        return _moved(position, movements), Change(movements=movements)
    layout = with_places(position.layout, moved_places(position.layout, move))
    return replace(position, layout=layout), Change(places=position.layout.places)


def apply(position: Position, move: Move) -> Position:
    """Return the position after a move of the side to move, or of a mat.

    Raises:
        InputError: The move is not legal; the message says why.

    Example:
        >>> from sim.bumpers import parse_position, position_text
        >>> position = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> position_text(apply(position, legal_moves(position)[0]))
        'pb1:classic:RPa3.BPa9:-:R:c5c5'
    """
    return play(position, move)[0]


def nudge(position: Position, move: PieceMove) -> tuple[Position, Change]:
    """Return the position after any piece went one open space, and what changed (a card, PB-14).

    Raises:
        InputError: No piece stands there, or the space ahead is not open.
    """
    reason = "no piece stands there"
    if position.piece_on(move.space) is not None:
        movements = nudge_movements(position, move)
        if movements:
            return _moved(position, movements), Change(movements=movements)
        reason = "the next space is not open"
    raise InputError(f"nudge: {bare_move_text(position.layout, move)}: {reason}")


def undo(position: Position, change: Change) -> Position:
    """Return the position before a move, from the one after it and what it changed."""
    if change.places is not None:
        return replace(position, layout=Layout(position.layout.faces, change.places))
    pieces = dict(position.pieces)
    scored = list(position.scored)
    for movement in reversed(change.movements):
        if movement.scored:
            scored[movement.piece.colour] -= 1
        else:
            del pieces[movement.end]
        pieces[movement.start] = movement.piece
    return replace(position, pieces=sorted_pieces(pieces), scored=tuple(scored))


def _movers(position: Position, colours: Collection[Colour] | None) -> Collection[Colour]:
    if colours is not None:
        return colours
    return () if position.to_move is None else (position.to_move,)


def _is_back(position: Position, movements: tuple[Movement, ...], before: Position | None) -> bool:
    """Return whether movements bring back the board of before (PB-10)."""
    return before is not None and same_board(_moved(position, movements), before)


def _moved(position: Position, movements: tuple[Movement, ...]) -> Position:
    pieces = dict(position.pieces)
    scored = list(position.scored)
    for movement in movements:
        del pieces[movement.start]
        if movement.scored:
            scored[movement.piece.colour] += 1
        else:
            pieces[movement.end] = movement.piece
    return replace(position, pieces=sorted_pieces(pieces), scored=tuple(scored))
