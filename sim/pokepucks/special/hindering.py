"""Abilities that hinder the next or the previous player."""

from sim.pokepucks.battle.condition import gain
from sim.pokepucks.battle.events import AttackBarred, AttackLimited, Declared, EffectGained
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.question import Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.special.acting import at_once, attack_now, used_up

CURL_PENDING = "Defense Curl's pick-up less"
SPIN_PENDING = "Fire Spin's hold"


def _declared_already(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "it is declared" if attack_now(state).declared else ""


def _declare(ledger: Ledger, player: int, use: Use) -> None:
    del player
    ledger.enter(Declared(rule=use.rule))


def _status_rules(name: str, status: Status) -> tuple[Rule, Rule]:
    """Return the rules of an ability that is declared, and gives a status in place of pucks."""

    def why_not_strike(state: BattleState, player: int, use: Use) -> str:
        del player, use
        now = attack_now(state)
        if now.declared != name:
            return f"{name} is not declared"
        return f"{name} acts once a throw" if now.barred == name else ""

    def strike(ledger: Ledger, player: int, use: Use) -> None:
        del use
        ledger.enter(AttackBarred(why=name))
        gain(ledger, ledger.state.next_player(player), status, name)

    declaring = Rule(
        name=name,
        source=Source.ABILITY,
        point=Point.BEFORE_ATTACK,
        effect=at_once(_declare),
        why_not=_declared_already,
        often=True,
    )
    striking = Rule(
        name=f"{name}'s flip",
        listing=name,
        source=Source.ABILITY,
        point=Point.COUNTING_PICK_UPS,
        effect=at_once(strike),
        why_not=why_not_strike,
        optional=False,
        often=True,
    )
    return declaring, striking


def _picked_up(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "something was picked up in this turn" if state.turn.picked else ""


def _curl(ledger: Ledger, player: int, use: Use) -> None:
    del use
    previous = ledger.state.previous_player(player)
    ledger.enter(EffectGained(player=previous, effect=CURL_PENDING))


def _no_pick_up(state: BattleState, player: int, use: Use) -> str:
    """Defense Curl waits for the next pick-up of one puck or more (PP-48)."""
    del player, use
    return "" if _pick_ups(state) else "nothing is picked up"


def _pick_ups(state: BattleState) -> int:
    """Return how many pucks may be picked up from the attack under way."""
    now = attack_now(state)
    there = [puck for puck in now.flipped if now.only is None or puck in now.only]
    there = [puck for puck in there if puck in state.arena]
    if now.barred:
        return 0
    return len(there) if now.most is None else min(now.most, len(there))


def _one_fewer(ledger: Ledger, player: int, use: Use) -> None:
    ledger.enter(AttackLimited(most=_pick_ups(ledger.state) - 1, why="Defense Curl"))
    used_up(ledger, player, use)


def _none_flipped(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "" if state.turn.flipped else "nothing was flipped in this turn"


def _spin(ledger: Ledger, player: int, use: Use) -> None:
    del use
    following = ledger.state.next_player(player)
    ledger.enter(EffectGained(player=following, effect=SPIN_PENDING))


HINDERING_RULES = (
    *_status_rules("Thunder Wave", Status.PARALYZED),
    *_status_rules("Sing", Status.SLEEP),
    *_status_rules("Poison Cloud", Status.POISONED),
    Rule(
        name="Defense Curl",
        source=Source.ABILITY,
        point=Point.ATTACKS_OVER,
        effect=at_once(_curl),
        why_not=_picked_up,
        optional=False,
    ),
    Rule(
        name=CURL_PENDING,
        source=Source.EFFECT,
        point=Point.COUNTING_PICK_UPS,
        effect=at_once(_one_fewer),
        why_not=_no_pick_up,
        optional=False,
        often=True,
    ),
    Rule(
        name="Fire Spin",
        source=Source.ABILITY,
        point=Point.ATTACKS_OVER,
        effect=at_once(_spin),
        why_not=_none_flipped,
        optional=False,
    ),
    Rule(
        # Slammers are changed in the own turn only, so it may end with that.
        name=SPIN_PENDING,
        source=Source.EFFECT,
        point=Point.TURN_OVER,
        effect=at_once(used_up),
        optional=False,
    ),
)
