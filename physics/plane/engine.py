"""The plane engine: one throw computed in the vertical plane of its impact.

`slam_in_plane` is what `physics.slam.slam` calls; `strike` and `outcome_after` are its two halves,
for fits that compute the strike once and what follows many times.
"""

import numpy as np

from physics.outcome import SlamOutcome, undisturbed
from physics.plane.flight_laws import SEPARATED_S
from physics.plane.impact import Impact, ImpactPlane, arriving_state, impact, impact_plane, project
from physics.plane.lift_off import Flight, lift_off, part
from physics.plane.recording import record_slam, with_stack_at_rest
from physics.plane.settle import Rest, piece_outcomes, settle
from physics.plane.world import Trace, X
from physics.recording import Recording, SampleRate
from physics.scene import Scene
from physics.thrower import Throw


def slam_in_plane(
    scene: Scene, throw: Throw, record: SampleRate | None = None
) -> tuple[SlamOutcome, Recording | None]:
    """Return the outcome of a throw, and its motion if a sample rate is given.

    Args:
        scene: The scene.
        throw: The throw.
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
    impact_trace, settle_trace = _traces(scene, record)
    end = strike(scene, throw, plane, impact_trace)
    flight = lift_off(scene, throw, plane, end)
    pieces = (*scene.stack, scene.slammer)
    rest = settle(scene, pieces, flight, settle_trace)
    recording = None
    if record is not None and impact_trace is not None and settle_trace is not None:
        recording = record_slam(
            scene, pieces, plane, flight, impact_trace, end.duration_s, settle_trace, rest, record
        )
    return _outcome(scene, flight, rest), recording


def _outcome(scene: Scene, flight: Flight, rest: Rest) -> SlamOutcome:
    pieces = (*scene.stack, scene.slammer)
    places = (*range(len(scene.stack)), None)
    outcomes = piece_outcomes(pieces, places, flight, rest, scene.arena.half_side_mm)
    return SlamOutcome(hit=True, pieces=outcomes[:-1], slammer=outcomes[-1])


def _miss(
    scene: Scene, throw: Throw, record: SampleRate | None
) -> tuple[SlamOutcome, Recording | None]:
    """Simulate a slammer that comes to rest beside an undisturbed stack (ruling PP-40).

    On its way to the floor it passes through the stack's side.
    """
    _, settle_trace = _traces(scene, record)
    plane = project(throw, throw.heading, throw.tilt_rad)
    state = np.array([arriving_state(scene, plane)])
    (ux, uy), aside = plane.direction, plane.lateral_mm
    flight = Flight(
        state=state,
        azimuth_rad=np.full(1, throw.direction_rad),
        start_mm=np.array([[state[0, X] * ux - aside * uy, state[0, X] * uy + aside * ux]]),
        high=np.zeros(1, dtype=np.bool_),
        separated_s=SEPARATED_S,
        free=np.zeros(1, dtype=np.bool_),
        swing_rad_s=np.zeros(1),
    )
    rest = settle(scene, (scene.slammer,), flight, settle_trace)
    (slammer,) = piece_outcomes((scene.slammer,), (None,), flight, rest, scene.arena.half_side_mm)
    recording = None
    if record is not None and settle_trace is not None:
        nothing = Trace(interval_s=1.0)
        alone = record_slam(
            scene, (scene.slammer,), plane, flight, nothing, 0.0, settle_trace, rest, record
        )
        recording = with_stack_at_rest(alone, scene, throw)
    stack = undisturbed(throw, len(scene.stack))
    return SlamOutcome(hit=False, pieces=stack, slammer=slammer), recording


def _traces(scene: Scene, record: SampleRate | None) -> tuple[Trace | None, Trace | None]:
    """Return traces of the impact, and of every step of the settling; None for no recording."""
    if record is None:
        return None, None
    return Trace(interval_s=1 / record.impact_hz), Trace(interval_s=scene.preset.settle_step_s)
