"""``pucklab bumpers arena``: series of games between computer players."""

from pathlib import Path
from typing import Any

import click

from pucklab.cli.bumpers_play import config_from_options, table_options
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import flag, option, refuse_options
from pucklab.render.plots.figures import save_plot
from pucklab.render.plots.tournament import rates_figure
from pucklab.sim.bumpers.game.card_study import CARDS, CardTally, card_cases, worth_of_cards
from pucklab.sim.bumpers.game.player_kinds import PLAYERS, SERIES
from pucklab.sim.bumpers.game.state import GameConfig
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
@flag(
    "--by-card",
    "Print what each card is worth, the length of games and the wins by seat. Each deal is then "
    "played once, in the order of --players.",
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
def arena_command(*, players: str, by_card: bool, run: Run, **options: Any) -> int:
    """Play a series of games between computer players, and print how many each wins.

    Every shuffle of the cards is played once from each seat. Intervals hold with 95 %
    confidence. Ctrl-C prints the games played so far.

    \b
    Examples:
      pucklab bumpers arena --players planner,greedy --games 20
      pucklab bumpers arena --players planner,solver-line,greedy,random --games 40 --workers 2
      pucklab bumpers arena --games 1000 --out games.csv --resume
      pucklab bumpers arena --players greedy,greedy --games 200 --by-card
    """
    kinds = players.split(",")
    if by_card:
        refuse_options(("plot",), "--by-card")
        return _by_card(kinds, config_from_options(len(kinds), run.seed, options), run)
    cases = entrants(PLAYERS, config_from_options(len(kinds), run.seed, options), kinds)
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


def _by_card(kinds: list[str], config: GameConfig, run: Run) -> int:
    """Play games, and print what each card and each seat is worth."""
    run.check()

    def show(found: ResultTable[CardTally]) -> None:
        (tally,) = found.tallies()
        worth = worth_of_cards(tally, config)
        # Best first, by the players that played it.
        worth.sort(key=lambda row: -(row[2].value if row[2] else -1.0))
        width = max((len(name) for name, *_ in worth), default=0)
        for name, drawn, played in worth:
            shares = ((drawn, "of those who drew it win"), (played, "of those who played it"))
            told = ", ".join(f"{share.told('.0%')} {what}" for share, what in shares if share)
            click.echo(f"{name:<{width}}  {told or 'never drawn'}")
        low, middle, high = (tally.turns(share) for share in (0.1, 0.5, 0.9))
        click.echo(f"turns a game: median {middle}, from {low} to {high} in 80 % of the games")
        for seat, wins in enumerate(tally.seat_wins, start=1):
            click.echo(f"seat {seat}: {wilson(wins, tally.trials).told()} won")

    return run.collect(CARDS, card_cases(kinds, config)).finish(show)
