"""``pucklab bumpers arena``: series of games between computer players."""

from typing import Any

import click

from sim.bumpers.game.arena import GameResult, play_series, win_rates
from sim.cli.bumpers_play import table_from_options, table_options
from sim.cli.options import count, workers_option
from sim.cli.processes import worker_processes
from sim.cli.running import track
from sim.cli.signals import EXIT_STOPPED
from sim.core.ordered_work import processors


@click.command("arena")
@click.option(
    "--players",
    default="planner,greedy",
    show_default=True,
    metavar="KIND,...",
    help="2 to 6 kinds, each random, greedy, solver-line, planner-quick, planner, planner-deep, or "
    "planner-1s for a planner with a second a turn (0.1 to 60).",
)
@click.option(
    "--games",
    type=count(1, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Number of games.",
)
@table_options
@workers_option("play")
def arena_command(
    *, players: str, games: int, seed: int, workers: int | None, **options: Any
) -> int:
    """Play a series of games between computer players, and print how many each wins.

    Every shuffle of the cards is played once from each seat. The intervals are 95 % Wilson
    intervals. Ctrl-C prints the games played so far.

    \b
    Examples:
      pucklab bumpers arena --players planner,greedy --games 20
      pucklab bumpers arena --players planner,solver-line,greedy,random --games 40 --workers 2
    """
    kinds = players.split(",")
    table = table_from_options(len(kinds), seed, options)
    processes = min(workers or processors(), games)
    results: list[GameResult] = []
    stopped = False
    try:
        with worker_processes(processes) as executor:
            series = play_series(
                table, kinds, games, seed=seed, executor=executor, window=4 * processes
            )
            numbered = track(
                enumerate(series), lambda done: (done[0] + 1, games), "playing", printing=False
            )
            results.extend(result for _, result in numbered)
    except KeyboardInterrupt:
        stopped = True
    _print_results(kinds, results)
    return EXIT_STOPPED if stopped else 0


def _print_results(kinds: list[str], results: list[GameResult]) -> None:
    """Print wins and win rates by player, draws and the length of the games."""
    if not results:
        click.echo("no game was finished")
        return
    for place, (kind, rate) in enumerate(zip(kinds, win_rates(kinds, results), strict=True)):
        wins = sum(result.winner == place for result in results)
        click.echo(
            f"{place + 1}. {kind}: {wins} of {len(results)} games won, "
            f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f} %)"
        )
    draws = sum(result.winner is None for result in results)
    first = sum(result.winner == result.first for result in results)
    turns = sum(result.turns for result in results) / len(results)
    click.echo(f"draws {draws}, won by the first player {first}, {turns:.1f} turns a game")
