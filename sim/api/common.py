"""Parts that the calls for Python share: the scene's options, processes, and results that print."""

import inspect
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager, redirect_stdout
from multiprocessing import process
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from physics.errors import InputError, check_count
from sim.cli.processes import worker_processes
from sim.cli.scene_options import option_values, own_options, spec_from_options
from sim.core.ordered_work import WorkersDied
from sim.scenes import SceneSpec

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Shown:
    """A result that shows itself as the text that it prints."""

    def __repr__(self) -> str:
        return str(self)


def printed(function: Callable[[], None]) -> str:
    """Return all that a function prints."""
    with redirect_stdout(io.StringIO()) as text:
        function()
    return text.getvalue().rstrip("\n")


class SceneOptions(TypedDict, total=False):
    """A scene and its thrower, by the names of the command's options."""

    pieces: str  # "rulebook" or "pogs": a puck and a slammer to begin with
    slammer_g: float | Iterable[float]  # one mass or several, 2 to 24 g
    slammer: str  # names in the PuckDex with commas between them, or "all"
    slammer_diameter_mm: float  # 10 to 200 mm
    thickness_mm: float  # of the slammers, 1.6 to 8 mm by the rulebook
    slammer_material: str  # "steel", or numbers such as "density_g_cm3=1.1,modulus_gpa=3"
    pucks: int  # in the stack, 1 to 60
    puck_g: float  # 1 to 2 g by the rulebook
    puck_diameter_mm: float  # 10 to 200 mm
    puck_thickness_mm: float  # 0.2 to 40 mm
    puck_material: str  # as that of the slammer
    arena: float | str  # side of the box in mm, or "none"
    out_radius_mm: float  # on a floor without a box: a piece this far from the centre is out
    knock_out: float  # mass of a lone slammer as the target, g
    shields: int  # pucks on top of the lone slammer
    speed_m_s: float  # of the throw, 0.5 to 10 m/s
    aim_sd_mm: float  # standard deviation of the aim on each axis
    tilt_sd_deg: float  # spread of the slammer's tilt
    descent_deg: tuple[float, float]  # smallest and largest, from the vertical
    direction_deg: float  # in which the slammer flies, seen from above
    engine: str  # "solid" or "plane"
    preset: str  # precision of the plane: "reference", "recommended" or "fast"
    params: str | Path  # parameter file of ``pucklab calibrate``
    scene: str | Path  # scene file
    unofficial: bool  # allow pieces outside the rulebook's masses


def spec_of(scene: Mapping[str, Any], default_masses_g: tuple[float, ...]) -> SceneSpec:
    """Return the scenes of the options.

    Raises:
        InputError: A name or value is not accepted.
    """
    return spec_from_options(option_values(scene), default_masses_g)


def with_named_options(function: _Function) -> _Function:
    """Let ``help`` list the options of a scene by name, in the signature and below it."""
    signature = inspect.signature(function)
    *own, _ = signature.parameters.values()
    kinds, kind = SceneOptions.__annotations__, inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(n, kind, default=None, annotation=kinds[n]) for n in kinds]
    shown = signature.replace(parameters=[*own, *named])
    function.__signature__ = shown  # type: ignore[attr-defined]
    helps = {option.name: option.help for option in own_options()}
    lines = "\n".join(f"        {name}: {helps[name]}" for name in kinds)
    function.__doc__ = re.sub(r" *\*\*scene: .*", lambda _: lines, function.__doc__ or "", count=1)
    return function


@contextmanager
def processes(workers: int) -> Iterator[Executor | None]:
    """Provide processes to work in.

    Raises:
        InputError: They could not work, as in a script that starts itself again in each of them.
    """
    check_count("workers", workers, 1, 1024)
    advice = (
        f"workers: {workers} processes start the script again; put the call below "
        "'if __name__ == \"__main__\":', or give workers=1"
    )
    # A process that is just starting runs the script itself, up to here.
    if workers > 1 and getattr(process.current_process(), "_inheriting", False):
        raise SystemExit(advice)
    try:
        with worker_processes(workers) as executor:
            yield executor
    except WorkersDied:
        raise InputError(advice) from None
