"""``pucklab tournament``: tables and files, resuming after a kill, Ctrl-C, mistakes."""

import csv
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.commands import pucklab, started

SHORT = ("tournament", "--throws", "table", "--turns", "5")
THREE = (*SHORT, "--slammers", "onix,pikachu,eevee")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_tournament_makes_a_table_a_file_and_a_heat_map(tmp_path: Path) -> None:
    done = pucklab(
        *THREE,
        "--battles",
        "3",
        "--workers",
        "1",
        "--out",
        "t.csv",
        "--plot",
        "t.png",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "t.csv")
    assert [(row["slammer"], row["opponent"]) for row in rows] == [
        ("Eevee", "Onix"),
        ("Eevee", "Pikachu"),
        ("Onix", "Pikachu"),
    ]
    drawn = sum(int(row["draws"]) for row in rows)
    assert f"{drawn} of 9 battles were drawn" in done.stdout
    assert "Genetically Unstable" in done.stdout
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")


def test_the_number_of_workers_does_not_change_the_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    for workers, out in (("1", one), ("2", two)):
        done = pucklab(*THREE, "--battles", "4", "--workers", workers, "--out", str(out))
        assert done.returncode == 0, done.stderr
    assert one.read_bytes() == two.read_bytes()


def test_json_has_pairs_standings_and_knock_outs() -> None:
    arguments = ("--slammers", "onix,pikachu", "--battles", "2", "--workers", "1", "--json")
    done = pucklab("tournament", "--throws", "table", *arguments)
    results = json.loads(done.stdout)
    assert results["pairs"][0]["battles"] == 2
    assert {standing["slammer"] for standing in results["standings"]} == {"Onix", "Pikachu"}
    assert all(0 <= rate["p_knock_out"] <= 1 for rate in results["knock_outs"])


def test_going_on_mixes_no_engines(tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    pair = ("tournament", "--slammers", "onix,eevee", "--battles", "1", "--turns", "1")
    done = pucklab(*pair, "--workers", "1", "--engine", "solid", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "throws: physics (solid engine)" in done.stdout
    assert {row["engine"] for row in rows_of(out)} == {"solid"}
    before = out.read_bytes()
    other = pucklab(*pair, "--workers", "1", "--out", str(out), "--resume")
    assert (other.returncode, other.stdout) == (2, "")
    assert "has throws of the solid engine, this is plane; give another file" in other.stderr
    assert out.read_bytes() == before


def wait_for(path: Path) -> None:
    until = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_tournament_that_was_killed_goes_on_to_the_same_end(tmp_path: Path) -> None:
    out, whole = tmp_path / "killed.csv", tmp_path / "whole.csv"
    with started(*THREE, "--battles", "1000000", "--workers", "1", "--out", str(out)) as running:
        wait_for(out)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate(timeout=60)
    begun = sum(int(row["battles"]) for row in rows_of(out))
    assert begun > 0
    rest = (*THREE, "--battles", "4", "--workers", "1", "--out")
    done = pucklab(*rest, str(out), "--resume")
    assert done.returncode == 0, done.stderr
    pucklab(*rest, str(whole))
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_prints_and_saves_what_is_done(tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    with started(*THREE, "--battles", "1000000", "--workers", "2", "--out", str(out)) as running:
        wait_for(out)
        os.killpg(running.pid, signal.SIGINT)
        printed, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "Traceback" not in said
    played = sum(int(row["battles"]) for row in rows_of(out))
    assert f"stopped after {played} of 3000000 battles" in said
    assert "battles were drawn" in printed


WRONG = {
    "one slammer": (("--slammers", "onix"), "--slammers: 1 is not accepted; give at least 2"),
    "a slammer twice": (("--slammers", "onix,ONIX"), "--slammers: 'Onix' is there twice"),
    "no slammer": (("--slammers", "onix,potion"), "--slammers: 'Potion' is no slammer"),
    "like no slammer": (("--slammers", "geodude"), "and 20 more, which 'pucklab puckdex' lists"),
    "an empty name": (("--slammers", "onix,,pikachu"), "--slammers: '' is not in any list"),
    "three buy-ins": (("--option", "buy_in=[9,9,9]"), "buy_in: (9, 9, 9) is not accepted"),
    "an unknown one": (("--slammers", "onix,pikchu"), "did you mean Pikachu?"),
    "no battles": (("--battles", "0"), "--battles: 0 is not accepted"),
    "no such policy": (("--policy", "clever"), "--policy: 'clever' is not accepted"),
    "a person": (("--policy", "person"), "--policy: 'person' is not accepted"),
    "no such mode": (("--mode", "wlid"), "--mode: 'wlid' is not accepted"),
    "no such throws": (("--throws", "dice"), "--throws: 'dice' cannot be read"),
    "no such folder": (("--out", "/no/such/t.csv"), "--out: '/no/such/t.csv' cannot be written"),
    "no CSV": (("--out", "t.xls"), "--out: 't.xls' is not accepted"),
    "resuming nothing": (("--resume",), "--resume: not accepted without --out"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2_and_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    out = () if "--out" in arguments or "--resume" in arguments else ("--out", "t.csv")
    done = pucklab("tournament", *out, *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("slammer\nonix\n")
    done = pucklab(*THREE, "--out", "t.csv", "--resume", cwd=tmp_path)
    assert done.returncode == 2
    assert "line 2 is no row of a tournament" in done.stderr
    assert (tmp_path / "t.csv").read_text() == "slammer\nonix\n"


def test_battles_of_other_options_are_not_lost_by_going_on(tmp_path: Path) -> None:
    once = (*THREE, "--battles", "1", "--workers", "1", "--out", "t.csv")
    assert pucklab(*once, cwd=tmp_path).returncode == 0
    saved = (tmp_path / "t.csv").read_bytes()
    done = pucklab(*once, "--resume", "--turns", "7", cwd=tmp_path)
    assert done.returncode == 2
    assert "--resume: 't.csv' has battles of other slammers, options" in done.stderr
    assert (tmp_path / "t.csv").read_bytes() == saved
