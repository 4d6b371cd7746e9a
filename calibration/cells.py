"""The cells of the reference set: kinds of throw that 3-D engines and the model are compared on."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from physics import (
    CAREFUL_THROWER,
    InputError,
    Materials,
    Piece,
    Puck,
    Scene,
    Slammer,
    ThrowDistribution,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
)
from physics.decoding import check_one_of
from physics.facts import fact
from physics.slam import computing_engine

REFERENCE_SEED = 1
"""Trial i of this seed is the same throw in both engines and in the model."""


@fact
class Cell:
    """One kind of throw.

    Attributes:
        slammer_g: Mass of the thrown slammer.
        thickness_mm: Its thickness.
        speed_m_s: Speed of the throw.
        pucks: Pucks in the stack; 0 for a knock-out.
        thrower: Name of the thrower, one of `THROWERS`.
        knock_out_g: Mass of the 6 mm slammer on the floor, or None for a stack of pucks.
        shields: Pucks on the slammer on the floor.
        restitution: Coefficient of restitution of all contacts.
        friction: Their coefficient of friction.
        puck_g: Mass of each puck.
        descent_deg: Steepest and flattest descent, from the vertical.
        hysteresis: Of all contacts.
    """

    slammer_g: float
    thickness_mm: float
    speed_m_s: float
    pucks: int = 10
    thrower: str = "usual"
    knock_out_g: float | None = None
    shields: int = 0
    restitution: float = 0.5
    friction: float = 0.35
    puck_g: float = 1.5
    descent_deg: tuple[float, float] = (0.0, 30.0)
    hysteresis: float = 0.0

    @property
    def name(self) -> str:
        """Name of the cell in files, made of its numbers; defaults are left out.

        Example:
            >>> Cell(slammer_g=12, thickness_mm=7.9, speed_m_s=5).name
            '12g-7.9mm-5ms-10'
            >>> Cell(slammer_g=8, thickness_mm=6, speed_m_s=5, friction=0.6, thrower="wild").name
            '8g-6mm-5ms-10-wild-mu0.6'
            >>> knock_out = Cell(
            ...     slammer_g=8, thickness_mm=6, speed_m_s=5, pucks=0, knock_out_g=8, shields=1
            ... )
            >>> knock_out.name
            '8g-6mm-5ms-on-8g-1'
        """
        parts = [f"{self.slammer_g:g}g-{self.thickness_mm:g}mm-{self.speed_m_s:g}ms"]
        if self.knock_out_g is None:
            parts.append(str(self.pucks))
        else:
            parts.append(f"on-{self.knock_out_g:g}g-{self.shields}")
        if self.thrower != "usual":
            parts.append(self.thrower)
        low, high = self.descent_deg
        for name, text in (
            ("restitution", f"e{self.restitution:g}"),
            ("friction", f"mu{self.friction:g}"),
            ("puck_g", f"p{self.puck_g:g}g"),
            ("descent_deg", f"d{low:g}to{high:g}"),
            ("hysteresis", f"h{self.hysteresis:g}"),
        ):
            if getattr(self, name) != getattr(_USUAL, name):
                parts.append(text)
        return "-".join(parts)


_USUAL = Cell(slammer_g=8, thickness_mm=6, speed_m_s=5)

THROWERS: Mapping[str, ThrowDistribution] = MappingProxyType(
    {
        "usual": ThrowDistribution(),
        "careful": CAREFUL_THROWER,
        "wild": ThrowDistribution(aim_sd_mm=18.0, tilt_sd_deg=25.0),
    }
)
"""Throwers of cells by name."""


def _cell(slammer_g: float, thickness_mm: float, speed_m_s: float, **more: Any) -> Cell:
    return Cell(slammer_g=slammer_g, thickness_mm=thickness_mm, speed_m_s=speed_m_s, **more)


def _knock_out(thrown_g: float, lying_g: float, speed_m_s: float, **more: Any) -> Cell:
    return _cell(thrown_g, 6.0, speed_m_s, pucks=0, knock_out_g=lying_g, **more)


USUAL_CELLS: tuple[Cell, ...] = (
    _cell(3, 1.6, 5),
    _cell(3, 2.4, 7),
    _cell(4, 6, 3),
    _cell(4, 6, 5),
    _cell(4, 6, 7, pucks=8),
    _cell(6, 4.2, 5, pucks=12, thrower="careful"),
    _cell(8, 6, 3),
    _cell(8, 6, 5),
    _cell(8, 6, 7),
    _cell(12, 8, 3),
    _cell(12, 8, 5),
    _cell(12, 8, 5, pucks=15, thrower="careful"),
    _cell(20, 6, 3),
    _cell(20, 6, 5),
    _cell(20, 6, 7, pucks=8),
    _cell(24, 8, 3, pucks=12, thrower="careful"),
    _cell(24, 8, 5, pucks=16),
    _cell(24, 8, 7),
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
"""18 stacks and 12 knock-outs at the default materials; MuJoCo threw these, too."""

_FLAT = (30.0, 60.0)

VARIED_CELLS: tuple[Cell, ...] = (
    # One thing at a time.
    _cell(8, 6, 5, friction=0.15),
    _cell(8, 6, 5, friction=0.6),
    _cell(8, 6, 5, friction=0.25),
    _cell(8, 6, 5, restitution=0.3),
    _cell(8, 6, 5, restitution=0.7),
    _cell(8, 6, 5, puck_g=1.0),
    _cell(8, 6, 5, puck_g=2.0),
    _cell(8, 6, 5, descent_deg=_FLAT),
    _cell(8, 6, 5, descent_deg=(20.0, 45.0)),
    _cell(8, 6, 5, thrower="wild"),
    _cell(8, 6, 5, thrower="careful"),
    _cell(8, 6, 5, pucks=3),
    _cell(8, 6, 5, pucks=1),
    _cell(8, 6, 5, pucks=20),
    _cell(8, 6, 5, pucks=5),
    # The same with light and heavy slammers.
    _cell(20, 6, 5, friction=0.15),
    _cell(4, 6, 5, friction=0.6),
    _cell(20, 6, 5, friction=0.6),
    _cell(4, 6, 5, descent_deg=_FLAT),
    _cell(20, 6, 5, descent_deg=_FLAT),
    _cell(20, 6, 3, thrower="careful"),
    _cell(2, 1.6, 6),
    _cell(20, 6, 5, pucks=2),
    _cell(20, 6, 4, restitution=0.3, puck_g=1.0),
    # Several things at once: a Latin hypercube, rounded.
    _cell(9, 6, 4.6, pucks=7, friction=0.45, restitution=0.63, puck_g=1.6),
    _cell(7, 5, 3.5, pucks=3, friction=0.28, restitution=0.68, puck_g=1.25, descent_deg=(20, 50)),
    _cell(14, 8, 6, pucks=4, friction=0.6, restitution=0.56, puck_g=1.9, descent_deg=(20, 50)),
    _cell(4.4, 3, 4, pucks=4, friction=0.16, restitution=0.31, puck_g=1.7, thrower="careful"),
    _cell(6, 4, 3.2, pucks=8, friction=0.54, restitution=0.44, puck_g=1.35, thrower="wild"),
    _cell(15, 8, 6.4, pucks=5, restitution=0.48, puck_g=1.9, thrower="careful"),
    _cell(21, 6, 4.8, pucks=20, friction=0.48, restitution=0.41),
    _cell(12, 8, 3.8, pucks=16, friction=0.33, restitution=0.46, descent_deg=(30, 60)),
    _cell(4, 2.6, 4.3, pucks=3, friction=0.44, puck_g=1.4, descent_deg=(30, 60)),
    _cell(3, 2, 5.7, pucks=12, friction=0.19, restitution=0.65, puck_g=1.85, thrower="wild"),
    _cell(19, 6, 5.3, pucks=6, friction=0.53, restitution=0.36, puck_g=1.0, descent_deg=(10, 40)),
    _cell(2.4, 1.8, 6.9, pucks=13, friction=0.27, restitution=0.59, puck_g=1.2),
    # Knock-outs.
    _knock_out(8, 8, 5, friction=0.15),
    _knock_out(20, 8, 5, friction=0.6),
    _knock_out(8, 8, 5, restitution=0.3),
    _knock_out(8, 4, 5, restitution=0.7),
    _knock_out(8, 8, 5, descent_deg=_FLAT),
    _knock_out(20, 20, 5, thrower="wild"),
    _knock_out(20, 8, 5, shields=1, friction=0.25),
    _knock_out(20, 4, 6, shields=3, puck_g=1.2),
    _knock_out(20, 8, 7, shields=1, thrower="careful"),
)
"""36 stacks and 9 knock-outs at other materials, throwers, descents and sizes of stacks."""

REFERENCE_CELLS: tuple[Cell, ...] = USUAL_CELLS + VARIED_CELLS
"""The reference set; every third cell is left out of every fit."""


_NAME = re.compile(
    r"(?P<slammer_g>[\d.]+)g-(?P<thickness_mm>[\d.]+)mm-(?P<speed_m_s>[\d.]+)ms-"
    r"(?:on-(?P<knock_out_g>[\d.]+)g-(?P<shields>\d+)|(?P<pucks>\d+))(?:-(?P<thrower>[a-z]{4,}))?"
    r"(?:-e(?P<restitution>[\d.]+))?(?:-mu(?P<friction>[\d.]+))?(?:-p(?P<puck_g>[\d.]+)g)?"
    r"(?:-d(?P<steepest>[\d.]+)to(?P<flattest>[\d.]+))?(?:-h(?P<hysteresis>[\d.]+))?"
)


_NUMBERS = (
    "slammer_g", "thickness_mm", "speed_m_s", "knock_out_g", "restitution", "friction", "puck_g",
    "hysteresis",
)  # fmt: skip


def cell_named(name: str) -> Cell:
    """Return the cell of that name, of the reference set or not.

    Raises:
        InputError: That is no name of a cell.

    Example:
        >>> cell_named("10g-5mm-4ms-9-careful").pucks
        9
        >>> cell_named("8g-6mm-5ms-10-wild-e0.3-mu0.6-p2g-d30to60").friction
        0.6
        >>> cell_named("20g-6mm-5ms-on-8g-2") in REFERENCE_CELLS
        True
        >>> cell_named("8g-6mm-5ms-10-h0.5").hysteresis
        0.5
    """
    found = _NAME.fullmatch(name)
    try:
        if found is None:
            raise InputError("not of that form")
        numbers = {name: float(found[name]) for name in _NUMBERS if found[name] is not None}
        low, high = _USUAL.descent_deg
        cell = Cell(
            **numbers,
            pucks=int(found["pucks"] or 0),
            thrower=found["thrower"] or "usual",
            shields=int(found["shields"] or 0),
            descent_deg=(float(found["steepest"] or low), float(found["flattest"] or high)),
        )
        scene_of(cell)
        thrower_of(cell)
    except ValueError as error:
        raise InputError(
            f"cells: {name!r} is no cell ({error}); give all, or names such as 12g-8mm-5ms-10, "
            "6g-4.2mm-5ms-12-careful, 20g-6mm-5ms-on-8g-2, "
            "8g-6mm-5ms-10-wild-e0.3-mu0.6-p2g-d30to60"
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
    """Return a cell's scene.

    A slammer of 6 mm is built as the PuckDex's; any other is of one material.
    """
    if cell.thickness_mm == 6.0:
        slammer = puckdex_slammer(cell.slammer_g)
    else:
        slammer = Slammer(mass_g=cell.slammer_g, thickness_mm=cell.thickness_mm)
    puck = Puck(mass_g=cell.puck_g)
    stack: tuple[Piece, ...]
    if cell.knock_out_g is None:
        stack = puck_stack(cell.pucks, puck)
    else:
        stack = knock_out_stack(puckdex_slammer(cell.knock_out_g), cell.shields, puck)
    materials = Materials(
        restitution=cell.restitution, friction=cell.friction, hysteresis=cell.hysteresis
    )
    return Scene(slammer=slammer, stack=stack, materials=materials)


def is_in_plane(cell: Cell) -> bool:
    """Return whether the plane computes a cell's slams itself.

    Example:
        >>> [is_in_plane(cell) for cell in cells_named(["8g-6mm-5ms-10", "8g-6mm-5ms-on-8g-0"])]
        [True, False]
    """
    return computing_engine(scene_of(cell), "plane") == "plane"


def thrower_of(cell: Cell) -> ThrowDistribution:
    """Return the thrower of a cell.

    Raises:
        InputError: There is no thrower of that name.
    """
    check_one_of("thrower", cell.thrower, tuple(THROWERS))
    low, high = cell.descent_deg
    return replace(
        THROWERS[cell.thrower],
        speed_mm_s=1000.0 * cell.speed_m_s,
        descent_min_deg=low,
        descent_max_deg=high,
    )
