"""Questions and throws that a battle waits for, and the scripts that ask for them.

Steps of the turn and special rules are scripts: generators that read ``ledger.state``, enter events
into the ledger and yield whatever they need, a `Question` to a player or a `ThrowCall`. The runner
sends the answer back, so a script can wait for a person for as long as it takes::

    def effect(ledger: Ledger, player: int, use: Use) -> Script[None]:
        pucks = yield from pick(player, Asking.RULE, ledger.state.prize(player), most=2,
                                rule="Potion")
        give(ledger, pucks, prize(player), health(player), "Potion")
"""

from collections.abc import Generator, Sequence
from enum import StrEnum
from typing import TypeVar

from pucklab.base.errors import shown
from pucklab.base.facts import fact, small_fact
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup, Pucks
from pucklab.sim.pokepucks.throws import Outcome


class Asking(StrEnum):
    """The subject of a question. A reply is always a selection of the options."""

    HEALTH = "pucks for Health"
    BUILD_ARENA = "puck for the Arena"
    SLAMMER = "slammer"
    TEAM = "slammers for Power"
    BUILD_PRIZE = "pucks for Prize"
    BUILD_POWER = "pucks for Power"
    USE = "special rule"
    """Uses of special rules, at most one at a time."""
    TOP_OFF = "puck to top off with"
    KNOCK_OUT = "knock-out"
    """The only option is the slammer to throw at."""
    SHIELDS = "shields"
    """In order: the first goes on the slammer, the last on top."""
    PICK_UP = "pucks to pick up"
    RESTACK_OUT = "order of the pucks that left the arena"
    """In order, the last one on top."""
    DISCARD = "pucks to discard"
    RULE = "choice of a special rule"
    """A choice within a special rule; the question names the rule."""


@small_fact
class Use:
    """A use of a special rule.

    Attributes:
        rule: Name of the rule.
        puck: The puck with the rule; None for an effect that is pending on a player.
    """

    rule: str
    puck: int | None = None


Option = int | Use
"""A puck by its index in the table, or a use of a special rule."""

Reply = tuple[Option, ...]
"""The options selected, each at most once."""


def option_text(option: Option) -> str:
    """Return an option as records have it: a puck's index, or a rule with that of its puck."""
    if isinstance(option, Use):
        return option.rule if option.puck is None else f"{option.rule} {option.puck}"
    return str(option)


def option_name(table: BattleSetup, option: object) -> str:
    """Return the name of an option, or of what is none, with the index of its puck."""
    if isinstance(option, Use):
        return option_text(option)
    if isinstance(option, int) and 0 <= option < len(table.pucks):
        return table.label(option)
    return shown(option)


def option_names(table: BattleSetup, options: Reply) -> str:
    """Return the names of options with commas."""
    return ", ".join(option_name(table, option) for option in options) or "nothing"


@fact
class Question:
    """A decision of a player: select from ``least`` to ``most`` of the options.

    Attributes:
        player: The player who decides.
        asking: The subject.
        options: The options, all different.
        least: Fewest to select.
        most: Most to select.
        ordered: True if the order of the selection matters.
        rule: Name of the special rule or point that asks; empty for none.
    """

    player: int
    asking: Asking
    options: Reply
    least: int
    most: int
    ordered: bool = False
    rule: str = ""


@fact
class ThrowCall:
    """A throw to be made; the answer is its outcome.

    Attributes:
        number: Number of the throw in the battle, from 1.
        player: The thrower.
        slammer: The slammer thrown.
        targets: The pucks in the Arena, from the floor up, all face down; at least one. In a
            knock-out attempt the first is the slammer thrown at, the others are its shields.
        knock_out: True for a knock-out attempt.
    """

    number: int
    player: int
    slammer: int
    targets: Pucks
    knock_out: bool = False


Ask = Question | ThrowCall
Answer = Reply | Outcome

_T = TypeVar("_T")
Script = Generator[Ask, Answer, _T]


def choose(question: Question) -> Script[Reply]:
    """Ask a player a question."""
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
) -> Script[Pucks]:
    """Ask a player to pick some pucks, unless there is only one way to do so.

    Args:
        player: The player who picks.
        asking: The subject.
        options: The pucks.
        least: Fewest to pick; never more than there are.
        most: Most to pick; None for all of them.
        ordered: True if their order matters.
        rule: Name of the special rule that asks; empty for none.
    """
    count = len(options)
    most = count if most is None else min(most, count)
    if not most:
        return ()
    least = min(least, most)
    if least == count and (not ordered or count == 1):
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
