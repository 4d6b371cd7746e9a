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
    from_where: dict[Square, list[Square]] = {}
    for direction in Direction:
        for square, end in _ends(board, direction).items():
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


def spaces_with_way(layout: Layout) -> int:
    """Return how many spaces there are from which a lone puck can slide to a goal."""
    return sum(slides < FAR for slides in lone_slides(layout))


def _ends(board: Board, direction: Direction) -> dict[Square, Square]:
    """Return where a lone puck comes to rest from each space, in one direction."""
    down, right = direction.step
    ends: dict[Square, Square] = {}
    # Whatever is ahead of a square comes before it.
    for square in sorted(board.spaces, key=lambda s: -(s[0] * down + s[1] * right)):
        there = board.ahead(square, direction)
        if there is None or square in board.pools:
            ends[square] = square
        else:
            ends[square] = there if there in board.goals else ends[there]
    return ends
