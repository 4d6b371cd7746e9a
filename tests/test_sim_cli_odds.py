"""``pucklab odds`` and the studies below it, as a person uses them, and as Python calls it."""

import re

import pytest

from pucklab.sim.odds.answers import PLANE_ERRORS
from pucklab.sim.odds.study import BATTLE_COLUMNS
from tests.commands import fail, json_of, not_windows, on_terminal, pucklab, rows_of, succeed
from tests.tables import cases

SMALL = "--pucks 3 --trials 30"


def printed(line, *more, **where):
    """Return what ``odds`` prints as JSON."""
    return json_of(f"odds {line}", *more, **where)


def test_a_slammers_row_does_not_depend_on_the_others(tmp_path):
    both, one = tmp_path / "both.csv", tmp_path / "one.csv"
    pucklab(f"odds {SMALL} --slammer-g 20,4 --out {both}")
    pucklab(f"odds {SMALL} --slammer-g 4 --out {one}")
    assert rows_of(both)[1] == rows_of(one)[0]


def test_slammers_of_the_same_make_share_their_throws_and_have_a_row_each(tmp_path):
    out = tmp_path / "odds.csv"
    done = pucklab(f"odds {SMALL} --slammer all --out {out}")
    rows = rows_of(out)
    assert len(rows) == 21
    assert len({row["id"] for row in rows}) == 4  # 8 g with and without steel
    assert "\n 4 g: Bulbasaur,  " in done.stdout
    assert "\n Charmander +9  " in done.stdout


@not_windows
@pytest.mark.parametrize(("columns", "tables"), [(50, 4), (150, 1)])
def test_columns_that_do_not_fit_the_terminal_follow_below(columns, tables):
    options = "--slammer onix --trials 2 --workers 1 --wide"
    shown = on_terminal(f"odds {options}", columns=columns)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown[shown.index("10 pucks") :]).splitlines()
    headings = [line.split() for line in lines if line.lstrip().startswith("slammer")]
    assert len(headings) == tables
    assert " ".join(word for heading in headings for word in heading[1:]) == (
        "flips P(any flip) out P(any out) mm leaning slammer out % flip 0, 1, 2, ... "
        "KO by 8 g KO by equal battles won"
    )
    assert all(len(line) <= columns for line in lines[1:])
    assert sum(line.split()[:2] == ["20", "g:"] for line in lines) == tables
    assert "…" not in "".join(lines)


def test_a_knock_out_is_thrown_at_a_lone_slammer():
    (row,) = printed(
        "--knock-out 4 --shields 1 --trials 20 --slammer onix"
    )  # fmt: skip
    assert (row["knock_out_g"], row["pucks"], row["slammer"]) == (4.0, 1, "Onix")
    assert row["p_knock_out"] == row["counts"]["flips_by_place"][0] / 20


def test_a_sweep_of_small_stacks_has_the_same_columns_in_every_row():
    done = pucklab("odds --sweep pucks=1:2:2 --slammer-g 8 --trials 3 --wide")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("% flip 0, 1, 2, ...") == 1


def test_options_win_over_the_scene_file_and_it_over_the_parameter_file(write):
    thrower = "[thrower]\nspeed_mm_s = 4000.0\naim_sd_mm = 5.0\n"
    scene = write("scene.toml", f"schema = 1\npucks = 3\n{thrower}")
    params = write("params.toml", "schema = 1\n[thrower]\nspeed_mm_s = 3000.0\n")
    row, *_ = printed(f"--trials 5 --preset fast --scene {scene} --params {params} --aim-sd-mm 9")
    assert (row["speed_m_s"], row["pucks"]) == (4.0, 3)
    assert row["settings"] == "speed_mm_s=4000 aim_sd_mm=9 preset=fast"


@cases(
    "options words",
    """
    --engine plane --pucks 3 => Real pucks may flip
    --pucks 3 => Real pucks may flip
    --knock-out 8 => Real odds of a knock-out may be
    """,
)
def test_below_the_table_stands_how_far_off_the_model_may_be(options, words):
    done = succeed(f"odds --trials 2 --slammer-g 8 {options}")
    found = re.search(
        rf"{words} ([\d.]+) to ([\d.]+) times as \w+: \w+", " ".join(done.stdout.split())
    )
    assert float(found[1]) < 1 < float(found[2])


