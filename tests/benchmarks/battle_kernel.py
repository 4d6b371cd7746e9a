"""Compiled battles beside the rules, at length: ``python -m tests.benchmarks.battle_kernel``.

*steps* compares battles of any slammers and pucks of the lists with the rules, step by step.
*alike* plays every pair of slammers with house decks by the rules and compiled, each with throws of
its own, and compares the distributions of turns, of throws and of winners. *speed* is the processor
time of as many compiled battles.
"""

import argparse
import time

import click
import numpy as np
from scipy.stats import ks_2samp

from sim.pokepucks.battle.playouts import compile_battles
from sim.pokepucks.battle.series import play_series
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.throw_sources import shipped_table
from tests.test_sim_pokepucks_playouts import check

KINDS = ("skilled", "greedy")


class Unknown:
    """Recorded throws that are not known as such, so that the rules play the battles."""

    def throw(self, shot, rng):
        """Return an outcome."""
        return shipped_table().throw(shot, rng)


def steps(least):
    """Compare at least so many steps, and return how many there were, of how many battles."""
    compared, battles = 0, 0
    while compared < least:
        compared += check(battles)  # a difference is an AssertionError
        battles += 1
    return compared, battles


def played(throws, battles, seed):
    """Return the turns, throws and winners of battles of all pairs of slammers, two of a kind too.

    Args:
        throws: Source of the throws.
        battles: How many, about.
        seed: Seed.
    """
    slammers = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
    each = -(-battles // len(slammers) ** 2)
    found = []
    for place, pair in enumerate((one, other) for one in slammers for other in slammers):
        seeds = range(seed + place * each, seed + (place + 1) * each)
        series = play_series(house_table(pair), KINDS, throws, seeds)
        found.append([series.turns, series.throws, series.winner])
    return np.concatenate(found, axis=1)


def main():
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("steps", "alike", "speed"))
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--battles", type=int, default=20_000)
    given = parser.parse_args()
    compile_battles()
    if given.only in (None, "speed"):
        played(shipped_table(), 500, 1)  # reads the recorded throws
        begun_s = time.process_time()
        count = played(shipped_table(), given.battles, 1).shape[1]
        click.echo(f"{count} compiled battles took {time.process_time() - begun_s:.2f} s of CPU")
    if given.only in (None, "alike"):
        both = [played(throws, given.battles, 10**6) for throws in (shipped_table(), Unknown())]
        for name, compiled, by_rules in zip(("turns", "throws"), *both, strict=False):
            found = ks_2samp(compiled, by_rules)
            click.echo(
                f"{name} of {len(by_rules)} battles: {compiled.mean():.2f} compiled, "
                f"{by_rules.mean():.2f} by the rules; "
                f"KS {found.statistic:.4f}, p {found.pvalue:.2f}"
            )
        won = [(battles[2] == 0).mean() for battles in both]
        error = np.sqrt(sum(share * (1 - share) for share in won) / both[0].shape[1])
        click.echo(f"won by the first seat: {won[0]:.4f}, {won[1]:.4f}; {error:.4f} standard error")
    if given.only in (None, "steps"):
        compared, battles = steps(given.steps)
        click.echo(f"{compared} steps of {battles} battles compared, no difference")


if __name__ == "__main__":
    main()
