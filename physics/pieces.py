"""Pucks and slammers: dimensions, materials and mass properties.

Dimensions are the rulebook's ("Parts of a Game"). A piece is a solid lower half and an upper half
that is an outer ring around a partly filled recess; the upper half carries the face. Its axis is
the *face normal*, pointing from the lower half to the face.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from pucklab.base.errors import InputError, check_number
from pucklab.base.facts import fact
from pucklab.physics.material import Material, material_name

PIECE_DIAMETER_MM = 41.23
PIECE_RADIUS_MM = PIECE_DIAMETER_MM / 2
UPPER_HALF_MM = 0.8
PUCK_THICKNESS_MM = 1.6
PUCKDEX_THICKNESS_MM = 6.0
PUCKDEX_BODY_G = 4.0
"""Mass of a 6 mm slammer without a steel ring (PuckDex: about 4, 8 or 20 g)."""

RING_INSERT_INNER_MM = 7.0
RING_INSERT_OUTER_MM = 17.6
RING_INSERT_HEIGHT_MM = 2.8
STEEL_G_MM3 = 7.85e-3
"""Density of carbon steel (any handbook)."""

INSERT_AREA_MM2 = math.pi * (
    (RING_INSERT_OUTER_MM + RING_INSERT_INNER_MM) * (RING_INSERT_OUTER_MM - RING_INSERT_INNER_MM)
)
INSERT_MAX_G = INSERT_AREA_MM2 * RING_INSERT_HEIGHT_MM * STEEL_G_MM3
INSERT_MIN_THICKNESS_MM = 4.8
"""Least thickness with room for the ring: the lower half is .8 mm less."""

REAL_DENSITY_G_CM3 = (0.1, 11.4)
"""Densities of the rulebook's pieces, from balsa wood to lead."""

ANY_DENSITY_G_CM3 = (0.05, 22.0)
"""Densities of other pieces, up to tungsten and gold."""


DIAMETERS_MM = (10.0, 200.0)
THICKNESSES_MM = (0.2, 40.0)
"""Sizes that a piece may have beyond the rulebook's."""


@fact
class Puck:
    """A puck: 41.23 mm across and 1.6 mm thick, or of another size or material.

    Attributes:
        mass_g: 1 to 2 g by the rulebook.
        ring_width_mm: Width of the upper half's outer ring, at least 1 mm.
        fill_fraction: Filled share of the recess inside the ring; 1 for a plain disc. With the
            default a puck of 1.5 g has the density of solid PLA, 1.24 g/cm3; the filling of real
            pucks is unknown.
        diameter_mm: 41.23 by the rulebook.
        thickness_mm: Total thickness, 1.6 by the rulebook.
        material: Its material; None for the rulebook's plastic, with the restitution and the
            friction of the scene.
        unofficial: Accept masses outside the rulebook's range, as for other sizes or materials.

    Raises:
        InputError: A value outside the rulebook, or a mass that no real density gives.

    Example:
        >>> Puck(mass_g=1.2).thickness_mm, Puck(diameter_mm=38.0).is_official
        (1.6, False)
    """

    mass_g: float = 1.5
    ring_width_mm: float = 1.0
    fill_fraction: float = 0.04
    diameter_mm: float = PIECE_DIAMETER_MM
    thickness_mm: float = PUCK_THICKNESS_MM
    material: Material | None = None
    unofficial: bool = False

    def __post_init__(self) -> None:
        """Check every field."""
        _check_disc("puck", self)
        lax = self.unofficial or not has_usual_make(self)
        _check_rulebook("puck_g", self.mass_g, (1.0, 2.0), MASSES_G[Puck], "g", lax)
        _check_density("puck_g", self)

    @property
    def insert_g(self) -> float:
        """Mass of a steel ring inside: a puck has none."""
        return 0.0

    @property
    def is_official(self) -> bool:
        """Whether the rulebook allows it."""
        return has_usual_make(self) and 1.0 <= self.mass_g <= 2.0


