"""States of games for tests of Puck Bumpers: players red, orange, yellow, green, in their turns."""

from collections import Counter
from dataclasses import replace

from pucklab.sim.bumpers.game import (
    GameConfig,
    GameState,
    Phase,
    choice_text,
    choices,
    house_deck,
    parse_choice,
    step,
)
from pucklab.sim.bumpers.game.piles import with_ongoing_rules, without
from pucklab.sim.bumpers.game.state import EventKind
from tests.bumpersboards import GOAL_9, position

DECK = house_deck()


def at_turn(
    *hands,
    pieces="RPa1.OPi1",
    scored="-",
    board=None,
    discards=(),
    pile=None,
    in_play=None,
    table=None,
    **fields,
):
    """Return a state in red's action phase.

    Args:
        hands: The names of the cards of red, orange and so on.
        pieces: The pieces, as `tests.bumpersboards.position` takes them.
        scored: Scored pucks.
        board: Other arguments of `tests.bumpersboards.position`.
        discards: The discard pile, its top last.
        pile: The draw pile, its top last; by default all other cards, no quick play on top.
        in_play: ``draw_rule``, ``action_rule`` and ``ongoing`` to a card's name.
        table: Other fields of the table.
        fields: Other fields of the state.
    """
    start = position(pieces, scored=scored, **({"mat": GOAL_9} | (board or {})))
    held = [numbers(hand) for hand in hands]
    setting = GameConfig(
        board=replace(start, pieces=(), scored=(0,) * 6, to_move=None),
        deck=DECK,
        **({"players": max(len(hands), 2)} | (table or {})),
    )
    played = {name: number(card) for name, card in (in_play or {}).items()}
    rest = DECK.numbers
    for card in (*sum(held, ()), *numbers(discards), *played.values()):
        rest = without(rest, card)
    state = GameState(
        config=setting,
        position=start,
        hands=tuple(tuple(sorted(hand)) for hand in held) + ((),) * (setting.players - len(hands)),
        draw_pile=rest if pile is None else numbers(pile),
        discards=numbers(discards),
        **({"phase": Phase.ACTION, "turns": 1} | played | fields),
    )
    return with_ongoing_rules(state)


def number(name):
    """Return the number of a card of the house deck."""
    return [card.name for card in DECK.cards].index(name)


def numbers(names):
    """Return the numbers of some cards."""
    return tuple(number(name) for name in names)


def names(cards):
    """Return the names of some cards."""
    return [DECK.cards[card].name for card in cards]


def do(state, *texts):
    """Return the state after some choices."""
    for text in texts:
        before = state
        state, events = step(state, parse_choice(state, text))
        check_told(before, state, events)
    return state


COMES = {EventKind.TOOK: 1, EventKind.KEPT: 1, EventKind.PLAYED: -1, EventKind.DISCARDED: -1}
"""Cards that an event brings to its player's hand."""


def check_told(before, after, events):
    """Check that the events of a step tell of every card that comes to a hand or leaves it."""
    told = Counter()
    for event in events:
        drawn = int(event.detail) if event.kind is EventKind.DREW else 0
        told[event.player] += COMES.get(event.kind, drawn)
    for player, hand in enumerate(before.hands):
        assert told[player] == len(after.hands[player]) - len(hand), events


def offered(state):
    """Return what there is to choose, as text."""
    return [choice_text(state, choice) for choice in choices(state)]


def cards_of(state):
    """Return the numbers of all cards, wherever they are, sorted: always the whole deck."""
    in_play = (state.draw_rule, state.action_rule, state.ongoing, state.resolving)
    pending = () if state.pending is None else (state.pending.card,)
    hands = (card for hand in state.hands for card in hand)
    waiting = (quick.card for quick in state.quick)
    single = (card for card in in_play if card is not None)
    return tuple(sorted((*hands, *state.draw_pile, *state.discards, *single, *pending, *waiting)))
