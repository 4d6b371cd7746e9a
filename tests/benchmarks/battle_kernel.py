"""Compiled battles beside the rules, at length: ``python -m tests.benchmarks.battle_kernel``.

*steps* compares battles of any slammers and pucks of the lists with the rules, step by step.
*speed* is the processor time of compiled battles of every pair of slammers with house decks.
"""

import argparse
import time
from itertools import product

import click

from pucklab.sim.pokepucks.battle.series import play_series
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.throw_sources import shipped_table
from tests.test_sim_pokepucks_playouts import check

KINDS = ("skilled", "greedy")


def steps(least):
    """Compare at least so many steps, and return how many there were, of how many battles."""
    compared, battles = 0, 0
    while compared < least:
        compared += check(battles)  # a difference is an AssertionError
        battles += 1
    return compared, battles


def play_pairs(battles):
    """Play about so many battles of all pairs of slammers, two of a kind too; return how many."""
    slammers = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
    each = -(-battles // len(slammers) ** 2)
    for place, pair in enumerate(product(slammers, repeat=2)):
        seeds = range(place * each, (place + 1) * each)
        play_series(house_setup(pair), KINDS, shipped_table(), seeds)
    return each * len(slammers) ** 2


def main():
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("steps", "speed"))
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--battles", type=int, default=20_000)
    given = parser.parse_args()
    if given.only != "steps":
        play_pairs(500)  # reads the recorded throws
        begun_s = time.process_time()
        count = play_pairs(given.battles)
        click.echo(f"{count} compiled battles took {time.process_time() - begun_s:.2f} s of CPU")
    if given.only != "speed":
        compared, battles = steps(given.steps)
        click.echo(f"{compared} steps of {battles} battles compared, no difference")


if __name__ == "__main__":
    main()
