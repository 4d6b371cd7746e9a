"""A slam as an animated GIF."""

import sys

import numpy as np
import pygame
import pytest
from PIL import Image

from physics.errors import MissingExtraError
from render.palette import LIGHT
from render.slams.export import GIF_SIZE, film_times_s, save_film
from render.slams.motion import motion_of
from render.slams.playback import Pace
from sim.slam_replay import replay_of
from tests.recordedslams import SCENE, some_slam, thrown
from tests.refusals import refused

FPS = 10.0
PACE = Pace(impact_slower=50.0)
REPLAY = replay_of(SCENE, thrown(), some_slam())


@pytest.fixture(scope="module")
def gif(tmp_path_factory):
    path = tmp_path_factory.mktemp("gif") / "slam.gif"
    save_film(path, REPLAY, fps=FPS, pace=PACE, caption="a slam")
    return path


def test_a_gif_has_a_frame_for_each_time_of_the_film(gif):
    with Image.open(gif) as image:
        assert image.size == GIF_SIZE
        frames = getattr(image, "n_frames", 1)
    assert frames == len(film_times_s(motion_of(SCENE, REPLAY.recording, REPLAY.throw), FPS, PACE))


def test_a_gif_loops_and_holds_its_last_frame(gif):
    with Image.open(gif) as image:
        assert image.info["loop"] == 0
        image.seek(1)
        assert image.info["duration"] == 1000 / FPS
        image.seek(getattr(image, "n_frames", 1) - 1)
        assert image.info["duration"] == 1500


def test_the_last_frame_marks_what_flipped_in_the_theme_s_own_colours(gif):
    def count(frame):
        with Image.open(gif) as image:
            image.seek(frame)
            picture = np.asarray(image.convert("RGB"))
        assert (picture[0, 0] == LIGHT.background).all()
        return int((picture == LIGHT.flipped).all(axis=2).sum())

    with Image.open(gif) as image:
        last = getattr(image, "n_frames", 1) - 1
    assert count(0) == 0
    assert count(last) > 20


def test_a_gif_is_small_enough_for_a_page(gif):
    with Image.open(gif) as image:
        frames = getattr(image, "n_frames", 1)
    assert gif.stat().st_size / frames < 15_000
    assert [entry.name for entry in gif.parent.iterdir()] == ["slam.gif"]
    assert not pygame.display.get_init()


def test_without_pillow_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    path = tmp_path / "slam.gif"
    with pytest.raises(MissingExtraError, match=r"pip install 'pucklab\[plot\]'") as caught:
        save_film(path, REPLAY)
    assert "\n" not in str(caught.value)
    assert not path.exists()


@pytest.mark.parametrize("fps", [0.0, 90.0, float("nan")])
def test_a_rate_that_a_gif_cannot_have_is_not_accepted(tmp_path, fps):
    path = tmp_path / "slam.gif"
    refused(save_film, path, REPLAY, fps=fps, said="fps")
    assert not path.exists()