def test_masses_may_be_a_range_and_stand_beside_names():
    rows = printed("--slammer onix --slammer-g 2:3:.5,8 --pucks 1 --trials 1")
    assert [row["slammer"] for row in rows] == ["Onix", "2 g", "2.5 g", "3 g", "8 g"]
    assert [row["slammer_g"] for row in rows] == [20.0, 2.0, 2.5, 3.0, 8.0]
    assert rows[0]["settings"] is None  # nothing differs from the defaults


def test_a_stop_rule_is_said_and_stands_in_the_file(tmp_path):
    rule = "--slammer-g 4,20 --half-width .2 --out o.csv"
    done = pucklab(f"odds --pucks 3 {rule}", cwd=tmp_path)
    assert "throws each, stopped by half-width: P(any flip) sure to ± 0." in done.stdout
    assert {row["stopped_by"] for row in rows_of(tmp_path / "o.csv")} == {"half-width"}


def test_a_sweep_has_a_row_for_each_value_with_the_value_in_it(tmp_path):
    out, one = tmp_path / "sweep.csv", tmp_path / "one.csv"
    base = "odds --pucks 2 --trials 5"
    sweep = "--sweep restitution=.3:.5:3 --sweep speed_m_s=4:6:2"
    succeed(f"{base} --slammer onix {sweep} --out {out}", cwd=tmp_path)
    rows = rows_of(out)
    values = [(row["restitution"], row["speed_m_s"]) for row in rows]
    assert values == [(r, s) for r in ("0.3", "0.4", "0.5") for s in ("4.0", "6.0")]
    assert rows[0]["settings"] == "restitution=0.3 speed_mm_s=4000"
    pucklab(f"{base} --slammer onix --speed-m-s 6 --out {one}")
    (alone,) = rows_of(one)
    assert {**rows[-1], "restitution": ""} == {"restitution": "", **alone}


STUDY = "--pucks 2"


def test_slammers_of_the_same_make_are_one_case():
    (row,) = printed(f"compare {STUDY} --slammer onix,pikachu,bulbasaur --trials 5")
    assert (row["first"], row["second"]) == ("Onix", "4 g")


def test_two_scenes_are_compared(tmp_path, write):
    write("a.toml", "schema = 1\npucks = 2\n[slammer]\nname = 'Onix'\n")
    write("b.toml", "schema = 1\npucks = 3\n[slammer]\nname = 'Onix'\n")
    (row,) = printed("compare --scene a.toml --against b.toml --trials 20", cwd=tmp_path)
    assert (row["first"], row["second"]) == ("Onix in a.toml", "Onix in b.toml")
    assert row["low"] <= row["value"] <= row["high"]


@cases(
    "options said",
    """
    compare --slammer-g 4,20 --assumption-throws 0 => knocks the slammer out .* often .*20 g
    best --over slammer_g --points 5 --assumption-throws 0 => a knock-out in|knock the slammer out
    sensitivity --fields friction => the chance of a knock-out
    """,
)
def test_studies_of_knock_outs_speak_of_knock_outs(options, said, tmp_path):
    line = f"odds {options} --knock-out 8 --shields 1 --trials 25"
    first, about, *lines = succeed(f"{line} --out a.csv", cwd=tmp_path).stdout.splitlines()
    assert re.search(said, first)
    assert "flip" not in "".join((first, about, *lines))
    assert lines[-1].startswith("Real odds of a knock-out")
    fail(f"{line} --for p_any", said="--for: p_any is not accepted with a knock-out")
    succeed(f"{line} --out b.csv --seed 2", cwd=tmp_path)
    merged = json_of("merge a.csv b.csv", cwd=tmp_path)
    assert {row["trials"] for row in merged} == {50}


def test_slammers_that_do_the_same_are_not_put_in_an_order():
    options = "--knock-out 20 --shields 6 --slammer-g 2,3 --trials 3 --assumption-throws 0"
    first, *lines = succeed(f"odds compare {options}").stdout.splitlines()
    assert first.endswith("2 g knocks the slammer out as often as 3 g.")
    assert lines[5].split()[-2:] == ["50", "%"]  # and no number of throws would tell


