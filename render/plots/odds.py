"""Odds by the slammer's mass, as a plot.

`save_odds_plot` takes one `OddsPoint` per slammer and writes a PNG, SVG or PDF file. The upper half
of the figure shows means and chances by mass, the lower half a panel of bars for each mass: how
often each number of pieces flips.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from physics import InputError
from render.palette import LIGHT, SERIES, Palette, Rgb
from render.plots.figures import colour_axes, figure_bytes, tint
from sim.core.files import write_whole
from sim.odds import ModelRange, Odds, Proportion, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


_SIZE_IN = (9.0, 6.4)
"""Width and height of the figure with one row of panels, in inches."""

_NEAREST_LABELS = 0.06
"""Smallest distance of two labels on the axis of masses, as a share of its length."""

_MAX_PANELS = 8
"""Masses that have a panel of bars."""

_MAX_COLUMNS = 4
_MAX_BARS_LABELLED = 12
"""Bars of a panel that are all labelled; of more bars, every fifth is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsPoint:
    """The odds of one slammer.

    Attributes:
        label: Name of the slammer, such as ``Onix`` or ``20 g``.
        slammer_g: Mass of the slammer.
        odds: Its odds.
        model: How far off they may be because the model is, by figure; drawn as bands.
    """

    label: str
    slammer_g: float
    odds: Odds
    model: Mapping[str, ModelRange] = field(default_factory=dict)


def save_odds_plot(
    path: Path,
    points: Sequence[OddsPoint],
    *,
    title: str,
    knock_out: bool = False,
    palette: Palette = LIGHT,
) -> None:
    """Write a plot of odds as a PNG, SVG or PDF file, whole or not at all.

    The upper half shows, by the slammer's mass, the mean number of flips with its standard error,
    and the chances of a flip and of a piece out with their 95 % Wilson intervals. The lower half
    shows how often each number of pieces flips, for up to eight masses; slammers of one mass share
    a panel.

    Args:
        path: The file to write.
        points: One per slammer; at least one.
        title: A line above the plot.
        knock_out: True if the target is a single slammer: its chance to flip is shown instead of
            the chance that any piece flips.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There are no points.
    """
    if not points:
        raise InputError("points: none is not accepted; give at least one slammer")
    write_whole(
        path,
        figure_bytes(
            lambda: odds_figure(points, title=title, knock_out=knock_out, palette=palette),
            palette,
            suffix=path.suffix.lower(),
        ),
    )


def odds_figure(
    points: Sequence[OddsPoint], *, title: str, knock_out: bool = False, palette: Palette = LIGHT
) -> "Figure":
    """Return the figure that `save_odds_plot` writes."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows = _panel_rows(points)
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
    _draw_bars(below, points, palette)
    return figure


def _plot_means(axes: "Axes", points: Sequence[OddsPoint], palette: Palette) -> None:
    _mass_axis(axes, points, palette)
    shown = _distinct(points)
    axes.errorbar(
        [point.slammer_g for point in shown],
        [point.odds.flips.value for point in shown],
        yerr=[point.odds.flips.standard_error for point in shown],
        color=tint(SERIES[0]),
        linestyle=_line(shown),
        marker="o",
        capsize=3,
    )
    ranges = [
        point.model["flips"].around(point.odds.flips.value)
        for point in shown
        if "flips" in point.model
    ]
    _draw_model(axes, shown, ranges, SERIES[0])
    highest = max(
        # The error of a single throw is unknown.
        flips.value + (0.0 if math.isnan(flips.standard_error) else flips.standard_error)
        for flips in (point.odds.flips for point in shown)
    )
    highest = max([highest, *(high for _, high in ranges)])
    axes.set_ylim(0.0, max(1.1 * highest, 0.1))
    axes.set_ylabel("pieces flipped per throw")
    about = "mean and its standard error" + ("; band: model uncertainty" if shown[0].model else "")
    axes.set_title(about, loc="left", fontsize=9, color=tint(palette.faint))


def _draw_model(
    axes: "Axes",
    points: Sequence[OddsPoint],
    ranges: Sequence[tuple[float, float]],
    colour: Rgb,
) -> None:
    """Draw how far off the points may be because the model is: a band, or a broad bar for each."""
    if not ranges:
        return
    masses = [point.slammer_g for point in points]
    lows, highs = zip(*ranges, strict=True)
    if len(masses) > 1 and _line(points) == "-":
        axes.fill_between(masses, lows, highs, color=tint(colour), alpha=0.15, linewidth=0)
    else:
        axes.vlines(masses, lows, highs, color=tint(colour), alpha=0.25, linewidth=9)


def _plot_chances(
    axes: "Axes", points: Sequence[OddsPoint], palette: Palette, *, knock_out: bool
) -> None:
    _mass_axis(axes, points, palette)
    shown = _distinct(points)
    mass = [point.slammer_g for point in shown]
    first = ("at least one flips", "any_flip", [point.odds.any_flip for point in shown])
    if knock_out:
        own = [point.odds.flips_by_place[0] for point in shown]
        first = ("the target slammer flips", "knock_out", own)
    second = ("at least one leaves", "any_out", [point.odds.any_out for point in shown])
    for (name, figure, chances), marker, colour in zip(
        (first, second), "os", SERIES[:2], strict=True
    ):
        ranges = [
            point.model[figure].around_chance(chance.value)
            for point, chance in zip(shown, chances, strict=True)
            if figure in point.model
        ]
        _draw_model(axes, shown, ranges, colour)
        axes.errorbar(
            mass,
            [chance.value for chance in chances],
            yerr=_whiskers(chances),
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


def _mass_axis(axes: "Axes", points: Sequence[OddsPoint], palette: Palette) -> None:
    colour_axes(axes, palette)
    masses = sorted({point.slammer_g for point in points})
    margin = max(0.06 * (masses[-1] - masses[0]), 0.5)
    axes.set_xlim(masses[0] - margin, masses[-1] + margin)
    if len(masses) <= _MAX_PANELS:
        apart = _NEAREST_LABELS * (masses[-1] - masses[0] + 2 * margin)
        axes.set_xticks(masses, _labels(masses, apart))
    axes.set_xlabel("slammer's mass (g)")
    axes.grid(visible=True, axis="y", color=tint(palette.floor), linewidth=0.8)
    axes.set_axisbelow(True)


def _labels(masses: Sequence[float], apart: float) -> list[str]:
    """Return the labels of masses, empty where the last label is nearer than ``apart``.

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
    """Return the style of the line: none if several points share a mass."""
    masses = [point.slammer_g for point in points]
    return "-" if len(set(masses)) == len(masses) else "none"


