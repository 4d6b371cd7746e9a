"""The PuckDex: the game's slammers, as data."""

import csv
import difflib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from physics import InputError, Slammer, puckdex_slammer


@dataclass(frozen=True, slots=True, kw_only=True)
class PuckDexEntry:
    """A slammer of the PuckDex.

    Attributes:
        dex: Its number.
        name: Its name.
        type: Energy type.
        resistance: Energy type it resists, or None.
        weakness: Energy type it is weak to.
        mass_g: Nominal mass.
        thickness_mm: Total thickness.
        wing: It has wings.
        ability: Name of its ability.
        variant: How it differs from the entry it is a variant of; empty for none.
    """

    dex: int
    name: str
    type: str
    resistance: str | None
    weakness: str
    mass_g: float
    thickness_mm: float
    wing: bool
    ability: str
    variant: str


@lru_cache(maxsize=1)
def puckdex() -> tuple[PuckDexEntry, ...]:
    """Return every entry, in the order of the PuckDex.

    Example:
        >>> len(puckdex()), sorted({entry.mass_g for entry in puckdex()})
        (21, [4.0, 8.0, 20.0])
    """
    text = files("sim.pokepucks").joinpath("data", "puckdex.csv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        PuckDexEntry(
            dex=int(row["dex"]),
            name=row["name"],
            type=row["type"],
            resistance=row["resistance"] or None,
            weakness=row["weakness"],
            mass_g=float(row["mass_g"]),
            thickness_mm=float(row["thickness_mm"]),
            wing=row["wing"] == "yes",
            ability=row["ability"],
            variant=row["variant"],
        )
        for row in csv.DictReader(lines)
    )


def find_slammer(name: str) -> PuckDexEntry:
    """Return the entry of that name; case, and signs between words, do not matter.

    Raises:
        InputError: There is none; the message gives the nearest names.

    Example:
        >>> find_slammer("onix").mass_g
        20.0
        >>> find_slammer("onyx")
        Traceback (most recent call last):
            ...
        physics.checks.InputError: slammer: 'onyx' is not in the PuckDex; did you mean Onix?
    """
    by_key = {_key(entry.name): entry for entry in puckdex()}
    entry = by_key.get(_key(name))
    if entry is not None:
        return entry
    near = difflib.get_close_matches(_key(name), by_key, n=3)
    if near:
        hint = f"did you mean {' or '.join(by_key[key].name for key in near)}?"
    else:
        hint = f"give one of {', '.join(entry.name for entry in puckdex())}"
    raise InputError(f"slammer: {name!r} is not in the PuckDex; {hint}")


def slammer_of(entry: PuckDexEntry) -> Slammer:
    """Return the entry's slammer as physics knows it.

    Example:
        >>> slammer_of(find_slammer("Lapras")).insert_g
        4.0
    """
    return puckdex_slammer(entry.mass_g, entry.thickness_mm)


def _key(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
