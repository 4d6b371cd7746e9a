"""Fits of logs: what was planted comes back, and what a log cannot tell is said."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration.designs import quadratic
from calibration.throws import (
    POINTS,
    RealThrow,
    Setting,
    design,
    fit_response,
    fit_throws,
    levels_of,
    likelihood_of,
    moments_of,
    narrowed,
    point_subjects,
    residuals_of,
    search_space,
    simulate_throw,
    throw_at_point,
    throws_parameters,
    throws_report,
)
from calibration.throws import fit as fit_module
from calibration.throws.fit import Verdict
from calibration.throws.report import misfit_of
from calibration.throws.space import SPEED, set_parameters, to_unit
from physics import ParameterSet, Puck, puckdex_slammer

BASE = ParameterSet()
SPACE = search_space(BASE, {}, ())
SETTING = Setting(slammer=puckdex_slammer(8.0), pucks=10, puck=Puck())
USUAL = np.array([5000.0, 12.0, 15.0, 0.5, 0.35])
EACH = 32
"""Throws of the law at each point of a design."""


@pytest.fixture(autouse=True)
def short_chains(request, monkeypatch):
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(fit_module, "_STEPS", 80)
        monkeypatch.setattr(fit_module, "_BURN_IN", 60)


def law(point, count, rng, speeds=()):
    """Return throws of a law that is known: flips by speed and aim, out by speed and friction."""
    units = np.tile(to_unit(SPACE, point), (count, 1))
    if speeds:
        units[:, SPEED] = to_unit(SPACE, np.array([[speed, 0, 0, 0, 0] for speed in speeds]))[:, 0]
    x, aim, tilt, restitution, friction = units.T
    flips = rng.binomial(10, 1 / (1 + np.exp(1.2 - 1.3 * x + 1.2 * aim - 0.2 * tilt)))
    log_odds = -2.0 + 2.0 * x + 0.2 * restitution - 0.3 * friction
    outs = rng.binomial(10 - flips, 1 / (1 + np.exp(-log_odds)))
    known = speeds or [None] * count
    return tuple(
        RealThrow(setting=SETTING, flipped=int(f), out=int(o), speed_mm_s=v, distance_mm=50.0)
        for f, o, v in zip(flips, outs, known, strict=True)
    )


def response_of(points, seed, *, at=None):
    """Return the law's response, simulated at points; all are ``at`` one in truth if given."""
    rng = np.random.default_rng(seed)
    thrown = [law(p if at is None else at, EACH, rng) for p in points]
    tallies = [moments_of(levels_of(own)) for own in thrown]
    return fit_response(SETTING, to_unit(SPACE, points), tallies)


@lru_cache(maxsize=1)
def response():
    return response_of(design(SPACE, 1), 2)


def planted(rng):
    """Return a thrower from well inside the ranges, and contacts as they are known before."""
    contacts = np.clip(rng.standard_normal(2), -2.9, 2.9) * 0.1 + [0.5, 0.35]
    return np.array([*rng.uniform([2500, 5, 5], [7500, 32, 38]), *contacts])


@lru_cache(maxsize=16)
def fit_of(seed, throws=80):
    rng = np.random.default_rng([3, seed])
    point = planted(rng)
    log = law(point, throws, rng)
    return point, log, fit_throws(log, [response()], SPACE)


def inside(point, fit):
    return [own.low <= x <= own.high for own, x in zip(fit.parameters, point, strict=True)]


def told(log, own, fit):
    """Return the report, and whether it finds the fit bad."""
    likelihood = likelihood_of(log, [own], SPACE)
    residuals = residuals_of(likelihood, fit.unit)
    report = throws_report(log, fit, likelihood, residuals, "log.csv")
    return report, misfit_of(residuals) is not None


@pytest.mark.parametrize("fits", [16, pytest.param(100, marks=pytest.mark.slow)])
def test_intervals_hold_what_was_planted(fits):
    found = np.array([inside(*fit_of(seed)[::2]) for seed in range(fits)])
    assert 0.9 <= found.mean() <= 0.99


def test_what_the_law_depends_on_is_told_and_what_it_hardly_does_is_not():
    point, _, fit = fit_of(1, throws=400)
    verdicts = [own.verdict for own in fit.parameters]
    assert verdicts[:2] == [Verdict.IDENTIFIED, Verdict.IDENTIFIED]
    assert verdicts[2] is Verdict.KEPT
    assert fit.parameters[2].value == BASE.thrower.tilt_sd_deg
    assert fit.converged
    for own, truth in zip(fit.parameters[:2], point, strict=False):
        assert own.low < own.value < own.high
        assert abs(own.value - truth) < 3 * own.standard_error


