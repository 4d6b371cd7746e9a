"""The cards in hand: those that move mats, and those that change how many actions a turn has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from physics import InputError
from physics.errors import shown
from sim.bumpers.solver.solution import MOST_ACTIONS, Limits

if TYPE_CHECKING:
    from sim.bumpers.game.cards import Card


MOST_OF_A_KIND = 3


class MatCard(Enum):
    """A card that moves a mat; it is one action, and used up (PB-14, PB-22)."""

    TWIST = "twist"
    SWAP = "swap"
    SHIFT = "shift"


_MAT_HOOKS = {
    "turn-mats": MatCard.TWIST,
    "swap-mats": MatCard.SWAP,
    "shift-mats": MatCard.SHIFT,
}
_TAKE, _DOUBLE, _EXTRA = "action-rule", "double-actions", "extra-actions"
_SHORT = {_DOUBLE: "double", _EXTRA: "extra"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The cards in hand.

    Attributes:
        mats: Those that move mats.
        turn: Those that change how many actions a turn has; playing them is no action.
    """

    mats: tuple[MatCard, ...] = ()
    turn: tuple["Card", ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cards, as `read_hand` reads them."""
        return (*(card.value for card in self.mats), *(_name(card) for card in self.turn))

    @property
    def has_take(self) -> bool:
        """Whether a card changes the rule for everybody, not just for this turn."""
        return any(card.hook == _TAKE for card in self.turn)


def read_hand(text: str) -> Hand:
    """Return the cards of a text: their names with commas between them.

    Raises:
        InputError: A name is no card that a search knows, or there are more than there can be.

    Example:
        >>> hand = read_hand("twist,take-3,double")
        >>> hand.mats[0].name, actions_of_turn(hand.turn)
        ('TWIST', 6)
    """
    names = [part.strip().lower().replace(" ", "-") for part in text.split(",")]
    mats, turn = [], []
    for name in names:
        if name in _mat_cards():
            mats.append(_mat_cards()[name])
        elif name in _turn_cards():
            turn.append(_turn_cards()[name])
        else:
            known = (*(card.value for card in MatCard), *dict.fromkeys(map(_name, _listed())))
            raise InputError(f"cards: {shown(name)} is no card to give; give {', '.join(known)}")
    counted(mats)
    for card in turn:
        if turn.count(card) > card.count:
            raise InputError(
                f"cards: {turn.count(card)} times {_name(card)}; the deck has {card.count}"
            )
    return Hand(mats=tuple(mats), turn=tuple(turn))


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


def actions_of_turn(cards: Sequence["Card"], rule: int = 1) -> int:
    """Return the most actions of a turn in which any of some cards are played (PB-15, PB-27).

    Args:
        cards: Cards that change it.
        rule: Actions of the rule in play.

    Example:
        >>> actions_of_turn(read_hand("take-2,double,extra").turn, rule=3)
        7
    """
    best = max([rule, *(card.number("actions") for card in cards if card.hook == _TAKE)])
    doubled = any(card.hook == _DOUBLE for card in cards)
    extra = sum(card.number("actions") for card in cards if card.hook == _EXTRA)
    return best * (2 if doubled else 1) + extra


def most_actions(hand: Hand, rule: int | None, asked: int | None) -> int:
    """Return the most actions of a solution: of one turn if a rule or a card says how many it has.

    Args:
        hand: The cards in hand.
        rule: Actions of the rule in play; None where solutions may go over several turns.
        asked: The most that are wanted; None for no wish.
    """
    if rule is None and not hand.turn:
        return Limits().actions if asked is None else asked
    turn = actions_of_turn(hand.turn, rule or 1)
    return min(turn, MOST_ACTIONS if asked is None else asked)


def cards_to_play(cards: Sequence["Card"], actions: int, rule: int = 1) -> tuple["Card", ...]:
    """Return the fewest of some cards that make a turn of as many actions; all if none do.

    Example:
        >>> [card.name for card in cards_to_play(read_hand("extra,take-2,double").turn, 2)]
        ['Extra Action']
    """
    for count in range(len(cards) + 1):
        for chosen in combinations(cards, count):
            if actions_of_turn(chosen, rule) >= actions:
                return chosen
    return tuple(cards)


def _name(card: "Card") -> str:
    """Return the short name of a card that changes how many actions a turn has."""
    return _SHORT.get(card.hook, card.name.lower().replace(" ", "-"))


@lru_cache(maxsize=1)
def _listed() -> tuple["Card", ...]:
    """Return the cards of the house deck that change how many actions a turn has."""
    from sim.bumpers.game.deck_file import house_deck

    return tuple(card for card in house_deck().cards if card.hook in (_TAKE, _DOUBLE, _EXTRA))


@lru_cache(maxsize=1)
def _turn_cards() -> Mapping[str, "Card"]:
    """Return those cards by their short and whole names."""
    whole = {card.name.lower().replace(" ", "-"): card for card in _listed()}
    return whole | {_name(card): card for card in _listed()}


@lru_cache(maxsize=1)
def _mat_cards() -> Mapping[str, MatCard]:
    """Return the cards that move one mat, by their short and whole names."""
    from sim.bumpers.game.deck_file import house_deck

    whole = {
        card.name.lower().replace(" ", "-"): _MAT_HOOKS[card.hook]
        for card in house_deck().cards
        if card.hook in _MAT_HOOKS
    }
    return whole | {card.value: card for card in MatCard}
