"""Parts that all plots share: figures with a heading, panels and their look, files.

A plot is a function that returns a figure; `save_plot` draws and writes it. Matplotlib is imported
only when something is drawn.
"""

import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeAlias

from pucklab.base.errors import require_extra
from pucklab.base.files import check_writable, write_whole
from pucklab.render.palette import LIGHT, SERIES, hex_code
from pucklab.sim.experiments import Proportion
from pucklab.sim.experiments.paired import Difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.legend import Legend

PLOT_SUFFIXES = (".png", ".svg", ".pdf")
"""Suffixes of plots."""

BACK, FLOOR, WALL, FAINT, TEXT = map(
    hex_code, (LIGHT.background, LIGHT.floor, LIGHT.wall, LIGHT.faint, LIGHT.text)
)
COLOURS = tuple(map(hex_code, SERIES))
"""Colours of series, in the order of use; blue and orange are the first."""

_DPI = 150
_PAD_IN = 0.07
_LINE_IN = 0.21
"""Dots per inch of a PNG; margin around panels, and height of a line above them, in inches."""

_Drawn = ParamSpec("_Drawn")

Interval: TypeAlias = Proportion | Difference

Look: TypeAlias = dict[str, Any]
"""Options of a drawing, by their names in Matplotlib."""

POINTS: Look = {"linestyle": "none", "marker": "o", "capsize": 3}
"""Look of points with error bars."""


def save_plot(
    path: Path, draw: "Callable[_Drawn, Figure]", *facts: _Drawn.args, **named: _Drawn.kwargs
) -> None:
    """Write a figure as a PNG, SVG or PDF file, whole or not at all; see `figure_bytes`."""
    write_whole(path, figure_bytes(path.suffix.lower(), draw, *facts, **named))


def figure_bytes(
    suffix: str, draw: "Callable[_Drawn, Figure]", *facts: _Drawn.args, **named: _Drawn.kwargs
) -> bytes:
    """Return a figure as a file; the same figure gives the same bytes.

    Args:
        suffix: One of `PLOT_SUFFIXES`.
        draw: Makes the figure; the user's own Matplotlib settings do not affect it.
        *facts: Its arguments.
        **named: Its arguments by name.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    import_matplotlib()
    from matplotlib import rc_context

    # Without a date, which would be another one each time.
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with rc_context(
        {
            "text.usetex": False,
            "text.parse_math": False,  # names of pucks and boards are no formulas
            "font.family": "DejaVu Sans",
            "savefig.bbox": None,
            "savefig.facecolor": "auto",
            "svg.hashsalt": "pucklab",  # without it, names in an SVG are random
        }
    ):
        data = BytesIO()
        figure = draw(*facts, **named)
        figure.savefig(data, format=suffix[1:], dpi=_DPI, metadata=undated.get(suffix))
    return data.getvalue()


def import_matplotlib() -> None:
    """Import Matplotlib, whatever ``MPLBACKEND`` says: files are drawn with Agg and its like.

    The variable of a notebook's kernel names a backend that may not be installed here, with which
    Matplotlib cannot be imported.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    require_extra("plot", "matplotlib")
    if "matplotlib" not in sys.modules:
        backend = os.environ.pop("MPLBACKEND", "")
        try:
            import matplotlib as mpl
        finally:
            if backend:
                os.environ["MPLBACKEND"] = backend
        if backend:  # for the user's own figures
            with suppress(ValueError):
                mpl.rcParams["backend"] = backend


def check_plot(field: str, path: Path, inputs: Iterable[Path | None] = ()) -> None:
    """Check, before any work is done, that a plot can be saved as a file.

    Raises:
        InputError: The name has another suffix, or the file cannot be written.
        MissingExtraError: Matplotlib is not installed.
    """
    check_writable(field, path, PLOT_SUFFIXES, inputs)
    require_extra("plot", "matplotlib")


