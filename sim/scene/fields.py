"""The values of a scene that people give, each declared once.

`FIELDS` has them by name. From it follow the options of commands, the keywords of `pucklab.odds`,
the numbers that sweeps and sensitivities vary, and the ranges in which the plane was checked.
`with_given` puts options and keywords into a spec, `with_field` sets a number, `sweep_cases` varies
one or two.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import parameters, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.values import Reader, read_count, read_number, read_numbers
from pucklab.physics import (
    ENGINES,
    MATERIALS,
    MAX_STACK,
    PRESETS,
    Arena,
    InputError,
    LiftOff,
    Material,
    Materials,
    Piece,
    ThrowDistribution,
    preset,
    puckdex_slammer,
)
from pucklab.physics.material import material_name, material_of
from pucklab.physics.pieces import DIAMETERS_MM, THICKNESSES_MM, has_usual_make, remake
from pucklab.sim.odds.assumptions import OF_MATERIALS
from pucklab.sim.odds.study import OddsCase, Study
from pucklab.sim.pokepucks.design_file import puckdex
from pucklab.sim.scene.scenes import (
    PIECE_SETS,
    KnockOut,
    SceneSpec,
    cases_of,
    shape_piece,
    slammer_by_mass,
    slammers_by_name,
    with_pieces,
    with_slammer,
)

MOST_VARIANTS = 1000
"""Scenes of a sweep."""


@fact
class SceneField:
    """A value of a scene.

    Attributes:
        name: Of the keyword and the sweep, and with dashes of the option.
        path: Attributes of a spec that lead to the number; empty if it is no single number.
        about: Help of the option; empty if it has none.
        metavar: The value in the help.
        low: Smallest number.
        high: Largest number.
        unit: Of the number; empty for a pure one.
        per: Factor from this field's unit to the unit in the path: 1000 for m/s to mm/s.
        is_whole: The number is a count.
        own: Range for pieces that are not the rulebook's; None if it is the same.
        uncertainty: Standard uncertainty of the default; None if it is no assumption.
        checked: Range in which the plane was compared with the solid engine.
        reader: Reads what is given; None if metavar, words or range say what is accepted.
        words: Returns words that shells complete.
        typed: The option as typed, if it is not the name.
    """

    name: str
    path: str = ""
    about: str = ""
    metavar: str = ""
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    per: float = 1.0
    is_whole: bool = False
    own: tuple[float, float] | None = None
    uncertainty: float | None = None
    checked: tuple[float, float] | None = None
    reader: Reader | None = None
    words: Callable[[], Iterable[str]] | None = None
    typed: str = ""

    def read(self, name: str, given: Any) -> Any:
        """Return what is given for it, in text or in Python.

        Raises:
            InputError: It is not accepted; ``name`` is its name in the message.
        """
        if self.reader is not None:
            return self.reader(name, given)
        if not self.metavar or self.metavar == "FILE":
            kind: Any = str | Path if self.metavar else bool
            if not isinstance(given, kind):
                raise refusal(
                    name, given, "the name of a file" if self.metavar else "True or False"
                )
            return Path(given) if self.metavar else given
        if self.words is not None:
            check_one_of(name, given, tuple(self.words()))
            return given
        if self.is_whole:
            return read_count(name, given, low=int(self.low), high=int(self.high))
        # Masses and sizes are checked by the piece, whose make decides their ranges.
        low, high, ranged = self.low, self.high, self.own is None
        return read_number(name, given, low=low, high=high, unit=self.unit, ranged=ranged)

    def owner(self, spec: SceneSpec) -> tuple[Any, str]:
        """Return the object of a spec that has the number, and its attribute."""
        head, _, number = self.path.rpartition(".")
        if head.endswith(".material"):
            piece = getattr(spec, head.partition(".")[0])
            return material_of_part(piece, spec.parameters.materials), number
        return attrgetter(head)(spec) if head else spec, number

    def value(self, spec: SceneSpec) -> float:
        """Return the field's value in a spec, for its first slammer."""
        return float(getattr(*self.owner(spec))) / self.per


