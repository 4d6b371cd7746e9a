"""Special rules of a user's own: read from a file, checked, and carried out.

A file with pucks of your own (see `sim.pokepucks.design_file`) may have ``[[rules]]``, and its
pucks name them under ``rule``::

    [[rules]]
    name = "Confuse Ray"
    kind = "ability"                      # ability, support, item, trainer or status
    when = "counting what is picked up"   # a point of the turn, one of POINTS
    if = ["something flipped"]            # all must hold; of CONDITIONS; optional
    does = [
      { verb = "limit pick-up", most = 0 },
      { verb = "give status", status = "Confused", player = "next" },
    ]

A status of your own is a name under which rules of kind ``"status"`` are listed: they act on the
player whose slammer has it, whenever they can, and it stays until a rule removes it::

    [[rules]]
    name = "Burned"                       # the status, given by the verb "give status"
    kind = "status"
    when = "before topping off"
    does = [{ verb = "move pucks", from = "Health", to = "Prize", most = 2 }]

    [[rules]]
    name = "Burns out"
    listing = "Burned"                    # another rule of the same status: when it ends
    kind = "status"
    when = "at the end of a turn"
    if = ["something picked up"]
    does = [{ verb = "remove status", status = "Burned" }]

A condition may also be a status, or a number such as ``Health at most 3``: Health, Power, Prize,
Arena or attacks, ``at most`` or ``at least``; ``next`` or ``previous`` before them is about another
player than the owner. Critical ends and bars own statuses like all others, and Full Heal removes
them.

Other keys: ``optional`` (the owner decides; true if not given, and false for a status), ``wanted``
(false if the greedy player should leave it alone), ``wanted_if`` (conditions without which it
does), ``text`` (its effect in a sentence) and ``listing`` (the name under which pucks list it, so
that several rules can share a puck; the rule's name if not given).

===============  ===========================================  =====================================
verb             keys                                         effect
===============  ===========================================  =====================================
give status      status, player                               the player's slammer gains a status
remove status    status, player                               it loses a status
change attacks   by (-3 to 3)                                 more or fewer attacks, at least one
set attacks      to (1 to 9)                                  that number of attacks
grant attack     most (0 to 20; no limit if not given)        one more attack, made next
limit pick-up    most (0 to 20)                               at most so many from this attack
move pucks       from, to, most (1 to 20), player             so many pucks, or all that there are
discard          none                                         the puck with the rule goes to Prize
===============  ===========================================  =====================================

``player`` is owner (if not given), next or previous. Pucks move between Health, Power and Prize of
one player and the Arena; that player picks them, and from the Arena the topmost go. A verb that can
do nothing does nothing; a rule of which no verb can do anything does not act. Health is never
overfilled, the Arena may be (PP-42). A rule acts once a turn with each puck (PP-45).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from physics import InputError
from physics.decoding import check_names, check_one_of, encode
from physics.errors import check_count, refusal
from sim.pokepucks.battle.evaluation import many_of_least_value, most_valuable
from sim.pokepucks.battle.events import AttackGranted, AttackLimited, Moved
from sim.pokepucks.battle.handling import (
    add_attacks,
    discard,
    gain,
    give,
    lose,
    set_attacks,
    why_not_gain,
)
from sim.pokepucks.battle.questions import Asking, Script, Use, pick
from sim.pokepucks.battle.rules import (
    Effect,
    Hints,
    Ledger,
    Point,
    Rule,
    RuleBook,
    Source,
    Wanted,
    WhyNot,
    wanted_always,
    wanted_never,
)
from sim.pokepucks.battle.state import (
    ARENA,
    BattleState,
    Grant,
    Place,
    StackKind,
    Status,
)
from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import Deed, DesignKind, OwnRule, name_key
from sim.pokepucks.special import shipped_rules

MAX_RULES = 100
"""Most rules of a file."""

_MAX_DEEDS = 8
_MAX_NAME = 40
_MAX_TEXT = 200

KINDS = {
    "ability": Source.ABILITY,
    "support": Source.SUPPORT,
    "item": Source.ITEM,
    "trainer": Source.TRAINER,
    "status": Source.EFFECT,
}
"""The kinds of rules, and where each acts."""

_COUNTING = (Point.COUNTING, Point.COUNTED, Point.AFTER_COUNTING, Point.SETTING_COUNT)
_BETWEEN_ATTACKS = (
    Point.BEFORE_TOP_OFF,
    Point.AFTER_TOP_OFF,
    Point.BEFORE_COUNTING,
    *_COUNTING,
    Point.AFTER_ATTACKS,
    Point.ATTACKS_OVER,
    Point.PREVIOUS_DONE,
    Point.TURN_OVER,
)
"""Points without an attack under way, at which the Arena is a stack as it should be."""

POINTS = (
    *_BETWEEN_ATTACKS[:7],
    Point.BEFORE_ATTACK,
    Point.PREVIOUS_THREW,
    Point.COUNTING_PICK_UPS,
    Point.PICKED_UP,
    Point.AFTER_ATTACK,
    *_BETWEEN_ATTACKS[7:],
)
"""The points at which a rule from a file may act, in the order of a turn."""

_OF_OWN_ATTACKS = (Point.COUNTING_PICK_UPS, Point.PICKED_UP)
"""Points that Leech Seed's attack and Ms. Hicks's pick-ups have out of turn, too."""

_SEATS = ("owner", "next", "previous")
_STACKS = {
    "Health": StackKind.HEALTH,
    "Power": StackKind.POWER,
    "Prize": StackKind.PRIZE,
    "Arena": StackKind.ARENA,
}

VERBS: Mapping[str, tuple[tuple[str, ...], tuple[Point, ...]]] = {
    "give status": (("status", "player"), POINTS),
    "remove status": (("status", "player"), POINTS),
    "change attacks": (("by",), _COUNTING),
    "set attacks": (("to",), _COUNTING),
    "grant attack": (("most",), (Point.AFTER_ATTACK, Point.AFTER_ATTACKS)),
    "limit pick-up": (("most",), (Point.COUNTING_PICK_UPS,)),
    "move pucks": (("from", "to", "most", "player"), POINTS),
    "discard": ((), POINTS),
}
"""The verbs: the keys of each, and the points at which it may be used."""

_NUMBERS: Mapping[str, tuple[str, int, int]] = {
    "change attacks": ("by", -3, 3),
    "set attacks": ("to", 1, 9),
    "grant attack": ("most", 0, 20),
    "limit pick-up": ("most", 0, 20),
    "move pucks": ("most", 1, 20),
}
"""The key of each verb's number, and its range."""


