"""``pucklab puzzle`` as a person uses it: in processes of its own."""

import csv
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.commands import on_terminal, pucklab, started


def test_puzzle_prints_position_solution_and_rating() -> None:
    done = pucklab("puzzle", "--actions", "3", "--unique", "--seed", "4")
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert first.startswith("1. pb1:")
    goal, _, line = second.partition(": ")
    assert goal == "   goal 1"
    assert len(line.split()) == 3
    assert third.startswith("   1 solution, ")
    solved = json.loads(pucklab("solve", first.removeprefix("1. "), "--all", "--json").stdout)
    assert [" ".join(found) for found in solved["lines"]] == [line]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
def test_puzzles_have_lines_of_their_own_beside_the_bar() -> None:
    shown = on_terminal("puzzle", "--actions", "2", "--count", "2", "--workers", "1")
    assert re.findall(r"(.{4})\d\. pb1:", shown) == ["\x1b[2K"] * 2


def test_puzzles_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    for workers in ("1", "2"):
        options = ("--actions", "2", "--count", "3", "--workers", workers)
        done = pucklab("puzzle", *options, "--out", f"{workers}.csv", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1.csv").read_text() == (tmp_path / "2.csv").read_text()
    with (tmp_path / "1.csv").open(newline="") as file:
        assert [row["actions"] for row in csv.DictReader(file)] == ["2", "2", "2"]


def test_out_can_be_json(tmp_path: Path) -> None:
    pucklab("puzzle", "--actions", "2", "--goal", "to", "--out", "p.json", cwd=tmp_path)
    (entry,) = json.loads((tmp_path / "p.json").read_text())
    assert re.fullmatch(r"to:[a-z]+\d+:[ROYGBV]", entry["goal"])


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_keeps_the_puzzles_that_are_made(tmp_path: Path) -> None:
    options = ("--actions", "3", "--count", "100000", "--workers", "1", "--out", "p.csv")
    with started("puzzle", *options, cwd=tmp_path) as running:
        assert running.stdout is not None
        printed = [running.stdout.readline() for _ in range(3)]
        os.killpg(running.pid, signal.SIGINT)
        rest, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "Traceback" not in said
    with (tmp_path / "p.csv").open(newline="") as file:
        saved = [row["position"] for row in csv.DictReader(file)]
    told = re.findall(r"\d+\. (pb1\S+)", "".join([*printed, rest]))
    assert saved == told
    assert said.splitlines()[-1] == f"stopped after {len(saved)} of 100000 puzzles"
