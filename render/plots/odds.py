"""Odds by the slammer's mass, as a plot.

`odds_figure` takes one `OddsPoint` per slammer. Its upper half shows means and chances by mass,
its lower half a panel of bars for each mass: how often each number of pieces flips.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from pucklab.base.facts import fact
from pucklab.render.plots.figures import (
    COLOURS,
    POINTS,
    TEXT,
    Look,
    draw_legend,
    new_figure,
    panel_grid,
    style_axes,
    whiskers,
    write_title,
)
from pucklab.sim.experiments import wilson
from pucklab.sim.odds import ModelRange, Odds, OddsRow, model_ranges, odds_of
from pucklab.sim.odds.answers import group_alike
from pucklab.sim.odds.study import KNOCK_OUT_COLUMNS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE_IN, _MORE_IN = (9.0, 6.4), 1.3
"""Size of the figure with one row of panels, and what a second row adds, in inches."""

_NEAREST_LABELS = 0.06
"""Smallest distance of two labels on the axis of masses, as a share of its length."""

_MAX_PANELS, _MAX_COLUMNS = 8, 4
"""Masses that have a panel of bars, and panels side by side."""

_CHANCE = "what the luck of these throws may have changed"
_MODEL = "where real pucks may lie, because nobody has measured how they bounce and grip"

_ABOUT = {column.name: column.about for column in KNOCK_OUT_COLUMNS}

_NAMES_SHOWN = 2
"""Slammers of a point or panel that are named; of more, their number is."""

_MAX_BARS_LABELLED = 12
"""Bars of a panel that are all labelled; of more bars, every fifth is."""


@fact
class OddsPoint:
    """The odds of one slammer."""

    label: str  # name of the slammer, such as `Onix` or `20 g`, or how many share its throws
    slammer_g: float
    odds: Odds
    model: Mapping[str, ModelRange] = field(default_factory=dict)  # by figure; drawn as bands


def odds_points(
    rows: Sequence[OddsRow], *, model_band: bool, thrower: bool = False
) -> list[OddsPoint]:
    """Return a point for each row, or one for slammers that share their throws."""
    return [
        OddsPoint(
            label=_names([row.name for row in group]),
            slammer_g=group[0].study.scene.slammer.mass_g,
            odds=odds_of(group[0].tally, group[0].z),
            model=model_ranges(group[0].study, thrower=thrower) if model_band else {},
        )
        for group in group_alike(rows)
    ]


def _names(names: Sequence[str]) -> str:
    own = list(dict.fromkeys(names))
    return ", ".join(own) if len(own) <= _NAMES_SHOWN else f"{len(own)} slammers"


def odds_figure(
    points: Sequence[OddsPoint], *, title: str, about: str = "", knock_out: bool = False
) -> "Figure":
    """Return a plot of odds.

    The upper half shows, by the slammer's mass, the mean number of flips with its standard error,
    and the chances of a flip and of a piece out with their 95 % Wilson intervals. The lower half
    shows how often each number of pieces flips, for up to eight masses; slammers of one mass share
    a panel.

    Args:
        points: One per slammer; at least one.
        title: The answer.
        about: The scene.
        knock_out: True if the target is a single slammer: its chance to flip is shown instead of
            the chance that any piece flips.
    """
    points = sorted(points, key=attrgetter("slammer_g"))
    groups = [list(group) for _, group in groupby(points, attrgetter("slammer_g"))]
    if len(groups) > _MAX_PANELS:  # spread evenly
        last = len(groups) - 1
        groups = [groups[round(k * last / (_MAX_PANELS - 1))] for k in range(_MAX_PANELS)]
    rows = -(-len(groups) // _MAX_COLUMNS)
    bars = f"Bars at points: {_CHANCE}." + (f" Band: {_MODEL}." if points[0].model else "")
    size_in = (_SIZE_IN[0], _SIZE_IN[1] + _MORE_IN * (rows > 1))
    figure = new_figure(size_in, title, about=f"{about}. {bars}".removeprefix(". "))
    grid = figure.add_gridspec(2, 1, height_ratios=[3.0, 1.7 * rows + 0.3])
    above, below = (figure.add_subfigure(grid[row], facecolor="none") for row in range(2))
    left, right = above.subplots(1, 2)
    _plot_means(left, points, f"{'pieces' if knock_out else 'pucks'} flipped per throw")
    _plot_chances(right, points, knock_out=knock_out)
    below.supxlabel("pieces flipped in a throw", fontsize=10, color=TEXT)
    panels = panel_grid(below, len(groups), _MAX_COLUMNS, "share of throws", shared=True)
    for panel, group in zip(panels, groups, strict=True):
        _draw_panel(panel, group)
    panels[0].set_ylim(bottom=0.0)
    trials = sorted({point.odds.trials for point in points})
    count = f"{trials[0]}" if len(trials) == 1 else f"{trials[0]} to {trials[-1]}"
    throws = f"{count} throw{'' if trials[-1] == 1 else 's'} each"
    heading: Look = {"x": 0.02, "ha": "left", "fontsize": 10, "color": TEXT}
    below.suptitle(f"Pieces flipped, by the slammer's mass ({throws}; 95 % intervals)", **heading)
    return figure


def _plot_means(axes: "Axes", points: Sequence[OddsPoint], about: str) -> None:
    _mass_axis(axes, points, about, "mean and its standard error")
    flips = [point.odds.flips for point in points]
    _draw_points(axes, points, [f.value for f in flips], [f.standard_error for f in flips], 0)
    known = [point for point in points if "flips" in point.model]
    ranges = [point.model["flips"].around(point.odds.flips.value) for point in known]
    _draw_model(axes, points, ranges, COLOURS[0])
    # The error of a single throw is unknown.
    tops = [f.value + (0.0 if math.isnan(f.standard_error) else f.standard_error) for f in flips]
    axes.set_ylim(0.0, max(1.1 * max([*tops, *(high for _, high in ranges)]), 0.1))


def _plot_chances(axes: "Axes", points: Sequence[OddsPoint], *, knock_out: bool) -> None:
    _mass_axis(axes, points, "chance, with its 95 % interval", "")
    first = ("p_any", "any_flip", [point.odds.any_flip for point in points])
    if knock_out:
        own = [point.odds.flips_by_place[0] for point in points]
        first = ("p_knock_out", "knock_out", own)
    second = ("p_any_out", "any_out", [point.odds.any_out for point in points])
    for number, (name, figure, chances) in enumerate((first, second)):
        ranges = [
            point.model[figure].around_chance(chance.value)
            for point, chance in zip(points, chances, strict=True)
            if figure in point.model
        ]
        _draw_model(axes, points, ranges, COLOURS[number])
        values = [chance.value for chance in chances]
        _draw_points(axes, points, values, whiskers(chances), number, _ABOUT[name])
    axes.set_ylim(-0.02, 1.02)
    place: Look = {"loc": "lower left", "bbox_to_anchor": (-0.02, 1.0), "ncols": 2}
    draw_legend(axes, **place, handletextpad=0.5, columnspacing=1.2)


def _draw_points(
    axes: "Axes",
    points: Sequence[OddsPoint],
    values: Sequence[float],
    errors: Sequence[float] | Sequence[Sequence[float]],
    number: int,
    name: str = "",
) -> None:
    """Draw values over masses with error bars, in the colour and with the sign of a number."""
    axes.errorbar(
        [point.slammer_g for point in points],
        values,
        yerr=errors,
        color=COLOURS[number],
        label=name,
        **POINTS | {"linestyle": "-" if _is_line(points) else "none", "marker": "os"[number]},
    )


def _draw_model(
    axes: "Axes",
    points: Sequence[OddsPoint],
    ranges: Sequence[tuple[float, float]],
    colour: str,
) -> None:
    """Draw the range of the points due to the model's uncertainty: a band, or a bar for each."""
    if not ranges:
        return
    masses = [point.slammer_g for point in points]
    lows, highs = zip(*ranges, strict=True)
    if len(masses) > 1 and _is_line(points):
        axes.fill_between(masses, lows, highs, color=colour, alpha=0.15, linewidth=0)
    else:
        axes.vlines(masses, lows, highs, color=colour, alpha=0.25, linewidth=9)


