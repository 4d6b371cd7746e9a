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
    Option,
    Question,
    Reply,
    ThrowCall,
)
from sim.pokepucks.outcome import Outcome

_T = TypeVar("_T")
Script = Generator[Ask, Answer, _T]


def choose(question: Question) -> Script[Reply]:
    """Ask a player; where there is nothing to choose, nobody is asked."""
    options = question.options
    if question.most == 0:
        return ()
    settled = not question.ordered or len(options) == 1
    if question.least == len(options) and settled:
        return options
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
    """Ask a player to pick some pucks.

    Args:
        player: Who.
        asking: What for.
        options: The pucks.
        least: Fewest; no more than there are.
        most: Most; all of them if not given.
        ordered: Their order matters.
        rule: The special rule that asks, if one does.
    """
    most = len(options) if most is None else min(most, len(options))
    question = Question(
        player=player,
        asking=asking,
        options=tuple(options),
        least=min(least, most),
        most=most,
        ordered=ordered,
        rule=rule,
    )
    reply = yield from choose(question)
    return tuple(option for option in reply if isinstance(option, int))


def pick_word(player: int, words: Sequence[str], rule: str) -> Script[str]:
    """Ask a player for one of some words, for a special rule."""
    options: tuple[Option, ...] = tuple(words)
    question = Question(
        player=player, asking=Asking.RULE, options=options, least=1, most=1, rule=rule
    )
    (word,) = yield from choose(question)
    return str(word)


def throw(call: ThrowCall) -> Script[Outcome]:
    """Ask for the outcome of a throw."""
    outcome = yield call
    assert isinstance(outcome, Outcome)
    return outcome
