"""Depths to which four-puck questions are proved: ``python -m tests.benchmarks.solver_depths``.

The random positions of the classic set-up of `tests.benchmarks.test_benchmark_solver`, with all
pucks to bring in, on one core. For each, the table says whether a shortest solution was found, or
else within how many actions there is proved to be none, after 1 s and 10 s of CPU time. The pattern
database of the layout is built first, as it is kept between runs; how long that takes is printed,
too. ``--depth 13`` prints the CPU time and the nodes to solve each question or prove that it takes
more than 13 actions, the same number on any machine: to compare two versions of the solver, run
the file in both. With ``--cores``, the time to prove a depth on one core is compared with that on
two, by the clock; that needs a machine with nothing else to do. The CPU time of both says how much
work they do twice, on any machine.
"""

import argparse
import math
import time
from contextlib import suppress

import click
import numpy as np

from pucklab.sim.bumpers.kernel.layouts import new_graph
from pucklab.sim.bumpers.kernel.pattern_database import TRIPLES, build_database
from pucklab.sim.bumpers.kernel.position import encode
from pucklab.sim.bumpers.solver import Limits, Question, bring_in, solve
from tests.benchmarks.test_benchmark_solver import STILL, random_positions

MOST = 30
HARD = (0, 1, 3, 9)
"""Positions whose proofs take long, for the comparison of cores."""


def depths(position, goal, marks_s):
    """Return the depth proved after each CPU time; infinite if a solution was found by then."""
    began_s = time.process_time()
    proved = [0.0 for _ in marks_s]

    def watch(state):
        passed_s = time.process_time() - began_s
        for place, mark_s in enumerate(marks_s):
            if passed_s <= mark_s:
                bound = MOST if state.lower_bound is None else state.lower_bound
                proved[place] = math.inf if state.line else bound - 1
        if passed_s > max(marks_s):
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        solve(Question(position, goal, Limits(max_actions=MOST)), watch=watch)
    return proved


def print_depths(positions, goal, marks_s):
    """Print the depths of some positions, as they come, and what they amount to."""
    click.echo("\t".join(["position", *(f"{mark_s:g} s" for mark_s in marks_s)]))
    rows = []
    for number, position in positions:
        rows.append(depths(position, goal, marks_s))
        shown = ("solved" if math.isinf(depth) else f"{depth:g}" for depth in rows[-1])
        click.echo("\t".join([str(number), *shown]))
    for place, mark_s in enumerate(marks_s):
        found = [row[place] for row in rows]
        said = ", ".join(f"{least}: {sum(d >= least for d in found)}" for least in range(12, 18))
        solved = sum(map(math.isinf, found))
        click.echo(f"{mark_s:g} s: of {len(found)}, {solved} solved; solved or proved to {said}")


def print_work(positions, goal, depth):
    """Print the work to solve questions, or to prove that they take more than some actions."""
    click.echo("position\tanswer\tCPU s\tnodes")
    total_s = total = 0
    for number, position in positions:
        began_s = time.process_time()
        found = solve(Question(position, goal, Limits(max_actions=depth)))
        passed_s = time.process_time() - began_s
        answer = f"{len(found.line)}" if found.line else f"more than {depth}"
        click.echo(f"{number}\t{answer}\t{passed_s:.2f}\t{found.nodes}")
        total_s, total = total_s + passed_s, total + found.nodes
    click.echo(f"all\t\t{total_s:.2f}\t{total}")


def print_cores(positions, depth):
    """Print the times to prove a depth on one core and on two, in turn, and the work of two."""
    limits = Limits(max_actions=depth)
    for number in HARD:
        clock_s = {1: [], 2: []}
        work_s = {1: [], 2: []}
        for _ in range(3):
            for cores in (1, 2):
                began_s = time.process_time()
                found = solve(Question(positions[number], bring_in(4), limits, cores=cores))
                clock_s[cores].append(found.seconds)
                work_s[cores].append(time.process_time() - began_s)
        one, two = (float(np.median(times)) for times in clock_s.values())
        work = float(np.median(work_s[2]) / np.median(work_s[1]))
        click.echo(
            f"position {number}: {one:.2f} s on one core, {two:.2f} s on two, {one / two:.2f} times"
            f" as fast; CPU time of both {work:.2f} times that of one"
        )


def main():
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--pucks", type=int, default=4)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 10.0])
    parser.add_argument("--cores", action="store_true")
    options = parser.parse_args()
    end = options.first + options.positions
    positions = random_positions(max(end, max(HARD) + 1))
    goal, asked = bring_in(options.pucks), list(enumerate(positions))[options.first : end]
    layout = positions[0]
    vacated = encode(layout).pieces.vacated
    neighbours = new_graph(layout.layout, STILL).layouts.neighbours[0]
    build_database(neighbours, vacated, TRIPLES)
    began_s = time.process_time()
    build_database(neighbours, vacated, TRIPLES)
    click.echo(f"to build the pattern database: {time.process_time() - began_s:.2f} s of CPU")
    solve(Question(positions[2], goal, Limits(max_actions=10)))
    if options.cores:
        print_cores(positions, 13)
    elif options.depth:
        print_work(asked, goal, options.depth)
    else:
        print_depths(asked, goal, options.seconds)


if __name__ == "__main__":
    main()
