"""Players: whoever chooses, given the state and the choices there are.

How far a puck is from a goal: slides on a board without other pieces.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

import numpy as np

from physics import InputError
from sim.bumpers.board import Board, Position, Square, board_of
from sim.bumpers.game.card_effects import RETURN
from sim.bumpers.game.choices import chooser
from sim.bumpers.game.state import Choice, GameState, MakeMove, Pass, PlacePiece, PlayCard
from sim.bumpers.mats import Direction, Kind, Layout, with_places
from sim.bumpers.moves import Movement, PieceMove, moved_places, nudge_movements, possible_moves
from sim.bumpers.rules import nudge, play

FAR = 16
"""What stands for a space from which no lone puck reaches a goal."""


@lru_cache(maxsize=256)
def goal_distances(layout: Layout) -> tuple[int, ...]:
    """Return the fewest slides of a lone puck from each space to a goal; `FAR` where none leads.

    Example:
        >>> from sim.bumpers import setup_named, start_spaces, Kind
        >>> layout = setup_named("small").layout
        >>> slides = goal_distances(layout)
        >>> [slides[space] for space in start_spaces(layout, Kind.PUCK)][:4]
        [4, 4, 4, 4]
    """
    board = board_of(layout)
    from_where: dict[Square, list[Square]] = {}
    for direction in Direction:
        for square, end in _ends(board, direction).items():
            if end != square:
                from_where.setdefault(end, []).append(square)
    slides = dict.fromkeys(board.goals, 0)
    front = list(board.goals)
    while front:
        reached = []
        for end in front:
            for square in from_where.get(end, ()):
                if square not in slides:
                    slides[square] = slides[end] + 1
                    reached.append(square)
        front = reached
    return tuple(slides.get(square, FAR) for square in board.squares)


def count_scoring_spaces(layout: Layout) -> int:
    """Return how many spaces there are from which a lone puck can slide to a goal."""
    return sum(slides < FAR for slides in goal_distances(layout))


def _ends(board: Board, direction: Direction) -> dict[Square, Square]:
    """Return where a lone puck comes to rest from each space, in one direction."""
    down, right = direction.step
    ends: dict[Square, Square] = {}
    # Whatever is ahead of a square comes before it.
    for square in sorted(board.spaces, key=lambda s: -(s[0] * down + s[1] * right)):
        there = board.ahead(square, direction)
        if there is None or square in board.pools:
            ends[square] = square
        else:
            ends[square] = there if there in board.goals else ends[there]
    return ends


Distances = Callable[[Layout], Sequence[int]]
"""How far a puck on each space is from a goal."""

_MATS_TRIED = 8
"""Mat moves that a player looks at: each needs the distances of a new board."""


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
    """Takes any choice, each as likely as another, but for what would keep games from ending.

    It scores when it can. It moves mats so that pucks slide to goals from no fewer spaces than
    before, if it finds such a move, and returns a scored puck only if there is nothing else to do.
    """

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return a choice at random, of those that score an own puck if there are any."""
        scoring = _scoring(state, choices)
        if not scoring:
            choices = tuple(c for c in choices if not _returns(state, c)) or choices
            choices = _open_ones(state, _few_mats(choices, rng)) or choices
        among = scoring or choices
        return among[int(rng.integers(len(among)))]


class GreedyPlayer:
    """Takes the choice that leaves the own pucks nearest to goals, all distances added up.

    Between equals it takes any. It stops an action that took it further away, and plays other
    quick plays for the actions and cards that they bring.

    Args:
        distances: How far each space is from a goal.
    """

    def __init__(self, distances: Distances = goal_distances) -> None:
        self.distances = distances

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return a choice that leaves the own pucks nearest, at random among equals."""
        me = chooser(state)
        assert me is not None
        if state.asked is not None:
            return self._quick_play(state, choices, me)
        choices = _few_mats(choices, rng)
        values = [self._after(state, choice, me) for choice in choices]
        best = [c for c, value in zip(choices, values, strict=True) if value == min(values)]
        return best[int(rng.integers(len(best)))]

    def _quick_play(self, state: GameState, choices: tuple[Choice, ...], me: int) -> Choice:
        """Stop what harms; play for more actions and cards; hold back the rest."""
        harmed = state.last is not None and (
            self._far(state, state.position, me) > self._far(state, state.last.position, me)
        )
        for choice in choices:
            hook = state.card(choice.card).hook if isinstance(choice, PlayCard) else ""
            if hook in _WELCOME or (hook == "stop" and harmed and not state.quick):
                return choice
        return Pass()

    def _after(self, state: GameState, choice: Choice, me: int) -> int:
        """Return how far the own pucks are after a choice."""
        position = state.position
        if isinstance(choice, PlacePiece):
            mine = choice.piece.kind is Kind.PUCK and state.table.owner(choice.piece.colour) == me
            return self.distances(position.layout)[choice.space] if mine else 0
        if isinstance(choice, MakeMove):
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


def _scoring(state: GameState, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices that are a piece's move by which an own puck scores."""
    moves = [c.move for c in choices if isinstance(c, MakeMove) and isinstance(c.move, PieceMove)]
    if not moves:
        return ()
    ways: Iterable[tuple[PieceMove, tuple[Movement, ...]]]
    if state.pending is None:
        ways = possible_moves(state.position, state.movable)
    else:
        ways = ((move, nudge_movements(state.position, move)) for move in moves)
    mine = state.table.colours_of(state.player)
    scoring = {
        move
        for move, movements in ways
        if any(movement.scored and movement.piece.colour in mine for movement in movements)
    }
    return tuple(c for c in choices if isinstance(c, MakeMove) and c.move in scoring)


def _returns(state: GameState, choice: Choice) -> bool:
    """Return whether a choice is a card that returns a scored puck."""
    return isinstance(choice, PlayCard) and state.card(choice.card).hook == RETURN


def _few_mats(choices: tuple[Choice, ...], rng: np.random.Generator) -> tuple[Choice, ...]:
    """Return choices with few of the mat moves among them, drawn at random."""
    mats = [choice for choice in choices if _moves_mat(choice)]
    if len(mats) <= _MATS_TRIED:
        return choices
    tried = rng.choice(len(mats), size=_MATS_TRIED, replace=False)
    others = (choice for choice in choices if not _moves_mat(choice))
    return (*others, *(mats[place] for place in tried))


def _open_ones(state: GameState, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return choices without mat moves after which fewer spaces lead to goals."""
    layout = state.position.layout
    return tuple(
        choice
        for choice in choices
        if not isinstance(choice, MakeMove)
        or isinstance(choice.move, PieceMove)
        or count_scoring_spaces(with_places(layout, moved_places(layout, choice.move)))
        >= count_scoring_spaces(layout)
    )


def _moves_mat(choice: Choice) -> bool:
    return isinstance(choice, MakeMove) and not isinstance(choice.move, PieceMove)


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
        physics.errors.InputError: players: 'clever' is not accepted; give one of random, greedy
    """
    if kind not in kinds:
        raise InputError(f"players: {kind!r} is not accepted; give one of {', '.join(kinds)}")
    return kinds[kind]()
