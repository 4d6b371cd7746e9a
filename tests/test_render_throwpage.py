"""The page to throw in: its throws, and a finger in a real browser."""

import math
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pucklab.cli.slam import slam_of_trial, study_at
from pucklab.render.slams.player import MOST_THROW_BYTES, throw_page
from tests.browsers import facts_of
from tests.commands import pucklab
from tests.slamwindows import study

THROWS, SEED = 6, 3


@lru_cache(maxsize=1)
def replays():
    return [slam_of_trial(study_at(study(), n), SEED, n) for n in range(THROWS)]


def test_throws_fill_speeds_and_directions_evenly():
    throwers = [study_at(study(), number).thrower for number in range(64)]
    cells = Counter(
        (int((t.speed_mm_s - 1500) // 2000), int((t.direction_deg + 45) // 22.5)) for t in throwers
    )
    assert len(cells) == 16
    assert min(cells.values()) >= 2


@pytest.fixture(scope="module")
def opened(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("throw") / "play.html"
    throw_page([("Onix", replay) for replay in replays()]).save(path)
    assert path.stat().st_size < MOST_THROW_BYTES
    chromium.open(path, (320, 480))
    yield chromium
    chromium.leave()


@pytest.mark.parametrize(("across", "up"), [(1, 0), (-0.6, -0.8)])
def test_a_flick_plays_the_nearest_throw_in_its_direction(opened, across, up):
    opened.run(
        "pucklab.mode.ready(); pucklab.mode.sent = null;"
        "const own = pucklab.mode.throwAt;"
        "pucklab.mode.throwAt = function(...to) { this.sent = to;"
        "  this.chosen = own.call(this, ...to); pucklab.mode.throwAt = own; }"
    )
    for _ in range(20):  # on a busy machine a flick may take long, as if held still
        opened.drag((150, 240), (150 + round(90 * across), 240 - round(90 * up)), "touch")
        if opened.run("return pucklab.mode.sent"):
            break
    speed, direction = opened.run("return pucklab.mode.sent")
    chosen = opened.run("return pucklab.mode.chosen")
    azimuth = opened.run("return pucklab.facts.clips[0].track[1]")
    # On the screen, x is a quarter turn from the camera's azimuth.
    wanted = math.atan2(up, across) + azimuth + math.pi / 2
    assert abs(math.remainder(direction - wanted, 2 * math.pi)) < 0.05

    def apart(replay, quarters):
        angle = replay.throw.direction_rad + quarters * math.pi / 2 - direction
        off = math.remainder(angle, 2 * math.pi)
        return math.hypot(replay.throw.speed_mm_s / 1000 - speed, off / (math.pi / 4)), off

    ways = {(n, q): apart(replay, q) for n, replay in enumerate(replays()) for q in range(4)}
    assert (chosen["index"], chosen["quarters"]) == min(ways, key=lambda way: ways[way][0])
    # What is drawn moves as the throw, turned.
    opened.run("pucklab.play(false)")
    began, hit = (
        opened.run(
            f"pucklab.state.time = {time}; const s = pucklab.facts.clips[{chosen['index']}]"
            ".slams[0]; return [...pucklab.mode.poses(s)].slice(-7)"
        )
        for time in ("pucklab.facts.clips[pucklab.state.clip].track[0]", "0")
    )
    drawn = math.atan2(hit[1] - began[1], hit[0] - began[0])
    off = ways[chosen["index"], chosen["quarters"]][1]
    assert abs(math.remainder(drawn - direction - off, 2 * math.pi)) < 0.05
    turn = chosen["quarters"] * math.pi / 2
    still, shown = (
        np.reshape(
            opened.run(
                f"const s = pucklab.facts.clips[{chosen['index']}].slams[0];return [...{poses}]"
            ),
            (-1, 7),
        )
        for poses in ("pucklab.posesAt(s, pucklab.state.time)", "pucklab.mode.poses(s)")
    )
    about_z = Rotation.from_euler("z", turn)
    of = [Rotation.from_quat(poses[:, 3:], scalar_first=True) for poses in (still, shown)]
    np.testing.assert_allclose(shown[:, :3], about_z.apply(still[:, :3]), atol=1e-3)
    assert (of[1] * (about_z * of[0]).inv()).magnitude().max() < 1e-3
    assert f"play the nearest of {THROWS} computed throws" in opened.said
    assert opened.console() == []


def test_flips_are_counted_once_the_throw_is_over(opened):
    opened.run("Object.assign(pucklab.mode, {throws: 0, flips: 0, best: 0})")
    flips = [len(replay.outcome.flipped) for replay in replays()]
    total = best = 0
    for number in range(3):
        opened.run("pucklab.mode.ready()")
        opened.keys("g")
        opened.run(
            "pucklab.seek(pucklab.facts.clips[pucklab.state.clip].track[0]);pucklab.drawAll()"
        )
        told = "return document.getElementById('about').textContent.split(' \u2013 ')[1]"
        noun = "throw" if number == 1 else "throws"
        flip = "flip" if total == 1 else "flips"
        assert opened.run(told) == f"{number} {noun}, {total} {flip}, best {best}"
        opened.run("pucklab.seek(99); pucklab.drawAll()")
        own = flips[opened.run("return pucklab.state.clip")]
        total, best = total + own, max(best, own)
        assert f", {total} flip" in opened.run(told)
    assert opened.console() == []


def test_a_tap_leads_back_to_the_next_throw(opened):
    opened.keys("g")
    assert not opened.run("return pucklab.mode.aims")
    opened.drag((150, 240), (200, 240), "touch")  # turns the view
    assert not opened.run("return pucklab.mode.aims")
    opened.drag((150, 240), (150, 240), "touch")
    assert opened.run("return pucklab.mode.aims")
    assert opened.console() == []


def test_before_a_throw_the_clock_does_nothing_and_has_no_buttons(opened):
    opened.run("pucklab.mode.ready(); pucklab.drawAll()")
    seen = (
        "return [pucklab.state.time, pucklab.state.playing, pucklab.mode.aims, pucklab.mode.throws,"
        " document.getElementById('scrub').value, document.getElementById('count').textContent,"
        " document.getElementById('play').hidden, document.getElementById('scrub').disabled]"
    )
    before = opened.run(seen)
    assert before[-2:] == [True, True]
    opened.keys("\ue010 \ue011r\ue012\ue014")  # End, Space, Home, r, Left and Right
    assert opened.run(seen) == before
    opened.keys("g\ue010")
    opened.run("pucklab.drawAll()")
    assert opened.run("return pucklab.state.time") > 0.1
    assert opened.run(seen)[-2:] == [False, False]
    assert opened.console() == []


def test_a_slow_flick_says_how_fast_one_is(opened):
    opened.run("pucklab.mode.ready()")
    opened.drag((150, 240), (151, 241), "touch")
    assert opened.said.startswith("too slow, ")
    assert opened.run("return pucklab.mode.aims")


def test_a_page_to_throw_in_is_written_by_the_command(tmp_path):
    options = "--slammer-g 8 --pucks 2 --engine plane --workers 1"
    done = pucklab(f"slam {options} --throws 2 --save play.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "wrote play.html\n")
    assert done.stdout.startswith("2 throws from 1.5 to 9.5 m/s, ")
    assert len(facts_of((tmp_path / "play.html").read_text())["clips"]) == 2
