"""Rules of Battle-By-Post that neither gold nor reference values reach, one small battle each."""

from dataclasses import replace

import pytest

from sim.post.engine import Course
from sim.post.search import Search
from sim.post.state import BENCH, OUT, Order
from tests.postbattles import catalogue, course, fight, played, refused

KNOWS = "species = 'murkrow', "


def used(own, foe, steps=1, data="", **more):
    """Return what the first Pokemon of each team uses, by step."""
    setting = fight(KNOWS + own, KNOWS + foe, data, steps=steps, **more)
    _, told = played(setting, steps=steps)
    return [[line[7:] for line in told if line.startswith(f"uses {i}")] for i in (0, 1)]


# Orders of the first and of the second; the move that the first uses, and its substitution. In the
# last row it is too late in a turn of priority 0 for priority 1: time travel.
SUBSTITUTIONS = """\
jab jab | slam jab | quick jab | IF b0 is to use slam THEN use quick
jab jab | slam slam | quick jab | once, IF b0 is to use slam THEN use quick
jab jab jab | slam slam slam | quick jab quick | non-consecutively, IF possible THEN use quick
jab jab | jab jab | jab quick | on step 2, IF b0 is to use an attack THEN use quick
jab jab | jab slam | quick jab | IF b0 is to use slam on a later step THEN use quick
jab jab | slam jab | jab quick | IF b0 is to use slam on any step THEN use quick on the next step
jab slam | slam jab | quick jab | IF b0 is to use slam THEN use quick and push actions down
jab slam | slam jab | slam struggle | IF b0 is to use slam THEN pull actions up
jab slam | slam jab | quick quick | IF b0 is to use slam THEN begin quick - quick
jab jab | slam jab | quick quick | IF b0 is to use slam THEN replace all jab by quick
jab jab | slam jab | jab quick | IF b0 is to use slam THEN use quick on step 2
jab | slam | quick | IF b0 is to use jab or slam targeting a0 THEN use quick
jab | slam | jab | IF b0 is to use a combination THEN use quick
jab | jab | slam | IF b0's HP is above 50% THEN use slam
jab | jab | jab | IF b0's HP < a0's HP THEN use slam
jab | jab | slam | IF possible THEN use quick otherwise, use slam otherwise
jab jab | jab jab | slam quick | IF possible THEN use quick if it is step 2, use slam otherwise
jab | jab | jab | IF b0 is asleep THEN use slam
jab | jab | slam | IF b0 is not asleep and b0's speed is 91 THEN use slam
jab jab | jab jab | jab quick | at the end of the step, IF possible THEN use quick on the next step
jab jab | jab jab | quick slam | IF possible THEN use quick on the 1st instance, use slam otherwise
jab | quick | slam | when a0 is hit, IF b0 has used quick THEN use slam
jab | jab | jab | at the start of your turn, IF possible THEN use quick"""


@pytest.mark.parametrize("row", SUBSTITUTIONS.splitlines())
def test_a_substitution(row):
    *words, text = row.split(" | ")
    orders, foe, expected = (part.split() for part in words)
    own = f'orders = "{" - ".join(orders)}", substitutions = ["{text}"]'
    found = used(own, f"orders = '{' - '.join(foe)}'", len(orders), energy=False)
    assert found[0] == expected


def test_a_search_tells_rounds_apart_that_a_substitution_looks_back_at():
    sub = "IF b0 has used chill this round THEN use slam"
    own, worths = KNOWS + f"orders = 'calm - calm', substitutions = ['{sub}']", []
    settings = [
        fight(own, f"orders = '{first} - calm'", steps=2, energy=False)
        for first in ("calm", "chill")
    ]
    battle, state = settings[0].battle, settings[0].state
    search = Search(battle, 0)
    for one in settings:
        orders = {0: settings[0].orders[0], 1: one.orders[1]}
        worths.append(search.worth(state, orders))
        assert worths[-1] == Search(battle, 0).worth(state, orders)
    assert worths[0] < worths[1]


