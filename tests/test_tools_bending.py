"""Pucks that bend: plates beside published frequencies, and the impact beside mechanics."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from pucklab.calibration.cells import cell_named, scene_of, thrower_of
from pucklab.physics import (
    Puck,
    Scene,
    Throw,
    draw_throw,
    mass_properties,
    puckdex_slammer,
    trial_generator,
)
from pucklab.physics.material import Material
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.solid.bodies import starting_bodies
from pucklab.physics.solid.engine import SolidRun
from pucklab.physics.solid.state import COMPLIANCE, DAMPING, FRICTION
from tools import bending
from tools.bending import MAKES, BendingRun, plate_modes

CELL = cell_named("8g-6mm-5ms-10")


def test_a_free_plate_swings_as_published():
    """Squares of wave numbers times radii: Itao and Crandall 1979, nu = .33."""
    material, puck = Material(modulus_gpa=3.0, poisson=0.33), Puck()
    rates, _ = plate_modes("plain", material, puck)
    rigidity = 3e9 * puck.thickness_mm**3 / 12 / (1 - 0.33**2)
    per_area = puck.mass_g / (math.pi * PIECE_RADIUS_MM**2)
    numbers = rates * PIECE_RADIUS_MM**2 * math.sqrt(per_area / rigidity)
    assert numbers == pytest.approx([5.262, 9.069, 12.244], rel=1e-3)


def test_a_recessed_puck_that_is_filled_and_all_rim_is_a_plain_plate():
    whole = Puck(ring_width_mm=PIECE_RADIUS_MM - 1e-3, fill_fraction=1.0)
    rates, shapes = zip(*(plate_modes(make, Material(), whole) for make in MAKES), strict=True)
    assert rates[0] == pytest.approx(rates[1], rel=1e-3)
    assert shapes[0].sum(axis=1) == pytest.approx(shapes[1].sum(axis=1), rel=1e-3)


def edge_drop(make, speed_mm_s=2000.0, tilt=0.17):
    """A puck about to strike the floor with its edge, without friction; its slammer is far away."""
    scene = Scene(slammer=puckdex_slammer(8.0), stack=(Puck(),))
    begin = starting_bodies(scene, Throw(speed_mm_s=500.0))
    cos, sin = math.cos(tilt), math.sin(tilt)
    begin.rotation[0] = [[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]]
    middle = np.array([0.0, 0.0, PIECE_RADIUS_MM * sin + 0.8 * cos + 0.001])
    begin.position_mm[0] = middle + begin.centre_mm[0] * begin.normal[0]
    begin.position_mm[1, 2] = 1e4
    begin.velocity_mm_s[0, 2] = -speed_mm_s
    run = BendingRun(scene, begin, make, damping_ratio=0.0)
    run._table[:, FRICTION] = 0.0
    return run, tilt, speed_mm_s


@pytest.mark.parametrize(("make", "damping"), [("plain", 0.0), ("recessed", 0.25)])
def test_an_edge_drop_is_that_of_an_independent_integration(make, damping, monkeypatch):
    """As written, not compiled: only the modes that are even across the drop are excited."""
    monkeypatch.setattr(bending, "move", bending.move.__wrapped__)
    run, tilt, speed = edge_drop(make)
    run._table[:, DAMPING] = damping
    span_s = 0.25e-3
    run.advance(span_s)
    mass, points = mass_properties(Puck()), run._points
    lower = points.first[points.sheet[1]]
    x, y = points.x_mm[:lower], points.y_mm[:lower]
    rings = np.repeat(np.arange(points.sheet[1]), np.diff(points.first)[: points.sheet[1]])
    weight, u = points.weight[rings], (x * x + y * y) / PIECE_RADIUS_MM**2
    turned = (x + 1j * y) / PIECE_RADIUS_MM
    phi = np.array(
        [
            np.polyval(c[::-1], u) * (turned**n).real
            for n, c in zip((2, 0, 3), run.bend.shape, strict=True)
        ]
    )
    rate = run.bend.rate[[0, 2, 3]]
    stiffness = 1 / (run._table[0, COMPLIANCE] + run._table[-1, COMPLIANCE])

    light = 1 / np.array([mass.mass_g, mass.moment_diameter_g_mm2, *[mass.mass_g] * 3])
    below = 0.8 + mass.centre_mm

    def slope(_, state):
        """Of height, angle, bending, and their velocities: Lagrange's equations."""
        (height, angle), bent, speeds = state[:2], state[2:5], state[5:]
        cos, sin = math.cos(angle), math.sin(angle)
        depth = np.maximum(0.0, below * cos + x * sin - height - cos * (bent @ phi))
        norm = max((weight @ depth**4) ** 0.25, 1e-12)
        by = np.array([-np.ones_like(x), x * cos - below * sin + sin * (bent @ phi), *-cos * phi])
        gradient = by @ (weight * depth**3) / norm**3
        push = stiffness * norm
        if damping and depth.any():
            rubbed = 2 * damping * math.sqrt(stiffness / (gradient**2 @ light))
            push = max(0.0, push + rubbed * (gradient @ speeds))
        swing = np.array([9810.0, 0.0, *rate**2 * bent])
        return np.concatenate((speeds, -push * gradient * light - swing))

    begin = np.zeros(10)
    begin[:2] = run._start.position_mm[0, 2], tilt
    begin[5] = -speed
    end = solve_ivp(slope, (0, run.time_s), begin, rtol=1e-8, atol=1e-9, max_step=2e-6).y[:, -1]
    assert run.bodies().velocity_mm_s[0, 2] == pytest.approx(end[5], abs=0.01 * speed)
    assert run.bend.place[0, [0, 2, 3]] == pytest.approx(end[2:5], abs=0.01 * abs(end[2:5]).max())
    assert run.bend.place[0, [1, 4]] == pytest.approx(0.0, abs=1e-9)
    assert abs(run.bend.place[0]).max() > 0.05


def impact(trial, make="", *, lossless=False):
    scene = scene_of(CELL)
    throw = draw_throw(thrower_of(CELL), len(scene.stack), trial_generator(1, trial))
    run = BendingRun(scene, starting_bodies(scene, throw), make or "plain", damping_ratio=0.0)
    if lossless:
        run._table[:, DAMPING] = run._table[:, FRICTION] = 0.0
    if not make:
        run.bend.light[:] = 0.0
    run.advance(12e-3)
    solid = SolidRun(scene, starting_bodies(scene, throw))
    solid.advance(12e-3)
    return run, solid


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKES)
def test_an_impact_without_losses_keeps_its_energy(make):
    runs = [impact(trial, make, lossless=True)[0] for trial in range(12)]
    shares = [run.energy_nj / run.begin_nj for run in runs]
    assert np.mean(shares) == pytest.approx(1.0, abs=0.02)
    assert max(shares) < 1.06
