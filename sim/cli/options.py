"""Options that say what is thrown at what, by whom: shared by the commands that throw."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.numbers import count, number, numbers
from sim.cli.seed import seed_option

if TYPE_CHECKING:
    from physics import ParameterSet
    from sim.scenes import SceneSpec

_Function = TypeVar("_Function", bound=Callable[..., Any])

_SCENE_NAMES = (
    "slammer_g",
    "slammer",
    "thickness_mm",
    "pucks",
    "puck_g",
    "knock_out",
    "shields",
    "speed_m_s",
    "aim_sd_mm",
    "tilt_sd_deg",
    "descent_deg",
    "preset",
    "params",
    "scene",
    "unofficial",
)
_PATH = click.Path(path_type=Path)
_OPTIONS = (
    click.option(
        "--slammer-g",
        type=numbers(2, 24, "g", ranged=False),
        metavar="G,...",
        help="Masses of slammers, 2 to 24 g.",
    ),
    click.option(
        "--slammer", metavar="NAME,...", help="Slammers of the PuckDex by name, or 'all'."
    ),
    click.option(
        "--thickness-mm",
        type=number(1.6, 8, "mm", ranged=False),
        metavar="T",
        help="Thickness of the slammers, 1.6 to 8 mm.  [default: 6]",
    ),
    click.option(
        "--pucks",
        type=count(1, 29),
        metavar="N",
        help="Pucks in the stack, 1 to 29.  [default: 10]",
    ),
    click.option(
        "--puck-g",
        type=number(1, 2, "g", ranged=False),
        metavar="G",
        help="Mass of a puck, 1 to 2 g.  [default: 1.5]",
    ),
    click.option(
        "--knock-out",
        type=number(2, 24, "g", ranged=False),
        metavar="G",
        help="Throw at a lone slammer of this mass, lying face down, instead of a stack.",
    ),
    click.option(
        "--shields",
        type=count(0, 28),
        metavar="N",
        help="Pucks on the lone slammer, 0 to 28.  [default: 0]",
    ),
    click.option(
        "--speed-m-s",
        type=number(0.5, 10, "m/s"),
        metavar="V",
        help="Speed of the throw, .5 to 10 m/s.  [default: 5]",
    ),
    click.option(
        "--aim-sd-mm",
        type=number(0, 100, "mm"),
        metavar="A",
        help="Standard deviation of the aim on each axis.  [default: 12]",
    ),
    click.option(
        "--tilt-sd-deg",
        type=number(0, 60, "deg"),
        metavar="T",
        help="Spread of the slammer's tilt.  [default: 15]",
    ),
    click.option(
        "--descent-deg",
        type=numbers(0, 75, "deg", size=2),
        metavar="LO,HI",
        help="Range of the descent, from the vertical.  [default: 0,30]",
    ),
    click.option(
        "--preset",
        metavar="P",
        help="How finely to compute: reference, recommended or fast.  [default: recommended]",
    ),
    click.option(
        "--params",
        type=_PATH,
        metavar="FILE",
        help="Parameter file (TOML), as calibrate writes it: materials, lift-off, thrower.",
    ),
    click.option(
        "--scene",
        type=_PATH,
        metavar="FILE",
        help="Scene file (TOML): 'pucklab odds --help' has an example.",
    ),
    click.option(
        "--unofficial", is_flag=True, help="Allow pieces outside the rulebook's masses and sizes."
    ),
    seed_option("Seed; trial i is the same throw for every slammer."),
)


def scene_options(function: _Function) -> _Function:
    """Give a command the options that `spec_from_options` reads."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def spec_from_options(options: dict[str, Any], default_masses_g: tuple[float, ...]) -> "SceneSpec":
    """Return what a command's options ask for, and take them out of ``options``.

    Later ones win: the defaults, the parameter file, the scene file, the options.

    Args:
        options: The options' values by name; None where one was not given.
        default_masses_g: The slammers if none are asked for.

    Raises:
        InputError: A value, or a combination of values, that is not accepted.
    """
    from physics import ParameterSet, preset
    from sim.files import read_toml
    from sim.scenes import SceneSpec, slammers_by_mass, spec_from

    taken = {name: options.pop(name) for name in _SCENE_NAMES}
    parameters = ParameterSet()
    if taken["params"] is not None:
        from calibration.parameterfile import parameters_from

        parameters = parameters_from(read_toml("params", taken["params"]), parameters)
    spec = SceneSpec(slammers=slammers_by_mass(default_masses_g), parameters=parameters)
    if taken["scene"] is not None:
        spec = spec_from(read_toml("scene", taken["scene"]), spec)
    spec = replace(spec, parameters=_with_thrower(spec.parameters, taken))
    spec = _with_slammers(spec, taken)
    if taken["pucks"] is not None:
        spec = replace(spec, pucks=taken["pucks"])
    if taken["puck_g"] is not None:
        puck = replace(spec.puck, mass_g=taken["puck_g"], unofficial=taken["unofficial"])
        spec = replace(spec, puck=puck)
    if taken["preset"] is not None:
        spec = replace(spec, preset=preset(taken["preset"]))
    return _with_knock_out(spec, taken)


def _with_thrower(parameters: "ParameterSet", taken: dict[str, Any]) -> "ParameterSet":
    changes = {
        name: taken[name] for name in ("aim_sd_mm", "tilt_sd_deg") if taken[name] is not None
    }
    if taken["speed_m_s"] is not None:
        changes["speed_mm_s"] = taken["speed_m_s"] * 1000
    if taken["descent_deg"] is not None:
        changes["descent_min_deg"], changes["descent_max_deg"] = taken["descent_deg"]
    return replace(parameters, thrower=replace(parameters.thrower, **changes))


def _with_slammers(spec: "SceneSpec", taken: dict[str, Any]) -> "SceneSpec":
    from physics.checks import InputError
    from physics.pieces import PUCKDEX_THICKNESS_MM
    from sim.scenes import slammers_by_mass, slammers_by_name, with_thickness

    masses, names, thickness = taken["slammer_g"], taken["slammer"], taken["thickness_mm"]
    if masses is not None and names is not None:
        raise InputError(f"slammer: {names!r} is not accepted beside slammer_g; give one of them")
    if masses is not None:
        slammers = slammers_by_mass(
            masses, thickness or PUCKDEX_THICKNESS_MM, unofficial=taken["unofficial"]
        )
        return replace(spec, slammers=slammers)
    if names is not None:
        spec = replace(spec, slammers=slammers_by_name(tuple(names.split(","))))
    if thickness is not None:
        slammers = with_thickness(spec.slammers, thickness, unofficial=taken["unofficial"])
        spec = replace(spec, slammers=slammers)
    return spec


def _with_knock_out(spec: "SceneSpec", taken: dict[str, Any]) -> "SceneSpec":
    from physics import InputError, puckdex_slammer
    from sim.scenes import KnockOut

    if taken["knock_out"] is not None:
        if taken["pucks"] is not None:
            raise InputError(
                f"pucks: {taken['pucks']!r} is not accepted beside knock_out; give shields instead"
            )
        lying = puckdex_slammer(taken["knock_out"], unofficial=taken["unofficial"])
        spec = replace(spec, knock_out=KnockOut(lying=lying))
    if taken["shields"] is None:
        return spec
    if spec.knock_out is None:
        raise InputError(f"shields: {taken['shields']!r} is not accepted without knock_out")
    return replace(spec, knock_out=replace(spec.knock_out, shields=taken["shields"]))
