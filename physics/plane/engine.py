"""The plane engine: one throw computed in the vertical plane of its impact.

`slam_in_plane` is what `pucklab.physics.slam.slam` calls; `strike` and `outcome_after` are its two
halves, for fits that compute the strike once and what follows many times.
"""

import numpy as np

from pucklab.physics.outcome import SlamOutcome, undisturbed
from pucklab.physics.plane.flight_laws import SEPARATED_S
from pucklab.physics.plane.impact import (
    Impact,
    ImpactPlane,
    arriving_state,
    impact,
    impact_plane,
    project,
)
from pucklab.physics.plane.lift_off import Flight, lift_off, part
from pucklab.physics.plane.recording import record_slam, with_stack_at_rest
from pucklab.physics.plane.settle import Rest, piece_outcomes, settle
from pucklab.physics.plane.world import Trace, X
from pucklab.physics.recording import Recording, SampleRate
from pucklab.physics.scene import Scene
from pucklab.physics.thrower import Throw


def slam_in_plane(
    scene: Scene, throw: Throw, record: SampleRate | None = None
) -> tuple[SlamOutcome, Recording | None]:
    """Return the outcome of a throw, and its motion if a sample rate is given.

    Args:
        scene: The scene.
        throw: The throw.
        record: Sample rates of the motion; None for no recording. Does not change the outcome.
    """
    # The whole settling is sampled, the impact as often as asked for.
    trace = settling = None
    if record is not None:
        trace = Trace(interval_s=1 / record.impact_hz)
        settling = Trace(interval_s=scene.preset.settle_step_s)
    plane = impact_plane(scene, throw)
    hit = plane is not None
    if plane is not None:
        pieces = (*scene.stack, scene.slammer)
        end = strike(scene, throw, plane, trace)
        flight, lasted_s = lift_off(scene, throw, plane, end), end.duration_s
    else:
        # The slammer comes to rest beside an undisturbed stack (ruling PP-40). On its way to the
        # floor it passes through the stack's side.
        pieces, lasted_s, trace = (scene.slammer,), 0.0, trace and Trace(interval_s=1.0)
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
    rest = settle(scene, pieces, flight, settling)
    recording = None
    if record is not None and trace is not None and settling is not None:
        recording = record_slam(
            scene, pieces, plane, flight, trace, lasted_s, settling, rest, record
        )
        if not hit:
            recording = with_stack_at_rest(recording, scene, throw)
    return _outcome(scene, throw, flight, rest, hit=hit), recording


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
    rest = settle(scene, (*scene.stack, scene.slammer), flight)
    return _outcome(scene, throw, flight, rest, hit=True)


def _outcome(scene: Scene, throw: Throw, flight: Flight, rest: Rest, *, hit: bool) -> SlamOutcome:
    count = len(scene.stack)
    pieces = (*scene.stack, scene.slammer) if hit else (scene.slammer,)
    places = (*range(count), None) if hit else (None,)
    *stack, slammer = piece_outcomes(pieces, places, flight, rest, scene.arena.half_side_mm)
    return SlamOutcome(
        hit=hit, pieces=tuple(stack) if hit else undisturbed(scene, throw), slammer=slammer
    )
