"""Sources of throws: slams of the physics, recorded slams, and tallies of odds.

`PhysicsThrows` slams every throw. `TableThrows` draws whole recorded slams of the same kind: it is
hundreds of times faster, and flips, outs and distances of one slam stay together. `OddsThrows`
draws from tallies such as ``pucklab odds`` makes: whether a throw hits, how many pucks flip, which
ones by the chances of their depth, how many of the others leave the arena or end leaning, and
distances about their mean. Tallies do not tell how flips, outs and distances of one throw depend on
each other: in the recorded slams the lower pucks rest nearer to the centre, and pucks that leave
the arena come from the top.

The table of recorded slams is an archive of NumPy arrays (.npz). ``about`` is JSON: the engine, the
version of the physics, the seed, and the slams of each kind. Every kind of throw has an array with
its name, see `name_kind`: faces and distances of all pieces in all slams, in bytes, see
`TableThrows.slams`. ``python -m tools.throw_table`` makes the table that comes with pucklab:
slammers of the PuckDex's masses thrown by the default thrower at stacks of 1 to 17 pucks, and at
slammers of those masses with up to 6 shields. House data: no such throws were measured.
"""

import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from functools import cache, lru_cache, partial
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from math import log, log1p, pi, sqrt
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pucklab.base.decoding import decode
from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.base.files import read_text
from pucklab.base.parsing import parse_json
from pucklab.base.values import read_number
from pucklab.physics import (
    PRESETS,
    Arena,
    Face,
    InputError,
    ParameterSet,
    Preset,
    Scene,
    SlamOutcome,
    Throw,
    ThrowDistribution,
    draw_throw,
    slam,
)
from pucklab.physics.slam import MAX_PLANE_STACK
from pucklab.physics.tally import total_of
from pucklab.sim.experiments import read_table
from pucklab.sim.experiments.table import experiment_in
from pucklab.sim.odds import KNOCK_OUTS, ODDS, Tally
from pucklab.sim.odds.study import throw_again
from pucklab.sim.pokepucks.designs import piece_of, slammer_of
from pucklab.sim.pokepucks.throws import (
    Landing,
    Outcome,
    Shot,
    ThrowKind,
    kind_of,
    missed,
    outcome_of,
    with_still,
)
from pucklab.sim.scene.hand_throw import AimedThrow, throw_of

TABLE_FILE = "throws.npz"

BLOCKS = 20
"""Blocks of the slams of each kind: trial i of the throws is in block i modulo 20 of all kinds."""

FACES = Face.DOWN, Face.UP, Face.LEANING, Face.OUT
MISSED = len(FACES)
"""Faces by their number in a table; that of every piece if the slammer missed."""

Slams = NDArray[np.uint8]

_CORNER_MM = 215.5
"""Distance of the arena's corners from its centre; nothing depends on where pucks outside rest."""

_GONE = Landing(Face.OUT, _CORNER_MM)


