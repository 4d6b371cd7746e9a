"""Stepping a world on, looking at it now and then, and taking samples of its motion."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from physics.trace import Trace
from physics.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """When a stage is looked at to see whether it is over.

    Attributes:
        first_s: Time of the first look.
        every_s: Time between looks.
        last_s: Time of the last look.
    """

    first_s: float
    every_s: float
    last_s: float


def step_and_look(
    world: World,
    step_s: float,
    looks: Looks,
    trace: Trace | None,
    sample: Callable[[float], None],
) -> Iterator[float]:
    """Step a world on and yield the time at each look, until the last.

    Args:
        world: The world.
        step_s: Its time step.
        looks: When to look; times are rounded to whole steps.
        trace: Says how often to sample; None for not at all. Sampling does not change the motion.
        sample: Takes a sample at the time it is given; the first is after the first interval.
    """
    last = round(looks.last_s / step_s)
    every = max(1, round(looks.every_s / step_s))
    sample_every = last + 1 if trace is None else max(1, round(trace.interval_s / step_s))
    done, next_look = 0, round(looks.first_s / step_s)
    while done < last:
        target = min(next_look, done + sample_every - done % sample_every)
        world.run(target - done, step_s)
        done = target
        if done % sample_every == 0:
            sample(done * step_s)
        if done == next_look:
            yield done * step_s
            next_look = min(last, done + every)
