"""One slam: a scene and a throw in, an outcome out. The one door of the physics."""

from dataclasses import dataclass

from physics.errors import InputError
from physics.outcome import SlamOutcome
from physics.recording import Recording, SampleRate
from physics.scene import Scene
from physics.thrower import Throw

ENGINES = ("plane", "solid")
"""Names of the engines."""

PHYSICS_VERSION = 2
"""Version of the model: it rises with any change of outcomes, and every result file stores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamResult:
    """Result of one slam: the outcome and, on request, the recorded motion.

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
        physics.errors.InputError: engine: 'flat' is not accepted; give one of plane, solid
    """
    check_engine(engine)
    if len(throw.chances) != len(scene.stack):
        raise InputError(
            f"throw: chances for {len(throw.chances)} pieces are not accepted; "
            f"the scene's stack has {len(scene.stack)}"
        )
    # Imported here: who needs no slam, such as Puck Bumpers, does not wait for Pymunk or numba.
    if engine == "solid":
        from physics.solid.engine import slam_solid

        outcome, recording = slam_solid(scene, throw, record)
    else:
        from physics.plane.engine import slam_in_plane

        outcome, recording = slam_in_plane(scene, throw, record)
    return SlamResult(outcome=outcome, recording=recording, engine=engine)


def check_engine(engine: str) -> None:
    """Check that there is an engine of that name.

    Raises:
        InputError: There is none.
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is not accepted; give one of {', '.join(ENGINES)}")
