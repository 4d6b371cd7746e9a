"""Whole battles by post: with random data, from their records, simulated against exact."""

import math
import tomllib
from collections import Counter
from typing import get_args

import numpy as np
import pytest

from physics import InputError
from sim.post.catalogue import TYPES, Happens, Ongoing, When, catalogue_from
from sim.post.engine import Battle
from sim.post.numbers import Stat, clipped
from sim.post.play import (
    Contest,
    begin_round,
    decisions,
    play_battle,
    play_battles,
    replay,
    rolling,
)
from sim.post.scenario import setting_from
from sim.post.search import round_odds
from tests.postbattles import fight
from tests.slowness import slow

COMMANDS = tomllib.loads("""
[chill]
category = "other"
energy = 0
target = "user"
command = true
effects = [{ do = "energy", amount = 12, chill = true }]
[struggle]
category = "physical"
bap = 5
energy = 0
command = true
""")
STATS = get_args(Stat)[:5]
DURATIONS = ["1 turn", "3 turns", "2 steps", "1 round", "leaving", "ever"]
HAPPENING = get_args(Happens)
ONGOING = [*(do for do in get_args(Ongoing) if do != "replace"), "stage"]
LATE = get_args(When)[6:]


def one_of(rng, values):
    return values[rng.integers(len(values))]


def effect(rng, when, verbs, conditions):
    """Return a random effect."""
    do, fields = one_of(rng, verbs), []
    own = {"when": when, "do": do, "amount": int(rng.integers(-3, 6))}
    own |= {"stat": one_of(rng, [*STATS, "accuracy", "evasion", "critical"])}
    own |= {"into": [one_of(rng, STATS)], "type": one_of(rng, TYPES)}
    own |= {"per": one_of(rng, ["one", "one", "counters", "damage", "healed", "weight"])}
    if do == "rank":
        own |= {"stat": one_of(rng, STATS[:4])}
    if do in {"inflict", "discard", "halve", "unaffected"}:
        own |= {"condition": one_of(rng, conditions), "counters": int(rng.integers(3))}
        fields = ["battle", "team", "other_team"] if do != "unaffected" else []
    own |= {"on": one_of(rng, ["self", "target", "maker", "opponents", "allies", "all", *fields])}
    if do in {"inflict", "stage"} and when != "while":
        own |= {"for": one_of(rng, DURATIONS), "next": bool(rng.integers(2))}
    if do in {"lose", "heal"}:
        own |= {"least": 0}
    if when == "while" and rng.random() < 0.5:
        own |= {"only": [one_of(rng, ["attack", "physical", "non-attack", "!contact"])]}
    if rng.random() < 0.2:
        own |= {one_of(rng, ["needs", "unless"]): one_of(rng, [*conditions, "hurt", "major"])}
    return own


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
    chart = {one_of(rng, TYPES): {"weak": [one_of(rng, TYPES)], "immune": [one_of(rng, TYPES)]}}
    moves = {}
    for n in range(6):
        attack = n < 4
        moves[f"m{n}"] = {
            "type": one_of(rng, TYPES),
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
                    if (effect["when"], effect["do"]) != ("made", "inflict")
                ],
            }
            for name in conditions
        },
        "abilities": things,
        "items": things,
        "species": {
            f"s{n}": {
                "types": [one_of(rng, TYPES)],
                "base": [int(x) for x in rng.integers(1, 256, size=6)],
                "moves": list(moves),
                "abilities": [one_of(rng, list(things))],
            }
            for n in range(3)
        },
    }


def random_battle(rng, catalogue):
    doubles = int(rng.integers(1, 3))
    size = int(rng.integers(doubles, 4))

    def pokemon(name):
        items = ["t1"] if rng.integers(2) else []
        return {"name": name, "species": f"s{rng.integers(3)}", "items": items}

    teams = [
        {"name": team, "pokemon": [pokemon(f"{team}{n}") for n in range(size)]} for team in "ab"
    ]
    match = {"positions": doubles, "team_size": size, "half_start": bool(rng.integers(2))}
    match |= {"species_restriction": False, "max_rounds": 25}
    return setting_from({"match": match, "team": teams}, catalogue)


