"""Cards and decks: facts only; what a card does is its hook (`sim.bumpers.game.card_effects`)."""

from dataclasses import dataclass
from enum import StrEnum


class CardKind(StrEnum):
    """When a card may be played, and what it costs (rulebook, The Cards)."""

    QUICK_PLAY = "quick-play"
    DRAW = "draw"
    ACTION = "action"
    GAME_CHANGER = "game-changer"

    @property
    def is_action(self) -> bool:
        """Whether playing it counts as an action."""
        return self in {CardKind.DRAW, CardKind.GAME_CHANGER}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card, of which a deck has one or more copies.

    Attributes:
        name: What is printed on it.
        kind: Its kind.
        count: Copies in the deck.
        text: What it does, in a sentence.
        hook: The name of its behaviour.
        numbers: The numbers of its behaviour, by name.
    """

    name: str
    kind: CardKind
    count: int
    text: str
    hook: str
    numbers: tuple[tuple[str, int], ...] = ()

    def number(self, name: str) -> int:
        """Return one of its numbers."""
        return dict(self.numbers)[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards of a game; a card's number is its place here, copies are alike.

    Attributes:
        cards: The cards; empty for a game without any.
    """

    cards: tuple[Card, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of every copy of every card, in order."""
        return tuple(n for n, card in enumerate(self.cards) for _ in range(card.count))

    def card_named(self, name: str) -> int | None:
        """Return the number of the card of that name, or None."""
        return next((n for n, card in enumerate(self.cards) if card.name == name), None)
