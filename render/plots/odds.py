"""Odds against the slammer's mass, as a plot.

The odds of slammers, as plots group them.

What the axes of a plot of odds have in common: their colours, and error bars.

How often how many pieces flip: a panel of bars for each mass of slammer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from physics import InputError
from render.palette import LIGHT, SERIES, Palette
from render.plots.figures import figure_png, tint
from sim.core.files import write_whole
from sim.odds import Odds, Proportion, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsPoint:
    """The odds of one slammer.

    Attributes:
        label: What the slammer is called, such as ``Onix`` or ``20 g``.
        slammer_g: Its mass.
        odds: Its odds.
    """

    label: str
    slammer_g: float
    odds: Odds


def by_mass(points: Sequence[OddsPoint]) -> list[list[OddsPoint]]:
    """Return points in groups of one mass, light ones first."""
    groups: dict[float, list[OddsPoint]] = {}
    for point in sorted(points, key=lambda point: point.slammer_g):
        groups.setdefault(point.slammer_g, []).append(point)
    return list(groups.values())


def distinct(points: Sequence[OddsPoint]) -> list[OddsPoint]:
    """Return points without those that repeat another's mass and odds, in the order of mass.

    Slammers of the same make have the same throws, which count once.
    """
    found: dict[tuple[float, tuple[float, ...], float, float], OddsPoint] = {}
    for point in points:
        odds = point.odds
        key = (point.slammer_g, odds.flip_chances, odds.any_out.value, odds.hit.value)
        found.setdefault(key, point)
    return sorted(found.values(), key=lambda point: point.slammer_g)


def colour_axes(axes: "Axes", palette: Palette) -> None:
    """Give axes the palette's colours, and lines on their left and at their floor only."""
    axes.set_facecolor(tint(palette.background))
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(tint(palette.wall))
    axes.tick_params(colors=tint(palette.faint))
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_color(tint(palette.text))


def whiskers(chances: Sequence[Proportion]) -> list[list[float]]:
    """Return how far the intervals of chances reach below and above them: shape (2, N)."""
    # A Wilson bound may miss the value it holds by a rounding error.
    return [
        [max(0.0, chance.value - chance.low) for chance in chances],
        [max(0.0, chance.high - chance.value) for chance in chances],
    ]


MOST_PANELS = 8
_MOST_COLUMNS = 4
_MOST_BARS_LABELLED = 12


def panel_rows(points: Sequence[OddsPoint]) -> int:
    """Return in how many rows the panels stand."""
    return -(-len(_shown(points)) // _MOST_COLUMNS)


def draw_bars(figure: "SubFigure", points: Sequence[OddsPoint], palette: Palette) -> None:
    """Draw the panels, of at most eight masses, with 95 % Wilson intervals of what was seen."""
    shown = _shown(points)
    rows, columns = panel_rows(points), min(len(shown), _MOST_COLUMNS)
    text = tint(palette.text)
    figure.suptitle(_title(points), x=0.015, ha="left", fontsize=10, color=text)
    figure.supxlabel("pieces flipped in a throw", fontsize=10, color=text)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    flat = list(panels.flat)
    for panel, group in zip(flat, shown, strict=False):
        _draw_panel(panel, group, palette)
    for panel in flat[len(shown) :]:
        panel.set_visible(False)
    for row in panels:
        row[0].set_ylabel("share of throws")
    flat[0].set_ylim(bottom=0.0)


def _shown(points: Sequence[OddsPoint]) -> list[list[OddsPoint]]:
    """Return the groups that have a panel: at most `MOST_PANELS`, evenly over all."""
    groups = by_mass(points)
    if len(groups) <= MOST_PANELS:
        return groups
    last = len(groups) - 1
    return [groups[round(k * last / (MOST_PANELS - 1))] for k in range(MOST_PANELS)]


def _draw_panel(axes: "Axes", group: Sequence[OddsPoint], palette: Palette) -> None:
    colour_axes(axes, palette)
    shares = _shares(group)
    numbers = range(len(shares))
    heights = [share.value for share in shares]
    axes.bar(numbers, heights, width=0.82, color=tint(palette.puck_face))
    seen = [number for number in numbers if heights[number]]
    axes.errorbar(
        seen,
        [heights[number] for number in seen],
        yerr=whiskers([shares[number] for number in seen]),
        color=tint(palette.text),
        linestyle="none",
        elinewidth=0.8,
        capsize=1.5,
        capthick=0.8,
    )
    axes.set_title(_panel_title(group), loc="left", fontsize=9, color=tint(palette.text))
    step = 1 if len(shares) <= _MOST_BARS_LABELLED else 5
    axes.set_xticks(list(numbers)[::step])
    axes.set_xlim(-0.6, len(shares) - 0.4)
    axes.tick_params(labelsize=8)


def _shares(group: Sequence[OddsPoint]) -> list[Proportion]:
    """Return the chances of each number of flips over all throws of a group."""
    counted = [
        (round(chance * point.odds.trials), number)
        for point in distinct(group)
        for number, chance in enumerate(point.odds.flip_chances)
    ]
    trials = sum(count for count, _ in counted)
    totals = [0] * max(len(point.odds.flip_chances) for point in group)
    for count, number in counted:
        totals[number] += count
    return [wilson(total, trials) for total in totals]


def _panel_title(group: Sequence[OddsPoint]) -> str:
    """Return the mass, and whose it is if that says more.

    Example:
        >>> from sim.odds import empty_tally, odds_of, tally_of
        >>> from physics import Face, PieceOutcome, SlamOutcome
        >>> lies = PieceOutcome(place=0, face=Face.UP, x_mm=0.0, y_mm=0.0)
        >>> odds = odds_of(tally_of(SlamOutcome(hit=True, pieces=(lies,), slammer=lies)))
        >>> _panel_title([OddsPoint(label="8 g", slammer_g=8.0, odds=odds)])
        '8 g'
        >>> _panel_title([OddsPoint(label="Lapras", slammer_g=8.0, odds=odds)])
        '8 g: Lapras'
    """
    mass = f"{group[0].slammer_g:g} g"
    names = [
        name for name in dict.fromkeys(point.label for point in group) if name not in ("", mass)
    ]
    if not names:
        return mass
    told = ", ".join(names) if len(names) <= 2 else f"{len(names)} slammers"
    return f"{mass}: {told}"


def _title(points: Sequence[OddsPoint]) -> str:
    trials = sorted({point.odds.trials for point in points})
    told = f"{trials[0]}" if len(trials) == 1 else f"{trials[0]} to {trials[-1]}"
    plural = "" if trials[-1] == 1 else "s"
    return (
        f"How many pieces flip, by the slammer's mass ({told} throw{plural} each; 95 % intervals)"
    )


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
