"""Players that use the solver: one follows a shortest line, the other weighs its moves and replies.

`SolverLinePlayer` is the yardstick: it plays the first action of a shortest line to its next score.
`PlannerPlayer` plans all actions of its turn, with the cards in hand, and rates single moves by the
replies. Both decide like `GreedyPlayer` elsewhere, such as when placing pieces.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sim.bumpers.board import Position
from sim.bumpers.game.card_effects import actions_with
from sim.bumpers.game.choices import chooser
from sim.bumpers.game.players import GreedyPlayer
from sim.bumpers.game.state import Choice, GameState, MakeMove, Phase, PickCard, PlayCard, Turn
from sim.bumpers.mats import Colour, Kind, Piece
from sim.bumpers.moves import MatShift, MatSwap, MatTurn, Move, PieceMove
from sim.bumpers.rules import play

_LINE_ACTIONS = 8
"""Longest line to the next score that is looked for."""

MOST_PUCKS = 4

_FAR = _LINE_ACTIONS + 1
"""Stands for the length of a line that is longer, or takes too many nodes."""

_SCORE = 12.0
_NEXT = 1.0
_ALL = 0.5
"""Weights of a puck that is in, of an action to the next score, and of one to the last puck."""

_THREAT = 9.0
"""Weight of a puck that an opponent can bring in in the next turn."""

_ACTIONS_WITH_CARDS = 3
"""Most actions of a turn that is also searched with mat cards."""

_HOOK_OF = {MatTurn: "turn-mats", MatSwap: "swap-mats", MatShift: "shift-mats"}
_USES = {"double-actions": 5.0, "extra-actions": 2.5, "turn-mats": 2.0, "shift-mats": 2.0}


class SolverLinePlayer(GreedyPlayer):
    """Player that plays the first action of a shortest line to its next score.

    Args:
        nodes: Maximum number of nodes of a search.
    """

    def __init__(self, nodes: int = 20_000) -> None:
        super().__init__()
        self.nodes = nodes

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return the first action of a shortest line, or a greedy choice if there is none."""
        if is_free_action(state):
            lines = [line for c in state.movable if (line := self._line(state.position, c))]
            for line in sorted(lines, key=len):
                if (choice := MakeMove(line[0])) in choices:
                    return choice
        return super().choose(state, choices, rng)

    def _line(self, position: Position, colour: Colour) -> tuple[PieceMove, ...]:
        """Return a shortest line of a colour to its next score; empty if none is found."""
        from sim.bumpers.solver import Goal, Limits, solve

        if Piece(colour, Kind.PUCK) not in [piece for _, piece in position.pieces]:
            return ()
        limits = Limits(max_actions=_LINE_ACTIONS, nodes=self.nodes)
        found = solve(replace(position, to_move=colour), Goal(pucks=1), limits)
        return tuple(move for move in found.line if isinstance(move, PieceMove))


