"""Difficulty of a puzzle: its solutions, its decoys, the pieces that move, the search it takes.

`rate` measures a puzzle; `tempting_moves` are the actions that look good in a position.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise

from pucklab.base.facts import fact
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.mats import Kind
from pucklab.sim.bumpers.moves import Line, MatTurn, Move, PieceMove
from pucklab.sim.bumpers.puzzle_themes import NO_CARD, hand_after, legal_actions
from pucklab.sim.bumpers.rules import legal_moves, play
from pucklab.sim.bumpers.solver import Goal, Hand, Limits, Question, solve
from pucklab.sim.bumpers.solver.goals import goal_after
from pucklab.sim.bumpers.solver.run import distances_to_goal
from pucklab.sim.bumpers.solver.solution import line_steps

TEMPTATION = 4
"""Weight of an action that tempts in the measure of difficulty."""

_FIRST_POINTS, _POINTS_PER_BIT = 500, 45
"""Points of a puzzle of no difficulty, and of each bit and each doubling of the search."""

DIFFICULTIES = {"easy": 900, "medium": 1200, "hard": 1500, "expert": math.inf}
"""The points below which a puzzle has each difficulty.

Chosen with 96 puzzles of 2 to 9 actions. Solvers by chance, who see one action ahead and start 20
times, failed in 7 % below 900 points, 54 % below 1200, 91 % below 1500, and 99.5 % above.
"""

MOST_ORDERS = 24
"""Shortest lines that are compared for being orders of the same actions."""


@fact
class Rating:
    """The difficulty of a puzzle.

    Attributes:
        solutions: The number of shortest solutions; orders of the same actions count as one.
        branching: Branching factor: legal actions, averaged over the positions of a solution.
        decoys: First actions that tempt but begin no shortest solution. An action tempts if it
            moves a piece of the goal nearer to it, or to a space one action away from it, counted
            without other pieces on the board.
        movers: Pieces that set out in a solution.
        difficulty_bits: -log2 of the chance that a random player finds a shortest solution, who
            chooses an action that tempts `TEMPTATION` times as often as another. Tempting actions
            beside the solution make it harder, and so does a solution whose actions do not tempt.
        nodes: Positions that the solver visits until it has a shortest solution and its proof.
    """

    solutions: int
    branching: float
    decoys: int
    movers: int
    difficulty_bits: float
    nodes: int

    @property
    def points(self) -> int:
        """The difficulty on the scale of people's ratings: 45 points a bit or doubling of nodes."""
        bits = self.difficulty_bits + math.log2(1 + self.nodes)
        return round(_FIRST_POINTS + _POINTS_PER_BIT * bits)

    @property
    def difficulty(self) -> str:
        """The difficulty in a word, by the points."""
        return next(word for word, most in DIFFICULTIES.items() if self.points < most)


def rate(position: Position, goal: Goal, lines: tuple[Line, ...], hand: Hand = NO_CARD) -> Rating:
    """Rate the difficulty of a puzzle.

    Args:
        position: The position.
        goal: The goal.
        lines: All shortest solutions; at least one.
        hand: The card in hand.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> from pucklab.sim.bumpers.solver import solve
        >>> start = parse_position("pb1:small:RPb7.BPe7:-:R:-")
        >>> rate(start, Goal(), solve(Question(start, solutions=9)).lines).decoys
        0
    """
    steps = line_steps(position, lines[0])
    choices, left = [], hand
    for step in steps:
        choices.append(len(legal_actions(step.before, left)))
        left = hand_after(left, step.move)
    ways = ways_of(position, lines)
    return Rating(
        solutions=ways.solutions,
        branching=sum(choices) / len(choices),
        decoys=decoys_of(position, goal, {line[0] for line in lines}),
        movers=ways.movers,
        difficulty_bits=_difficulty_bits(position, goal, lines, hand),
        nodes=solve(Question(position, goal, Limits(max_actions=len(steps)), hand)).nodes,
    )


def _difficulty_bits(
    position: Position, goal: Goal, lines: Sequence[Sequence[Move]], hand: Hand
) -> float:
    """Return the difficulty as `Rating` defines it; many solutions count by the first ones."""
    known: dict[tuple[Position, Goal, Hand], dict[Move, float]] = {}
    chance = 0.0
    for line in lines[:MOST_ORDERS]:
        of_line, wanted, left = 1.0, goal, hand
        for step in line_steps(position, line):
            key = step.before, wanted, left
            if key not in known:
                tempting = tempting_moves(step.before, wanted)
                moves = legal_actions(step.before, left)
                total = len(moves) + (TEMPTATION - 1) * len(tempting)
                known[key] = {m: (TEMPTATION if m in tempting else 1) / total for m in moves}
            of_line *= known[key][step.move]
            left = hand_after(left, step.move)
            wanted = goal_after(wanted, step.before, step.after, step.change) or wanted
        chance += of_line
    return -math.log2(chance * max(1.0, len(lines) / MOST_ORDERS))


