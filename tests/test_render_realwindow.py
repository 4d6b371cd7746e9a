"""A real window on a virtual screen, driven with keys and mouse: orbit, best-of, resize.

Needs Xvfb and xdotool, as most Linux distributions package them.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pucklab.render.slamwindow.window import bar_of
from tests.commands import wait_until

MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

SIZE = (960, 600)
PATIENCE_S = 90.0
"""Longest time to wait for something to be seen: other tests may keep the machine busy."""


class Screen:
    """A virtual screen of 1024 x 768 pixels."""

    def __init__(self, folder):
        self._folder = folder
        read, write = os.pipe()
        self._server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(write),
                "-screen",
                "0",
                "1024x768x24",
                "-fbdir",
                folder,
                "-noreset",
            ],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as answer:
            self.display = f":{answer.readline().strip()}"

    def do(self, *words):
        """Run xdotool."""
        return subprocess.run(
            ["xdotool", *words],
            env=os.environ | {"DISPLAY": self.display},
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()

    def picture(self):
        """Return what is seen; shape (768, 1024, 3)."""
        data = (self._folder / "Xvfb_screen0").read_bytes()
        # A file in XWD format: sizes of header, picture and rows, and the number of colours.
        header, width, height = struct.unpack(">I12xII", data[:4] + data[4:16] + data[16:24])
        row_bytes, colours = (
            struct.unpack(">I", data[48:52])[0],
            struct.unpack(">I", data[76:80])[0],
        )
        begin = header + 12 * colours
        pixels = np.frombuffer(data[begin : begin + row_bytes * height], np.uint8)
        return pixels.reshape(height, row_bytes // 4, 4)[:, :width, 2::-1]

    def close(self):
        """End it."""
        self._server.terminate()
        self._server.wait()


@pytest.fixture
def screen(tmp_path):
    found = Screen(tmp_path)
    yield found
    found.close()


class Window:
    """`pucklab watch` in a window of that screen, in its upper left corner."""

    def __init__(self, screen, folder, *arguments):
        self.screen = screen
        self._run = subprocess.Popen(
            [sys.executable, "-m", "pucklab.cli", "watch", "--window", *arguments],
            cwd=folder,
            env=os.environ
            | {
                "DISPLAY": screen.display,
                "SDL_VIDEODRIVER": "x11",
                "SDL_AUDIODRIVER": "dummy",
                "PYTHONPATH": str(Path(__file__).parents[1]),
            },
        )
        self._id = ""
        wait_until(self._is_open, PATIENCE_S)
        screen.do("windowmove", self._id, "0", "0")
        self.resize(SIZE)

    def _is_open(self):
        assert self._run.poll() is None, "the window has closed"
        self._id = self.screen.do("search", "--pid", str(self._run.pid)).split("\n")[0]
        return bool(self._id)

    @property
    def title(self):
        return self.screen.do("getwindowname", self._id)

    def key(self, name):
        self.screen.do("windowfocus", self._id)
        self.screen.do("key", name)

    def resize(self, size):
        self.screen.do("windowsize", "--sync", self._id, *map(str, size))

    def drag(self, begin, end, steps=8):
        """Press the left button, move the mouse and let go while it still moves."""
        way = [
            (
                begin[0] + (end[0] - begin[0]) * k // steps,
                begin[1] + (end[1] - begin[1]) * k // steps,
            )
            for k in range(1, steps + 1)
        ]
        words = ["mousemove", *map(str, begin), "sleep", "0.1", "mousedown", "1"]
        for x, y in way:
            words += ["sleep", "0.02", "mousemove", str(x), str(y)]
        self.screen.do(*words, "mouseup", "1")

    def close(self):
        """Close the window with its key, and return the exit code."""
        self.key("q")
        try:
            return self._run.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._run.kill()
            raise


def act_until(act, is_so, what):
    """Do something until it has had its effect: a busy machine may take it for something else."""
    end = time.monotonic() + PATIENCE_S
    while True:
        act()
        again = time.monotonic() + 8.0
        while time.monotonic() < again:
            if is_so():
                return
            time.sleep(0.2)
        assert time.monotonic() < end, f"waited in vain for {what}"


def colours_in(picture, box):
    """Return the number of colours in a box of left, top, width and height."""
    left, top, width, height = box
    part = picture[top : top + height, left : left + width].astype(np.uint32)
    return len(np.unique(part[..., 0] << 16 | part[..., 1] << 8 | part[..., 2]))


def test_a_person_watches_the_best_throws_turns_the_box_and_resizes(screen, tmp_path):
    fast = ("--engine", "plane", "--preset", "fast", "--pucks", "3", "--slammer-g", "20")
    search = ("--best", "flips", "--of", "20", "--workers", "1", "--seed", "2")
    window = Window(screen, tmp_path, *fast, *search)

    # Best-of: the title names the rank, and the next throw is the second best.
    wait_until(lambda: "1. best by flips" in window.title, PATIENCE_S)

    def next_or_previous():
        if "2. best" not in window.title:
            window.key("n" if "1. best" in window.title else "p")

    act_until(next_or_previous, lambda: "2. best by flips" in window.title, "the second best")

    # Orbit: dragging the main view turns the box.
    window.key("End")
    space = (20, 60, SIZE[0] // 2, SIZE[1] // 2)  # a part of the view
    wait_until(lambda: colours_in(screen.picture(), space) > 20, PATIENCE_S)
    time.sleep(0.5)
    before = screen.picture().copy()
    x, y = SIZE[0] // 3, SIZE[1] // 2

    def is_turned():
        after = screen.picture()
        left, top, width, height = space
        part = np.s_[top : top + height, left : left + width]
        old, new = before[part].astype(int), after[part].astype(int)
        is_box = [each[..., 0] > each[..., 2] + 20 for each in (old, new)]  # wood is brown
        changed = (old != new).any(axis=2)
        return float(changed[is_box[0] | is_box[1]].mean()) > 0.2

    act_until(lambda: window.drag((x, y), (x + 120, y + 40)), is_turned, "the box to turn")

    # Saving: the replay of the throw that is shown.
    saved = [*tmp_path.glob("slam-*.json")]

    def is_saved():
        saved[:] = tmp_path.glob("slam-*.json")
        return bool(saved)

    act_until(lambda: window.key("s"), is_saved, "the replay to be saved")
    assert json.loads(saved[0].read_text())["scene"]["slammer"]["mass_g"] == 20

    # Resize: everything is laid out anew, down to the bottom of the higher window.
    high = (700, 760)
    window.resize(high)
    _, line = bar_of(high)
    wait_until(
        lambda: colours_in(screen.picture(), (line.left, line.top, 200, line.height)) > 5,
        PATIENCE_S,
    )
    assert window.close() == 0


COMPARE = """
import numpy as np
import pygame
from pucklab.render.slams.opengl import OpenGL
from pucklab.render.slams.playback import scrub
from pucklab.render.slams.space import RENDERER
from pucklab.render.slamwindow.app import picture_of, show
from tests.slamwindows import slam_window

