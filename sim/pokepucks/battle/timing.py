"""When special rules act, and which answers are legal.

`window` lets the rules of a player act at a point of the turn. `check_answer` refuses an illegal
answer with an error that names the rule or ruling against it; the same functions that keep a rule
out of a window give the reason.
"""

from pucklab.base.errors import shown
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.events import RuleUsed
from pucklab.sim.pokepucks.battle.questions import (
    Answer,
    Ask,
    Asking,
    Question,
    Script,
    ThrowCall,
    Use,
    choose,
    option_name,
    option_names,
)
from pucklab.sim.pokepucks.battle.rule_book import (
    Ledger,
    Point,
    Rule,
    RuleBook,
    RuleUse,
    Source,
    why_switched_off,
)
from pucklab.sim.pokepucks.battle.state import (
    BattleState,
    Place,
    StackKind,
    place_name,
    stack_index,
)
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.throws import Outcome, outcome_text

_OWNED = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE, StackKind.SLAMMER)
"""Stacks that only their owner touches (Battle Rules 3)."""


def window(ledger: Ledger, point: Point, player: int) -> Script[None]:
    """Let a player's special rules act at a point.

    Mandatory rules act as soon as they can. Then the player uses optional ones, one after another,
    until the reply is empty. After all attacks, an attack granted by a rule is made before another
    rule acts, so that each sees its result; the player decides which comes first (PP-45).
    """
    while usable := _usable(ledger, point, player):
        forced = [pair for pair in usable if not pair[0].optional]
        if forced and (point is not Point.AFTER_ATTACKS or len(forced) == len(usable)):
            yield from _act(ledger, player, *forced[0])
            continue
        question = Question(
            player=player,
            asking=Asking.USE,
            options=tuple(use for _, use in sorted(usable, key=lambda pair: pair[0].optional)),
            least=int(bool(forced)),
            most=1,
            rule=point,
        )
        reply = yield from choose(question)
        if not reply:
            return
        (chosen,) = reply
        yield from _act(ledger, player, *next(pair for pair in usable if pair[1] == chosen))


def _act(ledger: Ledger, player: int, rule: Rule, use: Use) -> Script[None]:
    ledger.enter(RuleUsed(player=player, rule=rule.name, puck=use.puck))
    yield from rule.effect(ledger, player, use) or ()


def _usable(ledger: Ledger, point: Point, player: int) -> list[RuleUse]:
    """Return the rules of a player that can act at a point, with their uses."""
    state, uses, found = ledger.state, ledger.uses[point], list[RuleUse]()
    if point is Point.AFTER_ATTACKS and state.turn.grants:
        return found
    if uses:
        if point is Point.PICKED_UP:
            pucks = state.attack.picked if state.attack is not None else ()
        else:  # the slammer first
            pucks = state.stacks[stack_index(StackKind.SLAMMER, player)] + state.power(player)
        for puck in pucks:
            found += uses.get(puck, ())
    for name in state.effects[player] + state.statuses[player]:
        for rule in ledger.rules.carried_by(name):
            if rule.when == point:
                found.append((rule, Use(rule.name)))
    if not found:
        return found
    return [
        (rule, use)
        for rule, use in found
        if not (
            _why_not_in_place(state, player, rule, use)
            or _why_not_again(ledger.rules, state, player, rule, use)
            or rule.why_not(state, player, use)
        )
    ]


