"""Plots of odds: the figures in them are the odds' own."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from physics import Face, InputError, PieceOutcome, SlamOutcome
from physics.errors import MissingExtraError
from render.palette import DARK, LIGHT
from render.plots.odds import OddsPoint, odds_figure, save_odds_plot
from sim.odds import ModelRange, Odds, empty_tally, odds_of, tally_of, wilson

PIECES = 4


def odds(flips: list[int], outs: int = 0) -> Odds:
    """Return the odds of throws that flip so many pieces each; the first ``outs`` lose one."""
    total = empty_tally(PIECES)
    for trial, count in enumerate(flips):
        faces = [Face.UP] * count + [Face.DOWN] * (PIECES - count)
        if trial < outs:
            faces[-1] = Face.OUT
        total += tally_of(
            SlamOutcome(
                hit=True,
                pieces=tuple(
                    PieceOutcome(place=i, face=face, x_mm=0.0, y_mm=0.0)
                    for i, face in enumerate(faces)
                ),
                slammer=PieceOutcome(place=None, face=Face.DOWN, x_mm=0.0, y_mm=0.0),
            )
        )
    return odds_of(total)


LIGHT_ONE = OddsPoint(label="4 g", slammer_g=4.0, odds=odds([0, 1, 1, 2], outs=1))
HEAVY_ONE = OddsPoint(label="Onix", slammer_g=20.0, odds=odds([2, 3, 1, 0], outs=2))


def axes_of(figure: Figure) -> tuple[Axes, Axes, list[Axes]]:
    """Return the axes of means, those of chances, and the visible panels below."""
    means, chances, *panels = figure.axes
    return means, chances, [panel for panel in panels if panel.get_visible()]


def bars(panel: Axes) -> list[float]:
    return [patch.get_height() for patch in panel.patches if isinstance(patch, Rectangle)]


def lines(axes: Axes) -> list[tuple[list[float], list[float]]]:
    """Return x and y of the lines through points, without their error bars."""
    return [
        (
            np.asarray(container[0].get_xdata()).tolist(),
            np.asarray(container[0].get_ydata()).tolist(),
        )
        for container in axes.containers
    ]


def test_means_and_chances_stand_over_their_masses() -> None:
    means, chances, _ = axes_of(odds_figure([HEAVY_ONE, LIGHT_ONE], title="a study"))
    assert lines(means) == [([4.0, 20.0], [1.0, 1.5])]
    assert lines(chances) == [([4.0, 20.0], [0.75, 0.75]), ([4.0, 20.0], [0.25, 0.5])]


def banded(point: OddsPoint) -> OddsPoint:
    known = ModelRange(low=0.5, high=3.0, sources=())
    return replace(point, model=dict.fromkeys(("flips", "any_flip", "any_out"), known))


def test_a_band_shows_how_far_off_the_model_may_be() -> None:
    points = [banded(LIGHT_ONE), banded(HEAVY_ONE)]
    means, chances, _ = axes_of(odds_figure(points, title="a study"))
    (_, band) = means.collections  # after the error bars
    at = {tuple(vertex) for vertex in np.asarray(band.get_paths()[0].vertices).tolist()}
    assert {(4.0, 0.5), (4.0, 3.0), (20.0, 0.75), (20.0, 4.5)} <= at
    assert means.get_ylim()[1] > 4.5
    assert "model uncertainty" in means.get_title(loc="left")
    assert len(chances.collections) == 4
    plain, _, _ = axes_of(odds_figure([LIGHT_ONE, HEAVY_ONE], title="a study"))
    assert "model uncertainty" not in plain.get_title(loc="left")


def test_a_lone_mass_has_a_bar_instead_of_a_band() -> None:
    means, _, _ = axes_of(odds_figure([banded(HEAVY_ONE)], title="a study"))
    segments = [own.get_segments()[0].tolist() for own in means.collections]
    assert [[20.0, 0.75], [20.0, 4.5]] in segments


def test_each_mass_has_a_panel_of_its_distribution() -> None:
    _, _, panels = axes_of(odds_figure([HEAVY_ONE, LIGHT_ONE], title="a study"))
    assert [panel.get_title(loc="left") for panel in panels] == ["4 g", "20 g: Onix"]
    assert bars(panels[0]) == [0.25, 0.5, 0.25, 0.0, 0.0]
    assert bars(panels[1]) == [0.25, 0.25, 0.25, 0.25, 0.0]


def test_slammers_of_one_mass_share_a_panel_by_their_throws() -> None:
    points = [
        OddsPoint(label="Pikachu", slammer_g=4.0, odds=odds([0, 0, 0])),
        OddsPoint(label="Eevee", slammer_g=4.0, odds=odds([1])),
        OddsPoint(label="Machop", slammer_g=4.0, odds=odds([1, 0])),
    ]
    _, _, panels = axes_of(odds_figure(points, title="a study"))
    assert [panel.get_title(loc="left") for panel in panels] == ["4 g: 3 slammers"]
    assert bars(panels[0]) == pytest.approx([2 / 3, 1 / 3, 0.0, 0.0, 0.0])


def test_throws_that_slammers_share_count_once_in_the_intervals_of_a_panel() -> None:
    alike = [
        OddsPoint(label=name, slammer_g=4.0, odds=LIGHT_ONE.odds) for name in ("Eevee", "Pikachu")
    ]
    _, _, (panel,) = axes_of(odds_figure(alike, title="a study"))
    (_, _, (intervals,)) = panel.containers[1]
    low, high = intervals.get_segments()[1][:, 1]
    expected = wilson(2, 4)
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_masses_close_together_have_labels_that_do_not_overlap() -> None:
    points = [
        OddsPoint(label="", slammer_g=mass, odds=LIGHT_ONE.odds) for mass in (4.0, 4.5, 8.0, 20.0)
    ]
    means, _, _ = axes_of(odds_figure(points, title="a study"))
    assert [label.get_text() for label in means.get_xticklabels()] == ["4", "", "8", "20"]


def test_the_same_odds_of_one_mass_are_one_point() -> None:
    twice = [LIGHT_ONE, OddsPoint(label="Pikachu", slammer_g=4.0, odds=LIGHT_ONE.odds)]
    means, _, _ = axes_of(odds_figure([*twice, HEAVY_ONE], title="a study"))
    assert lines(means)[0][0] == [4.0, 20.0]


def test_there_are_at_most_eight_panels_with_the_ends_among_them() -> None:
    points = [
        OddsPoint(label=f"{mass} g", slammer_g=float(mass), odds=odds([1, 0]))
        for mass in range(2, 25)
    ]
    _, _, panels = axes_of(odds_figure(points, title="a study"))
    titles = [panel.get_title(loc="left") for panel in panels]
    assert len(titles) == 8
    assert (titles[0], titles[-1]) == ("2 g", "24 g")


def test_a_knock_out_shows_the_chance_of_the_target_slammer() -> None:
    point = OddsPoint(label="8 g", slammer_g=8.0, odds=odds([1, 0, 0, 0]))
    _, chances, _ = axes_of(odds_figure([point], title="a knock-out", knock_out=True))
    assert lines(chances)[0][1] == [point.odds.flips_by_place[0].value]
    assert chances.get_legend_handles_labels()[1][0] == "the target slammer flips"


def test_axes_say_what_they_show_in_which_unit() -> None:
    figure = odds_figure([LIGHT_ONE, HEAVY_ONE], title="a study")
    means, chances, panels = axes_of(figure)
    assert means.get_xlabel() == "slammer's mass (g)"
    assert "pieces flipped" in means.get_ylabel()
    assert "Wilson" in chances.get_ylabel()
    assert panels[0].get_ylabel() == "share of throws"


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_a_plot_is_written_as_a_png(tmp_path: Path, palette: object) -> None:
    path = tmp_path / "odds.png"
    chosen = LIGHT if palette is LIGHT else DARK
    save_odds_plot(path, [LIGHT_ONE, HEAVY_ONE], title="a study", palette=chosen)
    picture = pygame.image.load(path)
    assert picture.get_width() > 1000
    assert picture.get_at((0, 0))[:3] == chosen.background
    assert [entry.name for entry in tmp_path.iterdir()] == ["odds.png"]


def test_a_single_throw_and_no_flip_at_all_can_be_drawn(tmp_path: Path) -> None:
    points = [OddsPoint(label="4 g", slammer_g=4.0, odds=odds([0]))]
    save_odds_plot(tmp_path / "odds.png", points, title="")
    assert (tmp_path / "odds.png").stat().st_size > 0


def test_no_point_is_not_accepted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="points"):
        save_odds_plot(tmp_path / "odds.png", [], title="a study")


def test_without_matplotlib_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pucklab\[plot\]'") as caught:
        save_odds_plot(tmp_path / "odds.png", [LIGHT_ONE], title="a study")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_neither_pyplot_nor_pygame_is_loaded_for_a_plot(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from render.plots.odds import save_odds_plot\n"
        "from render.plots.odds import OddsPoint\n"
        "from sim.odds import odds_of, tally_of\n"
        "from physics import Face, PieceOutcome, SlamOutcome\n"
        "lies = PieceOutcome(place=0, face=Face.UP, x_mm=0.0, y_mm=0.0)\n"
        "odds = odds_of(tally_of(SlamOutcome(hit=True, pieces=(lies,), slammer=lies)))\n"
        "point = OddsPoint(label='', slammer_g=4.0, odds=odds)\n"
        "save_odds_plot(Path('odds.png'), [point], title='one')\n"
        "print('matplotlib.pyplot' in sys.modules, 'pygame' in sys.modules)\n"
    )
    root = str(Path(__file__).parent.parent)
    paths = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "False False"