RENDERER.wanted = "gl"
window, shown = slam_window(), []
window.change(scrub, 0.7)
draw = OpenGL.show

def show_and_keep(self, panels, views, palette):
    draw(self, panels, views, palette)
    picture = picture_of(window, panels.get_size())
    self._resize(panels.get_size())
    self.context.copy_framebuffer(self._plain, self.context.screen)
    data = np.frombuffer(self._plain.read(components=3, alignment=1), np.uint8)
    seen = data.reshape(*picture.get_size()[::-1], 3)[::-1].astype(int)
    shown.append(np.abs(seen - pygame.surfarray.array3d(picture).swapaxes(0, 1)).max(axis=2))

OpenGL.show = show_and_keep

def post(kind, **facts):
    pygame.event.post(pygame.event.Event(kind, facts))

class Script:
    keys = iter("lvv")
    def __call__(self):
        key = next(self.keys, "q")
        post(pygame.KEYDOWN, key=getattr(pygame, f"K_{key}"), unicode=key, mod=0)
        return 0.0

show(window, size=(480, 320), clock=Script())
assert "OpenGL" in RENDERER.text, RENDERER.text
print(len(shown), max(each.mean() for each in shown), max((each > 40).mean() for each in shown))
"""


@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs a virtual display: xvfb-run")
def test_a_window_with_opengl_shows_what_pictures_of_it_show():
    """Three cameras, one of them dark, panels laid over; skipped where no OpenGL can be made."""
    done = subprocess.run(
        ["xvfb-run", "-a", sys.executable, "-c", COMPARE],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    if "drawn in software" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    count, mean, share = map(float, done.stdout.splitlines()[-1].split())
    assert count >= 3
    assert mean < 0.5
    assert share < 0.005
