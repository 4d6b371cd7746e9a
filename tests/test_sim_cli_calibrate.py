"""``pucklab calibrate`` as a person uses it: in processes of its own."""

import os
import signal
import sys
import time
import tomllib
from pathlib import Path

import pytest

from calibration.throws import Setting, read_throws, simulate_throw
from physics import ParameterSet, Puck, puckdex_slammer
from tests.commands import pucklab, started


def test_the_example_of_bench_makes_a_parameter_file_that_odds_takes(tmp_path: Path) -> None:
    example = pucklab("calibrate", "bench", "--example")
    assert example.returncode == 0
    (tmp_path / "bench.csv").write_text(example.stdout)
    done = pucklab(
        "calibrate", "bench", "bench.csv", "--out", "bench.toml", "--report", "bench.txt",
        "--plot", "bench.png", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "bench.txt").read_text() == done.stdout
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")
    table = tomllib.loads((tmp_path / "bench.toml").read_text())
    assert set(table["materials"]) == {"restitution", "friction"}
    odds = pucklab(
        "odds", "--params", "bench.toml", "--trials", "2", "--pucks", "2", "--slammer-g", "4",
        "--workers", "1", cwd=tmp_path,
    )  # fmt: skip
    assert odds.returncode == 0, odds.stderr


HEADER = "slammer_g,thickness_mm,pucks,flipped,out\n"


def small_log() -> str:
    """Return a log of the model's own throws at stacks of three, which are quick to simulate."""
    rows = [HEADER.replace("out", "out,distance_mm").strip()]
    for mass in (4.0, 20.0):
        setting = Setting(slammer=puckdex_slammer(mass), pucks=3, puck=Puck())
        for trial in range(60):
            throw = simulate_throw(setting, ParameterSet(), 7, trial)
            distance = "" if throw.distance_mm is None else f"{throw.distance_mm:.0f}"
            rows.append(f"{mass:g},6,3,{throw.flipped},{throw.out},{distance}")
    return "\n".join(rows) + "\n"


def test_throws_writes_a_parameter_file_that_odds_takes_whatever_the_workers(
    tmp_path: Path,
) -> None:
    (tmp_path / "log.csv").write_text(small_log())
    (tmp_path / "bench.toml").write_text(
        "schema = 1\n[materials]\nrestitution = { value = 0.45, uncertainty = 0.02 }\n"
        "[lift_off]\ndrift = 0.25\n"
    )
    files = []
    for workers in ("1", "2"):
        done = pucklab(
            "calibrate", "throws", "log.csv", "--params", "bench.toml", "--trials", "1024",
            "--workers", workers, "--out", "me.toml", "--report", "me.txt", "--plot", "me.png",
            cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "me.txt").read_text() == done.stdout
        assert (tmp_path / "me.png").read_bytes().startswith(b"\x89PNG")
        files.append((tmp_path / "me.toml").read_text())
    assert files[0] == files[1]
    table = tomllib.loads(files[0])
    assert table["thrower"]["speed_mm_s"]["fitted_on"] == "120 throws of log.csv"
    assert table["lift_off"]["drift"]["value"] == 0.25
    odds = pucklab(
        "odds", "--params", "me.toml", "--trials", "2", "--pucks", "2", "--slammer-g", "4",
        "--workers", "1", cwd=tmp_path,
    )  # fmt: skip
    assert odds.returncode == 0, odds.stderr