@fact
class PhysicsThrows:
    """Throws as slams of the physics; each takes 2 to 20 ms, in the solid engine 10 to 50 ms.

    Attributes:
        parameters: Materials, lift-off, and the thrower for players without one of their own.
        throwers: Throwers of the first players, in turn order.
        arena: The arena.
        preset: Time steps and iterations of the plane engine.
        engine: The engine, one of `pucklab.physics.ENGINES`.

    Example:
        >>> from pucklab.physics import trial_generator
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
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
    engine: str = "plane"

    def throw(
        self, shot: Shot, rng: np.random.Generator, aimed: AimedThrow | None = None
    ) -> Outcome:
        """Return the outcome of a slam.

        Special rules may heap up a stack that is too high for the physics (PP-42). Then its lowest
        pucks do not move, except for a slammer thrown at below them.
        """
        scene, throw = self.scene_and_throw(shot, rng, aimed)
        return self.outcome(shot, slam(scene, throw, engine=self.engine).outcome, throw)

    def outcome(self, shot: Shot, slammed: SlamOutcome, throw: Throw) -> Outcome:
        """Return the outcome of a throw whose slam is known."""
        outcome = replace(outcome_of(slammed), throw=throw)
        return with_still(outcome, len(shot.stack) - len(outcome.landings), int(shot.knock_out))

    def scene_and_throw(
        self, shot: Shot, rng: np.random.Generator, aimed: AimedThrow | None = None
    ) -> tuple[Scene, Throw]:
        """Return the scene and the throw that `throw` slams with the same state of ``rng``.

        Args:
            shot: The throw.
            rng: Random numbers for this throw alone.
            aimed: The throw as a person aims it; it gets the scatter of the player's own throws.
        """
        lone, buried = int(shot.knock_out), max(len(shot.stack) - MAX_PLANE_STACK, 0)
        stack = (*shot.stack[:lone], *shot.stack[lone + buried :])
        scene = Scene(
            slammer=slammer_of(shot.slammer),
            stack=tuple(_piece(design) for design in stack),
            arena=self.arena,
            materials=self.parameters.materials,
            lift_off=self.parameters.lift_off,
            preset=self.preset,
        )
        own = shot.player < len(self.throwers)
        thrower = self.throwers[shot.player] if own else self.parameters.thrower
        drawn = draw_throw(thrower, len(stack), rng)
        if aimed is None:
            return scene, drawn
        return scene, throw_again(throw_of(aimed), drawn)


_piece = lru_cache(maxsize=256)(piece_of)


@fact
class TableThrows:
    """Throws drawn from recorded slams.

    A throw of a kind that the table lacks is drawn from the nearest kind. Additional pieces do not
    move; they are at the bottom, above a slammer thrown at.

    The slams come in `BLOCKS` of as many each: what battles with throws of different blocks differ
    by tells the error of the table, see `pucklab.sim.experiments.block_effect`.

    Attributes:
        data: The table, in the form given in the module.
        engine: The engine of the recorded slams.
        physics: Version of the physics.
        seed: Seed of the throws.
        throws: Slams of each kind.
        kinds: The kinds of throws in the table.

    Raises:
        InputError: ``data`` is no such table.

    Example:
        >>> from pucklab.physics import trial_generator
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> outcome = shipped_table().throw(shot, trial_generator(1, 0))
        >>> outcome.hit, len(outcome.landings)
        (True, 8)
    """

    data: bytes = field(repr=False)
    engine: str = field(init=False, compare=False)
    physics: int = field(init=False, compare=False)
    seed: int = field(init=False, compare=False)
    throws: int = field(init=False, compare=False)
    kinds: tuple[ThrowKind, ...] = field(init=False, repr=False, compare=False)
    _arrays: Mapping[str, Any] = field(init=False, repr=False, compare=False)
    _slams: dict[ThrowKind, Slams] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Read what the table is about; its slams are read when they are needed."""
        try:
            arrays = np.load(BytesIO(self.data))
            about = decode(_About, parse_json(str(arrays["about"]), "about"), "about")
            kinds = tuple(kind_named(name) for name in arrays if name != "about")
        except _BROKEN as error:
            raise InputError(f"throws: no table of throws: {error}") from None
        if not kinds:
            raise InputError("throws: no kind of throw; give at least one")
        for name, value in (*asdict(about).items(), ("kinds", kinds), ("_arrays", arrays)):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, tuple[bytes, ...]]:
        """Pickle the data alone, once read by another process, or that it is the shipped table."""
        return (shipped_table, ()) if self is shipped_table() else (table_of, (self.data,))

    @property
    def digest(self) -> str:
        """SHA-256 digest of the table, in hexadecimal digits."""
        return sha256(self.data).hexdigest()

    @property
    def blocks(self) -> int:
        """Number of blocks; 1 if the slams cannot be dealt out to `BLOCKS`."""
        return 1 if self.throws % BLOCKS else BLOCKS

    def block_of(self, seed: int) -> int:
        """Return the block of the battle with a seed, where each draws from one block.

        Two seeds in a row, of which each slammer of a pair begins one, have the same block.
        """
        return seed // 2 % self.blocks

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return the outcome of a recorded slam."""
        slams = self.slams(kind_of(shot))
        faces, far_mm = slams[:, :, int(rng.integers(slams.shape[2]))].tolist()
        return read_outcome(faces, far_mm)

    def slams(self, kind: ThrowKind, block: int | None = None) -> Slams:
        """Return the slams from which throws of a kind are drawn, of a block alone if it is given.

        Returns:
            Faces and distances in mm of the pieces from the floor up, shape (2, pieces, slams): a
            face is an index of `FACES`, or `MISSED` in each piece that is no additional one.

        Raises:
            InputError: The table is damaged.
        """
        found = self._slams.get(kind)
        if found is None:
            near = min(self.kinds, key=kind.distance_to)
            slams = self._read(near)
            lone, more = int(kind.knock_out_g is not None), kind.pieces - near.pieces
            still = np.zeros((2, max(more, 0), self.throws), np.uint8)
            parts = slams[:, :lone], still, slams[:, lone + max(-more, 0) :]
            found = self._slams[kind] = np.concatenate(parts, axis=1)
        if block is None:
            return found
        size = self.throws // self.blocks
        return found[:, :, block * size : (block + 1) * size]

    def _read(self, kind: ThrowKind) -> Slams:
        """Return the recorded slams of a kind."""
        try:
            slams = self._arrays[name_kind(kind)]
        except _BROKEN as error:
            raise InputError(f"throws: {name_kind(kind)}: {error}") from None
        if slams.dtype != np.uint8 or slams.shape != (2, kind.pieces, self.throws):
            raise InputError(f"throws: {name_kind(kind)}: {slams.dtype} of shape {slams.shape}")
        if slams[0].max() > MISSED:
            raise InputError(f"throws: {name_kind(kind)}: {slams[0].max()} is no face")
        return np.asarray(slams)


def read_outcome(faces: Sequence[int], far_mm: Sequence[int]) -> Outcome:
    """Return the outcome of a recorded slam from the faces and distances of its pieces."""
    if faces[-1] == MISSED:
        return missed(len(faces))
    pieces = zip(faces, far_mm, strict=True)
    return Outcome(hit=True, landings=tuple(Landing(FACES[n], float(mm)) for n, mm in pieces))


@fact
class _About:
    """Engine, physics and seed of a table's slams, and how many slams of each kind it has."""

    engine: str
    physics: int = limits(1, 10_000)
    seed: int
    throws: int = limits(1, 1_000_000)


