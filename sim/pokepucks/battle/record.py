"""Records of battles: the set-up and every answer, which replay to the same end."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from physics import InputError
from physics.checks import shown
from sim.jsonfields import from_json
from sim.pokepucks.battle.answertext import answer_text, parse_answer
from sim.pokepucks.battle.live import LiveBattle
from sim.pokepucks.battle.match import Exchange
from sim.pokepucks.battle.places import places
from sim.pokepucks.battle.rule import Rule
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.table import Table
from sim.pokepucks.battle.tablejson import table_from, table_json
from sim.pokepucks.battle.textforms import place_text
from sim.recordfile import check_record, read_record_file
from sim.version import version

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
    battle = LiveBattle(new_battle(record.table))
    for number, text in enumerate(record.answers, start=1):
        before, ask = battle.state, battle.ask
        try:
            answer = parse_answer(before, ask, text)
            events = battle.answer(answer)
        except InputError as error:
            raise InputError(f"record: answer {number}: {error}") from None
        assert ask is not None
        yield Exchange(before=before, ask=ask, answer=answer, after=battle.state, events=events)
    _check_end(record, battle.state)


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
