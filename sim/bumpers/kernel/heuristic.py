"""The goal as arrays, and the admissible heuristic of the search.

The relaxation: a piece may stop on any space of its slide, and no other piece is in its way. Its
distance to the goal is then the same in every position of a layout, and never more than the actions
it really needs. `with_distances` fills the tables of distances, `lower_bound_of` combines the
distances of several pieces to a lower bound of the actions left, and `tight_distances` and
`descending_directions` say which moves can lower that bound.
"""

from typing import NamedTuple

import numpy as np

from physics.compiling import batch_size, inlined, jitted
from sim.bumpers.kernel.arrays import I64, U8, U16, U32
from sim.bumpers.kernel.pattern_database import UNREACHABLE, PatternDatabase, combined_bound
from sim.bumpers.kernel.position import GOAL

OTHER, PUCK, ICE, MEEPLE = 0, 1, 2, 3
"""Kinds of pieces by their way of moving; `OTHER` is a piece that the goal does not ask for."""

_FARTHEST = 7
"""Descents from this distance and from larger ones share their bits."""

_FEW, _MANY = 1 << 2, 1 << 12
"""Layouts to measure at a time: interpreted, compiled."""


class Scratch(NamedTuple):
    """Arrays that bounds and filters of moves work in."""

    queue: U16  # of `fill_distances`
    ordered: I64  # distances in ascending, or spaces in descending order
    slots: U8  # the first bit of each piece in a set of moves
    stamps: I64  # numbers that mark lanes of either axis, and spaces; see `pruning`


def new_scratch(spaces: int, pieces: int) -> Scratch:
    """Return the arrays for a number of spaces, wall and scored pucks included."""
    return Scratch(
        queue=np.zeros(spaces, np.uint16),
        ordered=np.zeros(pieces + 1, np.int64),
        slots=np.zeros(pieces, np.uint8),
        stamps=np.zeros((3, spaces), np.int64),
    )


class EncodedGoal(NamedTuple):
    """The goal of a search.

    Attributes:
        pieces: The pieces that count towards the goal.
        needed: How many of them must reach a target space.
        kinds: The kind of piece of each row of distances; the first is `OTHER`.
        row: The row of distances of each piece.
        targets: ``targets[row, space]``: 0 on target spaces, `UNREACHABLE` elsewhere.
        distances: ``distances[layout, row, space]``: relaxed distances, in actions.
        descents: ``descents[layout, space]``: directions in which a distance decreases somewhere
            ahead; see `descending_directions`.
        database: Distances of pairs and triples, without entries if not used.
        scratch: Arrays to work in, of which each thread needs its own.
        omits_steps: 1 if steps that can wait are left out, 0 if all solutions are wanted.
    """

    pieces: U8
    needed: int
    kinds: U8
    row: U8
    targets: U8
    distances: U8
    descents: U32
    database: PatternDatabase
    scratch: Scratch
    omits_steps: int


def with_distances(
    goal: EncodedGoal,
    neighbours: U16,
    vacated: U8,
    begin: int,
    end: int,
) -> EncodedGoal:
    """Return the goal with the distances of more layouts filled in.

    Args:
        goal: The goal.
        neighbours: ``neighbours[layout, direction, space]``.
        vacated: Code of each space without pieces.
        begin: The first layout without distances.
        end: One after the last layout.
    """
    distances, descents = goal.distances, goal.descents
    if len(distances) < len(neighbours):
        distances = np.zeros((len(neighbours), *goal.targets.shape), np.uint8)
        descents = np.zeros((len(neighbours), goal.targets.shape[1]), np.uint32)
        distances[:begin], descents[:begin] = goal.distances[:begin], goal.descents[:begin]
    distances[begin:end] = goal.targets
    first = begin
    while first < end:
        last = min(end, first + batch_size(_FEW, _MANY))
        for row in range(1, len(goal.kinds)):
            goes_through, steps = bool(goal.kinds[row] != PUCK), bool(goal.kinds[row] == MEEPLE)
            fill_distances(
                neighbours,
                vacated,
                goes_through,
                steps,
                goal.scratch.queue,
                distances,
                row,
                first,
                last,
            )
        fill_descents(neighbours, distances, descents, first, last)
        first = last
    return goal._replace(distances=distances, descents=descents)


@inlined
def lower_bound_of(
    goal: EncodedGoal,
    distances: U8,
    where: U16,
    who: U8,
    to: U16,
    changes: int,
    has_cards: bool,
) -> int:
    """Return a lower bound of the actions left; 0 if the goal is reached.

    Admissible: each distance is one, and an action brings at most one piece into a goal, the last
    of a chain. So with the distances in ascending order, the i-th piece to come in needs at least
    one action more than the one before: t = max(t + 1, h_i). A card may bring all distances to 1,
    by an action that scores nothing, so with a card in hand the bound is at most pieces + 1.
    `UNREACHABLE` if the goal can never be reached.

    Args:
        goal: The goal.
        distances: ``distances[row, space]`` of the layout.
        where: The space of each piece.
        who: The pieces that are about to move.
        to: The spaces they move to.
        changes: How many of them there are.
        has_cards: True if a card is in hand.
    """
    ordered = goal.scratch.ordered
    scored = distances.shape[1] - 1
    count, left = 0, goal.needed
    for index in range(len(goal.pieces)):
        piece = goal.pieces[index]
        space = where[piece]
        for change in range(changes):
            if who[change] == piece:
                space = to[change]
        distance = np.int64(distances[goal.row[piece], space])
        if space == scored and distance == 0:
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
    return min(needed, left + 1 if has_cards else UNREACHABLE)


