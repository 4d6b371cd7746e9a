"""A battle looked back on: chances over the turns, throws that decided, better moves."""

from collections import deque

import numpy as np
import pytest

from pucklab.sim.pokepucks.battle import review
from pucklab.sim.pokepucks.battle.battle_setup import Mode
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.questions import Asking, Question
from pucklab.sim.pokepucks.battle.review import Review, review_battle, review_lines
from pucklab.sim.pokepucks.throw_sources import shipped_table
from tests.pokepucksbattles import house


class Hesitant(GreedyPlayer):
    """Never attempts a knock-out, which costs nothing."""

    def reply(self, state, question):
        return () if question.asking is Asking.KNOCK_OUT else super().reply(state, question)


@pytest.fixture(scope="module")
def battle():
    table = house("onix", "pikachu", max_turns=8)
    return list(play_battle(table, [Hesitant(), GreedyPlayer()], shipped_table(), 3))


@pytest.fixture(scope="module")
def reviews(battle):
    """The whole review of each player."""
    return [deque(review_battle(battle, player), maxlen=1).pop() for player in (0, 1)]


def test_the_curve_has_every_turn_and_ends_with_the_result(battle, reviews):
    mine, theirs = reviews
    end = battle[-1].after.state
    assert [turn for turn, _ in mine.curve] == list(range(1, end.turn.number + 2))
    assert mine.curve[-1][1] == {0: 1.0, 1: 0.0, None: 0.5}[end.winner]
    for (_, one), (_, other) in zip(mine.curve, theirs.curve, strict=True):
        assert one + other == pytest.approx(1)
    assert mine.is_complete


def test_the_throws_with_the_greatest_changes_are_told_in_order(reviews):
    mine = reviews[0]
    assert len(mine.throws) == 3
    turns = [throw.turn for throw in mine.throws]
    assert turns == sorted(turns)
    assert all(abs(throw.change) > 0.02 for throw in mine.throws)


def test_a_knock_out_not_tried_is_a_better_move(battle, reviews):
    missed = [e for e in battle if getattr(e.before.ask, "asking", None) is Asking.KNOCK_OUT]
    assert any(exchange.before.ask.player == 0 for exchange in missed)
    better = reviews[0].better
    assert better.gain > 0
    assert " instead of " in better.words


@pytest.mark.parametrize(("errors", "is_told"), [(2.4, False), (2.6, True)])
def test_another_move_is_told_only_if_it_is_clearly_ahead(battle, monkeypatch, errors, is_told):
    exchange = next(e for e in battle if isinstance(e.before.ask, Question) and e.answer)
    noise = np.tile([-1.0, 1.0], 200)  # with a standard error of 1/20
    points = [np.zeros(400), noise + errors / 20]
    looks = review._Looks(None, [None] * 20, 0)
    monkeypatch.setattr(review, "try_replies", lambda *_: ([(exchange.answer, 0), ((), 1)], True))
    monkeypatch.setattr(looks, "_points", lambda battle, *_: points[battle])
    assert (looks.better(exchange) is not None) is is_told


def test_a_review_is_told_in_lines():
    told = Review(player=0, curve=((1, 0.5), (2, 0.25), (3, 0.0)), is_complete=True)
    assert list(review_lines(told)) == [
        "Chance to win at the beginning of each turn, in %: 50, 25.",
        "No other move of yours was clearly better.",
    ]


def test_a_battle_that_is_not_covered_has_none():
    table = house("onix", "lapras", mode=Mode.WILD, max_turns=4)
    players = [GreedyPlayer(), GreedyPlayer()]
    assert not list(review_battle(list(play_battle(table, players, shipped_table(), 1)), 0))