_BROKEN = ValueError, KeyError, OSError, EOFError, BadZipFile, zlib.error
"""Errors of a file that is no archive of arrays, or a damaged one."""


def name_kind(kind: ThrowKind) -> str:
    """Return the name of a kind in a table.

    Example:
        >>> name_kind(ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=8))
        '20,,8'
    """
    target = "" if kind.knock_out_g is None else f"{kind.knock_out_g:g}"
    return f"{kind.slammer_g:g},{target},{kind.pieces}"


def kind_named(name: str) -> ThrowKind:
    """Return the kind of throw of a name, see `name_kind`."""
    mass_g, target_g, pieces = name.split(",")
    return ThrowKind(
        slammer_g=float(mass_g),
        knock_out_g=float(target_g) if target_g else None,
        pieces=int(pieces),
    )


@cache
def shipped_table() -> TableThrows:
    """Return the table that comes with pucklab: slams of its own physics by its default thrower."""
    return table_of(files("pucklab.sim.pokepucks").joinpath("data", TABLE_FILE).read_bytes())


@lru_cache(maxsize=2)
def table_of(data: bytes) -> TableThrows:
    """Return the table of some data; the same object for the same data."""
    return TableThrows(data=data)


@fact
class OddsEntry:
    """Counted throws of one slammer."""

    slammer_g: float
    knock_out_g: float | None = None  # mass of the slammer at the bottom; None for pucks
    tally: Tally
    engine: str = "plane"

    @property
    def kind(self) -> ThrowKind:
        """The kind of the throws."""
        return ThrowKind(
            slammer_g=self.slammer_g, knock_out_g=self.knock_out_g, pieces=self.tally.pieces
        )


@fact
class OddsThrows:
    """Throws drawn from tallies.

    A throw of a kind without a tally is drawn from the nearest kind with one. Without any tally of
    stacks, or of knock-outs, such throws are drawn from the shipped table.

    Attributes:
        entries: The tallies of stacks and of knock-outs.

    Example:
        >>> from pucklab.sim.odds import Tally
        >>> miss = Tally(trials=1, hits=0, flips=(1, 0), flips_by_place=(0,), outs=(1, 0),
        ...              leaning=0, distance_um=0, slammers_out=0)
        >>> throws = OddsThrows(entries=(OddsEntry(slammer_g=8.0, knock_out_g=None, tally=miss),))
        >>> from pucklab.sim.pokepucks.design_file import shipped_catalogue
        >>> find = shipped_catalogue().find
        >>> shot = Shot(player=0, slammer=find("onix"), stack=(find("plain puck"),) * 8)
        >>> throws.throw(shot, np.random.default_rng(1)).hit
        False
    """

    entries: tuple[OddsEntry, ...]
    _drawings: dict[ThrowKind, "_Drawing"] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def engine(self) -> str:
        """The engine of the tallies, or several with ``and`` between them."""
        return " and ".join(sorted({entry.engine for entry in self.entries}))

    def throw(self, shot: Shot, rng: np.random.Generator) -> Outcome:
        """Return an outcome drawn from the tallies."""
        kind = kind_of(shot)
        drawing = self._drawings.get(kind)
        if drawing is None:
            entries = [e for e in self.entries if (e.knock_out_g is not None) == shot.knock_out]
            if not entries:
                return shipped_table().throw(shot, rng)
            entry = min(entries, key=lambda entry: kind.distance_to(entry.kind))
            drawing = self._drawings[kind] = _drawing(entry, kind.pieces)
        return drawing.draw(rng)