def _read_names(_: str, given: object) -> str:
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    return ",".join(map(str, given)) if is_list else str(given)  # type: ignore[call-overload]


def _read_side(name: str, given: object) -> float | str:
    if given == "none":
        return "none"
    try:
        side = FIELDS["side_mm"]
        return read_number(name, given, low=side.low, high=side.high, unit=side.unit)
    except InputError as error:
        raise InputError(f"{error}, or none") from None


def _read_descent(name: str, given: object) -> tuple[float, float]:
    ends = read_numbers(name, given, each=partial(read_number, low=0, high=75, unit="deg"))
    if len(ends) > 2:
        raise refusal(name, given, "a number, or two with a comma between them")
    return ends[0], ends[-1]


def slammer_names() -> list[str]:
    """Return the names of the PuckDex's slammers, and ``all``."""
    return ["all", *(entry.name for entry in puckdex())]


_SECTIONS: Mapping[str, Any] = {
    "parameters.thrower": ThrowDistribution,
    "parameters.materials": Materials,
    "parameters.lift_off": LiftOff,
    "arena": Arena,
    "puck.material": Material,
    "slammer.material": Material,
}


def _field(
    name: str, path: str = "", metavar: str = "", about: str = "", **more: Any
) -> SceneField:
    """Return a field, with the range that the physics declares for its number."""
    section, _, number = path.rpartition(".")
    note = parameters(_SECTIONS[section]).get(number) if section in _SECTIONS else None
    if note is not None:
        per = more.get("per", 1.0)
        more = {
            "low": note.low / per,
            "high": note.high / per,
            "unit": note.unit,
            "uncertainty": note.uncertainty / per if note.uncertainty else None,
        } | more
    return SceneField(name=name, path=path, metavar=metavar, about=about, **more)


def _size(piece: str, size: str, default: str) -> SceneField:
    low, high = DIAMETERS_MM if size == "diameter" else THICKNESSES_MM
    return _field(
        f"{piece}_{size}_mm", f"{piece}.{size}_mm", size[0].upper(),
        f"{size.capitalize()} of a {piece}, {low:g} to {high:g} mm.  [default: {default}]",
        low=low, high=high, unit="mm",
    )  # fmt: skip


def _material(piece: str) -> SceneField:
    return _field(
        f"{piece}_material", f"{piece}.material", "NAME",
        f"Material of a {piece}: {', '.join(MATERIALS)}, or numbers such as "
        "density_g_cm3=1.1,modulus_gpa=3.  Mass or thickness follow if not given.",
        reader=lambda name, given: material_of(given, name), words=lambda: MATERIALS,
    )  # fmt: skip


_MASS = partial(read_number, low=2, high=24, unit="g", ranged=False)

