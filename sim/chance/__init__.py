"""Exact chances: finite distributions, and finite processes with or without decisions.

In come outcomes or moves with their probabilities, as fractions or floats; out come distributions,
best policies and their expected costs, as fractions if fractions came in. Begin with
`distribution` for dice, and with `process` for anything that goes on step by step.
"""

from sim.chance.distribution import (
    Distribution,
    Number,
    at_least,
    best_of,
    certain,
    combined,
    courses,
    die,
    distribution,
    draw,
    mapped,
    mean,
    mixture,
    plus,
    quantile,
    times,
)
from sim.chance.process import Owner, Process, Solution, collect, evaluate, solve, totals

__all__ = [
    "Distribution",
    "Number",
    "Owner",
    "Process",
    "Solution",
    "at_least",
    "best_of",
    "certain",
    "collect",
    "combined",
    "courses",
    "die",
    "distribution",
    "draw",
    "evaluate",
    "mapped",
    "mean",
    "mixture",
    "plus",
    "quantile",
    "solve",
    "times",
    "totals",
]
