"""The PuckMart: items, trainers, balls and what else is no Pokémon slammer, as data."""

from functools import lru_cache

from sim.pokepucks.design import Design
from sim.pokepucks.designfile import shipped_designs


@lru_cache(maxsize=1)
def puckmart() -> tuple[Design, ...]:
    """Return every listing, in the order of the file.

    Example:
        >>> sorted({design.rule for design in puckmart() if design.kind == "trainer"})
        ['Mr. Merkert', 'Mr. Saia', 'Mr. Smith', 'Ms. Hicks', 'You']
    """
    return shipped_designs("puckmart.csv")
