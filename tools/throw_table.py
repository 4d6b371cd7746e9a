"""The table of throws that battles draw from: ``python -m tools.throw_table FILE [THROWS]``.

Throws slammers of the PuckDex's masses at stacks of 1 to 17 pucks, and at slammers of those masses
with up to 6 shields, in the solid engine: THROWS of each kind, 4,000 if it is not given. They come
in rounds of 100 of every kind, after each of which FILE is written: it always has as many of all,
and a run that was stopped goes on from there, unless its physics is another one. The throws of all
kinds are the same trials of one seed.

`pucklab.sim.pokepucks.throw_sources` says what is in the file. Distances of 16 mm and more are
rounded to a sixteenth, and slams of a block are sorted, so that the file is small.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import click
import numpy as np

from pucklab.base.files import write_whole
from pucklab.base.parsing import json_text
from pucklab.physics import (
    PHYSICS_VERSION,
    Face,
    Scene,
    SlamOutcome,
    ThrowDistribution,
    knock_out_stack,
    puck_stack,
)
from pucklab.physics.solid.engine import throw_trials
from pucklab.sim.pokepucks.throw_sources import BLOCKS, FACES, MISSED, Slams, name_kind, table_of
from pucklab.sim.pokepucks.throws import Outcome, ThrowKind, outcome_of
from pucklab.sim.scene.scenes import slammers_by_mass

MASSES_G = (4.0, 8.0, 20.0)
MAX_PUCKS = 17
MAX_SHIELDS = 6
THROWS = 4_000
SEED = 1
"""The throws of the table that comes with pucklab."""

_ROUND = 100
_SPARE = 1_000_000
"""Throws of each kind between two writes, and between a trial and the one that is thrown instead
if the engine gains energy."""

_EXACT_BITS = 4
"""Bits of a distance in mm that are kept: all below 16 mm, then its four leading ones."""


def scenes() -> Iterator[tuple[ThrowKind, Scene]]:
    """Yield the kinds of throws with their scenes."""
    slammers = dict(zip(MASSES_G, slammers_by_mass(MASSES_G), strict=True))
    for mass_g, named in slammers.items():
        stacks = [(None, puck_stack(count)) for count in range(1, MAX_PUCKS + 1)] + [
            (target_g, knock_out_stack(target.slammer, count))
            for target_g, target in slammers.items()
            for count in range(MAX_SHIELDS + 1)
        ]
        for target_g, stack in stacks:
            kind = ThrowKind(slammer_g=mass_g, knock_out_g=target_g, pieces=len(stack))
            yield kind, Scene(slammer=named.slammer, stack=stack)


def add_throws(path: Path, throws: int = THROWS) -> Iterator[int]:
    """Throw until a table has so many slams of each kind; yield their number after each write."""
    about = {"engine": "solid", "physics": PHYSICS_VERSION, "seed": SEED}
    done = 0
    kept: dict[ThrowKind, Slams] = {}
    if path.exists():
        table = table_of(path.read_bytes())
        if all(getattr(table, name) == value for name, value in about.items()):
            kept, done = {kind: table.slams(kind) for kind in table.kinds}, table.throws
    for first in range(done, throws, _ROUND):
        for kind, scene in scenes():
            more = slams_of(map(outcome_of, throw(scene, first, _ROUND)))
            kept[kind] = deal(kept.get(kind, more[:, :, :0]), more)
        write_whole(path, pack_table(kept, about | {"throws": first + _ROUND}))
        yield first + _ROUND


def throw(scene: Scene, first: int, count: int) -> Iterator[SlamOutcome]:
    """Yield the outcomes of trials; another trial takes the place of one that gained energy."""
    trials = range(first, first + count)
    outcomes = throw_trials(scene, ThrowDistribution(), SEED, first, count)
    for trial, outcome in zip(trials, outcomes, strict=True):
        yield outcome or next(throw(scene, trial + _SPARE, 1))


def slams_of(outcomes: Iterable[Outcome]) -> Slams:
    """Return outcomes in the form of a table, of the same number of pieces each."""
    rows = []
    for outcome in outcomes:
        faces = [FACES.index(landing.face) for landing in outcome.landings]
        far = [0.0 if one.face is Face.OUT else one.distance_mm for one in outcome.landings]
        rows.append((faces if outcome.hit else [MISSED] * len(faces), far))
    faces_mm = np.array(rows).transpose(1, 2, 0)
    # A distance of n bits is rounded to a multiple of 2^(n - 4).
    steps = np.exp2(np.maximum(np.frexp(faces_mm[1])[1] - _EXACT_BITS, 0))
    faces_mm[1] = np.rint(faces_mm[1] / steps) * steps
    return np.asarray(faces_mm.astype(np.uint8))


def deal(kept: Slams, more: Slams) -> Slams:
    """Return slams with more of them, as many in each block, and sorted there."""
    pieces = kept.shape[1]
    blocks = np.concatenate(
        (kept.reshape(2, pieces, BLOCKS, -1), more.reshape(2, pieces, -1, BLOCKS).swapaxes(2, 3)),
        axis=3,
    )
    for block in range(BLOCKS):
        own = blocks[:, :, block]
        order = np.lexsort(
            own[::-1].reshape(2 * pieces, -1)
        )  # by face, that of the top piece first
        blocks[:, :, block] = own[:, :, order]
    return np.asarray(blocks.reshape(2, pieces, -1))


def pack_table(slams: Mapping[ThrowKind, Slams], about: Mapping[str, object]) -> bytes:
    """Return a table of slams as a file."""
    file = BytesIO()
    arrays: dict[str, Any] = {name_kind(kind): own for kind, own in slams.items()}
    np.savez_compressed(file, about=np.array(json_text(about)), **arrays)
    return file.getvalue()


if __name__ == "__main__":
    for number in add_throws(Path(sys.argv[1]), *map(int, sys.argv[2:])):
        click.echo(f"{number} throws of each kind")
