"""Plots of studies: sweeps over one or two numbers, the best value of one, and sensitivities.

`save_sweep_plot` draws curves with bands, or heat maps for two fields; `save_differences_plot` the
differences of a comparison; `save_best_plot` a response curve with its best value;
`save_tornado_plot` a bar for each assumption.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from render.palette import LIGHT, SERIES, Palette, Rgb
from render.plots.figures import colour_axes, figure_bytes, tint
from sim.core.files import write_whole
from sim.odds import Odds, OddsRow, model_ranges, odds_of
from sim.odds.paired import BestValue, Difference, PairedTally, Swing
from sim.odds.study import flips_half_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE_IN = (9.0, 4.2)
"""Width and height of a figure with two panels, in inches."""

_MOST_TICKS = 9
"""Values on an axis of a heat map that all have a label."""


def save_sweep_plot(
    path: Path,
    rows: Sequence[OddsRow],
    values: Sequence[Mapping[str, float]],
    *,
    title: str,
    model_band: bool = False,
    palette: Palette = LIGHT,
) -> None:
    """Write a plot of a sweep as a PNG, SVG or PDF file, whole or not at all.

    One field gives a curve for each slammer with a band of its 95 % intervals, two fields give heat
    maps; the left panel has the mean number of flips, the right one the chance of a flip.

    Args:
        path: The file to write.
        rows: A row of odds per scene and slammer.
        values: Values of the one or two swept fields of each row, in the order of the sweep.
        title: A line above the plot.
        model_band: Draw dotted lines around curves: how far off they may be because the model is.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw() -> "Figure":
        return sweep_figure(rows, values, title=title, model_band=model_band, palette=palette)

    write_whole(path, figure_bytes(draw, palette, suffix=path.suffix.lower()))


def sweep_figure(
    rows: Sequence[OddsRow],
    values: Sequence[Mapping[str, float]],
    *,
    title: str,
    model_band: bool = False,
    palette: Palette = LIGHT,
) -> "Figure":
    """Return the figure that `save_sweep_plot` writes."""
    figure, (left, right) = _two_panels(title, palette)
    if len(values[0]) == 1:
        _draw_curves(left, right, rows, values, palette, model_band=model_band)
    else:
        _draw_maps(left, right, rows, values, palette)
    return figure


def _draw_curves(
    left: "Axes",
    right: "Axes",
    rows: Sequence[OddsRow],
    values: Sequence[Mapping[str, float]],
    palette: Palette,
    *,
    model_band: bool,
) -> None:
    (name,) = values[0]
    for number, slammer in enumerate(dict.fromkeys(row.name for row in rows)):
        own = [(v[name], row) for row, v in zip(rows, values, strict=True) if row.name == slammer]
        label = "" if name == "slammer_g" else slammer
        colour = tint(SERIES[number % len(SERIES)])
        if name == "slammer_g" and number:
            continue  # each mass is a slammer of its own: all are one curve
        if name == "slammer_g":
            own = [(v[name], row) for row, v in zip(rows, values, strict=True)]
        x = [value for value, _ in own]
        odds = [odds_of(row.tally, row.z) for _, row in own]
        flips = [one.flips.value for one in odds]
        half = [flips_half_width(row.tally.flips, row.z) for _, row in own]
        low = [max(0.0, mean - width) for mean, width in zip(flips, half, strict=True)]
        high = [mean + width for mean, width in zip(flips, half, strict=True)]
        left.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
        left.plot(x, flips, "o-", color=colour, markersize=4, label=label)
        any_flip = [one.any_flip for one in odds]
        if model_band:
            _draw_model(
                left, right, [row for _, row in own], (x, odds), SERIES[number % len(SERIES)]
            )
        right.fill_between(
            x,
            [chance.low for chance in any_flip],
            [chance.high for chance in any_flip],
            color=colour,
            alpha=0.2,
            linewidth=0,
        )
        right.plot(x, [chance.value for chance in any_flip], "o-", color=colour, markersize=4)
    left.set_ylim(bottom=0.0)
    right.set_ylim(-0.02, 1.02)
    for axes, about in ((left, "pieces flipped per throw"), (right, "chance of a flip")):
        axes.set_xlabel(axis_label(name))
        axes.set_ylabel(about)
        axes.grid(visible=True, axis="y", color=tint(palette.floor), linewidth=0.8)
        axes.set_axisbelow(True)
    about = "with 95 % intervals" + ("; dotted: model uncertainty" if model_band else "")
    left.set_title(about, loc="left", fontsize=9, color=tint(palette.faint))
    if name != "slammer_g":
        left.legend(fontsize=9, frameon=False, labelcolor=tint(palette.text))


