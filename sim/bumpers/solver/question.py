"""The question of a search: position, goal, limits, cards in hand, and how to search.

`Question` travels through solver, batches, Python calls, commands and pages; `question_of` reads
one from a row of texts.
"""

from collections.abc import Mapping
from dataclasses import field, replace

from pucklab.base.errors import InputError, check_limits, limits
from pucklab.base.facts import fact, small_fact
from pucklab.base.values import read_count
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.cards import actions_of_turn
from pucklab.sim.bumpers.solver.cards import Hand, read_hand
from pucklab.sim.bumpers.solver.goals import AnyGoal, Goal, check_goal, read_goal

MOST_ACTIONS = 64
LEAST_MB = 8.0

MOST_LINES = 10_000
"""Maximum number of solutions when all are asked for."""


@fact
class Limits:
    """The limits of a search.

    Attributes:
        max_actions: Maximum length of a solution, 1 to 64 actions.
        nodes: Maximum number of nodes (positions visited), 1 to 10^15; None for no limit.
        seconds: Maximum time in seconds, .001 to 10^7; None for no limit.
        memory_mb: Maximum memory of the search in MB, 8 to 10^6. A full transposition table drops
            its entries of small depth and goes on; too many layouts end the search.

    Raises:
        InputError: A field is not accepted.
    """

    max_actions: int = limits(1, MOST_ACTIONS, default=20)
    nodes: int | None = limits(1, 10**15, default=None)
    seconds: float | None = limits(0.001, 1e7, unit="s", default=None)
    memory_mb: float = limits(LEAST_MB, 1e6, unit="MB", default=1024.0)

    def __post_init__(self) -> None:
        check_limits(self)

    def reached(self, nodes: int, seconds: float) -> str:
        """Return the limit that is reached, nodes or seconds; empty for none."""
        if self.nodes is not None and nodes >= self.nodes:
            return "nodes"
        return "seconds" if self.seconds is not None and seconds >= self.seconds else ""


@small_fact
class Question:
    """A question to the solver.

    Attributes:
        position: A legal position.
        goal: The goal; by default one puck of the side to move in.
        limits: The limits of the search, which allow for cards that change a turn's actions.
        hand: The cards in hand. Those that move mats are one action each, used once.
        one_turn: True if all actions are in one turn. Then a mat may lie where the layout is not
            legal until another card makes it so, before a piece moves or the turn ends (PB-23).
        solutions: Maximum number of shortest solutions to find; `MOST_LINES` to count them all.
        cores: Threads for one hard question without mat cards or limit of nodes, if one solution
            is wanted. The answer does not depend on it, but node counts do.
    """

    position: Position
    goal: AnyGoal = Goal()
    limits: Limits = Limits()
    hand: Hand = Hand()
    one_turn: bool = False
    solutions: int = 1
    cores: int = 1

    def check(self) -> None:
        """Check the side to move, the cards and the goal.

        Raises:
            InputError: No colour is to move, there are too many cards, or the goal does not fit.
        """
        if self.position.to_move is None:
            raise InputError("position: nobody is to move; give a colour as the fifth field")
        self.hand.count_mat_cards()
        check_goal(self.position, self.goal)


def most_actions(hand: Hand, rule: int | None, asked: int | None) -> int:
    """Return the maximum length of a solution, of one turn if a rule or a card is given.

    Args:
        hand: The cards in hand.
        rule: Actions in a turn by the rule in play; None if a solution may take several turns.
        asked: The maximum length asked for; None for the default.
    """
    if rule is None and not hand.turn:
        return Limits().max_actions if asked is None else asked
    turn = actions_of_turn(hand.turn, rule or 1)
    return min(turn, MOST_ACTIONS if asked is None else asked)


@fact
class Defaults:
    """Values for empty columns of a row, and the settings of all rows."""

    goal: str | None = None  # one puck in
    cards: str | None = None  # none
    max_actions: int | None = None  # the solver's
    rule: int | None = None  # actions in a turn; None if a solution may take several turns
    limits: Limits = field(default=Limits())  # of each search
    every: bool = False  # count all shortest solutions


def question_of(position: Position, row: Mapping[str, str], defaults: Defaults) -> Question:
    """Return the question about a position.

    Args:
        position: The position.
        row: The goal, cards and max_actions, as far as they are given.
        defaults: Defaults of missing or empty values.

    Raises:
        InputError: A value is not accepted.
    """
    names = row.get("cards") or defaults.cards
    hand = Hand() if names is None else read_hand(names)
    turn = None if hand.has_take else defaults.rule or 1
    actions = defaults.max_actions
    if text := row.get("max_actions"):
        actions = read_count("max_actions", text, low=1, high=MOST_ACTIONS)
    if position.to_move is None:
        raise InputError("position: nobody is to move; give a colour as the fifth field")
    question = Question(
        position,
        read_goal(position, row.get("goal") or defaults.goal or "1", turn=turn),
        replace(defaults.limits, max_actions=most_actions(hand, defaults.rule, actions)),
        hand,
        one_turn=defaults.rule is not None or bool(hand.turn),
        solutions=MOST_LINES if defaults.every else 1,
    )
    question.check()
    return question
