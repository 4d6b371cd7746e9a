"""Abilities that give an attack more."""

from sim.pokepucks.battle.attacking import attack
from sim.pokepucks.battle.events import AttackGranted, Moved
from sim.pokepucks.battle.handling import give
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA, health, prize
from sim.pokepucks.battle.question import Asking, Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.script import Script, pick
from sim.pokepucks.battle.state import BattleState, Grant
from sim.pokepucks.design import DesignKind
from sim.pokepucks.special.acting import attack_now, one_attack_more

_AS_ITEMS = {DesignKind.ITEM, DesignKind.PLAIN}
"""A plain puck counts as an Item."""


def _is_item(state: BattleState, puck: int) -> bool:
    return state.design(puck).kind in _AS_ITEMS


def _no_room(state: BattleState, player: int, use: Use) -> str:
    del use
    return "" if state.health_room(player) else "Health is full (PP-47)"


def _leech_seed(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Attack out of turn; a flip heals instead of being picked up."""
    done = yield from attack(ledger, player, Grant(rule=use.rule, most=0))
    if done.flipped:
        there = ledger.state.prize(player)
        pucks = yield from pick(player, Asking.RULE, there, least=1, most=1, rule=use.rule)
        give(ledger, pucks, prize(player), health(player), use.rule)


def _nothing_was_lost(state: BattleState, player: int, use: Use) -> str:
    del use
    turn = state.turns[state.previous_player(player)]
    lost = turn is not None and turn.picked
    return "" if lost else "the previous player picked nothing up in the last turn"


def _nothing_picked_up(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "" if state.turn.picked else "nothing was picked up in this turn"


def _no_item(state: BattleState, player: int, use: Use) -> str:
    del use
    if not any(_is_item(state, puck) for puck in state.turn.picked):
        return "no Item was picked up in this turn"
    there = any(_is_item(state, puck) for puck in state.prize(player))
    return "" if there else "no Item is in Prize"


def _pay_day(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Put an Item of Prize on the Arena; only Items may be picked up from the attack."""
    state = ledger.state
    items = tuple(puck for puck in state.prize(player) if _is_item(state, puck))
    pucks = yield from pick(player, Asking.RULE, items, least=1, most=1, rule=use.rule)
    # Ruling PP-42: the Arena may be overfilled.
    ledger.enter(Moved(pucks=pucks, source=prize(player), target=ARENA, why=use.rule))
    # Mr. Saia may bring a puck of the next player's Health into the throw.
    there = (*ledger.state.arena, *state.health(state.next_player(player)))
    only = tuple(puck for puck in there if _is_item(state, puck))
    ledger.enter(AttackGranted(grant=Grant(rule=use.rule, only=only)))


def _not_swift(state: BattleState, player: int, use: Use) -> str:
    """Bar Swift after an attack that it gave, and a second one after the same attack."""
    del player
    now = attack_now(state)
    if now.picked:
        return "the attack picked something up"
    if now.grant is not None and now.grant.rule == use.rule:
        return "an attack that Swift gave gives no other"
    waits = any(grant.rule == use.rule for grant in state.turn.grants)
    return "it acts once an attack" if waits else ""


MORE_ATTACK_RULES = (
    Rule(
        name="Leech Seed",
        source=Source.ABILITY,
        point=Point.PREVIOUS_DONE,
        effect=_leech_seed,
        why_not=_no_room,
    ),
    Rule(
        name="Rage",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACKS,
        effect=one_attack_more(1),
        why_not=_nothing_was_lost,
    ),
    Rule(
        name="Cross Chop",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACKS,
        effect=one_attack_more(1),
        why_not=_nothing_picked_up,
    ),
    Rule(name="Cut", source=Source.ABILITY, point=Point.AFTER_ATTACKS, effect=one_attack_more(1)),
    Rule(
        name="Pay Day",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACKS,
        effect=_pay_day,
        why_not=_no_item,
    ),
    Rule(
        name="Swift",
        source=Source.ABILITY,
        point=Point.AFTER_ATTACK,
        effect=one_attack_more(1),
        why_not=_not_swift,
        often=True,
    ),
)
