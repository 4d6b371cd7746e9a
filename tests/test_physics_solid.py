"""The solid engine against closed forms of rigid-body mechanics, its energy and its symmetry."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pucklab.calibration.cells import cell_named, scene_of, thrower_of
from pucklab.physics import (
    MATERIALS,
    Arena,
    InputError,
    Material,
    Materials,
    Puck,
    Scene,
    Slammer,
    Throw,
    ThrowDistribution,
    contact_stiffness_g_s2,
    draw_throw,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.scene import START_GAP_MM
from pucklab.physics.solid.bodies import starting_bodies
from pucklab.physics.solid.contact_laws import contact_damping_ratio
from pucklab.physics.solid.engine import SolidRun
from pucklab.physics.solid.integrator import rotate_free
from pucklab.physics.solid.narrow_phase import (
    LEVER,
    UNIT_COUNTER_TORQUE,
    UNIT_FORCE,
    UNIT_TORQUE,
    _begin,
    collide_discs,
    collide_floor,
    collide_wall,
)
from pucklab.physics.solid.overlap import resolve_overlaps
from pucklab.physics.solid.settings import FAST, SolidSettings
from pucklab.physics.solid.stages import IMPACT_S
from pucklab.physics.solid.state import (
    CENTRE,
    COLUMNS,
    COMPLIANCE,
    FIRST,
    INVERSE_AXIS,
    INVERSE_DIAMETER,
    MIDDLE,
    MOMENTUM,
    NORMAL,
    SECOND,
)
from tests.discs import low_point_speed_mm_s
from tests.scenes import stack_scene, trial_throw

HEAVY = Slammer(mass_g=12.0, thickness_mm=7.87)
THIN = Slammer(mass_g=2.0, thickness_mm=1.6)


def thrown(scene, throw=None, settings=FAST, *, lift_mm=0.0, **changes):  # fmt: skip
    """A run as it begins, with bodies lifted or changed."""
    bodies = starting_bodies(scene, throw or Throw(speed_mm_s=500.0))
    up = bodies.position_mm + np.array([0.0, 0.0, lift_mm])
    return SolidRun(scene, replace(bodies, **{"position_mm": up, **changes}), settings)


def settled(scene, throw):
    run = thrown(scene, throw)
    run.finish_blow()
    run.soften()
    run.settle()
    return run


def alone(**materials):
    return Scene(slammer=THIN, stack=(), materials=Materials(**materials))


@pytest.mark.parametrize("hysteresis", [0.0, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("restitution", [0.05, 0.3, 0.5, 0.9])
def test_a_flat_disc_rebounds_with_the_restitution(restitution, hysteresis):
    """To 1 %; e = .05 to .003."""
    scene = alone(restitution=restitution, hysteresis=hysteresis)
    assert rebound(scene) == pytest.approx(restitution, rel=0.01, abs=0.003)


@pytest.mark.parametrize("hysteresis", [0.5, 1.0])
def test_a_soft_disc_rebounds_from_a_hard_floor_with_its_own_restitution(hysteresis):
    soft, hard = (Material(modulus_gpa=m, restitution=e) for m, e in ((0.5, 0.4), (500.0, 0.8)))
    scene = replace(
        alone(restitution=0.6, hysteresis=hysteresis),
        slammer=replace(THIN, material=soft),
        arena=Arena(material=hard),
    )
    assert rebound(scene) == pytest.approx(0.4, rel=0.02)


def rebound(scene):
    """Return the mean restitution of ten flat falls that come at other parts of a step."""
    left = []
    for lift_mm in np.linspace(0.0, 0.0017, 10):
        run = thrown(scene, Throw(speed_mm_s=1000.0), lift_mm=lift_mm)
        run.advance(1e-3)
        arrival = math.sqrt(1000.0**2 + 2 * GRAVITY_MM_S2 * (START_GAP_MM + lift_mm))
        x, y, up = run.bodies().velocity_mm_s[0]
        assert math.hypot(x, y) < 1e-6
        left.append((up + GRAVITY_MM_S2 * (run.time_s - START_GAP_MM / arrival)) / arrival)
    return np.mean(left)


@pytest.mark.parametrize("tilt_deg", [5.0, 20.0, 45.0])
@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.7])
def test_a_tilted_rim_comes_off_with_the_restitution(restitution, tilt_deg):
    """The speed of its lowest point after one blow, over that before."""
    scene = alone(restitution=restitution, friction=0.0)
    left = []
    for lift_mm in np.linspace(0.0, 0.0017, 6):
        run = thrown(
            scene, Throw(speed_mm_s=1000.0, tilt_rad=math.radians(tilt_deg)), lift_mm=lift_mm
        )
        begin = run.bodies()
        arrival = math.sqrt(1000.0**2 + 2 * GRAVITY_MM_S2 * (START_GAP_MM + lift_mm))
        while run.bodies().rate_rad_s[0, 0] == 0.0 or run.springs_nj > 0.0:
            run.advance(1e-9)
        left.append(low_point_speed_mm_s(begin, run.bodies()) / arrival)
    assert np.mean(left) == pytest.approx(restitution, rel=0.01)


def pressed_nj(tilt_deg, depth_mm):
    """Energy of the springs of a disc whose lowest point is so deep in the floor."""
    run = thrown(alone(), Throw(speed_mm_s=500.0, tilt_rad=math.radians(tilt_deg)))
    table, cache = run.arrays.table, run.arrays.cache
    table[0, [CENTRE + 2, MIDDLE + 2]] -= START_GAP_MM + depth_mm
    full = 1 / (table[0, COMPLIANCE] + table[1, COMPLIANCE])
    return full * math.sqrt(collide_floor(table, cache, run.arrays.points, 0)) / 2


def static_stiffness(tilt_deg, depth_mm):
    step = depth_mm / 100
    ends = [pressed_nj(tilt_deg, depth_mm + k * step) for k in (-1, 0, 1)]
    return (ends[0] - 2 * ends[1] + ends[2]) / step**2


def test_a_face_and_rims_are_as_stiff_as_the_material_makes_them():
    """A rim of 1.6 mm of plastic has 1.4 to 3.7e9 g/s2, a face 2.4e10.

    On the floor only one disc has points: between discs those count half, and a rim's few press
    with the root of that.
    """
    side = contact_stiffness_g_s2(Material())
    assert static_stiffness(0.0, 0.01) == pytest.approx(side / 2, rel=1e-6)
    tilts, depths_mm = (10, 20, 45), (0.1, 0.3, 1.0)
    rims = [static_stiffness(t, d) / math.sqrt(2) for t in tilts for d in depths_mm]
    by_formula = contact_stiffness_g_s2(Material(), kind="rim") / 2
    assert math.exp(np.log(rims).mean()) == pytest.approx(by_formula, rel=0.1)
    assert min(rims) > by_formula / 2.5
    assert max(rims) < by_formula * 2.5


@pytest.mark.parametrize("tilt_deg", [0, 5, 20])
@pytest.mark.parametrize("wall", range(4))
def test_a_wall_presses_a_disc_as_the_floor_presses_it(wall, tilt_deg):
    """All sums over its points but that about the world's middle; a wall has points, not arcs."""
    run = thrown(alone(), Throw(speed_mm_s=500.0, tilt_rad=math.radians(tilt_deg)))
    table, sums = run.arrays.table, run.arrays.cache.resultant
    table[0, [CENTRE + 2, MIDDLE + 2]] -= START_GAP_MM + 0.3
    collide_floor(table, run.arrays.cache, run.arrays.points, 0)
    floor = sums.copy()
    turn = Rotation.from_euler("yz", [-90, (0, 180, 90, 270)[wall]], degrees=True)
    vectors = [(table[0], column) for column in (CENTRE, MIDDLE, FIRST, SECOND, NORMAL)]
    for row, column in (*vectors, (floor, LEVER), (floor, UNIT_FORCE), (floor, UNIT_TORQUE)):
        row[column : column + 3] = turn.apply(row[column : column + 3])
    for column in (CENTRE, MIDDLE):
        table[0, column : column + 3] -= run.arrays.law.half_side_mm * turn.apply(UP)
    collide_wall(table, run.arrays.cache, run.arrays.points, run.arrays.law, 0, wall)
    floor[UNIT_COUNTER_TORQUE:LEVER] = sums[UNIT_COUNTER_TORQUE:LEVER]
    assert sums == pytest.approx(floor, rel=1e-3, abs=1e-9)


