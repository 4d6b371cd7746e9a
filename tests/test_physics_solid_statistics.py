"""The solid engine's statistics: fast settings against careful ones, the cost of shortcuts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import calibration
from calibration.cells import REFERENCE_SEED, cell_named, scene_of, thrower_of
from calibration.throw_log import read_log
from physics import SlamOutcome, draw_throw, trial_generator
from physics.solid.engine import slam_solid
from physics.solid.settings import FAST, REFERENCE, SolidSettings

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

    def errors_apart(self, other: "Sample") -> np.ndarray:
        """Difference of the means in standard errors."""
        ours, theirs = self.rows, other.rows
        variance = ours.var(axis=0) / len(ours) + theirs.var(axis=0) / len(theirs)
        apart = ours.mean(axis=0) - theirs.mean(axis=0)
        return np.divide(apart, np.sqrt(variance), out=0 * apart, where=variance > 0)


def thrown(cell: str, throws: Sequence[int], settings: SolidSettings) -> Sample:
    scene, thrower = scene_of(cell_named(cell)), thrower_of(cell_named(cell))
    pieces = len(scene.stack)
    outcomes = [
        slam_solid(
            scene,
            draw_throw(thrower, pieces, trial_generator(REFERENCE_SEED, trial)),
            settings=settings,
        )[0]
        for trial in throws
    ]
    return Sample(rows=np.array([row(outcome) for outcome in outcomes], dtype=float))


def row(outcome: SlamOutcome) -> tuple[int, int, bool]:
    return len(outcome.flipped), len(outcome.out), bool(outcome.out)


def logged(cell: str) -> Sample:
    """The 300 throws a cell that an earlier engine made: the same law without any shortcut."""
    path = Path(calibration.__file__).parent / "data" / "penalty.throws.csv"
    throws = [t for t in read_log(path.read_text(), path.name) if t.cell == cell]
    faces = [t.faces for t in throws]
    return Sample(rows=np.array([(f.count("U"), f.count("O"), "O" in f) for f in faces], float))


@pytest.mark.parametrize("cell", [EIGHT_GRAMS, "8g-6mm-5ms-on-8g-0"])
def test_some_throws_agree_with_the_log_of_an_engine_without_shortcuts(cell: str) -> None:
    apart = thrown(cell, range(60), FAST).errors_apart(logged(cell))
    assert np.abs(apart).max() < 3.0, apart


@pytest.mark.slow
def test_a_thousand_throws_a_cell_agree_with_the_careful_settings() -> None:
    """Flips, pieces out and any out: six cells within two standard errors, but for chance.

    Of 17 comparisons one beyond two is no surprise, one beyond three is.
    """
    apart = [
        thrown(cell, range(1000), FAST).errors_apart(thrown(cell, range(1000), REFERENCE))
        for cell in CELLS
    ]
    beyond = np.abs(apart)
    assert beyond.max() < 3.0, apart
    assert (beyond > 2.0).sum() <= 1, apart


WITHOUT: dict[str, dict[str, object]] = {
    "steps of the impact": {"impact_step_s": 2e-6},
    "steps of the settling": {"settle_step_s": 10e-6},
    "longer steps of lone bodies": {"lone_stride": 1},
    "waits": {"longest_wait": 0},
    "coarse points": {"coarse_points": False},
    "sleep of slow bodies": {"slow_height_mm": 0.0, "wake_height_mm": 0.02},
    "decided bodies": {"decided_share": 0.0},
}


@pytest.mark.slow
@pytest.mark.parametrize("shortcut", WITHOUT)
def test_a_shortcut_costs_no_more_than_chance(shortcut: str) -> None:
    """With a shortcut left out, 500 throws of 8 g at 5 m/s have the same statistics."""
    without = thrown(EIGHT_GRAMS, range(500), replace(FAST, **WITHOUT[shortcut]))
    apart = thrown(EIGHT_GRAMS, range(500), FAST).errors_apart(without)
    assert np.abs(apart).max() < 2.6, apart
