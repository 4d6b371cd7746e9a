"""The model beside the 3-D engines, as a plot."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibration.fidelity import CellFidelity
from physics import InputError
from render.figures import figure_png, tint
from render.palette import LIGHT, SERIES, Palette

if TYPE_CHECKING:
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
            last = len(_STACK_PANELS) if len(panels) == 1 else column + 1
            axes = figure.add_subplot(grid[row, column : min(last, column + 2)])
            _draw(axes, own, name, label, palette)
            if column:
                axes.set_yticklabels([])
    handles = figure.axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="upper right", ncols=3, fontsize=9, frameon=False)
    return figure


def _draw(
    axes: "Axes", cells: Sequence[CellFidelity], name: str, label: str, palette: Palette
) -> None:
    rows = range(len(cells))
    mujoco = [getattr(cell.reference.mujoco, name) for cell in cells]
    penalty = [getattr(cell.reference.penalty, name) for cell in cells]
    axes.hlines(rows, mujoco, penalty, color=tint(palette.faint), linewidth=5, alpha=0.45)
    for values, marker, engine in ((mujoco, "|", "MuJoCo"), (penalty, "x", "penalty engine")):
        axes.plot(values, rows, marker, color=tint(palette.text), markersize=6, label=engine)
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
            label="model, 95 %" if row == 0 else None,
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
