"""What a search wants, and how many actions it needs at least.

How many actions a piece needs at least to where it is wanted, by space.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part, share_of
from sim.bumpers.kernel.position import GOAL

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


UNWANTED, PUCK, ICE, MEEPLE = 0, 1, 2, 3
"""Kinds of pieces, as far as a search tells them apart."""

_FEW, _MANY = 1 << 2, 1 << 12
"""Arrangements to measure at a time."""


class Aim(NamedTuple):
    """What is wanted.

    Attributes:
        wanted: The pieces of which some must come where they are wanted.
        needed: How many of them must.
        kinds: The kinds of pieces that have a row of distances; the first is `UNWANTED`.
        row: Which distances are a piece's, by piece.
        ends: ``ends[row, space]``: 0 where a piece is wanted, `NO_WAY` elsewhere.
        distances: ``distances[arrangement, row, space]``: actions needed at least.
        falls: ``falls[arrangement, space]``: in which directions distances fall somewhere ahead:
            only moves that way may bring a piece nearer. See `ways_down`.
        queue: Space for the work on distances.
        ordered: Space for the work on bounds.
    """

    wanted: NDArray[np.uint8]
    needed: int
    kinds: NDArray[np.uint8]
    row: NDArray[np.uint8]
    ends: NDArray[np.uint8]
    distances: NDArray[np.uint8]
    falls: NDArray[np.uint32]
    queue: NDArray[np.uint16]
    ordered: NDArray[np.int64]


def with_distances(
    aim: Aim, neighbours: NDArray[np.uint16], vacated: NDArray[np.uint8], begin: int, end: int
) -> Aim:
    """Return what is wanted with the distances of some more arrangements.

    Args:
        aim: What is wanted.
        neighbours: ``neighbours[arrangement, direction, space]``.
        vacated: What is on each space when no piece is.
        begin: The first arrangement without distances.
        end: The one after the last.
    """
    distances, falls = aim.distances, aim.falls
    if len(distances) < len(neighbours):
        distances = np.zeros((len(neighbours), *aim.ends.shape), np.uint8)
        falls = np.zeros((len(neighbours), aim.ends.shape[1]), np.uint32)
        distances[:begin], falls[:begin] = aim.distances[:begin], aim.falls[:begin]
    distances[begin:end] = aim.ends
    first = begin
    while first < end:
        last = min(end, first + share_of(_FEW, _MANY))
        for row in range(1, len(aim.kinds)):
            goes_through, steps = bool(aim.kinds[row] != PUCK), bool(aim.kinds[row] == MEEPLE)
            fill_distances(
                neighbours, vacated, goes_through, steps, aim.queue, distances, row, first, last
            )
        fill_falls(neighbours, distances, falls, first, last)
        first = last
    return aim._replace(distances=distances, falls=falls)


@jitted_part
def bound_of(
    aim: Aim,
    distances: NDArray[np.uint8],
    where: NDArray[np.uint16],
    who: NDArray[np.uint8],
    to: NDArray[np.uint16],
    changes: int,
    cards: bool,
) -> int:
    """Return how many actions are needed at least; 0 if the aim is reached, `NO_WAY` for never.

    An action brings at most one piece into a goal, the last of a chain. A card may bring all
    distances to 1, with an action that brings in none.

    Args:
        aim: What is wanted.
        distances: Those of the arrangement.
        where: The space of each piece.
        who: The pieces that are about to move.
        to: Where they come to.
        changes: How many they are.
        cards: Whether a card is in hand.
    """
    ordered = aim.ordered
    goal = distances.shape[1] - 1
    count, left = 0, aim.needed
    for index in range(len(aim.wanted)):
        piece = aim.wanted[index]
        space = where[piece]
        for change in range(changes):
            if who[change] == piece:
                space = to[change]
        distance = np.int64(distances[aim.row[piece], space])
        if space == goal and distance == 0:
            left -= 1
            continue
        place = count
        while place > 0 and ordered[place - 1] > distance:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = distance
        count += 1
    if left <= 0:
        return 0
    needed = int(ordered[0])
    for index in range(1, left):
        needed = max(needed + 1, int(ordered[index]))
    return min(needed, left + 1 if cards else NO_WAY)


@jitted_part
def tight_distances(
    aim: Aim, distances: NDArray[np.uint8], where: NDArray[np.uint16], bound: int
) -> tuple[int, int]:
    """Return the least and the greatest of the distances that a bound without cards rests on.

    It rests on a distance if so many of the pieces still needed are at least as far away that the
    last of them comes in as late as the bound says. Only a move that brings a piece nearer from
    each of these distances lowers the bound.

    Args:
        aim: What is wanted.
        distances: Those of the arrangement.
        where: The space of each piece.
        bound: As `bound_of` returns it; more than 0.
    """
    ordered = aim.ordered
    goal = distances.shape[1] - 1
    count, left = 0, aim.needed
    for index in range(len(aim.wanted)):
        piece = aim.wanted[index]
        ordered[count] = distances[aim.row[piece], where[piece]]
        if where[piece] == goal and ordered[count] == 0:
            left -= 1
        else:
            count += 1
    least, most = NO_WAY, 0
    for index in range(count):
        nearer = 0
        for other in range(count):
            nearer += ordered[other] < ordered[index]
        if nearer < left and ordered[index] + left - 1 - nearer == bound:
            least = min(least, int(ordered[index]))
            most = max(most, int(ordered[index]))
    return least, most
