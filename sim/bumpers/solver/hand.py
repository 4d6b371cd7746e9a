"""The cards in hand that move mats."""

from collections.abc import Iterable
from enum import Enum

from physics import InputError
from physics.checks import shown

MOST_OF_A_KIND = 3


class MatCard(Enum):
    """A card that moves a mat; it is one action, and used up (PB-14, PB-22)."""

    TWIST = "twist"
    SWAP = "swap"
    SHIFT = "shift"


def read_cards(text: str) -> tuple[MatCard, ...]:
    """Return the cards of a text: their names with commas between them.

    Raises:
        InputError: A name is no such card.

    Example:
        >>> [card.name for card in read_cards("twist,shift")]
        ['TWIST', 'SHIFT']
    """
    names = [part.strip().lower() for part in text.split(",")]
    known = {card.value: card for card in MatCard}
    for name in names:
        if name not in known:
            raise InputError(f"cards: {shown(name)} is no mat card; give {', '.join(known)}")
    return tuple(known[name] for name in names)


def counted(cards: Iterable[MatCard]) -> tuple[int, int, int]:
    """Return how many cards turn, swap and shift.

    Raises:
        InputError: There are more than 3 of a kind.
    """
    hand = list(cards)
    for card in MatCard:
        if hand.count(card) > MOST_OF_A_KIND:
            raise InputError(
                f"cards: {hand.count(card)} times {card.value}; give at most {MOST_OF_A_KIND}"
            )
    return hand.count(MatCard.TWIST), hand.count(MatCard.SWAP), hand.count(MatCard.SHIFT)
