"""``pucklab odds`` as a person uses it: in processes of its own."""

import csv
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.commands import on_terminal, pucklab, started, wait_until

SMALL = ("--pucks", "3", "--preset", "fast", "--trials", "30")


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_same_seed_gives_the_same_csv_with_any_number_of_workers(tmp_path: Path) -> None:
    texts = []
    for workers in (1, 2, 4):
        out = tmp_path / f"{workers}.csv"
        done = pucklab(
            "odds", *SMALL, "--slammer-g", "4,20", "--workers", str(workers), "--out", str(out)
        )
        assert done.returncode == 0, done.stderr
        texts.append(out.read_bytes())
    assert texts[0] == texts[1] == texts[2]


def test_a_slammers_row_does_not_depend_on_the_others(tmp_path: Path) -> None:
    both, one = tmp_path / "both.csv", tmp_path / "one.csv"
    pucklab("odds", *SMALL, "--slammer-g", "20,4", "--out", str(both), "--workers", "1")
    pucklab("odds", *SMALL, "--slammer-g", "4", "--out", str(one), "--workers", "1")
    assert rows_of(both)[1] == rows_of(one)[0]


def test_slammers_of_the_same_make_share_their_throws_and_have_a_row_each(tmp_path: Path) -> None:
    out = tmp_path / "odds.csv"
    done = pucklab("odds", *SMALL, "--slammer", "all", "--out", str(out), "--workers", "1")
    rows = rows_of(out)
    assert len(rows) == 21
    assert len({row["id"] for row in rows}) == 3
    assert "4 g: Bulbasaur, Charmander +9" in " ".join(done.stdout.split())


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
@pytest.mark.parametrize(("columns", "tables"), [(50, 3), (80, 2), (130, 1)])
def test_columns_that_do_not_fit_the_terminal_follow_below(columns: int, tables: int) -> None:
    options = ("--slammer", "onix", "--preset", "fast", "--trials", "2", "--workers", "1")
    shown = on_terminal("odds", *options, columns=columns)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown[shown.index("10 pucks") :]).splitlines()
    headings = [line.split() for line in lines if line.lstrip().startswith("slammer")]
    assert len(headings) == tables
    assert " ".join(word for heading in headings for word in heading[1:]) == (
        "flips P(any flip) out P(any out) mm P0 P1 P2 P3 P4 P5 P6+"
    )
    assert all(len(line) <= columns for line in lines[1:])
    assert sum(line.split()[:3] == ["20", "g:", "Onix"] for line in lines) == tables
    assert "…" not in "".join(lines)


def test_json_has_a_row_per_slammer_and_null_for_what_is_not_known() -> None:
    done = pucklab("odds", "--pucks", "3", "--trials", "2", "--json", "--workers", "1")
    rows = json.loads(done.stdout)
    assert [row["slammer_g"] for row in rows] == [4.0, 8.0, 20.0]
    assert rows[0]["settings"] is None


def test_a_knock_out_is_thrown_at_a_lone_slammer() -> None:
    done = pucklab(
        "odds", "--knock-out", "4", "--shields", "1", "--preset", "fast", "--trials", "20",
        "--slammer", "onix", "--json", "--workers", "1",
    )  # fmt: skip
    (row,) = json.loads(done.stdout)
    assert (row["knock_out_g"], row["pucks"], row["slammer"]) == (4.0, 1, "Onix")
    assert row["p_knock_out"] == row["counts"]["flips_by_place"][0] / 20


def test_a_sweep_of_small_stacks_has_the_same_columns_in_every_row() -> None:
    """Two pucks are thrown in the solid engine, three in the plane."""
    done = pucklab(
        "odds", "--sweep", "pucks=2:3:2", "--slammer-g", "8", "--trials", "3", "--workers", "1"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "P2+" in done.stdout
    assert "P3" not in done.stdout


def test_a_run_goes_on_from_its_file_and_ends_as_one_run(tmp_path: Path) -> None:
    resumed, whole = tmp_path / "resumed.csv", tmp_path / "whole.csv"
    short = ("odds", "--pucks", "3", "--preset", "fast", "--workers", "1")
    pucklab(*short, "--trials", "20", "--out", str(resumed))
    done = pucklab(*short, "--trials", "50", "--out", str(resumed), "--resume")
    assert done.returncode == 0, done.stderr
    pucklab(*short, "--trials", "50", "--out", str(whole))
    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("other", [("--seed", "2"), ("--slammer-g", "4"), ("--pucks", "4")])
def test_going_on_with_a_file_loses_none_of_its_throws(
    tmp_path: Path, other: tuple[str, ...]
) -> None:
    out = tmp_path / "odds.csv"
    base = ("odds", "--pucks", "3", "--preset", "fast", "--trials", "3", "--workers", "1")
    pucklab(*base, "--slammer-g", "4,8", "--out", str(out))
    before = out.read_bytes()
    done = pucklab(*base, "--slammer-g", "4,8", *other, "--out", str(out), "--resume")
    assert (done.returncode, done.stdout) == (2, "")
    assert "has trials of " in done.stderr
    assert "which would be lost" in done.stderr
    assert out.read_bytes() == before


def test_going_on_mixes_no_engines(tmp_path: Path) -> None:
    out = tmp_path / "odds.csv"
    base = ("odds", "--pucks", "3", "--trials", "3", "--slammer-g", "8", "--workers", "1")
    pucklab(*base, "--out", str(out))
    before = out.read_bytes()
    done = pucklab(*base, "--engine", "solid", "--out", str(out), "--resume")
    assert (done.returncode, done.stdout) == (2, "")
    assert "would be lost: engine plane and solid" in done.stderr
    assert out.read_bytes() == before


def test_the_solid_engine_gives_the_same_csv_with_any_number_of_workers(tmp_path: Path) -> None:
    texts = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.csv"
        pucklab(
            "odds", "--engine", "solid", "--pucks", "3", "--trials", "60", "--slammer-g", "8",
            "--workers", workers, "--out", str(out),
        )  # fmt: skip
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]


