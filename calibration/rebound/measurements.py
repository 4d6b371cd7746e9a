"""Rebounds of a slammer: read from a table, and simulated.

A rebound is the greatest height of the slammer's middle above the place where it would lie on what
it struck: the bare floor, or a stack of pucks. It is given as its *return*, the root of the
rebound's height over the height of fall: the speed after over the speed before, in a flat blow.
"""

import math
from dataclasses import replace

import numpy as np

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.base.tables import read_table
from pucklab.calibration.table import (
    Setting,
    SlamCells,
    check_amount,
    group_by_setting,
    setting_of,
)
from pucklab.physics import MAX_STACK, InputError, Materials, Throw, ThrowDistribution, draw_throw
from pucklab.physics.materials import GRAVITY_MM_S2

FEWEST = 10
"""Fewest rebounds: fewer hardly show their own scatter."""

MOST_SETTINGS = 8
"""Most different slammers and targets in one table; each is simulated."""

TUBE_AIM_SD_MM = 1.0
"""Distance from the stack's centre at which a slammer leaves a loose tube; it hardly matters."""

READING_MM = 3.0
"""Standard deviation of a height read off a phone's film with a ruler in it."""


@fact
class _Cells(SlamCells):
    pucks: int = limits(0, MAX_STACK)
    rebound_mm: float = limits(0, 5000, "mm", default=0.0)
    drop_mm: float | None = limits(50, 5000, "mm", default=None)


_OF_THROWS = ("flipped", "out", "distance_mm")
"""Columns of a log of throws that say nothing here."""


@fact
class Rebound:
    """One rebound as measured.

    Attributes:
        row: Its row in the table.
        setting: Slammer and target.
        fall_mm: Height of fall, v^2 / (2 g) of a throw.
        rebound_mm: Height of the rebound.
    """

    row: int
    setting: Setting
    fall_mm: float
    rebound_mm: float

    @property
    def returned(self) -> float:
        """Root of the rebound's height over the height of fall."""
        return math.sqrt(self.rebound_mm / self.fall_mm)

    @property
    def reading_error(self) -> float:
        """Standard deviation of the return from reading the rebound's height."""
        return READING_MM / (2 * math.sqrt(self.fall_mm * max(self.rebound_mm, READING_MM)))


def read_rebounds(text: str, where: str) -> tuple[Rebound, ...]:
    """Read a CSV of rebounds, which may be a log of throws with a column ``rebound_mm``.

    Rows without a rebound are left out.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A column or a number is not accepted, no or few rows have a rebound, or there
            are too many settings; the message names file, row and column.

    Example:
        >>> text = "slammer_g,thickness_mm,pucks,drop_mm,rebound_mm" + "\\n8,6,0,460,115" * 10
        >>> read_rebounds(text, "drops.csv")[0].returned
        0.5
    """
    rows = [*read_table(_Cells, text, where, unread=_OF_THROWS, needs="rebound_mm")]
    if not rows:
        raise InputError(
            f"{where}: no row has a rebound; give rebound_mm, the height to which the slammer rises"
        )
    found = []
    for row in rows:
        own = row.cells
        if (own.speed_m_s is None) == (own.drop_mm is None):
            raise row.error(
                "drop_mm", "give one of drop_mm, for a flat drop, and speed_m_s, for a throw"
            )
        setting = setting_of(row)
        fall_mm = own.drop_mm
        if own.speed_m_s is not None:
            fall_mm = (1000 * own.speed_m_s) ** 2 / (2 * GRAVITY_MM_S2)
        if fall_mm is None or own.rebound_mm >= fall_mm:
            raise row.error(
                "rebound_mm",
                f"{own.rebound_mm:g} is not accepted; a rebound is lower than its fall",
            )
        if not own.pucks and own.speed_m_s is not None:
            raise row.error("pucks", "0 is not accepted for a throw; drop it on the floor")
        found.append(
            Rebound(row=row.number, setting=setting, fall_mm=fall_mm, rebound_mm=own.rebound_mm)
        )
    check_amount(where, "rebounds", rows, FEWEST, len(group_by_setting(found)), MOST_SETTINGS)
    return tuple(found)


def simulate_rebound(
    setting: Setting,
    materials: Materials,
    speed_mm_s: float,
    tilt_rad: float,
    rng: np.random.Generator,
) -> float:
    """Return the height of a rebound in the solid engine, mm.

    The slammer is followed through its impact, and flies freely from then on.

    Args:
        setting: Slammer and target.
        materials: The contacts.
        speed_mm_s: Speed at which the slammer arrives.
        tilt_rad: Its tilt; the direction is drawn, as are aim and, for a throw, its descent.
        rng: Random numbers for this rebound alone.
    """
    from pucklab.physics.solid.bodies import starting_bodies
    from pucklab.physics.solid.engine import SolidRun
    from pucklab.physics.solid.stages import IMPACT_S

    scene = replace(setting.scene, materials=materials)
    thrower = ThrowDistribution(speed_mm_s=speed_mm_s)
    throw = draw_throw(thrower, setting.pucks, rng)
    if setting.dropped:
        throw = Throw(
            speed_mm_s=speed_mm_s,
            aim_x_mm=TUBE_AIM_SD_MM * rng.standard_normal(),
            aim_y_mm=TUBE_AIM_SD_MM * rng.standard_normal(),
            tilt_azimuth_rad=throw.tilt_azimuth_rad,
            jitter_mm=throw.jitter_mm,
        )
    run = SolidRun(scene, starting_bodies(scene, replace(throw, tilt_rad=tilt_rad)))
    run.advance(IMPACT_S)
    end = run.bodies()
    rise_mm = max(0.0, float(end.velocity_mm_s[-1, 2])) ** 2 / (2 * GRAVITY_MM_S2)
    lying_mm = scene.stack_height_mm + setting.slammer.thickness_mm / 2
    return max(0.0, float(end.middle_mm[-1, 2]) + rise_mm - lying_mm)
