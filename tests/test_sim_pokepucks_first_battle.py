"""First battles: a person is asked only what matters, with a proposal and its reason."""

import re
from itertools import islice

import pytest

from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from pucklab.sim.pokepucks.battle.question_kinds import kind_of, points_of_kinds, reason
from pucklab.sim.pokepucks.battle.questions import Question
from pucklab.sim.pokepucks.battle.sensible import is_open, only_sensible, propose
from pucklab.sim.pokepucks.battle.series import play_series
from pucklab.sim.pokepucks.battle.setup_file import FIRST_PAIR, SIMPLE_PAIR, house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.throw_sources import shipped_table
from tools.question_kinds import measure_step


def table(pair, length):
    return house_setup(
        [shipped_catalogue().find(name) for name in pair], BattleOptions(**LENGTHS[length])
    )


def questions(battles, length="first"):
    """Yield the steps in which Pikachu's player, who takes all proposals, has a choice."""
    for seed in range(battles):
        players = [SkilledPlayer(), GreedyPlayer()]
        for step in play_battle(table(FIRST_PAIR, length), players, shipped_table(), seed):
            ask = step.before.ask
            if isinstance(ask, Question) and ask.player == 0 and is_open(step.before.state, ask):
                yield step


def test_a_first_battle_is_short_and_fair_and_asks_a_few_questions():
    played = play_series(table(FIRST_PAIR, "first"), ["greedy"] * 2, shipped_table(), range(2000))
    assert 10 <= sorted(played.turns)[1000] <= 16
    assert 0.45 <= (played.winner == 0).mean() <= 0.55
    asked = [only_sensible(s.before.state, s.before.ask) is None for s in questions(100)]
    assert 4 <= sum(asked) / 100 <= 10


def test_a_person_is_asked_what_is_worth_two_points_and_told_why_an_answer_is_proposed():
    points, asked = points_of_kinds(), set()
    for step in questions(20):
        state, ask = step.before.state, step.before.ask
        is_asked = only_sensible(state, ask) is None
        assert is_asked is (points[kind_of(ask)] >= 2)
        asked.add((kind_of(ask), is_asked))
        why = reason(ask, propose(state, ask))
        assert not is_asked or re.fullmatch(r"[A-Z][^.]*\.", why)
    assert ("Potion", True) in asked
    assert ("puck to top off with", False) in asked


def test_in_a_full_battle_everything_with_a_choice_is_asked():
    steps = [*questions(3, "full")]
    assert steps
    assert all(only_sensible(step.before.state, step.before.ask) is None for step in steps)


@pytest.mark.parametrize("kind", ["Potion", "puck to top off with"])
def test_the_list_says_what_playouts_say(kind):
    steps = (step for step in questions(60) if kind_of(step.before.ask) == kind)
    found = [measure_step(step, number) for number, step in enumerate(islice(steps, 30))]
    found = [100 * points for points in found if points is not None]
    mean = sum(found) / len(found)
    error = (sum((one - mean) ** 2 for one in found)) ** 0.5 / len(found)
    # Of one pair of slammers; the list is of all of them.
    assert abs(mean - points_of_kinds()[kind]) < 4 * error


def test_the_simple_game_of_the_rulebook_has_sandbags_and_balls_and_only_throws():
    setup = table(SIMPLE_PAIR, "simple")
    kinds = {puck.design.kind for puck in setup.pucks}
    assert {puck.name for puck in setup.pucks} == {"Sandbag", *SIMPLE_PAIR}
    assert kinds == {DesignKind.ITEM, DesignKind.BALL}
    for step in play_battle(setup, [GreedyPlayer()] * 2, shipped_table(), 1):
        ask = step.before.ask
        assert not isinstance(ask, Question) or only_sensible(step.before.state, ask) is not None
    assert step.after.state.winner is not None
