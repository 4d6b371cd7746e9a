"""The model beside the 3-D engines: what is compared, and how constants are fitted."""

import math
from collections import Counter
from dataclasses import fields, replace
from functools import lru_cache

import numpy as np
import pytest

from pucklab.calibration.cells import (
    PUT_ASIDE_CELLS,
    REFERENCE_CELLS,
    USUAL_CELLS,
    Cell,
    cell_named,
    draw_trial,
    scene_of,
)
from pucklab.calibration.designs import design_points
from pucklab.calibration.fidelity.cell_statistics import (
    CellStatistics,
    ReferenceCell,
    cell_tally,
    fitted_cells,
    model_cell,
    reference_cells,
    shipped_reference,
    shipped_throws,
    statistics_of,
)
from pucklab.calibration.fidelity.compare import chance_of, compare, fidelity_of, flips_bias
from pucklab.calibration.fidelity.fit import (
    FREE,
    ablation_table,
    ablations,
    box_around,
    fidelity_report,
    fit_constants,
    fitted_constants,
    with_constants,
)
from pucklab.calibration.mujoco_engine import MUJOCO_VERSION
from pucklab.calibration.reference import throw_in_engine
from pucklab.physics import PRESETS, LiftOff, ParameterSet, slam
from pucklab.physics.tally import empty_tally, tally_of
from tests.tallies import tally_of_rows

SHIPPED_THROWS = {"solid": 468, "mujoco": 124}
"""Throws of each engine in every cell that it threw."""

STACK = Cell(slammer_g=8.0, thickness_mm=6.0, speed_m_s=5.0, pucks=3)
KNOCK_OUT = Cell(slammer_g=8, thickness_mm=6, speed_m_s=5, pucks=0, knock_out_g=8, shields=1)


def throws(faces):
    return statistics_of(tally_of_rows(faces, 50_000))


def reference(cell, solid, mujoco=""):
    check = throws(mujoco) if mujoco else None
    return ReferenceCell(cell=cell, solid=throws(solid), mujoco=check)


def test_a_model_like_the_solid_engine_has_no_error():
    rows = "DDU DUO UUU DDD"
    whole = fidelity_of(compare([reference(STACK, rows)], [throws(rows)]))
    assert (whole.flips_rms, whole.any_out_rms, whole.out_rms) == (0, 0, 0)
    assert (whole.total_variation, whole.distance_ratio) == (0, 1)
    assert whole.disagreeing == ()


def test_the_reference_is_the_solid_engine_and_mujoco_is_a_check():
    (checked,) = compare([reference(STACK, "UUU UUU", mujoco="DDU DDU")], [throws("DUU DUU")])
    assert (checked.error("flips"), checked.total_variation) == (-1, 1)
    row = next(line for line in fidelity_report([checked]).splitlines() if line.startswith("8g"))
    assert row.split("|")[1].split() == ["2.00", "3.00", "1.00"]


def test_flips_agree_within_the_wider_of_two_bands():
    (many,) = compare([reference(STACK, "DDU " * 100)], [throws("DUU " * 100)])
    assert many.flips_band == pytest.approx(0.2)
    assert not many.flips_agree
    (few,) = compare([reference(STACK, "DDU DDD")], [throws("DDD DUU")])
    assert few.flips_band == pytest.approx(2 * few.error_se("flips"))


def test_chance_alone_is_what_two_samples_of_one_engine_differ_by():
    """Of 400 pairs of 60 and 90 throws with 0 to 3 flips; three standard errors are .1."""
    rng = np.random.default_rng(3)

    def sample(count):
        drawn = rng.choice(4, count, p=(0.4, 0.3, 0.2, 0.1))
        return throws(" ".join("U" * flips + "D" * (3 - flips) for flips in drawn.tolist()))

    cells = compare(
        [ReferenceCell(cell=STACK, solid=sample(90)) for _ in range(400)],
        [sample(60) for _ in range(400)],
    )
    found, chance = fidelity_of(cells), chance_of(cells)
    assert found.flips_rms == pytest.approx(chance.flips_rms, rel=0.1)
    assert found.total_variation == pytest.approx(chance.total_variation, rel=0.1)


