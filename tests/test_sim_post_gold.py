"""Results that the handbook of Battle-By-Post itself gives, G-1 to G-38."""

from fractions import Fraction

import numpy as np
import pytest

from physics import InputError
from sim.post.numbers import (
    Blow,
    Duration,
    Roll,
    Stage,
    change_stage,
    damage,
    hit_chance,
    inverted,
    lengthened,
    parse_duration,
    range_roll,
    rounded,
    scaled,
    success,
)
from sim.post.orders import Reader
from sim.post.play import rolling
from sim.post.pokemon import Progress, earned, stats_from_base
from sim.post.state import OUT, Held, Order, fused
from sim.post.techniques import combination_fault, combine, max_move, z_move
from tests.postbattles import catalogue, course, fight, played

HALF = Fraction(1, 2)
STATS = catalogue().species["golduck"].line
WARM = """
[abilities.warm]
effects = [{ when = "raised", into = ["attack"], do = "lose", amount = 1 }]
[moves.rise]
category = "other"
energy = 0
target = "user"
command = true
effects = [{ do = "stage", stat = "attack" }, { do = "stage", stat = "defense" }]
[species.riser]
types = ["Water"]
base = [50, 50, 50, 50, 50, 50]
abilities = ["warm"]
"""


@pytest.mark.parametrize(("attack", "lost"), [(6, 0), (5, 1)])
def test_g_1_what_cannot_be_raised_counts_as_not_raised(attack, lost):
    own = f"species = 'riser', orders = 'rise', stages = {{ attack = {attack} }}"
    f = played(fight(own, "", WARM))[0].fighters[0]
    assert [(stat, value) for stat, value, _ in f.stages] == [("attack", 6), ("defense", 1)]
    assert f.hp == stats_from_base([50] * 6).hp - lost


def test_g_2_halves_are_rounded_away_from_zero():
    assert (rounded(HALF), rounded(Fraction(-5, 2))) == (1, -3)


RANKS = """
[species.garchomp]
types = ["Dragon"]
stats = { hp = 90, attack = 9, defense = 6, special_attack = 5, special_defense = 5, speed = 102 }
moves = ["jab", "splash down"]
[items.band]
effects = [{ when = "while", do = "rank", stat = "attack", times = 1.5, up = true }]
"""


@pytest.mark.parametrize(
    ("conditions", "move", "rank"),
    [([], "jab", 14), (["burn"], "jab", 7), (["burn"], "splash down", 14)],
)
def test_g_3_and_g_4_ranks_are_rounded_once(conditions, move, rank):
    own = f"species = 'garchomp', items = ['band'], conditions = {conditions}"
    now = course(fight(own, "", RANKS))
    assert now.rank(0, "attack", now.battle.move(0, Order(move))) == rank


@pytest.mark.parametrize(("percent", "target", "sides"), [(80, 4, 5), (95, 19, 20), (40, 2, 5)])
def test_g_5_dice_represent_chances_exactly(percent, target, sides):
    told, rng = [], np.random.default_rng(1)
    draw = rolling(rng, lambda _, __, roll: told.append(roll))
    results = [draw(success(Fraction(percent, 100)), "Hit") for _ in range(200)]
    dice = [roll.rolled for roll in told]
    assert {(roll.label, roll.target) for roll in told} == {("Hit", target)}
    assert set(dice) == set(range(1, sides + 1))
    assert results == [die <= target for die in dice]


@pytest.mark.parametrize(
    "row",
    [
        "216 240 116 9/10 1",
        "10 240 204 1/24 0",
        "24 240 19 1/10 1",
        "1 24 1 1/24 1",
        "1 10 2 1/10 0",
    ],
)
def test_g_6_and_g_7_logged_rolls(row):
    *numbers, chance, succeeds = row.split()
    roll = Roll("Hit", *map(int, numbers))
    assert (roll.chance, roll.succeeds) == (Fraction(chance), succeeds == "1")


