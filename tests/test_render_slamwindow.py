"""Slams in a window: at any pace, one after another, with ghosts, and closer."""

import multiprocessing
from dataclasses import fields

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.physics import slam
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slams.camera3d import PRESETS
from pucklab.render.slams.motion import best_flip, motion_of
from pucklab.render.slams.playback import scrub
from pucklab.render.slams.sound import Speaker
from pucklab.render.slamwindow import Replays, SlamWindow
from pucklab.render.slamwindow import window as window_module
from pucklab.render.slamwindow.app import picture_of
from pucklab.render.slamwindow.ghosts import cells_of
from pucklab.render.slamwindow.picture import boxes_of
from pucklab.sim.scene.replay import load_replay
from tests.scenes import trial_throw
from tests.slamwindows import (
    FRAME_S,
    SEED,
    SIZE,
    Driver,
    blue_in,
    check_picture,
    count_of,
    made_up_replay,
    pixels_of,
    slam_window,
    study,
)

BOXES = boxes_of(SIZE)


@pytest.fixture
def driver():
    return Driver(slam_window())


def outcome_of(trial):
    return slam(study().scene, trial_throw(4, SEED, trial)).outcome


def flipping_trial():
    """Return a trial with a flip."""
    return next(trial for trial in range(50) if outcome_of(trial).flipped)


def test_a_slam_plays_to_its_end_and_pauses_there(driver):
    driver.wait(12.0)
    player = driver.window.playback
    assert player.at_end
    assert not player.playing
    assert not driver.app.advance(FRAME_S)


def test_a_window_sounds_as_time_passes_and_u_makes_it_silent(driver, monkeypatch):
    played = []
    monkeypatch.setattr(Speaker, "_play", lambda _, sound, _pitch: played.append(sound))
    driver.wait(12.0)
    assert any(sound.voice == "disc6" for sound in played)
    count = len(played)
    driver.key("u")
    assert driver.window.message == "sound off"
    driver.key("r")
    driver.wait(12.0)
    assert len(played) == count


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
    driver.app.advance(1e-4)
    driver.key("left")  # from between two samples
    assert driver.window.playback.time_s == times[0]


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9, 1.0])
def test_the_scrub_bar_goes_where_the_mouse_drags_it(driver, share):
    left, right = BOXES.scrub.left, BOXES.scrub.right
    y = BOXES.scrub.centery
    driver.press(left + 20, y)
    driver.move(round(left + share * (right - left)), y + 200)
    player = driver.window.playback
    begin, end = player.share_of(0.0), player.share_of(player.motion.impact_end_s)
    assert 0.05 < begin < end - 0.1 < 0.5  # the impact has its share of the bar
    assert player.share == pytest.approx(share, abs=0.02)
    assert not player.playing
    driver.release(right, y)
    let_go = driver.window.playback
    driver.move(left, y)
    assert driver.window.playback is let_go


def test_next_and_previous_are_the_trials_that_odds_count(driver):
    outcomes = []
    before = driver.window.watched
    driver.key("p")  # there is none before the first
    assert driver.window.watched is before
    driver.key("down")
    for name in ("n", "n", "p"):
        driver.key(name)
        outcomes.append(driver.window.watched.replay.outcome)
    assert driver.window.playback.pace.settle_slower == 5
    assert outcomes == [outcome_of(1), outcome_of(2), outcome_of(1)]
    assert driver.window.watched.origin == "seed 2, trial 1, plane engine"


def differing(first, second, box):
    """Return the share of the pixels of a box that differ."""
    return float((pixels_of(first, box) != pixels_of(second, box)).any(axis=2).mean())


def test_ghosts_are_the_same_throw_with_other_slammers_side_by_side(driver):
    driver.window.change(scrub, 0.3)
    bare = driver.picture()
    driver.key("g")
    driver.wait(3 * FRAME_S)
    shown = driver.window
    shown.change(scrub, 0.3)
    assert [ghost.name for ghost in shown.ghosts] == ["4 g", "20 g"]
    for ghost in shown.ghosts:
        own = study(ghost.replay.scene.slammer.mass_g)
        again = slam(own.scene, shown.watched.replay.throw).outcome
        assert len(ghost.replay.outcome.flipped) == len(again.flipped)
    cells = [cell.move(BOXES.space.topleft) for cell in cells_of(BOXES.space.size, 3)]
    beside = driver.picture()
    woods = [wood_in(beside, cell) for cell in cells]
    assert min(woods) > 0.1
    assert max(woods) < 1.3 * min(woods)
    driver.key("g")
    assert pygame.image.tobytes(driver.picture(), "RGB") == pygame.image.tobytes(bare, "RGB")