def _draw_model(
    left: "Axes",
    right: "Axes",
    rows: Sequence[OddsRow],
    curve: tuple[Sequence[float], Sequence[Odds]],
    colour: Rgb,
) -> None:
    """Draw how far off a curve may be because the model is; of a knock-out nothing is known."""
    ranges = [model_ranges(row.study) for row in rows]
    for axes, figure in ((left, "flips"), (right, "any_flip")):
        if all(figure in own for own in ranges):
            ends = [
                own["flips"].around(odds.flips.value)
                if axes is left
                else own["any_flip"].around_chance(odds.any_flip.value)
                for own, odds in zip(ranges, curve[1], strict=True)
            ]
            for line in zip(*ends, strict=True):
                axes.plot(curve[0], line, ":", color=tint(colour), linewidth=1.2)


def _draw_maps(
    left: "Axes",
    right: "Axes",
    rows: Sequence[OddsRow],
    values: Sequence[Mapping[str, float]],
    palette: Palette,
) -> None:
    across, up = values[0]
    xs = sorted({own[across] for own in values})
    ys = sorted({own[up] for own in values})
    odds = {
        (own[across], own[up]): odds_of(row.tally, row.z)
        for row, own in zip(rows, values, strict=True)
    }
    nothing = float("nan")
    flips = [[odds[x, y].flips.value if (x, y) in odds else nothing for x in xs] for y in ys]
    chances = [[odds[x, y].any_flip.value if (x, y) in odds else nothing for x in xs] for y in ys]
    for axes, cells, about in (
        (left, flips, "pieces flipped per throw"),
        (right, chances, "chance of a flip"),
    ):
        mesh = axes.pcolormesh(xs, ys, cells, shading="nearest", cmap="viridis")
        bar = axes.figure.colorbar(mesh, ax=axes)
        bar.ax.tick_params(colors=tint(palette.faint))
        axes.set_xlabel(axis_label(across))
        axes.set_ylabel(axis_label(up))
        if len(xs) <= _MOST_TICKS:
            axes.set_xticks(xs, [f"{x:.3g}" for x in xs])
        if len(ys) <= _MOST_TICKS:
            axes.set_yticks(ys, [f"{y:.3g}" for y in ys])
        axes.set_title(about, loc="left", fontsize=10, color=tint(palette.text))


def axis_label(name: str) -> str:
    """Return the label of an axis from a field's name.

    Example:
        >>> axis_label("speed_m_s"), axis_label("slammer_g"), axis_label("restitution")
        ('speed (m/s)', 'slammer (g)', 'restitution')
    """
    units = {"_m_s": "m/s", "_rad_s": "rad/s", "_mm": "mm", "_deg": "deg", "_g": "g"}
    for ending, unit in units.items():
        if name.endswith(ending):
            return f"{name.removesuffix(ending).replace('_', ' ')} ({unit})"
    return name.replace("_", " ")


def _two_panels(title: str, palette: Palette) -> "tuple[Figure, tuple[Axes, Axes]]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    heading = title[:1].upper() + title[1:]
    figure.suptitle(
        heading, x=0.015, ha="left", fontsize=12, fontweight="bold", color=tint(palette.text)
    )
    left, right = figure.subplots(1, 2)
    for axes in (left, right):
        colour_axes(axes, palette)
    return figure, (left, right)


def save_differences_plot(
    path: Path,
    names: Sequence[str],
    found: Sequence[Difference],
    *,
    title: str,
    quantity: str,
    palette: Palette = LIGHT,
) -> None:
    """Write a plot of differences as a PNG, SVG or PDF file, whole or not at all.

    Args:
        path: The file to write.
        names: Name of the first case, and of those that it is compared with.
        found: The first case less each of the others.
        title: A line above the plot.
        quantity: The measure that is compared.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw() -> "Figure":
        figure, axes = _one_panel(title, palette, height_in=1.6 + 0.4 * len(found))
        places = list(range(len(found)))[::-1]
        axes.axvline(0.0, color=tint(palette.wall), linewidth=1)
        axes.errorbar(
            [one.value for one in found],
            places,
            xerr=[
                [one.value - one.low for one in found],
                [one.high - one.value for one in found],
            ],
            color=tint(SERIES[0]),
            linestyle="none",
            marker="o",
            capsize=3,
        )
        axes.set_yticks(places, [f"{names[0]} less {name}" for name in names[1:]])
        axes.set_ylim(-0.6, len(found) - 0.4)
        axes.set_xlabel(f"difference in {quantity}, with 95 % intervals")
        return figure

    write_whole(path, figure_bytes(draw, palette, suffix=path.suffix.lower()))


def save_best_plot(
    path: Path,
    values: Sequence[float],
    tally: PairedTally,
    measure: str,
    found: BestValue,
    *,
    name: str,
    title: str,
    quantity: str,
    palette: Palette = LIGHT,
) -> None:
    """Write a plot of a best value as a PNG, SVG or PDF file, whole or not at all.

    Args:
        path: The file to write.
        values: Values of the number that were thrown at.
        tally: The throws.
        measure: The measure of them.
        found: The curve and its highest point.
        name: The number's field.
        title: A line above the plot.
        quantity: The measure in words.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw() -> "Figure":
        figure, axes = _one_panel(title, palette, height_in=4.4)
        blue, orange = tint(SERIES[0]), tint(SERIES[1])
        axes.axvspan(found.low, found.high, color=orange, alpha=0.12, linewidth=0)
        axes.fill_between(
            found.curve_x, found.curve_low, found.curve_high, color=blue, alpha=0.2, linewidth=0
        )
        axes.plot(found.curve_x, found.curve, color=blue, label="curve, with 95 % intervals")
        errors = (tally.covariance(measure).diagonal() / tally.trials) ** 0.5
        axes.errorbar(
            values,
            tally.means(measure),
            yerr=errors,
            color=tint(palette.text),
            linestyle="none",
            marker="o",
            markersize=4,
            capsize=2,
            label="throws, with standard errors",
        )
        best = f"best: {found.x:.3g} ({found.low:.3g} to {found.high:.3g})"
        axes.plot([found.x], [found.y], "D", color=orange, markersize=8, label=best)
        axes.set_xlabel(axis_label(name))
        axes.set_ylabel(quantity)
        axes.legend(fontsize=9, frameon=False, labelcolor=tint(palette.text))
        return figure

    write_whole(path, figure_bytes(draw, palette, suffix=path.suffix.lower()))


