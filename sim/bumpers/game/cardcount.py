"""Where the cards of a game are."""

from sim.bumpers.game.state import GameState


def cards_of(state: GameState) -> tuple[int, ...]:
    """Return the numbers of all cards, wherever they are, in order: always the whole deck.

    Example:
        >>> from sim.bumpers.game import make_table, new_game
        >>> state = new_game(make_table(3))
        >>> cards_of(state) == state.table.deck.numbers
        True
    """
    in_play = (state.draw_rule, state.action_rule, state.ongoing, state.resolving)
    pending = () if state.pending is None else (state.pending.card,)
    hands = (card for hand in state.hands for card in hand)
    waiting = (quick.card for quick in state.quick)
    single = (card for card in in_play if card is not None)
    return tuple(sorted((*hands, *state.draw_pile, *state.discards, *single, *pending, *waiting)))
