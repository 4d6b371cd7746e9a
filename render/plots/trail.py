"""Turns and units that a board of the drinking trail costs, as distributions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from physics import InputError
from render.palette import LIGHT, SERIES, Palette
from render.plots.figures import colour_axes, figure_bytes, tint
from sim.core.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Series: TypeAlias = Sequence[tuple[str, Sequence[tuple[float, float]]]]
"""Named distributions, each of (value, probability)."""

_SIZE_IN = (9.0, 4.2)
_SHOWN = 0.999
"""Share of every distribution within the axes; the long rest is cut off."""


def save_trail_plot(
    path: Path,
    turns: Series,
    units: Series,
    *,
    title: str,
    units_per_cup: int,
    palette: Palette = LIGHT,
) -> None:
    """Write a plot as a PNG, SVG or PDF file, whole or not at all.

    Left the turns to the finish, right the units a player, with a second axis in cups.

    Args:
        path: The file.
        turns: Distributions of the turns, up to six.
        units: Distributions of the units, up to six.
        title: A line above the plot.
        units_per_cup: Units that empty a cup.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There is nothing to draw.
    """
    if not turns and not units:
        raise InputError("plot: nothing to draw; give a board with fewer states, or more players")

    def draw() -> "Figure":
        return trail_figure(turns, units, title=title, units_per_cup=units_per_cup, palette=palette)

    write_whole(path, figure_bytes(draw, palette, suffix=path.suffix.lower()))


def trail_figure(
    turns: Series, units: Series, *, title: str, units_per_cup: int, palette: Palette = LIGHT
) -> "Figure":
    """Return the figure that `save_trail_plot` writes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE_IN, layout="constrained")
    figure.suptitle(
        title, x=0.015, ha="left", fontsize=12, fontweight="bold", color=tint(palette.text)
    )
    left, right = figure.subplots(1, 2)
    _draw(left, turns, "turns to the finish", palette)
    _draw(right, units, "units a player", palette)
    cups = right.secondary_xaxis(
        "top", functions=(lambda n: n / units_per_cup, lambda n: n * units_per_cup)
    )
    cups.set_xlabel("cups", color=tint(palette.text))
    cups.tick_params(colors=tint(palette.faint))
    cups.spines["top"].set_color(tint(palette.wall))
    return figure


def _draw(axes: "Axes", series: Series, label: str, palette: Palette) -> None:
    colour_axes(axes, palette)
    furthest = 1.0
    for (name, points), colour, marker in zip(series, SERIES, "os^Dvx", strict=False):
        values, chances = zip(*points, strict=True)
        axes.plot(
            values, chances, color=tint(colour), marker=marker, markersize=3, lw=1.2, label=name
        )
        upto, below = 0.0, float(values[-1])
        for value, chance in points:
            upto += chance
            if upto >= _SHOWN:
                below = float(value)
                break
        furthest = max(furthest, below)
    axes.set_xlim(-0.5, furthest + 0.5)
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel(label)
    axes.set_ylabel("probability")
    axes.grid(visible=True, axis="y", color=tint(palette.floor), linewidth=0.8)
    axes.set_axisbelow(True)
    if series:
        axes.legend(fontsize=9, frameon=False, labelcolor=tint(palette.text))
