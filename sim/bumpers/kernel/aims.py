"""What a search wants, and how many actions it needs at least."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.arrangements import Arrangements
from sim.bumpers.kernel.compiling import jitted, jitted_part
from sim.bumpers.kernel.distances import NO_WAY, fill_distances

UNWANTED, PUCK, ICE, MEEPLE = 0, 1, 2, 3
"""Rows of distances."""

ROWS = 4


class Aim(NamedTuple):
    """What is wanted.

    Attributes:
        wanted: The pieces of which some must come where they are wanted.
        needed: How many of them must.
        row: Which distances are a piece's, by piece.
        ends: ``ends[row, space]``: 0 where a piece is wanted, `NO_WAY` elsewhere.
        distances: ``distances[arrangement, row, space]``: actions needed at least.
        queue: Space for the work on distances.
        ordered: Space for the work on bounds.
    """

    wanted: NDArray[np.uint8]
    needed: int
    row: NDArray[np.uint8]
    ends: NDArray[np.uint8]
    distances: NDArray[np.uint8]
    queue: NDArray[np.uint16]
    ordered: NDArray[np.int64]


@jitted
def measure(aim: Aim, arrangements: Arrangements, vacated: NDArray[np.uint8], number: int) -> None:
    """Write the distances of an arrangement.

    Args:
        aim: What is wanted.
        arrangements: The arrangements.
        vacated: What is on each space when no piece is.
        number: Which arrangement.
    """
    for row in range(ROWS):
        distances = aim.distances[number, row]
        for space in range(len(distances)):
            distances[space] = aim.ends[row, space]
        if row != UNWANTED:
            neighbours = arrangements.neighbours[number]
            is_puck, is_meeple = row == PUCK, row == MEEPLE
            fill_distances(neighbours, vacated, not is_puck, is_meeple, aim.queue, distances)


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
