"""How many actions a piece needs at least to where it is wanted, by space."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.codes import GOAL
from sim.bumpers.kernel.compiling import jitted_part

NO_WAY = 255
"""The distance of a space from which a piece never comes there."""


@jitted_part
def fill_distances(
    neighbours: NDArray[np.uint16],
    vacated: NDArray[np.uint8],
    enters_goals: bool,
    steps: bool,
    queue: NDArray[np.uint16],
    distances: NDArray[np.uint8],
) -> None:
    """Write a lower bound of the actions from each space, as if a piece could stop anywhere.

    Other pieces are left out: they may stand where a piece needs one to stop.

    Args:
        neighbours: The arrangement's table.
        vacated: What is on each space when no piece is.
        enters_goals: The piece may cross goals, as all but pucks do.
        steps: The piece goes one space an action, as meeples do.
        queue: Space for the work, as long as ``distances``.
        distances: 0 where the piece is wanted, `NO_WAY` elsewhere; filled.
    """
    wall = len(distances) - 2
    end = 0
    for space in range(wall):
        if distances[space] == 0:
            queue[end] = space
            end += 1
    begin = 0
    while begin < end:
        wanted = queue[begin]
        begin += 1
        further = min(distances[wanted] + 1, NO_WAY - 1)
        for direction in range(4):
            space = neighbours[direction, wanted]
            while space != wall and (enters_goals or vacated[space] != GOAL):
                if distances[space] == NO_WAY:
                    distances[space] = further
                    queue[end] = space
                    end += 1
                if steps:
                    break
                space = neighbours[direction, space]
