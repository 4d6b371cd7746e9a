"""Options that describe the scene and the thrower, and the scenes that follow from them.

`scene_options` adds them to a command, `spec_from_options` reads them. Options override the scene
file, which overrides the parameter file and the defaults.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any, TypeVar

import click

from calibration.parameter_files import parameters_from
from physics import (
    ENGINES,
    MATERIALS,
    MAX_STACK,
    PRESETS,
    InputError,
    LiftOff,
    ParameterSet,
    Puck,
    Scene,
    ThrowDistribution,
    check_engine,
    own_piece,
    preset,
    puckdex_slammer,
)
from physics.material import material_of
from physics.pieces import (
    DIAMETERS_MM,
    PUCKDEX_THICKNESS_MM,
    THICKNESSES_MM,
    has_usual_make,
    remade,
)
from physics.slam import CHECKED, unchecked
from sim.cli.options import (
    PATH,
    add_options,
    choice,
    completed,
    count,
    flag,
    number,
    numbers,
    option,
    seed_option,
    workers_option,
)
from sim.core.files import read_toml
from sim.scenes import (
    PIECE_SETS,
    KnockOut,
    SceneSpec,
    check_equal_pucks,
    own_slammers,
    slammers_by_mass,
    slammers_by_name,
    spec_fields,
    spec_from,
    studies_of,
    with_pieces,
    with_thickness,
)

_Function = TypeVar("_Function", bound=Callable[..., Any])


def slammer_names() -> list[str]:
    """Return the names of the PuckDex's slammers, and ``all``."""
    return ["all", *(named.name for named in slammers_by_name(("all",)))]


def engine_names() -> list[str]:
    """Return the names of the engines."""
    return list(ENGINES)


def _preset_names() -> list[str]:
    return list(PRESETS)


BEST_OF = 500
"""Throws of a search for the wildest ones if no number is given."""


def best_options(function: _Function) -> _Function:
    """Add the options ``--best``, ``--of`` and ``--workers`` to a command."""
    options = (
        option(
            "--best",
            str,
            "MEASURE",
            "Show the wildest of many throws, by flips, out (of the arena) or height.",
        ),
        option(
            "--of",
            count(1, 100_000),
            "N",
            f"With --best: the wildest of trials 0 to N-1 of the seed.  [default: {BEST_OF}]",
        ),
        workers_option("search with --best"),
    )
    return add_options(function, options)


_FIELDS = spec_fields()


def _ranged(name: str, metavar: str, about: str, *, ranged: bool = True) -> Any:
    """Return the option of a number of a scene, with the range that is declared for it."""
    own = _FIELDS[name]
    kind = number(own.low, own.high, own.unit, ranged=ranged)
    return option(f"--{name.replace('_', '-')}", kind, metavar, about)


def _size(piece: str, size: str, ends: tuple[float, float], default: str) -> Any:
    low, high = ends
    return option(
        f"--{piece}-{size}-mm",
        number(low, high, "mm"),
        size[0].upper(),
        f"{size.capitalize()} of a {piece}, {low:g} to {high:g} mm.  [default: {default}]",
    )


def _material(piece: str) -> Any:
    return option(
        f"--{piece}-material",
        str,
        "NAME",
        f"Material of a {piece}: {', '.join(MATERIALS)}, or numbers such as "
        "density_g_cm3=1.1,modulus_gpa=3.  Mass or thickness follow if not given.",
        shell_complete=completed(lambda: MATERIALS),
    )


