"""Why an answer is refused: the rule that forbids it, by name."""

from physics import InputError
from physics.checks import shown
from sim.pokepucks.battle.applying import tell_place
from sim.pokepucks.battle.places import Place, StackKind
from sim.pokepucks.battle.question import Answer, Ask, Asking, Option, Question, ThrowCall, Use
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.windows import why_not_ever
from sim.pokepucks.outcome import Outcome, outcome_text

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
