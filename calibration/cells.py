"""The cells of the reference set: kinds of throw that 3-D engines and the model are compared on."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from zlib import crc32

from pucklab.base.decoding import check_one_of
from pucklab.base.facts import fact
from pucklab.physics import (
    CAREFUL_THROWER,
    Arena,
    InputError,
    Materials,
    Piece,
    Puck,
    Scene,
    Slammer,
    Throw,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from pucklab.physics.slam import computing_engine

REFERENCE_SEED = 1
"""Seed of all reference throws; a cell's own seed is made of it and of the cell's name."""


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
        film_gap_um: Gap of the films of air between faces; 0 for none.
        air_kg_m3: Density of the air in flight; 0 for none.
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
    film_gap_um: float = 0.0
    air_kg_m3: float = 0.0

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
            ("film_gap_um", f"film{self.film_gap_um:g}"),
            ("air_kg_m3", f"air{self.air_kg_m3:g}"),
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


_NAME = re.compile(
    r"(?P<slammer_g>[\d.]+)g-(?P<thickness_mm>[\d.]+)mm-(?P<speed_m_s>[\d.]+)ms-"
    r"(?:on-(?P<knock_out_g>[\d.]+)g-(?P<shields>\d+)|(?P<pucks>\d+))(?:-(?P<thrower>[a-z]{4,}))?"
    r"(?:-e(?P<restitution>[\d.]+))?(?:-mu(?P<friction>[\d.]+))?(?:-p(?P<puck_g>[\d.]+)g)?"
    r"(?:-d(?P<steepest>[\d.]+)to(?P<flattest>[\d.]+))?(?:-h(?P<hysteresis>[\d.]+))?"
    r"(?:-film(?P<film_gap_um>[\d.]+))?(?:-air(?P<air_kg_m3>[\d.]+))?"
)


_NUMBERS = (
    "slammer_g", "thickness_mm", "speed_m_s", "knock_out_g", "restitution", "friction", "puck_g",
    "hysteresis", "film_gap_um", "air_kg_m3",
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
    arena = Arena(film_gap_um=cell.film_gap_um, air_kg_m3=cell.air_kg_m3)
    return Scene(slammer=slammer, stack=stack, arena=arena, materials=materials)


def is_in_plane(cell: Cell) -> bool:
    """Return whether the plane computes a cell's slams itself.

    Example:
        >>> [is_in_plane(cell) for cell in cells_named(["8g-6mm-5ms-10", "8g-6mm-5ms-on-8g-0"])]
        [True, False]
    """
    return computing_engine(scene_of(cell), "plane") == "plane"


def draw_trial(cell: Cell, trial: int, seed: int = REFERENCE_SEED) -> Throw:
    """Draw one throw of a cell, the same for all engines.

    No two cells share a throw, unless they differ in the hysteresis or the air alone: these are
    compared throw by throw.

    Example:
        >>> names = ["8g-6mm-5ms-10", "8g-6mm-5ms-10-h1", "8g-6mm-5ms-10-e0.3"]
        >>> [round(draw_trial(cell_named(name), 0).aim_x_mm, 1) for name in names]
        [-6.2, -6.2, -4.5]
    """
    own = crc32(replace(cell, hysteresis=0.0, film_gap_um=0.0, air_kg_m3=0.0).name.encode())
    return draw_throw(
        thrower_of(cell), len(scene_of(cell).stack), trial_generator(seed << 32 | own, trial)
    )


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


def _cells(names: str) -> tuple[Cell, ...]:
    return tuple(map(cell_named, names.split()))


USUAL_CELLS: tuple[Cell, ...] = _cells("""
    3g-1.6mm-5ms-10 3g-2.4mm-7ms-10 4g-6mm-3ms-10 4g-6mm-5ms-10 4g-6mm-7ms-8
    6g-4.2mm-5ms-12-careful 8g-6mm-3ms-10 8g-6mm-5ms-10 8g-6mm-7ms-10 12g-8mm-3ms-10
    12g-8mm-5ms-10 12g-8mm-5ms-15-careful 20g-6mm-3ms-10 20g-6mm-5ms-10 20g-6mm-7ms-8
    24g-8mm-3ms-12-careful 24g-8mm-5ms-16 24g-8mm-7ms-10
    4g-6mm-3ms-on-4g-0 4g-6mm-5ms-on-4g-0 20g-6mm-5ms-on-4g-0 4g-6mm-5ms-on-8g-0
    8g-6mm-5ms-on-8g-0 20g-6mm-5ms-on-8g-0 8g-6mm-7ms-on-8g-0 8g-6mm-5ms-on-20g-0
    20g-6mm-5ms-on-20g-0 20g-6mm-7ms-on-20g-0 8g-6mm-5ms-on-8g-1 20g-6mm-5ms-on-8g-2
