"""Records of battles: JSON files of a battle, its data, and what was decided and drawn in it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physics import InputError
from physics.decoding import encode
from physics.errors import limits
from sim.core.files import version
from sim.core.records import read_record_file
from sim.post.catalogue import Catalogue
from sim.post.play import replay
from sim.post.scenario import Setting, setting_from
from sim.post.standing import Note
from sim.post.state import State

_GAME = "battle by post"


@dataclass(frozen=True, kw_only=True)
class Record:
    """A battle that was played."""

    version: str = limits(0, 100, default="")
    battle: Mapping[str, Any]  # as in its file
    data: Catalogue
    events: tuple[Any, ...]  # decisions and draws
    hp: tuple[int, ...]  # at the end


def record_json(setting: Setting, events: Sequence[Any], end: State) -> str:
    """Return the record of a battle as JSON."""
    battle, data = encode(setting.source)
    hp = [f.hp for f in end.fighters]
    head = {"game": _GAME, "schema": 1, "version": version()}
    return json.dumps({**head, "battle": battle, "data": data, "events": events, "hp": hp}) + "\n"


def read_record(path: Path) -> tuple[Setting, Record]:
    """Return the battle of a record, and the record.

    Raises:
        InputError: The file cannot be read, or is none.
    """
    record, where = read_record_file(Record, path, _GAME), f"record: {str(path)!r}"
    record.data.check(where)
    return setting_from(record.battle, record.data, where), record


def replayed(setting: Setting, record: Record, note: Note | None = None) -> State:
    """Return the end of a battle, played again.

    Raises:
        InputError: The record is none of this battle, or ends otherwise.
    """
    end = replay(setting.battle, setting.state, record.events, note)
    if record.hp != tuple(f.hp for f in end.fighters):
        raise InputError("record: the battle ends otherwise; give one as it was saved")
    return end
