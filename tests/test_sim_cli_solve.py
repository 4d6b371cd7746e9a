"""``pucklab solve`` as a person uses it: in processes of its own."""

import json
import time

import pytest

from pucklab.sim.bumpers import solver
from tests.commands import fail, interrupt, json_of, not_windows, pucklab, started, succeed

START = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
HARD = (
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)


def test_solve_prints_the_line_and_the_board_before_and_after_or_all_boards():
    done = succeed(f"solve {START}")
    answer, proof, *rest = done.stdout.splitlines()
    line = answer.partition(": ")[2].split()
    assert answer == f"solved in {len(line)}: {' '.join(line)}"
    assert proof.startswith("no fewer actions will do (")
    assert line[-1].endswith("*")
    assert [text for text in rest if text in ("before", "after")] == ["before", "after"]
    assert [text for text in rest if text.startswith("scored")] == ["scored: none", "scored: red 1"]
    every = pucklab(f"solve {START} --boards").stdout.splitlines()
    assert [text[3:] for text in every if text[:1].isdigit() and text[1:3] == ". "] == line
    assert every.count("to move: red") == len(line)


def test_solve_reads_a_file_and_gives_json(tmp_path, write):
    write("line.txt", START + "\n")
    answer = json_of("solve line.txt --all", cwd=tmp_path)
    assert answer["status"] == "solved"
    assert answer["actions"] == len(answer["line"]) == answer["lower_bound"]
    assert answer["line"] == answer["lines"][0]
    assert answer["complete"]
    assert answer["position"].startswith(START[:-1])


def test_all_prints_every_shortest_solution_a_line():
    count, *lines = pucklab(f"solve {START} --all").stdout.rpartition("solutions of")[2].split("\n")
    listed = [line for line in lines if line]
    assert count.split()[-1] == str(len(listed))
    assert len(set(listed)) == len(listed)


def test_a_card_in_hand_can_be_an_action():
    done = pucklab(f"solve {START} --cards twist,shift --json")
    answer = json.loads(done.stdout)
    assert answer["cards"] == ["twist", "shift"]
    without = json_of(f"solve {START}")
    assert answer["actions"] < without["actions"]
    assert sum(text[:2] in ("T:", "H:") for text in answer["line"]) > 0


def test_a_hint_shows_no_more_than_was_asked_for():
    line = json_of(f"solve {START}")["line"]
    assert pucklab(f"solve {START} --hint 1").stdout.split() == line[:1]
    assert pucklab(f"solve {START} --hint 2").stdout.split() == line[:2]
    assert pucklab(f"solve {START} --hint 0").stdout.startswith("look at the red ")


def test_a_card_for_more_actions_is_printed():
    whole = json_of(f"solve {START}")["actions"]
    done = pucklab(f"solve {START} --cards take-{whole},double")
    assert f"\nplay Take {whole} first, for {whole} actions in a turn\n" in done.stdout
    short = pucklab(f"solve {START} --rule", str(whole - 1))
    assert short.stdout.startswith(f"proved: no solution of at most {whole - 1} actions")


def test_a_defence_is_a_goal_like_others():
    options = "pb1:small:RPb7.RMe7.BPf7:-:R:- --goal stop:B"
    answer = json_of(f"solve {options} --all")
    assert (answer["goal"], answer["status"], answer["actions"]) == ("stop:B:1", "solved", 1)
    assert pucklab(f"solve {options} --hint 1").stdout.split() == answer["lines"][0]
    assert pucklab(f"solve {options} --hint 0").stdout == "look at the red meeple on e7\n"
    longer = json_of(f"solve {options} --rule 3")
    assert longer["goal"] == "stop:B:3"


def test_a_proof_that_there_is_no_solution_is_printed():
    done = succeed(f"solve {START} --goal 1:B --max-actions 1")
    assert done.stdout.startswith("proved: no solution of at most 1 action")
    never = pucklab("solve pb1:X1:RPa1:-:R:mats=X1/nn/..:-")
    assert never.stdout == "proved: no solution of any length\n"


def test_a_limit_is_no_error():
    done = pucklab(f"solve {HARD} --goal all --nodes 100")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("limit of nodes reached; proved: a solution has at least ")


