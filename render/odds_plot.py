"""Odds against the slammer's mass, as a plot."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from physics import InputError
from render.figures import figure_png, tint
from render.odds_axes import colour_axes, whiskers
from render.odds_bars import MOST_PANELS, draw_bars, panel_rows
from render.odds_points import OddsPoint, distinct
from render.palette import LIGHT, SERIES, Palette
from sim.core.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE_IN = (9.0, 6.4)
_NEAREST_LABELS = 0.06
"""Over the width of the plot; labels nearer to each other would overlap."""


def save_odds_plot(
    path: Path,
    points: Sequence[OddsPoint],
    *,
    title: str,
    knock_out: bool = False,
    palette: Palette = LIGHT,
) -> None:
    """Write a plot of odds as a PNG file, whole or not at all.

    Above: flips a throw with their standard error, and the chances of a flip and of a piece out
    with their 95 % Wilson intervals, by the slammer's mass. Below: how often how many pieces flip,
    for up to eight masses; slammers of one mass share a panel.

    Args:
        path: Where to.
        points: One per slammer; at least one.
        title: A line above the plot.
        knock_out: The piece on the floor is a lone slammer: show its chance to flip instead of
            that of any piece.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There are no points.
    """
    if not points:
        raise InputError("points: none is not accepted; give at least one slammer")
    write_whole(
        path,
        figure_png(
            lambda: odds_figure(points, title=title, knock_out=knock_out, palette=palette), palette
        ),
    )


def odds_figure(
    points: Sequence[OddsPoint], *, title: str, knock_out: bool = False, palette: Palette = LIGHT
) -> "Figure":
    """Return the figure that `save_odds_plot` writes."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows = panel_rows(points)
    height = _SIZE_IN[1] + (1.3 if rows > 1 else 0.0)
    pads = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)
    figure = Figure(figsize=(_SIZE_IN[0], height), layout=pads)
    grid = figure.add_gridspec(2, 1, height_ratios=[3.0, 1.7 * rows + 0.3])
    above, below = figure.add_subfigure(grid[0]), figure.add_subfigure(grid[1])
    above.set_facecolor(tint(palette.background))
    below.set_facecolor(tint(palette.background))
    text = tint(palette.text)
    heading = title[:1].upper() + title[1:]
    above.suptitle(heading, x=0.015, ha="left", fontsize=12, fontweight="bold", color=text)
    left, right = above.subplots(1, 2)
    _plot_means(left, points, palette)
    _plot_chances(right, points, palette, knock_out=knock_out)
    draw_bars(below, points, palette)
    return figure


def _plot_means(axes: "Axes", points: Sequence[OddsPoint], palette: Palette) -> None:
    _dress(axes, points, palette)
    shown = distinct(points)
    axes.errorbar(
        [point.slammer_g for point in shown],
        [point.odds.flips.value for point in shown],
        yerr=[point.odds.flips.standard_error for point in shown],
        color=tint(SERIES[0]),
        linestyle=_line(shown),
        marker="o",
        capsize=3,
    )
    highest = max(
        # The error of a single throw is unknown.
        flips.value + (0.0 if math.isnan(flips.standard_error) else flips.standard_error)
        for flips in (point.odds.flips for point in shown)
    )
    axes.set_ylim(0.0, max(1.1 * highest, 0.1))
    axes.set_ylabel("pieces flipped a throw")
    axes.set_title("mean and its standard error", loc="left", fontsize=9, color=tint(palette.faint))


def _plot_chances(
    axes: "Axes", points: Sequence[OddsPoint], palette: Palette, *, knock_out: bool
) -> None:
    _dress(axes, points, palette)
    shown = distinct(points)
    mass = [point.slammer_g for point in shown]
    if knock_out:
        first = ("the lying slammer flips", [point.odds.flips_by_place[0] for point in shown])
    else:
        first = ("at least one flips", [point.odds.any_flip for point in shown])
    second = ("at least one leaves", [point.odds.any_out for point in shown])
    for (name, chances), marker, colour in zip((first, second), "os", SERIES[:2], strict=True):
        axes.errorbar(
            mass,
            [chance.value for chance in chances],
            yerr=whiskers(chances),
            color=tint(colour),
            linestyle=_line(shown),
            marker=marker,
            capsize=3,
            label=name,
        )
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("chance and 95 % Wilson interval")
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.02, 1.0),
        ncols=2,
        fontsize=9,
        frameon=False,
        handletextpad=0.5,
        columnspacing=1.2,
        labelcolor=tint(palette.text),
    )


def _dress(axes: "Axes", points: Sequence[OddsPoint], palette: Palette) -> None:
    colour_axes(axes, palette)
    masses = sorted({point.slammer_g for point in points})
    margin = max(0.06 * (masses[-1] - masses[0]), 0.5)
    axes.set_xlim(masses[0] - margin, masses[-1] + margin)
    if len(masses) <= MOST_PANELS:
        apart = _NEAREST_LABELS * (masses[-1] - masses[0] + 2 * margin)
        axes.set_xticks(masses, _labels(masses, apart))
    axes.set_xlabel("slammer's mass (g)")
    axes.grid(visible=True, axis="y", color=tint(palette.floor), linewidth=0.8)
    axes.set_axisbelow(True)


def _labels(masses: Sequence[float], apart: float) -> list[str]:
    """Return the labels of masses: none where the last one is nearer than ``apart``.

    Example:
        >>> _labels([4.0, 4.5, 8.0], 1.0)
        ['4', '', '8']
    """
    labels: list[str] = []
    last = -math.inf
    for mass in masses:
        labels.append(f"{mass:g}" if mass - last >= apart else "")
        last = mass if labels[-1] else last
    return labels


def _line(points: Sequence[OddsPoint]) -> str:
    """Return a line's style: none where several points share a mass."""
    masses = [point.slammer_g for point in points]
    return "-" if len(set(masses)) == len(masses) else "none"
