"""The one door to the 3-D engines: the same throws in engines that know no plane."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from types import MappingProxyType

from calibration.cells import REFERENCE_SEED, Cell, scene_of, thrower_of
from calibration.reference3d import EngineRun, Reference3D, follow
from calibration.throw_log import LoggedThrow, log_throw
from physics import Scene, Throw, draw_throw, trial_generator
from physics.decoding import check_one_of
from physics.errors import require_extra
from physics.solid.bodies import Bodies3D, starting_bodies
from physics.solid.engine import SolidRun
from physics.solid.settings import FAST, REFERENCE, SolidSettings


def run_reference(engine: str, scene: Scene, throw: Throw, settings: str = "") -> Reference3D:
    """Throw in a 3-D engine.

    Args:
        engine: ``"mujoco"`` or ``"solid"``.
        scene: The scene.
        throw: The throw.
        settings: One of `SETTINGS` of the engine; empty for its first.

    Raises:
        InputError: There is no such engine, it has no such settings, or the throw is for another
            stack.
        MissingExtraError: MuJoCo is not installed.

    Example:
        >>> from physics import Puck, Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=(Puck(),))
        >>> run_reference("ode", scene, Throw(speed_mm_s=5000.0))
        Traceback (most recent call last):
            ...
        physics.errors.InputError: engine: 'ode' is not accepted; give one of mujoco, solid
    """
    settings = settings_named(engine, settings)
    run = _begun(engine, scene, starting_bodies(scene, throw), settings)
    return follow(run, scene, throw, by_solid=settings == SETTLED_BY_SOLID)


def throw_in_engine(engine: str, cell: Cell, settings: str, trial: int) -> LoggedThrow:
    """Simulate one trial of a cell in an engine, and log it; for a worker process."""
    scene = scene_of(cell)
    throw = draw_throw(thrower_of(cell), len(scene.stack), trial_generator(REFERENCE_SEED, trial))
    result = run_reference(engine, scene, throw, settings)
    return log_throw(engine, cell.name, trial, result, engine_version(engine), settings)


def engine_version(engine: str) -> str:
    """Return the version of an engine: its own, or pucklab's."""
    return metadata.version("mujoco" if engine == "mujoco" else "pucklab")


def settings_named(engine: str, settings: str) -> str:
    """Return the name of an engine's settings, the first for an empty name.

    Raises:
        InputError: There is no such engine, or it has no such settings.

    Example:
        >>> settings_named("solid", ""), settings_named("solid", "careful")
        ('fast', 'careful')
    """
    check_one_of("engine", engine, tuple(ENGINES))
    known = SETTINGS[engine]
    if settings:
        check_one_of("settings", settings, tuple(filter(None, known)))
    return settings or known[0]


def _begun(engine: str, scene: Scene, bodies: Bodies3D, settings: str) -> EngineRun | SolidRun:
    if engine == "mujoco":
        require_extra("reference", "mujoco")
        from calibration.mujoco_engine import MujocoRun

        return MujocoRun(scene, bodies)
    # The same steps as in `physics.slam`, so that fast throws are the same bit for bit.
    return SolidRun(scene, bodies, _SOLID_SETTINGS[settings])


_SOLID_SETTINGS: Mapping[str, SolidSettings] = MappingProxyType(
    {
        "fast": FAST,
        "careful": REFERENCE,
        "stiffness/3": replace(FAST, stiffness=1 / 3),
        "stiffness*3": replace(FAST, stiffness=3.0),
        "exponent3": replace(FAST, exponent=3),
        "shear/2": replace(FAST, shear_share=FAST.shear_share / 2),
        "shear*2": replace(FAST, shear_share=FAST.shear_share * 2),
    }
)
"""The last five are the ends of what contacts may be like, see `tools.model_uncertainty`."""

SETTLED_BY_SOLID = "solid-settling"
"""Settings of MuJoCo: the solid engine goes on where its impact ends."""

SETTINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "mujoco": ("", SETTLED_BY_SOLID),
        "solid": tuple(_SOLID_SETTINGS),
    }
)
"""Names of each engine's settings, the usual one first; see `physics.solid.settings`."""

ENGINES = tuple(SETTINGS)
"""Names of the engines; MuJoCo is imported when it first runs."""
