"""``pucklab calibrate reference`` as a person uses it."""

import tomllib
from pathlib import Path

from calibration.throw_log import LoggedThrow, write_log
from tests.commands import pucklab

CELL = "4g-6mm-3ms-3"


def throws_of(engine: str, cell: str = CELL) -> list[LoggedThrow]:
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


def write_throws(folder: Path) -> list[str]:
    arguments = []
    for engine in ("mujoco", "solid"):
        (folder / f"{engine}.csv").write_text(write_log(throws_of(engine)))
        arguments += ["--against", f"{engine}.csv"]
    return arguments


def test_the_model_is_compared_with_throws_of_a_persons_own_cells(tmp_path: Path) -> None:
    done = pucklab(
        "calibrate", "reference", *write_throws(tmp_path), "--trials", "20",
        "--report", "fidelity.txt", "--plot", "fidelity.png", "--workers", "1", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "fidelity.txt").read_text()
    assert report == done.stdout
    assert CELL in report
    assert (tmp_path / "fidelity.png").read_bytes().startswith(b"\x89PNG")


def test_throws_without_any_of_the_solid_engine_are_refused(tmp_path: Path) -> None:
    write_throws(tmp_path)
    done = pucklab("calibrate", "reference", "--against", "mujoco.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error: --against: no cell has throws of the solid engine; give a file of its throws"
    ]


def test_throws_of_no_cell_are_refused(tmp_path: Path) -> None:
    for engine in ("mujoco", "solid"):
        (tmp_path / f"{engine}.csv").write_text(write_log(throws_of(engine, "heavy")))
    done = pucklab(
        "calibrate", "reference", "--against", "mujoco.csv", "--against", "solid.csv",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2
    assert "'heavy' is no cell" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_fit_without_a_cell_to_fit_on_is_refused(tmp_path: Path) -> None:
    done = pucklab(
        "calibrate", "reference", *write_throws(tmp_path), "--out", "c.toml", cwd=tmp_path
    )
    assert done.returncode == 2
    assert "--against: no cell to fit on" in done.stderr
    assert not (tmp_path / "c.toml").exists()


def test_an_unknown_preset_is_refused_before_any_work(tmp_path: Path) -> None:
    done = pucklab("calibrate", "reference", "--preset", "best", cwd=tmp_path)
    assert done.returncode == 2
    assert "--preset: 'best' is not accepted" in done.stderr


def test_the_shipped_constants_are_those_of_the_shipped_parameter_file() -> None:
    """A fitted constant is kept with its uncertainty and its source."""
    from importlib.resources import files

    from calibration.fidelity import FREE
    from physics import ParameterSet

    text = (files("calibration") / "data" / "constants.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    for free in FREE:
        entry = table[free.section][free.name]
        assert free.value_in(ParameterSet()) == entry["value"]
        assert entry["uncertainty"] > 0
        assert entry["fitted_on"]
        assert entry["not_fitted_on"]
