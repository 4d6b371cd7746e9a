"""Paired trials: exact sums, honest differences, best values that are the best."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pucklab.sim.experiments import read_table, run_to_end
from pucklab.sim.experiments.paired import (
    best_value,
    difference,
    paired_counts,
    paired_tally,
    swing,
)
from pucklab.sim.odds import OddsCase, experiment_cases, run_trials
from pucklab.sim.odds.study import MEASURES, PAIRED_ODDS, throw_paired
from tests.refusals import refused
from tests.scenes import fast_scene, usual_study
from tests.slowness import slow

FLIPS = list(MEASURES).index("flips")


def study_of(mass_g):
    return usual_study(fast_scene(mass_g, 3))


STUDIES = [study_of(4.0), study_of(20.0)]
CASES = [
    OddsCase(name=name, study=study)
    for name, study in zip(("light", "heavy"), STUDIES, strict=True)
]


def tally_of(flips):
    """Return the tally of flips of shape (trials, k), with no piece out."""
    return paired_tally(paired_counts(np.array([flips, flips > 0, flips], dtype=np.int64)))


def test_sums_are_those_of_the_same_trials_thrown_alone():
    tally = paired_tally(throw_paired(STUDIES, 1, 0, 30))
    for index, study in enumerate(STUDIES):
        alone = run_trials(study, 1, 0, 30)
        assert tally.sums[0, index] == sum(k * count for k, count in enumerate(alone.flips))
        assert tally.sums[1, index] == 30 - alone.flips[0]
        outs = sum(k * count for k, count in enumerate(alone.outs))
        assert tally.sums[2, index] == tally.sums[0, index] - outs


@given(flips=arrays(np.int64, (12, 3), elements=st.integers(0, 9)), cut=st.integers(0, 12))
def test_sums_of_parts_add_up_and_give_numpys_covariance(flips, cut):
    parts = (paired_counts(part[None]) for part in (flips[:cut], flips[cut:]))
    counts = paired_counts(flips[None])
    assert [one + other for one, other in zip(*parts, strict=True)] == counts
    whole = paired_tally(counts)
    assert whole.covariance(FLIPS) == pytest.approx(np.cov(flips.T), abs=1e-12)
    assert whole.means(FLIPS) == pytest.approx(flips.mean(axis=0))
    one = difference(whole, 0, 1, FLIPS)
    assert one.value == pytest.approx((flips[:, 0] - flips[:, 1]).mean(), abs=1e-12)
    assert one.wins == (flips[:, 0] > flips[:, 1]).mean()
    assert one.better + difference(whole, 1, 0, FLIPS).better == pytest.approx(1.0)


def test_counts_that_contradict_each_other_are_refused_with_the_row():
    table = run_to_end(PAIRED_ODDS, experiment_cases(CASES), trials=20)
    (first, second), (light, heavy) = table.entries, table.tallies()
    # More than the squares of the sums allow, and alike in both rows.
    rest, again = light.products[1:], heavy.products[1:]
    more = ((light.products[0][0], 999), *rest), ((999, heavy.products[0][1]), *again)
    for own, other, said in (
        (
            replace(light, sums=(999, *light.sums[1:])),
            heavy,
            "row 2, column counts: damaged",
        ),
        (
            replace(light, products=((99, 0), *rest)),
            heavy,
            "row 3, column counts: damaged",
        ),
        (replace(light, products=more[0]), replace(heavy, products=more[1]), "row 3"),
        (replace(light, wins=(0, 999)), heavy, "row 2, column counts: damaged: wins"),
        (
            replace(light, wins=(0, 18)),
            replace(heavy, wins=(18, 0)),
            "row 3, column counts: damaged",
        ),
        (replace(light, wins=(0,)), heavy, "row 2, column counts: damaged"),
        (replace(light, trials=21), heavy, "row 3, column counts: damaged"),
    ):
        table.entries = {
            first: replace(table.entries[first], tally=own, seeds={1: own.trials}),
            second: replace(table.entries[second], tally=other),
        }
        refused(read_table, table.csv(), "paired.csv", PAIRED_ODDS, said=said)


REPETITIONS = pytest.mark.parametrize("repetitions", [200, slow(5000)])


def drawn(means, trials, seed):
    """Return throws whose flips have common parts: a Poisson number that all cases share."""
    rng = np.random.default_rng(seed)
    common = rng.poisson(0.6, (trials, 1))
    return tally_of(common + rng.poisson(means - 0.6, (trials, len(means))))


@REPETITIONS
def test_intervals_of_a_difference_cover_it_95_times_in_100(repetitions):
    found = [
        difference(drawn(np.array([1.5, 1.2]), 200, seed), 0, 1, FLIPS)
        for seed in range(repetitions)
    ]
    covered = sum(one.low <= 0.3 <= one.high for one in found) / repetitions
    assert 0.93 <= covered <= 0.97, covered


def test_common_parts_save_throws():
    one = difference(drawn(np.array([1.5, 1.2]), 20_000, 1), 0, 1, FLIPS)
    # Variances 1.5 and 1.2, of which .6 are common.
    assert one.factor == pytest.approx(2.7 / 1.5, rel=0.05)


def test_the_throws_that_would_tell_do_tell_four_times_in_five():
    means = np.array([1.5, 1.35])
    needed = difference(drawn(means, 1_000_000, 1), 0, 1, FLIPS).needed
    found = [difference(drawn(means, needed, seed), 0, 1, FLIPS) for seed in range(500)]
    assert 0.75 <= sum(one.is_clear for one in found) / 500 <= 0.85


def test_cases_that_never_differ_cannot_be_told_apart():
    same = difference(tally_of(np.array([[1, 1], [2, 2], [0, 0]])), 0, 1, FLIPS)
    assert (same.value, same.low, same.high, same.better, same.needed) == (0, 0, 0, 0.5, None)
    ahead = difference(tally_of(np.array([[1, 0], [2, 1], [1, 0]])), 0, 1, FLIPS)
    assert (ahead.better, ahead.needed, ahead.is_clear) == (1.0, 0, True)


MASSES_G = np.linspace(2, 24, 12)
CURVE = 1.8 - 0.35 * np.log(MASSES_G / 10.0) ** 2


CURVES = {
    "level": 0 * MASSES_G + 0.8,
    "rising": 0.5 + 1.3 / (1 + np.exp(-(MASSES_G - 9) / 3)),
    "peaked": 0.1 + 0.55 * MASSES_G * np.exp(-MASSES_G / 9),
    "narrow": 0.9 + 0.8 * np.exp(-(((MASSES_G - 11) / 3.5) ** 2)),
}
"""Means of cases."""


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("repetitions", [12, slow(1000)])
def test_the_plateau_holds_every_best_value_in_94_runs_of_100(repetitions, curve):
    means = np.maximum(CURVES[curve], 0.6)
    best = set(np.flatnonzero(means >= means.max() - 1e-9).tolist())
    held = 0
    for seed in range(repetitions):
        tally = drawn(means, 300, 10_000 + seed)
        found = best_value(list(MASSES_G), tally, FLIPS, np.random.default_rng(seed))
        held += best <= {*found.plateau}
        assert found.x in MASSES_G[[*found.plateau]]
    assert held / repetitions >= (0.94 if repetitions > 100 else 0.8)


def test_the_plateau_of_a_clear_peak_is_narrow_and_its_mean_is_that_of_the_peak():
    found = best_value(list(MASSES_G), drawn(CURVE, 20_000, 1), FLIPS, np.random.default_rng(1))
    assert [MASSES_G[k] for k in found.plateau] == [10.0]
    assert found.y == pytest.approx(1.8, abs=4 * found.y_error)


def test_a_curve_that_rises_to_its_end_has_its_best_cases_there():
    tally = drawn(np.linspace(0.7, 1.9, 12), 300, 1)
    found = best_value(list(MASSES_G), tally, FLIPS, np.random.default_rng(1))
    assert found.x == 24.0
    assert found.plateau == tuple(range(found.plateau[0], 12))


def test_a_wavy_curve_takes_a_higher_degree():
    places = np.linspace(0, 2 * np.pi, 12)
    tally = drawn(1.6 + np.sin(places), 2000, 1)
    found = best_value(list(np.linspace(0, 30, 12)), tally, FLIPS, np.random.default_rng(1))
    assert found.degree >= 3
    assert found.x == pytest.approx(7.5, abs=1.5)


def test_a_swing_is_the_difference_per_unit():
    tally = tally_of(np.array([[1, 0, 2], [1, 1, 3], [2, 1, 3]]))
    one = swing("friction", (0.2, 0.3, 0.4), tally, 1, FLIPS)
    assert one.per_unit == pytest.approx((8 - 2) / 3 / 0.2)
    assert one.below.value == pytest.approx(-2 / 3)
    assert one.above.value == pytest.approx(4 / 3)
    assert one.largest.value == pytest.approx(2.0)


def test_a_few_throws_that_are_all_alike_do_not_nail_the_curve():
    flips = np.random.default_rng(5).poisson(1.0, (8, 5))
    flips[:, 3] = 0
    found = best_value(
        [15, 25, 35, 45, 55], paired_tally(paired_counts(flips[None])), 0, np.random.default_rng(1)
    )
    at = int(np.argmin(np.abs(found.curve_x - 45)))
    assert found.curve_high[at] - found.curve_low[at] > 0.2