def test_a_scene_file_and_a_parameter_file_set_what_options_do(tmp_path: Path) -> None:
    scene, params = tmp_path / "scene.toml", tmp_path / "params.toml"
    scene.write_text(
        'schema = 1\npucks = 3\npreset = "fast"\n[slammer]\nname = "Onix"\n'
        "[thrower]\naim_sd_mm = 8.0\n"
    )
    params.write_text("schema = 1\n[thrower]\nspeed_mm_s = { value = 6000.0, uncertainty = 300 }\n")
    files = ("--scene", str(scene), "--params", str(params))
    options = (
        "--pucks", "3", "--preset", "fast", "--slammer", "onix", "--aim-sd-mm", "8",
        "--speed-m-s", "6",
    )  # fmt: skip
    rest = ("odds", "--trials", "10", "--json", "--workers", "1")
    from_files, from_options = pucklab(*rest, *files), pucklab(*rest, *options)
    assert from_files.returncode == 0, from_files.stderr
    assert from_files.stdout == from_options.stdout


def test_options_win_over_the_scene_file_and_it_over_the_parameter_file(tmp_path: Path) -> None:
    scene, params = tmp_path / "scene.toml", tmp_path / "params.toml"
    scene.write_text("schema = 1\npucks = 3\n[thrower]\nspeed_mm_s = 4000.0\naim_sd_mm = 5.0\n")
    params.write_text("schema = 1\n[thrower]\nspeed_mm_s = 3000.0\n")
    done = pucklab(
        "odds", "--trials", "5", "--json", "--workers", "1", "--preset", "fast",
        "--scene", str(scene), "--params", str(params), "--aim-sd-mm", "9",
    )  # fmt: skip
    row = json.loads(done.stdout)[0]
    assert (row["speed_m_s"], row["pucks"]) == (4.0, 3)
    assert row["settings"] == "speed_mm_s=4000 aim_sd_mm=9 preset=fast"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_prints_and_saves_what_is_done(tmp_path: Path, workers: str) -> None:
    out, shorter = tmp_path / "odds.csv", tmp_path / "shorter.csv"
    base = ("odds", "--pucks", "3", "--preset", "fast", "--slammer-g", "8", "--workers", workers)
    with started(*base, "--trials", "1000000", "--out", str(out)) as running:
        wait_until(out.exists)
        os.killpg(running.pid, signal.SIGINT)
        printed, said = running.communicate(timeout=60)
        assert running.returncode == 130, said
        assert "Traceback" not in said
        (row,) = rows_of(out)
        assert f"stopped after {row['trials']} of 1000000 throws" in said
        assert f"{row['trials']} throws each" in printed
        pucklab(*base[:-1], "1", "--trials", row["trials"], "--out", str(shorter))
        assert shorter.read_bytes() == out.read_bytes()


