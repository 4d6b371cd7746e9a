"""Battles by post for tests: house data with some more, in a few words."""

import re
import tomllib
from collections import Counter
from fractions import Fraction
from functools import cache, partial

import pytest

from pucklab.physics import InputError
from pucklab.sim.chance.distribution import distribution, mean
from pucklab.sim.post.catalogue import catalogue_from, read_catalogue
from pucklab.sim.post.engine import Course, play_step
from pucklab.sim.post.scenario import held_text, setting_from
from pucklab.sim.post.search import round_odds
from pucklab.sim.post.values import holds, read_test, value_of

CALM = "[moves.calm]\ncategory = 'other'\nenergy = 0\ntarget = 'user'\ncommand = true\n"
"""A move that does nothing."""


@cache
def catalogue(data=""):
    return catalogue_from([("test data:", tomllib.loads(CALM + data))], read_catalogue())


def table(pokemon):
    if isinstance(pokemon, str):
        return tomllib.loads("own = { " + pokemon.strip(", ") + " }")["own"]
    return pokemon


def fight(a, b, data="", first="", more=None, **match):
    """Return the setting of a battle of two teams, each a Pokemon's table or several.

    Pokemon are Golducks a0, b0, b1, ... that do nothing, but for what their tables say: as in a
    battle's file, or the text of one, such as "hp = 30, orders = 'jab'".
    """
    teams = [own if isinstance(own, list) else [own] for own in (a, b)]
    match = {"steps": 1, "species_restriction": False} | match
    calm = {"species": "golduck", "orders": " - ".join(["calm"] * match["steps"])}
    tables = [
        {
            "name": team,
            "pokemon": [{"name": f"{team}{n}", **calm, **table(one)} for n, one in enumerate(own)],
            **(more or {}).get(team, {}),
        }
        for team, own in zip("ab", teams, strict=True)
    ]
    battle = {"match": match, "team": tables, "first": first or "a"}
    return setting_from(battle | (more or {}).get("battle", {}), catalogue(data))


def played(setting, draws=(), steps=None):
    """Play steps with some draws, then the likeliest; return the state and what is told."""
    state, told, left = setting.state, [], list(draws)

    def draw(part, _):
        return left.pop(0) if left else max(part.items, key=lambda item: item[1])[0]

    def note(kind, i, *more):
        told.append(" ".join(map(str, (kind, i, *more))).lower())

    for _ in range(steps or state.steps):
        state = play_step(setting.battle, state, setting.orders, draw, note)
    return state, told


def odds(setting, value):
    """Return the distribution of a value of the state after the round."""
    table = Counter()
    for state, p in round_odds(setting.battle, setting.state, setting.orders).items():
        table[value(state)] += p
    return dict(table)


def refused(message):
    """Return a context in which a user's mistake is expected."""
    return pytest.raises(InputError, match=re.escape(message))


def course(setting, state=None):
    return Course(setting.battle, state or setting.state, setting.orders)


def seat(setting, name):
    return [own.name.lower() for own in setting.battle.roster].index(name)


def is_so(setting, state, clause):
    """Return whether a state clause, such as "a0 is asleep", holds of a state."""
    test = read_test(clause, setting.battle.catalogue.words, partial(seat, setting))
    return holds(test, course(setting, state), {})


def in_order(wanted, told):
    """Return whether lines with these beginnings appear in this order; others may stand between."""
    left = iter(told)
    return all(any(line.startswith(one) for line in left) for one in wanted)


def check_row(row, data):
    """Check a battle of a table: what is told, in this order, what holds afterwards, odds."""

    def begin():
        teams = row.get("a", ""), row.get("b", "")
        return fight(*teams, data, row.get("first", ""), row.get("more"), **row.get("match", {}))

    if "refused" in row:
        with refused(row["refused"]):
            begin()
        return
    setting = begin()
    state, told = played(setting, row.get("draws", ()), row.get("steps"))
    assert in_order(row.get("told", ()), told) != row.get("fails", False), told
    for clause in row.get("holds", ()):
        assert is_so(setting, state, clause), (clause, told)
    for clause, text in row.get("odds", {}).items():
        parts = [Fraction(word) for word in text.split()]
        assert chances(setting, clause) == dict(zip(parts[::2], parts[1::2], strict=True))
    for clause, average in row.get("mean", {}).items():
        assert mean(distribution(chances(setting, clause).items())) == Fraction(average)
    f = state.fighters[0]
    if "durations" in row:
        assert [f"{s.stat} {s.value} {s.duration}" for s in f.stages] == row["durations"]
    if "conditions" in row:
        names = [own.name for own in setting.battle.roster]
        assert [held_text(one, names) for one in f.conditions] == row["conditions"]


def chances(setting, clause):
    """Return the distribution after a round of a value, such as "b0's hp"."""
    test = read_test(f"{clause} is 0", setting.battle.catalogue.words, partial(seat, setting))
    return odds(setting, lambda state: value_of(course(setting, state), test.who, test.value))
