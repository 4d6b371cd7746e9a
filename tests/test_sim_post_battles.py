"""Battles by post as games: with random data, from their records, simulated against exact."""

import json
import math
import tomllib
from collections import Counter

import numpy as np
import pytest

from pucklab.physics import InputError
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.core.records import game_record_from, record_json, record_of, replay
from pucklab.sim.post.catalogue import _OBJECTS, ONGOING, TYPES, When, catalogue_from
from pucklab.sim.post.numbers import clip_stage
from pucklab.sim.post.play import POST_GAME, Setup, at_random, draw_by_numbers, play_round
from pucklab.sim.post.search import round_odds
from pucklab.sim.post.switching import begin_round
from tests.postbattles import catalogue, fight
from tests.slowness import slow

COMMANDS = tomllib.loads("""
[chill]
category = "other"
energy = 0
target = "user"
command = true
effects = [{ do = "change", what = "energy", amount = 12, as = "chill" }]
[struggle]
category = "physical"
bap = 5
energy = 0
command = true
""")
DURATIONS = ["1 turn", "3 turns", "2 steps", "1 round", "leaving", "ever"]
HAPPENING = [do for do in _OBJECTS if do not in {*ONGOING, "order"}]
LATE = When.__args__[7:]
TERMS = ["target is hurt", "it is not c0", "user's hp < 50%", "it has a major status", "user is c1"]
PER = [
    "user's c0 counters",
    "user's damage",
    "it's healed",
    "target's weight",
    "user's speed stage",
]


def one_of(rng, values):
    return values[rng.integers(len(values))]


def effect(rng, when, verbs, conditions):
    """Return a random effect."""
    do, fields = one_of(rng, verbs), []
    own = {"when": when, "do": do, "amount": int(rng.integers(-3, 6))}
    objects = _OBJECTS[do]
    if do in {"make", "remove"} or (do in {"forbid", "change"} and rng.random() < 0.3):
        objects, fields = conditions, ["battle", "team", "other_team"] if do != "forbid" else []
        fields = [] if do == "change" else fields
    own |= {"what": one_of(rng, objects), "type": one_of(rng, TYPES[:18])}
    if do == "change" and own["what"] == "hp" and rng.random() < 0.3:
        own |= {"as": "recovery"}
    if do == "instead":
        own |= {"what": "attack stage", "into": ["speed", "defense"]}
    if do == "modify" and own["what"] in {"damage", "damage taken", "bap"}:
        own |= {"amount": abs(own["amount"])}
    if do == "change" and "maximum" in own["what"]:
        own |= {"amount": 0}
    if own["what"] == "attempt":
        own |= {"only": ["!attack"]}
    if rng.random() < 0.2:
        own |= {"per": one_of(rng, PER), "least": -3, "most": 9}
    where = ["self", "target", "maker", "opponents", "allies", "all", *fields]
    own |= {"on": one_of(rng, where)}
    if do in {"make", "change"} and when != "while":
        own |= {"for": one_of(rng, DURATIONS), "next": bool(rng.integers(2))}
    if when == "while" and rng.random() < 0.5 and "only" not in own:
        own |= {"only": [one_of(rng, ["attack", "physical", "non-attack", "!contact"])]}
    return own | ({"if": one_of(rng, TERMS)} if rng.random() < 0.3 else {})


def effects(rng, times, verbs, conditions):
    return [effect(rng, one_of(rng, times), verbs, conditions) for _ in range(rng.integers(3))]