_GIVEN = (
    _field(
        "pieces", "", "NAME",
        "A puck and a slammer to begin with: rulebook, or pogs (cardboard milk caps and a "
        "brass slammer).",
        words=lambda: PIECE_SETS,
    ),
    _field(
        "slammer_g", "slammer.mass_g", "G,...",
        "Masses of slammers, 2 to 24 g, others with a size or material of their own; "
        "2:24:2 stands for 2, 4 and so on up to 24.",
        low=2.0, high=24.0, unit="g", own=(0.01, 1000.0), checked=(2.0, 24.0),
        reader=partial(read_numbers, each=_MASS, spans=True),
    ),
    _field(
        "slammer", "", "NAME,...", "Slammers of the PuckDex by name, or 'all'.",
        reader=_read_names, words=slammer_names,
    ),
    _size("slammer", "diameter", "41.23"),
    _field(
        "thickness_mm", "slammer.thickness_mm", "T",
        "Thickness of the slammers; 1.6 to 8 mm by the rulebook.  [default: 6]",
        low=1.6, high=8.0, unit="mm", own=THICKNESSES_MM, checked=(1.6, 8.0),
        typed="--slammer-thickness-mm --thickness-mm",
    ),
    _material("slammer"),
    _field(
        "pucks", "pucks", "N", f"Pucks in the stack, 1 to {MAX_STACK}.  [default: 10]",
        low=1, high=MAX_STACK, is_whole=True, checked=(3, 20),
    ),
    _field(
        "puck_g", "puck.mass_g", "G", "Mass of a puck, 1 to 2 g by the rulebook.  [default: 1.5]",
        low=1.0, high=2.0, unit="g", own=(0.01, 200.0), checked=(1.0, 2.0),
    ),
    _size("puck", "diameter", "41.23"),
    _size("puck", "thickness", "1.6"),
    _material("puck"),
    _field(
        "arena", "", "SIDE",
        "Side of the box in mm, 50 to 2000, or none for a floor without a box.  [default: 304.8]",
        reader=_read_side,
    ),
    _field(
        "out_radius_mm", "", "R",
        "With --arena none: a piece this far from the centre is out.  [default: none is]",
        reader=partial(read_number, low=25, high=2000, unit="mm"),
    ),
    _field(
        "film_gap_um", "arena.film_gap_um", "UM",
        "Gap of the air film between faces that touch, 5 to 1000 um (flat plastic warps by some "
        "100), or 0 for no film.  [default: 0]",
    ),
    _field(
        "air_kg_m3", "arena.air_kg_m3", "RHO",
        "Density of the air that brakes, lifts and turns pieces in flight; 1.2 in a room.  "
        "[default: 0]",
    ),
    _field(
        "knock_out", "", "G",
        "Throw at a lone slammer of this mass, face down, instead of a stack.", reader=_MASS,
    ),
    _field(
        "shields", "knock_out.shields", "N",
        f"Pucks on top of the lone slammer, 0 to {MAX_STACK - 1}.  [default: 0]",
        low=0, high=MAX_STACK - 1, is_whole=True,
    ),
    _field(
        "speed_m_s", "parameters.thrower.speed_mm_s", "V",
        "Speed of the throw, .5 to 10 m/s.  [default: 5]",
        per=1000.0, unit="m/s", checked=(3.0, 7.0),
    ),
    _field(
        "aim_sd_mm", "parameters.thrower.aim_sd_mm", "A",
        "Standard deviation of the aim on each axis.  [default: 12]", checked=(8.0, 18.0),
    ),
    _field(
        "tilt_sd_deg", "parameters.thrower.tilt_sd_deg", "T",
        "Spread of the slammer's tilt.  [default: 15]", checked=(8.0, 25.0),
    ),
    _field(
        "tumble_sd_rad_s", "parameters.thrower.tumble_sd_rad_s", "W",
        "Standard deviation of the slammer's rate about each horizontal axis.  [default: 10]",
        checked=(10.0, 10.0),
    ),
    _field(
        "spin_sd_rad_s", "parameters.thrower.spin_sd_rad_s", "W",
        "Standard deviation of its rate about the vertical.  [default: 20]", checked=(20.0, 20.0),
    ),
    _field(
        "stack_jitter_sd_mm", "parameters.thrower.stack_jitter_sd_mm", "J",
        "Standard deviation of each puck's place in the stack, on each axis.  [default: 0.4]",
        checked=(0.4, 0.4),
    ),
    _field(
        "descent_deg", "", "LO,HI",
        "Range of the descent, from the vertical, or a single value.  [default: 0,30]",
        reader=_read_descent,
    ),
    _field(
        "exact", "", "",
        "Throw without any scatter: all spreads are 0, and the descent is a single value, 0 unless "
        "given.",
    ),
    _field(
        "direction_deg", "parameters.thrower.direction_deg", "D",
        "Direction of the throws from above: 0 to the right, 90 away.  [default: 0]",
    ),
    _field(
        "engine", "", "NAME",
        "solid (rigid discs in space) or plane (a fast model, which leaves knock-outs and one or "
        "two pucks to solid).  [default: solid; plane with --preset and constants of lift-off]",
        words=lambda: ENGINES,
    ),
    _field(
        "preset", "", "P",
        "Precision of the plane engine: reference, recommended or fast.  [default: recommended]",
        words=lambda: PRESETS,
    ),
    _field(
        "params", "", "FILE",
        "Parameter file (TOML) of 'pucklab calibrate': materials, lift-off, thrower.",
    ),
    _field(
        "scene", "", "FILE", "Scene file (TOML); 'pucklab odds --help' shows one.",
    ),
    _field("unofficial", "", "", "Allow masses outside the rulebook's."),
)  # fmt: skip

