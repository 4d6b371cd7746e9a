"""Plots as files of three kinds, with all of their text inside the picture."""

import re
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from physics import InputError
from render.palette import LIGHT
from render.plots.figures import check_plot, figure_bytes, write_header
from render.plots.tournament import tournament_figure
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.tournament import PairTally, pairs_of

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def some_figure() -> Figure:
    figure = Figure(figsize=(3.0, 2.0), layout="constrained")
    figure.subplots().plot([0, 1], [0, 1])
    return figure


@pytest.mark.parametrize("suffix", STARTS)
def test_a_plot_is_the_same_file_each_time(suffix: str) -> None:
    data = figure_bytes(some_figure, LIGHT, suffix=suffix)
    assert data.startswith(STARTS[suffix])
    assert data == figure_bytes(some_figure, LIGHT, suffix=suffix)
    assert not re.search(rb"<dc:date>|/CreationDate", data)


def test_a_plot_of_another_kind_is_refused_before_any_work(tmp_path: Path) -> None:
    for suffix in STARTS:
        check_plot("plot", tmp_path / f"a{suffix}")
    with pytest.raises(InputError, match=r"^plot: .*ends in \.png or \.svg or \.pdf$"):
        check_plot("plot", tmp_path / "a.jpg")


@pytest.mark.parametrize("count", [2, 3, 21])
def test_all_text_of_a_tournament_is_whole_whatever_its_size(count: int) -> None:
    names = list(shipped_catalogue().slammers)[:count]
    pairs = pairs_of(names)
    tallies = [PairTally(battles=20, wins=9, losses=9)] * len(pairs)
    title = "20 battles a pair (battle), greedy players, throws: table of the solid engine"
    figure = tournament_figure(pairs, tallies, title=title)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    whole = figure.bbox
    (axes,) = figure.axes
    labels = [*axes.get_xticklabels(), *axes.get_yticklabels()]
    header = figure.texts
    assert " ".join(text.get_text() for text in header).startswith(title)
    for text in (*header, *labels):
        box = text.get_window_extent(renderer)
        assert box.x0 >= whole.x0
        assert box.x1 <= whole.x1
        assert box.y0 >= whole.y0
        assert box.y1 <= whole.y1
    lowest = min(text.get_window_extent(renderer).y0 for text in header)
    assert axes.get_tightbbox(renderer).y1 <= lowest  # type: ignore[union-attr]


def test_a_long_header_is_wrapped_within_its_figure() -> None:
    figure = some_figure()
    write_header(figure, "a title " * 12, "a subtitle " * 12, LIGHT)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    assert len(figure.texts) > 4
    for text in figure.texts:
        assert text.get_window_extent(canvas.get_renderer()).x1 <= figure.bbox.x1
