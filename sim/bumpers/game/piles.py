"""Hands and piles: to draw, to discard, to take."""

from dataclasses import replace

from physics import InputError
from sim.bumpers.game.choice import Shuffled
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.state import GameState


def with_card(state: GameState, player: int, card: int) -> GameState:
    """Return the state with a card more in a hand."""
    return _with_hand(state, player, (*state.hands[player], card))


def without_card(state: GameState, player: int, card: int) -> GameState:
    """Return the state with a card less in a hand."""
    return _with_hand(state, player, without(state.hands[player], card))


def discarded(state: GameState, card: int) -> GameState:
    """Return the state with a card on top of the discard pile."""
    return replace(state, discards=(*state.discards, card))


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return cards without the last copy of one."""
    place = len(cards) - 1 - cards[::-1].index(card)
    return cards[:place] + cards[place + 1 :]


def owing(state: GameState, player: int, cards: int) -> GameState:
    """Return the state in which a player is still to draw some cards."""
    return replace(state, owed=(*state.owed, (player, cards)))


def dealt(state: GameState, log: Log) -> GameState:
    """Return the state after the first draw owed; a shuffle comes between if the pile runs out.

    Where both piles are empty, what exists is drawn (PB-28).
    """
    (player, count), *others = state.owed
    taken = min(count, len(state.draw_pile))
    if taken:
        log.append(Event(Happening.DREW, player, str(taken)))
    drawn = state.draw_pile[len(state.draw_pile) - taken :]
    state = replace(state, draw_pile=state.draw_pile[: len(state.draw_pile) - taken])
    state = _with_hand(state, player, (*state.hands[player], *drawn))
    runs_out = not state.draw_pile and bool(state.discards)
    rest = ((player, count - taken),) if taken < count and runs_out else ()
    return replace(state, owed=(*rest, *others), shuffle_due=runs_out)


def shuffled(state: GameState, choice: Shuffled, log: Log) -> GameState:
    """Return the state after a shuffle of the discards into the draw pile.

    Raises:
        InputError: The order holds other cards than the piles.
    """
    if sorted(choice.cards) != sorted(state.draw_pile + state.discards):
        raise InputError("shuffle: the cards are not those of the draw pile and the discard pile")
    log.append(Event(Happening.SHUFFLED, None, str(len(choice.cards))))
    return replace(state, draw_pile=choice.cards, discards=(), shuffle_due=False)


def _with_hand(state: GameState, player: int, cards: tuple[int, ...]) -> GameState:
    hands = list(state.hands)
    hands[player] = tuple(sorted(cards))
    return replace(state, hands=tuple(hands))
