"""Recordings of slams in the plane and in space, with their poses.

Positions at rest are possible ones, and the motion is continuous.
"""

import math
from itertools import permutations

import numpy as np
import pytest

from pucklab.physics import (
    ENGINES,
    Face,
    SampleRate,
    Scene,
    Throw,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.poses import move_out_of_walls_mm
from tests.scenes import fast_scene, stack_scene
from tests.slowness import slow

ALLOWED_MM = 0.3
POSE_HZ = 4000.0

FASTEST_RAD_S = 640.0
"""Fastest turn that is believed: 13 m/s at the rim, from a slammer thrown at 7 m/s."""

SCENES = (
    (stack_scene(8.0, 10), 5000.0),
    (fast_scene(20.0, 10), 7000.0),
    (stack_scene(4.0, 16), 5000.0),
    (Scene(slammer=puckdex_slammer(20.0), stack=knock_out_stack(puckdex_slammer(8.0), 2)), 5000.0),
)


def recorded(engine, count):
    """Give slams that hit, of every scene in turn."""
    for trial in range(count):
        scene, speed_mm_s = SCENES[trial % len(SCENES)]
        thrower = ThrowDistribution(speed_mm_s=speed_mm_s)
        throw = draw_throw(thrower, len(scene.stack), trial_generator(11, trial))
        result = slam(scene, throw, SampleRate(pose_hz=POSE_HZ), engine)
        if result.outcome.hit:
            yield scene, result.outcome, result.recording


def half_mm(scene):
    return np.array([piece.thickness_mm / 2 for piece in (*scene.stack, scene.slammer)])


def reach_mm(normal, half):
    """Half the widths of discs along the axes, from their face normals."""
    return PIECE_RADIUS_MM * np.sqrt(np.clip(1 - normal**2, 0.0, None)) + half * np.abs(normal)


def edges_mm(middle, normal, half, count=24):
    """Return points on both edges of discs, shape (..., B, 2 * count, 3)."""
    across = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal), axis=-1)])
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    angle = np.linspace(0.0, 2 * math.pi, count, endpoint=False)[:, np.newaxis]
    rim = PIECE_RADIUS_MM * (
        np.cos(angle) * across[..., np.newaxis, :]
        + np.sin(angle) * np.cross(normal, across)[..., np.newaxis, :]
    )
    lift = (half[:, np.newaxis] * normal)[..., np.newaxis, :]
    return middle[..., np.newaxis, :] + np.concatenate((rim + lift, rim - lift), axis=-2)


def depths_mm(points, middle, normal, half):
    """Return how deep points are in a disc; below zero outside."""
    level = (points - middle) @ normal
    wide = np.sqrt(np.clip(((points - middle) ** 2).sum(axis=-1) - level**2, 0.0, None))
    return np.minimum(half - np.abs(level), PIECE_RADIUS_MM - wide)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("count", [12, slow(200)])
def test_slams_end_possibly_and_move_without_jumps(engine, count):
    for scene, outcome, recording in recorded(engine, count):
        poses, half = recording.poses, half_mm(scene)
        ends = (*outcome.pieces, outcome.slammer)
        inside = [k for k, piece in enumerate(ends) if piece.face is not Face.OUT]
        middle, normal = poses.middle_mm[-1], poses.normal[-1]
        # At rest: not through a wall, as the outcome and as the recording have it, nor each other.
        points = edges_mm(middle, normal, half, 72)
        for place in (middle[:, :2], np.array([(piece.x_mm, piece.y_mm) for piece in ends])):
            moved = points[..., :2] + (place - middle[:, :2])[:, np.newaxis]
            depth = in_walls_mm(scene, np.dstack((moved, points[..., 2])))
            assert depth[inside].max(initial=0.0) < ALLOWED_MM
        for guest, host in permutations(inside, 2):
            depth = depths_mm(points[guest], middle[host], normal[host], half[host])
            assert depth.max() < ALLOWED_MM
        # All the time: not below the floor, in space and in the side view.
        lowest = poses.middle_mm[..., 2] - reach_mm(poses.normal[..., 2], half)
        assert lowest.min() > -ALLOWED_MM
        seen = recording.height_mm - reach_mm(np.cos(recording.angle_rad), half)
        assert engine == "solid" or seen.min() > -ALLOWED_MM
        # And no jumps: nothing turns or flies faster than it can.
        cosine = np.clip((poses.normal[1:] * poses.normal[:-1]).sum(axis=-1), -1.0, 1.0)
        assert np.arccos(cosine).max() * POSE_HZ < FASTEST_RAD_S
        flown = np.linalg.norm(np.diff(poses.middle_mm, axis=0), axis=-1)
        assert flown.max() * POSE_HZ < (10_500.0 if engine == "solid" else 20_000.0)
        if engine == "solid":
            shown = np.array([(piece.x_mm, piece.y_mm) for piece in ends])
            assert recording.top_mm[-1] == pytest.approx(shown, abs=1e-6)


def in_walls_mm(scene, points):
    """Return how deep the deepest of each piece's points is in a wall.

    In a wall is what is beyond its inner side and below its top: pieces may lie on a corner of two.
    """
    beyond = np.abs(points[..., :2]).max(axis=-1) - scene.arena.half_side_mm
    return np.minimum(beyond, scene.arena.wall_height_mm - points[..., 2]).max(axis=-1)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_impact_has_as_many_samples_a_second_as_were_asked_for(engine):
    """The plane samples whole steps, of 15 us; the last sample is at the end."""
    scene = stack_scene(8.0, 10)
    recording = slam(
        scene, Throw(speed_mm_s=5000.0), SampleRate(impact_hz=2000.0), engine
    ).recording
    between_s = np.diff(recording.time_s[: recording.impact_samples])
    assert len(between_s) >= 4
    assert between_s[:-1] == pytest.approx(1 / 2000.0, abs=15e-6)


def test_pieces_are_moved_out_of_the_walls_and_others_stay():
    scene, rng = SCENES[0][0], np.random.default_rng(1)
    middle = rng.uniform((-150.0, -120.0, 1.0), (150.0, 120.0, 60.0), (400, 3))
    normal, half = rng.normal(size=(400, 3)), np.full(400, 0.8)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    box = scene.arena.half_side_mm, scene.arena.wall_height_mm
    moved = move_out_of_walls_mm(middle[None], normal[None], half, half + 19.815, *box)[0]
    before, after = (in_walls_mm(scene, edges_mm(p, normal, half, 72)) for p in (middle, moved))
    assert after.max() < ALLOWED_MM < 15.0 < before.max()
    assert np.array_equal(moved[before < 0], middle[before < 0])
