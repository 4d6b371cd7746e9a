"""Throws drawn from tallies, such as ``pucklab odds`` makes of any throws.

Drawn are whether a throw hits, how many pucks flip, which ones by the chance of their depth, how
many of the others leave the arena or end leaning, and distances about their mean. What is lost is
how the flips, outs and distances of one throw go together, as they do in `tablethrows`: there the
lower pucks lie nearer to the centre, and what leaves the arena comes from the top.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from math import log, log1p, pi, sqrt
from pathlib import Path

import numpy as np

from physics import Face, InputError
from sim.files import read_text
from sim.odds import OddsEntry, Tally, read_entries
from sim.pokepucks.outcome import Landing, Outcome, missed
from sim.pokepucks.tablethrows import shipped_table
from sim.pokepucks.throwkinds import ThrowKind, kind_of
from sim.pokepucks.throws import Shot

_CORNER_MM = 215.5
"""Distance of the arena's corners; what left the arena lies just there, for nothing depends on
it."""

_GONE = Landing(Face.OUT, _CORNER_MM)


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsThrows:
    """Throws drawn from tallies.

    What is not tallied is thrown as the nearest kind that is; what has no stack of pucks, or no
    knock-out, that is tallied is drawn from the shipped table.

    Attributes:
        entries: The tallies, of stacks and of knock-outs.

    Example:
        >>> from sim.odds import Tally
        >>> miss = Tally(trials=1, hits=0, flips=(1, 0), flips_by_place=(0,), outs=(1, 0),
        ...              leaning=0, distance_um=0, slammers_out=0)
        >>> throws = OddsThrows(entries=(OddsEntry(slammer_g=8.0, knock_out_g=None, tally=miss),))
        >>> from sim.pokepucks.catalogue import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> throws.throw(shot, np.random.default_rng(1)).hit
        False
    """

    entries: tuple[OddsEntry, ...]
    _drawings: dict[ThrowKind, "_Drawing"] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return an outcome drawn from the tallies; at an empty Arena it is a miss (PP-41)."""
        if not shot.stack:
            return missed(0)
        kind = kind_of(shot)
        drawing = self._drawings.get(kind)
        if drawing is None:
            entries = [e for e in self.entries if (e.knock_out_g is not None) == shot.knock_out]
            if not entries:
                return shipped_table().throw(shot, rng)
            entry = min(entries, key=lambda entry: kind.apart(_kind(entry)))
            drawing = self._drawings[kind] = _drawing(entry, kind.pieces)
        return drawing.draw(rng)


def read_odds_throws(path: Path) -> OddsThrows:
    """Return throws drawn from an odds CSV, such as ``pucklab odds --out`` writes.

    Raises:
        InputError: It cannot be read, or is no such file.
    """
    found = read_entries(read_text("throws", path), f"throws: {str(path)!r}")
    thrown = tuple(entry for entry in found if entry.tally.trials)
    if not thrown:
        raise InputError(f"throws: {str(path)!r} has no row of odds")
    return OddsThrows(entries=thrown)


def _kind(entry: OddsEntry) -> ThrowKind:
    return ThrowKind(
        slammer_g=entry.slammer_g,
        knock_out_g=entry.knock_out_g,
        pieces=entry.tally.pieces,
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
