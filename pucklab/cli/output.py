"""Standard output and error of the command line, of which neither can lose a result.

A reader that is gone (``| head``), a full device and a sign that the encoding does not have must
not end a run before its files are written: what cannot be written is dropped, and `finish` turns
the loss into an exit code when all is done.
"""

import errno
import io
import os
import sys
from pathlib import Path
from typing import Any, TextIO

import click

from pucklab.cli.signals import Stop, set_phase

EXIT_CLOSED = 141
"""128 + SIGPIPE: a shell reports the same for a tool whose reader has gone."""

EXIT_OUTPUT = 1

_OPTION_OF = {"descent_min_deg": "descent_deg", "descent_max_deg": "descent_deg"}
"""Options whose values are checked under other names."""

_MOST_ERROR_CHARS = 300
_ERROR_END_CHARS = 90


class _SafeStream(io.TextIOWrapper):
    """A text stream to a file descriptor that drops everything from its first failure on.

    The bytes are written by Python's own buffered file. A raw file in Python would let a Ctrl-C in
    between a write and the buffer's note of it, and the buffer would write the same bytes again.
    """

    failure: OSError | None = None

    def write(self, text: str, /) -> int:
        if self.fileno() == 1 and Stop.phase == "starting":  # a help text, which is written whole
            set_phase("answered")
        try:
            return super().write(text)
        except OSError as error:
            self._drop_from_now_on(error)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._drop_from_now_on(error)

    def _drop_from_now_on(self, error: OSError) -> None:
        self.failure = error
        # All that the buffer still holds, and all that follows, goes nowhere.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


_streams: list[_SafeStream] = []
"""Standard output and error, while the command line runs."""


def begin() -> None:
    """Make standard output and error safe to write to."""
    _streams.clear()
    sys.stdout = _safe(sys.stdout, 1)
    sys.stderr = _safe(sys.stderr, 2)


def finish(code: int) -> int:
    """Return the exit code of a command: its own ``code``, unless output was lost."""
    sys.stdout.flush()
    for stream in _streams:
        if stream.fileno() == 1 and stream.failure is not None and code == 0:
            if stream.failure.errno in {errno.EPIPE, errno.ESHUTDOWN, errno.EINVAL}:
                return EXIT_CLOSED
            print_error(f"standard output: {stream.failure.strerror}")
            return EXIT_OUTPUT
    return code


def print_json(facts: object, **form: Any) -> None:
    """Print facts as JSON; see `pucklab.base.parsing.json_text`."""
    from pucklab.base.parsing import json_text

    click.echo(json_text(facts, indent=2, **form))


def print_written(*paths: Path | None) -> None:
    """Report files that were written, on stderr."""
    from pucklab.base.parsing import printable

    for path in paths:
        if path not in {None, Path("-")}:
            click.echo(f"wrote {printable(path)}", err=True)


def print_error(message: str) -> None:
    """Print an error as one line of at most 300 characters.

    Args:
        message: It begins with the name of an option in the form of a field, such as
            ``slammer_g: ``; an option that stands on the command line is named as it stands there.
    """
    from pucklab.base.parsing import printable

    message = " ".join(message.split())
    field, separator, rest = message.partition(": ")
    name = field.removeprefix("option ")  # a ruling that has an option of its own
    option = "--" + _OPTION_OF.get(name, name).replace("_", "-")
    if separator and option in (argument.partition("=")[0] for argument in sys.argv[1:]):
        message = f"{option}{separator}{rest}"
    line = printable(message)
    if len(line) > _MOST_ERROR_CHARS:
        head = line[: _MOST_ERROR_CHARS - _ERROR_END_CHARS - 5]
        line = f"{head} ... {line[-_ERROR_END_CHARS:]}"
    click.echo(f"error: {line}", err=True)


def _safe(stream: TextIO | None, descriptor: int) -> TextIO:
    """Return a stream that writes where another does, and does not fail."""
    if stream is None:  # closed by whoever started us
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    try:
        replaced = isinstance(stream, io.TextIOWrapper) and stream.fileno() == descriptor
    except (OSError, ValueError):
        replaced = False
    # Windows writes to its console by other means than file descriptors.
    if not replaced or (sys.platform == "win32" and stream.isatty()):
        return stream
    assert isinstance(stream, io.TextIOWrapper)
    stream.flush()
    safe = _SafeStream(
        io.BufferedWriter(io.FileIO(descriptor, "wb", closefd=False)),
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    _streams.append(safe)
    return safe
