"""What a piece does when it is moved: pucks slide, ice blocks and meeples step, meeples bump."""

from collections.abc import Collection, Iterator

from sim.bumpers.board import Board, board_of
from sim.bumpers.directions import Direction
from sim.bumpers.moves import Movement, PieceMove
from sim.bumpers.options import Rules
from sim.bumpers.pieces import Colour, Kind
from sim.bumpers.position import Position
from sim.bumpers.slides import Standing, slide, step


def standing_of(position: Position) -> tuple[Board, Standing]:
    """Return the board and the pieces on its squares."""
    board = board_of(position.layout)
    return board, {board.squares[space]: piece for space, piece in position.pieces}


def movements_of(position: Position, move: PieceMove) -> tuple[Movement, ...]:
    """Return what moves, whosever the piece is; nothing if the move is impossible.

    Pieces are in the order in which they come to rest; of a bump, the meeple is last.
    """
    board, standing = standing_of(position)
    return _movements(board, standing, move, position.rules)


def possible_moves(
    position: Position, colours: Collection[Colour]
) -> Iterator[tuple[PieceMove, tuple[Movement, ...]]]:
    """Yield every move that pieces of some colours can make, and what moves, as of `movements_of`.

    They come by space and direction. Whether a move is legal is for `sim.bumpers.rules`.
    """
    board, standing = standing_of(position)
    for space, piece in position.pieces:
        if piece.colour not in colours:
            continue
        for direction in Direction:
            move = PieceMove(space, direction)
            movements = _movements(board, dict(standing), move, position.rules)
            if movements:
                yield move, movements


def nudge_of(position: Position, move: PieceMove) -> tuple[Movement, ...]:
    """Return what moves when a piece goes one open space and no further (a card, PB-14)."""
    board, standing = standing_of(position)
    movement = step(board, standing, board.squares[move.space], move.direction)
    return () if movement is None else (movement,)


def why_impossible(position: Position, move: PieceMove) -> str:
    """Return why a piece cannot set out in a direction; for a move without movements."""
    board, standing = standing_of(position)
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
    board: Board, standing: Standing, move: PieceMove, rules: Rules
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