WRONG = {
    "negative mass": (("--slammer-g", "-4"), "--slammer-g: -4.0"),
    "a slammer of 30 g": (("--slammer-g", "30"), "--slammer-g: 30.0"),
    "a mass that is none": (("--slammer-g", "4,heavy"), "--slammer-g: 'heavy'"),
    "NaN": (("--speed-m-s", "nan"), "--speed-m-s: nan"),
    "no pucks": (("--pucks", "0"), "--pucks: 0"),
    "half a puck": (("--pucks", "2.5"), "--pucks: '2.5'"),
    "a heavy puck": (("--puck-g", "3"), "--puck-g: 3.0"),
    "a thick slammer": (("--thickness-mm", "9"), "--thickness-mm: 9.0"),
    "a wild aim": (("--aim-sd-mm", "500"), "--aim-sd-mm: 500.0"),
    "half a descent": (("--descent-deg", "10"), "--descent-deg: '10'"),
    "a descent backwards": (("--descent-deg", "30,10"), "--descent-deg: 30.0"),
    "an unknown preset": (("--preset", "slow"), "--preset: 'slow'"),
    "an unknown engine": (("--engine", "flat"), "--engine: 'flat'"),
    "a preset of the solid engine": (
        ("--engine", "solid", "--preset", "fast"),
        "--preset: 'fast' is not accepted with the solid engine",
    ),
    "an unknown slammer": (("--slammer", "pikchu"), "did you mean Pikachu"),
    "a backward range": (
        ("--slammer-g", "24:2:2"),
        "--slammer-g: '24:2:2' is not accepted; give a r",
    ),
    "a range without a step": (("--slammer-g", "2:24"), "give LOW:HIGH:STEP, such as 2:24:2"),
    "a range that stands still": (("--slammer-g", "2:24:0"), "and a step above 0"),
    "an endless range": (("--slammer-g", "2:24:1e-9"), "a range of at most 1000 numbers"),
    "no half-width": (("--half-width", "0"), "--half-width: 0.0 is not accepted"),
    "throws and a half-width": (
        ("--half-width", ".1"),
        "--trials: not accepted beside --half-width",
    ),
    "a quantity of nothing": (
        ("--of", "flips"),
        "--of: 'flips' is not accepted without --half-width",
    ),
    "a field that is none": (("--sweep", "sped_m_s=3:7:9"), "did you mean speed_m_s"),
    "an empty sweep": (
        ("--sweep", "speed_m_s=7:3:9"),
        "--sweep: 'speed_m_s=7:3:9' is an empty range",
    ),
    "a sweep of one value": (("--sweep", "speed_m_s=3:7:1"), "--sweep: speed_m_s count: 1 is not"),
    "a sweep too fast": (
        ("--sweep", "speed_m_s=3:70:2"),
        "--sweep: speed_m_s: 70.0 is not accepted",
    ),
    "half pucks in a sweep": (("--sweep", "pucks=1:4:3"), "--sweep: pucks: 2.5 is not accepted"),
    "three sweeps": (("--sweep", "pucks=1:2:2") * 3, "--sweep: 3 fields are not accepted"),
    "a sweep twice": (("--sweep", "pucks=1:2:2") * 2, "--sweep: pucks is swept twice"),
    "a sweep of masses given": (
        ("--sweep", "slammer_g=2:4:2", "--slammer-g", "8"),
        "--slammer-g: not accepted beside --sweep slammer_g",
    ),
    "a map of two slammers": (
        (*("--sweep", "pucks=1:2:2", "--sweep", "aim_sd_mm=1:2:2"), "--plot", "map.png"),
        "--plot: a heat map shows one slammer",
    ),
    "a band without a plot": (("--model-band",), "--model-band: not accepted without --plot"),
    "a band in a map": (
        (
            *("--slammer", "onix", "--sweep", "pucks=1:2:2", "--sweep", "aim_sd_mm=1:2:2"),
            *("--plot", "map.png", "--model-band"),
        ),
        "--model-band: not accepted with a heat map; give --sweep once",
    ),
    "options before a command": (
        ("merge", "a.csv"),
        "--trials: not accepted here; give it after 'odds",
    ),
    "no trials": (("--trials", "0"), "--trials: 0"),
    "trials that are no number": (("--trials", "1e3"), "--trials: '1e3' is not accepted; give a"),
    "a seed that is no number": (("--seed", "x"), "--seed: 'x' is not accepted; give a whole"),
    "a negative seed": (("--seed", "-1"), "--seed: -1"),
    "no workers": (("--workers", "0"), "--workers: 0"),
    "shields on a stack": (("--shields", "2"), "--shields: 2"),
    "pucks in a knock-out": (("--knock-out", "8", "--pucks", "3"), "--pucks: 3"),
    "a folder that is not there": (("--out", "/no/such/odds.csv"), "--out: '/no/such/odds.csv'"),
    "too long a name": (("--out", "o" * 252 + ".csv"), "cannot be written; give a file in a"),
    "a table that is no CSV": (("--out", "odds.xls"), "--out: 'odds.xls'"),
    "a picture that is no PNG": (("--plot", "odds.bmp"), "--plot: 'odds.bmp'"),
    "resuming nothing": (("--resume",), "--resume: not accepted without --out"),
    "a scene that is not there": (("--scene", "no.toml"), "--scene: 'no.toml' cannot be read"),
    "an unknown option": (("--slamer", "onix"), "--slamer"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2_and_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    out = () if "--out" in arguments or "--resume" in arguments else ("--out", "o.csv")
    done = pucklab("odds", "--trials", "5", *out, *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["plane", "solid"])
def test_below_the_table_stands_how_far_off_the_model_may_be(engine: str) -> None:
    options = ("--pucks", "3", "--trials", "2", "--workers", "1", "--slammer-g", "8")
    words = " ".join(pucklab("odds", *options, "--engine", engine).stdout.split())
    found = re.search(r"Model uncertainty: flips x([\d.]+) to x([\d.]+); pucks out x", words)
    assert found is not None
    assert float(found[1]) < 1 < float(found[2])
    assert "what contacts give back" in words


def test_a_knock_out_has_its_own_model_uncertainty() -> None:
    done = pucklab("odds", "--knock-out", "8", "--slammer-g", "8", "--trials", "2")
    assert "Model uncertainty: odds of a knock-out x" in " ".join(done.stdout.split())


def test_masses_may_be_a_range_and_stand_beside_names() -> None:
    done = pucklab(
        "odds", "--slammer", "onix", "--slammer-g", "2:3:.5,8", "--pucks", "1", "--trials", "1",
        "--json", "--workers", "1",
    )  # fmt: skip
    rows = json.loads(done.stdout)
    assert [row["slammer"] for row in rows] == ["Onix", "2 g", "2.5 g", "3 g", "8 g"]


def test_a_stop_rule_gives_the_same_csv_with_any_number_of_workers_and_says_so(
    tmp_path: Path,
) -> None:
    texts = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.csv"
        done = pucklab(
            "odds", "--pucks", "1", "--preset", "fast", "--slammer-g", "4,20", "--half-width", ".1",
            "--workers", workers, "--out", str(out),
        )  # fmt: skip
        assert done.stdout.splitlines()[-1].startswith("stopped by half-width: P(any flip) is sure")
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]
    assert {row["stopped_by"] for row in rows_of(tmp_path / "1.csv")} == {"half-width"}


def test_a_sweep_has_a_row_for_each_value_with_the_value_in_it(tmp_path: Path) -> None:
    out, one = tmp_path / "sweep.csv", tmp_path / "one.csv"
    base = ("odds", "--pucks", "2", "--preset", "fast", "--trials", "5", "--workers", "1")
    sweep = ("--sweep", "restitution=.3:.5:3", "--sweep", "speed_m_s=4:6:2")
    done = pucklab(*base, "--slammer", "onix", *sweep, "--out", str(out), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = rows_of(out)
    values = [(row["restitution"], row["speed_m_s"]) for row in rows]
    assert values == [(r, s) for r in ("0.3", "0.4", "0.5") for s in ("4.0", "6.0")]
    assert rows[0]["settings"] == "restitution=0.3 speed_mm_s=4000"
    pucklab(*base, "--slammer", "onix", "--speed-m-s", "6", "--out", str(one))
    (alone,) = rows_of(one)
    assert {**rows[-1], "restitution": ""} == {"restitution": "", **alone}


FILES = {
    "no TOML": ("schema = 1\n[slammer", "is not TOML"),
    "another schema": ("schema = 2\n", "schema 2 of"),
    "no schema": ("pucks = 3\n", "'scene.toml' has no schema; begin it with schema = 1"),
    "an unknown key": ("schema = 1\npuks = 3\n", "puks: no such key; give pucks"),
    "an unknown field": ("schema = 1\n[puck]\nweight = 1\n", "[puck] weight: no such field"),
    "an unknown engine": ('schema = 1\nengine = "flat"\n', "--scene: engine: 'flat'"),
    "an engine that is a table": ("schema = 1\n[engine]\nname = 1\n", "engine: {'name': 1}"),
    "a diameter": ("schema = 1\n[puck]\ndiameter_mm = 38.0\n", "[puck] diameter_mm: 38.0"),
    "a heavy slammer": ("schema = 1\n[slammer]\nmass_g = 30\n", "[slammer] slammer_g: 30"),
    "no mass": ("schema = 1\n[slammer]\nthickness_mm = 6.0\n", "[slammer] mass_g: missing"),
    "a small arena": ("schema = 1\n[arena]\nside_mm = 100.0\n", "[arena] side_mm: 100.0"),
    "text for a number": ('schema = 1\n[thrower]\naim_sd_mm = "far"\n', "aim_sd_mm: 'far'"),
    "a table for a number": ("schema = 1\n[pucks]\nn = 3\n", "pucks: {'n': 3}"),
}


@pytest.mark.parametrize(("text", "said"), FILES.values(), ids=list(FILES))
def test_a_mistake_in_a_scene_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(text)
    done = pucklab("odds", "--trials", "5", "--scene", scene.name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: --scene")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
