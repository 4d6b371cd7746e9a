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

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(4), preset=preset("fast"))


def thrown():
    """Return the throw of `some_slam`."""
    return _thrown_and_slam()[0]


def some_slam():
    """Return a slam at `SCENE` with flips and a recording."""
    return _thrown_and_slam()[1]


def recorded(result=None):
    """Return the recording of a slam, or that of `some_slam`."""
    recording = (result or some_slam()).recording
    assert recording is not None
    return recording


@lru_cache(maxsize=1)
def _thrown_and_slam():
    for trial in range(50):
        throw = draw_throw(ThrowDistribution(), 4, trial_generator(1, trial))
        if slam(SCENE, throw).outcome.flipped:
            return throw, slam(SCENE, throw, SampleRate())
    raise AssertionError
