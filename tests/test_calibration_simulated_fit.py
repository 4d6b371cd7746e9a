"""The simulated fit on a law that is known: intervals, what is told, and what is not."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from pucklab.calibration.simulated_fit import Verdict, sums_of
from pucklab.calibration.table import Setting
from pucklab.calibration.throws.fit import FREE, fit_throws, levels_of
from pucklab.calibration.throws.log import RealThrow
from pucklab.calibration.throws.report import throws_parameters, throws_report
from pucklab.physics import ParameterSet, Puck, puckdex_slammer
from tests.slowness import slow

BASE = ParameterSet()
SETTING = Setting(slammer=puckdex_slammer(8.0), pucks=10, puck=Puck())
USUAL = (5000.0, 12.0, 15.0, 0.5, 0.35)


def parameters_of(point):
    speed, aim, tilt, restitution, friction = point
    return replace(
        BASE,
        thrower=replace(BASE.thrower, speed_mm_s=speed, aim_sd_mm=aim, tilt_sd_deg=tilt),
        materials=replace(BASE.materials, restitution=restitution, friction=friction),
    )


def law(parameters, count, rng, speeds=(None,)):
    """Throw by a law that is known: flips by speed and aim, out by speed and friction."""
    throws = []
    for number in range(count):
        known = speeds[number % len(speeds)]
        thrower, materials = parameters.thrower, parameters.materials
        at = [known or thrower.speed_mm_s, thrower.aim_sd_mm, thrower.tilt_sd_deg]
        at += [materials.restitution, materials.friction]
        x, aim, tilt, e, f = (free.place(v) for free, v in zip(FREE, at, strict=True))
        flips = rng.binomial(10, 1 / (1 + np.exp(1.2 - 1.3 * x + 1.2 * aim - 0.2 * tilt)))
        out = rng.binomial(10 - flips, 1 / (1 + np.exp(2.0 - 2.0 * x - 0.2 * e + 0.3 * f)))
        throws.append(
            RealThrow(setting=SETTING, flipped=flips, out=out, speed_mm_s=known, distance_mm=50.0)
        )
    return throws


def fit_log(log, *, space=FREE, trials=2048, thrown=law):
    def simulate(subjects, each):
        rng = np.random.default_rng(7)
        return [
            sums_of(levels_of(thrown(own.parameters, each, rng, own.speeds_mm_s)))
            for own in subjects
        ]

    return fit_throws(log, BASE, space, simulate, trials=trials, seed=1)


def planted(seed, throws):
    """Return a thrower well inside the ranges, contacts as they are known before, and a log."""
    rng = np.random.default_rng([3, seed])
    contacts = np.clip(rng.standard_normal(2), -2.9, 2.9) * 0.1 + [0.5, 0.35]
    point = [*rng.uniform([2500, 5, 5], [7500, 32, 38]).tolist(), *contacts.tolist()]
    return point, law(parameters_of(point), throws, rng)


def held(point, fit):
    return [own.low <= x <= own.high for own, x in zip(fit.parameters, point, strict=True)]


@pytest.mark.parametrize(("fits", "least"), [(5, 0.8), slow(60, 0.9)])
def test_intervals_hold_what_was_planted(fits, least):
    found = [held(point, fit_log(log)) for point, log in (planted(k, 80) for k in range(fits))]
    assert np.mean(found) >= least


def test_what_the_law_depends_on_is_told_and_what_it_hardly_does_is_kept_at_its_default():
    point, log = planted(1, 300)
    fit = fit_log(log)
    speed, aim, tilt, *_ = fit.parameters
    assert fit.converged
    assert (speed.verdict, aim.verdict) == (Verdict.IDENTIFIED, Verdict.IDENTIFIED)
    assert (tilt.verdict, tilt.value) == (Verdict.KEPT, BASE.thrower.tilt_sd_deg)
    for own, truth in zip((speed, aim), point, strict=False):
        assert own.low < own.value < own.high
        assert abs(own.value - truth) < 3 * own.standard_error
    assert np.sum(np.square(fit.axes[:2, 0])) > 0.8  # the best determined: of speed and aim
    assert fit.axis_errors[0] < fit.axis_errors[-1] / 3
    assert fit_log(log).parameters == fit.parameters
    given = {"lift_off": {"drift": {"value": 0.25, "uncertainty": 0.1, "source": "3-D runs"}}}
    entries = {e.name: e for e in throws_parameters(log, fit, BASE, given, "log.csv")}
    assert set(entries) == {free.name for free in FREE} | {"drift"}
    assert entries["speed_mm_s"].fitted_on == "300 throws of log.csv"
    assert entries["tilt_sd_deg"].source.startswith("default")
    assert entries["drift"].source == "3-D runs"
    assert np.diag(fit.responses[0].correlation) == pytest.approx(1)
    # Any of so many residuals is beyond the limit by chance once in a hundred logs.
    limit = NormalDist().inv_cdf(1 - 0.01 / 2 / len(fit.residuals))
    for z_score, word in ((0.99 * limit, "- Good: no residual"), (-1.01 * limit, "- BAD: ")):
        own = fit.residuals[0]
        one = replace(own, seen=own.fitted + z_score * own.standard_error)
        told = throws_report(log, replace(fit, residuals=(one, *fit.residuals[1:])), "log.csv")
        assert word in told
        assert "did NOT converge" not in told
    one_point = replace(fit.posterior, weights=np.eye(1, len(fit.posterior.weights))[0])
    told = throws_report(log, replace(fit, posterior=one_point), "log.csv")
    assert "did NOT converge" in told


def test_more_throws_narrow_the_intervals_down_to_the_simulations_own_errors():
    few, many = (fit_log(planted(2, n)[1]) for n in (40, 640))
    assert many.axis_errors[0] < 0.7 * few.axis_errors[0]
    assert few.simulated_share < 0.35 < many.simulated_share


def test_a_prior_that_is_narrower_leaves_a_narrower_interval():
    point, log = planted(6, 80)
    known = replace(
        FREE[4], default=point[4], known_sd=0.02, low=point[4] - 0.06, high=point[4] + 0.06
    )
    tight = fit_log(log, space=(*FREE[:4], known)).parameters[4]
    assert tight.standard_error < fit_log(log).parameters[4].standard_error / 2


def test_measured_speeds_are_not_fitted_but_averaged():
    rng = np.random.default_rng(8)
    speeds = rng.uniform(3000.0, 6000.0, 60).tolist()
    fit = fit_log(law(parameters_of(USUAL), 60, rng, speeds))
    speed = fit.parameters[0]
    assert speed.verdict is Verdict.MEASURED
    assert speed.value == pytest.approx(np.mean(speeds))
    assert speed.standard_error == pytest.approx(np.std(speeds, ddof=1) / np.sqrt(60))
    assert len(fit.axis_errors) == 4
    assert all(held([speed.value, *USUAL[1:]], fit))


def test_a_log_that_tells_nothing_says_so():
    def blind(_, count, rng, *__):
        return law(parameters_of(USUAL), count, rng)

    log = law(parameters_of(USUAL), 20, np.random.default_rng(20))
    fit = fit_log(log, thrown=blind)
    assert fit.identified == ()
    assert [own.value for own in fit.parameters] == [own.free.default for own in fit.parameters]
    report = throws_report(log, fit, "log.csv")
    for words in ("identifies NO parameter", "speed: anything from", "not determined at all"):
        assert words in report


def test_a_log_that_the_model_cannot_make_is_told_to_fit_badly():
    _, log = planted(3, 80)
    odd = [replace(throw, flipped=6 if k % 2 else 0, out=0) for k, throw in enumerate(log)]
    assert "BAD: " in throws_report(odd, fit_log(odd), "log.csv")


def test_residuals_are_those_of_the_logs_means():
    _, log = planted(4, 80)
    first, *_ = fit_log(log).residuals
    assert (first.statistic, first.trials) == ("flips per throw", 80)
    assert first.seen == np.mean([throw.flipped for throw in log])


@pytest.mark.parametrize("flipped", [0, 1])
def test_what_is_never_simulated_is_rare_and_not_impossible(flipped):
    """Nothing ever leaves the box in the simulation, and flips do not differ at all."""
    throw = RealThrow(setting=SETTING, flipped=flipped, out=0, distance_mm=50.0)
    log = [throw] * 19 + [replace(throw, out=1)]
    fit = fit_log(log, thrown=lambda _, count, *__: [throw] * count)
    (out,) = [r for r in fit.residuals if r.statistic == "out per throw"]
    assert np.isfinite(fit.posterior.lowest)
    assert out.fitted < 1e-3
    assert "BAD: " in throws_report(log, fit, "log.csv")


def test_a_throw_that_leaves_no_puck_inside_counts_as_at_the_wall():
    throw = RealThrow(setting=SETTING, flipped=0, out=10)
    assert levels_of([throw, replace(throw, out=9)])[:, 4] == pytest.approx(
        [152.4, np.nan], nan_ok=True
    )
