"""What a person in a game chooses on the board, of what there is to choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from render.boardwindow.gamesteps import movements_in
from render.boardwindow.marks import NO_MARKS, Marks
from render.boardwindow.picking import Way, mat_move_to, slot_of, way_at
from sim.bumpers import Direction, MatMove, Piece, PieceMove, Shift, Swap, Turn, board_of
from sim.bumpers.board import Square
from sim.bumpers.game import Choice, GameState, Go, Put


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What a person has picked on the way to a choice.

    Attributes:
        space: The space of a piece.
        mat: A mat.
        kind: The kind of piece to put on the board.
    """

    space: int | None = None
    mat: int | None = None
    kind: Piece | None = None


NOTHING = Picked()


def kinds_of(offered: Sequence[Choice]) -> tuple[Piece, ...]:
    """Return the pieces that can be put on the board, each kind once."""
    return tuple(dict.fromkeys(choice.piece for choice in offered if isinstance(choice, Put)))


def kind_of(picked: Picked, offered: Sequence[Choice]) -> Piece | None:
    """Return the piece that a click puts on the board: the one picked, or else the first."""
    kinds = kinds_of(offered)
    return picked.kind if picked.kind in kinds else next(iter(kinds), None)


def mat_moves(offered: Sequence[Choice]) -> tuple[MatMove, ...]:
    """Return the mat moves that are offered."""
    moves = (choice.move for choice in offered if isinstance(choice, Go))
    return tuple(move for move in moves if not isinstance(move, PieceMove))


def ways_offered(state: GameState, offered: Sequence[Choice]) -> Mapping[int, tuple[Way, ...]]:
    """Return the moves of pieces that are offered, by the space of the piece."""
    found: dict[int, list[Way]] = {}
    for choice in offered:
        if isinstance(choice, Go) and isinstance(choice.move, PieceMove):
            way = Way(move=choice.move, movements=movements_in(state, choice.move))
            found.setdefault(choice.move.space, []).append(way)
    return {space: tuple(ways) for space, ways in found.items()}


def clicked_on(
    state: GameState, offered: Sequence[Choice], picked: Picked, square: Square
) -> Picked | Choice:
    """Return the choice that a click on a square makes, or what is picked after it.

    Args:
        state: The game.
        offered: What there is to choose.
        picked: What is picked.
        square: The square.
    """
    if mat_moves(offered):
        return _mat_clicked(state, offered, picked, square)
    space = board_of(state.position.layout).spaces.get(square)
    kind = kind_of(picked, offered)
    if kind is not None and space is not None and Put(kind, space) in offered:
        return Put(kind, space)
    ways = ways_offered(state, offered)
    if picked.space is not None:
        way = way_at(state.position, ways.get(picked.space, ()), square)
        if way is not None:
            return Go(way.move)
    return replace(picked, space=space if space in ways and space != picked.space else None)


def dragged_to(
    state: GameState,
    offered: Sequence[Choice],
    begin: Square,
    square: Square,
    direction: Direction,
) -> Picked | Choice | None:
    """Return the choice that a drag from a square to another makes, or what is picked after it."""
    layout = state.position.layout
    if mat_moves(offered):
        mat = layout.mat_at(slot_of(begin, layout.size))
        return None if mat is None else _mat_clicked(state, offered, Picked(mat=mat), square)
    space = board_of(layout).spaces.get(begin)
    return headed_to(offered, Picked(space=space), direction)


def headed_to(offered: Sequence[Choice], picked: Picked, direction: Direction) -> Choice | None:
    """Return the choice that sends the piece that is picked in a direction, if it is offered."""
    if picked.space is None:
        return None
    choice = Go(PieceMove(picked.space, direction))
    return choice if choice in offered else None


def turned_by(offered: Sequence[Choice], picked: Picked, quarters: int) -> Choice | None:
    """Return the choice that turns the mat that is picked, if it is offered."""
    if picked.mat is None:
        return None
    choice = Go(Turn(picked.mat, quarters))
    return choice if choice in offered else None


def marks_for(
    state: GameState,
    offered: Sequence[Choice],
    picked: Picked,
    square: Square | None,
    direction: Direction | None,
) -> Marks:
    """Return what is marked on the board.

    Args:
        state: The game.
        offered: What there is to choose.
        picked: What is picked.
        square: The square that the mouse points at.
        direction: Where it drags to.
    """
    if mat_moves(offered):
        return _mat_marks(state, offered, picked)
    kind = kind_of(picked, offered)
    if kind is not None:
        puts = (choice for choice in offered if isinstance(choice, Put))
        return Marks(spaces=tuple(put.space for put in puts if put.piece == kind))
    if picked.space is None:
        return NO_MARKS
    ways = ways_offered(state, offered).get(picked.space, ())
    pointed = None
    if direction is not None:
        pointed = next((way for way in ways if way.move.direction is direction), None)
    elif square is not None:
        pointed = way_at(state.position, ways, square)
    return Marks(chosen=(picked.space,), ways=ways, pointed=pointed)


def _mat_clicked(
    state: GameState, offered: Sequence[Choice], picked: Picked, square: Square
) -> Picked | Choice:
    layout = state.position.layout
    slot = slot_of(square, layout.size)
    if picked.mat is not None:
        move = mat_move_to(layout, picked.mat, slot)
        if move is not None and Go(move) in offered:
            return Go(move)
    there = layout.mat_at(slot)
    return replace(picked, mat=None if there == picked.mat else there)


def _mat_marks(state: GameState, offered: Sequence[Choice], picked: Picked) -> Marks:
    places = state.position.layout.places
    slots = []
    for move in mat_moves(offered):
        if isinstance(move, Shift) and move.mat == picked.mat:
            slots.append(move.slot)
        elif isinstance(move, Swap) and picked.mat in (move.first, move.second):
            other = move.second if move.first == picked.mat else move.first
            slots.append(places[other].slot)
    return Marks(mat=picked.mat, slots=tuple(slots))
