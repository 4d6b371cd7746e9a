"""Trainers: each works only while it is the only one in its owner's Power."""

from collections.abc import Sequence

from sim.pokepucks.battle.events import (
    Arranged,
    Flagged,
    LandingChanged,
    Moved,
    PickedUp,
    RuleUsed,
)
from sim.pokepucks.battle.ledger import Ledger, gain
from sim.pokepucks.battle.questions import Asking, Script, Use, pick
from sim.pokepucks.battle.state import ARENA, BattleState, Status, health, power
from sim.pokepucks.battle.table import Point, Rule, Source
from sim.pokepucks.battle.turn import discard, give, picked_up_to
from sim.pokepucks.special.abilities import attack_now, one_attack_more


def _one_puck(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "" if len(state.arena) > 1 else "the Arena has no order to change"


def _mr_smith(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Rearrange the Arena."""
    arena = ledger.state.arena
    order = yield from pick(
        player, Asking.RULE, arena, least=len(arena), ordered=True, rule=use.rule
    )
    ledger.enter(Arranged(place=ARENA, order=order, why=use.rule))


def _mark(state: BattleState, use: Use) -> str:
    """Return the word by which a turn remembers that a Trainer reacted to the last throw."""
    return f"{use.rule} after throw {state.throws}"


def _reacted(state: BattleState, use: Use) -> str:
    return "it acts once a throw" if _mark(state, use) in state.turn.flags else ""


def _flipped(state: BattleState) -> tuple[int, ...]:
    return tuple(puck for puck in attack_now(state).flipped if puck in state.arena)


def _no_exchange(state: BattleState, player: int, use: Use) -> str:
    if not _flipped(state):
        return "no puck was flipped"
    if not state.health(player):
        return "Health is empty"
    return _reacted(state, use)


def _mr_saia(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Exchange a flipped puck for one of Health, which counts as flipped there (PP-38)."""
    ledger.enter(Flagged(flag=_mark(ledger.state, use)))
    flipped, own = _flipped(ledger.state), ledger.state.health(player)
    (taken,) = yield from pick(player, Asking.RULE, flipped, least=1, most=1, rule=use.rule)
    (put,) = yield from pick(player, Asking.RULE, own, least=1, most=1, rule=use.rule)
    ledger.enter(Moved(pucks=(put,), source=health(player), target=ARENA, why=use.rule))
    ledger.enter(Moved(pucks=(taken,), source=ARENA, target=health(player), why=use.rule))
    now = attack_now(ledger.state)
    ledger.enter(
        LandingChanged(
            flipped=_with(now.flipped, taken, put),
            inside=_with(now.inside, taken, put),
            out=now.out,
            why=use.rule,
        )
    )


def _with(pucks: Sequence[int], old: int, new: int) -> tuple[int, ...]:
    return tuple(new if puck == old else puck for puck in pucks)


def _none_out(state: BattleState, player: int, use: Use) -> str:
    del player
    return _reacted(state, use) if attack_now(state).out else "no puck left the arena"


def _ms_hicks(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Pick up pucks that left the arena; the thrower pays as many, or becomes Critical."""
    ledger.enter(Flagged(flag=_mark(ledger.state, use)))
    out = attack_now(ledger.state).out
    pucks = yield from pick(player, Asking.RULE, out, least=1, rule=use.rule)
    for puck in pucks:
        target = picked_up_to(ledger.state, player, puck)
        ledger.enter(PickedUp(player=player, puck=puck, target=target))
        yield from _picked_up_out_of_turn(ledger, player, puck)
    paid = yield from _pay(ledger, ledger.state.player, len(pucks), use.rule)
    now = attack_now(ledger.state)
    # What is paid lies where the pucks lay that it replaces: among those to be put back on top.
    left = tuple(puck for puck in now.out if puck not in pucks)
    ledger.enter(
        LandingChanged(flipped=now.flipped, inside=now.inside, out=(*left, *paid), why=use.rule)
    )


def _picked_up_out_of_turn(ledger: Ledger, player: int, puck: int) -> Script[None]:
    """Do what Sandbag and Berry say of being picked up; their own points are of the own turn.

    Of Berries one a turn may be used (PP-43).
    """
    rule, place = ledger.state.design(puck).rule, ledger.state.place_of(puck)
    if rule == "Sandbag" and place == power(player):
        discard(ledger, player, (puck,), rule)
    used = (use.rule for use in ledger.state.turn.used if use.player == player)
    if rule == "Berry" and ledger.state.health_room(player) and rule not in used:
        eaten = yield from pick(player, Asking.RULE, (puck,), rule=rule)
        if eaten:
            ledger.enter(RuleUsed(player=player, rule=rule, puck=puck))
            give(ledger, eaten, place, health(player), rule)


def _pay(ledger: Ledger, thrower: int, count: int, rule: str) -> Script[tuple[int, ...]]:
    """Let the thrower move pucks from Health to the Arena, and return them."""
    there = ledger.state.health(thrower)
    due = min(count, len(there))
    paid = yield from pick(thrower, Asking.RULE, there, least=due, most=due, rule=rule)
    if paid:
        ledger.enter(Moved(pucks=paid, source=health(thrower), target=ARENA, why=rule))
    if due < count:
        gain(ledger, thrower, Status.CRITICAL, rule)
    return paid


def _picked_up(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "something was picked up in this turn" if state.turn.picked else ""


def _hit(state: BattleState, player: int, use: Use) -> str:
    del player, use
    return "the throw hit" if attack_now(state).hit else ""


TRAINER_RULES = (
    Rule(
        name="Mr. Smith",
        source=Source.TRAINER,
        point=Point.AFTER_TOP_OFF,
        effect=_mr_smith,
        why_not=_one_puck,
    ),
    Rule(
        name="Mr. Saia",
        source=Source.TRAINER,
        point=Point.PREVIOUS_THREW,
        effect=_mr_saia,
        why_not=_no_exchange,
        often=True,
    ),
    Rule(
        name="Mr. Merkert",
        source=Source.TRAINER,
        point=Point.AFTER_ATTACKS,
        effect=one_attack_more(),
        why_not=_picked_up,
        optional=False,
    ),
    Rule(
        name="Ms. Hicks",
        source=Source.TRAINER,
        point=Point.PREVIOUS_THREW,
        effect=_ms_hicks,
        why_not=_none_out,
        often=True,
    ),
    Rule(
        # Ruling PP-45 holds for it, too: with an empty Arena it would never end.
        name="You",
        source=Source.TRAINER,
        point=Point.AFTER_ATTACK,
        effect=one_attack_more(),
        why_not=_hit,
        optional=False,
    ),
)