_CHECKED = {
    "restitution": (0.3, 0.7),
    "friction": (0.15, 0.6),
    "hysteresis": (0.0, 0.0),
    "descent_min_deg": (0.0, 60.0),
    "descent_max_deg": (0.0, 60.0),
    "side_mm": (304.8, 304.8),
    "wall_height_mm": (101.6, 101.6),
}


def _other_numbers() -> Iterator[SceneField]:
    """Yield the numbers that no option gives: all others that the physics declares."""
    known = {field.path for field in _GIVEN}
    for section, kind in _SECTIONS.items():
        piece = section.removesuffix(".material") if kind is Material else ""
        for number in parameters(kind):
            path = f"{section}.{number}"
            if path not in known and (not piece or number in OF_MATERIALS):
                name = f"{piece}_{number}" if piece else number
                yield _field(name, path, checked=_CHECKED.get(name))


FIELDS: Mapping[str, SceneField] = MappingProxyType(
    {field.name: field for field in (*_GIVEN, *_other_numbers())}
)
"""All fields by name: `OPTIONS` are options and keywords, `NUMBERS` are varied."""

OPTIONS: Mapping[str, SceneField] = MappingProxyType({field.name: field for field in _GIVEN})
NUMBERS: Mapping[str, SceneField] = MappingProxyType(
    {field.name: field for field in FIELDS.values() if field.path and not field.words}
)

SPREADS = tuple(name for name in OPTIONS if "_sd_" in name)
"""The options that scatter throws, besides the range of the descent."""

_BY_WORD = {word: ["slammer_g", "puck_g"] for word in ("weight", "mass", "slammer_weight", "g")}
"""Fields by words that people use for them."""


def field_of_spec(name: str, option: str, spec: SceneSpec | None = None) -> SceneField:
    """Return the number of a name; dashes stand for underscores.

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
        pucklab.base.errors.InputError: sweep: 'sped_m_s' is no field; did you mean speed_m_s?
    """
    plain = name.strip().lower().replace("-", "_")
    if field := NUMBERS.get(plain):
        piece = field.path.partition(".")[0]
        if spec is None or field.own is None or has_usual_make(getattr(spec, piece)):
            return field
        low, high = field.own
        return replace(field, low=low, high=high)
    near = [own for own in NUMBERS if own.startswith(plain)] or _BY_WORD.get(
        plain, difflib.get_close_matches(plain, NUMBERS, n=3, cutoff=0.6)
    )
    hint = f"did you mean {' or '.join(near)}?" if near else f"give one of {', '.join(NUMBERS)}"
    raise InputError(f"{option}: {shown(name)} is no field; {hint}")


