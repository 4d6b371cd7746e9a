"""Throws that are slams of the physics.

Throws drawn from a table of slams that were recorded: hundreds of times faster than slamming.

A throw is one of the recorded slams of its kind, whole: its flips, outs and distances go together
as they did.

The table is CSV with a row for each kind of throw: the mass of what is thrown, the mass of the lone
slammer thrown at (empty for a stack of pucks), the number of pieces, and the outcomes with blanks
between them, as `sim.pokepucks.throws.outcome_text` tells them, with distances in whole mm.

Throws drawn from tallies, such as ``pucklab odds`` makes of any throws.

Drawn are whether a throw hits, how many pucks flip, which ones by the chance of their depth, how
many of the others leave the arena or end leaning, and distances about their mean. What is lost is
how the flips, outs and distances of one throw go together, as they do in `tablethrows`: there the
lower pucks lie nearer to the centre, and what leaves the arena comes from the top.

Makes the table of throws that comes with pucklab: ``python -m sim.pokepucks.throw_sources FILE``.

Slammers of the PuckDex's masses are thrown by the default thrower at stacks of 1 to 17 pucks, and
at lone slammers of those masses with up to 6 shields. Each throw's outcome is kept whole. House
data: no such throws were measured.
"""

import csv
import io
import sys
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from math import log, log1p, pi, sqrt
from pathlib import Path

import numpy as np

from physics import (
    MAX_STACK,
    PRESETS,
    Arena,
    Face,
    InputError,
    ParameterSet,
    Piece,
    Preset,
    Scene,
    Throw,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    puck_stack,
    slam,
    trial_generator,
)
from sim.core.files import read_text, write_whole
from sim.odds import OddsEntry, Tally, read_odds
from sim.pokepucks.designs import Design, piece_of, slammer_of
from sim.pokepucks.throws import (
    Landing,
    Outcome,
    Shot,
    ThrowKind,
    kind_of,
    missed,
    outcome_of,
    outcome_text,
    parse_outcome,
    with_still,
)
from sim.scenes import slammers_by_mass


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicsThrows:
    """Throws by the physics, each 2 to 20 ms of work.

    Attributes:
        parameters: Materials, lift-off, and the thrower of players without one of their own.
        throwers: Throwers of the first players, in order.
        arena: The box.
        preset: Time steps and iterations.

    Example:
        >>> from physics import trial_generator
        >>> from sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = PhysicsThrows().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    parameters: ParameterSet = field(default_factory=ParameterSet)
    throwers: tuple[ThrowDistribution, ...] = ()
    arena: Arena = field(default_factory=Arena)
    preset: Preset = PRESETS["recommended"]

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a slam; at an empty Arena it is a miss (ruling PP-41).

        Of a stack that is higher than the physics accepts, as special rules may heap it up
        (PP-42), the lowest pucks lie still, but for a lone slammer below them.
        """
        outcome = outcome_of(slam(*self.scene_and_throw(shot, rng)).outcome)
        return with_still(outcome, len(shot.stack) - len(outcome.landings), int(shot.knock_out))

    def scene_and_throw(self, shot: Shot, rng: np.random.Generator) -> tuple[Scene, Throw]:
        """Return what `throw` slams, for who wants to watch it: with the same state of ``rng``.

        Args:
            shot: The throw.
            rng: Random numbers of this throw alone.
        """
        lone, buried = int(shot.knock_out), max(len(shot.stack) - MAX_STACK, 0)
        stack = (*shot.stack[:lone], *shot.stack[lone + buried :])
        scene = Scene(
            slammer=slammer_of(shot.slammer),
            stack=tuple(_piece(design) for design in stack),
            arena=self.arena,
            materials=self.parameters.materials,
            lift_off=self.parameters.lift_off,
            preset=self.preset,
        )
        return scene, draw_throw(self._thrower(shot.player), len(stack), rng)

    def _thrower(self, player: int) -> ThrowDistribution:
        own = self.throwers
        return own[player] if player < len(own) else self.parameters.thrower


@lru_cache(maxsize=256)
def _piece(design: Design) -> Piece:
    return piece_of(design)


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
        >>> from sim.pokepucks.design_file import shipped_catalogue
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

    `sim.pokepucks.throw_sources` makes it.
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
        >>> from sim.pokepucks.design_file import shipped_catalogue
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
            entry = min(entries, key=lambda entry: kind.apart(_kind_oddsthrows(entry)))
            drawing = self._drawings[kind] = _drawing(entry, kind.pieces)
        return drawing.draw(rng)


def read_odds_throws(path: Path) -> OddsThrows:
    """Return throws drawn from an odds CSV, such as ``pucklab odds --out`` writes.

    Raises:
        InputError: It cannot be read, or is no such file.
    """
    found = read_odds(read_text("throws", path), f"throws: {str(path)!r}")
    thrown = tuple(entry for entry in found if entry.tally.trials)
    if not thrown:
        raise InputError(f"throws: {str(path)!r} has no row of odds")
    return OddsThrows(entries=thrown)


def _kind_oddsthrows(entry: OddsEntry) -> ThrowKind:
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


MASSES_G = (4.0, 8.0, 20.0)
MAX_PUCKS = 17
MAX_SHIELDS = 6
TRIALS = 400
SEED = 1


def scenes() -> Iterator[tuple[float, float | None, Scene]]:
    """Yield the mass of the slammer, that of the lone slammer thrown at if any, and the scene."""
    slammers = slammers_by_mass(MASSES_G)
    stacks: list[tuple[float | None, tuple[Piece, ...]]] = [
        (None, puck_stack(count)) for count in range(1, MAX_PUCKS + 1)
    ]
    for mass_g, lying in zip(MASSES_G, slammers, strict=True):
        stacks += [
            (mass_g, knock_out_stack(lying.slammer, count)) for count in range(MAX_SHIELDS + 1)
        ]
    for mass_g, named in zip(MASSES_G, slammers, strict=True):
        for lying_g, stack in stacks:
            yield mass_g, lying_g, Scene(slammer=named.slammer, stack=stack)


def table_csv(trials: int = TRIALS) -> str:
    """Return the table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(TABLE_COLUMNS)
    for thrown_g, lying_g, scene in scenes():
        outcomes = " ".join(_told(scene, trial) for trial in range(trials))
        lying = "" if lying_g is None else f"{lying_g:g}"
        writer.writerow([f"{thrown_g:g}", lying, len(scene.stack), outcomes])
    return text.getvalue()


def _told(scene: Scene, trial: int) -> str:
    """Return a throw's outcome as a word, with distances in whole mm."""
    throw = draw_throw(ThrowDistribution(), len(scene.stack), trial_generator(SEED, trial))
    outcome = outcome_of(slam(scene, throw).outcome)
    if not outcome.hit:
        return TABLE_MISS
    whole = (Landing(landing.face, round(landing.distance_mm)) for landing in outcome.landings)
    return outcome_text(Outcome(hit=True, landings=tuple(whole))).replace(" ", "")


if __name__ == "__main__":
    write_whole(Path(sys.argv[1]), table_csv().encode())
