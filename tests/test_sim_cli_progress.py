"""Progress of long work, and the signals that stop it."""

import signal
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from physics import compiling
from sim.cli import running
from sim.cli.running import (
    EXIT_STOPPED,
    EXIT_WORKERS,
    compiling_shown,
    exit_code,
    report_stop,
    stopped_by_signals,
    track,
)
from sim.core.ordered_work import WorkersDied


def losing_ctrl_c() -> Iterator[int]:
    """States of work in which a library takes Ctrl-C for an error of its own."""
    yield 1
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    yield 2


def how_far(state: int) -> tuple[int, int]:
    return state, 2


def test_a_ctrl_c_that_was_lost_is_answered_at_the_next_state() -> None:
    with stopped_by_signals():
        states = track(losing_ctrl_c(), how_far)
        assert next(states) == 1
        with pytest.raises(KeyboardInterrupt):
            next(states)


def test_a_ctrl_c_is_answered_once() -> None:
    with stopped_by_signals():
        with pytest.raises(KeyboardInterrupt):
            list(track(losing_ctrl_c(), how_far))
        assert list(track([1, 2], how_far)) == [1, 2]


def test_afterwards_ctrl_c_is_what_it_was() -> None:
    with stopped_by_signals():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_each_signal_has_an_exit_code_of_its_own(
    name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip("this system has no such signal")
    # Tests that run under nohup inherit that SIGHUP is ignored.
    default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    before = signal.signal(number, default)
    try:
        with stopped_by_signals():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
            report_stop("after 3 of 9 throws", resumes=True)
            assert exit_code(EXIT_STOPPED) == code
            assert exit_code(0) == 0
    finally:
        signal.signal(number, before)
    by = "" if name == "SIGINT" else f" by {name}"
    assert capsys.readouterr().err == (
        f"stopped{by} after 3 of 9 throws; add --resume to go on from there\n"
    )


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with stopped_by_signals():
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_second_death_of_workers_has_an_exit_code_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def dying() -> Iterator[int]:
        yield 1
        raise WorkersDied

    with stopped_by_signals():
        with pytest.raises(KeyboardInterrupt):
            list(track(dying(), how_far))
        report_stop("after 1 of 2 throws")
        assert exit_code(EXIT_STOPPED) == EXIT_WORKERS
    shown = capsys.readouterr().err
    assert shown == "stopped by the death of worker processes after 1 of 2 throws\n"


@pytest.mark.parametrize("is_terminal", [False, True])
def test_compiling_is_said_when_functions_are_compiled_and_only_then(
    is_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setenv("TTY_COMPATIBLE", str(int(is_terminal)))
    with compiling_shown():
        pass
    assert capsys.readouterr().err == ""
    with compiling_shown():
        for done, total in ((0, 4), (1, 4), (4, 4), (4, 6), (6, 6)):
            compiling._report(done, total)
    shown = capsys.readouterr().err
    assert shown.count("compiling") >= 1
    assert (shown == "compiling: this happens once\n") is not is_terminal
    assert ("1/4" in shown) is is_terminal


def test_compiling_has_a_row_of_the_bar_that_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def work() -> Iterator[int]:
        yield 1
        compiling._report(3, 7)
        yield 2

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with compiling_shown():
        for state in track(work(), lambda state: (state, 2)):
            if state == 2:
                (bar,) = (running._Bars.shown,)
                assert bar is not None
                assert [(task.description, task.completed) for task in bar.tasks] == [
                    ("throwing", 2),
                    ("compiling (once)", 3),
                ]
    capsys.readouterr()
