"""Actions: what one was before, what it costs, and what a stop brings back."""

from dataclasses import replace

from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.piles import discarded, without, without_card
from sim.bumpers.game.state import GameState, Pending, Phase, Snapshot
from sim.bumpers.layoutrules import layout_problems


def snapshot_of(state: GameState) -> Snapshot:
    """Return what an action may change, as it is before it."""
    return Snapshot(
        player=state.player,
        position=state.position,
        before=state.turn.before,
        borrowed=state.turn.borrowed,
        draw_rule=state.draw_rule,
        ongoing=state.ongoing,
        series=state.series,
    )


def counted(state: GameState, before: Snapshot) -> GameState:
    """Return the state after an action: it is counted, and quick plays are asked for (PB-25)."""
    return replace(
        state,
        series=None if is_mended(state) else state.series,
        turn=replace(state.turn, taken=state.turn.taken + 1),
        actions=state.actions + 1,
        last=before,
        asked=0,
    )


def begun(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Return the state with a card under way; the action before it can no longer be stopped."""
    del player, log
    return replace(state, pending=Pending(card=card, snapshot=snapshot_of(state)), last=None)


def card_done(state: GameState) -> GameState:
    """Return the state after a game changer did all it does: discarded and counted."""
    assert state.pending is not None
    before, card = state.pending.snapshot, state.pending.card
    return counted(discarded(replace(state, pending=None), card), before)


def is_mended(state: GameState) -> bool:
    """Return whether the layout is legal: pieces move on no other (PB-23)."""
    return state.series is None or not layout_problems(state.position.layout, state.position.rules)


def mats_back(state: GameState, log: Log) -> GameState:
    """Return the state with a series of mat moves that did not become legal taken back (PB-23)."""
    if state.series is None:
        return state
    log.append(Event(Happening.MATS_BACK, state.player))
    position = replace(state.position, layout=state.series.layout)
    return replace(state, position=position, series=None)


def stopped(state: GameState, log: Log) -> GameState:
    """Return the state with the action just done undone; it stays spent (PB-26).

    Cards that the action moved go back as far as they are still where it put them.
    """
    last = state.last
    if last is None:
        return state
    log.append(Event(Happening.STOPPED, last.player))
    in_turn = state.phase is Phase.ACTION and last.player == state.player
    position = replace(last.position, to_move=state.position.to_move)
    if not in_turn and last.series is not None:
        position = replace(position, layout=last.series.layout)
    if in_turn:
        turn = replace(state.turn, before=last.before, borrowed=last.borrowed)
        state = replace(state, turn=turn, series=last.series)
    state = _rules_back(replace(state, last=None, position=position), last)
    if last.taken is not None and last.taken in state.hands[last.player]:
        state = discarded(without_card(state, last.player, last.taken), last.taken)
    return with_ongoing_rules(state)


def with_ongoing_rules(state: GameState) -> GameState:
    """Return the state whose position is played by the rules of the ongoing card in play."""
    slippery = state.ongoing is not None and state.card(state.ongoing).hook == "slippery-ice"
    always = state.table.board.rules.slippery_ice
    rules = replace(state.position.rules, slippery_ice=slippery or always)
    return replace(state, position=replace(state.position, rules=rules))


def _rules_back(state: GameState, last: Snapshot) -> GameState:
    """Return the state with the draw card and the ongoing card of before in play again."""
    for name in ("draw_rule", "ongoing"):
        now, then = getattr(state, name), getattr(last, name)
        if now == then:
            continue
        if now is not None:
            state = discarded(state, now)
        if then is not None and then in state.discards:
            state = replace(state, discards=without(state.discards, then))
        else:
            then = None
        state = replace(state, **{name: then})
    return state


def actions_text(state: GameState) -> str:
    """Return the number of actions of the turn in words."""
    return f"{state.allowed} action{'s' if state.allowed != 1 else ''}"
