"""Series of games between kinds of players, with the seats rotated, and their win rates."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from physics import InputError
from sim.bumpers.game.match import MAX_PLAYERS, MIN_PLAYERS, play_game
from sim.bumpers.game.player_kinds import player_of
from sim.bumpers.game.state import Table
from sim.core.ordered_work import in_order
from sim.experiments import Proportion, wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The result of one game.

    Attributes:
        winner: The place of the winner in the list of kinds; None for a draw.
        first: The place of the kind that moved first.
        turns: Number of turns.
    """

    winner: int | None
    first: int
    turns: int


def play_series(
    table: Table,
    kinds: Sequence[str],
    games: int,
    *,
    seed: int,
    executor: Executor | None = None,
    window: int = 8,
) -> Iterator[GameResult]:
    """Play games between kinds of players, and yield their results in order.

    Each shuffle of the cards is played once from each seat: game i has the shuffles of round
    i // players, with the seats rotated by i % players.

    Args:
        table: The set-up.
        kinds: The kinds of players, one for each seat.
        games: Number of games.
        seed: The seed. The same seed gives the same games in any number of processes.
        executor: The executor to work in; None for this process.
        window: Maximum number of games submitted at a time.

    Raises:
        InputError: A kind is unknown, or there are too few or too many.
    """
    if not MIN_PLAYERS <= len(kinds) <= MAX_PLAYERS or len(kinds) != table.players:
        raise InputError(f"players: {len(kinds)} is not accepted; give {table.players}")
    for kind in kinds:
        player_of(kind)
    tasks = ((table, tuple(kinds), seed, index) for index in range(games))
    return in_order(play_one, tasks, executor, window)


def play_one(table: Table, kinds: tuple[str, ...], seed: int, index: int) -> GameResult:
    """Play one game of a series; see `play_series`.

    Example:
        >>> from sim.bumpers.game import make_table
        >>> table = make_table(2, setup="old-school", max_actions=5)
        >>> play_one(table, ("random", "greedy"), 1, 3)
        GameResult(winner=None, first=1, turns=3)
    """
    shift = index % len(kinds)
    seats = [(place + shift) % len(kinds) for place in range(len(kinds))]
    players = [player_of(kinds[place]) for place in seats]
    rng = np.random.default_rng([seed, index // len(kinds)])
    *_, last = play_game(table, players, rng)
    winner = last.after.winner
    return GameResult(
        winner=None if winner is None else seats[winner],
        first=seats[table.first],
        turns=last.after.turns,
    )


def win_rates(kinds: Sequence[str], results: Sequence[GameResult]) -> list[Proportion]:
    """Return the share of the games that each kind won, with a 95 % Wilson interval."""
    return [
        wilson(sum(result.winner == place for result in results), len(results))
        for place in range(len(kinds))
    ]