class Checked(Battle):
    """A battle whose states are checked after each step."""

    def play_step(self, state, orders, draw, _=None):
        """Play a step and check what it leaves."""
        told = []
        after = super().play_step(state, orders, draw, lambda *one: told.append(one))
        for i, (f, g) in enumerate(zip(state.fighters, after.fighters, strict=True)):
            own = self.roster[i]
            if after.winner is None:
                assert 0 <= g.hp <= max(own.stats.hp, f.hp)
                assert 0 <= g.energy <= own.species.energy
                assert g.place < 0 or min(g.hp, g.energy) > 0
            assert 0 <= g.recoveries <= f.recoveries
            assert 0 <= g.chills <= f.chills
            for stat, value, until in g.stages:
                assert value == clipped(stat, value) != 0
                assert until.left > 0 or until.unit in {"leaving", "ever"}
            names = [(held.name, held.alias) for held in g.conditions]
            assert len(set(names)) == len(names)
            made = {one[2] for one in told if one[:2] == ("gets", i)}
            before = {held.name: held for held in f.conditions}
            for held in g.conditions:
                assert held.counters >= 0
                assert held.duration.left > 0 or held.duration.unit in {"leaving", "ever"}
                goes_on = g.place >= 0 and after.winner is None
                if held.name in before.keys() - made and goes_on:
                    fell = before[held.name].duration.left - held.duration.left
                    assert fell == 1 if held.duration.unit == "steps" else fell >= 0
        assert sum(f.place >= 0 for f in after.fighters) <= 2 * self.match.positions
        return after


def facts_of(battle):
    return {name: getattr(battle, name) for name in ("catalogue", "match", "teams", "roster")}


@pytest.mark.parametrize(("files", "each", "least"), [(8, 3, 3), slow(1000, 10, 3000)])
def test_random_battles_end_keep_the_invariants_and_replay(files, each, least):
    ended = Counter()
    for seed in range(files):
        rng = np.random.default_rng(seed)
        catalogue = catalogue_from([("random:", random_data(rng))])
        for _ in range(each):
            setting = random_battle(rng, catalogue)
            battle = Checked(**facts_of(setting.battle))
            kinds = [one_of(rng, ["random", "greedy"]) for _ in range(2)]
            end, record = play_battle(
                battle, setting.state, [decisions(kind, rng) for kind in kinds], rolling(rng)
            )
            assert replay(battle, setting.state, record) == end
            ended[end.winner] += 1
    assert min(ended[0], ended[1]) > least


@pytest.mark.parametrize("record", [[], [{"0": ["jab"]}], [{"0": ["no such move"]}, 3], [7]])
def test_a_record_of_another_battle_is_refused(record):
    setting = fight("", "")
    with pytest.raises(InputError):
        replay(setting.battle, setting.state, record)


def test_a_record_sends_only_who_may_be_sent():
    setting, rng = fight(["hp = 1", "hp = 1"], ""), np.random.default_rng(1)
    first, *others = setting.state.fighters
    state = setting.state._replace(fighters=(first._replace(place=-1), *others))
    choose = [decisions("greedy", rng)] * 2
    end, record = play_battle(setting.battle, state, choose, rolling(rng))
    assert replay(setting.battle, state, record) == end
    with pytest.raises(InputError):
        replay(setting.battle, state, [record[0] - 3, *record[1:]])


DUEL = (
    "species = 'murkrow', hp = 30, orders = ''",
    "species = 'golduck', hp = 30, orders = ''",
)


@pytest.mark.parametrize("battles", [250, slow(100_000)])
def test_simulated_duels_agree_with_the_exact_chance(battles):
    setting = fight(*DUEL, energy=False, max_rounds=500)
    contest = Contest(setting=setting, policies=("=slam", "=jab"))
    tally = play_battles(contest, 1, 0, battles)
    assert sum(tally.wins) == tally.trials == battles
    assert within_four_errors(tally.wins[0] / battles, 22001 / 64000, battles)


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
    rng, seen = np.random.default_rng(3), Counter()
    draw = rolling(rng)
    for _ in range(rounds):
        state = setting.state
        while True:
            state = setting.battle.play_step(state, setting.orders, draw)
            if state.step == 0 or state.winner is not None:
                break
        seen[state] += 1
    assert seen.keys() <= exact.keys()
    assert sum(exact.values()) == 1
    for state, p in exact.items():
        if p * rounds >= 10:
            assert within_four_errors(seen[state] / rounds, float(p), rounds), state


def test_the_same_seed_gives_the_same_battles_in_any_parts():
    setting = fight(*DUEL, energy=False)
    contest = Contest(setting=setting, policies=("random", "greedy"))
    whole = play_battles(contest, 5, 0, 30)
    parts = [play_battles(contest, 5, first, 10) for first in (0, 10, 20)]
    assert whole.wins == tuple(sum(part.wins[t] for part in parts) for t in (0, 1))


def test_a_battle_that_never_ends_is_undecided():
    setting = fight("species = 'golduck', orders = ''", "orders = ''", max_rounds=4)
    contest = Contest(setting=setting, policies=("=chill", "=chill"))
    tally = play_battles(contest, 1, 0, 3)
    assert (tally.wins, tally.rounds) == ((0, 0), {"4": 3})


def test_a_half_start_has_half_the_steps_in_the_first_round():
    setting = fight("", "", steps=3, half_start=True)
    steps = [begin_round(setting.battle, setting.state, n, []).steps for n in (1, 2)]
    assert steps == [2, 3]
