"""Throws drawn from a table of odds: hundreds of times faster than slams.

Drawn are whether a throw hits, how many pucks flip, which ones by the chance of their depth, how
many of the others leave the arena or end leaning, and distances about their mean. What is lost is
how the flips, outs and distances of one throw go together. Slammers are told apart by mass alone,
and all pucks are alike.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import log, log1p, pi, sqrt
from pathlib import Path

import numpy as np

from physics import Face, InputError
from sim.files import read_text
from sim.odds import OddsEntry, Tally, read_entries
from sim.pokepucks.outcome import Landing, Outcome, missed
from sim.pokepucks.throws import Shot

TABLE_FILE = "throws.csv"

_CORNER_MM = 215.5
"""Distance of the arena's corners; what left the arena lies just there, for nothing depends on
it."""

_GONE = Landing(Face.OUT, _CORNER_MM)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableThrows:
    """Throws drawn from tallies.

    What is not in the table is thrown as what is nearest to it: by the ratio of the masses of what
    lies, then of the slammers, then by the number of pieces.

    Attributes:
        entries: The tallies, of stacks and of knock-outs.

    Example:
        >>> from physics import trial_generator
        >>> from sim.pokepucks.catalogue import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = shipped_table().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    entries: tuple[OddsEntry, ...]
    _drawings: dict[tuple[float, float | None, int], "_Drawing"] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Check that there are stacks and knock-outs."""
        kinds = {entry.knock_out_g is None for entry in self.entries}
        if kinds != {True, False}:
            missing = "stacks of pucks" if True not in kinds else "knock-outs"
            raise InputError(f"throws: the table has no {missing}; give both")

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return an outcome drawn from the table; at an empty Arena it is a miss (PP-41)."""
        pieces = len(shot.stack)
        if not pieces:
            return missed(0)
        lying_g = shot.stack[0].mass_g if shot.knock_out else None
        key = (shot.slammer.mass_g, lying_g, pieces)
        drawing = self._drawings.get(key)
        if drawing is None:
            entry = min(self.entries, key=lambda entry: _apart(entry, *key))
            drawing = self._drawings[key] = _drawing(entry, pieces)
        return drawing.draw(rng)


@lru_cache(maxsize=1)
def shipped_table() -> TableThrows:
    """Return the table that comes with pucklab: slams of its own physics by its default thrower.

    `sim.pokepucks.throwtable` makes it.
    """
    text = files("sim.pokepucks").joinpath("data", TABLE_FILE).read_text(encoding="utf-8")
    return TableThrows(entries=read_entries(text, TABLE_FILE))


def read_table(path: Path) -> TableThrows:
    """Return the table of an odds CSV, such as ``pucklab odds --out`` writes.

    Knock-outs that it lacks are taken from the shipped table, and so are stacks.

    Raises:
        InputError: It cannot be read, or is no such file.
    """
    found = read_entries(read_text("throws", path), f"throws: {str(path)!r}")
    if not found:
        raise InputError(f"throws: {str(path)!r} has no row of odds")
    kinds = {entry.knock_out_g is None for entry in found}
    more = (e for e in shipped_table().entries if (e.knock_out_g is None) not in kinds)
    return TableThrows(entries=(*found, *more))


def _apart(
    entry: OddsEntry, slammer_g: float, lying_g: float | None, pieces: int
) -> tuple[bool, float, float, int]:
    """Return how far an entry is from what is thrown; the smallest is the nearest."""
    other_g = entry.knock_out_g
    lying = 0.0
    if lying_g is not None and other_g is not None:
        lying = abs(log(other_g / lying_g))
    return (
        (other_g is None) != (lying_g is None),
        lying,
        abs(log(entry.slammer_g / slammer_g)),
        abs(entry.tally.pieces - pieces),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """What one kind of throw is drawn with; places count from the floor up.

    Attributes:
        hit: Chance to hit.
        flips: Chances of no more than 0, 1, ... flips, of throws that hit; empty for places that
            flip independently, as in a knock-out.
        weights: Each place's chance to flip, of throws that hit.
        out: Chance of a piece that does not flip to leave the arena.
        leaning: Chance of one that neither flips nor leaves to lean.
        distance_mm: Mean distance of those that stay inside.
    """

    hit: float
    flips: tuple[float, ...]
    weights: tuple[float, ...]
    out: float
    leaning: float
    distance_mm: float

    def draw(self, rng: np.random.Generator) -> Outcome:
        """Return an outcome."""
        places = len(self.weights)
        first, count, *uniform = rng.random(2 + 4 * places).tolist()
        if first >= self.hit:
            return missed(places)
        flipped = self._flipped(count, uniform[:places])
        lots = zip(*(uniform[k * places : (k + 1) * places] for k in (1, 2, 3)), strict=True)
        landings = []
        for place, (leaves, leans, way) in enumerate(lots):
            face = Face.DOWN
            if place in flipped:
                face = Face.UP
            elif leaves < self.out:
                landings.append(_GONE)
                continue
            elif leans < self.leaning:
                face = Face.LEANING
            # The distance of a point with a normal error on each axis, of the right mean.
            distance_mm = self.distance_mm * sqrt(-log1p(-way) * 4 / pi)
            landings.append(Landing(face, round(min(distance_mm, _CORNER_MM), 3)))
        return Outcome(hit=True, landings=tuple(landings))

    def _flipped(self, count: float, uniform: list[float]) -> set[int]:
        if not self.flips:
            return {place for place, weight in enumerate(self.weights) if uniform[place] < weight}
        number = bisect_right(self.flips, count)
        if not number:
            return set()
        # The greatest of u ** (1 / w) are a sample without replacement by the weights w.
        ways = [
            (log(max(u, 1e-300)) / w, place)
            for place, (u, w) in enumerate(zip(uniform, self.weights, strict=True))
            if w > 0
        ]
        ways.sort(reverse=True)
        return {place for _, place in ways[:number]}


def _drawing(entry: OddsEntry, pieces: int) -> _Drawing:
    """Return what throws at ``pieces`` pieces are drawn with.

    An entry of another size gives each place the chances of the same depth below the top; a lone
    slammer below keeps its own.
    """
    tally = entry.tally
    hits = max(tally.hits, 1)
    chances = [count / hits for count in tally.flips_by_place]
    lone = chances[:1] if entry.knock_out_g is not None else []
    pucks = chances[len(lone) :] or [0.0]
    weights = [
        *lone,
        *(pucks[max(-depth, -len(pucks))] for depth in range(pieces - len(lone), 0, -1)),
    ]
    outs = sum(k * count for k, count in enumerate(tally.outs))
    rest = max(hits * tally.pieces - sum(tally.flips_by_place), 1)
    stay = max(rest - outs, 1)
    inside = max(tally.inside - (tally.trials - tally.hits) * tally.pieces, 1)
    return _Drawing(
        hit=tally.hits / tally.trials,
        flips=() if lone else _cumulated(tally, pieces),
        weights=tuple(weights),
        out=outs / rest,
        leaning=tally.leaning / stay,
        distance_mm=tally.distance_um / 1000 / inside,
    )


def _cumulated(tally: Tally, pieces: int) -> tuple[float, ...]:
    """Return the chances of no more than 0, 1, ... flips, of throws that hit."""
    misses = tally.trials - tally.hits
    counts = [tally.flips[0] - misses, *tally.flips[1:]]
    total = max(tally.hits, 1)
    return tuple(sum(counts[: k + 1]) / total for k in range(min(pieces, len(counts) - 1)))
