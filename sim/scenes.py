"""Scenes as a person asks for them: several slammers, one stack, one thrower.

A `SceneSpec` comes from options and scene files (`spec_from`); `studies_of` turns it into one study
per slammer. `field_of_spec` finds a number of a spec by its name, and `with_field` changes it: that
is how sweeps and sensitivities vary a scene.
"""

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from physics import (
    MATERIALS,
    MAX_STACK,
    PRESETS,
    Arena,
    InputError,
    LiftOff,
    Material,
    Materials,
    ParameterSet,
    Piece,
    Preset,
    Puck,
    Scene,
    Slammer,
    ThrowDistribution,
    check_engine,
    knock_out_stack,
    own_piece,
    preset,
    puck_stack,
    puckdex_slammer,
)
from physics.decoding import check_one_of, decode
from physics.errors import check_count, check_number, limits, parameters, shown
from physics.facts import fact
from physics.material import material_name, material_of, material_range
from physics.pieces import (
    DIAMETERS_MM,
    PUCKDEX_THICKNESS_MM,
    THICKNESSES_MM,
    has_usual_make,
    remade,
)
from physics.slam import is_for_plane
from sim.odds.assumptions import OF_MATERIALS
from sim.odds.study import Study
from sim.pokepucks.design_file import find_slammer, puckdex
from sim.pokepucks.designs import slammer_of

MOST_VARIANTS = 1000
"""Scenes of a sweep."""


@fact
class NamedSlammer:
    """A slammer with its name in the PuckDex, or its mass as a name."""

    name: str
    slammer: Slammer


@fact
class KnockOut:
    """The target of a knock-out throw: a single slammer instead of a stack.

    Attributes:
        target: The slammer, which rests face down.
        shields: Pucks on top of it, as in a wild battle.
    """

    target: Slammer
    shields: int = 0


@fact
class SceneSpec:
    """A family of scenes that differ only in the slammer.

    Attributes:
        slammers: The slammers to throw, one scene for each.
        pucks: Pucks in the stack; ignored in a knock-out.
        puck: The make of the pucks, and of the shields.
        stack: Unlike pucks from the floor up, instead of a number of equal ones.
        knock_out: The target of a knock-out; None for a stack.
        arena: The box around the stack.
        parameters: Materials, lift-off and thrower.
        preset: Time step and iterations of the plane engine.
        engine: The engine that simulates the throws, one of `physics.ENGINES`.
    """

    slammers: tuple[NamedSlammer, ...]
    pucks: int = 10
    puck: Puck = field(default_factory=Puck)
    stack: tuple[Puck, ...] = ()
    knock_out: KnockOut | None = None
    arena: Arena = field(default_factory=Arena)
    parameters: ParameterSet = field(default_factory=ParameterSet)
    preset: Preset = PRESETS["recommended"]
    engine: str = "solid"


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
        _with_slammer(
            named,
            puckdex_slammer(named.slammer.mass_g, thickness_mm, unofficial=unofficial)
            if has_usual_make(named.slammer)
            else remade(named.slammer, thickness_mm=thickness_mm),
        )
        for named in slammers
    )


def _with_slammer(named: NamedSlammer, slammer: Slammer) -> NamedSlammer:
    """Return another slammer under the same name, or its mass's if that is another one."""
    if slammer.mass_g == named.slammer.mass_g:
        return replace(named, slammer=slammer)
    return NamedSlammer(name=f"{slammer.mass_g:g} g", slammer=slammer)


def own_slammers(
    masses_g: Sequence[float | None], base: Slammer | None = None, **sizes: Any
) -> tuple[NamedSlammer, ...]:
    """Return slammers of a person's own; the mass None is that of the material or of the base.

    Args:
        masses_g: Mass of each.
        base: The slammer to change; None for a plain disc of the rulebook's size.
        sizes: Arguments of `physics.own_piece`.

    Example:
        >>> brass = {"diameter_mm": 43.0, "thickness_mm": 2.5, "material": MATERIALS["brass"]}
        >>> [own.name for own in own_slammers((None, 14.0), **brass)]
        ['30.86 g', '14 g']
    """
    make = partial(own_piece, Slammer) if base is None else partial(remade, base)
    made: Any = [make(**sizes) if mass is None else make(**sizes, mass_g=mass) for mass in masses_g]
    return tuple(NamedSlammer(name=f"{one.mass_g:g} g", slammer=one) for one in made)