def tempting_moves(position: Position, goal: Goal) -> set[Move]:
    """Return the legal actions that tempt; see `Rating`.

    Example:
        >>> from pucklab.sim.bumpers import move_text, parse_position
        >>> start = parse_position("pb1:small:RPf7.RMe7:-:R:-")
        >>> sorted(move_text(start, move) for move in tempting_moves(start, Goal()))
        ['f7N*', 'f7S']
    """
    distances = distances_to_goal(position, goal)
    found: set[Move] = set()
    for move in legal_moves(position):
        _, change = play(position, move)
        for movement in change.movements:
            for of_target in distances.get(movement.start, ()):
                after = 0 if movement.scored else of_target[movement.end]
                if after < of_target[movement.start] or after == 1:
                    found.add(move)
    return found


@fact
class Ways:
    """Common features of the shortest solutions of a puzzle.

    Attributes:
        solutions: Their number; orders of the same actions count as one.
        movers: Pieces that set out in the first one.
        walked: Steps in the first one that continue the last step of the same piece.
        groups: Groups of pieces that move independently of each other, in the solution with the
            most. Two pieces belong together if their actions are in fewer orders than those of
            pieces that never meet: 4 actions of each of these have 70 orders.
    """

    solutions: int
    movers: int
    walked: int
    groups: int


def ways_of(position: Position, lines: Sequence[Sequence[Move]]) -> Ways:
    """Compare the shortest solutions of a puzzle.

    An action is a piece, named by its first space, and a direction.

    Args:
        position: The position.
        lines: The solutions; the piece of a mat move is the mat.
    """
    orders = defaultdict(list)
    steps: list[tuple[tuple[int, int], bool]] = []
    known: dict[Line, tuple[Position, dict[int, int], bool]] = {(): (position, {}, False)}
    for line in lines:
        actions, steps_of_line = [], []
        for made, move in enumerate(line):
            before, origins, _ = known[tuple(line[:made])]
            key = tuple(line[: made + 1])
            if key not in known:
                after, change = play(before, move)
                came = {m.end: origins.get(m.start, m.start) for m in change.movements}
                left = {m.start for m in change.movements}
                rest = {space: origin for space, origin in origins.items() if space not in left}
                # A piece that is no puck steps to the next space and moves nothing else.
                moved = {*before.pieces} - {*after.pieces}
                is_step = isinstance(move, PieceMove) and {
                    (space, one.kind is Kind.PUCK) for space, one in moved
                } == {(move.space, False)}
                known[key] = after, rest | came, is_step
            if isinstance(move, PieceMove):
                actions.append((origins.get(move.space, move.space), int(move.direction)))
            else:
                assert isinstance(move, MatTurn)
                actions.append((-1 - move.mat, move.quarters))
            steps_of_line.append(known[key][2])
        orders[tuple(sorted(actions))].append([piece for piece, _ in actions])
        steps = steps or [*zip(actions, steps_of_line, strict=True)]
    first = orders[tuple(sorted(action for action, _ in steps))][0]
    walked = 0
    for piece in set(first):
        own = [is_step for (mover, _), is_step in steps if mover == piece]
        walked += sum(both == (True, True) for both in pairwise(own))
    groups = max(map(_groups, orders.values()))
    return Ways(solutions=len(orders), movers=len(set(first)), walked=walked, groups=groups)


def _groups(orders: Sequence[Sequence[int]]) -> int:
    """Return the number of groups of pieces, given which of them sets out in each order."""
    groups = [{piece} for piece in set(orders[0])]
    for two in combinations(set(orders[0]), 2):
        seen = {tuple(piece for piece in order if piece in two) for order in orders}
        both = next(iter(seen))
        if len(seen) < math.comb(len(both), both.count(two[0])):
            joined = [group for group in groups if group & set(two)]
            groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return len(groups)


def decoys_of(position: Position, goal: Goal, good: set[Move]) -> int:
    """Return the number of legal actions that tempt and are not among the good ones."""
    return len(tempting_moves(position, goal) - good)