def _flipped(state: BattleState, _: int) -> bool:
    return bool(state.turn.flipped if state.attack is None else state.attack.flipped)


def _picked(state: BattleState, _: int) -> bool:
    return bool(state.turn.picked if state.attack is None else state.attack.picked)


def _missed(state: BattleState, _: int) -> bool:
    return state.attack is not None and state.attack.thrown and not state.attack.hit


CONDITIONS: Mapping[str, Callable[[BattleState, int], bool]] = {
    "something flipped": _flipped,
    "nothing flipped": lambda state, player: not _flipped(state, player),
    "something picked up": _picked,
    "nothing picked up": lambda state, player: not _picked(state, player),
    "missed": _missed,
}
"""Conditions of a rule on the attack under way, or else on the turn."""

_COMPARED = re.compile(r"(Health|Power|Prize|Arena|attacks) at (most|least) (\d{1,2})")
_EXAMPLES = ("Health at most 3", "next Prize at least 1")


def _holds(state: BattleState, player: int, condition: str) -> bool:
    """Return whether a condition holds for the owner of a rule."""
    if condition in CONDITIONS:
        return CONDITIONS[condition](state, player)
    seat, asked = _seat_and_rest(state, player, condition)
    compared = _COMPARED.fullmatch(asked)
    if compared is None:
        return state.has(seat, asked)
    what, way, number = compared.groups()
    have = state.turn.attacks if what == "attacks" else len(state.stack(_stack(what, seat)))
    return have <= int(number) if way == "most" else have >= int(number)


def _seat_and_rest(state: BattleState, player: int, condition: str) -> tuple[int, str]:
    word, _, rest = condition.partition(" ")
    return (_seat(state, player, word), rest) if word in _SEATS[1:] else (player, condition)


def _check_condition(where: str, condition: str, statuses: Sequence[str]) -> None:
    asked = condition.removeprefix("next ").removeprefix("previous ")
    if not _COMPARED.fullmatch(asked) and asked not in statuses:
        check_one_of(where, condition, (*CONDITIONS, *statuses, *_EXAMPLES))


