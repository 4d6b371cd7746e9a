"""Abilities that move pucks of one's own stacks: Surf and Rest."""

from sim.pokepucks.battle.condition import gain, why_not_gain
from sim.pokepucks.battle.events import Moved
from sim.pokepucks.battle.handling import give
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA, health, prize
from sim.pokepucks.battle.question import Asking, Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.script import Script, pick
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.statuses import Status

_SURF_MOST = 2
REST = "Rest"


def _no_prize(state: BattleState, player: int, use: Use) -> str:
    del use
    return "" if state.prize(player) else "Prize is empty"


def _surf(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Put up to two pucks of Prize on the Arena, over its max size too (PP-42)."""
    pucks = yield from pick(
        player,
        Asking.RULE,
        ledger.state.prize(player),
        least=1,
        most=_SURF_MOST,
        ordered=True,
        rule=use.rule,
    )
    ledger.enter(Moved(pucks=pucks, source=prize(player), target=ARENA, why=use.rule))


def _no_rest(state: BattleState, player: int, use: Use) -> str:
    """Rest asks for Sleep, which a Critical slammer cannot gain (PP-49)."""
    del use
    if state.has(player, Status.CRITICAL):
        return f"the slammer of {state.table.names[player]} is Critical (PP-49)"
    return why_not_gain(state, player, Status.SLEEP)


def _rest(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Fall asleep, and refill Health from Prize; the owner chooses if not all fit."""
    gain(ledger, player, Status.SLEEP, use.rule)
    there, room = ledger.state.prize(player), ledger.state.health_room(player)
    pucks = yield from pick(player, Asking.RULE, there, least=room, most=room, rule=use.rule)
    give(ledger, pucks, prize(player), health(player), use.rule)


HEALING_RULES = (
    Rule(
        name="Surf",
        source=Source.SUPPORT,
        point=Point.AFTER_TOP_OFF,
        effect=_surf,
        why_not=_no_prize,
    ),
    Rule(
        name=REST,
        source=Source.ABILITY,
        point=Point.BEFORE_TOP_OFF,
        effect=_rest,
        why_not=_no_rest,
    ),
)
