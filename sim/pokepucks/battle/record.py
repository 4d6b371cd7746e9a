"""Battles as text and JSON: answers, set-ups, states, events and records of whole battles.

A `Record` holds the set-up and every answer, which `replay` to the same end. `moment_json` keeps a
battle at a question, to go on from there. An answer as text is a selection of options with commas
between: pucks by their index, uses of special rules such as ``Potion 17``, and ``-`` for nothing;
the answer to a throw is the text of its outcome. Special rules are code and are never written: they
are found again by the names in the designs of the pucks. Pucks and players count from 0.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

from physics import InputError
from physics.errors import shown, with_values
from physics.parsing import parse_json
from sim.core.files import version
from sim.core.json_reading import TextForm, from_json, to_json
from sim.core.play import replay_steps
from sim.core.records import check_record, read_record_file
from sim.pokepucks.battle.events import Event
from sim.pokepucks.battle.live import BattleMatch, Exchange, LiveBattle, Moment
from sim.pokepucks.battle.questions import Answer, Ask, Option, Question, Reply, ThrowCall, Use
from sim.pokepucks.battle.rules import RuleBook
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import BattleState, Place, check_state, places
from sim.pokepucks.battle.table import (
    MAX_PLAYERS,
    UNDECIDED,
    BattleOptions,
    Mode,
    Puck,
    Table,
)
from sim.pokepucks.designs import Design, OwnRule, name_key
from sim.pokepucks.special.own_rules import check_rules
from sim.pokepucks.throws import Outcome, outcome_text, parse_outcome

_TABLE_KEYS = ("names", "options", "designs", "pucks")
_MORE_TABLE_KEYS = ("rules", "first")
"""Keys that older records lack."""
_RECORD_KEYS = (
    "schema",
    "game",
    "version",
    "players",
    "seed",
    "throws",
    "engine",
    "table",
    "answers",
    "final",
)
_GAME = "pokepucks battle"
_NOTHING = "-"
_EVENTS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}


def table_json(table: Table) -> dict[str, Any]:
    """Return a set-up as a JSON object.

    Each puck is the index of its design, its owner and, if it has one, its home; only options that
    differ from the default are written, and special rules only if there are any.
    """
    designs = tuple(dict.fromkeys(puck.design for puck in table.pucks))
    numbers = {design: number for number, design in enumerate(designs)}
    pucks = [
        [numbers[puck.design], puck.owner, *(() if puck.home is None else (puck.home,))]
        for puck in table.pucks
    ]
    return {
        "names": list(table.names),
        "options": options_json(table.options),
        "designs": to_json(designs),
        "pucks": pucks,
        **({"rules": to_json(table.rules)} if table.rules else {}),
        **({"first": table.first} if table.first else {}),
    }


def options_json(options: BattleOptions) -> dict[str, Any]:
    """Return the options that differ from the default as a JSON object."""
    default = BattleOptions()
    return {
        field.name: to_json(getattr(options, field.name))
        for field in fields(options)
        if getattr(options, field.name) != getattr(default, field.name)
    }


def table_from(field: str, value: object) -> Table:
    """Return a set-up from a JSON object.

    Args:
        field: Name of the object in an error.
        value: The object, as returned by `table_json`.

    Raises:
        InputError: A key or value is not accepted.
    """
    known = {*_TABLE_KEYS, *_MORE_TABLE_KEYS}
    if not isinstance(value, Mapping) or not set(_TABLE_KEYS) <= set(value) <= known:
        raise InputError(f"{field}: {shown(value)} is not accepted; give {', '.join(_TABLE_KEYS)}")
    designs: tuple[Design, ...] = from_json(
        tuple[Design, ...], value["designs"], f"{field} designs"
    )
    pucks = _pucks_from(f"{field} pucks", value["pucks"])
    for number, (design, _, _) in enumerate(pucks):
        if not 0 <= design < len(designs):
            raise InputError(f"{field} pucks: puck {number}: there is no design {design}")
    names = from_json(tuple[str, ...], value["names"], f"{field} names")
    options = options_from(f"{field} options", value["options"])
    first = from_json(int | None, value.get("first"), f"{field} first")
    if first is None and options.first in UNDECIDED:
        first = 0  # it is written unless it is the first player
    try:
        return Table(
            pucks=tuple(
                Puck(design=designs[design], owner=owner, home=home)
                for design, owner, home in pucks
            ),
            names=names,
            options=options,
            rules=_rules_from(f"{field} rules", value.get("rules", [])),
            first=first,
        )
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _pucks_from(field: str, value: object) -> list[tuple[int, int | None, int | None]]:
    """Return design, owner and home of each puck."""
    if not isinstance(value, list):
        raise InputError(f"{field}: {shown(value)} is not accepted; give a list")
    found = []
    for number, entry in enumerate(value, start=1):
        homeless = isinstance(entry, list) and len(entry) == 2
        parts = [*entry, None] if homeless else entry
        found.append(from_json(tuple[int, int | None, int | None], parts, f"{field} {number}"))
    return found


def _rules_from(field: str, value: object) -> tuple[OwnRule, ...]:
    if not value:
        return ()
    rules: tuple[OwnRule, ...] = from_json(tuple[OwnRule, ...], value, field)
    check_rules(field, rules)
    return rules


def options_from(field: str, value: object) -> BattleOptions:
    """Return options from a JSON object or a table of a file; missing ones have the default.

    Args:
        field: Name of the object in an error.
        value: Values by field of `BattleOptions`.

    Raises:
        InputError: A name or value is not accepted.

    Example:
        >>> options_from("options", {"mode": "wild", "buy_in": [8, 12]}).buy_in
        (8, 12)
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{field}: {shown(value)} is not accepted; give names and values")
    values = dict(value)
    if values.get("mode") in list(Mode):
        values["mode"] = Mode(values["mode"])
    if isinstance(values.get("buy_in"), list):
        values["buy_in"] = tuple(values["buy_in"])
    return with_values(BattleOptions(), values, field)