_OPTIONS = (
    option(
        "--pieces",
        choice(*PIECE_SETS),
        "NAME",
        "A puck and a slammer to begin with: rulebook, or pogs (cardboard milk caps and a "
        "brass slammer).",
    ),
    option(
        "--slammer-g",
        numbers(2, 24, "g", ranged=False, spans=True),
        "G,...",
        "Masses of slammers, 2 to 24 g, others with a size or material of their own; "
        "2:24:2 stands for 2, 4 and so on up to 24.",
    ),
    option(
        "--slammer",
        str,
        "NAME,...",
        "Slammers of the PuckDex by name, or 'all'.",
        shell_complete=completed(slammer_names),
    ),
    _size("slammer", "diameter", DIAMETERS_MM, "41.23"),
    option(
        "--slammer-thickness-mm --thickness-mm thickness_mm",
        number(*THICKNESSES_MM, "mm", ranged=False),
        "T",
        "Thickness of the slammers; 1.6 to 8 mm by the rulebook.  [default: 6]",
    ),
    _material("slammer"),
    option(
        "--pucks", count(1, MAX_STACK), "N", f"Pucks in the stack, 1 to {MAX_STACK}.  [default: 10]"
    ),
    _ranged(
        "puck_g", "G", "Mass of a puck, 1 to 2 g by the rulebook.  [default: 1.5]", ranged=False
    ),
    _size("puck", "diameter", DIAMETERS_MM, "41.23"),
    _size("puck", "thickness", THICKNESSES_MM, "1.6"),
    _material("puck"),
    option(
        "--arena",
        str,
        "SIDE",
        "Side of the box in mm, 50 to 2000, or none for a floor without a box.  [default: 304.8]",
    ),
    option(
        "--out-radius-mm",
        number(25, 2000, "mm"),
        "R",
        "With --arena none: a piece this far from the centre is out.  [default: none is]",
    ),
    option(
        "--knock-out",
        number(2, 24, "g", ranged=False),
        "G",
        "Throw at a lone slammer of this mass, face down, instead of a stack.",
    ),
    option(
        "--shields",
        count(0, MAX_STACK - 1),
        "N",
        f"Pucks on top of the lone slammer, 0 to {MAX_STACK - 1}.  [default: 0]",
    ),
    _ranged("speed_m_s", "V", "Speed of the throw, .5 to 10 m/s.  [default: 5]"),
    _ranged("aim_sd_mm", "A", "Standard deviation of the aim on each axis.  [default: 12]"),
    _ranged("tilt_sd_deg", "T", "Spread of the slammer's tilt.  [default: 15]"),
    option(
        "--descent-deg",
        numbers(0, 75, "deg", size=2),
        "LO,HI",
        "Range of the descent, from the vertical.  [default: 0,30]",
    ),
    _ranged(
        "direction_deg",
        "D",
        "Direction of the throws from above: 0 to the right, 90 away.  [default: 0]",
    ),
    option(
        "--engine",
        str,
        "NAME",
        "solid (rigid discs in space) or plane (a fast model, which leaves knock-outs and one or "
        "two pucks to solid).  [default: solid; plane with --preset and constants of lift-off]",
        shell_complete=completed(engine_names),
    ),
    option(
        "--preset",
        str,
        "P",
        "Precision of the plane engine: reference, recommended or fast.  [default: recommended]",
        shell_complete=completed(_preset_names),
    ),
    option(
        "--params",
        PATH,
        "FILE",
        "Parameter file (TOML) of 'pucklab calibrate': materials, lift-off, thrower.",
    ),
    option("--scene", PATH, "FILE", "Scene file (TOML); 'pucklab odds --help' shows one."),
    flag("--unofficial", "Allow masses outside the rulebook's."),
    seed_option("Seed of the throws; trial i is the same throw for every slammer."),
)


def scene_options(function: _Function) -> _Function:
    """Add the options that `spec_from_options` reads to a command."""
    return add_options(function, _OPTIONS)


