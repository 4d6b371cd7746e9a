"""``pucklab solve``: find a shortest solution of a Puck Bumpers position, or of many."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.numbers import count, number
from sim.cli.workers import workers_option

if TYPE_CHECKING:
    from sim.bumpers.solver import Solution
    from sim.bumpers.solver.batch import Defaults, Task

_PATH = click.Path(path_type=Path)


@click.command("solve")
@click.argument("position", metavar="[POSITION|FILE]", required=False)
@click.option(
    "--goal",
    default="1",
    show_default=True,
    metavar="GOAL",
    help="1 to 4 or all: pucks in, with :B another colour's; puck:c7: that puck in; to:c7: any "
    "piece on that space, with :B one of a colour; stop:B: blue cannot score in its next turn, "
    "stop:B:2 in one of 2 actions.",
)
@click.option(
    "--cards",
    metavar="CARDS",
    help="Cards in hand, with commas between them: twist, swap and shift, each one action; double, "
    "extra and take-1 to take-6 for more actions in a turn.",
)
@click.option(
    "--rule",
    type=count(1, 20),
    metavar="R",
    help="Actions of the rule in play: the solution must fit into one turn.  [default: 1 with "
    "cards that change it, else several turns]",
)
@click.option(
    "--max-actions",
    type=count(1, 64),
    metavar="N",
    help="Most actions of a solution, 1 to 64.  [default: 20, or those of a turn]",
)
@click.option(
    "--time", "seconds", type=number(0.001, 1e7, "s"), metavar="S", help="Stop after S seconds."
)
@click.option("--nodes", type=count(1, 10**15), metavar="N", help="Stop after N moves made.")
@click.option(
    "--memory-mb",
    type=number(8, 1e6, "MB"),
    default=1024,
    show_default=True,
    metavar="M",
    help="Most memory of what the search remembers.",
)
@click.option("--all", "every", is_flag=True, help="Print all shortest solutions, up to 10,000.")
@click.option(
    "--hint",
    type=count(0, 64),
    metavar="K",
    help="Print only the first K actions; 0: only the piece to look at.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--save",
    type=_PATH,
    metavar="FILE",
    help="Draw the line: a board after each action (.png), or a film (.gif, .mp4).",
)
@click.option(
    "--batch",
    type=_PATH,
    metavar="FILE.csv",
    help="Solve all positions of a file: column position and, if rows differ, goal, cards and "
    "max_actions.",
)
@workers_option("solve a batch")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write the answers of a batch.")
@click.option("--resume", is_flag=True, help="Keep the answers that the --out file already has.")
def command(
    *,
    position: str | None,
    seconds: float | None,
    nodes: int | None,
    memory_mb: float,
    every: bool,
    batch: Path | None,
    **options: Any,
) -> int:
    """Find a shortest list of actions of the side to move that reaches a goal.

    Or prove that none has at most N actions. Where a limit or Ctrl-C ends the search, it tells
    how many actions a solution has at least.

    \b
    Examples:
      pucklab solve pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab solve pb1:small:RPb7f5.RMe7.BPd7:-:R:- --goal all --time 10
      pucklab solve pb1:small:RPb7.RMe7.BPf7:-:R:- --goal stop:B:2 --cards take-2
      pucklab solve my_board.toml --goal puck:c7 --cards twist,swap --hint 1
      pucklab solve pb1:small:RPb7.RMe7.BPd7:-:R:- --save line.gif
      pucklab solve --batch puzzles.csv --all --out answers.csv
    """
    from sim.bumpers.solver import Limits
    from sim.bumpers.solver.batch import Defaults

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
        return _many(batch, position, defaults, options)
    return _one(position, defaults, options)


def _many(batch: Path, position: str | None, defaults: "Defaults", options: dict[str, Any]) -> int:
    """Solve a batch; refuse what is for one position only."""
    from physics import InputError
    from sim.cli.solvebatch import run_batch

    if position is not None:
        raise InputError("position: not accepted beside --batch; put it into the file")
    for name, flag in (("hint", "hint"), ("as_json", "json"), ("save", "save")):
        if options[name] not in (None, False):
            raise InputError(f"{flag}: not accepted with --batch; its answers are CSV")
    if options["resume"] and options["out"] is None:
        raise InputError("resume: not accepted without out; give the file to go on with")
    return run_batch(
        batch,
        defaults,
        workers=options["workers"],
        out=options["out"],
        resume=options["resume"],
    )


def _one(position: str | None, defaults: "Defaults", options: dict[str, Any]) -> int:
    """Solve one position; refuse what is for a batch only."""
    from physics import InputError
    from sim.bumpers.solver.batch import task_of
    from sim.bumpers.solver.cards import cards_to_play
    from sim.cli import EXIT_STOPPED
    from sim.cli.bumpers.positions import position_of
    from sim.cli.solveanswer import answer_json, print_answer, print_hint, save_line

    if position is None:
        raise InputError("position: none is given; give a line, a file, or --batch FILE.csv")
    for name in ("workers", "out", "resume"):
        if options[name] not in (None, False):
            raise InputError(f"{name}: not accepted without --batch")
    if options["hint"] is not None and options["as_json"]:
        raise InputError("hint: not accepted beside --json, which tells the whole solution")
    save, hint = options["save"], options["hint"]
    task = task_of(position_of(position), {}, defaults)
    if save is not None:
        from render.bumpers.export import check_export

        check_export("save", save)
    found = _found(task)
    play = cards_to_play(task.hand.turn, len(found.line), defaults.rule or 1)
    if options["as_json"]:
        click.echo(answer_json(task, found, play))
    elif hint is not None and found.line:
        print_hint(task.position, found, hint)
    else:
        print_answer(task, found, play)
    if save is not None:
        save_line(save, task, found.line[:hint])
    return EXIT_STOPPED if found.limit == "stopped" else 0


def _found(task: "Task") -> "Solution":
    """Search, and show on a terminal how far it is."""
    from sim.bumpers.solver import solve

    watch = _tell if sys.stderr.isatty() else None
    if watch is not None:
        click.echo("searching; the first time this may take half a minute", nl=False, err=True)
    found = solve(
        task.position,
        task.goal,
        task.limits,
        cards=task.hand.mats,
        every=task.every,
        watch=watch,
    )
    if watch is not None:
        click.echo("\r\033[K", nl=False, err=True)
    return found


def _tell(state: "Solution") -> None:
    least = f"at least {state.lower_bound} actions, {state.nodes} moves made"
    click.echo(f"\r\033[K{least}", nl=False, err=True)