def _panel_rows(points: Sequence[OddsPoint]) -> int:
    """Return the number of rows of panels."""
    return -(-len(_shown(points)) // _MAX_COLUMNS)


def _draw_bars(figure: "SubFigure", points: Sequence[OddsPoint], palette: Palette) -> None:
    """Draw the panels of at most eight masses, with 95 % Wilson intervals on all bars above 0."""
    shown = _shown(points)
    rows, columns = _panel_rows(points), min(len(shown), _MAX_COLUMNS)
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
    """Return the groups that have a panel: at most `_MAX_PANELS`, spread evenly over all."""
    groups = _by_mass(points)
    if len(groups) <= _MAX_PANELS:
        return groups
    last = len(groups) - 1
    return [groups[round(k * last / (_MAX_PANELS - 1))] for k in range(_MAX_PANELS)]


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
        yerr=_whiskers([shares[number] for number in seen]),
        color=tint(palette.text),
        linestyle="none",
        elinewidth=0.8,
        capsize=1.5,
        capthick=0.8,
    )
    axes.set_title(_panel_title(group), loc="left", fontsize=9, color=tint(palette.text))
    step = 1 if len(shares) <= _MAX_BARS_LABELLED else 5
    axes.set_xticks(list(numbers)[::step])
    axes.set_xlim(-0.6, len(shares) - 0.4)
    axes.tick_params(labelsize=8)


def _shares(group: Sequence[OddsPoint]) -> list[Proportion]:
    """Return the chance of each number of flips over all throws of a group."""
    counted = [
        (round(chance * point.odds.trials), number)
        for point in _distinct(group)
        for number, chance in enumerate(point.odds.flip_chances)
    ]
    trials = sum(count for count, _ in counted)
    totals = [0] * max(len(point.odds.flip_chances) for point in group)
    for count, number in counted:
        totals[number] += count
    return [wilson(total, trials) for total in totals]


def _panel_title(group: Sequence[OddsPoint]) -> str:
    """Return the mass, and the name of the slammer if it is not just the mass.

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
    named = ", ".join(names) if len(names) <= 2 else f"{len(names)} slammers"
    return f"{mass}: {named}"


def _title(points: Sequence[OddsPoint]) -> str:
    trials = sorted({point.odds.trials for point in points})
    count = f"{trials[0]}" if len(trials) == 1 else f"{trials[0]} to {trials[-1]}"
    plural = "" if trials[-1] == 1 else "s"
    return f"Pieces flipped, by the slammer's mass ({count} throw{plural} each; 95 % intervals)"


def _by_mass(points: Sequence[OddsPoint]) -> list[list[OddsPoint]]:
    """Return points in groups of equal mass, the lightest first."""
    groups: dict[float, list[OddsPoint]] = {}
    for point in sorted(points, key=lambda point: point.slammer_g):
        groups.setdefault(point.slammer_g, []).append(point)
    return list(groups.values())


def _distinct(points: Sequence[OddsPoint]) -> list[OddsPoint]:
    """Return points by mass, without repetitions of the same mass and odds.

    Slammers with the same dimensions share their throws, which count only once.
    """
    found: dict[tuple[float, tuple[float, ...], float, float], OddsPoint] = {}
    for point in points:
        odds = point.odds
        key = (point.slammer_g, odds.flip_chances, odds.any_out.value, odds.hit.value)
        found.setdefault(key, point)
    return sorted(found.values(), key=lambda point: point.slammer_g)


def _whiskers(chances: Sequence[Proportion]) -> list[list[float]]:
    """Return the lengths of intervals below and above their values, as error bars; shape (2, N)."""
    # A Wilson bound may miss the value inside it by a rounding error.
    return [
        [max(0.0, chance.value - chance.low) for chance in chances],
        [max(0.0, chance.high - chance.value) for chance in chances],
    ]
