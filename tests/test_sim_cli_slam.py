"""``pucklab`` and ``pucklab slam`` as a person uses them."""

import pytest
from PIL import Image

from tests.commands import json_of, pucklab, succeed
from tests.tables import cases

FAST = "--engine plane --preset fast --pucks 4"


def test_a_slam_is_described_in_two_lines_and_its_engine_in_a_third():
    done = succeed("slam --slammer onix --seed 7")
    first, second, engine = done.stdout.splitlines()
    assert first.startswith("Onix (20 g, 6 mm) hits at 5 m/s, ")
    assert "of 10 pucks flip" in second
    assert engine == "Simulated with the solid engine."


@pytest.mark.parametrize("engine", ["plane", "solid"])
def test_a_slam_is_the_trial_that_odds_count(engine):
    base = f"--engine {engine} --pucks 4 --slammer-g 20 --seed 5"
    flips = [json_of(f"slam {base} --trial {i}")["flips"] for i in range(3)]
    (row,) = json_of(f"odds {base} --trials 3")
    assert row["flips_mean"] == pytest.approx(sum(flips) / 3)
    assert row["engine"] == engine


def test_a_trial_is_the_same_throw_in_both_engines():
    told = [json_of(f"slam --pucks 4 --engine {engine}") for engine in ("plane", "solid")]
    assert [facts["engine"] for facts in told] == ["plane", "solid"]
    assert told[0]["throw"] == told[1]["throw"]
    assert told[0]["pieces"] != told[1]["pieces"]


def test_a_scene_file_names_the_engine_and_the_option_wins(tmp_path, write):
    write("scene.toml", 'schema = 1\nengine = "plane"\npucks = 3\n')
    own = pucklab("slam --scene scene.toml", cwd=tmp_path).stdout
    other = pucklab("slam --scene scene.toml --engine solid", cwd=tmp_path).stdout
    assert own.endswith("Simulated with the plane engine.\n")
    assert other.endswith("Simulated with the solid engine.\n")


def test_settings_of_the_plane_in_a_file_are_named_in_a_note(tmp_path, write):
    text = 'schema = 1\npreset = "fast"\npucks = 3\n[lift_off]\ndrift = 0.5\n'
    write("scene.toml", text)
    said = {
        engine: pucklab(f"slam --scene scene.toml --engine {engine}", cwd=tmp_path).stderr
        for engine in ("plane", "solid")
    }
    assert said["plane"] == ""
    assert said["solid"] == "note: the solid engine does not use preset, lift_off\n"


def test_a_slam_at_a_lone_slammer_says_whether_it_is_knocked_out():
    done = pucklab("slam --knock-out 4 --shields 1")
    assert "The target slammer" in done.stdout
    assert "The one shield" in done.stdout


def test_a_slam_is_saved_as_a_film_strip(tmp_path):
    done = succeed(f"slam {FAST} --save slam.png", cwd=tmp_path)
    assert done.stderr == "drawn in software\nwrote slam.png\n"
    with Image.open(tmp_path / "slam.png") as picture:
        assert picture.format == "PNG"


def test_the_version_is_printed():
    done = pucklab("--version")
    assert done.stdout.startswith("pucklab 0.")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(shell):
    assert "_PUCKLAB_COMPLETE" in pucklab(f"completion {shell}").stdout


ROUGH = "schema = 1\n[materials]\nfriction = 0.8\n"
UNCHECKED = (
    "note: the plane engine was not checked at friction 0.8 (0.15 to 0.6); "
    "--engine solid computes such scenes"
)


@cases(
    "command",
    """
    slam --engine plane
    odds --engine plane --slammer-g 4,8 --trials 1
    battle --players pikachu,onix --throws physics --turns 1
    """,
)
def test_where_the_plane_was_not_checked_one_line_names_the_other_engine(command, tmp_path, write):
    write("rough.toml", ROUGH)
    done = succeed(f"{command} --params rough.toml", cwd=tmp_path)
    assert done.stderr.count("note:") == 1
    assert UNCHECKED in done.stderr.splitlines()


STICKY = (
    "note: no hard puck has friction 1.5 and restitution 0.05 at once: nothing was checked there"
)


@cases(
    "line",
    """
    slam --params sticky.toml
    slam --scene sticky.toml
    slam --puck-material friction=1.5,restitution=.05
    odds --trials 1 --sweep friction=.1:1.5:2 --scene dead.toml --slammer-g 8 --assumption-throws 0
    """,
)
def test_materials_that_no_puck_has_are_told_wherever_they_are_given(line, tmp_path, write):
    write("sticky.toml", f"{ROUGH[:-4]}1.5\nrestitution = 0.05\n")
    write("dead.toml", "schema = 1\n[materials]\nrestitution = 0.05\n")
    done = succeed(f"{line} --pucks 2", cwd=tmp_path)
    assert done.stderr.splitlines() == [STICKY]


def test_the_solid_engine_needs_no_such_line(tmp_path, write):
    write("rough.toml", ROUGH)
    done = succeed("slam --engine solid --params rough.toml", cwd=tmp_path)
    assert "not checked" not in done.stderr
