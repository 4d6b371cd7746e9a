"""Worker processes: how many, and what they do with signals and with the end of their parent."""

import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import CancelledError

import pytest

from pucklab.base.kernels import stop_word
from pucklab.physics import Scene, Throw, ThrowDistribution, puck_stack, puckdex_slammer
from pucklab.physics.solid.engine import slam_solid
from pucklab.physics.solid.settings import REFERENCE
from pucklab.sim.core import ordered_work, processes
from pucklab.sim.core.processes import (
    WorkerPool,
    WorkerProcess,
    worker_processes,
    worker_threads,
)
from pucklab.sim.odds.study import Study, run_trials
from tests.commands import not_windows


def test_one_worker_needs_no_process():
    with worker_processes(1) as pool:
        assert pool is None


def test_windows_gets_no_more_processes_than_it_can_wait_for(monkeypatch):
    started = []

    class NoPool(WorkerPool):
        def __init__(self, workers):
            started.append(workers)

        def shutdown(self, wait=True, *, cancel_futures=False):
            del wait, cancel_futures

    monkeypatch.setattr(processes, "WorkerPool", NoPool)
    for platform in ("linux", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        with worker_processes(200):
            pass
    assert started == [200, 61]


def test_without_a_list_of_allowed_processors_all_are_used(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert ordered_work.processors() == 7


@not_windows
def test_workers_leave_signals_of_the_terminal_to_their_parent_and_end_on_stop():
    with pytest.raises(KeyboardInterrupt), worker_processes(2) as pool:  # noqa: PT012
        assert pool.submit(abs, -1).result() == 1
        workers = [p for p in multiprocessing.active_children() if isinstance(p, WorkerProcess)]
        for worker in workers:
            os.kill(worker.pid, signal.SIGINT)
            os.kill(worker.pid, signal.SIGHUP)
        assert pool.submit(abs, -2).result() == 2
        begin_s = time.monotonic()
        pool.submit(time.sleep, 60)
        raise KeyboardInterrupt
    assert time.monotonic() - begin_s < 20
    assert not any(worker.is_alive() for worker in workers)


def test_threads_end_in_the_midst_of_their_work_and_throw_the_same_trials():
    """A thread alone would throw for hours."""
    pair = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
    study = Study(scene=pair, thrower=ThrowDistribution())
    with worker_threads(2) as pool:
        parts = [pool.submit(run_trials, study, 3, first, 5) for first in (0, 5)]
        found = sum((part.result() for part in parts[1:]), parts[0].result())
    assert found == run_trials(study, 3, 0, 10)
    with pytest.raises(KeyboardInterrupt), worker_threads(2) as pool:  # noqa: PT012
        work = [pool.submit(run_trials, study, 3, 0, 1_000_000) for _ in range(3)]
        raise KeyboardInterrupt
    assert all(each.done() for each in work)


def test_an_interrupt_ends_a_throw_in_its_midst():
    """Sixty pucks with the careful settings take some ten seconds."""
    tower = Scene(slammer=puckdex_slammer(19.0), stack=puck_stack(60))
    with pytest.raises(KeyboardInterrupt), worker_threads(1) as pool:  # noqa: PT012
        work = pool.submit(slam_solid, tower, Throw(speed_mm_s=5000.0), settings=REFERENCE)
        while not work.running():
            time.sleep(0.01)
        time.sleep(0.1)
        raise KeyboardInterrupt
    with pytest.raises(CancelledError):
        work.result()


def test_a_stop_word_belongs_to_its_thread():
    assert stop_word() is stop_word()
    with worker_threads(2) as pool:
        assert pool.submit(stop_word).result() is not stop_word()
