"""Windows: the points of the turn at which a player's special rules act.

Why an answer is refused: the rule that forbids it, by name.
"""

from physics import InputError
from physics.errors import shown
from sim.pokepucks.battle.events import RuleUsed
from sim.pokepucks.battle.ledger import Ledger, tell_place
from sim.pokepucks.battle.questions import (
    Answer,
    Ask,
    Asking,
    Option,
    Question,
    Script,
    ThrowCall,
    Use,
    choose,
)
from sim.pokepucks.battle.state import BattleState, Place, StackKind, stack_index
from sim.pokepucks.battle.table import Point, Rule, RuleUse, Source
from sim.pokepucks.designs import Design
from sim.pokepucks.throws import Outcome, outcome_text

_OF_SLAMMERS = (Source.ABILITY, Source.SUPPORT)


def window(ledger: Ledger, point: Point, player: int) -> Script[None]:
    """Let a player's special rules act at a point.

    Those that must act do so as soon as they can; of the others, the player uses one after another
    as they like, and ends by using none. After all attacks, an attack that a rule grants is made
    before another rule acts, so that each sees what came of it; which is first, the player decides
    (PP-45).
    """
    while there := _usable(ledger.state, point, player):
        forced = [pair for pair in there if not pair[0].optional]
        if forced and (point is not Point.AFTER_ATTACKS or len(forced) == len(there)):
            yield from _act(ledger, player, *forced[0])
            continue
        question = Question(
            player=player,
            asking=Asking.USE,
            options=tuple(use for _, use in sorted(there, key=lambda pair: pair[0].optional)),
            least=int(bool(forced)),
            most=1,
            rule=point,
        )
        reply = yield from choose(question)
        if not reply:
            return
        (chosen,) = reply
        yield from _act(ledger, player, *next(pair for pair in there if pair[1] == chosen))


def _act(ledger: Ledger, player: int, rule: Rule, use: Use) -> Script[None]:
    ledger.enter(RuleUsed(player=player, rule=rule.name, puck=use.puck))
    yield from rule.effect(ledger, player, use)


def _usable(state: BattleState, point: Point, player: int) -> list[RuleUse]:
    """Return the rules of a player that can act at a point, with their uses."""
    uses_at, effects = state.table.uses_at(point), state.effects[player]
    if not uses_at and not effects:
        return []
    if point is Point.AFTER_ATTACKS and state.turn.grants:
        return []
    pucks = _candidates(state, point, player)
    there = [pair for puck in pucks if puck in uses_at for pair in uses_at[puck]]
    for name in effects:
        effect = state.table.rule(name)
        if effect is not None and effect.point is point and effect.source is Source.EFFECT:
            there.append((effect, Use(name)))
    return [pair for pair in there if not why_not_use(state, player, *pair)]


def _candidates(state: BattleState, point: Point, player: int) -> tuple[int, ...]:
    """Return the pucks whose rules could act for a player: the slammer's first."""
    if point is Point.PICKED_UP:
        return state.attack.picked if state.attack is not None else ()
    return state.stacks[stack_index(StackKind.SLAMMER, player)] + state.power(player)


