"""Plots of studies: sweeps over one or two numbers, the best value of one, and sensitivities.

`sweep_figure` draws curves with bands, or heat maps for two fields; `comparison_figure` what
cases flip and how they differ; `best_figure` a response curve with its best value; `tornado_figure`
a bar for each assumption.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pucklab.render.plots.figures import (
    COLOURS,
    FAINT,
    POINTS,
    TEXT,
    WALL,
    Look,
    draw_legend,
    new_figure,
    style_axes,
    whiskers,
)
from pucklab.sim.experiments.curve import Curve
from pucklab.sim.experiments.estimates import Z_95
from pucklab.sim.experiments.paired import Difference, PairedTally, Swing
from pucklab.sim.odds import OddsRow, model_ranges, odds_of
from pucklab.sim.odds.answers import field_words
from pucklab.sim.odds.study import KNOCK_OUT_MEASURES, MEASURES, flips_half_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDE_IN, _HIGH_IN = 9.0, 4.2
"""Width of all figures, and height of one with two panels, in inches."""

_MOST_TICKS = 9
"""Values on an axis of a heat map that all have a label."""

_MOST_BARS = 5
"""Cases of a comparison whose flips are drawn."""


def sweep_figure(
    rows: Sequence[OddsRow],
    *,
    title: str,
    about: str = "",
    model_band: bool = False,
) -> "Figure":
    """Return a plot of a sweep: left the mean number of flips, right the chance of a flip.

    Of knock-outs there is their chance alone. One field gives a curve for each slammer with a band
    of its 95 % intervals, two fields give heat maps.

    Args:
        rows: A row of odds per scene and slammer, with the values of the one or two swept fields,
            in the order of the sweep.
        title: The answer.
        about: The scene.
        model_band: Draw dotted lines around curves: their range due to the model's uncertainty.
    """
    figure = new_figure((_WIDE_IN, _HIGH_IN), title, about=about)
    panels = figure.subplots(1, len(_quantities(rows[0])), squeeze=False)[0]
    if len(rows[0].values) == 1:
        _draw_curves(panels, rows, model_band=model_band)
    else:
        _draw_maps(panels, rows)
    return figure


def _quantities(row: OddsRow) -> list[tuple[str, str, tuple[float, float, float]]]:
    """Return what a sweep shows: the figure's name, its words, its value and interval."""
    odds, is_knock_out = odds_of(row.tally, row.z), row.study.scene.is_knock_out
    name, about, chance = "any_flip", MEASURES["p_any"], odds.any_flip
    if is_knock_out:
        name, about, chance = "knock_out", KNOCK_OUT_MEASURES["knock_out"], odds.flips_by_place[0]
    found = [(name, about, (chance.value, chance.low, chance.high))]
    if not is_knock_out:
        mean, half = odds.flips.value, flips_half_width(row.tally.flips, row.z)
        interval = (mean, max(0.0, mean - half), mean + half)
        found.insert(0, ("flips", MEASURES["flips"], interval))
    return found


