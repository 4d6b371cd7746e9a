"""Matplotlib figures as PNG pictures, in the project's colours."""

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

from physics.errors import require_extra
from render.palette import Palette, Rgb

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_png(draw: Callable[[], "Figure"], palette: Palette, dpi: int = 150) -> bytes:
    """Return the PNG of a figure.

    Args:
        draw: Makes the figure; a user's own settings of Matplotlib neither change nor stop it.
        palette: Its colours.
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
    """Return a colour as Matplotlib takes it.

    Example:
        >>> tint((255, 0, 51))
        (1.0, 0.0, 0.2)
    """
    red, green, blue = colour
    return (red / 255, green / 255, blue / 255)
