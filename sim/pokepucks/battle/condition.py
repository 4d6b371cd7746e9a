"""Gaining and losing statuses, as Critical allows."""

from sim.pokepucks.battle.events import StatusGained, StatusLost
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.statuses import Status


def why_not_gain(state: BattleState, player: int, status: Status) -> str:
    """Return why a player's slammer cannot gain a status; empty if it can."""
    name = state.table.names[player]
    if state.has(player, status):
        return f"the slammer of {name} has {status} already"
    barred = state.has(player, Status.CRITICAL) and not state.table.options.is_wild
    if barred:
        return f"the slammer of {name} is Critical and gains no other status (PP-7)"
    return ""


def gain(ledger: Ledger, player: int, status: Status, why: str = "") -> bool:
    """Give a player's slammer a status, and return whether it gained it.

    Critical takes the others away (PP-7), except in a wild battle, where it has no rule (PP-24).
    """
    options = ledger.state.table.options
    if why_not_gain(ledger.state, player, status):
        return False
    if status is Status.CRITICAL and options.critical_clears and not options.is_wild:
        for other in ledger.state.statuses[player]:
            lose(ledger, player, other, str(status))
    ledger.enter(StatusGained(player=player, status=status, why=why))
    return True


def lose(ledger: Ledger, player: int, status: Status, why: str = "") -> bool:
    """Take a status from a player's slammer, and return whether it lost it.

    In a wild battle every slammer stays Critical (PP-24).
    """
    state = ledger.state
    stays = status is Status.CRITICAL and state.table.options.is_wild
    if stays or not state.has(player, status):
        return False
    ledger.enter(StatusLost(player=player, status=status, why=why))
    return True
