"""Battles that go on answer by answer.

A `LiveBattle` waits for an answer and goes on with it. A `Moment` is a battle at a question as an
immutable value, from which another may go on; `begin` returns the first. Whole battles are matches,
see `pucklab.sim.pokepucks.battle.match`.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pucklab.physics import InputError
from pucklab.sim.core.game import Seed
from pucklab.sim.core.game import Step as GameStep
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup
from pucklab.sim.pokepucks.battle.events import Event
from pucklab.sim.pokepucks.battle.questions import Answer, Ask, Script, ThrowCall
from pucklab.sim.pokepucks.battle.rule_book import Ledger, RuleBook
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.state import BattleState, Step
from pucklab.sim.pokepucks.battle.timing import check_answer
from pucklab.sim.pokepucks.battle.turn import take_step
from pucklab.sim.pokepucks.designs import Design, DesignKind
from pucklab.sim.pokepucks.special import rules_of
from pucklab.sim.pokepucks.throws import Shot, Throws


class LiveBattle:
    """A battle that goes on with each answer.

    Args:
        state: The state at the beginning of a step, such as `new_battle` returns.
        answers: Answers already given in that step.
        rules: The special rules in play; those of the table if None.

    Attributes:
        ask: The question or throw it waits for; None at the end of the battle.
        news: The events since the previous answer, or since the beginning.
    """

    __slots__ = ("_answers", "_base", "_ledger", "_script", "ask", "news")

    def __init__(
        self, state: BattleState, answers: Iterable[Answer] = (), rules: RuleBook | None = None
    ) -> None:
        self._base = state
        self._answers: list[Answer] = []
        self._ledger = Ledger(state, rules_of(state.table) if rules is None else rules)
        self._script = self._play()
        self.ask: Ask | None = None
        self.news: tuple[Event, ...] = ()
        self._go(None)
        for answer in answers:
            self.answer(answer)

    @property
    def state(self) -> BattleState:
        """The state now."""
        return self._ledger.state

    @property
    def rules(self) -> RuleBook:
        """The special rules in play."""
        return self._ledger.rules

    def answer(self, answer: Answer) -> tuple[Event, ...]:
        """Go on with an answer, and return the events up to the next question or the end.

        Raises:
            InputError: The answer is not legal; nothing changes.
        """
        check_answer(self.rules, self.state, self.ask, answer)
        return self.answer_legal(answer)

    def answer_legal(self, answer: Answer) -> tuple[Event, ...]:
        """Go on with an answer that is known to be legal, and return the events as `answer` does.

        A search makes thousands of answers a second and chooses among the options itself.
        """
        self._answers.append(answer)
        self._go(answer)
        return self.news

    def moment(self) -> "Moment":
        """Return the battle at this question as a value."""
        ledger = self._ledger
        answers = tuple(self._answers)
        return Moment(self._base, answers, ledger.state, self.ask, self.news, ledger.rules)

    def _play(self) -> Script[None]:
        """Take one step after another until the battle is over."""
        while self._ledger.state.step is not Step.OVER:
            yield from take_step(self._ledger)
            self._base = self._ledger.state
            self._answers = []

    def _go(self, answer: Answer | None) -> None:
        self._ledger.events.clear()
        try:
            self.ask = next(self._script) if answer is None else self._script.send(answer)
        except StopIteration:
            self.ask = None
        self.news = tuple(self._ledger.events)


class Moment(NamedTuple):
    """A battle at a question, or at its end.

    Attributes:
        base: The state at the beginning of the step under way.
        answers: The answers since.
        state: The state now.
        ask: The question or throw it waits for; None at the end of the battle.
        news: The events since the previous answer, or since the beginning.
        rules: The special rules in play.
    """

    base: BattleState
    answers: tuple[Answer, ...]
    state: BattleState
    ask: Ask | None
    news: tuple[Event, ...]
    rules: RuleBook

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process, or a copy, go through the step again: rules are functions."""
        is_usual = self.rules.rules == rules_of(self.base.table).rules
        return resume, (self.base, self.answers, None if is_usual else self.rules, self.news)


def resume(
    base: BattleState, answers: Iterable[Answer], rules: RuleBook | None, news: tuple[Event, ...]
) -> Moment:
    """Return the moment after some answers in a step; see `LiveBattle`."""
    return LiveBattle(base, answers, rules).moment()._replace(news=news)


def begin(table: BattleSetup) -> Moment:
    """Return a battle at its first question.

    Raises:
        InputError: A player has too few pucks, or no slammer.
    """
    return LiveBattle(new_battle(table)).moment()


BattleStep = GameStep[Moment, Answer, Event]
"""A question or a throw, its answer and the events that follow."""

_ROLL_OFF_PUCKS = 8
_ROLL_OFFS = 20
"""Rounds of throws for the first turn, after which chance decides."""


def decide_first(
    table: BattleSetup, throws: Throws, seed: int
) -> tuple[BattleSetup, tuple[str, ...]]:
    """Return a set-up with a decided first player, and lines that say how it was decided.

    A first player who is decided already stays. By chance all are equally likely. By throw
    everybody throws the first slammer of the own collection, or else of the box, at a stack of
    eight plain pucks; the one who flips most begins, and those who flip the same number throw again
    (PP-58).

    Args:
        table: The set-up.
        throws: Source of the throws.
        seed: Seed of the battle; who begins has random numbers of its own.
    """
    if table.first is not None:
        return table, ()
    left, lines = list(range(table.players)), []
    stack = (Design(name="Plain Puck", kind=DesignKind.PLAIN),) * _ROLL_OFF_PUCKS
    if table.options.first == "throw":
        for number in range(_ROLL_OFFS):
            flips = {}
            for player in left:
                slammers = [
                    puck.design
                    for owner in (player, None)
                    for puck in table.pucks
                    if puck.owner == owner and puck.design.kind.is_slammer
                ]
                if not slammers:
                    name = table.names[player]
                    raise InputError(f"slammer: {name} has none to throw for the first turn")
                shot = Shot(player=player, slammer=slammers[0], stack=stack)
                outcome = throws.throw(shot, _first_generator(seed, number, player))
                flips[player] = len(outcome.flipped)
            lines.append(", ".join(f"{table.names[p]} flips {n}" for p, n in flips.items()))
            left = [player for player in left if flips[player] == max(flips.values())]
            if len(left) == 1:
                break
    rng = _first_generator(seed, _ROLL_OFFS, 0)
    first = left[int(rng.integers(len(left)))] if len(left) > 1 else left[0]
    lines.append(f"{table.names[first]} begins")
    return replace(table, first=first), tuple(lines)


def _first_generator(seed: int, number: int, player: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, number, player)))


def shot_of(table: BattleSetup, call: ThrowCall) -> Shot:
    """Return a throw in terms of designs, for a source of throws."""
    return Shot(
        player=call.player,
        slammer=table.pucks[call.slammer].design,
        stack=tuple(table.pucks[puck].design for puck in call.targets),
        knock_out=call.knock_out,
    )


def throw_generator(seed: Seed, number: int) -> np.random.Generator:
    """Return the generator of a throw of a battle, which is numbered from 1."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