def wood_in(surface, box):
    """Return the share of brown pixels in a box."""
    pixels = pixels_of(surface, box)
    return float((pixels[..., 0] > pixels[..., 2] + 40).mean())


def test_an_untouched_slam_is_followed_by_its_best_flip_and_the_next_throw():
    trial = flipping_trial()
    driver = Driver(slam_window(index=trial))
    shown = driver.window
    shown.goes_on = True
    first, second = (f"seed {SEED}, trial {k}, plane engine" for k in (trial, trial + 1))
    seen = [(False, first)]
    while seen[-1] != (False, second):
        state = (shown.flip is not None, shown.watched.origin)
        if seen[-1] != state:
            seen.append(state)
        assert len(seen) < 5
        driver.app.advance(FRAME_S)
    assert list(dict.fromkeys(seen)) == [(False, first), (True, first), (False, second)]


@pytest.mark.parametrize("touch", ["space", "right", "wheel"])
def test_a_slam_that_somebody_touches_stays(touch):
    driver = Driver(slam_window(index=flipping_trial()))
    shown = driver.window
    shown.goes_on = True
    if touch == "wheel":
        driver.move(*BOXES.space.center)
        driver.wheel(1)
    else:
        driver.key(touch)
    driver.key("end")
    origin = shown.watched.origin
    driver.wait(10.0)
    assert (shown.watched.origin, shown.flip) == (origin, None)


def test_m_shows_the_best_flip_slowly_and_any_key_ends_it():
    driver = Driver(slam_window(index=flipping_trial()))
    shown = driver.window
    outcome = shown.watched.replay.outcome
    driver.key("m")
    flip = shown.flip
    assert flip.place in outcome.flipped
    poses = shown.watched.replay.recording.poses
    assert flip.height_mm == pytest.approx(poses.middle_mm[:, flip.place, 2].max())
    assert shown.playback.slower > 5
    frames = 0
    while shown.flip is not None:
        driver.app.advance(FRAME_S)
        frames += 1
    assert frames * FRAME_S > 5 * (flip.end_s - flip.begin_s)
    assert shown.playback.at_end
    driver.key("m")
    driver.key("v")
    assert shown.flip is None


def test_turns_of_a_flip_are_those_of_its_axis():
    """Of two pieces, one turns once and rises less than the other, which turns one and a half."""
    replay = made_up_replay()
    motion = motion_of(replay.scene, replay.recording)
    found = best_flip(motion, (0, 1))
    assert found.turns == pytest.approx(1.5)
    assert best_flip(motion, ()) is None


def test_tab_throws_the_next_slammer_the_same_way():
    driver = Driver(slam_window(masses_g=(4.0, 20.0)))
    throws, masses = [], []
    for _ in range(3):
        replay = driver.window.watched.replay
        throws.append(replay.throw)
        masses.append(replay.scene.slammer.mass_g)
        driver.key("tab")
    assert masses == [4.0, 20.0, 4.0]
    assert throws[0] == throws[1]


@pytest.mark.parametrize("size", [(480, 320), (700, 1000), (1280, 800), (2560, 1600)])
def test_a_window_of_any_size_shows_all_parts(size):
    boxes = boxes_of(size)
    parts = [getattr(boxes, field.name) for field in fields(boxes) if field.name != "words_px"]
    frame = pygame.Rect(0, 0, *size)
    for index, part in enumerate(parts):
        assert frame.contains(part)
        assert part.collidelist(parts[index + 1 :]) == -1
        assert min(part.size) > 11
    picture = picture_of(slam_window(), size, palette=DARK)
    assert blue_in(picture, boxes.top) > 10
    assert wood_in(picture, boxes.space) > 0.05
    assert count_of(picture, DARK.accent, boxes.buttons) > 20


