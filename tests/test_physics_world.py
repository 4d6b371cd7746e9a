"""The planar world against closed forms of rigid-body mechanics."""

import math

import pytest

from physics.materials import GRAVITY_MM_S2, damping_ratio
from physics.pieces import PIECE_DIAMETER_MM, PIECE_RADIUS_MM
from physics.plane.world import FLOOR_CATEGORY, VZ, World, Z

MASS_G = 1.5
THICKNESS_MM = 1.6


def disc_moment(thickness_mm):
    return MASS_G * (PIECE_RADIUS_MM**2 / 4 + thickness_mm**2 / 12)


def add_disc(world, state, *, thickness_mm=THICKNESS_MM, friction=0.0, restitution=0.0):
    world.add_floor(1e5, friction=math.sqrt(friction), elasticity=math.sqrt(restitution))
    world.add_disc(
        state,
        mass_g=MASS_G,
        moment_g_mm2=disc_moment(thickness_mm),
        thickness_mm=thickness_mm,
        middle_mm=0.0,
        friction=math.sqrt(friction),
        elasticity=math.sqrt(restitution),
    )


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.7])
def test_a_flat_disc_bounces_to_the_square_of_the_restitution(restitution):
    drop_mm = 100.0
    fall_s = math.sqrt(2 * drop_mm / GRAVITY_MM_S2)
    step_s = 1e-5
    with World(iterations=30) as world:
        add_disc(
            world, (0.0, THICKNESS_MM / 2 + drop_mm, 0.0, 0.0, 0.0, 0.0), restitution=restitution
        )
        world.run(round(fall_s * (1 + restitution) / step_s), step_s)
        top_mm = world.states()[0, 1] - THICKNESS_MM / 2
    assert top_mm / drop_mm == pytest.approx(restitution**2, rel=0.01)


@pytest.mark.parametrize("iterations", [5, 20])
@pytest.mark.parametrize("step_s", [1e-3, 5e-5])
def test_a_disc_slides_as_far_as_coulomb_says(step_s, iterations):
    speed_mm_s, friction = 1000.0, 0.35
    with World(iterations) as world:
        add_disc(world, (0.0, THICKNESS_MM / 2, 0.0, speed_mm_s, 0.0, 0.0), friction=friction)
        world.run(round(0.6 / step_s), step_s)
        way_mm = world.states()[0, 0]
    # The solver acts at whole steps: half a step's way is open.
    assert way_mm == pytest.approx(
        speed_mm_s**2 / (2 * friction * GRAVITY_MM_S2), abs=0.6 * speed_mm_s * step_s + 0.01
    )


@pytest.mark.parametrize("tilt_deg", [10.0, 30.0, 60.0])
def test_a_rim_impact_turns_a_disc_as_the_impulse_formula_says(tilt_deg):
    tilt, restitution, speed_mm_s, gap_mm = math.radians(tilt_deg), 0.5, 1000.0, 0.05
    low_mm = PIECE_RADIUS_MM * math.sin(tilt) + THICKNESS_MM / 2 * math.cos(tilt)
    with World(iterations=20) as world:
        add_disc(
            world, (0.0, low_mm + gap_mm, tilt, 0.0, -speed_mm_s, 0.0), restitution=restitution
        )
        world.run(100, 1e-6)
        rate = world.states()[0, 5]
    lever_mm = PIECE_RADIUS_MM * math.cos(tilt) - THICKNESS_MM / 2 * math.sin(tilt)
    moment = disc_moment(THICKNESS_MM)
    arrival = math.sqrt(speed_mm_s**2 + 2 * GRAVITY_MM_S2 * gap_mm)
    impulse = (1 + restitution) * arrival / (1 / MASS_G + lever_mm**2 / moment)
    assert abs(rate) == pytest.approx(impulse * lever_mm / moment, rel=0.005)