def save_tornado_plot(
    path: Path,
    swings: Sequence[Swing],
    base: float,
    *,
    title: str,
    quantity: str,
    model: tuple[float, float] | None = None,
    palette: Palette = LIGHT,
) -> None:
    """Write a tornado chart as a PNG, SVG or PDF file, whole or not at all.

    Args:
        path: The file to write.
        swings: Effects of the assumptions, the largest first.
        base: The measure with all assumptions as they are.
        model: Ends of the measure's range because the model is unsure: a bar of its own, below.
        title: A line above the plot.
        quantity: The measure in words.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """

    def draw() -> "Figure":
        bars = len(swings) + (model is not None)
        figure, axes = _one_panel(title, palette, height_in=1.8 + 0.5 * bars)
        if model is not None:
            _draw_model_bar(axes, model, palette)
        for place, one in enumerate(reversed(swings)):
            for side, colour, value in (
                (one.below, tint(SERIES[0]), one.values[0]),
                (one.above, tint(SERIES[1]), one.values[2]),
            ):
                level = place + (0.16 if side is one.above else -0.16)
                axes.barh(level, side.value, left=base, height=0.3, color=colour, alpha=0.75)
                axes.errorbar(
                    base + side.value,
                    level,
                    xerr=[[side.value - side.low], [side.high - side.value]],
                    color=tint(palette.text),
                    elinewidth=0.9,
                    capsize=2,
                )
                axes.annotate(
                    f"{value:.4g}",
                    (base + (side.high if side.value >= 0 else side.low), level),
                    xytext=(5 if side.value >= 0 else -5, 0),
                    textcoords="offset points",
                    ha="left" if side.value >= 0 else "right",
                    va="center",
                    fontsize=8,
                    color=tint(palette.faint),
                )
        axes.axvline(base, color=tint(palette.text), linewidth=1)
        names = [axis_label(one.name) for one in reversed(swings)]
        if model is None:
            axes.set_yticks(range(len(swings)), names)
        else:
            axes.set_yticks(range(-1, len(swings)), ["model uncertainty", *names])
        axes.margins(x=0.15)
        axes.set_xlabel(
            f"{quantity}: each assumption one standard uncertainty lower (blue) and higher (orange)"
        )
        return figure

    write_whole(path, figure_bytes(draw, palette, suffix=path.suffix.lower()))


def _draw_model_bar(axes: "Axes", model: tuple[float, float], palette: Palette) -> None:
    """Draw the bar of what the model is unsure of, below those of the assumptions."""
    low, high = model
    axes.barh(-1, high - low, left=low, height=0.6, color=tint(palette.faint), alpha=0.4)
    for end, side, way in ((low, -1, "down"), (high, 1, "up")):
        axes.annotate(
            f"{way} to {end:.3g}",
            (end, -1),
            xytext=(5 * side, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center",
            fontsize=8,
            color=tint(palette.faint),
        )


def _one_panel(title: str, palette: Palette, *, height_in: float) -> "tuple[Figure, Axes]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_SIZE_IN[0], height_in), layout="constrained")
    heading = title[:1].upper() + title[1:]
    figure.suptitle(
        heading, x=0.015, ha="left", fontsize=12, fontweight="bold", color=tint(palette.text)
    )
    axes = figure.subplots()
    colour_axes(axes, palette)
    return figure, axes
