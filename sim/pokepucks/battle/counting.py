"""Step 3: counting the attacks, in the order of PP-13."""

from sim.pokepucks.battle.events import AttacksSet, Flagged, MatchupSet
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.rule import Point
from sim.pokepucks.battle.script import Script
from sim.pokepucks.battle.state import ASLEEP, UNREDUCED, BattleState, Matchup, Step
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.battle.windows import window


def matchup_of(state: BattleState) -> Matchup:
    """Return the types that are compared: the current player's and the next player's slammer."""
    own = state.slammer(state.player)
    other = state.slammer(state.next_player(state.player))
    assert own is not None
    assert other is not None
    return Matchup(
        type=state.design(own).type,
        weakness=state.design(other).weakness,
        resistance=state.design(other).resistance,
    )


def count_attacks(ledger: Ledger) -> Script[Step]:
    """Count the current player's attacks.

    One; special rules that count; weakness and resistance; then what acts after counting,
    Paralyzed, and last all that sets the attacks to one.
    """
    player = ledger.state.player
    set_attacks(ledger, 1, "turn")
    ledger.enter(MatchupSet(matchup=matchup_of(ledger.state)))
    yield from window(ledger, Point.MATCHING, player)
    yield from window(ledger, Point.COUNTING, player)
    _compare_types(ledger)
    yield from window(ledger, Point.COUNTED, player)
    yield from window(ledger, Point.AFTER_COUNTING, player)
    if ledger.state.has(player, Status.PARALYZED) and UNREDUCED not in ledger.state.turn.flags:
        add_attacks(ledger, -1, str(Status.PARALYZED))
    yield from window(ledger, Point.SETTING_COUNT, player)
    if ledger.state.has(player, Status.SLEEP):
        set_attacks(ledger, 1, str(Status.SLEEP))
        ledger.enter(Flagged(flag=ASLEEP))
    return Step.ATTACK


def _compare_types(ledger: Ledger) -> None:
    types = ledger.state.turn.matchup
    if types.type is not None and types.type is types.weakness:
        add_attacks(ledger, 1, "weakness")
    if types.type is not None and types.type is types.resistance:
        add_attacks(ledger, -1, "resistance")


def add_attacks(ledger: Ledger, more: int, why: str) -> None:
    """Add to the number of attacks, or take from it; it is at least 1."""
    set_attacks(ledger, max(ledger.state.turn.attacks + more, 1), why)


def set_attacks(ledger: Ledger, attacks: int, why: str) -> None:
    """Set the number of attacks, if it is another."""
    if attacks != ledger.state.turn.attacks:
        ledger.enter(AttacksSet(attacks=attacks, why=why))