@fact
class Slammer:
    """A slammer: a puck whose lower half may be up to 7.2 mm thick, or a disc of another make.

    Attributes:
        mass_g: Total mass, 2 to 24 g by the rulebook.
        thickness_mm: Total thickness, 1.6 to 8.0 mm by the rulebook.
        insert_g: Mass of the steel ring inside (radii 7.0 to 17.6 mm, up to 2.8 mm high). Its
            exact height is unknown; the model puts it at half the thickness.
        ring_width_mm: Width of the upper half's outer ring, at least 1 mm.
        fill_fraction: Filled share of the recess inside the ring, as for a puck.
        diameter_mm: 41.23 by the rulebook.
        material: As for a puck.
        unofficial: Accept masses and thicknesses outside the rulebook's ranges.

    Raises:
        InputError: A value outside the rulebook, or a mass that no real density gives.
    """

    mass_g: float
    thickness_mm: float = PUCKDEX_THICKNESS_MM
    insert_g: float = 0.0
    ring_width_mm: float = 1.0
    fill_fraction: float = 0.04
    diameter_mm: float = PIECE_DIAMETER_MM
    material: Material | None = None
    unofficial: bool = False

    def __post_init__(self) -> None:
        """Check every field."""
        _check_disc("slammer", self)
        lax = self.unofficial or not has_usual_make(self)
        _check_slammer(self.mass_g, self.thickness_mm, lax)
        if self.insert_g:
            room = INSERT_MAX_G if self.thickness_mm >= INSERT_MIN_THICKNESS_MM else 0.0
            check_number("insert_g", self.insert_g, low=0.0, high=min(room, self.mass_g), unit="g")
        _check_density("slammer_g", self)

    @property
    def is_official(self) -> bool:
        """Whether the rulebook allows it."""
        return (
            has_usual_make(self) and 2.0 <= self.mass_g <= 24.0 and 1.6 <= self.thickness_mm <= 8.0
        )


Piece = Puck | Slammer


def puckdex_slammer(
    mass_g: float, thickness_mm: float = PUCKDEX_THICKNESS_MM, *, unofficial: bool = False
) -> Slammer:
    """Return a slammer built the way the PuckDex's are.

    A body of up to 4 g, and a steel ring for the rest where it has room; a slammer thinner than
    4.8 mm is of one material.

    Raises:
        InputError: As `Slammer`.

    Example:
        >>> puckdex_slammer(20.0).insert_g
        16.0
        >>> puckdex_slammer(4.0).insert_g
        0.0
    """
    _check_slammer(mass_g, thickness_mm, unofficial)
    room = INSERT_MAX_G if thickness_mm >= INSERT_MIN_THICKNESS_MM else 0.0
    insert = min(max(0.0, mass_g - PUCKDEX_BODY_G), room)
    return Slammer(mass_g=mass_g, thickness_mm=thickness_mm, insert_g=insert, unofficial=unofficial)


_Kind = TypeVar("_Kind", Puck, Slammer)

MASSES_G: dict[Any, tuple[float, float]] = {Puck: (0.01, 200.0), Slammer: (0.01, 1000.0)}
"""Masses beyond the rulebook's."""


def own_piece(
    kind: type[_Kind],
    *,
    mass_g: float | None = None,
    diameter_mm: float | None = None,
    thickness_mm: float | None = None,
    material: Material | None = None,
) -> _Kind:
    """Return a plain disc of another size or material than the rulebook's.

    What is not given follows from the rest: the mass from the density, or the thickness from it if
    mass and material are given; else sizes are the rulebook's.

    Raises:
        InputError: No piece can have these values.

    Example:
        >>> from pucklab.physics.material import MATERIALS
        >>> coin = own_piece(Slammer, mass_g=14.0, material=MATERIALS["steel"])
        >>> round(coin.thickness_mm, 2)
        1.34
        >>> round(own_piece(Puck, diameter_mm=40.0, thickness_mm=2.0).mass_g, 2)
        3.12
    """
    name = kind.__name__.lower()
    across = PIECE_DIAMETER_MM if diameter_mm is None else diameter_mm
    check_number(
        f"{name}_diameter_mm", across, low=DIAMETERS_MM[0], high=DIAMETERS_MM[1], unit="mm"
    )
    area_mm2 = math.pi * across * across / 4
    density_g_mm3 = (material or Material()).density_g_cm3 / 1000
    if thickness_mm is None:
        thickness_mm = PUCK_THICKNESS_MM if kind is Puck else PUCKDEX_THICKNESS_MM
        if mass_g is not None and material is not None:
            ends_g = [density_g_mm3 * area_mm2 * end for end in _thicknesses_mm(across)]
            low_g, high_g = (_round(end) for end in ends_g)
            hint = f", as {material_name(material)} {across:g} mm across makes"
            check_number(f"{name}_g", mass_g, low=low_g, high=high_g, unit="g", hint=hint)
            thickness_mm = _round(mass_g / density_g_mm3 / area_mm2)
    _check_thickness(name, thickness_mm, across)
    if mass_g is None:
        mass_g, (low, high) = _round(density_g_mm3 * area_mm2 * thickness_mm), MASSES_G[kind]
        if not low <= mass_g <= high:
            raise InputError(
                f"{name}_diameter_mm: {across:g} x {thickness_mm:g} mm of "
                f"{material_name(material).removeprefix('of ')} weigh {mass_g:g} g; give sizes "
                f"that weigh {low:g} to {high:g} g"
            )
    return kind(
        mass_g=mass_g,
        diameter_mm=across,
        thickness_mm=thickness_mm,
        material=material,
        fill_fraction=1.0,
        unofficial=True,
    )


