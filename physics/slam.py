"""One slam: a scene and a throw in, an outcome out. The one door of the physics."""

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import InputError
from pucklab.base.facts import fact
from pucklab.physics.outcome import SlamOutcome
from pucklab.physics.pieces import has_usual_make
from pucklab.physics.recording import Recording, SampleRate
from pucklab.physics.scene import Scene
from pucklab.physics.solid.settings import FAST, SolidSettings
from pucklab.physics.thrower import Throw

ENGINES = ("plane", "solid")
"""Names of the engines."""

PHYSICS_VERSION = 10
"""Version of the model: it rises with any change of outcomes, and every result file stores it."""

MAX_PLANE_STACK = 29
"""Greatest stack of the plane: Chipmunk has 32 collision categories, and each piece needs one."""

MAX_PLANE_THICKNESS_MM = 8.0
"""Thickest slammer of the plane, the rulebook's thickest."""

FEW_PUCKS = 2
"""Stacks of so many pucks or fewer are small: the solid engine computes them about as fast."""


def computing_engine(scene: Scene, engine: str) -> str:
    """Return the engine that computes a scene's slams if ``engine`` is asked for.

    The plane leaves small scenes to the solid engine: knock-outs with or without shields, and
    stacks of one or two pucks. So few bodies take about as long in space (a knock-out: 250 throws a
    second against 180 to 230 in the plane; three shields: 95 against 140), and laws that were read
    off stacks do not hold for them.

    Example:
        >>> from pucklab.physics import knock_out_stack, puck_stack, puckdex_slammer
        >>> onix = puckdex_slammer(8.0)
        >>> computing_engine(Scene(slammer=onix, stack=puck_stack(10)), "plane")
        'plane'
        >>> computing_engine(Scene(slammer=onix, stack=knock_out_stack(onix)), "plane")
        'solid'

    Raises:
        InputError: The plane is asked for, and the arena has air, which the plane has not.
    """
    for name in ("film_gap_um", "air_kg_m3"):
        if engine == "plane" and (value := getattr(scene.arena, name)):
            raise InputError(
                f"{name}: {value:g} is not accepted with the plane engine, which has no air; use "
                "the solid engine"
            )
    is_small = scene.is_knock_out or len(scene.stack) <= FEW_PUCKS
    return "solid" if is_small or not is_for_plane(scene) else engine


def is_for_plane(scene: Scene) -> bool:
    """Return whether the plane was made for a scene: pieces of the rulebook's size in a box.

    Example:
        >>> from pucklab.physics import Puck, puck_stack, puckdex_slammer
        >>> onix = puckdex_slammer(8.0)
        >>> is_for_plane(Scene(slammer=onix, stack=puck_stack(10, Puck(diameter_mm=40.0))))
        False
    """
    return (
        scene.arena.is_official
        and len(scene.stack) <= MAX_PLANE_STACK
        and all(has_usual_make(piece) for piece in (*scene.stack, scene.slammer))
        and scene.slammer.thickness_mm <= MAX_PLANE_THICKNESS_MM
    )


@fact
class SlamResult:
    """Result of one slam: the outcome and, on request, the recorded motion.

    Attributes:
        outcome: Final face and position of every piece.
        recording: The motion, or None.
        engine: The engine that computed it, one of `ENGINES`.
    """

    outcome: SlamOutcome
    recording: Recording | None
    engine: str = "plane"


def slam(
    scene: Scene,
    throw: Throw,
    record: SampleRate | None = None,
    engine: str = "plane",
    settings: SolidSettings = FAST,
) -> SlamResult:
    """Throw the scene's slammer at its stack.

    A function of its arguments: the same scene, throw and engine give the same result, bit for bit.

    Args:
        scene: Slammer, stack and arena.
        throw: Initial state of the slammer.
        record: Sample rates of the motion; None for no recording. Does not change the outcome.
        engine: ``"plane"``, the fast model with an impact in a vertical plane, or ``"solid"``,
            rigid discs on springs in space, the lab's reference, to which the plane leaves small
            scenes (see `computing_engine`) and throws aimed beyond a wall. The scene's preset and
            its lift-off constants only concern the plane.
        settings: Of the solid engine.

    Raises:
        InputError: There is no such engine, or the throw was drawn for another stack.
        EnergyError: The slam gained energy in the solid engine, which is an error of the engine.

    Example:
        >>> from pucklab.physics import Slammer, ThrowDistribution, draw_throw, puck_stack
        >>> from pucklab.physics import trial_generator
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(10))
        >>> throw = draw_throw(ThrowDistribution(), 10, trial_generator(1, 0))
        >>> result = slam(scene, throw)
        >>> result.outcome.hit, len(result.outcome.pieces)
        (True, 10)
        >>> slam(scene, throw, engine="flat")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: engine: 'flat' is not accepted; give one of plane, solid
    """
    check_engine(engine)
    throw.jitter_of(len(scene.stack))
    # Imported here: who needs no slam, such as Puck Bumpers, does not wait for Pymunk or numba.
    from pucklab.physics.solid.bodies import way_back_mm

    engine = computing_engine(scene, engine)
    if engine == "solid" or way_back_mm(scene, throw):
        from pucklab.physics.solid.engine import slam_solid

        engine, (outcome, recording) = "solid", slam_solid(scene, throw, record, settings)
    else:
        from pucklab.physics.plane.engine import slam_in_plane

        outcome, recording = slam_in_plane(scene, throw, record)
    return SlamResult(outcome=outcome, recording=recording, engine=engine)


def check_engine(engine: str) -> None:
    """Check that there is an engine of that name.

    Raises:
        InputError: There is none.
    """
    check_one_of("engine", engine, ENGINES)
