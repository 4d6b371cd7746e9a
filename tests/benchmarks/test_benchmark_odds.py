"""Use of two processes by a study, and memory of a long one; reported, not judged.

Run with: python -m pytest tests/benchmarks/test_benchmark_odds.py --benchmark-enable
"""

import resource
from dataclasses import replace

from physics import PRESETS, Scene, ThrowDistribution, puck_stack, puckdex_slammer
from physics.tally import Tally
from sim.experiments import StopRule, run_to_end
from sim.odds import ODDS, Study, odds_cases

STUDY = Study(
    scene=Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10), preset=PRESETS["fast"]),
    thrower=ThrowDistribution(),
    engine="plane",
)
CASES = odds_cases(["8 g"], [STUDY])


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
