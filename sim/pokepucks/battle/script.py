"""Scripts: steps and special rules as generators that enter events, and ask when they must.

A script gets a ledger; it reads ``ledger.state``, enters events, and yields what it asks for.
Whoever runs it sends the answer, so it can wait for a person as long as it takes::

    def effect(ledger: Ledger, player: int, use: Use) -> Script[None]:
        pucks = yield from pick(player, Asking.RULE, ledger.state.prize(player), most=2,
                                rule="Potion")
        give(ledger, pucks, prize(player), health(player), "Potion")
"""

from collections.abc import Generator, Sequence
from typing import TypeVar

from sim.pokepucks.battle.question import (
    Answer,
    Ask,
    Asking,
    Question,
    Reply,
    ThrowCall,
)
from sim.pokepucks.outcome import Outcome

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
