"""Scenes as a person asks for them: several slammers, one stack, one thrower.

A `SceneSpec` comes from options and scene files (`spec_from`); `studies_of` turns it into one study
per slammer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from physics import (
    MAX_STACK,
    PRESETS,
    Arena,
    InputError,
    ParameterSet,
    Preset,
    Puck,
    Scene,
    Slammer,
    check_engine,
    knock_out_stack,
    preset,
    puck_stack,
    puckdex_slammer,
)
from physics.errors import check_count, with_values
from physics.pieces import PUCKDEX_THICKNESS_MM
from sim.odds.study import Study
from sim.pokepucks.design_file import find_slammer, puckdex
from sim.pokepucks.designs import slammer_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSlammer:
    """A slammer with its name in the PuckDex, or its mass as a name."""

    name: str
    slammer: Slammer


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockOut:
    """The target of a knock-out throw: a single slammer instead of a stack.

    Attributes:
        target: The slammer, which rests face down.
        shields: Pucks on top of it, as in a wild battle.
    """

    target: Slammer
    shields: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSpec:
    """A family of scenes that differ only in the slammer.

    Attributes:
        slammers: The slammers to throw, one scene for each.
        pucks: Pucks in the stack; ignored in a knock-out.
        puck: The make of the pucks, and of the shields.
        knock_out: The target of a knock-out; None for a stack.
        arena: The box around the stack.
        parameters: Materials, lift-off and thrower.
        preset: Time step and iterations of the plane engine.
        engine: The engine that simulates the throws, one of `physics.ENGINES`.
    """

    slammers: tuple[NamedSlammer, ...]
    pucks: int = 10
    puck: Puck = field(default_factory=Puck)
    knock_out: KnockOut | None = None
    arena: Arena = field(default_factory=Arena)
    parameters: ParameterSet = field(default_factory=ParameterSet)
    preset: Preset = PRESETS["recommended"]
    engine: str = "plane"


def slammers_by_mass(
    masses_g: tuple[float, ...],
    thickness_mm: float = PUCKDEX_THICKNESS_MM,
    *,
    unofficial: bool = False,
) -> tuple[NamedSlammer, ...]:
    """Return slammers of given masses, of the same make as those of the PuckDex.

    Example:
        >>> [named.name for named in slammers_by_mass((4.0, 8.5))]
        ['4 g', '8.5 g']
    """
    return tuple(
        NamedSlammer(
            name=f"{mass:g} g",
            slammer=puckdex_slammer(mass, thickness_mm, unofficial=unofficial),
        )
        for mass in masses_g
    )


def slammers_by_name(names: tuple[str, ...]) -> tuple[NamedSlammer, ...]:
    """Return slammers of the PuckDex; the name ``all`` gives all of them.

    Raises:
        InputError: A name is not in it.
    """
    entries = []
    for name in names:
        entries += list(puckdex()) if name.strip().lower() == "all" else [find_slammer(name)]
    return tuple(NamedSlammer(name=entry.name, slammer=slammer_of(entry)) for entry in entries)


def with_thickness(
    slammers: tuple[NamedSlammer, ...], thickness_mm: float, *, unofficial: bool = False
) -> tuple[NamedSlammer, ...]:
    """Return slammers of the same masses with another thickness."""
    return tuple(
        NamedSlammer(
            name=named.name,
            slammer=puckdex_slammer(named.slammer.mass_g, thickness_mm, unofficial=unofficial),
        )
        for named in slammers
    )


def studies_of(spec: SceneSpec) -> tuple[Study, ...]:
    """Return one study per slammer of the spec, in its order."""
    if spec.knock_out is None:
        stack = puck_stack(spec.pucks, spec.puck)
    else:
        stack = knock_out_stack(spec.knock_out.target, spec.knock_out.shields, spec.puck)
    return tuple(
        Study(
            scene=Scene(
                slammer=named.slammer,
                stack=stack,
                arena=spec.arena,
                materials=spec.parameters.materials,
                lift_off=spec.parameters.lift_off,
                preset=spec.preset,
            ),
            thrower=spec.parameters.thrower,
            engine=spec.engine,
        )
        for named in spec.slammers
    )


def describe(spec: SceneSpec) -> str:
    """Return a line on the target, the speed of the throws and the engine.

    Example:
        >>> describe(SceneSpec(slammers=slammers_by_mass((4.0,)), pucks=8))
        '8 pucks of 1.5 g, thrown at 5 m/s, plane engine'
    """

    def pucks(count: int) -> str:
        return f"{count} puck{'' if count == 1 else 's'} of {spec.puck.mass_g:g} g"

    if spec.knock_out is None:
        target = pucks(spec.pucks)
    else:
        target = f"a lone slammer of {spec.knock_out.target.mass_g:g} g"
        if spec.knock_out.shields:
            target += f" under {pucks(spec.knock_out.shields)}"
    speed_m_s = spec.parameters.thrower.speed_mm_s / 1000
    return f"{target}, thrown at {speed_m_s:g} m/s, {spec.engine} engine"


def spec_from(table: Mapping[str, Any], base: SceneSpec) -> SceneSpec:
    """Return the spec of a scene file's table; all else stays as in ``base``.

    Top-level keys: pucks (a number), preset and engine (names). Sections: slammer (mass_g,
    thickness_mm, insert_g, or a name of the PuckDex), puck, knock_out (a slammer's fields and
    shields), arena, materials, lift_off, thrower.

    Raises:
        InputError: A key or value is not accepted.

    Example:
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> spec_from({"pucks": 12, "slammer": {"name": "Onix"}}, base).slammers[0].slammer.mass_g
        20.0
    """
    spec = base
    for key, value in table.items():
        if key not in _READERS:
            raise InputError(f"scene: {key}: no such key; give {', '.join(_READERS)}")
        if key not in ("pucks", "preset", "engine") and not isinstance(value, Mapping):
            raise InputError(f"scene: {key}: {value!r} is not accepted; give a [{key}] table")
        spec = _READERS[key](spec, value)
    return spec


def _read_pucks(spec: SceneSpec, value: Any) -> SceneSpec:
    check_count("scene: pucks", value, low=1, high=MAX_STACK)
    return replace(spec, pucks=value)


def _read_preset(spec: SceneSpec, value: Any) -> SceneSpec:
    return replace(spec, preset=preset(value))


def _read_engine(spec: SceneSpec, value: Any) -> SceneSpec:
    try:
        check_engine(value)
    except InputError as error:
        raise InputError(f"scene: {error}") from None
    return replace(spec, engine=value)


def _read_slammer(spec: SceneSpec, table: Mapping[str, Any]) -> SceneSpec:
    if "name" in table:
        if len(table) > 1:
            raise InputError("scene: [slammer] takes a name or its own fields, not both")
        return replace(spec, slammers=slammers_by_name((str(table["name"]),)))
    slammer = _slammer_from("[slammer]", table)
    named = NamedSlammer(name=f"{slammer.mass_g:g} g", slammer=slammer)
    return replace(spec, slammers=(named,))


def _read_puck(spec: SceneSpec, table: Mapping[str, Any]) -> SceneSpec:
    return replace(spec, puck=with_values(spec.puck, table, "scene: [puck]"))


def _read_knock_out(spec: SceneSpec, table: Mapping[str, Any]) -> SceneSpec:
    fields = dict(table)
    shields = fields.pop("shields", 0)
    check_count("scene: [knock_out] shields", shields, low=0, high=MAX_STACK - 1)
    target = _slammer_from("[knock_out]", fields)
    return replace(spec, knock_out=KnockOut(target=target, shields=shields))


def _read_arena(spec: SceneSpec, table: Mapping[str, Any]) -> SceneSpec:
    return replace(spec, arena=with_values(spec.arena, table, "scene: [arena]"))


def _read_parameters(section: str) -> Callable[[SceneSpec, Any], SceneSpec]:
    def read(spec: SceneSpec, table: Mapping[str, Any]) -> SceneSpec:
        old = getattr(spec.parameters, section)
        new = with_values(old, table, f"scene: [{section}]")
        return replace(spec, parameters=replace(spec.parameters, **{section: new}))

    return read


def _slammer_from(where: str, table: Mapping[str, Any]) -> Slammer:
    if "mass_g" not in table:
        raise InputError(f"scene: {where} mass_g: missing; give the slammer's mass in g")
    try:
        built = puckdex_slammer(
            table["mass_g"],
            table.get("thickness_mm", PUCKDEX_THICKNESS_MM),
            unofficial=bool(table.get("unofficial", False)),
        )
    except InputError as error:
        raise InputError(f"scene: {where} {error}") from None
    return with_values(built, table, f"scene: {where}")


_READERS: Mapping[str, Callable[[SceneSpec, Any], SceneSpec]] = MappingProxyType(
    {
        "pucks": _read_pucks,
        "preset": _read_preset,
        "engine": _read_engine,
        "slammer": _read_slammer,
        "puck": _read_puck,
        "knock_out": _read_knock_out,
        "arena": _read_arena,
        "materials": _read_parameters("materials"),
        "lift_off": _read_parameters("lift_off"),
        "thrower": _read_parameters("thrower"),
    }
)