def check_rules(where: str, rules: Sequence[OwnRule]) -> None:
    """Check special rules from a file or a record.

    Args:
        where: Name of their list in an error.
        rules: The rules.

    Raises:
        InputError: A value is not accepted; the message names the rule.
    """
    check_count(f"{where}: number of rules", len(rules), 0, MAX_RULES)
    shipped = {name_key(name) for r in shipped_rules().rules for name in (r.name, r.listing)}
    shipped |= set(map(name_key, Status))
    taken: set[str] = set()
    statuses = (*Status, *dict.fromkeys(rule.listing for rule in rules if rule.kind == "status"))
    for number, rule in enumerate(rules, start=1):
        place = f"{where} {number} ({rule.name})"
        _check_name(f"{place} name", rule.name)
        _check_name(f"{place} listing", rule.listing)
        for key in {name_key(rule.name), name_key(rule.listing)} & shipped:
            raise InputError(
                f"{place}: pucklab has a rule or status {key!r} already; give another name"
            )
        if name_key(rule.name) in taken:
            raise InputError(f"{place} name: it is there twice")
        taken.add(name_key(rule.name))
        check_one_of(f"{place} kind", rule.kind, tuple(KINDS))
        check_one_of(f"{place} when", rule.when, POINTS)
        for field in ("if", "wanted_if"):
            for condition in rule.conditions if field == "if" else rule.wanted_if:
                _check_condition(f"{place} {field}", condition, statuses)
        if len(rule.text) > _MAX_TEXT or not rule.text.isprintable():
            raise InputError(f"{place} text: give a line of at most {_MAX_TEXT} characters")
        check_count(f"{place} does: number of verbs", len(rule.does), 1, _MAX_DEEDS)
        for n, deed in enumerate(rule.does, start=1):
            _check_deed(f"{place} does {n}", rule, deed, statuses)


def _check_name(where: str, name: str) -> None:
    good = name.isprintable() and name == " ".join(name.split()) and len(name) <= _MAX_NAME
    if not good or not any(map(str.isalpha, name)) or "," in name:
        accepted = f"1 to {_MAX_NAME} printed signs with a letter, without a comma"
        raise refusal(where, name, accepted)


def _check_deed(where: str, rule: OwnRule, deed: Deed, statuses: Sequence[str]) -> None:
    check_one_of(f"{where} verb", deed.verb, tuple(VERBS))
    keys, points = VERBS[deed.verb]
    usual = encode(Deed(verb=deed.verb))
    given = {key: part for key, part in encode(deed).items() if part != usual[key]}
    check_names(where, given, keys)
    if rule.when not in points:
        accepted = ", ".join(points)
        raise InputError(f"{where}: {deed.verb!r} does not go with {rule.when!r}; give {accepted}")
    check_one_of(f"{where} player", deed.player, _SEATS)
    if "status" in keys:
        check_one_of(f"{where} status", deed.status, statuses)
    if deed.verb in _NUMBERS and not (deed.verb == "grant attack" and deed.most is None):
        key, low, high = _NUMBERS[deed.verb]
        check_count(f"{where} {key}", _number(deed), low, high)
    if deed.verb != "move pucks":
        return
    check_one_of(f"{where} from", deed.source, tuple(_STACKS))
    check_one_of(f"{where} to", deed.to, tuple(_STACKS))
    if deed.source == deed.to:
        raise InputError(f"{where} to: {deed.to!r} is where they are; give another stack")
    if "Arena" in (deed.source, deed.to) and rule.when not in _BETWEEN_ATTACKS:
        accepted = ", ".join(_BETWEEN_ATTACKS)
        raise InputError(f"{where}: the Arena is not to be touched {rule.when!r}; give {accepted}")


def _number(deed: Deed) -> int | None:
    """Return the number of a verb's key; None for no limit, or for verbs without one."""
    if deed.verb == "move pucks":
        return 1 if deed.most is None else deed.most
    number: int | None = getattr(deed, _NUMBERS[deed.verb][0]) if deed.verb in _NUMBERS else None
    return number


def known_own_rules(rules: Sequence[OwnRule], kind: DesignKind) -> dict[str, bool]:
    """Return the listings of rules from a file for pucks of a kind; none of them have a type."""
    return {rule.listing: False for rule in rules if KINDS[rule.kind].kind is kind}


def rules_from(rules: Sequence[OwnRule]) -> tuple[Rule, ...]:
    """Return the special rules, ready for a `sim.pokepucks.battle.rules.RuleBook`.

    Args:
        rules: The rules, as `check_rules` accepts them.
    """
    return tuple(
        Rule(
            name=rule.name,
            source=KINDS[rule.kind],
            point=Point(rule.when),
            effect=_effect(rule),
            why_not=_why_not(rule),
            listing=rule.listing,
            optional=rule.optional and rule.kind != "status",
            hints=Hints(
                wanted=_wanted(rule),
                many=any(deed.verb == "discard" for deed in rule.does),
                choice=(
                    most_valuable
                    if any(deed.to == "Power" for deed in rule.does)
                    else many_of_least_value
                ),
            ),
        )
        for rule in rules
    )


