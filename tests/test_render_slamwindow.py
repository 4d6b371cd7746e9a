"""Slams in a window: at any pace, one after another, from any side; its loop and its end."""

import gc
import resource
import sys
import weakref
from pathlib import Path

import numpy as np
import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygame.event import Event

from pucklab.physics import InputError, slam
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slams.camera3d import PRESETS
from pucklab.render.slamwindow import window as window_module
from pucklab.render.slamwindow.app import picture_of, show
from pucklab.render.slamwindow.window import bar_of
from pucklab.sim.scene.replay import load_replay
from tests.scenes import trial_throw
from tests.slamwindows import FRAME_S, SEED, SIZE, Driver, pixels_of, slam_window, study

BAR, _ = bar_of(SIZE)
MAXRSS_PER_MB = 1e6 if sys.platform == "darwin" else 1e3


@pytest.fixture
def driver():
    return Driver(slam_window())


def outcome_of(trial):
    return slam(study().scene, trial_throw(4, SEED, trial)).outcome


def picture_bytes(driver):
    return pygame.image.tobytes(driver.picture(), "RGB")


def test_a_slam_plays_to_its_end_and_pauses_there(driver):
    driver.wait(12.0)
    assert driver.window.playback.at_end
    assert not driver.window.playback.playing
    assert not driver.window.advance(FRAME_S)


def test_keys_play_pause_and_step_from_sample_to_sample(driver):
    times = driver.window.playback.motion.time_s
    steps = [
        ("right", times[1], False),
        ("right", times[2], False),
        ("left", times[1], False),
        ("left", times[0], False),
        ("left", times[0], False),
        ("end", times[-1], False),
        ("right", times[-1], False),
        ("space", times[0], True),
        ("space", times[0], False),
        ("r", times[0], True),
    ]
    for number, (key, time_s, playing) in enumerate(steps):
        driver.key(key)
        player = driver.window.playback
        assert (player.time_s, player.playing) == (time_s, playing), number
    driver.window.advance(1e-4)
    driver.key("left")  # from between two samples
    assert driver.window.playback.time_s == times[0]


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9, 1.0])
def test_the_scrub_bar_goes_where_the_mouse_drags_it(driver, share):
    driver.press(BAR.left + 20, BAR.centery)
    driver.move(round(BAR.left + share * BAR.width), BAR.centery - 200)
    player = driver.window.playback
    begin, end = player.share_of(0.0), player.share_of(player.motion.impact_end_s)
    assert 0.05 < begin < end - 0.1 < 0.5  # the impact has its share of the bar
    assert player.share == pytest.approx(share, abs=0.02)
    assert not player.playing
    driver.release(BAR.right, BAR.centery)
    let_go = driver.window.playback
    driver.move(BAR.left, BAR.centery)
    assert driver.window.playback is let_go


def test_next_and_previous_are_the_trials_that_odds_count(driver):
    outcomes = []
    before = driver.window.listed
    driver.key("p")  # there is none before the first
    assert driver.window.listed is before
    driver.key("down")
    for name in ("n", "n", "p"):
        driver.key(name)
        outcomes.append(driver.window.listed.replay.outcome)
    assert driver.window.playback.pace.settle_slower == 5
    assert outcomes == [outcome_of(1), outcome_of(2), outcome_of(1)]
    assert driver.window.listed.origin == "seed 2, trial 1, plane engine"


def test_of_several_slammers_each_makes_the_same_throw():
    driver = Driver(slam_window(masses_g=(4.0, 20.0)))
    seen = []
    for _ in range(3):
        replay = driver.window.listed.replay
        seen.append((replay.throw, replay.scene.slammer.mass_g))
        driver.key("n")
    (first, _), (second, _), (third, _) = seen
    assert [mass_g for _, mass_g in seen] == [4.0, 20.0, 4.0]
    assert first == second != third


@pytest.mark.parametrize("size", [(480, 320), (700, 1000), (1280, 800), (2560, 1600)])
def test_a_window_of_any_size_shows_slam_bar_and_keys(size):
    window = slam_window()
    window.palette = DARK
    driver = Driver(window, size)
    driver.key("end")
    pixels = pixels_of(driver.picture())
    bar, line = bar_of(size)
    assert pygame.Rect(0, 0, *size).contains(bar.union(line))
    assert not bar.colliderect(line)
    wood = pixels[: bar.top, :, 0] > pixels[: bar.top, :, 2] + 40
    assert wood.mean() > 0.05
    assert (pixels[bar.top : bar.bottom] == DARK.accent).all(axis=2).sum() > bar.width
    written = (pixels[line.top : line.bottom] != DARK.background).any(axis=2)
    assert written[:, line.right :].sum() == 0
    assert written.any(axis=0).sum() > line.width / 3


def test_the_mouse_turns_the_camera_and_v_goes_through_all_of_them(driver):
    driver.key("end")
    before = picture_bytes(driver)
    for drag in ((100, 50), (-100, -50)):
        driver.press(400, 300)
        driver.move(400 + drag[0], 300 + drag[1], by=drag)
        driver.release(400, 300)
        assert (picture_bytes(driver) == before) == (drag == (-100, -50))
    driver.move(0, 0, by=(50, 50))
    assert picture_bytes(driver) == before
    driver.wheel(2)
    assert picture_bytes(driver) != before
    names, pictures = [], set()
    for _ in PRESETS:
        driver.key("v")
        names.append(driver.window.message)
        driver.window.message = ""
        pictures.add(picture_bytes(driver))
    assert names == [PRESETS[name][0] for name in ("whole", "above", "side", "follow")]
    assert len(pictures) == len(PRESETS)
    assert before in pictures


