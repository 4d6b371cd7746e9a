"""``pucklab bumpers import`` and ``study``: boards of other programs, statistics of a board."""

import csv
import io
from pathlib import Path

import click

from pucklab.base.errors import InputError
from pucklab.base.files import check_writable, read_text, write_whole
from pucklab.cli.bumpers_play import setup_of
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import PATH, choice, count, option, position_argument, refuse_options
from pucklab.cli.output import print_written
from pucklab.sim.bumpers import position_text, setup_named
from pucklab.sim.bumpers.board_file import position_of
from pucklab.sim.bumpers.board_forms import draw_board, read_board
from pucklab.sim.bumpers.board_study import (
    STUDY,
    BoardStudy,
    StudyAnswer,
    study_cases,
    summarise,
)
from pucklab.sim.bumpers.puzzles import PuzzleSpec
from pucklab.sim.bumpers.setups import Setup
from pucklab.sim.bumpers.solver.goals import goal_text
from pucklab.sim.experiments import ResultTable


@click.command("import")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@option(
    "--out", PATH, "FILE.csv", "Save a row a goal, for 'pucklab solve --batch' and 'puzzle --pack'."
)
def import_command(*, files: tuple[Path, ...], out: Path | None) -> None:
    """Read Ricochet-style boards: plain drawings, and the forms of three other programs.

    On them every piece slides until something stops it and sets nothing in motion, and whoever
    is to move moves pieces of every colour, at most 250. A FILE is a drawing such as

    \b
      +-+-+-+-+
      |. .|R .|    R O Y G B V  a puck        .  an empty cell
      + +-+ + +    | -          walls         #  no cell
      |B . . #|
      +-+-+-+-+
      goal: to:a1:R

    or a daily puzzle's drawing (+ A B C D E F G H +), JSON with wall masks (grid, robots, token,
    robot) or quadrants, or an editor's JSON (rob_position, fields). The board is printed as a
    drawing, with its line and goals. POSITION|FILE and --board of other commands read such files.

    \b
    Examples:
      pucklab bumpers import my_drawing.txt
      pucklab bumpers import daily/*.md --out puzzles.csv
      pucklab solve --board my_drawing.txt
    """
    check_writable("out", out, (".csv",), files)
    rows = []
    for file in files:
        board = read_board(read_text("board", file), f"board: {str(file)!r}")
        line = position_text(board.position)
        goals = [(goal_text(board.position, goal), name) for name, goal in board.goals.items()]
        rows += [(file.stem, line, goal, board.length or "") for goal, _ in goals]
        if out is None:
            click.echo(draw_board(board.position), nl=False)
            click.echo(line)
            for goal, name in goals:
                click.echo(f"goal {goal}" + (f" ({name})" if name else ""))
            if board.length is not None:
                click.echo(f"solved in {board.length} actions, the file says")
    if out is not None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([("name", "position", "goal", "length"), *rows])
        write_whole(out, text.getvalue().encode())
        print_written(out)


@click.command("study")
@position_argument(is_required=False)
@option("--positions", count(1, 1_000_000), "N", "Number of random positions.", default=2000)
@option(
    "--setup",
    str,
    "NAME|FILE",
    "The board: classic, small, old-school, or a file; pieces are drawn at random.  [default: "
    "classic, or that of POSITION, whose pieces are placed anew]",
)
@option(
    "--goal",
    choice("1", "2", "3", "4", "all", "to"),
    "GOAL",
    "1 to 4 or all: that many pucks in; to: a piece on a random space.  [default: 1, or to where "
    "the board has no goals]",
)
@option("--nodes", count(1, 10**9), "N", "Most nodes of each search.", default=100_000)
@experiment_options(
    None, unit="positions", doing="solve", seed="Same seed, same positions.", plot=None
)
def study_command(
    *,
    run: Run,
    position: str | None,
    positions: int,
    setup: str | None,
    goal: str | None,
    nodes: int,
) -> int:
    """Measure a board: how many actions random positions take, and what their solutions need.

    Shares have 95 % intervals. The hardest position found is printed with its solution.

    \b
    Examples:
      pucklab bumpers study --positions 2000
      pucklab bumpers study --setup small --goal 2 --out study.csv --resume
      pucklab bumpers study --board my_drawing.txt
    """
    start, board = None, setup_named("classic")
    if position is not None:
        refuse_options(("setup",), "POSITION, which has its own board")
        start = position_of(position)
        if not start.pieces or start.to_move is None:
            raise InputError("position: give one with pieces and a colour to move")
        board = Setup(name="position", about="", layout=start.layout, rules=start.rules)
    elif isinstance(named := setup_of(setup), Setup):
        board = named
    elif named is not None:
        board = setup_named(named)
    has_goals = any(face.goals for face in board.layout.faces)
    spec = PuzzleSpec(actions=4, goal=goal or ("1" if has_goals else "to"), setup=board)
    study = BoardStudy(spec=spec, position=start, nodes=nodes)
    run.check()
    return run.collect(STUDY, study_cases(study, positions, run.seed)).finish(
        _show, is_enough=ResultTable.done
    )


def _show(table: ResultTable[StudyAnswer]) -> None:
    found = summarise([entry.tally for _, entry in table.done()])
    click.echo(
        f"{found.positions} positions: {found.mean:.2f} actions on average (standard error "
        f"{found.standard_error:.2f}), spread {found.spread:.2f}"
    )
    for actions, share in found.lengths.items():
        bar = "#" * round(50 * share.value)
        click.echo(f"  {actions:>2} actions  {share.told()}  {bar}")
    for what, share in (("not solved in time", found.unsolved), ("unsolvable", found.unsolvable)):
        if share.value:
            click.echo(f"  {what}  {share.told()}")
    moved = ", ".join(f"{count} {share.value:.0%}" for count, share in found.movers.items())
    click.echo(f"pieces that set out in a solution: {moved}")
    click.echo(f"solutions in which a piece is hit: {found.with_hits.told()}")
    if (hardest := found.hardest) is not None:
        click.echo(f"hardest: {hardest.position} {hardest.goal}\n   {hardest.solution}")
