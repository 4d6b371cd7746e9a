"""Slams as data of pages: carried motions, and the Lab that plays them."""

import base64
import html
import os
import re
import subprocess
import sys
import zlib
from dataclasses import replace

import numpy as np
import pytest

import pucklab
from pucklab.physics import SampleRate, puck_stack, puckdex_slammer, slam
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.render.slams.export import slam_page
from pucklab.render.slams.frame import state_text
from pucklab.render.slams.motion import moment_at, replay_motion
from pucklab.render.slams.packing import pack_slams, page_slam
from pucklab.render.slams.space import count_so_far
from pucklab.sim.scene.replay import replay_of
from pucklab.sim.scene.slam_text import replay_lines
from tests.browsers import facts_of
from tests.recordedslams import SCENE, some_replay
from tests.scenes import trial_throw

SIZE = (640, 560)
NASTY = '</script><script>alert(1)</script> & "Onix" <b>\'</b>\u2028'


def unpacked(facts, slam):
    """Return times, shape (K,), and states of pieces, shape (K, B, 7), as the page reads them."""
    data = zlib.decompress(base64.b64decode(facts["motion"]))
    half = len(data) // 2
    low, high = (np.frombuffer(part, np.uint8) for part in (data[:half], data[half:]))
    numbers = (low.astype(np.uint16) | high.astype(np.uint16) << 8).astype(np.int16)
    samples, rows = slam["samples"], 7 * len(slam["pieces"])
    own = numbers[slam["begin"] : slam["begin"] + (rows + 1) * samples].reshape(rows + 1, samples)
    millimetres, turn, seconds = facts["steps"]
    times = slam["start"] + seconds * np.cumsum(own[0].astype(np.uint16).astype(int))
    states = np.cumsum(own[1:].astype(int), axis=1).T.reshape(samples, -1, 7)
    return times, states * np.array([millimetres] * 3 + [turn] * 4)


def test_the_motion_of_a_page_is_that_of_the_recording():
    slam = some_replay()
    facts = pack_slams([page_slam("Onix", slam)])
    (own,) = facts["clips"][0]["slams"]
    times, states = unpacked(facts, own)
    motion = replay_motion(slam)
    assert times[[0, -1]] == pytest.approx([motion.start_s, motion.end_s], abs=2e-5)
    assert len(times) < len(motion.poses.time_s)
    for time_s in np.linspace(motion.start_s, motion.end_s, 60).tolist():
        moment = moment_at(motion, time_s)
        after = min(max(int(np.searchsorted(times, time_s)), 1), len(times) - 1)
        share = (time_s - times[after - 1]) / (times[after] - times[after - 1])
        state = (1 - share) * states[after - 1] + share * states[after]
        assert np.abs(state[:, :3] - moment.centre_mm).max() < 0.25
        w, x, y, z = (state[:, 3:] / np.linalg.norm(state[:, 3:], axis=1)[:, np.newaxis]).T
        normal = np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), 1)
        assert PIECE_RADIUS_MM * np.abs(normal - moment.rotation[:, :, 2]).max() < 0.3


def test_a_page_has_the_outcome_and_names_the_engine():
    slam = some_replay()
    (own,) = pack_slams([page_slam("Onix", slam)])["clips"][0]["slams"]
    flipped = [k for k, piece in enumerate(own["pieces"]) if piece["mark"] == "flipped"]
    assert tuple(flipped) == slam.outcome.flipped
    assert (own["engine"], own["hit"]) == ("plane", True)
    assert own["pieces"][-1]["face"] == f"{SCENE.slammer.mass_g:g} g"


def test_text_cannot_leave_its_place_in_the_page():
    page = slam_page([(NASTY, some_replay())])
    assert "alert(1)</script>" not in page
    assert page.count("</script>") == slam_page([("Onix", some_replay())]).count("</script>")
    assert facts_of(page)["carried"]["clips"][0]["title"] == NASTY
    assert f"<title>{html.escape(NASTY)}</title>" in page


PAGES = """
import sys
from pathlib import Path
from tests.commands import succeed
for line in ("slam --slammer-g 8 --pucks 4 --save slam.html",
             "battle --turns 1 --save battle.html"):
    succeed(*line.split(), cwd=Path(sys.argv[1]))
"""


def test_pages_are_the_same_bytes_in_every_process(tmp_path):
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        hashed = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PAGES, str(tmp_path / seed)]
        subprocess.run(command, env=hashed, check=True, capture_output=True)
    pages = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert pages == ["battle.html", "slam.html"]
    for page in pages:
        assert (tmp_path / "1" / page).read_bytes() == (tmp_path / "2" / page).read_bytes()


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(page, write):
    thrown = pucklab.slam(pucks=3, trial=2)
    shown = thrown._repr_html_()
    assert shown.startswith("<iframe ")
    assert "sandbox=" in shown
    assert shown.count("<script") == 0
    path = write(
        "notebook.html", f"<script>window.pucklab = {{ready: Promise.resolve()}}</script>{shown}"
    )
    page.open(path, SIZE)
    page.wait_for("document.querySelector('iframe')")
    page.settle()
    left, top, right, bottom = box_of(page, "iframe")
    drawn = page.picture()[top:bottom, left:right].astype(int)
    assert ((drawn[..., 0] > drawn[..., 2] + 40).mean()) > 0.1  # wood: its worker has computed it
    assert not [line for line in page.console() if "Error" in line]