def read_odds_throws(path: Path) -> OddsThrows:
    """Return throws drawn from an odds file of ``pucklab odds --out``.

    Raises:
        InputError: The file cannot be read, or is no odds file.
    """
    where = f"throws: {str(path)!r}"
    text = read_text("throws", path)
    experiment = KNOCK_OUTS if experiment_in(text, where) == KNOCK_OUTS.name else ODDS
    table = read_table(text, where, experiment)
    grams = partial(read_number, low=0.1, high=1000.0, unit="g")
    names = ["slammer_g"] + ["knock_out_g"] * (experiment is KNOCK_OUTS)
    return OddsThrows(
        entries=tuple(
            OddsEntry(
                **{name: grams(f"{where}: {name}", row.labels.get(name, "")) for name in names},
                tally=table.entries[row.id].tally,
                engine=str(row.labels.get("engine", "")),
            )
            for row in table.rows
        )
    )


@fact
class _Drawing:
    """The chances from which throws of one kind are drawn.

    Attributes:
        hit: Chance to hit.
        flips: Chances of at most 0, 1, ... flips, given a hit; empty if the pieces flip
            independently, as in a knock-out attempt.
        weights: Chance of each piece to flip, given a hit, from the floor up.
        out: Chance to leave the arena, for a piece that does not flip.
        leaning: Chance to lean, for a piece that neither flips nor leaves the arena.
        distance_mm: Mean distance of the pieces that stay inside.
    """

    hit: float
    flips: tuple[float, ...]
    weights: tuple[float, ...]
    out: float
    leaning: float
    distance_mm: float

    def draw(self, rng: np.random.Generator) -> Outcome:
        """Return an outcome."""
        pieces = len(self.weights)
        first, count, *uniform = rng.random(2 + 4 * pieces).tolist()
        if first >= self.hit:
            return missed(pieces)
        flipped = self._draw_flips(count, uniform[:pieces])
        lots = zip(*(uniform[k * pieces : (k + 1) * pieces] for k in (1, 2, 3)), strict=True)
        landings = []
        for index, (leaves, leans, far) in enumerate(lots):
            face = Face.DOWN
            if index in flipped:
                face = Face.UP
            elif leaves < self.out:
                landings.append(_GONE)
                continue
            elif leans < self.leaning:
                face = Face.LEANING
            # Rayleigh distribution: distance of a point with a normal error on each axis. Its mean
            # is sigma * sqrt(pi / 2), its quantile function sigma * sqrt(-2 * log(1 - u)).
            distance_mm = self.distance_mm * sqrt(-log1p(-far) * 4 / pi)
            landings.append(Landing(face, round(min(distance_mm, _CORNER_MM), 3)))
        return Outcome(hit=True, landings=tuple(landings))

    def _draw_flips(self, count: float, uniform: list[float]) -> set[int]:
        if not self.flips:
            return {index for index, weight in enumerate(self.weights) if uniform[index] < weight}
        number = bisect_right(self.flips, count)
        if not number:
            return set()
        # Efraimidis and Spirakis: the greatest of u ** (1 / w) are a sample without replacement
        # with the weights w; their logarithms have the same order.
        keys = [
            (log(max(u, 1e-300)) / w, index)
            for index, (u, w) in enumerate(zip(uniform, self.weights, strict=True))
            if w > 0
        ]
        keys.sort(reverse=True)
        return {index for _, index in keys[:number]}


def _drawing(entry: OddsEntry, pieces: int) -> _Drawing:
    """Return the chances from which throws at ``pieces`` pieces are drawn.

    From an entry of another size, each puck has the chance of the same depth below the top, and a
    slammer thrown at keeps its own.
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
    # Chances of at most 0, 1, ... flips, given a hit.
    counts = [tally.flips[0] - (tally.trials - tally.hits), *tally.flips[1:]]
    most = min(pieces, len(counts) - 1)
    flips = () if lone else tuple(sum(counts[: k + 1]) / hits for k in range(most))
    outs = total_of(tally.outs)
    rest = max(hits * tally.pieces - sum(tally.flips_by_place), 1)
    stay = max(rest - outs, 1)
    inside = max(tally.inside - (tally.trials - tally.hits) * tally.pieces, 1)
    return _Drawing(
        hit=tally.hits / tally.trials,
        flips=flips,
        weights=tuple(weights),
        out=outs / rest,
        leaning=tally.leaning / stay,
        distance_mm=tally.distance_um / 1000 / inside,
    )
