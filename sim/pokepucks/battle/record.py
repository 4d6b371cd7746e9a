"""Records of battles: the set-up and every answer, which replay to the same end.

A battle at a moment as JSON, to keep and to go on from; and events as JSON.

A battle's set-up as JSON: complete, with the designs of its pucks, but for special rules.

Special rules are code; they are found again by the names that designs have.

What of a battle JSON tells by text: stacks and outcomes of throws.

Answers as text, for records, scripts and people.

An answer of a player is what is chosen, with commas between: pucks by their numbers, uses of
special rules as ``Potion 17``; ``-`` for nothing. A throw is its outcome's text.
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
from sim.pokepucks.battle.ledger import check_state
from sim.pokepucks.battle.live import BattleMatch, Exchange, LiveBattle, Moment
from sim.pokepucks.battle.questions import Answer, Ask, Option, Question, Reply, ThrowCall, Use
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import BattleState, Place, places
from sim.pokepucks.battle.table import MAX_PLAYERS, BattleOptions, Mode, Puck, Rule, Table
from sim.pokepucks.designs import Design, name_key
from sim.pokepucks.throws import Outcome, outcome_text, parse_outcome

_KEYS_TABLEJSON = ("names", "options", "designs", "pucks")


def table_json(table: Table) -> dict[str, Any]:
    """Return a set-up as JSON has it.

    Each puck is the number of its design, and its owner; options are those that are not default.
    """
    designs = tuple(dict.fromkeys(puck.design for puck in table.pucks))
    numbers = {design: number for number, design in enumerate(designs)}
    return {
        "names": list(table.names),
        "options": options_json(table.options),
        "designs": to_json(designs),
        "pucks": [[numbers[puck.design], puck.owner] for puck in table.pucks],
    }


def options_json(options: BattleOptions) -> dict[str, Any]:
    """Return the options that are not default, as JSON has them."""
    default = BattleOptions()
    return {
        field.name: to_json(getattr(options, field.name))
        for field in fields(options)
        if getattr(options, field.name) != getattr(default, field.name)
    }


def table_from(field: str, value: object, rules: tuple[Rule, ...]) -> Table:
    """Return the set-up that JSON tells.

    Args:
        field: What to call it in an error.
        value: What `table_json` returned.
        rules: The special rules that work.

    Raises:
        InputError: A key or value that is not accepted.
    """
    if not isinstance(value, Mapping) or set(value) != set(_KEYS_TABLEJSON):
        raise InputError(
            f"{field}: {shown(value)} is not accepted; give {', '.join(_KEYS_TABLEJSON)}"
        )
    designs: tuple[Design, ...] = from_json(
        tuple[Design, ...], value["designs"], f"{field} designs"
    )
    pucks = from_json(tuple[tuple[int, int | None], ...], value["pucks"], f"{field} pucks")
    for number, (design, _) in enumerate(pucks):
        if not 0 <= design < len(designs):
            raise InputError(f"{field} pucks: puck {number}: there is no design {design}")
    names = from_json(tuple[str, ...], value["names"], f"{field} names")
    options = options_from(f"{field} options", value["options"])
    try:
        return Table(
            pucks=tuple(Puck(design=designs[design], owner=owner) for design, owner in pucks),
            names=names,
            options=options,
            rules=rules,
        )
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def options_from(field: str, value: object) -> BattleOptions:
    """Return the options that JSON, or a file, tells; what it does not tell is default.

    Args:
        field: What to call them in an error.
        value: Values by the names of `BattleOptions`.

    Raises:
        InputError: A name or value that is not accepted.

    Example:
        >>> options_from("options", {"mode": "wild", "buy_in": [8, 12]}).buy_in
        (8, 12)
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{field}: {shown(value)} is not accepted; give names and values")
    values = dict(value)
    if values.get("mode") in set(Mode):
        values["mode"] = Mode(values["mode"])
    if isinstance(values.get("buy_in"), list):
        values["buy_in"] = tuple(values["buy_in"])
    return with_values(BattleOptions(), values, field)


def place_text(place: Place) -> str:
    """Return a stack's text: its kind, and the number of its player.

    Example:
        >>> place_text(places(2)[4]), place_text(places(2)[0])
        ('Health 0', 'Arena')
    """
    return place.kind.value if place.player is None else f"{place.kind} {place.player}"


def parse_place(text: str) -> Place:
    """Return the stack of a text.

    Raises:
        InputError: There is none.
    """
    by_text = {place_text(place): place for place in places(MAX_PLAYERS)}
    if text not in by_text:
        raise InputError(f"{shown(text)} is not accepted; give a stack, such as 'Health 0'")
    return by_text[text]


FORMS = (
    TextForm(kind=Place, name="a stack", to_text=place_text, from_text=parse_place),
    TextForm(kind=Outcome, name="an outcome", to_text=outcome_text, from_text=parse_outcome),
)
"""The forms, for `sim.core.json_reading`."""


_NOTHING = "-"


def answer_text(answer: Answer) -> str:
    """Return an answer's text; `parse_answer` reads it back.

    Example:
        >>> answer_text((3, 14)), answer_text((Use("Potion", 17),)), answer_text(())
        ('3, 14', 'Potion 17', '-')
    """
    if isinstance(answer, Outcome):
        return outcome_text(answer)
    return ", ".join(map(option_text, answer)) or _NOTHING


def option_text(option: Option) -> str:
    """Return an option's text."""
    if isinstance(option, Use):
        return option.rule if option.puck is None else f"{option.rule} {option.puck}"
    return str(option)


