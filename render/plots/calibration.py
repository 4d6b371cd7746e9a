"""Plots of calibrations: residuals of a fit, and the model beside the 3-D engines.

`fit_figure` draws measured less fitted values, in panels that `bench_panels` and `throws_panels`
make; `fidelity_figure` draws the statistics of every reference cell.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pucklab.base.facts import fact
from pucklab.calibration.bench import BenchConstant
from pucklab.calibration.fidelity.compare import CellFidelity
from pucklab.calibration.rebound.fit import ReboundFit
from pucklab.calibration.rebound.measurements import Rebound
from pucklab.calibration.simulated_fit import StatisticResidual
from pucklab.render.plots.figures import (
    BACK,
    COLOURS,
    FAINT,
    FLOOR,
    POINTS,
    TEXT,
    WALL,
    Look,
    draw_legend,
    new_figure,
    panel_grid,
    style_axes,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
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

_SIGNS = (("mujoco", "|", "MuJoCo"), ("solid", "x", "solid engine"))
"""Field of `ReferenceCell` that holds an engine, its sign, and its name in the legend."""


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


def fit_figure(panels: Sequence[ResidualPanel], *, title: str) -> "Figure":
    """Return a plot of residuals, in at least one panel."""
    columns = min(len(panels), _MAX_COLUMNS)
    width, height = _PANEL_IN
    size = (max(columns, 1.4) * width, -(-len(panels) // columns) * height + 0.5)
    bars = any(residual.error for panel in panels for residual in panel.residuals)
    notes = ["bars: 95 % intervals"] * bars
    notes += ["grey: 95 % interval of the fitted value"] * any(panel.band for panel in panels)
    figure = new_figure(size, title, about="; ".join(notes))
    shown = panel_grid(figure, len(panels), columns, "measured less fitted")
    for panel, axes in zip(panels, shown, strict=True):
        write_title(axes, panel.title)
        groups = list(dict.fromkeys(residual.group for residual in panel.residuals))
        if panel.band:
            axes.axhspan(-panel.band, panel.band, color=FLOOR, linewidth=0)
        axes.axhline(0.0, color=WALL, linewidth=1.0)
        for index, group in enumerate(groups):
            own = [residual for residual in panel.residuals if residual.group == group]
            # Side by side around the middle of the group.
            spread, steps = (_SPREAD, len(own) - 1) if len(own) > 1 else (0.0, 1)
            places = [index + spread * (2 * k / steps - 1) for k in range(len(own))]
            axes.errorbar(
                places,
                [residual.value for residual in own],
                yerr=[residual.error for residual in own] if any(r.error for r in own) else None,
                color=COLOURS[0],
                markersize=4.5,
                **POINTS,
            )
        widest = max(len(line) for group in groups for line in group.splitlines())
        turned: Look = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
        long = widest * len(groups) > _MAX_LETTERS
        axes.set_xticks(range(len(groups)), groups, **(turned if long else {}))
        axes.set_xlim(-0.6, len(groups) - 0.4)
        axes.tick_params(labelsize=8)
    return figure


def fidelity_figure(cells: Sequence[CellFidelity], *, title: str) -> "Figure":
    """Return a plot of the model beside the 3-D engines.

    Every cell has a sign for the solid engine and a point for the model, with the 95 % interval of
    their distance; where there are throws of MuJoCo, a sign for it, and a bar between the engines.
    Cells left out of the fit have open points.
    """
    figure = new_figure((_WIDTH_IN, len(cells) * _ROW_IN + 1.5), title)
    columns = figure.subplots(1, len(_STATISTICS))
    for (name, label), axes in zip(_STATISTICS, columns, strict=True):
        style_axes(axes, lines=("bottom",), grid="x", title=label)
        rows = range(len(cells))
        # Where an engine did not throw, nan is not drawn.
        found = [
            [getattr(getattr(cell.reference, engine), name, math.nan) for cell in cells]
            for engine, _, _ in _SIGNS
        ]
        low, high = np.nanmin(found, axis=0), np.nanmax(found, axis=0)
        axes.hlines(rows, low, high, color=FAINT, linewidth=5, alpha=0.45)
        for values, (_, marker, _) in zip(found, _SIGNS, strict=True):
            axes.plot(values, rows, marker, color=TEXT, markersize=6)
        for row, cell in zip(rows, cells, strict=True):
            axes.errorbar(
                getattr(cell.model, name),
                row,
                xerr=None if name == "distance_mm" else _Z_95 * cell.error_se(name),
                color=COLOURS[0],
                markersize=5,
                markerfacecolor=COLOURS[0] if cell.fitted else BACK,
                **POINTS | {"capsize": 2},
            )
        axes.set_yticks(rows, [cell.reference.cell.name for cell in cells])
        axes.set_ylim(len(cells) - 0.5, -0.5)
        axes.set_xlim(left=0)
        axes.tick_params(labelsize=8, length=0)
        if axes is not columns[0]:
            axes.set_yticklabels([])
    draw_legend(figure, handles=_legend(cells), loc="upper right", ncols=5)
    return figure


def _legend(cells: Sequence[CellFidelity]) -> list["Artist"]:
    """Return the entries of the legend; open points only if there are any."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def sign(marker: str, colour: str, inside: str, label: str) -> Line2D:
        look: Look = {"markersize": 6, "color": colour, "markerfacecolor": inside}
        return Line2D([], [], marker=marker, linestyle="none", label=label, **look)

    signs: list[Artist] = [
        sign(marker, TEXT, TEXT, label)
        for engine, marker, label in _SIGNS
        if any(getattr(cell.reference, engine) for cell in cells)
    ]
    if any(cell.reference.mujoco for cell in cells):
        signs.append(Patch(color=FAINT, alpha=0.45, label="between the engines"))
    signs.append(sign("o", COLOURS[0], COLOURS[0], "model, 95 % interval"))
    if not all(cell.fitted for cell in cells):
        signs.append(sign("o", COLOURS[0], BACK, "model, cell left out of the fit"))
    return signs