def test_the_error_of_a_bias_is_that_of_the_cells_however_many_the_throws():
    """Flips of 1, and of 1.1, 1.2 and 1.3 in the model."""
    solid = reference(STACK, "DDU " * 50)
    cells = compare(
        [solid] * 3, [throws("DDU " * (50 - more) + "DUU " * more) for more in (5, 10, 15)]
    )
    bias, error = flips_bias(cells)
    assert (bias, error) == (pytest.approx(0.2), pytest.approx(0.1 / math.sqrt(3)))
    row = next(line for line in fidelity_report(cells).splitlines() if line.startswith("  all "))
    assert row.split() == ["all", "+20%", "+-", "6%,", "3", "cells"]


def test_small_scenes_show_the_engines_without_the_model():
    told = fidelity_report([], small=[reference(KNOCK_OUT, "UD DD", mujoco="UD UD")])
    (row,) = [line for line in told.splitlines() if line.startswith(KNOCK_OUT.name)]
    assert row.split()[2::3] == ["0.50", "1.00"]


def test_the_report_names_cells_out_of_their_band_and_left_out_of_the_fit():
    cells = compare([reference(STACK, "DDU " * 100)], [throws("DUU " * 100)])
    told = fidelity_report(cells)
    assert "mean flips inside their band    0 of 1" in told
    assert f"{STACK.name} *!" in told


PLANTED = tuple(0.35 * free.low + 0.65 * free.high for free in FREE)


def made_up(number, constants):
    """A cell whose statistics are smooth in all constants but the last."""
    unit = [(v - f.low) / (f.high - f.low) for v, f in zip(constants, FREE, strict=True)][:-1]
    turned = [unit[(k + number) % len(unit)] for k in range(4)]
    share = 0.1 + 0.3 * turned[3]
    return CellStatistics(
        throws=300,
        flips=1.0 + turned[0] + 0.4 * turned[1] ** 2,
        flips_se=0.02,
        any_out=0.2 + 0.5 * turned[2],
        out=0.3 + turned[3] - 0.3 * turned[0],
        out_se=0.02,
        distance_mm=40.0 + 30.0 * turned[1],
        flip_shares=(share, 0.9 - share, 0.05, 0.05),
        knocked_out=0.2 * turned[1],
    )


def fit_of(truth, low, high, off=0.0):
    """Return the fit to six cells, in a box; they flip more and less than a truth in turn."""
    points, numbers = design_points(low, high, 64, seed=1), range(6)
    solid = [made_up(k, np.array(truth)) for k in numbers]
    cells = [
        ReferenceCell(cell=STACK, solid=replace(own, flips=own.flips + off * (-1) ** k))
        for k, own in enumerate(solid)
    ]
    return fit_constants(cells, points, [[made_up(k, point) for point in points] for k in numbers])


@lru_cache(maxsize=1)
def planted_fit():
    return fit_of(PLANTED, *box_around(PLANTED, 1.0))


def test_planted_constants_come_back_inside_their_intervals():
    fit = planted_fit()
    assert fit.converged
    for value, error, planted, free in zip(
        fit.values[:-1], fit.errors[:-1], PLANTED[:-1], FREE[:-1], strict=True
    ):
        assert value == pytest.approx(planted, abs=max(2 * error, 1e-3 * free.high))


def test_errors_are_wider_where_the_model_misfits_and_never_narrower():
    """By Birge's ratio, the root of chi squared over its freedom, if that is over 1."""
    exact, misfit = planted_fit(), fit_of(PLANTED, *box_around(PLANTED, 1.0), off=1.0)
    ratio = math.sqrt(misfit.chi2 / (misfit.statistics - len(FREE)))
    assert exact.chi2 < 1
    assert ratio > 1.5
    for wide, narrow in zip(misfit.errors[:-1], exact.errors[:-1], strict=True):
        assert wide / narrow == pytest.approx(ratio, rel=0.3)