def with_field(spec: SceneSpec, field: SceneField, value: float) -> SceneSpec:
    """Return a spec with another value of a number.

    Raises:
        InputError: The value is not accepted, or would change nothing.

    Example:
        >>> from pucklab.sim.scene.scenes import slammers_by_mass
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> with_field(base, field_of_spec("pucks", "sweep"), 7).pucks
        7
    """
    head, _, number = field.path.rpartition(".")
    if field.is_whole and value != int(value):
        raise InputError(f"{field.name}: {value:g} is not accepted; give a whole number")
    if spec.stack and (field.name == "pucks" or head.startswith("puck")):
        raise InputError(f"{field.name}: not accepted beside a scene file with a stack of its own")
    if field.name == "shields" and spec.knock_out is None:
        raise InputError("shields: not accepted without knock_out")
    made = [piece for piece in ("puck", "slammer") if getattr(spec, piece).material]
    if made and head == "parameters.materials" and number in OF_MATERIALS:
        whose = material_name(getattr(spec, made[0]).material)
        raise InputError(
            f"{field.name}: not accepted beside a {made[0]} of its own material ({whose}); give "
            f"{' or '.join(f'{piece}_{number}' for piece in made)}"
        )

    def change(one: Any) -> Any:
        size: dict[str, Any] = {number: value}
        if head.endswith(".material"):
            material = material_of_part(one, spec.parameters.materials)
            return replace(one, material=replace(material, **size))
        if number == "diameter_mm" or field.name == "puck_thickness_mm":
            return remake(one, **size)
        return shape_piece(one, size)

    if head.startswith("puck"):
        return replace(spec, puck=change(spec.puck))
    if head.startswith("slammer"):
        slammers = spec.slammers[:1] if number == "mass_g" else spec.slammers
        return replace(
            spec, slammers=tuple(with_slammer(one, change(one.slammer)) for one in slammers)
        )
    number_set = int(value) if field.is_whole else float(value) * field.per
    found: SceneSpec = _replace_at(spec, field.path, number_set)
    return found


def _replace_at(owner: Any, path: str, value: float) -> Any:
    """Return a dataclass with another value at the end of a path of attributes."""
    name, _, rest = path.partition(".")
    return replace(
        owner, **{name: _replace_at(getattr(owner, name), rest, value) if rest else value}
    )


def material_of_part(part: Piece | Arena, usual: Materials) -> Material:
    """Return the material of a piece or the floor: its own, or else the scene's."""
    return part.material or Material(restitution=usual.restitution, friction=usual.friction)


def with_given(spec: SceneSpec, given: Mapping[str, Any]) -> SceneSpec:
    """Return a spec with the pieces, the throw and the arena of options; all else stays.

    Args:
        spec: The spec.
        given: Values by name, as their fields read them; None, or no entry, for those not given.

    Raises:
        InputError: A value, or a combination of values, is not accepted.

    Example:
        >>> from pucklab.sim.scene.scenes import slammers_by_mass
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> with_given(base, {"pucks": 3, "speed_m_s": 4.0}).parameters.thrower.speed_mm_s
        4000.0
    """
    given = {
        name: value for name, value in given.items() if value is not None and value is not False
    }
    if "pieces" in given:
        spec = with_pieces(spec, given["pieces"])
    spec = _with_slammers(spec, given)
    sizes = _sizes(given, "puck")
    if sizes and spec.stack:
        with_field(spec, FIELDS["puck_g"], 1.0)  # which is refused
    if sizes:
        puck = shape_piece(spec.puck, sizes, unofficial="unofficial" in given)
        spec = replace(spec, puck=puck)
    if "knock_out" in given:
        if "pucks" in given:
            raise InputError(
                f"pucks: {given['pucks']!r} is not accepted beside --knock-out; use --shields"
            )
        target = puckdex_slammer(given["knock_out"], unofficial="unofficial" in given)
        spec = replace(spec, knock_out=KnockOut(target=target))
    if "shields" in given and spec.knock_out is None:
        raise InputError(f"shields: {given['shields']!r} is not accepted without --knock-out")
    if "exact" in given:
        given = given | _exact(spec.parameters.thrower, given)
    for name in ("pucks", "shields", "speed_m_s", "direction_deg", *SPREADS):
        if name in given:
            spec = with_field(spec, FIELDS[name], given[name])
    if "descent_deg" in given:
        low, high = given["descent_deg"]
        thrower = replace(spec.parameters.thrower, descent_min_deg=low, descent_max_deg=high)
        spec = replace(spec, parameters=replace(spec.parameters, thrower=thrower))
    arena, side = spec.arena, given.get("arena")
    if side is not None:
        arena = replace(arena, box=False) if side == "none" else replace(
            arena, side_mm=side, box=True
        )  # fmt: skip
    if "out_radius_mm" in given:
        if arena.box:
            raise InputError("out_radius_mm: not accepted in a box; add --arena none")
        arena = replace(arena, out_radius_mm=given["out_radius_mm"])
    arena = replace(
        arena, **{name: given[name] for name in ("film_gap_um", "air_kg_m3") if name in given}
    )
    if "preset" in given:
        spec = replace(spec, preset=preset(given["preset"]))
    return replace(spec, arena=arena)


