"""Parts that all plots share: figures as PNG files, colours and axes."""

from collections.abc import Callable, Collection
from io import BytesIO
from typing import TYPE_CHECKING

from physics.errors import require_extra
from render.palette import Palette, Rgb

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def figure_png(draw: Callable[[], "Figure"], palette: Palette, dpi: int = 150) -> bytes:
    """Return the PNG of a figure.

    Args:
        draw: Function that makes the figure; the user's own Matplotlib settings do not affect it.
        palette: The colours.
        dpi: Dots per inch.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    require_extra("plot", "matplotlib")
    from matplotlib import rc_context

    with rc_context({"text.usetex": False, "font.family": "DejaVu Sans", "savefig.bbox": None}):
        data = BytesIO()
        draw().savefig(data, format="png", dpi=dpi, facecolor=tint(palette.background))
    return data.getvalue()


def tint(colour: Rgb) -> tuple[float, float, float]:
    """Return a colour in Matplotlib's form, 0 to 1.

    Example:
        >>> tint((255, 0, 51))
        (1.0, 0.0, 0.2)
    """
    red, green, blue = colour
    return (red / 255, green / 255, blue / 255)


def colour_axes(
    axes: "Axes", palette: Palette, *, lines: Collection[str] = ("left", "bottom")
) -> None:
    """Give axes the colours of a palette, and lines on some of their sides only.

    Args:
        axes: The axes.
        palette: The colours.
        lines: Sides with a line: ``left``, ``right``, ``top``, ``bottom``.
    """
    axes.set_facecolor(tint(palette.background))
    for side, spine in axes.spines.items():
        spine.set_visible(side in lines)
        spine.set_color(tint(palette.wall))
    axes.tick_params(colors=tint(palette.faint))
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_color(tint(palette.text))
