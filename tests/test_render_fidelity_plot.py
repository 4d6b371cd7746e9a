"""The plot of the model beside the engines: what it shows is what was compared."""

import pytest

from calibration.cells import Cell
from calibration.fidelity import ReferenceCell, compare, statistics_of
from physics import InputError
from render.plots.calibration import fidelity_figure, fidelity_plot
from tests.tallies import tally_of_rows

STACK = Cell(slammer_g=8.0, thickness_mm=6.0, speed_m_s=5.0, pucks=3)
TALL = Cell(slammer_g=8, thickness_mm=6, speed_m_s=5, pucks=5)


def cells() -> tuple:
    def throws(faces: str) -> object:
        return statistics_of(tally_of_rows(faces, 30_000))

    reference = [
        ReferenceCell(cell=cell, mujoco=throws(m), solid=throws(p))
        for cell, m, p in ((STACK, "DDU DUU", "DDD DDD"), (TALL, "DDDDU DDDDD", "DDDDD DDDDD"))
    ]
    return compare(reference, [throws("DUU DUU"), throws("DDDDU DDDDU")], frozenset({STACK.name}))


def test_each_statistic_has_a_panel() -> None:
    figure = fidelity_figure(cells(), title="a model")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [
        "Mean flips per throw",
        "P(any puck out)",
        "Pucks out per throw",
        "Distance inside, mm",
    ]
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == [STACK.name, TALL.name]


def test_the_bar_goes_from_one_engine_to_the_other_and_the_point_is_the_model() -> None:
    axes = fidelity_figure(cells(), title="a model").axes[0]
    ((start, _), (end, _)) = axes.collections[0].get_segments()[0]
    assert (start, end) == (1.5, 0.0)
    model = axes.containers[0].lines[0]
    assert model.get_xdata()[0] == 2.0


def test_a_cell_left_out_of_the_fit_has_an_open_point() -> None:
    flips, *_ = fidelity_figure(cells(), title="a model").axes
    filled, opened = (container.lines[0] for container in flips.containers)
    assert filled.get_markerfacecolor() == filled.get_color()
    assert opened.get_markerfacecolor() != opened.get_color()


def test_the_legend_tells_open_points_only_where_there_are_any() -> None:
    every = cells()
    (both,) = fidelity_figure(every, title="a model").legends
    (stacks,) = fidelity_figure(every[:1], title="a model").legends
    labels = [[text.get_text() for text in legend.get_texts()] for legend in (both, stacks)]
    fitted = ["MuJoCo", "solid engine", "between the engines", "model, 95 % interval"]
    assert labels == [[*fitted, "model, cell left out of the fit"], fitted]


def test_no_cells_are_refused() -> None:
    with pytest.raises(InputError, match="cells: none is not accepted"):
        fidelity_plot([], title="nothing")


def test_the_picture_is_a_png() -> None:
    assert fidelity_plot(cells(), title="a model").startswith(b"\x89PNG")
