"""Parts that all plots share: figures as PNG, SVG and PDF files, colours and axes."""

from collections.abc import Callable, Collection, Iterable
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from physics.errors import require_extra
from render.palette import Palette, Rgb
from sim.core.files import check_writable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PLOT_SUFFIXES = (".png", ".svg", ".pdf")
"""Suffixes of plots."""

_LINE_IN = 0.21
"""Height of a line of text above a plot, in inches."""


def figure_bytes(
    draw: Callable[[], "Figure"], palette: Palette, *, suffix: str = ".png", dpi: int = 150
) -> bytes:
    """Return a figure as a file; the same figure gives the same bytes.

    Args:
        draw: Function that makes the figure; the user's own Matplotlib settings do not affect it.
        palette: The colours.
        suffix: One of `PLOT_SUFFIXES`.
        dpi: Dots per inch of a PNG.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    require_extra("plot", "matplotlib")
    from matplotlib import rc_context

    # Without a date, which would be another one each time.
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with rc_context(
        {
            "text.usetex": False,
            "font.family": "DejaVu Sans",
            "savefig.bbox": None,
            "svg.hashsalt": "pucklab",  # without it, names in an SVG are random
        }
    ):
        data = BytesIO()
        draw().savefig(
            data,
            format=suffix[1:],
            dpi=dpi,
            facecolor=tint(palette.background),
            metadata=undated.get(suffix),
        )
    return data.getvalue()


def check_plot(field: str, path: Path, inputs: Iterable[Path | None] = ()) -> None:
    """Check, before any work is done, that a plot can be saved as a file.

    Raises:
        InputError: The name has another suffix, or the file cannot be written.
        MissingExtraError: Matplotlib is not installed.
    """
    check_writable(field, path, PLOT_SUFFIXES, inputs)
    require_extra("plot", "matplotlib")


def write_header(figure: "Figure", title: str, subtitle: str, palette: Palette) -> None:
    """Write a title and a line below it at the top of a figure, each whole: long ones are wrapped.

    The layout of the figure, which must be the constrained one, keeps clear of both.
    """
    width, height = figure.get_size_inches()
    y = height - 0.1
    for text, size, weight, colour in (
        (title, 11, "bold", palette.text),
        (subtitle, 9, "normal", palette.faint),
    ):
        # A letter is about .6 of the size wide, which is in points, 72 to an inch.
        for line in wrap(text, max(int(0.96 * width * 72 / (0.6 * size)), 20)):
            figure.text(
                0.02,
                y / height,
                line,
                ha="left",
                va="top",
                fontsize=size,
                fontweight=weight,
                color=tint(colour),
            )
            y -= _LINE_IN * size / 10
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0.0, 0.0, 1.0, (y - 0.05) / height))  # type: ignore[call-arg]


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
