"""``pucklab puzzle``: make Puck Bumpers puzzles of a wanted length."""

from collections.abc import Iterable
from pathlib import Path

import click

from sim.bumpers import position_text, setup_named
from sim.bumpers.puzzles import Puzzle, PuzzleSpec, make_puzzles, puzzles_csv, puzzles_json
from sim.bumpers.solver.goals import goal_text
from sim.bumpers.solver.search import begin_to_compile_solver
from sim.bumpers.solver.solution import line_text
from sim.cli.bumpers_play import setup_of
from sim.cli.options import completed, count, seed_option, workers_option
from sim.cli.output import print_written
from sim.cli.positions import setup_names
from sim.cli.processes import worker_processes
from sim.cli.running import track
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import check_writable, write_whole
from sim.core.ordered_work import processors


@click.command("puzzle")
@click.option(
    "--actions",
    type=count(1, 20),
    default=4,
    show_default=True,
    metavar="N",
    help="Length of the shortest solution, 1 to 20 actions.",
)
@click.option(
    "--goal",
    default="1",
    show_default=True,
    metavar="GOAL",
    help="1 to 4 or all: bring that many pucks in; puck: bring in a named puck; to: bring a piece "
    "to a named space.",
)
@click.option(
    "--movers",
    type=count(1, 4),
    metavar="M",
    help="Minimum number of different pieces that the player moves.  [default: 2, or 1 with "
    "--actions 1]",
)
@click.option(
    "--unique", is_flag=True, help="Make only puzzles with exactly one shortest solution."
)
@click.option(
    "--setup",
    metavar="NAME|FILE",
    shell_complete=completed(setup_names),
    help="classic, small, old-school, or a file with your own board.  [default: house boards of 2 "
    "to 16 mats]",
)
@seed_option("Same seed, same puzzles.")
@click.option(
    "--count",
    "puzzles",
    type=count(1, 100_000),
    default=1,
    show_default=True,
    metavar="C",
    help="Number of puzzles.",
)
@workers_option("work")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE.csv|.json",
    help="Write the puzzles; a CSV file can be solved with solve --batch.",
)
def command(
    *,
    actions: int,
    goal: str,
    movers: int | None,
    unique: bool,
    setup: str | None,
    seed: int,
    puzzles: int,
    workers: int | None,
    out: Path | None,
) -> int:
    """Make puzzles of a given length, each with its solution and difficulty.

    Orders of the same actions count as one solution. An action tempts if it moves a piece of
    the goal nearer to it, or to where one action is left, were there no other pieces. A decoy is a
    first action that tempts but begins no shortest solution. The difficulty is the chance of a
    shortest solution if all actions are chosen by chance, those that tempt four times as often: 10
    bits are 1 in 1024. Ctrl-C keeps the puzzles made so far.

    \b
    Examples:
      pucklab puzzle --actions 5 --unique
      pucklab puzzle --actions 6 --goal 2 --setup classic --seed 7
      pucklab puzzle --actions 8 --unique --count 20 --out puzzles.csv
    """
    board = setup_of(setup)
    spec = PuzzleSpec(
        actions=actions,
        goal=goal,
        movers=movers or min(2, actions),
        unique=unique,
        setup=setup_named(board) if isinstance(board, str) else board,
    )
    if out is not None:
        check_writable("out", out, (".csv", ".json"))
    made, stopped = _make(spec, seed, puzzles, workers)
    if out is not None and (made or not stopped):
        _save(made, out)
    if stopped:
        report_stop(f"after {len(made)} of {puzzles} puzzles")
        return EXIT_STOPPED
    return 0


def _make(
    spec: PuzzleSpec, seed: int, count: int, workers: int | None
) -> tuple[list[Puzzle], bool]:
    """Make and print puzzles; return them, and True if Ctrl-C ended it."""
    processes = min(workers or processors(), count)
    made: list[Puzzle] = []
    try:
        if processes > 1:
            begin_to_compile_solver()
        with worker_processes(processes) as executor:
            puzzles = make_puzzles(
                spec, seed=seed, count=count, executor=executor, window=4 * processes
            )
            numbered = track(
                enumerate(puzzles), lambda done: (done[0] + 1, count), "making", printing=True
            )
            _print(spec, numbered, made)
    except KeyboardInterrupt:
        return made, True
    return made, False


def _print(
    spec: PuzzleSpec, puzzles: Iterable[tuple[int, Puzzle | None]], made: list[Puzzle]
) -> None:
    """Print puzzles as they are made, and append them to a list."""
    for number, puzzle in puzzles:
        if puzzle is None:
            click.echo(f"puzzle {number + 1}: none with {spec.actions} actions was found", err=True)
            continue
        made.append(puzzle)
        position, rating = puzzle.position, puzzle.rating
        solutions = "1 solution" if rating.solutions == 1 else f"{rating.solutions} solutions"
        decoys = "1 decoy" if rating.decoys == 1 else f"{rating.decoys} decoys"
        movers = "1 piece to move" if rating.movers == 1 else f"{rating.movers} pieces to move"
        click.echo(
            f"{number + 1}. {position_text(position)}\n"
            f"   goal {goal_text(position, puzzle.goal)}: {line_text(position, puzzle.line)}\n"
            f"   {solutions}, {rating.branching:.1f} legal actions on average, {decoys}, {movers}, "
            f"difficulty {rating.difficulty_bits:.1f} bits"
        )


def _save(puzzles: list[Puzzle], out: Path) -> None:

    is_csv = out.suffix.lower() == ".csv"
    write_whole(out, (puzzles_csv if is_csv else puzzles_json)(puzzles).encode())
    print_written(out)
