"""What cards that stay in play do: draw rules, action rules and ongoing cards."""

from dataclasses import replace

from sim.bumpers.game.actions import actions_text, counted, snapshot_of, with_ongoing_rules
from sim.bumpers.game.cards import CardKind
from sim.bumpers.game.events import Event, Happening, Log
from sim.bumpers.game.hook import Hook
from sim.bumpers.game.piles import discarded
from sim.bumpers.game.state import GameState


def _draw_rule(state: GameState, player: int, card: int, log: Log) -> GameState:
    before, old = snapshot_of(state), state.draw_rule
    state = replace(state, draw_rule=card)
    log.append(Event(Happening.RULE, player, f"draw {state.to_draw}"))
    return counted(state if old is None else discarded(state, old), before)


def _action_rule(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Set the rule at once (PB-15)."""
    old = state.action_rule
    state = replace(state, action_rule=card)
    if old is not None:
        state = discarded(state, old)
    log.append(Event(Happening.RULE, player, actions_text(state)))
    return state


def _ongoing(state: GameState, player: int, card: int, log: Log) -> GameState:
    """Put the card into play; the one before is discarded (PB-31)."""
    before, old = snapshot_of(state), state.ongoing
    state = replace(state, ongoing=card)
    log.append(Event(Happening.RULE, player, state.card(card).name))
    if old is not None:
        state = discarded(state, old)
    return counted(with_ongoing_rules(state), before)


RULE_HOOKS = {
    "draw-rule": Hook(kind=CardKind.DRAW, effect=_draw_rule, numbers=("cards",)),
    "action-rule": Hook(kind=CardKind.ACTION, effect=_action_rule, numbers=("actions",)),
    "slippery-ice": Hook(kind=CardKind.GAME_CHANGER, effect=_ongoing),
    "frozen-mats": Hook(kind=CardKind.GAME_CHANGER, effect=_ongoing),
}
