"""Reference values of Battle-By-Post, computed by scripts apart: R-1 to R-41."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from sim.chance.distribution import distribution, mean
from sim.post.numbers import Blow, damage, effectiveness, hit_chance, luck, range_roll
from sim.post.orders import Orders, Reader
from sim.post.play import begin_round
from sim.post.pokemon import Match, pay, raised_maximum
from sim.post.scenario import with_moves
from sim.post.search import Search, duel_odds, knock_outs, strike_odds
from sim.post.state import BENCH, OUT, Held, Order
from sim.post.techniques import combine, z_move
from tests.postbattles import catalogue, course, fight, hp, odds, played


def fractions(text):
    return [Fraction(word) for word in text.replace(",", " ").split()]


def chances(text):
    numbers = fractions(text)
    return dict(zip(numbers[::2], numbers[1::2], strict=True))


IRON = """
[species.puncher]
types = ["Fighting"]
base = [50, 50, 50, 50, 50, 50]
abilities = ["iron fist"]
[moves.punch]
category = "physical"
bap = 6
energy = 5
command = true
tags = ["punch"]
"""
STATS = catalogue().species["golduck"].line
SPEEDS = """91 1 160, 91 2 228, 91 6 501, 91 -1 52, 91 -2 36, 91 -6 16, 124 6 682, 124 -3 38
130 -1 74, 85 0 43 p, 124 0 62 p, 91 1 80 p, 91 -1 26 p, 130 1 114 p, 85 -2 17 p"""


@pytest.mark.parametrize("row", SPEEDS.replace("\n", ", ").split(", "))
def test_r_1_speed(row):
    speed, stage, expected, *paralysed = row.split()
    data = f"[species.runner]\ntypes = ['Normal']\nbase = [50, 50, 50, 50, 50, {speed}]\n"
    held = ["paralysis"] if paralysed else []
    own = f"species = 'runner', stages = {{ speed = {stage} }}, conditions = {held}"
    assert course(fight(own, "", data)).speed(0) == int(expected)


FACTORS = """2 0 2, 1 0 1.5, 1 1 1, 0 1 .75, 0 2 .5, 3 0 2.5, 4 0 3, 5 0 3, 0 3 .25, 0 4 .01,
0 6 .01, 2 1 1.5, 1 2 .75"""


@pytest.mark.parametrize("row", FACTORS.replace("\n", " ").split(", "))
def test_r_2_effectiveness(row):
    weak, resists, factor = row.split()
    assert effectiveness(int(weak), int(resists)) == Fraction(factor)
    assert effectiveness(int(weak), int(resists), 1) == 0


HITS = """70 1 19/20, 70 0 7/10, 70 -1 49/100, 70 -2 81/400, 70 -3 1/25, 70 -4 0, 70 2 1, 50 1 3/4,
50 3 1, 90 -1 81/100, 100 -1 1, 100 -2 9/16, 100 -3 1/4, 85 -2 9/25, 30 -3 0, 20 -2 0, 80 1 1"""


@pytest.mark.parametrize("row", HITS.replace("\n", " ").split(", "))
def test_r_3_hit_chance(row):
    accuracy, difference, chance = row.split()
    assert hit_chance(int(accuracy), int(difference)) == Fraction(chance)


def test_r_3_luck_and_certainty():
    assert hit_chance(70, by=1) == Fraction(91, 100)
    assert hit_chance(70, -1, by=1) == Fraction(7, 10)
    assert hit_chance(None, -4) == hit_chance(50, -4, sure=True) == 1
    assert hit_chance(50, 0, sure=False) == 0


@pytest.mark.parametrize(
    ("chance", "lucky", "unlucky"), [("1/24", "47/576", "1/576"), ("1/10", "19/100", "1/100")]
)
def test_r_4_luck(chance, lucky, unlucky):
    assert luck(Fraction(chance), 1) == Fraction(lucky)
    assert luck(Fraction(chance), -1) == Fraction(unlucky)


def test_r_4_range_rolls():
    means = [mean(range_roll(3, 8, by)) for by in (0, 1, -1)]
    assert means == fractions("11/2 233/36 163/36")
    assert range_roll(3, 8, 1)[8] == Fraction(11, 36)


# A blow; then hits, whether the first is critical, further criticals, and damage, by result.
# S is BAP 9 with STAB, ranks 6 against 8; T two hits, F five.
DAMAGE = """\
R-5 | S | 1 0 0 10, 1 1 0 13
R-6 | S effect=3/2 | 1 0 0 15, 1 1 0 20
R-7 | S effect=2 | 1 0 0 20, 1 1 0 26
R-7 resisted | S effect=3/4 | 1 0 0 8, 1 1 0 10
R-8 | S effect=1/100 | 1 0 0 1
R-9 | S effect=3/2 attack_stage=2 | 1 0 0 23
R-10 | S effect=3/2 attack_stage=-1 defence_stage=1 | 1 0 0 9, 1 1 0 14
R-11 | S effect=3/2 attack_stage=-1 defence_stage=1 critical_stage=1 | 1 1 0 20
R-12 | S attack_stage=2 defence_stage=-1 critical_stage=1 | 1 1 0 25
R-13 | bap=4 ranks=-5 | 1 0 0 1
R-14 | bap=9 stab=3 ranks=7 factor=2/3 | 1 0 0 13
R-15 | T | 2 0 0 13, 2 1 0 15, 2 1 1 17
R-15 super | T effect=3/2 | 2 0 0 20
R-16 | F | 5 0 0 18, 5 1 0 20, 5 0 1 20
R-17 | S stab=5 | 1 0 0 12
R-17 power | S bap=27/2 | 1 0 0 15
R-18 | S bonus=4 | 1 0 0 14
R-19 | S factor=1/2 | 1 0 0 5
R-19 super | S effect=3/2 factor=1/2 | 1 0 0 8
R-19 fixed | bap=40 is_fixed=1 | 1 0 0 40
R-20 | bap=10 ranks=1 | 1 0 0 11"""
BLOWS = {
    "S": "bap=9 stab=3 ranks=-2",
    "T": "bap=4 stab=3 ranks=2 most_hits=2",
    "F": "bap=2 ranks=2 effect=3/2 most_hits=5",
}


@pytest.mark.parametrize("row", DAMAGE.splitlines())
def test_r_5_to_r_20_damage(row):
    _, blow, results = row.split(" | ")
    words = re.sub("[STF]", lambda found: BLOWS[found[0]], blow).split()
    numbers = {name: Fraction(n) for name, n in (word.split("=") for word in words)}
    for result in results.split(", "):
        hits, critical, more, expected = map(int, result.split())
        assert damage(Blow(**numbers), hits, bool(critical), more) == expected


BONUS = """
[abilities.two]
effects = [{ when = "while", do = "power", amount = 2 }]
[abilities.one]
effects = [{ when = "while", do = "power", amount = 1 }]
[items.three]
effects = [{ when = "while", do = "power", amount = 3 }]
[items.less]
effects = [{ when = "while", do = "power", amount = -3 }]
[conditions.two]
effects = [{ when = "while", do = "power", amount = 2 }]
[species.strong]
types = ["Fire"]
base = [50, 50, 50, 50, 50, 50]
abilities = ["two", "one"]
"""


def test_r_18_the_largest_bonus_of_abilities_and_of_items_counts():
    own = "species = 'strong', items = ['three', 'less'], conditions = ['two']"
    now = course(fight(own, "", BONUS))
    assert now.prepared(0, 1, now.battle.move(0, Order("struggle")))[2].bonus == 2 + 3 + 2 - 3


STUMBLERS = """
[species.flat]
types = ["Water"]
base = [80, 32, 111, 50, 50, 50]
"""


@pytest.mark.parametrize(
    ("species", "attack", "lost"),
    [("golduck", 0, 4), ("deoxys", 0, 11), ("deoxys", 2, 19), ("flat", 0, 1)],
)
def test_r_21_stumble(species, attack, lost):
    own = (
        f"species = '{species}', stages = {{ attack = {attack} }}, orders = 'struggle', "
        "conditions = ['confusion', 'dizzy']"
    )
    state, told = played(fight(own, "", STUMBLERS))
    own = [line for line in told if line[:6] in {"uses 0", "damage"}]
    assert own == ["uses 0 struggle", "uses 0 stumble", f"damage 0 {lost}"]
    assert not {one.name for one in state.fighters[0].conditions} & {"confusion"}


@pytest.mark.parametrize(
    ("bap", "force"), [(3, 17), (6, 20), (9, 23), (10, 24), (12, 24), (25, 24)]
)
def test_r_22_z_force(bap, force):
    move = catalogue(f"[moves.m]\ncategory = 'physical'\nbap = {bap}\nenergy = 1\n").moves["m"]
    assert z_move(move, "force", STATS).bap == force


def two_moves(first, second):
    text = "".join(
        f"[moves.{name}]\ncategory = 'other'\n{more}\n"
        for name, more in zip("xy", (first, second), strict=True)
    )
    return combine(
        *(catalogue(text.replace("'other'\nbap", "'physical'\nbap")).moves[name] for name in "xy")
    )


@pytest.mark.parametrize("row", ["1 1 12", "0 0 24", "1 0 36"])
def test_r_23_costs_of_combinations(row):
    *attacks, cost = map(int, row.split())
    texts = [
        "bap = 5\n" * attack + f"energy = {energy}"
        for attack, energy in zip(attacks, (5, 7), strict=True)
    ]
    assert two_moves(*texts).energy == cost


@pytest.mark.parametrize("row", ["0 0 0", "1 0 1", "1 -3 -3", "2 1 1", "0 -6 -6"])
def test_r_23_priorities_of_combinations(row):
    *given, expected = row.split()
    texts = [f"energy = 1\npriority = {own}" for own in given]
    assert two_moves(*texts).priority == int(expected)


def test_r_24_changes_of_maxima():
    assert raised_maximum(55, 100, 150, energy=True) == 83
    assert raised_maximum(40, 85, 95) == 50
    assert raised_maximum(90, 95, 85) == 85


@pytest.mark.parametrize(
    "row", ["0 2", "5 2", "6 2", "20 7", "25 8", "58 19", "59 20", "60 20", "80 20"]
)
def test_g_32_and_r_25_iron_fist(row):
    healed, bonus = map(int, row.split())
    now = course(fight("species = 'puncher'", "", IRON))
    now.set(0, healed=healed)
    assert now.prepared(0, 1, now.battle.move(0, Order("punch")))[2].bonus == bonus


@pytest.mark.parametrize("row", ["100 0", "76 0", "75 2", "51 2", "50 4", "26 4", "25 6", "1 6"])
def test_r_26_hustle(row):
    energy, more = row.split()
    data = "[species.h]\ntypes = ['Bug']\nbase = [50, 50, 50, 50, 50, 50]\nabilities = ['hustle']\n"
    now = course(fight(f"species = 'h', energy = {energy}", "", data))
    assert now.rank(0, "attack", now.battle.move(0, Order("struggle"))) == 4 + int(more)


def step_told(setting, state):
    told = []
    state = setting.battle.play_step(state, setting.orders, None, lambda *one: told.append(one))
    return state, told


@pytest.mark.parametrize(
    "row", ["0 4.1 7.1", "1 3.1 6.1", "2 2.1 5.1 8.1", "3 1.2 4.1 7.1", "4 1.2 3.1 6.1"]
)
def test_r_27_actions_lost_by_paralysis(row):
    counters, *lost = row.split()
    # Put on in step 1 after the subject's turn: as if it were there in step 2.
    setting = fight("orders = 'calm - calm - calm'", "", steps=3)
    state = setting.battle.play_step(setting.state, setting.orders, None)
    f = state.fighters[0]._replace(conditions=(Held("paralysis", counters=int(counters)),))
    state, found = state._replace(fighters=(f, *state.fighters[1:])), []
    for n in range(1, 3 * (8 if counters == "2" else 7)):
        state, told = step_told(setting, state)
        if ("fails by", 0, "paralysis") in told:
            found.append(f"{n // 3 + 1}.{n % 3 + 1}")
    assert found == lost


@pytest.mark.parametrize("row", ["8 1", "14 1", "15 2", "28 2", "29 3", "56 3"])
def test_r_28_turns_lost_frozen(row):
    frost, turns = map(int, row.split())
    own = f"orders = 'calm - calm - calm', conditions = ['frost {frost}', 'freeze']"
    setting, lost = fight(own, "", steps=3, energy=False), []
    state = setting.state
    for step in range(6):
        state, told = step_told(setting, state)
        lost += [step for one in told if one[:2] == ("cannot", 0)]
    assert lost == list(range(turns))


def test_r_29_sleep_and_rest_heal():
    data = (
        "[conditions.sleep2]\n[moves.lull]\ncategory='other'\nenergy=0\ncommand=true\n"
        "priority=1\neffects=[{do='inflict', condition='sleep', for='2 turns', on='target'}]\n"
    )
    lull = "orders = 'lull - calm - calm'"
    setting = fight("hp = 20, energy = 50, orders = 'calm - calm - calm'", lull, data, steps=3)
    f = played(setting, steps=3)[0].fighters[0]
    assert (f.hp, f.energy) == (30, 56)
    rest = "species = 'cresceidon', hp = 20, energy = 50, orders = 'rest - calm - calm'"
    f = played(fight(rest, "", steps=3), steps=3)[0].fighters[0]
    assert (f.hp, f.energy, f.recoveries) == (50, 50 - 10 + 9, 1)


def test_r_30_confusion_makes_every_second_attack_stumble():
    data = (
        "[moves.daze]\ncategory='other'\nenergy=0\ncommand=true\npriority=1\n"
        "effects=[{do='inflict', condition='confusion', on='target'}]\n"
    )
    own = "orders = 'struggle - struggle - struggle'"
    used = []
    for foe in ("daze - calm - calm", "daze - calm - daze"):
        _, told = played(fight(own, f"orders = '{foe}'", data, steps=3), steps=3)
        used.append([line[7:] for line in told if line.startswith("uses 0")])
    assert used == [["struggle", "struggle", "stumble", "struggle"]] * 2
    state, _ = played(fight(own, "orders = 'daze - calm - calm'", data, steps=3), steps=2)
    assert [one.name for one in state.fighters[0].conditions] == ["dizzy"]


@pytest.mark.parametrize("row", ["6 1 2 2", "10 2 4 3", "7 2 3 2", "12 3 5 4"])
def test_g_30_and_r_31_pay(row):
    total, *parts = map(int, row.split())
    assert pay(total, fractions("2/7 3/7 2/7")) == parts


@pytest.mark.parametrize("row", ["1 3 1 4", "2 4 1 7", "3 5 2 10", "4 6 2 13", "6 8 3 19"])
def test_r_32_match_rules_by_team_size(row):
    n, *rules = map(int, row.split())
    match = Match(team_size=n)
    assert [match.selection, match.tech, match.backpack] == rules
    assert match.switching == (n > 1)


def test_r_32_substitutions_by_level():
    assert [Match(level=level).substitutions for level in range(5)] == [2, 3, 4, 4, 4]


def duellists(mine, theirs, hps=(85, 90), steps=1, first="a", **match):
    orders = [" - ".join([move] * steps) if move else "" for move in (mine, theirs)]
    own, foe = (
        {"species": species, "hp": hp, "orders": order}
        for species, hp, order in zip(("murkrow", "golduck"), hps, orders, strict=True)
    )
    return fight(own, foe, steps=steps, energy=False, first=first, **match)


def test_damage_of_the_duels():
    slams = odds(duellists("slam", "calm"), lambda state: 90 - state.fighters[1].hp)
    assert slams == chances("0 3/10 12 161/240 15 7/240")
    assert mean(distribution(slams.items())) == Fraction(679, 80)
    jabs = odds(duellists("calm", "jab"), lambda state: 85 - state.fighters[0].hp)
    assert jabs == chances("11 23/24 14 1/24")


@pytest.mark.parametrize(
    ("more", "expected", "average"),
    [
        (
            "",
            "0 1/10 12 279841/368640 13 12167/92160 14 529/61440 15 23/92160 16 1/368640",
            "219/20",
        ),
        ("critical = 1\n", "", "45/4"),
    ],
)
def test_damage_of_four_hits(more, expected, average):
    data = "[moves.four]\ncategory='physical'\nbap=3\naccuracy=90\nenergy=1\nhits=[4,4]\n"
    data += f"{more}command=true\n"
    found = odds(
        fight("orders = 'four'", "", data), lambda state: Fraction(90 - state.fighters[1].hp)
    )
    assert not expected or found == chances(expected)
    assert mean(distribution(found.items())) == Fraction(average)


def test_damage_with_stab_and_a_weakness():
    data = (
        "[moves.ember]\ntype='Fire'\ncategory='physical'\nbap=7\nenergy=1\ncommand=true\n"
        "[species.hot]\ntypes=['Fire']\nbase=[80,82,78,95,80,85]\n"
        "[species.bug]\ntypes=['Bug']\nbase=[80,82,78,95,80,85]\n"
    )
    setting = fight("species = 'hot', orders = 'ember'", "species = 'bug'", data)
    found = odds(setting, lambda state: Fraction(90 - state.fighters[1].hp))
    assert found == chances("15 23/24 20 1/24")


def test_knock_outs_within_a_number_of_uses():
    setting = duellists("slam", "jab")
    chances = knock_outs(strike_odds(setting.battle, setting.state, 0, 1, Order("slam")), 90, 12)
    assert chances[7] == Fraction(203568248114791, 3185049600000000)
    expected = {6: 0.002610697, 8: 0.204461891, 9: 0.391241443, 10: 0.576540730, 11: 0.728679911}
    assert {n: round(float(chances[n]), 9) for n in expected} == expected
    jabs = knock_outs(strike_odds(setting.battle, setting.state, 1, 0, Order("jab")), 85, 8)
    assert jabs[6:] == [Fraction(1136839, 509607936), 1]


def won(hps, mine, theirs=("jab",), steps=1, **more):
    setting = duellists("", "", hps, steps, **more)
    setting = with_moves(setting, [",".join(mine), ",".join(theirs)])
    return duel_odds(setting.battle, setting.state)


@pytest.mark.parametrize(
    ("hps", "moves", "chance"),
    [
        ((30, 30), "slam", "22001/64000"),
        ((30, 30), "jab", "35/6912"),
        ((30, 30), "jab slam", "3249/6400"),
        ((22, 30), "jab slam", "49/57600"),
        ((12, 20), "jab slam", "161/240"),
        ((11, 12), "jab slam", "7/10"),
        ((12, 13), "jab slam", "23/24"),
    ],
)
def test_r_33_and_r_35_duels_of_known_actions(hps, moves, chance):
    assert won(hps, moves.split()).won == Fraction(chance)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "chance"), [("slam", 0.063776927), ("jab slam", 0.096749831), ("jab", 0)]
)
def test_r_34_and_r_35_duels_at_full_hp(moves, chance):
    assert float(won((85, 90), moves.split()).won) == pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize(
    ("hps", "action"), [((30, 30), "jab"), ((11, 12), "slam"), ((12, 13), "jab")]
)
def test_r_35_first_actions(hps, action):
    assert won(hps, ("jab", "slam")).first[0].main[0][0].action == action


def test_r_36_one_round_of_three_steps():
    setting = duellists("slam", "jab", steps=3)
    assert odds(setting, hp(1)) == chances(
        "90 27/1000 78 1449/8000 75 63/8000 66 25921/64000 63 1127/32000 60 49/64000 "
        "54 4173281/13824000 51 181447/4608000 48 7889/4608000 45 343/13824000"
    )
    assert odds(setting, hp(0)) == chances("52 12167/13824 49 529/4608 46 23/4608 43 1/13824")


MOVES = ("jab", "slam", "quick")


def orders_of(answer):
    return [turn[0].action for turn in next(iter(answer.plan.values())).main]


def seen(team, *moves):
    return {team: Orders(tuple((Order(move),) for move in moves))}


SLAMS, JABS = seen(0, "slam", "slam", "slam"), seen(1, "jab", "jab", "jab")


@cache
def search(team):
    setting = duellists("", "", (30, 30), 3)
    return Search(setting.battle, team, "won"), setting.state


def test_r_37_best_replies():
    golduck, state = search(1)
    answers = golduck.best_replies(state, SLAMS)
    assert (orders_of(answers[0]), answers[0].worth) == (
        ["jab", "jab", "quick"],
        Fraction(28751, 28800),
    )
    worth = {tuple(orders_of(one)): one.worth for one in answers}
    assert worth["jab", "jab", "jab"] == Fraction(9999, 32000)
    murkrow, _ = search(0)
    answers = murkrow.best_replies(state, JABS)
    best = [orders_of(one) for one in answers if one.worth == Fraction(-1, 50)]
    assert answers[0].worth == Fraction(-1, 50)
    assert ["slam", "slam", "jab"] in best


LEAD = Fraction(-610007, 691200)


def test_r_37_best_leads_meet_at_one_value():
    (murkrow, state), (golduck, _) = search(0), search(1)
    assert golduck.best_replies(state, seen(0, "slam", "slam", "quick"))[0].worth == -LEAD
    reply = murkrow.best_replies(state, seen(1, "jab", "jab", "quick"))[0]
    assert (orders_of(reply), reply.worth) == (["slam", "slam", "quick"], LEAD)


def test_a_lead_is_as_good_as_the_reply_that_hurts_most():
    setting = duellists("", "", (12, 12), 1)
    murkrow, golduck = (Search(setting.battle, team, "won") for team in (0, 1))
    worth = {}
    for move in MOVES:
        worth[move] = -golduck.best_replies(setting.state, seen(0, move))[0].worth
    leads = {orders_of(one)[0]: one.worth for one in murkrow.best_leads(setting.state)}
    assert leads == worth
    assert next(iter(leads)) == max(worth, key=worth.get)


@pytest.mark.slow
def test_r_37_no_other_lead_is_better():
    (murkrow, state), (golduck, _) = search(0), search(1)
    assert murkrow.best_leads(state)[0].worth == LEAD
    best = golduck.best_leads(state)[0]
    assert (orders_of(best), best.worth) == (["jab", "jab", "quick"], -LEAD)


@pytest.mark.slow
def test_r_37_a_substitution_reaches_the_best_lead_from_three_slams():
    golduck, state = search(1)
    reader = Reader(golduck.battle, 0)
    sub = reader.substitution("IF b0 is to use quick THEN use quick")
    lead = {0: SLAMS[0]._replace(substitutions=(sub,))}
    assert golduck.best_replies(state, lead)[0].worth == -LEAD


@pytest.mark.parametrize(
    ("hps", "first", "second"),
    [
        ((12, 12), "7/10", "763/1000"),
        ((11, 11), "161/240", "7/10"),
        ((11, 6), "23/24", "276500/288000"),
        ((8, 8), "1/24", "1/24"),
        ((5, 5), "1", "1"),
    ],
)
def test_r_38_whole_battles_of_best_play(hps, first, second):
    found = [won(hps, MOVES, MOVES, first=team).won for team in "ab"]
    assert found[0] == Fraction(first)
    assert found[1] == (
        Fraction(second) if hps != (11, 6) else pytest.approx(0.960069444, abs=1e-9)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hps", "steps", "first", "second"),
    [
        ((30, 30), 1, 81193 / 1382400, 81193 / 1382400),
        ((20, 20), 1, 0.3, 0.3),
        ((24, 24), 2, 0.489149306, 0.578046875),
        ((20, 20), 2, 0.278922787, 0.3),
        ((12, 12), 2, 0.7, 0.76867),
    ],
)
def test_r_38_longer_battles_of_best_play(hps, steps, first, second):
    found = [float(won(hps, MOVES, MOVES, steps, first=team).won) for team in "ab"]
    assert found == pytest.approx([first, second], abs=1e-9)


@pytest.mark.parametrize("row", ["3 34", "4 25", "5 20", "7 15", "9 12", "12 9"])
def test_r_39_uses_until_fainting(row):
    cost, uses = map(int, row.split())
    data = f"[moves.poke]\ncategory='physical'\nbap=1\nfixed=true\nenergy={cost}\ncommand=true\n"
    setting = fight(["orders = 'poke'", ""], "", data)
    state = setting.state
    used = 0
    while state.fighters[0].place != OUT:
        used += 1
        state = setting.battle.play_step(state, setting.orders, None)
    assert (used, 90 - state.fighters[2].hp) == (uses, uses)


# Species and orders of both, who orders first, whose turn is first.
TURNS = """\
murkrow | jab | golduck | quick | a | 1
golduck | calm | murkrow | calm | a | 1
murkrow | calm | murkrow | calm | a | 0
murkrow | calm | murkrow | calm | b | 1
murkrow | item potion | murkrow | quick | a | 1
slow | calm | golduck | calm | a | 1"""


@pytest.mark.parametrize("row", TURNS.splitlines())
def test_r_40_turn_order(row):
    *pair, first, expected = row.split(" | ")
    own, foe = (f"species = '{pair[k]}', orders = '{pair[k + 1]}'" for k in (0, 2))
    own = own.replace("'slow'", "'murkrow', conditions = ['paralysis']")
    setting = fight(own, foe, first=first)
    state = setting.battle.play_turn(setting.state, setting.orders, None)
    assert state.queue[0].fighter == int(expected)


def three_teams():
    """Return a battle of teams 0, 1, 2 with two Pokemon each, and its state in round 2."""
    setting = fight(["", "", ""], ["", "", ""], team_size=3, switching=True)
    roster = [replace(own, team=i // 2) for i, own in enumerate(setting.battle.roster)]
    places = [(0, BENCH)[i % 2] for i in range(6)]
    state = setting.state._replace(
        fighters=tuple(
            f._replace(place=place, entry=i)
            for i, (f, place) in enumerate(zip(setting.state.fighters, places, strict=True))
        ),
        fields=((),) * 4,
        tech=(2,) * 3,
        packs=((),) * 3,
        posts=(0, 1, 2),
    )
    return replace(setting.battle, teams=("A", "B", "C"), roster=tuple(roster)), state


def began(battle, state, switching, number=2):
    def choose(kind, _, team, given):
        if kind == "replacement":
            return given[0]
        return {2 * team: 2 * team + 1} if team in switching else {}

    return begin_round(battle, state, number, [choose] * 3).posts


def test_r_41_post_schedule():
    battle, state = three_teams()
    assert began(battle, state, ()) == (1, 2, 0)
    assert began(battle, state, (0, 1)) == (0, 1, 2)  # B declares, C declines, A accepts
    assert began(battle, state._replace(posts=(0, 1, 2)), (2,)) == (1, 2, 0)  # B did not declare
    f = state.fighters[0]._replace(conditions=(Held("phazing", maker=4),))
    assert began(battle, state._replace(fighters=(f, *state.fighters[1:])), ()) == (2, 1, 0)
