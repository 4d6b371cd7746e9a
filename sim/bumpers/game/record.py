"""Records of games: the set-up and every choice, which replay to the same final position."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physics import InputError
from physics.checks import check_count, shown
from sim.bumpers.game.choicetext import choice_text, parse_choice
from sim.bumpers.game.match import Step
from sim.bumpers.game.steps import new_game, step
from sim.bumpers.game.table import Table
from sim.bumpers.game.tablejson import table_from, table_json
from sim.bumpers.notation import position_text
from sim.recordfile import check_record, read_record_file
from sim.version import version

_KEYS = ("schema", "game", "version", "players", "seed", "table", "choices", "final")
_GAME = "puck bumpers"
_MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as it was played.

    Attributes:
        table: The set-up.
        players: What each player was.
        seed: The seed of all that was random; None if there was none.
        choices: Every choice, shuffles among them, as text.
        position: The final position's line.
        winner: Who won; None for a draw, or a game that was broken off.
        version: The pucklab that played it.
    """

    table: Table
    players: tuple[str, ...]
    seed: int | None
    choices: tuple[str, ...]
    position: str
    winner: int | None
    version: str


def record_of(
    table: Table, players: Sequence[str], seed: int | None, steps: Sequence[Step]
) -> Record:
    """Return the record of a game, from its steps."""
    final = steps[-1].after if steps else new_game(table)
    return Record(
        table=table,
        players=tuple(players),
        seed=seed,
        choices=tuple(choice_text(taken.before, taken.choice) for taken in steps),
        position=position_text(final.position),
        winner=final.winner,
        version=version(),
    )


def record_json(record: Record) -> str:
    """Return a record as JSON, one choice a line."""
    table = {
        "schema": 1,
        "game": _GAME,
        "version": record.version,
        "players": list(record.players),
        "seed": record.seed,
        "table": table_json(record.table),
        "choices": [],
        "final": {"position": record.position, "winner": record.winner},
    }
    told = ",\n".join(f"  {json.dumps(choice)}" for choice in record.choices)
    return json.dumps(table, indent=1).replace('"choices": []', f'"choices": [\n{told}\n ]') + "\n"


def read_record(path: Path) -> Record:
    """Return the record of a file.

    Raises:
        InputError: It cannot be read, or is no record; the message names file and field.
    """
    return record_from(f"record: {str(path)!r}", read_record_file(path))


def record_from(field: str, told: object) -> Record:
    """Return the record that JSON tells.

    Args:
        field: What to call it in an error.
        told: Its contents.

    Raises:
        InputError: A key or value that is not accepted.
    """
    table = check_record(field, told, game=_GAME, keys=_KEYS)
    for key in ("players", "choices"):
        if not _are_texts(table[key]):
            raise InputError(f"{field}: {key}: {shown(table[key])} is not accepted; give texts")
    setting = table_from(f"{field}: table", table["table"])
    final = table["final"]
    if not isinstance(final, Mapping) or set(final) != {"position", "winner"}:
        raise InputError(f"{field}: final: {shown(final)} is not accepted; give position, winner")
    if len(table["players"]) != setting.players:
        raise InputError(f"{field}: players: give {setting.players}, as the table has")
    if table["seed"] is not None:
        check_count(f"{field}: seed", table["seed"], low=0, high=_MAX_SEED)
    if final["winner"] is not None:
        check_count(f"{field}: final winner", final["winner"], low=0, high=setting.players - 1)
    for name, text in (("version", table["version"]), ("final position", final["position"])):
        if not isinstance(text, str):
            raise InputError(f"{field}: {name}: {shown(text)} is not accepted; give a text")
    return Record(
        table=setting,
        players=tuple(table["players"]),
        seed=table["seed"],
        choices=tuple(table["choices"]),
        position=final["position"],
        winner=final["winner"],
        version=table["version"],
    )


def replay(record: Record) -> Iterator[Step]:
    """Replay a game, and yield its steps.

    Raises:
        InputError: A choice is not legal where it stands, or the game ends otherwise than the
            record says; the message tells which choice.
    """
    state = new_game(record.table)
    for number, text in enumerate(record.choices, start=1):
        try:
            choice = parse_choice(state, text)
            after, events = step(state, choice)
        except InputError as error:
            raise InputError(f"record: choice {number}: {error}") from None
        yield Step(before=state, choice=choice, after=after, events=events)
        state = after
    line = position_text(state.position)
    if line != record.position:
        raise InputError(f"record: final: the choices lead to {line}, not {shown(record.position)}")
    if state.winner != record.winner:
        raise InputError(
            f"record: final winner: {shown(record.winner)}, but the choices lead to {state.winner}"
        )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