KEYS = (*("space", "right", "left", "up", "down", "end", "home", "escape", "f11"), *"npvlfbhseq0")


@settings(max_examples=12)
@given(data=st.data())
def test_whatever_keys_and_mouse_do_the_window_goes_on(data):
    places = st.tuples(st.integers(-10, 650), st.integers(-10, 410))
    driver = Driver(slam_window(pucks=1), (640, 400))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window_module, "export_slam", lambda *_, **__: None)
        for _ in range(12):
            act = data.draw(st.sampled_from(["key", "press", "move", "release", "wheel", "wait"]))
            if act == "key":
                driver.key(data.draw(st.sampled_from(KEYS)))
            elif act == "wheel":
                driver.wheel(data.draw(st.integers(-9, 9)))
            elif act == "wait":
                driver.wait(data.draw(st.floats(0.0, 0.5)))
            elif act == "move":
                driver.move(*data.draw(places), by=data.draw(places))
            else:
                getattr(driver, act)(*data.draw(places))
            driver.picture()
            player = driver.window.playback
            assert player.motion.start_s <= player.time_s <= player.motion.end_s
            assert 0.0 <= player.share <= 1.0


def test_a_slam_is_saved_as_a_replay_and_none_over_another(tmp_path):
    driver = Driver(slam_window(folder=tmp_path))
    for number in range(2):
        driver.key("s")
        driver.window.advance(FRAME_S)
        assert len(list(tmp_path.iterdir())) == number  # not before it is said so
        driver.picture()
        driver.window.advance(FRAME_S)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["slam-8-g-2-0-2.json", "slam-8-g-2-0.json"]
    assert driver.window.message == f"wrote {names[0]}"
    assert load_replay(tmp_path / names[1]).outcome == driver.window.listed.replay.outcome


def test_f_fills_the_screen_and_escape_goes_back_to_the_window_and_then_closes_it(driver):
    states = []
    for key in ("f11", "escape", "f", "q", "q"):
        driver.key(key)
        states.append((driver.window.full_screen, driver.window.running))
    assert states == [(True, True), (False, True), (True, True), (False, True), (False, False)]


class Script:
    """A clock that does one thing before each frame, and closes the window at the end."""

    def __init__(self, *steps, frame_s=0.02):
        self._steps = iter(steps)
        self._frame_s = frame_s

    def __call__(self):
        step = next(self._steps, None)
        if step is None:
            pygame.event.post(Event(pygame.QUIT))
        else:
            step()
        return self._frame_s


@pytest.fixture
def unseen(monkeypatch):
    """Open windows on a dummy display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    assert not pygame.display.get_init()


@pytest.fixture
def windows(unseen, monkeypatch):  # noqa: ARG001
    """Return the windows that are open, unseen."""
    found = weakref.WeakSet()

    class Window(pygame.Window):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            found.add(self)

    monkeypatch.setattr(pygame, "Window", Window)
    return found


def press(key):
    """Return a step of a script that presses a key."""
    code, sign = getattr(pygame, f"K_{key}"), key if len(key) == 1 else ""
    return lambda: pygame.event.post(Event(pygame.KEYDOWN, key=code, unicode=sign, mod=0))


def test_an_open_window_shows_the_picture_of_its_view_at_any_size(windows):
    view, seen = slam_window(), []

    def resize():
        (window,) = windows
        window.size = (800, 500)

    def look():
        (window,) = windows
        seen.append(pixels_of(window.get_surface()))

    show(view, size=(640, 400), clock=Script(press("END"), look, look, resize, look, look))
    assert [each.shape[:2] for each in seen[1::2]] == [(400, 640), (500, 800)]
    for each in seen[1::2]:
        assert np.array_equal(each, pixels_of(picture_of(view, each.shape[1::-1])))


@pytest.mark.usefixtures("unseen")
def test_a_real_window_can_fill_the_screen_and_is_left_by_its_key():
    view, left = slam_window(), []
    states = [press("f"), lambda: left.append(view.full_screen), press("q"), press("q")]
    show(view, size=(640, 400), clock=Script(*states))
    assert left == [True]
    assert not view.running


def test_opening_and_closing_twenty_times_leaks_nothing(windows):
    view = slam_window(pucks=1)

    def open_and_close(times):
        for _ in range(times):
            view.running = True
            show(view, clock=Script())
        gc.collect()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return len(list(Path("/dev/fd").iterdir())), memory / MAXRSS_PER_MB

    files, memory_mb = open_and_close(5)
    files_then, memory_then_mb = open_and_close(20)
    assert not windows
    assert files_then == files
    assert memory_then_mb - memory_mb < 20  # one picture of 1280 x 800 has 4 MB


@pytest.mark.usefixtures("unseen")
def test_a_window_closes_when_its_clock_fails():
    def fail():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        show(slam_window(), size=SIZE, clock=Script(fail))


def test_a_missing_screen_is_reported_in_one_line(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    said = r"^display: none can be opened .*save a picture"
    with pytest.raises(InputError, match=said) as caught:
        show(slam_window())
    assert "\n" not in str(caught.value)


def test_l_changes_the_colours(driver):
    assert driver.window.palette is LIGHT
    driver.key("l")
    assert driver.window.palette is DARK