def test_more_throws_narrow_the_intervals_down_to_the_simulations_own_errors():
    few, many = (fit_of(2, throws=n)[2] for n in (40, 640))
    assert many.directions[0].standard_error < 0.6 * few.directions[0].standard_error
    assert few.simulated_share < 0.35 < many.simulated_share


def test_the_same_log_gives_the_same_fit():
    log = fit_of(4)[1]
    assert fit_throws(log, [response()], SPACE).parameters == fit_of(4)[2].parameters


def test_the_best_told_combination_is_mostly_speed_and_aim():
    best, *_, worst = fit_of(5, throws=200)[2].directions
    assert np.sum(np.square(best.weights[:2])) > 0.8
    assert best.standard_error < worst.standard_error / 3
    assert np.sum(np.square(worst.weights)) == pytest.approx(1.0)


def test_a_prior_that_is_narrower_leaves_a_narrower_interval():
    point, log, loose = fit_of(6)
    entry = {"materials": {"friction": {"value": float(point[4]), "uncertainty": 0.02}}}
    base = set_parameters(BASE, SPACE, np.array([*USUAL[:4], point[4]]))
    known = search_space(base, entry, log)
    tight = fit_throws(log, [response_in(known)], known)
    assert tight.parameters[4].standard_error < loose.parameters[4].standard_error / 2


def response_in(space):
    """Return the law's response in other ranges."""
    rng = np.random.default_rng(5)
    points = design(space, 4)
    tallies = [moments_of(levels_of(law(p, EACH, rng))) for p in points]
    return fit_response(SETTING, to_unit(space, points), tallies)


def test_a_closer_look_stays_around_the_intervals_and_within_the_ranges():
    fit = fit_of(7)[2]
    for free, own, closer in zip(SPACE, fit.parameters, narrowed(fit, SPACE), strict=True):
        assert free.low <= closer.low <= own.low
        assert own.high <= closer.high <= free.high


def test_measured_speeds_are_not_fitted_but_averaged():
    rng = np.random.default_rng(8)
    speeds = rng.uniform(3000.0, 6000.0, 60).tolist()
    fit = fit_throws(law(USUAL, 60, rng, speeds), [response()], SPACE)
    speed = fit.parameters[SPEED]
    assert not speed.fitted
    assert speed.verdict is Verdict.MEASURED
    assert speed.value == pytest.approx(np.mean(speeds))
    assert speed.standard_error == pytest.approx(np.std(speeds, ddof=1) / np.sqrt(60))
    assert len(fit.directions) == 4
    assert all(inside(np.array([speed.value, *USUAL[1:]]), fit))


def test_a_log_that_tells_nothing_says_so():
    """Of such logs one in some ten seems to tell something, by chance; none of twelve here did."""
    blind = response_of(design(SPACE, 1), 20, at=USUAL)
    log = law(USUAL, 20, np.random.default_rng(20))
    fit = fit_throws(log, [blind], SPACE)
    assert fit.identified == ()
    assert [own.value for own in fit.parameters] == [own.free.default for own in fit.parameters]
    report, _ = told(log, blind, fit)
    for words in ("identifies NO parameter", "speed: anything from", "not determined at all"):
        assert words in report


def test_a_log_that_the_model_cannot_make_is_told_to_fit_badly():
    log = [replace(throw, flipped=6 if k % 2 else 0, out=0) for k, throw in enumerate(fit_of(3)[1])]
    report, is_bad = told(log, response(), fit_throws(log, [response()], SPACE))
    assert is_bad
    assert "BAD: " in report


def test_residuals_of_a_log_that_the_model_made_are_small():
    _, log, fit = fit_of(4)
    residuals = residuals_of(likelihood_of(log, [response()], SPACE), fit.unit)
    assert (residuals[0].statistic, residuals[0].throws) == ("flips per throw", 80)
    assert residuals[0].seen == np.mean([throw.flipped for throw in log])
    report, is_bad = told(log, response(), fit)
    assert not is_bad
    assert "Good: no residual" in report


def test_the_parameter_file_has_fitted_default_and_given_values():
    _, log, fit = fit_of(1, throws=400)
    given = {"lift_off": {"drift": {"value": 0.25, "uncertainty": 0.1, "source": "3-D runs"}}}
    entries = {e.name: e for e in throws_parameters(log, fit, BASE, given, "log.csv")}
    assert set(entries) == {
        "speed_mm_s", "aim_sd_mm", "tilt_sd_deg", "restitution", "friction", "drift",
    }  # fmt: skip
    assert entries["speed_mm_s"].fitted_on == "400 throws of log.csv"
    assert entries["tilt_sd_deg"].source.startswith("default")
    assert entries["tilt_sd_deg"].value == BASE.thrower.tilt_sd_deg
    assert entries["drift"].source == "3-D runs"


