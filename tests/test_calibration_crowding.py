"""The constants of pieces that have come apart, as they are read off the 3-D engines."""

from collections.abc import Callable, Iterator
from dataclasses import fields

import numpy as np
import pytest

from calibration.cells import REFERENCE_SEED, cell_named, scene_of, thrower_of
from calibration.fidelity.departures import Throngs, measure_throngs
from calibration.mujoco_engine import MujocoRun
from calibration.reference3d import IMPACT_S, ImpactEnd, Run3D, impact_end
from physics import LiftOff, Scene, draw_throw, puck_stack, puckdex_slammer, trial_generator
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import SEPARATED_S, rotation_when_separated
from physics.solid.bodies import Bodies3D, starting_bodies
from physics.solid.engine import SolidRun
from physics.solid.settings import REFERENCE
from physics.thrower import ThrowDistribution

PLANTED = LiftOff(
    lean_rad=1.2,
    lean_by_tumbling=0.3,
    lean_scatter=0.15,
    swing=0.15,
    swing_scatter=0.2,
    twist=0.08,
    twist_scatter=0.03,
)
NAMES = tuple(field.name for field in fields(Throngs) if field.name != "throws")
PIECES = 10


def bodies(up_mm_s: np.ndarray, height_mm: float, rim_mm_s: np.ndarray) -> ImpactEnd:
    """Flat pieces in the middle of the arena; the slammer is last."""
    count = len(up_mm_s) + 1
    still = np.zeros((count, 3))
    tumbling = still.copy()
    tumbling[:-1, 0] = rim_mm_s / PIECE_RADIUS_MM
    velocity = still.copy()
    velocity[:-1, 2] = up_mm_s
    return ImpactEnd(
        middle_mm=np.tile([0.0, 0.0, height_mm], (count, 1)),
        normal=np.tile([0.0, 0.0, -1.0], (count, 1)),
        velocity_mm_s=velocity,
        tumble_rad_s=tumbling,
        spin_rad_s=np.zeros(count),
    )


def solid(scene: Scene, bodies: Bodies3D) -> SolidRun:
    return SolidRun(scene, bodies, REFERENCE)


def planted_slam(trial: int) -> tuple[Scene, ImpactEnd, ImpactEnd]:
    """A throw whose pieces are turned just as `PLANTED` says."""
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(PIECES), lift_off=PLANTED)
    throw = draw_throw(ThrowDistribution(), PIECES, trial_generator(3, trial))
    up_mm_s = np.linspace(0.5, 1.5, PIECES) * (400.0, 800.0, 1600.0)[trial % 3]
    rims = np.full(PIECES, 3000.0)
    apart = rotation_when_separated(scene, throw, up_mm_s, rims)
    late = bodies(up_mm_s, 60.0, 0.0 * rims)
    sine, cosine = np.sin(apart.lean_rad), np.cos(apart.lean_rad)
    axis = np.column_stack((sine, 0 * sine, -cosine))
    onward = np.column_stack((cosine, 0 * sine, sine)) * apart.lean_rate_rad_s[:, np.newaxis]
    aside = np.column_stack((0 * sine, 1 + 0 * sine, 0 * sine))
    late.normal[:-1] = axis
    late.tumble_rad_s[:-1] = np.cross(
        axis, onward + aside * apart.precession_rate_rad_s[:, np.newaxis]
    )
    late.spin_rad_s[:-1] = apart.spin_rad_s
    return scene, bodies(up_mm_s, 20.0, rims), late


def test_planted_constants_are_read_off_again() -> None:
    measured = measure_throngs(planted_slam(trial) for trial in range(600))
    assert measured.throws == 600
    for name in NAMES:
        assert getattr(measured, name) == pytest.approx(getattr(PLANTED, name), rel=0.15), name


def test_slams_in_which_no_piece_is_in_the_air_are_refused() -> None:
    scene, early, late = planted_slam(0)
    late.middle_mm[:, 2] = 5.0
    with pytest.raises(ValueError, match="none in which two pieces are in the air"):
        measure_throngs([(scene, early, late)])


def test_pieces_beside_a_wall_tell_nothing() -> None:
    scene, early, late = planted_slam(0)
    late.middle_mm[:, 0] = 140.0
    with pytest.raises(ValueError, match="none in which two pieces are in the air"):
        measure_throngs([(scene, early, late)])


@pytest.mark.slow
def test_the_shipped_constants_are_those_of_the_engines() -> None:
    """To two of their uncertainties, which hold how far the engines are apart."""
    names = (
        "3g-2.4mm-7ms-10",
        "4g-6mm-5ms-10",
        "8g-6mm-3ms-10",
        "8g-6mm-5ms-10",
        "12g-8mm-5ms-15-careful",
        "20g-6mm-3ms-10",
        "24g-8mm-7ms-10",
    )

    def slams(engine: Callable[[Scene, Bodies3D], Run3D]) -> Iterator[tuple]:
        for name in names:
            scene, thrower = scene_of(cell_named(name)), thrower_of(cell_named(name))
            for trial in range(60):
                generator = trial_generator(REFERENCE_SEED, trial)
                throw = draw_throw(thrower, len(scene.stack), generator)
                run = engine(scene, starting_bodies(scene, throw))
                run.advance(IMPACT_S)
                early = impact_end(run.bodies())
                run.soften()
                run.advance(SEPARATED_S - run.time_s)
                if run.peak_nj <= 1.01 * run.begin_nj:
                    yield scene, early, impact_end(run.bodies())

    mujoco, own = (measure_throngs(slams(engine)) for engine in (MujocoRun, solid))
    shipped = LiftOff()
    notes = {field.name: field.metadata["parameter"] for field in fields(LiftOff)}
    for name in NAMES:
        middle = (getattr(mujoco, name) + getattr(own, name)) / 2
        ours = getattr(shipped, name)
        assert middle == pytest.approx(ours, abs=2 * notes[name].uncertainty), name