def _wanted(rule: OwnRule) -> Wanted:
    if not rule.wanted or not rule.wanted_if:
        return wanted_always if rule.wanted else wanted_never
    return lambda view: all(_holds(view.state, view.player, each) for each in rule.wanted_if)


def rules_of(table: Table) -> RuleBook:
    """Return the book of the special rules in play on a table: the shipped ones, and its own."""
    return _with_own(table.rules) if table.rules else shipped_rules()


@lru_cache(maxsize=8)
def _with_own(rules: tuple[OwnRule, ...]) -> RuleBook:
    return RuleBook((*shipped_rules().rules, *rules_from(rules)))


def _why_not(rule: OwnRule) -> WhyNot:
    def why_not(state: BattleState, player: int, use: Use) -> str:
        if rule.when in _OF_OWN_ATTACKS and player != state.player:
            return "it acts on attacks of the own turn only (PP-47)"
        for condition in rule.conditions:
            if not _holds(state, player, condition):
                return f"it acts only if: {condition}"
        if any(_can_do(state, player, deed, use) for deed in rule.does):
            return ""
        return "it would do nothing"

    return why_not


def _effect(rule: OwnRule) -> Effect:
    def effect(ledger: Ledger, player: int, use: Use) -> Script[None]:
        for deed in rule.does:
            if _can_do(ledger.state, player, deed, use):
                yield from _do(ledger, player, deed, use)

    return effect


def _seat(state: BattleState, player: int, seat: str) -> int:
    """Return the player whom an effect or condition is about."""
    if seat == "next":
        return state.next_player(player)
    return state.previous_player(player) if seat == "previous" else player


def _stack(deed_stack: str, player: int) -> Place:
    return ARENA if deed_stack == "Arena" else Place(_STACKS[deed_stack], player)


def _can_do(state: BattleState, player: int, deed: Deed, use: Use) -> bool:
    """Return whether an effect would change anything."""
    seat = _seat(state, player, deed.player)
    if deed.verb == "give status":
        return not why_not_gain(state, seat, deed.status)
    if deed.verb == "remove status":
        wild = state.table.options.is_wild and deed.status == Status.CRITICAL
        return state.has(seat, deed.status) and not wild
    if deed.verb == "move pucks":
        return _movable(state, seat, deed) > 0
    if deed.verb == "discard":
        return use.puck in state.power(player)
    return True


def _movable(state: BattleState, seat: int, deed: Deed) -> int:
    """Return how many pucks an effect moves."""
    count = min(_number(deed) or 0, len(state.stack(_stack(deed.source, seat))))
    if state.table.options.is_wild and "Arena" in (deed.source, deed.to):
        return 0  # a wild battle has no Arena stack (PP-24)
    if deed.to == "Health" and not state.table.options.is_wild:
        count = min(count, state.health_room(seat))
    return count


def _do(ledger: Ledger, player: int, deed: Deed, use: Use) -> Script[None]:
    """Carry out an effect that changes something."""
    state, number = ledger.state, _number(deed) or 0
    seat = _seat(state, player, deed.player)
    match deed.verb:
        case "give status":
            gain(ledger, seat, deed.status, use.rule)
        case "remove status":
            lose(ledger, seat, deed.status, use.rule)
        case "change attacks":
            add_attacks(ledger, number, use.rule)
        case "set attacks":
            set_attacks(ledger, number, use.rule)
        case "grant attack":
            ledger.enter(AttackGranted(grant=Grant(rule=use.rule, most=deed.most)))
        case "limit pick-up":
            most = None if state.attack is None else state.attack.most
            least = number if most is None else min(most, number)
            ledger.enter(AttackLimited(most=least, why=use.rule))
        case "move pucks":
            yield from _move(ledger, seat, deed, use)
        case "discard":
            assert use.puck is not None
            discard(ledger, player, (use.puck,), use.rule)


def _move(ledger: Ledger, seat: int, deed: Deed, use: Use) -> Script[None]:
    source, target = _stack(deed.source, seat), _stack(str(deed.to), seat)
    count, there = _movable(ledger.state, seat, deed), ledger.state.stack(source)
    if source == ARENA:
        pucks = there[::-1][:count]  # the Arena is face down: from the top
    else:
        pucks = yield from pick(seat, Asking.RULE, there, least=count, most=count, rule=use.rule)
    if target == ARENA:
        ledger.enter(Moved(pucks=pucks, source=source, target=target, why=use.rule))
    else:
        give(ledger, pucks, source, target, use.rule)
