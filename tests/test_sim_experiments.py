"""The experiments' room: the same table for any number of workers, after any interruption."""

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from pucklab.physics.tally import Counts
from pucklab.sim.experiments import (
    Case,
    Experiment,
    StopRule,
    collect,
    merge_tables,
    read_table,
    run_to_end,
    wilson,
)
from pucklab.sim.experiments.estimates import Z_95, Z_LOOKED
from pucklab.sim.experiments.stopping import next_look
from pucklab.sim.experiments.table import table_of
from tests.coins import COINS, CoinTally, coin_cases, toss
from tests.refusals import refused
from tests.slowness import slow
from tests.tables import cases

COINS_OF_THREE = coin_cases(0.1, 0.5, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs(Counts):
    """Heads of one coin, and of it together with each of all."""

    heads: int
    both: tuple[int, ...]


def toss_together(chances, seed, first, count):
    """Toss all coins with the same random numbers."""
    heads = [[toss(chance, seed, trial, 1).heads for chance in chances]
             for trial in range(first, first + count)]  # fmt: skip
    return [
        Pairs(
            trials=count,
            heads=sum(row[k] for row in heads),
            both=tuple(sum(row[k] * row[j] for row in heads) for j in range(len(chances))),
        )
        for k in range(len(chances))
    ]


PAIRED = Experiment(
    name="paired coins",
    tally=Pairs,
    run=toss_together,
    columns=lambda tally, _: {"p_heads": tally.heads / tally.trials},
    together=True,
)

RUNS = [
    (COINS, {"trials": 130}),
    (PAIRED, {"trials": 130}),
    (COINS, {"trials": 0, "rule": StopRule(half_width=0.08)}),
]


@pytest.mark.parametrize(("experiment", "options"), RUNS)
def test_a_run_stopped_anywhere_and_continued_has_the_table_of_one_that_was_not(
    experiment, options
):
    whole = run_to_end(experiment, COINS_OF_THREE, **options).csv()
    text = ""
    while True:
        table = table_of(experiment, COINS_OF_THREE, seed=1)
        if text:
            table.resume(text, "coins.csv")
        states = collect(table, COINS_OF_THREE, **options)
        for _ in range(3):
            state = next(states, None)
        text = table.csv()
        if state is None:
            break
    assert text == whole


def test_cases_that_are_ahead_of_others_get_only_what_they_lack():
    table = table_of(COINS, COINS_OF_THREE, seed=1)
    for coins, trials in ((1, 7), (2, 40), (3, 60)):
        for _ in collect(table, COINS_OF_THREE[:coins], trials=trials):
            pass
    assert table.csv() == run_to_end(COINS, COINS_OF_THREE, trials=60).csv()


@pytest.mark.parametrize("window", [2, 5, 40])
def test_trials_ahead_of_time_change_nothing(window):
    for experiment, options in RUNS:
        with ThreadPoolExecutor(3) as pool:
            table = run_to_end(experiment, COINS_OF_THREE, executor=pool, window=window, **options)
        assert table.csv() == run_to_end(experiment, COINS_OF_THREE, **options).csv()


def test_all_cases_get_on_together():
    table = table_of(COINS, COINS_OF_THREE, seed=1)
    for _ in collect(table, COINS_OF_THREE, trials=90):
        trials = [entry.tally.trials if (entry := table.entry(k)) else 0 for k in range(3)]
        assert max(trials) - min(trials) <= COINS.chunk


@pytest.mark.parametrize("experiment", [COINS, PAIRED])
def test_a_run_has_as_many_tasks_as_it_says(experiment):
    calls = []
    counted = replace(experiment, run=lambda *task: calls.append(task) or experiment.run(*task))
    run_to_end(counted, COINS_OF_THREE, trials=130)
    assert len(calls) == experiment.tasks(3, 130)


def test_equal_cases_are_run_once_and_keep_their_rows():
    calls = []

    def counted(chance, seed, first, count):
        calls.append(chance)
        return toss(chance, seed, first, count)

    cases = [*coin_cases(0.5), replace(coin_cases(0.5)[0], labels={"coin": "other"})]
    table = run_to_end(replace(COINS, run=counted), cases, trials=10)
    assert calls == [0.5]
    assert [row["coin"] for row in table.values()] == ["0.5", "other"]


def test_a_row_has_names_means_origin_and_last_its_counts():
    text = run_to_end(COINS, coin_cases(0.5), trials=8).csv()
    (row,) = csv.DictReader(io.StringIO(text))
    names = ["coin", "trials", "p_heads", "seed", "experiment", "version", "id", "counts"]
    assert list(row) == names
    assert row["counts"] == f'{{"trials":8,"heads":{round(8 * float(row["p_heads"]))}}}'


def test_merged_tables_have_the_counts_of_both_seeds():
    one, two = (run_to_end(COINS, COINS_OF_THREE, trials=20, seed=seed) for seed in (1, 2))
    both = merge_tables([("a.csv", one), ("b.csv", two)])
    assert [tally.heads for tally in both.tallies()] == [
        a.heads + b.heads for a, b in zip(one.tallies(), two.tallies(), strict=True)
    ]
    assert "1:20 2:20" in both.csv()
    assert read_table(both.csv(), "both.csv", COINS).csv() == both.csv()


def merged(a, b):
    merge_tables([("a.csv", a), ("b.csv", b)])


def test_tables_that_do_not_belong_together_are_not_merged():
    one = run_to_end(COINS, coin_cases(0.1), trials=5)
    refused(
        merged,
        one,
        run_to_end(COINS, coin_cases(0.1), trials=9),
        said="b.csv has trials of seed 1, and so has an earlier",
    )
    refused(
        merged,
        one,
        run_to_end(COINS, coin_cases(0.2), trials=5, seed=2),
        said="another file lacks: coin 0.1 and 0.2",
    )


TEXT = run_to_end(COINS, coin_cases(0.5), trials=8).csv()


def refuse_to_resume(text, said):
    table = table_of(COINS, coin_cases(0.5), seed=1)
    refused(table.resume, text, "coins.csv", said=f"^coins.csv ... {said}")


@cases(
    "old new said",
    """
    coins 1 => coins 2 => has results of 'coins 2 (physics
    ""trials"":8 => ""trials"":1 => counts: damaged: heads: 5 of 1 trials
    ""heads"": => ""tails"": => counts tails: no such field
    ""heads"": => ""heads"":1. => give a whole number
    ""heads"": => ""heads"":[ => is not JSON
    ,1,coins => ,one,coins => seed: 'one' is not accepted
    ,1,coins => ,2,coins => has trials of seed 2, which would be lost
    """,
)
def test_a_run_does_not_go_on_from_a_file_that_was_changed(old, new, said):
    assert old in TEXT
    refuse_to_resume(TEXT.replace(old, new), said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty; give a row of column names: experiment"),
        ("a,b\n1,2\n", "row 1, column experiment: missing"),
        (TEXT + TEXT.splitlines()[1].replace('""heads"":', '""heads"":1') + "\n", "row 3"),
        (run_to_end(COINS, coin_cases(0.4), trials=8).csv(), "would be lost: coin 0.4 and 0.5"),
        (run_to_end(PAIRED, coin_cases(0.5), trials=8).csv(), "has results of 'paired coins 1"),
    ],
)
def test_a_run_does_not_go_on_from_a_file_that_is_not_its_own(text, said):
    refuse_to_resume(text, said)