@pytest.mark.parametrize("iterations", [5, 20])
def test_a_thin_plate_that_lands_tilted_strikes_again_at_the_angle_of_the_rod_formula(iterations):
    """A thin rod with restitution e, dropped at a small tilt t, strikes next at 2 e t / (3 + e).

    The formula is for a rod's moment, m (2 r)^2 / 12.
    """
    restitution, tilt = 0.5, 0.02
    length_mm, thin_mm = PIECE_DIAMETER_MM, 0.02
    with World(iterations) as world:
        world.add_floor(1e5, friction=0.0, elasticity=1.0)
        world.add_disc(
            (0.0, PIECE_RADIUS_MM * math.sin(tilt) + 0.02, tilt, 0.0, -2000.0, 0.0),
            mass_g=MASS_G,
            moment_g_mm2=MASS_G * length_mm**2 / 12,
            thickness_mm=thin_mm,
            middle_mm=0.0,
            friction=0.0,
            elasticity=restitution,
        )
        rates = [0.0]
        angles = [tilt]
        for _ in range(4000):
            world.run(1, 1e-6)
            state = world.states()[0]
            rates.append(state[5])
            angles.append(state[2])
    strikes = [i for i in range(1, len(rates)) if abs(rates[i] - rates[i - 1]) > 1.0]
    assert -angles[strikes[1]] == pytest.approx(
        2 * restitution * tilt / (3 + restitution), rel=0.05
    )


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("hysteresis", [0.0, 0.4, 1.0])
def test_a_spring_lets_go_at_the_restitution(restitution, hysteresis):
    """Two plates with a spring and a damper between them: speed apart over speed together."""
    mass_g, stiffness, step_s, kept = 0.75, 3.75e8, 1e-6, restitution ** (2 * hysteresis)
    omega = math.sqrt(2 * stiffness / mass_g)
    damping = 2 * damping_ratio(restitution, hysteresis) * stiffness / omega
    with World(iterations=20) as world:
        lower, upper = (
            world.add_disc(
                (0.0, z_mm, 0.0, 0.0, speed_mm_s, 0.0),
                mass_g=mass_g,
                moment_g_mm2=160.0,
                thickness_mm=0.8,
                middle_mm=0.0,
                friction=0.0,
                elasticity=0.0,
                mask=0,
            )
            for z_mm, speed_mm_s in ((100.0, 0.0), (101.0, -1000.0))
        )
        world.add_spring(
            lower,
            upper,
            ((0.0, -4.0), (0.0, 4.0)),
            rest_mm=9.0,
            stiffness_g_s2=stiffness,
            damping_g_s=damping,
            kept=kept,
        )
        gap_mm, apart_mm_s = -1.0, 0.0
        while gap_mm < 0.0:
            world.run(1, step_s)
            states = world.states()
            gap_mm = states[1, Z] - states[0, Z] - 1.0
            apart_mm_s = states[1, VZ] - states[0, VZ]
    assert apart_mm_s / 1000.0 == pytest.approx(restitution, rel=0.03)


def edge_share(thickness_mm, restitution, drop_mm, drops):
    """Return the share of drops, at evenly spread angles, that end on the edge."""
    on_edge = 0
    for i in range(drops):
        angle = math.pi * (i + 0.5) / drops
        reach = math.hypot(PIECE_RADIUS_MM, thickness_mm / 2)
        with World(iterations=20) as world:
            add_disc(
                world,
                (0.0, reach + drop_mm, angle, 0.0, 0.0, 0.0),
                thickness_mm=thickness_mm,
                friction=0.6,
                restitution=restitution,
            )
            world.run(6000, 5e-4)
            on_edge += abs(math.cos(world.states()[0, 2])) < math.sqrt(0.5)
    return on_edge / drops


@pytest.mark.parametrize("thickness_mm", [10.0, 20.0, 30.0])
def test_a_thick_coin_that_does_not_bounce_lands_on_the_side_it_leans_to(thickness_mm):
    law = 2 / math.pi * math.atan(thickness_mm / PIECE_DIAMETER_MM)
    assert edge_share(thickness_mm, restitution=0.0, drop_mm=0.0, drops=50) == pytest.approx(
        law, abs=0.02
    )


def test_a_thick_coin_lands_on_its_edge_less_often_the_more_it_bounces():
    """From its law without bounce to that of Pender and Uhrin (arXiv 1407.6307)."""
    thickness_mm, d = 20.0, PIECE_DIAMETER_MM
    diagonal = math.hypot(thickness_mm, d)
    angle = math.atan(thickness_mm / d)
    dull = 2 / math.pi * angle
    ratio = (diagonal - d) * angle / ((diagonal - thickness_mm) * (math.pi / 2 - angle))
    bouncy = ratio / (1 + ratio)
    error = math.sqrt(bouncy * (1 - bouncy) / 60)
    shares = [
        edge_share(thickness_mm, restitution=e, drop_mm=drop_mm, drops=60)
        for e, drop_mm in ((0.0, 100.0), (0.85, 300.0))
    ]
    assert dull > shares[0] > shares[1]
    assert shares[1] == pytest.approx(bouncy, abs=2 * error)


def test_discs_meet_from_when_they_are_let():
    """One falls onto another, or through it."""
    category = 2
    for let, height in ((False, 0.5), (True, 1.5)):
        with World(iterations=30) as world:
            world.add_floor(1e5, friction=0.0, elasticity=0.0)
            for z_mm in (THICKNESS_MM / 2, 4 * THICKNESS_MM):
                world.add_disc(
                    (0.0, z_mm, 0.0, 0.0, 0.0, 0.0),
                    mass_g=MASS_G,
                    moment_g_mm2=disc_moment(THICKNESS_MM),
                    thickness_mm=THICKNESS_MM,
                    middle_mm=0.0,
                    friction=0.0,
                    elasticity=0.0,
                    categories=category,
                    mask=FLOOR_CATEGORY,
                )
            if let:
                for disc in range(2):
                    world.set_collision_mask(disc, FLOOR_CATEGORY | category)
            world.run(2000, 1e-4)
            assert world.states()[1, 1] / THICKNESS_MM == pytest.approx(height, abs=0.05)
