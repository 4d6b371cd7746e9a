"""Plots of residuals: the points in them are the residuals."""

import os
import subprocess
import sys

import numpy as np
import pytest

from calibration.bench import bench_constants, read_measurements
from calibration.throws import StatisticResidual
from physics import InputError
from render.palette import DARK, LIGHT, Palette
from render.plots.calibration import (
    Residual,
    ResidualPanel,
    bench_panels,
    fit_figure,
    fit_plot,
    throws_panels,
)

FLIPS = ResidualPanel(
    title="flips a throw",
    residuals=(
        Residual(group="4 g", value=0.2, error=0.3),
        Residual(group="20 g", value=-0.1, error=0.2),
    ),
)
FRICTION = ResidualPanel(
    title="friction",
    residuals=(Residual(group="ramp", value=0.01), Residual(group="ramp", value=-0.02)),
    band=0.005,
)


def test_each_panel_shows_its_residuals_over_their_groups() -> None:
    figure = fit_figure([FLIPS, FRICTION], title="a fit")
    left, right = figure.axes
    assert [label.get_text() for label in left.get_xticklabels()] == ["4 g", "20 g"]
    points = np.asarray(left.containers[0][0].get_ydata()).tolist()
    points += np.asarray(left.containers[1][0].get_ydata()).tolist()
    assert points == [0.2, -0.1]
    assert np.asarray(right.containers[0][0].get_ydata()).tolist() == [0.01, -0.02]
    assert left.get_title(loc="left") == "flips a throw"


def test_a_note_tells_what_bars_and_bands_are() -> None:
    notes = [fit_figure([panel], title="a fit").get_supxlabel() for panel in (FLIPS, FRICTION)]
    assert notes == ["bars: 95 % intervals", "grey: 95 % interval of the fitted value"]


def test_points_of_one_group_stand_side_by_side_within_it() -> None:
    (axes,) = fit_figure([FRICTION], title="a fit").axes
    places = np.asarray(axes.containers[0][0].get_xdata())
    assert len(set(places.tolist())) == 2
    assert np.abs(places).max() < 0.5


def test_a_bench_panel_holds_every_measurement_less_the_constant() -> None:
    text = "measurement,ramp_mm,run_mm\nramp,150,500\nramp,150,490\nramp,150,510"
    (constant,) = bench_constants(read_measurements(text, "bench.csv"))
    (panel,) = bench_panels([constant])
    assert [r.value + constant.value for r in panel.residuals] == pytest.approx(
        [150 / 500, 150 / 490, 150 / 510]
    )
    assert panel.band == constant.high - constant.value


def test_a_panel_of_throws_holds_what_was_seen_less_what_was_fitted() -> None:
    residual = StatisticResidual(
        setting="8 g, 6 mm on 10",
        statistic="flips a throw",
        throws=25,
        seen=1.5,
        fitted=1.2,
        standard_error=0.2,
    )
    (panel,) = throws_panels([residual])
    (point,) = panel.residuals
    assert panel.title == "flips a throw"
    assert point.value == pytest.approx(0.3)
    assert point.error == pytest.approx(0.392)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_plot_is_a_png_without_a_display(palette: Palette) -> None:
    assert fit_plot([FLIPS], title="a fit", palette=palette).startswith(b"\x89PNG")


def test_no_panels_is_an_error() -> None:
    with pytest.raises(InputError, match="panels: none"):
        fit_plot([], title="a fit")


def test_importing_the_module_does_not_import_matplotlib() -> None:
    code = "import sys, render.plots.calibration; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env=os.environ, check=False).returncode == 0
