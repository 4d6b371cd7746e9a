"""What each card is worth, how long games are, and what the seat is worth.

Game i of the experiment `CARDS` has a deal of its own and is played once, player by player in
their seats: games between equals are not told twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from pucklab.base.decoding import encode
from pucklab.base.facts import fact
from pucklab.physics.tally import Counts, per_trial
from pucklab.sim.bumpers.game.match import BUMPERS
from pucklab.sim.bumpers.game.player_kinds import PLAYERS
from pucklab.sim.bumpers.game.state import GameConfig, PlayCard
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.experiments import Case, Experiment, Proportion, wilson
from pucklab.sim.experiments.experiment import Value

_MOST_TURNS = 10**6
_MOST_PLAYERS = 6


@fact
class CardGames:
    """A kind of player for each seat, and the set-up."""

    kinds: tuple[str, ...]
    config: GameConfig


@fact
class CardTally(Counts):
    """Games, by the cards that players drew and played, and by seat from the first player on.

    A player counts once a game for each card, however often it drew or played it.
    """

    drawn: tuple[int, ...] = per_trial(_MOST_PLAYERS)  # by card: players that drew it
    drawn_wins: tuple[int, ...] = field()  # games won by a player that drew it
    played: tuple[int, ...] = per_trial(_MOST_PLAYERS)
    played_wins: tuple[int, ...] = field()
    seat_wins: tuple[int, ...] = field()
    lengths: dict[str, int] = per_trial(adds_up=True)  # games by turns

    def turns(self, share: float) -> int:
        """Return the turns that a share of the games does not exceed."""
        counted = sorted((int(turns), games) for turns, games in self.lengths.items())
        until = np.cumsum([games for _, games in counted])
        return counted[int(np.searchsorted(until, share * self.trials))][0]


def play_card_games(asked: CardGames, seed: int, first: int, count: int) -> CardTally:
    """Play games ``first`` to ``first + count - 1``."""
    config, players = asked.config, len(asked.kinds)
    cards = len(config.deck.cards)
    sums = np.zeros((4, cards), int)
    seats, lengths = np.zeros(players, int), dict[str, int]()
    for index in range(first, first + count):
        own = [PLAYERS.of(kind) for kind in asked.kinds]
        match = Match(BUMPERS, config, own, [seed, index])
        drawn, played = np.zeros((2, players, cards), bool)
        while (answer := match.choose()) is not None:
            if isinstance(answer, PlayCard) and isinstance(match.open, Decision):
                played[match.open.seat, answer.card] = True
            match.step(answer)
            match.steps.clear()
            for player, hand in enumerate(match.state.hands):
                drawn[player, list(hand)] = True
        won = np.array(BUMPERS.returns(match.state)) == 1
        for row, has in ((0, drawn), (2, played)):
            sums[row] += has.sum(axis=0)
            sums[row + 1] += has[won].any(axis=0)
        seats += np.roll(won, -config.first)
        turns = str(match.state.turns)
        lengths[turns] = lengths.get(turns, 0) + 1
    drawn_, drawn_wins, played_, played_wins = (tuple(row) for row in sums.tolist())
    return CardTally(
        trials=count,
        drawn=drawn_,
        drawn_wins=drawn_wins,
        played=played_,
        played_wins=played_wins,
        seat_wins=tuple(seats.tolist()),
        lengths=lengths,
    )


def card_cases(kinds: Sequence[str], config: GameConfig) -> list[Case[CardGames]]:
    """Return the case of some players at a table."""
    for kind in kinds:
        PLAYERS.of(kind)
    asked = CardGames(kinds=tuple(kinds), config=config)
    labels = {"players": ",".join(kinds)}
    return [Case(subject=asked, labels=labels, facts=[list(kinds), encode(config)])]


def worth_of_cards(
    tally: CardTally, config: GameConfig
) -> list[tuple[str, Proportion | None, Proportion | None]]:
    """Return each card's name, and the share of players that win who drew it, and who played it."""
    rows = zip(
        config.deck.cards,
        tally.drawn,
        tally.drawn_wins,
        tally.played,
        tally.played_wins,
        strict=True,
    )
    return [
        (
            card.name,
            wilson(drawn_wins, drawn) if drawn else None,
            wilson(played_wins, played) if played else None,
        )
        for card, drawn, drawn_wins, played, played_wins in rows
    ]


def _columns(tally: CardTally, z: float) -> Mapping[str, Value]:
    return {
        "p_first_seat": wilson(tally.seat_wins[0], tally.trials, z),
        "turns_median": tally.turns(0.5),
    }


CARDS: Experiment[CardGames, CardTally] = Experiment(
    name="bumpers cards",
    tally=CardTally,
    run=play_card_games,
    columns=_columns,
    chunk=1,
)
