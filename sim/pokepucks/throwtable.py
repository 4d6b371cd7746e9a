"""Makes the table of throws that comes with pucklab: ``python -m sim.pokepucks.throwtable FILE``.

Slammers of the PuckDex's masses are thrown by the default thrower at stacks of 1 to 17 pucks, and
at lone slammers of those masses with up to 6 shields. Each throw's outcome is kept whole. House
data: no such throws were measured.
"""

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from physics import (
    Piece,
    Scene,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    puck_stack,
    slam,
    trial_generator,
)
from sim.files import write_whole
from sim.pokepucks.outcome import Landing, Outcome, outcome_of, outcome_text
from sim.pokepucks.tablethrows import TABLE_COLUMNS, TABLE_MISS
from sim.scenes import slammers_by_mass

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
