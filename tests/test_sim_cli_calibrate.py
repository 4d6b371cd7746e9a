"""``pucklab calibrate`` as a person uses it: in processes of its own."""

import tomllib
from pathlib import Path

import pytest

from tests.commands import pucklab


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


BENCH = "measurement,drop_mm,rebound_mm\n"
WRONG = {
    "no file": ("bench", None, (), "file: 'log.csv' cannot be read"),
    "an empty file": ("bench", "", (), "log.csv: is empty"),
    "a kind": ("bench", BENCH + "bounce,1,1\n", (), "log.csv: row 2, column measurement: 'bounce'"),
    "too few": ("bench", BENCH + "drop,500,120\n", (), "log.csv: row 2, column measurement: 1 of"),
    "a table": ("bench", BENCH, ("--out", "a.csv"), "out: 'a.csv' is not accepted"),
    "a folder": ("bench", BENCH, ("--out", "no/a.toml"), "out: 'no/a.toml' cannot be written"),
    "a report": ("bench", BENCH, ("--report", "a.pdf"), "report: 'a.pdf' is not accepted"),
    "a picture": ("bench", BENCH, ("--plot", "a.jpg"), "plot: 'a.jpg' is not accepted"),
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
