"""Plots of calibrations: residuals of a fit, and the model beside the 3-D engines.

`fit_plot` draws measured less fitted values, in panels that `bench_panels` and `throws_panels`
make; `fidelity_plot` draws the statistics of every reference cell. Both return a file.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.bench import BenchConstant
from calibration.fidelity import CellFidelity, CellStatistics
from calibration.rebound import Rebound, ReboundFit
from calibration.throws import StatisticResidual
from physics import InputError
from render.palette import LIGHT, SERIES, Palette, Rgb
from render.plots.figures import colour_axes, figure_bytes, tint

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_Z_95 = 1.96
"""Standard errors in half of a 95 % interval."""

_PANEL_IN = (4.6, 3.1)
"""Width and height of a panel of residuals, in inches."""

_MAX_COLUMNS = 3
_MAX_LETTERS = 40
"""Letters of all labels of a panel together; more are written at an angle."""

_SPREAD = 0.3
"""Half of the width over which points of one group are spread, in steps of the axis."""

_DPI = 130
_ROW_IN = 0.26
_WIDTH_IN = 12.5
"""Height of a cell's row, and width of the fidelity plot, in inches."""

_PANELS = (
    ("flips", "Mean flips per throw"),
    ("any_out", "P(any puck out)"),
    ("out", "Pucks out per throw"),
    ("distance_mm", "Distance inside, mm"),
)
"""Statistics of cells with a stack, and their titles."""

"""Statistics of cells with a single slammer as the target."""

_ENGINES = (("mujoco", "|", "MuJoCo"), ("solid", "x", "solid engine"))
"""Each engine's name in a reference cell, its sign, and its name in the legend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Residual:
    """One residual.

    Attributes:
        group: Label on the axis: the kind of measurement.
        value: Measured less fitted value.
        error: Half of its 95 % interval; 0 for none.
    """

    group: str
    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResidualPanel:
    """The residuals of one quantity.

    Attributes:
        title: The quantity, and its fitted value if it has one.
        residuals: At least one.
        band: Half of the 95 % interval of the fitted value; 0 for none.
    """

    title: str
    residuals: tuple[Residual, ...]
    band: float = 0.0


def bench_panels(constants: Sequence[BenchConstant]) -> list[ResidualPanel]:
    """Return a panel per constant: every measurement less the constant."""
    return [
        ResidualPanel(
            title=f"{constant.name} {constant.value:.3f} ± {constant.standard_error:.3f}",
            residuals=tuple(
                Residual(group=kind.kind.name, value=m.value - constant.value)
                for kind in constant.kinds
                for m in kind.measurements
            ),
            band=constant.high - constant.value,
        )
        for constant in constants
    ]


def throws_panels(residuals: Sequence[StatisticResidual]) -> list[ResidualPanel]:
    """Return a panel per statistic: measured less fitted mean of each setting, with intervals."""
    return [
        ResidualPanel(
            title=statistic,
            residuals=tuple(
                Residual(
                    group=r.setting.replace(" on ", "\non "),
                    value=r.seen - r.fitted,
                    error=_Z_95 * r.standard_error,
                )
                for r in residuals
                if r.statistic == statistic
            ),
        )
        for statistic in dict.fromkeys(r.statistic for r in residuals)
    ]


def rebound_panel(rebounds: Sequence[Rebound], fit: ReboundFit) -> ResidualPanel:
    """Return the panel of returns: of each rebound, less the fitted mean of its setting."""
    means = {expected.setting: expected.fitted for expected in fit.expected}
    return ResidualPanel(
        title="return of a rebound",
        residuals=tuple(
            Residual(
                group=rebound.setting.name,
                value=rebound.returned - means[rebound.setting],
                error=_Z_95 * rebound.reading_error,
            )
            for rebound in rebounds
        ),
    )


def fit_plot(
    panels: Sequence[ResidualPanel], *, title: str, suffix: str = ".png", palette: Palette = LIGHT
) -> bytes:
    """Return a plot of residuals as a file.

    Args:
        panels: At least one.
        title: A line above the plot.
        suffix: Kind of file, one of `figures.PLOT_SUFFIXES`.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There are no panels.
    """
    if not panels:
        raise InputError("panels: none is not accepted; give at least one")
    return figure_bytes(
        lambda: fit_figure(panels, title=title, palette=palette), palette, suffix=suffix
    )


def fit_figure(
    panels: Sequence[ResidualPanel], *, title: str, palette: Palette = LIGHT
) -> "Figure":
    """Return the figure that `fit_plot` draws."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    columns = min(len(panels), _MAX_COLUMNS)
    rows = -(-len(panels) // columns)
    width, height = _PANEL_IN
    figure = Figure(
        figsize=(max(columns * width, 1.4 * width), rows * height + 0.5),
        layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08),
    )
    text = tint(palette.text)
    figure.suptitle(title, x=0.015, ha="left", fontsize=12, fontweight="bold", color=text)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for panel, own in zip(panels, axes, strict=False):
        _draw_residuals(own, panel, palette)
    for empty in axes[len(panels) :]:
        empty.set_visible(False)
    for first in axes[::columns]:
        first.set_ylabel("measured less fitted")
        first.yaxis.label.set_color(text)
    if note := _note(panels):
        figure.supxlabel(note, x=0.015, ha="left", fontsize=9, color=tint(palette.faint))
    return figure