def test_a_mean_of_300_throws_is_off_by_the_errors_of_both_engines():
    """The model's 300 throws err as the solid engine's do: ten standard errors count as 10^2/2."""
    low, high = box_around(PLANTED, 1.0)
    points, own = design_points(low, high, 64, seed=1), made_up(0, np.array(PLANTED))
    off = ReferenceCell(cell=STACK, solid=replace(own, flips=own.flips + 100.0, flips_se=10.0))
    fit = fit_constants([off] * 6, points, [[own] * len(points)] * 6)
    assert fit.chi2 == pytest.approx(6 * 10**2 / 2, rel=1e-3)


def test_a_constant_that_moves_nothing_is_told_to_be_unidentified_and_keeps_its_value():
    fit = planted_fit()
    assert fit.identified == (True,) * (len(FREE) - 1) + (False,)
    last = fitted_constants(fit, ParameterSet(), [])[-1]
    assert last.value == FREE[-1].value_in(ParameterSet())
    assert last.uncertainty is None


def test_a_constant_whose_best_lies_beyond_the_box_is_told_to_be_at_its_edge():
    beyond = tuple(0.1 * free.low + 0.9 * free.high for free in FREE)
    fit = fit_of(beyond, *box_around([free.low for free in FREE], 0.6))
    assert any(fit.at_edge[:-1])
    told = fidelity_report([], fit)
    assert told.count("at the edge") == sum(fit.at_edge[:-1])
    assert not any(planted_fit().at_edge[:-1])


def test_boxes_stay_inside_the_ranges():
    low, high = box_around([free.high for free in FREE], 0.4)
    assert [*high] == pytest.approx([free.high for free in FREE])
    assert (low >= [free.low for free in FREE]).all()


def test_impacts_computed_once_give_what_whole_slams_give():
    cell = REFERENCE_CELLS[9]
    values = [free.low + 0.4 * (free.high - free.low) for free in FREE]
    parameters = with_constants(ParameterSet(), values)
    scene = replace(
        scene_of(cell),
        preset=PRESETS["fast"],
        lift_off=parameters.lift_off,
        materials=parameters.materials,
    )
    outcomes = [slam(scene, draw_trial(cell, trial)).outcome for trial in range(12)]
    whole = statistics_of(sum(map(tally_of, outcomes), empty_tally(10)))
    assert statistics_of(cell_tally(model_cell(cell, 12), parameters)) == whole


def test_throws_that_gain_energy_are_left_out_and_counted():
    first, *rows = [row for row in shipped_throws("solid") if row.cell == REFERENCE_CELLS[0].name][
        :5
    ]
    (cell,) = reference_cells([replace(first, gains_energy=True), *rows])
    assert (cell.solid.throws, cell.left_out) == (4, 1)


def test_a_third_of_the_cells_and_those_put_aside_are_left_out_of_the_fit():
    assert len(fitted_cells()) == 50
    assert not fitted_cells() & {cell.name for cell in PUT_ASIDE_CELLS}
    held_out = [cell for cell in REFERENCE_CELLS if cell.name not in fitted_cells()]
    assert {3, 5, 7} <= {cell.speed_m_s for cell in held_out}
    assert any(cell.shields for cell in held_out)
    for name in ("friction", "restitution", "puck_g", "descent_deg", "thrower"):
        assert len({getattr(cell, name) for cell in held_out}) > 2, name


def test_the_shipped_set_has_every_cell_of_the_solid_engine():
    shipped = shipped_reference()
    assert [cell.cell for cell in shipped] == list(REFERENCE_CELLS)
    assert [cell.cell for cell in shipped if cell.mujoco] == list(USUAL_CELLS)
    for engine, throws in SHIPPED_THROWS.items():
        rows = Counter(row.cell for row in shipped_throws(engine))
        assert set(rows.values()) == {throws}


def test_the_throws_of_mujoco_are_those_of_the_solid_engine():
    begun = {(row.cell, row.trial): row.energy_begin_mj for row in shipped_throws("solid")}
    rows = shipped_throws("mujoco")
    assert {row.engine_version for row in rows} == {MUJOCO_VERSION}
    assert len({(row.cell, row.trial) for row in rows}) == len(rows)
    for row in rows:
        assert row.energy_begin_mj == pytest.approx(begun[row.cell, row.trial], rel=1e-6)