@not_windows
def test_ctrl_c_prints_the_bound_that_is_proved():
    pucklab(f"solve {HARD} --nodes 1")  # what is compiled now is there at once below
    printed = ""
    for wait_s in (2, 8, 30):  # a busy machine may not have begun to search yet
        with started(f"solve {HARD} --goal 2:V") as running:
            time.sleep(wait_s)
            printed, _ = interrupt(running)
        if printed:
            break
    assert printed.startswith("stopped; proved: a solution has at least ")


@pytest.mark.parametrize(
    ("name", "magic"), [("line.png", b"\x89PNG"), ("line.gif", b"GIF89a")], ids=["PNG", "GIF"]
)
def test_the_line_can_be_saved_as_a_picture_or_a_film(tmp_path, name, magic):
    done = pucklab(f"solve {START} --hint 1 --save {name}", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, f"wrote {name}\n")
    assert (tmp_path / name).read_bytes().startswith(magic)


def test_without_a_line_nothing_is_saved(tmp_path):
    options = "--goal 1:B --max-actions 1 --save line.png"
    done = pucklab(f"solve {START} {options}", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "no action to draw; line.png is not written\n")
    assert not list(tmp_path.iterdir())


def write_batch(folder, *goals):
    rows = [f"{START},{goal}" for goal in goals]
    (folder / "b.csv").write_text("\n".join(["position,goal", *rows]) + "\n")


def test_a_batch_is_the_same_for_two_workers_and_goes_on_after_a_stop(tmp_path, monkeypatch):
    write_batch(tmp_path, "1", "1:B", "to:c7", "puck:b7", "1")
    options = ("--batch", "b.csv", "--all")
    whole = succeed("solve", *options, "--workers", "2", "--out", "2.csv", cwd=tmp_path)
    assert whole.stderr == "wrote 2.csv\n"
    assert whole.stdout.splitlines()[-1] == "5 solved"
    own, asked = solver.search.solve, []

    def interrupted(*task, **how):
        asked.append(task)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return own(*task, **how)

    monkeypatch.setattr("pucklab.sim.bumpers.solver.batch.solve", interrupted)
    options = (*options, "--workers", "1", "--out", "1.csv")
    done = pucklab("solve", *options, cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (130, "2 solved")
    assert "after 1 of 4 positions; add --resume" in done.stderr
    goes_on = succeed("solve", *options, "--resume", cwd=tmp_path)
    assert len(asked) == 2 + 3
    assert goes_on.stdout == whole.stdout
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_batches_solved_apart_are_put_together_by_merge(tmp_path, write):
    for name, goals in (("1", ("1",)), ("2", ("to:c7", "1"))):
        write_batch(tmp_path, *goals)
        options = f"--workers 1 --out {name}.csv"
        succeed(f"solve --batch b.csv {options}", cwd=tmp_path)
    done = succeed("merge 1.csv 2.csv --json", cwd=tmp_path)
    assert [row["goal"] for row in json.loads(done.stdout)] == ["1", "to:c7"]
    other = (tmp_path / "2.csv").read_text().replace('""lower_bound"":4', '""lower_bound"":3')
    write("2.csv", other)
    fail("merge 1.csv 2.csv", said="2.csv' has another answer than '1.csv': row ", cwd=tmp_path)


def test_of_a_board_with_several_goals_one_must_be_given(folder):
    cells = [
        [{"bottom": y == 2, "right": x == 2, "target": None} for y in range(3)] for x in range(3)
    ]
    cells[0][0]["target"], cells[2][2]["target"] = "Spiral", "Red Circle"
    parts = [{"rob_position": [[0, 2]]}, {"fields": cells}]
    (folder / "board.json").write_text(json.dumps(parts))
    fail("solve --board board.json", said="give one of to:a3 (spiral), to:c1:R", cwd=folder)
    given = succeed("solve --board board.json --goal to:c1:R", cwd=folder)
    assert given.stdout.startswith("solved in 1: a1E\n")
    assert "RPa1" in succeed("bumpers show --board board.json", cwd=folder).stdout
