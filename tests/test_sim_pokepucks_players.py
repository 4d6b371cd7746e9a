"""Players: what greedy ones win by abilities, and the expert by playouts; decisions are stories."""

import numpy as np
import pytest

from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.experiments import wilson
from pucklab.sim.pokepucks.battle.battle_setup import LENGTHS, BattleOptions, Mode
from pucklab.sim.pokepucks.battle.evaluation import type_advantage
from pucklab.sim.pokepucks.battle.expert import ExpertPlayer, list_replies
from pucklab.sim.pokepucks.battle.match import BATTLE, play_battle
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer
from pucklab.sim.pokepucks.battle.questions import Question
from pucklab.sim.pokepucks.battle.series import play_series
from pucklab.sim.pokepucks.battle.setup_file import FIRST_PAIR, house_setup
from pucklab.sim.pokepucks.battle.state import Step
from pucklab.sim.pokepucks.battle.timing import check_answer
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.special import shipped_rules
from pucklab.sim.pokepucks.throw_sources import shipped_table
from tests.pokepucksbattles import DiceThrows, battle, design, house, mixed_table
from tests.refusals import refused

RULES = shipped_rules()
POKEMON = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
OPTIONAL = {rule.listing or rule.name for rule in shipped_rules().rules if rule.optional}
CHOSEN = {d.rule: d for d in POKEMON if d.rule in OPTIONAL}
"""A slammer for each ability that its owner decides about."""


def won(pair, players, battles, **options):
    """Return the share of decided battles that the first player won; both begin in half of them."""
    wins = decided = 0
    rulings = BattleOptions(max_turns=150, **options)
    for number in range(battles):
        way = -1 if number % 2 else 1
        table = house_setup(pair[::way], rulings)
        for exchange in play_battle(table, players[::way], shipped_table(), number):
            last = exchange.after.state
        decided += int(last.winner is not None)
        wins += int(last.winner == (0 if way == 1 else 1))
    return wilson(wins, decided)


class Leaving(GreedyPlayer):
    """A greedy player that never uses some special rules."""

    def __init__(self, names):
        self.names = names

    def wants(self, view, rule):
        return rule.name not in self.names and super().wants(view, rule)


def using(ability, battles):
    """Return how often who uses an ability beats who leaves it alone, with the same slammer."""
    names = frozenset(r.name for r in shipped_rules().rules if (r.listing or r.name) == ability)
    slammer = CHOSEN[ability]
    return won((slammer, slammer), (GreedyPlayer(), Leaving(names)), battles)


def played(players, seed, turns=150):
    """Return a battle between Onix and Gastly, with recorded throws."""
    table = house("onix", "gastly", max_turns=turns)
    return list(play_battle(table, players, shipped_table(), seed))


def test_the_same_seed_and_playouts_give_the_same_battle_and_another_than_greedy_players():
    first, second = (played((ExpertPlayer(16), GreedyPlayer()), 3, turns=3) for _ in range(2))
    assert first == second
    greedy = played((GreedyPlayer(), GreedyPlayer()), 3, turns=3)
    assert [e.answer for e in first] != [e.answer for e in greedy]


def test_every_reply_tried_is_legal_and_the_rules_own_is_the_first():
    policy = SkilledPlayer()
    for seed in range(4):
        table = mixed_table(2, seed, mode=Mode.BATTLE, max_turns=3)
        for exchange in play_battle(table, [RandomPlayer()] * 2, DiceThrows(), seed):
            if isinstance(exchange.before.ask, Question):
                first = policy.reply(exchange.before.state, exchange.before.ask)
                now = exchange.before
                found, _ = list_replies(now, first)
                assert found[0] == first
                assert len(set(found)) == len(found)
                for reply in found:
                    check_answer(RULES, exchange.before.state, exchange.before.ask, reply)


def test_where_no_compiled_battle_reaches_the_expert_plays_by_its_rules():
    table = mixed_table(3, 5, mode=Mode.BATTLE, max_turns=2)
    ways = [list(play_battle(table, [player] * 3, DiceThrows(), 5))
            for player in (ExpertPlayer(64), SkilledPlayer())]  # fmt: skip
    assert ways[0] == ways[1]