def new_figure(size_in: tuple[float, float], title: str, *, about: str = "") -> "Figure":
    """Return a figure with a heading: a title, and a fainter line below it; long ones are wrapped.

    Its panels, in a constrained layout, keep clear of the heading.
    """
    import_matplotlib()
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    width, height = size_in
    figure = _figure_class()(figsize=size_in, facecolor=BACK)
    y = height - 0.1
    for text, size, weight, colour in (
        (title[:1].upper() + title[1:], 11, "bold", TEXT),
        (about, 9, "normal", FAINT),
    ):
        # A number stays with its unit. A letter is about .6 of the size wide, which is in points,
        # 72 to an inch.
        whole = re.sub(r"(?<=\d) (?=(g|mm|m/s)\b|%)", "\u00a0", text)
        for line in wrap(whole, max(int(0.96 * width * 72 / (0.6 * size)), 20)):
            place = (0.02, y / height)
            figure.text(
                *place,
                line.replace("\u00a0", " "),
                va="top",
                size=size,
                weight=weight,
                color=colour,
            )
            y -= _LINE_IN * size / 10
    room = (0.0, 0.0, 1.0, (y - 0.05) / height)
    figure.set_layout_engine(ConstrainedLayoutEngine(w_pad=_PAD_IN, h_pad=_PAD_IN, rect=room))
    return figure


@cache
def _figure_class() -> "type[Figure]":
    """Return the class of figures that a notebook shows by themselves, with or without pyplot."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            return figure_bytes(".png", lambda: self)

    return ShownFigure


def style_axes(
    axes: "Axes",
    *,
    lines: Collection[str] = ("left", "bottom"),
    grid: Literal["x", "y", ""] = "",
    x: str = "",
    y: str = "",
    title: str = "",
    caption: str = "",
) -> None:
    """Give axes the look of all plots, with labels and words above.

    Args:
        axes: The axes.
        lines: Sides with a line: ``left``, ``right``, ``top``, ``bottom``.
        grid: The axis whose values have lines behind the data.
        x: Label below.
        y: Label on the left.
        title: Text above.
        caption: Small, faint text in place of a title.
    """
    axes.set_facecolor(BACK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in lines)
        spine.set_color(WALL)
    axes.tick_params(colors=FAINT)
    axes.set_xlabel(x, color=TEXT)
    axes.set_ylabel(y, color=TEXT)
    write_title(axes, title or caption, *((10, TEXT) if title else (9, FAINT)))
    if grid:
        axes.grid(visible=True, axis=grid, color=FLOOR, linewidth=0.8)
        axes.set_axisbelow(True)


def write_title(axes: "Axes", text: str, size: int = 10, colour: str = TEXT) -> None:
    """Write a line above axes."""
    axes.set_title(text, loc="left", fontsize=size, color=colour)


def panel_grid(
    figure: "Figure | SubFigure", count: int, most_columns: int, y: str, *, shared: bool = False
) -> "list[Axes]":
    """Return panels row by row, those on the left with a label; all may share their axes."""
    columns = min(count, most_columns)
    rows = -(-count // columns)
    panels = figure.subplots(rows, columns, squeeze=False, sharex=shared, sharey=shared)
    for number, axes in enumerate(panels.flat):
        axes.set_visible(number < count)
        style_axes(axes, y="" if number % columns else y)
    return list(panels.flat)[:count]


def draw_legend(on: "Axes | Figure", **options: Any) -> "Legend":
    """Draw a legend without a frame."""
    return on.legend(fontsize=9, frameon=False, labelcolor=TEXT, **options)


def whiskers(intervals: Sequence[Interval]) -> list[list[float]]:
    """Return the lengths of intervals below and above their values, as error bars; shape (2, N)."""
    # The end of an interval may miss the value inside it by a rounding error.
    return [
        [max(0.0, one.value - one.low) for one in intervals],
        [max(0.0, one.high - one.value) for one in intervals],
    ]
