"""One slam: a scene and a throw in, an outcome out. The one door of the physics."""

from dataclasses import dataclass

import numpy as np

from physics.apart import APART_S
from physics.checks import InputError
from physics.impact import Impact, impact
from physics.liftoff import Flight, lift_off
from physics.outcome import Face, PieceOutcome, SlamOutcome
from physics.parting import part
from physics.plane import ImpactPlane, arriving_state, impact_plane, project
from physics.recording import Recording, SampleRate, record_slam, with_stack_at_rest
from physics.scene import Scene
from physics.settle import Rest, settle
from physics.thrower import Throw
from physics.topview import piece_outcomes
from physics.trace import Trace

ENGINES = ("plane", "solid")
"""Names of the engines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamResult:
    """What a slam comes to, and how it moved if that was asked for.

    Attributes:
        outcome: How and where every piece ended.
        recording: The motion, or None.
        engine: The engine that computed it, one of `ENGINES`.
    """

    outcome: SlamOutcome
    recording: Recording | None
    engine: str = "plane"


def slam(
    scene: Scene, throw: Throw, record: SampleRate | None = None, engine: str = "plane"
) -> SlamResult:
    """Throw the scene's slammer at its stack.

    A function of its arguments: the same scene, throw and engine give the same result, bit for bit.

    Args:
        scene: What is thrown at what, where.
        throw: How; it has a chance for each piece of the stack.
        record: How often to sample the motion; None for not at all. Does not change the outcome.
        engine: ``"plane"``, the fast model with an impact in a vertical plane, or ``"solid"``,
            rigid discs on springs in space, the lab's reference. The scene's preset, its lift-off
            constants and its rolling friction only concern the plane.

    Raises:
        InputError: There is no such engine, or the throw was drawn for another stack.

    Example:
        >>> from physics import Slammer, draw_throw, puck_stack, trial_generator, ThrowDistribution
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(10))
        >>> throw = draw_throw(ThrowDistribution(), 10, trial_generator(1, 0))
        >>> result = slam(scene, throw)
        >>> result.outcome.hit, len(result.outcome.pieces)
        (True, 10)
        >>> slam(scene, throw, engine="flat")
        Traceback (most recent call last):
            ...
        physics.checks.InputError: engine: 'flat' is not accepted; give one of plane, solid
    """
    check_engine(engine)
    if len(throw.chances) != len(scene.stack):
        raise InputError(
            f"throw: chances for {len(throw.chances)} pieces are not accepted; "
            f"the scene's stack has {len(scene.stack)}"
        )
    if engine == "solid":
        from physics.solid.engine import slam_solid  # compiled: not needed by the plane

        outcome, recording = slam_solid(scene, throw, record)
        return SlamResult(outcome=outcome, recording=recording, engine=engine)
    plane = impact_plane(scene, throw)
    if plane is None:
        return _miss(scene, throw, record)
    return _hit(scene, throw, plane, record)


def check_engine(engine: str) -> None:
    """Check that there is an engine of that name.

    Raises:
        InputError: There is none.
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is not accepted; give one of {', '.join(ENGINES)}")


def strike(scene: Scene, throw: Throw, plane: ImpactPlane, trace: Trace | None = None) -> Impact:
    """Compute what happens in the plane of the impact: the impact, and the parting after it.

    Args:
        scene: The scene.
        throw: A throw that hits.
        plane: The plane of its impact.
        trace: Where to put samples of the motion, if wanted.
    """
    end = impact(scene, throw, plane, trace)
    return part(scene, (*scene.stack, scene.slammer), end)


def outcome_after(scene: Scene, throw: Throw, plane: ImpactPlane, end: Impact) -> SlamOutcome:
    """Return what a throw that hits comes to, given what `strike` made of it.

    For fits of what follows: the strike, more than half of the work, is then computed only once.

    Args:
        scene: The scene.
        throw: The throw.
        plane: The plane of its impact.
        end: What `strike` returned.
    """
    flight = lift_off(scene, throw, plane, end)
    return _outcome(scene, flight, settle(scene, (*scene.stack, scene.slammer), flight))


def _hit(scene: Scene, throw: Throw, plane: ImpactPlane, record: SampleRate | None) -> SlamResult:
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
    return SlamResult(outcome=_outcome(scene, flight, rest), recording=recording)


def _outcome(scene: Scene, flight: Flight, rest: Rest) -> SlamOutcome:
    pieces = (*scene.stack, scene.slammer)
    outcomes = piece_outcomes(pieces, (*range(len(scene.stack)), None), flight, rest)
    return SlamOutcome(hit=True, pieces=outcomes[:-1], slammer=outcomes[-1])


def _miss(scene: Scene, throw: Throw, record: SampleRate | None) -> SlamResult:
    """Let the slammer come to rest beside a stack that nothing moves (ruling PP-40).

    Its way to the floor does not mind the stack, whatever it would touch of its side.
    """
    _, settle_trace = _traces(record)
    plane = project(throw, (1.0, 0.0))
    state = np.array([arriving_state(scene, plane)])
    flight = Flight(
        state=state,
        azimuth_rad=np.zeros(1),
        start_mm=np.array([[state[0, 0], throw.aim_y_mm]]),
        high=np.zeros(1, dtype=np.bool_),
        apart_s=APART_S,
        free=np.zeros(1, dtype=np.bool_),
        swing_rad_s=np.zeros(1),
    )
    rest = settle(scene, (scene.slammer,), flight, settle_trace)
    (slammer,) = piece_outcomes((scene.slammer,), (None,), flight, rest)
    lying = tuple(
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
    return SlamResult(
        outcome=SlamOutcome(hit=False, pieces=lying, slammer=slammer), recording=recording
    )


def _traces(record: SampleRate | None) -> tuple[Trace | None, Trace | None]:
    if record is None:
        return None, None
    return Trace(interval_s=1 / record.impact_hz), Trace(interval_s=1 / record.settle_hz)