def test_the_points_of_a_ring_that_press_begin_where_their_arc_does():
    run, rng = thrown(alone(), Throw(speed_mm_s=500.0)), np.random.default_rng(1)
    points, pair = run.arrays.points, SimpleNamespace(incident=0, reference=0)
    for ring in np.repeat(np.arange(len(points.radius_mm)), 20).tolist():
        a, b, least = rng.uniform(-1.0, 1.0, 3) * (1.0, 1.0, PIECE_RADIUS_MM)
        own = slice(points.first[ring], points.first[ring + 1])
        presses = a * points.x_mm[own] + b * points.y_mm[own] > least
        if 0 < presses.sum() < len(presses):
            begin = _begin(run.arrays.cache, points, pair, ring, a, b, least)
            assert [begin] == np.flatnonzero(presses & ~np.roll(presses, 1)).tolist()


def test_thick_pieces_and_metals_are_stiffer_and_no_law_holds_for_rubber():
    plastic, steel = Material(), MATERIALS["steel"]
    assert contact_stiffness_g_s2(plastic, 6.0) > contact_stiffness_g_s2(plastic, 1.6)
    assert contact_stiffness_g_s2(steel) > 80 * contact_stiffness_g_s2(plastic)
    with pytest.raises(
        InputError, match=r"^modulus_gpa: 0.01 is not accepted; .* 0.05 to 1000 GPa$"
    ):
        Material(modulus_gpa=0.01)
    with pytest.raises(InputError, match=r"^thickness_mm: 30.0 is not accepted; .* 0.05 to 20.6"):
        contact_stiffness_g_s2(plastic, 30.0)
    with pytest.raises(InputError, match=r"^kind: 'edge' is not accepted; give one of face, rim"):
        contact_stiffness_g_s2(plastic, kind="edge")