@pytest.mark.parametrize(
    "name",
    ["8g-6mm-5ms-3", "8g-6mm-5ms-on-8g-0-e0.3", "4.4g-3mm-4ms-4-careful-e0.31-mu0.16-p1.7g"],
)
def test_shipped_throws_are_statistically_those_of_the_engine(name):
    """They are of physics version 8; version 10 changed the last bits of sines, and no law."""
    rows = [row for row in shipped_throws("solid") if row.cell == name][:150]
    assert {row.engine_version for row in rows} == {"physics 10"}
    made = [throw_in_engine("solid", cell_named(name), "fast", row.trial) for row in rows]
    assert {row.engine_version for row in made} == {"physics 10"}
    for old, new in zip(rows, made, strict=True):
        assert new.energy_begin_mj == pytest.approx(old.energy_begin_mj, abs=2e-6)
    for letter in "UO":
        apart = [new.faces.count(letter) - old.faces.count(letter)
                 for old, new in zip(rows, made, strict=True)]  # fmt: skip
        assert abs(np.mean(apart)) <= 3.5 * np.std(apart, ddof=1) / math.sqrt(len(apart))


@lru_cache(maxsize=2)
def compared(trials, preset):
    """Return the comparison over the stacks put aside."""
    cells = [cell for cell in shipped_reference() if cell.cell in PUT_ASIDE_CELLS]
    model = [
        statistics_of(cell_tally(model_cell(cell.cell, trials, preset), ParameterSet()))
        for cell in cells
    ]
    return compare(cells, model)


MEASURED = {"flips": 0.14, "any_out": 0.055, "out": 0.2}
"""Errors beyond chance of the plane, root mean squares over the stacks put aside, rounded up."""


def test_the_plane_is_no_worse_than_was_measured_as_far_as_20_throws_tell():
    """Errors are those and chance's; the sum of their squares has a standard error of its own."""
    cells = compared(20, "fast")
    for name, error in MEASURED.items():
        variances = [error**2 + cell.error_se(name) ** 2 for cell in cells]
        most = sum(variances) + 2 * math.sqrt(2 * sum(own**2 for own in variances))
        assert sum(cell.error(name) ** 2 for cell in cells) <= most, name


MISSED = pytest.mark.xfail(strict=True, reason="the plane misses this mark")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mark"),
    [
        pytest.param("flips_rms", 0.15, marks=MISSED),
        pytest.param("any_out_rms", 0.05, marks=MISSED),
        pytest.param("out_rms", 0.15, marks=MISSED),
    ],
)
def test_the_plane_meets_a_mark_over_the_stacks_put_aside(name, mark):
    """With 300 throws of its default preset."""
    assert getattr(fidelity_of(compared(300, "recommended")), name) <= mark


@pytest.mark.slow
def test_the_plane_meets_the_mark_of_distances():
    assert 0.95 <= fidelity_of(compared(300, "recommended")).distance_ratio <= 1.05


@pytest.mark.slow
@pytest.mark.parametrize("is_flat", [True, False])
def test_neither_flat_nor_steep_throws_flip_a_twentieth_more_or_less(is_flat):
    bias, _ = flips_bias(
        cell
        for cell in compared(300, "recommended")
        if (cell.reference.cell.descent_deg[0] >= 20) == is_flat
    )
    assert abs(bias) <= 0.05


def test_leaving_out_a_constant_shows_in_the_table_of_ablations():
    found = ablations(ParameterSet())
    assert {*found} == {f.name for f in fields(LiftOff)} - {"lean_rad"}
    cell = next(c for c in shipped_reference() if c.cell.name == "8g-6mm-5ms-3")
    impacts = model_cell(cell.cell, 40)
    whole, without = (
        fidelity_of(compare([cell], [statistics_of(cell_tally(impacts, parameters))]))
        for parameters in (ParameterSet(), found["roll"])
    )
    table = ablation_table(whole, {"roll": without}).splitlines()
    assert table[-1].split()[:2] == ["roll", f"{without.flips_rms:.3f}"]
    assert without.flips_rms > whole.flips_rms
