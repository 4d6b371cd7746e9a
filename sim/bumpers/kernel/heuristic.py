"""The goal as arrays, and the admissible heuristic of the search.

The relaxation: a piece may stop on any space of its slide, and no other piece is in its way. Its
distance to the goal is then the same in every position of a layout, and never more than the actions
it really needs. `with_distances` fills the tables of distances, `lower_bound_of` combines the
distances of several pieces, or reads a pattern database, for a lower bound of the actions left, and
`tight_distances` and `descending_directions` say which moves can lower that of distances.
"""

from typing import NamedTuple

import numpy as np

from pucklab.base.kernels import inlined, kernel
from pucklab.sim.bumpers.kernel.arrays import I64, U8, U16, U32
from pucklab.sim.bumpers.kernel.pattern_database import UNREACHABLE, PatternDatabase, combined_bound
from pucklab.sim.bumpers.kernel.position import GOAL, Change

OTHER, PUCK, ICE, MEEPLE = 0, 1, 2, 3
"""Kinds of pieces by their way of moving; `OTHER` is a piece that the goal does not ask for."""

_FARTHEST = 7
"""Descents from this distance and from larger ones share their bits."""


class Scratch(NamedTuple):
    """Scratch arrays of the bounds and the filters of moves."""

    queue: U16  # of `fill_distances`
    ordered: I64  # distances, or numbers of spaces, in descending order
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
        pieces: The pieces that count, those of one target after those of another.
        rows: ``rows[i]``: the row of distances of ``pieces[i]``.
        first: ``first[target]``: the first of a target's pieces; their number at the end.
        needed: ``needed[target]``: how many of them must reach a target space.
        is_asked: 1 for each piece of the position that counts for some target.
        kinds: The kind of piece of each row of distances; the first is `OTHER`.
        targets: ``targets[row, space]``: 0 on target spaces, `UNREACHABLE` elsewhere.
        distances: ``distances[layout, row, space]``: relaxed distances, in actions.
        descents: ``descents[layout, space]``: directions in which a distance decreases somewhere
            ahead; see `descending_directions`.
        database: Distances of pairs and triples, without entries if not used.
        scratch: Arrays to work in, of which each thread needs its own.
        omits_steps: 1 if steps that can wait are left out, 0 if all solutions are wanted.
        adds: 1 if no action brings pieces of two targets nearer, so that their bounds add up.
    """

    pieces: U8
    rows: U8
    first: I64
    needed: I64
    is_asked: U8
    kinds: U8
    targets: U8
    distances: U16
    descents: U32
    database: PatternDatabase
    scratch: Scratch
    omits_steps: int
    adds: int


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
    if len(goal.distances) < len(neighbours):
        distances = np.zeros((len(neighbours), *goal.targets.shape), np.uint16)
        descents = np.zeros((len(neighbours), goal.targets.shape[1]), np.uint32)
        distances[:begin], descents[:begin] = goal.distances[:begin], goal.descents[:begin]
        goal = goal._replace(distances=distances, descents=descents)
    goal.distances[begin:end] = goal.targets
    fill_distances(goal, neighbours, vacated, begin, end)
    return goal


@inlined
def lower_bound_of(
    goal: EncodedGoal, distances: U16, where: U16, change: Change, has_cards: bool
) -> int:
    """Return a lower bound of the actions left after a move; 0 if the goal is reached.

    With a pattern database it is that of the database. Otherwise each distance is admissible, and
    an action brings at most one piece into a goal, the last of a chain. So with the distances in
    ascending order, the i-th piece to come in needs at least one action more than the one before:
    t = max(t + 1, h_i). A card may bring all distances to 1, by an action that scores nothing, so
    with a card in hand the bound is at most pieces + 1. Of several targets the largest bound
    counts; if each action moves one piece, and no piece can serve two targets, the sum.
    `UNREACHABLE` if the goal can never be reached.

    Args:
        goal: The goal.
        distances: ``distances[row, space]`` of the layout.
        where: The space of each piece.
        change: The pieces that are about to move.
        has_cards: True if a card is in hand.
    """
    ordered, has_patterns = goal.scratch.ordered, goal.database.size > 0
    table = goal.database.number if has_patterns else distances
    bound = after_card = 0
    for target in range(len(goal.needed)):
        count, left = order_pieces(goal, target, table, where, change)
        if left <= 0:
            continue
        if has_patterns:
            return combined_bound(goal.database, ordered, count, left)
        if count < left:
            return UNREACHABLE
        needed = int(ordered[count - 1])
        for index in range(1, left):
            needed = max(needed + 1, int(ordered[count - 1 - index]))
        least = min(needed, left)
        if goal.adds and needed < UNREACHABLE:
            needed, least = min(bound + needed, UNREACHABLE - 1), after_card + least
        bound, after_card = max(bound, needed), max(after_card, least)
    return min(bound, after_card + 1 if has_cards else UNREACHABLE)


@inlined
def order_pieces(
    goal: EncodedGoal, target: int, table: U16, where: U16, change: Change
) -> tuple[int, int]:
    """Sort a target's pieces that are not in; return how many there are and how many are needed.

    Args:
        goal: The goal; the values by which pieces are sorted are left in ``goal.scratch.ordered``,
            in descending order.
        target: The target.
        table: ``table[row, space]``: distances, or numbers of the pattern database.
        where: The space of each piece.
        change: The pieces that are about to move.
    """
    ordered, scored = goal.scratch.ordered, len(goal.scratch.queue) - 1
    count, needed = 0, int(goal.needed[target])
    for index in range(goal.first[target], goal.first[target + 1]):
        piece = goal.pieces[index]
        space, row = where[piece], goal.rows[index]
        for moved in range(change.number):
            if change.who[moved] == piece:
                space = change.to[moved]
        if space == scored and goal.targets[row, space] == 0:
            needed -= 1
            continue
        value = np.int64(table[row, space])
        place = count
        while place > 0 and ordered[place - 1] < value:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = value
        count += 1
    return count, needed


@inlined
def tight_distances(ordered: I64, count: int, left: int, bound: int) -> tuple[int, int]:
    """Return the smallest and the largest distance that are tight in a bound without cards.

    The distance of rank i is tight if h_i plus one action for each later piece equals the bound.
    Only a move that brings a piece nearer from every tight distance lowers the bound.

    Args:
        ordered: The distances, sorted by `order_pieces`.
        count: Number of these distances.
        left: Number of them that are needed.
        bound: The result of `lower_bound_of`; more than 0.
    """
    least, most = UNREACHABLE, 0
    for rank in range(left):
        distance = int(ordered[count - 1 - rank])
        if distance + left - 1 - rank == bound:
            least, most = min(least, distance), max(most, distance)
    return least, most


@kernel
def fill_distances(goal: EncodedGoal, neighbours: U16, vacated: U8, begin: int, end: int) -> None:
    """Fill in the distances of some layouts, and the directions in which they decrease.

    Breadth-first search backwards from the target spaces, if a piece could stop anywhere on its
    slide. Other pieces are ignored: they may stand where the piece needs one to stop.

    Args:
        goal: The goal; its distances are 0 on target spaces and `UNREACHABLE` elsewhere, its
            descents 0.
        neighbours: ``neighbours[layout, direction, space]``.
        vacated: Code of each space without pieces.
        begin: The first layout.
        end: One after the last layout.
    """
    queue, wall = goal.scratch.queue, goal.targets.shape[1] - 2
    for number in range(begin, end):
        for row in range(1, len(goal.kinds)):
            distances, tail = goal.distances[number, row], 0
            for space in range(wall):
                if distances[space] == 0:
                    queue[tail] = space
                    tail += 1
            head = 0
            while head < tail:
                reached = queue[head]
                head += 1
                further = min(distances[reached] + 1, UNREACHABLE - 1)
                for direction in range(4):
                    space = neighbours[number, direction, reached]
                    # All pieces but pucks may cross goals.
                    while space != wall and (goal.kinds[row] != PUCK or vacated[space] != GOAL):
                        if distances[space] == UNREACHABLE:
                            distances[space] = further
                            queue[tail] = space
                            tail += 1
                        if goal.kinds[row] == MEEPLE:
                            break
                        space = neighbours[number, direction, space]
        _fill_descents(goal.distances[number], neighbours[number], goal.descents[number])


@inlined
def _fill_descents(distances: U16, neighbours: U16, descents: U32) -> None:
    """Fill in the directions in which distances decrease somewhere ahead of each space.

    Only a move in such a direction can bring a piece nearer to its target: the piece that sets out
    there, or one that it sends sliding. Bits 0 to 3: the directions in which any distance
    decreases; bits 4 d to 4 d + 3: those in which it decreases from d, up to the farthest that is
    distinguished. See `descending_directions`.
    """
    wall = len(descents) - 2
    for space in range(wall):
        for direction in range(4):
            if neighbours[direction, space] != wall:
                continue
            # Walk one corridor backwards, from its last space before a wall to its first.
            there, found = np.uint16(space), 0
            here = neighbours[direction ^ 2, there]
            while here != wall:
                for row in range(1, len(distances)):
                    distance = int(distances[row, here])
                    if distances[row, there] < distance:
                        found |= 1 | 1 << 4 * min(distance, _FARTHEST)
                descents[here] |= found << direction
                there = here
                here = neighbours[direction ^ 2, there]


@inlined
def descending_directions(descents: np.uint32, distance: int) -> int:
    """Return the directions in which some distance ahead decreases from a given one, one bit each.

    Args:
        descents: The entry of a space, as `fill_descents` writes it.
        distance: The distance to descend from, at least 1; 0 for any.
    """
    return int(descents) >> 4 * min(distance, _FARTHEST) & 15
