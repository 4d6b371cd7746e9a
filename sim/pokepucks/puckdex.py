"""The PuckDex: the game's slammers, as data."""

from functools import lru_cache

from sim.pokepucks.catalogue import find_design
from sim.pokepucks.design import Design
from sim.pokepucks.designfile import shipped_designs


@lru_cache(maxsize=1)
def puckdex() -> tuple[Design, ...]:
    """Return every entry, in the order of the PuckDex.

    Example:
        >>> len(puckdex()), sorted({entry.mass_g for entry in puckdex()})
        (21, [4.0, 8.0, 20.0])
    """
    return shipped_designs("puckdex.csv")


def find_slammer(name: str) -> Design:
    """Return the entry of that name; case, accents and signs between words do not matter.

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
    return find_design("slammer", name, puckdex(), "the PuckDex")
