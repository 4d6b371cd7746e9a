"""Plots of who and what wins battles.

`save_tournament_plot` draws a heat map of slammers against each other, `save_rates_plot` the shares
of kinds of players or decks, `save_balance_plot` what slammers, abilities and pucks are worth.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from physics import InputError
from render.palette import LIGHT, SERIES, Palette
from render.plots.figures import colour_axes, figure_bytes, tint, write_header
from sim.core.files import write_whole
from sim.odds import Proportion
from sim.pokepucks.arena import MirroredTally
from sim.pokepucks.balance import KINDS, Comparison
from sim.pokepucks.tournament import Pair, PairTally, standings_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure


_CELL_IN = 0.42
_MARGIN_IN = (2.1, 2.0)
_SMALLEST_IN = (6.0, 4.0)
"""Side of a cell, width and height around the cells, and smallest size of the figure, in inches."""

_DARK_CELL = 0.32
"""Distance of a share from one half beyond which the text of its cell is light."""


def save_tournament_plot(
    path: Path,
    pairs: Sequence[Pair],
    tallies: Sequence[PairTally],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> None:
    """Write a heat map as a PNG, SVG or PDF file, whole or not at all.

    Every slammer has a row, the most successful one on top, with its wins against each other
    slammer in per cent of their battles. Draws count as battles, not as wins.

    Args:
        path: The file to write.
        pairs: The pairs that met.
        tallies: One per pair.
        title: A line above the map.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There was no battle.
    """
    if not any(tally.battles for tally in tallies):
        raise InputError("battles: none is not accepted; give at least one")
    write_whole(
        path,
        figure_bytes(
            lambda: tournament_figure(pairs, tallies, title=title, palette=palette),
            palette,
            suffix=path.suffix.lower(),
        ),
    )


def tournament_figure(
    pairs: Sequence[Pair],
    tallies: Sequence[PairTally],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> "Figure":
    """Return the figure that `save_tournament_plot` writes."""
    from matplotlib.figure import Figure

    draws = sum(tally.draws for tally in tallies)
    battles = sum(tally.battles for tally in tallies)
    standings = standings_of(pairs, tallies)
    slammers = [standing.slammer for standing in standings]
    met = {pair: tally for pair, tally in zip(pairs, tallies, strict=True) if tally.battles}
    met |= {(second, first): tally.turned for (first, second), tally in met.items()}
    shares = [
        [
            met[row, column].wins / met[row, column].battles if (row, column) in met else math.nan
            for column in slammers
        ]
        for row in slammers
    ]
    size = [
        max(least, margin + _CELL_IN * len(slammers))
        for least, margin in zip(_SMALLEST_IN, _MARGIN_IN, strict=True)
    ]
    figure = Figure(figsize=(size[0], size[1]), layout="constrained")
    axes = figure.subplots()
    axes.set_facecolor(tint(palette.background))
    axes.imshow(shares, cmap=_colours(palette), vmin=0.0, vmax=1.0, aspect="equal")
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            _write(axes, (column, row), share, palette)
    names = [slammer.name for slammer in slammers]
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(
        range(len(names)),
        [f"{s.slammer.name}  {100 * s.won.value:.0f} %" for s in standings],
    )
    axes.tick_params(length=0, labelsize=9, colors=tint(palette.text))
    for spine in axes.spines.values():
        spine.set_visible(False)
    subtitle = f"battles won by the slammer of the row, in per cent; {draws} of {battles} drawn"
    write_header(figure, title, subtitle, palette)
    return figure


def _write(axes: object, place: tuple[int, int], share: float, palette: Palette) -> None:
    """Write a cell's share."""
    if math.isnan(share):
        return
    ink = palette.background if abs(share - 0.5) > _DARK_CELL else palette.text
    axes.text(  # type: ignore[attr-defined]
        *place, f"{100 * share:.0f}", ha="center", va="center", fontsize=8, color=tint(ink)
    )


