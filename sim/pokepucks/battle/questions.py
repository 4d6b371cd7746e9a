"""What a battle asks for: decisions of players, and throws. And what it gets.

Scripts: steps and special rules as generators that enter events, and ask when they must.

A script gets a ledger; it reads ``ledger.state``, enters events, and yields what it asks for.
Whoever runs it sends the answer, so it can wait for a person as long as it takes::

    def effect(ledger: Ledger, player: int, use: Use) -> Script[None]:
        pucks = yield from pick(player, Asking.RULE, ledger.state.prize(player), most=2,
                                rule="Potion")
        give(ledger, pucks, prize(player), health(player), "Potion")
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from sim.pokepucks.throws import Outcome


class Asking(StrEnum):
    """What is to be decided. In each, a reply is some of the options."""

    HEALTH = "pucks for Health"
    BUILD_ARENA = "puck for the Arena"
    SLAMMER = "slammer"
    TEAM = "slammers for Power"
    BUILD_PRIZE = "pucks for Prize"
    BUILD_POWER = "pucks for Power"
    USE = "special rule"
    """Uses of special rules, one or none at a time."""
    TOP_OFF = "puck to top off with"
    KNOCK_OUT = "knock-out"
    """The option is the slammer to throw at, or none."""
    SHIELDS = "shields"
    """In order: the first lies on the slammer, the last on top."""
    PICK_UP = "pucks to pick up"
    RESTACK_OUT = "order of the pucks that left the arena"
    """In order, the last on top."""
    DISCARD = "pucks to discard"
    RULE = "choice of a special rule"
    """What a special rule asks for; the question says which."""


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a special rule.

    Attributes:
        rule: Its name.
        puck: The puck that has it; None for an effect that is pending on a player.
    """

    rule: str
    puck: int | None = None


Option = int | Use
"""A puck by its number, or a use of a special rule."""

Reply = tuple[Option, ...]
"""What was chosen, each option at most once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A decision of a player: choose from ``least`` to ``most`` of the options.

    Attributes:
        player: Who decides.
        asking: What is to be decided.
        options: What there is to choose from, no option twice.
        least: Fewest to choose.
        most: Most to choose.
        ordered: The order of what is chosen matters.
        rule: The special rule that asks, or empty.
    """

    player: int
    asking: Asking
    options: Reply
    least: int
    most: int
    ordered: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowCall:
    """A throw that is to be made: whatever makes throws gives its outcome.

    Attributes:
        number: Which throw of the battle it is, from 1.
        player: Who throws.
        slammer: The puck that is thrown.
        targets: The pucks in the Arena, from the floor up, all face down; at least one. In a
            knock-out attempt the first is the slammer that is thrown at, the others its shields.
        knock_out: It is a knock-out attempt.
    """

    number: int
    player: int
    slammer: int
    targets: tuple[int, ...]
    knock_out: bool = False


Ask = Question | ThrowCall
Answer = Reply | Outcome


_T = TypeVar("_T")
Script = Generator[Ask, Answer, _T]


def choose(question: Question) -> Script[Reply]:
    """Ask a player."""
    reply = yield question
    assert isinstance(reply, tuple)
    return reply


def pick(
    player: int,
    asking: Asking,
    options: Sequence[int],
    *,
    least: int = 0,
    most: int | None = None,
    ordered: bool = False,
    rule: str = "",
) -> Script[tuple[int, ...]]:
    """Ask a player to pick some pucks; where there is nothing to choose, nobody is asked.

    Args:
        player: Who.
        asking: What for.
        options: The pucks.
        least: Fewest; no more than there are.
        most: Most; all of them if not given.
        ordered: Their order matters.
        rule: The special rule that asks, if one does.
    """
    there = len(options)
    most = there if most is None else min(most, there)
    if not most:
        return ()
    least = min(least, most)
    if least == there and (not ordered or there == 1):
        return tuple(options)
    question = Question(
        player=player,
        asking=asking,
        options=tuple(options),
        least=least,
        most=most,
        ordered=ordered,
        rule=rule,
    )
    reply = yield from choose(question)
    return tuple(option for option in reply if isinstance(option, int))


def throw(call: ThrowCall) -> Script[Outcome]:
    """Ask for the outcome of a throw."""
    outcome = yield call
    assert isinstance(outcome, Outcome)
    return outcome