def test_g_8_range_rolls_have_equal_chances():
    assert dict(range_roll(3, 8).items) == dict.fromkeys(range(3, 9), Fraction(1, 6))


FIELD = """
[moves.grass]
category = "other"
energy = 0
target = "user"
command = true
effects = [{ do = "inflict", condition = "grassy terrain", on = "battle" }]
[moves.hover]
category = "other"
energy = 0
target = "user"
command = true
effects = [{ do = "inflict", condition = "hovering", for = "1 step" }]
[moves.taunt]
category = "other"
energy = 0
priority = 1
command = true
effects = [{ do = "inflict", condition = "taunt", on = "target" }]
"""


def test_g_9_an_end_of_step_effect_sees_what_ends_at_that_step():
    setting = fight(
        "orders = 'hover - calm', hp = 50", "orders = 'grass - calm', hp = 50", FIELD, steps=2
    )
    one, two = played(setting)[0], played(setting, steps=2)[0]
    assert [f.hp for f in one.fighters] == [50, 52]
    assert [f.hp for f in two.fighters] == [52, 54]


def test_g_10_the_taunted_keeps_its_intent_and_fails():
    own = "species = 'deoxys', orders = 'mend', hp = 20"
    state, told = played(fight(own, "orders = 'taunt'", FIELD))
    assert told[-2:] == ["uses 0 mend", "fails by 0 taunt"]
    assert (state.fighters[0].hp, state.fighters[0].energy) == (20, 92)


SKIN = """
[abilities.skin]
effects = [{ when = "contact", do = "lose", amount = 9, on = "target" }]
[species.sharpedo]
types = ["Water"]
base = [70, 120, 40, 95, 40, 95]
abilities = ["skin"]
"""


def test_g_11_a_last_pokemon_that_falls_second_wins():
    state, told = played(
        fight("species = 'murkrow', orders = 'jab', hp = 4", "species = 'sharpedo', hp = 3", SKIN)
    )
    assert (state.winner, state.fighters[0].hp, state.fighters[0].place) == (0, -5, 0)
    assert told[-2:] == ["faints 1", "wins 0"]


def test_g_11_it_leaves_after_the_other_if_the_battle_goes_on():
    teams = [
        [{"species": "murkrow", "orders": "jab", "hp": 4}, {}],
        [{"species": "sharpedo", "hp": 3}, {}],
    ]
    state, told = played(fight(*teams, SKIN))
    assert (state.winner, state.fighters[0].place) == (None, OUT)
    assert told[-2:] == ["faints 2", "faints 0"]


SEED = """
[items.leftovers]
effects = [{ when = "end_step", do = "heal", amount = 5 }]
[items.barb]
effects = [{ when = "end_step", do = "lose", amount = 4 }]
[conditions.seed]
effects = [{ when = "end_step", do = "lose", amount = 3, then = [
  { do = "heal", amount = 3, on = "maker" },
] }]
[moves.sow]
category = "other"
energy = 0
command = true
effects = [
  { do = "inflict", condition = "seed", on = "target" },
  { do = "inflict", condition = "grassy terrain", on = "battle" },
]
"""


def test_g_12_the_end_of_a_step_in_order():
    donphan = "species = 'murkrow', items = ['leftovers'], hp = 40"
    serperior = "orders = 'sow', items = ['barb'], hp = 40"
    _, told = played(fight(donphan, serperior, SEED))
    assert told[-6:] == [
        "heals 0 5",
        "loses 0 3 seed",
        "heals 1 3",
        "heals 0 2",
        "heals 1 2",
        "loses 1 4 barb",
    ]


def test_g_12b_healing_hp_comes_before_restoring_energy():
    data = """
[abilities.two]
effects = [
  { when = "end_step", do = "energy", amount = 3, then = [{ do = "stage", stat = "attack" }] },
  { when = "end_step", do = "discard", condition = "burn", then = [{ do = "heal", amount = 3 }] },
]
"""
    first, second = catalogue(data).abilities["two"].effects
    assert (first.kind, second.kind) == (1, 0)