def parse_answer(state: BattleState, ask: Ask | None, text: str) -> Answer:
    """Return the answer that a text tells.

    Beside what `answer_text` writes, a name does for a puck or a use: it stands for the first of
    that name that is not yet chosen. Whether the answer is legal is seen when it is given.

    Args:
        state: The battle.
        ask: What is asked.
        text: The text.

    Raises:
        InputError: It tells nothing that could be meant.
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
    there = ", ".join(f"{_name(state, o)} ({option_text(o)})" for o in question.options)
    raise InputError(f"answer: {shown(text)} is not accepted; give some of {there}, or -")


def _name(state: BattleState, option: Option) -> str:
    """Return what an option is called, whichever of its like it is."""
    if isinstance(option, Use):
        return option.rule
    return state.table.pucks[option].name


_KEYS = ("schema", "game", "version", "players", "seed", "throws", "table", "answers", "final")
_GAME = "pokepucks battle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A battle as it was played.

    Attributes:
        table: The set-up.
        players: What each player was, such as ``random``.
        seed: The seed of all that was random; None if there was none.
        throws: Where the throws came from, in a word.
        answers: Every answer as text, outcomes of throws among them.
        stacks: The final stacks.
        winner: Who won; None for a draw, or a battle that was broken off.
        version: The pucklab that played it.
    """

    table: Table
    players: tuple[str, ...]
    seed: int | None
    throws: str
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
) -> Record:
    """Return the record of a battle, from its exchanges."""
    final = exchanges[-1].after if exchanges else LiveBattle(new_battle(table)).state
    return Record(
        table=table,
        players=tuple(players),
        seed=seed,
        throws=throws,
        answers=tuple(answer_text(exchange.answer) for exchange in exchanges),
        stacks=final.stacks,
        winner=final.winner,
        version=version(),
    )


def record_json(record: Record) -> str:
    """Return a record as JSON, one answer a line."""
    stacks = zip(places(record.table.players), record.stacks, strict=True)
    told = {
        "schema": 1,
        "game": _GAME,
        "version": record.version,
        "players": list(record.players),
        "seed": record.seed,
        "throws": record.throws,
        "table": None,
        "answers": [],
        "final": {
            "winner": record.winner,
            "stacks": {place_text(place): list(stack) for place, stack in stacks},
        },
    }
    answers = ",\n".join(f"  {json.dumps(answer)}" for answer in record.answers)
    text = json.dumps({**told, "table": "table"}, indent=1, ensure_ascii=False)
    text = text.replace('"answers": []', f'"answers": [\n{answers}\n ]')
    table = json.dumps(table_json(record.table), ensure_ascii=False)
    return text.replace('"table": "table"', f'"table": {table}') + "\n"


def read_record(path: Path, rules: tuple[Rule, ...]) -> Record:
    """Return the record of a file.

    Args:
        path: Where it is.
        rules: The special rules that work.

    Raises:
        InputError: It cannot be read, or is no record; the message names file and field.
    """
    return record_from(f"record: {str(path)!r}", read_record_file(path), rules)


def record_from(field: str, told: object, rules: tuple[Rule, ...]) -> Record:
    """Return the record that JSON tells.

    Args:
        field: What to call it in an error.
        told: Its contents.
        rules: The special rules that work.

    Raises:
        InputError: A key or value that is not accepted.
    """
    told = check_record(field, told, game=_GAME, keys=_KEYS)
    table = table_from(f"{field}: table", told["table"], rules)
    players = from_json(tuple[str, ...], told["players"], f"{field}: players")
    if len(players) != table.players:
        raise InputError(f"{field}: players: give {table.players}, as the table has")
    final = told["final"]
    if not isinstance(final, Mapping) or set(final) != {"winner", "stacks"}:
        raise InputError(f"{field}: final: {shown(final)} is not accepted; give winner, stacks")
    return Record(
        table=table,
        players=players,
        seed=from_json(int | None, told["seed"], f"{field}: seed"),
        throws=from_json(str, told["throws"], f"{field}: throws"),
        answers=from_json(tuple[str, ...], told["answers"], f"{field}: answers"),
        stacks=_stacks(f"{field}: final stacks", table, final["stacks"]),
        winner=from_json(int | None, final["winner"], f"{field}: final winner"),
        version=from_json(str, told["version"], f"{field}: version"),
    )


def _stacks(field: str, table: Table, told: object) -> tuple[tuple[int, ...], ...]:
    wanted = [place_text(place) for place in places(table.players)]
    if not isinstance(told, Mapping) or set(told) != set(wanted):
        raise InputError(f"{field}: {shown(told)} is not accepted; give {', '.join(wanted)}")
    return tuple(from_json(tuple[int, ...], told[name], f"{field}: {name}") for name in wanted)


def replay(record: Record) -> Iterator[Exchange]:
    """Replay a battle, and yield its exchanges.

    Raises:
        InputError: An answer is not legal where it stands, or the battle ends otherwise than the
            record says; the message tells which answer.
    """
    # Nobody is asked and nothing is thrown: every answer comes from the record.
    match = BattleMatch(record.table, [None] * record.table.players, None, 0)
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
    for place, have, told in zip(
        places(record.table.players), final.stacks, record.stacks, strict=True
    ):
        if have != told:
            raise InputError(
                f"record: final stacks: {place_text(place)}: {shown(told)}, "
                f"but the answers lead to {shown(have)}"
            )


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
        InputError: It is not JSON, or a field is not accepted; the message names the field.
    """
    told = parse_json(text, "battle")
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
