"""How many actions a piece needs at least to where it is wanted, by space."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.codes import GOAL
from sim.bumpers.kernel.compiling import jitted, jitted_part

NO_WAY = 255
"""The distance of a space from which a piece never comes there."""

FAR = 7
"""Distances from which falls are not told apart from those further."""


@jitted
def fill_distances(
    neighbours: NDArray[np.uint16],
    vacated: NDArray[np.uint8],
    crosses_goals: bool,
    steps: bool,
    queue: NDArray[np.uint16],
    distances: NDArray[np.uint8],
    row: int,
    begin: int,
    end: int,
) -> None:
    """Write a lower bound of the actions from each space, as if a piece could stop anywhere.

    Other pieces are left out: they may stand where a piece needs one to stop.

    Args:
        neighbours: ``neighbours[arrangement, direction, space]``.
        vacated: What is on each space when no piece is.
        crosses_goals: The piece may cross goals, as all but pucks do.
        steps: The piece goes one space an action, as meeples do.
        queue: Space for the work, as long as a row of ``distances``.
        distances: ``distances[arrangement, row, space]``: 0 where the piece is wanted, `NO_WAY`
            elsewhere; filled.
        row: Which row to fill.
        begin: The first arrangement.
        end: The one after the last.
    """
    wall = len(queue) - 2
    for number in range(begin, end):
        tail = 0
        for space in range(wall):
            if distances[number, row, space] == 0:
                queue[tail] = space
                tail += 1
        head = 0
        while head < tail:
            wanted = queue[head]
            head += 1
            further = min(distances[number, row, wanted] + 1, NO_WAY - 1)
            for direction in range(4):
                space = neighbours[number, direction, wanted]
                while space != wall and (crosses_goals or vacated[space] != GOAL):
                    if distances[number, row, space] == NO_WAY:
                        distances[number, row, space] = further
                        queue[tail] = space
                        tail += 1
                    if steps:
                        break
                    space = neighbours[number, direction, space]


@jitted
def fill_falls(
    neighbours: NDArray[np.uint16],
    distances: NDArray[np.uint8],
    falls: NDArray[np.uint32],
    begin: int,
    end: int,
) -> None:
    """Write from which spaces a move may bring a piece nearer to where it is wanted.

    It may do so if distances fall anywhere ahead: for a piece that sets out there, or for one that
    it sends sliding. See `ways_down`.

    Args:
        neighbours: ``neighbours[arrangement, direction, space]``.
        distances: ``distances[arrangement, row, space]``.
        falls: ``falls[arrangement, space]``: written, 0 before; four bits, one for each direction,
            for a fall from any distance, then four from distance 1, and so on up to `FAR`.
        begin: The first arrangement.
        end: The one after the last.
    """
    wall = falls.shape[1] - 2
    for number in range(begin, end):
        for space in range(wall):
            for direction in range(4):
                if neighbours[number, direction, space] != wall:
                    continue
                # From the last space before a wall back to the first one after another.
                there, found = np.uint16(space), 0
                here = neighbours[number, direction ^ 2, there]
                while here != wall:
                    for row in range(1, distances.shape[1]):
                        distance = int(distances[number, row, here])
                        if distances[number, row, there] < distance:
                            found |= 1 | 1 << 4 * min(distance, FAR)
                    falls[number, here] |= found << direction
                    there = here
                    here = neighbours[number, direction ^ 2, there]


@jitted_part
def ways_down(falls: np.uint32, distance: int) -> int:
    """Return the directions in which there is a fall from a distance ahead, a bit for each.

    Args:
        falls: The falls of a space, as `fill_falls` wrote them.
        distance: At least 1, or 0 for any.
    """
    return int(falls) >> 4 * min(distance, FAR) & 15