def why_not_use(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a player cannot use a special rule, now that its point has come."""
    return (
        _why_not_there(state, player, rule, use)
        or _why_not_again(state, player, rule, use)
        or rule.why_not(state, player, use)
    )


def why_not_ever(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a player could not use a special rule even if its point had come."""
    return (
        state.table.why_not_on(rule)
        or _why_not_there(state, player, rule, use)
        or _why_not_again(state, player, rule, use)
    )


def _why_not_there(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a puck does not lie where its special rule acts for a player; empty if it does."""
    puck = use.puck
    if puck is None:
        pending = rule.source is Source.EFFECT and rule.name in state.effects[player]
        return "" if pending else f"{rule.name} is not pending on {state.table.names[player]}"
    if rule.point is Point.PICKED_UP:
        picked = state.attack is not None and puck in state.attack.picked
        return "" if picked else f"{state.table.tell(puck)} was not just picked up"
    if rule.source in _OF_SLAMMERS and puck == state.slammer(player):
        return ""
    if rule.source is Source.ABILITY:
        return f"{state.table.tell(puck)} is not the slammer of {state.table.names[player]}"
    if puck not in state.power(player):
        return f"{state.table.tell(puck)} is not in the Power of {state.table.names[player]}"
    return _why_not_alone(state, player) if rule.source is Source.TRAINER else ""


def _why_not_alone(state: BattleState, player: int) -> str:
    """Return why no Trainer works for a player who has several in Power."""
    trainers = sum(map(state.table.is_trainer, state.power(player)))
    name = state.table.names[player]
    return f"{trainers} Trainers are in the Power of {name}; one works alone" * (trainers > 1)


def _why_not_again(state: BattleState, player: int, rule: Rule, use: Use) -> str:
    """Return why a rule that acted already in this turn does not act again."""
    limited = _is_limited(rule)
    for used in state.turn.used:
        if used.player != player:
            continue
        if used.rule == rule.name and used.puck == use.puck and not rule.often:
            return f"{rule.name} acts once a turn (PP-45)"
        if limited and _is_limited(state.table.rule(used.rule)):
            assert used.puck is not None
            assert use.puck is not None
            if _same_item(state.design(used.puck), state.design(use.puck)):
                return f"one {rule.name} was used this turn already (Battle Rules 5, PP-43)"
    return ""


def _same_item(one: Design, other: Design) -> bool:
    """Return whether two designs are the same Item Puck: listing and icon agree (PP-43)."""
    return one.rule == other.rule and one.type is other.type


def _is_limited(rule: Rule | None) -> bool:
    """Return whether a rule is an Item's that its owner chooses to use."""
    return rule is not None and rule.source is Source.ITEM and rule.limited


_OTHERS = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE, StackKind.SLAMMER)


def check_answer(state: BattleState, ask: Ask | None, answer: Answer) -> None:
    """Check that an answer is one of those that there are.

    Raises:
        InputError: It is not; the message names the rule or ruling that forbids it.
    """
    if ask is None:
        raise InputError("answer: the battle is over")
    if isinstance(ask, ThrowCall):
        _check_outcome(ask, answer)
        return
    if not isinstance(answer, tuple):
        raise InputError(f"answer: {shown(answer)} is not accepted; give what is chosen")
    for option in answer:
        if option not in ask.options:
            raise InputError(f"answer: {_tell(state, option)}: {_why_not(state, ask, option)}")
    if len(set(answer)) != len(answer):
        raise InputError(f"answer: {_list(state, answer)}: one is there twice")
    if not ask.least <= len(answer) <= ask.most:
        wanted = f"{ask.least} to {ask.most}" if ask.least < ask.most else str(ask.most)
        raise InputError(f"answer: {len(answer)} chosen; choose {wanted} ({ask.asking})")


def _check_outcome(call: ThrowCall, answer: Answer) -> None:
    if not isinstance(answer, Outcome):
        raise InputError(f"answer: {shown(answer)} is not accepted; give the outcome of a throw")
    if len(answer.landings) != len(call.targets):
        raise InputError(
            f"answer: outcome {outcome_text(answer)!r} is not accepted; "
            f"{len(call.targets)} pucks are thrown at"
        )


def _why_not(state: BattleState, question: Question, option: Option) -> str:
    """Return why an option is none of a question's."""
    reason = ""
    if isinstance(option, Use):
        reason = _why_not_use(state, question, option)
    elif isinstance(option, int) and 0 <= option < len(state.table.pucks):
        reason = _why_not_touch(state, question, option)
    return reason or f"choose from {_list(state, question.options)} ({question.asking})"


def _why_not_use(state: BattleState, question: Question, use: Use) -> str:
    """Return the rule against a use of a special rule."""
    rule, player = state.table.rule(use.rule), question.player
    if rule is None:
        return "there is no such special rule in this battle"
    if use.puck is not None:
        if not 0 <= use.puck < len(state.table.pucks):
            return "there is no such puck"
        if not rule.fits(state.design(use.puck)):
            return f"{state.table.tell(use.puck)} has no such special rule"
        place = state.place_of(use.puck)
        if place.kind is StackKind.PRIZE:
            return "no special rule of a puck in a Prize stack may be used (Battle Rules 6)"
        touched = _touched(state, player, place)
        if touched:
            return touched
    reason = why_not_ever(state, player, rule, use)
    if reason:
        return reason
    now = question.rule if question.asking is Asking.USE else question.asking
    if now == rule.point:
        return rule.why_not(state, player, use)
    return f"it acts {rule.point}; asked for now: {now} (PP-44)"


def _why_not_touch(state: BattleState, question: Question, puck: int) -> str:
    """Return the rule against touching a puck."""
    place = state.place_of(puck)
    touched = _touched(state, question.player, place)
    if touched:
        return touched
    if place.kind is StackKind.POWER and question.asking is Asking.SHIELDS:
        return "plain pucks are no shields in this battle (PP-51)"
    if place.kind is StackKind.POWER and question.asking is not Asking.RULE:
        return "pucks are not discarded at will, but in step 5 (Battle Rules 4, PP-55)"
    return ""


def _touched(state: BattleState, player: int, place: Place) -> str:
    """Return the rule against touching a stack."""
    if place.kind in _OTHERS and place.player != player:
        return f"nobody else touches {tell_place(state, place)} (Battle Rules 3)"
    if place.kind is StackKind.ARENA and player != state.player:
        return "only the current player touches the Arena (Battle Rules 2)"
    return ""


def _tell(state: BattleState, option: Option) -> str:
    if isinstance(option, Use):
        return option.rule if option.puck is None else f"{option.rule} of puck {option.puck}"
    if isinstance(option, int) and 0 <= option < len(state.table.pucks):
        return state.table.tell(option)
    return shown(option)


def _list(state: BattleState, options: tuple[Option, ...]) -> str:
    return ", ".join(_tell(state, option) for option in options) or "nothing"
