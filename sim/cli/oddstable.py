"""Odds as a table for people, and as JSON for programs."""

import json
import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from physics import Slammer
from sim.odds import Mean, Odds, OddsRow, Proportion, Study, odds_of, row_values

_WIDTH = 120
_WIDE = 100
"""A terminal with fewer columns gets a table without the distribution."""

_NARROW = 76
"""One with fewer gets a table without what leaves the arena, too."""

_NARROWEST_NAME = 5
_NAMES_SHOWN = 2
_FLIPS_SHOWN = 6


def print_table(rows: Sequence[OddsRow], title: str) -> None:
    """Print a line per kind of slammer; those that are the same to physics share one."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    groups: dict[Study, list[OddsRow]] = {}
    for row in rows:
        groups.setdefault(row.study, []).append(row)
    first = rows[0].study.scene
    knock_out = isinstance(first.stack[0], Slammer)
    shown = min(len(first.stack), _FLIPS_SHOWN) if console.width >= _WIDE else 0
    narrow = console.width < _NARROW
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, padding=(0, 1))
    table.add_column("slammer", min_width=_NARROWEST_NAME)
    for study, alike in groups.items():
        cells = _cells(odds_of(alike[0].tally), shown, knock_out=knock_out, narrow=narrow)
        if not table.rows:
            for heading in cells:
                table.add_column(heading, justify="right", no_wrap=True)
        table.add_row(_names(alike, study.scene.slammer.mass_g), *cells.values())
    throws = sorted({row.tally.trials for row in rows})
    count = f"{throws[0]}" if len(throws) == 1 else f"{throws[0]} to {throws[-1]}"
    plural = "" if throws[-1] == 1 else "s"
    console.print(f"{title}; {count} throw{plural} each", soft_wrap=True)
    console.print(table)
    console.print(_legend(shown, narrow=narrow), style="dim")


def _cells(odds: Odds, shown: int, *, knock_out: bool, narrow: bool) -> dict[str, str]:
    """Return what a row tells, by heading."""
    cells = {"P(knock-out)": _chance(odds.flips_by_place[0])} if knock_out else {}
    cells["flips"] = _mean(odds.flips)
    if not (narrow and knock_out):
        cells["P(any flip)"] = _chance(odds.any_flip)
    if shown:
        cells |= {f"P{k}": f"{chance:.0%}" for k, chance in enumerate(odds.flip_chances[:shown])}
        cells[f"P{shown}+"] = f"{sum(odds.flip_chances[shown:]):.0%}"
    if not narrow:
        cells["out"] = f"{odds.outs.value:.2f}"
        cells["P(any out)"] = _chance(odds.any_out)
        cells["mm"] = "-" if math.isnan(odds.distance_mm) else f"{odds.distance_mm:.0f}"
    return cells


def _legend(shown: int, *, narrow: bool) -> str:
    told = [
        "flips: pucks a throw, with standard error"
        if narrow
        else "flips, out: pucks a throw, flips with standard error"
    ]
    if shown:
        told.append(f"P0 to P{shown}+: share of throws that flip so many")
    told.append("P: share of throws with its 95 % interval")
    if not narrow:
        told.append("mm: mean distance from the centre")
    return "; ".join(told) + "."


def _names(alike: Sequence[OddsRow], mass_g: float) -> str:
    names = list(dict.fromkeys(row.name for row in alike))
    mass = f"{mass_g:g} g"
    if names == [mass]:
        return mass
    more = len(names) - _NAMES_SHOWN
    return f"{mass}: " + ", ".join(names[:_NAMES_SHOWN]) + (f" +{more}" if more > 0 else "")


def _mean(mean: Mean) -> str:
    error = "?" if math.isnan(mean.standard_error) else f"{mean.standard_error:.2f}"
    return f"{mean.value:.2f} ± {error}"


def _chance(chance: Proportion) -> str:
    return f"{chance.value:.0%} ({100 * chance.low:.0f}-{100 * chance.high:.0f})"


def odds_json(rows: Sequence[OddsRow]) -> str:
    """Return the rows as a JSON list of objects; what is unknown is null.

    Example:
        >>> odds_json([])
        '[]'
    """
    values = [
        {
            key: None if value == "" or (isinstance(value, float) and math.isnan(value)) else value
            for key, value in row_values(row).items()
        }
        for row in rows
    ]
    return json.dumps(values, indent=2) if values else "[]"