def _note(panels: Sequence[ResidualPanel]) -> str:
    """Return the meaning of bars and bands, as far as there are any."""
    bars = any(residual.error for panel in panels for residual in panel.residuals)
    bands = any(panel.band for panel in panels)
    notes = ["bars: 95 % intervals"] * bars + ["grey: 95 % interval of the fitted value"] * bands
    return "; ".join(notes)


def _draw_residuals(axes: "Axes", panel: ResidualPanel, palette: Palette) -> None:
    groups = list(dict.fromkeys(residual.group for residual in panel.residuals))
    if panel.band:
        axes.axhspan(-panel.band, panel.band, color=tint(palette.floor), linewidth=0)
    axes.axhline(0.0, color=tint(palette.wall), linewidth=1.0)
    for index, group in enumerate(groups):
        own = [residual for residual in panel.residuals if residual.group == group]
        axes.errorbar(
            [index + offset for offset in _offsets(len(own))],
            [residual.value for residual in own],
            yerr=[residual.error for residual in own] if any(r.error for r in own) else None,
            color=tint(SERIES[0]),
            linestyle="none",
            marker="o",
            markersize=4.5,
            capsize=3,
        )
    widest = max(len(line) for group in groups for line in group.splitlines())
    long = widest * len(groups) > _MAX_LETTERS
    axes.set_xticks(
        range(len(groups)),
        groups,
        rotation=35 if long else 0,
        ha="right" if long else "center",
        rotation_mode="anchor",
    )
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.set_title(panel.title, loc="left", fontsize=10, color=tint(palette.text))
    colour_axes(axes, palette)
    axes.tick_params(labelsize=8)


def _offsets(count: int) -> list[float]:
    """Return the places of the points of one group, side by side around the middle of the group."""
    if count == 1:
        return [0.0]
    return [_SPREAD * (2 * k / (count - 1) - 1) for k in range(count)]


def fidelity_plot(
    cells: Sequence[CellFidelity], *, title: str, suffix: str = ".png", palette: Palette = LIGHT
) -> bytes:
    """Return a plot of the model beside the 3-D engines, as a PNG file.

    Every cell has a sign for the solid engine and a point for the model, with the 95 % interval of
    their distance; where MuJoCo threw, a sign for it, and a bar between the engines. Cells left out
    of the fit have open points.

    Args:
        cells: The cells; at least one.
        title: A line above the plot.
        suffix: Kind of file, one of `figures.PLOT_SUFFIXES`.
        palette: The colours.

    Raises:
        MissingExtraError: Matplotlib is not installed.
        InputError: There are no cells.
    """
    if not cells:
        raise InputError("cells: none is not accepted; give at least one")
    return figure_bytes(
        lambda: fidelity_figure(cells, title=title, palette=palette),
        palette,
        suffix=suffix,
        dpi=_DPI,
    )


def fidelity_figure(
    cells: Sequence[CellFidelity], *, title: str, palette: Palette = LIGHT
) -> "Figure":
    """Return the figure that `fidelity_plot` draws."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(
        figsize=(_WIDTH_IN, len(cells) * _ROW_IN + 1.5),
        layout=ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06),
    )
    text = tint(palette.text)
    figure.suptitle(title, x=0.015, ha="left", fontsize=12, fontweight="bold", color=text)
    columns = figure.subplots(1, len(_PANELS))
    for column, ((name, label), axes) in enumerate(zip(_PANELS, columns, strict=True)):
        _draw_statistic(axes, cells, name, label, palette)
        if column:
            axes.set_yticklabels([])
    figure.legend(
        handles=_legend(cells, palette),
        loc="upper right",
        ncols=5,
        fontsize=9,
        frameon=False,
        labelcolor=text,
    )
    return figure


def _legend(cells: Sequence[CellFidelity], palette: Palette) -> list["Artist"]:
    """Return the entries of the legend; open points only if there are any."""
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
        sign(marker, palette.text, palette.text, label)
        for engine, marker, label in _ENGINES
        if any(getattr(cell.reference, engine) is not None for cell in cells)
    ]
    if any(cell.reference.mujoco is not None for cell in cells):
        signs.append(Patch(color=tint(palette.faint), alpha=0.45, label="between the engines"))
    signs.append(sign("o", SERIES[0], SERIES[0], "model, 95 % interval"))
    if not all(cell.fitted for cell in cells):
        signs.append(sign("o", SERIES[0], palette.background, "model, cell left out of the fit"))
    return signs


def _draw_statistic(
    axes: "Axes", cells: Sequence[CellFidelity], name: str, label: str, palette: Palette
) -> None:
    rows = range(len(cells))
    found = [
        [_value(getattr(cell.reference, engine), name) for cell in cells]
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
    colour_axes(axes, palette, lines=("bottom",))
    axes.grid(axis="x", color=tint(palette.floor))
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8, length=0)


def _value(statistics: CellStatistics | None, name: str) -> float:
    """Return a statistic; nan, which is not drawn, where an engine did not throw."""
    value: float = math.nan if statistics is None else getattr(statistics, name)
    return value
