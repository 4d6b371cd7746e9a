"""What a player can do to the board: move a piece, or turn, swap or shift mats.

How pieces slide, and send others sliding (PB-4 to PB-7).

What a piece does when it is moved: pucks slide, ice blocks and meeples step, meeples bump.

The rules of mats: which may turn, swap and shift, and where to (PB-11 to PB-13, PB-22).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations

from sim.bumpers.board import Board, Position, Square, board_of
from sim.bumpers.mats import (
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


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A piece sets out in a direction.

    Attributes:
        space: Where it stands.
        direction: Where it goes; north is up on the board, however its mat is turned.
    """

    space: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class MatTurn:
    """A mat turns in place (Board Twist).

    Attributes:
        mat: Its number.
        quarters: Quarter turns clockwise, 1 to 3.
    """

    mat: int
    quarters: int


@dataclass(frozen=True, slots=True)
class MatSwap:
    """Two mats change places and keep their heading (Board Swap).

    Attributes:
        first: The lower of their numbers.
        second: The higher one.
    """

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class MatShift:
    """A mat goes to a free slot and keeps its heading (Board Shift).

    Attributes:
        mat: Its number.
        slot: Where it goes, counted as the layout before the move counts; may be negative.
    """

    mat: int
    slot: Slot


MatMove = MatTurn | MatSwap | MatShift
Move = PieceMove | MatMove


@dataclass(frozen=True, slots=True)
class Movement:
    """One piece on its way in a move.

    Attributes:
        piece: The piece.
        start: The space it leaves.
        end: The space it comes to; of a scored puck, the goal's.
        scored: It left the board through a goal.
    """

    piece: Piece
    start: int
    end: int
    scored: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What a move changed.

    Attributes:
        movements: The pieces that moved, in the order in which they come to rest; of a bump, the
            meeple last. Empty for a mat move: pieces lie still on their mats.
        places: Where the mats lay before a mat move; None for a piece move.
    """

    movements: tuple[Movement, ...] = ()
    places: tuple[Place, ...] | None = None


PiecesBySquare = dict[Square, Piece]
"""The pieces on the board, by square."""


def slide(
    board: Board, standing: PiecesBySquare, start: Square, direction: Direction, rules: Rules
) -> tuple[Movement, ...]:
    """Slide the piece on a square, and whatever it sends sliding; ``standing`` is changed.

    Args:
        board: The board.
        standing: The pieces.
        start: Where the piece stands.
        direction: Where it slides.
        rules: The rules.

    Returns:
        Every piece that moved, in turn; nothing if the first has no open space ahead.
    """
    movements: list[Movement] = []
    sliding: Square | None = start
    while sliding is not None:
        movement, hit = _slide_alone(board, standing, sliding, direction)
        if movement is not None:
            movements.append(movement)
        elif not movements or not rules.pass_through:
            break
        is_sent = hit is not None and standing[hit].kind is Kind.PUCK and rules.chains
        sliding = hit if is_sent else None
    return tuple(movements)


def step(
    board: Board, standing: PiecesBySquare, start: Square, direction: Direction
) -> Movement | None:
    """Move the piece on a square by one space; ``standing`` is changed.

    Returns:
        Its movement; None if the space ahead is not open.
    """
    there = board.ahead(start, direction)
    if there is None or there in standing:
        return None
    return _put(board, standing, start, there)


def _slide_alone(
    board: Board, standing: PiecesBySquare, start: Square, direction: Direction
) -> tuple[Movement | None, Square | None]:
    """Slide one piece; return its movement, if any, and the square of the piece that it hit."""
    is_puck = standing[start].kind is Kind.PUCK
    here = start
    while True:
        there = board.ahead(here, direction)
        hit = there if there in standing else None
        if there is None or hit is not None:
            return (None if here == start else _put(board, standing, start, here)), hit
        here = there
        if is_puck and here in board.goals:
            return _put(board, standing, start, here), None


def _put(board: Board, standing: PiecesBySquare, start: Square, end: Square) -> Movement:
    """Move a piece to an empty square; a puck in a goal leaves the board (PB-7)."""
    piece = standing.pop(start)
    scored = piece.kind is Kind.PUCK and end in board.goals
    if not scored:
        standing[end] = piece
    return Movement(piece, board.spaces[start], board.spaces[end], scored)


def pieces_by_square(position: Position) -> tuple[Board, PiecesBySquare]:
    """Return the board and the pieces on its squares."""
    board = board_of(position.layout)
    return board, {board.squares[space]: piece for space, piece in position.pieces}


def movements_of(position: Position, move: PieceMove) -> tuple[Movement, ...]:
    """Return what moves, whosever the piece is; nothing if the move is impossible.

    Pieces are in the order in which they come to rest; of a bump, the meeple is last.
    """
    board, standing = pieces_by_square(position)
    return _movements(board, standing, move, position.rules)


def possible_moves(
    position: Position, colours: Collection[Colour]
) -> Iterator[tuple[PieceMove, tuple[Movement, ...]]]:
    """Yield every move that pieces of some colours can make, and what moves, as of `movements_of`.

    They come by space and direction. Whether a move is legal is for `sim.bumpers.rules`.
    """
    board, standing = pieces_by_square(position)
    for space, piece in position.pieces:
        if piece.colour not in colours:
            continue
        for direction in Direction:
            move = PieceMove(space, direction)
            movements = _movements(board, dict(standing), move, position.rules)
            if movements:
                yield move, movements


def nudge_movements(position: Position, move: PieceMove) -> tuple[Movement, ...]:
    """Return what moves when a piece goes one open space and no further (a card, PB-14)."""
    board, standing = pieces_by_square(position)
    movement = step(board, standing, board.squares[move.space], move.direction)
    return () if movement is None else (movement,)


def why_impossible(position: Position, move: PieceMove) -> str:
    """Return why a piece cannot set out in a direction; for a move without movements."""
    board, standing = pieces_by_square(position)
    start, direction = board.squares[move.space], move.direction
    there = board.ahead(start, direction)
    if there is None:
        return "a barrier or the edge of the board is in the way"
    hit = standing[there]
    blocked = f"the next space, {board.name(there)}, holds a {hit}"
    if standing[start].kind is not Kind.MEEPLE:
        return f"{blocked}; a piece needs an open space to set out"
    if hit.kind is Kind.MEEPLE:
        return f"{blocked}; meeples cannot move each other"
    return f"{blocked}, and the space behind it is not open (PB-8)"


def _movements(
    board: Board, standing: PiecesBySquare, move: PieceMove, rules: Rules
) -> tuple[Movement, ...]:
    """Return what moves; ``standing`` is changed."""
    start, direction = board.squares[move.space], move.direction
    kind = standing[start].kind
    if kind is Kind.PUCK or (kind is Kind.ICE and rules.slippery_ice):
        return slide(board, standing, start, direction, rules)
    if kind is Kind.MEEPLE:
        there = board.ahead(start, direction)
        if there is not None and there in standing:
            if standing[there].kind is Kind.MEEPLE:
                return ()
            bumped = slide(board, standing, there, direction, rules)
            if not bumped:
                return ()
            follows = step(board, standing, start, direction)
            return bumped if follows is None else (*bumped, follows)
    movement = step(board, standing, start, direction)
    return () if movement is None else (movement,)


_APART = 2
"""How far beyond the board a mat may be laid for a while: far enough to touch nothing."""


def legal_mat_moves(
    layout: Layout, rules: Rules, *, temporary: bool = False
) -> tuple[MatMove, ...]:
    """Return every legal turn, swap and shift, in this order.

    Args:
        layout: The layout.
        rules: The rules.
        temporary: More mat moves follow in the same series: the layout after this one need not be
            legal (PB-23).
    """
    slots = slots_of(layout)
    liftable = [mat for mat in range(len(layout.faces)) if has_open_side(layout, mat)]
    moves: list[MatMove] = [
        MatTurn(mat, quarters) for mat in range(len(layout.faces)) for quarters in (1, 2, 3)
    ]
    # A swap leaves the same slots in use.
    if temporary or are_slots_legal(slots, rules):
        moves += [MatSwap(first, second) for first, second in combinations(liftable, 2)]
    free = _slots_around(layout) if temporary else _slots_beside(slots)
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
        rules: The rules.
        temporary: As of `legal_mat_moves`.
    """
    reason = _why_not_lifted(layout, move)
    if reason or isinstance(move, MatTurn):
        return reason
    after = with_places(layout, moved_places(layout, move))
    if after == layout:
        return "it changes nothing"
    problems = () if temporary else layout_problems(after, rules)
    return f"after it, {'; '.join(problems)}" if problems else ""


