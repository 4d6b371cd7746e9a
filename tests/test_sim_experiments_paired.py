"""Paired trials: exact sums, honest differences, best values that are the best."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pucklab.physics import knock_out_stack, puckdex_slammer
from pucklab.sim.experiments import read_table, run_to_end
from pucklab.sim.experiments.curve import COMMON_LUCK, LENGTHS, MOVES, fit_curve, number_distances
from pucklab.sim.experiments.paired import (
    difference,
    fit_paired_curve,
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


PAIR = np.array([[0.0, 1.0], [1.0, 0.0]])
"""Distances of two values of a number."""

STUDIES = [study_of(4.0), study_of(20.0)]
CASES = [
    OddsCase(name=name, study=study)
    for name, study in zip(("light", "heavy"), STUDIES, strict=True)
]


def compared(tally, distances=PAIR):
    """Return the difference of the first two cases."""
    return difference(tally, fit_paired_curve(tally, FLIPS, distances), 0, 1, FLIPS)


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


def test_of_a_knock_out_the_target_slammer_is_counted_and_no_shield():
    stack = knock_out_stack(puckdex_slammer(8.0), 2)
    studies = [
        replace(own, scene=replace(own.scene, stack=stack), engine="solid") for own in STUDIES
    ]
    tally = paired_tally(throw_paired(studies, 1, 0, 60))
    alone = [run_trials(study, 1, 0, 60) for study in studies]
    assert tally.sums.tolist() == [[own.flips_by_place[0] for own in alone]]
    assert all(own.flips[0] < 60 - own.flips_by_place[0] for own in alone)


@given(flips=arrays(np.int64, (12, 3), elements=st.integers(0, 9)), cut=st.integers(0, 12))
def test_sums_of_parts_add_up_and_give_numpys_covariance(flips, cut):
    parts = (paired_counts(part[None]) for part in (flips[:cut], flips[cut:]))
    counts = paired_counts(flips[None])
    assert [one + other for one, other in zip(*parts, strict=True)] == counts
    whole = paired_tally(counts)
    assert whole.covariance(FLIPS) == pytest.approx(np.cov(flips.T), abs=1e-12)
    assert whole.means(FLIPS) == pytest.approx(flips.mean(axis=0))
    curve = fit_paired_curve(whole, FLIPS, number_distances([4.0, 8.0, 20.0]))
    one, back = (difference(whole, curve, *pair, FLIPS) for pair in ((0, 1), (1, 0)))
    assert one.wins == (flips[:, 0] > flips[:, 1]).mean()
    assert one.better + back.better == pytest.approx(1.0)
    assert one.value == pytest.approx(-back.value)
    assert one.low <= one.value <= one.high


def test_counts_of_an_older_file_have_no_flips_and_go_on(tmp_path):
    cases, path = experiment_cases(CASES), tmp_path / "old.csv"
    table = run_to_end(PAIRED_ODDS, cases, trials=20)
    assert [sum(own.flips) for own in table.tallies()] == [20, 20]
    old = [replace(own, flips=()) for own in table.tallies()]
    for row, own in zip(table.rows, old, strict=True):
        table.set_tally(row.id, own)
    text = table.csv().replace(r',""flips"":[]', "")
    path.write_text(text)
    again = read_table(path.read_text(), "old.csv", PAIRED_ODDS)
    assert again.tallies() == old
    more = [
        one + two for one, two in zip(again.tallies(), throw_paired(STUDIES, 1, 20, 5), strict=True)
    ]
    assert [own.trials for own in more] == [25, 25]
    assert not any(own.flips for own in more)
    text = table.csv().replace('""flips"":[]', '""flips"":[1]')
    refused(read_table, text, "old.csv", PAIRED_ODDS, said="row 2, column counts: damaged")


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
        (replace(light, trials=21), heavy, "row 2, column counts: damaged"),
        (replace(light, trials=21, flips=()), heavy, "row 3, column counts: damaged"),
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
def test_intervals_cover_95_of_100_differences_that_are_drawn_as_the_prior_says(repetitions):
    rng, held = np.random.default_rng(7), 0
    chances = np.exp(-0.5 * (np.log(np.array(MOVES) / 0.25) / 0.8) ** 2)
    for seed in range(repetitions):
        # The pair is a factor of e apart.
        way = 3**0.5 / rng.choice(LENGTHS)
        move = rng.choice(MOVES, p=chances / chances.sum())
        sd = move * (2 * (1 - (1 + way) * np.exp(-way))) ** 0.5
        means = 1.5 * np.exp(rng.normal(0.0, sd / 1.5**0.5) * np.array([0.5, -0.5]))
        one = compared(drawn(np.maximum(means, 0.61), 200, seed))
        held += one.low <= means[0] - means[1] <= one.high
    assert 0.91 <= held / repetitions <= 0.98


def test_common_parts_save_throws():
    tally = drawn(np.array([1.5, 1.2]), 20_000, 1)
    apart = fit_paired_curve(tally, FLIPS, PAIR).gap(0, 1).error ** 2
    # Variances 1.5 and 1.2, of which .6 are common.
    assert apart * 20_000 == pytest.approx(1.5, rel=0.05)


def test_the_throws_that_would_tell_do_tell_four_times_in_five():
    means = np.array([1.5, 1.35])
    needed = compared(drawn(means, 1_000_000, 1)).needed
    found = [compared(drawn(means, needed, seed)) for seed in range(500)]
    # Differences that are drawn towards 0 look smaller, the more so with few throws.
    assert 0.68 <= sum(one.is_clear for one in found) / 500 <= 0.85


def test_cases_that_never_differ_cannot_be_told_apart():
    same = compared(tally_of(np.array([[1, 1], [2, 2], [0, 0]])))
    assert (same.value, same.better) == pytest.approx((0.0, 0.5))
    assert same.low < 0 < same.high
    ahead = compared(tally_of(np.array([[1, 0], [2, 1], [1, 0]])))
    assert 0.5 < ahead.better < 0.99  # three throws


MASSES_G = np.linspace(2, 24, 12)
CURVE = 1.8 - 0.35 * np.log(MASSES_G / 10.0) ** 2


CURVES = {
    "level": 0 * MASSES_G + 0.8,
    "rising": 0.5 + 1.3 / (1 + np.exp(-(MASSES_G - 9) / 3)),
    "peaked": 0.1 + 0.55 * MASSES_G * np.exp(-MASSES_G / 9),
    "narrow": 0.9 + 0.8 * np.exp(-(((MASSES_G - 11) / 3.5) ** 2)),
}
"""Means of cases."""


FAR = number_distances(MASSES_G)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("repetitions", [40, slow(1000)])
def test_the_values_not_told_apart_hold_the_best_in_95_runs_of_100(repetitions, curve):
    means = np.maximum(CURVES[curve], 0.6)
    best = set(np.flatnonzero(means >= means.max() - 1e-9).tolist())
    found = [
        fit_paired_curve(drawn(means, 300, 10_000 + seed), FLIPS, FAR)
        for seed in range(repetitions)
    ]
    held = sum(bool(best & {*one.leaders}) for one in found)
    assert held / repetitions >= 0.95
    assert all(one.ranks[0][0] in one.leaders for one in found)


def test_the_best_of_a_clear_peak_stands_alone_and_its_mean_is_that_of_the_peak():
    found = fit_paired_curve(drawn(CURVE, 40_000, 1), FLIPS, FAR)
    assert 10.0 in (held := [MASSES_G[k] for k in found.leaders])
    assert len(held) <= 2
    assert found.values[4] == pytest.approx(1.8, abs=4 * found.errors[4])


def test_a_curve_that_rises_to_its_end_has_its_best_cases_there():
    found = fit_paired_curve(drawn(np.linspace(0.7, 1.9, 12), 300, 1), FLIPS, FAR)
    assert found.leaders == list(range(found.leaders[0], 12))


def test_a_few_throws_that_are_all_alike_do_not_nail_the_curve():
    flips = np.random.default_rng(5).poisson(1.0, (8, 5))
    flips[:, 3] = 0
    found = fit_paired_curve(tally_of(flips), FLIPS, number_distances([15, 25, 35, 45, 55]))
    assert found.errors[3] > 0.1


def test_the_curve_is_that_of_a_gaussian_process():
    """Of one move and length, by the textbook's formula for a mean that may be anything."""
    means, masses = np.array([1.0, 1.4, 1.3]), [4.0, 8.0, 20.0]
    found = fit_curve(number_distances([*masses, 12.0]), means.tolist(), 2 * np.eye(3), [50] * 3)
    places = np.log([*masses, 12.0])
    way = 3**0.5 / 2.0 * np.abs(places[:, None] - places)  # the last length, of the last move
    prior = 2 * (1 + way) * np.exp(-way)
    luck = np.where(np.eye(3, dtype=bool), 1.0, 10 * COMMON_LUCK / (50 + 3 + 10))
    own = np.linalg.inv(prior[:3, :3] + luck * 2 / 50)
    level = own.sum(axis=0) @ means / own.sum()
    expected = level + prior[:, :3] @ own @ (means - level)
    assert found.means[-1] == pytest.approx(expected, abs=2e-3)
    gap = np.array([1.0, -1.0, 0.0])  # in which the level cancels, but for its own error
    ones = prior[:3, :3] @ own @ np.ones(3) - 1
    variance = (
        prior[:3, :3] - prior[:3, :3] @ own @ prior[:3, :3] + np.outer(ones, ones) / own.sum()
    )
    assert gap @ found.covariances[-1][:3, :3] @ gap == pytest.approx(
        gap @ variance @ gap, rel=1e-2
    )


def test_a_swing_is_the_difference_per_unit():
    tally = tally_of(np.array([[1, 0, 2], [1, 1, 3], [2, 1, 3]]))
    one = swing("friction", (0.2, 0.3, 0.4), tally, 1, FLIPS)
    assert one.per_unit == pytest.approx(one.across.value / 0.2)
    assert one.below.value < 0 < one.above.value
    assert one.across.value == pytest.approx(one.above.value - one.below.value)
    assert one.largest is one.across