def remake(piece: _Kind, **changes: Any) -> _Kind:
    """Return a piece with another mass, diameter, thickness or material.

    A disc of one material stays one: another mass makes it thicker or thinner, another size heavier
    or lighter. Others keep their mass, and their thickness unless the material changes.

    Example:
        >>> from pucklab.physics.material import MATERIALS
        >>> steel = MATERIALS["steel"]
        >>> coin = own_piece(Slammer, diameter_mm=30.0, thickness_mm=2.0, material=steel)
        >>> coin.mass_g, round(remake(coin, mass_g=2 * coin.mass_g).thickness_mm, 2)
        (11.1, 4.0)
    """
    density_g_mm3 = (piece.material or Material()).density_g_cm3 / 1000
    solid_mass_g = density_g_mm3 * math.pi * piece.diameter_mm**2 / 4 * piece.thickness_mm
    if piece.material and math.isclose(piece.mass_g, solid_mass_g, rel_tol=2e-3):
        kept = {} if "mass_g" in changes else {"thickness_mm": piece.thickness_mm}
    elif "material" in changes:
        kept = {"mass_g": piece.mass_g}
    elif has_usual_make(piece):
        kept = {"mass_g": piece.mass_g, "thickness_mm": piece.thickness_mm}
    else:
        return replace(piece, unofficial=True, **changes)
    makes: Any = {"diameter_mm": piece.diameter_mm, "material": piece.material} | kept | changes
    return own_piece(type(piece), **makes)


def _round(value: float) -> float:
    """Return a number to four digits: values that follow from a density are no more precise."""
    return float(f"{value:.4g}")


@fact
class MassProperties:
    """Mass, centre of mass and moments of inertia of a piece.

    Attributes:
        mass_g: Total mass.
        centre_mm: Centre of mass along the face normal, from half the thickness; negative is
            towards the lower half.
        moment_diameter_g_mm2: Moment about a diameter through the centre of mass.
        moment_axis_g_mm2: Moment about the axis of the disc.
    """

    mass_g: float
    centre_mm: float
    moment_diameter_g_mm2: float
    moment_axis_g_mm2: float


@lru_cache(maxsize=256)
def mass_properties(piece: Piece) -> MassProperties:
    """Return the mass properties of a piece, put together from its parts.

    Each part is a hollow cylinder of radii a, b and height h: m(a2 + b2)/2 about its axis,
    m((a2 + b2)/4 + h2/12) about a diameter, moved to the common centre by Steiner's theorem.

    Example:
        >>> round(mass_properties(Puck()).centre_mm, 3)
        -0.307
        >>> round(mass_properties(Puck()).moment_diameter_g_mm2, 1)  # 1.5 g * (r/2)**2 = 159.4
        171.1
    """
    radius, middle = piece.diameter_mm / 2, piece.thickness_mm / 2
    lower = piece.thickness_mm - _upper_half_mm(piece)
    recess = radius - piece.ring_width_mm
    density = (piece.mass_g - piece.insert_g) / _body_volume_mm3(piece)
    # Mass, radii, and heights from the underside: the lower half, the ring, what fills it.
    parts = [
        (
            density * (math.pi * (outer * outer - inner * inner) * (high - low) * filled),
            inner,
            outer,
            low,
            high,
        )
        for inner, outer, low, high, filled in (
            (0.0, radius, 0.0, lower, 1.0),
            (recess, radius, lower, piece.thickness_mm, 1.0),
            (0.0, recess, lower, piece.thickness_mm, piece.fill_fraction),
        )
    ]
    if piece.insert_g:
        half = piece.insert_g / (STEEL_G_MM3 * INSERT_AREA_MM2) / 2
        ends = RING_INSERT_INNER_MM, RING_INSERT_OUTER_MM, middle - half, middle + half
        parts.append((piece.insert_g, *ends))
    mass = math.fsum(own for own, *_ in parts)
    centre = math.fsum(own * (low + high) / 2 for own, _, _, low, high in parts) / mass
    axis = math.fsum(own * (inner * inner + outer * outer) / 2 for own, inner, outer, _, _ in parts)
    diameter = math.fsum(
        own
        * (
            (inner * inner + outer * outer) / 4
            + (high - low) * (high - low) / 12
            + ((low + high) / 2 - centre) * ((low + high) / 2 - centre)
        )
        for own, inner, outer, low, high in parts
    )
    return MassProperties(
        mass_g=mass,
        centre_mm=centre - middle,
        moment_diameter_g_mm2=diameter,
        moment_axis_g_mm2=axis,
    )


