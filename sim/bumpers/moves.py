"""Moves and their effect: pieces that slide, step and bump; mats that turn, swap and shift.

A `Move` is a `PieceMove` or a `MatMove`; a `Change` is its effect. The functions here compute
possible moves and movements, `bare_move_text` writes a move as text. Whose turn it is and which
repetitions are forbidden is decided in `pucklab.sim.bumpers.rules`.
"""

from collections.abc import Collection, Iterator
from itertools import combinations, product

from pucklab.base.facts import small_fact
from pucklab.sim.bumpers.board import Board, Position, Square, board_of
from pucklab.sim.bumpers.mats import (
    Colour,
    Direction,
    Kind,
    Layout,
    Piece,
    Place,
    Rules,
    Slot,
    are_slots_legal,
    has_open_side,
    layout_problems,
    neighbour_slots,
    slots_of,
    with_places,
)

PiecesBySquare = dict[Square, Piece]
"""The pieces on the board, by square."""

_APART = 2
"""Slots beyond the board on which a mat may be put during a series: far enough to be alone."""


@small_fact
class PieceMove:
    """Move of one piece.

    Attributes:
        space: The space on which the piece stands.
        direction: Direction of the move; north is up on the board, however the mat is turned.
    """

    space: int
    direction: Direction


@small_fact
class MatTurn:
    """Turn of a mat in place (Board Twist).

    Attributes:
        mat: The mat's number.
        quarters: Quarter turns clockwise, 1 to 3.
    """

    mat: int
    quarters: int


@small_fact
class MatSwap:
    """Exchange of two mats, neither of which turns (Board Swap).

    Attributes:
        first: The lower mat number.
        second: The higher mat number.
    """

    first: int
    second: int


@small_fact
class MatShift:
    """Move of a mat to a free slot without turning (Board Shift).

    Attributes:
        mat: The mat's number.
        slot: The new slot, in the coordinates of the layout before the move; may be negative.
    """

    mat: int
    slot: Slot


MatMove = MatTurn | MatSwap | MatShift


Move = PieceMove | MatMove

Line = tuple[Move, ...]
"""Moves one after the other."""


def moved_mats(move: MatMove) -> tuple[int, ...]:
    """Return the numbers of the mats of a move."""
    return (move.first, move.second) if isinstance(move, MatSwap) else (move.mat,)


@small_fact
class Movement:
    """Path of one piece within a move.

    Attributes:
        piece: The piece.
        start: The space it leaves.
        end: The space on which it stops; for a scored puck, the space of the goal.
        scored: Whether it left the board through a goal.
    """

    piece: Piece
    start: int
    end: int
    scored: bool = False


@small_fact
class Change:
    """Effect of a move.

    Attributes:
        movements: The pieces that moved, in the order in which they come to rest; after a bump,
            the meeple is last. Empty for a mat move: pieces stay on their mats.
    """

    movements: tuple[Movement, ...] = ()


def bare_move_text(layout: Layout, move: Move) -> str:
    """Return a move's text without its outcome, on the layout before the move.

    ``c7N`` is the piece on c7 moving north; ``T:K3+90`` turns mat K3 clockwise, ``S:G1,K3`` swaps
    two mats, ``H:K3,G1.N`` shifts K3 to the slot north of G1. The slot of a shift is given from
    the nearest mat that stays; if that is further than one step, ``G1.NN`` counts the steps.

    Example:
        >>> from pucklab.sim.bumpers.setups import setups
        >>> layout = setups()["small"].layout
        >>> bare_move_text(layout, MatSwap(0, 1)), bare_move_text(layout, MatShift(0, (-1, 1)))
        ('S:B5,B6', 'H:B5,K5.N')
    """
    if isinstance(move, PieceMove):
        board = board_of(layout)
        return board.name_of(move.space) + move.direction.name
    names = [face.name for face in layout.faces]
    if isinstance(move, MatTurn):
        return f"T:{names[move.mat]}+{90 * move.quarters}"
    if isinstance(move, MatSwap):
        return f"S:{names[move.first]},{names[move.second]}"
    steps = (
        (move.slot[0] - place.slot[0], move.slot[1] - place.slot[1], mat)
        for mat, place in enumerate(layout.places)
        if mat != move.mat
    )
    nearest = min(steps, key=lambda way: (abs(way[0]) + abs(way[1]), way[2]), default=None)
    if nearest is None:  # no mat stays
        return f"H:{names[move.mat]},-"
    south, east, mat = nearest
    way = "NS"[south > 0] * abs(south) + "WE"[east > 0] * abs(east)
    return f"H:{names[move.mat]},{names[mat]}.{way}"


