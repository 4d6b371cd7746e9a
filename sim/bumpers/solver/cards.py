"""Cards in hand: those that move mats, and those that change the number of actions in a turn."""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import combinations

from pucklab.base.errors import shown
from pucklab.base.facts import small_fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.cards import ACTION_RULE, DOUBLE, EXTRA, Card, actions_of_turn

MOST_OF_A_KIND = 3


class MatCard(Enum):
    """A card that moves a mat; playing it is one action (PB-14, PB-22)."""

    TWIST = "twist"
    SWAP = "swap"
    SHIFT = "shift"


MAT_HOOKS = {
    "turn-mats": MatCard.TWIST,
    "swap-mats": MatCard.SWAP,
    "shift-mats": MatCard.SHIFT,
}
_SHORT = {DOUBLE: "double", EXTRA: "extra"}


@small_fact
class Hand:
    """The cards in hand.

    Attributes:
        mats: Cards that move mats.
        turn: Cards that change the number of actions in a turn; playing them is no action.
    """

    mats: tuple[MatCard, ...] = ()
    turn: tuple[Card, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cards, as `read_hand` accepts them."""
        return (*(card.value for card in self.mats), *(_name(card) for card in self.turn))

    @property
    def has_take(self) -> bool:
        """True if a card changes the rule for everybody, not only for this turn."""
        return any(card.hook == ACTION_RULE for card in self.turn)

    def count_mat_cards(self) -> tuple[int, int, int]:
        """Return the number of cards that turn, swap and shift mats.

        Raises:
            InputError: There are more than 3 of a kind.
        """
        for card in MatCard:
            if self.mats.count(card) > MOST_OF_A_KIND:
                raise InputError(
                    f"cards: {self.mats.count(card)} of {card.value} given; give at most "
                    f"{MOST_OF_A_KIND}"
                )
        twists, swaps, shifts = (self.mats.count(card) for card in MatCard)
        return twists, swaps, shifts


def read_hand(text: str) -> Hand:
    """Parse a hand: names of cards, separated by commas.

    Raises:
        InputError: A name is unknown, or there are more cards of a kind than the deck has.

    Example:
        >>> hand = read_hand("twist,take-3,double")
        >>> hand.mats[0].name, actions_of_turn(hand.turn)
        ('TWIST', 6)
    """
    names = [part.strip().lower().replace(" ", "-") for part in text.split(",")]
    mat_cards, turn_cards = _known_cards()
    mats, turn = [], []
    for name in names:
        if name in mat_cards:
            mats.append(mat_cards[name])
        elif name in turn_cards:
            turn.append(turn_cards[name])
        else:
            known = [card.value for card in MatCard]
            known += dict.fromkeys(map(_name, turn_cards.values()))
            raise InputError(
                f"cards: {shown(name)} is not a card the solver knows; give {', '.join(known)}"
            )
    hand = Hand(tuple(mats), tuple(turn))
    hand.count_mat_cards()
    for card in turn:
        if turn.count(card) > card.count:
            raise InputError(
                f"cards: {turn.count(card)} of {_name(card)} given; the deck has {card.count}"
            )
    return hand


def cards_to_play(cards: Sequence[Card], actions: int, rule: int = 1) -> tuple[Card, ...]:
    """Return the smallest choice of cards that gives a turn enough actions; all cards if none does.

    Example:
        >>> [card.name for card in cards_to_play(read_hand("extra,take-2,double").turn, 2)]
        ['Extra Action']
    """
    for count in range(len(cards) + 1):
        for chosen in combinations(cards, count):
            if actions_of_turn(chosen, rule) >= actions:
                return chosen
    return tuple(cards)


def _name(card: Card) -> str:
    """Return the short name of a card that changes the number of actions in a turn."""
    return _SHORT.get(card.hook, _full_name(card))


def _full_name(card: Card) -> str:
    return card.name.lower().replace(" ", "-")


@cache
def _known_cards() -> tuple[Mapping[str, MatCard], Mapping[str, Card]]:
    """Return the cards that move one mat, and those that change the number of actions.

    They have their names in full and in short. Loading the game takes longer than a small question.
    """
    from pucklab.sim.bumpers.game.deck_file import house_deck

    mats, turn = {card.value: card for card in MatCard}, dict[str, Card]()
    for card in house_deck().cards:
        if card.hook in MAT_HOOKS:
            mats[_full_name(card)] = MAT_HOOKS[card.hook]
        elif card.hook in (ACTION_RULE, DOUBLE, EXTRA):
            turn[_full_name(card)] = turn[_name(card)] = card
    return mats, turn
