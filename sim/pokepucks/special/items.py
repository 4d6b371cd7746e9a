"""Items that heal, wake, switch and move pucks."""

from sim.pokepucks.battle.condition import lose
from sim.pokepucks.battle.events import Moved, SizeSet
from sim.pokepucks.battle.handling import discard, give
from sim.pokepucks.battle.ledger import Ledger
from sim.pokepucks.battle.places import ARENA, health, power, prize, slammer
from sim.pokepucks.battle.question import Asking, Use
from sim.pokepucks.battle.rule import Point, Rule, Source
from sim.pokepucks.battle.script import Script, pick
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.statuses import Status
from sim.pokepucks.special.acting import at_once
from sim.pokepucks.special.healing import REST
from sim.pokepucks.special.hindering import SPIN_PENDING

_POTION_MOST = 2


def _puck(use: Use) -> int:
    assert use.puck is not None
    return use.puck


def _nothing_to_heal(state: BattleState, player: int, use: Use) -> str:
    del use
    if not state.health_room(player):
        return "Health is full"
    return "" if state.prize(player) else "Prize is empty"


def _potion(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Heal up to two pucks."""
    there = ledger.state.prize(player)
    most = min(_POTION_MOST, ledger.state.health_room(player))
    pucks = yield from pick(player, Asking.RULE, there, least=1, most=most, rule=use.rule)
    give(ledger, pucks, prize(player), health(player), use.rule)
    discard(ledger, player, (_puck(use),), use.rule)


def _new_slammers(state: BattleState, player: int) -> tuple[int, ...]:
    from_power = state.table.options.switch_from == "power"
    there = state.power(player) if from_power else state.collection(player)
    return tuple(puck for puck in there if state.table.is_slammer(puck))


def _no_switch(state: BattleState, player: int, use: Use) -> str:
    del use
    if SPIN_PENDING in state.effects[player]:
        return "Fire Spin holds the slammer"
    if not _new_slammers(state, player):
        return f"there is no slammer in {state.table.options.switch_from} (PP-50)"
    return ""


def _switch(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Change the slammer; statuses stay with its place (PP-17)."""
    options = _new_slammers(ledger.state, player)
    pucks = yield from pick(player, Asking.RULE, options, least=1, most=1, rule=use.rule)
    old = ledger.state.slammer(player)
    assert old is not None
    source = ledger.state.place_of(pucks[0])
    give(ledger, (old,), slammer(player), power(player), use.rule)
    ledger.enter(Moved(pucks=pucks, source=source, target=slammer(player), why=use.rule))
    discard(ledger, player, (_puck(use),), use.rule)


def _full(state: BattleState, player: int, use: Use) -> str:
    del use
    return "" if state.health_room(player) else "Health is full"


def _berry(ledger: Ledger, player: int, use: Use) -> None:
    source = ledger.state.place_of(_puck(use))
    give(ledger, (_puck(use),), source, health(player), use.rule)


def _healed(state: BattleState, player: int) -> tuple[Status, ...]:
    """Return what Full Heal removes; in a wild battle every slammer stays Critical (PP-24)."""
    wild = state.table.options.is_wild
    return tuple(s for s in state.statuses[player] if not (wild and s is Status.CRITICAL))


def _healthy(state: BattleState, player: int, use: Use) -> str:
    del use
    return "" if _healed(state, player) else "the slammer has no status to lose"


def _full_heal(ledger: Ledger, player: int, use: Use) -> None:
    """Remove every status (PP-44)."""
    for status in _healed(ledger.state, player):
        lose(ledger, player, status, use.rule)
    if ledger.state.table.options.full_heal_discards:
        discard(ledger, player, (_puck(use),), use.rule)


def _awake(state: BattleState, player: int, use: Use) -> str:
    """Poké Flute acts before Rest in the window (PP-49)."""
    del use
    if not state.has(player, Status.SLEEP):
        return "the slammer does not sleep"
    rested = any(used.player == player and used.rule == REST for used in state.turn.used)
    return "Rest was used after it could have played (PP-49)" if rested else ""


def _flute(ledger: Ledger, player: int, use: Use) -> None:
    lose(ledger, player, Status.SLEEP, use.rule)


def _held(state: BattleState, player: int) -> int:
    """Return what Arena and own Health hold together; a max size is not below 1 (PP-42)."""
    return max(len(state.arena) + len(state.health(player)), 1)


def _not_lower(state: BattleState, player: int, use: Use) -> str:
    del use
    lower = _held(state, player) < (state.max_size(ARENA) or 0)
    return "" if lower else "the Arena's max size would not become lower"


def _focus_sash(ledger: Ledger, player: int, use: Use) -> None:
    ledger.enter(SizeSet(place=ARENA, size=_held(ledger.state, player), why=use.rule))
    discard(ledger, player, (_puck(use),), use.rule)


def _in_prize(state: BattleState, player: int, use: Use) -> str:
    return "" if use.puck in state.power(player) else "it is in Prize"


def _sandbag(ledger: Ledger, player: int, use: Use) -> None:
    discard(ledger, player, (_puck(use),), use.rule)


ITEM_RULES = (
    Rule(
        name="Potion",
        source=Source.ITEM,
        point=Point.BEFORE_TOP_OFF,
        effect=_potion,
        why_not=_nothing_to_heal,
    ),
    Rule(
        name="Switch",
        source=Source.ITEM,
        point=Point.BEFORE_COUNTING,
        effect=_switch,
        why_not=_no_switch,
    ),
    Rule(
        name="Berry",
        source=Source.ITEM,
        point=Point.PICKED_UP,
        effect=at_once(_berry),
        why_not=_full,
    ),
    Rule(
        name="Full Heal",
        source=Source.ITEM,
        point=Point.BEFORE_COUNTING,
        effect=at_once(_full_heal),
        why_not=_healthy,
    ),
    Rule(
        name="Poké Flute",
        source=Source.ITEM,
        point=Point.BEFORE_TOP_OFF,
        effect=at_once(_flute),
        why_not=_awake,
    ),
    Rule(
        name="Focus Sash",
        source=Source.ITEM,
        point=Point.BEFORE_TOP_OFF,
        effect=at_once(_focus_sash),
        why_not=_not_lower,
    ),
    Rule(
        name="Sandbag",
        source=Source.ITEM,
        point=Point.PICKED_UP,
        effect=at_once(_sandbag),
        why_not=_in_prize,
        optional=False,
        limited=False,
        often=True,
    ),
)
