"""Files: read within limits, written whole or not at all, saved while work goes on.

`read_text`, `read_json` and `read_toml` read what a person names; `check_writable` refuses an
output before any work is done; `write_whole` replaces a file in one step; `Autosave` does so every
few seconds; `lock_file` locks a file that several commands add to. `version` is that of
the installed pucklab.
"""

import math
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pucklab.base.errors import InputError, refusal
from pucklab.base.parsing import MAX_JSON_CHARS, MAX_TOML_CHARS, parse_json, parse_toml

STANDARD = Path("-")
"""Standard input or output, where a file is."""

SAVE_EVERY_S = 5.0
"""A run that is killed loses at most about this much work."""

_UTF_16 = re.compile(rb"\xff\xfe|\xfe\xff|.\0")
"""Begin of a text in UTF-16: its mark, or a Latin letter without one."""

_MAX_BYTES = 64_000_000
"""A CSV file has about 800,000 logged throws then."""

_SAVING_SHARE = 0.01
"""Share of a run's time that saving may take: large files are saved less often."""


_LOCK_S = 20.0
"""Longest time to wait for another command that adds to the same file."""


def read_text(field: str, path: Path, most: int = _MAX_BYTES) -> str:
    """Return the text of a file.

    Args:
        field: Name of the option or argument, for errors.
        path: The file; ``-`` for standard input.
        most: Bytes that are accepted at most.

    Raises:
        InputError: It cannot be read, is too large, or is neither UTF-8 nor UTF-16.
    """
    try:
        with nullcontext(sys.stdin.buffer) if path == STANDARD else path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{field}: {str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{field}: {str(path)!r} cannot be read: {error}") from None
    if len(data) > most:
        raise InputError(f"{field}: {str(path)!r} is too large; give at most {most} bytes")
    if path == STANDARD and not data:
        raise InputError(f"{field}: standard input is empty, or another option has read it")
    try:
        return data.decode("utf-16" if _UTF_16.match(data) else "utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{field}: {str(path)!r} is not UTF-8 text") from None


def read_json(field: str, path: Path) -> Any:
    """Return the value in a JSON file.

    Raises:
        InputError: It cannot be read, or `pucklab.base.parsing.parse_json` refuses it.
    """
    return parse_json(read_text(field, path, MAX_JSON_CHARS), f"{field}: {str(path)!r}")


def read_toml(field: str, path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file with ``schema = 1``, without the schema.

    Raises:
        InputError: It cannot be read, `parse_toml` refuses it, or it has another
            schema.
    """
    text = read_text(field, path, MAX_TOML_CHARS)
    return toml_contents(f"{field}: {str(path)!r}", text)


def toml_contents(where: str, text: str) -> dict[str, Any]:
    """Return the contents of a TOML text as `read_toml` does."""
    table = parse_toml(text, where)
    if "schema" not in table:
        raise InputError(f"{where} has no schema; begin it with schema = 1")
    schema = table.pop("schema")
    if schema != 1 or isinstance(schema, bool):
        raise refusal(f"{where} schema", schema, "1")
    return table


def is_toml(path: Path, text: str) -> bool:
    """Return whether a file is TOML by its name, or standard input by its schema."""
    if path == STANDARD:
        return re.search(r"(?m)^\s*schema\s*=", text) is not None
    return path.suffix.lower() == ".toml"


def read_shipped_text(package: str, name: str) -> str:
    """Return the text of a file in the ``data`` folder of a package."""
    return files(package).joinpath("data", name).read_text(encoding="utf-8")


def check_writable(
    field: str, path: Path | None, suffixes: tuple[str, ...], inputs: Iterable[Path | None] = ()
) -> None:
    """Check, before any work is done, that a file can be written.

    Args:
        field: Name of the option, for errors.
        path: The file to write; None for none. ``-`` is standard output, for ``--out`` alone.
        suffixes: Endings that its name may have, such as ``.csv``.
        inputs: Files that are read; none of them may be written over.

    Raises:
        InputError: Its name has another ending, it is one of the inputs, or it cannot be written.
    """
    if path is None or (path == STANDARD and field == "out"):
        return
    if path.suffix.lower() not in suffixes:
        raise InputError(
            f"{field}: {str(path)!r} is not accepted; give a name that ends in "
            f"{' or '.join(suffixes)}"
        )
    check_not_read(field, path, inputs)
    try:  # there is nothing yet, or a regular file
        fits = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        fits = len(os.fsencode(path.name)) <= 255
    except (OSError, ValueError):
        fits = False
    try:  # permissions are not enough: a file system may be read-only or full
        if fits:
            handle, name = _temporary(path.resolve() if path.is_symlink() else path)
            os.close(handle)
            Path(name).unlink()
    except OSError:
        fits = False
    if not fits:
        raise InputError(
            f"{field}: {str(path)!r} cannot be written; give a file in a folder that exists and "
            "that you may write to"
        )


def check_not_read(field: str, path: Path, inputs: Iterable[Path | None]) -> None:
    """Check that a file to write is not one of the command's inputs.

    Raises:
        InputError: It is one of them, be it by another name or a link.
    """
    for other in filter(None, inputs):
        is_same = False
        with suppress(OSError, ValueError):  # one of them is not there
            is_same = path.samefile(other)
        if is_same:
            raise InputError(f"{field}: {str(path)!r} is read by this command; give another file")


def free_path(path: Path) -> Path:
    """Return a path at which no file exists yet, with a number from 2 on if needed."""
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Name a file in the errors of the work that makes its contents.

    Raises:
        OSError: The file cannot be made or written; the message names it.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(f"{str(path)!r} cannot be written: {reason}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in full, or leave the old one: a temporary file takes its place at the end.

    A link is followed, and a file that was there keeps its mode. ``-`` is standard output.

    Raises:
        OSError: It cannot be written; the message names it.
    """
    if path == STANDARD:
        sys.stdout.write(data.decode())
        return
    with name_in_errors(path):
        target = path.resolve() if path.is_symlink() else path
        try:
            mode = stat.S_IMODE(target.stat().st_mode)
        except FileNotFoundError:
            umask = os.umask(0)  # to read it is to set it
            os.umask(umask)
            mode = 0o666 & ~umask
        handle, temporary = _temporary(target)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # else a power cut could leave an empty file
            Path(temporary).chmod(mode)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


@contextmanager
def lock_file(field: str, path: Path, wait_s: float | None = None) -> Iterator[None]:
    """Lock a file against other commands while it is read again, added to and written.

    Raises:
        InputError: Another command holds it for long, or its folder takes no
            lock.
    """
    if path == STANDARD:
        yield
        return
    from filelock import FileLock, Timeout  # rarely needed, and slow to import

    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(_LOCK_S if wait_s is None else wait_s)
    except (Timeout, OSError) as error:
        reason = "another command holds it" if isinstance(error, Timeout) else error.strerror
        raise InputError(f"{field}: {str(path)!r} cannot be added to: {reason}") from None
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file
            Path(lock.lock_file).unlink()
        lock.release()


class Autosave:
    """A result file that is written every few seconds while its results come in.

    A write that fails, on a full disk for instance, is tried again when the next one is due.

    Args:
        path: The file; None to write nothing.
        contents: Returns the file's text as it stands.
    """

    def __init__(self, path: Path | None, contents: Callable[[], str]) -> None:
        self.path = path
        self._contents = contents
        self._due_s = -math.inf

    def save_if_due(self) -> None:
        """Write the file if it was last written long enough ago."""
        if self.path not in {None, STANDARD} and time.monotonic() >= self._due_s:
            with suppress(OSError):
                self.save()

    def save(self) -> None:
        """Write the file now.

        Raises:
            OSError: It cannot be written; the message names it.
        """
        if self.path is None:
            return
        begin_s = time.monotonic()
        try:
            write_whole(self.path, self._contents().encode())
        finally:
            end_s = time.monotonic()
            self._due_s = end_s + max(SAVE_EVERY_S, (end_s - begin_s) / _SAVING_SHARE)


@cache
def version() -> str:
    """Return the version of the installed pucklab, such as ``0.1.0``."""
    from importlib import metadata

    return metadata.version("pucklab")


def _temporary(target: Path) -> tuple[int, str]:
    """Make a file in the folder of the one that it is to replace."""
    import tempfile

    return tempfile.mkstemp(dir=target.parent, prefix=".pucklab-")
