"""Special rules as tables of a file: read, checked, and made ready to act.

Those of the PuckDex and the PuckMart are in ``data/special_rules.toml``. A file with pucks of your
own (see `pucklab.sim.pokepucks.design_file`) may have ``[[rules]]`` too, which its pucks name under
``rule``::

    [[rules]]
    name = "Confuse Ray"
    kind = "ability"                      # ability, support, item, trainer, status or effect
    when = "counting what is picked up"   # a point of the turn
    if = ["something flipped"]            # all must hold; optional
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

An effect is the same, but no status: nothing but ``"end effect"`` takes it away. Critical ends and
bars own statuses like all others, and Full Heal removes them.
`pucklab.sim.pokepucks.special.conditions` says which conditions there are.

Other keys: ``optional`` (the owner decides; true if not given, and false for a status or effect),
``acts`` ("once a turn" if not given, "once a throw" or "whenever it can"), ``wanted`` (false if the
greedy player should leave it alone), ``wanted_if`` (conditions under which that player wants it, or
words of `pucklab.sim.pokepucks.special.judgement`), ``text`` (its effect in a sentence), ``why``
(its name in transcripts), ``listing`` (the name under which pucks list it, so that several rules
can share a puck; the rule's name if not given) and ``pucks`` (kinds of pucks that all have it).

===============  ===========================================  =====================================
verb             keys                                         effect
===============  ===========================================  =====================================
give status      status, player                               the player's slammer gains a status
remove status    status (or "all"), player                    it loses a status
add effect       effect, player                               an effect is pending on the player
end effect       effect                                       the owner's effect ends
change attacks   by (-3 to 3)                                 more or fewer attacks, at least one
set attacks      to (1 to 9)                                  that number of attacks
grant attack     most (0 to 20; no limit if not given), only  one more attack, made next
attack           most (0 to 20; no limit if not given)        an attack at once, out of turn; if it
                                                              flips nothing, no verb follows
match types      what, to, facing                             the type, weakness or resistance that
                                                              counts becomes another one
limit pick-up    most (0 to 20), or by                        at most so many from this attack
bar pick-up      none                                         nothing is picked up from this attack
declare          status                                       the rule is declared before the throw
move pucks       from, to, most (1 to 20), least, player,     so many pucks, or all that there are
                 only
move itself      to                                           the puck just picked up moves
discard          none                                         the puck with the rule goes to Prize
exchange         none                                         a flipped puck for one of Health
collect          none                                         pucks outside are picked up
arrange Arena    none                                         the Arena gets a new order
lower Arena      none                                         its max size becomes what is left
switch slammer   none                                         another slammer is thrown from now on
catch slammer    none                                         a flipped one goes to the collection
remember         word                                         a condition for the rest of the turn
===============  ===========================================  =====================================

``player`` is owner (if not given), next or previous; ``only = "Item"`` leaves other pucks out. Any
verb may have an ``if`` of its own. Pucks move between Health, Power and Prize of one player and the
Arena; that player picks them, and from the Arena the topmost go. A verb that can do nothing does
nothing; a rule of which no verb can do anything, discards and ends of effects left out, does not
act. Health is never overfilled, the Arena may be (PP-42).
"""

from collections.abc import Sequence
from dataclasses import fields

from pucklab.base.decoding import check_names, check_one_of, encode
from pucklab.base.errors import check_count, refusal
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions
from pucklab.sim.pokepucks.battle.evaluation import many_of_least_value, most_valuable
from pucklab.sim.pokepucks.battle.events import Flagged
from pucklab.sim.pokepucks.battle.questions import Script, Use
from pucklab.sim.pokepucks.battle.rule_book import (
    Effect,
    Ledger,
    Point,
    Rule,
    Source,
    View,
    Wanted,
    WhyNot,
    always,
)
from pucklab.sim.pokepucks.battle.state import BattleState, Status
from pucklab.sim.pokepucks.designs import Deed, EnergyType, RuleTable, name_key
from pucklab.sim.pokepucks.special.conditions import (
    SEATS,
    STACKS,
    check_conditions,
    condition,
    seat_of,
)
from pucklab.sim.pokepucks.special.judgement import JUDGEMENTS
from pucklab.sim.pokepucks.special.verbs import BETWEEN_ATTACKS, VERBS, Doing

MAX_RULES = 100
"""Most rules of a file."""

_MAX_DEEDS = 8
_MAX_NAME = 40
_MAX_TEXT = 200

_ACTS = ("once a turn", "once a throw", "whenever it can")
_OF_OWN_ATTACKS = (Point.COUNTING_PICK_UPS, Point.PICKED_UP)
"""Points that Leech Seed's attack and Ms. Hicks's pick-ups have out of turn, too."""


