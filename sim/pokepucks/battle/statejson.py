"""A battle at a moment as JSON, to keep and to go on from; and events as JSON."""

import json
from collections.abc import Mapping
from typing import Any, get_args

from physics import InputError
from physics.checks import shown
from sim.jsonfields import from_json, to_json
from sim.pokepucks.battle.answertext import answer_text, parse_answer
from sim.pokepucks.battle.events import Event
from sim.pokepucks.battle.live import LiveBattle, Moment
from sim.pokepucks.battle.rule import Rule
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.tablejson import table_from, table_json
from sim.pokepucks.battle.textforms import FORMS
from sim.pokepucks.battle.validity import check_state

_EVENTS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}


def state_json(state: BattleState) -> dict[str, Any]:
    """Return a state as JSON has it; `state_from` reads it back."""
    return {**to_json(state, FORMS), "table": table_json(state.table)}


def state_from(field: str, value: object, rules: tuple[Rule, ...]) -> BattleState:
    """Return the state that JSON tells.

    Args:
        field: What to call it in an error.
        value: What `state_json` returned.
        rules: The special rules that work.

    Raises:
        InputError: A field is not accepted, or a puck is in no stack, or in two.
    """
    if not isinstance(value, Mapping) or "table" not in value:
        raise InputError(f"{field}: {shown(value)} is not accepted; give what state_json returned")
    table = table_from(f"{field} table", value["table"], rules)
    state: BattleState = from_json(BattleState, {**value, "table": table}, field, FORMS)
    check_state(field, state)
    return state


def moment_json(moment: Moment) -> str:
    """Return a battle at a question as JSON; `moment_from` reads it back.

    It holds the state at the beginning of the step under way, and the answers since.
    """
    told = {
        "schema": 1,
        "state": state_json(moment.base),
        "answers": [answer_text(answer) for answer in moment.answers],
    }
    return json.dumps(told)


def moment_from(text: str, rules: tuple[Rule, ...]) -> Moment:
    """Return the battle at a question that JSON tells.

    Raises:
        InputError: It is no JSON, or a field is not accepted; the message names the field.
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"battle: no JSON: {error}") from None
    if not isinstance(told, dict) or set(told) != {"schema", "state", "answers"}:
        raise InputError("battle: give schema, state and answers")
    if told["schema"] != 1 or isinstance(told["schema"], bool):
        raise InputError(f"battle: schema: {shown(told['schema'])} is not accepted; give 1")
    battle = LiveBattle(state_from("battle state", told["state"], rules))
    answers = from_json(tuple[str, ...], told["answers"], "battle answers")
    for number, answer in enumerate(answers, start=1):
        try:
            battle.answer(parse_answer(battle.state, battle.ask, answer))
        except InputError as error:
            raise InputError(f"battle answers {number}: {error}") from None
    return battle.moment()


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON has it; `event_from` reads it back.

    Example:
        >>> from sim.pokepucks.battle.events import Flagged
        >>> event_json(Flagged(flag="asleep"))
        {'event': 'Flagged', 'flag': 'asleep'}
    """
    return {"event": type(event).__name__, **to_json(event, FORMS)}


def event_from(field: str, value: object) -> Event:
    """Return the event that JSON tells.

    Args:
        field: What to call it in an error.
        value: What `event_json` returned.

    Raises:
        InputError: It is none.
    """
    if not isinstance(value, Mapping) or value.get("event") not in _EVENTS:
        raise InputError(f"{field}: {shown(value)} is not accepted; give an event")
    rest = {name: part for name, part in value.items() if name != "event"}
    event: Event = from_json(_EVENTS[value["event"]], rest, field, FORMS)
    return event
