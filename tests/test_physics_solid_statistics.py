"""The solid engine's statistics: fast settings against careful ones, the cost of shortcuts."""

import math
import sys
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pytest

from pucklab.calibration.cells import cell_named, draw_trial, scene_of
from pucklab.physics.solid.bodies import starting_bodies
from pucklab.physics.solid.engine import SolidRun
from pucklab.physics.solid.settings import FAST, REFERENCE
from pucklab.physics.solid.state import RINGS

CELLS = (
    "4g-6mm-5ms-10",
    "8g-6mm-3ms-10",
    "8g-6mm-5ms-10",
    "20g-6mm-5ms-10",
    "24g-8mm-7ms-10",
    "8g-6mm-5ms-on-8g-0",
)
"""Light to heavy, slow to fast, and a knock-out."""

EIGHT_GRAMS = "8g-6mm-5ms-10"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Flips, pieces out and any out of many throws; shape (throws, 3)."""

    rows: np.ndarray

    def errors_apart(self, other):
        """Difference of the means in standard errors."""
        ours, theirs = self.rows, other.rows
        variance = ours.var(axis=0) / len(ours) + theirs.var(axis=0) / len(theirs)
        apart = ours.mean(axis=0) - theirs.mean(axis=0)
        return np.divide(apart, np.sqrt(variance), out=0 * apart, where=variance > 0)

    def paired_errors_apart(self, other):
        """Mean difference of the same throws in standard errors; 0 where none differs."""
        apart = self.rows - other.rows
        error = apart.std(axis=0, ddof=1) / math.sqrt(len(apart))
        return np.divide(apart.mean(axis=0), error, out=0 * error, where=error > 0)

    def __str__(self):
        means, errors = self.rows.mean(axis=0), self.rows.std(axis=0) / math.sqrt(len(self.rows))
        return ", ".join(f"{m:.3f} +- {e:.3f}" for m, e in zip(means, errors, strict=True))


def thrown(cell, throws, settings, rings=RINGS):
    scene = scene_of(cell_named(cell))
    rows = []
    for trial in throws:
        throw = draw_trial(cell_named(cell), trial)
        run = SolidRun(scene, starting_bodies(scene, throw), settings, rings)
        run.finish_blow()
        run.soften()
        run.settle()
        rows.append(row(run.outcome(scene, throw)))
    return Sample(rows=np.array(rows, dtype=float))


def row(outcome):
    return len(outcome.flipped), len(outcome.out), bool(outcome.out)


@lru_cache
def fast(cell, throws):
    return thrown(cell, range(throws), FAST)


def report(name, own, other):
    """Print the figures of both, for the docs; ``-s`` shows them."""
    apart = own.rows - other.rows
    error = apart.std(axis=0) / math.sqrt(len(apart))
    text = ", ".join(f"{m:+.3f} +- {e:.3f}" for m, e in zip(apart.mean(axis=0), error, strict=True))
    sys.stdout.write(f"\n{name}: fast {own}; other {other}; fast less other {text}\n")


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS)
def test_a_thousand_throws_of_a_cell_agree_with_the_careful_settings(cell):
    """Flips, pieces out and any out: within two standard errors of 1,000 throws each.

    The throws are the same, so that the errors of their difference are smaller: of those, three.
    """
    careful = thrown(cell, range(1000), REFERENCE)
    report(cell, fast(cell, 1000), careful)
    assert np.abs(fast(cell, 1000).errors_apart(careful)).max() < 2.0
    assert np.abs(fast(cell, 1000).paired_errors_apart(careful)).max() < 3.0


WITHOUT = {
    "steps of the impact": {"impact_phase": 0.15, "later_phase": 0.3},
    "steps of the settling": {"settle_phase": 0.1},
    "softer contacts after the blow": {"softening": 400.0, "settle_rate_rad_s": 8e3},
    "waits": {"longest_wait": 0},
    "coarse points": {"coarse_points": False},
    "sleep of slow bodies": {"slow_height_mm": 0.0, "wake_height_mm": 0.02},
    "decided bodies": {"decided_share": 0.0},
}


@pytest.mark.slow
@pytest.mark.parametrize("shortcut", WITHOUT)
def test_a_shortcut_costs_no_more_than_chance(shortcut):
    """With a shortcut left out, 500 throws of 8 g at 5 m/s have the same statistics."""
    without = thrown(EIGHT_GRAMS, range(500), replace(FAST, **WITHOUT[shortcut]))
    report(shortcut, fast(EIGHT_GRAMS, 500), without)
    assert np.abs(fast(EIGHT_GRAMS, 500).paired_errors_apart(without)).max() < 3.0


FINER = {
    "half the steps": (replace(FAST, impact_phase=0.15, later_phase=0.4, settle_phase=0.2), RINGS),
    "finer rims": (
        replace(FAST, coarse_points=False),
        ((1.0, 60), (0.85, 24), (0.7, 18), (0.55, 14), (0.4, 10), (0.25, 6), (0.1, 4), (0.0, 1)),
    ),
}
"""What the engine's results converge in: settings, and the rings of contact points."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FINER)
def test_results_converge_in_steps_and_contact_points(name):
    """500 throws of 8 g at 5 m/s."""
    settings, rings = FINER[name]
    finer = thrown(EIGHT_GRAMS, range(500), settings, rings)
    report(name, fast(EIGHT_GRAMS, 500), finer)
    assert np.abs(fast(EIGHT_GRAMS, 500).paired_errors_apart(finer)).max() < 3.0


@pytest.mark.slow
@pytest.mark.parametrize("factor", [4.0, 0.25])
def test_as_many_pucks_leave_the_box_with_four_times_stiffer_or_softer_contacts(factor):
    """A stiffness off by its uncertainty does not change them; 16 times softer contacts did."""
    settings = replace(FAST, stiffness=factor)
    other = thrown(EIGHT_GRAMS, range(500), settings)
    report(f"stiffness x {factor:g}", fast(EIGHT_GRAMS, 500), other)
    assert abs(fast(EIGHT_GRAMS, 500).paired_errors_apart(other)[1]) < 3.0