def test_a_knock_out_is_not_compared_with_a_stack(write, tmp_path):
    write("a.toml", "schema = 1\nknock_out = { mass_g = 8 }\n")
    write("b.toml", "schema = 1\npucks = 2\n")
    line = "odds compare --slammer onix --scene a.toml --against b.toml"
    fail(line, cwd=tmp_path, said="--against: one scene is a knock-out and one is not")


def test_the_best_value_is_in_its_range():
    over = "--over speed-m-s --range 2,8 --points 5"
    found = printed(f"best {STUDY} {over} --trials 30 --assumption-throws 0")
    assert found["best"] in found["plateau"]
    assert {*map(str, found["plateau"])} <= {*found["points"]}
    assert list(found["points"]) == ["2.0", "3.5", "5.0", "6.5", "8.0"]


def moved(options, **where):
    """Return the values of each assumption."""
    rows = printed(f"sensitivity {STUDY} {options}", **where)
    return {row["name"]: row["values"] for row in rows}


def test_assumptions_are_moved_by_their_uncertainty():
    values = moved("--fields speed_m_s,aim_sd_mm --trials 20")
    assert values == {"speed_m_s": [3.5, 5.0, 6.5], "aim_sd_mm": [8.0, 12.0, 16.0]}


@pytest.mark.parametrize("option", ["--params", "--scene"])
def test_measured_uncertainties_are_those_of_the_parameter_file(option, tmp_path, write):
    write(
        "me.toml",
        "schema = 1\n[thrower]\nspeed_mm_s = { value = 6000.0, uncertainty = 500.0 }\n"
        "[materials]\nfriction = { value = 0.3, uncertainty = 0.01 }\n",
    )
    values = moved(f"--fields speed_m_s,friction {option} me.toml --trials 2", cwd=tmp_path)
    assert values == {"speed_m_s": [5.5, 6.0, 6.5], "friction": [0.29, 0.3, 0.31]}


def test_what_the_model_is_unsure_of_stands_beside_the_assumptions():
    line = f"sensitivity {STUDY} --fields speed_m_s --trials 12"
    assert "Real pucks may flip" in pucklab(f"odds {line}").stdout
    for aim in ("flips", "p_any"):
        (row,) = printed(f"{line} --for {aim}")
        assert row["model_low"] < row["base"] < row["model_high"]
    (row,) = printed(f"{line} --for flips-minus-out")
    assert "model_low" not in row


def test_a_clear_order_is_thrown_again_with_each_assumption_at_its_ends():
    base = "compare --pucks 4 --slammer-g 20,2 --speed-m-s 3 --trials 90"
    for throws, said in (
        ("4 --explain", r"; 4 throws do not tell whether 20 g beats 2 g with \w|; 20 g does not"),
        ("0", r"%\)\.$"),
    ):
        done = succeed(f"odds {base} --assumption-throws {throws}")
        assert re.search(said, done.stdout.splitlines()[0])


def test_throws_go_on_until_the_order_is_decided(tmp_path):
    options = "--slammer-g 20,2 --speed-m-s 3 --assumption-throws 0 --out o.csv"
    line = f"odds compare --pucks 3 {options}"
    succeed(f"{line} --max-seconds 60", cwd=tmp_path)
    rows = rows_of(tmp_path / "o.csv")
    assert {(row["stopped_by"], row["interval_z"]) for row in rows} == {("decided", "3.0")}
    assert int(rows[0]["trials"]) >= 100
    fail(f"{line} --max-seconds 1 --trials 9", said="--trials: not accepted bes")


def test_time_that_is_over_ends_a_search_for_the_best_value():
    options = "--over slammer_g --points 5 --max-seconds .2 --workers 1"
    found = printed(f"best {STUDY} {options}")
    assert 100 <= found["trials"] < 200


