"""The cells of the reference set: kinds of throw that 3-D engines and the model are compared on."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from physics import (
    CAREFUL_THROWER,
    InputError,
    Piece,
    Scene,
    Slammer,
    ThrowDistribution,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
)

REFERENCE_SEED = 1
"""Trial i of this seed is the same throw in both engines and in the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One kind of throw.

    Attributes:
        slammer_g: Mass of the thrown slammer.
        thickness_mm: Its thickness.
        speed_m_s: Speed of the throw.
        pucks: Pucks in the stack; 0 for a knock-out.
        careful: Thrown by the careful thrower instead of the default one.
        knock_out_g: Mass of the 6 mm slammer on the floor, or None for a stack of pucks.
        shields: Pucks on the slammer on the floor.
    """

    slammer_g: float
    thickness_mm: float
    speed_m_s: float
    pucks: int = 10
    careful: bool = False
    knock_out_g: float | None = None
    shields: int = 0

    @property
    def name(self) -> str:
        """Name of the cell in files, made of its numbers.

        Example:
            >>> Cell(slammer_g=12, thickness_mm=7.9, speed_m_s=5).name
            '12g-7.9mm-5ms-10'
            >>> knock_out = Cell(
            ...     slammer_g=8, thickness_mm=6, speed_m_s=5, pucks=0, knock_out_g=8, shields=1
            ... )
            >>> knock_out.name
            '8g-6mm-5ms-on-8g-1'
        """
        thrown = f"{self.slammer_g:g}g-{self.thickness_mm:g}mm-{self.speed_m_s:g}ms"
        if self.knock_out_g is None:
            target = str(self.pucks)
        else:
            target = f"on-{self.knock_out_g:g}g-{self.shields}"
        return f"{thrown}-{target}" + ("-careful" if self.careful else "")


def _knock_out(thrown_g: float, lying_g: float, speed_m_s: float, shields: int = 0) -> Cell:
    return Cell(
        slammer_g=thrown_g,
        thickness_mm=6.0,
        speed_m_s=speed_m_s,
        pucks=0,
        knock_out_g=lying_g,
        shields=shields,
    )


REFERENCE_CELLS: tuple[Cell, ...] = (
    Cell(slammer_g=3, thickness_mm=1.6, speed_m_s=5),
    Cell(slammer_g=3, thickness_mm=2.4, speed_m_s=7),
    Cell(slammer_g=4, thickness_mm=6, speed_m_s=3),
    Cell(slammer_g=4, thickness_mm=6, speed_m_s=5),
    Cell(slammer_g=4, thickness_mm=6, speed_m_s=7, pucks=8),
    Cell(slammer_g=6, thickness_mm=4.2, speed_m_s=5, pucks=12, careful=True),
    Cell(slammer_g=8, thickness_mm=6, speed_m_s=3),
    Cell(slammer_g=8, thickness_mm=6, speed_m_s=5),
    Cell(slammer_g=8, thickness_mm=6, speed_m_s=7),
    Cell(slammer_g=12, thickness_mm=8, speed_m_s=3),
    Cell(slammer_g=12, thickness_mm=8, speed_m_s=5),
    Cell(slammer_g=12, thickness_mm=8, speed_m_s=5, pucks=15, careful=True),
    Cell(slammer_g=20, thickness_mm=6, speed_m_s=3),
    Cell(slammer_g=20, thickness_mm=6, speed_m_s=5),
    Cell(slammer_g=20, thickness_mm=6, speed_m_s=7, pucks=8),
    Cell(slammer_g=24, thickness_mm=8, speed_m_s=3, pucks=12, careful=True),
    Cell(slammer_g=24, thickness_mm=8, speed_m_s=5, pucks=16),
    Cell(slammer_g=24, thickness_mm=8, speed_m_s=7),
    _knock_out(4, 4, 3),
    _knock_out(4, 4, 5),
    _knock_out(20, 4, 5),
    _knock_out(4, 8, 5),
    _knock_out(8, 8, 5),
    _knock_out(20, 8, 5),
    _knock_out(8, 8, 7),
    _knock_out(8, 20, 5),
    _knock_out(20, 20, 5),
    _knock_out(20, 20, 7),
    _knock_out(8, 8, 5, shields=1),
    _knock_out(20, 8, 5, shields=2),
)
"""18 stacks and 12 knock-outs, two of them with shields."""


_NAME = re.compile(
    r"(?P<slammer_g>[\d.]+)g-(?P<thickness_mm>[\d.]+)mm-(?P<speed_m_s>[\d.]+)ms-"
    r"(?:on-(?P<knock_out_g>[\d.]+)g-(?P<shields>\d+)|(?P<pucks>\d+))(?P<careful>-careful)?"
)


def cell_named(name: str) -> Cell:
    """Return the cell of that name, of the reference set or not.

    Raises:
        InputError: That is no name of a cell.

    Example:
        >>> cell_named("10g-5mm-4ms-9-careful").pucks
        9
        >>> cell_named("20g-6mm-5ms-on-8g-2") in REFERENCE_CELLS
        True
    """
    found = _NAME.fullmatch(name)
    try:
        if found is None:
            raise InputError("not of that form")
        numbers = {key: float(found[key]) for key in ("slammer_g", "thickness_mm", "speed_m_s")}
        cell = Cell(
            **numbers,
            pucks=int(found["pucks"] or 0),
            careful=found["careful"] is not None,
            knock_out_g=None if found["knock_out_g"] is None else float(found["knock_out_g"]),
            shields=int(found["shields"] or 0),
        )
        scene_of(cell)
        thrower_of(cell)
    except ValueError as error:
        raise InputError(
            f"cells: {name!r} is no cell ({error}); give all, or names such as 12g-8mm-5ms-10, "
            "6g-4.2mm-5ms-12-careful, 20g-6mm-5ms-on-8g-2"
        ) from None
    return cell


def cells_named(names: Iterable[str]) -> tuple[Cell, ...]:
    """Return cells by name; ``all`` stands for the whole reference set.

    Raises:
        InputError: There is no such cell.

    Example:
        >>> [cell.pucks for cell in cells_named(("24g-8mm-5ms-16",))]
        [16]
    """
    found: list[Cell] = []
    for name in names:
        found += REFERENCE_CELLS if name == "all" else (cell_named(name),)
    return tuple(dict.fromkeys(found))


def scene_of(cell: Cell) -> Scene:
    """Return a cell's scene, with the default materials.

    A slammer of 6 mm is built as the PuckDex's; any other is of one material.
    """
    if cell.thickness_mm == 6.0:
        slammer = puckdex_slammer(cell.slammer_g)
    else:
        slammer = Slammer(mass_g=cell.slammer_g, thickness_mm=cell.thickness_mm)
    stack: tuple[Piece, ...]
    if cell.knock_out_g is None:
        stack = puck_stack(cell.pucks)
    else:
        stack = knock_out_stack(puckdex_slammer(cell.knock_out_g), cell.shields)
    return Scene(slammer=slammer, stack=stack)


def thrower_of(cell: Cell) -> ThrowDistribution:
    """Return who throws in a cell."""
    thrower = CAREFUL_THROWER if cell.careful else ThrowDistribution()
    return replace(thrower, speed_mm_s=1000.0 * cell.speed_m_s)
