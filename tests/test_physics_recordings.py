"""Recordings of both engines: positions at rest are possible ones, and the motion is continuous."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from physics import (
    ENGINES,
    PRESETS,
    Face,
    Recording,
    SampleRate,
    Scene,
    SlamOutcome,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from physics.pieces import PIECE_RADIUS_MM

ALLOWED_MM = 0.3
POSE_HZ = 4000.0

FASTEST_RAD_S = 640.0
"""Fastest turn that is believed: 13 m/s at the rim, from a slammer thrown at 7 m/s."""

SCENES = (
    (Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10)), 5000.0),
    (Scene(slammer=puckdex_slammer(20.0), stack=puck_stack(10), preset=PRESETS["fast"]), 7000.0),
    (Scene(slammer=puckdex_slammer(4.0), stack=puck_stack(16)), 5000.0),
    (Scene(slammer=puckdex_slammer(20.0), stack=knock_out_stack(puckdex_slammer(8.0), 2)), 5000.0),
)

Floats = NDArray[np.float64]


def recorded(engine: str, count: int) -> Iterator[tuple[Scene, SlamOutcome, Recording]]:
    """Give slams that hit, of every scene in turn."""
    for trial in range(count):
        scene, speed_mm_s = SCENES[trial % len(SCENES)]
        thrower = ThrowDistribution(speed_mm_s=speed_mm_s)
        throw = draw_throw(thrower, len(scene.stack), trial_generator(11, trial))
        result = slam(scene, throw, SampleRate(pose_hz=POSE_HZ), engine)
        assert result.recording is not None
        if result.outcome.hit:
            yield scene, result.outcome, result.recording


def half_mm(scene: Scene) -> Floats:
    return np.array([piece.thickness_mm / 2 for piece in (*scene.stack, scene.slammer)])


def reach_mm(normal: Floats, half: Floats) -> Floats:
    """Half the widths of discs along the axes, from their face normals."""
    return PIECE_RADIUS_MM * np.sqrt(np.clip(1 - normal**2, 0.0, None)) + half * np.abs(normal)


def deepest_mm(middle: Floats, normal: Floats, half: Floats, guest: int, host: int) -> float:
    """Greatest depth of a point on the edges of one disc inside another; 0 if none is."""
    axis = normal[guest]
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across /= np.linalg.norm(across)
    angle = np.linspace(0.0, 2 * math.pi, 72, endpoint=False)[:, np.newaxis]
    rim = PIECE_RADIUS_MM * (np.cos(angle) * across + np.sin(angle) * np.cross(axis, across))
    points = np.concatenate([rim + side * half[guest] * axis for side in (-1, 1)])
    points += middle[guest] - middle[host]
    level = points @ normal[host]
    wide = np.sqrt(np.clip((points**2).sum(axis=1) - level**2, 0.0, None))
    return max(0.0, float(np.minimum(half[host] - np.abs(level), PIECE_RADIUS_MM - wide).max()))


def check(engine: str, count: int) -> None:
    """Check the end and the motion of recordings."""
    for scene, outcome, recording in recorded(engine, count):
        poses, half = recording.poses, half_mm(scene)
        assert poses is not None
        ends = (*outcome.pieces, outcome.slammer)
        inside = [k for k, piece in enumerate(ends) if piece.face is not Face.OUT]
        middle, normal = poses.middle_mm[-1], poses.normal[-1]
        # At rest: not through a wall, as the outcome and as the recording have it, nor each other.
        for place in (middle[:, :2], np.array([(piece.x_mm, piece.y_mm) for piece in ends])):
            beyond = np.abs(place) + reach_mm(normal[:, :2], half[:, np.newaxis])
            assert beyond[inside].max(initial=0.0) < scene.arena.half_side_mm + ALLOWED_MM
        for guest in inside:
            for host in inside:
                if guest != host:
                    assert deepest_mm(middle, normal, half, guest, host) < ALLOWED_MM
        # All the time: not below the floor, in space and in the side view.
        lowest = poses.middle_mm[..., 2] - reach_mm(poses.normal[..., 2], half)
        assert lowest.min() > -ALLOWED_MM
        seen = recording.height_mm - reach_mm(np.cos(recording.angle_rad), half)
        assert engine == "solid" or seen.min() > -ALLOWED_MM
        # And no jumps: nothing turns or flies faster than it can.
        cosine = np.clip((poses.normal[1:] * poses.normal[:-1]).sum(axis=-1), -1.0, 1.0)
        assert np.arccos(cosine).max() * POSE_HZ < FASTEST_RAD_S
        flown = np.linalg.norm(np.diff(poses.middle_mm, axis=0), axis=-1)
        assert flown.max() * POSE_HZ < 20_000.0


@pytest.mark.parametrize("engine", ENGINES)
def test_some_slams_end_possibly_and_move_without_jumps(engine: str) -> None:
    check(engine, 16)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_two_hundred_slams_end_possibly_and_move_without_jumps(engine: str) -> None:
    check(engine, 200)
