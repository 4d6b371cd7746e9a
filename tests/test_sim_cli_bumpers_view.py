"""``pucklab bumpers view`` as a person uses it."""

import os
import subprocess
import sys

import pytest
from PIL import Image

import render.viewer
from render.boardwindow import BoardExplorer, GameWindow
from render.palette import DARK, LIGHT, Palette
from sim.bumpers import parse_position, position_text
from sim.cli import main

LINE = "pb1:small:RPb7.RMe7.BPd7:-:R:-"

Shown = list[tuple[BoardExplorer | GameWindow, Palette]]


def run(monkeypatch, *arguments, command="view"):
    """Run ``pucklab bumpers`` in this process, and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["pucklab", "bumpers", command, *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.fixture
def shown(monkeypatch):
    """Return what would be shown in a window."""
    found = []

    def show(view, *, palette):
        found.append((view, palette))

    monkeypatch.setattr(render.viewer, "show", show)
    return found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def saved_game(folder, monkeypatch):
    """Return a saved game of 30 actions."""
    path = folder / "game.json"
    assert run(monkeypatch, "--max-actions", "30", "--save", str(path), command="play") == 0
    return path


def test_a_position_is_shown(shown, monkeypatch):
    assert run(monkeypatch, LINE) == 0
    ((view, palette),) = shown
    assert isinstance(view, BoardExplorer)
    assert view.state.position == parse_position(LINE)
    assert palette is DARK


def test_given_moves_are_shown_as_future_moves(shown, monkeypatch):
    assert run(monkeypatch, LINE, "--moves", "b7E e7S T:K4+90", "--light") == 0
    ((view, palette),) = shown
    assert isinstance(view, BoardExplorer)
    texts = [entry.text for entry in view.state.history.entries]
    assert texts == ["", "b7E", "e7S", "T:K4+90"]
    assert view.state.history.index == 0
    assert palette is LIGHT


def test_without_a_position_all_pieces_are_placed_at_random(shown, monkeypatch, capsys):
    assert run(monkeypatch, "--seed", "7") == 0
    assert run(monkeypatch, "--seed", "7", command="new") == 0
    ((view, _),) = shown
    assert isinstance(view, BoardExplorer)
    assert capsys.readouterr().out.splitlines()[-1] == position_text(view.state.position)


def test_a_file_with_a_position_is_shown(folder, shown, monkeypatch):
    (folder / "a.txt").write_text(f"# mine\n{LINE}\n")
    assert run(monkeypatch, "a.txt") == 0
    ((view, _),) = shown
    assert isinstance(view, BoardExplorer)
    assert view.state.position == parse_position(LINE)


def test_a_saved_game_is_shown_from_its_beginning(saved_game, shown, monkeypatch):
    assert run(monkeypatch, str(saved_game)) == 0
    ((view, _),) = shown
    assert isinstance(view, BoardExplorer)
    entries = view.state.history.entries
    assert entries[0].position.pieces == ()
    assert f'"{position_text(entries[-1].position)}"' in saved_game.read_text()


def test_a_game_with_a_person_begins(shown, monkeypatch):
    assert run(monkeypatch, "--players", "person,greedy,random", "--seed", "4") == 0
    ((view, _),) = shown
    assert isinstance(view, GameWindow)
    game = view.game_view.game
    assert (game.kinds, game.seed, game.persons) == (("person", "greedy", "random"), 4, (0,))


def test_pictures_and_films_are_saved_without_a_window(saved_game, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    capsys.readouterr()
    assert run(monkeypatch, LINE, "--moves", "b7E", "--save", "a.png", "--dark") == 0
    assert run(monkeypatch, str(saved_game), "--turns", "1", "--save", "b.gif") == 0
    assert capsys.readouterr().err == "wrote a.png\nwrote b.gif\n"
    with Image.open("a.png") as picture, Image.open("b.gif") as film:
        assert picture.convert("RGB").getpixel((0, 0)) == DARK.background
        assert film.n_frames > 5


@pytest.mark.skipif(sys.platform != "linux", reason="the screen cannot be hidden")
def test_without_a_screen_one_line_says_what_to_do():
    hidden = {
        name: value
        for name, value in os.environ.items()
        if name not in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    }
    done = subprocess.run(
        [sys.executable, "-m", "sim.cli", "bumpers", "view", LINE],
        env=hidden,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "error: display: none can be opened (no screen found); "
        "run it on a screen, or save a picture instead\n"
    )