def test_intervals_that_paid_for_a_look_stay_wide_after_merging_and_resuming():
    cases, rule = coin_cases(0.5), StopRule(half_width=0.08)
    looked, plain = (
        run_to_end(COINS, cases, trials=200, rule=one, seed=seed)
        for seed, one in enumerate((rule, None), start=1)
    )
    assert [table.entry(0).z for table in (looked, plain)] == [Z_LOOKED, Z_95]
    for one, other in ((looked, plain), (plain, looked)):
        both = merge_tables([("a.csv", one), ("b.csv", other)])
        assert both.values()[0]["interval_z"] == Z_LOOKED
        for text in (both.csv(), both.csv().replace(",2.0,", ",2,")):  # as spreadsheets save it
            assert read_table(text, "both.csv", COINS).values() == both.values()
    table = table_of(COINS, cases, seed=1)
    table.resume(looked.csv(), "a.csv")
    for _ in collect(table, cases, trials=looked.trials + 50):
        pass
    assert table.trials == looked.trials + 50
    assert table.values()[0]["interval_z"] == Z_LOOKED


TOGETHER = run_to_end(PAIRED, COINS_OF_THREE, trials=20)


def test_counts_of_another_shape_than_their_case_are_refused_with_the_row():
    table = table_of(PAIRED, COINS_OF_THREE, seed=1)
    table.resume(re.sub(r"(\d)\]", r"\1,0]", TOGETHER.csv()), "coins.csv")
    refused(
        collect,
        table,
        COINS_OF_THREE,
        trials=30,
        said="^coins.csv: row 2, column counts: not of the shape",
    )
    refused(
        merge_tables,
        [("b.csv", run_to_end(PAIRED, COINS_OF_THREE, trials=20, seed=2)), ("coins.csv", table)],
        said="^coins.csv: row 2, column counts: not of the shape",
    )


