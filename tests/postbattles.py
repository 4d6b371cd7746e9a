"""Battles by post for tests: house data with some more, in a few words."""

import re
import tomllib
from collections import Counter
from functools import cache

import pytest

from physics import InputError
from sim.post.catalogue import catalogue_from, read_catalogue
from sim.post.engine import Course
from sim.post.scenario import setting_from
from sim.post.search import round_odds

CALM = "[moves.calm]\ncategory = 'other'\nenergy = 0\ntarget = 'user'\ncommand = true\n"
"""A move that does nothing."""


@cache
def catalogue(data=""):
    return catalogue_from([("test data:", tomllib.loads(CALM + data))], read_catalogue())


def table(pokemon):
    if isinstance(pokemon, str):
        return tomllib.loads("own = { " + pokemon.strip(", ") + " }")["own"]
    return pokemon


def fight(a, b, data="", first="", **match):
    """Return the setting of a battle of two teams, each a Pokemon's table or several.

    Pokemon are Golducks a0, b0, b1, ... that do nothing, but for what their tables say: as in a
    battle's file, or the text of one, such as "hp = 30, orders = 'jab'".
    """
    teams = [own if isinstance(own, list) else [own] for own in (a, b)]
    match = {"steps": 1, "species_restriction": False} | match
    steps = match["steps"]
    calm = {"species": "golduck", "orders": " - ".join(["calm"] * steps)}
    tables = [
        {
            "name": team,
            "pokemon": [{"name": f"{team}{n}", **calm, **table(one)} for n, one in enumerate(own)],
        }
        for team, own in zip("ab", teams, strict=True)
    ]
    return setting_from({"match": match, "team": tables, "first": first or "a"}, catalogue(data))


def played(setting, draws=(), steps=1):
    """Play steps with some draws, then the likeliest; return the state and what is told."""
    state, told, left = setting.state, [], list(draws)

    def draw(part, _):
        return left.pop(0) if left else max(part.items, key=lambda item: item[1])[0]

    def note(kind, i, *more):
        told.append(" ".join(map(str, (kind, i, *more))).lower())

    for _ in range(steps):
        state = setting.battle.play_step(state, setting.orders, draw, note)
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


def hp(i):
    return lambda state: state.fighters[i].hp


def course(setting):
    return Course(setting.battle, setting.state, setting.orders)
