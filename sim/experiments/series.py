"""Series of games of any kind between players of any kinds, with the seats turned or kept.

`series_of` makes the experiment of a game, `entrants` its cases: one for each player. Game i has
the chance of round i // players, with the seats turned by i % players, so that every deal is played
once from each seat. Where the seats are not alike, such as teams, each player keeps its own.

Example:
    >>> from pucklab.sim.bumpers.game import make_config
    >>> from pucklab.sim.bumpers.game.player_kinds import PLAYERS
    >>> table = make_config(2, setup="old-school", max_actions=5)
    >>> cases = [case.subject for case in entrants(PLAYERS, table, ("random", "greedy"))]
    >>> [tally.draws for tally in play_games(PLAYERS, cases, 1, 0, 4)]
    [4, 4]
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from pucklab.base.decoding import encode
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.physics.tally import Counts, per_trial
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.core.players import Players
from pucklab.sim.experiments.estimates import wilson
from pucklab.sim.experiments.experiment import Case, Experiment, Value

_MOST_TURNS = 10**9


@fact
class Entrant:
    """A player of a series, and the set-up of its games."""

    kind: str
    setup: Any


@fact
class SeriesTally(Counts):
    """Games of one entrant."""

    wins: int
    draws: int
    first: int  # games in which it decided first
    first_wins: int
    turns: int = per_trial(_MOST_TURNS)

    def agrees(self) -> bool:
        """True if a game is won or drawn at most once, and wins in first place are among both."""
        played = self.wins + self.draws
        return played <= self.trials and self.first_wins <= min(self.first, self.wins)


def entrants(players: Players, setup: Any, kinds: Sequence[str]) -> list[Case[Entrant]]:
    """Return the cases of a series: one for each player, by its number or its seat.

    Raises:
        InputError: A kind is unknown, or their number is not that of the seats.
    """
    if len(kinds) != (seats := len(players.game.seats(players.game.start(setup)))):
        raise InputError(f"{players.field}: {len(kinds)} is not accepted; give {seats}")
    for kind in kinds:
        players.of(kind)
    return [
        Case(
            subject=Entrant(kind=kind, setup=setup),
            labels={"place": place, "player": kind},
            facts=[kind, encode(setup)],
        )
        for place, kind in enumerate(kinds, start=1)
    ]


def play_games(
    players: Players, cases: Sequence[Entrant], seed: int, first: int, count: int
) -> tuple[SeriesTally, ...]:
    """Play games ``first`` to ``first + count - 1`` between entrants; return the tally of each."""
    game, setup = players.game, cases[0].setup
    rows = np.zeros((len(cases), 5), int)
    for index in range(first, first + count):
        deal, turn = divmod(index, len(cases))
        seats = [(seat + turn) % len(cases) for seat in range(len(cases))]
        own = [players.of(cases[place].kind) for place in seats]
        match = Match(game, setup, own, [seed, deal])
        begins = None
        while (answer := match.choose()) is not None:
            if begins is None and isinstance(match.open, Decision):
                begins = seats[match.open.seat]
            match.step(answer)
            match.steps.clear()
        won = game.returns(match.state)
        for seat, place in enumerate(seats):
            wins = won[seat] == 1
            is_first = place == begins
            turns = game.turns(match.state)
            rows[place] += wins, 1 not in won, is_first, wins and is_first, turns
    names = ("wins", "draws", "first", "first_wins", "turns")
    return tuple(
        SeriesTally(trials=count, **dict(zip(names, row, strict=True))) for row in rows.tolist()
    )


def _columns(tally: SeriesTally, z: float) -> Mapping[str, Value]:
    return {
        "p_win": wilson(tally.wins, tally.trials, z),
        "p_draw": tally.draws / tally.trials,
        "turns_mean": tally.turns / tally.trials,
    }


def series_of(players: Players, *, chunk: int = 1) -> Experiment[Entrant, SeriesTally]:
    """Return the experiment of a game's series; a worker plays ``chunk`` games at a time."""
    return Experiment(
        name=f"{players.game.name} series",
        tally=SeriesTally,
        run=partial(play_games, players),
        columns=_columns,
        chunk=chunk,
        together=True,
    )
