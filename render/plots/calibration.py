"""Plots of calibrations: residuals of a fit, and the model beside the 3-D engines.

`fit_figure` draws measured less fitted values, in panels that `bench_panels` and `throws_panels`
make; `fidelity_figure` draws the statistics of every reference cell.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from calibration.bench import BenchConstant
from calibration.fidelity import CHECKS, CellFidelity, CellStatistics
from calibration.rebound import Rebound, ReboundFit
from calibration.throws import StatisticResidual
from physics import InputError
from physics.facts import fact
from render.palette import LIGHT, SERIES, Palette, Rgb
from render.plots.figures import Look, new_figure, style_axes, tint

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_Z_95 = 1.96
"""Standard errors in half of a 95 % interval."""

_PANEL_IN, _MAX_COLUMNS = (4.6, 3.1), 3
"""Width and height of a panel of residuals, in inches, and panels side by side."""

_MAX_LETTERS = 40
"""Letters of all labels of a panel together; more are written at an angle."""

_SPREAD = 0.3
"""Half of the width over which points of one group are spread, in steps of the axis."""

_WIDTH_IN, _ROW_IN = 12.5, 0.26
"""Width of the fidelity plot, and height of a cell's row, in inches."""

_STATISTICS = (
    ("flips", "Mean flips per throw"),
    ("any_out", "P(any puck out)"),
    ("out", "Pucks out per throw"),
    ("distance_mm", "Distance inside, mm"),
)
"""Statistics of cells, and their titles."""

_SIGNS = (*zip(CHECKS, "|+", CHECKS.values(), strict=True), ("solid", "x", "solid engine"))
"""Each engine's name, its sign, and its name in the legend."""


@fact
class Residual:
    """One residual."""

    group: str  # label on the axis: the kind of measurement
    value: float  # measured less fitted value
    error: float = 0.0  # half of its 95 % interval; 0 for none


@fact
class ResidualPanel:
    """The residuals of one quantity."""

    title: str  # the quantity, and its fitted value if it has one
    residuals: tuple[Residual, ...]  # at least one
    band: float = 0.0  # half of the 95 % interval of the fitted value; 0 for none


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


