"""The constants of the lift-off that are read off the 3-D engines."""

import math
from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import pytest

from calibration.cells import REFERENCE_SEED, cell_named, scene_of, thrower_of
from calibration.fidelity.departures import Departures, measure_departures
from calibration.reference import run_reference
from calibration.reference3d import ImpactEnd
from physics import LiftOff, Throw, draw_throw, trial_generator
from physics.liftoff import DRIFTING_MM_S, TUMBLING_UNIT_MM_S
from physics.pieces import PIECE_RADIUS_MM
from physics.plane import face_normal
from physics.thrower import ThrowDistribution

PIECES = 10
PLANTED = LiftOff(
    carry=0.4, uphill=0.4, drift=0.15, scatter=0.05, downhill=1.5, roll=0.7, tumble_scatter=0.2
)
LUCK = {"carry": 0.055, "uphill": 0.06, "downhill": 0.18, "roll": 0.03}
"""Standard errors with 88 throws: what is left over, sqrt(throws) and the spread of the cause."""

NAMES = tuple(field.name for field in fields(Departures) if field.name != "throws")


def planted_slam(trial: int) -> tuple[Throw, ImpactEnd]:
    """A throw whose pieces leave just as `PLANTED` says."""
    throw = draw_throw(ThrowDistribution(), PIECES, trial_generator(3, trial))
    tilt = np.array(face_normal(throw)[:2])
    up = 300.0 * np.arange(1, PIECES + 1)
    kick, tumble, spin = (
        np.array([[getattr(chance, name) for name in names] for chance in throw.chances])
        for names in (("kick_x", "kick_y"), ("tumble_x", "tumble_y"), ("spin",))
    )
    common = np.array([PLANTED.carry * math.sin(throw.descent_rad), 0.0]) - PLANTED.uphill * tilt
    common += PLANTED.drift * np.array([throw.drift_x, throw.drift_y])
    rolled = PLANTED.downhill * tilt + PLANTED.roll * np.array([throw.roll_x, throw.roll_y])
    flown = (up + DRIFTING_MM_S)[:, np.newaxis] * (common + PLANTED.scatter * kick)
    unit = np.sqrt(TUMBLING_UNIT_MM_S * up)
    rim = unit[:, np.newaxis] * (rolled + PLANTED.tumble_scatter * tumble)
    rate = np.column_stack((-rim[:, 1], rim[:, 0], 0 * up)) / PIECE_RADIUS_MM
    slammer = np.zeros((1, 3))
    end = ImpactEnd(
        middle_mm=np.zeros((PIECES + 1, 3)),
        normal=np.tile([0.0, 0.0, -1.0], (PIECES + 1, 1)),
        velocity_mm_s=np.vstack((np.column_stack((flown, up)), slammer)),
        tumble_rad_s=np.vstack((rate, slammer)),
        spin_rad_s=np.append(PLANTED.spin_ratio * spin[:, 0] * np.linalg.norm(rate, axis=1), 0.0),
    )
    return throw, end


def test_planted_constants_are_read_off_again() -> None:
    measured = measure_departures(planted_slam(trial) for trial in range(400))
    assert measured.throws == 400
    for name in NAMES:
        assert getattr(measured, name) == pytest.approx(getattr(PLANTED, name), rel=0.2), name


def test_slams_in_which_hardly_a_piece_rises_are_refused() -> None:
    throw, end = planted_slam(0)
    still = ImpactEnd(
        middle_mm=end.middle_mm,
        normal=end.normal,
        velocity_mm_s=0 * end.velocity_mm_s,
        tumble_rad_s=end.tumble_rad_s,
        spin_rad_s=end.spin_rad_s,
    )
    with pytest.raises(ValueError, match="none in which two pieces rise"):
        measure_departures([(throw, still)])


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mujoco", "penalty"])
def test_the_shipped_constants_are_those_of_the_engines(engine: str) -> None:
    """To three standard errors, of the constants and of these throws together.

    All but the drift, which is fitted: half of it makes as many pucks leave the arena.
    """
    names = ("8g-6mm-7ms-10", "12g-8mm-5ms-10", "20g-6mm-5ms-10", "24g-8mm-5ms-16")

    def slams() -> Iterator[tuple[Throw, ImpactEnd]]:
        for index, name in enumerate(names):
            scene, thrower = scene_of(cell_named(name)), thrower_of(cell_named(name))
            for trial in range(22 * index, 22 * (index + 1)):
                generator = trial_generator(REFERENCE_SEED, trial)
                throw = draw_throw(thrower, len(scene.stack), generator)
                end = run_reference(engine, scene, throw)
                if not end.gains_energy:
                    yield throw, end.impact_end

    measured = measure_departures(slams())
    shipped = LiftOff()
    for field in fields(LiftOff):
        note = field.metadata["parameter"]
        if note.source.startswith("read off"):
            ours = getattr(shipped, field.name)
            tolerance = 3 * math.hypot(note.uncertainty, LUCK.get(field.name, 0.0))
            assert getattr(measured, field.name) == pytest.approx(ours, abs=tolerance), field.name
