"""Logs of real throws: read from CSV files, and simulated.

In: a CSV file with a row per throw, as a person writes it down. Out: `RealThrow`s.
`simulate_throw` logs a throw of the model in the same form.
"""

import math
from dataclasses import replace

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.base.tables import NOTE, read_table
from pucklab.calibration.table import (
    Setting,
    SlamCells,
    check_amount,
    group_by_setting,
    setting_of,
)
from pucklab.physics import (
    PRESETS,
    Arena,
    Face,
    ParameterSet,
    draw_throw,
    slam,
    trial_generator,
)
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.slam import MAX_PLANE_STACK

FEWEST = 20
"""Fewest throws in a log: with fewer, not even the uncertainty can be estimated."""

MOST_SETTINGS = 24
"""Most different slammers and stacks in one log; each is simulated."""


@fact
class _Cells(SlamCells):
    pucks: int = limits(1, MAX_PLANE_STACK)
    flipped: int = limits(0, MAX_PLANE_STACK)
    out: int = limits(0, MAX_PLANE_STACK)
    drop_mm: float | None = limits(15, 5000, "mm", default=None)
    distance_mm: float | None = limits(
        0, round(math.sqrt(2) * Arena().half_side_mm), "mm", default=None
    )


_REBOUND = "rebound_mm"
"""A column for `pucklab calibrate rebound`; it says nothing here."""

_COLUMNS = (
    *("slammer_g", "thickness_mm", "pucks", "flipped", "out"),
    *("puck_g", "speed_m_s", "distance_mm", NOTE),
)
"""Columns of a log of simulated throws."""


@fact
class RealThrow:
    """One throw of a log.

    Attributes:
        setting: Slammer and stack.
        flipped: Pucks that ended face up in the box.
        out: Pucks that left the box.
        speed_mm_s: Speed at the stack, measured or computed from a drop; None if unknown.
        distance_mm: Mean distance from the centre of the pucks that stayed in; None if unknown.
    """

    setting: Setting
    flipped: int
    out: int
    speed_mm_s: float | None = None
    distance_mm: float | None = None


def read_throws(text: str, where: str) -> tuple[RealThrow, ...]:
    """Read a log of throws from a CSV file.

    Columns: slammer_g, thickness_mm, pucks, flipped, out; optionally puck_g (1.5 by default),
    speed_m_s or drop_mm (height of the drop above the stack), and distance_mm.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A column or a number is not accepted, counts are impossible, or there are fewer
            than 20 throws or more than 24 settings; the message names file, row and column.

    Example:
        >>> text = "slammer_g,thickness_mm,pucks,flipped,out" + "\\n8,6,10,2,0" * 20
        >>> len(read_throws(text, "log.csv"))
        20
    """
    rows = [*read_table(_Cells, text, where, unread=[_REBOUND])]
    throws = []
    for row in rows:
        own = row.cells
        pucks, flipped, out, speed = own.pucks, own.flipped, own.out, own.speed_m_s
        if flipped > pucks:
            raise row.error("flipped", f"{flipped} of a stack of {pucks} cannot be")
        if flipped + out > pucks:
            raise row.error(
                "out",
                f"{out} beside {flipped} flipped, of a stack of {pucks}, cannot be; a puck that "
                "left the box is not counted as flipped",
            )
        if speed is not None and own.drop_mm is not None:
            raise row.error("drop_mm", "is not accepted beside speed_m_s; give one of them")
        if own.distance_mm is not None and out == pucks:
            raise row.error("distance_mm", "is not accepted where every puck left the box")
        if own.drop_mm is not None:
            speed = math.sqrt(2 * GRAVITY_MM_S2 * own.drop_mm) / 1000
        throws.append(
            RealThrow(
                setting=setting_of(row),
                flipped=flipped,
                out=out,
                speed_mm_s=None if speed is None else 1000 * speed,
                distance_mm=own.distance_mm,
            )
        )
    check_amount(where, "throws", rows, FEWEST, len(group_by_setting(throws)), MOST_SETTINGS)
    return tuple(throws)


def simulate_throw(setting: Setting, parameters: ParameterSet, seed: int, trial: int) -> RealThrow:
    """Simulate one trial and log it.

    The preset is ``fast``: its statistics differ from the others' by less than a log can resolve.

    Example:
        >>> from pucklab.physics import Puck, puckdex_slammer
        >>> setting = Setting(slammer=puckdex_slammer(8.0), pucks=3, puck=Puck())
        >>> throw = simulate_throw(setting, ParameterSet(), seed=1, trial=0)
        >>> throw.flipped + throw.out <= 3
        True
    """
    thrower = parameters.thrower
    if setting.dropped:
        thrower = replace(thrower, descent_min_deg=0.0, descent_max_deg=0.0)
    scene = replace(
        setting.scene,
        materials=parameters.materials,
        lift_off=parameters.lift_off,
        preset=PRESETS["fast"],
    )
    throw = draw_throw(thrower, setting.pucks, trial_generator(seed, trial))
    outcome = slam(scene, throw).outcome
    inside = [piece.distance_mm for piece in outcome.pieces if piece.face is not Face.OUT]
    return RealThrow(
        setting=setting,
        flipped=len(outcome.flipped),
        out=len(outcome.out),
        distance_mm=sum(inside) / len(inside) if inside else None,
    )
