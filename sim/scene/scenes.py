"""Scenes as a person asks for them: several slammers, one stack, one thrower.

`spec_from` reads a scene file into a `SceneSpec`, `cases_of` turns it into a case for each slammer,
and `describe` puts it in words. `pucklab.sim.scene.fields` has its numbers by name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import check_count, limits, shown
from pucklab.base.facts import fact
from pucklab.physics import (
    ENGINES,
    MATERIALS,
    MAX_STACK,
    PRESETS,
    Arena,
    InputError,
    LiftOff,
    Materials,
    ParameterSet,
    Piece,
    Preset,
    Puck,
    Scene,
    Slammer,
    ThrowDistribution,
    knock_out_stack,
    own_piece,
    preset,
    puck_stack,
    puckdex_slammer,
)
from pucklab.physics.material import material_name, material_of
from pucklab.physics.pieces import (
    has_usual_make,
    remake,
)
from pucklab.physics.slam import is_for_plane
from pucklab.sim.odds.study import OddsCase, Study
from pucklab.sim.pokepucks.design_file import find_slammer, puckdex
from pucklab.sim.pokepucks.designs import slammer_of

_Piece = TypeVar("_Piece", Puck, Slammer)


@fact
class NamedSlammer:
    """A slammer with its name: that of the PuckDex, or its mass."""

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
        engine: The engine that simulates the throws, one of `pucklab.physics.ENGINES`.
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

    @property
    def slammer(self) -> Slammer:
        """The first slammer."""
        return self.slammers[0].slammer


def slammers_by_mass(masses_g: tuple[float, ...]) -> tuple[NamedSlammer, ...]:
    """Return slammers of given masses, of the same make as those of the PuckDex.

    Example:
        >>> [named.name for named in slammers_by_mass((4.0, 8.5))]
        ['4 g', '8.5 g']
    """
    return tuple(slammer_by_mass(puckdex_slammer(mass)) for mass in masses_g)


def slammers_by_name(names: tuple[str, ...]) -> tuple[NamedSlammer, ...]:
    """Return slammers of the PuckDex; the name ``all`` gives all of them.

    Raises:
        InputError: A name is not in it.
    """
    entries = []
    for name in names:
        entries += list(puckdex()) if name.strip().lower() == "all" else [find_slammer(name)]
    return tuple(NamedSlammer(name=entry.name, slammer=slammer_of(entry)) for entry in entries)


def slammer_by_mass(slammer: Slammer) -> NamedSlammer:
    """Return a slammer whose name is its mass.

    Example:
        >>> slammer_by_mass(puckdex_slammer(8.5)).name
        '8.5 g'
    """
    return NamedSlammer(name=f"{slammer.mass_g:g} g", slammer=slammer)


def with_slammer(named: NamedSlammer, slammer: Slammer) -> NamedSlammer:
    """Return another make of a slammer, whose name is its mass if that is another one."""
    if slammer.mass_g == named.slammer.mass_g:
        return replace(named, slammer=slammer)
    return slammer_by_mass(slammer)


def shape_piece(base: _Piece, sizes: Mapping[str, Any], *, unofficial: bool = False) -> _Piece:
    """Return a piece of other sizes.

    One of the rulebook's make stays so unless its diameter, its material or a puck's thickness is
    given: then it is a plain disc.

    Args:
        base: The piece to change.
        sizes: Arguments of `pucklab.physics.own_piece`.
        unofficial: Accept what the rulebook does not.

    Example:
        >>> brass = {"diameter_mm": 43.0, "material": MATERIALS["brass"]}
        >>> coin = shape_piece(puckdex_slammer(8.0), brass)
        >>> coin.thickness_mm, shape_piece(coin, {"mass_g": 30.0}).thickness_mm
        (6.0, 2.43)
    """
    if not has_usual_make(base):
        return remake(base, **sizes)
    if sizes.keys() & {"diameter_mm", "material"} or (isinstance(base, Puck) and len(sizes) > 1):
        return own_piece(type(base), **sizes)
    lax = unofficial or base.unofficial
    if isinstance(base, Puck):
        return replace(base, unofficial=lax, **sizes)
    kept = {"mass_g": base.mass_g, "thickness_mm": base.thickness_mm}
    return puckdex_slammer(**{**kept, **sizes}, unofficial=lax)


def cases_of(spec: SceneSpec, values: Mapping[str, float] | None = None) -> list[OddsCase]:
    """Return a case for each slammer of a spec, in its order, with values of swept numbers."""
    if spec.knock_out is None:
        stack: tuple[Piece, ...] = spec.stack or puck_stack(spec.pucks, spec.puck)
    else:
        stack = knock_out_stack(spec.knock_out.target, spec.knock_out.shields, spec.puck)
    return [
        OddsCase(
            name=named.name,
            study=Study(
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
            ),
            values=values or {},
        )
        for named in spec.slammers
    ]


def describe(spec: SceneSpec, swept: Collection[str] = (), cases: Sequence[OddsCase] = ()) -> str:
    """Return a line on the target, the speed of the throws and the engine.

    Args:
        spec: The spec.
        swept: Names of fields that vary, whose values are left out.
        cases: All that are thrown; by default those of the spec.

    Example:
        >>> describe(SceneSpec(slammers=slammers_by_mass((4.0,)), pucks=8))
        '8 pucks of 1.5 g, thrown at 5 m/s, solid engine'
        >>> describe(SceneSpec(slammers=slammers_by_mass((4.0,))), ["pucks", "speed_m_s"])
        'pucks of 1.5 g, solid engine, over pucks and speed_m_s'
    """

    def pucks(count: int) -> str:
        mass = f" of {_tell(spec.puck)}"
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
        kinds = dict.fromkeys(map(_tell, spec.stack))
        target = f"{len(spec.stack)} pucks of {', '.join(kinds)}"
    else:
        target = pucks(spec.pucks)
    slammers = [named.slammer for named in spec.slammers]
    own = dict.fromkeys(_tell(one) for one in slammers if not has_usual_make(one))
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
    if spec.arena.film_gap_um and "film_gap_um" not in swept:
        floor += f", air films of {spec.arena.film_gap_um:g} um"
    if spec.arena.air_kg_m3 and "air_kg_m3" not in swept:
        floor += f", air of {spec.arena.air_kg_m3:g} kg/m3"
    over = f", over {' and '.join(swept)}" if swept else ""
    studies = [case.study for case in cases or cases_of(spec)]
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


def _tell(piece: Piece) -> str:
    """Return a piece's mass, with size and material if they are not the rulebook's.

    Example:
        >>> _tell(Puck()), _tell(Puck(diameter_mm=40.0, material=MATERIALS["cardboard"]))
        ('1.5 g', '1.5 g (40 x 1.6 mm, cardboard)')
    """
    mass = f"{float(f'{piece.mass_g:.3g}'):g} g"
    if has_usual_make(piece):
        return mass
    return f"{mass} ({size_and_material(piece)})"


PIECE_SETS: Mapping[str, tuple[Puck, Slammer]] = MappingProxyType(
    {
        "rulebook": (Puck(), puckdex_slammer(8.0)),
        "pogs": (
            own_piece(Puck, diameter_mm=41.0, thickness_mm=1.0, material=MATERIALS["cardboard"]),
            own_piece(Slammer, mass_g=30.6, diameter_mm=43.0, material=MATERIALS["brass"]),
        ),
    }
)
"""Sets of a puck and a slammer by name; `docs/your-own-pogs.md` has the sources of the sizes."""


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
            accepted = f"none, or a table of {', '.join(Arena.__dataclass_fields__)}"
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
    check_one_of("scene: engine", stored.engine, ENGINES)
    slammers, puck, knock_out = base.slammers, base.puck, base.knock_out
    if (own := stored.slammer) is not None:
        if "name" in own and len(own) > 1:
            raise InputError("scene: slammer takes a name or its own fields, not both")
        slammers = (
            slammers_by_name((str(own["name"]),))
            if "name" in own
            else (slammer_by_mass(_read_piece("scene: slammer", own, base.slammer)),)
        )
    if stored.puck is not None:
        puck = _read_piece("scene: puck", stored.puck, puck)
    stack: list[Puck] = []
    for number, row in enumerate(stored.stack, start=1):
        count, fields = _pop_count(f"scene: stack {number} count", row, 1, MAX_STACK)
        stack += [_read_piece(f"scene: stack {number}", fields, puck)] * count
    if stored.knock_out is not None:
        shields, fields = _pop_count("scene: knock_out shields", stored.knock_out, 0, MAX_STACK - 1)
        target = _read_piece("scene: knock_out", fields, PIECE_SETS["rulebook"][1])
        knock_out = KnockOut(target=target, shields=shields)
    return replace(
        base,
        slammers=slammers,
        pucks=stored.pucks,
        puck=puck,
        stack=tuple(stack) or base.stack,
        knock_out=knock_out,
        arena=stored.arena,
        parameters=ParameterSet(
            materials=stored.materials, lift_off=stored.lift_off, thrower=stored.thrower
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


def _pop_count(where: str, table: _PieceFile, low: int, high: int) -> tuple[int, dict[str, Any]]:
    """Return the number that a table has beside a piece, ``low`` if none, and the rest."""
    fields: dict[str, Any] = dict(table)
    count = fields.pop(where.rpartition(" ")[2], low)
    check_count(where, count, low, high)
    return count, fields


def _read_piece(where: str, table: Mapping[str, Any], base: _Piece) -> _Piece:
    """Return a piece from a table: what it leaves out follows, or stays as in ``base``."""
    sizes = {name: table[name] for name in ("mass_g", "diameter_mm", "thickness_mm")
             if name in table}  # fmt: skip
    if "material" in table:
        sizes["material"] = material_of(table["material"], f"{where} material")
    kind: Any = type(base)
    is_slammer = kind is Slammer and has_usual_make(base)
    if is_slammer and not sizes.keys() & {"mass_g", "diameter_mm", "material"}:
        raise InputError(f"{where} mass_g: missing; give the slammer's mass in g")
    try:
        made = shape_piece(base, sizes, unofficial=table.get("unofficial") is True)
    except InputError as error:
        # In a file the piece's name stands before its fields, and its mass is mass_g.
        said = str(error).removeprefix(f"{kind.__name__.lower()}_")
        raise InputError(f"{where} {f'mass_{said}' if said.startswith('g:') else said}") from None
    others = {name: value for name, value in table.items() if name not in sizes}
    found: _Piece = decode(kind, others, where, made)
    return found


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
    puck, slammer = PIECE_SETS[str(name)]
    return replace(spec, puck=puck, slammers=(slammer_by_mass(slammer),))
