"""Plots of tournaments, of arenas, and of the worth of pucks.

`tournament_figure` is a heat map of slammers against each other, `rates_figure` the shares of kinds
of players or decks, `balance_figure` the worth of slammers, abilities and pucks.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pucklab.physics import InputError
from pucklab.render.palette import LIGHT, hex_code
from pucklab.render.plots.figures import (
    BACK,
    COLOURS,
    FAINT,
    TEXT,
    Interval,
    Look,
    new_figure,
    style_axes,
)
from pucklab.sim.experiments import Proportion
from pucklab.sim.pokepucks.balance import KINDS, Comparison
from pucklab.sim.pokepucks.tournament import BattleTally, Pair, standings_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL_IN, _ROW_IN = 0.42, 0.24
"""Side of a cell of the heat map, and height of a line of dots, in inches."""

_MARGIN_IN, _SMALLEST_IN = (2.1, 2.0), (6.0, 4.0)
"""Width and height around the cells, and smallest size of the heat map, in inches."""

_DARK_CELL = 0.32
"""Distance of a share from one half beyond which the text of its cell is light."""

_PANELS = {
    "slammer": "slammer, against an even battle",
    "ability": "ability, against none",
    "puck": "puck, against a plain one",
}


def tournament_figure(
    pairs: Sequence[Pair], tallies: Sequence[BattleTally], *, title: str
) -> "Figure":
    """Return a heat map: a row for each slammer, the most successful one on top.

    A cell has its wins against another slammer in per cent of their battles; draws count as
    battles, not as wins.

    Raises:
        InputError: There was no battle.
    """
    battles = sum(tally.trials for tally in tallies)
    if not battles:
        raise InputError("battles: none is not accepted; give at least one")
    from matplotlib.colors import LinearSegmentedColormap

    draws = sum(tally.draws for tally in tallies)
    standings = standings_of(pairs, tallies)
    slammers = [slammer for slammer, _ in standings]
    met = {pair: tally for pair, tally in zip(pairs, tallies, strict=True) if tally.trials}
    met |= {(second, first): tally.turned for (first, second), tally in met.items()}
    shares = [
        [
            met[row, column].wins / met[row, column].trials if (row, column) in met else math.nan
            for column in slammers
        ]
        for row in slammers
    ]
    width, height = (
        max(least, margin + _CELL_IN * len(slammers))
        for least, margin in zip(_SMALLEST_IN, _MARGIN_IN, strict=True)
    )
    about = f"battles won by the slammer of the row, in per cent; {draws} of {battles} drawn"
    figure = new_figure((width, height), title, about=about)
    axes = figure.subplots()
    style_axes(axes, lines=())
    lost_to_won = [COLOURS[1], hex_code(LIGHT.arena), COLOURS[0]]
    colours = LinearSegmentedColormap.from_list("won", lost_to_won)
    axes.imshow(shares, cmap=colours, vmin=0.0, vmax=1.0, aspect="equal")
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            if not math.isnan(share):
                ink = BACK if abs(share - 0.5) > _DARK_CELL else TEXT
                look: Look = {"ha": "center", "va": "center", "fontsize": 8, "color": ink}
                axes.text(column, row, f"{100 * share:.0f}", **look)
    names = [slammer.name for slammer in slammers]
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(
        range(len(names)), [f"{s.name}  {100 * tally.won.value:.0f} %" for s, tally in standings]
    )
    axes.tick_params(length=0, labelsize=9, colors=TEXT)
    return figure


def rates_figure(
    names: Sequence[str], rates: Sequence[Proportion], *, title: str, what: str = "battles"
) -> "Figure":
    """Return the shares of battles or games won by players, as dots with intervals."""
    about = "the line is an equal share for all"
    figure = new_figure((7.0, 1.6 + 0.4 * len(names)), title, about=about)
    label = f"{what} won in per cent, with 95 % intervals"
    _draw_dots(figure.subplots(), names, rates, 1 / len(names), COLOURS[0], label)
    return figure


def balance_figure(
    comparisons: Sequence[Comparison], tallies: Sequence[BattleTally], *, title: str
) -> "Figure":
    """Return the worth of slammers, abilities and pucks: a panel for each kind, the best on top.

    Every comparison has a tally with at least one pair of battles.
    """
    found = {
        kind: sorted(
            (
                (f"{c.name} ({c.copies})" if c.copies > 1 else c.name, tally.gain)
                for c, tally in zip(comparisons, tallies, strict=True)
                if c.kind == kind
            ),
            key=lambda one: -one[1].value,
        )
        for kind in KINDS
    }
    found = {kind: rows for kind, rows in found.items() if rows}
    height = max(1.5 + _ROW_IN * max(len(rows) for rows in found.values()), 2.6)
    about = (
        "difference in battles won, a draw counting half, in per cent of the battles, with 95 % "
        "intervals; full dots: the interval excludes 0; each panel has a scale of its own"
    )
    figure = new_figure((4.2 * len(found), height), title, about=about)
    panels = figure.subplots(1, len(found), squeeze=False)[0]
    for number, (axes, (kind, rows)) in enumerate(zip(panels, found.items(), strict=True)):
        names, gains = zip(*rows, strict=True)
        _draw_dots(axes, names, gains, 0.0, COLOURS[number], _PANELS[kind])
    return figure


def _draw_dots(
    axes: "Axes",
    names: Sequence[str],
    shares: Sequence[Interval],
    line: float,
    colour: str,
    label: str,
) -> None:
    """Draw a dot with its interval for each name, full if the interval excludes the line."""
    style_axes(axes, lines=("bottom",), grid="y", x=label)
    axes.axvline(100 * line, color=FAINT, linewidth=1)
    places = range(len(names))[::-1]
    for place, share in zip(places, shares, strict=True):
        clear = share.low > line or share.high < line
        axes.plot([100 * share.low, 100 * share.high], [place] * 2, color=colour, linewidth=1)
        inside = colour if clear else BACK
        look: Look = {"markersize": 5, "color": colour, "markerfacecolor": inside}
        axes.plot([100 * share.value], [place], "o", **look)
    axes.set_yticks(places, names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.tick_params(axis="y", length=0, labelsize=8, colors=TEXT)
    axes.tick_params(axis="x", labelsize=8)
