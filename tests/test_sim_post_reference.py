"""Reference values of Battle-By-Post, computed by scripts apart: R-1 to R-41."""

from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

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


STATS = catalogue().species["golduck"].line
SPEEDS = """91 1 160, 91 2 228, 91 6 501, 91 -1 52, 91 -2 36, 91 -6 16, 124 6 682, 124 -3 38
130 -1 74, 85 0 43 p, 124 0 62 p, 91 1 80 p, 91 -1 26 p, 130 1 114 p, 85 -2 17 p"""


@pytest.mark.parametrize("row", SPEEDS.replace("\n", ", ").split(", "))
def test_r_1_speed(row):
    speed, stage, expected, *paralysed = row.split()
    data = f"""
[species.runner]
types = ["Normal"]
base = [50, 50, 50, 50, 50, {int(speed) // 1}]
"""
    own = {
        "species": "runner",
        "stages": {"speed": int(stage)} if int(stage) else {},
        "conditions": ["paralysis"] if paralysed else [],
    }
    assert course(fight(own, {}, data)).speed(0) == int(expected)


@pytest.mark.parametrize(
    "row",
    [
        "2 0 2",
        "1 0 1.5",
        "1 1 1",
        "0 1 .75",
        "0 2 .5",
        "3 0 2.5",
        "4 0 3",
        "5 0 3",
        "0 3 .25",
        "0 4 .01",
        "0 6 .01",
        "2 1 1.5",
        "1 2 .75",
    ],
)
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


@pytest.mark.parametrize(("percent", "sides"), [(85, 20), (70, 10), (55, 20), (1, 100)])
def test_r_4_sizes_of_dice(percent, sides):
    assert Fraction(percent, 100).denominator == sides


