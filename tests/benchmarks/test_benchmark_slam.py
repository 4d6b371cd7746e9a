"""Speed of a slam; reported, never judged.

Run with: python -m pytest tests/benchmarks --benchmark-enable --benchmark-only
"""

import itertools
import time

import pytest

from pucklab.physics import (
    PRESETS,
    slam,
)
from pucklab.physics.plane.world import World
from tests.scenes import stack_scene, trial_throw

THROWS = 50


def throws_at(scene):
    """Return a function that throws 50 times, going on with new trials at each call."""
    trials = itertools.count()

    def throw_on():
        for trial in itertools.islice(trials, THROWS):
            throw = trial_throw(len(scene.stack), 1, trial)
            slam(scene, throw)

    return throw_on


@pytest.mark.parametrize("preset", PRESETS)
def test_slams_with_10_pucks(benchmark, monkeypatch, preset):
    scene = stack_scene(12.0, 10, preset=PRESETS[preset])
    throw_on = throws_at(scene)
    benchmark(throw_on)
    stats = getattr(benchmark, "stats", None)
    if stats is None:
        return
    stepping_s = 0.0
    run = World.run

    def timed(world, steps, step_s):
        nonlocal stepping_s
        begin = time.perf_counter()
        run(world, steps, step_s)
        stepping_s += time.perf_counter() - begin

    monkeypatch.setattr(World, "run", timed)
    begin = time.perf_counter()
    throw_on()
    whole_s = time.perf_counter() - begin
    info = benchmark.extra_info
    info["throws_per_s"] = round(THROWS / stats["median"], 1)
    info["share_in_engine_steps"] = round(stepping_s / whole_s, 3)