def studies_of(spec: SceneSpec) -> tuple[Study, ...]:
    """Return one study per slammer of the spec, in its order."""
    if spec.knock_out is None:
        stack: tuple[Piece, ...] = spec.stack or puck_stack(spec.pucks, spec.puck)
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


def describe(spec: SceneSpec, swept: Collection[str] = (), studies: Sequence[Study] = ()) -> str:
    """Return a line on the target, the speed of the throws and the engine.

    Args:
        spec: The spec.
        swept: Names of fields that vary, whose values are left out.
        studies: All that are thrown; by default those of the spec.

    Example:
        >>> describe(SceneSpec(slammers=slammers_by_mass((4.0,)), pucks=8))
        '8 pucks of 1.5 g, thrown at 5 m/s, solid engine'
        >>> describe(SceneSpec(slammers=slammers_by_mass((4.0,))), ["pucks", "speed_m_s"])
        'pucks of 1.5 g, solid engine, over pucks and speed_m_s'
    """

    def pucks(count: int) -> str:
        mass = f" of {_told(spec.puck)}"
        if "puck_g" in swept:
            mass = "" if has_usual_make(spec.puck) else f" of {_make(spec.puck)}"
        if {"pucks", "shields"} & set(swept):
            return f"pucks{mass}"
        return f"{count} puck{'' if count == 1 else 's'}{mass}"

    if spec.knock_out is not None:
        target = f"a lone slammer of {spec.knock_out.target.mass_g:g} g"
        if spec.knock_out.shields:
            target += f" under {pucks(spec.knock_out.shields)}"
    elif spec.stack:
        kinds = dict.fromkeys(map(_told, spec.stack))
        target = f"{len(spec.stack)} pucks of {', '.join(kinds)}"
    else:
        target = pucks(spec.pucks)
    slammers = [named.slammer for named in spec.slammers]
    own = dict.fromkeys(_told(one) for one in slammers if not has_usual_make(one))
    if own and "slammer_g" in swept:
        own = dict.fromkeys([_make(slammers[0])])
    by = f" by {', '.join(own)}" if own else ""
    speed_m_s = spec.parameters.thrower.speed_mm_s / 1000
    thrown = f", thrown{by}" + ("" if "speed_m_s" in swept else f" at {speed_m_s:g} m/s")
    thrown *= bool(by) or "speed_m_s" not in swept
    floor = "" if spec.arena.box else ", no box"
    if spec.arena.material is not None:
        floor += f", floor of {material_name(spec.arena.material).removeprefix('of ')}"
    if spec.arena.out_radius_mm is not None:
        floor += f", out from {spec.arena.out_radius_mm:g} mm"
    over = f", over {' and '.join(swept)}" if swept else ""
    studies = studies or studies_of(spec)
    engines = " and ".join(sorted({study.engine for study in studies}))
    is_unfit = spec.engine == "plane" and not all(is_for_plane(s.scene) for s in studies)
    why = " (the plane is not made for this)" if is_unfit else ""
    rules = "" if all(s.scene.is_official for s in studies) else ", not the rulebook's"
    return f"{target}{thrown}{floor}, {engines} engine{why}{rules}{over}"


def _make(piece: Piece) -> str:
    return f"{material_name(piece.material)}, {piece.diameter_mm:g} mm across"


def size_and_material(piece: Piece) -> str:
    """Return a piece's size and material.

    Example:
        >>> size_and_material(Puck(diameter_mm=40.0))
        '40 x 1.6 mm, plastic'
    """
    thickness = f"{piece.thickness_mm:.3g}"
    return f"{piece.diameter_mm:g} x {thickness} mm, {material_name(piece.material)}"


def _told(piece: Piece) -> str:
    """Return a piece's mass, with size and material if they are not the rulebook's.

    Example:
        >>> _told(Puck()), _told(Puck(diameter_mm=40.0, material=MATERIALS["cardboard"]))
        ('1.5 g', '1.5 g (40 x 1.6 mm, cardboard)')
    """
    mass = f"{float(f'{piece.mass_g:.3g}'):g} g"
    if has_usual_make(piece):
        return mass
    return f"{mass} ({size_and_material(piece)})"