def test_a_file_that_lacks_a_case_of_those_that_are_run_together_is_refused():
    text = "\n".join(TOGETHER.csv().splitlines()[:-1])
    table = table_of(PAIRED, COINS_OF_THREE, seed=1)
    refused(table.resume, text, "coins.csv", said="^coins.csv lacks a row")


def test_a_merged_file_is_not_continued():
    one, two = (run_to_end(COINS, coin_cases(0.5), trials=8, seed=seed) for seed in (1, 2))
    text = merge_tables([("a", one), ("b", two)]).csv()
    refused(
        table_of(COINS, coin_cases(0.5), seed=1).resume,
        text,
        "both.csv",
        said="merged from several seeds",
    )


def test_the_id_of_a_case_covers_its_facts_and_the_versions():
    cases = coin_cases(0.1, 0.5)
    ids = {
        *COINS.ids(cases),
        *replace(COINS, version=2).ids(cases),
        *replace(COINS, name="other").ids(cases),
        *PAIRED.ids(cases),
        *PAIRED.ids(cases[:1]),
        *COINS.ids([Case(subject=0.5, labels={}, facts={"chance": 0.5})]),
    }
    assert len(ids) == 10  # paired cases depend on each other, so those of one coin differ


@given(st.integers(0, 200_000))
def test_looks_come_later_and_never_more_than_a_thousand_trials_apart(trials):
    assert trials < next_look(trials) <= max(100, trials + 1000)
    assert next_look(next_look(trials) - 1) == next_look(trials)


def test_a_half_width_is_reached_at_a_look_and_not_before():
    target = 0.05
    table = run_to_end(COINS, coin_cases(0.5, 0.02), rule=StopRule(half_width=target))
    width = COINS.half_widths["p_any"]
    for chance, entry in zip((0.5, 0.02), map(table.entry, (0, 1)), strict=True):
        assert entry.stopped_by == "half-width"
        assert entry.z == Z_LOOKED
        assert width(entry.tally, Z_LOOKED) <= target
        looks = [100]
        while looks[-1] < entry.tally.trials:
            looks.append(next_look(looks[-1]))
        assert looks[-1] == entry.tally.trials
        if len(looks) > 1:
            assert width(toss(chance, 1, 0, looks[-2]), Z_LOOKED) > target


@pytest.mark.parametrize(("most", "trials"), [(199, 100), (200, 200), (224, 200), (225, 225)])
def test_a_rule_may_use_all_of_its_trials_and_none_beyond(most, trials):
    table = table_of(COINS, COINS_OF_THREE[:2], seed=1)
    rule = StopRule(half_width=1e-4, max_trials=most)
    *_, last = collect(table, COINS_OF_THREE[:2], trials=0, rule=rule)
    assert (last.done, table.trials) == (trials, trials)
    assert {entry.stopped_by for entry in table.entries.values()} == {"max-trials"}


def test_the_total_of_a_run_to_a_half_width_is_about_what_it_takes_from_the_first_look_on():
    """Of a fair coin, z^2 / (2 width)^2; the most that the rule allows is a thousand times that."""
    rule = StopRule(half_width=0.05, max_trials=1_000_000)
    table = table_of(COINS, coin_cases(0.5), seed=1)
    begun, looked, *_, last = collect(table, coin_cases(0.5), trials=0, rule=rule)
    assert begun.total == 1_000_000
    assert looked.total == pytest.approx((Z_LOOKED / 0.1) ** 2, rel=0.2)
    assert last.total == last.done