def fit_figure(
    panels: Sequence[ResidualPanel], *, title: str, palette: Palette = LIGHT
) -> "Figure":
    """Return a plot of residuals.

    Raises:
        InputError: There are no panels.
    """
    if not panels:
        raise InputError("panels: none is not accepted; give at least one")
    columns = min(len(panels), _MAX_COLUMNS)
    rows = -(-len(panels) // columns)
    width, height = _PANEL_IN
    size = (max(columns * width, 1.4 * width), rows * height + 0.5)
    bars = any(residual.error for panel in panels for residual in panel.residuals)
    notes = ["bars: 95 % intervals"] * bars
    notes += ["grey: 95 % interval of the fitted value"] * any(panel.band for panel in panels)
    figure = new_figure(size, title, palette, about="; ".join(notes))
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for number, own in enumerate(axes):
        own.set_visible(number < len(panels))
        style_axes(own, palette, y="" if number % columns else "measured less fitted")
    for panel, own in zip(panels, axes, strict=False):
        _draw_residuals(own, panel, palette)
    return figure


def _draw_residuals(axes: "Axes", panel: ResidualPanel, palette: Palette) -> None:
    groups = list(dict.fromkeys(residual.group for residual in panel.residuals))
    if panel.band:
        axes.axhspan(-panel.band, panel.band, color=tint(palette.floor), linewidth=0)
    axes.axhline(0.0, color=tint(palette.wall), linewidth=1.0)
    for index, group in enumerate(groups):
        own = [residual for residual in panel.residuals if residual.group == group]
        # Side by side around the middle of the group.
        spread, steps = (_SPREAD, len(own) - 1) if len(own) > 1 else (0.0, 1)
        places = [index + spread * (2 * k / steps - 1) for k in range(len(own))]
        axes.errorbar(
            places,
            [residual.value for residual in own],
            yerr=[residual.error for residual in own] if any(r.error for r in own) else None,
            color=tint(SERIES[0]),
            linestyle="none",
            marker="o",
            markersize=4.5,
            capsize=3,
        )
    widest = max(len(line) for group in groups for line in group.splitlines())
    turned: Look = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
    long = widest * len(groups) > _MAX_LETTERS
    axes.set_xticks(range(len(groups)), groups, **(turned if long else {}))
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.set_title(panel.title, loc="left", fontsize=10, color=tint(palette.text))
    axes.tick_params(labelsize=8)


def fidelity_figure(
    cells: Sequence[CellFidelity], *, title: str, palette: Palette = LIGHT
) -> "Figure":
    """Return a plot of the model beside the 3-D engines.

    Every cell has a sign for the solid engine and a point for the model, with the 95 % interval of
    their distance; where MuJoCo threw, a sign for it, and a bar between the engines. Cells left out
    of the fit have open points.

    Raises:
        InputError: There are no cells.
    """
    if not cells:
        raise InputError("cells: none is not accepted; give at least one")
    figure = new_figure((_WIDTH_IN, len(cells) * _ROW_IN + 1.5), title, palette)
    columns = figure.subplots(1, len(_STATISTICS))
    for (name, label), axes in zip(_STATISTICS, columns, strict=True):
        _draw_statistic(axes, cells, name, label, palette)
        if axes is not columns[0]:
            axes.set_yticklabels([])
    legend = _legend(cells, palette)
    look: Look = {"fontsize": 9, "frameon": False, "labelcolor": tint(palette.text)}
    figure.legend(handles=legend, loc="upper right", ncols=5, **look)
    return figure


def _legend(cells: Sequence[CellFidelity], palette: Palette) -> list["Artist"]:
    """Return the entries of the legend; open points only if there are any."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def sign(marker: str, colour: Rgb, inside: Rgb, label: str) -> Line2D:
        look: Look = {"markersize": 6, "color": tint(colour), "markerfacecolor": tint(inside)}
        return Line2D([], [], marker=marker, linestyle="none", label=label, **look)

    signs: list[Artist] = [
        sign(marker, palette.text, palette.text, label)
        for engine, marker, label in _SIGNS
        if any(_engine(cell, engine) is not None for cell in cells)
    ]
    if any(cell.reference.checks for cell in cells):
        signs.append(Patch(color=tint(palette.faint), alpha=0.45, label="between the engines"))
    signs.append(sign("o", SERIES[0], SERIES[0], "model, 95 % interval"))
    if not all(cell.fitted for cell in cells):
        signs.append(sign("o", SERIES[0], palette.background, "model, cell left out of the fit"))
    return signs


def _draw_statistic(
    axes: "Axes", cells: Sequence[CellFidelity], name: str, label: str, palette: Palette
) -> None:
    style_axes(axes, palette, lines=("bottom",), grid="x")
    rows = range(len(cells))
    found = [[_value(_engine(cell, engine), name) for cell in cells] for engine, _, _ in _SIGNS]
    low, high = np.nanmin(found, axis=0), np.nanmax(found, axis=0)
    axes.hlines(rows, low, high, color=tint(palette.faint), linewidth=5, alpha=0.45)
    for values, (_, marker, _) in zip(found, _SIGNS, strict=True):
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
    axes.tick_params(labelsize=8, length=0)


def _engine(cell: CellFidelity, engine: str) -> CellStatistics | None:
    reference = cell.reference
    return reference.solid if engine == "solid" else reference.checks.get(engine)


def _value(statistics: CellStatistics | None, name: str) -> float:
    """Return a statistic; nan, which is not drawn, where an engine did not throw."""
    value: float = math.nan if statistics is None else getattr(statistics, name)
    return value
