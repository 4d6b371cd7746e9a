"""Series of games between kinds of players, with the seats rotated, as an experiment."""

from collections.abc import Mapping, Sequence

import numpy as np

from physics import InputError
from physics.facts import fact
from physics.tally import Counts, per_trial
from sim.bumpers.game.match import MAX_PLAYERS, MIN_PLAYERS, MOST_ACTIONS, play_game
from sim.bumpers.game.player_kinds import player_of
from sim.bumpers.game.state import Table
from sim.bumpers.position_notation import position_text
from sim.bumpers.solver.search import begin_to_compile_solver
from sim.experiments import Case, Experiment, wilson
from sim.experiments.experiment import Cell


@fact
class Contender:
    """A kind of player in a series, and the set-up of its games."""

    kind: str
    table: Table


@fact
class GameTally(Counts):
    """Games of one contender."""

    wins: int
    draws: int
    first: int  # games in which it moved first
    first_wins: int
    turns: int = per_trial(MOST_ACTIONS)

    def agrees(self) -> bool:
        """True if a game is won or drawn at most once, and wins in first place are among both."""
        played = self.wins + self.draws
        return played <= self.trials and self.first_wins <= min(self.first, self.wins)


def contenders(table: Table, kinds: Sequence[str]) -> list[Case[Contender]]:
    """Return the cases of a series: one for each seat.

    Raises:
        InputError: A kind is unknown, or there are too few or too many.
    """
    if not MIN_PLAYERS <= len(kinds) <= MAX_PLAYERS or len(kinds) != table.players:
        raise InputError(f"players: {len(kinds)} is not accepted; give {table.players}")
    for kind in kinds:
        player_of(kind)
    rules = (table.deck, table.colours_each, table.may_pass, table.max_actions, table.first)
    return [
        Case(
            subject=Contender(kind=kind, table=table),
            labels={"place": place, "player": kind},
            facts=[kind, position_text(table.board), *rules],
        )
        for place, kind in enumerate(kinds, start=1)
    ]


def play_games(
    cases: Sequence[Contender], seed: int, first: int, count: int
) -> tuple[GameTally, ...]:
    """Play games between contenders; return the tally of each.

    Each shuffle of the cards is played once from each seat: game i has the shuffles of round
    i // players, with the seats rotated by i % players.

    Example:
        >>> from sim.bumpers.game import make_table
        >>> table = make_table(2, setup="old-school", max_actions=5)
        >>> cases = [case.subject for case in contenders(table, ("random", "greedy"))]
        >>> [tally.draws for tally in play_games(cases, 1, 0, 4)]
        [4, 4]
    """
    table, rows = cases[0].table, np.zeros((len(cases), 5), int)
    for index in range(first, first + count):
        shift = index % len(cases)
        seats = [(place + shift) % len(cases) for place in range(len(cases))]
        players = [player_of(cases[place].kind) for place in seats]
        *_, last = play_game(table, players, np.random.default_rng([seed, index // len(cases)]))
        winner = None if last.after.winner is None else seats[last.after.winner]
        for place in range(len(cases)):
            wins, begins = place == winner, place == seats[table.first]
            rows[place] += wins, winner is None, begins, wins and begins, last.after.turns
    names = ("wins", "draws", "first", "first_wins", "turns")
    return tuple(
        GameTally(trials=count, **dict(zip(names, row, strict=True))) for row in rows.tolist()
    )


def _columns(tally: GameTally, z: float) -> Mapping[str, Cell]:
    rate = wilson(tally.wins, tally.trials, z)
    return {
        "p_win": rate.value,
        "p_win_low": rate.low,
        "p_win_high": rate.high,
        "p_draw": tally.draws / tally.trials,
        "turns_mean": tally.turns / tally.trials,
    }


def _prepare(contender: Contender) -> None:
    if "planner" in contender.kind or "solver" in contender.kind:
        begin_to_compile_solver()


GAMES: Experiment[Contender, GameTally] = Experiment(
    name="bumpers games",
    tally=GameTally,
    run=play_games,
    columns=_columns,
    chunk=1,
    together=True,
    prepare=_prepare,
)
