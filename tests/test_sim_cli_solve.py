"""``pucklab solve`` as a person uses it: in processes of its own."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.commands import pucklab, started

START = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
HARD = (
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)


def test_solve_prints_the_line_and_a_drawing_after_each_action() -> None:
    done = pucklab("solve", START)
    assert done.returncode == 0, done.stderr
    answer, *rest = done.stdout.splitlines()
    assert answer.startswith("solved: ")
    actions = [line for line in rest if line[:1].isdigit() and line[1:3] == ". "]
    assert answer.startswith(f"solved: {len(actions)} action")
    assert actions[-1].endswith("*")
    assert done.stdout.count("to move: red") == len(actions)
    assert done.stdout.splitlines()[-2] == "scored: red 1"


def test_solve_reads_a_file_and_gives_json(tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text(START + "\n")
    answer = json.loads(pucklab("solve", "line.txt", "--json", "--all", cwd=tmp_path).stdout)
    assert answer["status"] == "solved"
    assert answer["actions"] == len(answer["line"]) == answer["lower_bound"]
    assert answer["line"] == answer["lines"][0]
    assert answer["complete"]
    assert answer["position"].startswith(START[:-1])


def test_all_prints_every_shortest_solution_a_line() -> None:
    count, *lines = (
        pucklab("solve", START, "--all").stdout.rpartition("solutions of")[2].split("\n")
    )
    listed = [line for line in lines if line]
    assert count.split()[-1] == str(len(listed))
    assert len(set(listed)) == len(listed)


def test_a_card_in_hand_can_be_an_action() -> None:
    done = pucklab("solve", START, "--cards", "twist,shift", "--json")
    answer = json.loads(done.stdout)
    assert answer["cards"] == ["twist", "shift"]
    without = json.loads(pucklab("solve", START, "--json").stdout)
    assert answer["actions"] < without["actions"]
    assert sum(text[:2] in ("T:", "H:") for text in answer["line"]) > 0


def test_a_hint_tells_no_more_than_was_asked_for() -> None:
    line = json.loads(pucklab("solve", START, "--json").stdout)["line"]
    assert pucklab("solve", START, "--hint", "1").stdout.split() == line[:1]
    assert pucklab("solve", START, "--hint", "2").stdout.split() == line[:2]
    assert pucklab("solve", START, "--hint", "0").stdout.startswith("look at the red ")


def test_what_is_proved_unsolvable_is_told() -> None:
    done = pucklab("solve", START, "--goal", "1:B", "--max-actions", "1")
    assert done.returncode == 0
    assert done.stdout.startswith("no solution of at most 1 action: proved")
    never = pucklab("solve", "pb1:X1:RPa1:-:R:mats=X1/nn/..:-")
    assert never.stdout == "no solution of any length: proved\n"


def test_a_limit_is_no_error() -> None:
    done = pucklab("solve", HARD, "--goal", "all", "--nodes", "100")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("limit of nodes reached: a solution has at least ")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_tells_what_is_proved() -> None:
    pucklab("solve", HARD, "--nodes", "1")  # what is compiled now is there at once below
    with started("solve", HARD, "--goal", "2:V") as running:
        time.sleep(5)
        os.killpg(running.pid, signal.SIGINT)
        told, said = running.communicate(timeout=60)
        assert running.returncode == 130, said
        assert "Traceback" not in said
        assert told.startswith("stopped: a solution has at least ")


WRONG = {
    "no such card": (("--cards", "twist,flip"), "cards: 'flip' is no mat card; give twist, swap"),
    "no card": (("--cards", ""), "cards: '' is no mat card"),
    "too many cards": (("--cards", "swap,swap,swap,swap"), "cards: 4 times swap; give at most 3"),
    "no such piece": (("--goal", "puck:c7"), "goal: no puck stands on c7"),
    "no goal": (("--goal", "win"), "goal: 'win' is not accepted; give 1 to 4 or all"),
    "too many pucks": (("--goal", "2"), "goal: red has 1 puck on the board, 2 wanted"),
    "reached already": (("--goal", "to:b7"), "goal: a red puck is on b7 already"),
    "no actions": (("--max-actions", "0"), "max_actions: 0 is not accepted"),
    "no time": (("--time", "0"), "seconds: 0.0 is not accepted"),
    "a hint below 0": (("--hint", "-1"), "hint: -1 is not accepted"),
}


@pytest.mark.parametrize(("options", "said"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2(options: tuple[str, ...], said: str) -> None:
    done = pucklab("solve", START, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {said}")
    assert done.stderr.count("\n") == 1


def test_a_position_that_is_won_already_is_a_mistake() -> None:
    done = pucklab("solve", "pb1:classic:BPa1:R4:R:-", "--goal", "all")
    assert (done.returncode, done.stdout) == (2, "")
    assert "goal: all pucks of red are in already" in done.stderr
