"""Making puzzles: drafts are changed until their shortest solutions are as wanted.

A change is kept if it makes the shortest solutions longer, lets more pieces set out in them, or
makes them fewer: with the last of them gone, the next are longer. Of a draft that is too long, the
first actions of its solution are played.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from physics import trial_generator
from sim.bumpers.puzzles.drafts import Draft, changed_draft, first_draft
from sim.bumpers.puzzles.puzzle import Puzzle, PuzzleSpec
from sim.bumpers.puzzles.rating import goal_after, movers_of, rate
from sim.bumpers.solver import Limits, Solution, solve
from sim.bumpers.solver.linesteps import line_steps
from sim.ordered import in_order

_DRAFTS = 40
_CHANGES = 300
_BEYOND = 2
_NODES = 20_000
_MOST_SOLUTIONS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Solved:
    draft: Draft
    found: Solution
    idle: int
    """Pieces of those wanted that do not set out."""

    @property
    def cost(self) -> tuple[int, int, int]:
        return -len(self.found.line), self.idle, len(self.found.lines)

    def is_as_wanted(self, spec: PuzzleSpec) -> bool:
        most = 1 if spec.unique else _MOST_SOLUTIONS
        is_long = len(self.found.line) == spec.actions and self.idle == 0
        return is_long and self.found.complete and len(self.found.lines) <= most


def make_puzzles(
    spec: PuzzleSpec,
    *,
    seed: int,
    count: int,
    executor: Executor | None = None,
    window: int = 8,
) -> Iterator[Puzzle | None]:
    """Make puzzles, and yield them in the order of their numbers; None where none was found.

    The same seed and number give the same puzzle, in any number of processes.

    Args:
        spec: What is wanted.
        seed: The seed.
        count: How many.
        executor: Where to work; None for here.
        window: Puzzles in the executor at a time.
    """
    tasks = ((spec, seed, index) for index in range(count))
    return in_order(make_puzzle, tasks, executor, window)


def make_puzzle(spec: PuzzleSpec, seed: int, index: int) -> Puzzle | None:
    """Return a puzzle as wanted; None if many drafts come to none.

    Args:
        spec: What is wanted.
        seed: The seed.
        index: The puzzle's number among those of the seed, from 0.

    Raises:
        KeyboardInterrupt: Ctrl-C; a search in it is not taken for finished.
    """
    rng = trial_generator(seed, index)
    for _ in range(_DRAFTS):
        solved = _climbed(spec, rng)
        if solved is not None:
            position, goal = solved.draft.position, solved.draft.goal
            return Puzzle(
                seed=seed,
                index=index,
                position=position,
                goal=goal,
                line=solved.found.line,
                rating=rate(position, goal, solved.found.lines),
            )
    return None


def _climbed(spec: PuzzleSpec, rng: np.random.Generator) -> _Solved | None:
    """Return what comes of a draft by changes; None if it is not as wanted after all of them."""
    best = _solved(spec, first_draft(spec, rng))
    for _ in range(_CHANGES):
        if best is None:
            best = _solved(spec, first_draft(spec, rng))
            continue
        if best.is_as_wanted(spec):
            return best
        tried = _solved(spec, changed_draft(best.draft, rng))
        if tried is not None and tried.cost <= best.cost:
            best = tried
    return None


def _solved(spec: PuzzleSpec, draft: Draft) -> _Solved | None:
    """Return a draft with its solutions, not longer than wanted; None if it has none."""
    limits = Limits(actions=spec.actions + _BEYOND, nodes=_NODES)
    found = solve(draft.position, draft.goal, limits, every=True, most=_MOST_SOLUTIONS)
    if found.limit == "stopped":
        raise KeyboardInterrupt
    if not found.line:
        return None
    beyond = len(found.line) - spec.actions
    if beyond <= 0:
        idle = 0
        if spec.movers > 1:
            idle = max(spec.movers - movers_of(line_steps(draft.position, found.line)), 0)
        return _Solved(draft=draft, found=found, idle=idle)
    shortened = _played(draft, found, beyond)
    return None if shortened is None else _solved(spec, shortened)


def _played(draft: Draft, found: Solution, actions: int) -> Draft | None:
    """Return the draft after some actions of its solution; None if a part of the goal is done."""
    goal = draft.goal
    position = draft.position
    for step in line_steps(draft.position, found.line[:actions]):
        left = goal_after(position, goal, step.after, step.change)
        if left is None or left.pucks != goal.pucks or step.after.scored != position.scored:
            return None
        goal, position = left, step.after
    return Draft(position=position, goal=goal)