def _exact(thrower: ThrowDistribution, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that make a throw exact.

    Raises:
        InputError: A spread, or a range of the descent, is given beside it.
    """
    own = thrower.descent_min_deg, thrower.descent_max_deg
    descent = given.get("descent_deg", own if own[0] == own[1] else (0.0, 0.0))
    spread = {name: given[name] for name in SPREADS if given.get(name)}
    if descent[0] != descent[1]:
        spread["descent_deg"] = "{:g},{:g}".format(*descent)
    if spread:
        (name, value), *_ = spread.items()
        raise InputError(f"{name}: {value} is not accepted beside --exact; leave one out")
    return {"descent_deg": descent} | dict.fromkeys(SPREADS, 0.0)


def _sizes(given: Mapping[str, Any], piece: str) -> dict[str, Any]:
    """Return the arguments of `pucklab.physics.own_piece` that options give for a piece."""
    paths = {name: FIELDS[name].path.rpartition(".") for name in given}
    return {size: given[name] for name, (owner, _, size) in paths.items() if owner == piece}


def _with_slammers(spec: SceneSpec, given: Mapping[str, Any]) -> SceneSpec:
    sizes = _sizes(given, "slammer")
    masses = sizes.pop("mass_g", ())
    is_own, is_named = bool(sizes.keys() & {"diameter_mm", "material"}), "slammer" in given
    if is_own and is_named:
        raise InputError("slammer: not accepted beside another make; give --slammer-g")
    is_own = is_own or not (is_named or has_usual_make(spec.slammer))
    base = spec.slammer if is_own else PIECE_SETS["rulebook"][1]
    slammers = spec.slammers[:1] if is_own else spec.slammers
    if is_named:
        slammers = slammers_by_name(tuple(given["slammer"].split(",")))
    elif masses:
        slammers = ()
    thickness = FIELDS["thickness_mm"]
    is_usual = thickness.low <= sizes.get("thickness_mm", thickness.low) <= thickness.high
    lax = "unofficial" in given or not is_usual
    made = [(named, sizes) for named in slammers if sizes]
    made += [(slammer_by_mass(base), sizes | {"mass_g": mass}) for mass in masses]
    return replace(spec, slammers=(() if sizes else slammers) + tuple(
        with_slammer(named, shape_piece(named.slammer, own, unofficial=lax)) for named, own in made
    ))  # fmt: skip


def sweep_cases(spec: SceneSpec, sweeps: Sequence[str]) -> list[OddsCase]:
    """Return the cases of a sweep over one or two numbers; the last one varies fastest.

    Args:
        spec: The spec to vary.
        sweeps: Texts such as ``speed_m_s=3:7:9``: a number, its range and how many values of it.

    Raises:
        InputError: A text has another form, a field or value is not accepted, or there are more
            than two fields or `MOST_VARIANTS` scenes.

    Example:
        >>> from pucklab.sim.scene.scenes import slammers_by_mass
        >>> base = SceneSpec(slammers=slammers_by_mass((4.0,)))
        >>> [case.values for case in sweep_cases(base, ["pucks=2:6:3"])]
        [{'pucks': 2.0}, {'pucks': 4.0}, {'pucks': 6.0}]
    """
    if len(sweeps) > 2:
        raise InputError(f"sweep: {len(sweeps)} fields are not accepted; give one or two")
    axes: list[tuple[SceneField, list[float]]] = []
    for text in sweeps:
        name, equals, span = text.partition("=")
        parts = span.split(":")
        if not equals or len(parts) != 3:
            raise InputError(
                f"sweep: {shown(text)} is not accepted; give FIELD=LOW:HIGH:COUNT, such as "
                "speed_m_s=3:7:9"
            )
        field = field_of_spec(name, "sweep", spec)
        where = f"sweep: {field.name}"
        end = partial(read_number, where, low=field.low, high=field.high, unit=field.unit)
        low, high = map(end, parts[:2])
        steps = read_count(f"{where} count", parts[2], low=2, high=MOST_VARIANTS) - 1
        if low >= high:
            raise InputError(f"sweep: {shown(text)} is an empty range; give the lower end first")
        values = [round(low + (high - low) * k / steps, 9) for k in range(steps + 1)]
        axes.append((field, values))
    names = [varied.name for varied, _ in axes]
    if len(set(names)) < len(names):
        raise InputError(f"sweep: {names[0]} is swept twice; give two fields")
    variants: list[tuple[dict[str, float], SceneSpec]] = [({}, spec)]
    for varied, values in axes:
        try:
            variants = [
                (swept | {varied.name: value}, with_field(own, varied, value))
                for swept, own in variants
                for value in values
            ]
        except InputError as error:
            raise InputError(f"sweep: {str(error).removeprefix('scene: ')}") from None
    if len(variants) > MOST_VARIANTS:
        raise InputError(
            f"sweep: {len(variants)} scenes are not accepted; give at most {MOST_VARIANTS}"
        )
    return [case for swept, own in variants for case in cases_of(own, swept)]


_STICKY, _DEAD = 1.0, 0.1
"""Least friction and most restitution of materials that no hard puck has."""


def describe_doubt(study: Study) -> str:
    """Return a sentence on values outside the tested ranges; empty if there are none.

    For the plane these are the ranges in which it was compared with the solid engine; for the solid
    engine, materials that grip and damp more than any hard puck are outside.

    Example:
        >>> from pucklab.physics import Scene, puck_stack
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(24),
        ...     materials=Materials(friction=0.05))
        >>> study = Study(scene=scene, thrower=ThrowDistribution(), engine="plane")
        >>> print(describe_doubt(study))
        the plane engine was not checked at pucks 24 (3 to 20), friction 0.05 (0.15 to 0.6); \
