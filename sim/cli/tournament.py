"""``pucklab tournament``: every slammer against every other."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.battlesetup import rules_options
from sim.cli.numbers import count
from sim.cli.seed import seed_option
from sim.cli.workers import workers_option

if TYPE_CHECKING:
    from sim.cli.tournamentfile import ResultFile
    from sim.pokepucks.tournament import Contest, Pair, PairTally

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
    from physics.extras import require_extra
    from sim.cli import EXIT_STOPPED
    from sim.cli.battlesetup import rulings_from_options, slammers_from, throws_from_options
    from sim.cli.tournamentfile import ResultFile
    from sim.cli.tournamenttable import print_results, results_json
    from sim.cli.workers import processors
    from sim.files import check_writable
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
        from render.tournament_plot import save_tournament_plot

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
    from sim.cli.progress import track
    from sim.cli.workers import worker_processes
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
