"""Use of two processes by a study, and memory of a long one; reported, not judged.

Run with: python -m pytest tests/benchmarks/test_benchmark_odds.py --benchmark-enable
"""

import resource
from dataclasses import replace

from pucklab.sim.experiments import StopRule, run_to_end
from pucklab.sim.odds import ODDS, OddsCase, experiment_cases
from tests.scenes import fast_scene, usual_study
from tests.tallies import tally_of_flips

STUDY = usual_study(fast_scene(8.0, 10), "plane")
CASES = experiment_cases([OddsCase(name="8 g", study=STUDY)])


def cheap(study, seed, first, count):
    """Return the tally of throws that cost nothing, and flip the lowest puck every third time."""
    flips = sum((seed + trial) % 3 == 0 for trial in range(first, first + count))
    return tally_of_flips(count - flips, flips, *(0,) * (len(study.scene.stack) - 1))


def test_memory_of_10_million_trials(benchmark):
    enabled = benchmark.enabled

    def throw(trials):
        run_to_end(replace(ODDS, run=cheap), CASES, rule=StopRule(max_trials=trials))

    throw(100_000 if enabled else 1000)
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.pedantic(throw, args=(10_000_000 if enabled else 1000,), rounds=1)
    after_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.extra_info["more_memory_kb"] = after_kb - before_kb