@pytest.mark.parametrize(("bap", "is_left"), [("", {"sleep", "resting"}), ("bap = 4", {"burn"})])
def test_g_12c_rest_that_is_woken_cures_nothing_at_the_end_of_the_step(bap, is_left):
    data = f"""
[moves.scorch]
category = "{"physical" if bap else "other"}"
{bap}
energy = 1
priority = 1
command = true
effects = [{{ do = "inflict", condition = "burn", on = "target" }}]
"""
    own = "species = 'cresceidon', orders = 'rest - calm', hp = 40"
    setting = fight(own, "orders = 'calm - scorch'", data, steps=2)
    state, _ = played(setting, [False], steps=2)
    assert {one.name for one in state.fighters[0].conditions} - {"restless"} >= is_left
    assert ("burn" in is_left) == any(one.name == "burn" for one in state.fighters[0].conditions)


def test_g_12d_both_statements_are_queued_before_the_item_is_gone():
    data = """
[moves."knock off"]
type = "Fire"
category = "physical"
bap = 5
energy = 5
command = true
effects = [{ when = "hit", do = "drop", on = "target" }]
[items.policy]
effects = [{ when = "weak", do = "stage", stat = "attack", amount = 2, then = [
  { do = "consume" },
] }]
[species.scizor]
types = ["Bug", "Steel"]
base = [70, 130, 100, 55, 80, 65]
"""
    setting = fight("orders = 'knock off'", "species = 'scizor', items = ['policy']", data)
    state, told = played(setting)
    assert "drops all 1" in told
    assert "consumes 1 policy" in told
    assert state.fighters[1].stages[0][:2] == ("attack", 2)


OVER = """
[abilities.fed]
effects = [{ when = "end_step", do = "heal", amount = 20, overheal = true }]
[species.fat]
types = ["Water"]
base = [90, 50, 50, 50, 50, 50]
abilities = ["fed"]
[moves.leech]
category = "physical"
bap = 10
energy = 1
command = true
effects = [{ when = "hit", do = "heal", per = "damage", amount = 0.5 }]
"""


def test_g_13_healing_above_the_maximum():
    own = "species = 'fat', hp = 140, overheal = true, orders = 'leech'"
    _, told = played(fight(own, "", OVER))
    assert [line for line in told if line.startswith("heals")] == ["heals 0 0", "heals 0 20"]
    assert played(fight(own, "", OVER))[0].fighters[0].hp == 160


def line(stats):
    return " ".join(str(getattr(stats, name)) for name in stats.__slots__[:6])


LINES = """\
murkrow | | 85 6 3 6 3 91
deoxys | quiet | 80 11 4 12 4 130
deoxys-attack | quiet | 80 13 2 14 2 130
golduck | | 90 6 6 7 6 85"""


@pytest.mark.parametrize("row", LINES.splitlines())
def test_g_37_stat_lines(row):
    species, nature, expected = (part.strip() for part in row.split("|"))
    one = fight(f"species = '{species}', nature = '{nature}'", "").battle.roster[0]
    assert line(one.stats) == expected


@pytest.mark.parametrize(
    "row",
    [
        "80 32 111 88 99 124 | 90 3 8 6 7 124",
        "60 85 42 85 42 91 | 85 6 3 6 3 91",
        "80 82 78 95 80 85 | 90 6 6 7 6 85",
    ],
)
def test_g_14_and_g_37_stats_of_base_stats(row):
    base, expected = row.split(" | ")
    assert line(stats_from_base([int(n) for n in base.split()])) == expected


def turns(n):
    return Duration(n, "turns")


