"""How far a puck is from a goal: slides on a board without other pieces."""

from functools import lru_cache

from sim.bumpers.board import Board, Square, board_of
from sim.bumpers.directions import Direction
from sim.bumpers.layout import Layout

FAR = 16
"""What stands for a space from which no lone puck reaches a goal."""


@lru_cache(maxsize=256)
def lone_slides(layout: Layout) -> tuple[int, ...]:
    """Return the fewest slides of a lone puck from each space to a goal; `FAR` where none leads.

    Example:
        >>> from sim.bumpers import setup_named, start_spaces, Kind
        >>> layout = setup_named("small").layout
        >>> slides = lone_slides(layout)
        >>> [slides[space] for space in start_spaces(layout, Kind.PUCK)][:4]
        [4, 4, 4, 4]
    """
    board = board_of(layout)
    starts = [square for square in board.squares if square not in board.pools]
    from_where: dict[Square, list[Square]] = {}
    for square in starts:
        for direction in Direction:
            end = _end(board, square, direction)
            if end != square:
                from_where.setdefault(end, []).append(square)
    slides = dict.fromkeys(board.goals, 0)
    front = list(board.goals)
    while front:
        reached = []
        for end in front:
            for square in from_where.get(end, ()):
                if square not in slides:
                    slides[square] = slides[end] + 1
                    reached.append(square)
        front = reached
    return tuple(slides.get(square, FAR) for square in board.squares)


def _end(board: Board, square: Square, direction: Direction) -> Square:
    """Return where a lone puck comes to rest."""
    while True:
        there = board.ahead(square, direction)
        if there is None:
            return square
        square = there
        if square in board.goals:
            return square
