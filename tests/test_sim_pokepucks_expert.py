"""The expert: its playouts, its candidates, and what it wins by them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics import compiling
from sim.pokepucks.battle.evaluation import worth
from sim.pokepucks.battle.expert import ExpertPlayer, answers
from sim.pokepucks.battle.live import LiveBattle, begin, play_battle
from sim.pokepucks.battle.player_kinds import player_of
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer, SkilledPlayer
from sim.pokepucks.battle.questions import Asking, Question
from sim.pokepucks.battle.rules import View
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import Step
from sim.pokepucks.battle.table import BattleOptions, Mode
from sim.pokepucks.battle.timing import check_answer
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import SPECIAL_RULES, shipped_rules
from sim.pokepucks.throw_sources import shipped_table
from tests.pokepucksbattles import ASH, DiceThrows, battle, mixed_table
from tests.refusals import refused

RULES = shipped_rules()


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch):
    monkeypatch.setattr(compiling._Clock, "seconds", 0.0)
    monkeypatch.setattr(compiling, "INTERPRETED_S", math.inf)


def played(players, seed, turns=150):
    """Return a battle between Onix and Gastly, with recorded throws."""
    slammers = [shipped_catalogue().find(name) for name in ("onix", "gastly")]
    table = house_table(slammers, BattleOptions(max_turns=turns))
    return list(play_battle(table, players, shipped_table(), seed))


def test_the_same_seed_and_playouts_give_the_same_battle_and_another_than_greedy_players():
    first, second = (played((ExpertPlayer(16), GreedyPlayer()), 3, turns=3) for _ in range(2))
    assert first == second
    greedy = played((GreedyPlayer(), GreedyPlayer()), 3, turns=3)
    assert [e.answer for e in first] != [e.answer for e in greedy]


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from(Mode))
def test_every_question_is_answered_legally(seed, players, mode):
    table = mixed_table(players, seed, mode=mode, max_turns=1)
    experts = [ExpertPlayer(4)] * players
    assert list(play_battle(table, experts, DiceThrows(), seed))


def test_every_reply_tried_is_legal_and_the_rules_own_is_the_first():
    policy = SkilledPlayer()
    for seed in range(4):
        table = mixed_table(2, seed, mode=Mode.BATTLE, max_turns=3)
        opening = begin(table)
        for exchange in play_battle(table, [RandomPlayer()] * 2, DiceThrows(), seed):
            if isinstance(exchange.ask, Question):
                first = policy.reply(exchange.before, exchange.ask)
                now = replace(opening, state=exchange.before, ask=exchange.ask)
                found, _ = answers(now, first)
                assert found[0] == first
                assert len(set(found)) == len(found)
                for reply in found:
                    check_answer(RULES, exchange.before, exchange.ask, reply)


def test_where_no_compiled_battle_reaches_the_expert_plays_by_its_rules():
    table = mixed_table(3, 5, mode=Mode.BATTLE, max_turns=2)
    ways = [list(play_battle(table, [player] * 3, DiceThrows(), 5))
            for player in (ExpertPlayer(64), SkilledPlayer())]  # fmt: skip
    assert ways[0] == ways[1]


def test_in_set_up_the_best_puck_is_put_last_so_that_it_ends_on_top():
    find = shipped_catalogue().find
    match = LiveBattle(new_battle(house_table([find("scyther"), find("gastly")])))
    policy, placed = SkilledPlayer(), []
    while isinstance(match.ask, Question) and match.ask.asking is Asking.BUILD_ARENA:
        reply = policy.reply(match.state, match.ask)
        if match.ask.player == 0:
            placed += [match.state.design(puck).name for puck in reply]
        match.answer(reply)
    assert placed[0] == "Mr. Merkert"
    assert sorted(placed[1:]) == ["Grass Energy", "Grass Energy", "Grass Focus Energy"]


def asked(*, health, power, prize=3, slammer="Leaf", arena=5):
    """Return the rules that the expert's policy uses before Ash's top-off to eight pucks."""
    fight = battle(
        {"Arena": arena, "Health 0": health, "Power 0": power, "Prize 0": prize},
        slammers=(slammer, "Mind"),
        sizes={"Arena": 8, "Health 0": 10},
        rules=SPECIAL_RULES,
    )
    if not isinstance(fight.ask, Question) or fight.ask.asking is not Asking.USE:
        return []
    return [use.rule for use in SkilledPlayer().reply(fight.state, fight.ask)]


@pytest.mark.parametrize(
    ("health", "prize", "used"),
    [
        (8, 3, []),  # kept for low Health, where it is worth more
        (3, 3, ["Potion"]),
        (1, 3, ["Potion"]),  # three pucks are just enough
        (0, 3, []),  # wasted, since the top-off would fail all the same
    ],
)
def test_a_potion_is_kept_for_when_it_is_worth_it(health, prize, used):
    assert asked(health=health, power=["Potion"], prize=prize) == used


def test_a_potion_saves_a_top_off_of_many_pucks():
    assert asked(health=5, power=["Potion"], arena=2) == ["Potion"]
    assert asked(health=6, power=["Potion"], arena=2) == []


@pytest.mark.parametrize(
    ("power", "puck", "value"),
    [
        ([], "Grass Energy", 5),
        (["Grass Energy"], "Grass Energy", 0),
        (["Grass Focus Energy"], "Grass Energy", 5),
        (["Mr. Merkert"], "Mr. Saia", 0),
        (["Mr. Saia"], "Mr. Merkert", 4),
        (["Potion"], "Potion", 3),
        ([], "Switch", 0),
        ([], "Fire Energy", 1),
    ],
)
def test_a_second_puck_of_a_kind_is_worth_nothing(power, puck, value):
    state = battle({"Arena": [puck], "Power 0": power}, rules=SPECIAL_RULES).state
    assert worth(View(state, RULES, ASH), state.arena[0]) == value


def test_pucks_are_healed_that_the_rival_wants_least():
    fight = battle(
        {
            "Arena": 5, "Health 0": 1, "Power 0": ["Potion"], "Power 1": ["Mr. Merkert"],
            "Prize 0": ["Full Heal", "Potion", "Mr. Saia"],
        },
        sizes={"Arena": 8, "Health 0": 10},
        rules=SPECIAL_RULES,
    )  # fmt: skip
    policy = SkilledPlayer()
    fight.answer(policy.reply(fight.state, fight.ask))
    assert fight.ask.rule == "Potion"
    reply = policy.reply(fight.state, fight.ask)
    healed = [fight.state.design(puck).name for puck in reply]
    assert healed[0] == "Mr. Saia"


def test_many_replies_are_tried_round_by_round_from_those_close_to_the_rule():
    pucks = ["Potion", "Full Heal", "Berry", "Grass Energy", "Focus Sash", "Silph Scope"]
    fight = battle({"Power 0": pucks}, step=Step.DISCARD, rules=SPECIAL_RULES)
    found, are_all = answers(fight.moment(), ())
    assert not are_all
    assert () in found
    assert {len(reply) for reply in found} == {0, 1}
    few = battle({"Power 0": pucks[:3]}, step=Step.DISCARD, rules=SPECIAL_RULES)
    found, are_all = answers(few.moment(), ())
    assert are_all
    assert len(found) == 8


def test_of_two_trainers_mr_merkert_is_kept():
    power = ["Mr. Merkert", "Mr. Saia", "Potion"]
    fight = battle({"Power 0": power}, step=Step.DISCARD, rules=SPECIAL_RULES)
    assert isinstance(fight.ask, Question)
    reply = SkilledPlayer().reply(fight.state, fight.ask)
    assert [fight.state.design(puck).name for puck in reply] == ["Mr. Saia"]


@pytest.mark.slow
def test_the_policy_of_playouts_beats_the_greedy_player():
    slammers = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
    points = 0.0
    rng = np.random.default_rng(4)
    for seed in range(500):
        pair = [slammers[place] for place in rng.integers(len(slammers), size=2).tolist()]
        for way in (1, -1):
            seats = (SkilledPlayer(), GreedyPlayer())
            *_, last = play_battle(house_table(pair), seats[::way], shipped_table(), seed)
            points += 0.5 if last.after.winner is None else (last.after.winner == 0) is (way == 1)
    assert points / 1000 > 0.52


@pytest.mark.parametrize("kind", ["skilled", "expert", "expert-quick", "expert:3", "expert:0.01s"])
def test_a_level_is_a_name_a_number_of_playouts_or_a_time(kind):
    player = player_of(kind)
    assert isinstance(player, SkilledPlayer if kind == "skilled" else ExpertPlayer)
    assert played((player, GreedyPlayer()), 2, turns=1)


@pytest.mark.parametrize("kind", ["expert:", "expert:0", "expert:x", "expert:-1s", "expert:nans"])
def test_another_level_is_refused_with_what_is_accepted(kind):
    refused(player_of, kind, said="policy: 'expert:")