def test_g_15_stage_changes_extend():
    stages = change_stage((), "attack", 2, turns(3))
    assert stages == (("attack", 2, turns(3)),)
    for stat in ("attack", "defense"):
        stages = change_stage(stages, stat, 1, turns(5))
    assert stages == (("attack", 3, turns(5)), ("defense", 1, turns(5)))
    stages = change_stage(stages, "attack", -1, turns(6), "without extension")
    assert stages == (("attack", 2, turns(5)), ("defense", 1, turns(5)))


@pytest.mark.parametrize(
    ("extension", "left"), [("longer", 5), ("without extension", 5), ("overwriting", 2)]
)
def test_a_shorter_duration_replaces_a_longer_one_only_by_overwriting(extension, left):
    stages = change_stage((Stage("attack", 1, turns(5)),), "attack", 1, turns(2), extension)
    assert stages == (("attack", 2, turns(left)),)


def test_g_16_a_raise_replaced_by_two_may_raise_a_stage_twice():
    data = """
[abilities.both]
effects = [{ when = "while", do = "twice", stat = "accuracy", into = ["attack", "accuracy"] }]
[species.coiler]
types = ["Poison"]
base = [50, 50, 50, 50, 50, 50]
abilities = ["both"]
[moves.coil]
category = "other"
energy = 6
target = "user"
command = true
effects = [
  { do = "stage", stat = "attack" },
  { do = "stage", stat = "defense" },
  { do = "stage", stat = "accuracy" },
]
"""
    state, _ = played(fight("species = 'coiler', orders = 'coil'", "", data))
    found = {stat: value for stat, value, _ in state.fighters[0].stages}
    assert found == {"attack": 2, "defense": 1, "accuracy": 1}


def test_g_17_converting_signs_keeps_durations():
    before = (Stage("attack", 2, turns(2)), Stage("defense", -3, turns(4)))
    assert inverted(before) == (("attack", -2, turns(2)), ("defense", 3, turns(4)))
    assert inverted((Stage("critical", 2, turns(3)),)) == ()  # it is never below 0


def test_g_18_ongoing_stages_lie_on_top_of_durable_ones():
    data = """
[items.one]
effects = [{ when = "while", do = "stage", stat = "attack", amount = 2 }]
[items.two]
effects = [{ when = "while", do = "stage", stat = "attack", amount = 2 }]
"""
    now = course(fight("items = ['one', 'two']", "", data))
    seen = [now.stage(0, "attack")]
    now.set(0, stages=change_stage((), "attack", -3, turns(2)))
    seen.append(now.stage(0, "attack"))
    now.set(0, items=("two",))
    seen.append(now.stage(0, "attack"))
    now.set(0, stages=())
    assert [*seen, now.stage(0, "attack")] == [4, 1, -1, 2]


def test_g_19_arithmetic_of_durations():
    assert scaled(Duration(2, "rounds"), Fraction(2)) == Duration(4, "rounds")
    leaving = parse_duration("leaving")
    assert scaled(leaving, HALF) == leaving
    assert lengthened(Duration(3, "steps"), 2, "rounds") == Duration(3, "steps")
    assert lengthened(Duration(3, "steps"), 2, "steps") == Duration(5, "steps")


def test_g_20_conditions_under_two_names_are_two():
    data = (
        "[conditions.'partial trapping']\n"
        + "".join(
            f"[moves.'{name}']\ncategory = 'other'\nenergy = 0\ncommand = true\n"
            f"effects = [{{ do = 'inflict', condition = 'partial trapping', on = 'target',"
            f" alias = '{name}' }}]\n"
            for name in ("whirlpool", "fire spin")
        )
        + """[moves.spin]
category = "other"
energy = 0
target = "user"
command = true
effects = [{ do = "discard", condition = "partial trapping" }]
"""
    )
    held = []
    for end in ("", " - calm"):
        own = f"orders = 'calm - calm{end.replace('calm', 'spin')}', species = 'murkrow'"
        foe = f"orders = 'whirlpool - fire spin{end}'"
        steps = 3 if end else 2
        state, _ = played(fight(own, foe, data, steps=steps), steps=steps)
        held.append([one.alias for one in state.fighters[0].conditions])
    assert held == [["whirlpool", "fire spin"], []]