def test_a_log_that_identifies_nothing_ends_with_code_3_and_no_parameters(
    tmp_path: Path,
) -> None:
    rows = "".join(f"8,6,1,{int(k % 3 == 1)},0,5\n" for k in range(20))
    (tmp_path / "log.csv").write_text(HEADER.replace("out", "out,speed_m_s") + rows)
    done = pucklab(
        "calibrate", "throws", "log.csv", "--trials", "512", "--workers", "1",
        "--out", "me.toml", "--report", "me.txt", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 3
    assert "identifies no parameter; no parameter file is written" in done.stderr
    assert "identifies NO parameter" in (tmp_path / "me.txt").read_text()
    assert not (tmp_path / "me.toml").exists()


def test_the_example_of_throws_is_a_log(tmp_path: Path) -> None:
    example = pucklab("calibrate", "throws", "--example", cwd=tmp_path).stdout
    assert "Made up" in example.splitlines()[0]
    assert len(read_throws(example, "throws.csv")) == 75


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_stops_throws_cleanly_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(small_log())
    work = ("--trials", "1000000", "--workers", "2", "--out", "me.toml")
    with started("calibrate", "throws", "log.csv", *work, cwd=tmp_path) as running:
        time.sleep(6)
        os.killpg(running.pid, signal.SIGINT)
        printed, said = running.communicate(timeout=60)
        assert running.returncode == 130, said
        assert printed == ""
        assert said == "stopped before the fit; nothing is written\n"
        assert [path.name for path in tmp_path.iterdir()] == ["log.csv"]


BENCH = "measurement,drop_mm,rebound_mm\n"
WRONG: dict[str, tuple[str, str | None, tuple[str, ...], str]] = {
    "no file": ("bench", None, (), "file: 'log.csv' cannot be read"),
    "an empty file": ("bench", "", (), "log.csv: is empty"),
    "a kind": ("bench", BENCH + "bounce,1,1\n", (), "log.csv: row 2, column measurement: 'bounce'"),
    "too few": ("bench", BENCH + "drop,500,120\n", (), "log.csv: row 2, column measurement: 1 of"),
    "a table": ("bench", BENCH, ("--out", "a.csv"), "--out: 'a.csv' is not accepted"),
    "a folder": ("bench", BENCH, ("--out", "no/a.toml"), "--out: 'no/a.toml' cannot be written"),
    "a report": ("bench", BENCH, ("--report", "a.pdf"), "--report: 'a.pdf' is not accepted"),
    "a 300 g slammer": (
        "throws",
        HEADER + "300,6,10,2,0\n" * 20,
        (),
        "log.csv: row 2, column slammer_g: 300.0",
    ),
    "too many flips": (
        "throws",
        HEADER + "8,6,10,12,0\n",
        (),
        "log.csv: row 2, column flipped: 12 of a stack of",
    ),
    "too few throws": ("throws", HEADER + "8,6,10,2,0\n", (), "log.csv: 1 throws"),
    "no trials": ("throws", HEADER, ("--trials", "10"), "--trials: 10 is not accepted"),
    "params": ("throws", HEADER, ("--params", "no.toml"), "--params: 'no.toml' cannot be read"),
    "a picture": ("bench", BENCH, ("--plot", "a.jpg"), "--plot: 'a.jpg' is not accepted"),
}


@pytest.mark.parametrize(("name", "text", "arguments", "said"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2_and_writes_nothing(
    tmp_path: Path, name: str, text: str | None, arguments: tuple[str, ...], said: str
) -> None:
    if text is not None:
        (tmp_path / "log.csv").write_text(text)
    before = list(tmp_path.iterdir())
    out = () if "--out" in arguments else ("--out", "params.toml")
    done = pucklab("calibrate", name, "log.csv", *out, *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == before


def test_rebounds_are_fitted_and_written(tmp_path: Path) -> None:
    example = pucklab("calibrate", "rebound", "--example", cwd=tmp_path).stdout
    (tmp_path / "drops.csv").write_text(example, encoding="utf-8")
    done = pucklab(
        "calibrate", "rebound", "drops.csv", "--trials", "256", "--out", "rebound.toml",
        "--report", "rebound.txt", "--plot", "rebound.png", "--workers", "1", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = tomllib.loads((tmp_path / "rebound.toml").read_text(encoding="utf-8"))
    found = table["materials"]["hysteresis"]
    assert abs(found["value"] - 0.6) < 3 * found["uncertainty"]
    assert (tmp_path / "rebound.txt").read_text(encoding="utf-8") == done.stdout
    assert (tmp_path / "rebound.png").read_bytes()[:4] == b"\x89PNG"


def test_a_log_without_rebounds_is_one_line(tmp_path: Path) -> None:
    log = "slammer_g,thickness_mm,pucks,flipped,out,speed_m_s" + "\n8,6,10,1,0,5" * 20
    (tmp_path / "throws.csv").write_text(log, encoding="utf-8")
    done = pucklab("calibrate", "rebound", "throws.csv", "--out", "r.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "throws.csv: no row has a rebound; give rebound_mm" in done.stderr
    assert not (tmp_path / "r.toml").exists()