--engine solid computes such scenes
    """
    scene, outside = study.scene, []
    for each in (*scene.stack, scene.slammer, scene.arena):
        own = material_of_part(each, scene.materials)
        if own.friction >= _STICKY and own.restitution <= _DEAD:
            return (
                f"no hard puck has friction {own.friction:g} and restitution {own.restitution:g} "
                "at once: nothing was checked there"
            )
    if study.engine != "plane":
        return ""
    owners: dict[str, Sequence[Any]] = {
        "slammer": [scene.slammer],
        "puck": scene.stack,
        "parameters.thrower": [study.thrower],
        "parameters.materials": [scene.materials],
        "arena": [scene.arena],
    }
    for field in NUMBERS.values():
        if field.checked is None:
            continue
        part, _, number = field.path.rpartition(".")
        values = [getattr(own, number) / field.per for own in owners[part]] if part else [
            len(scene.stack)
        ]  # fmt: skip
        low, high = field.checked
        accepted = f"{low:g} to {high:g}" if high > low else f"only {low:g}"
        beyond = dict.fromkeys(value for value in values if not low <= value <= high)
        outside += [f"{field.name} {value:g} ({accepted})" for value in beyond]
    said = f"the plane engine was not checked at {', '.join(outside)}"
    return f"{said}; --engine solid computes such scenes" if outside else ""