def test_a_shock_within_a_window_drives_no_piece_through_the_floor():
    """Here the lowest puck was .1 mm up and slow when a window began.

    The energy that leapfrog keeps differs from the true one by (step x frequency)^2 / 24 of what
    the springs hold; a pile's highest frequency is the root of two times that of its pairs. So it
    may swing by .8 % at a phase of .3, by 3 % at .6; a piece driven through the floor gave 29 %.
    """
    scene = stack_scene(8.0, 10)
    for phase in (0.3, 0.6):
        for throw in (trial_throw(10, 78, t) for t in range(20)):
            run = thrown(scene, throw, SolidSettings(impact_phase=phase))
            run.advance(IMPACT_S)
            assert run.largest_rise_nj < (math.sqrt(2) * phase) ** 2 / 24 * run.begin_nj


def chain_speed(hysteresis, pucks):
    """Return the last one's speed, over the striker's, of equal discs struck flat in the air."""
    scene = Scene(
        slammer=Slammer(mass_g=2.0, thickness_mm=1.6),
        stack=puck_stack(pucks, Puck(mass_g=2.0)),
        materials=Materials(hysteresis=hysteresis, friction=0.0),
    )
    throw = Throw(speed_mm_s=1000.0)
    run = thrown(scene, throw, lift_mm=1000.0)
    run.advance(3e-3)
    fall_mm_s = GRAVITY_MM_S2 * run.time_s
    return -(run.bodies().velocity_mm_s[0, 2] + fall_mm_s) / 1000.0


def line_speed(hysteresis, pucks, restitution=0.5):
    """Return the same of points on a line, with springs of stiffness 1 and masses of 1."""
    ratio, kept = contact_damping_ratio(restitution ** (1 - hysteresis)), restitution**hysteresis
    x, v, dent, step = np.zeros(pucks + 1), np.zeros(pucks + 1), np.zeros(pucks), 5e-3
    v[-1] = -1.0
    for _ in range(round(6 * (pucks + 1) / step)):
        depth = np.maximum(0.0, x[:-1] - x[1:])
        dent = np.maximum(np.minimum(dent, depth), (1 - kept**2) * depth)
        spring = (depth - dent) / kept**2
        stiffness = np.where(spring >= depth * (1 - 1e-9), 1.0, kept**-2)
        # Two masses of 1: their reduced mass is 1 / 2.
        force = spring + 2 * ratio * np.sqrt(stiffness / 2) * (v[:-1] - v[1:])
        force = np.where(depth > 0.0, np.maximum(0.0, force), 0.0)
        v[:-1] -= step * force
        v[1:] += step * force
        x += step * v
    return -float(v[0])