def random_data(rng):
    """Return the table of a random data file."""
    conditions = [f"c{n}" for n in range(4)]
    things = {
        name: {
            "effects": effects(rng, ["while"], ONGOING, conditions)
            + effects(rng, LATE, HAPPENING, conditions)
        }
        for name in ("t0", "t1", "t2")
    }
    chart = {
        one_of(rng, TYPES[:18]): {
            "weak": [one_of(rng, TYPES[:18])],
            "immune": [one_of(rng, TYPES[:18])],
        }
    }
    moves = {}
    for n in range(6):
        attack = n < 4
        moves[f"m{n}"] = {
            "type": one_of(rng, TYPES[:18]),
            "category": one_of(rng, ["physical", "special"]) if attack else "other",
            **({"bap": int(rng.integers(15))} if attack else {}),
            **({"accuracy": int(rng.integers(40, 101))} if rng.random() < 0.7 else {}),
            "energy": int(rng.integers(15)),
            "priority": int(rng.integers(-2, 3)),
            "hits": sorted(map(int, rng.integers(1, 5, size=2))),
            "contact": bool(rng.integers(2)),
            "effect_chance": int(rng.integers(1, 101)),
            "target": one_of(rng, ["one target", "all others", "all opponents", "user"]),
            "effects": effects(rng, ["execute", "hit", "check", "after"], HAPPENING, conditions),
        }
    return {
        "types": chart,
        "moves": {**COMMANDS, **moves},
        "conditions": {
            name: {
                "kind": one_of(rng, ["major", "minor", "marker"]),
                "for": one_of(rng, DURATIONS),
                # Those that are inflicted whenever they are made may go on without end.
                "effects": [
                    effect
                    for effect in things[one_of(rng, list(things))]["effects"]
                    if (effect["when"], effect["do"]) != ("made", "make")
                ],
            }
            for name in conditions
        },
        "abilities": things,
        "items": things,
        "species": {
            f"s{n}": {
                "types": [one_of(rng, TYPES[:18])],
                "base": [int(x) for x in rng.integers(1, 256, size=6)],
                "moves": list(moves),
                "abilities": [one_of(rng, list(things))],
            }
            for n in range(3)
        },
    }


def match_of(setup, seed):
    return Match(POST_GAME, setup, [RandomPlayer()] * 2, seed, kinds=["random"] * 2)


def random_battle(rng):
    doubles = int(rng.integers(1, 3))
    size = int(rng.integers(doubles, 4))

    def pokemon(name):
        items = ["t1"] if rng.integers(2) else []
        return {"name": name, "species": f"s{rng.integers(3)}", "items": items}

    teams = [
        {"name": team, "pokemon": [pokemon(f"{team}{n}") for n in range(size)]} for team in "ab"
    ]
    match = {"positions": doubles, "team_size": size, "half_start": bool(rng.integers(2))}
    match |= {"species_restriction": False, "max_rounds": 12}
    return {"match": match, "team": teams}


def check_state(position, before):
    """Check what must hold of every state between rounds."""
    state, battle = position.state, position.battle
    for i, (f, g) in enumerate(zip(before.state.fighters, state.fighters, strict=True)):
        if state.winner is None:
            assert 0 <= g.hp <= max(g.most_hp, f.hp)
            assert 0 <= g.energy <= g.most_energy
            assert g.place < 0 or min(g.hp, g.energy) > 0
        assert g.recoveries >= 0
        assert g.chills >= 0
        for stat, value, until in g.stages:
            assert value == clip_stage(stat, value) != 0
            assert until.left > 0 or until.unit in {"leaving", "ever"}
        names = [(held.name, held.alias) for held in g.conditions]
        assert len(set(names)) == len(names), i
        for held in g.conditions:
            assert held.counters >= 0
            assert held.duration.left > 0 or held.duration.unit in {"leaving", "ever"}
    if state.queue is None and state.steps:  # times have no gaps: equal states are one
        held = [one.stamp for own in (*(f.conditions for f in state.fighters), *state.fields)
                for one in own]  # fmt: skip
        times = {0, *held, *(f.entry for f in state.fighters)}
        assert times == {*range(len(times))}
    places = [(own.team, f.place) for own, f in zip(battle.roster, state.fighters, strict=True)]
    taken = [one for one in places if one[1] >= 0]
    assert len(taken) == len({*taken}) <= 2 * battle.match.positions
    assert not {*state.vacant} & {*taken}


@pytest.mark.parametrize(("files", "each"), [(8, 3), slow(1000, 10)])
def test_random_battles_end_keep_the_invariants_and_replay(files, each):
    ended = Counter()
    for seed in range(files):
        rng = np.random.default_rng(seed)
        data = catalogue_from([("random:", random_data(rng))])
        for _ in range(each):
            setup = Setup(battle=random_battle(rng), data=data)
            match = match_of(setup, int(rng.integers(1000)))
            for step in match.play():
                check_state(step.after, step.before)
            ended[match.state.state.winner] += 1
            if len(match.steps) > 1 and rng.random() < 0.2:
                record = game_record_from(
                    POST_GAME, json.loads(record_json(POST_GAME, record_of(match)))
                )
                *_, last = replay(POST_GAME, record)
                assert last.after == match.state
    assert min(ended[0], ended[1]) > files * each / 10


