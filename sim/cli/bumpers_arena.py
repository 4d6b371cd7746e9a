"""``pucklab bumpers arena``: series of games between computer players."""

from pathlib import Path
from typing import Any

import click

from render.plots.figures import save_plot
from render.plots.tournament import rates_figure
from sim.bumpers.game.player_kinds import PLAYERS, SERIES
from sim.cli.bumpers_play import table_from_options, table_options
from sim.cli.experiments import Run, experiment_options
from sim.cli.options import option
from sim.experiments import ResultTable, wilson
from sim.experiments.series import SeriesTally, entrants


@click.command("arena")
@option(
    "--players",
    str,
    "KIND,...",
    "2 to 6 kinds, each random, greedy, solver-line, planner-quick, planner, planner-deep, or "
    "planner-1s for a planner with a second a turn (0.1 to 60).",
    default="planner,greedy",
)
@table_options
@experiment_options(
    "games",
    100,
    most=1_000_000,
    about="Number of games.",
    doing="play",
    plot="Plot the share of each player (.png, .svg or .pdf).",
)
def arena_command(*, players: str, run: Run, **options: Any) -> int:
    """Play a series of games between computer players, and print how many each wins.

    Every shuffle of the cards is played once from each seat. Intervals hold with 95 %
    confidence. Ctrl-C prints the games played so far.

    \b
    Examples:
      pucklab bumpers arena --players planner,greedy --games 20
      pucklab bumpers arena --players planner,solver-line,greedy,random --games 40 --workers 2
      pucklab bumpers arena --games 1000 --out games.csv --resume
    """
    kinds = players.split(",")
    cases = entrants(PLAYERS, table_from_options(len(kinds), run.seed, options), kinds)
    run.check()
    return run.collect(SERIES, cases).finish(_show, plot=_plot)


def _plot(path: Path, table: ResultTable[SeriesTally]) -> None:
    """Plot the share of the games that each player won."""
    names = [f"{row.labels['place']}. {row.labels['player']}" for row in table.rows]
    tallies = table.tallies()
    rates = [wilson(tally.wins, tally.trials) for tally in tallies]
    title = f"{tallies[0].trials} games of Puck Bumpers"
    save_plot(path, rates_figure, names, rates, title=title, what="games")


def _show(table: ResultTable[SeriesTally]) -> None:
    """Print wins and win rates by player, draws and the length of the games."""
    tallies = table.tallies()
    for row, tally in zip(table.rows, tallies, strict=True):
        rate = wilson(tally.wins, tally.trials)
        click.echo(
            f"{row.labels['place']}. {row.labels['player']}: {tally.wins} of {tally.trials} games "
            f"won, {100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f} %)"
        )
    any_tally, first = tallies[0], sum(tally.first_wins for tally in tallies)
    turns = any_tally.turns / any_tally.trials
    click.echo(
        f"draws {any_tally.draws}, won by the first player {first}, {turns:.1f} turns a game"
    )