def movements_of(position: Position, move: PieceMove) -> tuple[Movement, ...]:
    """Return the movements of a piece move, whichever colour it is; empty if it is impossible.

    They are in the order in which the pieces come to rest; after a bump, the meeple is last.
    """
    board, pieces = pieces_by_square(position)
    return _movements(board, pieces, move, position.rules)


def possible_moves(
    position: Position, colours: Collection[Colour]
) -> Iterator[tuple[PieceMove, tuple[Movement, ...]]]:
    """Yield every possible move of pieces of some colours, with its movements.

    Moves are ordered by space, then by direction. Whether one repeats the position before
    (PB-10) is checked in `pucklab.sim.bumpers.rules`.
    """
    board, pieces = pieces_by_square(position)
    for space, piece in position.pieces:
        if piece.colour not in colours:
            continue
        for direction in Direction:
            move = PieceMove(space, direction)
            movements = _movements(board, dict(pieces), move, position.rules)
            if movements:
                yield move, movements


def nudge_movements(position: Position, move: PieceMove) -> tuple[Movement, ...]:
    """Return the movement of a piece by one open space and no further (the card Nudge, PB-14)."""
    board, pieces = pieces_by_square(position)
    movement = step(board, pieces, board.squares[move.space], move.direction)
    return () if movement is None else (movement,)


def why_impossible(position: Position, move: PieceMove) -> str:
    """Return the reason why a piece cannot move in a direction, for a move without movements."""
    board, pieces = pieces_by_square(position)
    start, direction = board.squares[move.space], move.direction
    there = board.ahead(start, direction)
    if there is None:
        return "a barrier or the edge of the board is in the way"
    hit = pieces[there]
    blocked = f"the next space, {board.name(there)}, holds a {hit}"
    if pieces[start].kind is not Kind.MEEPLE or position.rules.slide:
        return f"{blocked}; a piece needs an open space to start"
    if hit.kind is Kind.MEEPLE:
        return f"{blocked}; meeples cannot move each other"
    return f"{blocked}, and the space behind it is not open (PB-8)"


def pieces_by_square(position: Position) -> tuple[Board, PiecesBySquare]:
    """Return the board of a position, and its pieces by square."""
    board = board_of(position.layout)
    return board, {board.squares[space]: piece for space, piece in position.pieces}


def _movements(
    board: Board, pieces: PiecesBySquare, move: PieceMove, rules: Rules
) -> tuple[Movement, ...]:
    """Return the movements of a piece by its kind; ``pieces`` is changed in place.

    Pucks slide, ice blocks and meeples step, meeples bump what stands ahead (PB-8).
    """
    start, direction = board.squares[move.space], move.direction
    kind = pieces[start].kind
    if rules.slide or kind is Kind.PUCK or (kind is Kind.ICE and rules.slippery_ice):
        return slide(board, pieces, start, direction, rules)
    if kind is Kind.MEEPLE:
        there = board.ahead(start, direction)
        if there is not None and there in pieces:
            if pieces[there].kind is Kind.MEEPLE:
                return ()
            bumped = slide(board, pieces, there, direction, rules)
            if not bumped:
                return ()
            # The meeple moves up only if the bumped piece left the next space.
            follows = step(board, pieces, start, direction)
            return bumped if follows is None else (*bumped, follows)
    movement = step(board, pieces, start, direction)
    return () if movement is None else (movement,)


def slide(
    board: Board, pieces: PiecesBySquare, start: Square, direction: Direction, rules: Rules
) -> tuple[Movement, ...]:
    """Slide the piece on a square and every piece that it sets in motion (PB-4 to PB-7).

    Args:
        board: The board.
        pieces: The pieces; changed in place.
        start: Square of the first piece.
        direction: Direction of the slide.
        rules: The optional rules.

    Returns:
        The movements in order; empty if the first piece has no open space ahead.
    """
    movements: list[Movement] = []
    sliding: Square | None = start
    while sliding is not None:
        movement, hit = _slide_alone(board, pieces, sliding, direction)
        if movement is not None:
            movements.append(movement)
        elif not movements or not rules.pass_through:
            break
        chain_goes_on = hit is not None and pieces[hit].kind is Kind.PUCK and rules.chains
        sliding = hit if chain_goes_on else None
    return tuple(movements)


def step(
    board: Board, pieces: PiecesBySquare, start: Square, direction: Direction
) -> Movement | None:
    """Move the piece on a square by one space; ``pieces`` is changed in place.

    Returns:
        The movement; None if the space ahead is not open.
    """
    there = board.ahead(start, direction)
    if there is None or there in pieces:
        return None
    return _put(board, pieces, start, there)


