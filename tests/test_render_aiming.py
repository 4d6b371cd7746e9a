"""Throwing by hand: aimed with the mouse, thrown by the physics, counted and saved."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.throws.log import read_throws
from physics import Scene, ThrowDistribution, knock_out_stack, preset, puckdex_slammer
from physics.plane.impact import face_normal
from render.palette import LIGHT
from render.slams.top_view import top_projection
from render.slamwindow import SlamWindow, Trials, aiming
from render.slamwindow.aiming import (
    AIM_CAMERA,
    MAX_AIM_MM,
    SETTINGS,
    HandThrow,
    aimed_at,
    ready_moment,
    set_to,
    study_of,
    throw_of,
)
from render.slamwindow.picture import boxes_of
from render.viewer import Slider
from sim.odds import Study
from sim.odds.study import run_again
from sim.slam_replay import load_replay
from tests.slamwindows import (
    FRAME_S,
    SEED,
    SIZE,
    Driver,
    count_of,
    pixels_of,
    slam_window,
    study,
    words_written,
)

BOXES = boxes_of(SIZE, is_aiming=True)
TO = top_projection(BOXES.top.size, study().scene, AIM_CAMERA)


@pytest.fixture
def driver(tmp_path):
    """Return a person who is about to throw."""
    driver = Driver(slam_window(folder=tmp_path))
    driver.key("t")
    return driver


def pixel_of(x_mm, y_mm):
    ((x, y),) = TO.at(np.array([[x_mm, y_mm]]))
    return round(BOXES.top.left + x), round(BOXES.top.top + y)


def hand_of(driver):
    return driver.window.aiming.hand


def thrown_by(driver):
    return driver.window.showing.watched.replay.throw


def aim_of(throw):
    return throw.aim_x_mm, throw.aim_y_mm


def set_slider(driver, label, value):
    for widget in driver.window.aiming.widgets(BOXES):
        if isinstance(widget, Slider) and widget.label == label:
            at = (round(widget.place_of(value)), round(widget.line[2]))
            driver.press(*at)
            driver.release(*at)
            return
    raise AssertionError(label)


def test_a_throw_begins_like_the_thrower_of_the_study(driver):
    assert hand_of(driver) == HandThrow(
        speed_m_s=5.0, descent_deg=15.0, slammer_g=8.0, pucks=4, scatter_mm=12.0
    )


def test_the_mouse_aims_in_millimetres(driver):
    driver.move(*pixel_of(12.0, -7.0))
    assert aim_of(hand_of(driver)) == pytest.approx((12.0, -7.0), abs=0.2)


@given(x=st.floats(-500, 500), y=st.floats(-500, 500))
def test_the_aim_is_limited_to_a_clear_miss(x, y):
    hand = aimed_at(HandThrow(), x, y)
    assert math.hypot(hand.aim_x_mm, hand.aim_y_mm) <= MAX_AIM_MM + 1e-6
    if math.hypot(x, y) <= MAX_AIM_MM:
        assert aim_of(hand) == pytest.approx((x, y))


def test_a_click_throws_where_it_is_pressed(driver):
    set_slider(driver, "scatter", 0.0)
    speed_m_s = hand_of(driver).speed_m_s
    driver.press(*pixel_of(10.0, 5.0))
    driver.app.advance(FRAME_S)
    driver.release(*pixel_of(10.0, 5.0))
    throw = thrown_by(driver)
    assert aim_of(throw) == pytest.approx((10.0, 5.0), abs=0.2)
    assert throw.speed_mm_s == 1000 * speed_m_s
    assert driver.window.aiming is None
    assert driver.window.showing.playback.playing


@pytest.mark.parametrize(
    ("way", "direction_deg"), [((1, 0), 0.0), ((0, -1), 90.0), ((-1, 0), 180.0), ((1, 1), -45.0)]
)
def test_a_flick_gives_the_throw_the_speed_and_the_direction_of_the_mouse(
    driver, way, direction_deg
):
    set_slider(driver, "scatter", 0.0)
    x, y = pixel_of(5.0, -5.0)
    step = BOXES.top.height // 20
    driver.press(x, y)
    for number in range(1, 5):
        driver.app.advance(FRAME_S)
        driver.move(x + number * step * way[0], y + number * step * way[1])
    driver.release(x + 4 * step * way[0], y + 4 * step * way[1])
    throw = thrown_by(driver)
    # Four steps of a twentieth of the view in four frames.
    wanted_m_s = math.hypot(*way) * 4 * step / BOXES.top.height / (4 * FRAME_S)
    assert throw.speed_mm_s == pytest.approx(1000 * wanted_m_s, abs=100)
    assert math.degrees(throw.direction_rad) == pytest.approx(direction_deg, abs=0.5)
    assert aim_of(throw) == pytest.approx((5.0, -5.0), abs=0.2)


def test_a_mouse_that_stops_before_it_lets_go_throws_as_set(driver):
    before = hand_of(driver)
    x, y = pixel_of(0.0, 0.0)
    driver.press(x, y)
    driver.app.advance(FRAME_S)
    driver.move(x + 100, y)
    for _ in range(20):
        driver.app.advance(FRAME_S)
    driver.release(x + 100, y)
    throw = thrown_by(driver)
    assert (throw.speed_mm_s, throw.direction_rad) == (1000 * before.speed_m_s, 0.0)


def test_the_wheel_tilts_within_its_range(driver):
    tilt_deg = hand_of(driver).tilt_deg
    driver.wheel(3)
    assert hand_of(driver).tilt_deg == tilt_deg + 6
    driver.wheel(-50)
    assert hand_of(driver).tilt_deg == 0


def test_throws_arrive_where_the_dots_are(driver):
    set_slider(driver, "scatter", 8.0)
    hand = replace(hand_of(driver), aim_x_mm=3.0, aim_y_mm=-4.0)
    own = driver.window.own
    places = own.places_mm(hand)
    for number in range(3):
        throw = own.throw(hand).replay.throw
        assert aim_of(throw) == pytest.approx(tuple(places[number]))
    steady = own.places_mm(replace(hand, scatter_mm=0.0))
    assert steady == pytest.approx(np.broadcast_to((3.0, -4.0), steady.shape))


def test_a_thousand_throws_are_the_next_throws_of_the_same_hand(driver):
    """The odds count the throws that the hand itself would make, with their scatter and luck."""
    window = driver.window
    hand = replace(hand_of(driver), pucks=2)
    own = study_of(hand, study())
    tally = run_again(own, throw_of(hand), window.own.seed, 0, 5)
    flips = [len(window.own.throw(hand).replay.outcome.flipped) for _ in range(5)]
    assert sum(k * count for k, count in enumerate(tally.flips)) == sum(flips)


def test_odds_come_in_while_the_window_stays_alive(driver, monkeypatch):
    monkeypatch.setattr(aiming, "MANY", 20)
    driver.key("o")
    view = driver.window.aiming
    with words_written(monkeypatch) as words:
        driver.picture()
    assert "throwing 20 times ..." in words
    begun = time.monotonic()
    while not view.repeats.is_over and time.monotonic() - begun < 60:
        driver.app.advance(FRAME_S)
        time.sleep(0.02)
    own = study_of(view.hand, study())
    assert view.repeats.tally == run_again(own, throw_of(view.hand), SEED, 0, 20)
    assert view.repeats.text.startswith("20 of 20 throws like this: ")
    assert view.repeats.text.endswith("plane engine")


@pytest.mark.parametrize("act", ["escape", "right", "return"])
def test_odds_of_another_throw_are_dropped_and_their_process_ends(driver, act, monkeypatch):
    stopped = []

    class NeverReady:
        text = "throwing"
        tally = None

        def __init__(self, *_):
            self.is_over = False

        def advance(self):
            return False

        def stop(self):
            stopped.append(True)

    monkeypatch.setattr(aiming, "Repeats", NeverReady)
    driver.key("o")
    driver.key(act)
    assert stopped
    if driver.window.aiming is not None:
        assert driver.window.aiming.repeats is None


def test_the_score_counts_flips_and_streaks_only_on_request(driver):
    own = driver.window.own
    assert own.score_text == ""
    flips = [len(own.throw(hand_of(driver)).replay.outcome.flipped) for _ in range(8)]
    driver.key("c")
    runs = "".join("x" if some else " " for some in flips).split()
    now = len(runs[-1]) if flips[-1] else 0
    longest = max(map(len, runs), default=0)
    assert own.score_text == (f"score {sum(flips)} in 8 throws, streak {now}, longest {longest}")
    driver.key("c")
    assert own.score_text == ""


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_slider_sets_its_number(driver, setting):
    value = setting.low + 0.7 * (setting.high - setting.low)
    set_slider(driver, setting.label, value)
    assert getattr(hand_of(driver), setting.name) == pytest.approx(value, rel=0.1)


def test_what_is_thrown_is_as_set(driver):
    for label, value in (("slammer", 20.0), ("pucks", 6.0), ("speed", 8.0), ("tilt", 30.0)):
        set_slider(driver, label, value)
    hand = hand_of(driver)
    driver.key("return")
    replay = driver.window.showing.watched.replay
    assert replay.scene.slammer.mass_g == hand.slammer_g
    assert len(replay.scene.stack) == hand.pucks == len(replay.outcome.pieces)
    assert replay.throw.speed_mm_s == 1000 * hand.speed_m_s
    assert math.degrees(replay.throw.tilt_rad) == pytest.approx(hand.tilt_deg)


def test_the_same_hand_thrown_again_has_new_luck_and_the_same_luck_in_another_window():
    throws = []
    for _ in range(2):
        driver = Driver(slam_window())
        for _ in range(2):
            driver.key("t")
            driver.key("return")
        throws.append([own.replay.throw for own in driver.window.own.throws])
    assert throws[0] == throws[1]
    assert throws[0][0].luck != throws[0][1].luck
    assert throws[0][0].aim_x_mm != throws[0][1].aim_x_mm
    assert throws[0][0].speed_mm_s == throws[0][1].speed_mm_s


@pytest.mark.parametrize("towards_deg", [-180.0, -90.0, 0.0, 30.0, 90.0])
def test_the_low_side_points_where_it_is_set_to(towards_deg):
    throw = throw_of(HandThrow(tilt_deg=30.0, tilt_to_deg=towards_deg))
    x, y, _ = face_normal(throw)
    assert math.hypot(x, y) == pytest.approx(math.sin(math.radians(30.0)))
    wanted = math.radians(towards_deg)
    assert (x, y) == pytest.approx((0.5 * math.cos(wanted), 0.5 * math.sin(wanted)))


def test_arrows_aim_by_a_millimetre_and_0_at_the_middle(driver):
    for name in ("right", "right", "up"):
        driver.key(name)
    assert aim_of(hand_of(driver)) == pytest.approx((2.0, 1.0))
    driver.key("0")
    assert aim_of(hand_of(driver)) == (0.0, 0.0)


def test_escape_goes_back_without_a_throw_and_keeps_what_is_set(driver):
    set_slider(driver, "speed", 8.0)
    hand = hand_of(driver)
    driver.key("escape")
    assert driver.window.aiming is None
    assert driver.app.running
    assert not driver.window.own.throws
    driver.key("t")
    assert hand_of(driver) == hand


def test_own_throws_are_counted_and_can_be_gone_through(driver):
    for _ in range(3):
        driver.window.aim()
        driver.key("return")
        driver.key("end")
        driver.app.advance(FRAME_S)
    showing = driver.window.showing
    assert showing.count_text.startswith("3 throws watched: ")
    assert showing.watched.origin == "your throw 3, plane engine"
    driver.key("p")
    assert showing.watched.origin == "your throw 2, plane engine"
    driver.key("b")
    assert driver.window.showing.watched.origin == "seed 2, trial 0, plane engine"


def test_own_throws_become_a_log_that_calibration_reads(driver, tmp_path):
    set_slider(driver, "pucks", 1.0)
    hand = hand_of(driver)
    for number in range(20):
        driver.window.throw(replace(hand, aim_x_mm=float(number)))
    driver.key("x")
    (path,) = tmp_path.glob("*.csv")
    throws = read_throws(path.read_text(), path.name)
    own = [watched.replay for watched in driver.window.own.throws]
    assert len(throws) == 20
    assert [throw.flipped for throw in throws] == [len(r.outcome.flipped) for r in own]
    assert [throw.out for throw in throws] == [len(r.outcome.out) for r in own]
    assert {throw.speed_mm_s for throw in throws} == {5000.0}
    assert driver.window.showing.message.startswith("wrote throws.csv")


def test_a_throw_is_saved_as_a_replay_and_none_over_another(driver, tmp_path):
    driver.key("return")
    for number in range(2):
        driver.key("s")
        driver.app.advance(FRAME_S)
        assert len(list(tmp_path.iterdir())) == number  # not before it is said so
        driver.picture()
        driver.app.advance(FRAME_S)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["throw-1-2.json", "throw-1.json"]
    saved = load_replay(tmp_path / "throw-1.json")
    assert saved.outcome == driver.window.showing.watched.replay.outcome
    assert driver.window.showing.message == "wrote throw-1-2.json"


def test_a_folder_that_cannot_be_written_to_gives_a_message_and_the_window_stays(tmp_path):
    driver = Driver(slam_window(folder=tmp_path / "gone"))
    driver.key("s")
    driver.picture()
    driver.app.advance(FRAME_S)
    assert "gone" in driver.window.showing.message
    assert driver.app.running


def test_a_knock_out_has_no_slider_of_pucks_and_no_log(tmp_path):
    scene = Scene(
        slammer=puckdex_slammer(20.0),
        stack=knock_out_stack(puckdex_slammer(8.0), shields=1),
        preset=preset("fast"),
    )
    own = Study(scene=scene, thrower=ThrowDistribution())
    driver = Driver(SlamWindow(Trials([own], ["20 g"], 1), own, folder=tmp_path))
    driver.key("t")
    labels = [widget.label for widget in driver.window.aiming.widgets(BOXES)]
    assert "pucks" not in labels
    driver.key("return")
    assert driver.window.showing.watched.replay.scene.stack == scene.stack
    driver.key("x")
    assert "lone slammer" in driver.window.showing.message
    assert not list(tmp_path.iterdir())


def test_the_slammer_is_drawn_where_it_is_aimed(driver):
    pictures = []
    for x_mm in (-25.0, 25.0):
        driver.move(*pixel_of(x_mm, 0.0))
        pixels = pixels_of(driver.picture(), BOXES.top)
        found = np.argwhere((np.ptp(pixels.astype(int), axis=2) < 20) & (pixels.min(axis=2) > 150))
        pictures.append(float(found[:, 1].mean()))
    assert pictures[1] - pictures[0] == pytest.approx(50.0 * TO.scale, rel=0.05)


def test_the_throw_in_space_has_its_height_tilt_and_arrow(driver):
    hand = HandThrow(aim_x_mm=10.0, tilt_deg=30.0, tilt_to_deg=90.0)
    scene = study().scene
    moment = ready_moment(scene, throw_of(hand))
    stack_mm = sum(piece.thickness_mm for piece in scene.stack)
    low = 22.5 * math.sin(math.radians(30)) + 3.0 * math.cos(math.radians(30))
    assert moment.centre_mm[-1] == pytest.approx((10.0, 0.0, stack_mm + low), abs=2.0)
    normal = moment.rotation[-1, :, 2]
    assert normal == pytest.approx((0.0, math.sin(math.radians(30)), math.cos(math.radians(30))))
    lengths = []
    for speed in (2.0, 8.0):
        set_slider(driver, "speed", speed)
        lengths.append(count_of(driver.picture(), LIGHT.accent, BOXES.space))
    assert 50 < lengths[0] < lengths[1]


def test_the_button_sets_up_a_throw():
    driver = Driver(slam_window())
    assert count_of(driver.picture(), LIGHT.control, BOXES.aim) > 1000
    driver.press(*BOXES.aim.center)
    assert driver.window.aiming is not None


@given(value=st.floats(-1000, 1000), setting=st.sampled_from(SETTINGS))
def test_a_setting_is_kept_to_its_range_and_step(value, setting):
    number = getattr(set_to(HandThrow(), setting, value), setting.name)
    assert setting.low <= number <= setting.high
    assert number / setting.step == pytest.approx(round(number / setting.step), abs=1e-6)
