"""The house set: 16 double-sided mats, and three set-ups made of them.

They are house data, made for this project because the rulebook's figures are lost (PB-2).
"""

import tomllib
from collections.abc import Mapping
from functools import cache

from pucklab.base.facts import fact
from pucklab.base.files import read_shipped_text
from pucklab.physics import InputError
from pucklab.sim.bumpers.mat_notation import read_layout, read_mats
from pucklab.sim.bumpers.mats import RULE_NAMES, Layout, MatFace, Rules

DRAWN = "draw"
"""Stands for a starting player who is drawn."""


@fact
class Setup:
    """A named board at the start of a game.

    Attributes:
        name: Its name in the line of a position.
        about: A short description.
        layout: The mats.
        rules: The optional rules in force.
        first: The colour of the starting player, or `DRAWN`; empty if not given.
    """

    name: str
    about: str
    layout: Layout
    rules: Rules
    first: str = ""


@cache
def house_faces() -> Mapping[str, MatFace]:
    """Return both sides of the 16 mats, by label.

    Example:
        >>> len(house_faces()), house_faces()["G1"].goals[0].spaces
        (32, (1, 2))
    """
    return read_mats("house mats", _data()["mats"])


@cache
def setups() -> Mapping[str, Setup]:
    """Return the set-ups by name: for 4 to 6 players, for 2 or 3, and old school.

    Example:
        >>> list(setups()), len(setups()["small"].layout.faces)
        (['classic', 'small', 'old-school'], 12)
    """
    return {
        name: Setup(
            name=name,
            about=entry["about"],
            layout=read_layout(f"set-up {name}", entry["layout"], house_faces()),
            rules=Rules(**{RULE_NAMES[rule]: True for rule in entry.get("rules", ())}),
        )
        for name, entry in _data()["setups"].items()
    }


def setup_named(name: str) -> Setup:
    """Return the set-up with this name.

    Raises:
        InputError: There is none.
    """
    if name not in setups():
        raise InputError(f"setup: {name!r} is not accepted; give one of {', '.join(setups())}")
    return setups()[name]


@cache
def _data() -> dict[str, dict[str, dict[str, str]]]:
    text = read_shipped_text("pucklab.sim.bumpers", "house_mats.toml")
    return tomllib.loads(text)
