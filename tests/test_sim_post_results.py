"""Results that the handbook of Battle-By-Post gives, and reference values, from one table."""

import tomllib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pucklab.sim.chance.distribution import mean
from pucklab.sim.post import numbers, pokemon
from pucklab.sim.post.battle import Orders
from pucklab.sim.post.engine import play_step
from pucklab.sim.post.numbers import Blow, Roll, damage, range_roll, success
from pucklab.sim.post.orders import Reader
from pucklab.sim.post.play import at_random, draw_by_numbers
from pucklab.sim.post.pokemon import Match
from pucklab.sim.post.search import Search, knock_outs, round_odds, strike_odds
from pucklab.sim.post.state import BENCH, OUT, Held, Order
from pucklab.sim.post.switching import begin_round
from tests.postbattles import check_row, course, fight, played, refused

TABLE = tomllib.loads((Path(__file__).parent / "data" / "post_results.toml").read_text())
DATA = "".join(TABLE["data"].values())


def plain(text):
    number = Fraction(text)
    return int(number) if number.denominator == 1 else number


FUNCTIONS = [
    (name, row.split(" #")[0])
    for name, rows in TABLE["functions"].items()
    for row in rows.strip().splitlines()
]


@pytest.mark.parametrize(("name", "row"), FUNCTIONS)
def test_a_result_of_a_function(name, row):
    words, results = (part.split() for part in row.rsplit(" = ", 1))
    named = dict(word.split("=") for word in words if "=" in word)
    given = [w if w.isalpha() else plain(w) for w in words if "=" not in w]
    options = {
        key: bool(int(n)) if key in {"up", "down", "sure"} else int(n) for key, n in named.items()
    }
    own = getattr(numbers, name, None) or getattr(pokemon, name)
    found = own(*given, **options)
    assert (found if isinstance(found, tuple) else (found,)) == tuple(map(plain, results))


BLOWS = {
    "S": {"bap": 9, "stab": 3, "ranks": -2},
    "T": {"bap": 4, "stab": 3, "ranks": 2, "most_hits": 2},
    "F": {"bap": 2, "ranks": 2, "effect": Fraction(3, 2), "most_hits": 5},
}


@pytest.mark.parametrize("row", TABLE["damage"].values(), ids=TABLE["damage"])
def test_a_result_of_damage(row):
    words, results = row.split(" | ")
    blow = {}
    for word in words.split():
        key, _, n = word.partition("=")
        blow |= {key: Fraction(n)} if n else BLOWS[key]
    for result in results.split(", "):
        hits, critical, more, expected = map(int, result.split())
        assert damage(Blow(**blow), hits, bool(critical), more) == expected


ASKED = [
    (name, *asked.split(": ", 1))
    for name, row in TABLE["moves"].items()
    for asked in row.split("; ")
]


@pytest.mark.parametrize(("name", "text", "expected"), ASKED)
def test_a_result_of_techniques_and_combinations(name, text, expected):
    setting = fight(["", ""], ["", ""], TABLE["combining"], positions=2, tech=2)
    reader = Reader(setting.battle, 0)
    if name == "none" or "share" in expected or "combine" in expected:
        with refused(expected):
            reader.order(text)
        return
    move = setting.battle.move(0, reader.order(text))
    for part in expected.split(" / "):
        field, value = part.split(" ", 1)
        assert str(getattr(move, field)) == value, field


@pytest.mark.parametrize("row", TABLE["battle"], ids=lambda row: row["name"])
def test_a_result_of_a_battle(row):
    check_row(row, DATA)


SPEEDS = TABLE["speeds"]["R-1"].replace("\n", " ").split(", ")


@pytest.mark.parametrize("row", SPEEDS)
def test_r_1_speed(row):
    speed, stage, expected, *paralysed = row.split()
    data = f"[species.runner]\ntypes = ['Normal']\nbase = [50, 50, 50, 50, 50, {speed}]\n"
    held = ["paralysis"] if paralysed else []
    own = f"species = 'runner', stages = {{ speed = {stage} }}, conditions = {held}"
    assert course(fight(own, "", data)).speed(0) == int(expected)


@pytest.mark.parametrize(("percent", "target", "sides"), [(80, 4, 5), (95, 19, 20), (40, 2, 5)])
def test_g_5_dice_represent_chances_exactly(percent, target, sides):
    told, rng = [], np.random.default_rng(1)
    draw = draw_by_numbers(at_random(rng), lambda _, __, roll: told.append(roll))
    results = [draw(success(Fraction(percent, 100)), "Hit") for _ in range(200)]
    dice = [roll.rolled for roll in told]
    assert {(roll.label, roll.target) for roll in told} == {("Hit", target)}
    assert set(dice) == set(range(1, sides + 1))
    assert results == [die <= target for die in dice]


