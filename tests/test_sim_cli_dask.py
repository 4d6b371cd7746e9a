"""Odds on a Dask cluster: the numbers of one process, with workers that die or differ."""

import os
import signal
import sys
import time
from concurrent.futures import Future

import pytest

from pucklab.physics import InputError
from pucklab.sim.core import processes
from pucklab.sim.core.ordered_work import WorkersDied
from pucklab.sim.experiments import collect, run_to_end
from pucklab.sim.experiments.table import table_of
from pucklab.sim.odds import ODDS as COUNTED
from pucklab.sim.odds import OddsCase, experiment_cases
from tests.commands import fail, succeed
from tests.refusals import refused
from tests.scenes import fast_scene, usual_study
from tests.tables import cases
from tests.test_sim_cli_experiments import COMMANDS

distributed = pytest.importorskip("distributed")

ODDS = "odds --pucks 3 --engine plane --slammer-g 4,20 --trials 60"


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as running:
        yield running


def cases_of(*masses_g):
    return experiment_cases(
        [
            OddsCase(name=f"{mass_g:g} g", study=usual_study(fast_scene(mass_g, 3)))
            for mass_g in masses_g
        ]
    )


@pytest.mark.parametrize(("command", "most"), COMMANDS.values(), ids=list(COMMANDS))
def test_a_cluster_gives_the_file_of_one_process(cluster, tmp_path, command, most):
    for number, where in enumerate(("--workers 1", f"--dask {cluster.scheduler_address}")):
        succeed(f"{command} {most} {where} --out {number}.csv", cwd=tmp_path)
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_a_worker_that_is_killed_changes_nothing(cluster):
    cases = cases_of(4.0, 20.0)
    table = table_of(COUNTED, cases, seed=1)
    address = cluster.scheduler_address
    with processes.workers_of(1, address) as (executor, window):
        with distributed.Client(address, set_as_default=False) as client:
            pids = client.run(os.getpid)
        killed = False
        for state in collect(table, cases, trials=100, executor=executor, window=window):
            if state.done >= 25 and not killed:
                os.kill(next(iter(pids.values())), signal.SIGKILL)
                killed = True
    assert table.csv() == run_to_end(COUNTED, cases, trials=100).csv()
    for _ in range(100):  # the cluster starts another worker for later tests
        if len(cluster.scheduler_info["workers"]) == 2:
            break
        time.sleep(0.1)


def test_a_worker_of_another_version_is_refused_by_name(cluster, monkeypatch):
    address = cluster.scheduler_address
    monkeypatch.setattr(processes, "version", lambda: "0.0.9")
    with (
        pytest.raises(
            InputError, match=r"^dask: worker tcp://.* has pucklab .*; this is pucklab 0"
        ),
        processes.workers_of(1, address),
    ):
        pass


def test_a_worker_that_comes_later_is_asked_too(cluster, monkeypatch):
    address = cluster.scheduler_address
    with processes.workers_of(1, address) as (executor, _):
        monkeypatch.setattr(processes, "version", lambda: "0.0.9")
        refused(
            executor.submit(abs, 1).result, timeout=30, said="^dask: worker tcp:// ... has pucklab"
        )


class LosingClient:
    """A client whose work is lost in one of two ways.

    Attributes:
        error: The error of its work; None if that is cancelled, as when the scheduler is gone.
    """

    def __init__(self, error):
        self.error = error

    def get_executor(self, **_):
        return self

    def submit(self, *_):
        lost = Future()
        if self.error is None:
            lost.cancel()
            lost.set_running_or_notify_cancel()
        else:
            lost.set_exception(self.error)
        return lost


@pytest.mark.parametrize("lost", ["scheduler", "worker"])
def test_lost_work_ends_a_run_with_what_is_there(lost):
    error = distributed.KilledWorker("chunk", None, 3) if lost == "worker" else None
    pool = processes.DaskPool(LosingClient(error))
    with pytest.raises(WorkersDied):
        run_to_end(COUNTED, cases_of(4.0), trials=5, executor=pool)


def test_a_scheduler_that_does_not_answer_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "_ANSWER_S", 0.3)
    said = "error: --dask: no scheduler answers at 'tcp://127.0.0.1:1'; "
    fail(f"{ODDS} --dask tcp://127.0.0.1:1 --out o.csv", said=said, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


@cases(
    "command module extra",
    """
    odds --pucks 3 --dask tcp://127.0.0.1:1 => distributed => dask
    reference --engine mujoco => mujoco => reference
    battle --watch => nicegui => play
    bumpers view => nicegui => play
    play => nicegui => play
    """,
)
def test_a_command_without_its_extra_says_how_to_install_it(command, module, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    fail(command, said=f"error: {module} is not installed; pip install 'pucklab[{extra}]'\n")


def test_workers_here_and_a_cluster_do_not_go_together():
    said = "error: --workers: not accepted beside --dask\n"
    fail(f"{ODDS} --dask tcp://127.0.0.1:1 --workers 2", said=said)