def test_a_recording_without_poses_is_played():
    slam = some_replay()
    older = replace(slam, recording=replace(slam.recording, poses=None))
    facts = pack_slams([page_slam("Onix", older)])
    (own,) = facts["clips"][0]["slams"]
    times, states = unpacked(facts, own)
    assert len(times) > 10
    assert np.linalg.norm(states[..., 3:], axis=2) == pytest.approx(1.0, abs=1e-3)


def test_a_line_stands_in_the_page_for_a_slam_that_it_computes():
    thrown = pucklab.slam(pucks=3)
    (clip,) = facts_of(slam_page([("Onix", thrown.replay)]))["carried"]["clips"]
    assert clip == {"title": "Onix", "line": thrown.line, "faces": []}


@pytest.fixture(scope="module")
def opened(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("player") / "slam.html"
    path.write_text(slam_page([(NASTY, some_replay())]))
    chromium.open(path, SIZE)
    chromium.wait_for("pucklab.arena.state.clip")
    yield chromium
    chromium.leave()


def box_of(page, selector):
    """Return left, top, right and bottom of an element."""
    return page.run(
        f"const b = document.querySelector('{selector}').getBoundingClientRect();"
        "return [b.left, b.top, b.right, b.bottom].map(Math.round);"
    )


def stage(page, time_s):
    page.run(f"pucklab.arena.seek({time_s})")
    page.settle()
    left, top, right, bottom = box_of(page, "#canvas")
    return page.picture()[top:bottom, left:right]


def test_a_browser_draws_the_slam_where_its_camera_sees_it(opened):
    opened.run("pucklab.arena.state.view = 1")  # from above
    last = stage(opened, 99)
    places, camera = opened.run(
        "const { slam } = pucklab.arena.state.clip;"
        "return [[...slam.states.slice(-7 * slam.pieces.length)], cameraNow()];"
    )
    height, width, _ = last.shape
    scale = height / 2 / np.tan(camera["field"] / 2) / camera["distance"]
    left, top = camera["target"][1], camera["target"][0]
    red, blue = last[..., 0].astype(int), last[..., 2].astype(int)
    assert (red > blue + 40).mean() > 0.1  # wood
    checked = 0
    for x, y, *_ in np.reshape(places, (-1, 7)).tolist():
        column, row = round(width / 2 + scale * (x - top)), round(height / 2 - scale * (y - left))
        if 0 <= column < width and 90 < row < height - 70:
            around = last[row - 4 : row + 5, column - 4 : column + 5].reshape(-1, 3).astype(int)
            assert (around[:, 0] - around[:, 2]).min() < 40  # no wood
            checked += 1
    assert checked >= 3
    assert opened.console() == []


def test_flips_are_counted_and_lit_in_a_browser(opened):
    slam = some_replay()
    count = "return document.getElementById('flips').textContent;"
    stage(opened, 0.0)
    assert opened.run(count) == ""
    lit = stage(opened, 99).astype(int)
    assert opened.run(count).startswith(
        count_so_far(moment_at(replay_motion(slam), 99), slam.outcome).split(",")[0]
    )
    opened.run("for (const p of pucklab.arena.state.clip.slam.pieces) p.mark = '';")
    unlit = stage(opened, 99).astype(int)
    assert ((lit - unlit)[..., 1] > 25).sum() > 100


def test_a_slam_sounds_in_a_browser(opened):
    opened.run("pucklab.arena.seek(-1); pucklab.arena.toggle()")
    opened.wait_for("pucklab.arena.played().length >= 3")
    assert all(
        voice.startswith(("disc", "wood", "wall", "chime"))
        for voice in opened.run("return pucklab.arena.played()")
    )


@pytest.mark.parametrize(
    ("trial", "wanted"), [(1, "1 flip, 4 out"), (17, "2 flips, 4 out"), (114, "missed")]
)
def test_page_window_film_and_text_count_alike(trial, wanted, page, write):
    scene = replace(SCENE, slammer=puckdex_slammer(20.0), stack=puck_stack(8))
    throw = trial_throw(8, 1, trial)
    replay = replay_of(scene, throw, slam(scene, throw, SampleRate()))
    motion = replay_motion(replay)
    end = moment_at(motion, motion.end_s)
    assert count_so_far(end, replay.outcome) == wanted
    assert state_text(end, replay.outcome).startswith(wanted)
    _, text = replay_lines("Onix", replay)
    told = re.findall(r"(\d) of 8 pucks|, (\d) leave", text)
    assert ["".join(each) for each in told] == re.findall(r"\d", wanted)
    page.open(write("slam.html", slam_page([("Onix", replay)])), SIZE)
    page.wait_for("pucklab.arena.state.clip")
    page.run("pucklab.arena.seek(99)")
    page.wait_for(f"document.getElementById('flips').textContent === {wanted!r}")
