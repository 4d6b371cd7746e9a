"""The recording of a slam in the plane: views from the side and from above, and poses in space.

`record_slam` joins the samples of the stages. Poses are taken from every step of the settling and
interpolated in the angle, so that a piece never cuts a corner. Poses that are impossible in space
are corrected: a rim below the floor is raised, and pieces that came to rest inside each other, each
on a line of its own, are moved apart at the end.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pucklab.base.arrays import Bools, Floats
from pucklab.physics.materials import GRAVITY_MM_S2, NJ_PER_MJ
from pucklab.physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from pucklab.physics.plane.impact import ImpactPlane
from pucklab.physics.plane.lift_off import Flight
from pucklab.physics.plane.settle import Rest, keep_inside_mm, places_mm, stay_inside
from pucklab.physics.plane.world import ANGLE, Trace, X, Z
from pucklab.physics.poses import (
    Poses,
    even_times_s,
    raise_above_floor_mm,
    rotate_in_plane,
    spin_poses,
    values_at,
    with_steady_signs,
)
from pucklab.physics.recording import Recording, SampleRate
from pucklab.physics.scene import Scene
from pucklab.physics.solid.bodies import law_of
from pucklab.physics.solid.kernel import part_bodies
from pucklab.physics.solid.settings import FAST
from pucklab.physics.solid.state import (
    COLUMNS,
    FIRST,
    FLYING_OUT,
    HALF,
    MIDDLE,
    NORMAL,
    RADIUS,
    SECOND,
    new_run,
)
from pucklab.physics.thrower import Throw

_PARTING_S = 20e-3
"""Time at the end in which pieces at rest that overlap are moved apart."""

_MORE_PARTING = 5


def record_slam(
    scene: Scene,
    pieces: Sequence[Piece],
    plane: ImpactPlane,
    flight: Flight,
    impact_trace: Trace,
    impact_s: float,
    settle_trace: Trace,
    rest: Rest,
    rate: SampleRate,
) -> Recording:
    """Join the samples of the impact and of the settling into one recording.

    Args:
        scene: The scene.
        pieces: The pieces, the thrown slammer last; shape (B,).
        plane: The plane of the impact.
        flight: States after the impact.
        impact_trace: Samples of the impact; may be empty.
        impact_s: Duration of the impact.
        settle_trace: Every step of the settling, times from the end of the impact.
        rest: Final states.
        rate: Sample rates of the settling and the poses.
    """
    before, after = (
        np.array(trace.states).reshape(-1, len(pieces), 6) for trace in (impact_trace, settle_trace)
    )
    # In the settling every piece flies forwards along its own azimuth; seen in the impact's plane,
    # those that fly backwards in it are mirrored.
    ux, uy = plane.direction
    back = np.cos(flight.azimuth_rad) * ux + np.sin(flight.azimuth_rad) * uy < 0
    seen = after.copy()
    seen[:, back, X] = 2 * flight.state[back, X] - after[:, back, X]
    seen[:, back, ANGLE] = 2 * np.pi - after[:, back, ANGLE]
    half_mm = np.array([piece.thickness_mm / 2 for piece in pieces])
    centre_mm = np.array([mass_properties(piece).centre_mm for piece in pieces])
    moved = before[:, :, X] - flight.state[:, X]
    along = np.array(plane.direction)
    top_before = flight.start_mm + moved[:, :, np.newaxis] * along
    stays = stay_inside(pieces, rest)
    top_after = keep_inside_mm(
        places_mm(flight, rest, np.array(settle_trace.time_s), after),
        after[:, :, ANGLE],
        flight.azimuth_rad,
        half_mm,
        scene.arena.half_side_mm,
        stays,
    )
    # Steps of the settling between two samples of the views.
    every = max(1, round(1 / rate.settle_hz / scene.preset.settle_step_s))
    time_s = np.concatenate((impact_trace.time_s, impact_s + np.array(settle_trace.time_s)))
    steps = np.arange(len(before), len(time_s), every)
    shown = np.unique(np.concatenate((np.arange(len(before)), steps, [len(time_s) - 1])))
    states, top = np.concatenate((before, seen)), np.concatenate((top_before, top_after))
    angle = states[:, :, ANGLE]
    height_mm = raise_above_floor_mm(
        states[:, :, Z] - np.cos(angle) * centre_mm, np.cos(angle), half_mm, PIECE_RADIUS_MM
    )
    across_nj = pieces[-1].mass_g * plane.speed_across_mm_s**2 / 2
    energy_nj = np.array([across_nj + e for e in impact_trace.energy_nj] + settle_trace.energy_nj)
    middle_mm = np.concatenate((top, height_mm[:, :, np.newaxis]), axis=2)
    angles = before[:, :, ANGLE], after[:, :, ANGLE], seen[:, :, ANGLE]
    even_s = even_times_s(float(time_s[-1]), rate.pose_hz)
    # The end may be up to an interval after the last sample.
    turned = _orientations(np.append(even_s, time_s[-1]), time_s, plane, flight, angles)
    poses = _poses(scene, half_mm, time_s, middle_mm, even_s, turned, stays, rate.pose_hz)
    end_s = poses.time_s[-1]
    is_longer = end_s > time_s[-1]
    if is_longer:  # the views go on to the end of the poses, at the heights there
        shown = np.append(shown, shown[-1])
    views = Recording(
        time_s=time_s[shown],
        side_mm=(states[:, :, X] + np.sin(angle) * centre_mm)[shown],
        height_mm=height_mm[shown],
        angle_rad=angle[shown],
        top_mm=top[shown],
        energy_mj=energy_nj[shown] / NJ_PER_MJ,
        impact_samples=len(before),
        poses=poses,
    )
    if is_longer:
        views.time_s[-1], views.height_mm[-1] = end_s, poses.middle_mm[-1, :, 2]
    return views


def _orientations(
    at_s: Floats,
    time_s: Floats,
    plane: ImpactPlane,
    flight: Flight,
    angles: tuple[Floats, Floats, Floats],
) -> Floats:
    """Return the orientations of all pieces at some times, shape (T, B, 4).

    In the impact they turn in its plane, in the settling each in the one of its azimuth. Between
    the last sample of the one and the first of the other, what distinguishes the two is turned in
    evenly. Spin about their axes is not known to the plane; it is chosen so that the least has to
    be turned.

    Args:
        at_s: The times.
        time_s: Times of the samples, those of the impact first.
        plane: The plane of the impact.
        flight: The azimuths.
        angles: In the impact, shape (F1, B); in the settling in the planes of the azimuths, shape
            (F2, B); the same in the impact's plane.
    """
    before, after, seen = angles
    count, pieces = before.shape
    heading = np.full(pieces, math.atan2(*plane.direction[::-1]))
    before = np.concatenate((before, seen[:1]))
    first, then_s = time_s[: count + 1], time_s[count:]
    early = at_s < then_s[0]
    turned = np.empty((len(at_s), pieces, 4))
    turned[early] = rotate_in_plane(values_at(at_s[early], first, before), heading)
    turned[~early] = rotate_in_plane(values_at(at_s[~early], then_s, after), flight.azimuth_rad)
    half = np.zeros(pieces)
    if count:
        last = rotate_in_plane(before[-1:], heading)[0]
        then = rotate_in_plane(after[:1], flight.azimuth_rad)[0]
        relative = _product(_conjugate(last), then)
        # Minus the twist of the relative turn about the piece's own axis.
        half = -np.arctan2(relative[:, 3], relative[:, 0])
        then = spin_poses(then[np.newaxis], half)[0]
        between = _product(then, _conjugate(last))
        between *= np.where(between[:, :1] < 0, -1.0, 1.0)
        gap_s = max(first[-1] - first[-2], 1e-12)
        share = np.clip((at_s[early] - first[-2]) / gap_s, 0.0, 1.0)
        angle = np.arccos(np.clip(between[:, 0], -1.0, 1.0))
        axis = between[:, 1:] / np.maximum(np.sin(angle), 1e-12)[:, np.newaxis]
        part = share[:, np.newaxis] * angle
        turn = np.concatenate(
            (np.cos(part)[..., np.newaxis], np.sin(part)[..., np.newaxis] * axis), axis=-1
        )
        turned[early] = _product(turn, turned[early])
    turned[~early] = spin_poses(turned[~early], half)
    return turned


def _poses(
    scene: Scene,
    half_mm: Floats,
    time_s: Floats,
    middle_mm: Floats,
    even_s: Floats,
    turned: Floats,
    stays: Bools,
    rate_hz: float,
) -> Poses:
    """Return poses at even times, ending with pieces that do not overlap.

    ``turned`` are the orientations at these times, and at the last of the samples.
    """
    middle = values_at(even_s, time_s, middle_mm)
    orientation = turned[:-1]
    _, x, y, _ = np.moveaxis(orientation, -1, 0)
    middle[:, :, 2] = raise_above_floor_mm(
        middle[:, :, 2], 1 - 2 * (x * x + y * y), half_mm, PIECE_RADIUS_MM
    )
    # Pieces at rest that overlap are moved apart.
    last, end = middle_mm[-1], turned[-1]
    count = len(half_mm)
    table = np.zeros((count + 1, COLUMNS))
    w, x, y, z = end.T
    table[:count, MIDDLE : MIDDLE + 3] = last
    # Columns of the rotation matrix of a unit quaternion.
    axes = (
        (FIRST, (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))),
        (SECOND, (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))),
        (NORMAL, (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))),
    )
    for column, components in axes:
        table[:count, column : column + 3] = np.stack(components, axis=1)
    table[:count, HALF] = half_mm
    table[:count, RADIUS] = PIECE_RADIUS_MM
    law = law_of(scene, FAST)
    schedule = new_run(count, law).schedule
    schedule.phase[~stays] = FLYING_OUT
    if part_bodies(table, schedule, law):
        # Several pieces in one place take more than one turn to lie side by side.
        for _ in range(_MORE_PARTING):
            if not part_bodies(table, schedule, law):
                break
        steps = max(1, math.ceil(_PARTING_S * rate_hz))
        share = (np.arange(1, steps + 1) / steps)[:, np.newaxis, np.newaxis]
        even_s = even_times_s(even_s[-1] + steps / rate_hz, rate_hz)[: len(even_s) + steps]
        apart = table[:count, MIDDLE : MIDDLE + 3]
        middle = np.concatenate((middle, last + share * (apart - last)))
        still = np.broadcast_to(end, (steps, *end.shape))
        orientation = np.concatenate((orientation, still))
    return Poses(time_s=even_s, middle_mm=middle, orientation=with_steady_signs(orientation))


def _conjugate(turn: Floats) -> Floats:
    result: Floats = turn * np.array([1.0, -1.0, -1.0, -1.0])
    return result


def _product(left: Floats, right: Floats) -> Floats:
    """Return products of quaternions, shape (..., 4): first the right turn, then the left.

    The right turn is about a horizontal axis, as all are within a plane: its last number is 0.
    """
    a, b, c, d = np.moveaxis(left, -1, 0)
    w, x, y, _ = np.moveaxis(right, -1, 0)
    return np.stack(
        (
            a * w - b * x - c * y,
            a * x + b * w - d * y,
            a * y + c * w + d * x,
            b * y - c * x + d * w,
        ),
        axis=-1,
    )


def with_stack_at_rest(slammer: Recording, scene: Scene, throw: Throw) -> Recording:
    """Return the recording of a lone slammer with the undisturbed stack added."""
    tops = np.cumsum([piece.thickness_mm for piece in scene.stack])
    height = tops - [piece.thickness_mm / 2 for piece in scene.stack]
    place = np.array(scene.places_mm(throw)).reshape(-1, 2)
    centre = np.array([mass_properties(piece).centre_mm for piece in scene.stack])
    mass = np.array([piece.mass_g for piece in scene.stack])
    resting_mj = GRAVITY_MM_S2 * float(np.sum(mass * (height - centre))) / NJ_PER_MJ

    def before(stack: Floats, own: Floats) -> Floats:
        return np.concatenate((np.broadcast_to(stack, (len(own), *stack.shape)), own), axis=1)

    poses = slammer.poses
    if poses is not None:
        face_down = np.tile([0.0, 1.0, 0.0, 0.0], (len(height), 1))
        poses = replace(
            poses,
            middle_mm=before(np.column_stack((place, height)), poses.middle_mm),
            orientation=before(face_down, poses.orientation),
        )
    return replace(
        slammer,
        side_mm=before(place[:, 0], slammer.side_mm),
        height_mm=before(height, slammer.height_mm),
        angle_rad=before(np.full(len(height), np.pi), slammer.angle_rad),
        top_mm=before(place, slammer.top_mm),
        energy_mj=slammer.energy_mj + resting_mj,
        poses=poses,
    )
