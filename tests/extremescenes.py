"""Scenes and throws at the ends of all ranges, drawn by number."""

import math
from dataclasses import replace

import numpy as np

from pucklab.physics import (
    Arena,
    InputError,
    Material,
    Materials,
    Puck,
    Scene,
    Slammer,
    Throw,
    own_piece,
    puckdex_slammer,
)


def between(rng, low, high):
    """Return a number between two, equally likely at every scale."""
    return float(low * (high / low) ** rng.random())


def extreme_material(rng):
    return Material(
        density_g_cm3=between(rng, 0.05, 22.0),
        modulus_gpa=between(rng, 0.05, 1000.0),
        poisson=0.49 * rng.random(),
        restitution=rng.uniform(0.05, 0.9),
        friction=1.5 * rng.random(),
    )


def extreme_piece(kind, rng):
    if rng.random() < 0.3:
        usual = kind is Puck
        return Puck(mass_g=rng.uniform(1, 2)) if usual else puckdex_slammer(rng.uniform(2, 24))
    across_mm = between(rng, 10.0, 200.0)
    return own_piece(
        kind,
        diameter_mm=across_mm,
        thickness_mm=between(rng, 0.2, min(40.0, across_mm / 2)),
        material=None if rng.random() < 0.3 else extreme_material(rng),
    )


def extreme_scene(rng):
    """Return a scene; half of the boxes are at most half as wide again as the widest piece."""
    count = int(rng.integers(0, 16) if rng.random() < 0.9 else rng.integers(16, 61))
    stack = (extreme_piece(Puck, rng),) * count
    if rng.random() < 0.5:
        kinds = (Slammer if rng.random() < 0.2 else Puck for _ in stack[:8])
        stack = tuple(extreme_piece(kind, rng) for kind in kinds)
    slammer = extreme_piece(Slammer, rng)
    widest_mm = max(piece.diameter_mm for piece in (*stack, slammer))
    arena = Arena(box=False)
    if rng.random() < 0.85:
        wide_mm, tight_mm = between(rng, 50.0, 2000.0), widest_mm * rng.uniform(1.0, 1.5)
        side_mm = max(50.0, tight_mm if rng.random() < 0.5 else wide_mm)
        arena = Arena(side_mm=side_mm, wall_height_mm=between(rng, 10.0, 500.0))
        if rng.random() < 0.5:
            arena = replace(arena, material=extreme_material(rng))
    materials = Materials(
        restitution=rng.uniform(0.05, 0.9),
        friction=1.5 * rng.random(),
        hysteresis=float(rng.choice([0.0, rng.random(), 1.0])),
    )
    return Scene(slammer=slammer, stack=stack, arena=arena, materials=materials)


def extreme_throw(scene, rng):
    """Return a throw; a third of them are aimed anywhere, also beyond the walls."""
    side_mm = 1.5 * min(scene.arena.half_side_mm, 600.0)
    is_wild = rng.random() < 0.33
    aim_mm = rng.uniform(-side_mm, side_mm, 2) if is_wild else rng.normal(0, 12, 2)
    rates = rng.normal(0, (100, 100, 300))
    return Throw(
        speed_mm_s=between(rng, 500.0, 10_000.0),
        aim_x_mm=aim_mm[0],
        aim_y_mm=aim_mm[1],
        descent_rad=math.radians(75 * rng.random()),
        tilt_rad=math.radians(rng.choice([0.0, 85 * rng.random()])),
        tilt_azimuth_rad=rng.uniform(-math.pi, math.pi),
        rate_x_rad_s=rates[0],
        rate_y_rad_s=rates[1],
        rate_z_rad_s=rates[2],
        jitter_mm=tuple(map(tuple, rng.normal(0, 5 * rng.random(), (len(scene.stack), 2)))),
        direction_rad=rng.uniform(-math.pi, math.pi),
    )


def extreme_case(number):
    """Return the scene and the throw of a number, the next one that is accepted."""
    rng = np.random.default_rng([57, number])
    while True:
        try:
            scene = extreme_scene(rng)
        except InputError:
            continue
        return scene, extreme_throw(scene, rng)
