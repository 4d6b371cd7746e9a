"""``pucklab calibrate`` as a person uses it."""

import json
import math
import tomllib
from dataclasses import replace
from importlib.resources import files

from pucklab.calibration.fidelity.fit import FREE
from pucklab.calibration.parameter_files import parameters_from
from pucklab.calibration.rebound.measurements import simulate_rebound
from pucklab.calibration.table import Setting
from pucklab.calibration.throw_log import LoggedThrow, write_log
from pucklab.calibration.throws.log import simulate_throw
from pucklab.physics import Materials, ParameterSet, Puck, puckdex_slammer, trial_generator
from pucklab.physics.materials import GRAVITY_MM_S2
from tests.commands import fail, interrupted_when, not_windows, pucklab, succeed
from tests.rebounds import drops
from tests.tables import cases


def test_the_example_of_bench_makes_a_parameter_file_that_odds_takes(tmp_path, write):
    example = succeed("calibrate bench --example")
    write("bench.csv", example.stdout)
    done = succeed(
        "calibrate bench bench.csv --out bench.toml --report bench.txt --plot bench.png",
        cwd=tmp_path,
    )
    assert (tmp_path / "bench.txt").read_text() == done.stdout
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")
    table = tomllib.loads((tmp_path / "bench.toml").read_text())
    assert set(table["materials"]) == {"restitution", "friction"}
    succeed(
        "odds --params bench.toml --trials 2 --pucks 2 --slammer-g 4",
        cwd=tmp_path,
    )  # fmt: skip


HEADER = "slammer_g,thickness_mm,pucks,flipped,out\n"


def small_log():
    """Return a log of the model's own throws at stacks of three, which are quick to simulate."""
    rows = [HEADER.replace("out", "out,distance_mm").strip()]
    setting = Setting(slammer=puckdex_slammer(8.0), pucks=3, puck=Puck())
    for trial in range(80):
        throw = simulate_throw(setting, ParameterSet(), 7, trial)
        distance = "" if throw.distance_mm is None else f"{throw.distance_mm:.0f}"
        rows.append(f"8,6,3,{throw.flipped},{throw.out},{distance}")
    return "\n".join(rows) + "\n"


def test_throws_writes_a_parameter_file_a_report_and_a_plot(tmp_path, write):
    write("log.csv", small_log())
    write(
        "bench.toml",
        "schema = 1\n[materials]\nrestitution = { value = 0.45, uncertainty = 0.02 }\n"
        "[lift_off]\ndrift = 0.25\n",
    )
    words = "calibrate throws log.csv --params bench.toml --trials 512"
    table = ("--simulated", "sim.csv", "--workers", "1")
    done = succeed(
        words, *table, "--out", "me.toml", "--report", "me.txt", "--plot", "me.png", cwd=tmp_path
    )
    whole = (tmp_path / "sim.csv").read_text()
    write("sim.csv", "\n".join(whole.splitlines()[:-9]) + "\n")
    assert succeed(words, *table, "--resume", cwd=tmp_path).stdout == done.stdout
    assert (tmp_path / "sim.csv").read_text() == whole
    write("sim.csv", whole.replace("throws at points 2", "throws at points 1"))
    fail(words, *table, "--resume", said="has results of 'throws at points 1", cwd=tmp_path)
    assert (tmp_path / "me.txt").read_text() == done.stdout
    assert (tmp_path / "me.png").read_bytes().startswith(b"\x89PNG")
    table = tomllib.loads((tmp_path / "me.toml").read_text())
    assert table["thrower"]["speed_mm_s"]["fitted_on"] == "80 throws of log.csv"
    assert table["lift_off"]["drift"]["value"] == 0.25
    assert parameters_from({k: v for k, v in table.items() if k != "schema"}).materials


def test_a_log_that_identifies_nothing_ends_with_code_3_and_no_parameters(tmp_path, write):
    rows = "".join(f"8,6,1,{int(k % 3 == 1)},0,5\n" for k in range(20))
    write("log.csv", HEADER.replace("out", "out,speed_m_s") + rows)
    done = pucklab(
        "calibrate throws log.csv --trials 512 --out me.toml --report me.txt",
        cwd=tmp_path,
    )
    assert done.returncode == 3
    assert "identifies no parameter; no parameter file is written" in done.stderr
    assert "identifies NO parameter" in (tmp_path / "me.txt").read_text()
    assert not (tmp_path / "me.toml").exists()