def _slide_alone(
    board: Board, pieces: PiecesBySquare, start: Square, direction: Direction
) -> tuple[Movement | None, Square | None]:
    """Slide one piece; return its movement and the square of the piece it hit, or None for each."""
    is_puck = pieces[start].kind is Kind.PUCK
    here = start
    while True:
        there = board.ahead(here, direction)
        hit = there if there in pieces else None
        if there is None or hit is not None:
            return (None if here == start else _put(board, pieces, start, here)), hit
        here = there
        if is_puck and here in board.goals:
            return _put(board, pieces, start, here), None


def _put(board: Board, pieces: PiecesBySquare, start: Square, end: Square) -> Movement:
    """Move a piece to an empty square; a puck in a goal leaves the board (PB-7)."""
    piece = pieces.pop(start)
    scored = piece.kind is Kind.PUCK and end in board.goals
    if not scored:
        pieces[end] = piece
    return Movement(piece, board.spaces[start], board.spaces[end], scored)


def legal_mat_moves(
    layout: Layout, rules: Rules, *, temporary: bool = False
) -> tuple[MatMove, ...]:
    """Return every legal turn, swap and shift, in this order (PB-11 to PB-13, PB-22).

    Args:
        layout: The layout.
        rules: The optional rules.
        temporary: Whether more mat moves follow in the same series, so that the layout after this
            one need not be legal (PB-23).
    """
    slots = slots_of(layout)
    liftable = [mat for mat in range(len(layout.faces)) if has_open_side(layout, mat)]
    moves: list[MatMove] = [
        MatTurn(mat, quarters) for mat in range(len(layout.faces)) for quarters in (1, 2, 3)
    ]
    # A swap leaves the same slots occupied, so one check serves all of them.
    if temporary or are_slots_legal(slots, rules):
        moves += [MatSwap(first, second) for first, second in combinations(liftable, 2)]
    free = sorted({beside for slot in slots for beside in neighbour_slots(slot)} - slots)
    if temporary:
        rows, columns = (range(-_APART, side + _APART) for side in (layout.rows, layout.columns))
        free = [slot for slot in product(rows, columns) if slot not in slots]
    for mat in liftable:
        others = slots - {layout.places[mat].slot}
        moves += [
            MatShift(mat, slot)
            for slot in free
            if others and (temporary or are_slots_legal(others | {slot}, rules))
        ]
    return tuple(moves)


def why_mat_move_illegal(
    layout: Layout, move: MatMove, rules: Rules, *, temporary: bool = False
) -> str:
    """Return why a mat move is illegal; empty if it is legal.

    Args:
        layout: The layout.
        move: The move.
        rules: The optional rules.
        temporary: As in `legal_mat_moves`.
    """
    moving = moved_mats(move)
    for mat in moving:
        if not 0 <= mat < len(layout.faces):
            return f"there is no mat number {mat}; give 0 to {len(layout.faces) - 1}"
    if isinstance(move, MatTurn):
        good = move.quarters in (1, 2, 3)
        return "" if good else f"{move.quarters} quarter turns; give 1, 2 or 3 (PB-22)"
    if isinstance(move, MatSwap) and move.first >= move.second:
        return "give two different mats"
    for mat in moving:
        if not has_open_side(layout, mat):
            return f"mat {layout.faces[mat].label} has no open side (PB-11)"
    if isinstance(move, MatShift):
        there = layout.mat_at(move.slot)
        if there is not None:
            return f"mat {layout.faces[there].label} is there"
        sides = zip(move.slot, (layout.rows, layout.columns), strict=True)
        if not all(-_APART <= place < side + _APART for place, side in sides):
            return f"more than {_APART} slots away from the board"
    after = with_places(layout, moved_places(layout, move))
    if after == layout:
        return "it changes nothing"
    problems = () if temporary else layout_problems(after, rules)
    return f"after it, {'; '.join(problems)}" if problems else ""


def moved_places(layout: Layout, move: MatMove) -> dict[int, Place]:
    """Return the new places of the mats of a move, by mat number."""
    places = layout.places
    if isinstance(move, MatTurn):
        old = places[move.mat]
        return {move.mat: Place(old.slot, (old.turn + move.quarters) % 4)}
    if isinstance(move, MatShift):
        return {move.mat: Place(move.slot, places[move.mat].turn)}
    first, second = places[move.first], places[move.second]
    return {
        move.first: Place(second.slot, first.turn),
        move.second: Place(first.slot, second.turn),
    }
