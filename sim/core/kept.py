"""Files that keep something between games: careers, puzzle scores, the choices of a person.

All are one JSON table: schema, game, version, and what is kept under a key of its own.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from pucklab.base.decoding import check_names, decode, encode
from pucklab.base.facts import fact
from pucklab.base.files import lock_file, read_json, version, write_whole
from pucklab.base.parsing import json_text
from pucklab.sim.core.records import record_from

_Value = TypeVar("_Value")


@fact
class Kept(Generic[_Value]):
    """A kind of file."""

    game: str  # name of the kind in the file
    key: str  # the key of the value
    what: str  # name of the file in errors
    kind: Any  # type of the value
    first: _Value  # the value if there is no file yet

    def read(self, path: Path) -> _Value:
        """Return the value that a file keeps.

        Raises:
            InputError: It cannot be read, or is no such file.
        """
        if not path.exists():
            return self.first
        where = f"{self.what}: {str(path)!r}"
        stored = record_from(dict, read_json(self.what, path), where, self.game)
        check_names(where, stored, ("version", self.key))
        found: _Value = decode(self.kind, stored.get(self.key), f"{where} {self.key}")
        return found

    def write(self, path: Path, value: _Value) -> None:
        """Write a file, whole or not at all.

        Raises:
            OSError: It cannot be written.
        """
        write_whole(path, self.text(value).encode())

    def text(self, value: _Value) -> str:
        """Return the text of a file."""
        table = {"schema": 1, "game": self.game, "version": version(), self.key: encode(value)}
        return json_text(table, indent=1, ensure_ascii=False) + "\n"

    def change(self, path: Path, change: Callable[[_Value], _Value]) -> _Value:
        """Change a file that other commands may change, too, and return its new value.

        Raises:
            InputError: It cannot be read, or another command holds it; it stays as it is.
            OSError: It cannot be written.
        """
        with lock_file(self.what, path):
            value = change(self.read(path))
            self.write(path, value)
        return value