@pytest.mark.parametrize(
    ("types", "after"),
    [(["Bug", "Steel"], ("Bug", "Steel", "Grass")), (["Ghost", "Grass"], ("Ghost", "Grass"))],
)
def test_g_20b_no_type_twice(types, after):
    data = f"""
[species.cursed]
types = {types}
base = [50, 50, 50, 50, 50, 50]
[moves.curse]
category = "other"
energy = 0
command = true
effects = [{{ do = "type", type = "Grass", on = "target" }}]
"""
    state = played(fight("orders = 'curse'", "species = 'cursed'", data))[0]
    setting = fight("orders = 'curse'", "species = 'cursed'", data)
    now = course(setting)
    now.fighters = list(state.fighters)
    assert now.types(1) == after


def test_g_21_a_bonus_belongs_to_one_performance():
    data = """
[abilities.reckless]
effects = [{ when = "while", do = "power", amount = 2, only = ["jab"] }]
[species.reckless]
types = ["Fighting"]
base = [50, 50, 50, 50, 50, 50]
abilities = ["reckless"]
moves = ["jab", "quick"]
"""
    now = course(fight("species = 'reckless'", "species = 'golduck'", data))
    bonus = [
        now.prepared(i, 1 - i, now.battle.move(i, Order(move)))[2].bonus
        for i, move in ((0, "jab"), (1, "jab"), (0, "quick"))
    ]
    assert bonus == [2, 0, 0]


def test_g_22_accuracy_and_stages_are_added():
    assert hit_chance(70, 1) == Fraction(95, 100)


def test_g_22b_a_speed_nature_makes_it_certain():
    setting = fight("species = 'murkrow', nature = 'jolly', stages = { accuracy = 1 }", "")
    now = course(setting)
    slam = now.battle.move(0, Order("slam"))
    assert now.roster[0].stats.accuracy == 10
    assert now.chance_to_hit(0, 1, slam) == 1
    assert hit_chance(60, 1, flat=10) == Fraction(95, 100)


def test_g_23_hits_are_rounded_together():
    assert damage(Blow(Fraction(3), effect=Fraction(3, 2), most_hits=3), 3, False) == 14


DOUBLES = """
[groups]
"evasive attack" = ["dig", "fly"]
[moves.dig]
type = "Ground"
category = "physical"
bap = 8
energy = 8
priority = -1
command = true
[moves.fly]
type = "Flying"
category = "physical"
bap = 9
energy = 8
priority = -1
command = true
"""


def test_g_24_placeholders_go_by_the_order_of_posts():
    own = [
        (
            "name = 'mew', substitutions = ['IF any opponent is to use an evasive attack "
            "THEN use struggle on that pokemon']"
        ),
        "name = 'pal'",
    ]
    foes = [
        "name = 'arcanine', orders = 'dig on mew'",
        "name = 'dragapult', species = 'murkrow', orders = 'fly on mew'",
    ]
    setting = fight(own, foes, DOUBLES, first="b", positions=2)
    _, told = played(setting)
    struck = [line for line in told if line.startswith("damage")]
    assert struck[0].startswith("damage 2 ")


def test_g_25_a_named_pokemon_on_the_bench_is_meant_wherever_it_is():
    team = ["", "conditions = ['poison 1']"]
    own = "species = 'murkrow', substitutions = ['IF b1 is poisoned THEN use jab']"
    state, told = played(fight(own, team))
    assert "substitution 0 if b1 is poisoned then use jab" in told
    assert "uses 0 jab" in told
    assert state.fighters[1].hp < 90


