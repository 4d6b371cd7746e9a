"""``pucklab watch`` as a person uses it."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from imageio_ffmpeg import count_frames_and_secs, get_ffmpeg_exe
from PIL import Image

from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slams import export
from tests.browsers import facts_of
from tests.commands import fail, started, succeed

FAST = "--engine plane --preset fast --pucks 4"


def run(line, *more):
    """Run ``pucklab watch`` in the folder of the test."""
    return succeed(f"watch {line}", *more, cwd=Path.cwd())


def test_the_trial_of_the_seed_is_shown_in_a_window(shown):
    run(f"{FAST} --slammer onix --seed 7 --trial 3 --window")
    (window,) = shown
    assert window.listed.name == "Onix"
    assert window.listed.origin == "seed 7, trial 3, plane engine"
    assert len(window.listed.replay.scene.stack) == 4
    assert window.palette is DARK


def test_of_several_slammers_each_is_shown(folder, shown):
    run(f"{FAST} --slammer-g 4,8 --trial 2 --light --window")
    (window,) = shown
    assert (window.listed.name, window.palette) == ("4 g", LIGHT)
    window.go(1)
    assert (window.listed.name, window.listed.origin) == ("8 g", "seed 1, trial 2, plane engine")
    run(f"{FAST} --slammer-g 4,8 --save a.html")
    titles = [clip["title"] for clip in clips_in(folder / "a.html")]
    assert titles == [f"{mass} g, seed 1, trial 0, plane engine" for mass in (4, 8)]


def clips_in(page):
    """Return the slams of a page: lines, and those that it carries."""
    return facts_of(page.read_text(encoding="utf-8"))["carried"]["clips"]


def test_replays_are_shown_one_after_another(folder, shown):
    for trial in (0, 1):
        run(f"{FAST} --trial {trial} --save {trial}.json")
    run("0.json 1.json --window")
    (window,) = shown
    origins = []
    for _ in range(3):
        origins.append(window.listed.origin)
        window.go(1)
    assert origins == [f"replay {k}, plane engine" for k in (0, 1, 1)]
    assert sorted(path.name for path in folder.iterdir()) == ["0.json", "1.json"]


def test_a_slam_is_opened_in_the_browser_as_a_page(served):
    run(f"{FAST} --slammer onix --trial 3")
    assert served == ["/pages/own"]


def test_without_nicegui_the_page_is_a_file(monkeypatch):
    opened = []
    monkeypatch.setattr("pucklab.cli.watching.find_spec", lambda _: None)
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or False)
    said = run(f"{FAST} --slammer onix --trial 3").stderr.splitlines()
    path = Path(opened[0].removeprefix("file://"))
    assert path.name == "slam-onix-1-3.html"
    assert said == [f"wrote {path}", "no browser was found; open the page yourself"]
    assert [clip["title"] for clip in clips_in(path)] == ["Onix, seed 1, trial 3, plane engine"]


def test_a_page_computes_what_this_version_does_and_carries_the_rest(folder):
    run("--pucks 4 --save 4.json")
    known = (folder / "4.json").read_text()
    changed = re.sub(r'"hit": ?true', '"hit": false', known, count=1)
    (folder / "other.json").write_text(changed)
    run("--pucks 4 --engine plane --save plane.json")
    run("4.json other.json plane.json --save a.html")
    computed, *carried = clips_in(folder / "a.html")
    assert computed["line"].startswith("th1:s=m8")
    assert "slams" not in computed
    assert [len(clip["slams"]) for clip in carried] == [1, 1]


def test_a_reel_counts_down_to_the_best_throw(folder):
    best = "--best flips --of 30 --reel"
    run(f"{FAST} {best} --save a.html")
    clips = clips_in(folder / "a.html")
    marks = [[piece["mark"] for piece in clip["slams"][0]["pieces"]] for clip in clips]
    flips = [own.count("flipped") for own in marks]
    assert len(clips) == 5
    assert flips == sorted(flips)
    assert flips[-1] > 0
    assert clips[-1]["title"] == f"1: {flips[-1]} flip{'' if flips[-1] == 1 else 's'}"


def test_replays_make_a_reel_with_titles_and_sound(folder, monkeypatch):
    monkeypatch.setattr(export, "MP4_SIZE", (320, 160))
    monkeypatch.setattr(export, "_MP4_FPS", 10.0)
    films = {}
    for trial in (0, 1):
        run(f"{FAST} --trial {trial} --save {trial}.json")
        run(f"{trial}.json --save {trial}.mp4")
        films[trial] = count_frames_and_secs(str(folder / f"{trial}.mp4"))[0]
    run("0.json 1.json --reel --save reel.mp4")
    frames, seconds = count_frames_and_secs(str(folder / "reel.mp4"))
    # Two titles of 16 frames, and 12 at the first end; each film alone shows its first frame 3
    # times, not once, and its last one 15 times more.
    assert frames == sum(films.values()) + 2 * 16 + 12 - (2 + 15)
    shown = subprocess.run(
        [get_ffmpeg_exe(), "-i", str(folder / "reel.mp4")], capture_output=True, check=False
    )
    assert b"Audio: aac" in shown.stderr
    assert seconds == pytest.approx(frames / 10, abs=0.1)


def test_a_slam_is_saved_without_a_window(folder, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert run(f"{FAST} --save a.json").stderr == "wrote a.json\n"
    assert run("a.json --save a.png --dark").stderr == "drawn in software\nwrote a.png\n"
    assert run("a.json --save b.json").stderr == "wrote b.json\n"
    with Image.open(folder / "a.png") as picture:
        assert picture.convert("RGB").getpixel((0, 0)) == DARK.background
    first, second = (json.loads((folder / name).read_text()) for name in ("a.json", "b.json"))
    assert first == second


@pytest.mark.parametrize(
    ("name", "module", "extra"), [("a.gif", "PIL", "plot"), ("a.mp4", "imageio_ffmpeg", "video")]
)
def test_a_missing_extra_says_how_to_get_it(folder, monkeypatch, name, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    said = f"error: {module} is not installed; pip install 'pucklab[{extra}]'\n"
    fail(f"watch {FAST} --save {name}", said=said, cwd=folder)
    assert not list(folder.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="the screen cannot be hidden")
def test_without_a_screen_one_line_says_what_to_do(monkeypatch):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    said = "run it on a screen, or save a picture instead\n"
    fail(
        f"watch {FAST} --window",
        said=f"error: display: none can be opened (no screen found); {said}",
    )


def test_ctrl_c_in_the_terminal_closes_the_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with started(f"watch {FAST} --window") as running:
        # The window says what draws in it as soon as it is open.
        assert running.stderr.readline() == "drawn in software\n"
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert (running.returncode, said.strip()) == (130, "stopped")