def test_what_an_earlier_post_has_seen_is_not_changed():
    own = "orders = 'slam', substitutions = ['IF b0 is to use jab THEN use quick']"
    foe = "orders = 'jab', substitutions = ['IF possible THEN use slam']"
    assert used(own, foe) == [["quick"], ["jab"]]
    assert used(own, foe, first="b") == [["slam"], ["slam"]]


def test_only_one_substitution_of_a_pokemon_triggers_in_a_step():
    subs = "['IF possible THEN use slam', 'IF possible THEN use quick']"
    assert used(f"orders = 'jab', substitutions = {subs}", "")[0] == ["slam"]


def test_more_substitutions_than_the_match_allows_are_refused_but_a_ko_substitution_is_free():
    one, ko = "IF possible THEN use jab", "IF b0 has fainted THEN use slam"
    assert used(f"orders = 'jab', substitutions = {[one, ko]}", "", substitutions=1)[0] == ["jab"]
    with refused("2; give at most 1"):
        used(f"substitutions = {[one, one]}", "", substitutions=1)


PAIR = "".join(
    f"[moves.{name}]\ncategory='physical'\nbap=5\nenergy={energy}\ncommand=true\n"
    "combo = { classes = ['A'], subclasses = ['B'] }\n"
    for name, energy in (("x", 5), ("y", 7))
)


@pytest.mark.parametrize(
    ("tech", "first", "told", "left"),
    [
        (2, "a", "damage 1 8", 1),
        (2, "b", "damage 1 8", 0),  # ordered after an opponent
        (0, "a", "cannot 0 its costs", 0),
        (1, "b", "cannot 0 its costs", 1),
    ],
)
def test_a_combination_costs_tech(tech, first, told, left):
    setting = fight(KNOWS + "orders = 'x + y'", KNOWS, PAIR, first=first, tech=tech)
    state, events = played(setting)
    assert told in events
    assert (state.fighters[0].energy, state.tech[0]) == (100 - 12, left)


def test_a_trainers_item_takes_the_turn_and_is_used_first():
    setting = fight(KNOWS + "orders = 'item potion', hp = 20", KNOWS + "orders = 'quick'")
    state = setting.state._replace(packs=(("potion",), ()))
    after, told = played(replace(setting, state=state))
    assert told[:2] == ["takes 0 potion", "heals 0 20"]
    assert (after.fighters[0].hp, after.packs, after.fighters[0].recoveries) == (32, ((), ()), 1)
    assert "cannot 0 potion" in played(setting)[1]


def test_a_trainers_item_is_of_no_use_to_one_that_is_out():
    setting = fight(["orders = 'item potion on a1'", "hp = 9"], "")
    fighters = list(setting.state.fighters)
    fighters[1] = fighters[1]._replace(place=OUT, hp=0)
    state = setting.state._replace(packs=(("potion",), ()), fighters=tuple(fighters))
    after, told = played(replace(setting, state=state))
    assert "cannot 0 potion" in told
    assert (after.packs, after.fighters[1].hp) == ((("potion",), ()), 0)


@pytest.mark.parametrize(("hp", "told"), [(8, "faints 0"), (7, "cannot 0 its costs")])
def test_hp_that_are_just_its_cost_are_enough_for_an_action(hp, told):
    data = "[moves.give]\ncategory = 'other'\nenergy = 0\nhp_cost = 8\ncommand = true\n"
    state, events = played(fight(f"orders = 'give', hp = {hp}", "", data))
    assert [line for line in events if line in {"faints 0", "cannot 0 its costs"}] == [told]
    assert state.fighters[0].hp == (0 if hp == 8 else 7)