def place_text(place: Place) -> str:
    """Return a stack as text: its kind and the index of its player.

    Example:
        >>> place_text(places(2)[4]), place_text(places(2)[0])
        ('Health 0', 'Arena')
    """
    return place.kind.value if place.player is None else f"{place.kind} {place.player}"


def parse_place(text: str) -> Place:
    """Return the stack that a text names.

    Raises:
        InputError: There is no such stack.
    """
    by_text = {place_text(place): place for place in places(MAX_PLAYERS)}
    if text not in by_text:
        raise InputError(f"{shown(text)} is not accepted; give a stack, such as 'Health 0'")
    return by_text[text]


FORMS = (
    TextForm(kind=Place, name="a stack", to_text=place_text, from_text=parse_place),
    TextForm(kind=Outcome, name="an outcome", to_text=outcome_text, from_text=parse_outcome),
)
"""Types that JSON holds as text, for `sim.core.json_reading`."""


def answer_text(answer: Answer) -> str:
    """Return an answer as text; `parse_answer` reads it back.

    Example:
        >>> answer_text((3, 14)), answer_text((Use("Potion", 17),)), answer_text(())
        ('3, 14', 'Potion 17', '-')
    """
    if isinstance(answer, Outcome):
        return outcome_text(answer)
    return ", ".join(map(option_text, answer)) or _NOTHING


def option_text(option: Option) -> str:
    """Return an option as text."""
    if isinstance(option, Use):
        return option.rule if option.puck is None else f"{option.rule} {option.puck}"
    return str(option)


def parse_answer(state: BattleState, ask: Ask | None, text: str) -> Answer:
    """Return an answer from text.

    Besides the output of `answer_text`, the name of a puck or rule is accepted: it stands for the
    first option of that name not yet selected. Whether the answer is legal is not checked here.

    Args:
        state: The battle.
        ask: The question or throw.
        text: The text.

    Raises:
        InputError: The text cannot be an answer.
    """
    if ask is None:
        raise InputError("answer: the battle is over")
    if isinstance(ask, ThrowCall):
        return parse_outcome(text, "answer")
    if text.strip() in {"", _NOTHING}:
        return ()
    chosen: Reply = ()
    for part in text.split(","):
        chosen = (*chosen, _option(state, ask, part.strip(), chosen))
    return chosen


def _option(state: BattleState, question: Question, text: str, chosen: Reply) -> Option:
    by_text = {name_key(option_text(option)): option for option in question.options}
    if name_key(text) in by_text:
        return by_text[name_key(text)]
    for option in question.options:
        if option not in chosen and name_key(_name(state, option)) == name_key(text):
            return option
    if text.isdecimal() and len(text) <= len(str(len(state.table.pucks))):
        return int(text)
    rule, _, puck = text.rpartition(" ")
    if puck.isdecimal() and len(puck) <= len(str(len(state.table.pucks))):
        return Use(rule, int(puck))
    options = ", ".join(f"{_name(state, o)} ({option_text(o)})" for o in question.options)
    raise InputError(f"answer: {shown(text)} is not accepted; give some of {options}, or -")