def test_the_wheel_and_the_mouse_move_the_view_that_they_are_on(driver):
    before = driver.picture()
    driver.move(*BOXES.top.center)
    driver.wheel(4)
    closer = driver.picture()
    assert blue_in(closer, BOXES.top) > 3 * blue_in(before, BOXES.top)
    assert differing(closer, before, BOXES.space) == 0
    where = driver.window.cameras.top
    drag(driver, BOXES.top.center, (30, -20))
    moved = driver.window.cameras.top
    assert (moved.y_mm - where.y_mm) / (moved.x_mm - where.x_mm) == pytest.approx(20 / 30)
    assert moved.x_mm < where.x_mm
    driver.key("0")
    assert pygame.image.tobytes(driver.picture(), "RGB") == pygame.image.tobytes(before, "RGB")
    first = driver.window.cameras
    drag(driver, BOXES.space.center, (100, 50))
    turned = driver.window.cameras
    assert turned.space.azimuth_rad < first.space.azimuth_rad
    assert turned.space.elevation_rad > first.space.elevation_rad
    assert turned.top == first.top
    driver.wheel(2)
    assert driver.window.cameras.space.zoom == pytest.approx(1.25**2)
    assert differing(driver.picture(), before, BOXES.space) > 0.2


def drag(driver, begin, by):
    x, y = begin
    driver.press(x, y)
    driver.move(x + by[0], y + by[1], by=by)
    driver.release(x + by[0], y + by[1])


def test_v_goes_through_all_cameras_and_names_them(driver):
    first = driver.window.cameras
    driver.key("end")
    names, pictures = [], set()
    for _ in PRESETS:
        driver.key("v")
        names.append(driver.window.message)
        pictures.add(pygame.image.tobytes(driver.picture().subsurface(BOXES.space), "RGB"))
    assert names == [PRESETS[name][0] for name in ("whole", "above", "side", "follow")]
    assert len(pictures) == len(PRESETS)
    assert driver.window.cameras == first


KEYS = (
    *("space", "right", "left", "end", "home", "n", "p", "tab", "up", "down", "i", "g", "0"),
    *("escape", "b", "h", "l", "f11", "m", "a", "v"),
)


@settings(max_examples=12)
@given(data=st.data())
def test_whatever_keys_and_mouse_do_the_window_goes_on(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window_module, "export_slam", lambda *_, **__: None)
        patch.setattr(window_module, "find_spec", lambda _: None)  # no server for key T
        use_at_random(Driver(slam_window(pucks=1), (640, 400)), data)


def use_at_random(driver, data):
    places = st.tuples(st.integers(-10, 650), st.integers(-10, 410))
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


def test_t_and_the_button_serve_the_page_of_throws_by_hand_once(driver, monkeypatch):
    served = []

    class Process:
        def __init__(self, *, target, args):
            self.args = target, *args

        def start(self):
            served.append(self.args)

        def is_alive(self):
            return True

        def terminate(self):
            served.append("ended")

        def join(self):
            pass

    monkeypatch.setattr(type(multiprocessing.get_context("spawn")), "Process", Process)
    driver.key("t")
    driver.press(*BOXES.throw.center)
    assert served == [(window_module.serve_throws, study(), SEED)]
    assert driver.window.message.startswith("throw in the browser")
    driver.window.close()
    assert served[-1] == "ended"


def test_without_nicegui_a_line_names_the_extra(driver, monkeypatch):
    monkeypatch.setattr(window_module, "find_spec", lambda _: None)
    driver.key("t")
    assert driver.window.message == "to throw in the browser: pip install 'pucklab[play]'"


@pytest.mark.parametrize("name", ["watch_flight_dark", "watch_end_light"])
def test_a_picture_is_as_it_was_looked_at(name):
    check_picture(golden_picture(name), name)


def golden_picture(name):
    window = SlamWindow(Replays([("made-up", made_up_replay())]), study())
    end = name == "watch_end_light"
    window.change(scrub, 1.0 if end else window.playback.share_of(0.3))
    return picture_of(window, (960, 600), palette=LIGHT if end else DARK)


def test_a_slam_is_saved_as_a_replay_and_none_over_another(tmp_path):
    driver = Driver(slam_window(folder=tmp_path))
    for number in range(2):
        driver.key("s")
        driver.app.advance(FRAME_S)
        assert len(list(tmp_path.iterdir())) == number  # not before it is said so
        driver.picture()
        driver.app.advance(FRAME_S)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["slam-8-g-2-0-2.json", "slam-8-g-2-0.json"]
    assert load_replay(tmp_path / names[1]).outcome == driver.window.watched.replay.outcome
