"""Turns and units that a board of the drinking trail costs, as distributions."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from pucklab.physics import InputError
from pucklab.render.plots.figures import (
    COLOURS,
    FAINT,
    TEXT,
    WALL,
    Look,
    draw_legend,
    new_figure,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Series: TypeAlias = Sequence[tuple[str, Sequence[tuple[float, float]]]]
"""Named distributions, each of (value, probability)."""

_SIZE_IN = (9.0, 4.2)
_SHOWN = 0.999
"""Share of every distribution within the axes; the long rest is cut off."""


def trail_figure(turns: Series, units: Series, *, title: str, units_per_cup: int) -> "Figure":
    """Return a plot: left the turns to the finish, right the units a player, also in cups.

    Raises:
        InputError: There is nothing to draw.
    """
    if not turns and not units:
        raise InputError("plot: nothing to draw; give a board with fewer states, or more players")
    figure = new_figure(_SIZE_IN, title)
    left, right = figure.subplots(1, 2)
    labels = "turns to the finish", "units a player"
    for axes, label, each in zip((left, right), labels, (turns, units), strict=True):
        lowest, furthest = 0.0, 1.0
        for (name, points), colour, marker in zip(each, COLOURS, "os^Dvx", strict=False):
            values, chances = zip(*points, strict=True)
            look: Look = {"color": colour, "marker": marker, "markersize": 3, "linewidth": 1.2}
            axes.plot(values, chances, linestyle="-", label=name, **look)
            upto = zip(values, accumulate(chances), strict=True)
            lowest = min(lowest, *values)
            furthest = max(furthest, next((v for v, share in upto if share >= _SHOWN), values[-1]))
        style_axes(axes, grid="y", x=label, y="probability")
        axes.set_xlim(lowest - 0.5, furthest + 0.5)
        axes.set_ylim(bottom=0.0)
        if each:
            draw_legend(axes)
    cups = right.secondary_xaxis(
        "top", functions=(lambda n: n / units_per_cup, lambda n: n * units_per_cup)
    )
    cups.set_xlabel("cups", color=TEXT)
    cups.tick_params(colors=FAINT)
    cups.spines["top"].set_color(WALL)
    return figure
