"""How pieces slide, and send others sliding (PB-4 to PB-7)."""

from sim.bumpers.board import Board, Square
from sim.bumpers.directions import Direction
from sim.bumpers.moves import Movement
from sim.bumpers.options import Rules
from sim.bumpers.pieces import Kind, Piece

Standing = dict[Square, Piece]
"""The pieces on the board, by square."""


def slide(
    board: Board, standing: Standing, start: Square, direction: Direction, rules: Rules
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


def step(board: Board, standing: Standing, start: Square, direction: Direction) -> Movement | None:
    """Move the piece on a square by one space; ``standing`` is changed.

    Returns:
        Its movement; None if the space ahead is not open.
    """
    there = board.ahead(start, direction)
    if there is None or there in standing:
        return None
    return _put(board, standing, start, there)


def _slide_alone(
    board: Board, standing: Standing, start: Square, direction: Direction
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


def _put(board: Board, standing: Standing, start: Square, end: Square) -> Movement:
    """Move a piece to an empty square; a puck in a goal leaves the board (PB-7)."""
    piece = standing.pop(start)
    scored = piece.kind is Kind.PUCK and end in board.goals
    if not scored:
        standing[end] = piece
    return Movement(piece, board.spaces[start], board.spaces[end], scored)
