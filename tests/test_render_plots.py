"""Plots: what they show are the given numbers, with all of their text inside the picture."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pygame
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle

from pucklab.base.errors import MissingExtraError
from pucklab.calibration.bench import bench_constants, read_measurements
from pucklab.calibration.cells import Cell
from pucklab.calibration.fidelity.cell_statistics import ReferenceCell, statistics_of
from pucklab.calibration.fidelity.compare import compare
from pucklab.calibration.simulated_fit import StatisticResidual
from pucklab.physics import (
    Face,
    InputError,
    PieceOutcome,
    SlamOutcome,
    knock_out_stack,
    puckdex_slammer,
)
from pucklab.render.palette import LIGHT
from pucklab.render.plots.calibration import (
    Residual,
    ResidualPanel,
    bench_panels,
    fidelity_figure,
    fit_figure,
    throws_panels,
)
from pucklab.render.plots.figures import check_plot, figure_bytes, new_figure, save_plot
from pucklab.render.plots.odds import OddsPoint, odds_figure
from pucklab.render.plots.studies import (
    best_figure,
    comparison_figure,
    sweep_figure,
    tornado_figure,
)
from pucklab.render.plots.tournament import rates_figure, tournament_figure
from pucklab.render.plots.trail import trail_figure
from pucklab.sim.experiments import wilson
from pucklab.sim.experiments.curve import number_distances
from pucklab.sim.experiments.paired import (
    difference,
    fit_paired_curve,
    paired_counts,
    paired_tally,
    swing,
)
from pucklab.sim.odds import (
    ModelRange,
    OddsRow,
    empty_tally,
    model_ranges,
    odds_of,
    tally_of,
)
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.tournament import BattleTally, pairs_of
from tests.commands import COMMAND
from tests.scenes import stack_scene, usual_study
from tests.tallies import tally_of_flips, tally_of_rows


def ticks(axes):
    """Return the labels below and beside axes."""
    return tuple(
        [label.get_text() for label in labels]
        for labels in (axes.get_xticklabels(), axes.get_yticklabels())
    )


def captions(panels):
    return [panel.get_title(loc="left") for panel in panels]


def bars(panel):
    return [patch.get_height() for patch in panel.patches if isinstance(patch, Rectangle)]


def points(axes):
    """Return x and y of all points with error bars."""
    lines = [container[0] for container in axes.containers]
    return [tuple(np.asarray(xy).tolist() for xy in line.get_data()) for line in lines]


# Odds.


def odds(flips, outs=0, pieces=4):
    """Return the odds of throws that flip so many pieces each; the first ``outs`` lose one."""
    total = empty_tally(pieces)
    for trial, count in enumerate(flips):
        faces = [Face.UP] * count + [Face.DOWN] * (pieces - count)
        if trial < outs:
            faces[-1] = Face.OUT
        slammer, *stack = (
            PieceOutcome(place=place, face=face, x_mm=0.0, y_mm=0.0)
            for place, face in ((None, Face.DOWN), *enumerate(faces))
        )
        total += tally_of(SlamOutcome(hit=True, pieces=tuple(stack), slammer=slammer))
    return odds_of(total)


def point(slammer_g, flips, *, label="", outs=0):
    return OddsPoint(label=label, slammer_g=slammer_g, odds=odds(flips, outs))


LIGHT_ONE = point(4.0, [0, 1, 1, 2], label="4 g", outs=1)
HEAVY_ONE = point(20.0, [2, 3, 1, 0], label="Onix", outs=2)


def axes_of(*shown, knock_out=False):
    """Return the axes of means, those of chances, and the visible panels below."""
    means, chances, *panels = odds_figure(shown, title="a study", knock_out=knock_out).axes
    return means, chances, [panel for panel in panels if panel.get_visible()]


def words_of(*shown):
    """Return the heading of a plot in one line."""
    return " ".join(text.get_text() for text in odds_figure(shown, title="a study").texts)


def banded(shown):
    known = ModelRange(low=0.5, high=3.0, sources=())
    return replace(shown, model=dict.fromkeys(("flips", "any_flip", "any_out"), known))


def test_means_and_chances_stand_over_their_masses():
    means, chances, panels = axes_of(HEAVY_ONE, LIGHT_ONE)
    assert points(means) == [([4.0, 20.0], [1.0, 1.5])]
    assert points(chances) == [([4.0, 20.0], [0.75, 0.75]), ([4.0, 20.0], [0.25, 0.5])]
    assert means.get_xlabel() == "slammer's mass (g)"
    assert "flipped per throw" in means.get_ylabel()
    assert "95 % interval" in chances.get_ylabel()
    assert panels[0].get_ylabel() == "share of throws"


def test_a_band_shows_how_far_off_the_model_may_be_and_a_bar_for_a_lone_mass():
    shown = (banded(LIGHT_ONE), banded(HEAVY_ONE))
    means, chances, _ = axes_of(*shown)
    (_, band) = means.collections  # after the error bars
    at = {tuple(vertex) for vertex in np.asarray(band.get_paths()[0].vertices).tolist()}
    assert {(4.0, 0.5), (4.0, 3.0), (20.0, 0.75), (20.0, 4.5)} <= at
    assert means.get_ylim()[1] > 4.5
    assert "Band: where real pucks may lie" in words_of(*shown)
    assert len(chances.collections) == 4
    assert "Band" not in words_of(LIGHT_ONE, HEAVY_ONE)
    alone, _, _ = axes_of(banded(HEAVY_ONE))
    segments = [own.get_segments()[0].tolist() for own in alone.collections]
    assert [[20.0, 0.75], [20.0, 4.5]] in segments


@pytest.mark.parametrize(
    ("shown", "titles", "heights"),
    [
        ([HEAVY_ONE, LIGHT_ONE], ["4 g", "20 g: Onix"], [0.25, 0.5, 0.25, 0.0, 0.0]),
        (
            [point(4.0, [0] * 3, label="Pikachu"), point(4.0, [1], label="Eevee"),
             point(4.0, [1, 0], label="Machop")],
            ["4 g: 3 slammers"],
            [2 / 3, 1 / 3, 0.0, 0.0, 0.0],
        ),
    ],
)  # fmt: skip
def test_each_mass_has_a_panel_of_the_distribution_over_its_throws(shown, titles, heights):
    _, _, panels = axes_of(*shown)
    assert captions(panels) == titles
    assert bars(panels[0]) == pytest.approx(heights)


def test_many_masses_have_labels_that_do_not_overlap_and_eight_panels():
    means, _, _ = axes_of(*(point(mass, [1, 0]) for mass in (4.0, 4.5, 8.0, 20.0)))
    assert ticks(means)[0] == ["4", "", "8", "20"]
    _, _, panels = axes_of(*(point(float(mass), [1, 0]) for mass in range(2, 25)))
    assert (len(panels), captions(panels)[0], captions(panels)[-1]) == (8, "2 g", "24 g")


def test_a_knock_out_shows_the_chance_of_the_target_slammer():
    shown = point(8.0, [1, 0, 0, 0])
    _, chances, _ = axes_of(shown, knock_out=True)
    assert points(chances)[0][1] == [shown.odds.flips_by_place[0].value]
    assert chances.get_legend_handles_labels()[1][0] == "the target slammer flips"


# Studies.


def row_of(flipped, name="Onix", mass_g=20.0, **values):
    """Return a row of 100 throws, so many of which flip one of two pieces."""
    tally = tally_of_flips(100 - flipped, flipped, 0)
    study = usual_study(stack_scene(mass_g, 2))
    return OddsRow(name=name, study=study, tally=tally, values=values)


def test_a_sweep_over_one_field_is_a_curve_for_each_slammer_with_its_band():
    rows = [
        row_of(k * 10, name, speed_m_s=float(k)) for k in range(1, 4) for name in ("Onix", "Lapras")
    ]
    figure = sweep_figure(rows, title="a sweep", model_band=True)
    for axes, name in zip(figure.axes, ("flips", "any_flip"), strict=True):
        curves = [line for line in axes.lines if line.get_linestyle() == "-"]
        for line in curves:
            assert line.get_xydata() == pytest.approx(np.array([(1, 0.1), (2, 0.2), (3, 0.3)]))
        known = model_ranges(rows[0].study)[name]
        ends = known.around(0.1) if name == "flips" else known.around_chance(0.1)
        dotted = [line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == ":"]
        assert (len(curves), dotted) == (2, pytest.approx([*ends] * 2))
    left, right = figure.axes
    assert left.get_legend_handles_labels()[1] == ["Onix", "Lapras"]
    assert "dotted: how far the model may be off" in left.get_title(loc="left")
    band = right.collections[0].get_paths()[0].vertices
    chance = odds_of(rows[0].tally).any_flip
    assert {chance.low, chance.high} <= {y for x, y in np.asarray(band).tolist() if x == 1.0}
    assert left.get_xlabel() == "speed (m/s)"


def test_a_sweep_of_knock_outs_shows_their_chance_alone():
    stack = knock_out_stack(puckdex_slammer(8.0), 1)
    rows = [row_of(20, shields=1.0), row_of(30, shields=2.0)]
    rows = [
        replace(row, study=replace(row.study, scene=replace(row.study.scene, stack=stack)))
        for row in rows
    ]
    (axes,) = sweep_figure(rows, title="a sweep", model_band=True).axes
    chances = [odds_of(row.tally).flips_by_place[0].value for row in rows]
    curve, *dotted = axes.lines
    assert curve.get_ydata().tolist() == chances
    low, high = model_ranges(rows[0].study)["knock_out"].around_chance(chances[0])
    assert [line.get_ydata()[0] for line in dotted] == pytest.approx([low, high])
    assert axes.get_ylabel() == "chance of a knock-out"


def test_a_sweep_over_two_fields_is_a_map_with_the_first_across():
    values = [{"friction": x, "pucks": y} for x in (0.1, 0.2, 0.3) for y in (2.0, 3.0)]
    rows = [row_of(number * 10, **own) for number, own in enumerate(values)]
    left, right, *_ = sweep_figure(rows, title="a sweep").axes
    for axes in (left, right):
        (mesh,) = (part for part in axes.collections if part.get_array() is not None)
        cells = np.asarray(mesh.get_array()).reshape(2, 3)
        assert cells == pytest.approx(np.array([[0.0, 0.2, 0.4], [0.1, 0.3, 0.5]]))
    assert (left.get_xlabel(), left.get_ylabel()) == ("friction", "pucks")


FLIPS = np.random.default_rng(1).poisson([1.0, 1.4, 1.6, 1.5, 1.1], (200, 5))
TALLY = paired_tally(paired_counts(np.array([FLIPS, FLIPS > 0, FLIPS])))


def test_differences_stand_at_their_values():
    curve = fit_paired_curve(TALLY, 0, number_distances([2, 4, 8, 16, 20]))
    found = [difference(TALLY, curve, 0, other, 0) for other in (1, 2)]
    flips = [(3, 1), (2, 2), (1, 3)]
    bars, axes = comparison_figure(["a", "b", "c"], found, flips, "flips", title="it").axes
    assert [bar.get_height() for bar in bars.patches] == [0.75, 0.25, 0.5, 0.5, 0.25, 0.75]
    uncounted = comparison_figure(["a", "b", "c"], found, [()] * 3, "flips", title="it")
    assert len(uncounted.axes) == 1
    assert np.asarray(axes.lines[1].get_xdata()).tolist() == [one.value for one in found]
    assert ticks(axes)[1] == ["a less b", "a less c"]


def test_a_plot_of_the_best_value_has_throws_those_not_told_apart_and_a_curve():
    values, fine = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 1.5, 3.0, 5.0]
    curve = fit_paired_curve(TALLY, 0, number_distances([*values, *fine]))
    figure = best_figure(values, TALLY, 0, fine, curve, "speed_m_s", "flips", title="it")
    (axes,) = figure.axes
    line, *marks = axes.lines
    assert line.get_ydata().tolist() == curve.values[5:].tolist()
    best = curve.only(range(5)).leaders
    rest = [k for k in range(5) if k not in best]
    means = TALLY.means(0)
    drawn = [(mark.get_xdata().tolist(), mark.get_ydata().tolist()) for mark in marks]
    for own in (rest, best):
        assert ([values[k] for k in own], means[own].tolist()) in drawn
    assert len(axes.get_legend().texts) == 3
    assert axes.get_ylim()[0] == 0.0


@pytest.mark.parametrize("model", [None, (0.7, 1.2)])
def test_a_tornado_has_its_longest_bar_on_top_and_the_model_below(model):
    swings = [
        swing(name, (0.1, 0.2, 0.3), TALLY, at, 0)
        for name, at in (("friction", 1), ("hysteresis", 3))
    ]
    swings.sort(key=lambda one: abs(one.largest.value), reverse=True)
    (axes,) = tornado_figure(swings, 1.0, "flips", model, title="it").axes
    below = [] if model is None else ["how far the model may be off"]
    assert ticks(axes)[1] == [*below, *(one.name for one in reversed(swings))]
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    sides = [side.value for one in reversed(swings) for side in (one.below, one.above)]
    assert np.array(ends) == pytest.approx(
        np.array([*([] if model is None else [model]), *((1.0, 1.0 + side) for side in sides)])
    )


# Battles and trails.

PAIRS = pairs_of([shipped_catalogue().find(name) for name in ("onix", "pikachu", "lapras")])
# Lapras beats Onix in 3 of 4, loses to Pikachu in 1 of 2 with a draw; Onix and Pikachu never met.
MET = (
    BattleTally(trials=4, by_wins=(1, 3)),
    BattleTally(trials=2, by_wins=(2, 0), draws=1),
    BattleTally(),
)


def test_each_cell_has_the_share_that_the_rows_slammer_won():
    (axes,) = tournament_figure(PAIRS, MET, title="three").axes
    columns, rows = ticks(axes)
    assert rows == ["Lapras  50 %", "Pikachu  50 %", "Onix  25 %"]
    assert columns == ["Lapras", "Pikachu", "Onix"]
    assert axes.figure.texts[-1].get_text().endswith("1 of 6 drawn")
    written = {
        tuple(columns[int(place)] for place in reversed(text.get_position())): text.get_text()
        for text in axes.texts
    }
    assert written == {
        ("Lapras", "Onix"): "75",
        ("Onix", "Lapras"): "25",
        ("Lapras", "Pikachu"): "0",
        ("Pikachu", "Lapras"): "50",
    }


def test_rates_are_dots_that_are_full_if_the_interval_excludes_an_equal_share():
    rates = [wilson(90, 100), wilson(52, 100)]
    (axes,) = rates_figure(["greedy", "random"], rates, title="two").axes
    line, *drawn = axes.lines
    assert np.asarray(line.get_xdata()).tolist() == [50.0, 50.0]
    dots = drawn[1::2]
    assert [dot.get_xdata()[0] for dot in dots] == [100 * rate.value for rate in rates]
    assert [dot.get_markerfacecolor() == dot.get_color() for dot in dots] == [True, False]


TURNS = [("one player", [(2, 0.25), (3, 0.75)]), ("winner", [(2, 0.5), (3, 0.5)])]
UNITS = [("one player", [(0, 0.9), (1, 0.0999), (80, 0.0001)])]


def test_each_line_of_a_trail_is_a_distribution_whose_thin_tail_is_cut_off():
    left, right = trail_figure(TURNS, UNITS, title="short", units_per_cup=10).axes
    drawn = {line.get_label(): line.get_xydata().tolist() for line in left.get_lines()}
    assert drawn == {name: [list(one) for one in own] for name, own in TURNS}
    assert [line.get_label() for line in right.get_lines()] == ["one player"]
    assert right.get_xlim()[1] < 5


# Calibrations.

PANEL = ResidualPanel(
    title="flips a throw",
    residuals=(
        Residual(group="4 g", value=0.2, error=0.3),
        Residual(group="20 g", value=-0.1, error=0.2),
    ),
)
BAND = ResidualPanel(
    title="friction",
    residuals=(Residual(group="ramp", value=0.01), Residual(group="ramp", value=-0.02)),
    band=0.005,
)


def test_each_panel_shows_its_residuals_over_their_groups_and_a_note_tells_bars_and_bands():
    figure = fit_figure([PANEL, BAND], title="a fit")
    left, right = figure.axes
    notes = ["bars: 95 % intervals", "grey: 95 % interval of the fitted value"]
    assert [text.get_text() for text in figure.texts] == ["A fit", "; ".join(notes)]
    for panel, note in zip((PANEL, BAND), notes, strict=True):
        assert fit_figure([panel], title="a fit").texts[-1].get_text() == note
    assert ticks(left)[0] == ["4 g", "20 g"]
    assert [y for _, (y,) in points(left)] == [0.2, -0.1]
    ((places, values),) = points(right)
    assert values == [0.01, -0.02]
    assert 0 < max(map(abs, places)) < 0.5
    assert len(set(places)) == 2
    assert captions([left]) == ["flips a throw"]


def test_a_bench_panel_holds_every_measurement_less_the_constant():
    text = "measurement,ramp_mm,run_mm\nramp,150,500\nramp,150,490\nramp,150,510"
    (constant,) = bench_constants(read_measurements(text, "bench.csv"))
    (panel,) = bench_panels([constant])
    assert [r.value + constant.value for r in panel.residuals] == pytest.approx(
        [150 / 500, 150 / 490, 150 / 510]
    )
    assert panel.band == constant.high - constant.value


def test_a_panel_of_throws_holds_what_was_seen_less_what_was_fitted():
    residual = StatisticResidual(
        setting="8 g, 6 mm on 10",
        statistic="flips a throw",
        trials=25,
        seen=1.5,
        fitted=1.2,
        standard_error=0.2,
        simulated_share=0.1,
    )
    (panel,) = throws_panels([residual])
    (shown,) = panel.residuals
    assert panel.title == "flips a throw"
    assert (shown.value, shown.error) == pytest.approx((0.3, 0.392))


STACK = Cell(slammer_g=8.0, thickness_mm=6.0, speed_m_s=5.0, pucks=3)
TALL = Cell(slammer_g=8, thickness_mm=6, speed_m_s=5, pucks=5)


def cells():
    def throws(faces):
        return statistics_of(tally_of_rows(faces, 30_000))

    reference = [
        ReferenceCell(cell=cell, mujoco=throws(m), solid=throws(p))
        for cell, m, p in ((STACK, "DDU DUU", "DDD DDD"), (TALL, "DDDDU DDDDD", "DDDDD DDDDD"))
    ]
    return compare(reference, [throws("DUU DUU"), throws("DDDDU DDDDU")], frozenset({STACK.name}))


def test_each_statistic_has_a_panel_with_the_model_beside_the_engines():
    figure = fidelity_figure(cells(), title="a model")
    assert captions(figure.axes) == [
        "Mean flips per throw",
        "P(any puck out)",
        "Pucks out per throw",
        "Distance inside, mm",
    ]
    flips = figure.axes[0]
    assert ticks(flips)[1] == [STACK.name, TALL.name]
    ((start, _), (end, _)) = flips.collections[0].get_segments()[0]
    assert (start, end) == (0.0, 1.5)
    filled, opened = (container.lines[0] for container in flips.containers)
    assert filled.get_xdata()[0] == 2.0
    assert filled.get_markerfacecolor() == filled.get_color()
    assert opened.get_markerfacecolor() != opened.get_color()


def test_the_legend_tells_open_points_only_where_there_are_any():
    every = cells()
    fitted = ["MuJoCo", "solid engine", "between the engines", "model, 95 % interval"]
    for shown, more in ((every, ["model, cell left out of the fit"]), (every[:1], [])):
        (legend,) = fidelity_figure(shown, title="a model").legends
        assert [text.get_text() for text in legend.get_texts()] == [*fitted, *more]


# Files.

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def small_figure(title="one", about=""):
    figure = new_figure((4.0, 4.0), title, about=about)
    figure.subplots().set(xticks=[0, 1], yticks=[0, 1])
    return figure


@pytest.mark.parametrize("suffix", STARTS)
def test_a_plot_is_the_same_file_each_time(suffix, tmp_path):
    path = tmp_path / f"a{suffix}"
    check_plot("plot", path)
    save_plot(path, small_figure, "title")
    data = path.read_bytes()
    assert data.startswith(STARTS[suffix])
    assert data == figure_bytes(suffix, small_figure, "title")
    assert not re.search(rb"<dc:date>|/CreationDate", data)


def test_a_name_with_signs_of_formulas_is_drawn_as_it_is(tmp_path):
    save_plot(tmp_path / "a.svg", trail_figure, TURNS, UNITS, title="$a^$ {x}", units_per_cup=10)
    assert "$a^$ {x}" in (tmp_path / "a.svg").read_text()


def test_a_plot_of_another_kind_is_refused_before_any_work(tmp_path):
    with pytest.raises(InputError, match=r"^plot: .*ends in \.png or \.svg or \.pdf$"):
        check_plot("plot", tmp_path / "a.jpg")


def test_a_single_throw_without_a_flip_has_a_plot(tmp_path):
    save_plot(tmp_path / "odds.png", odds_figure, [point(4.0, [0], label="4 g")], title="")
    picture = pygame.image.load(tmp_path / "odds.png")
    assert picture.get_width() > 1000
    assert picture.get_at((0, 0))[:3] == LIGHT.background
    assert [entry.name for entry in tmp_path.iterdir()] == ["odds.png"]


@pytest.mark.parametrize(
    ("draw", "field"),
    [
        (lambda: tournament_figure(PAIRS, (BattleTally(),) * 3, title=""), "battles"),
        (lambda: trail_figure([], [], title="", units_per_cup=10), "plot"),
    ],
)
def test_nothing_to_draw_is_refused_and_no_file_written(draw, field, tmp_path):
    with pytest.raises(InputError, match=f"^{field}: no"):
        save_plot(tmp_path / "a.png", draw)
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for ask in (check_plot, lambda _, path: save_plot(path, small_figure)):
        with pytest.raises(MissingExtraError, match=r"pip install 'pucklab\[plot\]'$"):
            ask("plot", tmp_path / "a.png")
    assert not list(tmp_path.iterdir())


LINES = {
    "odds": "odds --slammer onix --engine plane --trials 5 --plot p.png",
    "calibrate": "calibrate bench bench.csv --plot p.png",
    "tournament": "tournament --slammers onix,eevee --throws table --battles 2 --plot p.png",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_plot_is_drawn_whatever_backend_a_notebook_has_set(line, tmp_path):
    (tmp_path / "bench.csv").write_bytes(
        (files("pucklab.calibration.bench") / "example.csv").read_bytes()
    )
    backend = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    done = subprocess.run(
        [*COMMAND, *line.split()], cwd=tmp_path, env=os.environ | backend,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


PLOT = """
import os, pucklab
found = pucklab.odds(slammer="onix", engine="plane", trials=5)
assert found.plot()._repr_png_()[1:4] == b"PNG"
assert "<img" in found._repr_html_()
import matplotlib
print(os.environ["MPLBACKEND"], matplotlib.get_backend())
"""


@pytest.mark.parametrize("backend", ["nonsense", "svg"])
def test_a_plot_from_python_leaves_the_users_own_figures_their_backend(backend, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PLOT], cwd=tmp_path, env=os.environ | {"MPLBACKEND": backend},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    variable, own = done.stdout.split()
    assert variable == backend
    assert (own == backend) is (backend == "svg")


@pytest.mark.parametrize("count", [2, 12])
def test_all_text_of_a_plot_is_whole_whatever_its_size(count):
    pairs = pairs_of(list(shipped_catalogue().slammers)[:count])
    tallies = [BattleTally(trials=20, by_wins=(11, 9), draws=2)] * len(pairs)
    title = "20 battles a pair (battle), greedy players, throws: table of the solid engine"
    figure = tournament_figure(pairs, tallies, title=title)
    assert " ".join(text.get_text() for text in figure.texts).startswith(title)
    long = small_figure("a title " * 12, about="a subtitle " * 12)
    assert len(long.texts) > 4
    for each in (figure, long):
        check_texts(each)


def test_a_number_in_a_heading_stays_with_its_unit():
    for length in range(60):
        figure = new_figure((4.0, 4.0), f"{'a ' * length}thrown at 5 m/s by 16 g")
        assert not any(text.get_text().startswith(("g", "m/s")) for text in figure.texts)


def check_texts(figure):
    """Check that all text is inside the figure, and that the heading is above the panel."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (axes,) = figure.axes
    renderer, whole = canvas.get_renderer(), figure.bbox
    heading = [text.get_window_extent(renderer) for text in figure.texts]
    labels = (*axes.get_xticklabels(), *axes.get_yticklabels())
    for box in (*heading, *(label.get_window_extent(renderer) for label in labels)):
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1
    assert axes.get_tightbbox(renderer).y1 <= min(box.y0 for box in heading)
