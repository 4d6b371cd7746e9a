"""Speed of games of Puck Bumpers; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import pytest

from sim.bumpers import Rules, legal_mat_moves, setup_named
from sim.bumpers.game import BUMPERS, Phase, make_table
from sim.bumpers.game.player_kinds import PLAYERS
from sim.core.game import play

ACTIONS = 100


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_at_most_a_hundred_actions_of_four_players(benchmark, kind):
    table = make_table(4, max_actions=ACTIONS)

    def played():
        players = [PLAYERS.of(kind)] * table.players
        *_, last = play(BUMPERS, table, players, 1)
        return last.after

    assert benchmark(played).phase is Phase.OVER


@pytest.mark.parametrize("temporary", [False, True])
def test_mat_moves_of_the_classic_set_up(benchmark, temporary):
    layout = setup_named("classic").layout
    assert benchmark(legal_mat_moves, layout, Rules(), temporary=temporary)
