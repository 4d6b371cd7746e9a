"""Progress of long work, and the signals that stop it."""

import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from sim.cli.running import stopped_by_signals, track


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
