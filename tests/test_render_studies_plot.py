"""Plots of studies: the figures in them are those of the tallies."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
from render.plots import studies
from render.plots.studies import (
    axis_label,
    save_best_plot,
    save_differences_plot,
    save_tornado_plot,
    sweep_figure,
)
from sim.odds import OddsRow, Study, Tally, model_ranges, odds_of
from sim.odds.paired import best_value, difference, paired_tally, swing

PIECES = 2


def row_of(flipped: int, name: str = "Onix", mass_g: float = 20.0) -> OddsRow:
    """Return a row of 100 throws, so many of which flip one piece."""
    scene = Scene(slammer=puckdex_slammer(mass_g), stack=puck_stack(PIECES))
    tally = Tally(
        trials=100,
        hits=100,
        flips=(100 - flipped, flipped, 0),
        flips_by_place=(flipped, 0),
        outs=(100, 0, 0),
        leaning=0,
        distance_um=0,
        slammers_out=0,
    )
    study = Study(scene=scene, thrower=ThrowDistribution())
    return OddsRow(name=name, study=study, tally=tally, seed=1, version="0")


def test_a_sweep_over_one_field_is_a_curve_for_each_slammer_with_its_band() -> None:
    rows = [row_of(k * 10, name) for k in range(1, 4) for name in ("Onix", "Lapras")]
    values = [{"speed_m_s": float(k)} for k in range(1, 4) for _ in range(2)]
    figure = sweep_figure(rows, values, title="a sweep")
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == ["Onix", "Lapras"]
    for axes in (left, right):
        for line in axes.lines:
            assert np.asarray(line.get_xdata()).tolist() == [1.0, 2.0, 3.0]
            assert np.asarray(line.get_ydata()).tolist() == pytest.approx([0.1, 0.2, 0.3])
    band = right.collections[0].get_paths()[0].vertices
    chance = odds_of(rows[0].tally).any_flip
    assert {chance.low, chance.high} <= {y for x, y in np.asarray(band).tolist() if x == 1.0}
    assert left.get_xlabel() == "speed (m/s)"


def test_a_sweep_over_masses_is_one_curve() -> None:
    rows = [row_of(10, f"{mass_g:g} g", mass_g) for mass_g in (4.0, 8.0, 12.0)]
    values = [{"slammer_g": mass_g} for mass_g in (4.0, 8.0, 12.0)]
    left, right = sweep_figure(rows, values, title="a sweep").axes
    assert [len(axes.lines) for axes in (left, right)] == [1, 1]


def test_a_sweep_over_two_fields_is_a_map_with_the_first_across() -> None:
    values = [{"friction": x, "pucks": y} for x in (0.1, 0.2, 0.3) for y in (2.0, 3.0)]
    rows = [row_of(number * 10) for number in range(6)]
    left, right, *_ = sweep_figure(rows, values, title="a sweep").axes
    for axes in (left, right):
        (mesh,) = (part for part in axes.collections if part.get_array() is not None)
        cells = np.asarray(mesh.get_array()).reshape(2, 3)
        assert cells == pytest.approx(np.array([[0.0, 0.2, 0.4], [0.1, 0.3, 0.5]]))
    assert (left.get_xlabel(), left.get_ylabel()) == ("friction", "pucks")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Catch the figures that are saved."""
    figures: list[Figure] = []
    saved = studies.figure_bytes

    def keep(draw: object, *arguments: object, **options: object) -> bytes:
        def drawing() -> Figure:
            figures.append(draw())  # type: ignore[operator]
            return figures[-1]

        return saved(drawing, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(studies, "figure_bytes", keep)
    return figures


FLIPS = np.random.default_rng(1).poisson([1.0, 1.4, 1.6, 1.5, 1.1], (200, 5))
TALLY = paired_tally(np.array([FLIPS, FLIPS > 0, FLIPS]))


def test_differences_stand_at_their_values(tmp_path: Path, drawn: list[Figure]) -> None:
    found = [difference(TALLY, 0, other, "flips") for other in (1, 2)]
    path = tmp_path / "plot.png"
    save_differences_plot(path, ["a", "b", "c"], found, title="it", quantity="flips")
    assert path.read_bytes()[:4] == b"\x89PNG"
    (axes,) = drawn[0].axes
    points = axes.lines[1]
    assert np.asarray(points.get_xdata()).tolist() == [one.value for one in found]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a less b", "a less c"]


def test_a_best_value_is_marked_on_its_curve(tmp_path: Path, drawn: list[Figure]) -> None:
    values = [4.0, 8.0, 12.0, 16.0, 20.0]
    found = best_value(values, TALLY, "flips", np.random.default_rng(1))
    save_best_plot(
        tmp_path / "plot.svg", values, TALLY, "flips", found, name="slammer_g", title="it",
        quantity="flips",
    )  # fmt: skip
    (axes,) = drawn[0].axes
    marked = axes.lines[-1]
    assert (marked.get_xdata(), marked.get_ydata()) == ([found.x], [found.y])
    assert axes.get_xlabel() == "slammer (g)"


def test_a_tornado_has_its_longest_bar_on_top(tmp_path: Path, drawn: list[Figure]) -> None:
    swings = [swing(name, (0.1, 0.2, 0.3), TALLY, at, "flips") for name, at in (("a", 1), ("b", 3))]
    swings.sort(key=lambda one: one.size, reverse=True)
    save_tornado_plot(tmp_path / "plot.png", swings, 1.0, title="it", quantity="flips")
    (axes,) = drawn[0].axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        one.name for one in reversed(swings)
    ]
    widths = [bar.get_width() for bar in axes.patches]
    expected = [side.value for one in reversed(swings) for side in (one.below, one.above)]
    assert widths == pytest.approx(expected)


def test_a_tornado_has_the_model_below_the_assumptions(tmp_path: Path, drawn: list[Figure]) -> None:
    swings = [swing("a", (0.1, 0.2, 0.3), TALLY, 1, "flips")]
    save_tornado_plot(
        tmp_path / "plot.png", swings, 1.0, title="it", quantity="flips", model=(0.7, 1.2)
    )
    (axes,) = drawn[0].axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["model uncertainty", "a"]
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    assert ends[0] == pytest.approx((0.7, 1.2))


def test_a_sweep_may_show_how_far_off_the_model_may_be() -> None:
    rows = [row_of(k * 10) for k in range(1, 4)]
    values = [{"speed_m_s": float(k)} for k in range(1, 4)]
    left, right = sweep_figure(rows, values, title="a sweep", model_band=True).axes
    for axes, figure in ((left, "flips"), (right, "any_flip")):
        known = model_ranges(rows[0].study)[figure]
        ends = known.around(0.1) if figure == "flips" else known.around_chance(0.1)
        dotted = [line for line in axes.lines if line.get_linestyle() == ":"]
        at = [np.asarray(line.get_ydata())[0] for line in dotted]
        assert at == pytest.approx(ends)
    assert "dotted: model uncertainty" in left.get_title(loc="left")


def test_labels_have_units() -> None:
    assert axis_label("tilt_sd_deg") == "tilt sd (deg)"
