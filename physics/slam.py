"""One slam: a scene and a throw in, an outcome out. The one door of the physics."""

from dataclasses import dataclass

from physics.errors import InputError
from physics.outcome import SlamOutcome
from physics.recording import Recording, SampleRate
from physics.scene import Scene
from physics.thrower import Throw

PHYSICS_VERSION = 1
"""Version of the model: it rises with any change of outcomes, and every result file stores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamResult:
    """What a slam comes to, and how it moved if that was asked for.

    Attributes:
        outcome: How and where every piece ended.
        recording: The motion, or None.
    """

    outcome: SlamOutcome
    recording: Recording | None


def slam(scene: Scene, throw: Throw, record: SampleRate | None = None) -> SlamResult:
    """Throw the scene's slammer at its stack.

    A function of its arguments: the same scene and throw give the same result, bit for bit.

    Args:
        scene: What is thrown at what, where.
        throw: How; it has a chance for each piece of the stack.
        record: How often to sample the motion; None for not at all. Does not change the outcome.

    Raises:
        InputError: The throw was drawn for a smaller or larger stack.

    Example:
        >>> from physics import Slammer, draw_throw, puck_stack, trial_generator, ThrowDistribution
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(10))
        >>> throw = draw_throw(ThrowDistribution(), 10, trial_generator(1, 0))
        >>> result = slam(scene, throw)
        >>> result.outcome.hit, len(result.outcome.pieces)
        (True, 10)
    """
    if len(throw.chances) != len(scene.stack):
        raise InputError(
            f"throw: chances for {len(throw.chances)} pieces are not accepted; "
            f"the scene's stack has {len(scene.stack)}"
        )
    # Imported here: who needs no slam, such as Puck Bumpers, does not wait for Pymunk.
    from physics.plane.engine import slam_in_plane

    outcome, recording = slam_in_plane(scene, throw, record)
    return SlamResult(outcome=outcome, recording=recording)