@not_windows
def test_ctrl_c_stops_throws_cleanly_and_keeps_what_is_simulated(tmp_path, write):
    write("log.csv", HEADER + "8,6,1,1,0\n" * 20)
    work = ("--trials", "1000000", "--workers", "1", "--out", "me.toml", "--simulated", "s.csv")
    code, printed, said = interrupted_when(
        r"[1-9]\d*/\d{4,}", "calibrate", "throws", "log.csv", *work, cwd=tmp_path
    )
    assert (code, printed) == (130, "")
    assert "stopped before the fit; add --resume to go on from there" in said
    assert "Traceback" not in said
    assert {path.name for path in tmp_path.iterdir()} == {"log.csv", "s.csv"}


def test_rebounds_are_fitted_and_written(tmp_path, write):
    """Drops on the floor and on two pucks, quicker than those of the example."""
    rng = trial_generator(5, 0)
    rows = ["slammer_g,thickness_mm,pucks,drop_mm,rebound_mm"]
    for drop in drops(Materials(), 2.0, 1):
        setting = replace(drop.setting, pucks=min(drop.setting.pucks, 2))
        tilt_rad = abs(rng.normal(0.0, math.radians(2.0)))
        speed = math.sqrt(2 * GRAVITY_MM_S2 * drop.fall_mm)
        height = simulate_rebound(setting, Materials(hysteresis=0.6), speed, tilt_rad, rng)
        rows.append(f"8,6,{setting.pucks},{drop.fall_mm:g},{height:.0f}")
    write("drops.csv", "\n".join(rows))
    done = succeed(
        "calibrate rebound drops.csv --trials 256 --json --out rebound.toml --report rebound.txt",
        *("--plot", "rebound.png"),
        cwd=tmp_path,
    )
    table = tomllib.loads((tmp_path / "rebound.toml").read_text(encoding="utf-8"))
    found = table["materials"]["hysteresis"]
    assert abs(found["value"] - 0.6) < 3 * found["uncertainty"]
    assert found["value"] in {each["value"] for each in json.loads(done.stdout)}
    assert "hysteresis" in (tmp_path / "rebound.txt").read_text(encoding="utf-8")
    assert (tmp_path / "rebound.png").read_bytes()[:4] == b"\x89PNG"


CELL = "4g-6mm-3ms-3"


def throws_of(engine, cell=CELL):
    """Made-up throws: every other one flips the top puck."""
    return [
        LoggedThrow(
            engine=engine,
            cell=cell,
            trial=trial,
            hit=True,
            faces="DDU" if trial % 2 else "DDD",
            slammer="D",
            distance_um=60_000,
            energy_begin_mj=18.0,
            energy_peak_mj=18.0,
            energy_end_mj=2.0,
            gains_energy=False,
        )
        for trial in range(40)
    ]


def write_throws(folder):
    arguments = []
    for engine in ("mujoco", "solid"):
        (folder / f"{engine}.csv").write_text(write_log(throws_of(engine)))
        arguments += ["--against", f"{engine}.csv"]
    return arguments


def test_the_model_is_compared_with_throws_of_a_persons_own_cells(tmp_path):
    done = succeed(
        "calibrate reference", *write_throws(tmp_path), "--trials", "20",
        "--report", "fidelity.txt", "--plot", "fidelity.png", cwd=tmp_path,
    )  # fmt: skip
    report = (tmp_path / "fidelity.txt").read_text()
    assert report == done.stdout
    arguments = (*write_throws(tmp_path), "--trials", "20", "--json")
    (cell,) = json.loads(succeed("calibrate reference", *arguments, cwd=tmp_path).stdout)
    assert cell["reference"]["solid"]["flips"] == 0.5
    assert CELL in report
    assert (tmp_path / "fidelity.png").read_bytes().startswith(b"\x89PNG")


@cases(
    "cell engine said",
    f"""
    {CELL} => mujoco => --against: no cell has throws of the solid
    heavy => solid => 'heavy' is no cell
    8g-6mm-5ms-on-8g-2 => solid => --against: it has only cells that the plane
    {CELL} => solid => --against: no cell to fit on
    """,
)
def test_throws_that_cannot_be_compared_are_refused(tmp_path, write, cell, engine, said):
    write("a.csv", write_log(throws_of(engine, cell)))
    against = "--against a.csv --out c.toml"
    fail(f"calibrate reference {against}", said=said, cwd=tmp_path)
    assert not (tmp_path / "c.toml").exists()


def test_the_shipped_constants_are_those_of_the_shipped_parameter_file():
    """A fitted constant is kept with its uncertainty and its source."""
    text = (files("pucklab.calibration") / "data" / "constants.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    for free in FREE:
        entry = table["lift_off"][free.name]
        assert free.value_in(ParameterSet()) == entry["value"]
        assert entry["uncertainty"] > 0
        assert entry["fitted_on"]
        assert entry["not_fitted_on"]
