"""The plane engine: one throw computed in the vertical plane of its impact.

`slam_in_plane` is what `physics.slam.slam` calls; `strike` and `outcome_after` are its two halves,
for fits that compute the strike once and what follows many times.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from physics.materials import GRAVITY_MM_S2, NJ_PER_MJ
from physics.outcome import Face, PieceOutcome, SlamOutcome
from physics.pieces import Piece, mass_properties
from physics.plane.flight_laws import SEPARATED_S
from physics.plane.impact import Impact, impact
from physics.plane.lift_off import Flight, lift_off, part
from physics.plane.projection import ImpactPlane, arriving_state, impact_plane, project
from physics.plane.settle import Rest, settle
from physics.plane.top_view import piece_outcomes, places_mm
from physics.plane.world import ANGLE, Trace, X, Z
from physics.poses import Poses, even_poses, spun, turned_in_plane
from physics.recording import Recording, SampleRate
from physics.scene import Scene
from physics.thrower import Throw


def slam_in_plane(
    scene: Scene, throw: Throw, record: SampleRate | None = None
) -> tuple[SlamOutcome, Recording | None]:
    """Return the outcome of a throw, and its motion if a sample rate is given.

    Args:
        scene: The scene.
        throw: A throw with chances for each piece of the scene's stack.
        record: How often to sample the motion; None for not at all. Does not change the outcome.
    """
    plane = impact_plane(scene, throw)
    if plane is None:
        return _miss(scene, throw, record)
    return _hit(scene, throw, plane, record)


def strike(scene: Scene, throw: Throw, plane: ImpactPlane, trace: Trace | None = None) -> Impact:
    """Compute the stages in the plane of the impact: the impact and the parting after it.

    Args:
        scene: The scene.
        throw: A throw that hits.
        plane: The plane of its impact.
        trace: Receives samples of the motion; None for no sampling.
    """
    end = impact(scene, throw, plane, trace)
    return part(scene, (*scene.stack, scene.slammer), end)


def outcome_after(scene: Scene, throw: Throw, plane: ImpactPlane, end: Impact) -> SlamOutcome:
    """Return the outcome of a throw that hits, given the result of `strike`.

    Fits of the later stages call it many times for one strike, which is more than half of the work.

    Args:
        scene: The scene.
        throw: The throw.
        plane: The plane of its impact.
        end: Result of `strike`.
    """
    flight = lift_off(scene, throw, plane, end)
    return _outcome(scene, flight, settle(scene, (*scene.stack, scene.slammer), flight))


def _hit(
    scene: Scene, throw: Throw, plane: ImpactPlane, record: SampleRate | None
) -> tuple[SlamOutcome, Recording | None]:
    impact_trace, settle_trace = _traces(record)
    end = strike(scene, throw, plane, impact_trace)
    flight = lift_off(scene, throw, plane, end)
    pieces = (*scene.stack, scene.slammer)
    rest = settle(scene, pieces, flight, settle_trace)
    recording = None
    if record is not None and impact_trace is not None and settle_trace is not None:
        recording = record_slam(
            pieces,
            plane,
            flight,
            impact_trace,
            end.duration_s,
            settle_trace,
            rest,
            record.pose_hz,
        )
    return _outcome(scene, flight, rest), recording


def _outcome(scene: Scene, flight: Flight, rest: Rest) -> SlamOutcome:
    pieces = (*scene.stack, scene.slammer)
    outcomes = piece_outcomes(pieces, (*range(len(scene.stack)), None), flight, rest)
    return SlamOutcome(hit=True, pieces=outcomes[:-1], slammer=outcomes[-1])


def _miss(
    scene: Scene, throw: Throw, record: SampleRate | None
) -> tuple[SlamOutcome, Recording | None]:
    """Simulate a slammer that comes to rest beside an undisturbed stack (ruling PP-40).

    On its way to the floor it passes through the stack's side.
    """
    _, settle_trace = _traces(record)
    plane = project(throw, (1.0, 0.0))
    state = np.array([arriving_state(scene, plane)])
    flight = Flight(
        state=state,
        azimuth_rad=np.zeros(1),
        start_mm=np.array([[state[0, X], throw.aim_y_mm]]),
        high=np.zeros(1, dtype=np.bool_),
        separated_s=SEPARATED_S,
        free=np.zeros(1, dtype=np.bool_),
        swing_rad_s=np.zeros(1),
    )
    rest = settle(scene, (scene.slammer,), flight, settle_trace)
    (slammer,) = piece_outcomes((scene.slammer,), (None,), flight, rest)
    undisturbed = tuple(
        PieceOutcome(place=place, face=Face.DOWN, x_mm=c.jitter_x_mm, y_mm=c.jitter_y_mm)
        for place, c in enumerate(throw.chances)
    )
    recording = None
    if record is not None and settle_trace is not None:
        nothing = Trace(interval_s=1.0)
        alone = record_slam(
            (scene.slammer,), plane, flight, nothing, 0.0, settle_trace, rest, record.pose_hz
        )
        recording = with_stack_at_rest(alone, scene, throw)
    return SlamOutcome(hit=False, pieces=undisturbed, slammer=slammer), recording


def _traces(record: SampleRate | None) -> tuple[Trace | None, Trace | None]:
    if record is None:
        return None, None
    return Trace(interval_s=1 / record.impact_hz), Trace(interval_s=1 / record.settle_hz)


def record_slam(
    pieces: Sequence[Piece],
    plane: ImpactPlane,
    flight: Flight,
    impact_trace: Trace,
    impact_s: float,
    settle_trace: Trace,
    rest: Rest,
    pose_hz: float,
) -> Recording:
    """Join the samples of the impact and of the settling into one recording.

    Args:
        pieces: The pieces, the thrown slammer last; shape (B,).
        plane: The plane of the impact.
        flight: States after the impact.
        impact_trace: Samples of the impact; may be empty.
        impact_s: Duration of the impact.
        settle_trace: Samples of the settling, times from the end of the impact.
        rest: Final states.
        pose_hz: Samples a second of the poses in space.
    """
    before, after = _states(impact_trace, len(pieces)), _states(settle_trace, len(pieces))
    states = np.concatenate((before, _from_the_side(after, plane, flight)))
    moved = before[:, :, X] - flight.state[:, X]
    top = np.concatenate(
        (
            flight.start_mm + moved[:, :, np.newaxis] * np.array(plane.direction),
            places_mm(flight, rest, np.array(settle_trace.time_s), after),
        )
    )
    centre = np.array([mass_properties(piece).centre_mm for piece in pieces])
    angle = states[:, :, ANGLE]
    across_nj = pieces[-1].mass_g * plane.speed_across_mm_s**2 / 2
    energy_nj = [across_nj + e for e in impact_trace.energy_nj] + settle_trace.energy_nj
    time_s = np.array(impact_trace.time_s + [impact_s + t for t in settle_trace.time_s])
    height_mm = states[:, :, Z] - np.cos(angle) * centre
    in_space = np.concatenate((top, height_mm[:, :, np.newaxis]), axis=2)
    poses = even_poses(time_s, in_space, _orientations(before, after, plane, flight), pose_hz)
    return Recording(
        time_s=time_s,
        side_mm=states[:, :, X] + np.sin(angle) * centre,
        height_mm=height_mm,
        angle_rad=angle,
        top_mm=top,
        energy_mj=np.array(energy_nj) / NJ_PER_MJ,
        impact_samples=len(before),
        poses=poses,
    )


def _orientations(
    before: NDArray[np.float64], after: NDArray[np.float64], plane: ImpactPlane, flight: Flight
) -> NDArray[np.float64]:
    """Return how pieces are turned in space, shape (F, B, 4).

    In the impact they turn in its plane, then each in the one of its azimuth. Spin about their
    axes is not known to the plane; where a piece goes from one to the other, it is chosen so that
    the orientation runs on as smoothly as it can.

    Args:
        before: States of the impact, shape (F1, B, 6).
        after: States of the settling, shape (F2, B, 6).
        plane: The plane of the impact.
        flight: The azimuths.
    """
    ux, uy = plane.direction
    first = turned_in_plane(before[:, :, ANGLE], np.full(before.shape[1], math.atan2(uy, ux)))
    then = turned_in_plane(after[:, :, ANGLE], flight.azimuth_rad)
    if len(first) and len(then):
        w, x, y, z = np.moveaxis(first[-1], -1, 0)
        w1, x1, y1, z1 = np.moveaxis(then[0], -1, 0)
        # Twist about the piece's own axis in conjugate(first) * then, and its reverse.
        half = -np.arctan2(w * z1 - z * w1 + y * x1 - x * y1, w * w1 + x * x1 + y * y1 + z * z1)
        then = spun(then, half)
    return np.concatenate((first, then))


def _from_the_side(
    states: NDArray[np.float64], plane: ImpactPlane, flight: Flight
) -> NDArray[np.float64]:
    """Return states in the impact's plane: pieces that fly backwards in it are mirrored.

    Args:
        states: States of the settling, shape (F, B, 6), in which every piece flies forwards.
        plane: The plane of the impact.
        flight: States after the impact.
    """
    ux, uy = plane.direction
    back = np.cos(flight.azimuth_rad) * ux + np.sin(flight.azimuth_rad) * uy < 0
    mirrored = states.copy()
    mirrored[:, back, X] = 2 * flight.state[back, X] - states[:, back, X]
    mirrored[:, back, ANGLE] = 2 * np.pi - states[:, back, ANGLE]
    return mirrored


def with_stack_at_rest(slammer: Recording, scene: Scene, throw: Throw) -> Recording:
    """Return the recording of a lone slammer with the undisturbed stack added."""
    samples = len(slammer.time_s)
    tops = np.cumsum([piece.thickness_mm for piece in scene.stack])
    height = tops - [piece.thickness_mm / 2 for piece in scene.stack]
    place = np.array([(c.jitter_x_mm, c.jitter_y_mm) for c in throw.chances]).reshape(-1, 2)
    centre = np.array([mass_properties(piece).centre_mm for piece in scene.stack])
    mass = np.array([piece.mass_g for piece in scene.stack])
    resting_mj = GRAVITY_MM_S2 * float(np.sum(mass * (height - centre))) / NJ_PER_MJ

    def before(stack: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.concatenate((np.broadcast_to(stack, (samples, *stack.shape)), own), axis=1)

    poses = slammer.poses
    if poses is not None:
        resting = np.column_stack((place, height))
        face_down = np.tile([0.0, 1.0, 0.0, 0.0], (len(height), 1))
        shape = (len(poses.time_s), len(height))
        poses = Poses(
            time_s=poses.time_s,
            middle_mm=np.concatenate(
                (np.broadcast_to(resting, (*shape, 3)), poses.middle_mm), axis=1
            ),
            orientation=np.concatenate(
                (np.broadcast_to(face_down, (*shape, 4)), poses.orientation), axis=1
            ),
        )
    return Recording(
        time_s=slammer.time_s,
        side_mm=before(place[:, 0], slammer.side_mm),
        height_mm=before(height, slammer.height_mm),
        angle_rad=before(np.full(len(height), np.pi), slammer.angle_rad),
        top_mm=before(place, slammer.top_mm),
        energy_mj=slammer.energy_mj + resting_mj,
        impact_samples=slammer.impact_samples,
        poses=poses,
    )


def _states(trace: Trace, pieces: int) -> NDArray[np.float64]:
    return np.array(trace.states).reshape(-1, pieces, 6)