def _why_not_in_place(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a puck is not in a stack from which its rule acts; empty if it is."""
    puck, table = use.puck, state.table
    if puck is None:
        carriers = (*state.effects[player], *state.statuses[player])
        pending = rule.carrier is None and rule.listing in carriers
        return "" if pending else f"{rule.name} is not pending on {table.names[player]}"
    if rule.when == Point.PICKED_UP:
        picked = state.attack is not None and puck in state.attack.picked
        return "" if picked else f"{table.label(puck)} was not just picked up"
    if rule.carrier is DesignKind.POKEMON and puck == state.slammer(player):
        return ""
    if rule.kind == Source.ABILITY:
        return f"{table.label(puck)} is not the slammer of {table.names[player]}"
    if puck not in state.power(player):
        return f"{table.label(puck)} is not in the Power of {table.names[player]}"
    if rule.kind != Source.TRAINER:
        return ""
    trainers = sum(map(table.is_trainer, state.power(player)))
    if trainers <= 1:
        return ""
    return f"{trainers} Trainers are in the Power of {table.names[player]}; one works alone"


def _why_not_again(rules: RuleBook, state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a rule does not act again in this turn; empty if it may."""
    limited = _is_limited(rule)
    for used in state.turn.used:
        if used.player != player:
            continue
        if used.rule == rule.name and used.puck == use.puck and not rule.often:
            return f"{rule.name} acts once a turn (PP-45)"
        if limited and _is_limited(rules.rule(used.rule)):
            assert used.puck is not None
            assert use.puck is not None
            one, other = state.design(used.puck), state.design(use.puck)
            if one.rule == other.rule and one.type is other.type:
                return f"one {rule.name} was used this turn already (Battle Rules 5, PP-43)"
    return ""


def _is_limited(rule: Rule | None) -> bool:
    """Return whether uses of a rule count towards the limit of the same Item (PP-43)."""
    return rule is not None and rule.kind == Source.ITEM and not rule.often


def check_answer(rules: RuleBook, state: BattleState, ask: Ask | None, answer: Answer) -> None:
    """Check that an answer is legal.

    Args:
        rules: The special rules in play, for the reason of a refusal.
        state: The battle.
        ask: The question or throw; None at the end of the battle.
        answer: The answer.

    Raises:
        InputError: It is not legal; the message names the rule or ruling against it.
    """
    if ask is None:
        raise InputError("answer: the battle is over")
    if isinstance(ask, ThrowCall):
        if not isinstance(answer, Outcome):
            raise InputError(
                f"answer: {shown(answer)} is not accepted; give the outcome of a throw"
            )
        if len(answer.landings) != len(ask.targets):
            raise InputError(
                f"answer: outcome {outcome_text(answer)!r} is not accepted; "
                f"the throw is at {len(ask.targets)} pucks"
            )
        return
    if not isinstance(answer, tuple):
        raise InputError(f"answer: {shown(answer)} is not accepted; give a selection of options")
    for option in answer:
        if option not in ask.options:
            reason = ""
            if isinstance(option, Use):
                reason = _why_use_not_offered(rules, state, ask, option)
            elif isinstance(option, int) and 0 <= option < len(state.table.pucks):
                reason = _why_puck_not_offered(state, ask, option)
            names = option_names(state.table, ask.options)
            reason = reason or f"choose from {names} ({ask.asking})"
            raise InputError(f"answer: {option_name(state.table, option)}: {reason}")
    if len(set(answer)) != len(answer):
        raise InputError(f"answer: {option_names(state.table, answer)}: one appears twice")
    if not ask.least <= len(answer) <= ask.most:
        wanted = f"{ask.least} to {ask.most}" if ask.least < ask.most else str(ask.most)
        raise InputError(f"answer: {len(answer)} chosen; choose {wanted} ({ask.asking})")


def _why_use_not_offered(rules: RuleBook, state: BattleState, question: Question, use: Use) -> str:
    """Return the rule against a use of a special rule; empty if there is none."""
    rule, player = rules.rule(use.rule), question.player
    if rule is None:
        return "there is no such special rule in this battle"
    if use.puck is not None:
        if not 0 <= use.puck < len(state.table.pucks):
            return "there is no such puck"
        if not rule.fits(state.design(use.puck)):
            return f"{state.table.label(use.puck)} has no such special rule"
        place = state.place_of(use.puck)
        if place.kind is StackKind.PRIZE:
            return "no special rule of a puck in a Prize stack may be used (Battle Rules 6)"
        foreign = _why_not_touch(state, player, place)
        if foreign:
            return foreign
    reason = (
        why_switched_off(state.table.options, rule)
        or _why_not_in_place(state, player, rule, use)
        or _why_not_again(rules, state, player, rule, use)
    )
    if reason:
        return reason
    now = question.rule if question.asking is Asking.USE else question.asking
    if now == rule.when:
        return rule.why_not(state, player, use)
    return f"it acts {rule.when}; asked for now: {now} (PP-44)"


def _why_puck_not_offered(state: BattleState, question: Question, puck: int) -> str:
    """Return the rule against choosing a puck; empty if there is none."""
    place = state.place_of(puck)
    foreign = _why_not_touch(state, question.player, place)
    if foreign:
        return foreign
    if place.kind is StackKind.POWER and question.asking is Asking.SHIELDS:
        return "plain pucks are no shields in this battle (PP-51)"
    if place.kind is StackKind.POWER and question.asking is not Asking.RULE:
        return "pucks are not discarded at will, but in step 5 (Battle Rules 4, PP-55)"
    return ""


def _why_not_touch(state: BattleState, player: int, place: Place) -> str:
    """Return the rule against touching a stack; empty if the player may."""
    if place.kind in _OWNED and place.player != player:
        return f"nobody else touches {place_name(state, place)} (Battle Rules 3)"
    if place.kind is StackKind.ARENA and player != state.player:
        return "only the current player touches the Arena (Battle Rules 2)"
    return ""
