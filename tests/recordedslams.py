"""A recorded slam for tests: a quick one, in which pucks flip."""

from functools import lru_cache

from pucklab.physics import (
    SampleRate,
    slam,
)
from pucklab.sim.scene.replay import replay_of
from tests.scenes import fast_scene, trial_throw

SCENE = fast_scene(8.0, 4)


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
        throw = trial_throw(4, 1, trial)
        if slam(SCENE, throw).outcome.flipped:
            return throw, slam(SCENE, throw, SampleRate())
    raise AssertionError