PAIR = {
    "team": [
        {"name": n, "pokemon": [{"species": s}]} for n, s in (("a", "murkrow"), ("b", "golduck"))
    ]
}


def test_every_option_reads_back_and_what_is_illegal_is_refused():
    setup = Setup(battle=PAIR | {"match": {"steps": 2}}, data=catalogue())
    match = match_of(setup, 3)
    for _ in range(4):
        state, now = match.state, match.open
        options = now.options if isinstance(now, Decision) else [match.choose()]
        for option in options:
            assert POST_GAME.read(state, POST_GAME.text(state, option)) == option
        match.step(match.choose())
    chance = POST_GAME.open(match.steps[2].before)
    rolls = chance.draw(np.random.default_rng(1))
    for wrong in ((), (*rolls, 0), (99, *rolls[1:])):
        with pytest.raises(InputError, match="rolls"):
            POST_GAME.apply(match.steps[2].before, wrong)
    for text in ("", "rolls x", "jab"):
        with pytest.raises(InputError):
            POST_GAME.read(match.steps[2].before, text)


def test_a_person_names_the_two_of_a_switch_either_way_round():
    teams = [
        {"name": n, "pokemon": [{"species": s} for s in own]}
        for n, own in {"a": ("murkrow", "deoxys", "golduck"), "b": ("cresceidon",)}.items()
    ]
    battle = {"match": {"steps": 1, "switching": True}, "team": teams}
    match = match_of(Setup(battle=battle, data=catalogue()), 3)
    while not isinstance(match.open, Decision) or not isinstance(match.open.options[-1], dict):
        match.step(match.choose())
    *_, option = match.open.options
    text = POST_GAME.text(match.state, option)
    assert " for Murkrow" in text
    for words in (text, " FOR ".join(text.split(" for ")[::-1])):
        assert POST_GAME.read(match.state, words) == option
    with pytest.raises(InputError, match="murkrow for murkrow"):
        POST_GAME.read(match.state, "Murkrow for Murkrow")


def within_four_errors(share, chance, n):
    return abs(share - chance) <= 4 * math.sqrt(chance * (1 - chance) / n)


SUBTLE = (
    (
        "species = 'deoxys', orders = 'glare - slam - quick', hp = 40, "
        "substitutions = ['IF b0 is paralyzed THEN use jab']"
    ),
    (
        "species = 'cresceidon', orders = 'splash down - rest - slam', hp = 40, "
        "conditions = ['confusion'], stages = { accuracy = -1 }"
    ),
)


@pytest.mark.parametrize("rounds", [150, slow(100_000)])
def test_simulated_rounds_agree_with_the_exact_ones(rounds):
    setting = fight(*SUBTLE, steps=3)
    exact = round_odds(setting.battle, setting.state, setting.orders)
    seen, quiet = Counter(), lambda *_: None
    draw = draw_by_numbers(at_random(np.random.default_rng(3)), quiet)
    for _ in range(rounds):
        seen[play_round(setting.battle, setting.state, setting.orders, draw, quiet)] += 1
    assert seen.keys() <= exact.keys()
    assert sum(exact.values()) == 1
    for state, p in exact.items():
        if p * rounds >= 10:
            assert within_four_errors(seen[state] / rounds, float(p), rounds), state


def test_a_battle_that_never_ends_is_undecided():
    match = match_of(Setup(battle=PAIR | {"match": {"max_rounds": 4}}, data=catalogue()), 1)
    while (now := match.open) is not None:
        chill = isinstance(now, Decision) and POST_GAME.read(match.state, "chill - chill - chill")
        match.step(chill or match.choose())
    assert POST_GAME.returns(match.state) == (0, 0)
    assert "undecided after 4 rounds" in POST_GAME.result(match.state)


def test_a_half_start_has_half_the_steps_in_the_first_round():
    setting = fight("orders = ''", "orders = ''", steps=3, half_start=True)
    ended = setting.state._replace(begun=False)
    assert [setting.state.steps, begin_round(setting.battle, ended, None).steps] == [2, 3]
