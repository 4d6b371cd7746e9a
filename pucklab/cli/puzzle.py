"""``pucklab puzzle``: Puck Bumpers puzzles to print, save and solve."""

from datetime import date
from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import InputError, shown
from pucklab.cli.browsing import PAGE_OPTIONS, Pages, page_options
from pucklab.cli.bumpers_play import setup_of
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import (
    PATH,
    choice,
    complete_from,
    count,
    flag,
    option,
    position_argument,
    refuse_options,
)
from pucklab.cli.output import print_written
from pucklab.sim.bumpers import setup_named
from pucklab.sim.bumpers.board_file import position_with_goals
from pucklab.sim.bumpers.puzzle_series import (
    LEVELS,
    PUZZLES,
    PuzzleAnswer,
    PuzzleSource,
    puzzle_cases,
    source_of_pack,
    source_of_position,
)
from pucklab.sim.bumpers.puzzle_solving import count_text, study_of, task_text
from pucklab.sim.bumpers.puzzle_themes import FREE, THEMES
from pucklab.sim.bumpers.puzzles import MOST_DECOYS, PuzzleSpec
from pucklab.sim.bumpers.setups import setups
from pucklab.sim.experiments import ResultTable

_CARDS = 4
"""Puzzles of a sheet of cards."""

_TODAY = "today"
_OF_RUN = ("workers", "dask", "out", "as_json", "resume")
_SPEC = ("actions", "goal", "movers", "unique", "decoys", "setup", "theme", "cards")


@click.command("puzzle")
@position_argument(is_required=False)
@option(
    "--actions", count(1, 20), "N", "Length of the shortest solution, 1 to 20 actions.", default=4
)
@option(
    "--goal",
    str,
    "GOAL",
    "1 to 4 or all: bring that many pucks in; puck: bring in a named puck; to: bring a piece "
    "to a named space. With POSITION, goals such as puck:c7 and to:c7 as in 'pucklab solve'.  "
    "[default: 1, or each of a board's file]",
)
@option(
    "--movers",
    count(1, 4),
    "M",
    "Minimum number of different pieces that the player moves.  [default: 2, or 1 with "
    "--actions 1]",
)
@flag("--unique", "Make only puzzles with exactly one shortest solution.")
@option(
    "--decoys",
    count(0, MOST_DECOYS),
    "D",
    "Minimum number of decoys, 0 to 9; pieces that change no solution stay only as decoys.",
    default=0,
    show_default=False,
)
@option(
    "--setup",
    str,
    "NAME|FILE",
    "classic, small, old-school, or a file with your own board.  [default: house boards of 2 "
    "to 16 mats]",
    shell_complete=complete_from(setups),
)
@option(
    "--theme",
    choice(*THEMES, FREE),
    "THEME",
    f"What every shortest solution has: {', '.join(f'{n} ({w})' for n, w in THEMES.items())}; "
    "free for nothing.",
)
@option(
    "--cards",
    choice("twist"),
    "CARD",
    "A card in hand that turns one mat, which every shortest solution needs.",
)
@option(
    "--level",
    choice(*LEVELS),
    "LEVEL",
    "Puzzles without end of one level: easy, medium, hard, expert, or children: two actions, at "
    "most four pieces on a small board.",
)
@click.option(
    "--day",
    is_flag=False,
    flag_value=_TODAY,
    metavar="[DATE]",
    help="The puzzle of today, or of a date such as 2026-11-23; with --play, then those of the "
    "week before, and others without end.",
)
@option(
    "--pack",
    PATH,
    "FILE.csv",
    "Puzzles of a file, such as --out writes: columns position and, if other than 1, goal.",
)
@option(
    "--count puzzles",
    count(1, 100_000),
    "C",
    "Number of puzzles.  [default: 1, a sheet of 4 for cards, or all of a pack]",
)
@flag("--solution", "Print the solutions, too.")
@flag("--play", "Solve puzzles in the browser, one after another.")
@page_options(text=True)
@option(
    "--save",
    PATH,
    "FILE",
    "Save a web page to solve the puzzles in, which prints as cards, four a sheet with the "
    "solutions at the end (.html), or these sheets as one drawing (.svg).",
)
@experiment_options(None, unit="puzzles", doing="make", seed="Same seed, same puzzles.", plot=None)
def command(
    *,
    run: Run,
    position: str | None,
    level: str | None,
    day: str | None,
    pack: Path | None,
    puzzles: int | None,
    solution: bool,
    play: bool,
    pages: Pages,
    save: Path | None,
    **options: Any,
) -> int:
    """Make puzzles of a given length, solve them, or save them as cards or a web page.

    With --play, every move is judged, and there are hints: the number of actions, the piece, its
    move, the solution. A theme is told once the puzzle is solved; from 2026-12-07 on each weekday
    has one, and Sunday is free. A move such as T:K3+90 turns a mat, where there is a card for it.
    At the terminal you may also explore freely, take moves back, share a result, and go on to the
    next puzzle or a harder one. Your rating and streaks are kept; each puzzle counts once. POSITION
    is a puzzle of your own, or one that somebody shared.

    Where more than one puck comes in, the pieces depend on each other: their actions have fewer
    orders than those of pieces that never meet. Each piece changes a shortest solution, unless
    --decoys asks for more. The points of a puzzle, on the scale of your rating, grow with the bits
    of its difficulty and with the search of the solver: below 900 a puzzle is easy, below 1200
    medium, below 1500 hard, and from there on expert.

    Orders of the same actions count as one solution. An action tempts if it moves a piece of
    the goal nearer to it, or to where one action is left, were there no other pieces. A decoy is a
    first action that tempts but begins no shortest solution. The difficulty is the chance of a
    shortest solution if all actions are chosen by chance, those that tempt four times as often: 10
    bits are 1 in 1024. Ctrl-C keeps the puzzles made so far.

    A table of --out can be a --pack, or be solved with 'pucklab solve --batch'.

    \b
    Examples:
      pucklab puzzle --day --play
      pucklab puzzle --level hard --play
      pucklab puzzle pb1:small:RPb7.RMe7.BPd7:-:R:- --play
      pucklab puzzle --actions 5 --unique --solution
      pucklab puzzle --theme chain --count 3
      pucklab puzzle --actions 6 --goal 2 --setup classic --seed 7
      pucklab puzzle --level children --save cards.html
      pucklab puzzle --actions 8 --unique --count 20 --out puzzles.csv
      pucklab puzzle --pack puzzles.csv --save puzzles.html
    """
    source = _source(position, level, day, pack, run.seed, options)
    if play:
        from pucklab.cli.puzzle_play import play_puzzles

        refuse_options(("save", "solution", *_OF_RUN), "play")
        return play_puzzles(source, puzzles, pages)
    refuse_options(("text", *PAGE_OPTIONS), "puzzles that are not played; add --play")
    run.check([pack])
    if save is not None:
        from pucklab.render.bumpers.cards import check_puzzles_file, save_puzzles

        check_puzzles_file("save", save)
    is_cards = save is not None and save.suffix.lower() != ".html"
    few = _CARDS if is_cards and source.day is None else 1
    wanted = min(puzzles or source.most or few, source.most or 10**9)
    result = run.collect(PUZZLES, puzzle_cases(source, wanted))
    if save is not None:
        made = [
            study_of(puzzle, source.title(number), source.day_of(number))
            for row, entry in result.table.done()
            if (puzzle := entry.tally.puzzle())
            for number in (int(row.labels["puzzle"]) - 1,)
        ]
        if made:
            save_puzzles(save, made, how=level == "children")
            print_written(save)
    return result.finish(lambda table: _print(table, solution=solution), is_enough=ResultTable.done)