REPLY = "[moves.'feint attack']\ncategory = 'physical'\nbap = 6\nenergy = 6\ncommand = true\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("IF b0 is asleep THEN use jab", ""),
        ("IF b0 is to use faint attack THEN use jab", ""),
        ("IF b0's attack is boosted THEN use jab", "boosted"),
        ("At the start of your turn, use jab", "give IF, a trigger, THEN and a result (10.1)"),
        ("At the start of your turn, IF possible THEN use jab", ""),
    ],
)
def test_g_26_plain_language_equivalents(text, fault):
    setting = fight("species = 'murkrow'", "species = 'golduck'", REPLY)
    reader = Reader(setting.battle, 0)
    if not fault:
        assert reader.substitution(text).results[0].orders
        return
    with pytest.raises(InputError) as caught:
        reader.substitution(text)
    assert fault in str(caught.value)


def test_g_27_fusion():
    first, second = fight(
        "hp = 40, conditions = ['sleep'], items = ['potion']",
        "species = 'fat', hp = 95, items = ['muscle band'], "
        "conditions = ['sleep', 'paralysis 2', 'frost 3']",
        OVER,
    ).state.fighters
    newer = first._replace(conditions=(Held("sleep", stamp=7), Held("frost", counters=2)))
    whole = fused(newer, second, {"frost"})
    held = {one.name: (one.stamp, one.counters) for one in whole.conditions}
    assert (whole.hp, whole.items) == (68, ("potion", "muscle band"))
    assert held == {"sleep": (7, 0), "paralysis": (0, 2), "frost": (0, 5)}


def test_g_28_max_moves():
    data = "".join(
        f"[moves.'{name}']\ntype = 'Water'\ncategory = '{kind}'\nenergy = 5\n{bap}"
        for name, kind, bap in (
            ("snipe shot", "special", "bap = 8\n"),
            ("soak", "other", ""),
            ("liquidation", "physical", "bap = 8\n"),
        )
    )
    known = catalogue(data)
    found = [
        max_move(known.find("moves", name), known) for name in ("snipe shot", "soak", "liquidation")
    ]
    assert [(own.name, own.category) for own in found] == [
        ("Max Geyser", "special"),
        ("Max Guard", "other"),
        ("Max Geyser", "physical"),
    ]


def test_g_28_a_substitution_of_a_plain_move_is_a_plain_move():
    sub = "IF b0 is to use calm THEN use splash down"
    orders = "orders = 'dynamax: max splash down'"
    own = f"species = 'cresceidon', {orders}, substitutions = ['{sub}']"
    _, told = played(fight(own, ""))
    assert told[0] == "grows 0"
    assert "uses 0 splash down" in told


def test_g_29_experience_beyond_ten_levels_first():
    assert earned(Progress(level=2, exp=5), 7) == Progress(level=3, exp=2)


def test_g_31_a_stage_is_better_than_the_old_factor_below_its_limit():
    better = [a for a in range(1, 101) if hit_chance(a, 1) > min(1, Fraction(13 * a, 1000))]
    assert max(better) == int(100 / 1.3) == 76
    assert len(better) == 76


def test_g_33_fire_against_bug_and_steel():
    data = """
[species.scizor]
types = ["Bug", "Steel"]
base = [70, 130, 100, 55, 80, 65]
[moves.ember]
type = "Fire"
category = "special"
bap = 4
energy = 4
command = true
"""
    now = course(fight("orders = 'ember'", "species = 'scizor'", data))
    assert now.effect_on(1, now.battle.move(0, Order("ember"))) == 2


def test_g_34_z_force_weakens_what_is_above_24():
    data = "[moves.huge]\ncategory = 'physical'\nbap = 25\nenergy = 9\n"
    assert z_move(catalogue(data).moves["huge"], "force", STATS).bap == 24


def combo(name, classes, subclasses, more="bap = 9\ncategory = 'special'\n"):
    return (
        f"[moves.'{name}']\nenergy = 8\ncombo = {{ classes = {classes}, "
        f"subclasses = {subclasses} }}\n{more}"
    )


