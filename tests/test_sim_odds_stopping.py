"""Stop rules: honest intervals, throws where they matter, the same result for any executor."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import InputError, Scene, ThrowDistribution, puck_stack, puckdex_slammer
from sim.odds import StopRule, Study, Tally, wilson
from sim.odds.stopping import FIRST_LOOK, half_width, next_look, run_until, stopped_coverage
from sim.odds.study import Z_95, Z_LOOKED, Progress, flips_half_width

PIECES = 10
FLIP_CHANCES = {
    4.0: (0.38, 0.25, 0.19, 0.1, 0.06, 0.02),
    8.0: (0.26, 0.28, 0.18, 0.14, 0.1, 0.04),
    20.0: (0.03, 0.25, 0.3, 0.22, 0.12, 0.08),
}
"""Chances of 0 to 5 flips of a cheap thrower, by the slammer's mass."""


def study_of(mass_g: float) -> Study:
    scene = Scene(slammer=puckdex_slammer(mass_g), stack=puck_stack(PIECES))
    return Study(scene=scene, thrower=ThrowDistribution())


STUDIES = [study_of(mass_g) for mass_g in FLIP_CHANCES]


def cheap(study: Study, seed: int, first: int, count: int) -> Tally:
    """Return the tally of a cheap thrower, who flips the lowest pieces."""
    chances = FLIP_CHANCES[study.scene.slammer.mass_g]
    rng = np.random.default_rng([seed, first, round(study.scene.slammer.mass_g)])
    drawn = rng.multinomial(count, chances).tolist()
    flips = (*drawn, *(0,) * (PIECES + 1 - len(drawn)))
    return Tally(
        trials=count,
        hits=count,
        flips=flips,
        flips_by_place=tuple(sum(flips[k + 1 :]) for k in range(PIECES)),
        outs=(count, *(0,) * PIECES),
        leaning=0,
        distance_um=0,
        slammers_out=0,
    )


def last(
    rule: StopRule, seed: int = 1, studies: list[Study] = STUDIES, **options: object
) -> Progress:
    *_, state = run_until(studies, rule, seed=seed, throw=cheap, **options)  # type: ignore[arg-type]
    return state


REPETITIONS = pytest.mark.parametrize(
    "repetitions", [500, pytest.param(10_000, marks=pytest.mark.slow)]
)
"""Runs of a coverage test: standard errors of its coverage are 1 % and .2 %."""

RULES = [
    StopRule(half_width=0.06),
    StopRule(max_trials=700),
    StopRule(half_width=0.15, of="flips"),
    StopRule(max_trials=700, of="flips"),
]


@REPETITIONS
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_intervals_after_a_stop_rule_cover_the_truth_95_times_in_100(
    rule: StopRule, repetitions: int
) -> None:
    chances = FLIP_CHANCES[4.0]
    mean_flips = sum(k * chance for k, chance in enumerate(chances))
    studies = STUDIES[:2] if rule.max_trials else STUDIES[:1]
    covered = 0
    for seed in range(repetitions):
        tally = last(rule, seed, studies).tallies[0]
        if rule.of == "p_any":
            chance = wilson(tally.trials - tally.flips[0], tally.trials, Z_LOOKED)
            covered += chance.low <= 1 - chances[0] <= chance.high
        else:
            found = sum(k * count for k, count in enumerate(tally.flips)) / tally.trials
            covered += abs(found - mean_flips) <= flips_half_width(tally.flips, Z_LOOKED)
    assert 0.93 <= covered / repetitions <= 0.97, covered / repetitions


@pytest.mark.parametrize("target", [0.1, 0.05, 0.03])
def test_exact_coverage_at_a_stop_is_nominal_over_all_chances(target: float) -> None:
    chances = np.linspace(0.03, 0.97, 24)
    coverage = [stopped_coverage(float(chance), target)[0] for chance in chances]
    assert 0.95 <= np.mean(coverage) <= 0.97
    assert min(coverage) >= 0.93


def test_looks_cost_something() -> None:
    chances = np.linspace(0.03, 0.97, 24)
    unpaid = np.mean([stopped_coverage(float(chance), 0.05, Z_95)[0] for chance in chances])
    paid = np.mean([stopped_coverage(float(chance), 0.05, Z_LOOKED)[0] for chance in chances])
    assert unpaid < paid


def test_counting_paths_agrees_with_repetition() -> None:
    trials = [last(StopRule(half_width=0.06), seed, STUDIES[:1]).done for seed in range(400)]
    exact = stopped_coverage(1 - FLIP_CHANCES[4.0][0], 0.06)[1]
    assert np.mean(trials) == pytest.approx(exact, abs=4 * np.std(trials) / math.sqrt(400))


def test_every_study_reaches_the_half_width_and_not_much_more() -> None:
    state = last(StopRule(half_width=0.03))
    for tally in state.tallies:
        assert 0.027 <= half_width(tally, "p_any") <= 0.03
    assert state.tallies[2].trials < state.tallies[0].trials / 3


def test_a_budget_goes_to_the_least_sure() -> None:
    state = last(StopRule(max_trials=3000))
    widths = [half_width(tally, "p_any") for tally in state.tallies]
    even = half_width(cheap(STUDIES[0], 1, 0, 1000), "p_any")
    assert max(widths) < 0.95 * even
    assert 2800 <= state.done <= 3000


def test_no_time_still_gives_every_study_its_first_look() -> None:
    state = last(StopRule(half_width=0.001, max_seconds=1e-9))
    assert state.stopped_by == ("max-seconds",) * 3
    assert all(tally.trials >= FIRST_LOOK for tally in state.tallies)


@pytest.mark.parametrize("rule", [StopRule(half_width=0.05), StopRule(max_trials=2000, of="flips")])
@pytest.mark.parametrize("window", [2, 5, 40])
def test_throws_ahead_of_time_change_nothing(rule: StopRule, window: int) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert last(rule, executor=pool, window=window) == last(rule)


@pytest.mark.parametrize("rule", [StopRule(half_width=0.05), StopRule(max_trials=2000)])
@given(stop=st.integers(0, 30))
def test_a_run_that_is_continued_ends_as_if_it_had_never_stopped(rule: StopRule, stop: int) -> None:
    states = list(run_until(STUDIES, rule, seed=1, throw=cheap))
    begin = states[min(stop, len(states) - 1)].tallies
    assert last(rule, begin=begin).tallies == states[-1].tallies


@given(trials=st.integers(0, 10**8))
def test_looks_are_at_numbers_that_do_not_depend_on_the_run(trials: int) -> None:
    look = next_look(trials)
    assert look > trials
    assert next_look(look - 1) == look
    assert look <= max(FIRST_LOOK, trials + min(1000, max(25, trials // 9)))


def test_a_rule_that_never_ends_is_refused() -> None:
    with pytest.raises(InputError, match=r"^half_width: none is not accepted"):
        StopRule()
    with pytest.raises(InputError, match=r"^of: 'outs' is not accepted; give p_any or flips"):
        StopRule(half_width=0.1, of="outs")
