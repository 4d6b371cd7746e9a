"""Changes of state that cards and turns share: hands and piles, counting and undoing actions."""

from dataclasses import replace

from pucklab.physics import InputError
from pucklab.sim.bumpers.game.state import (
    Event,
    EventKind,
    GameState,
    Log,
    Pending,
    Phase,
    Shuffled,
    Snapshot,
)
from pucklab.sim.bumpers.mats import layout_problems
from pucklab.sim.bumpers.moves import Change


def with_card(state: GameState, player: int, *cards: int) -> GameState:
    """Return the state with cards added to a hand."""
    return _with_hand(state, player, (*state.hands[player], *cards))


def without_card(state: GameState, player: int, card: int) -> GameState:
    """Return the state with a card removed from a hand."""
    return _with_hand(state, player, without(state.hands[player], card))


def _with_hand(state: GameState, player: int, cards: tuple[int, ...]) -> GameState:
    """Return the state with a new hand for a player."""
    hands = list(state.hands)
    hands[player] = tuple(sorted(cards))
    return replace(state, hands=tuple(hands))


def discard(state: GameState, card: int) -> GameState:
    """Return the state with a card on top of the discard pile."""
    return replace(state, discards=(*state.discards, card))


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return cards without the last copy of a card."""
    place = len(cards) - 1 - cards[::-1].index(card)
    return cards[:place] + cards[place + 1 :]


def with_owed_cards(state: GameState, player: int, cards: int) -> GameState:
    """Return the state in which a player has to draw some more cards."""
    return replace(state, owed=(*state.owed, (player, cards)))


def draw_owed_cards(state: GameState, log: Log) -> GameState:
    """Return the state after the first draw that is owed.

    If the pile runs out, a shuffle comes in between; if the discard pile is empty too, fewer cards
    are drawn (PB-28).
    """
    (player, count), *others = state.owed
    taken = min(count, len(state.draw_pile))
    if taken:
        log.append(Event(EventKind.DREW, player, str(taken)))
    drawn = state.draw_pile[len(state.draw_pile) - taken :]
    state = replace(state, draw_pile=state.draw_pile[: len(state.draw_pile) - taken])
    state = with_card(state, player, *drawn)
    runs_out = not state.draw_pile and bool(state.discards)
    rest = ((player, count - taken),) if taken < count and runs_out else ()
    return replace(state, owed=(*rest, *others), shuffle_due=runs_out)


def shuffle_discards(state: GameState, choice: Shuffled, log: Log) -> GameState:
    """Return the state after the discards are shuffled into the draw pile.

    Raises:
        InputError: The order has other cards than the two piles.
    """
    if sorted(choice.cards) != sorted(state.draw_pile + state.discards):
        raise InputError("shuffle: the cards are not those of the draw pile and the discard pile")
    log.append(Event(EventKind.SHUFFLED, None, str(len(choice.cards))))
    return replace(state, draw_pile=choice.cards, discards=(), shuffle_due=False)


def snapshot_of(state: GameState) -> Snapshot:
    """Return the snapshot of a state before an action."""
    return Snapshot(
        player=state.player,
        position=state.position,
        before=state.turn.before,
        borrowed=state.turn.borrowed,
        draw_rule=state.draw_rule,
        ongoing=state.ongoing,
        series=state.series,
    )


def count_action(state: GameState, before: Snapshot) -> GameState:
    """Return the state after an action: it counts, and quick plays are asked for (PB-25)."""
    return replace(
        state,
        series=None if is_layout_legal(state) else state.series,
        turn=replace(state.turn, taken=state.turn.taken + 1),
        actions=state.actions + 1,
        last=before,
        asked=0,
    )


def begin_card(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Return the state with a pending card; the action before it can no longer be stopped."""
    del player, log
    return replace(state, pending=Pending(card=card, snapshot=snapshot_of(state)), last=None)


def finish_card(state: GameState) -> GameState:
    """Return the state after a game changer: the card is discarded and counted as an action."""
    before, card = state.begun.snapshot, state.begun.card
    return count_action(discard(replace(state, pending=None), card), before)


def undo_action(state: GameState, log: Log) -> GameState:
    """Return the state with the last action undone, though still spent (PB-26).

    Cards that it moved go back if they are still where it put them.
    """
    last = state.last
    if last is None:
        return state
    log.append(Event(EventKind.STOPPED, last.player))
    in_turn = state.phase is Phase.ACTION and last.player == state.player
    position = replace(last.position, to_move=state.position.to_move)
    if not in_turn and last.series is not None:
        position = replace(position, layout=last.series.layout)
    if in_turn:
        turn = replace(state.turn, before=last.before, borrowed=last.borrowed)
        state = replace(state, turn=turn, series=last.series)
    state = replace(state, last=None, position=position)
    # The previous draw card and ongoing card are in play again.
    for name in ("draw_rule", "ongoing"):
        now, then = getattr(state, name), getattr(last, name)
        if now == then:
            continue
        if now is not None:
            state = discard(state, now)
        if then is not None and then in state.discards:
            state = replace(state, discards=without(state.discards, then))
        else:
            then = None
        state = replace(state, **{name: then})
    if last.taken is not None and last.taken in state.hands[last.player]:
        log.append(Event(EventKind.DISCARDED, last.player, state.card(last.taken).name))
        state = discard(without_card(state, last.player, last.taken), last.taken)
    return with_ongoing_rules(state)


def with_ongoing_rules(state: GameState) -> GameState:
    """Return the state with the optional rules of the ongoing card in play."""
    slippery = state.ongoing is not None and state.card(state.ongoing).hook == "slippery-ice"
    always = state.config.board.rules.slippery_ice
    rules = replace(state.position.rules, slippery_ice=slippery or always)
    return replace(state, position=replace(state.position, rules=rules))


def is_layout_legal(state: GameState) -> bool:
    """Return whether the layout is legal; otherwise no piece may move (PB-23)."""
    return state.series is None or not layout_problems(state.position.layout, state.position.rules)


def log_scores(state: GameState, change: Change, log: Log) -> None:
    """Report the pucks that a move scored."""
    for movement in change.movements:
        if movement.scored:
            colour = movement.piece.colour
            log.append(Event(EventKind.SCORED, state.config.owner(colour), colour.word))


def actions_in_words(state: GameState) -> str:
    """Return the number of actions of the turn with its noun."""
    return f"{state.actions_allowed} action{'s' if state.actions_allowed != 1 else ''}"