COMBOS = "".join(
    [
        combo("surf", ["Material"], ["Pouring"], "type='Water'\nbap=9\ncategory='special'\n"),
        combo("thunderbolt", ["Luminous"], ["Pelleting"]),
        combo("magnet bomb", ["Luminous"], ["Pelleting"]),
        combo("hyper beam", ["Luminous"], ["Beam"]),
        combo("scorching sands", ["Material", "Aetherial"], ["Pouring"]),
        combo(
            "tailwind",
            ["Material", "Aetherial"],
            ["Pouring"],
            "category='other'\ntarget=\"user's team\"\n",
        ),
        combo("focus blast", ["L"], ["B"], "type='Fighting'\nbap=12\ncategory='special'\n"),
        combo("shadow ball", ["L"], ["B"], "type='Ghost'\nbap=8\ncategory='special'\n"),
        combo("confuse ray", ["L"], ["B"], "type='Ghost'\ncategory='other'\n"),
        combo("ray", ["L"], ["B"], "bap=15\ncategory='special'\n"),
        combo(
            "metal sound",
            ["S"],
            ["S"],
            "category='other'\neffects=[{do='stage', amount=-2, "
            "stat='special_defense', on='target', for='3 turns'}]\ncommand=true\n",
        ),
        combo("hyper voice", ["S"], ["S"], "bap=9\ncategory='special'\ncommand=true\n"),
    ]
)


@pytest.mark.parametrize(
    ("first", "second", "fault"),
    [
        ("surf", "thunderbolt", "share no class"),
        ("magnet bomb", "hyper beam", "share no subclass"),
        ("scorching sands", "tailwind", ""),
    ],
)
def test_g_35_which_moves_combine(first, second, fault):
    moves = [catalogue(COMBOS).find("moves", name) for name in (first, second)]
    found = combination_fault(*moves)
    assert fault in found
    assert bool(fault) == bool(found)


@pytest.mark.parametrize(
    ("first", "second", "type_", "category"),
    [
        ("focus blast", "shadow ball", "Fighting", "special"),
        ("confuse ray", "ray", "Ghost", "special"),
    ],
)
def test_g_35b_types_of_combinations(first, second, type_, category):
    found = combine(*(catalogue(COMBOS).find("moves", name) for name in (first, second)))
    assert (found.type, found.category) == (type_, category)
    assert "non-attack" not in found.words  # so Taunt does not prevent it


def test_g_35b_a_combination_lowers_defense_before_its_damage():
    setting = fight("species = 'deoxys', orders = 'metal sound + hyper voice'", "", COMBOS)
    _, told = played(setting, [False])
    assert told[1:3] == ["stage 1 special_defense -2", "damage 1 22"]  # 9 + 11 - 6 + 4 x 2


def test_g_36_actions_of_one_pokemon_keep_the_order_given():
    data = "[species.trio]\ntypes = ['Water']\nbase = [50, 50, 50, 50, 50, 50]\nactions = 3\n"
    setting = fight("species = 'trio', orders = 'chill, struggle, aim'", "", data)
    _, told = played(setting)
    own = [line for line in told if line.startswith("uses 0")]
    assert own == ["uses 0 chill", "uses 0 struggle", "uses 0 aim"]


@pytest.mark.parametrize(
    ("order", "done"), [("slam", True), ("mend", False), ("metal sound + hyper voice", False)]
)
def test_g_38_too_little_energy(order, done):
    own = f"species = 'deoxys', orders = '{order}', energy = 5, hp = 30"
    state, told = played(fight([own, "name = 'c'"], ["", "name = 'd'"], COMBOS))
    assert state.fighters[0].place == OUT
    assert ("cannot 0 its costs" in told) != done
    assert any(line.startswith(("damage 2", "misses 0")) for line in told) == done
