"""The start screen, what it opens, and what it remembers."""

import json
import os
from dataclasses import replace
from itertools import pairwise

import pygame
import pytest

from render import viewer
from render.palette import DARK, LIGHT
from render.startscreen import StartScreen, start_study
from render.viewer import App, picture_of
from sim.cli import play
from sim.core import user_config
from sim.core.user_config import UserConfig, read_config, write_config
from sim.pokepucks.battle.player_kinds import PLAYS
from sim.pokepucks.battle.setup_file import FIRST_PAIR
from sim.pokepucks.battle.table import LENGTHS, BattleOptions
from tests.commands import pucklab, succeed
from tests.slamwindows import SIZE


@pytest.fixture
def screen():
    return StartScreen(UserConfig(), start_study())


@pytest.fixture
def config_file(tmp_path, monkeypatch):
    """Return the path of a config file that no other test has."""
    path = tmp_path / "config" / "config.json"
    monkeypatch.setattr(user_config, "config_path", lambda: path)
    return path


def press(screen, key, unicode=""):
    event = pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=0)
    return App(screen).handle(event, SIZE)


@pytest.mark.parametrize("size", [SIZE, (480, 320), (600, 900)])
def test_every_card_has_a_picture_of_its_own_and_opens_by_its_key(screen, size):
    picture = picture_of(screen, size, palette=LIGHT)
    parts = [w.box for w in screen.widgets(size)]
    assert all(picture.get_rect().contains(box) for box in parts)
    for number, card in enumerate(screen.cards, start=1):
        screen.chosen = ""
        press(screen, getattr(pygame, f"K_{number}"), str(number))
        assert screen.chosen == card.name
        assert screen.is_over


def test_a_click_anywhere_on_a_card_opens_it(screen):
    event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(1000, 200), button=1)
    screen.handle(event, SIZE)
    assert screen.chosen == "Battle"


def test_the_pictures_are_live(screen):
    seen = []
    for _ in range(3):
        seen.append(pygame.image.tobytes(picture_of(screen, SIZE, palette=DARK), "RGB"))
        for _ in range(10):
            screen.advance(0.05)
    assert all(before != after for before, after in pairwise(seen))


def test_choices_go_round_and_the_name_is_typed(screen):
    for _ in PLAYS:
        press(screen, pygame.K_v, "v")
    assert screen.config.level == next(iter(PLAYS))
    press(screen, pygame.K_s, "s")
    press(screen, pygame.K_b, "b")
    assert screen.config.length == "full"
    press(screen, pygame.K_u, "u")
    assert screen.config.slammer != "Pikachu"
    assert not screen.config.sound
    press(screen, pygame.K_n, "n")
    for letter in "Ann,1":
        press(screen, pygame.K_a, letter)
    press(screen, pygame.K_BACKSPACE)
    press(screen, pygame.K_RETURN)
    assert screen.config.name == "Ann"
    assert not screen.is_over
    press(screen, pygame.K_RETURN)
    assert screen.chosen == "Battle"


def test_every_choice_is_a_sentence(screen):
    labels = [widget.label for widget in screen.widgets(SIZE) if widget.label != "Open"]
    assert labels == [
        "You are called Pikachu",
        "You throw Pikachu",
        "Your rival throws Eevee",
        "Your rival plays simply",
        "Battles are short and simple",
        "Sound is on",
    ]


@pytest.mark.usefixtures("config_file")
@pytest.mark.parametrize("length", LENGTHS)
def test_a_battle_has_the_length_that_is_chosen_and_the_first_pair(length, monkeypatch):
    played, wanted = [], iter(["Battle", ""])

    def show(view, **_):
        if isinstance(view, StartScreen):
            view.choose(next(wanted))
        else:
            played.append(view.playback.entry.state.table)

    monkeypatch.setattr(viewer, "show", show)
    write_config(UserConfig(length=length))
    succeed("play", "--seed", "7")
    assert played[0].options == BattleOptions(**LENGTHS[length])
    assert played[0].names == FIRST_PAIR


def test_choices_are_remembered(config_file):
    config = UserConfig(name="Ann", level="skilled", length="full", sound=False, last="Throw")
    write_config(config)
    assert read_config() == (config, "")
    config_file.write_text('{"name": "Ann"}')  # as before there was one form of kept files
    assert read_config() == (UserConfig(name="Ann"), "")


@pytest.mark.parametrize(
    "text", ["{", '{"level": "godlike"}', '{"nme": "Ann"}', "[]", '{"name": 7}', "\x00"]
)
def test_a_damaged_config_is_one_line_and_the_first_choices(config_file, text):
    config_file.parent.mkdir()
    config_file.write_text(text)
    config, message = read_config()
    assert config == UserConfig()
    assert message.startswith("config")
    assert len(message.splitlines()) == 1
    assert len(message) <= 300
    assert config_file.read_text() == text  # it is only replaced when something is chosen


def test_a_folder_that_takes_no_file_is_no_error(config_file):
    config_file.parent.write_text("a file")
    write_config(UserConfig())
    assert read_config() == (UserConfig(), "")


@pytest.mark.usefixtures("config_file")
def test_cards_open_windows_one_after_another(monkeypatch):
    shown, wanted = [], iter(["Throw", "Battle", "Puzzle of the day", "Puck Bumpers", ""])

    def show(view, **_):
        if isinstance(view, StartScreen):
            shown.append(view.message[:9])
            view.choose(next(wanted))
        else:
            shown.append(view.title)
            assert os.environ["SDL_AUDIODRIVER"]

    monkeypatch.setattr(viewer, "show", show)
    monkeypatch.setattr(play, "_COMMANDS", {**play._COMMANDS, "Puzzle of the day": ("nonsense",)})
    write_config(UserConfig(name="Ann", last="Throw"))
    succeed("play", "--seed", "7")
    assert shown[:3] == ["", "Throw it yourself - pucklab", ""]
    assert shown[3] == "Ann, Eevee - pucklab"
    assert shown[5] == "No such c"
    assert "Puck Bumpers" in shown[6]
    assert read_config()[0] == replace(UserConfig(name="Ann"), last="")


@pytest.mark.usefixtures("config_file")
def test_without_a_display_one_line_says_so(monkeypatch):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    done = pucklab("play")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: display: none can be opened")
    assert json.dumps(done.stderr).count("\\n") == 1
