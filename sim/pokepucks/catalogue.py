"""Which designs of pucks there are: those of the PuckDex and the PuckMart, and a user's own."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from physics import InputError
from physics.checks import shown
from sim.pokepucks.design import Design, name_key
from sim.pokepucks.designfile import read_designs, shipped_designs

_SHOWN = 6
"""Names that an error gives where none is near."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Designs, no two of the same name.

    Attributes:
        designs: The designs, in order.
    """

    designs: tuple[Design, ...]
    _by_key: Mapping[str, Design] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Sort the designs by what they are looked up by."""
        object.__setattr__(self, "_by_key", {design.key: design for design in self.designs})

    @property
    def slammers(self) -> tuple[Design, ...]:
        """Those that may be thrown."""
        return tuple(design for design in self.designs if design.kind.is_slammer)

    def find(self, name: str, what: str = "puck") -> Design:
        """Return the design of that name; case, accents and signs between words do not matter.

        Args:
            name: Its name.
            what: What to call it in an error.

        Raises:
            InputError: There is none; the message gives the nearest names.

        Example:
            >>> shipped_catalogue().find("poke ball").mass_g
            4.0
            >>> shipped_catalogue().find("poition")
            Traceback (most recent call last):
                ...
            physics.checks.InputError: puck: 'poition' is not in any list; did you mean Potion?
        """
        found = self._by_key.get(name_key(name))
        return found or find_design(what, name, self.designs, "any list")

    def find_slammer(self, name: str, what: str = "slammer") -> Design:
        """Return the slammer of that name, as `find` does.

        Raises:
            InputError: There is none; the message gives the nearest names of slammers.

        Example:
            >>> shipped_catalogue().find_slammer("moon stone")
            Traceback (most recent call last):
                ...
            physics.checks.InputError: slammer: 'Moon Stone' is no slammer but of kind item
        """
        found = self._by_key.get(name_key(name))
        if found is None:
            return find_design(what, name, self.slammers, "any list of slammers")
        if not found.kind.is_slammer:
            raise InputError(f"{what}: {found.name!r} is no slammer but of kind {found.kind}")
        return found


def with_designs(catalogue: Catalogue, designs: Iterable[Design]) -> Catalogue:
    """Return a catalogue with more designs; one of the same name as another takes its place."""
    by_key = {design.key: design for design in (*catalogue.designs, *designs)}
    return Catalogue(designs=tuple(by_key.values()))


@lru_cache(maxsize=1)
def shipped_catalogue() -> Catalogue:
    """Return the PuckDex and the PuckMart (ruling PP-26).

    Example:
        >>> len(shipped_catalogue().designs), len(shipped_catalogue().slammers)
        (58, 26)
    """
    designs = (*shipped_designs("puckdex.csv"), *shipped_designs("puckmart.csv"))
    return Catalogue(designs=designs)


def read_catalogue(path: Path | None) -> Catalogue:
    """Return the shipped designs together with those of a file; None for the shipped ones alone.

    Raises:
        InputError: The file cannot be read, or holds what is not accepted.
    """
    shipped = shipped_catalogue()
    return shipped if path is None else with_designs(shipped, read_designs(path))


def find_design(what: str, name: str, designs: Iterable[Design], where: str) -> Design:
    """Return the design of that name.

    Args:
        what: What to call it in an error.
        name: Its name; case, accents and signs between words do not matter.
        designs: Where to look for it.
        where: What to call them in an error.

    Raises:
        InputError: There is none; the message gives the nearest names.
    """
    by_key = {design.key: design for design in designs}
    design = by_key.get(name_key(name))
    if design is not None:
        return design
    names = {key: design.name for key, design in by_key.items()}
    near = _nearest(name, names, 3, least=0.6)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    else:
        some = _nearest(name, names, _SHOWN)
        more = f" and {len(names) - len(some)} more" * (len(names) > len(some))
        hint = f"give one of {', '.join(some)}{more}, which 'pucklab puckdex' lists"
    raise InputError(f"{what}: {shown(name)} is not in {where}; {hint}")


def _nearest(name: str, names: Mapping[str, str], most: int, least: float = 0.0) -> list[str]:
    """Return the names that are most like a name, by their keys, the likest first."""
    keys = difflib.get_close_matches(name_key(name), names, n=most, cutoff=least)
    return [names[key] for key in keys]
