"""Players that decide by themselves: at random, or greedily by the distance of pucks to goals.

Those that use the solver are in `pucklab.sim.bumpers.game.planner`, all kinds by name in
`player_kinds`.
"""

from functools import lru_cache

import numpy as np

from pucklab.sim.bumpers.board import Board, Position, Square, board_of
from pucklab.sim.bumpers.game.card_effects import RETURN_PUCK
from pucklab.sim.bumpers.game.state import (
    Choice,
    Choices,
    GameState,
    MakeMove,
    Pass,
    PickCard,
    PlacePiece,
    PlayCard,
)
from pucklab.sim.bumpers.mats import Direction, Kind, Layout, with_places
from pucklab.sim.bumpers.moves import (
    Move,
    Movement,
    PieceMove,
    moved_places,
    nudge_movements,
    possible_moves,
)
from pucklab.sim.bumpers.rules import nudge, play
from pucklab.sim.core.game import Decision

UNREACHABLE = 16
"""Distance of a space from which a single puck reaches no goal."""

_MATS_TRIED = 8
"""Most mat moves that a player evaluates: each needs the distances of a new board."""

_GOOD_QUICK_PLAYS = {"double-actions", "extra-actions", "draw-cards", "take-top-discard"}


@lru_cache(maxsize=256)
def goal_distances(layout: Layout) -> tuple[int, ...]:
    """Return the fewest slides from each space to a goal for a puck alone on the board.

    It is `UNREACHABLE` where no slides lead to a goal.

    Example:
        >>> from pucklab.sim.bumpers import setup_named, start_spaces, Kind
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
    return tuple(slides.get(square, UNREACHABLE) for square in board.squares)


def _ends(board: Board, direction: Direction) -> dict[Square, Square]:
    """Return the square on which a single puck comes to rest from each square, in one direction."""
    down, right = direction.step
    ends: dict[Square, Square] = {}
    # Squares are visited from the far end, so that the one ahead is known already.
    for square in sorted(board.spaces, key=lambda s: -(s[0] * down + s[1] * right)):
        there = board.ahead(square, direction)
        if there is None or square in board.pools:
            ends[square] = square
        else:
            ends[square] = there if there in board.goals else ends[there]
    return ends


def count_scoring_spaces(layout: Layout) -> int:
    """Return the number of spaces from which a single puck can slide to a goal."""
    return sum(slides < UNREACHABLE for slides in goal_distances(layout))


class RandomPlayer:
    """Player that chooses at random, with three exceptions so that games end.

    It scores when it can; it avoids mat moves after which fewer spaces lead to goals; and it
    returns a scored puck only if there is no other choice.
    """

    def choose(self, state: GameState, decision: Decision, rng: np.random.Generator) -> Choice:
        """Return a random choice, one that scores an own puck if possible."""
        choices: Choices = tuple(decision.options)
        moves = [c.move for c in choices if isinstance(c, MakeMove) and not _moves_mat(c)]
        ways: list[tuple[Move, tuple[Movement, ...]]] = [
            (move, nudge_movements(state.position, move))
            for move in moves
            if state.pending is not None and isinstance(move, PieceMove)
        ]
        if moves and state.pending is None:
            ways += possible_moves(state.position, state.movable)
        mine = state.config.colours_of(state.player)
        scored = {
            move
            for move, movements in ways
            if any(movement.scored and movement.piece.colour in mine for movement in movements)
        }
        scoring = tuple(c for c in choices if isinstance(c, MakeMove) and c.move in scored)
        if not scoring:
            choices = tuple(c for c in choices if hook_of(state, c) != RETURN_PUCK) or choices
            layout = state.position.layout
            # Leave out mat moves after which fewer spaces lead to goals.
            open_ways = tuple(
                choice
                for choice in _few_mats(choices, rng)
                if not isinstance(choice, MakeMove)
                or isinstance(choice.move, PieceMove)
                or count_scoring_spaces(with_places(layout, moved_places(layout, choice.move)))
                >= count_scoring_spaces(layout)
            )
            choices = open_ways or choices
        among = scoring or choices
        return among[int(rng.integers(len(among)))]


class GreedyPlayer:
    """Player that minimises the sum of its pucks' distances to goals, one choice ahead.

    Ties are broken at random. It stops an action that increased the sum, and plays quick plays
    that bring actions or cards.
    """

    def choose(self, state: GameState, decision: Decision, rng: np.random.Generator) -> Choice:
        """Return the choice with the least sum of distances; ties are broken at random."""
        me = decision.seat
        choices: Choices = tuple(decision.options)
        if state.asked is not None:
            # Stop a harmful action, play for more actions and cards, else pass.
            harmed = state.last is not None and (
                self._distance(state, state.position, me)
                > self._distance(state, state.last.position, me)
            )
            for choice in choices:
                hook = hook_of(state, choice)
                if hook in _GOOD_QUICK_PLAYS or (hook == "stop" and harmed and not state.quick):
                    return choice
            return Pass()
        choices = _few_mats(choices, rng)
        values = [self._distance_after(state, choice, me) for choice in choices]
        best = [c for c, value in zip(choices, values, strict=True) if value == min(values)]
        return best[int(rng.integers(len(best)))]

    def _distance_after(self, state: GameState, choice: Choice, me: int) -> int:
        position = state.position
        if isinstance(choice, PlacePiece):
            mine = choice.piece.kind is Kind.PUCK and state.config.owner(choice.piece.colour) == me
            return goal_distances(position.layout)[choice.space] if mine else 0
        if isinstance(choice, MakeMove):
            if state.pending is None:
                position, _ = play(position, choice.move, colours=state.movable)
            elif isinstance(choice.move, PieceMove):
                position, _ = nudge(position, choice.move)
            else:
                position, _ = play(position, choice.move, temporary=True)
        return self._distance(state, position, me)

    def _distance(self, state: GameState, position: Position, me: int) -> int:
        """Return the sum of the distances of a player's pucks."""
        distances = goal_distances(position.layout)
        mine = state.config.colours_of(me)
        return sum(
            distances[space]
            for space, piece in position.pieces
            if piece.kind is Kind.PUCK and piece.colour in mine
        )


def hook_of(state: GameState, choice: Choice) -> str:
    """Return the name of the effect of a choice's card; empty for other choices."""
    return state.card(choice.card).hook if isinstance(choice, PlayCard | PickCard) else ""


def _few_mats(choices: Choices, rng: np.random.Generator) -> Choices:
    """Return the choices with at most `_MATS_TRIED` of their mat moves, drawn at random."""
    mats = [choice for choice in choices if _moves_mat(choice)]
    if len(mats) <= _MATS_TRIED:
        return choices
    tried = rng.choice(len(mats), size=_MATS_TRIED, replace=False)
    others = (choice for choice in choices if not _moves_mat(choice))
    return (*others, *(mats[place] for place in tried))


def _moves_mat(choice: Choice) -> bool:
    return isinstance(choice, MakeMove) and not isinstance(choice.move, PieceMove)