def test_what_belongs_to_the_plane_implies_it_and_says_so(tmp_path, write):
    write("p.toml", "schema = 1\n[lift_off]\ndrift = 0.3\n")
    few = "odds --trials 2 --slammer-g 8"
    for options, name in (
        ("--preset fast", "--preset"),
        ("--params p.toml", "lift_off"),
        ("--scene scene.toml", "preset"),
        ("--sweep drift=.1:.3:3", "drift"),
    ):
        write("scene.toml", 'schema = 1\npreset = "fast"\n')
        done = succeed(f"{few} --pucks 3 {options}", cwd=tmp_path)
        assert done.stderr.splitlines()[0] == f"note: {name} implies --engine plane"
        assert "plane engine" in done.stdout
        assert PLANE_ERRORS in done.stdout
    write("scene.toml", 'schema = 1\nengine = "solid"\npreset = "fast"\n')
    done = succeed(f"{few} --pucks 3 --scene scene.toml", cwd=tmp_path)
    assert done.stderr == "note: the solid engine does not use preset\n"
    done = succeed(f"{few} --knock-out 8 --preset fast")
    assert done.stderr == "note: the solid engine does not use --preset\n"


@cases(
    "options",
    """
    --pucks 2 --slammer-g 4,8,20
    --pucks 2 --sweep speed_m_s=4:6:2 --sweep friction=.2:.4:2 --slammer-g 8
    --knock-out 8 --shields 1 --slammer-g 4,20
    compare --pucks 2 --slammer-g 4,20 --assumption-throws 2
    compare --knock-out 8 --shields 1 --slammer-g 4,20 --assumption-throws 2
    best --pucks 2 --over slammer_g --points 5 --assumption-throws 2
    sensitivity --pucks 2 --fields speed_m_s,hysteresis
    --pucks 2 --pieces pogs
    """,
)
def test_an_answer_a_scene_a_table_of_eight_columns_and_three_lines_are_printed(options):
    lines = succeed(f"odds {options} --trials 8").stdout.splitlines()
    assert re.fullmatch(r"[A-Z\d].* .*\d.*\.", lines[0])
    assert re.search(r"; 8 throws each$", lines[1])
    table = [number for number, line in enumerate(lines) if line.startswith((" ", "\N{EM SPACE}"))]
    headings = re.split(r"  +", lines[table[0] + 1].strip())
    of_battles = {*BATTLE_COLUMNS.values()}
    assert len({*headings} - of_battles) <= 8
    below = lines[table[-1] + 1 :]
    assert 2 <= len(below) <= 3 + (of_battles < {*headings})
    assert all(len(line) <= 120 for line in below)


def test_the_sources_of_the_model_are_printed_when_asked_for():
    options = "--slammer-g 8 --pucks 2 --trials 3 --explain"
    text = pucklab(f"odds {options} --assumption-throws 0").stdout
    (line,) = (line.split() for line in text.splitlines() if line.split()[:1] == ["hysteresis"])
    low, high = map(float, line[1].split("-"))
    assert low < high == 1.0


def test_the_best_values_are_those_that_the_table_marks():
    options = "--over slammer_g --points 6 --trials 30 --assumption-throws 0"
    first, *lines = succeed(f"odds best {STUDY} {options}").stdout.splitlines()
    rows = [line.split() for line in lines if "±" in line and line.startswith(" ")]
    marked = [row[0] for row in rows if row[-1] == "*"]
    assert re.match(rf"(From|Between) {marked[0]} ", first)
    assert marked == [row[0] for row in rows][-len(marked) :]
    assert "; a better one may lie beyond " in lines[-3]


OWN = "--pieces pogs --pucks 2"


def test_pieces_of_ones_own_say_their_sizes_and_what_nobody_measured():
    text = pucklab(f"odds {OWN} --slammer-g 20 --trials 3 --explain").stdout
    said = " ".join(text.split())
    assert "thrown by 20 g (43 x 1.62 mm, brass)" in said
    assert "Nobody has measured pieces like these: 'odds sensitivity' shows" in said
    assert "cardboard 0.35 (0.2 to 0.5)" in said
    assert "0.35 (0.1 to 1)" in said
    assert "hysteresis" not in said


def test_assumptions_move_every_material_of_ones_own():
    options = "--fields restitution,puck_modulus_gpa --trials 12"
    rows = printed(f"sensitivity {OWN} {options}")
    values = {row["name"]: row["values"] for row in rows}
    assert values == {"restitution": [-1.0, 0.0, 1.0], "puck_modulus_gpa": [0.1, 0.35, 1.0]}
    assert all(row["below"]["wins"] or row["above"]["wins"] for row in rows)
    assert not any("model_low" in row for row in rows)
