"""``pucklab solve``: find a shortest solution of one Puck Bumpers position, or of a file of them.

`command` reads the options; `_one` solves one position and prints the line with drawings, a hint or
JSON; `_many` runs the experiment of the positions in a CSV file.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from physics import InputError
from sim.bumpers import Move, Position, position_text
from sim.bumpers.board_file import position_of
from sim.bumpers.cards import Card
from sim.bumpers.drawing import draw_position
from sim.bumpers.puzzle_solving import piece_hint
from sim.bumpers.solver import Limits, Solution, solve
from sim.bumpers.solver.batch import (
    SOLVED,
    Defaults,
    SolverAnswer,
    Task,
    batch_cases,
    read_tasks,
    task_of,
)
from sim.bumpers.solver.cards import cards_to_play
from sim.bumpers.solver.goals import goal_text
from sim.bumpers.solver.solution import line_steps, line_text, line_texts
from sim.cli.experiments import Run, experiment_options
from sim.cli.options import PATH, count, flag, number, option, refuse_options
from sim.cli.output import print_written
from sim.cli.signals import EXIT_STOPPED
from sim.core.ordered_work import processors
from sim.experiments import ResultTable


@click.command("solve")
@click.argument("position", metavar="[POSITION|FILE]", required=False)
@option(
    "--goal",
    str,
    "GOAL",
    "1 to 4 or all: bring that many pucks in, with :B blue ones; puck:c7: bring in the puck "
    "on c7; to:c7: bring any piece to c7, with :B a blue one; stop:B: blue cannot score in its "
    "next turn of one action, with :2 of two.",
    default="1",
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
    if batch is not None:
        return _many(batch, defaults, run)
    return _one(position, defaults, options, as_json=run.as_json)


def _many(batch: Path, defaults: Defaults, run: Run) -> int:
    """Solve a batch; refuse options of a single position."""
    refuse_options(("position", "hint", "boards", "save", "cores"), "--batch")
    run.check((batch,))
    cases = batch_cases(read_tasks(batch, defaults))
    return run.collect(SOLVED, cases).finish(
        _print_answers, is_enough=lambda table: bool(table.entries)
    )


def _print_answers(table: ResultTable[SolverAnswer]) -> None:
    """Print a line for each position, and how many were solved."""
    for row, entry in table.done():
        answer = _sentence(entry.tally, int(row.labels["max_actions"]))
        click.echo(f"{row.labels['position']} {row.labels['goal']}\n   {answer}")
    counted = Counter(entry.tally.status for _, entry in table.done())
    click.echo(", ".join(f"{times} {status}" for status, times in counted.items()))


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
    task = task_of(position_of(position), {}, defaults)
    if save is not None:
        from render.boardwindow.film import check_export

        check_export("save", save)
    found = _found(task, _cores(options["cores"]))
    play = cards_to_play(task.hand.turn, len(found.line), defaults.rule or 1)
    if save is not None:
        save_line(save, task, found.line[:hint])
    if as_json:
        click.echo(answer_json(task, found, play))
    elif hint is not None and found.line:
        print_hint(task.position, found, hint)
    else:
        print_answer(task, found, play, boards=options["boards"])
    return EXIT_STOPPED if found.limit == "stopped" else 0


def _cores(asked: int | None) -> int:
    """Return the number of processors to use.

    Raises:
        InputError: More are asked for than there are.
    """
    if asked is not None and asked > processors():
        raise InputError(f"cores: {asked} is not accepted; there are {processors()} to use")
    return asked or processors()


def _found(task: Task, cores: int) -> Solution:
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
        return solve(
            task.position,
            task.goal,
            task.limits,
            cards=task.hand.mats,
            one_turn=task.one_turn,
            every=task.every,
            cores=cores,
            watch=watch,
        )
    except KeyboardInterrupt:
        if known is None:
            raise
        return replace(known, limit="stopped")
    finally:
        if on_terminal:
            click.echo("\r\033[K", nl=False, err=True)


def print_answer(
    task: Task, found: Solution, play: Sequence[Card], *, boards: bool = False
) -> None:
    """Print the answer, and the board before and after the solution.

    Args:
        task: The question.
        found: The answer.
        play: The cards to play first, for enough actions in the turn.
        boards: True to draw the board after each action.
    """
    click.echo(_answer(task.position, found, task.limits.max_actions))
    if found.without_tables:
        click.echo(found.without_tables)
    if play:
        names = " and ".join(card.name for card in play)
        click.echo(f"play {names} first, for {_actions(len(found.line))} in a turn")
    _print_line(task.position, found, every_board=boards)
    if task.every:
        _print_all(task.position, found)


def print_hint(start: Position, found: Solution, actions: int) -> None:
    """Print the first actions, or only the piece to look at."""
    hint = line_text(start, found.line[:actions]) or piece_hint(start, found.line[0])
    click.echo(hint)


def answer_json(task: Task, found: Solution, play: Sequence[Card]) -> str:
    """Return the answer as JSON; see `print_answer`."""
    start = task.position
    answer = {
        "position": position_text(start),
        "goal": goal_text(start, task.goal),
        "cards": list(task.hand.names),
        "play": [card.name for card in play],
        "max_actions": task.limits.max_actions,
        "status": found.status.value,
        "actions": len(found.line) or None,
        "line": line_texts(start, found.line),
        "lines": [line_texts(start, line) for line in found.lines],
        "complete": found.complete,
        "lower_bound": found.lower_bound,
        "limit": found.limit or None,
        "nodes": found.nodes,
        "legal_moves": found.legal_moves,
        "seconds": round(found.seconds, 6),
        "table_hits": found.table_hits,
        "table_used": found.table_used,
        "table_size": found.table_size,
        "without_tables": found.without_tables or None,
    }
    return json.dumps(answer, indent=2)


def save_line(path: Path, task: Task, line: Sequence[Move]) -> None:
    """Save a picture or a film of a line; if it has no moves, print a note instead.

    Args:
        path: The file, which has been checked.
        task: The question.
        line: The moves to show.
    """
    from render.boardwindow.film import export_line

    if not line:
        click.echo(f"no action to draw; {path} is not written", err=True)
        return
    start = task.position
    assert start.to_move is not None
    caption = f"{start.to_move.word} to move, goal {goal_text(start, task.goal)}"
    export_line(path, start, line_steps(start, line), caption=caption)
    print_written(path)


def _answer(start: Position, found: Solution, most: int) -> str:
    """Return the answer as one line, and after a solution a second one on its proof."""
    nodes = "1 node" if found.nodes == 1 else f"{found.nodes:,} nodes"
    work = f"({nodes}, {found.seconds:.3g} s)"
    if found.line:
        line = click.style(line_text(start, found.line), bold=True)
        return f"solved in {len(found.line)}: {line}\nno fewer actions will do {work}"
    return _bound(found, most) + (f" {work}" if found.lower_bound is not None else "")


def _sentence(found: SolverAnswer, most: int) -> str:
    if found.solution:
        return f"solved in {len(found.solution.split())}: {found.solution}"
    return _bound(found, most)


def _bound(found: Solution | SolverAnswer, most: int) -> str:
    """Return what is proved if no solution was found."""
    if found.lower_bound is None:
        return "proved: no solution of any length"
    if not found.limit:
        return f"proved: no solution of at most {_actions(most)}"
    why = "stopped" if found.limit == "stopped" else f"limit of {found.limit} reached"
    return f"{why}; proved: a solution has at least {_actions(found.lower_bound)}"


def _actions(number: int) -> str:
    return "1 action" if number == 1 else f"{number} actions"


def _print_line(start: Position, found: Solution, *, every_board: bool) -> None:
    """Draw the board before and after the solution, or after each of its actions."""
    steps = line_steps(start, found.line)
    if every_board:
        for index, step in enumerate(steps, start=1):
            click.echo(f"\n{index}. {step.text}\n{draw_position(step.after)}")
    elif steps:
        click.echo(f"\nbefore\n{draw_position(start)}\n\nafter\n{draw_position(steps[-1].after)}")


def _print_all(start: Position, found: Solution) -> None:
    """Print all solutions, one per line."""
    if not found.lines:
        return
    counted = f"{len(found.lines)}" if found.complete else f"{len(found.lines)} or more"
    click.echo(f"\nsolutions of {_actions(len(found.line))}: {counted}")
    for line in found.lines:
        click.echo(line_text(start, line))
