"""What the axes of a plot of odds have in common: their colours, and error bars."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from render.figures import tint
from render.palette import Palette
from sim.odds import Proportion

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