def test_many_replies_are_tried_round_by_round_from_those_close_to_the_rule(monkeypatch):
    pucks = ["Potion", "Full Heal", "Berry", "Grass Energy", "Focus Sash", "Silph Scope"]
    fight = battle({"Power 0": pucks}, step=Step.DISCARD, rules=shipped_rules().rules)
    found, are_all = list_replies(fight.moment(), ())
    assert not are_all
    assert () in found
    assert {len(reply) for reply in found} == {0, 1}
    expert, moment = ExpertPlayer(64), fight.moment()._replace(rules=RULES)
    monkeypatch.setattr(expert, "_race", lambda *_: (2, 32))
    assert expert.choose(moment, BATTLE.open(moment), None) == (1, 0)
    few = battle({"Power 0": pucks[:3]}, step=Step.DISCARD, rules=shipped_rules().rules)
    found, are_all = list_replies(few.moment(), ())
    assert are_all
    assert len(found) == 8


@pytest.mark.slow
def test_the_policy_of_playouts_beats_the_greedy_player():
    points, kinds = 0.0, ("skilled", "greedy")
    rng = np.random.default_rng(4)
    for seed in range(500):
        pair = [POKEMON[place] for place in rng.integers(len(POKEMON), size=2).tolist()]
        for way in (1, -1):
            series = play_series(house_setup(pair), kinds[::way], shipped_table(), [seed])
            points += {-1: 0.5, 0: way == 1, 1: way == -1}[int(series.winner[0])]
    assert points / 1000 > 0.52


def first_pair(length):
    """Return the set-ups of a first battle, one for each who may begin."""
    return [house(*FIRST_PAIR[::way], **LENGTHS[length]) for way in (1, -1)]


def test_the_slammers_of_a_first_battle_are_equal_without_abilities():
    first, second = map(design, FIRST_PAIR)
    assert first.mass_g == second.mass_g
    assert type_advantage(first, second) == type_advantage(second, first) == 0


@pytest.mark.slow
def test_a_short_battle_takes_twelve_turns_at_most_and_beginning_is_no_advantage():
    table, _ = first_pair("short")
    series = play_series(table, ["greedy"] * 2, shipped_table(), range(40_000, 42_000))
    assert np.median(series.turns) <= 12
    assert 0.45 <= (series.winner == 0).mean() <= 0.55


@pytest.mark.slow
@pytest.mark.parametrize("length", LENGTHS)
def test_what_is_proposed_wins_as_often_as_the_greedy_player_or_nearly(length):
    won = []
    for seat, table in enumerate(first_pair(length)):
        kinds = ["skilled", "greedy"][:: 1 - 2 * seat]
        winner = play_series(table, kinds, shipped_table(), range(50_000, 51_000)).winner
        won.append((winner == seat).mean())
    assert np.mean(won) >= 0.45


@pytest.mark.parametrize("kind", ["skilled", "expert", "expert-quick", "expert:3", "expert:0.01s"])
def test_a_level_is_a_name_a_number_of_playouts_or_a_time(kind):
    player = PLAYERS.of(kind)
    assert isinstance(player, SkilledPlayer if kind == "skilled" else ExpertPlayer)
    assert played((player, GreedyPlayer()), 2, turns=1)


@pytest.mark.parametrize("kind", ["expert:", "expert:0", "expert:x", "expert:-1s", "expert:nans"])
def test_another_level_is_refused_with_what_is_accepted(kind):
    refused(PLAYERS.of, kind, said="policy: 'expert:")


@pytest.mark.parametrize("mode", Mode)
def test_greedy_beats_random_clearly(mode):
    onix = shipped_catalogue().find("onix")
    assert won((onix, onix), (GreedyPlayer(), RandomPlayer()), 24, mode=mode).low > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("slammer", POKEMON, ids=lambda design: design.name)
def test_greedy_beats_random_clearly_with_every_slammer(slammer):
    assert won((slammer, slammer), (GreedyPlayer(), RandomPlayer()), 100).low > 0.55


@pytest.mark.parametrize("ability", ["Cut"])
def test_who_uses_an_ability_beats_who_leaves_it_alone(ability):
    assert using(ability, 30).value > 0.55


@pytest.mark.slow
@pytest.mark.parametrize("ability", sorted(CHOSEN))
def test_no_ability_is_used_where_leaving_it_alone_wins_more(ability):
    share = using(ability, 400)
    assert share.high > 0.5, share


@pytest.mark.parametrize(
    ("player", "turns", "battles"), [(GreedyPlayer(), 8, 24), (ExpertPlayer(4), 1, 3)]
)
def test_every_question_is_answered_legally(player, turns, battles):
    for seed in range(battles):
        players, mode = 2 + seed // 3 % 3, list(Mode)[seed % 3]
        table = mixed_table(players, seed, mode=mode, max_turns=turns)
        assert list(play_battle(table, [player] * players, DiceThrows(), seed))
