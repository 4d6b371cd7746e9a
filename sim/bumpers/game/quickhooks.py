"""What quick plays do. They take effect in `sim.bumpers.game.flow`, the last played first."""

from dataclasses import replace

from sim.bumpers.game.actions import actions_text, stopped
from sim.bumpers.game.cards import CardKind
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.hook import Hook
from sim.bumpers.game.piles import discarded, owing, with_card
from sim.bumpers.game.state import GameState

STOP = "stop"
_DOUBLE = "double-actions"


def _not_own_turn(state: GameState, player: int) -> str:
    return "" if player == state.player else "it adds to your own turn only"


def _not_to_double(state: GameState, player: int) -> str:
    waiting = any(state.card(quick.card).hook == _DOUBLE for quick in state.quick)
    if state.turn.doubled or waiting:
        return "the actions of this turn are doubled already (PB-27)"
    return _not_own_turn(state, player)


def _nothing_to_stop(state: GameState, player: int) -> str:
    del player
    if state.last is not None or any(state.card(q.card).hook == STOP for q in state.quick):
        return ""
    return "there is no action just done, and no other stop (PB-26)"


def _no_discards(state: GameState, player: int) -> str:
    del player
    return "" if state.discards else "the discard pile is empty"


def _double(state: GameState, player: int, card: int, log: Log) -> GameState:
    del card
    state = replace(state, turn=replace(state.turn, doubled=True))
    log.append(Event(Happening.RULE, player, f"{actions_text(state)} this turn"))
    return state


def _extra(state: GameState, player: int, card: int, log: Log) -> GameState:
    extra = state.turn.extra + state.card(card).number("actions")
    state = replace(state, turn=replace(state.turn, extra=extra))
    log.append(Event(Happening.RULE, player, f"{actions_text(state)} this turn"))
    return state


def _reverse(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Turn the direction of play: before the draw the turn is another's, later it ends (PB-18)."""
    del card
    state = replace(state, direction=-state.direction)
    log.append(Event(Happening.REVERSED, player))
    return replace(state, turn=replace(state.turn, over=True))


def _stop(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Stop the last stop that waits, else the action just done (PB-26)."""
    del player, card
    for place in reversed(range(len(state.quick))):
        waiting = state.quick[place]
        if state.card(waiting.card).hook == STOP:
            log.append(Event(Happening.STOPPED, waiting.player, state.card(waiting.card).name))
            quick = state.quick[:place] + state.quick[place + 1 :]
            return discarded(replace(state, quick=quick), waiting.card)
    return stopped(state, log)


def _draw(state: GameState, player: int, card: int, log: Log) -> GameState:
    del log
    return owing(state, player, state.card(card).number("cards"))


def _sweep(state: GameState, player: int, card: int, log: Log) -> GameState:
    del player, card, log
    return replace(state, shuffle_due=True)


def _take_top(state: GameState, player: int, card: int, log: Log) -> GameState:
    del card
    if not state.discards:
        return state
    top = state.discards[-1]
    log.append(Event(Happening.TOOK, player, state.card(top).name))
    return with_card(replace(state, discards=state.discards[:-1]), player, top)


def _hook(**fields: object) -> Hook:
    return Hook(kind=CardKind.QUICK_PLAY, **fields)  # type: ignore[arg-type]


QUICK_HOOKS = {
    _DOUBLE: _hook(effect=_double, why_not=_not_to_double),
    "extra-actions": _hook(effect=_extra, why_not=_not_own_turn, numbers=("actions",)),
    "reverse": _hook(effect=_reverse),
    STOP: _hook(effect=_stop, why_not=_nothing_to_stop),
    "draw-cards": _hook(effect=_draw, numbers=("cards",)),
    "shuffle-discards": _hook(effect=_sweep, why_not=_no_discards),
    "take-top-discard": _hook(effect=_take_top, why_not=_no_discards),
}