def _source(
    position: str | None,
    level: str | None,
    day: str | None,
    pack: Path | None,
    seed: int,
    options: dict[str, Any],
) -> PuzzleSource:
    """Return the puzzles that the options ask for; refuse options of others."""
    if position is not None:
        others = (name for name in _SPEC if name not in ("goal", "cards"))
        refuse_options((*others, "level", "day", "pack", "seed", "puzzles"), "POSITION")
        start, goals = position_with_goals(position)
        goals = (options["goal"],) if options["goal"] else goals or ("1",)
        return source_of_position(start, goals, options["cards"] or "")
    if day is not None:
        refuse_options((*_SPEC, "level", "pack", "seed", "puzzles"), "day, which has its puzzle")
        try:
            return PuzzleSource(day=date.today() if day == _TODAY else date.fromisoformat(day))
        except ValueError:
            raise InputError(
                f"day: {shown(day)} is not accepted; give a date such as 2026-11-23"
            ) from None
    if pack is not None:
        refuse_options((*_SPEC, "level", "seed"), "pack, which has its puzzles")
        return source_of_pack(pack)
    if level is not None:
        refuse_options(_SPEC, "level, which decides them")
        return PuzzleSource(level=level, seed=seed)
    board = setup_of(options.pop("setup"))
    options["goal"] = options["goal"] or "1"
    theme, card = options.pop("theme"), options.pop("cards") is not None
    options |= {"theme": "" if theme in (None, FREE) else theme, "card": card}
    options["movers"] = options["movers"] or min(2, options["actions"])
    spec = PuzzleSpec(setup=setup_named(board) if isinstance(board, str) else board, **options)
    return PuzzleSource(spec=spec, seed=seed)


def _print(table: ResultTable[PuzzleAnswer], *, solution: bool) -> None:
    for row, entry in table.done():
        number, answer = row.labels["puzzle"], entry.tally
        puzzle, rating = answer.puzzle(), answer.rating
        if puzzle is None or rating is None:
            asked = row.labels["asked"]
            click.echo(f"puzzle {number} ({asked}): none was found; {answer.missing}", err=True)
            continue
        click.echo(f"{number}. {answer.position}\n   {task_text(puzzle)}")
        if solution:
            click.echo(f"   solution: {answer.solution}")
        click.echo(
            f"   {rating.difficulty} ({rating.points}): "
            f"goal {answer.goal}, {count_text(rating.solutions, 'solution')}, "
            f"{rating.branching:.1f} legal actions on average, "
            f"{count_text(rating.decoys, 'decoy')}, {count_text(rating.movers, 'piece')} to move, "
            f"difficulty {rating.difficulty_bits:.1f} bits, {rating.nodes} positions visited"
        )