@pytest.mark.parametrize(("type_", "speed"), [("Fire", 1), ("Water", 0), ("Ghost", 0)])
def test_only_a_super_effective_hit_is_a_weak_one(type_, speed):
    data = f"""
[types.Grass]
weak = ["Fire"]
resists = ["Water"]
[moves.hit]
category = "physical"
type = "{type_}"
bap = 1
energy = 0
command = true
[abilities.sore]
effects = [{{ when = "weak", do = "stage", stat = "speed" }}]
[species.newt]
types = ["Grass"]
base = [9, 9, 9, 9, 9, 9]
moves = []
abilities = ["sore"]
"""
    setting = fight("orders = 'hit'", "species = 'newt'", data)
    assert course_after(setting).stage(1, "speed") == speed


def course_after(setting):
    return Course(setting.battle, played(setting)[0])


def test_who_replies_posts_last():
    """Of two that are as fast, the earlier post acts first, and takes the last HP."""
    data = "[moves.hit]\ncategory = 'physical'\nbap = 9\nenergy = 0\n"
    data += "[species.newt]\ntypes = ['Ice']\nbase = [9, 9, 9, 9, 9, 9]\nmoves = ['hit']\n"
    own = "species = 'newt', hp = 1, orders = 'hit'"
    for first in "ab":
        setting = fight(own, own, data, first=first)
        replies = Search(setting.battle, 0).best_replies(setting.state, {1: setting.orders[1]})
        leads = Search(setting.battle, 0).best_leads(setting.state)
        assert (replies[0].worth, leads[0].worth) == (-1, 1)


LEVELS = (
    "".join(
        f"[moves.{name}]\ncategory = 'other'\nenergy = 1\nlevel = {n}\n"
        for name, n in (("own", 1), ("high", 3), ("sign", 3))
    )
    + "[species.newt]\ntypes = ['Water']\nbase = [9, 9, 9, 9, 9, 9]\nmoves = ['own', 'high']\n"
)


@pytest.mark.parametrize(
    ("level", "battle", "known"),
    [(3, 4, "own high sign"), (1, 4, "own sign"), (0, 4, "sign"), (1, 2, "own"), (4, 2, "own")],
)
def test_signature_moves_are_known_at_any_level_that_the_battle_allows(level, battle, known):
    newt = f"species = 'newt', level = {level}"
    setting = fight(newt, "", LEVELS + "signature = ['sign']\n", level=battle)
    assert " ".join(setting.battle.roster[0].moves) == known


NEEDED = """\
orders = 'z-force slam', level = 3 | 4 | advanced techniques need Level 4 (6.3)
orders = 'dynamax: max slam' | 3 | advanced techniques need Level 4 (6.3)
orders = 'max slam' | 4 | begin with dynamax:
nature = 'quiet', level = 2 | 4 | nature: not accepted; it needs Level 3
tera = 'Ice', terastal = true | 3 | terastal: not accepted; advanced techniques need Level 4
orders = 'dynamax: jab', level = 3 | 4 | dynamax: advanced techniques need Level 4 (6.3)"""


@pytest.mark.parametrize("row", NEEDED.splitlines())
def test_techniques_and_natures_need_their_level(row):
    own, level, message = row.split(" | ")
    most = "[moves.most]\ncategory='physical'\nbap=1\nenergy=1\nmax_type='Typeless'\n"
    with refused(message):
        fight(KNOWS + own, "", most, level=int(level))


@pytest.mark.parametrize("row", ["orders = 'z-pierce jab' | dynamax", "terastal = true | z-move"])
def test_a_match_may_allow_some_advanced_techniques_only(row):
    own, allowed = row.split(" | ")
    fight(KNOWS + own, "")
    with refused("the match does not allow"):
        fight(KNOWS + own, "", techniques=[allowed])


@pytest.mark.parametrize(("level", "type_"), [(3, "Normal"), (4, "Fire")])
def test_hidden_power_has_its_type_from_level_4_on(level, type_):
    data = "[moves.'hidden power']\ntype='Fire'\ncategory='special'\nbap=6\nenergy=5\n"
    for own, match in ((level, 4), (4, level)):
        battle = fight(f"level = {own}", "", data, level=match).battle
        assert battle.move(0, Order("hidden power")).type == type_