def option_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of the scene's options given in Python, read as the command line reads text.

    Numbers may stand for their text, and several of them for a list with commas.

    Raises:
        InputError: There is no such option, or its value is not accepted.
    """
    types = {option.name: option for option in own_options()}
    written = {
        text.lstrip("-").replace("-", "_"): name for name, own in types.items() for text in own.opts
    }
    found: dict[str, Any] = dict.fromkeys(_SCENE_NAMES) | {"unofficial": False}
    for given_name, value in given.items():
        name = written.get(given_name, given_name)
        if name not in found:
            near = get_close_matches(name, _SCENE_NAMES, n=1)
            hint = f"did you mean {near[0]}?" if near else f"give {', '.join(_SCENE_NAMES)}"
            raise InputError(f"{name}: no such option; {hint}")
        if isinstance(value, bool) or value is None:
            found[name] = value
            continue
        is_list = isinstance(value, Iterable) and not isinstance(value, str)
        text = ",".join(map(str, value)) if is_list else str(value)
        found[name] = types[name].type.convert(text, types[name], None)
    return found


def own_options() -> list[click.Option]:
    """Return the options of a scene and their seed, in their order in the help."""
    holder: Any = scene_options(lambda: None)
    options: list[click.Option] = holder.__click_params__
    return options[::-1]


_SCENE_NAMES = tuple(str(own.name) for own in own_options() if own.name != "seed")


def spec_from_options(
    options: dict[str, Any], default_masses_g: tuple[float, ...], varied: Collection[str] = ()
) -> SceneSpec:
    """Return the scenes that a command's options describe, and take them out of ``options``.

    Options override the scene file, which overrides the parameter file and the defaults.

    Args:
        options: The options' values by name; None where one was not given.
        default_masses_g: Slammers if the options name none.
        varied: Names of fields that the command varies.

    Raises:
        InputError: A value, or a combination of values, is not accepted.
    """
    taken = {name: options.pop(name) for name in _SCENE_NAMES}
    parameters = ParameterSet()
    if taken["params"] is not None:
        parameters = parameters_from(read_toml("params", taken["params"]), parameters)
    spec = SceneSpec(slammers=slammers_by_mass(default_masses_g), parameters=parameters)
    table: Mapping[str, Any] = {}
    if taken["scene"] is not None:
        table = read_toml("scene", taken["scene"])
        spec = spec_from(table, spec)
    if taken["pieces"] is not None:
        spec = with_pieces(spec, taken["pieces"])
    spec = replace(spec, parameters=_with_thrower(spec.parameters, taken))
    spec = _with_slammers(spec, taken)
    if taken["pucks"] is not None:
        check_equal_pucks(spec, "pucks")
        spec = replace(spec, pucks=taken["pucks"])
    spec = _with_arena(_with_puck(spec, taken), taken)
    if taken["preset"] is not None:
        spec = replace(spec, preset=preset(taken["preset"]))
    spec = _with_engine(_with_knock_out(spec, taken), taken, "engine" in table, varied)
    if spec.engine == "plane":
        note_unchecked((study.scene, study.thrower) for study in studies_of(spec))
    return spec


def note_unchecked(throws: Iterable[tuple[Scene, ThrowDistribution]]) -> None:
    """Print a note for the first scene that lies outside of what the plane was checked on."""
    for text in (unchecked(scene, thrower) for scene, thrower in throws):
        if text:
            click.echo(f"note: {text}; --engine solid computes such scenes", err=True)
            return


def _with_engine(
    spec: SceneSpec, taken: dict[str, Any], is_filed: bool, varied: Collection[str]
) -> SceneSpec:
    """Return a spec with its engine: the plane if something is asked for that only it has.

    Args:
        spec: The spec, with the engine of the scene file.
        taken: The options.
        is_filed: The scene file names an engine.
        varied: Names of fields that the command varies.

    Raises:
        InputError: The solid engine is asked for, and with it a preset or a constant of lift-off.
    """
    if taken["engine"] is not None:
        check_engine(taken["engine"])
        spec = replace(spec, engine=taken["engine"])
    laws = {each.name for each in fields(LiftOff)}
    constants = [name for name in varied if name in laws]
    typed = ["--preset"] * (taken["preset"] is not None) + constants
    filed = ["preset"] * (spec.preset != PRESETS["recommended"] and not taken["preset"])
    filed += ["lift_off"] * (spec.parameters.lift_off != LiftOff())
    if spec.engine == "plane" or not typed + filed:
        return spec
    names, planar = ", ".join(typed + filed), replace(spec, engine="plane")
    is_open = taken["engine"] is None and not is_filed
    if is_open and any(study.engine == "plane" for study in studies_of(planar)):
        click.echo(f"note: {names} implies --engine plane", err=True)
        return planar
    if typed and not is_open:
        raise InputError(
            f"{typed[0].lstrip('-')}: not accepted with the solid engine, which has none; give "
            "--engine plane"
        )
    click.echo(f"note: the solid engine does not use {names}", err=True)
    return spec


def _with_thrower(parameters: ParameterSet, taken: dict[str, Any]) -> ParameterSet:
    same = ("aim_sd_mm", "tilt_sd_deg", "direction_deg")
    changes = {name: taken[name] for name in same if taken[name] is not None}
    if taken["speed_m_s"] is not None:
        changes["speed_mm_s"] = taken["speed_m_s"] * 1000
    if taken["descent_deg"] is not None:
        changes["descent_min_deg"], changes["descent_max_deg"] = taken["descent_deg"]
    return replace(parameters, thrower=replace(parameters.thrower, **changes))


def _with_puck(spec: SceneSpec, taken: dict[str, Any]) -> SceneSpec:
    sizes, mass_g = _own_sizes(taken, "puck"), taken["puck_g"]
    if mass_g is not None:
        sizes["mass_g"] = mass_g
    if not sizes:
        return spec
    check_equal_pucks(spec, f"puck_{next(iter(sizes))}".replace("_mass_g", "_g"))
    if not has_usual_make(spec.puck):
        return replace(spec, puck=remade(spec.puck, **sizes))
    if sizes.keys() != {"mass_g"}:
        return replace(spec, puck=own_piece(Puck, **sizes))
    lax = taken["unofficial"] or spec.puck.unofficial
    return replace(spec, puck=replace(spec.puck, mass_g=mass_g, unofficial=lax))


def _own_sizes(taken: dict[str, Any], name: str) -> dict[str, Any]:
    """Return sizes and material of a piece of one's own; nothing if the options name none."""
    thickness = "puck_thickness_mm" if name == "puck" else "thickness_mm"
    given = {
        "diameter_mm": taken[f"{name}_diameter_mm"],
        "thickness_mm": taken[thickness],
        "material": taken[f"{name}_material"],
    }
    if given["material"] is not None:
        given["material"] = material_of(given["material"], f"{name}_material")
    return {field: value for field, value in given.items() if value is not None}