ROLLS = "216 240 116 1, 10 240 204 0, 24 240 19 1, 1 24 1 1, 1 10 2 0"


@pytest.mark.parametrize("row", ROLLS.split(", "))
def test_g_6_and_g_7_logged_rolls(row):
    *given, succeeds = row.split()
    assert Roll("Hit", *map(int, given)).succeeds == (succeeds == "1")


def test_g_8_and_r_4_range_rolls():
    assert dict(range_roll(3, 8).items) == dict.fromkeys(range(3, 9), Fraction(1, 6))
    means = [mean(range_roll(3, 8, by)) for by in (0, 1, -1)]
    assert means == [Fraction(text) for text in ("11/2", "233/36", "163/36")]
    assert range_roll(3, 8, 1)[8] == Fraction(11, 36)


@pytest.mark.parametrize(
    "row", ["0 2", "5 2", "6 2", "20 7", "25 8", "58 19", "59 20", "60 20", "80 20"]
)
def test_g_32_and_r_25_iron_fist(row):
    healed, bonus = map(int, row.split())
    now = course(fight("species = 'puncher'", "", DATA))
    now.set(0, healed=healed)
    assert now.prepare_blow(0, 1, now.battle.move(0, Order("punch")))[2].bonus == bonus


@pytest.mark.parametrize("row", ["100 0", "76 0", "75 2", "51 2", "50 4", "26 4", "25 6", "1 6"])
def test_r_26_hustle_raises_the_rank_and_costs_it_in_energy(row):
    energy, more = map(int, row.split())
    setting = fight([f"species = 'hustler', energy = {energy}, orders = 'struggle'", ""], "", DATA)
    now = course(setting)
    assert now.rank(0, "attack", now.battle.move(0, Order("struggle"))) == 4 + more
    left = played(setting)[0].fighters[0].energy
    assert left == max(0, energy - 4 - more)


@pytest.mark.parametrize(
    "row", ["0 4.1 7.1", "1 3.1 6.1", "2 2.1 5.1 8.1", "3 1.2 4.1 7.1", "4 1.2 3.1 6.1"]
)
def test_r_27_actions_lost_by_paralysis(row):
    counters, *lost = row.split()
    # Put on in step 1 after the subject's turn: as if it were there in step 2.
    setting = fight("orders = 'calm - calm - calm'", "", steps=3)
    state = play_step(setting.battle, setting.state, setting.orders, None)
    f = state.fighters[0]._replace(conditions=(Held("paralysis", counters=int(counters)),))
    state, found = state._replace(fighters=(f, *state.fighters[1:])), []
    for n in range(1, 3 * (8 if counters == "2" else 7)):
        state, told = played(replace(setting, state=state), steps=1)
        if "fails by 0 paralysis" in told:
            found.append(f"{n // 3 + 1}.{n % 3 + 1}")
    assert found == lost


@pytest.mark.parametrize("row", ["1 3 1 4", "2 4 1 7", "3 5 2 10", "4 6 2 13", "6 8 3 19"])
def test_r_32_match_rules_by_team_size(row):
    n, *rules = map(int, row.split())
    match = Match(team_size=n)
    assert [match.selection, match.tech, match.backpack] == rules
    assert match.switching == (n > 1)
    assert [Match(level=level).substitutions for level in range(5)] == [2, 3, 4, 4, 4]


def duellists(mine, theirs, hps=(85, 90), steps=1, first="a", **match):
    orders = [" - ".join([move] * steps) if move else "" for move in (mine, theirs)]
    own, foe = (
        {"species": species, "hp": hp, "orders": order}
        for species, hp, order in zip(("murkrow", "golduck"), hps, orders, strict=True)
    )
    return fight(own, foe, steps=steps, energy=False, first=first, **match)


def test_knock_outs_within_a_number_of_uses():
    setting = duellists("slam", "jab")
    found = knock_outs(strike_odds(setting.battle, setting.state, 0, 1, Order("slam")), 90, 12)
    assert found[7] == Fraction(203568248114791, 3185049600000000)
    expected = {6: 0.002610697, 8: 0.204461891, 9: 0.391241443, 10: 0.576540730, 11: 0.728679911}
    assert {n: round(float(found[n]), 9) for n in expected} == expected
    jabs = knock_outs(strike_odds(setting.battle, setting.state, 1, 0, Order("jab")), 85, 8)
    assert jabs[6:] == [Fraction(1136839, 509607936), 1]