def test_time_ends_a_run_once_every_case_was_looked_at():
    rule = StopRule(max_seconds=1e-9)
    table = run_to_end(COINS, COINS_OF_THREE, rule=rule)
    assert [tally.trials for tally in table.tallies()] == [100, 100, 100]
    assert {entry.stopped_by for entry in table.entries.values()} == {"max-seconds"}


def test_a_budget_goes_to_the_least_sure():
    table = run_to_end(COINS, coin_cases(0.5, 0.97), rule=StopRule(max_trials=3000))
    even, sure = (tally.trials for tally in table.tallies())
    assert even > 4 * sure
    assert 2800 <= even + sure <= 3000


def stopped_coverage(chance, target, z=Z_LOOKED):
    """Return the exact coverage of a run that stops at a half-width, and its mean trials.

    Every path of the number of successes is followed from look to look, as Frey (2010) does.

    Args:
        chance: The true chance of success.
        target: Half-width at which the run stops.
        z: Quantile of the intervals.
    """
    alive = np.array([1.0])  # chance of each number of successes from `first` on, still running
    first = trials = 0
    covered = spent = 0.0
    while alive.size:
        more = next_look(trials) - trials
        steps = np.arange(binom.ppf(1e-12, more, chance), binom.isf(1e-12, more, chance) + 1)
        alive = np.convolve(alive, binom.pmf(steps, more, chance))
        first, trials = first + int(steps[0]), trials + more
        intervals = [wilson(first + k, trials, z) for k in range(alive.size)]
        narrow = np.array([p.half_width <= target for p in intervals])
        holds = np.array([p.low <= chance <= p.high for p in intervals])
        covered += alive[narrow & holds].sum()
        spent += trials * alive[narrow].sum()
        alive[narrow | (alive < 1e-14)] = 0.0
        left = np.flatnonzero(alive)
        if not left.size:
            break
        alive, first = alive[left[0] : left[-1] + 1], first + int(left[0])
    return float(covered), float(spent)


def drawn(chance, seed, first, count):
    """Toss a coin so quickly that a run can be repeated many times."""
    rng = np.random.default_rng([seed, first])
    return CoinTally(trials=count, heads=int(rng.binomial(count, chance)))


@pytest.mark.parametrize("repetitions", [400, slow(10_000)])
@pytest.mark.parametrize("rule", [StopRule(half_width=0.06), StopRule(max_trials=700)], ids=str)
def test_intervals_after_a_stop_rule_cover_the_truth_95_times_in_100(rule, repetitions):
    quick = replace(COINS, run=drawn)
    cases = coin_cases(0.62, 0.75)
    covered, trials = 0, []
    for seed in range(repetitions):
        tally = run_to_end(quick, cases, rule=rule, seed=seed).tallies()[0]
        interval = wilson(tally.heads, tally.trials, Z_LOOKED)
        covered += interval.low <= 0.62 <= interval.high
        trials.append(tally.trials)
    assert 0.93 <= covered / repetitions <= 0.975, covered / repetitions
    if rule.half_width:  # counting of all paths agrees with repetition
        error = np.std(trials) / repetitions**0.5
        assert np.mean(trials) == pytest.approx(stopped_coverage(0.62, 0.06)[1], abs=4 * error)


@pytest.mark.parametrize("target", [0.1, 0.05, 0.03])
def test_exact_coverage_at_a_stop_is_nominal_over_all_chances(target):
    chances = np.linspace(0.03, 0.97, 24)
    coverage = [stopped_coverage(float(chance), target)[0] for chance in chances]
    assert 0.95 <= np.mean(coverage) <= 0.97
    assert min(coverage) >= 0.93
    unpaid = [stopped_coverage(float(chance), target, Z_95)[0] for chance in chances]
    assert np.mean(unpaid) < np.mean(coverage)


def test_a_rule_that_never_ends_is_refused():
    refused(StopRule, said="^half_width: none is not accepted")


def test_an_unknown_quantity_is_named_with_those_that_are_known():
    refused(
        run_to_end,
        COINS,
        coin_cases(0.5),
        rule=StopRule(half_width=0.1, of="tails"),
        said="of: 'tails' is not accepted; give one of p_any",
    )