S = partial(Blow, Fraction(9), stab=3, ranks=6 - 8)
HALF, SUPER = Fraction(1, 2), Fraction(3, 2)
TWO = partial(Blow, Fraction(4), stab=3, ranks=8 - 6, most_hits=2)
FIVE = partial(Blow, Fraction(2), ranks=8 - 6, effect=SUPER, most_hits=5)
"""A blow; then hits, whether the first is critical, further criticals, and damage, by result."""
DAMAGE = {
    "R-5": (S(), (1, 0, 0, 10), (1, 1, 0, 13)),
    "R-6": (S(effect=SUPER), (1, 0, 0, 15), (1, 1, 0, 20)),
    "R-7": (S(effect=Fraction(2)), (1, 0, 0, 20), (1, 1, 0, 26)),
    "R-7 resisted": (S(effect=Fraction(3, 4)), (1, 0, 0, 8), (1, 1, 0, 10)),
    "R-8": (S(effect=Fraction(1, 100)), (1, 0, 0, 1)),
    "R-9": (S(effect=SUPER, attack_stage=2), (1, 0, 0, 23)),
    "R-10": (S(effect=SUPER, attack_stage=-1, defence_stage=1), (1, 0, 0, 9), (1, 1, 0, 14)),
    "R-11": (S(effect=SUPER, attack_stage=-1, defence_stage=1, critical_stage=1), (1, 1, 0, 20)),
    "R-12": (S(attack_stage=2, defence_stage=-1, critical_stage=1), (1, 1, 0, 25)),
    "R-13": (Blow(Fraction(4), ranks=3 - 8), (1, 0, 0, 1)),
    "R-14": (Blow(Fraction(9), stab=3, ranks=11 - 4, factor=Fraction(2, 3)), (1, 0, 0, 13)),
    "R-15": (TWO(), (2, 0, 0, 13), (2, 1, 0, 15), (2, 1, 1, 17)),
    "R-15 super": (TWO(effect=SUPER), (2, 0, 0, 20)),
    "R-16": (FIVE(), (5, 0, 0, 18), (5, 1, 0, 20), (5, 0, 1, 20)),
    "R-17": (S()._replace(stab=5), (1, 0, 0, 12)),
    "R-17 power": (S()._replace(bap=Fraction(27, 2)), (1, 0, 0, 15)),
    "R-18": (S(bonus=2 + 3 + 2 - 3), (1, 0, 0, 14)),
    "R-19": (S(factor=HALF), (1, 0, 0, 5)),
    "R-19 super": (S(effect=SUPER, factor=HALF), (1, 0, 0, 8)),
    "R-19 fixed": (Blow(Fraction(40), is_fixed=True), (1, 0, 0, 40)),
    "R-20": (Blow(Fraction(10), ranks=7 - 6), (1, 0, 0, 11)),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_r_5_to_r_20_damage(name):
    blow, *rows = DAMAGE[name]
    for hits, critical, more, expected in rows:
        assert damage(blow, hits, bool(critical), more) == expected


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
    own = {"species": "strong", "items": ["three", "less"], "conditions": ["two"]}
    now = course(fight(own, {}, BONUS))
    assert now.prepared(0, 1, now.battle.move(0, Order("struggle")))[2].bonus == 2 + 3 + 2 - 3


STUMBLERS = """
[species.flat]
types = ["Water"]
base = [80, 32, 111, 50, 50, 50]
"""


@pytest.mark.parametrize(
    ("species", "stages", "lost"),
    [("golduck", {}, 4), ("deoxys", {}, 11), ("deoxys", {"attack": 2}, 19), ("flat", {}, 1)],
)
def test_r_21_stumble(species, stages, lost):
    own = {
        "species": species,
        "stages": stages,
        "conditions": ["confusion", "dizzy"],
        "orders": "struggle",
    }
    state, told = played(fight(own, {}, STUMBLERS))
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


@pytest.mark.parametrize(("attacks", "cost"), [((1, 1), 12), ((0, 0), 24), ((1, 0), 36)])
def test_r_23_costs_of_combinations(attacks, cost):
    texts = [
        ("bap = 5\n" if attack else "") + f"energy = {energy}"
        for attack, energy in zip(attacks, (5, 7), strict=True)
    ]
    assert two_moves(*texts).energy == cost


@pytest.mark.parametrize("row", [(0, 0, 0), (1, 0, 1), (1, -3, -3), (2, 1, 1), (0, -6, -6)])
def test_r_23_priorities_of_combinations(row):
    first, second, expected = row
    texts = [f"energy = 1\npriority = {own}" for own in (first, second)]
    assert two_moves(*texts).priority == expected


def test_r_24_changes_of_maxima():
    assert raised_maximum(55, 100, 150, energy=True) == 83
    assert raised_maximum(40, 85, 95) == 50
    assert raised_maximum(90, 95, 85) == 85


@pytest.mark.parametrize(
    "row", [(0, 2), (5, 2), (6, 2), (20, 7), (25, 8), (59, 20), (60, 20), (80, 20)]
)
def test_r_25_iron_fist(row):
    data = """
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
    now = course(fight({"species": "puncher"}, {}, data))
    now.set(0, healed=row[0])
    assert now.prepared(0, 1, now.battle.move(0, Order("punch")))[2].bonus == row[1]


@pytest.mark.parametrize(
    "row", [(100, 0), (76, 0), (75, 2), (51, 2), (50, 4), (26, 4), (25, 6), (1, 6)]
)
def test_r_26_hustle(row):
    data = "[species.h]\ntypes = ['Bug']\nbase = [50, 50, 50, 50, 50, 50]\nabilities = ['hustle']\n"
    now = course(fight({"species": "h", "energy": row[0]}, {}, data))
    assert now.rank(0, "attack", now.battle.move(0, Order("struggle"))) == 4 + row[1]


def step_told(setting, state):
    told = []
    state = setting.battle.play_step(state, setting.orders, None, lambda *one: told.append(one))
    return state, told


def lost_turns(own, steps, word, data="", foe=None):
    """Return the steps, from 0, in which a Pokemon does not get to act."""
    setting = fight(
        {"orders": "calm - calm - calm", **own}, foe or {"hp": 90}, data, steps=3, energy=False
    )
    state, lost = setting.state, []
    for step in range(steps):
        state, told = step_told(setting, state)
        if any(one[:2] == (word, 0) for one in told):
            lost.append(step)
    return lost, state


@pytest.mark.parametrize(
    ("counters", "lost"),
    [
        (0, [(4, 1), (7, 1)]),
        (1, [(3, 1), (6, 1)]),
        (2, [(2, 1), (5, 1), (8, 1)]),
        (3, [(1, 2), (4, 1), (7, 1)]),
        (4, [(1, 2), (3, 1), (6, 1)]),
    ],
)
def test_r_27_actions_lost_by_paralysis(counters, lost):
    # Put on in step 1 after the subject's turn: as if it were there in step 2.
    setting = fight({"orders": "calm - calm - calm"}, {}, steps=3)
    state = setting.battle.play_step(setting.state, setting.orders, None)
    f = state.fighters[0]._replace(conditions=(Held("paralysis", counters=counters),))
    state, found = state._replace(fighters=(f, *state.fighters[1:])), []
    for n in range(1, 3 * (8 if counters == 2 else 7)):
        state, told = step_told(setting, state)
        if ("fails by", 0, "paralysis") in told:
            found.append((n // 3 + 1, n % 3 + 1))
    assert found == lost


@pytest.mark.parametrize(("frost", "turns"), [(8, 1), (14, 1), (15, 2), (28, 2), (29, 3), (56, 3)])
def test_r_28_turns_lost_frozen(frost, turns):
    own = {"conditions": [f"frost {frost}", "freeze"]}
    assert lost_turns(own, 6, "cannot")[0] == list(range(turns))


def test_r_29_sleep_and_rest_heal():
    data = (
        "[conditions.sleep2]\n[moves.lull]\ncategory='other'\nenergy=0\ncommand=true\n"
        "priority=1\neffects=[{do='inflict', condition='sleep', for='2 turns', on='target'}]\n"
    )
    lull = {"orders": "lull - calm - calm"}
    setting = fight({"hp": 20, "energy": 50, "orders": "calm - calm - calm"}, lull, data, steps=3)
    f = played(setting, steps=3)[0].fighters[0]
    assert (f.hp, f.energy) == (30, 56)
    rest = {"species": "cresceidon", "hp": 20, "energy": 50, "orders": "rest - calm - calm"}
    f = played(fight(rest, {}, steps=3), steps=3)[0].fighters[0]
    assert (f.hp, f.energy, f.recoveries) == (50, 50 - 10 + 9, 1)


def test_r_30_confusion_makes_every_second_attack_stumble():
    data = (
        "[moves.daze]\ncategory='other'\nenergy=0\ncommand=true\npriority=1\n"
        "effects=[{do='inflict', condition='confusion', on='target'}]\n"
    )
    own = {"orders": "struggle - struggle - struggle"}
    used = []
    for foe in ("daze - calm - calm", "daze - calm - daze"):
        _, told = played(fight(own, {"orders": foe}, data, steps=3), steps=3)
        used.append([line[7:] for line in told if line.startswith("uses 0")])
    assert used == [["struggle", "struggle", "stumble", "struggle"]] * 2
    state, _ = played(fight(own, {"orders": "daze - calm - calm"}, data, steps=3), steps=2)
    assert [one.name for one in state.fighters[0].conditions] == ["dizzy"]


@pytest.mark.parametrize(
    ("total", "parts"), [(6, [1, 2, 2]), (10, [2, 4, 3]), (7, [2, 3, 2]), (12, [3, 5, 4])]
)
def test_r_31_pay(total, parts):
    assert pay(total, fractions("2/7 3/7 2/7")) == parts


@pytest.mark.parametrize(
    ("n", "selection", "tech", "backpack"),
    [(1, 3, 1, 4), (2, 4, 1, 7), (3, 5, 2, 10), (4, 6, 2, 13), (6, 8, 3, 19)],
)
def test_r_32_match_rules_by_team_size(n, selection, tech, backpack):
    match = Match(team_size=n)
    assert (match.selection, match.tech, match.backpack) == (selection, tech, backpack)
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
    assert slams == dict(zip((0, 12, 15), fractions("3/10 161/240 7/240"), strict=True))
    assert mean(distribution(slams.items())) == Fraction(679, 80)
    jabs = odds(duellists("calm", "jab"), lambda state: 85 - state.fighters[0].hp)
    assert jabs == dict(zip((11, 14), fractions("23/24 1/24"), strict=True))


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
        fight({"orders": "four"}, {}, data), lambda state: Fraction(90 - state.fighters[1].hp)
    )
    numbers = fractions(expected)
    assert not expected or found == dict(zip(numbers[::2], numbers[1::2], strict=True))
    assert mean(distribution(found.items())) == Fraction(average)


def test_damage_with_stab_and_a_weakness():
    data = (
        "[moves.ember]\ntype='Fire'\ncategory='physical'\nbap=7\nenergy=1\ncommand=true\n"
        "[species.hot]\ntypes=['Fire']\nbase=[80,82,78,95,80,85]\n"
        "[species.bug]\ntypes=['Bug']\nbase=[80,82,78,95,80,85]\n"
    )
    setting = fight({"species": "hot", "orders": "ember"}, {"species": "bug"}, data)
    found = odds(setting, lambda state: Fraction(90 - state.fighters[1].hp))
    assert found == {15: Fraction(23, 24), 20: Fraction(1, 24)}


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
    assert odds(setting, hp(1)) == dict(
        zip(
            (90, 78, 75, 66, 63, 60, 54, 51, 48, 45),
            fractions(
                "27/1000 1449/8000 63/8000 25921/64000 1127/32000 49/64000 4173281/13824000 "
                "181447/4608000 7889/4608000 343/13824000"
            ),
            strict=True,
        )
    )
    assert odds(setting, hp(0)) == dict(
        zip((52, 49, 46, 43), fractions("12167/13824 529/4608 23/4608 1/13824"), strict=True)
    )


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


@pytest.mark.parametrize("row", [(3, 34), (4, 25), (5, 20), (7, 15), (9, 12), (12, 9)])
def test_r_39_uses_until_fainting(row):
    cost, uses = row
    data = f"[moves.poke]\ncategory='physical'\nbap=1\nfixed=true\nenergy={cost}\ncommand=true\n"
    setting = fight([{"orders": "poke"}, {}], {}, data)
    state = setting.state
    used = 0
    while state.fighters[0].place != OUT:
        used += 1
        state = setting.battle.play_step(state, setting.orders, None)
    assert (used, 90 - state.fighters[2].hp) == (uses, uses)


@pytest.mark.parametrize(
    ("own", "foe", "first", "sequence"),
    [
        (
            {"species": "murkrow", "orders": "jab"},
            {"species": "golduck", "orders": "quick"},
            "a",
            [1, 0],
        ),
        ({"species": "golduck"}, {"species": "murkrow"}, "a", [1, 0]),
        ({"species": "murkrow"}, {"species": "murkrow"}, "a", [0, 1]),
        ({"species": "murkrow"}, {"species": "murkrow"}, "b", [1, 0]),
        (
            {"species": "murkrow", "orders": "item potion"},
            {"species": "murkrow", "orders": "quick"},
            "a",
            [1, 0],
        ),
        ({"species": "murkrow", "conditions": ["paralysis"]}, {}, "a", [1, 0]),
    ],
)
def test_r_40_turn_order(own, foe, first, sequence):
    setting = fight(own, foe, first=first)
    state = setting.battle.play_turn(setting.state, setting.orders, None)
    assert [turn.fighter for turn in state.queue] == sequence


def three_teams():
    """Return a battle of teams 0, 1, 2 with two Pokemon each, and its state in round 2."""
    setting = fight([{}, {}, {}], [{}, {}, {}], team_size=3, switching=True)
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