@pytest.mark.parametrize("row", [row for rows in TABLE["duels"].values() for row in rows])
def test_a_result_of_a_duel_without_choices(row):
    (*hps, mine, theirs), chance = row.split(" = ")[0].split(), row.split(" = ")[1]
    for first in "ab":
        setting = duellists(mine, theirs, tuple(map(int, hps)), first=first)
        states, won = {setting.state: 1}, 0
        while states:
            after = Counter()
            for state, p in states.items():
                for end, q in round_odds(setting.battle, state, setting.orders).items():
                    won += p * q * (end.winner == 0)
                    if end.winner is None:
                        after[end._replace(posts=end.posts[::-1], begun=True)] += p * q
            states = after
        assert float(won) == pytest.approx(float(Fraction(chance)), abs=1e-9)


def moves_of(plan):
    return [turn[0].action for turn in next(iter(plan.values())).main]


def seen(team, *moves):
    return {team: Orders(tuple((Order(move),) for move in moves))}


SLAMS, JABS = seen(0, "slam", "slam", "slam"), seen(1, "jab", "jab", "jab")
LEAD = Fraction(-610007, 691200)


def test_r_37_best_replies():
    setting = duellists("", "", (30, 30), 3)
    state, (murkrow, golduck) = setting.state, (Search(setting.battle, t, "won") for t in (0, 1))
    worth = {tuple(moves_of(plan)): own for own, plan in golduck.best_replies(state, SLAMS)}
    assert next(iter(worth.items())) == (("jab", "jab", "quick"), Fraction(28751, 28800))
    assert worth["jab", "jab", "jab"] == Fraction(9999, 32000)
    answers = murkrow.best_replies(state, JABS)
    assert answers[0][0] == Fraction(-1, 50)
    best = [moves_of(plan) for own, plan in answers if own == answers[0][0]]
    assert ["slam", "slam", "jab"] in best
    assert golduck.best_replies(state, seen(0, "slam", "slam", "quick"))[0][0] == -LEAD
    worth, plan = murkrow.best_replies(state, seen(1, "jab", "jab", "quick"))[0]
    assert (moves_of(plan), worth) == (["slam", "slam", "quick"], LEAD)
    sub = Reader(setting.battle, 0).substitution("IF b0 is to use quick THEN use quick")
    lead = {0: SLAMS[0]._replace(substitutions=(sub,))}
    assert golduck.best_replies(state, lead)[0][0] == -LEAD


@pytest.mark.parametrize("row", ["3 34", "4 25", "5 20", "7 15", "9 12", "12 9"])
def test_r_39_uses_until_fainting(row):
    cost, uses = map(int, row.split())
    data = f"[moves.poke]\ncategory='physical'\nbap=1\nfixed=true\nenergy={cost}\ncommand=true\n"
    setting = fight(["orders = 'poke'", ""], "", data)
    state, used = setting.state, 0
    while state.fighters[0].place != OUT:
        used += 1
        state = play_step(setting.battle, state, setting.orders, None)
    assert (used, 90 - state.fighters[2].hp) == (uses, uses)


def three_teams():
    """Return a battle of teams 0, 1, 2 with two Pokemon each, and its state after round 1."""
    setting = fight(["", "", ""], ["", "", ""], team_size=3, switching=True)
    roster = [replace(own, team=i // 2) for i, own in enumerate(setting.battle.roster)]
    fighters = tuple(
        f._replace(place=(0, BENCH)[i % 2], entry=i) for i, f in enumerate(setting.state.fighters)
    )
    state = setting.state._replace(
        fighters=fighters, fields=((),) * 4, tech=(2,) * 3, packs=((),) * 3, posts=(0, 1, 2)
    )
    return replace(setting.battle, teams=("A", "B", "C"), roster=tuple(roster)), state


def start_duration(battle, state, switching):
    def choose(asked):
        if asked.kind == "send":
            return asked.options[0]
        return {2 * asked.team: 2 * asked.team + 1} if asked.team in switching else {}

    return begin_round(battle, state, choose).posts


def test_r_41_post_schedule():
    battle, state = three_teams()
    assert start_duration(battle, state, ()) == (1, 2, 0)
    assert start_duration(battle, state, (0, 1)) == (0, 1, 2)  # B declares, C declines, A accepts
    assert start_duration(battle, state, (2,)) == (1, 2, 0)  # B did not declare
    f = state.fighters[0]._replace(conditions=(Held("phazing", maker=4),))
    fighters = (f, *state.fighters[1:])
    assert start_duration(battle, state._replace(fighters=fighters, vacant=()), ()) == (2, 1, 0)