def _draw_curves(panels: Sequence["Axes"], rows: Sequence[OddsRow], *, model_band: bool) -> None:
    (name,) = rows[0].values
    by_mass = name == "slammer_g"  # each mass is a slammer of its own: all are one curve
    slammers = [""] if by_mass else list(dict.fromkeys(row.name for row in rows))
    for number, slammer in enumerate(slammers):
        own = [row for row in rows if by_mass or row.name == slammer]
        colour = COLOURS[number % len(COLOURS)]
        xs = [row.values[name] for row in own]
        # Range of a curve due to the model's uncertainty.
        known = [model_ranges(row.study) for row in own] if model_band else [{}]
        for axes, points in zip(panels, zip(*map(_quantities, own), strict=True), strict=True):
            figure = points[0][0]
            ys, low, high = zip(*(values for _, _, values in points), strict=True)
            axes.fill_between(xs, low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(xs, ys, "o-", color=colour, markersize=4, label=slammer)
            if all(figure in ranges for ranges in known):
                around = [
                    ranges[figure].around(y)
                    if figure == "flips"
                    else ranges[figure].around_chance(y)
                    for ranges, y in zip(known, ys, strict=True)
                ]
                for line in zip(*around, strict=True):
                    axes.plot(xs, line, ":", color=colour, linewidth=1.2)
    caption = "with 95 % intervals" + "; dotted: how far the model may be off" * model_band
    for axes, (figure, about, _) in zip(panels, _quantities(rows[0]), strict=True):
        style_axes(axes, grid="y", x=axis_label(name), y=about, caption=caption)
        axes.set_ylim(*((0.0, None) if figure == "flips" else (-0.02, 1.02)))
        caption = ""
    if not by_mass:
        draw_legend(panels[0])


def _draw_maps(panels: Sequence["Axes"], rows: Sequence[OddsRow]) -> None:
    across, up = rows[0].values
    xs, ys = (sorted({row.values[name] for row in rows}) for name in (across, up))
    found = {(row.values[across], row.values[up]): _quantities(row) for row in rows}
    for number, (axes, (_, about, _)) in enumerate(zip(panels, _quantities(rows[0]), strict=True)):
        style_axes(axes, x=axis_label(across), y=axis_label(up), title=about)
        cells = [[found[x, y][number][2][0] if (x, y) in found else math.nan for x in xs]
                 for y in ys]  # fmt: skip
        mesh = axes.pcolormesh(xs, ys, cells, shading="nearest", cmap="viridis")
        axes.figure.colorbar(mesh, ax=axes).ax.tick_params(colors=FAINT)
        if len(xs) <= _MOST_TICKS:
            axes.set_xticks(xs, [f"{x:.3g}" for x in xs])
        if len(ys) <= _MOST_TICKS:
            axes.set_yticks(ys, [f"{y:.3g}" for y in ys])


def axis_label(name: str) -> str:
    """Return the label of an axis from a field's name.

    Example:
        >>> axis_label("speed_m_s"), axis_label("slammer_g"), axis_label("restitution")
        ('speed (m/s)', 'slammer (g)', 'restitution')
    """
    words, unit = field_words(name)
    return f"{words} ({unit})" if unit else words


def comparison_figure(
    names: Sequence[str],
    found: Sequence[Difference],
    flips: Sequence[Sequence[int]],
    quantity: str,
    *,
    title: str,
    about: str = "",
) -> "Figure":
    """Return a plot of a comparison: what each case flips, and the first less each of the others.

    Args:
        names: Of the first case and of the others.
        found: The differences.
        flips: Throws of each case by pucks flipped; empty if they were not counted.
        quantity: The measure compared.
        title: The answer.
        about: The scene.
    """
    figure = new_figure((_WIDE_IN, max(_HIGH_IN, 1.6 + 0.4 * len(found))), title, about=about)
    left, axes = figure.subplots(1, 2) if all(flips) else (None, figure.subplots())
    if left is not None:
        style_axes(left, grid="y", x="pucks flipped in a throw", y="share of throws")
        width = 0.84 / min(len(names), _MOST_BARS)
        most = max(n for own in flips for n, count in enumerate(own) if count)
        for number, (name, own) in enumerate(zip(names[:_MOST_BARS], flips, strict=False)):
            beside = [n + width * (number + 0.5) - 0.42 for n in range(most + 1)]
            shares = [count / sum(own) for count in own[: most + 1]]
            left.bar(beside, shares, width=width, color=COLOURS[number], label=name)
        left.set_xticks(range(0, most + 1, 1 if most < _MOST_TICKS else 2))
        draw_legend(left)
    style_axes(axes, x=f"difference in {quantity}", caption="with 95 % intervals")
    places = range(len(found))[::-1]
    axes.axvline(0.0, color=WALL, linewidth=1)
    values = [one.value for one in found]
    axes.errorbar(values, places, xerr=whiskers(found), color=TEXT, **POINTS)
    axes.set_yticks(places, [f"{names[0]} less {name}" for name in names[1:]])
    axes.set_ylim(-0.6, len(found) - 0.4)
    return figure


def best_figure(
    values: Sequence[float],
    tally: PairedTally,
    measure: int,
    fine: Sequence[float],
    curve: Curve,
    name: str,
    quantity: str,
    *,
    title: str,
    about: str = "",
) -> "Figure":
    """Return a plot of a best value: the throws, the curve through them, the best values.

    Args:
        values: Values of the number that were thrown at.
        tally: The throws.
        measure: Index of the measure.
        fine: More values, in ascending order.
        curve: The curve at the values, and then at the others.
        name: The number's field.
        quantity: The measure in words.
        title: The answer.
        about: The scene.
    """
    figure = new_figure((_WIDE_IN, 4.4), title, about=about)
    axes = figure.subplots()
    style_axes(axes, grid="y", x=axis_label(name), y=quantity)
    blue, orange, *_ = COLOURS
    places = [*range(len(values), len(values) + len(fine))]
    line, half = curve.values[places], Z_95 * curve.errors[places]
    axes.fill_between(fine, line - half, line + half, color=blue, alpha=0.2, linewidth=0)
    axes.plot(fine, line, color=blue, label="curve, with 95 % intervals")
    means = tally.means(measure)
    errors = (tally.covariance(measure).diagonal() / tally.trials) ** 0.5
    leaders = curve.only(range(len(values))).leaders
    for own, colour, label in (
        ([k for k in range(len(values)) if k not in leaders], TEXT, "throws, with standard errors"),
        (leaders, orange, "not told apart from the best"),
    ):
        points = ([values[k] for k in own], means[own], errors[own])
        axes.errorbar(*points, color=colour, markersize=5, label=label, **POINTS | {"capsize": 2})
    if measure != list(MEASURES).index("flips-minus-out"):
        axes.set_ylim(bottom=0.0)
    draw_legend(axes)
    return figure


def tornado_figure(
    swings: Sequence[Swing],
    base: float,
    quantity: str,
    model: tuple[float, float] | None = None,
    *,
    title: str,
    about: str = "",
) -> "Figure":
    """Return a tornado chart.

    Args:
        swings: Effects of the assumptions, the largest first.
        base: The measure with all assumptions as they are.
        quantity: The measure in words.
        model: Ends of the measure's range due to the model's uncertainty: a bar of its own, below.
        title: The answer.
        about: The scene.
    """
    bars = len(swings) + (model is not None)
    figure = new_figure((_WIDE_IN, 1.8 + 0.5 * bars), title, about=about)
    axes = figure.subplots()
    about = "each assumption one standard uncertainty lower (blue) and higher (orange)"
    style_axes(axes, x=quantity, caption=about)
    names = {place: axis_label(one.name) for place, one in enumerate(reversed(swings))}
    if model is not None:
        low, high = model
        axes.barh(-1, high - low, left=low, height=0.6, color=FAINT, alpha=0.4)
        _annotate(axes, f"down to {low:.3g}", low, -1, rightward=False)
        _annotate(axes, f"up to {high:.3g}", high, -1, rightward=True)
        names = {-1: "how far the model may be off", **names}
    for place, one in enumerate(reversed(swings)):
        for side, colour, value, level in (
            (one.below, COLOURS[0], one.values[0], place - 0.16),
            (one.above, COLOURS[1], one.values[2], place + 0.16),
        ):
            axes.barh(level, side.value, left=base, height=0.3, color=colour, alpha=0.75)
            look: Look = {"color": TEXT, "elinewidth": 0.9, "capsize": 2}
            axes.errorbar(base + side.value, level, xerr=whiskers([side]), **look)
            up = side.value >= 0
            end = base + (side.high if up else side.low)
            _annotate(axes, f"{value:.4g}", end, level, rightward=up)
    axes.axvline(base, color=TEXT, linewidth=1)
    axes.set_yticks(list(names), list(names.values()))
    axes.use_sticky_edges = False  # room for the words at the ends of bars
    axes.margins(x=0.15)
    return figure


def _annotate(axes: "Axes", text: str, x: float, y: float, *, rightward: bool) -> None:
    """Write beside the end of a bar."""
    axes.annotate(
        text,
        (x, y),
        xytext=(5 if rightward else -5, 0),
        textcoords="offset points",
        ha="left" if rightward else "right",
        va="center",
        fontsize=8,
        color=FAINT,
    )
