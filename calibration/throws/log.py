"""Logs of real throws: read from CSV files, simulated, and the example that ships.

In: a CSV file with a row per throw, as a person writes it down. Out: `RealThrow`s, grouped by their
`Setting`. `simulate_throw` logs a throw of the model in the same form; ``python -m
calibration.throws.log FILE`` writes the example.
"""

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from calibration import table
from calibration.table import SlamCells, TableRow, check_amount, read_table, slammer_of
from physics import (
    PRESETS,
    Arena,
    Face,
    InputError,
    ParameterSet,
    Puck,
    Scene,
    SlamOutcome,
    Throw,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from physics.errors import limits
from physics.facts import fact
from physics.materials import GRAVITY_MM_S2
from physics.parsing import csv_text
from physics.slam import MAX_PLANE_STACK

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
    *("puck_g", "speed_m_s", "distance_mm", table.NOTE),
)
"""Columns of a log of simulated throws."""

_SEED = 4
_SLAMMERS_G = (4.0, 8.0, 20.0)
_THROWS = 25
_PUCKS_IN_STACK = 10
_HEAD = """\
# Made up: simulated by pucklab, not thrown. A row per throw; see pucklab calibrate throws --help.
# Thrown at 4.5 m/s, aim spread 9 mm, tilt spread 11 degrees, restitution .46, friction .31.
slammer_g,thickness_mm,pucks,flipped,out,distance_mm
"""


@fact
class Setting(table.Setting):
    """Slammer and stack of a throw."""

    @property
    def name(self) -> str:
        """Label of the setting in reports.

        Example:
            >>> Setting(slammer=puckdex_slammer(8.0), pucks=10, puck=Puck()).name
            '8 g, 6 mm on 10'
        """
        label = f"{self.slammer.mass_g:g} g, {self.slammer.thickness_mm:g} mm on {self.pucks}"
        if self.puck != Puck():
            label += f" of {self.puck.mass_g:g} g"
        return label + (", dropped" if self.dropped else "")

    @property
    def scene(self) -> Scene:
        """The scene, with the model's own contact parameters."""
        return Scene(slammer=self.slammer, stack=puck_stack(self.pucks, self.puck))


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
    rows = read_table(_Cells, text, where, unread=[_REBOUND])
    throws = tuple(map(_throw, rows))
    check_amount(where, "throws", rows, FEWEST, settings_of(throws), MOST_SETTINGS)
    return throws


def settings_of(throws: Sequence[RealThrow]) -> tuple[Setting, ...]:
    """Return the different settings of throws in order of appearance."""
    return tuple(dict.fromkeys(throw.setting for throw in throws))


def _throw(row: TableRow[_Cells]) -> RealThrow:
    own = row.cells
    pucks, flipped, out, speed = own.pucks, own.flipped, own.out, own.speed_m_s
    if flipped > pucks:
        raise row.error("flipped", f"{flipped} of a stack of {pucks} cannot be")
    if flipped + out > pucks:
        raise row.error(
            "out",
            f"{out} beside {flipped} flipped, of a stack of {pucks}, cannot be; a puck that left "
            "the box is not counted as flipped",
        )
    if speed is not None and own.drop_mm is not None:
        raise row.error("drop_mm", "is not accepted beside speed_m_s; give one of them")
    if own.distance_mm is not None and out == pucks:
        raise row.error("distance_mm", "is not accepted where every puck left the box")
    if own.drop_mm is not None:
        speed = math.sqrt(2 * GRAVITY_MM_S2 * own.drop_mm) / 1000
    return RealThrow(
        setting=Setting(
            slammer=slammer_of(row),
            pucks=pucks,
            puck=Puck(mass_g=own.puck_g),
            dropped=own.drop_mm is not None,
        ),
        flipped=flipped,
        out=out,
        speed_mm_s=None if speed is None else 1000 * speed,
        distance_mm=own.distance_mm,
    )


def simulate_throw(setting: Setting, parameters: ParameterSet, seed: int, trial: int) -> RealThrow:
    """Simulate one trial and log it.

    The preset is ``fast``: its statistics differ from the others' by less than a log can resolve.

    Example:
        >>> from physics import Puck, puckdex_slammer
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


def example_log() -> str:
    """Return the example log as CSV text: each slammer thrown some times by the model."""
    usual = ParameterSet()
    parameters = replace(
        usual,
        thrower=replace(usual.thrower, speed_mm_s=4500.0, aim_sd_mm=9.0, tilt_sd_deg=11.0),
        materials=replace(usual.materials, restitution=0.46, friction=0.31),
    )
    rows = []
    for number, mass_g in enumerate(_SLAMMERS_G):
        setting = Setting(slammer=puckdex_slammer(mass_g), pucks=_PUCKS_IN_STACK, puck=Puck())
        for trial in range(number * _THROWS, (number + 1) * _THROWS):
            throw = simulate_throw(setting, parameters, _SEED, trial)
            distance = "" if throw.distance_mm is None else f"{throw.distance_mm:.0f}"
            rows.append(f"{mass_g:g},6,{_PUCKS_IN_STACK},{throw.flipped},{throw.out},{distance}\n")
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(example_log(), encoding="utf-8")


def throws_log(throws: Iterable[tuple[Scene, Throw, SlamOutcome]]) -> str:
    """Return simulated throws at stacks as the CSV text of a log.

    Raises:
        InputError: A throw hit a lone slammer: such a log holds throws at stacks only.

    Example:
        >>> throws_log([]).split(",")[:3]
        ['slammer_g', 'thickness_mm', 'pucks']
    """
    rows = []
    for number, (scene, throw, outcome) in enumerate(throws, 1):
        if scene.is_knock_out:
            raise InputError("a log of throws at stacks cannot hold throws at a lone slammer")
        distances = [piece.distance_mm for piece in outcome.pieces if piece.face is not Face.OUT]
        cells = (
            f"{scene.slammer.mass_g:g}",
            f"{scene.slammer.thickness_mm:g}",
            len(scene.stack),
            len(outcome.flipped),
            len(outcome.out),
            f"{scene.stack[0].mass_g:g}",
            f"{throw.speed_mm_s / 1000:g}",
            f"{sum(distances) / len(distances):.1f}" if distances else "",
            f"throw {number} by hand, simulated",
        )
        rows.append(dict(zip(_COLUMNS, cells, strict=True)))
    return csv_text(_COLUMNS, rows)