def test_a_response_has_the_laws_means_and_variances_within_its_own_errors():
    own, rng = response(), np.random.default_rng(12)
    off, spread = [], []
    for _ in range(20):
        point = planted(rng)
        row = quadratic(to_unit(SPACE, point))
        direct = levels_of(law(point, 4000, rng))[:, :4]
        error2 = np.einsum("c,scd,d->s", row, own.covariance, row)[:4] + own.lack[:4] ** 2
        off.append((own.mean(row)[:4] - direct.mean(axis=0)) ** 2 / error2)
        spread.append(own.variance(own.mean(row))[:4] / direct.var(axis=0))
    assert 0.3 < np.mean(off) < 2.5
    assert np.median(spread) == pytest.approx(1.0, abs=0.25)


def test_what_no_quadratic_describes_is_lack_of_fit():
    points = design(SPACE, 1)
    steep = np.where(to_unit(SPACE, points)[:, SPEED] > 0.2, 5, 0)
    tallies = [
        moments_of(levels_of([RealThrow(setting=SETTING, flipped=f, out=0, distance_mm=50)] * EACH))
        for f in steep.tolist()
    ]
    own = fit_response(SETTING, to_unit(SPACE, points), tallies)
    misses = own.mean(quadratic(to_unit(SPACE, points)))[:, 0] - steep
    assert own.lack[0] == pytest.approx(misses.std(), rel=0.3)


@pytest.mark.parametrize("flipped", [0, 1])
def test_what_is_never_seen_is_rare_and_not_impossible(flipped):
    """Nothing ever leaves the box in the simulation, and flips may not differ at all."""
    throw = RealThrow(setting=SETTING, flipped=flipped, out=0, distance_mm=50.0)
    tallies = [moments_of(levels_of([throw] * EACH))] * POINTS
    dull = fit_response(SETTING, to_unit(SPACE, design(SPACE, 1)), tallies)
    log = [throw] * 19 + [replace(throw, out=1)]
    likelihood = likelihood_of(log, [dull], SPACE)
    assert np.isfinite(likelihood.misfit(np.zeros((1, 5)))).all()
    residuals = residuals_of(likelihood, np.zeros(5))
    (out,) = [r for r in residuals if r.statistic == "out per throw"]
    assert 0 < out.fitted < 1e-3
    assert misfit_of(residuals) is not None


def model_coverage(stacks, each, logs, throws):
    """Return the share of intervals that hold what was planted, over logs of the engine's throws.

    The fit is the first of the two of the command: all over the ranges.
    """
    settings = [
        Setting(slammer=puckdex_slammer(mass), pucks=pucks, puck=Puck())
        for mass, pucks in zip((4.0, 20.0), stacks, strict=True)
    ]
    points = design(SPACE, 1)
    subjects = point_subjects(settings, BASE, SPACE, points)
    tallies = [throw_at_point(subject, 1, 0, each) for subject in subjects]
    own = [
        fit_response(setting, to_unit(SPACE, points), tallies[place * POINTS :][:POINTS])
        for place, setting in enumerate(settings)
    ]
    held = []
    for repetition in range(logs):
        point = planted(np.random.default_rng([15, repetition]))
        parameters = set_parameters(BASE, SPACE, point)
        log = [
            simulate_throw(setting, parameters, 1000 + repetition, trial + 1000 * place)
            for place, setting in enumerate(settings)
            for trial in range(throws)
        ]
        held.append(inside(point, fit_throws(log, own, SPACE)))
    return float(np.mean(held))


@pytest.mark.slow
def test_over_a_hundred_logs_of_the_model_95_of_100_intervals_hold():
    assert 0.90 <= model_coverage((10, 10), each=32, logs=100, throws=40) <= 0.99


def test_trial_i_at_a_point_is_the_models_throw_there():
    points = design(SPACE, 3)
    *_, subject = point_subjects([SETTING], BASE, SPACE, points[:2], first=7)
    assert (subject.number, subject.parameters) == (8, set_parameters(BASE, SPACE, points[1]))
    one = simulate_throw(SETTING, subject.parameters, 5, 8_000_003)
    assert throw_at_point(subject, 5, 3, 1) == moments_of(levels_of([one]))


def test_a_throw_that_leaves_no_puck_inside_counts_as_at_the_wall():
    throw = RealThrow(setting=SETTING, flipped=0, out=10)
    assert levels_of([throw, replace(throw, out=9)])[:, 4] == pytest.approx(
        [152.4, np.nan], nan_ok=True
    )
