"""Throws drawn from a table of slams that were recorded: hundreds of times faster than slamming.

A throw is one of the recorded slams of its kind, whole: its flips, outs and distances go together
as they did.

The table is CSV with a row for each kind of throw: the mass of what is thrown, the mass of the lone
slammer thrown at (empty for a stack of pucks), the number of pieces, and the outcomes with blanks
between them, as `sim.pokepucks.outcome.outcome_text` tells them, with distances in whole mm.
"""

import csv
import io
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

import numpy as np

from sim.pokepucks.outcome import Outcome, missed, parse_outcome, with_still
from sim.pokepucks.throwkinds import ThrowKind, kind_of
from sim.pokepucks.throws import Shot

TABLE_FILE = "throws.csv"
TABLE_COLUMNS = ("slammer_g", "knock_out_g", "pieces", "outcomes")
TABLE_MISS = "miss"
"""How the table tells a miss; what it was thrown at, its row says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableThrows:
    """Throws drawn from recorded slams.

    What is not in the table is thrown as the nearest kind that is there. Pieces that are more than
    there lie still at the bottom, but for a lone slammer below them.

    Attributes:
        text: The table, as CSV; see the module.

    Example:
        >>> from physics import trial_generator
        >>> from sim.pokepucks.catalogue import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = shipped_table().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    text: str = field(repr=False)
    _told: dict[ThrowKind, str] = field(init=False, repr=False, compare=False)
    _slams: dict[ThrowKind, tuple[Outcome, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Sort the outcomes by kind; they are read when they are needed."""
        rows = csv.DictReader(io.StringIO(self.text))
        object.__setattr__(self, "_told", {_kind(row): row["outcomes"] for row in rows})

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Return what other processes make the table with: once, however often it is sent."""
        return table_of, (self.text,)

    @property
    def kinds(self) -> tuple[ThrowKind, ...]:
        """The kinds of throws that are there."""
        return tuple(self._told)

    @property
    def digest(self) -> str:
        """Hexadecimal digits that name the table."""
        return sha256(self.text.encode()).hexdigest()

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return one of the slams of its kind; at an empty Arena it is a miss (PP-41)."""
        if not shot.stack:
            return missed(0)
        slams = self.slams(kind_of(shot))
        return slams[int(rng.integers(len(slams)))]

    def slams(self, kind: ThrowKind) -> tuple[Outcome, ...]:
        """Return the outcomes that throws of a kind are drawn from."""
        found = self._slams.get(kind)
        if found is None:
            near = min(self._told, key=kind.apart)
            told = self._told[near].split(" ")
            found = self._slams[kind] = tuple(_fitted(text, near, kind.pieces) for text in told)
        return found


@lru_cache(maxsize=1)
def shipped_table() -> TableThrows:
    """Return the table that comes with pucklab: slams of its own physics by its default thrower.

    `sim.pokepucks.throwtable` makes it.
    """
    return table_of(files("sim.pokepucks").joinpath("data", TABLE_FILE).read_text(encoding="utf-8"))


@lru_cache(maxsize=2)
def table_of(text: str) -> TableThrows:
    """Return the table that a CSV tells; the same one for the same text."""
    return TableThrows(text=text)


def _kind(row: dict[str, str]) -> ThrowKind:
    lying = row["knock_out_g"]
    return ThrowKind(
        slammer_g=float(row["slammer_g"]),
        knock_out_g=float(lying) if lying else None,
        pieces=int(row["pieces"]),
    )


def _fitted(text: str, kind: ThrowKind, pieces: int) -> Outcome:
    """Return the outcome of a slam of a kind, for so many pieces: as many from the top."""
    if text == TABLE_MISS:
        return missed(pieces)
    outcome, lone = parse_outcome(text), int(kind.knock_out_g is not None)
    if pieces >= kind.pieces:
        return with_still(outcome, pieces - kind.pieces, lone)
    landings = outcome.landings
    return Outcome(hit=True, landings=(*landings[:lone], *landings[lone + kind.pieces - pieces :]))
