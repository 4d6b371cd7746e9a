"""Step 1: topping off the Arena."""

from sim.pokepucks.battle.condition import gain, lose
from sim.pokepucks.battle.events import Moved, PayerSet
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA, health
from sim.pokepucks.battle.question import Asking
from sim.pokepucks.battle.script import Script, pick
from sim.pokepucks.battle.state import BattleState, Step
from sim.pokepucks.battle.statuses import Status


def payer_of(state: BattleState) -> int:
    """Return who pays the current player's top-off: it may be a Confused player (PP-15, PP-36)."""
    return state.player if state.payer not in state.playing else state.payer


def topped_off_size(state: BattleState) -> int:
    """Return to how many pucks the Arena is topped off in this turn.

    Half, rounded down, but at least 1, if the previous player is Critical (PP-8); then 1 more if
    the payer is Poisoned (PP-16, PP-35).
    """
    size = state.max_size(ARENA) or 0
    if state.has(state.previous_player(state.player), Status.CRITICAL):
        size = max(size // 2, 1)
    return size + int(state.has(payer_of(state), Status.POISONED))


def top_off(ledger: Ledger) -> Script[Step]:
    """Fill the Arena from below; who must and cannot becomes Critical at once (PP-5, PP-9)."""
    state, payer = ledger.state, payer_of(ledger.state)
    missing = max(topped_off_size(state) - len(state.arena), 0)
    there = state.health(payer)
    paid = min(missing, len(there))
    if state.table.options.health_face == "up":
        pucks = yield from pick(payer, Asking.TOP_OFF, there, least=paid, most=paid, ordered=True)
    else:
        pucks = there[::-1][:paid]
    if pucks:
        ledger.enter(
            Moved(pucks=pucks, source=health(payer), target=ARENA, under=True, why="top-off")
        )
    if state.payer is not None:
        ledger.enter(PayerSet(player=None))
    if paid < missing:
        gain(ledger, payer, Status.CRITICAL, "no puck left to top off with")
    elif _ends_critical(state, paid):
        lose(ledger, payer, Status.CRITICAL, "top-off")
    return Step.AFTER_TOP_OFF


def _ends_critical(state: BattleState, paid: int) -> bool:
    """Return whether a top-off that did not fail ends its payer's Critical (PP-6)."""
    ends = state.table.options.critical_ends
    if ends == "paid":
        return paid > 0 or len(state.arena) >= (state.max_size(ARENA) or 0)
    return ends == "topped-off"