@inlined
def order_pucks(
    goal: EncodedGoal,
    where: U16,
    who: U8,
    to: U16,
    changes: int,
) -> tuple[int, int]:
    """Sort the spaces of the goal's pucks into ``ordered``; return their number and the need.

    Args:
        goal: The goal, of pucks to bring in.
        where: The space of each piece.
        who: The pieces that are about to move.
        to: The spaces they move to.
        changes: How many of them there are.
    """
    ordered = goal.scratch.ordered
    scored = len(goal.scratch.queue) - 1
    count, needed = 0, goal.needed
    for index in range(len(goal.pieces)):
        piece = goal.pieces[index]
        space = np.int64(where[piece])
        for change in range(changes):
            if who[change] == piece:
                space = np.int64(to[change])
        if space == scored:
            needed -= 1
            continue
        number = np.int64(goal.database.number[space])
        place = count
        while place > 0 and ordered[place - 1] < number:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = number
        count += 1
    return count, needed


@inlined
def pattern_bound_of(
    goal: EncodedGoal,
    where: U16,
    who: U8,
    to: U16,
    changes: int,
) -> int:
    """Return the lower bound by the pattern database; the arguments are those of `order_pucks`."""
    count, needed = order_pucks(goal, where, who, to, changes)
    if needed <= 0:
        return 0
    return combined_bound(goal.database, goal.scratch.ordered, count, needed)


@inlined
def tight_distances(goal: EncodedGoal, distances: U8, where: U16, bound: int) -> tuple[int, int]:
    """Return the smallest and the largest distance that are tight in a bound without cards.

    The distance of rank i is tight if h_i plus one action for each later piece equals the bound.
    Only a move that brings a piece nearer from every tight distance lowers the bound.

    Args:
        goal: The goal.
        distances: ``distances[row, space]`` of the layout.
        where: The space of each piece.
        bound: The result of `lower_bound_of`; more than 0.
    """
    ordered = goal.scratch.ordered
    scored = distances.shape[1] - 1
    count, left = 0, goal.needed
    for index in range(len(goal.pieces)):
        piece = goal.pieces[index]
        ordered[count] = distances[goal.row[piece], where[piece]]
        if where[piece] == scored and ordered[count] == 0:
            left -= 1
        else:
            count += 1
    least, most = UNREACHABLE, 0
    for index in range(count):
        nearer = 0
        for other in range(count):
            nearer += ordered[other] < ordered[index]
        if nearer < left and ordered[index] + left - 1 - nearer == bound:
            least = min(least, int(ordered[index]))
            most = max(most, int(ordered[index]))
    return least, most


@jitted
def fill_distances(
    neighbours: U16,
    vacated: U8,
    crosses_goals: bool,
    steps: bool,
    queue: U16,
    distances: U8,
    row: int,
    begin: int,
    end: int,
) -> None:
    """Fill in the distance of every space to the goal, if a piece could stop anywhere on its slide.

    Breadth-first search backwards from the target spaces. Other pieces are ignored: they may stand
    where the piece needs one to stop.

    Args:
        neighbours: ``neighbours[layout, direction, space]``.
        vacated: Code of each space without pieces.
        crosses_goals: True if the piece may cross goals, as all but pucks do.
        steps: True if the piece moves one space an action, as meeples do.
        queue: Scratch array, as long as a row of ``distances``.
        distances: ``distances[layout, row, space]``: 0 on target spaces and `UNREACHABLE`
            elsewhere; filled in.
        row: The row to fill.
        begin: The first layout.
        end: One after the last layout.
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
            reached = queue[head]
            head += 1
            further = min(distances[number, row, reached] + 1, UNREACHABLE - 1)
            for direction in range(4):
                space = neighbours[number, direction, reached]
                while space != wall and (crosses_goals or vacated[space] != GOAL):
                    if distances[number, row, space] == UNREACHABLE:
                        distances[number, row, space] = further
                        queue[tail] = space
                        tail += 1
                    if steps:
                        break
                    space = neighbours[number, direction, space]


@jitted
def fill_descents(
    neighbours: U16,
    distances: U8,
    descents: U32,
    begin: int,
    end: int,
) -> None:
    """Fill in the directions in which distances decrease somewhere ahead of each space.

    Only a move in such a direction can bring a piece nearer to its target: the piece that sets out
    there, or one that it sends sliding. See `descending_directions`.

    Args:
        neighbours: ``neighbours[layout, direction, space]``.
        distances: ``distances[layout, row, space]``.
        descents: ``descents[layout, space]``, 0 before. Bits 0 to 3: the directions in which any
            distance decreases; bits 4 d to 4 d + 3: those in which it decreases from d, up to
            the farthest that is distinguished.
        begin: The first layout.
        end: One after the last layout.
    """
    wall = descents.shape[1] - 2
    for number in range(begin, end):
        for space in range(wall):
            for direction in range(4):
                if neighbours[number, direction, space] != wall:
                    continue
                # Walk one corridor backwards, from its last space before a wall to its first.
                there, found = np.uint16(space), 0
                here = neighbours[number, direction ^ 2, there]
                while here != wall:
                    for row in range(1, distances.shape[1]):
                        distance = int(distances[number, row, here])
                        if distances[number, row, there] < distance:
                            found |= 1 | 1 << 4 * min(distance, _FARTHEST)
                    descents[number, here] |= found << direction
                    there = here
                    here = neighbours[number, direction ^ 2, there]


@inlined
def descending_directions(descents: np.uint32, distance: int) -> int:
    """Return the directions in which some distance ahead decreases from a given one, one bit each.

    Args:
        descents: The entry of a space, as `fill_descents` writes it.
        distance: The distance to descend from, at least 1; 0 for any.
    """
    return int(descents) >> 4 * min(distance, _FARTHEST) & 15
