"""``pucklab solve``: find a shortest solution of one Puck Bumpers position, or of a file of them.

`command` reads the options, and runs the experiment of the positions in a CSV file; `_one` solves
one position and prints the line with drawings, a hint or JSON.
"""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pucklab.api.boards import Solved, answer_text
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import (
    PATH,
    count,
    flag,
    number,
    option,
    position_argument,
    refuse_options,
)
from pucklab.cli.output import print_json, print_written
from pucklab.cli.signals import EXIT_STOPPED
from pucklab.physics import InputError
from pucklab.sim.bumpers.board_file import position_with_goal
from pucklab.sim.bumpers.puzzle_solving import piece_hint
from pucklab.sim.bumpers.solver import Limits, Solution, solve
from pucklab.sim.bumpers.solver.batch import (
    SOLVED,
    SolverAnswer,
    batch_cases,
    read_questions,
)
from pucklab.sim.bumpers.solver.question import Defaults, Question, question_of
from pucklab.sim.bumpers.solver.solution import line_text
from pucklab.sim.core.ordered_work import processors
from pucklab.sim.experiments import ResultTable


@click.command("solve")
@position_argument(is_required=False)
@option(
    "--goal",
    str,
    "GOAL",
    "1 to 4 or all: bring that many pucks in, with :B blue ones; puck:c7: bring in the puck "
    "on c7; to:c7: bring any piece to c7, with :B a blue one, with :b2 the one on b2; several of "
    "these with commas hold at once; stop:B: blue cannot score in its "
    "next turn of one action, with :2 of two.  [default: 1, or that of a board's file]",
)
@option(
    "--cards",
    str,
    "CARDS",
    "Cards in hand, separated by commas: twist, swap and shift move a mat and cost one "
    "action; double, extra and take-1 to take-6 give a turn more actions.",
)
@option(
    "--rule",
    count(1, 20),
    "R",
    "Actions in a turn; the solution must fit into one turn.  [default: 1 with cards that "
    "change it, otherwise several turns]",
)
@option(
    "--max-actions",
    count(1, 64),
    "N",
    "Maximum length of a solution, 1 to 64 actions.  [default: 20, or one turn]",
)
@option("--time seconds", number(0.001, 1e7, "s"), "S", "Stop after S seconds.")
@option("--nodes", count(1, 10**15), "N", "Stop after N nodes (positions visited).")
@option(
    "--memory-mb", number(8, 1e6, "MB"), "M", "Maximum memory of the search in MB.", default=1024
)
@flag("--boards", "Draw the board after each action.")
@flag("--all every", "Print all shortest solutions, up to 10,000.")
@option(
    "--hint",
    count(0, 64),
    "K",
    "Print only the first K actions; with 0, only the piece to look at.",
)
@option(
    "--save",
    PATH,
    "FILE",
    "Save the solution as a picture of each board (.png), a film (.gif, .mp4, .webm) or a web "
    "page to step through (.html).",
)
@option(
    "--batch",
    PATH,
    "FILE.csv",
    "Solve the positions in a CSV file: column position, and optionally goal, cards and "
    "max_actions.",
)
@option(
    "--cores",
    count(1, 1024),
    "K",
    "Processors for one hard position; the answer is the same.  [default: all]",
)
@experiment_options(None, unit="positions", doing="solve", plot=None)
def command(
    *,
    run: Run,
    position: str | None,
    seconds: float | None,
    nodes: int | None,
    memory_mb: float,
    every: bool,
    batch: Path | None,
    **options: Any,
) -> int:
    """Find a shortest solution: the fewest actions of the side to move that reach a goal.

    If no solution has at most N actions, that is proved. If a limit or Ctrl-C ends the search, the
    proved lower bound is printed.

    \b
    Examples:
      pucklab solve pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab solve pb1:small:RPb7f5.RMe7.BPd7:-:R:- --goal all --time 10
      pucklab solve pb1:small:RPb7.RMe7.BPf7:-:R:- --goal stop:B:2 --cards take-2
      pucklab solve my_board.toml --goal puck:c7 --cards twist,swap --hint 1
      pucklab solve pb1:small:RPb7.RMe7.BPd7:-:R:- --save line.gif
      pucklab solve --batch puzzles.csv --all --out answers.csv
    """
    limits = Limits(nodes=nodes, seconds=seconds, memory_mb=memory_mb)
    defaults = Defaults(
        goal=options.pop("goal"),
        cards=options.pop("cards"),
        max_actions=options.pop("max_actions"),
        rule=options.pop("rule"),
        limits=limits,
        every=every,
    )
    if batch is None:
        return _one(position, defaults, options, as_json=run.as_json)
    refuse_options(("position", "hint", "boards", "save", "cores"), "--batch")
    run.check((batch,))

    def show(table: ResultTable[SolverAnswer]) -> None:
        for row, entry in table.done():
            most = int(row.labels["max_actions"])
            answer = answer_text(entry.tally, entry.tally.solution, most)
            click.echo(f"{row.labels['position']} {row.labels['goal']}\n   {answer}")
        counted = Counter(entry.tally.status for _, entry in table.done())
        click.echo(", ".join(f"{times} {status}" for status, times in counted.items()))

    result = run.collect(SOLVED, batch_cases(read_questions(batch, defaults)))
    return result.finish(show, is_enough=ResultTable.done)


