"""The special rules of Items and of Pokéball slammers.

Items that heal, switch and move pucks come first, then balls, then the Items that change the number
of attacks. Each group ends with its table of rules.
"""

from functools import partial
from typing import Any

from sim.pokepucks.battle.evaluation import (
    many_of_least_value,
    pucks_of,
    slammer_value,
)
from sim.pokepucks.battle.events import Flagged, Moved, SizeSet
from sim.pokepucks.battle.handling import add_attacks, discard, give, lose
from sim.pokepucks.battle.questions import Asking, Question, Reply, Script, Use, pick
from sim.pokepucks.battle.rules import (
    Hints,
    Ledger,
    Point,
    Rule,
    Source,
    View,
    WhyNot,
    special_rule,
    unless,
    wanted_never,
)
from sim.pokepucks.battle.state import (
    ARENA,
    UNREDUCED,
    BattleState,
    Status,
    collection,
    health,
    power,
    prize,
    slammer,
)
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special.abilities import (
    REST,
    SPIN_PENDING,
    attack_now,
    puck_of,
    top_off_would_fail,
    top_off_would_fail_healed,
)
from sim.pokepucks.special.amounts import AMOUNTS

_item = partial(special_rule, Source.ITEM)

_ability = partial(special_rule, Source.ABILITY)


def _nothing_to_heal(state: BattleState, player: int, _: Use) -> str:
    if not state.health_room(player):
        return "Health is full"
    return "" if state.prize(player) else "Prize is empty"


