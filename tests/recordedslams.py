"""A recorded slam for tests: a quick one, in which pucks flip."""

from functools import lru_cache

from physics import (
    SampleRate,
    Scene,
    ThrowDistribution,
    draw_throw,
    preset,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from sim.slam_replay import replay_of

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(4), preset=preset("fast"))


def thrown():
    """Return the throw of `some_slam`."""
    return _thrown_and_slam()[0]


def some_slam():
    """Return a slam at `SCENE` with flips and a recording."""
    return _thrown_and_slam()[1]


def recorded():
    """Return the recording of `some_slam`."""
    return some_replay().recording


@lru_cache(maxsize=1)
def some_replay():
    """Return `some_slam` as a replay."""
    return replay_of(SCENE, thrown(), some_slam())


@lru_cache(maxsize=1)
def _thrown_and_slam():
    for trial in range(50):
        throw = draw_throw(ThrowDistribution(), 4, trial_generator(1, trial))
        if slam(SCENE, throw).outcome.flipped:
            return throw, slam(SCENE, throw, SampleRate())
    raise AssertionError
