"""``pucklab reference``: throws in a 3-D engine, with what is known of each."""

from dataclasses import replace

import pytest

from pucklab.calibration.cells import (
    REFERENCE_CELLS,
    cell_named,
    draw_trial,
    is_in_plane,
    scene_of,
    thrower_of,
)
from pucklab.calibration.reference import engine_version
from pucklab.calibration.throw_log import LoggedThrow, read_log, write_log
from pucklab.sim.odds import Study
from pucklab.sim.scene.fields import FIELDS, describe_doubt
from tests.commands import fail, rows_of, succeed
from tests.refusals import refused
from tests.tables import cases

CELL = "4g-6mm-5ms-on-4g-1"


@pytest.mark.parametrize("cell", REFERENCE_CELLS, ids=lambda cell: cell.name)
def test_every_cell_is_a_scene_of_the_rulebook(cell):
    scene = scene_of(cell)
    assert len(scene.stack) >= 1
    assert 3000.0 <= thrower_of(cell).speed_mm_s <= 7000.0
    assert cell_named(cell.name) == cell


def test_no_two_cells_have_a_throw_in_common():
    """But for those that differ in the hysteresis alone, which are compared throw by throw."""
    turns = {draw_trial(cell, 0).tilt_azimuth_rad for cell in REFERENCE_CELLS}
    assert len(turns) == len(REFERENCE_CELLS)
    latching = replace(REFERENCE_CELLS[7], hysteresis=1.0)
    assert draw_trial(latching, 0) == draw_trial(REFERENCE_CELLS[7], 0)


def test_the_plane_is_checked_on_the_ranges_of_the_cells_and_no_further():
    studies = [Study(scene=scene_of(cell), thrower=thrower_of(cell), engine="plane")
               for cell in REFERENCE_CELLS]  # fmt: skip
    assert set(map(describe_doubt, studies)) == {""}
    own = [cell for cell in REFERENCE_CELLS if is_in_plane(cell)]
    seen = {
        "slammer_g": [cell.slammer_g for cell in own],
        "thickness_mm": [cell.thickness_mm for cell in own],
        "speed_m_s": [cell.speed_m_s for cell in own],
        "pucks": [cell.pucks for cell in own],
        "restitution": [cell.restitution for cell in own],
        "friction": [cell.friction for cell in own],
        "puck_g": [cell.puck_g for cell in own],
        "descent_min_deg": [angle for cell in own for angle in cell.descent_deg],
        "aim_sd_mm": [thrower_of(cell).aim_sd_mm for cell in own],
        "tilt_sd_deg": [thrower_of(cell).tilt_sd_deg for cell in own],
    }
    for name, values in seen.items():
        assert FIELDS[name].checked == (min(values), max(values)), name


def logged(trial, faces="DU", *, gains_energy=False, by="", cell=CELL):
    return LoggedThrow(
        engine="mujoco",
        cell=cell,
        trial=trial,
        hit=True,
        faces=faces,
        slammer="O",
        distance_um=1234,
        energy_begin_mj=50.0,
        energy_peak_mj=50.1,
        energy_end_mj=20.0,
        gains_energy=gains_energy,
        engine_version=by,
        settings="solid-settling",
    )


def test_a_log_gives_its_throws_back_in_order():
    throws = [logged(2), logged(0, gains_energy=True), logged(1, "OL")]
    assert read_log(write_log(throws), "log") == tuple(sorted(throws, key=lambda t: t.trial))


def test_a_log_that_is_none_is_refused_with_its_row():
    text = write_log([logged(0)]).replace("DU", "XY")
    refused(read_log, text, "log", said="^log: row 2, column faces: 'XY' is ... 2 of the letters")


def test_throws_are_kept_and_not_thrown_again_and_those_that_gain_energy_left_out(tmp_path):
    """The log is made beforehand, so that no engine is needed."""
    pytest.importorskip("mujoco")
    log = tmp_path / "m.throws.csv"
    by = engine_version("mujoco")
    throws = [logged(0, "UD", by=by), logged(1, by=by), logged(2, "UD", gains_energy=True, by=by)]
    log.write_text(write_log(throws))
    done = succeed(
        f"reference --engine mujoco --cells {CELL} --trials 3 --out m.csv --resume",
        cwd=tmp_path,
    )
    assert f"{CELL}: 1 of 3 throws gain energy: left out" in done.stderr
    (row,) = rows_of(tmp_path / "m.csv")
    assert (row["trials"], row["p_knock_out"], row["left_out_for_energy"]) == ("2", "0.5", "1")
    assert (row["engine"], row["cell"], row["energy_end_share"]) == ("mujoco", CELL, "0.4")


def test_stacks_and_knock_outs_stand_in_one_table(tmp_path, write):
    pytest.importorskip("mujoco")
    by, stack = engine_version("mujoco"), "4g-6mm-5ms-2"
    write("m.throws.csv", write_log([logged(0, by=by), logged(0, by=by, cell=stack)]))
    done = succeed(
        f"reference --engine mujoco --cells {CELL},{stack} --trials 1 --out m.csv --resume",
        cwd=tmp_path,
    )
    assert CELL in done.stdout
    assert stack in done.stdout


def test_throws_of_another_version_of_the_engine_are_not_mixed_with_these(tmp_path, write):
    pytest.importorskip("mujoco")
    log = write("m.throws.csv", write_log([logged(0, by="1.0")]))
    before = log.read_bytes()
    said = f"has throws of mujoco '1.0', this is {engine_version('mujoco')!r}"
    line = f"reference --engine mujoco --cells {CELL} --trials 1 --out m.csv --resume"
    fail(line, said=said, cwd=tmp_path)
    assert log.read_bytes() == before


@cases(
    "good bad",
    """
    DU => D
    4g-6mm-5ms-on-4g-1 => 5g
    50.1 => inf
    4g-6mm-5ms-on-4g-1,0 => 4g-6mm-5ms-on-4g-1,-1
    1234 => many
    1234 => 1234,5
    """,
)
def test_a_damaged_log_is_refused_with_its_row(good, bad):
    refused(read_log, write_log([logged(0)]).replace(good, bad), "log", said="^log: row 2")
