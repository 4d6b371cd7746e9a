"""Changes of pucks, statuses and counts as the rules allow: shared by steps and special rules."""

from pucklab.sim.pokepucks.battle.battle_setup import Pucks
from pucklab.sim.pokepucks.battle.events import (
    AttacksSet,
    Moved,
    PickedUp,
    StatusGained,
    StatusLost,
)
from pucklab.sim.pokepucks.battle.rule_book import Ledger
from pucklab.sim.pokepucks.battle.state import (
    Attack,
    BattleState,
    Place,
    StackKind,
    Status,
    power,
    prize,
)
from pucklab.sim.pokepucks.designs import DesignKind

_TO_POWER = {DesignKind.ITEM, DesignKind.TRAINER}
"""Kinds of pucks that go to Power when they are picked up, besides slammers (PP-29)."""


def why_not_gain(state: BattleState, player: int, status: str) -> str:
    """Return why a player's slammer cannot gain a status; empty if it can."""
    name = state.table.names[player]
    if state.has(player, status):
        return f"the slammer of {name} has {status} already"
    barred = state.has(player, Status.CRITICAL) and not state.table.options.is_wild
    if barred:
        return f"the slammer of {name} is Critical and gains no other status (PP-7)"
    return ""


def gain(ledger: Ledger, player: int, status: str, why: str = "") -> None:
    """Give a player's slammer a status, if it can gain it.

    Critical removes the other statuses (PP-7), except in a wild battle, where it has no effect
    (PP-24).
    """
    options = ledger.state.table.options
    if why_not_gain(ledger.state, player, status):
        return
    if status == Status.CRITICAL and options.critical_clears and not options.is_wild:
        for other in ledger.state.statuses[player]:
            lose(ledger, player, other, str(status))
    ledger.enter(StatusGained(player=player, status=status, why=why))


def lose(ledger: Ledger, player: int, status: str, why: str = "") -> None:
    """Remove a status from a player's slammer, if it has it.

    In a wild battle every slammer stays Critical (PP-24).
    """
    state = ledger.state
    stays = status == Status.CRITICAL and state.table.options.is_wild
    if state.has(player, status) and not stays:
        ledger.enter(StatusLost(player=player, status=status, why=why))


def move(
    ledger: Ledger,
    pucks: Pucks,
    source: Place,
    target: Place,
    why: str,
    *,
    under: bool = False,
) -> None:
    """Move pucks, if there are any; see `pucklab.sim.pokepucks.battle.events.Moved`."""
    if pucks:
        ledger.enter(Moved(pucks=pucks, source=source, target=target, under=under, why=why))


def give(ledger: Ledger, pucks: Pucks, source: Place, target: Place, why: str) -> None:
    """Move pucks for a special rule.

    Health is never overfilled: pucks without room stay where they are (PP-42). In a wild battle,
    pucks bound for Health or Power go to Prize.

    Args:
        ledger: The ledger.
        pucks: The pucks, in order.
        source: The stack they leave.
        target: The stack they are put on top of.
        why: The special rule.
    """
    state = ledger.state
    kind, player = target
    if player is not None and kind in {StackKind.HEALTH, StackKind.POWER}:
        if state.table.options.is_wild:
            target = prize(player)
        elif kind is StackKind.HEALTH:
            pucks = pucks[: state.health_room(player)]
    if source != target:
        move(ledger, pucks, source, target, why)


def pick_up(ledger: Ledger, player: int, puck: int) -> None:
    """Let a player pick a puck up (PP-29).

    Items and Trainers go to Power, and so do slammers unless an option says Prize; the others go to
    Prize. In a wild battle all go to Prize.
    """
    options, kind = ledger.state.table.options, ledger.state.design(puck).kind
    to_power = kind in _TO_POWER or (kind.is_slammer and options.slammers_picked_to == "power")
    target = power(player) if to_power and not options.is_wild else prize(player)
    ledger.enter(PickedUp(player=player, puck=puck, target=target))


def new_slammers(state: BattleState, player: int) -> Pucks:
    """Return the slammers for which a player may switch the own one (PP-50)."""
    from_power = state.table.options.switch_from == "power"
    pucks = state.power(player) if from_power else state.collection(player)
    return tuple(puck for puck in pucks if state.table.is_slammer(puck))


def pick_ups(state: BattleState, attack: Attack) -> Pucks:
    """Return the flipped pucks of an attack that may be picked up, before any limit."""
    return tuple(
        puck
        for puck in attack.flipped
        if puck in state.arena and (attack.only is None or puck in attack.only)
    )


def pick_up_count(state: BattleState) -> int:
    """Return how many pucks may be picked up from the attack under way."""
    now = state.attack
    if now is None or now.barred:
        return 0
    count = len(pick_ups(state, now))
    return count if now.most is None else min(now.most, count)


def add_attacks(ledger: Ledger, more: int, why: str) -> None:
    """Change the number of attacks by ``more``, which may be negative; it stays at least 1."""
    set_attacks(ledger, max(ledger.state.turn.attacks + more, 1), why)


def set_attacks(ledger: Ledger, attacks: int, why: str) -> None:
    """Set the number of attacks; an unchanged number is no event."""
    if attacks != ledger.state.turn.attacks:
        ledger.enter(AttacksSet(attacks=attacks, why=why))
