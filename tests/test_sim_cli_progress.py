"""Progress of long work, and the signals that stop it."""

import signal
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from sim.cli.running import (
    EXIT_STOPPED,
    EXIT_WORKERS,
    announced_if_slow,
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


@pytest.mark.parametrize(("lasts_s", "printed"), [(0.0, ""), (0.3, "please wait\n")])
def test_only_slow_work_is_announced(
    lasts_s: float, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with announced_if_slow("please wait", after_s=0.1):
        time.sleep(lasts_s)
    assert capsys.readouterr().err == printed
