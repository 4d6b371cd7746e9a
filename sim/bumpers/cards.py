"""Cards and decks, and the number of actions in a turn in which some cards are played."""

from collections.abc import Iterable
from enum import StrEnum

from pucklab.base.facts import fact

ACTION_RULE, DOUBLE, EXTRA = "action-rule", "double-actions", "extra-actions"
"""Effects of the cards that change the number of actions in a turn."""


class CardKind(StrEnum):
    """Kind of a card: when it may be played, and its cost (rulebook, The Cards)."""

    QUICK_PLAY = "quick-play"
    DRAW = "draw"
    ACTION = "action"
    GAME_CHANGER = "game-changer"


@fact
class Card:
    """A card; a deck has one or more copies of it.

    Attributes:
        name: The printed name.
        kind: Its kind.
        count: Number of copies in the deck.
        text: Its effect, in a sentence.
        hook: Name of its effect in `pucklab.sim.bumpers.game.card_effects`.
        numbers: Names and values of the effect's numbers.
    """

    name: str
    kind: CardKind
    count: int
    text: str
    hook: str
    numbers: tuple[tuple[str, int], ...] = ()

    def number(self, name: str) -> int:
        """Return one of the effect's numbers by name."""
        return dict(self.numbers)[name]


@fact
class Deck:
    """The cards of a game.

    A card's number is its index here; all copies of a card share it.

    Attributes:
        cards: The cards; empty for a game without cards.
    """

    cards: tuple[Card, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of every copy of every card, in order."""
        return tuple(n for n, card in enumerate(self.cards) for _ in range(card.count))


def actions_of_turn(
    cards: Iterable[Card], rule: int = 1, *, doubled: bool = False, extra: int = 0
) -> int:
    """Return the maximum number of actions in a turn in which some cards may be played.

    The rulings PB-15 and PB-27.

    Args:
        cards: The cards; those that do not change the number of actions are ignored.
        rule: Actions in a turn by the rule in play.
        doubled: Whether a card has doubled the actions already.
        extra: Actions that cards have added already.
    """
    for card in cards:
        if card.hook == ACTION_RULE:
            rule = max(rule, card.number("actions"))
        elif card.hook == EXTRA:
            extra += card.number("actions")
        doubled = doubled or card.hook == DOUBLE
    return rule * (2 if doubled else 1) + extra
