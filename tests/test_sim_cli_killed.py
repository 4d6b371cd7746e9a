"""Runs that are killed lose nothing and leave no process: by signals, and by dead workers."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import pucklab, started

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")

WORKERS = ("--workers", "2")
POSITIONS = (
    "pb1:small:RPb7.RMe7.BPd7:-:R:-",
    "pb1:small:RPb7f5.RMe7.BPd7:-:R:-",
    "pb1:small:RPb7.RMe7.BPf7:-:R:-",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A command that saves as it goes.

    Attributes:
        arguments: The command and its options, without those of its file.
        goes_on: Options that continue a run that was stopped.
        files: The files that it writes.
    """

    arguments: tuple[str, ...]
    goes_on: tuple[str, ...] = ("--resume",)
    files: tuple[str, ...] = ("out.csv",)


RUNS = {
    "odds": Run(
        arguments=(
            "odds", "--slammer-g", "8", "--pucks", "3", "--preset", "fast", "--trials", "500",
            "--out", "out.csv",
        ),
    ),
    "tournament": Run(
        arguments=(
            "tournament", "--throws", "table", "--turns", "5", "--slammers", "onix,pikachu,eevee",
            "--battles", "300", "--out", "out.csv",
        ),
    ),
    "reference": Run(
        arguments=(
            "reference", "--engine", "solid", "--cells", "4g-6mm-3ms-3", "--trials", "12",
            "--out", "out.csv",
        ),
        goes_on=(),
        files=("out.csv", "out.throws.csv"),
    ),
    "batch": Run(arguments=("solve", "--batch", "tasks.csv", "--out", "out.csv")),
}  # fmt: skip


def write_tasks(folder: Path) -> None:
    """Write a batch whose rows differ in their goals and limits, so that none is solved twice."""
    rows = [
        f"{position},{goal},{actions}"
        for position in POSITIONS
        for goal in ("1", "to:c7", "to:d5")
        for actions in range(1, 9)
    ]
    (folder / "tasks.csv").write_text("position,goal,max_actions\n" + "\n".join(rows) + "\n")


def processes_of(session: int) -> dict[int, str]:
    """Return the command lines of the living processes of a session, by their ids."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found[int(folder.name)] = command
    return found


def wait_until_none_is_left(session: int, within_s: float) -> None:
    until = time.monotonic() + within_s
    while left := processes_of(session):
        assert time.monotonic() < until, left
        time.sleep(0.05)


def a_worker_of(session: int) -> int | None:
    workers = [
        pid for pid, command in processes_of(session).items() if "multiprocessing.spawn" in command
    ]
    return min(workers, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The end of a run that was interrupted: its exit code and what it wrote on stderr."""

    code: int
    said: str


def interrupted(run: Run, how: str, after_s: float, folder: Path) -> Ended:
    """Start a run, interrupt it by a signal or the death of a worker, and wait for its end."""
    with started(*run.arguments, *WORKERS, cwd=folder) as running:
        try:
            running.wait(after_s)
        except subprocess.TimeoutExpired:
            while a_worker_of(running.pid) is None and running.poll() is None:
                time.sleep(0.05)  # on a busy machine the work has not begun yet
            target = a_worker_of(running.pid) if how == "worker" else running.pid
            sent = signal.SIGKILL if how == "worker" else getattr(signal, how)
            with contextlib.suppress(ProcessLookupError):  # a quick run may have ended by now
                if target is not None:
                    os.kill(target, sent)
        _, said = running.communicate(timeout=300)
        wait_until_none_is_left(running.pid, within_s=5)
        return Ended(code=running.returncode, said=said)


def check(name: str, how: str, after_s: float, folder: Path, whole: Path) -> None:
    """Interrupt a run once, continue it, and compare its files with those of a whole run."""
    run = RUNS[name]
    write_tasks(folder)
    ended = interrupted(run, how, after_s, folder)
    code = {"SIGKILL": -9, "SIGTERM": 143, "SIGINT": 130, "SIGHUP": 129, "worker": 0}[how]
    assert ended.code in {code, 0}, ended.said
    assert "Traceback" not in ended.said
    if ended.code in {143, 130, 129} and run.goes_on:
        assert "add --resume to go on from there" in ended.said
    done = pucklab(*run.arguments, *run.goes_on, *WORKERS, cwd=folder)
    assert done.returncode == 0, done.stderr
    for file in run.files:
        assert (folder / file).read_bytes() == (whole / file).read_bytes(), file


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of runs that nobody has interrupted, filled when they are asked for."""
    return {name: tmp_path_factory.mktemp(name) for name in RUNS}


def whole_of(name: str, wholes: dict[str, Path]) -> Path:
    folder = wholes[name]
    if not (folder / "out.csv").exists():
        write_tasks(folder)
        done = pucklab(*RUNS[name].arguments, *WORKERS, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL", "worker"])
def test_a_killed_run_of_odds_goes_on_to_the_same_file(
    how: str, tmp_path: Path, wholes: dict[str, Path]
) -> None:
    check("odds", how, 3.0, tmp_path, whole_of("odds", wholes))


SEED = random.Random(19)
KILLS = [
    (name, how, SEED.uniform(1.0, 8.0))
    for how in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "worker")
    for name in RUNS
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "how", "after_s"), KILLS, ids=lambda value: str(value)[:7])
def test_every_killed_run_goes_on_to_the_same_files(
    name: str, how: str, after_s: float, tmp_path: Path, wholes: dict[str, Path]
) -> None:
    check(name, how, after_s, tmp_path, whole_of(name, wholes))