""")
"""18 stacks and 12 knock-outs at the default materials; MuJoCo threw these, too."""

VARIED_CELLS: tuple[Cell, ...] = _cells("""
    8g-6mm-5ms-10-mu0.15 8g-6mm-5ms-10-mu0.6 8g-6mm-5ms-10-mu0.25 8g-6mm-5ms-10-e0.3
    8g-6mm-5ms-10-e0.7 8g-6mm-5ms-10-p1g 8g-6mm-5ms-10-p2g 8g-6mm-5ms-10-d30to60
    8g-6mm-5ms-10-d20to45 8g-6mm-5ms-10-wild 8g-6mm-5ms-10-careful 8g-6mm-5ms-3 8g-6mm-5ms-1
    8g-6mm-5ms-20 8g-6mm-5ms-5 20g-6mm-5ms-10-mu0.15 4g-6mm-5ms-10-mu0.6 20g-6mm-5ms-10-mu0.6
    4g-6mm-5ms-10-d30to60 20g-6mm-5ms-10-d30to60 20g-6mm-3ms-10-careful 2g-1.6mm-6ms-10
    20g-6mm-5ms-2 20g-6mm-4ms-10-e0.3-p1g 9g-6mm-4.6ms-7-e0.63-mu0.45-p1.6g
    7g-5mm-3.5ms-3-e0.68-mu0.28-p1.25g-d20to50 14g-8mm-6ms-4-e0.56-mu0.6-p1.9g-d20to50
    4.4g-3mm-4ms-4-careful-e0.31-mu0.16-p1.7g 6g-4mm-3.2ms-8-wild-e0.44-mu0.54-p1.35g
    15g-8mm-6.4ms-5-careful-e0.48-p1.9g 21g-6mm-4.8ms-20-e0.41-mu0.48
    12g-8mm-3.8ms-16-e0.46-mu0.33-d30to60 4g-2.6mm-4.3ms-3-mu0.44-p1.4g-d30to60
    3g-2mm-5.7ms-12-wild-e0.65-mu0.19-p1.85g 19g-6mm-5.3ms-6-e0.36-mu0.53-p1g-d10to40
    2.4g-1.8mm-6.9ms-13-e0.59-mu0.27-p1.2g
    8g-6mm-5ms-on-8g-0-mu0.15 20g-6mm-5ms-on-8g-0-mu0.6 8g-6mm-5ms-on-8g-0-e0.3
    8g-6mm-5ms-on-4g-0-e0.7 8g-6mm-5ms-on-8g-0-d30to60 20g-6mm-5ms-on-20g-0-wild
    20g-6mm-5ms-on-8g-1-mu0.25 20g-6mm-6ms-on-4g-3-p1.2g 20g-6mm-7ms-on-8g-1-careful
""")
"""36 stacks and 9 knock-outs with other materials, throwers, descents and sizes of stacks: one
change at a time, the same with light and heavy slammers, and a Latin hypercube."""

PUT_ASIDE_CELLS: tuple[Cell, ...] = _cells("""
    4.2g-6mm-6.7ms-10-careful-e0.44-mu0.19-p1.41g-d30to60 6.3g-6mm-4.5ms-18-e0.49-mu0.29-p1.55g
    18g-6mm-3ms-3-careful-e0.68-mu0.37-p1.6g-d30to60
    3.9g-2.8mm-4.3ms-20-wild-e0.56-mu0.39-p1.65g
    14g-8mm-4.1ms-4-careful-e0.59-mu0.33-p1.04g-d30to60
    9.5g-6mm-4.5ms-7-wild-e0.61-mu0.22-p1.16g-d10to40
    20g-6mm-3.3ms-11-careful-e0.36-mu0.3-p1.29g-d10to40 8.4g-6mm-6.9ms-7-e0.69-mu0.24-p1.36g
    3g-2.2mm-5.7ms-10-e0.63-mu0.16-p1.78g-d20to45 18g-6mm-5ms-16-e0.65-mu0.54-p1.92g
    3.1g-2.2mm-3.9ms-6-wild-e0.42-mu0.58-p1.46g-d20to45
    5g-6mm-5.2ms-5-careful-e0.47-mu0.44-p1.9g 12g-8mm-3.4ms-14-wild-e0.55-mu0.4-p1.81g-d20to50
    4.5g-6mm-6.5ms-4-e0.33-mu0.19-p1.67g-d30to60 2.7g-2.2mm-4.9ms-9-e0.65-mu0.46-p1.09g
    7.3g-6mm-3.7ms-5-careful-e0.39-mu0.57-p1.28g 16g-8mm-6.4ms-17-e0.31-mu0.47-p1.2g-d20to50
    8.9g-6mm-6.1ms-13-careful-e0.38-mu0.34-p1.51g-d20to50
    6.8g-6mm-6.2ms-8-wild-e0.33-mu0.52-p1.72g-d20to45
    3.6g-2.8mm-5.9ms-14-careful-e0.41-mu0.5-p1.99g-d20to45
    11g-6mm-3.6ms-4-e0.46-mu0.27-p1.44g-d10to40
    5.8g-6mm-5.5ms-3-wild-e0.53-mu0.25-p1.87g-d20to50 22g-8mm-4.8ms-12-wild-e0.51-mu0.43-p1.22g
    12g-8mm-5.6ms-17-wild-e0.57-mu0.56-p1.01g-d10to40
""")
"""24 stacks, a second Latin hypercube, drawn after the plane's constants were fitted and kept out
of every fit."""

REFERENCE_CELLS: tuple[Cell, ...] = USUAL_CELLS + VARIED_CELLS + PUT_ASIDE_CELLS
"""The reference set."""
