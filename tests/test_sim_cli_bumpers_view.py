"""``pucklab bumpers view`` as a person uses it."""

from pathlib import Path

import pytest
from PIL import Image

from pucklab.render.browser import explorer
from pucklab.render.browser.tables import table_named
from pucklab.render.palette import DARK
from pucklab.sim.bumpers import parse_position, position_text
from tests.commands import succeed

LINE = "pb1:small:RPb7.RMe7.BPd7:-:R:-"


def run(*arguments, command="view"):
    """Run ``pucklab bumpers`` in the folder of the test."""
    return succeed(f"bumpers {command}", *arguments, cwd=Path.cwd())


@pytest.fixture
def saved_game(folder):
    """Return a saved game of 30 actions."""
    path = folder / "game.json"
    run("--max-actions", "30", "--save", str(path), command="play")
    return path


def state_of(served):
    """Return what the page of a board that was served shows."""
    (path,) = served
    return explorer._BOARDS[path.removeprefix("/boards/")].state


def test_a_position_is_shown(served):
    run(LINE)
    assert state_of(served).position == parse_position(LINE)


def test_given_moves_are_shown_as_future_moves(served):
    run(LINE, "--moves", "b7E e7S T:K4+90")
    history = state_of(served).history
    assert [entry.text for entry in history.entries] == ["", "b7E", "e7S", "T:K4+90"]
    assert history.index == 0


def test_without_a_position_all_pieces_are_placed_at_random(served):
    run("--seed", "7")
    made = run("--seed", "7", command="new").stdout
    assert made.splitlines()[-1] == position_text(state_of(served).position)


def test_a_file_with_a_position_is_shown(folder, served):
    (folder / "a.txt").write_text(f"# mine\n{LINE}\n")
    run("a.txt")
    assert state_of(served).position == parse_position(LINE)


def test_a_saved_game_is_shown_from_its_beginning(saved_game, served):
    run(str(saved_game))
    history = state_of(served).history
    assert history.index == 0
    assert history.position.pieces == ()
    assert f'"{position_text(history.entries[-1].position)}"' in saved_game.read_text()


def test_a_game_with_a_person_begins(served):
    run("--players", "person,greedy,random", "--seed", "4")
    match = table_named(served[0].removeprefix("/tables/")).match
    assert (match.kinds, match.seed) == (("person", "greedy", "random"), 4)
    assert match.players[0] is None


@pytest.mark.usefixtures("saved_game")
def test_pictures_and_films_are_saved_without_a_page(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr("pucklab.render.bumpers.film.FILM_FPS", 4.0)
    done = run(LINE, "--moves", "b7E", "--save", "a.png", "--dark")
    assert done.stderr == "wrote a.png\n"
    assert run("game.json", "--turns", "1", "--save", "b.gif").stderr == "wrote b.gif\n"
    with Image.open("a.png") as picture, Image.open("b.gif") as film:
        assert picture.convert("RGB").getpixel((0, 0)) == DARK.background
        assert film.n_frames > 5
