"""Rules of Battle-By-Post by their section, moves written as data, switching, saved battles."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from pucklab.sim.post.scenario import setting_from, state_toml
from pucklab.sim.post.search import Search
from pucklab.sim.post.state import BENCH, Held, Order
from pucklab.sim.post.switching import begin_round
from tests.postbattles import catalogue, check_row, course, fight, played, refused

TABLE = tomllib.loads((Path(__file__).parent / "data" / "post_rules.toml").read_text())
DATA = TABLE["data"]


@pytest.mark.parametrize("row", TABLE["battle"], ids=lambda row: row["name"])
def test_a_rule(row):
    check_row(row, DATA)


def switched(setting, state, pairs=None, sends=()):
    """Return the state after the Switching phase, and what is told."""
    told, left, pairs = [], list(sends), pairs or {}

    def choose(asked):
        if asked.kind == "send":
            return left.pop(0) if left else asked.options[0]
        assert pairs.get(asked.team, {}) in asked.options, asked
        return pairs.get(asked.team, {})

    def note(kind, i, *more):
        told.append(" ".join(map(str, (kind, i, *more))).lower())

    return begin_round(setting.battle, state, choose, note), told


DOUBLES = {"positions": 2, "switching": True, "team_size": 4}


def test_4_3_replacements_enter_in_the_order_in_which_places_fell_vacant_and_then_act():
    scarer = "species = 'scarer'"
    setting = fight(["", "", scarer, scarer], ["", "", scarer], DATA, **DOUBLES)
    now = course(setting)
    for i in (1, 4, 0):
        now.leave(i, -3)
    now.put(begun=False)
    state, told = switched(setting, now.freeze(), sends=[2, 6, 3])
    assert [line for line in told if line.startswith(("enters", "stage"))] == [
        "enters 2",
        "enters 6",
        "enters 3",
        "stage 5 attack -1",
        "stage 6 attack -1",
        "stage 2 attack -1",
        "stage 3 attack -1",
        "stage 5 attack -2",
        "stage 6 attack -2",
    ]
    assert [state.fighters[i].place for i in (2, 3, 5, 6)] == [1, 0, 1, 0]


def test_4_3_each_place_may_switch_and_hazards_meet_who_enters():
    more = {"b": {"field": ["pointed stones"]}}
    team = ["species = 'curer', hp = 20", "", "species = 'murkrow'", ""]
    setting = fight(["", ""], team, DATA, more=more, **DOUBLES)
    ended = setting.state._replace(begun=False)
    state, told = switched(setting, ended, {1: {2: 4, 3: 5}})
    assert [f.place for f in state.fighters[2:]] == [BENCH, BENCH, 0, 1]
    assert [state.fighters[i].hp for i in (2, 4, 5)] == [40, 70, 80]
    assert state.posts == (1, 0)
    assert "loses 4 15 pointed stones" in told


def test_4_3_who_is_trapped_does_not_switch():
    setting = fight(["conditions = ['trapped']", ""], ["", ""], DATA, switching=True)

    def choose(asked):
        assert (asked.kind, asked.team) == ("switch", 1)
        return asked.options[0]

    begin_round(setting.battle, setting.state._replace(begun=False), choose)


def test_4_3_forced_switches_keep_major_statuses_only():
    own = "conditions = ['burn', 'confusion', 'phazing by b0'], stages = { attack = 2 }"
    setting = fight([own, ""], ["", ""], switching=True)
    state, told = switched(setting, setting.state._replace(begun=False, posts=(1, 0)))
    f = state.fighters[0]
    assert ([held.name for held in f.conditions], f.stages, f.place) == (["burn"], (), BENCH)
    assert state.posts == (1, 0)
    assert "enters 1" in told


def test_4_3_who_is_forced_out_comes_back_only_where_nobody_else_can():
    own = "conditions = ['phazing by b0']"
    setting = fight([own, own, ""], ["", ""], **DOUBLES)
    state, told = switched(setting, setting.state._replace(begun=False))
    assert [line for line in told if line.startswith("enters")] == ["enters 2", "enters 0"]
    assert [f.place for f in state.fighters[:3]] == [1, BENCH, 0]


LEVELS = (
    "".join(
        f"[moves.{name}]\ncategory = 'other'\nenergy = 1\nlevel = {n}\n"
        for name, n in (("own", 1), ("high", 3), ("sign", 3))
    )
    + "[species.newt]\ntypes = ['Water']\nbase = [9, 9, 9, 9, 9, 9]\nmoves = ['own', 'high']\n"
    + "signature = ['sign']\nabilities = ['Hustle']\nhidden = ['Iron Fist']\n"
)


@pytest.mark.parametrize(
    "row",
    [
        "3 4 own high sign 2",
        "1 4 own sign 1",
        "0 4 sign 1",
        "1 2 own 1",
        "4 2 own 2",
        "4 1 own 1",
    ],
)
def test_signature_moves_are_known_at_any_level_that_the_battle_allows(row):
    level, battle, *known, abilities = row.split()
    newt = f"species = 'newt', level = {level}, orders = ''"
    one = fight(newt, "", LEVELS, level=int(battle)).battle.roster[0]
    assert [*one.moves] == known
    assert len(one.abilities) == int(abilities)


@pytest.mark.parametrize(("level", "type_"), [(3, "Normal"), (4, "Fire")])
def test_hidden_power_has_its_type_from_level_4_on(level, type_):
    data = "[moves.'hidden power']\ntype='Fire'\ncategory='special'\nbap=6\nenergy=5\n"
    for own, match in ((level, 4), (4, level)):
        battle = fight(f"level = {own}", "", data, level=match).battle
        assert battle.move(0, Order("hidden power")).type == type_


def test_a_search_tells_rounds_apart_that_a_substitution_looks_back_at():
    sub = "IF b0 has used chill this round THEN use slam"
    own = f"species = 'murkrow', orders = 'calm - calm', substitutions = ['{sub}']"
    settings = [
        fight(own, f"orders = '{first} - calm'", steps=2, energy=False)
        for first in ("calm", "chill")
    ]
    battle, state = settings[0].battle, settings[0].state
    search, worths = Search(battle, 0), []
    for one in settings:
        orders = {0: settings[0].orders[0], 1: one.orders[1]}
        worths.append(search.worth(state, orders))
        assert worths[-1] == Search(battle, 0).worth(state, orders)
    assert worths[0] < worths[1]


def test_who_replies_posts_last():
    """Of two that are as fast, the earlier post acts first, and takes the last HP."""
    data = "[moves.hit]\ncategory = 'physical'\nbap = 9\nenergy = 0\n"
    data += "[species.newt]\ntypes = ['Ice']\nbase = [9, 9, 9, 9, 9, 9]\nmoves = ['hit']\n"
    own = "species = 'newt', hp = 1, orders = 'hit'"
    for first in "ab":
        setting = fight(own, own, data, first=first)
        replies = Search(setting.battle, 0).best_replies(setting.state, {1: setting.orders[1]})
        assert replies[0][0] == -1


@pytest.mark.parametrize("on", ["team", "other_team"])
def test_what_lies_on_the_whole_battle_reaches_the_fields_of_both_teams(on):
    data = f"""
