"""Materials of pieces: density, stiffness, restitution and friction, with sources."""

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from pucklab.base.decoding import Form, check_names, check_one_of, register_form
from pucklab.base.errors import Checked, InputError, parameter, parameters
from pucklab.base.facts import fact
from pucklab.base.values import parse_number

_PLASTIC = "ABS, PLA, PVC or polystyrene, 2 to 3 GPa (data sheets); default density: solid PLA"


@fact
class Material(Checked):
    """Material of a piece; the default is rigid plastic, `MATERIALS` has others.

    Density and modulus make masses and stiffness of pieces (`contact_stiffness_g_s2`). A scene's
    `Materials`, with one value for all contacts, may take its restitution and friction.

    Attributes:
        density_g_cm3: Density.
        modulus_gpa: Young's modulus of a small dent in a face; below .05 GPa (rubber) pieces bend
            round each other, and no law here holds.
        poisson: Poisson's ratio.
        restitution: Coefficient of restitution, two pieces of it at a few m/s.
        friction: Coefficient of sliding friction, two pieces of it.
        source: Of the numbers.

    Example:
        >>> Material(poisson=0.5)
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: poisson: 0.5 is not accepted; give a number from 0 to 0.49
    """

    density_g_cm3: float = parameter(
        1.24, low=0.05, high=22.0, unit="g/cm3", uncertainty=0.2, source=_PLASTIC
    )
    modulus_gpa: float = parameter(
        2.4, low=0.05, high=1000.0, unit="GPa", uncertainty=0.5, source=_PLASTIC
    )
    poisson: float = parameter(0.35, low=0.0, high=0.49, uncertainty=0.04, source=_PLASTIC)
    restitution: float = parameter(
        0.5, low=0.05, high=0.9, uncertainty=0.1, source="typical of hard plastic; not measured"
    )
    friction: float = parameter(
        0.35, low=0.0, high=1.5, uncertainty=0.1, source="typical of hard plastic; not measured"
    )
    source: str = _PLASTIC


_DECLARED: dict[str, tuple[Any, ...]] = {
    # Density, modulus, Poisson's ratio, restitution, friction: a number, or with its range.
    "plastic": (1.24, (1.9, 2.4, 2.9), 0.35, (0.4, 0.5, 0.6), (0.25, 0.35, 0.45), _PLASTIC),
    "cardboard": (
        *(0.75, (0.1, 0.35, 1.0), 0.2, (0.2, 0.35, 0.5), (0.3, 0.4, 0.5)),
        "grey board; modulus: mean of 3 GPa in and 40 MPa across (paper physics); others estimated",
    ),
    "wood": (
        *(0.7, (0.7, 1.0, 1.2), 0.4, (0.4, 0.5, 0.6), (0.3, 0.4, 0.5)),
        "beech, across the grain (Wood Handbook: .7 to 1.2 GPa); restitution estimated",
    ),
    "steel": (
        *(7.85, (195.0, 205.0, 215.0), 0.29, (0.5, 0.6, 0.7), (0.2, 0.4, 0.6)),
        "carbon steel (any handbook); restitution falls to .5 at some m/s as it dents",
    ),
    "brass": (
        *(8.5, (95.0, 105.0, 115.0), 0.34, (0.4, 0.5, 0.6), (0.3, 0.4, 0.5)),
        "CuZn37 (any handbook); restitution estimated",
    ),
}
_NUMBERS = tuple(parameters(Material))


MATERIALS: Mapping[str, Material] = MappingProxyType(
    {
        name: Material(
            **{
                number: own[1] if isinstance(own, tuple) else own
                for number, own in zip((*_NUMBERS, "source"), numbers, strict=True)
            }
        )
        for name, numbers in _DECLARED.items()
    }
)
"""The usual materials by name: plastic first, the default of every piece."""

_NAMES = {material: name for name, material in MATERIALS.items()}


def material_range(material: Material, number: str) -> tuple[float, float]:
    """Return the range in which a number of a material may lie.

    Numbers that a user gives count as uncertain as those of plastic: restitution and friction by
    .1, the modulus by a fifth.

    Args:
        material: The material.
        number: modulus_gpa, restitution or friction.

    Example:
        >>> material_range(MATERIALS["cardboard"], "modulus_gpa")
        (0.1, 1.0)
        >>> material_range(Material(restitution=0.85), "restitution")
        (0.75, 0.9)
    """
    if name := _NAMES.get(material):
        low, _, high = _DECLARED[name][_NUMBERS.index(number)]
        return low, high
    own, note = getattr(material, number), parameters(Material)[number]
    off = own / 5 if number == "modulus_gpa" else note.uncertainty or 0.0
    low, high = (round(min(max(own + x, note.low), note.high), 9) for x in (-off, off))
    return low, high


def material_of(value: object, where: str = "material") -> Material:
    """Return a material by its name, or by its numbers: a table, or name=value with commas.

    Raises:
        InputError: There is none.

    Example:
        >>> material_of("steel").density_g_cm3, material_of("density_g_cm3=1.1").modulus_gpa
        (7.85, 2.4)
        >>> material_of("stel")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: material: 'stel' is not accepted; give one of plastic, \
cardboard, wood, steel, brass (did you mean steel?); or numbers such as density_g_cm3=1.1
    """
    if isinstance(value, str) and "=" in value:
        pairs = [part.partition("=") for part in value.split(",")]
        value = {name.strip(): parse_number(float, text) for name, _, text in pairs}
    if not isinstance(value, Mapping):
        try:
            check_one_of(where, value, list(MATERIALS))
        except InputError as error:
            raise InputError(f"{error}; or numbers such as density_g_cm3=1.1") from None
        return MATERIALS[str(value)]
    check_names(where, value, [*parameters(Material), "source"])
    try:
        return Material(**{"source": "the user's", **value})
    except InputError as error:
        raise InputError(f"{where} {error}") from None


def material_name(material: Material | None) -> str:
    """Return the name of a material, or its numbers if it has none."""
    if material is None:
        return "plastic"
    return (
        _NAMES.get(material)
        or f"of {material.density_g_cm3:g} g/cm3 and {material.modulus_gpa:g} GPa"
    )


register_form(
    Material,
    Form(
        name="the name of a material, or a table of its numbers",
        read=material_of,
        store=lambda value: _NAMES.get(value) or asdict(value),
    ),
)
