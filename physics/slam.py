"""One slam: a scene and a throw in, an outcome out. The one door of the physics."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from physics.compiling import compile_in_background
from physics.decoding import check_one_of
from physics.facts import fact
from physics.outcome import SlamOutcome
from physics.pieces import has_usual_make
from physics.recording import Recording, SampleRate
from physics.scene import Scene
from physics.solid.settings import FAST, SolidSettings
from physics.thrower import Throw, ThrowDistribution

ENGINES = ("plane", "solid")
"""Names of the engines."""

PHYSICS_VERSION = 8
"""Version of the model: it rises with any change of outcomes, and every result file stores it."""


CHECKED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "slammer_g": (2.0, 24.0),
        "thickness_mm": (1.6, 8.0),
        "pucks": (3, 20),
        "puck_g": (1.0, 2.0),
        "speed_m_s": (3.0, 7.0),
        "restitution": (0.3, 0.7),
        "friction": (0.15, 0.6),
        "hysteresis": (0.0, 0.0),
        "descent_deg": (0.0, 60.0),
        "aim_sd_mm": (8.0, 18.0),
        "tilt_sd_deg": (8.0, 25.0),
        "tumble_sd_rad_s": (10.0, 10.0),
        "spin_sd_rad_s": (20.0, 20.0),
        "stack_jitter_sd_mm": (0.4, 0.4),
        "side_mm": (304.8, 304.8),
        "wall_height_mm": (101.6, 101.6),
    }
)
"""Ranges in which the plane was compared with the solid engine: those of the reference cells."""


def unchecked(scene: Scene, thrower: ThrowDistribution) -> str:
    """Return a sentence on what lies outside of `CHECKED`; empty if nothing does.

    Nothing is said of scenes that the solid engine computes.

    Example:
        >>> from physics import Materials, puck_stack, puckdex_slammer
        >>> slippery = Materials(friction=0.05)
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(24), materials=slippery)
        >>> print(unchecked(scene, ThrowDistribution()))
        the plane engine was not checked at pucks 24 (3 to 20), friction 0.05 (0.15 to 0.6)
        >>> usual = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> unchecked(usual, ThrowDistribution())
        ''
    """
    if computing_engine(scene, "plane") != "plane":
        return ""
    values: dict[str, Iterable[float]] = {
        "slammer_g": [scene.slammer.mass_g],
        "thickness_mm": [scene.slammer.thickness_mm],
        "puck_g": [piece.mass_g for piece in scene.stack],
        "pucks": [len(scene.stack)],
        "speed_m_s": [thrower.speed_mm_s / 1000],
        "restitution": [scene.materials.restitution],
        "friction": [scene.materials.friction],
        "hysteresis": [scene.materials.hysteresis],
        "descent_deg": [thrower.descent_min_deg, thrower.descent_max_deg],
        "side_mm": [scene.arena.side_mm],
        "wall_height_mm": [scene.arena.wall_height_mm],
    }
    for name in CHECKED:
        if name not in values and hasattr(thrower, name):
            values[name] = [getattr(thrower, name)]
    outside = []
    for name, (low, high) in CHECKED.items():
        beyond = dict.fromkeys(value for value in values.get(name, ()) if not low <= value <= high)
        accepted = f"{low:g} to {high:g}" if high > low else f"only {low:g}"
        outside += [f"{name} {value:g} ({accepted})" for value in beyond]
    return f"the plane engine was not checked at {', '.join(outside)}" if outside else ""


MAX_PLANE_STACK = 29
"""Greatest stack of the plane: Chipmunk has 32 collision categories, and each piece needs one."""

FEW_PUCKS = 2
"""Stacks of so many pucks or fewer are small: the solid engine computes them about as fast."""


def computing_engine(scene: Scene, engine: str) -> str:
    """Return the engine that computes a scene's slams if ``engine`` is asked for.

    The plane leaves small scenes to the solid engine: knock-outs with or without shields, and
    stacks of one or two pucks. So few bodies take about as long in space (a knock-out: 250 throws a
    second against 180 to 230 in the plane; three shields: 95 against 140), and laws that were read
    off stacks do not hold for them.

    Example:
        >>> from physics import knock_out_stack, puck_stack, puckdex_slammer
        >>> onix = puckdex_slammer(8.0)
        >>> computing_engine(Scene(slammer=onix, stack=puck_stack(10)), "plane")
        'plane'
        >>> computing_engine(Scene(slammer=onix, stack=knock_out_stack(onix)), "plane")
        'solid'
    """
    is_small = scene.is_knock_out or len(scene.stack) <= FEW_PUCKS
    return "solid" if is_small or not is_for_plane(scene) else engine


def is_for_plane(scene: Scene) -> bool:
    """Return whether the plane was made for a scene: pieces of the rulebook's size in a box.

    Example:
        >>> from physics import Puck, puck_stack, puckdex_slammer
        >>> onix = puckdex_slammer(8.0)
        >>> is_for_plane(Scene(slammer=onix, stack=puck_stack(10, Puck(diameter_mm=40.0))))
        False
    """
    return (
        scene.arena.is_official
        and len(scene.stack) <= MAX_PLANE_STACK
        and all(has_usual_make(piece) for piece in (*scene.stack, scene.slammer))
        and scene.slammer.thickness_mm <= CHECKED["thickness_mm"][1]
    )


def compile_engine(scene: Scene, engine: str) -> None:
    """Begin to compile the engine that computes a scene, if it must be, in a process of its own."""
    if computing_engine(scene, engine) == "solid":
        # Imported here: who needs no slam, such as Puck Bumpers, needs no NumPy either.
        from physics.solid.engine import compile_solid
        from physics.solid.overlap import part_overlaps

        compile_in_background(compile_solid, part_overlaps)


@fact
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
    scene: Scene,
    throw: Throw,
    record: SampleRate | None = None,
    engine: str = "plane",
    settings: SolidSettings = FAST,
) -> SlamResult:
    """Throw the scene's slammer at its stack.

    A function of its arguments: the same scene, throw and engine give the same result, bit for bit.

    Args:
        scene: What is thrown at what, where.
        throw: How.
        record: How often to sample the motion; None for not at all. Does not change the outcome.
        engine: ``"plane"``, the fast model with an impact in a vertical plane, or ``"solid"``,
            rigid discs on springs in space, the lab's reference, to which the plane leaves small
            scenes (see `computing_engine`). The scene's preset and its lift-off constants only
            concern the plane.
        settings: Of the solid engine.

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
    throw.jitter_of(len(scene.stack))
    # Imported here: who needs no slam, such as Puck Bumpers, does not wait for Pymunk or numba.
    engine = computing_engine(scene, engine)
    if engine == "solid":
        from physics.solid.engine import slam_solid

        outcome, recording = slam_solid(scene, throw, record, settings)
    else:
        from physics.plane.engine import slam_in_plane

        outcome, recording = slam_in_plane(scene, throw, record)
    return SlamResult(outcome=outcome, recording=recording, engine=engine)


def check_engine(engine: str) -> None:
    """Check that there is an engine of that name.

    Raises:
        InputError: There is none.
    """
    check_one_of("engine", engine, ENGINES)
