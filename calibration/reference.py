"""The one door to the 3-D engines: the same throws in engines that know no plane."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from calibration.reference3d import Reference3D, follow
from physics import InputError, Scene, Throw
from physics.solid.bodies import starting_bodies


def run_reference(engine: str, scene: Scene, throw: Throw) -> Reference3D:
    """Throw in a 3-D engine.

    Args:
        engine: ``"mujoco"``, or ``"solid"``: the solid engine with its reference settings.
        scene: What is thrown at what, where.
        throw: How.

    Raises:
        InputError: There is no such engine, or the throw is for another stack.
        MissingExtraError: The engine's package is not installed.

    Example:
        >>> from physics import Puck, Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=(Puck(),))
        >>> run_reference("bullet", scene, Throw(speed_mm_s=5000.0))
        Traceback (most recent call last):
            ...
        physics.errors.InputError: engine: 'bullet' is not accepted; give one of mujoco, solid
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is not accepted; give one of {', '.join(ENGINES)}")
    return ENGINES[engine](scene, throw)


def _mujoco(scene: Scene, throw: Throw) -> Reference3D:
    from calibration.mujoco_engine import run_mujoco

    return run_mujoco(scene, throw)


def _solid(scene: Scene, throw: Throw) -> Reference3D:
    from physics.solid.engine import SolidRun
    from physics.solid.settings import REFERENCE

    return follow(SolidRun(scene, starting_bodies(scene, throw), REFERENCE), scene, throw)


ENGINES: Mapping[str, Callable[[Scene, Throw], Reference3D]] = MappingProxyType(
    {"mujoco": _mujoco, "solid": _solid}
)
"""The engines by name; their packages are imported when they first run."""