def check_rules(where: str, rules: Sequence[RuleTable], shipped: Sequence[Rule] = ()) -> None:
    """Check special rules from a file or a record.

    Args:
        where: Name of their list in an error.
        rules: The rules.
        shipped: Rules whose names are taken.

    Raises:
        InputError: A value is not accepted; the message names the rule.
    """
    check_count(f"{where}: number of rules", len(rules), 0, MAX_RULES)
    known = {name_key(name) for rule in shipped for name in (rule.name, rule.listing)}
    known |= set(map(name_key, Status))
    taken: set[str] = set()
    statuses, effects = (
        tuple(dict.fromkeys(rule.listing for rule in rules if rule.kind == kind))
        for kind in ("status", "effect")
    )
    statuses = (*Status, *statuses)
    words = [deed.word for rule in rules for deed in rule.does if deed.word]
    names = (*statuses, *effects, *words)
    acting = [rule.name for rule in (*rules, *shipped)]
    told = [f"{rule} {word}" for rule in acting for word in ("unused", "declared")]
    told += [f"option {name}" for name in BattleOptions.__dataclass_fields__
             if isinstance(getattr(BattleOptions(), name), bool)]  # fmt: skip

    for number, rule in enumerate(rules, start=1):
        place = f"{where} {number} ({rule.name})"
        _check_name(f"{place} name", rule.name)
        _check_name(f"{place} listing", rule.listing)
        _check_name(f"{place} why", rule.why or rule.name)
        for name in {name_key(rule.name), name_key(rule.listing)} & known:
            raise InputError(
                f"{place}: pucklab has a rule or status {name!r} already; give another name"
            )
        if name_key(rule.name) in taken:
            raise InputError(f"{place} name: it appears twice")
        taken.add(name_key(rule.name))
        check_one_of(f"{place} kind", rule.kind, tuple(Source))
        check_one_of(f"{place} when", rule.when, tuple(Point))
        check_one_of(f"{place} acts", rule.acts, _ACTS)
        check_conditions(f"{place} if", rule.conditions, names, told)
        wanted_if = [each for each in rule.wanted_if if each not in JUDGEMENTS]
        check_conditions(f"{place} wanted_if", wanted_if, names, told)
        for status in rule.cures:
            check_one_of(f"{place} cures", status, statuses)
        if len(rule.text) > _MAX_TEXT or not rule.text.isprintable():
            raise InputError(f"{place} text: give a line of at most {_MAX_TEXT} characters")
        check_count(f"{place} does: number of verbs", len(rule.does), 1, _MAX_DEEDS)
        for n, deed in enumerate(rule.does, start=1):
            check_conditions(f"{place} does {n} if", deed.conditions, names, told)
            _check_deed(f"{place} does {n}", rule, deed, statuses, effects)
            if deed.verb == "match types":
                check_one_of(f"{place} does {n} to", deed.to, ("weakness", *EnergyType, *acting))
            if deed.verb == "remember":
                _check_name(f"{place} does {n} word", deed.word)


def _check_name(where: str, name: str) -> None:
    good = name.isprintable() and name == " ".join(name.split()) and len(name) <= _MAX_NAME
    if not good or not any(map(str.isalpha, name)) or "," in name:
        accepted = f"1 to {_MAX_NAME} printed signs with a letter, without a comma"
        raise refusal(where, name, accepted)


def _check_deed(
    where: str, rule: RuleTable, deed: Deed, statuses: Sequence[str], effects: Sequence[str]
) -> None:
    check_one_of(f"{where} verb", deed.verb, tuple(VERBS))
    verb = VERBS[deed.verb]
    usual = encode(Deed(verb=deed.verb))
    given = {key: part for key, part in encode(deed).items() if part != usual[key]}
    check_names(where, {key: part for key, part in given.items() if key != "if"}, verb.keys.split())
    if rule.when not in verb.points:
        accepted = ", ".join(verb.points)
        raise InputError(f"{where}: {deed.verb!r} does not go with {rule.when!r}; give {accepted}")
    named = {
        "player": (deed.player, SEATS),
        "status": (deed.status, (*statuses, *(["all"] if deed.verb == "remove status" else []))),
        "effect": (deed.effect, effects),
        "only": (deed.only, ("", "Item")),
        "what": (deed.what, ("type", "weakness", "resistance")),
    }
    for key, (value, accepted_values) in named.items():
        if key in verb.keys.split():
            check_one_of(f"{where} {key}", value, accepted_values)
    fewest = int(deed.verb == "move pucks")
    for key, low, high in (("most", fewest, 20), ("least", 0, 20), ("by", -3, 3)):
        number = getattr(deed, key)
        is_needed = deed.by is None and (deed.verb, key) in _NEEDED
        if number is not None or is_needed:
            check_count(f"{where} {key}", number, low, high)
    if deed.verb == "set attacks":
        check_count(f"{where} to", deed.to, 1, 9)
    if deed.verb == "move itself":
        check_one_of(f"{where} to", deed.to, ("Health", "Prize"))
    if deed.verb != "move pucks":
        return
    check_one_of(f"{where} from", deed.source, STACKS)
    check_one_of(f"{where} to", deed.to, STACKS)
    if deed.source == deed.to:
        raise InputError(f"{where} to: {deed.to!r} is where they are; give another stack")
    if "Arena" in (deed.source, deed.to) and rule.when not in BETWEEN_ATTACKS:
        accepted = ", ".join(BETWEEN_ATTACKS)
        raise InputError(f"{where}: the Arena is not to be touched {rule.when!r}; give {accepted}")


