"""``pucklab tournament``: every slammer against every other.

The file of a tournament under way: written now and then, and gone on with.

Tournaments as tables for people, and as JSON for programs.
"""

import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.battle_options import rules_options
from sim.cli.options import count, seed_option, workers_option

if TYPE_CHECKING:
    from sim.odds import Proportion
    from sim.pokepucks.tournament import Contest, Pair, PairRow, PairTally, Standing

_PATH = click.Path(path_type=Path)


@click.command("tournament")
@click.option(
    "--slammers",
    default="all",
    show_default=True,
    metavar="NAME,...",
    help="Slammers, two or more; 'all' for every Pokémon slammer there is.",
)
@click.option(
    "--battles",
    type=count(1, 1_000_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Battles a pair; each has the first turn in half of them.",
)
@workers_option("play")
@click.option(
    "--policy",
    default="greedy",
    show_default=True,
    metavar="KIND",
    help="How all players decide: greedy or random.",
)
@rules_options
@seed_option("Seed of all that is random.")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write a row per pair.")
@click.option("--plot", type=_PATH, metavar="FILE.png", help="Draw a heat map of the wins.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--resume", is_flag=True, help="Go on from the battles that the --out file already has."
)
def command(
    *,
    slammers: str,
    battles: int,
    workers: int | None,
    policy: str,
    seed: int,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
    resume: bool,
    **options: Any,
) -> int:
    """Let every slammer battle every other, and say who wins how often.

    Each player has one slammer and a house collection that suits its type. The --out file is
    written every few seconds: a tournament that was stopped, or killed, goes on with --resume.

    \b
    Examples:
      pucklab tournament --slammers all --battles 20 --out all.csv --plot all.png
      pucklab tournament --slammers onix,pikachu,eevee --battles 100 --throws table
    """
    from physics.errors import require_extra
    from sim.cli import EXIT_STOPPED
    from sim.cli.battle_options import rulings_from_options, slammers_from, throws_from_options
    from sim.cli.processes import processors
    from sim.core.files import check_writable
    from sim.pokepucks.battle import BattleOptions, player_of
    from sim.pokepucks.design_file import read_catalogue
    from sim.pokepucks.tournament import Contest, PairTally, pairs_of

    catalogue = read_catalogue(options["puckdex"])
    pairs = pairs_of(slammers_from("slammers", slammers, catalogue))
    player_of(policy)
    throws, source = throws_from_options(options, 1)
    rulings = rulings_from_options(BattleOptions(), options)
    rulings.check_players(2)
    contest = Contest(throws=throws, policy=policy, options=rulings, catalogue=catalogue)
    if out is not None:
        check_writable("out", out, (".csv",))
    if plot is not None:
        check_writable("plot", plot, (".png",))
        require_extra("plot", "matplotlib")
    results = ResultFile(contest, pairs, seed, out)
    tallies = results.saved() if resume else [PairTally()] * len(pairs)
    stopped = _run(contest, pairs, tallies, battles, seed, workers or processors(), results)
    rows = results.rows(tallies)
    if not any(tally.battles for tally in tallies):
        click.echo("stopped before a battle was over; nothing to show", err=True)
        return EXIT_STOPPED
    if as_json:
        click.echo(results_json(rows))
    else:
        print_results(rows)
    if out is not None:
        click.echo(f"wrote {out}", err=True)
    if plot is not None:
        from render.plots.tournament import save_tournament_plot

        title = f"{battles} battles a pair ({rulings.mode}), {policy} players, throws: {source}"
        save_tournament_plot(plot, pairs, tallies, title=title)
        click.echo(f"wrote {plot}", err=True)
    if stopped:
        played = sum(tally.battles for tally in tallies)
        click.echo(f"stopped after {played} of {battles * len(pairs)} battles", err=True)
        return EXIT_STOPPED
    return 0


def _run(
    contest: "Contest",
    pairs: Sequence["Pair"],
    tallies: list["PairTally"],
    battles: int,
    seed: int,
    workers: int,
    results: "ResultFile",
) -> bool:
    """Play, keep ``tallies`` and the file up to date, and return whether Ctrl-C stopped it."""
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.pokepucks.tournament import run_tournament

    try:
        with worker_processes(workers) as executor:
            states = run_tournament(
                contest,
                pairs,
                battles=battles,
                seed=seed,
                begin=tuple(tallies),
                executor=executor,
                window=4 * workers,
            )
            for state in track(states, lambda state: (state.done, state.total), "battling"):
                tallies[:] = state.tallies
                results.save(tallies)
    except KeyboardInterrupt:
        results.save(tallies, now=True)
        return True
    results.save(tallies, now=True)
    return False


_SAVE_EVERY_S = 5.0


class ResultFile:
    """The results of a tournament, and its file if there is one.

    Args:
        contest: What the battles are.
        pairs: The pairs.
        seed: The tournament's seed.
        out: The file; None for none.
    """

    def __init__(
        self, contest: "Contest", pairs: "Sequence[Pair]", seed: int, out: Path | None
    ) -> None:
        from sim.pokepucks.tournament import contest_hash

        self._pairs = pairs
        self._hashes = [contest_hash(contest, pair) for pair in pairs]
        self._seed = seed
        self._out = out
        self._saved_s = -math.inf

    def saved(self) -> "list[PairTally]":
        """Return what the file has of each pair, with this contest, seed and version.

        Raises:
            InputError: There is no file to go on with, or it is one of something else, or it has
                other battles, too: they would be lost, as the file is written anew.
        """
        from physics.errors import InputError
        from sim.core.files import read_text, version
        from sim.pokepucks.tournament import PairTally, read_results

        if self._out is None:
            raise InputError("resume: not accepted without out; give the file to go on with")
        if not self._out.exists():
            return [PairTally()] * len(self._pairs)
        found = read_results(read_text("out", self._out), f"out: {str(self._out)!r}")
        wanted = [(key, self._seed, version()) for key in self._hashes]
        if not found.keys() <= set(wanted):
            raise InputError(
                f"resume: {str(self._out)!r} has battles of other slammers, options, throws, seed "
                "or version, which would be lost; give another file to go on with"
            )
        return [found.get(key, PairTally()) for key in wanted]

    def rows(self, tallies: "Sequence[PairTally]") -> "list[PairRow]":
        """Return the rows of the file."""
        from sim.core.files import version
        from sim.pokepucks.tournament import PairRow

        return [
            PairRow(pair=pair, tally=tally, seed=self._seed, version=version(), contest_hash=key)
            for pair, tally, key in zip(self._pairs, tallies, self._hashes, strict=True)
        ]

    def save(self, tallies: "Sequence[PairTally]", *, now: bool = False) -> None:
        """Write the file, if it is time: a tournament that is killed loses a few seconds."""
        from sim.core.files import write_whole
        from sim.pokepucks.tournament import results_csv

        due = now or time.monotonic() - self._saved_s > _SAVE_EVERY_S
        if self._out is not None and due:
            write_whole(self._out, results_csv(self.rows(tallies)).encode())
            self._saved_s = time.monotonic()


_WIDTH = 100


def print_results(rows: "Sequence[PairRow]") -> None:
    """Print a line per slammer, how many battles were drawn, and how often knock-outs succeed."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from sim.pokepucks.tournament import knock_out_rates, standings_of

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    pairs, tallies = [row.pair for row in rows], [row.tally for row in rows]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, padding=(0, 1))
    table.add_column("slammer")
    for heading in ("g", "ability", "won", "battles", "drawn", "turns", "throws"):
        table.add_column(heading, justify="left" if heading == "ability" else "right")
    for standing in standings_of(pairs, tallies):
        table.add_row(*_cells(standing))
    console.print(table)
    battles = sum(tally.battles for tally in tallies)
    draws = sum(tally.draws for tally in tallies)
    first = sum(tally.first_wins for tally in tallies)
    decided = battles - draws
    told = f"{draws} of {battles} battles were drawn"
    if decided:
        told += f"; whose turn was first won {first / decided:.0%} of the others"
    console.print(f"{told}.", soft_wrap=True)
    for rate in knock_out_rates(pairs, tallies):
        console.print(
            f"knock-out attempts with {rate.slammer_g:g} g: {_chance(rate.chance)} of "
            f"{rate.attempts} succeeded",
            soft_wrap=True,
        )
    console.print(
        "won: share of battles with its 95 % interval, a draw is no win; turns, throws: a battle.",
        style="dim",
    )


def _cells(standing: "Standing") -> tuple[str, ...]:
    tally, slammer = standing.tally, standing.slammer
    return (
        slammer.name,
        f"{slammer.mass_g:g}",
        slammer.rule or slammer.kind,
        _chance(standing.won),
        f"{tally.battles}",
        f"{tally.draws}",
        f"{tally.turns / tally.battles:.0f}",
        f"{tally.throws / tally.battles:.0f}",
    )


def _chance(chance: "Proportion") -> str:
    return f"{chance.value:.0%} ({100 * chance.low:.0f}-{100 * chance.high:.0f})"


def results_json(rows: "Sequence[PairRow]") -> str:
    """Return pairs, standings and knock-out attempts as JSON; what is unknown is null.

    Example:
        >>> results_json([])
        '{"pairs": [], "standings": [], "knock_outs": []}'
    """
    from sim.pokepucks.tournament import knock_out_rates, row_values, standings_of

    pairs, tallies = [row.pair for row in rows], [row.tally for row in rows]
    told = {
        "pairs": [
            {key: None if value == "" else value for key, value in row_values(row).items()}
            for row in rows
        ],
        "standings": [
            {
                "slammer": standing.slammer.name,
                "slammer_g": standing.slammer.mass_g,
                "battles": standing.tally.battles,
                "wins": standing.tally.wins,
                "draws": standing.tally.draws,
                **_proportion("p_win", standing.won),
            }
            for standing in standings_of(pairs, tallies)
        ],
        "knock_outs": [
            {
                "slammer_g": rate.slammer_g,
                "attempts": rate.attempts,
                **_proportion("p_knock_out", rate.chance),
            }
            for rate in knock_out_rates(pairs, tallies)
        ],
    }
    return json.dumps(told, indent=2 if rows else None)


def _proportion(name: str, chance: "Proportion") -> dict[str, float]:
    return {name: chance.value, f"{name}_low": chance.low, f"{name}_high": chance.high}
