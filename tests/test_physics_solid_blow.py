"""One blow between two discs in mid-air, against the closed form of rigid bodies."""

from dataclasses import replace

import numpy as np
import pytest

from physics import Materials, Scene, Throw, puck_stack, puckdex_slammer
from physics.solid.bodies import starting_bodies
from physics.solid.engine import SolidRun
from physics.solid.state import DAMPING

DISTANCES_MM = (0.5, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0)
"""From axis to axis; the first is off the axis by a little, as no real blow is centred."""

RESTITUTION = 0.5
SPEED_MM_S = 5000.0
SCENE = Scene(
    slammer=puckdex_slammer(8.0),
    stack=puck_stack(2),
    materials=Materials(restitution=RESTITUTION),
)


def blow(distance_mm):
    """Bodies of which the last, flat, is about to meet the one before it; the first is far away."""
    bodies = starting_bodies(SCENE, Throw(speed_mm_s=SPEED_MM_S))
    rotation = np.array([np.diag((1.0, -1.0, -1.0))] * 2 + [np.eye(3)])
    middle = np.array([[100.0, 100.0, 0.8], [0.0, 0.0, 60.0], [distance_mm, 0.0, 63.82]])
    velocity = np.zeros((3, 3))
    velocity[2, 2] = -SPEED_MM_S
    return replace(
        bodies,
        position_mm=middle + bodies.centre_mm[:, np.newaxis] * rotation[:, :, 2],
        rotation=rotation,
        velocity_mm_s=velocity,
        rate_rad_s=np.zeros((3, 3)),
    )


def relative_energy_nj(bodies):
    """Energy of the two discs less that of their common motion."""
    mass, velocity, rate = (x[1:] for x in (bodies.mass_g, bodies.velocity_mm_s, bodies.rate_rad_s))
    common = mass @ velocity / mass.sum()
    spin = np.sum(rate * bodies.normal[1:], axis=1)
    tumble = np.sum(rate**2, axis=1) - spin**2
    twice = mass * np.sum((velocity - common) ** 2, axis=1)
    twice += bodies.moment_diameter_g_mm2[1:] * tumble + bodies.moment_axis_g_mm2[1:] * spin**2
    return float(twice.sum()) / 2


def energy_left(bodies, distance_mm, restitution):
    """Return the share of the relative energy that one blow in the middle of the overlap leaves.

    The blow reverses the speed of the contact, times e: it takes (1 - e^2) of the energy of the
    mass that the contact has, 1 / (1/m + 1/M + (d/2)^2 (1/I + 1/J)).
    """
    mass, moment = bodies.mass_g[1:], bodies.moment_diameter_g_mm2[1:]
    light = float(np.sum(1 / mass))
    return 1 - (1 - restitution**2) * light / (
        light + (distance_mm / 2) ** 2 * float(np.sum(1 / moment))
    )


def share_left(distance_mm, *, damped):
    bodies = blow(distance_mm)
    run = SolidRun(SCENE, bodies)
    if not damped:
        run._table[:, DAMPING] = 0.0
    run.advance(0.4e-3)
    return relative_energy_nj(run.bodies()) / relative_energy_nj(bodies)


@pytest.mark.parametrize("distance_mm", DISTANCES_MM)
def test_a_blow_without_dampers_keeps_its_energy(distance_mm):
    assert share_left(distance_mm, damped=False) == pytest.approx(1.0, abs=0.015)


@pytest.mark.parametrize("distance_mm", DISTANCES_MM)
def test_a_damped_blow_leaves_the_energy_of_the_closed_form(distance_mm):
    """To .02: the contact is wide, and its middle is not quite that of the overlap."""
    expected = energy_left(blow(distance_mm), distance_mm, RESTITUTION)
    assert share_left(distance_mm, damped=True) == pytest.approx(expected, abs=0.02)