@pytest.mark.parametrize(
    ("level", "match", "known"),
    [(4, {}, 2), (1, {}, 1), (4, {"level": 1}, 1), (4, {"abilities": 0}, 0)],
)
def test_hidden_abilities_need_level_2_and_a_match_may_limit_them(level, match, known):
    data = "[species.newt]\ntypes = ['Water']\nbase = [9, 9, 9, 9, 9, 9]\n"
    data += "abilities = ['Hustle']\nhidden = ['Iron Fist']\n"
    setting = fight(f"species = 'newt', level = {level}", "", data, **match)
    assert len(setting.battle.roster[0].abilities) == known


def test_a_team_makes_one_z_move_in_a_round():
    own = KNOWS + "orders = 'z-force slam'"
    setting = fight([own, own], ["", ""], positions=2, tech=2)
    state, told = played(setting)
    assert [line for line in told if "cannot" in line] == ["cannot 1 its costs"]
    assert state.tech[0] == 1


def test_who_has_grown_makes_no_z_move():
    own = "species = 'cresceidon', orders = 'dynamax: z-force slam'"
    state, told = played(fight(own, "", tech=2))
    assert "grows 0" in told
    assert "cannot 0 its costs" in told
    assert state.tech[0] == 1


@pytest.mark.parametrize("on", ["team", "other_team"])
def test_what_lies_on_the_whole_battle_reaches_the_fields_of_both_teams(on):
    data = f"""
[conditions.storm]
effects = [{{ when = "end_step", do = "inflict", condition = "wall", on = "{on}" }}]
[conditions.wall]
[moves.call]
category = "other"
energy = 1
target = "user"
command = true
effects = [{{ do = "inflict", condition = "storm", on = "battle" }}]
"""
    state, _ = played(fight("orders = 'call'", "", data))
    assert [held.name for field in state.fields for held in field] == ["storm", "wall", "wall"]


def test_who_did_not_grow_makes_no_max_move():
    own = "species = 'cresceidon', orders = 'dynamax: max splash down'"
    _, told = played(fight(own, "", first="b"))
    assert "cannot 0 it has not grown" in told


def test_a_team_has_no_species_twice_unless_the_match_allows_it():
    with refused("a: pokemon: golduck, golduck: give each species once"):
        fight(["", ""], "", species_restriction=True)
    fight(["", KNOWS], "", species_restriction=True)


def test_switching_out_keeps_major_statuses_only():
    own = "conditions = ['burn', 'confusion'], stages = { attack = 2 }"
    now = course(fight([own, ""], ["", ""]))
    now.leave(0, BENCH)
    f = now.frozen().fighters[0]
    assert ([held.name for held in f.conditions], f.stages, f.place) == (["burn"], (), BENCH)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("when = 'hit', do = 'power', amount = 2", "a verb that goes with when = 'hit'"),
        ("when = 'while', do = 'heal', amount = 2", "a verb that goes with when = 'while'"),
        ("do = 'heal', amount = 2, on = 'battle'", "on: 'battle' is not accepted; give Pokemon"),
        ("do = 'convert', stat = 'attack'", "into: missing beside do = 'convert'"),
    ],
)
def test_effects_that_make_no_sense_are_refused(effect, message):
    data = f"[moves.odd]\ncategory = 'other'\nenergy = 1\neffects = [{{ {effect} }}]\n"
    with refused(message):
        catalogue(data)


def test_an_effect_that_sets_itself_off_is_refused():
    data = """
[conditions.echo]
effects = [{ when = "made", do = "inflict", condition = "echo" }]
[moves.shout]
category = "other"
energy = 1
target = "user"
command = true
effects = [{ do = "inflict", condition = "echo" }]
"""
    with refused("echo sets itself off without end"):
        played(fight("orders = 'shout'", "", data))
