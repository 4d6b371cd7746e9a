"""Players that use the solver: one follows a shortest line, the other weighs its moves and replies.

`SolverLinePlayer` is the yardstick: it plays the first action of a shortest line to its next score.
`PlannerPlayer` plans all actions of its turn, with the cards in hand, and rates single moves by
their replies, as many as its level allows. Both decide like `GreedyPlayer` elsewhere, such as when
placing pieces.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from time import monotonic

import numpy as np

from pucklab.base.facts import fact
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.cards import ACTION_RULE, DOUBLE, EXTRA
from pucklab.sim.bumpers.game.card_effects import RETURN_PUCK
from pucklab.sim.bumpers.game.choices import chooser
from pucklab.sim.bumpers.game.players import GreedyPlayer, hook_of
from pucklab.sim.bumpers.game.state import (
    Choice,
    Choices,
    GameState,
    MakeMove,
    NameColour,
    Pass,
    Phase,
    PickCard,
    PlayCard,
)
from pucklab.sim.bumpers.mats import Colour, Kind, Piece
from pucklab.sim.bumpers.moves import Line, MatShift, MatSwap, MatTurn, PieceMove
from pucklab.sim.bumpers.rules import legal_moves, play
from pucklab.sim.bumpers.solver import Hand, Limits, Question, bring_in, solve
from pucklab.sim.bumpers.solver.cards import MAT_HOOKS
from pucklab.sim.bumpers.solver.run import least_actions
from pucklab.sim.core.game import Decision

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

_WORTH_A_STOP = 6.0
"""Loss of rating by an action of another player at which it is stopped: half a puck; a score is."""

_ACTIONS_WITH_CARDS = 3
"""Most actions of a turn that is also searched with mat cards."""

_HOOK_OF = {MatTurn: "turn-mats", MatSwap: "swap-mats", MatShift: "shift-mats"}
_ONE_ACTION = 3.5
"""Use of a card that leaves the next player a single action."""

_USES = {
    DOUBLE: 5.0,
    "stop": 4.0,
    RETURN_PUCK: 4.0,
    EXTRA: 2.5,
    "reverse": 2.2,
    "turn-mats": 2.0,
    "shift-mats": 2.0,
}


@fact
class Advice:
    """A choice, and what it brings; ratings are in units of a twelfth of a puck."""

    choice: Choice
    pucks: int  # own ones that come in at once
    rating: float | None  # of the position after a piece move, None for other choices
    after_reply: float | None  # of the position after the next player's best turn
    cards: int  # in hand after it


class SolverLinePlayer(GreedyPlayer):
    """Player that plays the first action of a shortest line to its next score.

    Args:
        nodes: Maximum number of nodes of a search.
    """

    def __init__(self, nodes: int = 20_000) -> None:
        self.nodes = nodes

    def choose(self, state: GameState, decision: Decision, rng: np.random.Generator) -> Choice:
        """Return the first action of a shortest line, or a greedy choice if there is none."""
        if is_free_action(state):
            lines = [line for c in state.movable if (line := self._line(state.position, c))]
            for line in sorted(lines, key=len):
                if (choice := MakeMove(line[0])) in decision.options:
                    return choice
        return super().choose(state, decision, rng)

    def _line(self, position: Position, colour: Colour) -> tuple[PieceMove, ...]:
        """Return a shortest line of a colour to its next score; empty if none is found."""
        if not position.count(Piece(colour, Kind.PUCK)):
            return ()
        limits = Limits(max_actions=_LINE_ACTIONS, nodes=self.nodes)
        found = solve(Question(replace(position, to_move=colour), limits=limits))
        return tuple(move for move in found.line if isinstance(move, PieceMove))


class PlannerPlayer(SolverLinePlayer):
    """Player that plans its turn with the solver, and rates single moves by the replies to them.

    It brings in as many pucks as the actions of its turn allow, and plays cards for more actions,
    or that move a mat, only where they bring in more. Otherwise it rates the position after each of
    its piece moves, the opponents' replies included. It discards the cards of least use.

    Args:
        nodes: Maximum number of nodes of each search; a choice takes some searches.
        replies: Number of best-rated moves for which the next player's reply is worked out; such a
            move is then rated by the position after the reply.
        seconds: Time for working out replies in a turn; None for no limit. With a time the choices
            depend on the speed of the machine.
    """

    def __init__(
        self, nodes: int = 20_000, replies: int = 0, *, seconds: float | None = None
    ) -> None:
        super().__init__(nodes)
        self.replies = replies
        self.seconds = seconds
        self._mat_move: MakeMove | None = None
        self._turn = -1
        self._ends_s = inf
        self._ratings: dict[tuple[Position, int, int], float] = {}

    def choose(self, state: GameState, decision: Decision, rng: np.random.Generator) -> Choice:
        """Return the choice of the plan, or else the piece move with the best rating."""
        choices: Choices = tuple(decision.options)
        mine = state.config.colours_of(state.player)
        if state.turns != self._turn and self.seconds is not None:
            self._turn, self._ends_s = state.turns, monotonic() + self.seconds
        if state.pending is not None and self._mat_move in choices:
            return self._mat_move
        if state.phase is Phase.DISCARD:
            return min(choices, key=lambda choice: _use_of(state, choice))
        if any(isinstance(choice, NameColour) for choice in choices):
            # The colour of others that has scored most.
            scored = state.position.scored
            named = [choice for choice in choices if isinstance(choice, NameColour)]
            return max(named, key=lambda c: -1 if c.colour in mine else scored[c.colour])
        if state.asked is not None:
            return self._plan_quick_play(state, choices)
        if not is_free_action(state):
            return super().choose(state, decision, rng)
        planned = self._plan_choice(state, choices)
        if planned is None and any(state.position.scored[c] for c in Colour if c not in mine):
            # The card that puts a scored puck of another player back.
            planned = next((c for c in choices if hook_of(state, c) == RETURN_PUCK), None)
        if planned is not None:
            return planned
        moves = [c for c in choices if isinstance(c, MakeMove) and isinstance(c.move, PieceMove)]
        if moves:
            return self._best_move(state, moves)
        if state.turn.taken >= state.actions_allowed:
            # The action card that leaves the next player the fewest actions, if it leaves fewer: it
            # costs nothing once all own actions are taken (FAQ of the rulebook).
            actions = {
                choice: state.card(choice.card).number("actions")
                for choice in choices
                if isinstance(choice, PlayCard) and hook_of(state, choice) == ACTION_RULE
            }
            best = min(actions, key=actions.__getitem__, default=None)
            return Pass() if best is None or actions[best] >= state.rule_actions else best
        return super().choose(state, decision, rng)

    def advise(
        self, state: GameState, decision: Decision, rng: np.random.Generator, most: int = 5
    ) -> list[Advice]:
        """Return the choices that it likes best, its own first, and what each brings."""
        best = self.choose(state, decision, rng)
        moves = [
            choice
            for choice in decision.options
            if isinstance(choice, MakeMove)
            and isinstance(choice.move, PieceMove)
            and is_free_action(state)
        ]
        me, reply = state.player, state.rule_actions
        after = {c: play(state.position, c.move, colours=state.movable)[0] for c in moves}
        rated = {
            choice: self._rating(state, position, me, reply) for choice, position in after.items()
        }
        liked = sorted(rated, key=lambda choice: -rated[choice])
        others = [c for c in decision.options if c not in rated and c != best]
        ordered = [best, *(c for c in liked if c != best), *others][:most]
        mine, hand = state.config.colours_of(me), len(state.hands[decision.seat])
        return [
            Advice(
                choice=choice,
                pucks=sum(
                    after[choice].scored[c] - state.position.scored[c] for c in mine
                ) if choice in after else 0,
                rating=rated.get(choice),
                after_reply=self._value_after_reply(state, choice) if choice in after else None,
                cards=hand - isinstance(choice, PlayCard),
            )
            for choice in ordered
        ]  # fmt: skip

    def _best_move(self, state: GameState, moves: Sequence[MakeMove]) -> Choice:
        """Return the piece move with the best rating."""
        self._ratings.clear()
        me, reply = state.player, state.rule_actions
        positions = (
            play(state.position, choice.move, colours=state.movable)[0] for choice in moves
        )
        ratings = [self._rating(state, after, me, reply) for after in positions]
        if state.turn.taken + 1 < state.actions_allowed:
            return moves[int(np.argmax(ratings))]
        best, highest = moves[int(np.argmax(ratings))], -inf
        for place in np.argsort(-np.array(ratings), kind="stable")[: self.replies].tolist():
            value = self._value_after_reply(state, moves[place])
            if value > highest:
                best, highest = moves[place], value
            if monotonic() > self._ends_s:
                break
        return best

    def _value_after_reply(self, state: GameState, choice: MakeMove) -> float:
        """Return the rating after a move and the next player's turn, played by its own ratings."""
        position, _ = play(state.position, choice.move, colours=state.movable)
        actions = state.rule_actions
        following = state.neighbour(state.player)
        colours, before = state.config.colours_of(following), None
        for left in reversed(range(actions)):
            moves = legal_moves(position, colours=colours, before=before)
            if not moves or monotonic() > self._ends_s:
                break
            afters = [play(position, move, colours=colours, before=before)[0] for move in moves]
            # Its own threats count for as many actions as it has left.
            values = [self._rating(state, after, following, left or actions) for after in afters]
            before, position = position, afters[int(np.argmax(values))]
        return self._rating(state, position, state.player, actions)

    def _plan_choice(self, state: GameState, choices: Choices) -> Choice | None:
        """Return the next choice of a turn that scores; None if none can be found."""
        free = [choice for choice in choices if _adds_actions(state, choice)]
        left = state.actions_allowed - state.turn.taken
        line = self._turn_line(state, left)
        longer = self._turn_line(state, min(_actions_with(state, free) - state.turn.taken, 12))
        if free and longer[0] > line[0]:
            # The card that suffices alone to bring in as many pucks, else the one of most use.
            # Cards for this turn come first: action cards give the others their actions, too.
            rank = {EXTRA: -2.0, DOUBLE: -1.0}
            free.sort(key=lambda c: rank.get(hook_of(state, c), _use_of(state, c)))
            for choice in free:
                actions = min(_actions_with(state, [choice]) - state.turn.taken, 12)
                if self._turn_line(state, actions)[0] >= longer[0]:
                    return choice
            return max(free, key=lambda choice: _use_of(state, choice))
        if not line[1]:
            return None
        first = line[1][0]
        if isinstance(first, PieceMove):
            return MakeMove(first) if MakeMove(first) in choices else None
        self._mat_move = MakeMove(first)
        wanted = _HOOK_OF[type(first)]
        cards = [c for c in choices if isinstance(c, PlayCard) and hook_of(state, c) == wanted]
        return cards[0] if cards else None

    def _plan_quick_play(self, state: GameState, choices: Choices) -> Choice:
        """Return a quick play that gains cards or pucks, or takes a gain from another player."""
        me = chooser(state)
        assert me is not None
        by_hook = {hook_of(state, choice): choice for choice in choices}
        for hook in ("draw-cards", "take-top-discard"):
            if hook in by_hook:
                return by_hook[hook]
        if state.phase is not Phase.ACTION or state.quick:
            return Pass()
        left = state.actions_allowed - state.turn.taken
        if state.player == me:
            free = [choice for choice in choices if _adds_actions(state, choice)]
            more = _actions_with(state, free) - state.turn.taken
            if free and self._turn_line(state, more)[0] > self._turn_line(state, left)[0]:
                return max(free, key=lambda choice: _use_of(state, choice))
            return Pass()
        last, now = state.last, state.position
        if "stop" in by_hook and last is not None and last.player != me:
            mine, reply = state.config.colours_of(me), state.rule_actions
            scores = any(now.scored[c] > last.position.scored[c] for c in Colour if c not in mine)
            if scores or (
                self._rating(state, last.position, me, reply) - self._rating(state, now, me, reply)
                >= _WORTH_A_STOP
            ):
                return by_hook["stop"]
        if "reverse" in by_hook and left > 0 and self._turn_line(state, left)[0] > 0:
            return by_hook["reverse"]  # it ends the turn of somebody who is about to score
        return Pass()

    def _turn_line(self, state: GameState, actions: int) -> tuple[int, Line]:
        """Return the most own pucks that some actions can bring in, and a line for them."""
        best: tuple[int, Line] = (0, ())
        hooks = [state.card(card).hook for card in state.hands[state.player]]
        cards = Hand(tuple(card for hook, card in MAT_HOOKS.items() if hook in hooks))
        for colour in state.config.colours_of(state.player):
            pucks = state.position.count(Piece(colour, Kind.PUCK))
            start = replace(state.position, to_move=colour)
            while best[0] < pucks and best[0] < actions:
                goal = bring_in(best[0] + 1 if best[0] < MOST_PUCKS else None)
                limits = Limits(max_actions=actions, nodes=self.nodes)
                found = solve(Question(start, goal, limits))
                if not found.line and cards.mats and actions <= _ACTIONS_WITH_CARDS:
                    limits = replace(limits, nodes=self.nodes // 10)
                    found = solve(Question(start, goal, limits, cards))
                if not found.line:
                    break
                best = best[0] + 1, found.line
        return best

    def _rating(self, state: GameState, after: Position, me: int, reply: int) -> float:
        """Return the rating of a position for a player; others have ``reply`` actions a turn."""
        key, config = (after, me, reply), state.config
        if key in self._ratings:
            return self._ratings[key]
        rating = 0.0
        for player in range(config.players):
            colours = config.colours_of(player)
            # Actions to the next score, by a shortest line.
            needed = min(len(self._line(after, colour)) or _FAR for colour in colours)
            gain = _SCORE * sum(after.scored[colour] for colour in colours) - _NEXT * needed
            for colour in colours:
                if after.count(Piece(colour, Kind.PUCK)):
                    # A lower bound of the actions that bring in all pucks of the colour.
                    bound = least_actions(replace(after, to_move=colour), bring_in(None))
                    gain -= _ALL * min(bound, 2 * _FAR)
            if player == me:
                rating += gain
            else:
                rating -= (gain + _THREAT * (needed <= reply)) / (config.players - 1)
        self._ratings[key] = rating
        return rating


def _adds_actions(state: GameState, choice: Choice) -> bool:
    """Return whether a choice is a card that gives this turn more actions."""
    if not isinstance(choice, PlayCard):
        return False
    return _actions_with(state, [choice]) > state.actions_allowed


def _actions_with(state: GameState, cards: Sequence[Choice]) -> int:
    """Return the most actions of this turn with some cards played."""
    return state.actions_with([c.card for c in cards if isinstance(c, PlayCard)])


def _use_of(state: GameState, choice: Choice) -> float:
    """Return how useful a card is to hold, as a rank."""
    hook = hook_of(state, choice)
    if hook == ACTION_RULE:
        assert isinstance(choice, PlayCard | PickCard)
        actions = state.card(choice.card).number("actions")
        return actions if actions > 1 else _ONE_ACTION
    return _USES.get(hook, 0.5)


def is_free_action(state: GameState) -> bool:
    """Return whether the player may now move a piece as an ordinary action of a turn."""
    return (
        state.phase is Phase.ACTION
        and state.pending is None
        and state.asked is None
        and chooser(state) == state.player
    )