[conditions.storm]
effects = [{{ when = "end_step", do = "make", what = "wall", on = "{on}" }}]
[conditions.wall]
"""
    setting = fight("", "", data, more={"battle": {"battle": ["storm"]}})
    state, _ = played(setting)
    assert [held.name for field in state.fields for held in field] == ["storm", "wall", "wall"]


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("when = 'hit', do = 'modify', what = 'power', amount = 2", "goes with when = 'hit'"),
        ("when = 'while', do = 'change', what = 'hp', amount = 2", "goes with when = 'while'"),
        ("do = 'change', what = 'hp', amount = 2, on = 'battle'", "on: 'battle' is not accepted"),
        ("do = 'change', what = 'hp'", "amount: missing beside do = 'change'"),
        ("do = 'change', what = 'hq', amount = 2", "'hq' is not accepted; give one of hp"),
        ("do = 'make', what = 'burm'", "did you mean burn?"),
        ("do = 'make', what = 'burn', if = 'target is happy'", "state 'happy'"),
        ("do = 'make', what = 'burn', if = 'pikachu is asleep'", "owner 'pikachu'"),
        ("do = 'order', what = 'now', action = 'no'", "'no' is not accepted"),
        ("when = 'while', do = 'instead', what = 'attack stage'", "into: missing"),
        ("when = 'while', do = 'modify', what = 'weakness'", "type: missing"),
    ],
)
def test_effects_that_make_no_sense_are_refused(effect, message):
    data = f"[moves.odd]\ncategory = 'other'\nenergy = 1\neffects = [{{ {effect} }}]\n"
    with refused(message):
        catalogue(data)


def test_a_chart_of_a_type_that_there_is_not_is_refused():
    with refused("'Fyre' is not accepted"):
        catalogue("[types.fyre]\nweak = ['Water']\n")


def test_an_effect_that_sets_itself_off_is_refused():
    data = """