@fact
class SpecField:
    """A number of a spec that can be varied.

    Attributes:
        name: Its name, such as ``speed_m_s``, ``slammer_g`` or ``restitution``.
        low: Smallest value accepted.
        high: Largest value accepted.
        unit: Unit of the value; empty for a pure number or a count.
        is_whole: The value is a count.
        uncertainty: Standard uncertainty of the default; None if it is no assumption.
        change: Returns a spec with another value.
        value: Returns the value of a spec; that of its first slammer.
        own: Range for pieces of one's own make; None if it is the same.
        span: Returns the uncertain range of a spec's material; None if `uncertainty` says it.
    """

    name: str
    low: float
    high: float
    unit: str = ""
    is_whole: bool = False
    uncertainty: float | None = None
    change: Callable[[SceneSpec, float], SceneSpec]
    value: Callable[[SceneSpec], float]
    own: tuple[float, float] | None = None
    span: Callable[[SceneSpec], tuple[float, float]] | None = None


def field_of_spec(name: str, option: str, spec: SceneSpec | None = None) -> SpecField:
    """Return the field of a name; dashes stand for underscores.

    Args:
        name: Its name.
        option: Name of the option in errors.
        spec: The spec to vary, whose pieces may have other ranges than the rulebook's.

    Raises:
        InputError: There is no such field; the message has the nearest names.

    Example:
        >>> field_of_spec("speed-m-s", "sweep").high
        10.0
        >>> field_of_spec("sped_m_s", "sweep")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: sweep: 'sped_m_s' is no field; did you mean speed_m_s?
    """
    found = spec_fields()
    plain = name.strip().lower().replace("-", "_")
    if plain in found:
        field = found[plain]
        if spec is None or field.own is None:
            return field
        if has_usual_make(_piece(spec, plain.partition("_")[0])):
            return field
        low, high = field.own
        return replace(field, low=low, high=high)
    near = [own for own in found if own.startswith(plain)] or _BY_WORD.get(
        plain, difflib.get_close_matches(plain, found, n=3, cutoff=0.6)
    )
    hint = f"did you mean {' or '.join(near)}?" if near else f"give one of {', '.join(found)}"
    raise InputError(f"{option}: {shown(name)} is no field; {hint}")


_BY_WORD = {word: ["slammer_g", "puck_g"] for word in ("weight", "mass", "slammer_weight", "g")}
"""Fields by words that people use for them."""


def with_field(spec: SceneSpec, field: SpecField, value: float) -> SceneSpec:
    """Return a spec with another value of a field.

    Raises:
        InputError: The value is not accepted.

    Example:
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> with_field(base, field_of_spec("pucks", "sweep"), 7).pucks
        7
    """
    if field.is_whole:
        if value != int(value):
            raise InputError(f"{field.name}: {value:g} is not accepted; give a whole number")
        return field.change(spec, int(value))
    return field.change(spec, value)


@fact
class Variant:
    """A spec of a sweep, with the values that make it.

    Attributes:
        values: Values of the fields that are swept, by name; none without a sweep.
        spec: The spec.
    """

    values: Mapping[str, float]
    spec: SceneSpec


def swept(spec: SceneSpec, sweeps: Sequence[str]) -> tuple[Variant, ...]:
    """Return the specs of a sweep over one or two fields; the last field varies fastest.

    Args:
        spec: The spec to vary.
        sweeps: Texts such as ``speed_m_s=3:7:9``: a field, its range and how many values of it.

    Raises:
        InputError: A text has another form, a field or value is not accepted, or there are more
            than two fields or `MOST_VARIANTS` specs.

    Example:
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> [variant.values for variant in swept(base, ["pucks=2:6:3"])]
        [{'pucks': 2.0}, {'pucks': 4.0}, {'pucks': 6.0}]
    """
    if len(sweeps) > 2:
        raise InputError(f"sweep: {len(sweeps)} fields are not accepted; give one or two")
    axes = [_axis(text, spec) for text in sweeps]
    names = [varied.name for varied, _ in axes]
    if len(set(names)) < len(names):
        raise InputError(f"sweep: {names[0]} is swept twice; give two fields")
    variants = [Variant(values={}, spec=spec)]
    for varied, values in axes:
        try:
            variants = [
                Variant(
                    values={**variant.values, varied.name: value},
                    spec=with_field(variant.spec, varied, value),
                )
                for variant in variants
                for value in values
            ]
        except InputError as error:
            raise InputError(f"sweep: {str(error).removeprefix('scene: ')}") from None
    if len(variants) > MOST_VARIANTS:
        raise InputError(
            f"sweep: {len(variants)} scenes are not accepted; give at most {MOST_VARIANTS}"
        )
    return tuple(variants)


