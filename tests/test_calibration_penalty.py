"""The penalty engine against closed forms of rigid-body mechanics, and its energy."""

import math
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("numba")

from physics.solid.bodies import Bodies3D, starting_bodies
from calibration.penalty_engine import (
    PenaltyRun,
    PenaltySettings,
    contact_damping_ratio,
    run_penalty,
)
from physics import (
    Face,
    InputError,
    Materials,
    PieceChance,
    Scene,
    Slammer,
    Throw,
    ThrowDistribution,
    draw_throw,
    puck_stack,
    trial_generator,
)
from physics.pieces import PIECE_RADIUS_MM
from physics.plane import START_GAP_MM
from physics.units import GRAVITY_MM_S2

HEAVY = Slammer(mass_g=12.0, thickness_mm=7.87)
THIN = Slammer(mass_g=2.0, thickness_mm=1.6)
SCENE = Scene(slammer=HEAVY, stack=puck_stack(10))


def alone(**materials: float) -> Scene:
    return Scene(slammer=THIN, stack=(), materials=Materials(**materials))


def placed(scene: Scene, throw: Throw | None = None, **changes: object) -> Bodies3D:
    return replace(starting_bodies(scene, throw or Throw(speed_mm_s=500.0)), **changes)


@pytest.mark.parametrize("restitution", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("step_s", [2e-6, 1e-6])
def test_a_flat_disc_rebounds_with_the_restitution(restitution: float, step_s: float) -> None:
    scene = alone(restitution=restitution)
    bodies = placed(scene, Throw(speed_mm_s=1000.0))
    run = PenaltyRun(scene, bodies, PenaltySettings(impact_step_s=step_s))
    run.advance(1e-3)
    arrival = math.sqrt(1000.0**2 + 2 * GRAVITY_MM_S2 * START_GAP_MM)
    speed = run.bodies().velocity_mm_s[0]
    since_s = run.time_s - START_GAP_MM / arrival
    left = math.hypot(*speed[:2]), speed[2] + GRAVITY_MM_S2 * since_s
    assert left[0] < 1e-6
    assert left[1] / arrival == pytest.approx(restitution, rel=0.01, abs=0.005)


def test_a_dropped_disc_bounces_to_the_square_of_the_restitution() -> None:
    drop_mm, restitution = 100.0, 0.5
    scene = alone(restitution=restitution)
    bodies = placed(scene)
    lifted = bodies.position_mm + np.array([0.0, 0.0, drop_mm - START_GAP_MM])
    run = PenaltyRun(scene, replace(bodies, position_mm=lifted, velocity_mm_s=np.zeros((1, 3))))
    run.advance(math.sqrt(2 * drop_mm / GRAVITY_MM_S2) * (1 + restitution))
    top_mm = run.bodies().middle_mm[0, 2] - THIN.thickness_mm / 2
    assert top_mm / drop_mm == pytest.approx(restitution**2, rel=0.02)


@pytest.mark.parametrize("softened", [False, True])
def test_a_disc_slides_as_far_as_coulomb_says(softened: bool) -> None:
    speed_mm_s, friction = 1000.0, 0.35
    scene = Scene(slammer=THIN, stack=(), materials=Materials(friction=friction, restitution=0.1))
    bodies = placed(scene)
    down = bodies.position_mm - np.array([20.0, 0.0, START_GAP_MM])
    run = PenaltyRun(
        scene, replace(bodies, position_mm=down, velocity_mm_s=np.array([[speed_mm_s, 0.0, 0.0]]))
    )
    if softened:
        run.soften()
    run.advance(0.35)
    way_mm = run.bodies().middle_mm[0, 0] + 20.0
    assert way_mm == pytest.approx(speed_mm_s**2 / (2 * friction * GRAVITY_MM_S2), rel=0.005)
    assert np.abs(run.bodies().velocity_mm_s).max() < 1.0


def test_a_disc_that_slides_and_spins_goes_further_than_one_that_slides() -> None:
    """One friction is shared by both motions; the front, pressed harder, makes it curl a little."""
    speed_mm_s = 1000.0
    scene = Scene(slammer=THIN, stack=(), materials=Materials(friction=0.35, restitution=0.1))
    bodies = placed(scene)
    run = PenaltyRun(
        scene,
        replace(
            bodies,
            position_mm=bodies.position_mm - np.array([100.0, 0.0, START_GAP_MM]),
            velocity_mm_s=np.array([[speed_mm_s, 0.0, 0.0]]),
            rate_rad_s=np.array([[0.0, 0.0, 100.0]]),
        ),
    )
    run.soften()
    run.advance(0.6)
    way_mm = run.bodies().middle_mm[0] + np.array([100.0, 0.0, 0.0])
    slide_mm = speed_mm_s**2 / (2 * 0.35 * GRAVITY_MM_S2)
    assert 1.1 * slide_mm < way_mm[0] < 2.5 * slide_mm
    assert abs(way_mm[1]) < 0.1 * slide_mm


@pytest.mark.parametrize(("tilt_deg", "trial_rate"), [(10, 59.53), (30, 64.31), (60, 73.22)])
@pytest.mark.parametrize("azimuth_deg", [0.0, 77.0])
def test_a_rim_impact_turns_a_disc_as_the_impulse_formula_says(
    tilt_deg: float, trial_rate: float, azimuth_deg: float
) -> None:
    """The figures are for a plain disc after a fall of 1 mm at 1 m/s."""
    tilt, mass_g, half_mm, fall_mm = math.radians(tilt_deg), 1.5, 0.8, 1.0
    moment = mass_g * (PIECE_RADIUS_MM**2 / 4 + (2 * half_mm) ** 2 / 12)
    scene = alone(restitution=0.5, friction=0.0)
    bodies = placed(
        scene,
        Throw(speed_mm_s=1000.0, tilt_rad=tilt, tilt_azimuth_rad=math.radians(azimuth_deg)),
        mass_g=np.array([mass_g]),
        moment_diameter_g_mm2=np.array([moment]),
        moment_axis_g_mm2=np.array([mass_g * PIECE_RADIUS_MM**2 / 2]),
    )
    middle = bodies.middle_mm + np.array([0.0, 0.0, fall_mm - START_GAP_MM])
    run = PenaltyRun(scene, replace(bodies, centre_mm=np.zeros(1), position_mm=middle))
    run.advance(1.6e-3)
    arrival = math.sqrt(1000.0**2 + 2 * GRAVITY_MM_S2 * fall_mm)
    lever_mm = PIECE_RADIUS_MM * math.cos(tilt) - half_mm * math.sin(tilt)
    impulse = 1.5 * arrival / (1 / mass_g + lever_mm**2 / moment)
    rate = np.sqrt(np.sum(run.bodies().rate_rad_s[0] ** 2))
    assert impulse * lever_mm / moment == pytest.approx(trial_rate, abs=0.01)
    assert rate == pytest.approx(trial_rate, rel=0.02)


def test_a_rolling_rim_is_round() -> None:
    """An upright disc rolls on, and loses next to nothing: its rim is no polygon."""
    speed_mm_s = 500.0
    scene = Scene(slammer=HEAVY, stack=(), materials=Materials(restitution=0.1))
    bodies = placed(scene, Throw(speed_mm_s=500.0, tilt_rad=math.radians(85)))
    upright = np.array([[[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]])
    centre = bodies.centre_mm[0]
    run = PenaltyRun(
        scene,
        replace(
            bodies,
            rotation=upright,
            position_mm=np.array([[-100.0, -centre, PIECE_RADIUS_MM]]),
            centre_mm=np.zeros(1),
            velocity_mm_s=np.array([[speed_mm_s, 0.0, 0.0]]),
            rate_rad_s=np.array([[0.0, speed_mm_s / PIECE_RADIUS_MM, 0.0]]),
        ),
    )
    run.soften()
    run.advance(0.3)
    assert run.bodies().velocity_mm_s[0, 0] == pytest.approx(speed_mm_s, rel=0.01)
    assert run.bodies().middle_mm[0, 0] == pytest.approx(-100.0 + 0.3 * speed_mm_s, abs=2.0)


def test_a_free_disc_precesses_steadily() -> None:
    """A free symmetric top: its axis goes around its angular momentum at L / I."""
    scene = alone()
    rate = np.array([[120.0, -40.0, 300.0]])
    bodies = placed(scene, Throw(speed_mm_s=500.0, tilt_rad=0.5), rate_rad_s=rate)
    far = bodies.position_mm + np.array([0.0, 0.0, 5000.0])
    run = PenaltyRun(scene, replace(bodies, position_mm=far))
    momentum = angular_momentum(run.bodies())[0]
    size = math.hypot(*momentum)
    run.advance(0.02)
    after = angular_momentum(run.bodies())[0]
    assert np.abs(after - momentum).max() < 1e-9 * size
    turned = size / bodies.moment_diameter_g_mm2[0] * run.time_s
    axis, first = momentum / size, bodies.normal[0]
    expected = (
        first * math.cos(turned)
        + np.cross(axis, first) * math.sin(turned)
        + axis * np.sum(axis * first) * (1 - math.cos(turned))
    )
    assert np.abs(run.bodies().normal[0] - expected).max() < 1e-9


def angular_momentum(bodies: Bodies3D) -> np.ndarray:
    spin = np.sum(bodies.rate_rad_s * bodies.normal, axis=1, keepdims=True)
    own = bodies.moment_diameter_g_mm2[:, np.newaxis] * bodies.rate_rad_s
    hoop = bodies.moment_axis_g_mm2 - bodies.moment_diameter_g_mm2
    return own + hoop[:, np.newaxis] * spin * bodies.normal


def test_two_discs_that_collide_in_the_air_keep_momentum_and_angular_momentum() -> None:
    scene = Scene(slammer=THIN, stack=puck_stack(1))
    throw = Throw(
        speed_mm_s=3000.0,
        aim_x_mm=8.0,
        aim_y_mm=-3.0,
        tilt_rad=0.3,
        tilt_azimuth_rad=1.0,
        rate_z_rad_s=100.0,
        chances=(PieceChance(),),
    )
    bodies = starting_bodies(scene, throw)
    up = bodies.position_mm + np.array([0.0, 0.0, 1000.0])
    run = PenaltyRun(scene, replace(bodies, position_mm=up))
    run.advance(2e-3)
    after = run.bodies()
    mass = bodies.mass_g[:, np.newaxis]
    fall = np.array([0.0, 0.0, GRAVITY_MM_S2 * run.time_s])
    gained = np.sum(mass * (after.velocity_mm_s + fall - bodies.velocity_mm_s), axis=0)
    assert np.abs(gained).max() < 1e-6 * 2.0 * 3000.0
    assert np.abs(after.velocity_mm_s[0]).max() > 100.0
    total = [
        np.sum(
            angular_momentum(b) + mass * np.cross(b.position_mm - pivot, b.velocity_mm_s), axis=0
        )
        for b, pivot in ((replace(bodies, position_mm=up), up[0]), (after, up[0]))
    ]
    weight = np.sum(mass) * np.array([0.0, 0.0, -GRAVITY_MM_S2])
    middle = np.sum(mass * (up - up[0]), axis=0) / np.sum(mass)
    drift = np.sum(mass * bodies.velocity_mm_s, axis=0) / np.sum(mass) * run.time_s / 2
    by_gravity = np.cross(middle + drift, weight) * run.time_s
    assert np.abs(total[1] - total[0] - by_gravity).max() < 1e-4 * np.abs(total[0]).max()


OFFSETS = [
    Throw(speed_mm_s=5000.0, aim_x_mm=aim_mm, tilt_rad=tilt, chances=(PieceChance(),) * 10)
    for aim_mm in (0.0, 8.0, 16.0)
    for tilt in (0.0, 0.1)
]
DRAWN = [draw_throw(ThrowDistribution(), 10, trial_generator(5, trial)) for trial in range(6)]


@pytest.mark.parametrize("throw", OFFSETS + DRAWN)
def test_energy_never_rises_in_an_impact(throw: Throw) -> None:
    run = PenaltyRun(SCENE, starting_bodies(SCENE, throw))
    lowest = run.begin_nj
    for _ in range(300):
        run.advance(4e-5)
        assert run.energy_nj < lowest + 1e-3 * run.begin_nj
        lowest = min(lowest, run.energy_nj)
    assert 0.1 < run.energy_nj / run.begin_nj < 0.9


@pytest.mark.parametrize("throw", [OFFSETS[0], OFFSETS[5]])
def test_nothing_is_lost_but_by_dampers_and_friction(throw: Throw) -> None:
    """With neither, an impact keeps its energy until a point leaves a disc over its rim."""
    scene = replace(SCENE, materials=Materials(restitution=0.9, friction=0.0))
    run = PenaltyRun(scene, starting_bodies(scene, throw))
    run.advance(12e-3)
    assert run.energy_nj > 0.6 * run.begin_nj
    assert run.peak_nj < 1.001 * run.begin_nj


def test_half_the_step_gives_the_same_motion_early_on() -> None:
    throw = DRAWN[0]
    ends = []
    for step_s in (2e-6, 1e-6):
        run = PenaltyRun(
            SCENE, starting_bodies(SCENE, throw), PenaltySettings(impact_step_s=step_s)
        )
        run.advance(1e-3)
        ends.append(run.bodies())
    assert ends[0].position_mm == pytest.approx(ends[1].position_mm, abs=0.02)
    assert ends[0].velocity_mm_s == pytest.approx(ends[1].velocity_mm_s, abs=60.0)


def test_a_stack_at_rest_stays_at_rest() -> None:
    scene = Scene(slammer=THIN, stack=puck_stack(10))
    jitter = trial_generator(3, 0).normal(0.0, 0.4, size=(10, 2)).tolist()
    throw = Throw(
        speed_mm_s=500.0,
        aim_x_mm=100.0,
        chances=tuple(PieceChance(jitter_x_mm=x, jitter_y_mm=y) for x, y in jitter),
    )
    begin = starting_bodies(scene, throw)
    run = PenaltyRun(scene, begin)
    run.advance(5e-3)
    run.soften()
    run.advance(0.2)
    after = run.bodies()
    assert np.abs(after.middle_mm - begin.middle_mm)[:10].max() < 0.05
    assert np.abs(after.velocity_mm_s)[:10].max() < 1.0


def test_a_fast_slammer_does_not_go_through_a_puck() -> None:
    scene = Scene(slammer=HEAVY, stack=puck_stack(1))
    throw = Throw(speed_mm_s=8000.0, tilt_rad=0.6, aim_x_mm=5.0, chances=(PieceChance(),))
    result = run_penalty(scene, throw)
    assert result.outcome.hit
    assert result.energy_peak_mj < 1.001 * result.energy_begin_mj


def test_a_miss_moves_nothing() -> None:
    chances = (PieceChance(jitter_x_mm=0.3),) * 3
    scene = Scene(slammer=HEAVY, stack=puck_stack(3))
    result = run_penalty(scene, Throw(speed_mm_s=3000.0, aim_x_mm=80.0, chances=chances))
    assert not result.outcome.hit
    assert [piece.face for piece in result.outcome.pieces] == [Face.DOWN] * 3
    assert [piece.x_mm for piece in result.outcome.pieces] == [0.3] * 3


def test_a_puck_thrown_at_a_wall_stays_inside() -> None:
    scene = Scene(slammer=THIN, stack=())
    bodies = placed(scene)
    run = PenaltyRun(
        scene,
        replace(
            bodies,
            position_mm=np.array([[0.0, 0.0, 40.0]]),
            velocity_mm_s=np.array([[3000.0, 2000.0, 0.0]]),
        ),
    )
    run.advance(0.3)
    assert np.abs(run.bodies().middle_mm[0, :2]).max() < scene.arena.half_side_mm


def test_the_same_throw_gives_the_same_result_bit_for_bit() -> None:
    results = [run_penalty(SCENE, DRAWN[1]) for _ in range(2)]
    assert results[0].outcome == results[1].outcome
    assert np.array_equal(results[0].impact_end.middle_mm, results[1].impact_end.middle_mm)
    assert not results[0].gains_energy


@pytest.mark.parametrize("restitution", [0.05, 0.1353, 0.5, 0.99])
def test_the_damping_ratio_gives_back_the_restitution(restitution: float) -> None:
    """By integrating x'' = -x - 2 z x' until the force is zero."""
    ratio = contact_damping_ratio(restitution)
    x, v, step = 0.0, 1.0, 1e-4
    while x == 0.0 or x + 2 * ratio * v > 0.0:
        v -= step * (x + 2 * ratio * v)
        x += step * v
    assert -v == pytest.approx(restitution, abs=2e-3)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="stiffness_g_s2: 0 is not accepted"):
        PenaltySettings(stiffness_g_s2=0)


@pytest.mark.slow
def test_half_the_steps_give_the_same_statistics() -> None:
    faces = []
    for steps in ((2e-6, 5e-6), (1e-6, 2.5e-6)):
        settings = PenaltySettings(impact_step_s=steps[0], settle_step_s=steps[1])
        runs = [
            run_penalty(
                SCENE, draw_throw(ThrowDistribution(), 10, trial_generator(9, trial)), settings
            ).outcome
            for trial in range(100)
        ]
        faces.append([(len(run.flipped), len(run.out)) for run in runs])
    first, second = np.array(faces[0]), np.array(faces[1])
    error = np.sqrt((first.var(axis=0) + second.var(axis=0)) / len(first))
    assert (np.abs(first.mean(axis=0) - second.mean(axis=0)) < 3 * error).all()