def _one(
    position: str | None, defaults: Defaults, options: dict[str, Any], *, as_json: bool
) -> int:
    """Solve one position; refuse options of a batch."""
    if position is None:
        raise InputError("position: none is given; give a position, a file, or --batch FILE.csv")
    refuse_options(("workers", "dask", "out", "resume"), "a single position; give --batch")
    if options["hint"] is not None and as_json:
        raise InputError("hint: not accepted with --json, which prints the whole solution")
    save, hint = options["save"], options["hint"]
    start, goal = position_with_goal(position, defaults.goal)
    question = question_of(start, {"goal": goal}, defaults)
    if save is not None:
        from pucklab.render.bumpers.film import check_export

        check_export("save", save)
    cores, most = options["cores"], processors()
    if cores is not None and cores > most:
        raise InputError(f"cores: {cores} is not accepted; there are {most} to use")
    found = _found(replace(question, cores=cores or most))
    solved = Solved(question=question, solution=found, rule=defaults.rule or 1)
    if save is not None:
        if line := found.line[:hint]:
            replace(solved, solution=replace(found, line=line)).draw(save)
            print_written(save)
        else:
            click.echo(f"no action to draw; {save} is not written", err=True)
    if as_json:
        print_json(solved.facts())
    elif hint is not None and found.line:
        first = line_text(question.position, found.line[:hint])
        click.echo(first or piece_hint(question.position, found.line[0]))
    else:
        bold = click.style(solved.text, bold=True)
        told = solved.tell(boards=options["boards"])
        click.echo(told.replace(f": {solved.text}\n", f": {bold}\n", 1) if solved.text else told)
    return EXIT_STOPPED if found.limit == "stopped" else 0


def _found(question: Question) -> Solution:
    """Search, with progress on a terminal; Ctrl-C ends it like a limit."""
    on_terminal = sys.stderr.isatty()
    known: Solution | None = None

    def watch(state: Solution) -> None:
        nonlocal known
        known = state
        if on_terminal:
            progress = f"at least {state.lower_bound} actions, {state.nodes:,} nodes"
            click.echo(f"\r\033[K{progress}", nl=False, err=True)

    if on_terminal:
        click.echo("searching; the first search may take half a minute", nl=False, err=True)
    try:
        return solve(question, watch)
    except KeyboardInterrupt:
        if known is None:
            raise
        return replace(known, limit="stopped")
    finally:
        if on_terminal:
            click.echo("\r\033[K", nl=False, err=True)
