"""Players: whoever chooses, given the state and the choices there are."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

import numpy as np

from physics import InputError
from sim.bumpers.game.asking import chooser
from sim.bumpers.game.choice import Choice, Go, Pass, Play, Put
from sim.bumpers.game.distance import lone_slides
from sim.bumpers.game.state import GameState
from sim.bumpers.layout import Layout
from sim.bumpers.moves import PieceMove
from sim.bumpers.piecemoves import movements_of
from sim.bumpers.pieces import Kind
from sim.bumpers.position import Position
from sim.bumpers.rules import nudge, play

Distances = Callable[[Layout], Sequence[int]]
"""How far a puck on each space is from a goal."""

_MATS_TRIED = 8
"""Mat moves that the greedy player looks at: each needs the distances of a new board."""


class Player(Protocol):
    """A player."""

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return one of the choices.

        Args:
            state: The game; this player is the one to choose.
            choices: What there is to choose, at least one.
            rng: The player's own random numbers.
        """
        ...


class RandomPlayer:
    """Scores when it can, and else takes any choice, each as likely as another."""

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return a choice at random, of those that score an own puck if there are any."""
        scoring = tuple(choice for choice in choices if _scores(state, choice))
        choices = scoring or choices
        return choices[int(rng.integers(len(choices)))]


class GreedyPlayer:
    """Takes the choice that leaves the own pucks nearest to goals, all distances added up.

    Between equals it takes any. It stops an action that took it further away, and plays other
    quick plays for the actions and cards that they bring.

    Args:
        distances: How far each space is from a goal.
    """

    def __init__(self, distances: Distances = lone_slides) -> None:
        self.distances = distances

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return a choice that leaves the own pucks nearest, at random among equals."""
        me = chooser(state)
        assert me is not None
        if state.asked is not None:
            return self._quick_play(state, choices, me)
        mats = [c for c in choices if isinstance(c, Go) and not isinstance(c.move, PieceMove)]
        if len(mats) > _MATS_TRIED:
            tried = rng.choice(len(mats), size=_MATS_TRIED, replace=False)
            choices = tuple(mats[place] for place in tried)
        values = [self._after(state, choice, me) for choice in choices]
        best = [c for c, value in zip(choices, values, strict=True) if value == min(values)]
        return best[int(rng.integers(len(best)))]

    def _quick_play(self, state: GameState, choices: tuple[Choice, ...], me: int) -> Choice:
        """Stop what harms; play for more actions and cards; hold back the rest."""
        harmed = state.last is not None and (
            self._far(state, state.position, me) > self._far(state, state.last.position, me)
        )
        for choice in choices:
            hook = state.card(choice.card).hook if isinstance(choice, Play) else ""
            if hook in _WELCOME or (hook == "stop" and harmed and not state.quick):
                return choice
        return Pass()

    def _after(self, state: GameState, choice: Choice, me: int) -> int:
        """Return how far the own pucks are after a choice."""
        position = state.position
        if isinstance(choice, Put):
            mine = choice.piece.kind is Kind.PUCK and state.table.owner(choice.piece.colour) == me
            return self.distances(position.layout)[choice.space] if mine else 0
        if isinstance(choice, Go):
            if state.pending is None:
                position, _ = play(position, choice.move, colours=state.movable)
            elif isinstance(choice.move, PieceMove):
                position, _ = nudge(position, choice.move)
            else:
                position, _ = play(position, choice.move, temporary=True)
        return self._far(state, position, me)

    def _far(self, state: GameState, position: Position, me: int) -> int:
        distances = self.distances(position.layout)
        mine = state.table.colours_of(me)
        return sum(
            distances[space]
            for space, piece in position.pieces
            if piece.kind is Kind.PUCK and piece.colour in mine
        )


def _scores(state: GameState, choice: Choice) -> bool:
    """Return whether a choice is an own piece's move by which an own puck scores."""
    if state.pending is not None or not isinstance(choice, Go):
        return False
    assert isinstance(choice.move, PieceMove)
    movements = movements_of(state.position, choice.move)
    mine = state.table.colours_of(state.player)
    return any(movement.scored and movement.piece.colour in mine for movement in movements)


_WELCOME = {"double-actions", "extra-actions", "draw-cards", "take-top-discard"}

PLAYERS: Mapping[str, Callable[[], Player]] = MappingProxyType(
    {"random": RandomPlayer, "greedy": GreedyPlayer}
)
"""The kinds of players that need nobody at the table."""


def player_of(kind: str, kinds: Mapping[str, Callable[[], Player]] = PLAYERS) -> Player:
    """Return a player of a kind.

    Raises:
        InputError: There is no such kind.

    Example:
        >>> player_of("clever")
        Traceback (most recent call last):
            ...
        physics.checks.InputError: players: 'clever' is not accepted; give one of random, greedy
    """
    if kind not in kinds:
        raise InputError(f"players: {kind!r} is not accepted; give one of {', '.join(kinds)}")
    return kinds[kind]()
