"""The heat map of a tournament: its cells are the tallies' own."""

from pathlib import Path

import pytest

from physics import InputError
from render.palette import DARK, LIGHT, Palette
from render.plots.tournament import save_tournament_plot, tournament_figure
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.tournament import PairTally, pairs_of

PAIRS = pairs_of([shipped_catalogue().find(name) for name in ("onix", "pikachu", "lapras")])
# Lapras beats Onix in 3 of 4, loses to Pikachu in 1 of 2 with a draw; Onix and Pikachu never met.
TALLIES = (
    PairTally(battles=4, wins=3, losses=1),
    PairTally(battles=2, losses=1),
    PairTally(),
)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_each_cell_has_the_share_that_the_rows_slammer_won(palette: Palette) -> None:
    (axes,) = tournament_figure(PAIRS, TALLIES, title="three", palette=palette).axes
    rows = [label.get_text() for label in axes.get_yticklabels()]
    columns = [label.get_text() for label in axes.get_xticklabels()]
    assert rows == ["Lapras  50 %", "Pikachu  50 %", "Onix  25 %"]
    assert columns == ["Lapras", "Pikachu", "Onix"]
    assert axes.figure.texts[-1].get_text().endswith("1 of 6 drawn")
    written = {
        (
            columns[int(text.get_position()[1])],
            columns[int(text.get_position()[0])],
        ): text.get_text()
        for text in axes.texts
    }
    assert written == {
        ("Lapras", "Onix"): "75",
        ("Onix", "Lapras"): "25",
        ("Lapras", "Pikachu"): "0",
        ("Pikachu", "Lapras"): "50",
    }


def test_a_file_is_written_whole_and_nothing_without_a_battle(tmp_path: Path) -> None:
    path = tmp_path / "t.png"
    save_tournament_plot(path, PAIRS, TALLIES, title="three")
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="battles: none"):
        save_tournament_plot(tmp_path / "none.png", PAIRS, (PairTally(),) * 3, title="none")
    assert [file.name for file in tmp_path.iterdir()] == ["t.png"]
