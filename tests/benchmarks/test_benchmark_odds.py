"""Use of two processes by a study, and memory of a long one; reported, not judged.

Run with: python -m pytest tests/benchmarks/test_benchmark_odds.py --benchmark-enable
"""

import resource
import time
from dataclasses import replace

import pytest

from physics import PRESETS, Scene, ThrowDistribution, puck_stack, puckdex_slammer
from physics.tally import Tally
from sim.core.processes import worker_processes
from sim.experiments import StopRule, run_to_end
from sim.odds import ODDS, Study, odds_cases

STUDY = Study(
    scene=Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10), preset=PRESETS["fast"]),
    thrower=ThrowDistribution(),
    engine="plane",
)
CASES = odds_cases(["8 g"], [STUDY])


@pytest.mark.parametrize("workers", [1, 2])
def test_10000_fast_throws(benchmark, workers):
    """Processor seconds are those of this process and of its workers: all that the study costs.

    On a machine with nothing else to do, the ideal speed-up of two processes is reached up to the
    additional processor time, and to the time in which one process waits for the last chunk.
    """
    enabled = benchmark.enabled
    trials = 10_000 if enabled else 50

    def throw():
        with worker_processes(workers) as executor:
            run_to_end(ODDS, CASES, trials=trials, executor=executor, window=4 * workers)

    before = _processor_s()
    begin = time.perf_counter()
    benchmark.pedantic(throw, rounds=1)
    info = benchmark.extra_info
    info["processor_s"] = round(_processor_s() - before, 2)
    info["wall_s"] = round(time.perf_counter() - begin, 2)


def cheap(study, seed, first, count):
    """Return the tally of throws that cost nothing, and flip the lowest puck every third time."""
    flips = sum((seed + trial) % 3 == 0 for trial in range(first, first + count))
    pieces = len(study.scene.stack)
    return Tally(
        trials=count,
        hits=count,
        flips=(count - flips, flips, *(0,) * (pieces - 1)),
        flips_by_place=(flips, *(0,) * (pieces - 1)),
        outs=(count, *(0,) * pieces),
        leaning=0,
        distance_um=0,
        slammers_out=0,
    )


def test_memory_of_10_million_trials(benchmark):
    enabled = benchmark.enabled

    def throw(trials):
        run_to_end(replace(ODDS, run=cheap), CASES, rule=StopRule(max_trials=trials))

    throw(100_000 if enabled else 1000)
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.pedantic(throw, args=(10_000_000 if enabled else 1000,), rounds=1)
    after_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.extra_info["more_memory_kb"] = after_kb - before_kb


def _processor_s():
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, both))
