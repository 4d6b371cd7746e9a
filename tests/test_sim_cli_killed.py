"""Runs that are killed lose nothing and leave no process: by signals, and by dead workers."""

import contextlib
import os
import random
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.commands import started, succeed, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")

POSITIONS = (
    "pb1:small:RPb7.RMe7.BPd7:-:R:-",
    "pb1:small:RPb7f5.RMe7.BPd7:-:R:-",
    "pb1:small:RPb7.RMe7.BPf7:-:R:-",
)
TASKS = "position,goal,max_actions\n" + "".join(
    f"{position},{goal},{actions}\n"
    for position in POSITIONS
    for goal in ("1", "to:c7", "to:d5")
    for actions in range(1, 9)
)  # rows differ in their goals and limits, so that none is solved twice
RUNS = {
    "odds": "odds --slammer-g 8 --pucks 3 --engine plane --trials 250",
    "paired": "odds compare --slammer-g 4,8 --pucks 3 --engine plane --trials 300",
    "tournament": "tournament --throws table --turns 5 --slammers onix,pikachu,eevee --battles 300",
    "reference": "reference --engine solid --cells 4g-6mm-3ms-3 --trials 12",
    "batch": "solve --batch tasks.csv",
}
CODES = {"SIGKILL": -9, "SIGTERM": 143, "SIGINT": 130, "SIGHUP": 129, "worker": 0}


def line(name, *more, workers=2):
    return [*RUNS[name].split(), "--workers", str(workers), "--out", "out.csv", *more]


def processes_of(session):
    """Return the command lines of the living processes of a session, by their ids."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if int(fields[3]) == session and fields[0] != "Z":
                found[int(folder.name)] = command
    return found


def worker_of(session):
    every = processes_of(session).items()
    return min((pid for pid, line in every if "multiprocessing.spawn" in line), default=None)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of a run that nobody interrupts, by its name."""

    @cache
    def files(name):
        folder = tmp_path_factory.mktemp(name)
        return run(name, folder)

    return files


def run(name, folder, *more):
    """Run to the end in one process and return the files."""
    (folder / "tasks.csv").write_text(TASKS)
    succeed(*line(name, *more, workers=1), cwd=folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check(name, how, after_s, folder, whole):
    """Interrupt a run once, continue it, and compare its files with those of a whole run."""
    (folder / "tasks.csv").write_text(TASKS)
    with started(*line(name), cwd=folder) as running:
        wait_until(lambda: worker_of(running.pid) or running.poll() is not None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(after_s)
        target = worker_of(running.pid) if how == "worker" else running.pid
        with contextlib.suppress(ProcessLookupError):  # a quick run may have ended by now
            if target is not None:
                os.kill(target, signal.SIGKILL if how == "worker" else getattr(signal, how))
        _, said = running.communicate(timeout=300)
        wait_until(lambda: not processes_of(running.pid), within_s=5)
    assert running.returncode in {CODES[how], 0}, said
    assert "Traceback" not in said
    if running.returncode in {143, 130, 129}:
        assert "add --resume to go on from there" in said
    assert run(name, folder, "--resume") == whole


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL", "worker"])
def test_a_killed_run_goes_on_to_the_same_file(how, tmp_path, whole):
    check("odds", how, 0.3, tmp_path, whole("odds"))


SEED = random.Random(19)
KILLS = [(name, how, SEED.uniform(0.1, 7.0)) for how in CODES for name in RUNS]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "how", "after_s"), KILLS, ids=lambda value: str(value)[:7])
def test_every_killed_run_goes_on_to_the_same_files(name, how, after_s, tmp_path, whole):
    check(name, how, after_s, tmp_path, whole(name))
