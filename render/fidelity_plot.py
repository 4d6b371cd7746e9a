"""The model beside the 3-D engines, as a plot."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibration.fidelity import CellFidelity
from physics import InputError
from render.figures import figure_png, tint
from render.palette import LIGHT, SERIES, Palette, Rgb

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DPI = 130
_ROW_IN = 0.26
_WIDTH_IN = 12.5
_STACK_PANELS = (
    ("flips", "Mean flips a throw"),
    ("any_out", "P(any puck out)"),
    ("out", "Pucks out a throw"),
    ("distance_mm", "Distance inside, mm"),
)
_KNOCK_OUT_PANELS = (("knocked_out", "P(lying slammer ends face up)"),)
_ENGINES = (("mujoco", "|", "MuJoCo"), ("penalty", "x", "penalty engine"))
"""Each engine's name in a reference cell, its sign, and its name in the legend."""

_Z_95 = 1.96


def fidelity_plot(cells: Sequence[CellFidelity], *, title: str, palette: Palette = LIGHT) -> bytes:
    """Return a PNG: for each cell a bar from one engine to the other, and the model as a point.

    The model's point has the 95 % interval of its distance from the engines' mean; cells left out
    of the fit have open points.

    Args:
        cells: The model beside the reference; at least one.
        title: A line above the plot.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There are no cells.
    """
    if not cells:
        raise InputError("cells: none is not accepted; give at least one")
    return figure_png(
        lambda: fidelity_figure(cells, title=title, palette=palette), palette, dpi=_DPI
    )


def fidelity_figure(
    cells: Sequence[CellFidelity], *, title: str, palette: Palette = LIGHT
) -> "Figure":
    """Return the figure that `fidelity_plot` draws."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    groups = [
        (panels, own)
        for panels, own in (
            (_STACK_PANELS, [cell for cell in cells if not cell.is_knock_out]),
            (_KNOCK_OUT_PANELS, [cell for cell in cells if cell.is_knock_out]),
        )
        if own
    ]
    heights = [len(own) * _ROW_IN + 0.9 for _, own in groups]
    figure = Figure(
        figsize=(_WIDTH_IN, sum(heights) + 0.6),
        layout=ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06),
    )
    text = tint(palette.text)
    figure.suptitle(title, x=0.015, ha="left", fontsize=12, fontweight="bold", color=text)
    grid = figure.add_gridspec(len(groups), len(_STACK_PANELS), height_ratios=heights)
    for row, (panels, own) in enumerate(groups):
        for column, (name, label) in enumerate(panels):
            # A single panel leaves the last column to the legend.
            last = len(_STACK_PANELS) - 1 if len(panels) == 1 else column + 1
            axes = figure.add_subplot(grid[row, column:last])
            _draw(axes, own, name, label, palette)
            if column:
                axes.set_yticklabels([])
    beside = any(panels is _KNOCK_OUT_PANELS for panels, _ in groups)
    figure.legend(
        handles=_legend(cells, palette),
        loc="lower right" if beside else "upper right",
        ncols=1 if beside else 5,
        fontsize=9,
        frameon=False,
        labelcolor=text,
    )
    return figure


def _legend(cells: Sequence[CellFidelity], palette: Palette) -> list["Artist"]:
    """Return what the signs mean; open points only where there are any."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def sign(marker: str, colour: Rgb, inside: Rgb, label: str) -> Line2D:
        return Line2D(
            [],
            [],
            marker=marker,
            markersize=6,
            linestyle="none",
            color=tint(colour),
            markerfacecolor=tint(inside),
            label=label,
        )

    signs: list[Artist] = [
        sign(marker, palette.text, palette.text, label) for _, marker, label in _ENGINES
    ]
    signs.append(Patch(color=tint(palette.faint), alpha=0.45, label="between the engines"))
    signs.append(sign("o", SERIES[0], SERIES[0], "model, 95 % interval"))
    if not all(cell.fitted for cell in cells):
        signs.append(sign("o", SERIES[0], palette.background, "model, cell not fitted on"))
    return signs


def _draw(
    axes: "Axes", cells: Sequence[CellFidelity], name: str, label: str, palette: Palette
) -> None:
    rows = range(len(cells))
    found = [
        [getattr(getattr(cell.reference, engine), name) for cell in cells]
        for engine, _, _ in _ENGINES
    ]
    axes.hlines(rows, found[0], found[1], color=tint(palette.faint), linewidth=5, alpha=0.45)
    for values, (_, marker, _) in zip(found, _ENGINES, strict=True):
        axes.plot(values, rows, marker, color=tint(palette.text), markersize=6)
    for row, cell in zip(rows, cells, strict=True):
        axes.errorbar(
            getattr(cell.model, name),
            row,
            xerr=None if name == "distance_mm" else _Z_95 * cell.error_se(name),
            color=tint(SERIES[0]),
            marker="o",
            markersize=5,
            markerfacecolor=tint(SERIES[0] if cell.fitted else palette.background),
            capsize=2,
            linestyle="none",
        )
    axes.set_yticks(rows, [cell.reference.cell.name for cell in cells])
    axes.set_ylim(len(cells) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_title(label, loc="left", fontsize=10, color=tint(palette.text))
    axes.set_facecolor(tint(palette.background))
    axes.grid(axis="x", color=tint(palette.floor))
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(tint(palette.wall))
    axes.tick_params(colors=tint(palette.faint), labelsize=8, length=0)
