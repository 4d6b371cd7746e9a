"""``pucklab puzzle`` as a person uses it: in processes of its own."""

import json
import re

import pytest

from pucklab.render.browser import puzzles
from tests.commands import (
    interrupt,
    json_of,
    not_windows,
    pucklab,
    rows_of,
    started,
    succeed,
    wait_until,
)


def test_puzzle_prints_position_task_and_rating_and_the_solution_if_asked():
    asked = "puzzle --actions 3 --unique --seed 4"
    done = succeed(asked)
    first, task, rating = done.stdout.splitlines()
    told = pucklab(f"{asked} --solution").stdout.splitlines()
    assert (told[:2], told[3:]) == ([first, task], [rating])
    solved = json_of("solve", first.removeprefix("1. "), "--all")
    assert [" ".join(found) for found in solved["lines"]] == [told[2].removeprefix("   solution: ")]


def test_json_has_the_columns_of_the_table():
    done = succeed("puzzle --actions 2 --goal to --json")
    (entry,) = json.loads(done.stdout)
    assert re.fullmatch(r"to:[a-z]+\d+:[ROYGBV]", entry["goal"])
    assert (entry["puzzle"], entry["actions"]) == (1, 2)


@not_windows
def test_ctrl_c_keeps_the_puzzles_that_are_made(tmp_path):
    options = "--actions 2 --count 100000 --workers 1 --out p.csv"
    with started(f"puzzle {options}", cwd=tmp_path) as running:
        wait_until((tmp_path / "p.csv").exists)
        rest, said = interrupt(running)
    saved = [row["position"] for row in rows_of(tmp_path / "p.csv")]
    told = re.findall(r"\d+\. (pb1\S+)", rest)
    assert saved == told
    assert said.splitlines()[-1] == (
        f"stopped after {len(saved)} of 100000 puzzles; add --resume to go on from there"
    )


DAY = "puzzle --day 2026-11-23"
START = "pb1:small:RPb7.RMe7.BPd7:-:R:-"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The user's folder of data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(tmp_path))
    return tmp_path


def test_the_puzzle_of_a_day_is_solved_at_the_terminal_and_counted_once(data):
    line = pucklab(f"{DAY} --solution").stdout.splitlines()[2].split()[1:]
    typed = "\n".join(["nonsense", "hint", "hint", *line, "quit"])
    done = pucklab(f"{DAY} --play --text", typed=typed)
    assert done.returncode == 130
    assert "Look at the " in done.stdout
    assert "no legal move fits" in done.stdout
    verdict, _, score, share, week = done.stdout.splitlines()[-6:-1]
    assert "solves it with 2 hints!" in verdict
    kept = r"\* \* \*  rating \d+, 0 in a row \(best 0\), 1 day in a row  \* \* \*"
    assert re.fullmatch(kept, score)
    assert share.endswith("with 2 hints, 1 day in a row. pucklab puzzle --day 2026-11-23 --play")
    assert week == "The week: Tue -  Wed -  Thu -  Fri -  Sat -  Sun -  Mon solved"
    (file,) = data.rglob("puzzles.json")
    before = file.read_bytes()
    pucklab(f"{DAY} --play --text", typed="\n".join(line))
    assert file.read_bytes() == before


@pytest.mark.usefixtures("data")
def test_after_a_puzzle_comes_the_next_or_a_harder_one(tmp_path, write):
    rows = "position\npb1:small:RPf7:-:R:-\npb1:small:RPf7.BPd7:-:R:-\n"
    write("p.csv", rows)
    typed = "f7N\nnow\nnext\nf7N\nharder\nq"
    done = pucklab("puzzle --pack p.csv --play --text", typed=typed, cwd=tmp_path)
    titles = re.findall(r"(?m)^(P\S* \d+), (\w+)", done.stdout)
    assert "'now' is not accepted; give next, harder or quit" in done.stdout
    assert titles == [("P 1", "easy"), ("P 2", "easy"), ("Puzzle 3", "medium")]


@pytest.mark.usefixtures("data")
def test_moves_are_explored_freely_at_the_terminal():
    typed = "undo\nexplore\nb7E\nhint\nundo\nexplore\nb7N\n?\nq"
    done = pucklab(f"puzzle {START} --play --text", typed=typed)
    assert "There is no move to take back." in done.stdout
    assert "After 1 action it still takes 4; the shortest was 3." in done.stdout
    assert "b7N is right: 3 actions to go." in done.stdout
    assert "take the last move back" in done.stdout


def test_too_many_decoys_are_answered_with_what_would_help(monkeypatch):
    monkeypatch.setattr("pucklab.sim.bumpers.puzzles._FEW_DECOYS", 2)
    done = pucklab("puzzle --goal puck --decoys 3 --workers 1")
    said = r"the most decoys of 2 such puzzles were \d; ask for no more, or"
    assert re.search(said, done.stderr)


@pytest.mark.parametrize("typed", ["quit\n", "Q\n", ""])
def test_quit_stops_as_ctrl_c_does(typed, data):
    assert pucklab(f"{DAY} --play --text", typed=typed).returncode == 130
    assert not list(data.rglob("puzzles.json"))


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(("is_fed", "options"), [(True, ()), (False, ("--text",))])
def test_fed_by_a_file_or_with_text_play_stays_at_the_terminal(
    is_fed, options, served, monkeypatch
):
    monkeypatch.setattr("pucklab.cli.browsing._is_fed", lambda: is_fed)
    done = pucklab(f"{DAY} --play", *options, typed="quit\n")
    assert "move (?, board, quit) > " in done.stdout
    assert served == []


@pytest.mark.usefixtures("data")
def test_without_nicegui_play_stays_at_the_terminal_and_names_the_extra(monkeypatch):
    monkeypatch.setattr("pucklab.cli.browsing._is_fed", lambda: False)
    monkeypatch.setattr("pucklab.cli.browsing.find_spec", lambda _: None)
    done = pucklab(f"{DAY} --play", typed="quit\n")
    assert done.stderr.startswith("To play in the browser: pip install 'pucklab[play]'.\n")
    assert "move (?, board, quit) > " in done.stdout


@pytest.mark.usefixtures("data")
def test_a_person_plays_in_the_browser(served, monkeypatch):
    monkeypatch.setattr("pucklab.cli.browsing._is_fed", lambda: False)
    succeed(f"{DAY} --play")
    assert served == ["/puzzles/own"]
    assert str(puzzles._SERIES["own"].source.day) == "2026-11-23"


def test_puzzles_are_played_if_the_scores_are_damaged_and_the_file_stays(data):
    line = pucklab(f"{DAY} --solution").stdout.splitlines()[2].split()[1:]
    pucklab(f"{DAY} --play --text", typed="\n".join(line))
    (file,) = data.rglob("puzzles.json")
    file.write_text("{")
    done = pucklab(f"{DAY} --play --text", typed="\n".join(line))
    assert done.stderr.startswith("note: scores: ")
    assert "not counted: scores: " in done.stdout
    assert file.read_text() == "{"


def test_a_pack_is_printed_with_all_of_its_puzzles(tmp_path):
    pucklab("puzzle --actions 2 --count 3 --workers 1 --out p.csv", cwd=tmp_path)
    done = pucklab("puzzle --pack p.csv --workers 1", cwd=tmp_path)
    rows = enumerate(rows_of(tmp_path / "p.csv"), start=1)
    written = [f"{number}. {row['position']}" for number, row in rows]
    assert done.stdout.splitlines()[::3] == written