[conditions.echo]
kind = "marker"
effects = [{ when = "made", do = "make", what = "echo" }]
[moves.shout]
category = "other"
energy = 1
target = "user"
command = true
effects = [{ do = "make", what = "echo" }]
"""
    with refused("echo sets itself off without end"):
        played(fight("orders = 'shout'", "", data))


def table_of(setting, state):
    """Return the table of the file of a state."""
    table = tomllib.loads(state_toml(setting, state))
    assert table.pop("schema") == 1
    return table


def saved(setting, state):
    """Return a battle as it is read back from the file of a state."""
    return setting_from(table_of(setting, state), setting.battle.catalogue)


def test_a_saved_battle_is_the_whole_state():
    own = "species = 'stone', items = ['potion'], orders = 'sandstorm - guard'"
    foe = "orders = 'stealth rock - heart swap', stages = { speed = '2 for 3 turns' }"
    more = {"a": {"backpack": ["potion", "revive"]}}
    setting = fight([own, ""], [foe, "hp = 7"], DATA, steps=2, more=more)
    held = Held("sealed", stamp=9, maker=2, note=("jab", "slam"), alias="torment")
    f = setting.state.fighters[0]._replace(
        conditions=(held,), types=("Ice",), abilities=("rod",), spent=True, recoveries=0
    )
    state = setting.state._replace(fighters=(f, *setting.state.fighters[1:]), tech=(0, 1))
    again = saved(replace(setting, state=state), state)
    assert again.state == state
    end, _ = played(replace(setting, state=state))
    other = saved(setting, end)
    begun, _ = switched(setting, end)
    assert other.state == begun
    assert other.state.fields[0]


def test_a_saved_battle_asks_for_who_is_sent():
    setting = fight(["hp = 1, conditions = ['burn']", "", "species = 'murkrow'"], "")
    end, _ = played(setting)
    assert saved(setting, end).missing == "a: send: a place is empty; give one of a1, a2"
    table = table_of(setting, end)
    table["team"][0]["send"] = ["a2"]
    state = setting_from(table, setting.battle.catalogue).state
    assert [f.place for f in state.fighters[:3]] == [-3, -2, 0]
    table["team"][0]["send"] = ["a9"]
    with refused("a: send: 'a9' is not accepted; give one of a1, a2"):
        setting_from(table, setting.battle.catalogue)


def test_the_only_one_that_can_be_sent_is_sent():
    setting = fight(["hp = 1, conditions = ['burn']", ""], "")
    end, _ = played(setting)
    assert [f.place for f in saved(setting, end).state.fighters] == [-3, 0, 0]


def test_a_saved_battle_switches_as_its_file_says():
    setting = fight(["", ""], "", first="b", switching=True)
    end, _ = played(setting)
    table = table_of(setting, end)
    table["team"][0]["switch"] = ["a1 for a0"]
    state = setting_from(table, setting.battle.catalogue).state
    assert [f.place for f in state.fighters] == [BENCH, 0, 0]
    table["team"][0]["switch"] = ["A0 for A1"]  # only one of them is in play
    assert setting_from(table, setting.battle.catalogue).state == state
    table["team"][0]["switch"] = ["a0 for a0"]
    with refused("a: switch: 'a0 for a0' is not accepted; give a1 for a0"):
        setting_from(table, setting.battle.catalogue)
    table["team"][0]["switch"] = ["a0 for a1"]
    table["first"] = "a"
    with refused("a: switch: the starting player declares none, so nobody else may (4.3)"):
        setting_from(table, setting.battle.catalogue)


def test_a_battle_has_two_teams():
    with refused("team: none: give two teams of different names"):
        setting_from({"team": []}, catalogue())
