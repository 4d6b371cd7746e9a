"""Handling pucks as the rules allow: what special rules and steps move pucks with."""

from collections.abc import Sequence

from sim.pokepucks.battle.events import Moved
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import Place, StackKind, power, prize
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.design import DesignKind

_TO_POWER = {DesignKind.ITEM, DesignKind.TRAINER}


def give(
    ledger: Ledger, pucks: Sequence[int], source: Place, target: Place, why: str
) -> tuple[int, ...]:
    """Move pucks for a special rule, and return those that moved.

    Health is never overfilled: what finds no room stays (PP-42). In a wild battle what would go
    to Health or Power goes to Prize.

    Args:
        ledger: The ledger.
        pucks: The pucks, in order.
        source: The stack that they are in.
        target: The stack that they go to, on top.
        why: The special rule.
    """
    state = ledger.state
    kind, player = target
    if player is not None and kind in {StackKind.HEALTH, StackKind.POWER}:
        if state.table.options.is_wild:
            target = prize(player)
        elif kind is StackKind.HEALTH:
            pucks = pucks[: state.health_room(player)]
    if pucks and source != target:
        ledger.enter(Moved(pucks=tuple(pucks), source=source, target=target, why=why))
    return tuple(pucks)


def discard(ledger: Ledger, player: int, pucks: Sequence[int], why: str) -> None:
    """Move pucks from a player's Power to their Prize."""
    if pucks:
        moved = Moved(pucks=tuple(pucks), source=power(player), target=prize(player), why=why)
        ledger.enter(moved)


def picked_up_to(state: BattleState, player: int, puck: int) -> Place:
    """Return where a puck goes that a player picks up (PP-29).

    Items and Trainers go to Power, slammers too unless an option says Prize, others to Prize; in a
    wild battle all go to Prize.
    """
    options = state.table.options
    kind = state.design(puck).kind
    to_power = kind in _TO_POWER or (kind.is_slammer and options.slammers_picked_to == "power")
    return power(player) if to_power and not options.is_wild else prize(player)