class PlannerPlayer(SolverLinePlayer):
    """Player that plans its turn with the solver, and weighs single moves against replies.

    It brings in as many pucks as the actions of its turn allow, and plays cards for more actions,
    or that move a mat, only where they bring in more. Otherwise it rates the position after each of
    its piece moves, the opponents' replies included. It discards the cards of least use.

    Args:
        nodes: Maximum number of nodes of each search; a choice takes some searches.
    """

    def __init__(self, nodes: int = 20_000) -> None:
        super().__init__(nodes)
        self._mat_move: MakeMove | None = None

    def choose(
        self, state: GameState, choices: tuple[Choice, ...], rng: np.random.Generator
    ) -> Choice:
        """Return the choice of the plan, or else the piece move with the best rating."""
        if state.pending is not None and self._mat_move in choices:
            return self._mat_move
        if state.phase is Phase.DISCARD:
            return min(choices, key=lambda choice: _use_of(state, choice))
        if not is_free_action(state):
            return super().choose(state, choices, rng)
        planned = self._planned(state, choices)
        if planned is not None:
            return planned
        moves = [c for c in choices if isinstance(c, MakeMove) and isinstance(c.move, PieceMove)]
        if not moves:
            return super().choose(state, choices, rng)
        ratings = [self._rating_after(state, choice) for choice in moves]
        return moves[int(np.argmax(ratings))]

    def _planned(self, state: GameState, choices: tuple[Choice, ...]) -> Choice | None:
        """Return the next choice of a turn that scores; None if none can be found."""
        free = [choice for choice in choices if _adds_actions(state, choice)]
        left = state.actions_allowed - state.turn.taken
        line = self._turn_line(state, left)
        longer = self._turn_line(state, min(_actions_with(state, free) - state.turn.taken, 12))
        if free and longer[0] > line[0]:
            return max(free, key=lambda choice: _use_of(state, choice))
        if not line[1]:
            return None
        first = line[1][0]
        if isinstance(first, PieceMove):
            return MakeMove(first) if MakeMove(first) in choices else None
        self._mat_move = MakeMove(first)
        wanted = _HOOK_OF[type(first)]
        cards = [c for c in choices if isinstance(c, PlayCard) and _hook(state, c) == wanted]
        return cards[0] if cards else None

    def _turn_line(self, state: GameState, actions: int) -> tuple[int, tuple[Move, ...]]:
        """Return the most own pucks that some actions can bring in, and a line for them."""
        from sim.bumpers.solver import Goal, Limits, MatCard, solve

        best: tuple[int, tuple[Move, ...]] = (0, ())
        hooks = [state.card(card).hook for card in state.hands[state.player]]
        kinds = zip(("turn-mats", "swap-mats", "shift-mats"), MatCard, strict=True)
        cards = [card for hook, card in kinds for _ in range(min(hooks.count(hook), 1))]
        for colour in state.table.colours_of(state.player):
            pucks = [piece for _, piece in state.position.pieces].count(Piece(colour, Kind.PUCK))
            start = replace(state.position, to_move=colour)
            while best[0] < pucks and best[0] < actions:
                goal = Goal(pucks=best[0] + 1) if best[0] < MOST_PUCKS else Goal(pucks=None)
                limits = Limits(max_actions=actions, nodes=self.nodes)
                found = solve(start, goal, limits)
                if not found.line and cards and actions <= _ACTIONS_WITH_CARDS:
                    limits = replace(limits, nodes=self.nodes // 10)
                    found = solve(start, goal, limits, cards=cards)
                if not found.line:
                    break
                best = best[0] + 1, found.line
        return best

    def _rating_after(self, state: GameState, choice: MakeMove) -> float:
        """Return the rating of the position after a move; larger is better."""
        table, me = state.table, state.player
        after, _ = play(state.position, choice.move, colours=state.movable)
        reply = replace(state, turn=Turn()).actions_allowed
        rating = 0.0
        for player in range(table.players):
            colours = table.colours_of(player)
            needed = min(self._actions_to_score(after, colour) for colour in colours)
            gain = _SCORE * sum(after.scored[colour] for colour in colours)
            gain -= _NEXT * needed + _ALL * sum(_actions_to_finish(after, c) for c in colours)
            if player == me:
                rating += gain
            else:
                rating -= (gain + _THREAT * (needed <= reply)) / (table.players - 1)
        return rating

    def _actions_to_score(self, position: Position, colour: Colour) -> int:
        """Return the length of a shortest line of a colour to its next score."""
        return len(self._line(position, colour)) or _FAR


def _hook(state: GameState, choice: Choice) -> str:
    """Return the hook of the card of a choice; empty for other choices."""
    return state.card(choice.card).hook if isinstance(choice, PlayCard | PickCard) else ""


def _adds_actions(state: GameState, choice: Choice) -> bool:
    """Return whether a choice is a card that gives this turn more actions."""
    if not isinstance(choice, PlayCard):
        return False
    return _actions_with(state, [choice]) > state.actions_allowed


def _actions_with(state: GameState, cards: Sequence[Choice]) -> int:
    """Return the most actions of this turn with some cards played."""
    return actions_with(state, [c.card for c in cards if isinstance(c, PlayCard)])


def _use_of(state: GameState, choice: Choice) -> float:
    """Return how useful a card is to hold, as a rank."""
    hook = _hook(state, choice)
    if hook == "action-rule":
        assert isinstance(choice, PlayCard | PickCard)
        return state.card(choice.card).number("actions")
    return _USES.get(hook, 0.5)


def is_free_action(state: GameState) -> bool:
    """Return whether a piece may be moved now, by nothing but the rules of a turn."""
    return (
        state.phase is Phase.ACTION
        and state.pending is None
        and state.asked is None
        and chooser(state) == state.player
    )


def _actions_to_finish(position: Position, colour: Colour) -> int:
    """Return a lower bound of the actions that bring in all pucks of a colour."""
    from sim.bumpers.solver import Goal
    from sim.bumpers.solver.run import least_actions

    if Piece(colour, Kind.PUCK) not in [piece for _, piece in position.pieces]:
        return 0
    bound = least_actions(replace(position, to_move=colour), Goal(pucks=None))
    return min(bound, 2 * _FAR)
