"""``pucklab watch --battle`` and ``pucklab battle --watch`` as a person uses them."""

import json
import sys

import numpy as np
import pytest
from PIL import Image

import render.viewer
import sim.cli
from physics import InputError
from render.palette import DARK, LIGHT
from sim.core.records import read_record
from sim.pokepucks.battle.match import BATTLE as GAME
from tests.pokepucksbattles import replayed

BATTLE = ("--throws", "table", "--mode", "wild", "--players", "onix,lapras", "--seed", "2")
LONG_BATTLE = ("--throws", "table", "--players", "onix,lapras", "--seed", "3")


def run(monkeypatch, *arguments):
    """Run ``pucklab`` in this process, and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["pucklab", *arguments])
    return sim.cli.run()


@pytest.fixture
def battle(folder, monkeypatch):
    """Return the record of a battle."""
    assert run(monkeypatch, "battle", *BATTLE, "--save", "battle.json") == 0
    return folder / "battle.json"


@pytest.mark.usefixtures("battle")
def test_a_record_is_shown_from_the_set_up_or_from_a_turn_on(shown, monkeypatch):
    assert run(monkeypatch, "watch", "--battle", "battle.json") == 0
    assert run(monkeypatch, "watch", "--battle", "battle.json", "--turn", "2", "--light") == 0
    (whole, dark), (part, light) = shown
    assert (whole.title, whole.playback.index) == ("Onix, Lapras - pucklab", 0)
    assert part.playback.entry.words == "Turn 2: Lapras"
    assert whole.playback.playing
    assert part.playback.playing
    assert (dark, light) == (DARK, LIGHT)


def test_slams_of_a_battle_by_the_physics_are_shown(folder, shown, monkeypatch):
    wild = ("--mode", "wild", "--players", "onix,lapras", "--turns", "2", "--save", "b.json")
    assert run(monkeypatch, "battle", *wild) == 0
    (folder / "own.toml").write_text("schema = 1\n[materials]\nrestitution = 0.1\n")
    for more in ((), ("--params", "own.toml")):
        assert run(monkeypatch, "watch", "--battle", "b.json", *more) == 0
    seen = []
    for window, _ in shown:
        playback = window.playback
        playback.go_to(next(p for p, entry in enumerate(playback.game.timeline) if entry.is_throw))
        seen.append(playback.slam is not None)
    assert seen == [True, False]


@pytest.mark.usefixtures("battle")
def test_a_turn_is_saved_as_a_picture_and_as_a_film(folder, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    for name in ("a.png", "a.gif"):
        given = ("--battle", "battle.json", "--turn", "1", "--save", name, "--dark")
        assert run(monkeypatch, "watch", *given) == 0
    assert capsys.readouterr().err.endswith("wrote a.png\ndrawn in software\nwrote a.gif\n")
    with Image.open(folder / "a.png") as picture:
        assert picture.size == (1280, 800)
        assert picture.convert("RGB").getpixel((0, 0)) == DARK.background
        last = np.asarray(picture.convert("RGB")).astype(int)
    with Image.open(folder / "a.gif") as film:
        frames = getattr(film, "n_frames", 1)
        film.seek(frames - 1)
        end = np.asarray(film.convert("RGB")).astype(int)
    assert frames > 1
    bar = slice(700, 800)  # a film plays, a picture does not
    assert np.abs(end - last)[: bar.start].mean() < 3.0


def test_a_live_battle_is_played_as_far_as_it_was_watched(folder, monkeypatch, capsys):
    def show(view):
        for _ in range(3):
            view.playback.next_turn()

    monkeypatch.setattr(render.viewer, "show", show)
    assert run(monkeypatch, "battle", *LONG_BATTLE, "--watch", "--save", "part.json") == 0
    assert "not over after 3 turns" in capsys.readouterr().out
    part = read_record(GAME, folder / "part.json")
    assert run(monkeypatch, "battle", *LONG_BATTLE, "--save", "whole.json") == 0
    whole = read_record(GAME, folder / "whole.json")
    assert 0 < len(part.answers) < len(whole.answers)
    assert part.answers == whole.answers[: len(part.answers)]
    assert run(monkeypatch, "battle", "--replay", "part.json") == 0


@pytest.mark.parametrize("ended", [None, KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("kind", ["greedy", "person"])
def test_a_battle_is_saved_as_it_goes_and_however_its_window_ends(
    ended, kind, folder, monkeypatch, capsys
):
    path, games = folder / "part.json", []
    save = ("--save", "part.json")
    if kind == "person":  # the last battle of a person is kept even so
        monkeypatch.setenv("XDG_DATA_HOME", str(folder))
        path, save = folder / "pucklab" / "battle.json", ()

    def show(view):
        games.append(view.playback.game)
        view.playback.next_turn()
        view.answer()
        view.playback.next_turn()
        assert read_record(GAME, path).answers
        view.playback.next_turn()
        if ended is not None:
            raise ended

    monkeypatch.setattr(render.viewer, "show", show)
    arguments = ("battle", *LONG_BATTLE, "--watch", "--policy", f"{kind},greedy", *save)
    if ended is ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            run(monkeypatch, *arguments)
    else:
        assert run(monkeypatch, *arguments) == (0 if ended is None else 130)
    told = capsys.readouterr().err
    assert told.endswith(f"wrote {path if kind == 'person' else path.name}\n")
    assert ("stopped" in told) == (ended is KeyboardInterrupt)
    saved = read_record(GAME, path)
    assert saved.players == (kind, "greedy")
    assert [exchange.answer for exchange in replayed(saved)] == [e.answer for e in games[0].steps]


def test_without_a_display_an_older_file_stays_as_it_is(folder, monkeypatch):
    def show(_):
        raise InputError("display: none can be opened")

    (folder / "part.json").write_text("older")
    monkeypatch.setattr(render.viewer, "show", show)
    assert run(monkeypatch, "battle", *BATTLE, "--watch", "--save", "part.json") == 2
    assert (folder / "part.json").read_text() == "older"


def test_again_plays_another_battle_and_saves_it_beside_the_first(folder, monkeypatch, capsys):
    labels = []

    def show(view):
        labels.append([command.label for command in view.commands])
        while view.playback.game.play_step():
            pass
        view.playback.to_end()
        view.advance(0.1)
        (again,) = (command for command in view.commands if command.label == "again")
        if len(labels) < 3:
            again.action()

    monkeypatch.setattr(render.viewer, "show", show)
    given = ("--watch", "--save", "b.json", "--transcript", "b.txt", "--career", "cards.json")
    assert run(monkeypatch, "battle", *BATTLE, *given) == 0
    assert not any("again" in each for each in labels)  # not before the end
    names = ["b.json", "b-2.json", "b-3.json"]
    assert [read_record(GAME, folder / name).seed for name in names] == [2, 3, 4]
    assert {"b.txt", "b-2.txt", "b-3.txt"} <= {path.name for path in folder.iterdir()}
    assert capsys.readouterr().out.count(" wins after ") == 3
    cards = json.loads((folder / "cards.json").read_text())["trainers"]
    assert {card["battles"] for card in cards.values()} == {3}


@pytest.mark.usefixtures("battle")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("watch", "--battle", "nothing.json"), "record: 'nothing.json' cannot be read"),
        (("watch", "--battle", "corrupt.json"), "record: 'corrupt.json' is not JSON"),
        (
            ("watch", "--battle", "other.json"),
            "record: 'other.json' schema: 7 is not accepted; give 2",
        ),
        (("watch", "--battle", "old.json"), "record: answer 1: "),
        (("watch", "--battle", "battle.json", "--turn", "0"), "--turn: 0 is not accepted"),
        (("watch", "--battle", "battle.json", "--turn", "999"), "--turn: 999 is not accepted"),
        (("watch", "--battle", "battle.json", "--pucks", "3"), "--pucks: not accepted beside"),
        (("watch", "slam.json", "--battle", "battle.json"), "replay: not accepted beside"),
        (
            ("watch", "--battle", "battle.json", "--save", "a.bmp"),
            "--save: 'a.bmp' is not accepted",
        ),
        (("watch", "--turn", "2"), "--turn: 2 is not accepted without a battle"),
        (("battle", "--watch", "--replay", "battle.json"), "--watch: not accepted beside --replay"),
        (("battle", "--watch", "--policy", "clever"), "--policy: 'clever' is not accepted"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(folder, monkeypatch, capsys, arguments, said):
    record = json.loads((folder / "battle.json").read_text())
    (folder / "corrupt.json").write_text('{"schema": 1, "vers')
    (folder / "other.json").write_text(json.dumps({**record, "schema": 7}))
    answers = ["Potion 999", *record["answers"][1:]]
    (folder / "old.json").write_text(json.dumps({**record, "version": "0.0.1", "answers": answers}))
    capsys.readouterr()
    assert run(monkeypatch, *arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {said}")
    assert len(error.splitlines()) == 1
    assert ("saved by pucklab 0.0.1" in error) == ("old.json" in arguments)
    assert len(list(folder.iterdir())) == 4


@pytest.mark.parametrize(
    "arguments", [("watch", "--battle", "battle.json"), ("battle", "--watch", *BATTLE)]
)
@pytest.mark.usefixtures("battle")
def test_without_a_screen_one_line_says_what_to_do(monkeypatch, capsys, arguments):
    if sys.platform != "linux":
        pytest.skip("the screen cannot be hidden")
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    capsys.readouterr()
    assert run(monkeypatch, *arguments) == 2
    assert capsys.readouterr().err == (
        "error: display: none can be opened (no screen found); "
        "run it on a screen, or save a picture instead\n"
    )