def moved_places(layout: Layout, move: MatMove) -> dict[int, Place]:
    """Return where the mats of a move lie after it, by number."""
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


def _slots_around(layout: Layout) -> list[Slot]:
    """Return the free slots of the board and of what counts as near it, row by row."""
    slots = slots_of(layout)
    return [
        (row, column)
        for row in range(-_APART, layout.rows + _APART)
        for column in range(-_APART, layout.columns + _APART)
        if (row, column) not in slots
    ]


def _slots_beside(slots: frozenset[Slot]) -> list[Slot]:
    """Return the free slots that touch a mat, row by row."""
    return sorted({beside for slot in slots for beside in neighbour_slots(slot)} - slots)


def _is_near(layout: Layout, move: MatShift) -> bool:
    row, column = move.slot
    return -_APART <= row < layout.rows + _APART and -_APART <= column < layout.columns + _APART


def _why_not_lifted(layout: Layout, move: MatMove) -> str:
    """Return why the mats of a move cannot be taken up, or not laid where it says."""
    moving = (move.first, move.second) if isinstance(move, MatSwap) else (move.mat,)
    for mat in moving:
        if not 0 <= mat < len(layout.faces):
            return f"there is no mat number {mat}; give 0 to {len(layout.faces) - 1}"
    if isinstance(move, MatTurn):
        good = move.quarters in (1, 2, 3)
        return "" if good else f"{move.quarters} quarter turns; give 1, 2 or 3 (PB-22)"
    for mat in moving:
        if not has_open_side(layout, mat):
            return f"mat {layout.faces[mat].label} has no open side: mats lie on all four (PB-11)"
    if isinstance(move, MatSwap):
        return "" if move.first < move.second else "give two different mats, by number"
    there = layout.mat_at(move.slot)
    if there is not None:
        return f"mat {layout.faces[there].label} lies there"
    return "" if _is_near(layout, move) else f"more than {_APART} slots away from the board"
