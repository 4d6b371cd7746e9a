"""The plot of a trail: its lines are the distributions' own."""

from pathlib import Path

import pytest

from physics import InputError
from render.palette import DARK, LIGHT, Palette
from render.plots.trail import save_trail_plot, trail_figure

TURNS = [("one player", [(2, 0.25), (3, 0.75)]), ("winner", [(2, 0.5), (3, 0.5)])]
UNITS = [("one player", [(0, 0.9), (1, 0.0999), (80, 0.0001)])]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_each_line_is_a_distribution(palette: Palette) -> None:
    figure = trail_figure(TURNS, UNITS, title="short", units_per_cup=10, palette=palette)
    left, right = figure.axes
    drawn = {line.get_label(): line.get_xydata().tolist() for line in left.get_lines()}
    assert drawn == {name: [list(point) for point in points] for name, points in TURNS}
    assert [line.get_label() for line in right.get_lines()] == ["one player"]


def test_a_long_thin_tail_is_cut_off() -> None:
    _, right = trail_figure(TURNS, UNITS, title="short", units_per_cup=10).axes
    assert right.get_xlim()[1] < 5


def test_a_file_is_written_whole_and_nothing_without_a_distribution(tmp_path: Path) -> None:
    path = tmp_path / "t.png"
    save_trail_plot(path, TURNS, UNITS, title="short", units_per_cup=10)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="plot: nothing to draw"):
        save_trail_plot(tmp_path / "none.png", [], [], title="none", units_per_cup=10)
    assert not (tmp_path / "none.png").exists()