@pytest.mark.parametrize("hysteresis", [0.0, 0.5, 1.0])
def test_a_flat_blow_runs_through_a_stack_as_through_points_on_a_line(hysteresis):
    """Equal masses at e = .5: one that is struck leaves at (1 + e) / 2 whatever the hysteresis.

    Of ten the last leaves at .38 with dampers, at .16 with hysteresis alone.
    """
    assert chain_speed(hysteresis, 1) == pytest.approx(0.75, rel=0.01)
    for pucks in (3, 10):
        assert chain_speed(hysteresis, pucks) == pytest.approx(
            line_speed(hysteresis, pucks), rel=0.02
        )


def slid_mm(spin_rad_s, *, softened, lasts_s):
    """Return the way of a disc that slides along the floor at 1 m/s, and its end's speed."""
    start = np.array([[-100.0, 0.0, THIN.thickness_mm / 2]])
    run = thrown(
        alone(friction=0.35, restitution=0.1),
        position_mm=start + starting_bodies(alone(), Throw(speed_mm_s=500.0)).centre_mm * UP,
        velocity_mm_s=np.array([[1000.0, 0.0, 0.0]]),
        rate_rad_s=np.array([[0.0, 0.0, spin_rad_s]]),
    )
    if softened:
        run.soften()
    run.advance(lasts_s)
    assert np.abs(run.bodies().velocity_mm_s).max() < 1.0
    return run.bodies().middle_mm[0] - start[0]


SLIDE_MM = 1000.0**2 / (2 * 0.35 * GRAVITY_MM_S2)
UP = np.array([0.0, 0.0, 1.0])


@pytest.mark.parametrize("softened", [False, True])
def test_a_disc_slides_as_far_as_coulomb_says(softened):
    assert slid_mm(0.0, softened=softened, lasts_s=0.35)[0] == pytest.approx(SLIDE_MM, rel=0.005)


def test_a_disc_that_slides_and_spins_goes_further_than_one_that_slides():
    """One friction is shared by both motions; the front, pressed harder, makes it curl a little."""
    x, y, _ = slid_mm(100.0, softened=True, lasts_s=0.6)
    assert 1.1 * SLIDE_MM < x < 2.5 * SLIDE_MM
    assert abs(y) < 0.1 * SLIDE_MM


@pytest.mark.parametrize("tilt_deg", [10, 30, 60])
def test_a_rim_impact_turns_a_disc_as_the_impulse_formula_says(tilt_deg):
    tilt = math.radians(tilt_deg)
    scene = alone(restitution=0.5, friction=0.0)
    run = thrown(scene, Throw(speed_mm_s=1000.0, tilt_rad=tilt, tilt_azimuth_rad=1.3))
    bodies = run.bodies()
    run.advance(1.6e-3)
    arrival = math.sqrt(1000.0**2 + 2 * GRAVITY_MM_S2 * START_GAP_MM)
    # From the centre of mass to the lowest point, along the floor.
    below_mm = THIN.thickness_mm / 2 + bodies.centre_mm[0]
    lever_mm = PIECE_RADIUS_MM * math.cos(tilt) - below_mm * math.sin(tilt)
    mass_g, moment = bodies.mass_g[0], bodies.moment_diameter_g_mm2[0]
    impulse = 1.5 * arrival / (1 / mass_g + lever_mm**2 / moment)
    rate = np.linalg.norm(run.bodies().rate_rad_s[0])
    assert rate == pytest.approx(impulse * lever_mm / moment, rel=0.01)


