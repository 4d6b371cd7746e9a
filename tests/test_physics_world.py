"""The planar world against closed forms of rigid-body mechanics."""

import math

import pytest

from pucklab.physics.materials import GRAVITY_MM_S2, damping_ratio
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.plane.world import VZ, World, Z

MASS_G = 1.5
THICKNESS_MM = 1.6


def disc_moment(thickness_mm):
    return MASS_G * (PIECE_RADIUS_MM**2 / 4 + thickness_mm**2 / 12)


def add_disc(world, state, *, thickness_mm=THICKNESS_MM, friction=0.0, restitution=0.0):
    surface = math.sqrt(friction), math.sqrt(restitution)
    world.add_floor(1e5, surface)
    world.add_disc(
        state,
        mass_g=MASS_G,
        moment_g_mm2=disc_moment(thickness_mm),
        thickness_mm=thickness_mm,
        middle_mm=0.0,
        surface=surface,
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
                surface=(0.0, 0.0),
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