def _mass_axis(axes: "Axes", points: Sequence[OddsPoint], label: str, caption: str) -> None:
    style_axes(axes, grid="y", x="slammer's mass (g)", y=label, caption=caption)
    masses = sorted({point.slammer_g for point in points})
    margin = max(0.06 * (masses[-1] - masses[0]), 0.5)
    axes.set_xlim(masses[0] - margin, masses[-1] + margin)
    if len(masses) <= _MAX_PANELS:
        apart, last = _NEAREST_LABELS * (masses[-1] - masses[0] + 2 * margin), -math.inf
        labels = []
        for mass in masses:  # none where it would touch the one before
            labels.append(f"{mass:g}" if mass - last >= apart else "")
            last = mass if labels[-1] else last
        axes.set_xticks(masses, labels)


def _is_line(points: Sequence[OddsPoint]) -> bool:
    """True if no two points share a mass."""
    return len({point.slammer_g for point in points}) == len(points)


def _draw_panel(axes: "Axes", group: Sequence[OddsPoint]) -> None:
    """Draw the bars of slammers of a mass, with 95 % Wilson intervals on all above 0."""
    totals = [0] * max(len(point.odds.flip_chances) for point in group)
    for point in group:
        for number, chance in enumerate(point.odds.flip_chances):
            totals[number] += round(chance * point.odds.trials)
    shares = [wilson(total, sum(totals)) for total in totals]
    numbers = range(len(shares))
    axes.bar(numbers, [share.value for share in shares], width=0.82, color=COLOURS[4])
    seen = [number for number in numbers if shares[number].value]
    axes.errorbar(
        seen,
        [shares[number].value for number in seen],
        yerr=whiskers([shares[number] for number in seen]),
        color=TEXT,
        linestyle="none",
        elinewidth=0.8,
        capsize=1.5,
        capthick=0.8,
    )
    mass = f"{group[0].slammer_g:g} g"
    names = _names([point.label for point in group if point.label not in ("", mass)])
    write_title(axes, f"{mass}: {names}" if names else mass, 9)
    axes.set_xticks(numbers[:: 1 if len(shares) <= _MAX_BARS_LABELLED else 5])
    axes.set_xlim(-0.6, len(shares) - 0.4)
    axes.tick_params(labelsize=8)