def _axis(text: str, spec: SceneSpec) -> tuple[SpecField, list[float]]:
    """Return the field and the values of one sweep."""
    name, equals, span = text.partition("=")
    parts = span.split(":")
    if not equals or len(parts) != 3:
        raise InputError(
            f"sweep: {shown(text)} is not accepted; give FIELD=LOW:HIGH:COUNT, such as "
            "speed_m_s=3:7:9"
        )
    field = field_of_spec(name, "sweep", spec)
    where = f"sweep: {field.name}"
    ends = [_parsed(part) for part in parts[:2]]
    for end in ends:
        check_number(where, end, field.low, field.high, unit=field.unit)
    count = int(parts[2]) if parts[2].isdecimal() and len(parts[2]) < 6 else parts[2]
    check_count(f"{where} count", count, 2, MOST_VARIANTS)
    low, high, steps = float(ends[0]), float(ends[1]), int(count) - 1
    if low >= high:
        raise InputError(f"sweep: {shown(text)} is an empty range; give the lower end first")
    return field, [round(low + (high - low) * k / steps, 9) for k in range(steps + 1)]


def _parsed(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def spec_fields() -> Mapping[str, SpecField]:
    """Return all fields of a spec that can be varied, by name."""
    speed = parameters(ThrowDistribution)["speed_mm_s"]
    fields = [
        SpecField(
            name=name,
            low=low,
            high=high,
            own=own,
            unit=name.rpartition("_")[2],
            change=partial(_with_size, piece=piece, field=field),
            value=partial(_size, piece=piece, field=field),
        )
        for name, piece, field, (low, high), own in _SIZES
    ]
    fields += [
        SpecField(
            name="speed_m_s",
            low=speed.low / 1000,
            high=speed.high / 1000,
            unit="m/s",
            uncertainty=None if speed.uncertainty is None else speed.uncertainty / 1000,
            change=lambda spec, value: _with_number(spec, value * 1000, "thrower", "speed_mm_s"),
            value=lambda spec: spec.parameters.thrower.speed_mm_s / 1000,
        ),
        SpecField(
            name="pucks",
            low=1,
            high=MAX_STACK,
            is_whole=True,
            change=_with_pucks,
            value=lambda spec: spec.pucks,
        ),
        *(
            SpecField(
                name=f"{piece}_{number}",
                low=note.low,
                high=note.high,
                unit=note.unit,
                uncertainty=note.uncertainty,
                change=partial(_with_material_number, piece=piece, number=number),
                value=partial(_material_number, piece=piece, number=number),
                span=partial(_material_span, piece=piece, number=number),
            )
            for piece in ("puck", "slammer")
            for number, note in parameters(Material).items()
            if number in OF_MATERIALS
        ),
        SpecField(
            name="shields",
            low=0,
            high=MAX_STACK - 1,
            is_whole=True,
            change=_with_shields,
            value=lambda spec: 0 if spec.knock_out is None else spec.knock_out.shields,
        ),
    ]
    sections = (ThrowDistribution, Materials, LiftOff, Arena)
    for section, kind in zip(_SECTIONS, sections, strict=True):
        fields += [
            SpecField(
                name=name,
                low=note.low,
                high=note.high,
                unit=note.unit,
                uncertainty=note.uncertainty or None,
                change=partial(_with_number, section=section, name=name),
                value=partial(_number, section=section, name=name),
            )
            for name, note in parameters(kind).items()
            if name != "speed_mm_s"  # speed_m_s above
        ]
    return {field.name: field for field in fields}


_SECTIONS = ("thrower", "materials", "lift_off", "arena")

_SIZES = (
    ("slammer_g", "slammer", "mass_g", (2.0, 24.0), (0.01, 1000.0)),
    ("thickness_mm", "slammer", "thickness_mm", (1.6, 8.0), THICKNESSES_MM),
    ("slammer_diameter_mm", "slammer", "diameter_mm", DIAMETERS_MM, None),
    ("puck_g", "puck", "mass_g", (1.0, 2.0), (0.01, 200.0)),
    ("puck_thickness_mm", "puck", "thickness_mm", THICKNESSES_MM, None),
    ("puck_diameter_mm", "puck", "diameter_mm", DIAMETERS_MM, None),
)
"""Masses and sizes: name, piece, its field, its range, and that of one's own make if another."""


def _part(spec: SceneSpec, section: str) -> Any:
    return spec.arena if section == "arena" else getattr(spec.parameters, section)


def _number(spec: SceneSpec, section: str, name: str) -> float:
    return float(getattr(_part(spec, section), name))


def _with_number(spec: SceneSpec, value: float, section: str, name: str) -> SceneSpec:
    made = [piece for piece in ("puck", "slammer") if _piece(spec, piece).material]
    if made and section == "materials" and name in OF_MATERIALS:
        whose = material_name(_piece(spec, made[0]).material)
        raise InputError(
            f"{name}: not accepted beside a {made[0]} of its own material ({whose}); give "
            f"{' or '.join(f'{piece}_{name}' for piece in made)}"
        )
    part = replace(_part(spec, section), **{name: float(value)})
    if section == "arena":
        return replace(spec, arena=part)
    return replace(spec, parameters=replace(spec.parameters, **{section: part}))


def _piece(spec: SceneSpec, piece: str) -> Piece:
    return spec.puck if piece == "puck" else spec.slammers[0].slammer


def _size(spec: SceneSpec, piece: str, field: str) -> float:
    return float(getattr(_piece(spec, piece), field))


def _with_size(spec: SceneSpec, value: float, piece: str, field: str) -> SceneSpec:
    def change(one: Any) -> Any:
        size = {field: value}
        if not has_usual_make(one) or field == "diameter_mm":
            return remade(one, **size)
        if piece == "slammer":
            return puckdex_slammer(
                **{"mass_g": one.mass_g, "thickness_mm": one.thickness_mm} | size
            )
        return replace(one, **size) if field == "mass_g" else remade(one, **size)

    if (piece, field) == ("slammer", "mass_g"):
        spec = replace(spec, slammers=spec.slammers[:1])
    return _with_pieces_changed(spec, piece, change, field)


def _with_pieces_changed(
    spec: SceneSpec, piece: str, change: Callable[[Any], Any], field: str
) -> SceneSpec:
    if piece == "puck":
        check_equal_pucks(spec, f"puck_{field}".replace("_mass_g", "_g"))
        return replace(spec, puck=change(spec.puck))
    made = [_with_slammer(named, change(named.slammer)) for named in spec.slammers]
    return replace(spec, slammers=tuple(made))


def check_equal_pucks(spec: SceneSpec, name: str) -> None:
    """Refuse a number of all pucks where a scene file lists them one by one.

    Raises:
        InputError: It does.
    """
    if spec.stack:
        raise InputError(f"{name}: not accepted beside a scene file with a stack of its own")


def _material_of(spec: SceneSpec, piece: str) -> Material:
    usual = spec.parameters.materials
    return _piece(spec, piece).material or Material(
        restitution=usual.restitution, friction=usual.friction
    )


def _material_number(spec: SceneSpec, piece: str, number: str) -> float:
    return float(getattr(_material_of(spec, piece), number))


def _material_span(spec: SceneSpec, piece: str, number: str) -> tuple[float, float]:
    return material_range(_material_of(spec, piece), number)


def _with_material_number(spec: SceneSpec, value: float, piece: str, number: str) -> SceneSpec:
    material = replace(_material_of(spec, piece), **{number: value})  # type: ignore[arg-type]
    return _with_pieces_changed(spec, piece, lambda one: replace(one, material=material), number)


def _with_pucks(spec: SceneSpec, value: float) -> SceneSpec:
    check_equal_pucks(spec, "pucks")
    check_count("pucks", int(value), 1, MAX_STACK)
    return replace(spec, pucks=int(value))


def _with_shields(spec: SceneSpec, value: float) -> SceneSpec:
    if spec.knock_out is None:
        raise InputError("shields: not accepted without knock_out")
    check_count("shields", int(value), 0, MAX_STACK - 1)
    return replace(spec, knock_out=replace(spec.knock_out, shields=int(value)))


def spec_from(table: Mapping[str, Any], base: SceneSpec) -> SceneSpec:
    """Return the spec of a scene file's table; all else stays as in ``base``.

    Top-level keys: pucks (a number), pieces (the name of a set, see `PIECE_SETS`), preset and
    engine (names). Sections: slammer (mass_g, thickness_mm, diameter_mm, material, insert_g, or a
    name of the PuckDex), puck, stack (a list of pucks with their count, from the floor up),
    knock_out (a slammer's fields and shields), arena (or "none"), materials, lift_off, thrower.

    Raises:
        InputError: A key or value is not accepted.

    Example:
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> spec_from({"pucks": 12, "slammer": {"name": "Onix"}}, base).slammers[0].slammer.mass_g
        20.0
    """
    if "pieces" in table:
        base = with_pieces(base, table["pieces"], "scene: pieces")
    if isinstance(table.get("arena"), str):
        if table["arena"] != "none":
            accepted = "none, or a table of side_mm, wall_height_mm, box, out_radius_mm, material"
            raise InputError(
                f"scene: arena: {shown(table['arena'])} is not accepted; give {accepted}"
            )
        table = {**table, "arena": {"box": False}}
    for left, beside in (("pucks", "stack"), ("stack", "knock_out")):
        if left in table and beside in table:
            raise InputError(f"scene: {left}: not accepted beside {beside}; leave one out")
    old = base.parameters
    stored = decode(
        _SceneFile,
        table,
        "scene:",
        _SceneFile(
            pucks=base.pucks,
            preset=base.preset.name,
            engine=base.engine,
            arena=base.arena,
            materials=old.materials,
            lift_off=old.lift_off,
            thrower=old.thrower,
        ),
    )
    puck = base.puck if stored.puck is None else _puck("scene: puck", stored.puck, base.puck)
    return replace(
        base,
        slammers=base.slammers
        if stored.slammer is None
        else (_named(stored.slammer, base.slammers[0].slammer),),
        pucks=stored.pucks,
        puck=puck,
        stack=_stack(stored.stack, puck) or base.stack,
        knock_out=base.knock_out if stored.knock_out is None else _knock_out(stored.knock_out),
        arena=stored.arena,
        parameters=replace(
            old, materials=stored.materials, lift_off=stored.lift_off, thrower=stored.thrower
        ),
        preset=preset(stored.preset) if "preset" in table else base.preset,
        engine=stored.engine,
    )


_PieceFile = Mapping[str, int | float | bool | str | Mapping[str, float | str]]


@fact
class _SceneFile:
    """A scene as files have it."""

    pucks: int = limits(1, MAX_STACK)
    preset: str
    engine: str
    pieces: str | None = None
    slammer: _PieceFile | None = None
    puck: _PieceFile | None = None
    stack: tuple[_PieceFile, ...] = ()
    knock_out: _PieceFile | None = None
    arena: Arena
    materials: Materials
    lift_off: LiftOff
    thrower: ThrowDistribution

    def __post_init__(self) -> None:
        check_engine(self.engine)


def _named(table: _PieceFile, base: Slammer) -> NamedSlammer:
    if "name" in table:
        if len(table) > 1:
            raise InputError("scene: slammer takes a name or its own fields, not both")
        return slammers_by_name((str(table["name"]),))[0]
    slammer = _slammer("scene: slammer", table, base)
    return NamedSlammer(name=f"{slammer.mass_g:g} g", slammer=slammer)


def _knock_out(table: _PieceFile) -> KnockOut:
    fields = dict(table)
    shields: Any = fields.pop("shields", 0)
    check_count("scene: knock_out shields", shields, 0, MAX_STACK - 1)
    return KnockOut(target=_slammer("scene: knock_out", fields), shields=shields)


def _slammer(where: str, table: Mapping[str, Any], base: Slammer | None = None) -> Slammer:
    is_own = base is not None and not has_usual_make(base)
    if is_own or _OWN_SLAMMER & table.keys():
        made: Slammer = _own(where, Slammer, table, base)
        return made
    if "mass_g" not in table:
        raise InputError(f"{where} mass_g: missing; give the slammer's mass in g")
    try:
        built = puckdex_slammer(
            table["mass_g"],
            table.get("thickness_mm", PUCKDEX_THICKNESS_MM),
            unofficial=table.get("unofficial") is True,
        )
    except InputError as error:
        raise InputError(f"{where} {error}") from None
    return decode(Slammer, table, where, built)


_OWN_SLAMMER = frozenset({"diameter_mm", "material"})
_OWN_PUCK = _OWN_SLAMMER | {"thickness_mm"}


def _puck(where: str, table: Mapping[str, Any], base: Puck) -> Puck:
    if has_usual_make(base) and not _OWN_PUCK & table.keys():
        return decode(Puck, table, where, base)
    made: Puck = _own(where, Puck, table, base)
    return made


def _own(where: str, kind: Any, table: Mapping[str, Any], base: Any) -> Any:
    """Return a piece of a person's own make from a table: what it leaves out follows."""
    sizes = dict(table)
    if "material" in sizes:
        sizes["material"] = material_of(sizes["material"], f"{where} material")
    names = ("mass_g", "diameter_mm", "thickness_mm", "material")
    try:
        for name in {*names[:3]} & sizes.keys():
            check_number(name, sizes[name], 0.0, 1e6)
        given = {name: sizes[name] for name in names if name in sizes}
        is_new = base is None or has_usual_make(base)
        made = own_piece(kind, **given) if is_new else remade(base, **given)
    except InputError as error:
        # In a file the piece's name stands before its fields, and its mass is mass_g.
        said = str(error).removeprefix(f"{kind.__name__.lower()}_")
        raise InputError(f"{where} {f'mass_{said}' if said.startswith('g:') else said}") from None
    return decode(kind, {n: v for n, v in table.items() if n not in names}, where, made)


def _stack(tables: Sequence[Mapping[str, Any]], base: Puck) -> tuple[Puck, ...]:
    found: list[Puck] = []
    for number, table in enumerate(tables, start=1):
        fields = dict(table)
        count: Any = fields.pop("count", 1)
        check_count(f"scene: stack {number} count", count, 1, MAX_STACK)
        found += [_puck(f"scene: stack {number}", fields, base)] * count
    return tuple(found)


PIECE_SETS: Mapping[str, tuple[Callable[[], Piece], Callable[[], Piece]]] = MappingProxyType(
    {
        "rulebook": (Puck, lambda: puckdex_slammer(8.0)),
        "pogs": (
            partial(
                own_piece, Puck, diameter_mm=41.0, thickness_mm=1.0,
                material=MATERIALS["cardboard"],
            ),
            partial(
                own_piece, Slammer, mass_g=30.6, diameter_mm=43.0, material=MATERIALS["brass"]
            ),
        ),
    }
)  # fmt: skip
"""Sets of a puck and a slammer by name; `docs/your-own-pogs.md` has the sources of the sizes."""


def with_pieces(spec: SceneSpec, name: object, where: str = "pieces") -> SceneSpec:
    """Return a spec with the puck and the slammer of a set.

    Raises:
        InputError: There is no such set.

    Example:
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> describe(with_pieces(base, "pogs")).partition(",")[0]
        '10 pucks of 0.99 g (41 x 1 mm'
    """
    check_one_of(where, name, list(PIECE_SETS))
    puck, slammer = (make() for make in PIECE_SETS[str(name)])
    assert isinstance(puck, Puck)
    assert isinstance(slammer, Slammer)
    named = NamedSlammer(name=f"{slammer.mass_g:g} g", slammer=slammer)
    return replace(spec, puck=puck, slammers=(named,))
