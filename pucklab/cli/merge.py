"""``pucklab merge``: add the trials of several tables of one experiment.

Each experiment of the command line has a row in `_EXPERIMENTS`.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from pucklab.base.errors import InputError, shown
from pucklab.base.files import STANDARD, read_text, write_whole
from pucklab.cli.options import PATH, check_out, flag, option
from pucklab.cli.output import print_json, print_written
from pucklab.sim.experiments import Experiment, merge_tables, read_table
from pucklab.sim.experiments.table import experiment_in
from pucklab.sim.experiments.view import print_table

_EXPERIMENTS = {
    "odds": "pucklab.sim.odds.study:ODDS",
    "knock-out odds": "pucklab.sim.odds.study:KNOCK_OUTS",
    "paired odds": "pucklab.sim.odds.study:PAIRED_ODDS",
    "paired knock-out odds": "pucklab.sim.odds.study:PAIRED_KNOCK_OUTS",
    "puck bumpers series": "pucklab.sim.bumpers.game.player_kinds:SERIES",
    "tournament": "pucklab.sim.pokepucks.tournament:TOURNAMENT",
    "arena": "pucklab.sim.pokepucks.arena:ARENA",
    "balance": "pucklab.sim.pokepucks.balance:BALANCE",
    "trail": "pucklab.sim.trail.odds:TRAIL",
    "solutions": "pucklab.sim.bumpers.solver.batch:SOLVED",
    "puzzles": "pucklab.sim.bumpers.puzzle_series:PUZZLES",
}
"""Module and name of each experiment whose tables commands write."""


@click.command("merge")
@click.argument("files", nargs=-1, type=PATH, metavar="FILE.csv...")
@option("--out", PATH, "FILE.csv", "Save the sum as a table.")
@flag("--json as_json", "Print JSON instead of a table.")
def command(*, files: tuple[Path, ...], out: Path | None, as_json: bool) -> int:
    """Add the trials of several tables of the same cases.

    Each file was written with --out by the same command, with a seed of its own. Files of different
    cases are refused with the difference, and so are files with the same trials. Solutions and
    puzzles of all files are put together; two unlike answers to one case are refused.

    \b
    Examples:
      pucklab odds --slammer onix --seed 1 --out here.csv
      pucklab odds --slammer onix --seed 2 --out there.csv
      pucklab merge here.csv there.csv --out both.csv
    """
    if not files:
        raise InputError("file: none is given; give one or more tables of results")
    check_out(out, ".csv", files)
    texts = [(repr(str(path)), read_text("file", path)) for path in files]
    # The first file names the experiment; files of another are refused.
    where, text = texts[0]
    named = experiment_in(text, where)
    if named not in _EXPERIMENTS:
        known = ", ".join(_EXPERIMENTS)
        raise InputError(f"{where} is of experiment {shown(named)}; give tables of {known}")
    module, _, attribute = _EXPERIMENTS[named].partition(":")
    experiment: Experiment[Any, Any] = getattr(import_module(module), attribute)
    merged = merge_tables([(name, read_table(text, name, experiment)) for name, text in texts])
    if out is not None:
        write_whole(out, merged.csv().encode())
    if as_json:
        print_json(merged.facts())
    elif out != STANDARD:
        number = f"{len(files)} file{'s' * (len(files) > 1)}"
        print_table(merged, f"{experiment.name}: {merged.trials} trials of {number}")
    print_written(out)
    return 0