def upright(x_mm, speed_mm_s):
    """A disc on its rim that rolls, in the settling."""
    run = thrown(
        Scene(slammer=HEAVY, stack=(), materials=Materials(restitution=0.1)),
        rotation=np.array([[[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]]),
        position_mm=np.array([[x_mm, 0.0, PIECE_RADIUS_MM]]),
        centre_mm=np.zeros(1),
        velocity_mm_s=np.array([[speed_mm_s, 0.0, 0.0]]),
        rate_rad_s=np.array([[0.0, speed_mm_s / PIECE_RADIUS_MM, 0.0]]),
    )
    run.soften()
    return run


def test_a_rolling_rim_is_round():
    """An upright disc rolls on, and loses next to nothing: its rim is no polygon."""
    speed_mm_s = 500.0
    run = upright(-100.0, speed_mm_s)
    run.advance(0.3)
    assert run.bodies().velocity_mm_s[0, 0] == pytest.approx(speed_mm_s, rel=0.01)
    assert run.bodies().middle_mm[0, 0] == pytest.approx(-100.0 + 0.3 * speed_mm_s, abs=2.0)


@pytest.mark.parametrize("softened", [False, True])
def test_a_free_disc_precesses_steadily(softened):
    """A free symmetric top: its axis goes around its angular momentum at L / I.

    In the settling it flies for 1 ms at once, and turns by .6 radians.
    """
    rate, tilted = np.array([[120.0, -40.0, 300.0]]), Throw(speed_mm_s=500.0, tilt_rad=0.5)
    run = thrown(alone(), tilted, lift_mm=5000.0, rate_rad_s=rate)
    if softened:
        run.soften()
    bodies = run.bodies()
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


def angular_momentum(bodies):
    spin = np.sum(bodies.rate_rad_s * bodies.normal, axis=1, keepdims=True)
    own = bodies.moment_diameter_g_mm2[:, np.newaxis] * bodies.rate_rad_s
    hoop = bodies.moment_axis_g_mm2 - bodies.moment_diameter_g_mm2
    return own + hoop[:, np.newaxis] * spin * bodies.normal


def momenta(bodies):
    """Momentum, and angular momentum about the common centre of mass, on which gravity has none."""
    mass = bodies.mass_g[:, np.newaxis]
    momentum = np.sum(mass * bodies.velocity_mm_s, axis=0)
    lever = bodies.position_mm - np.sum(mass * bodies.position_mm, axis=0) / mass.sum()
    orbital = np.cross(lever, mass * bodies.velocity_mm_s)
    return momentum, np.sum(angular_momentum(bodies) + orbital, axis=0)


def test_two_discs_that_collide_in_the_air_keep_momentum_and_angular_momentum():
    scene = Scene(slammer=THIN, stack=puck_stack(1))
    throw = Throw(speed_mm_s=3000.0, aim_x_mm=8.0, aim_y_mm=-3.0, tilt_rad=0.3, rate_z_rad_s=100.0)
    run = thrown(scene, throw, lift_mm=1000.0)
    momentum, angular = momenta(run.bodies())
    run.advance(2e-3)
    after, angular_after = momenta(run.bodies())
    momentum[2] -= GRAVITY_MM_S2 * run.time_s * run.bodies().mass_g.sum()
    assert np.abs(run.bodies().velocity_mm_s[0]).max() > 100.0
    assert after == pytest.approx(momentum, abs=1e-6 * 2.0 * 3000.0)
    assert angular_after == pytest.approx(angular, abs=1e-4 * np.abs(angular).max())


def test_the_spread_of_a_contact_about_its_middle_is_the_same_seen_from_either_disc():
    run = thrown(Scene(slammer=THIN, stack=puck_stack(1)), Throw(speed_mm_s=500.0, tilt_rad=0.1))
    run.arrays.table[1, [CENTRE + 2, MIDDLE + 2]] -= 1.5
    seen = []
    for one in (0, 1):
        collide_discs(run.arrays.table, run.arrays.cache, run.arrays.points, one, 1 - one, math.inf)
        *lever, load, square = run.arrays.cache.resultant[LEVER:]
        seen.append(square / load - np.dot(lever, lever) / load**2)
    assert seen[0] == pytest.approx(seen[1])


def test_a_stack_at_rest_stays_at_rest():
    scene = Scene(slammer=THIN, stack=puck_stack(10))
    jitter = trial_generator(3, 0).normal(0.0, 0.4, size=(10, 2)).tolist()
    throw = Throw(
        speed_mm_s=500.0,
        aim_x_mm=100.0,
        jitter_mm=tuple((x, y) for x, y in jitter),
    )
    run = thrown(scene, throw)
    begin = run.bodies()
    run.advance(5e-3)
    run.soften()
    run.advance(0.2)
    after = run.bodies()
    assert np.abs(after.middle_mm - begin.middle_mm)[:10].max() < 0.05
    assert np.abs(after.velocity_mm_s)[:10].max() < 1.0


@pytest.mark.parametrize(
    ("slammer_g", "stack", "speed_mm_s"),
    [
        (4.0, puck_stack(10), 3000.0),
        (8.0, puck_stack(10), 5000.0),
        (20.0, puck_stack(10), 5000.0),
        (20.0, puck_stack(10), 7000.0),
        (8.0, knock_out_stack(puckdex_slammer(8.0)), 5000.0),
        (20.0, knock_out_stack(puckdex_slammer(8.0), shields=2), 5000.0),
        (8.0, puck_stack(1), 8000.0),
        (12.0, puck_stack(29), 6000.0),
    ],
)
def test_energy_never_rises_in_a_whole_slam(slammer_g, stack, speed_mm_s):
    """The first step under its own weight may give a stack the energy of its springs at rest.

    That is the sum of (weight above)^2 / 2K: 2 nJ for 10 pucks, 40 nJ for 29, 1e-6 of a throw's.
    """
    scene = Scene(slammer=puckdex_slammer(slammer_g), stack=stack)
    above = GRAVITY_MM_S2 * np.cumsum([piece.mass_g for piece in reversed(stack)])
    at_rest_nj = float((above**2).sum()) / contact_stiffness_g_s2(Material())
    for trial in range(3):
        thrower = ThrowDistribution(speed_mm_s=speed_mm_s)
        run = settled(scene, draw_throw(thrower, len(stack), trial_generator(6, trial)))
        assert run.peak_nj <= run.begin_nj + at_rest_nj
        assert run.largest_rise_nj <= 1e-3 * run.begin_nj


@pytest.mark.parametrize(
    ("cell", "trial"),
    [
        # A piece falls onto another that was laid through a wall or a piece, outside of the box.
        ("12g-8mm-5ms-10", 78),
        ("24g-8mm-5ms-16", 23),
        ("8g-6mm-5ms-10-careful", 47),
        ("8g-6mm-5ms-10-p1g", 220),
        # The slammer passes the stack's edge and meets it when the steps of others are longer.
        ("6g-4mm-3.2ms-8-wild-e0.44-mu0.54-p1.35g", 389),
    ],
)
def test_a_throw_of_the_reference_set_gains_no_energy(cell, trial):
    """1 nJ, 1e-8 of a throw's, is less than the springs hold under the weight of the stack."""
    where = cell_named(cell)
    scene = scene_of(where)
    throw = draw_throw(thrower_of(where), len(scene.stack), trial_generator(1, trial))
    run = settled(scene, throw)
    assert run.peak_nj <= run.begin_nj + 1.0


@pytest.mark.parametrize("out", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_overlapping_pieces_beside_a_wall_are_moved_apart_and_not_into_it(out):
    scene = Scene(slammer=THIN, stack=puck_stack(1))
    start = starting_bodies(scene, Throw(speed_mm_s=500.0))
    far_mm, wide_mm = scene.arena.half_side_mm - PIECE_RADIUS_MM - 0.05, 2 * PIECE_RADIUS_MM
    out = np.array([*out, 0.0])
    middle = np.outer((far_mm, far_mm - wide_mm + 0.3), out) + np.outer((1.2, 0.8), UP)
    place = middle + start.centre_mm[:, np.newaxis] * start.normal
    run = thrown(scene, position_mm=place)
    assert resolve_overlaps(run.arrays.table, run.arrays.schedule, run.arrays.law)
    parted = run.bodies().middle_mm
    assert np.hypot(*(parted[0] - parted[1])[:2]) > wide_mm - 0.11
    assert (parted @ out).max() <= far_mm + 0.05 + 1e-9
    assert parted[:, 2].min() >= 0.8 - 1e-9


def test_pieces_that_leave_the_box_end_on_the_floor():
    scene = stack_scene(20.0, 10)
    left = 0
    for trial in range(6):
        throw = trial_throw(10, 4, trial, speed_mm_s=7000.0)
        run = settled(scene, throw)
        last = run.bodies()
        out = np.abs(last.middle_mm[:, :2]).max(axis=1) > scene.arena.half_side_mm + 45.0
        left += int(out.sum())
        assert last.middle_mm[out, 2] == pytest.approx(last.thickness_mm[out] / 2)
    assert left > 3


def test_a_lone_tilted_piece_too_weak_to_turn_over_is_laid_flat_with_the_face_it_shows():
    tilted = Throw(speed_mm_s=500.0, tilt_rad=0.5)
    run = thrown(alone(), tilted, velocity_mm_s=np.zeros((1, 3)))
    run.soften()
    run.settle()
    assert run.bodies().normal[0].tolist() == [0.0, 0.0, 1.0]
    assert run.bodies().middle_mm[0, 2] == pytest.approx(THIN.thickness_mm / 2)


def grown(throw, size):
    """Return a throw at everything so many times as large, under the same gravity."""
    slow = math.sqrt(size)
    return replace(
        throw,
        speed_mm_s=throw.speed_mm_s * slow,
        aim_x_mm=throw.aim_x_mm * size,
        aim_y_mm=throw.aim_y_mm * size,
        rate_x_rad_s=throw.rate_x_rad_s / slow,
        rate_y_rad_s=throw.rate_y_rad_s / slow,
        rate_z_rad_s=throw.rate_z_rad_s / slow,
        jitter_mm=tuple((x * size, y * size) for x, y in throw.jitter_mm),
    )


def scene_of_size(size, *, box):
    """Return pucks and a wider slammer: lengths times a size, masses its cube, moduli itself.

    They are thin: dents of thick pieces follow their thickness no more.
    """
    material = Material(modulus_gpa=2.4 * size, density_g_cm3=1.2)
    make = {"material": material, "fill_fraction": 1.0}
    puck = Puck(mass_g=0.8 * size**3, diameter_mm=30.0 * size, thickness_mm=0.9 * size, **make)
    wide = {"diameter_mm": 45.0 * size, "thickness_mm": 1.1 * size}
    slammer = Slammer(mass_g=8.0 * size**3, **wide, **make)
    sides = {"side_mm": 240.0 * size, "wall_height_mm": 60.0 * size} if box else {"box": False}
    arena = Arena(material=material, **sides)
    return Scene(slammer=slammer, stack=(puck,) * 4, arena=arena)


@pytest.mark.parametrize("box", [True, False])
@pytest.mark.parametrize("trial", [0, 1])
def test_all_lengths_masses_and_stiffness_scaled_together_give_the_same_outcomes(box, trial):
    throw = trial_throw(4, 3, trial, speed_mm_s=2500.0)
    small = slam(scene_of_size(1.0, box=box), throw, engine="solid").outcome
    large = slam(scene_of_size(4.0, box=box), grown(throw, 4.0), engine="solid").outcome
    for one, other in zip(
        (*small.pieces, small.slammer), (*large.pieces, large.slammer), strict=True
    ):
        assert one.face == other.face
        assert (other.x_mm, other.y_mm) == pytest.approx((4 * one.x_mm, 4 * one.y_mm), abs=0.4)


def test_a_piece_that_wobbles_when_time_is_up_is_laid_flat_with_the_face_it_has(monkeypatch):
    monkeypatch.setattr("pucklab.physics.solid.bodies.LONGEST_S", 0.1)
    for tilt_deg in (10.0, 25.0, 60.0):
        throw = Throw(speed_mm_s=2000.0, tilt_rad=math.radians(tilt_deg))
        moving = thrown(alone(), throw)
        moving.advance(IMPACT_S)
        moving.soften()
        moving.advance(0.1 - moving.time_s)
        before = moving.bodies().normal[0, 2]
        assert 0.1 < abs(before) < 0.999
        assert settled(alone(), throw).bodies().normal[0, 2] == math.copysign(1.0, before)


@pytest.mark.parametrize("span_s", [0.01, 0.09, 0.2, 2.0])
def test_a_free_top_turns_as_in_closed_form(span_s):
    """About its axis by (1/I_a - 1/I_d) L . n, then about L by L/I_d, with I_a = 2 and I_d = 1."""
    table, momentum = np.zeros((1, COLUMNS)), np.array([0.6, -0.3, 0.7])
    table[0, FIRST : NORMAL + 3] = np.eye(3).ravel()
    table[0, MOMENTUM : MOMENTUM + 3] = momentum
    table[0, [INVERSE_AXIS, INVERSE_DIAMETER]] = 0.5, 1.0
    rotate_free(table, 0, span_s)
    own = Rotation.from_rotvec([0.0, 0.0, -0.5 * momentum[2] * span_s])
    expected = (Rotation.from_rotvec(momentum * span_s) * own).as_matrix().T
    assert table[0, FIRST : NORMAL + 3] == pytest.approx(expected.ravel(), abs=1e-12)
