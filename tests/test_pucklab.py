"""The front door: its calls give what the command gives, and need no extra library."""

import html
import pydoc
import re
import subprocess
import sys
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pygame
import pytest

import pucklab
from pucklab.base.errors import MissingExtraError
from pucklab.sim.bumpers.puzzle_themes import themes_of
from pucklab.sim.scene.fields import OPTIONS
from tests.browsers import facts_of
from tests.commands import pucklab as command
from tests.refusals import refused
from tests.tables import cases, toml

POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
SVG = "{http://www.w3.org/2000/svg}"
FEW = pucklab.SceneOptions(slammer_g=(4, 8), pucks=3)

SCRIPT = """
import pucklab
found = pucklab.odds(slammer_g=(4, 8), pucks=3, trials=30, workers=2, engine="plane")
print(found.records()[1]["flips_mean"])
"""


def script(tmp_path, text):
    """Run a script of a user's."""
    path = tmp_path / "mine.py"
    path.write_text(text)
    root = str(Path(pucklab.__file__).parents[1])
    return subprocess.run(
        [sys.executable, str(path)],
        env={"PYTHONPATH": root, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_odds_are_those_of_the_command(tmp_path):
    options = ("--slammer-g", "4,8", "--pucks", "3", "--trials", "6")
    done = command("odds", *options, "--workers", "1", "--out", "theirs.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = pucklab.odds(**FEW, trials=6)
    found.to_csv(tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_text() == (tmp_path / "theirs.csv").read_text()
    assert str(found) in done.stdout


def test_a_scene_has_the_names_of_the_commands_options():
    assert set(pucklab.SceneOptions.__annotations__) == set(OPTIONS)


def test_slammers_may_come_from_a_range():
    found = pucklab.odds(slammer_g=range(2, 9, 2), pucks=2, trials=1)
    assert [row.name for row in found.rows] == ["2 g", "4 g", "6 g", "8 g"]


class Untold(float):
    """A number that has no text."""

    def __str__(self):
        raise AssertionError("a number became text")

    __repr__ = __str__


def test_a_number_reaches_the_engine_without_being_text():
    grams, speed_m_s = 8 + 1 / 3, 0.1 + 0.2 + 5
    found = pucklab.odds(slammer_g=Untold(grams), speed_m_s=Untold(speed_m_s), pucks=2, trials=1)
    (row,) = found.rows
    assert row.study.scene.slammer.mass_g == grams
    assert row.study.thrower.speed_mm_s == 1000 * speed_m_s


def test_numbers_may_be_those_of_an_array():
    found = pucklab.odds(slammer_g=np.arange(4, 9, 4), pucks=np.int64(2), trials=1)
    assert [row.name for row in found.rows] == ["4 g", "8 g"]


def test_odds_are_a_data_frame_where_pandas_is_installed():
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pucklab.odds(**FEW, trials=2).to_pandas()
    assert list(frame["slammer"]) == ["4 g", "8 g"]


def test_without_pandas_one_line_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = pucklab.odds(**FEW, trials=1)
    with pytest.raises(MissingExtraError, match="pandas is not installed"):
        found.to_pandas()


def test_the_plot_of_a_knock_out_is_a_figure():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    figure = pucklab.odds(slammer_g=8, knock_out=8, trials=2).plot()
    assert figure.axes[1].get_legend_handles_labels()[1][0] == "the target slammer flips"
    picture = pygame.image.load(BytesIO(figure._repr_png_()), "plot.png")
    assert picture.get_width() > 1000


def test_a_notebook_shows_what_is_printed_and_the_plot():
    found = pucklab.odds(**FEW, trials=2)
    page = found._repr_html_()
    words = html.unescape(re.sub("<[^>]+>", " ", page)).split()
    assert words == [word for word in str(found).split() if "─" not in word]
    assert page.count("<tr>") == 3
    assert ("<img " in page) == (find_spec("matplotlib") is not None)


@cases(
    "scene said",
    """
    { slamer_g = 4 } => slamer_g: no such option; did you mean slammer_g?
    { weight = 4 } => weight: no such option; give pieces, slammer_g,
    { slammer_g = 90 } => slammer_g: 90.0 is not accepted
    { slammer_g = "8g" } => slammer_g: '8g' ... give a number without its unit from 2 to 24 g
    { slammer_g = [4, "x"] } => slammer_g: 'x' is not accepted; give a number
    { slammer_g = [] } => slammer_g: [] is not accepted; give one or more numbers
    { descent_deg = [3, 4, 5] } => descent_deg: [3, 4, 5] is not accepted; give a number, or two
    { pucks = 2.5 } => pucks: 2.5 is not accepted; give a whole number
    { pucks = true } => pucks: True is not accepted; give a whole number
    { params = 3 } => params: 3 is not accepted; give the name of a file
    { unofficial = 1 } => unofficial: 1 is not accepted; give True or False
    { slammer = "onyx" } => did you mean Onix
    { speed_m_s = 400.0 } => speed_m_s: ... is not accepted; give a number from 0.5 to 10 m/s
    { engine = "flat" } => engine: 'flat' is not accepted
    { puck_g = 9.0 } => puck_g: 9.0 is not accepted
    """,
    toml,
)
def test_a_mistake_is_named(scene, said):
    refused(pucklab.odds, trials=1, **scene, said=said)


def test_a_script_without_a_guard_is_told_to_have_one(tmp_path):
    done = script(tmp_path, SCRIPT)
    assert done.returncode != 0
    assert "put the call below 'if __name__ == \"__main__\":'" in done.stderr.splitlines()[-1]


def test_processes_give_the_numbers_of_one(tmp_path):
    body = SCRIPT.strip().replace("\n", "\n    ")
    done = script(tmp_path, f'if __name__ == "__main__":\n    {body}\n')
    assert done.returncode == 0, done.stderr
    one = pucklab.odds(**FEW, trials=30, engine="plane").records()[1]["flips_mean"]
    assert done.stdout.strip() == str(one)


def test_the_import_loads_no_library():
    code = "import sys, pucklab; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "pygame", "pymunk", "numba", "matplotlib", "pandas", "scipy", "rich"}
    assert not heavy & set(done.stdout.split())


def test_only_what_a_user_needs_is_listed():
    assert dir(pucklab) == sorted(pucklab.__all__)
    assert all(hasattr(pucklab, name) for name in pucklab.__all__)
    assert not hasattr(pucklab, "io")


def test_a_slam_is_told_as_by_the_command():
    thrown = pucklab.slam(slammer="onix", pucks=3, seed=7, engine="plane")
    told = command("slam --slammer onix --pucks 3 --seed 7 --engine plane")
    assert str(thrown) == told.stdout.strip()
    assert thrown.flips == len(thrown.outcome.flipped)


def test_a_slam_shows_its_player_in_a_notebook():
    page = pucklab.slam(pucks=2, engine="plane")._repr_html_()
    assert page.startswith("<iframe")


def test_a_slam_takes_one_slammer():
    refused(pucklab.slam, slammer_g=(4, 8), said="2 slammers are not accepted; give one")


def test_a_position_prints_as_a_board():
    board = pucklab.position(POSITION)
    assert str(board) in command("bumpers show", POSITION).stdout
    assert board.line.startswith(POSITION[:-1])


def test_a_solution_has_its_text_and_its_boards(tmp_path):
    solved = pucklab.solve(pucklab.position(POSITION))
    assert solved.text == "b7N b12W a12S a11E*"
    assert str(solved).startswith(f"solved in 4: {solved.text}\n")
    solved.draw(tmp_path / "boards.png")
    assert (tmp_path / "boards.png").stat().st_size > 1000


def test_a_search_that_was_ended_is_not_proved():
    ended = pucklab.solve(POSITION, nodes=1)
    assert (ended.actions, ended.proved, ended.text) == (None, False, "")


def test_a_puzzle_prints_without_its_solution():
    made = pucklab.puzzle(actions=3, seed=2)
    assert made.solution not in str(made)
    assert pucklab.solve(made.board, goal=made.goal).actions == 3


def test_a_puzzle_has_the_theme_or_the_card_that_is_asked_for():
    hit = pucklab.puzzle(actions=2, theme="bump", seed=3)
    lines = pucklab.solve(hit.board, goal=hit.goal, cards=hit.cards or None, every=True)
    assert "bump" in themes_of(hit.board.position, lines.solution.lines)
    turned = pucklab.puzzle(actions=2, cards="twist", seed=3)
    assert (turned.cards, str(turned)[-13:]) == ("twist", ", cards twist")
    assert pucklab.solve(turned.board, goal=turned.goal, cards=turned.cards).text == turned.solution
    without = pucklab.solve(turned.board, goal=turned.goal, max_actions=2)
    assert without.actions is None
    refused(pucklab.puzzle, theme="jump", said="theme: 'jump' is not accepted; give ")
    refused(pucklab.puzzle, cards="swap", said="cards: 'swap' is not accepted; give ")


def test_a_battle_is_told_turn_by_turn():
    played = pucklab.battle("pikachu", "onix", throws="table", seed=7)
    again = pucklab.battle("pikachu", "onix", throws="table", seed=7)
    assert played.transcript() == again.transcript()
    assert played.winner is not None
    assert str(played).splitlines()[-3].startswith(f"{played.winner} wins after ")
    assert played.transcript().count("\nTurn ") == played.final.turn.number
    assert played.transcript(every_event=True).count("\nturn ") == played.final.turn.number


def test_win_rates_of_two_slammers_are_two_views_of_the_same_battles():
    first = pucklab.win_rate("pikachu", "onix", battles=6)
    second = pucklab.win_rate("onix", "pikachu", battles=6)
    assert first.draws == second.draws
    assert first.value + second.value == pytest.approx(1 - first.draws / 6)
    assert str(second).startswith("Onix beats Pikachu in ")


def test_help_lists_the_options_of_the_scene_by_name():
    for function in (pucklab.odds, pucklab.slam):
        text = pydoc.plain(pydoc.render_doc(function))
        for name in pucklab.SceneOptions.__annotations__:
            assert f"{name}: " in text.partition("(")[2].partition(")")[0]
            assert f"\n        {name}: " in text


def boards_of(page):
    """Return the drawn boards of a page, each with its pieces."""
    boards = re.findall(r"<svg.*?</svg>", page)
    return [ET.fromstring(board) for board in boards]


def pieces_of(board):
    """Return the code and the middle of each piece."""
    uses = [(use.get("href", ""), use.get("transform", "")) for use in board.iter(f"{SVG}use")]
    found = []
    for shape, place in uses:
        if "rotate" not in place:
            x, y = map(float, place.removeprefix("translate(").rstrip(")").split())
            found.append((shape.rpartition("-")[2], x, y))
    return found


def test_a_notebook_shows_a_position_as_a_drawn_board():
    (board,) = boards_of(pucklab.position(POSITION)._repr_html_())
    assert pieces_of(board) == [("RP", 1.5, 9.5), ("BP", 3.5, 9.5), ("RM", 4.5, 9.5)]
    (turned,) = boards_of(pucklab.position("pb1:B1@90.B2:RPa1:-:R:-")._repr_html_())
    turns = [use.get("transform", "") for use in turned.iter(f"{SVG}use")]
    assert turns[:2] == ["translate(2 2) rotate(90)", "translate(6 2) rotate(0)"]
    twice = "".join(pucklab.position(POSITION)._repr_html_() for _ in range(2))
    ids = re.findall(r' id="([^"]*)"', twice)
    assert len(ids) == len(set(ids)) > 0


def test_a_notebook_has_pages_to_step_through_a_solution_and_to_solve_a_puzzle_in():
    solved, puzzle = pucklab.solve(POSITION), pucklab.puzzle(actions=2, seed=3)
    for shown, name, steps in ((solved, "steps", solved.actions), (puzzle, "nodes", 3)):
        page = shown._repr_html_()
        assert page.startswith("<iframe")
        (item,) = facts_of(html.unescape(page))["items"]
        assert len(item[name]) >= steps
    assert solved.text in solved._repr_html_()
    assert puzzle.solution not in puzzle._repr_html_()


def test_a_notebook_shows_the_course_of_a_battle():
    played = pucklab.battle("pikachu", "onix", throws="table", seed=7)
    page = played._repr_html_()
    assert page.count("<details>") == 1 + played.final.turn.number
    (curves,) = boards_of(page)
    texts = [text.text or "" for text in curves.iter(f"{SVG}text")]
    assert [text.split()[0] for text in texts[1:]] == ["Pikachu", "Onix"]
    assert f"{played.winner} wins" in page


def test_a_puzzle_is_drawn_as_a_picture_a_page_or_a_card(tmp_path):
    made = pucklab.puzzle(actions=2, seed=3)
    for suffix, begins in ((".png", b"\x89PNG"), (".html", b"<!doctype html>"), (".svg", b"<svg")):
        made.draw(tmp_path / f"puzzle{suffix}")
        assert (tmp_path / f"puzzle{suffix}").read_bytes().startswith(begins)
    refused(made.draw, tmp_path / "puzzle.gif", said="give a name that ends in .png or .html or")


SEEDED = {
    "odds": lambda seed: pucklab.odds(slammer="onix", trials=2, engine="plane", seed=seed),
    "slam": lambda seed: pucklab.slam(slammer="onix", engine="plane", seed=seed),
    "battle": lambda seed: pucklab.battle("pikachu", "onix", throws="table", seed=seed),
    "win_rate": lambda seed: pucklab.win_rate("pikachu", "onix", battles=2, seed=seed),
    "puzzle": lambda seed: pucklab.puzzle(actions=2, seed=seed),
}


@pytest.mark.parametrize("call", SEEDED.values(), ids=SEEDED)
def test_seeds_have_the_range_of_the_command(call):
    for seed in (-1, 2**63, 1.5, True, "seven"):
        refused(call, seed, said=f"seed: {seed!r} is not accepted; give a whole number from 0 to ")
    assert str(call(2**63 - 1)) == str(call(np.int64(2**63 - 1)))
    assert str(call("7")) == str(call(7))
