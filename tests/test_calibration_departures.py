"""The constants of the lift-off that are read off the 3-D engines."""

import math
from collections.abc import Iterator
from dataclasses import fields
from itertools import product

import numpy as np
import pytest

from calibration.cells import REFERENCE_SEED, cell_named, scene_of, thrower_of
from calibration.fidelity.departures import Departures, measure_departures
from calibration.reference import run_reference
from calibration.reference3d import ImpactEnd
from physics import (
    LiftOff,
    Materials,
    Scene,
    Throw,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import SCATTER_TAIL, VELOCITY_TAIL, t_distributed
from physics.plane.impact import face_normal
from physics.thrower import ThrowDistribution

PLANTED = LiftOff(
    pace_by_energy=0.5,
    pace_by_height=-0.4,
    grip_by_friction=0.3,
    tumbling_by_height=-0.7,
    tumbling_by_speed=0.6,
    carry=0.4,
    drift=0.15,
    scatter=0.05,
    downhill=1.5,
    roll=0.7,
    tumble_scatter=0.2,
)
CELLS = tuple(product((4.0, 20.0), (5, 15), (0.2, 0.5)))
"""Slammers in grams, pucks, and coefficients of friction."""

NAMES = tuple(field.name for field in fields(Departures) if field.name != "throws")


def planted_slam(trial: int) -> tuple[Scene, Throw, ImpactEnd]:
    """A throw whose pieces leave just as `PLANTED` says, at 600 to 1000 mm/s."""
    mass_g, pieces, friction = CELLS[trial % len(CELLS)]
    scene = Scene(
        slammer=puckdex_slammer(mass_g),
        stack=puck_stack(pieces),
        materials=Materials(friction=friction),
        lift_off=PLANTED,
    )
    throw = draw_throw(ThrowDistribution(), pieces, trial_generator(3, trial))
    tilt = np.array(face_normal(throw)[:2])
    relative = np.linspace(0.75, 1.25, pieces)
    up = (600.0 if trial % 3 else 1100.0) * relative
    kick, tumble, spin = (
        np.array([[getattr(chance, name) for name in names] for chance in throw.chances])
        for names in (("kick_x", "kick_y"), ("tumble_x", "tumble_y"), ("spin",))
    )
    common = np.array([PLANTED.carry * math.tan(throw.descent_rad), 0.0])
    drift = t_distributed(np.array([throw.drift_x]), np.array([throw.drift_y]), VELOCITY_TAIL)
    common += PLANTED.drift * drift[:, 0]
    rolled = PLANTED.downhill * tilt + PLANTED.roll * np.array([throw.roll_x, throw.roll_y])
    pace = 1000.0 * (pieces / 10) ** -0.4 * math.sqrt(mass_g / 8.0) * (friction / 0.35) ** 0.3
    pace *= math.cos(throw.descent_rad)
    own = PLANTED.scatter * t_distributed(*kick.T, SCATTER_TAIL).T
    flown = pace * ((0.17 + 0.75 * relative)[:, np.newaxis] * common + own)
    unit = 1000.0 * (pieces / 10) ** -0.7 * (up / 1000.0) ** 0.6
    rim = unit[:, np.newaxis] * (rolled + PLANTED.tumble_scatter * tumble)
    rate = np.column_stack((-rim[:, 1], rim[:, 0], 0 * up)) / PIECE_RADIUS_MM
    slammer = np.zeros((1, 3))
    end = ImpactEnd(
        middle_mm=np.zeros((pieces + 1, 3)),
        normal=np.tile([0.0, 0.0, -1.0], (pieces + 1, 1)),
        velocity_mm_s=np.vstack((np.column_stack((flown, up)), slammer)),
        tumble_rad_s=np.vstack((rate, slammer)),
        spin_rad_s=np.append(PLANTED.spin_ratio * spin[:, 0] * np.linalg.norm(rate, axis=1), 0.0),
    )
    return scene, throw, end


def test_planted_constants_are_read_off_again() -> None:
    measured = measure_departures(planted_slam(trial) for trial in range(900))
    assert measured.throws == 900
    for name in NAMES:
        # The power of friction has a standard error of .05: throws scatter, frictions are close.
        abs_ = 0.15 if name == "grip_by_friction" else 0.0
        planted = getattr(PLANTED, name)
        assert getattr(measured, name) == pytest.approx(planted, rel=0.15, abs=abs_), name


def test_slams_in_which_hardly_a_piece_rises_are_refused() -> None:
    scene, throw, end = planted_slam(0)
    still = ImpactEnd(
        middle_mm=end.middle_mm,
        normal=end.normal,
        velocity_mm_s=0 * end.velocity_mm_s,
        tumble_rad_s=end.tumble_rad_s,
        spin_rad_s=end.spin_rad_s,
    )
    with pytest.raises(ValueError, match="none in which three pieces rise"):
        measure_departures([(scene, throw, still)])


def test_powers_are_not_told_where_number_and_friction_are_the_same() -> None:
    alike = [planted_slam(len(CELLS) * trial) for trial in range(30)]
    measured = measure_departures(alike)
    assert math.isnan(measured.pace_by_height)
    assert math.isnan(measured.grip_by_friction)
    assert math.isnan(measured.tumbling_by_height)


@pytest.mark.slow
def test_the_shipped_constants_are_those_of_the_engines() -> None:
    """To two of their uncertainties, which hold how far the engines are apart."""
    names = (
        "3g-2.4mm-7ms-10",
        "4g-6mm-5ms-5",
        "8g-6mm-3ms-10",
        "8g-6mm-5ms-10",
        "8g-6mm-5ms-20",
        "12g-8mm-5ms-10",
        "20g-6mm-5ms-5",
        "20g-6mm-5ms-20",
        "24g-8mm-7ms-10",
    )

    def slams(engine: str) -> Iterator[tuple[Scene, Throw, ImpactEnd]]:
        for name in names:
            scene, thrower = scene_of(cell_named(name)), thrower_of(cell_named(name))
            for trial in range(60):
                generator = trial_generator(REFERENCE_SEED, trial)
                throw = draw_throw(thrower, len(scene.stack), generator)
                end = run_reference(engine, scene, throw)
                if not end.gains_energy:
                    yield scene, throw, end.impact_end

    mujoco, solid = (measure_departures(slams(engine)) for engine in ("mujoco", "solid"))
    shipped = LiftOff()
    for field in fields(LiftOff):
        note = field.metadata["parameter"]
        # Spin is fitted, to lone slammers, but that of pucks is the same.
        read_off = note.source.startswith("read off") or field.name == "spin_ratio"
        if field.name in NAMES and read_off:
            middle = (getattr(mujoco, field.name) + getattr(solid, field.name)) / 2
            ours = getattr(shipped, field.name)
            assert middle == pytest.approx(ours, abs=2 * note.uncertainty), field.name