def _potion(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Heal up to two pucks."""
    healing = ledger.state.prize(player)
    most = min(AMOUNTS[use.rule].pucks, ledger.state.health_room(player))
    pucks = yield from pick(player, Asking.RULE, healing, least=1, most=most, rule=use.rule)
    give(ledger, pucks, prize(player), health(player), use.rule)
    discard(ledger, player, (puck_of(use),), use.rule)


def heals_well(view: View) -> bool:
    """Return whether a Potion heals as many pucks as it can, or is needed for the top-off."""
    state, player = view.state, view.player
    healed = min(state.health_room(player), len(state.prize(player)))
    return healed >= AMOUNTS["Potion"].pucks or top_off_would_fail(view)


def _new_slammers(state: BattleState, player: int) -> tuple[int, ...]:
    from_power = state.table.options.switch_from == "power"
    pucks = state.power(player) if from_power else state.collection(player)
    return tuple(puck for puck in pucks if state.table.is_slammer(puck))


def _no_switch(state: BattleState, player: int, _: Use) -> str:
    if SPIN_PENDING in state.effects[player]:
        return "Fire Spin holds the slammer"
    if not _new_slammers(state, player):
        return f"there is no slammer in {state.table.options.switch_from} (PP-50)"
    return ""


def _switch(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Switch the slammer; the statuses stay (PP-17)."""
    options = _new_slammers(ledger.state, player)
    pucks = yield from pick(player, Asking.RULE, options, least=1, most=1, rule=use.rule)
    old = ledger.state.slammer(player)
    assert old is not None
    source = ledger.state.place_of(pucks[0])
    give(ledger, (old,), slammer(player), power(player), use.rule)
    ledger.enter(Moved(pucks=pucks, source=source, target=slammer(player), why=use.rule))
    discard(ledger, player, (puck_of(use),), use.rule)


def _better_slammer(view: View) -> bool:
    slammer = view.state.slammer(view.player)
    assert slammer is not None
    now = slammer_value(view, slammer)
    return any(slammer_value(view, p) > now for p in _new_slammers(view.state, view.player))


def _best_slammer(view: View, question: Question) -> Reply:
    return (max(pucks_of(question), key=lambda puck: slammer_value(view, puck)),)


def _berry(ledger: Ledger, player: int, use: Use) -> None:
    source = ledger.state.place_of(puck_of(use))
    give(ledger, (puck_of(use),), source, health(player), use.rule)


def _healed(state: BattleState, player: int) -> tuple[str, ...]:
    """Return the statuses that Full Heal removes; Critical stays in a wild battle (PP-24)."""
    wild = state.table.options.is_wild
    return tuple(s for s in state.statuses[player] if not (wild and s == Status.CRITICAL))


def _full_heal(ledger: Ledger, player: int, use: Use) -> None:
    """Remove every status (PP-44)."""
    for status in _healed(ledger.state, player):
        lose(ledger, player, status, use.rule)
    if ledger.state.table.options.full_heal_discards:
        discard(ledger, player, (puck_of(use),), use.rule)


def _ails(view: View) -> bool:
    """Return whether the slammer has a status that hurts its own player's attacks or stacks."""
    statuses = view.state.statuses[view.player]
    return any(status != Status.CONFUSED for status in statuses)


def _awake(state: BattleState, player: int, _: Use) -> str:
    """Poké Flute acts before Rest, and not after it (PP-49)."""
    if not state.has(player, Status.SLEEP):
        return "the slammer is not asleep"
    rested = any(used.player == player and used.rule == REST for used in state.turn.used)
    return "it acts before Rest, which was used already (PP-49)" if rested else ""


def _flute(ledger: Ledger, player: int, use: Use) -> None:
    lose(ledger, player, Status.SLEEP, use.rule)


def _held(state: BattleState, player: int) -> int:
    """Return the pucks in the Arena and in Health together, at least 1 (PP-42)."""
    return max(len(state.arena) + len(state.health(player)), 1)


def _lowers(state: BattleState, player: int) -> bool:
    return _held(state, player) < (state.max_size(ARENA) or 0)


def _focus_sash(ledger: Ledger, player: int, use: Use) -> None:
    ledger.enter(SizeSet(place=ARENA, size=_held(ledger.state, player), why=use.rule))
    discard(ledger, player, (puck_of(use),), use.rule)


def _in_prize(state: BattleState, player: int, use: Use) -> str:
    return "" if use.puck in state.power(player) else "it is in Prize"


def _sandbag(ledger: Ledger, player: int, use: Use) -> None:
    discard(ledger, player, (puck_of(use),), use.rule)


def _hints(name: str, **others: Any) -> Hints:
    """Return advice on an Item, of which the table knows a part."""
    return Hints(many=AMOUNTS[name].many, cures=frozenset(AMOUNTS[name].cures), **others)


ITEM_RULES = (
    _item(
        "Potion",
        Point.BEFORE_TOP_OFF,
        _potion,
        why_not=_nothing_to_heal,
        hints=_hints(
            "Potion",
            wanted=heals_well,
            choice=many_of_least_value,
            value=3,
            heals=AMOUNTS["Potion"].pucks,
        ),
    ),
    _item(
        "Switch",
        Point.BEFORE_COUNTING,
        _switch,
        why_not=_no_switch,
        hints=Hints(wanted=_better_slammer, choice=_best_slammer, spent_as_shield=False),
    ),
    _item(
        "Berry",
        Point.PICKED_UP,
        _berry,
        why_not=unless("Health is full", BattleState.health_room),
        hints=_hints("Berry", value=3),
    ),
    _item(
        "Full Heal",
        Point.BEFORE_COUNTING,
        _full_heal,
        why_not=unless("the slammer has no status to lose", _healed),
        hints=_hints("Full Heal", wanted=_ails, value=3, spent_as_shield=False),
    ),
    _item(
        "Poké Flute",
        Point.BEFORE_TOP_OFF,
        _flute,
        why_not=_awake,
        hints=_hints("Poké Flute"),
    ),
    _item(
        "Focus Sash",
        Point.BEFORE_TOP_OFF,
        _focus_sash,
        why_not=unless("the Arena's max size would not become lower", _lowers),
        hints=Hints(wanted=top_off_would_fail_healed, value=3),
    ),
    _item(
        "Sandbag",
        Point.PICKED_UP,
        _sandbag,
        why_not=_in_prize,
        optional=False,
        limited=False,
        often=True,
        hints=Hints(value=0),
    ),
)


def _flipped_pokemon(state: BattleState) -> tuple[int, ...]:
    flipped = attack_now(state).flipped
    return tuple(puck for puck in flipped if state.design(puck).kind is DesignKind.POKEMON)


def _nothing_to_catch(state: BattleState, *_: object) -> str:
    options = state.table.options
    if options.balls_catch == "wild" and not options.is_wild:
        return "balls catch in wild battles only (PP-34)"
    flipped = _flipped_pokemon(state)
    if not flipped:
        return "no Pokémon slammer was flipped"
    caught = any(puck not in state.arena for puck in flipped)
    return "it catches one a throw" if caught else ""


def _catch(ledger: Ledger, player: int, use: Use) -> Script[None]:
    """Move a flipped slammer straight to the collection (PP-25)."""
    state = ledger.state
    flipped = _flipped_pokemon(state)
    pucks = yield from pick(player, Asking.RULE, flipped, least=1, most=1, rule=use.rule)
    # Ruling PP-22: pucks caught are kept if pucks picked up are.
    keeper = player if state.table.options.keeps_pucks else state.table.pucks[pucks[0]].returns_to
    ledger.enter(Moved(pucks=pucks, source=ARENA, target=collection(keeper), why=use.rule))


BALL_RULES = (
    _ability(
        "Pokéball",
        Point.SLAMMER_FLIPPED,
        _catch,
        why_not=_nothing_to_catch,
        kinds=frozenset({DesignKind.BALL}),
        often=True,
    ),
)


def _other_type(state: BattleState, _: int, use: Use) -> str:
    own, printed = state.turn.matchup.type, state.design(puck_of(use)).type
    if own is not None and own is printed:
        return ""
    return f"the slammer is of type {own or 'none'}, not {printed or 'none'}"


def _other_type_for_two(state: BattleState, player: int, use: Use) -> str:
    """Focus Energy needs its type for two attacks, too, unless an option says no (PP-54)."""
    return "" if state.table.options.focus_any_type else _other_type(state, player, use)


def _more_attacks(ledger: Ledger, player: int, use: Use) -> None:
    add_attacks(ledger, AMOUNTS[use.rule].attacks, ledger.state.design(puck_of(use)).name)
    if AMOUNTS[use.rule].spent:
        discard(ledger, player, (puck_of(use),), use.rule)


def _of_type(name: str, point: Point, *, why_not: WhyNot = _other_type, **others: Any) -> Rule:
    """Return the rule of an Item that gives attacks to slammers of its type."""
    return Rule(name=name, source=Source.ITEM, point=point, effect=_more_attacks,
                why_not=why_not, of_type=AMOUNTS[name].of_type, **others)  # fmt: skip


def _nothing_reduces(state: BattleState, player: int, _: Use) -> str:
    """Only Paralyzed takes one attack away (PP-54)."""
    if UNREDUCED in state.turn.flags:
        return "nothing takes an attack away any more"
    return "" if state.has(player, Status.PARALYZED) else "no special rule takes an attack away"


def _unreduced(ledger: Ledger, *_: object) -> None:
    ledger.enter(Flagged(flag=UNREDUCED))


COUNTING_ITEM_RULES = (
    _of_type("Energy", Point.COUNTING, optional=False),
    _of_type("Focus Energy", Point.AFTER_COUNTING),
    _of_type(
        "Focus Energy for two",
        Point.AFTER_COUNTING,
        why_not=_other_type_for_two,
        listing="Focus Energy",
        hints=Hints(wanted=wanted_never),  # it is worth more when it is kept
    ),
    _of_type("Power Stone", Point.AFTER_COUNTING, hints=_hints("Power Stone")),
    _item(
        "Silph Scope",
        Point.COUNTING,
        _unreduced,
        why_not=_nothing_reduces,
        hints=_hints("Silph Scope"),
    ),
)
