"""Fits of logs: what was planted comes back, and what a log cannot tell is said."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration.throws import (
    FreeParameter,
    RealThrow,
    Setting,
    ThrowFit,
    design_points,
    design_tasks,
    fit_throws,
    likelihood_of,
    narrowed,
    residuals_of,
    run_design,
    search_space,
    simulate_throw,
    surrogates_from,
    throws_parameters,
    throws_report,
)
from calibration.throws.fit import Verdict
from calibration.throws.report import misfit_of
from calibration.throws.space import SPEED, Points, set_parameters, to_unit
from calibration.throws.surrogate import (
    EXTRAS,
    Surrogate,
    chance,
    counts_of,
    fit_rung,
    fit_surrogate,
    joint_chances,
    polynomial,
)
from physics import ParameterSet, Puck, puckdex_slammer

BASE = ParameterSet()
SPACE = search_space(BASE, {}, ())
SETTING = Setting(slammer=puckdex_slammer(8.0), pucks=10, puck=Puck())


def law(point: Points, rng: np.random.Generator, speed: float | None = None) -> RealThrow:
    """Return a throw of a law that is known: flips by speed and aim, out by speed and friction."""
    x, aim, tilt, restitution, friction = to_unit(SPACE, point).tolist()
    if speed is not None:
        x = float(to_unit(SPACE, np.array([speed, 0, 0, 0, 0]))[SPEED])
    log_odds = np.array(
        [
            -1.2 + 1.3 * x - 1.2 * aim + 0.2 * tilt,
            -2.0 + 2.0 * x + 0.2 * restitution - 0.3 * friction,
        ]
    )
    flips, outs = chance(log_odds).tolist()
    flipped = int(rng.binomial(10, flips))
    return RealThrow(
        setting=SETTING,
        flipped=flipped,
        out=int(rng.binomial(10 - flipped, outs)),
        speed_mm_s=speed,
    )


@lru_cache(maxsize=1)
def surrogate() -> Surrogate:
    points = design_points(SPACE, 4096, seed=1)
    rng = np.random.default_rng(2)
    return surrogates_from([SETTING], SPACE, points, [law(point, rng) for point in points])[0]


def planted(rng: np.random.Generator) -> Points:
    """Return a thrower from well inside the ranges, and contacts as they are known before."""
    contacts = np.clip(rng.standard_normal(2), -2.9, 2.9) * 0.1 + [0.5, 0.35]
    return np.array([*rng.uniform([2500, 5, 5], [7500, 32, 38]), *contacts])


def fit_of(seed: int, throws: int = 80) -> tuple[Points, tuple[RealThrow, ...], ThrowFit]:
    rng = np.random.default_rng([3, seed])
    point = planted(rng)
    log = tuple(law(point, rng) for _ in range(throws))
    return point, log, fit_throws(log, [surrogate()], SPACE)


def inside(point: Points, fit: ThrowFit) -> list[bool]:
    return [own.low <= x <= own.high for own, x in zip(fit.parameters, point, strict=True)]


def test_intervals_hold_what_was_planted() -> None:
    found = np.array([inside(*fit_of(seed)[::2]) for seed in range(24)])
    assert 0.9 <= found.mean() <= 0.99


def test_what_the_law_depends_on_is_told_and_what_it_hardly_does_is_not() -> None:
    fit = fit_of(1, throws=200)[2]
    verdicts = [own.verdict for own in fit.parameters]
    assert verdicts[:4] == [Verdict.IDENTIFIED, Verdict.IDENTIFIED, Verdict.KEPT, Verdict.KEPT]
    assert fit.parameters[2].value == BASE.thrower.tilt_sd_deg


def test_sixteen_times_the_throws_tell_about_four_times_as_well() -> None:
    few, many = (fit_of(2, throws=n)[2].directions[0] for n in (40, 640))
    assert 0.15 < many.standard_error / few.standard_error < 0.4


def test_the_same_log_gives_the_same_fit() -> None:
    assert fit_of(4)[2].parameters == fit_of(4)[2].parameters


def test_the_best_told_combination_is_mostly_speed_and_aim() -> None:
    best, *_, worst = fit_of(5, throws=200)[2].directions
    assert np.sum(np.square(best.weights[:2])) > 0.8
    assert best.standard_error < worst.standard_error / 3
    assert np.sum(np.square(worst.weights)) == pytest.approx(1.0)


def test_what_is_known_better_before_is_known_better_after() -> None:
    point, log, loose = fit_of(6)
    entry = {"materials": {"friction": {"value": float(point[4]), "uncertainty": 0.02}}}
    base = set_parameters(BASE, SPACE, np.array([5000.0, 12.0, 15.0, 0.5, point[4]]))
    known = search_space(base, entry, log)
    points = design_points(known, 2048, seed=4)
    rng = np.random.default_rng(5)
    own = surrogates_from([SETTING], known, points, [law(p, rng) for p in points])
    tight = fit_throws(log, own, known)
    assert tight.parameters[4].standard_error < loose.parameters[4].standard_error / 2


def test_a_closer_look_stays_around_the_intervals_and_within_the_ranges() -> None:
    fit = fit_of(7)[2]
    for free, own, closer in zip(SPACE, fit.parameters, narrowed(fit, SPACE), strict=True):
        assert free.low <= closer.low <= own.low
        assert own.high <= closer.high <= free.high


def test_measured_speeds_are_not_fitted_but_averaged() -> None:
    rng = np.random.default_rng(8)
    point = np.array([np.nan, 12.0, 15.0, 0.5, 0.35])
    speeds = rng.uniform(3000.0, 6000.0, 60)
    log = [law(point, rng, speed) for speed in speeds.tolist()]
    fit = fit_throws(log, [surrogate()], SPACE)
    speed = fit.parameters[SPEED]
    assert not speed.fitted
    assert speed.verdict is Verdict.MEASURED
    assert speed.value == pytest.approx(speeds.mean())
    assert speed.standard_error == pytest.approx(speeds.std(ddof=1) / np.sqrt(60))
    assert len(fit.directions) == 4
    assert all(inside(np.array([speed.value, 12.0, 15.0, 0.5, 0.35]), fit))


def without_information() -> tuple[tuple[RealThrow, ...], list[Surrogate], ThrowFit]:
    """Return a log that is the same whatever the parameters are, and its fit."""
    rng = np.random.default_rng(9)
    same = np.array([5000.0, 12.0, 15.0, 0.5, 0.35])
    points = design_points(SPACE, 1024, seed=1)
    blind = surrogates_from([SETTING], SPACE, points, [law(same, rng) for _ in points])
    log = tuple(law(same, rng) for _ in range(20))
    return log, blind, fit_throws(log, blind, SPACE)


def test_a_log_that_tells_nothing_says_so() -> None:
    log, blind, fit = without_information()
    assert fit.identified == ()
    assert [own.value for own in fit.parameters] == [own.free.default for own in fit.parameters]
    residuals = residuals_of(log, likelihood_of(log, blind, SPACE), fit.unit)
    told = throws_report(log, fit, blind, residuals, "log.csv")
    assert "identifies NO parameter" in told
    assert "speed: anything from" in told
    assert "not determined at all" in told


def test_a_log_that_the_model_cannot_make_is_told_to_fit_badly() -> None:
    _, log, _ = fit_of(10)
    odd = tuple(replace(throw, flipped=6 if k % 2 else 0, out=0) for k, throw in enumerate(log))
    fit = fit_throws(odd, [surrogate()], SPACE)
    residuals = residuals_of(odd, likelihood_of(odd, [surrogate()], SPACE), fit.unit)
    assert misfit_of(residuals) is not None
    assert "BAD: " in throws_report(odd, fit, [surrogate()], residuals, "log.csv")


def test_residuals_of_a_log_that_the_model_made_are_small() -> None:
    _, log, fit = fit_of(11)
    residuals = residuals_of(log, likelihood_of(log, [surrogate()], SPACE), fit.unit)
    assert misfit_of(residuals) is None
    assert [r.statistic for r in residuals][:2] == [
        "flips per throw",
        "share of throws that flip any",
    ]
    assert residuals[0].seen == np.mean([throw.flipped for throw in log])
    assert "Good: no residual" in throws_report(log, fit, [surrogate()], residuals, "log.csv")


def test_the_parameter_file_has_fitted_default_and_given_values() -> None:
    _, log, fit = fit_of(1, throws=200)
    given = {"lift_off": {"drift": {"value": 0.25, "uncertainty": 0.1, "source": "3-D runs"}}}
    entries = {e.name: e for e in throws_parameters(log, fit, BASE, given, "log.csv")}
    assert set(entries) == {
        "speed_mm_s", "aim_sd_mm", "tilt_sd_deg", "restitution", "friction", "drift",
    }  # fmt: skip
    assert entries["speed_mm_s"].fitted_on == "200 throws of log.csv"
    assert entries["tilt_sd_deg"].source.startswith("default")
    assert entries["tilt_sd_deg"].value == BASE.thrower.tilt_sd_deg
    assert entries["drift"].source == "3-D runs"


def test_chances_of_a_surrogate_add_up_and_have_the_laws_means() -> None:
    point = np.array([5500.0, 10.0, 15.0, 0.5, 0.35])
    table = joint_chances(surrogate(), to_unit(SPACE, point))
    assert table.sum() == pytest.approx(1.0)
    flips = surrogate().ladders[0].typical
    rng = np.random.default_rng(12)
    direct = [law(point, rng).flipped for _ in range(4000)]
    mean = float(table.sum(axis=(1, 2)) @ flips)
    assert mean == pytest.approx(np.mean(direct), abs=4 * np.std(direct) / np.sqrt(800))


def test_a_stack_that_never_flips_makes_a_surrogate_without_rungs() -> None:
    points = design_points(SPACE, 200, seed=1)
    still = [RealThrow(setting=SETTING, flipped=0, out=0) for _ in points]
    dull = fit_surrogate(SETTING, to_unit(SPACE, points), counts_of(still))
    assert len(dull.coefficients) == 0
    assert joint_chances(dull, np.zeros(5)).tolist() == [[[1.0]]]


def test_a_log_that_never_loses_a_puck_fits_a_surrogate_that_hardly_ever_does() -> None:
    points = design_points(SPACE, 200, seed=1)
    rare = [RealThrow(setting=SETTING, flipped=k % 2, out=int(k == 7)) for k in range(200)]
    own = [fit_surrogate(SETTING, to_unit(SPACE, points), counts_of(rare))]
    log = [RealThrow(setting=SETTING, flipped=k % 2, out=0) for k in range(20)]
    residuals = residuals_of(log, likelihood_of(log, own, SPACE), np.zeros(5))
    any_out = {r.statistic: r for r in residuals}["share of throws with any out"]
    assert any_out.fitted == pytest.approx(1 / 200)
    assert misfit_of(residuals) is None


def test_a_rung_finds_the_log_odds_it_was_made_from() -> None:
    rng = np.random.default_rng(13)
    unit = rng.uniform(-1, 1, (6000, 2))
    columns = np.concatenate([polynomial(unit), np.zeros((6000, EXTRAS))], axis=1)
    true = 0.3 + 1.2 * unit[:, 0] - 0.8 * unit[:, 0] * unit[:, 1]
    rung = fit_rung(columns, rng.random(6000) < chance(true), extras=0)
    off = columns @ rung.coefficients - true
    expected = np.sqrt(np.einsum("nc,cd,nd->n", columns, rung.covariance, columns))
    assert np.sqrt(np.mean((off / expected) ** 2)) < 1.6
    assert rung.lack_of_fit < 0.3


def test_a_rung_that_lacks_something_knows_by_how_much() -> None:
    rng = np.random.default_rng(14)
    unit = rng.uniform(-1, 1, (20_000, 2))
    columns = np.concatenate([polynomial(unit), np.zeros((20_000, EXTRAS))], axis=1)
    steep = 3.0 * (unit[:, 0] > 0.2)
    rung = fit_rung(columns, rng.random(20_000) < chance(steep), extras=0)
    off = np.sqrt(np.mean((columns @ rung.coefficients - steep) ** 2))
    assert 0.4 * off < rung.lack_of_fit < 1.5 * off


def small_world(stacks: Sequence[int], trials: int) -> tuple[list[Setting], list[Surrogate]]:
    """Return settings of the real model, and their surrogates."""
    settings = [
        Setting(slammer=puckdex_slammer(mass), pucks=pucks, puck=Puck())
        for mass, pucks in zip((4.0, 20.0), stacks, strict=True)
    ]
    points = design_points(SPACE, trials, seed=1)
    tasks = design_tasks(settings, BASE, SPACE, points, seed=1)
    throws = [throw for task in tasks for throw in run_design(task)]
    return settings, surrogates_from(settings, SPACE, points, throws)


def model_coverage(stacks: Sequence[int], trials: int, logs: int, throws: int) -> float:
    """Return the share of intervals that hold what was planted, over logs of the model's throws."""
    settings, own = small_world(stacks, trials)
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


def test_the_models_own_logs_are_fitted_with_intervals_that_hold() -> None:
    assert model_coverage((3, 3), trials=512, logs=4, throws=20) >= 0.8


@pytest.mark.slow
def test_over_a_hundred_logs_of_the_model_95_of_100_intervals_hold() -> None:
    assert 0.90 <= model_coverage((10, 10), trials=4096, logs=100, throws=40) <= 0.99


@pytest.mark.slow
def test_over_two_hundred_logs_of_a_law_95_of_100_intervals_hold() -> None:
    found = np.array([inside(*fit_of(seed)[::2]) for seed in range(100, 300)])
    assert 0.90 <= found.mean() <= 0.99


def test_ranges_hold_the_defaults() -> None:
    def holds(free: FreeParameter) -> bool:
        return free.low <= free.default <= free.high

    assert all(map(holds, SPACE))
