"""``pucklab puzzle``: Puck Bumpers puzzles to print, save and solve."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import click

from physics.errors import InputError, shown
from sim.bumpers import position_text, setup_named
from sim.bumpers.puzzle_solving import (
    PuzzleSource,
    counted,
    source_for_children,
    source_of_day,
    source_of_pack,
    study_of,
    task_text,
)
from sim.bumpers.puzzles import MOST_DECOYS, Puzzle, PuzzleSpec, puzzles_csv, puzzles_json
from sim.bumpers.solver.goals import goal_text
from sim.bumpers.solver.search import begin_to_compile_solver
from sim.bumpers.solver.solution import line_text
from sim.cli.bumpers_play import setup_of
from sim.cli.display import text_option
from sim.cli.options import choice, completed, count, refuse_options, seed_option, workers_option
from sim.cli.output import print_written
from sim.cli.positions import setup_names
from sim.cli.processes import worker_processes
from sim.cli.running import track
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import check_writable, write_whole
from sim.core.ordered_work import in_order, processors

_CARDS = 4
"""Puzzles of a sheet of cards."""

_TODAY = "today"
_SPEC = ("actions", "goal", "movers", "unique", "decoys", "setup")


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
    "--decoys",
    type=count(0, MOST_DECOYS),
    default=0,
    metavar="D",
    help="Minimum number of decoys, 0 to 9; pieces that change no solution stay only as decoys.",
)
@click.option(
    "--setup",
    metavar="NAME|FILE",
    shell_complete=completed(setup_names),
    help="classic, small, old-school, or a file with your own board.  [default: house boards of 2 "
    "to 16 mats]",
)
@click.option(
    "--level",
    type=choice("children"),
    metavar="children",
    help="Puzzles for children: two actions, at most four pieces on a small board.",
)
@click.option(
    "--day",
    is_flag=False,
    flag_value=_TODAY,
    metavar="[DATE]",
    help="The puzzle of today, or of a date such as 2026-11-23.",
)
@click.option(
    "--pack",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="Puzzles of a file, such as --out writes: columns position and, if other than 1, goal.",
)
@seed_option("Same seed, same puzzles.")
@click.option(
    "--count",
    "puzzles",
    type=count(1, 100_000),
    metavar="C",
    help="Number of puzzles.  [default: 1, a sheet of 4 for cards, or all of a pack]",
)
@workers_option("work")
@click.option("--solution", is_flag=True, help="Print the solutions, too.")
@click.option("--play", is_flag=True, help="Solve puzzles in a window, one after another.")
@text_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE.csv|.json",
    help="Write the puzzles; a CSV file can be a --pack, or be solved with solve --batch.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save cards to print, four a sheet with the solutions at the end (.pdf, .svg), or a web "
    "page to solve the puzzles in (.html).",
)
def command(
    *,
    level: str | None,
    day: str | None,
    pack: Path | None,
    seed: int,
    puzzles: int | None,
    workers: int | None,
    solution: bool,
    play: bool,
    text: bool,
    out: Path | None,
    save: Path | None,
    **options: Any,
) -> int:
    """Make puzzles of a given length, solve them, or save them as cards or a web page.

    With --play, every move is told right or wrong, and there are hints: the piece, its move, the
    solution. Your rating and streaks are kept; each puzzle counts once.

    Where more than one puck comes in, the pieces depend on each other: their actions have fewer
    orders than those of pieces that never meet. Each piece changes a shortest solution, unless
    --decoys asks for more. Easy to expert says how many positions the solver goes through: up to
    20, 200, 2000, or more.

    Orders of the same actions count as one solution. An action tempts if it moves a piece of
    the goal nearer to it, or to where one action is left, were there no other pieces. A decoy is a
    first action that tempts but begins no shortest solution. The difficulty is the chance of a
    shortest solution if all actions are chosen by chance, those that tempt four times as often: 10
    bits are 1 in 1024. Ctrl-C keeps the puzzles made so far.

    \b
    Examples:
      pucklab puzzle --day --play
      pucklab puzzle --actions 5 --unique --solution
      pucklab puzzle --actions 6 --goal 2 --setup classic --seed 7
      pucklab puzzle --level children --save cards.pdf
      pucklab puzzle --actions 8 --unique --count 20 --out puzzles.csv
      pucklab puzzle --pack puzzles.csv --save puzzles.html
    """
    source = _source(level, day, pack, seed, options)
    if play:
        from sim.cli.puzzle_play import play_puzzles

        refuse_options(("out", "save", "solution", "workers"), "play")
        return play_puzzles(source, puzzles, is_text=text)
    refuse_options(("text",), "puzzles that are not played; add --play")
    if out is not None:
        check_writable("out", out, (".csv", ".json"))
    if save is not None:
        from render.bumpers.cards import check_puzzles_file

        check_puzzles_file("save", save)
    is_cards = save is not None and save.suffix.lower() != ".html"
    wanted = min(puzzles or source.most or (_CARDS if is_cards else 1), source.most or 10**9)
    made, stopped = _make(source, wanted, workers, solution=solution)
    if out is not None and (made or not stopped):
        is_csv = out.suffix.lower() == ".csv"
        write_whole(out, (puzzles_csv if is_csv else puzzles_json)(made).encode())
        print_written(out)
    if save is not None and made:
        _save(save, source, made)
    if stopped:
        report_stop(f"after {len(made)} of {wanted} puzzles")
        return EXIT_STOPPED
    return 0


def _source(
    level: str | None, day: str | None, pack: Path | None, seed: int, options: dict[str, Any]
) -> PuzzleSource:
    """Return the puzzles that the options ask for; refuse options of others."""
    if day is not None:
        refuse_options((*_SPEC, "level", "pack", "seed", "puzzles"), "day, which has its puzzle")
        return source_of_day(_date(day))
    if pack is not None:
        refuse_options((*_SPEC, "level", "seed"), "pack, which has its puzzles")
        return source_of_pack(pack)
    if level is not None:
        refuse_options(_SPEC, "level, which decides them")
        return source_for_children(seed)
    board = setup_of(options.pop("setup"))
    options["movers"] = options["movers"] or min(2, options["actions"])
    spec = PuzzleSpec(setup=setup_named(board) if isinstance(board, str) else board, **options)
    return PuzzleSource(spec=spec, seed=seed)


def _date(text: str) -> date:
    try:
        return date.today() if text == _TODAY else date.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"day: {shown(text)} is not accepted; give a date such as 2026-11-23"
        ) from None


def _make(
    source: PuzzleSource, count: int, workers: int | None, *, solution: bool
) -> tuple[list[Puzzle], bool]:
    """Make and print puzzles; return them, and True if Ctrl-C ended it."""
    processes = min(workers or processors(), count)
    made: list[Puzzle] = []
    try:
        if processes > 1:
            begin_to_compile_solver()
        with worker_processes(processes) as executor:
            tasks = ((number,) for number in range(count))
            puzzles = in_order(source.puzzle, tasks, executor, 4 * processes)
            numbered = track(
                enumerate(puzzles), lambda done: (done[0] + 1, count), "making", printing=True
            )
            _print(source, numbered, made, solution=solution)
    except KeyboardInterrupt:
        return made, True
    return made, False


def _print(
    source: PuzzleSource,
    puzzles: Iterable[tuple[int, Puzzle | None]],
    made: list[Puzzle],
    *,
    solution: bool,
) -> None:
    """Print puzzles as they are made, and append them to a list."""
    for number, puzzle in puzzles:
        if puzzle is None:
            wanted = counted(source.spec.actions, "action")
            click.echo(f"puzzle {number + 1}: none with {wanted} was found", err=True)
            continue
        made.append(puzzle)
        position, rating = puzzle.position, puzzle.rating
        click.echo(f"{number + 1}. {position_text(position)}\n   {task_text(puzzle)}")
        if solution:
            click.echo(f"   solution: {line_text(position, puzzle.line)}")
        click.echo(
            f"   {rating.difficulty}: "
            f"goal {goal_text(position, puzzle.goal)}, {counted(rating.solutions, 'solution')}, "
            f"{rating.branching:.1f} legal actions on average, {counted(rating.decoys, 'decoy')}, "
            f"{counted(rating.movers, 'piece')} to move, difficulty "
            f"{rating.difficulty_bits:.1f} bits, {rating.nodes} positions searched"
        )


def _save(path: Path, source: PuzzleSource, made: list[Puzzle]) -> None:
    from render.bumpers.cards import save_puzzles

    studies = [study_of(puzzle, source.title(puzzle.index)) for puzzle in made]
    save_puzzles(path, studies, how=source.few)
    print_written(path)
