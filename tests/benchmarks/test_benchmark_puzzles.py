"""Speed of making Puck Bumpers puzzles and of finding defences; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import numpy as np
import pytest

from physics import InputError
from sim.bumpers import Colour
from sim.bumpers.puzzles import PuzzleSpec, make_puzzle
from sim.bumpers.solver import Defence, Limits, solve
from tests.make_bumpers_solver import random_position


@pytest.mark.parametrize("actions", [3, 5, 8])
def test_making_a_puzzle_with_one_solution(benchmark, actions):
    spec = PuzzleSpec(actions=actions, movers=2, unique=True)
    numbers = iter(range(10**6))
    benchmark(lambda: make_puzzle(spec, 1, next(numbers)))


def test_finding_a_defence_of_two_actions_against_turns_of_two(benchmark):
    goal, limits = Defence(colour=Colour.BLUE, turn_actions=2), Limits(max_actions=2)
    rng = np.random.default_rng(31)
    positions = [random_position(rng, 1) for _ in range(6)]
    seconds = []

    def defend_all():
        for position in positions:
            try:
                seconds.append(solve(position, goal, limits).seconds)
            except InputError:  # blue cannot score anyhow
                continue

    benchmark(defend_all)
    getattr(benchmark, "extra_info", {})["median_s"] = round(float(np.median(seconds)), 3)