def _name(state: BattleState, option: Option) -> str:
    """Return the name of an option, without the index of its puck."""
    if isinstance(option, Use):
        return option.rule
    return state.table.pucks[option].name


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A battle as it was played.

    Attributes:
        table: The set-up.
        players: The kind of each player, such as ``random``.
        seed: Seed of all random numbers; None if there was none.
        throws: Source of the throws, in a word.
        engine: The engine that simulated them.
        answers: Every answer as text, the outcomes of throws included.
        stacks: The final stacks, in the order of `sim.pokepucks.battle.state.places`.
        winner: The winner; None for a draw, or for a battle that was broken off.
        version: Version of pucklab that played it.
    """

    table: Table
    players: tuple[str, ...]
    seed: int | None
    throws: str
    engine: str = "plane"
    answers: tuple[str, ...]
    stacks: tuple[tuple[int, ...], ...]
    winner: int | None
    version: str


def record_of(
    table: Table,
    players: Sequence[str],
    seed: int | None,
    throws: str,
    exchanges: Sequence[Exchange],
    engine: str = "plane",
) -> Record:
    """Return the record of a battle with certain exchanges."""
    final = exchanges[-1].after if exchanges else LiveBattle(new_battle(table)).state
    table = final.table  # who begins is decided there
    return Record(
        table=table,
        players=tuple(players),
        seed=seed,
        throws=throws,
        engine=engine,
        answers=tuple(answer_text(exchange.answer) for exchange in exchanges),
        stacks=final.stacks,
        winner=final.winner,
        version=version(),
    )


def record_json(record: Record) -> str:
    """Return a record as JSON text with one answer a line."""
    stacks = zip(places(record.table.players), record.stacks, strict=True)
    fields_json = {
        "schema": 1,
        "game": _GAME,
        "version": record.version,
        "players": list(record.players),
        "seed": record.seed,
        "throws": record.throws,
        "engine": record.engine,
        "table": None,
        "answers": [],
        "final": {
            "winner": record.winner,
            "stacks": {place_text(place): list(stack) for place, stack in stacks},
        },
    }
    answers = ",\n".join(f"  {json.dumps(answer)}" for answer in record.answers)
    text = json.dumps({**fields_json, "table": "table"}, indent=1, ensure_ascii=False)
    text = text.replace('"answers": []', f'"answers": [\n{answers}\n ]')
    table = json.dumps(table_json(record.table), ensure_ascii=False)
    return text.replace('"table": "table"', f'"table": {table}') + "\n"


def read_record(path: Path) -> Record:
    """Read the record of a battle from a file.

    Raises:
        InputError: The file cannot be read, or is no record; the message names file and field.
    """
    return record_from(f"record: {str(path)!r}", read_record_file(path))


def record_from(field: str, value: object) -> Record:
    """Return a record from a JSON object.

    Args:
        field: Name of the object in an error.
        value: The object.

    Raises:
        InputError: A key or value is not accepted.
    """
    if isinstance(value, Mapping) and "engine" not in value:
        value = {**value, "engine": "plane"}  # the only engine when the first files were written
    stored = check_record(field, value, game=_GAME, keys=_RECORD_KEYS)
    table = table_from(f"{field}: table", stored["table"])
    players = from_json(tuple[str, ...], stored["players"], f"{field}: players")
    if len(players) != table.players:
        raise InputError(f"{field}: players: give {table.players}, as the table has")
    final = stored["final"]
    if not isinstance(final, Mapping) or set(final) != {"winner", "stacks"}:
        raise InputError(f"{field}: final: {shown(final)} is not accepted; give winner, stacks")
    return Record(
        table=table,
        players=players,
        seed=from_json(int | None, stored["seed"], f"{field}: seed"),
        throws=from_json(str, stored["throws"], f"{field}: throws"),
        engine=from_json(str, stored["engine"], f"{field}: engine"),
        answers=from_json(tuple[str, ...], stored["answers"], f"{field}: answers"),
        stacks=_stacks(f"{field}: final stacks", table, final["stacks"]),
        winner=from_json(int | None, final["winner"], f"{field}: final winner"),
        version=from_json(str, stored["version"], f"{field}: version"),
    )


def _stacks(field: str, table: Table, value: object) -> tuple[tuple[int, ...], ...]:
    wanted = [place_text(place) for place in places(table.players)]
    if not isinstance(value, Mapping) or set(value) != set(wanted):
        raise InputError(f"{field}: {shown(value)} is not accepted; give {', '.join(wanted)}")
    return tuple(from_json(tuple[int, ...], value[name], f"{field}: {name}") for name in wanted)


def replay(record: Record, rules: RuleBook | None = None) -> Iterator[Exchange]:
    """Replay a battle, and yield its exchanges.

    Args:
        record: The record.
        rules: The special rules in play; those of the table if None.

    Raises:
        InputError: An answer is not legal at its place, which the message names, or the battle does
            not end as the record says.
    """
    # Nobody is asked and nothing is thrown: every answer comes from the record.
    match = BattleMatch(record.table, [None] * record.table.players, None, 0, rules)
    yield from replay_steps(
        record.answers,
        lambda text: match.step(parse_answer(match.state, match.question, text)),
        "answer",
    )
    _check_end(record, match.state)


def _check_end(record: Record, final: BattleState) -> None:
    if final.winner != record.winner:
        raise InputError(
            f"record: final winner: {shown(record.winner)}, but the answers lead to {final.winner}"
        )
    for place, have, stored in zip(
        places(record.table.players), final.stacks, record.stacks, strict=True
    ):
        if have != stored:
            raise InputError(
                f"record: final stacks: {place_text(place)}: {shown(stored)}, "
                f"but the answers lead to {shown(have)}"
            )


def state_json(state: BattleState) -> dict[str, Any]:
    """Return a state as a JSON object; `state_from` reads it back."""
    return {**to_json(state, FORMS), "table": table_json(state.table)}


def state_from(field: str, value: object) -> BattleState:
    """Return a state from a JSON object.

    Args:
        field: Name of the object in an error.
        value: The object, as returned by `state_json`.

    Raises:
        InputError: A field is not accepted, or a puck is in no stack or in two.
    """
    if not isinstance(value, Mapping) or "table" not in value:
        raise InputError(f"{field}: {shown(value)} is not accepted; give a state with its table")
    table = table_from(f"{field} table", value["table"])
    state: BattleState = from_json(BattleState, {**value, "table": table}, field, FORMS)
    check_state(field, state)
    return state


def moment_json(moment: Moment) -> str:
    """Return a battle at a question as JSON text; `moment_from` reads it back.

    It holds the state at the beginning of the step under way, and the answers since.
    """
    fields_json = {
        "schema": 1,
        "state": state_json(moment.base),
        "answers": [answer_text(answer) for answer in moment.answers],
    }
    return json.dumps(fields_json)


def moment_from(text: str, rules: RuleBook | None = None) -> Moment:
    """Return a battle at a question from JSON text.

    Args:
        text: The text, as returned by `moment_json`.
        rules: The special rules in play; those of the table if None.

    Raises:
        InputError: The text is not JSON, or a field is not accepted; the message names the field.
    """
    stored = parse_json(text, "battle")
    if not isinstance(stored, dict) or set(stored) != {"schema", "state", "answers"}:
        raise InputError("battle: give schema, state and answers")
    if stored["schema"] != 1 or isinstance(stored["schema"], bool):
        raise InputError(f"battle: schema: {shown(stored['schema'])} is not accepted; give 1")
    battle = LiveBattle(state_from("battle state", stored["state"]), rules=rules)
    answers = from_json(tuple[str, ...], stored["answers"], "battle answers")
    for number, answer in enumerate(answers, start=1):
        try:
            battle.answer(parse_answer(battle.state, battle.ask, answer))
        except InputError as error:
            raise InputError(f"battle answers {number}: {error}") from None
    return battle.moment()


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object; `event_from` reads it back.

    Example:
        >>> from sim.pokepucks.battle.events import Flagged
        >>> event_json(Flagged(flag="asleep"))
        {'event': 'Flagged', 'flag': 'asleep'}
    """
    return {"event": type(event).__name__, **to_json(event, FORMS)}


def event_from(field: str, value: object) -> Event:
    """Return an event from a JSON object.

    Args:
        field: Name of the object in an error.
        value: The object, as returned by `event_json`.

    Raises:
        InputError: It is no event.
    """
    if not isinstance(value, Mapping) or value.get("event") not in _EVENTS:
        raise InputError(f"{field}: {shown(value)} is not accepted; give an event")
    rest = {name: part for name, part in value.items() if name != "event"}
    event: Event = from_json(_EVENTS[value["event"]], rest, field, FORMS)
    return event