def _colours(palette: Palette) -> "LinearSegmentedColormap":
    """Return the colour map from all lost to all won."""
    from matplotlib.colors import LinearSegmentedColormap

    lost, won = SERIES[1], SERIES[0]
    return LinearSegmentedColormap.from_list("won", [tint(lost), tint(palette.arena), tint(won)])


_ROW_IN = 0.24
"""Height of a line of dots, in inches."""


def save_rates_plot(
    path: Path,
    names: Sequence[str],
    rates: Sequence[Proportion],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> None:
    """Write the shares of battles won as dots with intervals, as a PNG, SVG or PDF file.

    Args:
        path: The file to write.
        names: The players.
        rates: The share of each.
        title: A line above the plot.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw() -> "Figure":
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.0, 1.6 + 0.4 * len(names)), layout="constrained")
        axes = figure.subplots()
        _draw_dots(axes, names, rates, 1 / len(names), SERIES[0], palette)
        axes.set_xlabel("battles won in per cent, with 95 % intervals", color=tint(palette.text))
        write_header(figure, title, "the line is an equal share for all", palette)
        return figure

    write_whole(path, figure_bytes(draw, palette, suffix=path.suffix.lower()))


def save_balance_plot(
    path: Path,
    comparisons: Sequence[Comparison],
    tallies: Sequence[MirroredTally],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> None:
    """Write what slammers, abilities and pucks are worth as a PNG, SVG or PDF file.

    Args:
        path: The file to write.
        comparisons: The comparisons.
        tallies: One for each, with at least one pair.
        title: A line above the plot.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    write_whole(
        path,
        figure_bytes(
            lambda: balance_figure(comparisons, tallies, title=title, palette=palette),
            palette,
            suffix=path.suffix.lower(),
        ),
    )


_PANELS = {
    "slammer": "slammer, against an even battle",
    "ability": "ability, against none",
    "puck": "puck, against a plain one",
}


def balance_figure(
    comparisons: Sequence[Comparison],
    tallies: Sequence[MirroredTally],
    *,
    title: str,
    palette: Palette = LIGHT,
) -> "Figure":
    """Return the figure that `save_balance_plot` writes: a panel for each kind, the best on top."""
    from matplotlib.figure import Figure

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
    height = 1.5 + _ROW_IN * max(len(rows) for rows in found.values())
    figure = Figure(figsize=(4.2 * len(found), max(height, 2.6)), layout="constrained")
    panels = figure.subplots(1, len(found), squeeze=False)[0]
    for number, (axes, (kind, rows)) in enumerate(zip(panels, found.items(), strict=True)):
        names, gains = [name for name, _ in rows], [gain for _, gain in rows]
        _draw_dots(axes, names, gains, 0.0, SERIES[number], palette)
        axes.set_xlabel(_PANELS[kind], color=tint(palette.text))
    subtitle = (
        "difference in battles won, in per cent of the battles, with 95 % intervals; full dots: "
        "the interval excludes 0; each panel has a scale of its own"
    )
    write_header(figure, title, subtitle, palette)
    return figure


def _draw_dots(
    axes: "Axes",
    names: Sequence[str],
    shares: Sequence[Proportion],
    line: float,
    colour: tuple[int, int, int],
    palette: Palette,
) -> None:
    """Draw a dot with its interval for each name, full if the interval excludes the line."""
    colour_axes(axes, palette, lines=("bottom",))
    axes.axvline(100 * line, color=tint(palette.faint), linewidth=1)
    places = list(range(len(names)))[::-1]
    for place, share in zip(places, shares, strict=True):
        clear = share.low > line or share.high < line
        axes.plot([100 * share.low, 100 * share.high], [place] * 2, color=tint(colour), linewidth=1)
        axes.plot(
            [100 * share.value],
            [place],
            "o",
            markersize=5,
            color=tint(colour),
            markerfacecolor=tint(colour if clear else palette.background),
        )
    axes.set_yticks(places, names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.tick_params(axis="y", length=0, labelsize=8, colors=tint(palette.text))
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(visible=True, axis="y", color=tint(palette.floor), linewidth=0.6)
    axes.set_axisbelow(True)