def _upper_half_mm(piece: Piece) -> float:
    """Return the height of the ring: .8 mm, or half of a thinner piece; 0 for a plain disc."""
    return 0.0 if piece.fill_fraction == 1.0 else min(UPPER_HALF_MM, piece.thickness_mm / 2)


def _body_volume_mm3(piece: Piece) -> float:
    radius, high = piece.diameter_mm / 2, _upper_half_mm(piece)
    recess = radius - piece.ring_width_mm
    upper = radius * radius - (1 - piece.fill_fraction) * recess * recess
    lower = piece.thickness_mm - high
    return math.pi * (radius * radius * lower + upper * high)


def has_usual_make(piece: Piece) -> bool:
    """Return whether size and material are the rulebook's, whatever the mass and thickness."""
    return (
        piece.diameter_mm == PIECE_DIAMETER_MM
        and piece.material is None
        and (isinstance(piece, Slammer) or piece.thickness_mm == PUCK_THICKNESS_MM)
    )


def _check_disc(name: str, piece: Piece) -> None:
    low, high = DIAMETERS_MM
    check_number(f"{name}_diameter_mm", piece.diameter_mm, low=low, high=high, unit="mm")
    radius = piece.diameter_mm / 2
    if not has_usual_make(piece):
        _check_thickness(name, piece.thickness_mm, piece.diameter_mm)
    check_number("ring_width_mm", piece.ring_width_mm, low=1.0, high=radius, unit="mm")
    check_number("fill_fraction", piece.fill_fraction, low=0.0, high=1.0)


def _check_thickness(name: str, thickness_mm: float, diameter_mm: float) -> None:
    """Check that a piece is a disc: no thicker than its radius."""
    low, high = _thicknesses_mm(diameter_mm)
    hint = f", at most half of the diameter of {diameter_mm:g} mm"
    check_number(f"{name}_thickness_mm", thickness_mm, low=low, high=high, unit="mm", hint=hint)


def _thicknesses_mm(diameter_mm: float) -> tuple[float, float]:
    return THICKNESSES_MM[0], min(THICKNESSES_MM[1], diameter_mm / 2)


def _check_slammer(mass_g: float, thickness_mm: float, lax: bool) -> None:
    _check_rulebook("slammer_g", mass_g, (2.0, 24.0), MASSES_G[Slammer], "g", lax)
    _check_rulebook("thickness_mm", thickness_mm, (1.6, 8.0), THICKNESSES_MM, "mm", lax)


def _check_rulebook(
    name: str,
    value: float,
    official: tuple[float, float],
    possible: tuple[float, float],
    unit: str,
    unofficial: bool,
) -> None:
    low, high = possible if unofficial else official
    hint = "" if unofficial else f" (unofficial pieces: {possible[0]:g} to {possible[1]:g} {unit})"
    check_number(name, value, low=low, high=high, unit=unit, hint=hint)


def _check_density(name: str, piece: Piece) -> None:
    body_g, volume_mm3 = piece.mass_g - piece.insert_g, _body_volume_mm3(piece)
    density = 1000 * body_g / volume_mm3
    low, high = REAL_DENSITY_G_CM3 if has_usual_make(piece) else ANY_DENSITY_G_CM3
    if not low <= density <= high:
        least_g, most_g = (end * volume_mm3 / 1000 + piece.insert_g for end in (low, high))
        size = f"{piece.diameter_mm:g} x {piece.thickness_mm:.3g} mm"
        ring = " without its steel ring" if piece.insert_g else ""
        raise InputError(
            f"{name}: {piece.mass_g:.4g} g at {size} would have {density:.3g} g/cm3{ring}; give "
            f"{least_g:.3g} to {most_g:.3g} g, which {low:g} to {high:g} g/cm3 make"
        )
