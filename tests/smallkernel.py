"""A small kernel that tests of compiling compile, here and in processes of their own."""

import numpy as np

from pucklab.physics.compiling import compiled, inlined


@inlined
def doubled(value):
    return 2.0 * value


@inlined
def raised(value):
    return doubled(value) + doubled(1.0)


def work(values):
    total = 0.0
    for value in values:
        total += raised(value)
    return total


kernel = compiled(work)


def prepare():
    kernel(np.ones(2))


def answer():
    """Call a fresh kernel as a new process would."""
    return compiled(work)(np.array([1.0, 2.0]))