def _with_arena(spec: SceneSpec, taken: dict[str, Any]) -> SceneSpec:
    arena, side, radius_mm = spec.arena, taken["arena"], taken["out_radius_mm"]
    if side == "none":
        arena = replace(arena, box=False)
    elif side is not None:
        try:
            side_mm = number(50, 2000, "mm").convert(side, _option("arena"), None)
        except InputError as error:
            raise InputError(f"{error}, or none") from None
        arena = replace(arena, side_mm=side_mm, box=True)
    if radius_mm is not None:
        if arena.box:
            raise InputError("out_radius_mm: not accepted in a box; add --arena none")
        arena = replace(arena, out_radius_mm=radius_mm)
    return replace(spec, arena=arena)


def _option(name: str) -> click.Option:
    return next(option for option in own_options() if option.name == name)


def _with_slammers(spec: SceneSpec, taken: dict[str, Any]) -> SceneSpec:
    masses, names, thickness = taken["slammer_g"], taken["slammer"], taken["thickness_mm"]
    own = spec.slammers[0].slammer
    makes = taken["slammer_diameter_mm"], taken["slammer_material"]
    if makes != (None, None) or not (has_usual_make(own) or names is not None):
        sizes = _own_sizes(taken, "slammer")
        if names is not None:
            raise InputError("slammer: not accepted beside another make; give --slammer-g")
        if not sizes and masses is None:
            return spec
        base = None if has_usual_make(own) else own
        return replace(spec, slammers=own_slammers(masses or (None,), base, **sizes))
    low, high = CHECKED["thickness_mm"]
    lax = taken["unofficial"] or (thickness is not None and not low <= thickness <= high)
    named = () if names is None else slammers_by_name(tuple(names.split(",")))
    if thickness is not None:
        kept = named if masses is not None or names is not None else spec.slammers
        named = with_thickness(kept, thickness, unofficial=lax)
    if masses is not None:
        named += slammers_by_mass(masses, thickness or PUCKDEX_THICKNESS_MM, unofficial=lax)
    return replace(spec, slammers=named) if named else spec


def _with_knock_out(spec: SceneSpec, taken: dict[str, Any]) -> SceneSpec:
    if taken["knock_out"] is not None:
        if taken["pucks"] is not None:
            raise InputError(
                f"pucks: {taken['pucks']!r} is not accepted beside --knock-out; use --shields"
            )
        target = puckdex_slammer(taken["knock_out"], unofficial=taken["unofficial"])
        spec = replace(spec, knock_out=KnockOut(target=target))
    if taken["shields"] is None:
        return spec
    if spec.knock_out is None:
        raise InputError(f"shields: {taken['shields']!r} is not accepted without --knock-out")
    return replace(spec, knock_out=replace(spec.knock_out, shields=taken["shields"]))