_NEEDED = (("change attacks", "by"), ("limit pick-up", "most"))
"""Verbs, and their numbers that may not be left out."""


def rules_from(rules: Sequence[RuleTable]) -> tuple[Rule, ...]:
    """Return the special rules, ready for a `pucklab.sim.pokepucks.battle.rule_book.RuleBook`.

    Args:
        rules: The rules, as `check_rules` accepts them.
    """
    found = []
    for rule in rules:
        told = {each.name: getattr(rule, each.name) for each in fields(rule)}
        choices = [VERBS[deed.verb].choice for deed in rule.does]
        to_power = any(deed.to == "Power" for deed in rule.does)
        usual = most_valuable if to_power else many_of_least_value
        heals = sum(
            deed.most or 1
            for deed in rule.does
            if (rule.kind, rule.when) == ("item", Point.BEFORE_TOP_OFF)
            and (deed.source, deed.to) == ("Prize", "Health")
        )
        if rule.many is None:
            told["many"] = any(deed.verb == "discard" for deed in rule.does)
        found.append(
            Rule(
                **told,
                effect=_effect(rule),
                why_not=_why_not(rule),
                is_wanted=_wanted(rule),
                choice=next(filter(None, choices), usual),
                heals=heals,
            )
        )
    return tuple(found)


def _wanted(rule: RuleTable) -> Wanted:
    if not rule.wanted:
        return lambda _: False
    first, use = rule.does[0], Use(rule.name)
    judged = [JUDGEMENTS[each] for each in rule.wanted_if if each in JUDGEMENTS]
    asked = [condition(each) for each in rule.wanted_if if each not in JUDGEMENTS]

    def wanted(view: View) -> bool:
        return all(holds(view.state, view.player, use) for holds in asked) and all(
            judge(view, first) for judge in judged
        )

    return wanted


def _flag(state: BattleState, rule: RuleTable) -> str:
    """Return the flag of a turn by which a rule remembers that it acted on the last throw."""
    return f"{rule.why or rule.name} after throw {state.throws}"


def _can(rule: RuleTable, deed: Deed) -> WhyNot:
    """Return a function for the reason why a verb would do nothing."""
    look, why = VERBS[deed.verb].why_not, rule.why or rule.name
    asked = [(condition(text), text) for text in deed.conditions]
    if look is None and not asked:
        return always

    def why_not(state: BattleState, player: int, use: Use) -> str:
        for holds, text in asked:
            if not holds(state, player, use):
                return f"it acts only if: {text}"
        if look is None:
            return ""
        return look(state, Doing(player, seat_of(state, player, deed.player), use, deed, why))

    return why_not


def _why_not(rule: RuleTable) -> WhyNot:
    asked = [(condition(text), f"it acts only if: {text}") for text in rule.conditions]
    is_own_turn = rule.when in _OF_OWN_ATTACKS and not rule.out_of_turn
    once_a_throw = rule.acts == _ACTS[1]
    active = [deed for deed in rule.does if not VERBS[deed.verb].passive] or rule.does
    found = [_can(rule, deed) for deed in active]
    cans = [] if always in found else found
    if not (asked or is_own_turn or once_a_throw) and len(cans) < 2:
        return cans[0] if cans else always

    def why_not(state: BattleState, player: int, use: Use) -> str:
        if is_own_turn and player != state.player:
            return "it acts on attacks of the own turn only (PP-47)"
        for holds, reason in asked:
            if not holds(state, player, use):
                return reason
        if once_a_throw and _flag(state, rule) in state.turn.flags:
            return "it acts once a throw"
        first = ""
        for can in cans:
            reason = can(state, player, use)
            if not reason:
                return ""
            first = first or reason
        return first

    return why_not


def _effect(rule: RuleTable) -> Effect:
    deeds = [(VERBS[deed.verb].do, _can(rule, deed), deed) for deed in rule.does]

    def effect(ledger: Ledger, player: int, use: Use) -> Script[bool | None]:
        if rule.acts == _ACTS[1]:
            ledger.enter(Flagged(flag=_flag(ledger.state, rule)))
        for do, can, deed in deeds:
            if not can(ledger.state, player, use):
                seat = seat_of(ledger.state, player, deed.player)
                doing = Doing(player, seat, use, deed, rule.why or rule.name)
                going_on = yield from do(ledger, doing) or ()
                if going_on is False:
                    break
        return None

    return effect
