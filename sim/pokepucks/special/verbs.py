"""The verbs of special rules: the keys of each, its points of the turn, and its effect.

A `Verb` has two functions: ``why_not`` reads the state, ``do`` enters events, as a script if it
asks for something.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pucklab.sim.pokepucks.battle.battle_setup import Pucks
from pucklab.sim.pokepucks.battle.evaluation import by_value, most_valuable, pucks_of, slammer_value
from pucklab.sim.pokepucks.battle.events import (
    Arranged,
    AttackBarred,
    AttackGranted,
    AttackLimited,
    Declared,
    EffectGained,
    EffectLost,
    Flagged,
    LandingChanged,
    MatchupSet,
    Moved,
    RuleUsed,
    SizeSet,
)
from pucklab.sim.pokepucks.battle.handling import (
    add_attacks,
    gain,
    give,
    lose,
    move,
    new_slammers,
    pick_up,
    pick_up_count,
    set_attacks,
    why_not_gain,
)
from pucklab.sim.pokepucks.battle.questions import Asking, Script, Use, pick
from pucklab.sim.pokepucks.battle.rule_book import Choice, Ledger, Point
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    BattleState,
    Grant,
    Status,
    collection,
    health,
    power,
    prize,
    slammer,
)
from pucklab.sim.pokepucks.battle.turn import attack
from pucklab.sim.pokepucks.designs import Deed, DesignKind, EnergyType
from pucklab.sim.pokepucks.special.conditions import is_item, stack_of
from pucklab.sim.pokepucks.special.judgement import best_exchange, least_to_pay


class Doing(NamedTuple):
    """A verb that is being carried out: the ledger, its rule, its owner and its keys."""

    player: int  # the owner of the rule
    seat: int  # the player whom the verb is about
    use: Use
    deed: Deed
    why: str  # the rule, for people


Done = Script[bool | None] | None
"""A script if it asks for something, which returns False if the verbs after it do nothing."""


_COUNTING = (Point.COUNTING, Point.COUNTED, Point.AFTER_COUNTING, Point.SETTING_COUNT)
_IN_ATTACKS = (
    Point.BEFORE_ATTACK,
    Point.PREVIOUS_THREW,
    Point.COUNTING_PICK_UPS,
    Point.PICKED_UP,
    Point.AFTER_ATTACK,
)
_ANY = tuple(point for point in Point if point not in (Point.MATCHING, Point.SLAMMER_FLIPPED))
"""The points at which most verbs may act."""

BETWEEN_ATTACKS = tuple(point for point in _ANY if point not in _IN_ATTACKS)
"""Points without an attack under way, at which the Arena is a stack as it should be."""


class Verb(NamedTuple):
    """A verb of special rules."""

    do: Callable[[Ledger, Doing], Any]  # a script, which returns False if no verb follows, or None
    keys: str = ""
    why_not: Callable[[BattleState, Doing], str] | None = None  # None if it can always act
    points: Sequence[Point] = _ANY
    passive: bool = False  # a rule does not act for it alone if it has other verbs
    choice: Choice | None = None  # of players, where it asks


def _held(state: BattleState, doing: Doing) -> int:
    """Return the pucks in the Arena and in Health together, at least 1 (PP-42)."""
    return max(len(state.arena) + len(state.health(doing.player)), 1)


def _puck(doing: Doing) -> int:
    assert doing.use.puck is not None
    return doing.use.puck


def _removable(state: BattleState, doing: Doing) -> list[str]:
    """Return the statuses that go; Critical stays in a wild battle (PP-24)."""
    wild, wanted = state.table.options.is_wild, doing.deed.status
    return [
        status
        for status in state.statuses[doing.seat]
        if wanted in (status, "all") and not (wild and status == Status.CRITICAL)
    ]


def _remove_status(ledger: Ledger, doing: Doing) -> None:
    for status in _removable(ledger.state, doing):
        lose(ledger, doing.seat, status, doing.why)


def _change_attacks(ledger: Ledger, doing: Doing) -> None:
    why = doing.why
    if doing.use.puck is not None:
        design = ledger.state.design(doing.use.puck)
        if design.kind is DesignKind.ITEM and design.type:
            why = design.name
    add_attacks(ledger, doing.deed.by or 0, why)


def _grant_attack(ledger: Ledger, doing: Doing) -> None:
    state, only = ledger.state, None
    if doing.deed.only:
        # Mr. Saia may bring a puck of the next player's Health into the throw.
        possible = (*state.arena, *state.health(state.next_player(doing.player)))
        only = tuple(puck for puck in possible if is_item(state, puck))
    grant = Grant(rule=doing.use.rule, most=doing.deed.most, only=only)
    ledger.enter(AttackGranted(grant=grant))


def _limit_pick_up(ledger: Ledger, doing: Doing) -> None:
    state, deed = ledger.state, doing.deed
    limit, most = deed.most or 0, state.now.most
    if deed.by is not None:
        limit = pick_up_count(state) + deed.by
    elif most is not None:
        limit = min(most, limit)
    ledger.enter(AttackLimited(most=limit, why=doing.why))


def _movable(state: BattleState, doing: Doing) -> tuple[Pucks, int]:
    """Return the pucks of a stack that may move, and how many do."""
    deed, seat, wild = doing.deed, doing.seat, state.table.options.is_wild
    there = state.stack(stack_of(deed.source, seat))
    if deed.only:
        there = tuple(puck for puck in there if is_item(state, puck))
    count = min(1 if deed.most is None else deed.most, len(there))
    if wild and ("Arena" in (deed.source, deed.to) or (deed.source, deed.to) == _HEALING):
        return there, 0  # a wild battle has no Arena stack, and no Health (PP-24)
    if deed.to == "Health" and not wild:
        count = min(count, state.health_room(seat))
    return there, count


_HEALING = ("Prize", "Health")


def _why_not_move(state: BattleState, doing: Doing) -> str:
    there, count = _movable(state, doing)
    if count:
        return ""
    return "Health is full" if there and doing.deed.to == "Health" else "no puck would move"


def _move_pucks(ledger: Ledger, doing: Doing) -> Done:
    deed, seat, rule = doing.deed, doing.seat, doing.use.rule
    source, target = stack_of(deed.source, seat), stack_of(str(deed.to), seat)
    pucks, count = _movable(ledger.state, doing)
    least = count if deed.least is None else deed.least
    if source == ARENA:
        pucks = pucks[::-1][:count]  # the Arena is face down: from the top
    else:
        ordered = target == ARENA and count > 1
        pucks = yield from pick(
            seat, Asking.RULE, pucks, least=least, most=count, ordered=ordered, rule=rule
        )
    if target == ARENA:
        ledger.enter(Moved(pucks=pucks, source=source, target=target, why=doing.why))
    else:
        give(ledger, pucks, source, target, doing.why)
    return None


def _move_itself(ledger: Ledger, doing: Doing) -> None:
    puck = _puck(doing)
    target = stack_of(str(doing.deed.to), doing.player)
    give(ledger, (puck,), ledger.state.place_of(puck), target, doing.why)


def _kinds(state: BattleState, doing: Doing) -> list[EnergyType | None]:
    """Return the types that the wanted one may become; the verb needs just one."""
    wanted = doing.deed.to
    if wanted == "weakness":
        return [state.turn.matchup.weakness]
    held = map(state.design, state.power(doing.player))
    of_rule = [design.type for design in held if design.rule == wanted]
    return [kind for kind in EnergyType if kind == wanted] or of_rule


def _why_not_match(state: BattleState, doing: Doing) -> str:
    facing, count = doing.deed.facing, len(_kinds(state, doing))
    other = state.slammer(state.next_player(doing.player))
    if facing and (other is None or state.design(other).type != facing):
        return f"the next slammer is not of type {facing}"
    if count == 1:
        return ""
    return f"{count} {doing.deed.to} pucks are in Power, and it needs just one"


def _match_types(ledger: Ledger, doing: Doing) -> None:
    (kind,) = _kinds(ledger.state, doing)
    changed = replace(ledger.state.turn.matchup, **{doing.deed.what: kind})
    ledger.enter(MatchupSet(matchup=changed, why=doing.why))


def _attack(ledger: Ledger, doing: Doing) -> Done:
    grant = Grant(rule=doing.use.rule, most=doing.deed.most)
    done = yield from attack(ledger, doing.player, grant)
    return bool(done.flipped)


def _arrange_arena(ledger: Ledger, doing: Doing) -> Done:
    arena = ledger.state.arena
    order = yield from pick(
        doing.player, Asking.RULE, arena, least=len(arena), ordered=True, rule=doing.use.rule
    )
    ledger.enter(Arranged(place=ARENA, order=order, why=doing.why))
    return None


def _pick_one(doing: Doing, options: Pucks) -> Script[int]:
    """Ask the owner of the rule for one of some pucks."""
    (puck,) = yield from pick(
        doing.player, Asking.RULE, options, least=1, most=1, rule=doing.use.rule
    )
    return puck


def _exchange(ledger: Ledger, doing: Doing) -> Done:
    """Exchange a flipped puck for one from Health, which then counts as flipped (PP-38)."""
    player, rule = doing.player, doing.use.rule
    flipped, own = ledger.state.now.flipped, ledger.state.health(player)
    taken = yield from _pick_one(doing, flipped)
    put = yield from _pick_one(doing, own)
    move(ledger, (put,), health(player), ARENA, rule)
    move(ledger, (taken,), ARENA, health(player), rule)
    now = ledger.state.now
    flipped, inside = (
        tuple(put if puck == taken else puck for puck in pucks)
        for pucks in (now.flipped, now.inside)
    )
    ledger.enter(LandingChanged(flipped=flipped, inside=inside, out=now.out, why=rule))
    return None


def _collect(ledger: Ledger, doing: Doing) -> Done:
    """Pick up pucks that left the arena; the thrower pays as many, or becomes Critical."""
    player, rule, thrower = doing.player, doing.use.rule, ledger.state.player
    out = ledger.state.now.out
    pucks = yield from pick(player, Asking.RULE, out, least=1, rule=rule)
    for puck in pucks:
        pick_up(ledger, player, puck)
        yield from _let_picked_up_act(ledger, player, puck)
    available = ledger.state.health(thrower)
    due = min(len(pucks), len(available))
    paid = yield from pick(thrower, Asking.RULE, available, least=due, most=due, rule=rule)
    move(ledger, paid, health(thrower), ARENA, rule)
    if due < len(pucks):
        gain(ledger, thrower, Status.CRITICAL, rule)
    now = ledger.state.now
    # The pucks paid take the place of those picked up: among the pucks to be put back on top.
    left = tuple(puck for puck in now.out if puck not in pucks)
    landing = LandingChanged(
        flipped=now.flipped, inside=now.inside, out=(*left, *paid), why=doing.why
    )
    ledger.enter(landing)
    return None


def _let_picked_up_act(ledger: Ledger, player: int, puck: int) -> Script[None]:
    """Let the rules of a puck act that react to a pick-up; their point is for the own turn only.

    A rule that its owner decides about, such as that of Berry, acts once a turn (PP-43).
    """
    for rule, use in ledger.uses[Point.PICKED_UP].get(puck, ()):
        if rule.why_not(ledger.state, player, use):
            continue
        if rule.optional:
            used = (use.rule for use in ledger.state.turn.used if use.player == player)
            if rule.name in used:
                continue
            accepted = yield from pick(player, Asking.RULE, (puck,), rule=rule.name)
            if not accepted:
                continue
            ledger.enter(RuleUsed(player=player, rule=rule.name, puck=puck))
        yield from rule.effect(ledger, player, use) or ()


def _switch_slammer(ledger: Ledger, doing: Doing) -> Done:
    """Switch the slammer; the statuses stay (PP-17)."""
    player, why = doing.player, doing.why
    puck = yield from _pick_one(doing, new_slammers(ledger.state, player))
    old = ledger.state.slammer(player)
    assert old is not None
    source = ledger.state.place_of(puck)
    give(ledger, (old,), slammer(player), power(player), why)
    move(ledger, (puck,), source, slammer(player), why)
    return None


def _flipped_pokemon(state: BattleState) -> Pucks:
    flipped = state.now.flipped
    return tuple(puck for puck in flipped if state.design(puck).kind is DesignKind.POKEMON)


def _why_not_catch(state: BattleState, _: Doing) -> str:
    options = state.table.options
    if options.balls_catch == "wild" and not options.is_wild:
        return "balls catch in wild battles only (PP-34)"
    flipped = _flipped_pokemon(state)
    if not flipped:
        return "no Pokémon slammer was flipped"
    caught = any(puck not in state.arena for puck in flipped)
    return "it catches one a throw" if caught else ""


def _catch_slammer(ledger: Ledger, doing: Doing) -> Done:
    """Move a flipped slammer straight to the collection (PP-25)."""
    state, player = ledger.state, doing.player
    puck = yield from _pick_one(doing, _flipped_pokemon(state))
    # Ruling PP-22: pucks caught are kept if pucks picked up are.
    keeper = player if state.table.options.keeps_pucks else state.table.pucks[puck].returns_to
    move(ledger, (puck,), ARENA, collection(keeper), doing.why)
    return None


VERBS: Mapping[str, Verb] = {
    "give status": Verb(
        lambda ledger, doing: gain(ledger, doing.seat, doing.deed.status, doing.why),
        "status player",
        why_not=lambda state, doing: why_not_gain(state, doing.seat, doing.deed.status),
    ),
    "remove status": Verb(
        _remove_status,
        "status player",
        why_not=lambda state, doing: "" if _removable(state, doing) else "there is none to lose",
    ),
    "change attacks": Verb(_change_attacks, "by", points=_COUNTING),
    "set attacks": Verb(
        lambda ledger, doing: set_attacks(ledger, int(doing.deed.to or 1), doing.why),
        "to",
        points=_COUNTING,
    ),
    "grant attack": Verb(
        _grant_attack, "most only", points=(Point.AFTER_ATTACK, Point.AFTER_ATTACKS)
    ),
    "limit pick-up": Verb(
        _limit_pick_up,
        "most by",
        why_not=lambda state, doing: (
            "nothing is picked up" if doing.deed.by is not None and not pick_up_count(state) else ""
        ),
        points=(Point.COUNTING_PICK_UPS,),
    ),
    "move pucks": Verb(_move_pucks, "from to most least player only", why_not=_why_not_move),
    "move itself": Verb(
        _move_itself,
        "to",
        why_not=lambda state, doing: (
            "Health is full"
            if doing.deed.to == "Health" and not state.health_room(doing.player)
            else ""
        ),
        points=(Point.PICKED_UP,),
    ),
    "match types": Verb(
        _match_types, "facing what to", why_not=_why_not_match, points=(Point.MATCHING,)
    ),
    "declare": Verb(
        lambda ledger, doing: ledger.enter(Declared(rule=doing.use.rule)),
        "status",
        why_not=lambda state, _: (
            ""
            if state.arena and not state.now.declared
            else "it is declared, or no throw is made at an empty Arena (PP-41)"
        ),
        points=(Point.BEFORE_ATTACK,),
    ),
    "attack": Verb(_attack, "most", points=(Point.PREVIOUS_DONE,)),
    "arrange Arena": Verb(
        _arrange_arena,
        why_not=lambda state, _: "" if len(state.arena) > 1 else "the Arena has no order to change",
        points=BETWEEN_ATTACKS,
        choice=lambda view, question: tuple(by_value(view, pucks_of(question))),
    ),
    "exchange": Verb(
        _exchange,
        why_not=lambda state, doing: (
            "no puck was flipped"
            if not state.now.flipped
            else "Health is empty" * (not state.health(doing.player))
        ),
        points=(Point.PREVIOUS_THREW,),
        choice=best_exchange,
    ),
    "collect": Verb(
        _collect,
        why_not=lambda state, _: "" if state.now.out else "no puck left the arena",
        points=(Point.PREVIOUS_THREW,),
        choice=least_to_pay,
    ),
    "switch slammer": Verb(
        _switch_slammer,
        why_not=lambda state, doing: (
            ""
            if new_slammers(state, doing.player)
            else f"there is no slammer in {state.table.options.switch_from} (PP-50)"
        ),
        points=(Point.BEFORE_COUNTING,),
        choice=lambda view, question: (
            max(pucks_of(question), key=lambda puck: slammer_value(view, puck)),
        ),
    ),
    "catch slammer": Verb(
        _catch_slammer,
        why_not=_why_not_catch,
        points=(Point.SLAMMER_FLIPPED,),
        choice=most_valuable,
    ),
    "lower Arena": Verb(
        lambda ledger, doing: ledger.enter(
            SizeSet(place=ARENA, size=_held(ledger.state, doing), why=doing.why)
        ),
        why_not=lambda state, doing: (
            ""
            if _held(state, doing) < (state.max_size(ARENA) or 0)
            else "the Arena's max size would not become lower"
        ),
        points=(Point.BEFORE_TOP_OFF,),
    ),
    "discard": Verb(
        lambda ledger, doing: move(
            ledger, (_puck(doing),), power(doing.player), prize(doing.player), doing.why
        ),
        why_not=lambda state, doing: (
            "" if doing.use.puck in state.power(doing.player) else "it is not in Power"
        ),
        passive=True,
    ),
    "add effect": Verb(
        lambda ledger, doing: ledger.enter(
            EffectGained(player=doing.seat, effect=doing.deed.effect)
        ),
        "effect player",
    ),
    "end effect": Verb(
        lambda ledger, doing: ledger.enter(
            EffectLost(player=doing.player, effect=doing.deed.effect)
        ),
        "effect",
        passive=True,
    ),
    "bar pick-up": Verb(
        lambda ledger, doing: ledger.enter(AttackBarred(why=doing.why)),
        points=(Point.COUNTING_PICK_UPS,),
    ),
    "remember": Verb(
        lambda ledger, doing: ledger.enter(Flagged(flag=doing.deed.word)),
        "word",
        why_not=lambda state, doing: (
            "it is remembered already" if doing.deed.word in state.turn.flags else ""
        ),
    ),
}
