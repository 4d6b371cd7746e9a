"""Items that change the number of attacks."""

from sim.pokepucks.battle.counting import add_attacks
from sim.pokepucks.battle.events import Flagged
from sim.pokepucks.battle.handling import discard
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.question import Use
from sim.pokepucks.battle.rule import Effect, Point, Rule, Source
from sim.pokepucks.battle.state import UNREDUCED, BattleState
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.special.acting import at_once, design_of


def _other_type(state: BattleState, player: int, use: Use) -> str:
    del player
    own, printed = state.turn.matchup.type, design_of(state, use).type
    if own is not None and own is printed:
        return ""
    return f"the slammer is of type {own or 'none'}, not {printed or 'none'}"


def _other_type_for_two(state: BattleState, player: int, use: Use) -> str:
    """Focus Energy needs its type for two attacks more as well, unless an option says no."""
    return "" if state.table.options.focus_any_type else _other_type(state, player, use)


def _more(attacks: int, *, then_discard: bool = False) -> Effect:
    """Return the effect of so many attacks more."""

    def act(ledger: Ledger, player: int, use: Use) -> None:
        assert use.puck is not None
        add_attacks(ledger, attacks, ledger.state.table.pucks[use.puck].name)
        if then_discard:
            discard(ledger, player, (use.puck,), use.rule)

    return at_once(act)


def _nothing_reduces(state: BattleState, player: int, use: Use) -> str:
    """Paralyzed is the only special rule that takes one attack away (PP-54)."""
    del use
    if UNREDUCED in state.turn.flags:
        return "nothing takes an attack away any more"
    return "" if state.has(player, Status.PARALYZED) else "no special rule takes an attack away"


def _unreduced(ledger: Ledger, player: int, use: Use) -> None:
    del player, use
    ledger.enter(Flagged(flag=UNREDUCED))


COUNTING_ITEM_RULES = (
    Rule(
        name="Energy",
        source=Source.ITEM,
        point=Point.COUNTING,
        effect=_more(1),
        why_not=_other_type,
        optional=False,
    ),
    Rule(
        name="Focus Energy",
        source=Source.ITEM,
        point=Point.AFTER_COUNTING,
        effect=_more(1),
        why_not=_other_type,
    ),
    Rule(
        name="Focus Energy for two",
        listing="Focus Energy",
        source=Source.ITEM,
        point=Point.AFTER_COUNTING,
        effect=_more(2, then_discard=True),
        why_not=_other_type_for_two,
    ),
    Rule(
        name="Power Stone",
        source=Source.ITEM,
        point=Point.AFTER_COUNTING,
        effect=_more(1, then_discard=True),
        why_not=_other_type,
    ),
    Rule(
        name="Silph Scope",
        source=Source.ITEM,
        point=Point.COUNTING,
        effect=at_once(_unreduced),
        why_not=_nothing_reduces,
    ),
)
