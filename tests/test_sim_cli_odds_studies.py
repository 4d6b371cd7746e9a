"""``pucklab odds compare``, ``best``, ``sensitivity`` and ``merge``, in processes of their own."""

import csv
import json
from pathlib import Path

import pytest

from tests.commands import pucklab

SMALL = ("--pucks", "2", "--preset", "fast", "--workers", "1")


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_a_comparison_says_which_is_better_in_its_first_line() -> None:
    ten = ("--preset", "fast", "--workers", "1")
    done = pucklab("odds", "compare", *ten, "--slammer-g", "20,2", "--trials", "60")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("20 g is better than 2 g, with probability > 99.9 %\n")


def test_a_comparison_that_cannot_tell_says_how_many_throws_would() -> None:
    done = pucklab("odds", "compare", *SMALL, "--slammer-g", "19.9,20", "--trials", "20")
    first = done.stdout.splitlines()[0]
    assert first.startswith("19.9 g and 20 g cannot be told apart after 20 throws")


def test_slammers_of_the_same_make_are_one_case() -> None:
    names = ("--slammer", "onix,pikachu,bulbasaur")
    done = pucklab("odds", "compare", *SMALL, *names, "--trials", "5", "--json")
    (row,) = json.loads(done.stdout)
    assert (row["first"], row["second"]) == ("Onix", "Pikachu (+1)")


def test_two_scenes_are_compared(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("schema = 1\npucks = 2\n[slammer]\nname = 'Onix'\n")
    (tmp_path / "b.toml").write_text("schema = 1\npucks = 3\n[slammer]\nname = 'Onix'\n")
    done = pucklab(
        "odds", "compare", "--scene", "a.toml", "--against", "b.toml", "--trials", "20", "--json",
        "--workers", "1", "--preset", "fast", cwd=tmp_path,
    )  # fmt: skip
    (row,) = json.loads(done.stdout)
    assert (row["first"], row["second"]) == ("Onix in a.toml", "Onix in b.toml")
    assert row["low"] <= row["value"] <= row["high"]


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--slammer-g", "4,20"),
        ("best", "--over", "slammer_g", "--points", "5", "--range", "4,20"),
        ("sensitivity", "--fields", "restitution,speed_m_s"),
    ],
    ids=lambda command: command[0],
)
def test_a_study_is_saved_goes_on_and_is_the_same_for_any_number_of_workers(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    resumed, whole = tmp_path / "resumed.csv", tmp_path / "whole.csv"
    base = ("odds", *command, "--pucks", "2", "--preset", "fast")
    pucklab(*base, "--workers", "1", "--trials", "20", "--out", str(resumed))
    on = (*base, "--workers", "1", "--trials", "31", "--out", str(resumed), "--resume")
    done = pucklab(*on, "--plot", str(tmp_path / "plot.png"))
    assert done.returncode == 0, done.stderr
    pucklab(*base, "--workers", "2", "--trials", "31", "--out", str(whole))
    assert resumed.read_bytes() == whole.read_bytes()
    assert (tmp_path / "plot.png").read_bytes()[:4] == b"\x89PNG"
    if command[0] != "compare":
        return
    refused = pucklab(*on, "--seed", "2")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "has trials of seed 1, which would be lost; this is seed 2" in refused.stderr


def test_the_best_value_is_in_its_range() -> None:
    done = pucklab(
        "odds", "best", *SMALL, "--over", "speed-m-s", "--range", "2,8", "--points", "5",
        "--trials", "30", "--json",
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert 2 <= found["low"] <= found["best"] <= found["high"] <= 8
    assert list(found["points"]) == ["2.0", "3.5", "5.0", "6.5", "8.0"]


def test_assumptions_are_moved_by_their_uncertainty() -> None:
    done = pucklab(
        "odds", "sensitivity", *SMALL, "--fields", "speed_m_s,aim_sd_mm", "--trials", "20", "--json"
    )
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert rows["speed_m_s"]["values"] == [3.5, 5.0, 6.5]
    assert rows["aim_sd_mm"]["values"] == [8.0, 12.0, 16.0]


def test_what_the_model_is_unsure_of_stands_beside_the_assumptions() -> None:
    options = ("odds", "sensitivity", *SMALL, "--fields", "speed_m_s", "--trials", "20")
    assert "Model uncertainty: flips x" in pucklab(*options).stdout
    for aim in ("flips", "p_any"):
        (row,) = json.loads(pucklab(*options, "--json", "--for", aim).stdout)
        assert row["model_low"] < row["base"] < row["model_high"]
    (row,) = json.loads(pucklab(*options, "--json", "--for", "flips-minus-out").stdout)
    assert "model_low" not in row


def test_files_are_merged(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        pucklab(
            "odds", *SMALL, "--slammer-g", "4", "--trials", "5", "--seed", seed,
            "--out", str(tmp_path / f"{seed}.csv"),
        )  # fmt: skip
    done = pucklab("odds", "merge", "1.csv", "2.csv", "--out", "sum.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "trials of 2 files" in done.stdout
    (row,) = rows_of(tmp_path / "sum.csv")
    assert (row["trials"], row["seed"]) == ("10", "1:5 2:5")
    on = pucklab("odds", *SMALL, "--slammer-g", "4", "--resume", "--out", "sum.csv", cwd=tmp_path)
    assert on.returncode == 2
    assert "was merged from several seeds" in on.stderr


WRONG = {
    "one slammer": (("compare", "--slammer", "onix"), "--slammer: one is not accepted; give two"),
    "two alike": (
        ("compare", "--slammer", "pikachu,bulbasaur"),
        "--slammer: all 2 have the same mass and size",
    ),
    "an unknown aim": (("compare", "--for", "outs"), "--for: 'outs' is not accepted; give flips,"),
    "few throws": (("compare", "--trials", "1"), "--trials: 1 is not accepted"),
    "no field": (("best",), "Missing option '--over'"),
    "an unknown field": (("best", "--over", "weight"), "--over: 'weight' is no field; "),
    "a mistyped field": (("best", "--over", "slamer_g"), "did you mean slammer_g"),
    "a backward range": (
        ("best", "--over", "slammer_g", "--range", "20,4"),
        "--range: 20,4 is an empty range; give the lower end first",
    ),
    "a heavy range": (
        ("best", "--over", "slammer_g", "--range", "4,40"),
        "--range: 40.0 is not accepted; give a number from 2 to 24 g",
    ),
    "few values": (
        ("best", "--over", "pucks", "--range", "2,4"),
        "--range: 2,4 has fewer than 5 values of pucks",
    ),
    "shields of nothing": (("best", "--over", "shields"), "shields: not accepted without"),
    "two to make the best of": (
        ("best", "--over", "speed_m_s", "--slammer-g", "4,8"),
        "slammer: 2 are not accepted here; give one",
    ),
    "a certain field": (
        ("sensitivity", "--fields", "slammer_g"),
        "--fields: slammer_g has no uncertainty; 'odds --sweep' varies it",
    ),
    "a field twice": (
        ("sensitivity", "--fields", "friction,friction"),
        "--fields: friction is given twice",
    ),
    "one file": (("merge", "a.csv"), "file: 1 is not accepted; give two or more tables"),
    "no such file": (("merge", "a.csv", "b.csv"), "file: 'a.csv' cannot be read"),
    "resuming nothing": (("compare", "--resume"), "--resume: not accepted without --out"),
    "a typing error": (("compar",), "Did you mean 'compare'"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2_and_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = pucklab("odds", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []
