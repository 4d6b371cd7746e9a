"""``pucklab bumpers arena``: series of games between computer players."""

from pathlib import Path
from typing import Any

import click

from pucklab.cli.bumpers_play import table_from_options, table_options
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import option
from pucklab.render.plots.figures import save_plot
from pucklab.render.plots.tournament import rates_figure
from pucklab.sim.bumpers.game.player_kinds import PLAYERS, SERIES
from pucklab.sim.experiments import Proportion, ResultTable, wilson
from pucklab.sim.experiments.series import SeriesTally, entrants


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

    def show(table: ResultTable[SeriesTally]) -> None:
        tallies, first = table.tallies(), sum(tally.first_wins for tally in table.tallies())
        games, turns = tallies[0].trials, tallies[0].turns / tallies[0].trials
        for name, tally, rate in zip(names, tallies, rates_of(table), strict=True):
            click.echo(f"{name}: {tally.wins} of {games} games won, {rate.told()}")
        draws = tallies[0].draws
        click.echo(f"draws {draws}, won by the first player {first}, {turns:.1f} turns a game")

    def plot(path: Path, table: ResultTable[SeriesTally]) -> None:
        title = f"{table.tallies()[0].trials} games of Puck Bumpers"
        save_plot(path, rates_figure, names, rates_of(table), title=title, what="games")

    def rates_of(table: ResultTable[SeriesTally]) -> list[Proportion]:
        return [wilson(tally.wins, tally.trials) for tally in table.tallies()]

    names = [f"{place}. {kind}" for place, kind in enumerate(kinds, start=1)]
    return run.collect(SERIES, cases).finish(show, plot=plot)
