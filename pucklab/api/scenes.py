"""Scenes for Python, from the keywords of `pucklab.odds` and `pucklab.slam`.

Commands read their options with `spec_of`, too.
"""

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from pucklab.base.files import read_toml
from pucklab.calibration.parameter_files import parameters_from
from pucklab.physics import PRESETS, InputError, LiftOff, ParameterSet
from pucklab.sim.odds import Study
from pucklab.sim.scene.fields import OPTIONS, describe_doubt, with_given
from pucklab.sim.scene.scenes import SceneSpec, cases_of, slammers_by_mass, spec_from

MASS_G = (8.0,)
"""The slammer if none is named and one is needed: the middle one of the PuckDex."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


class SceneOptions(TypedDict, total=False):
    """A scene and its thrower, by the names of the command's options; `help` explains them."""

    pieces: str
    slammer_g: float | Iterable[float]
    slammer: str
    slammer_diameter_mm: float
    thickness_mm: float
    slammer_material: str
    pucks: int
    puck_g: float
    puck_diameter_mm: float
    puck_thickness_mm: float
    puck_material: str
    arena: float | str
    out_radius_mm: float
    film_gap_um: float
    air_kg_m3: float
    knock_out: float
    shields: int
    speed_m_s: float
    aim_sd_mm: float
    tilt_sd_deg: float
    tumble_sd_rad_s: float
    spin_sd_rad_s: float
    stack_jitter_sd_mm: float
    descent_deg: float | tuple[float, float]
    exact: bool
    direction_deg: float
    engine: str
    preset: str
    params: str | Path
    scene: str | Path
    unofficial: bool


def with_named_options(function: _Function) -> _Function:
    """Let ``help`` list the options of a scene by name, in the signature and below it."""
    signature = inspect.signature(function)
    *own, _ = signature.parameters.values()
    kinds, kind = SceneOptions.__annotations__, inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(n, kind, default=None, annotation=kinds[n]) for n in kinds]
    shown = signature.replace(parameters=[*own, *named])
    function.__signature__ = shown  # type: ignore[attr-defined]
    lines = "\n".join(f"        {name}: {OPTIONS[name].about}" for name in kinds)
    function.__doc__ = re.sub(r" *\*\*scene: .*", lambda _: lines, function.__doc__ or "", count=1)
    return function


def read_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options given in Python, each read as its field says.

    Text is accepted where the command line accepts it, and no number becomes text.

    Raises:
        InputError: There is no such option, or its value is not accepted.
    """
    found = {}
    by_option = {"slammer_thickness_mm": "thickness_mm"}
    for typed, value in given.items():
        field = OPTIONS.get(by_option.get(typed, typed))
        if field is None:
            near = get_close_matches(typed, OPTIONS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"give {', '.join(OPTIONS)}"
            raise InputError(f"{typed}: no such option; {hint}")
        found[field.name] = None if value is None else field.read(typed, value)
    return found


def spec_of(
    given: Mapping[str, Any], default_masses_g: tuple[float, ...], varied: Collection[str] = ()
) -> SceneSpec:
    """Return the scenes that options describe.

    Options override the scene file, which overrides the parameter file and the defaults.

    Args:
        given: Values of options by name, as `read_options` or a command reads them.
        default_masses_g: Slammers if the options name none.
        varied: Names of numbers that are varied; then `note_doubt` is for the caller.

    Raises:
        InputError: A value, or a combination of values, is not accepted.
    """
    given = {name: value for name, value in given.items() if value is not None}
    parameters = ParameterSet()
    if "params" in given:
        parameters = parameters_from(read_toml("params", given["params"]), parameters)
    spec = SceneSpec(slammers=slammers_by_mass(default_masses_g), parameters=parameters)
    table: Mapping[str, Any] = {}
    if "scene" in given:
        table = read_toml("scene", given["scene"])
        spec = spec_from(table, spec)
    spec = _with_engine(with_given(spec, given), given, "engine" in table, varied)
    if not varied:
        note_doubt(case.study for case in cases_of(spec))
    return spec


def check_one_slammer(spec: SceneSpec) -> None:
    """Check that a spec has one slammer.

    Raises:
        InputError: It has several.
    """
    if len(spec.slammers) > 1:
        raise InputError(f"slammer: {len(spec.slammers)} slammers are not accepted; give one")


def note_doubt(studies: Iterable[Study]) -> None:
    """Print a note on the first study with values outside the tested ranges."""
    for text in filter(None, map(describe_doubt, studies)):
        _note(text)
        return


def _note(text: str) -> None:
    sys.stderr.write(f"note: {text}\n")


def _with_engine(
    spec: SceneSpec, given: Mapping[str, Any], is_filed: bool, varied: Collection[str]
) -> SceneSpec:
    """Return a spec with its engine: the plane if something is asked for that only it has.

    Args:
        spec: The spec, with the engine of the scene file.
        given: The options.
        is_filed: The scene file names an engine.
        varied: Names of numbers that the command varies.

    Raises:
        InputError: The solid engine is asked for, and with it a preset or a constant of lift-off.
    """
    if "engine" in given:
        spec = replace(spec, engine=given["engine"])
    laws = {each.name for each in fields(LiftOff)}
    typed = ["--preset"] * ("preset" in given) + [name for name in varied if name in laws]
    filed = ["preset"] * (spec.preset != PRESETS["recommended"] and "preset" not in given)
    filed += ["lift_off"] * (spec.parameters.lift_off != LiftOff())
    if spec.engine == "plane" or not typed + filed:
        return spec
    names, planar = ", ".join(typed + filed), replace(spec, engine="plane")
    is_open = "engine" not in given and not is_filed
    if is_open and any(case.study.engine == "plane" for case in cases_of(planar)):
        _note(f"{names} implies --engine plane")
        return planar
    if typed and not is_open:
        raise InputError(
            f"{typed[0].lstrip('-')}: not accepted with the solid engine, which has none; give "
            "--engine plane"
        )
    _note(f"the solid engine does not use {names}")
    return spec
