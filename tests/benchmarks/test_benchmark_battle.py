"""Speed of battles of PokéPucks; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

from time import perf_counter

import pytest

from sim.core.players import RandomPlayer
from sim.pokepucks.battle.match import play_battle
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.throw_sources import PhysicsThrows, shipped_table
from tests.pokepucksbattles import design


class TimedThrows:
    """Throws whose time is added up.

    Args:
        throws: Where they come from.
    """

    def __init__(self, throws):
        self.throws = throws
        self.seconds = 0.0

    def throw(self, shot, rng):
        """Return an outcome, and add up how long it took."""
        start = perf_counter()
        outcome = self.throws.throw(shot, rng)
        self.seconds += perf_counter() - start
        return outcome


def table():
    return house_table([design("pikachu"), design("onix")])


@pytest.mark.parametrize("player", [RandomPlayer, GreedyPlayer], ids=["random", "greedy"])
def test_turns_with_throws_from_a_table(benchmark, player):
    setting, throws = table(), shipped_table()

    def turns():
        count = 0
        for seed in range(10):
            *_, last = play_battle(setting, [player(), player()], throws, seed)
            count += last.after.state.turn.number
        return count

    counted = benchmark(turns)
    stats = getattr(benchmark, "stats", None)
    if stats is not None:
        benchmark.extra_info["turns_per_s"] = round(counted / stats["median"])


def test_share_of_slams_in_battles_with_physics(benchmark):
    setting = table()

    def share():
        throws, start = TimedThrows(PhysicsThrows()), perf_counter()
        for seed in range(2):
            list(play_battle(setting, [GreedyPlayer(), GreedyPlayer()], throws, seed))
        return throws.seconds / (perf_counter() - start)

    slams = benchmark(share)
    if getattr(benchmark, "stats", None) is not None:
        benchmark.extra_info["share_of_slams"] = round(slams, 3)
