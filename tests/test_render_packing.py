"""The player of slams: a page of one file, in a real browser and as text."""

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

from pucklab.physics import (
    Face,
    InputError,
    SampleRate,
    puck_stack,
    puckdex_slammer,
    slam,
)
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.render.slams.frame import state_text
from pucklab.render.slams.motion import moment_at, motion_of, replay_motion
from pucklab.render.slams.player import MAX_BYTES, Clip, SlamPlayer, player_of
from pucklab.render.slams.space import count_so_far
from pucklab.sim.scene.replay import replay_of
from pucklab.sim.scene.slam_text import replay_lines
from tests.browsers import facts_of
from tests.recordedslams import SCENE, some_replay
from tests.refusals import refused
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


def test_a_page_is_small_and_needs_nothing_from_elsewhere(tmp_path):
    path = tmp_path / "slam.html"
    player_of([("Onix", some_replay())]).save(path)
    page = path.read_text(encoding="utf-8")
    assert path.stat().st_size <= MAX_BYTES
    assert page.startswith("<!doctype html>")
    assert not re.search(
        r'https?:|@import|<link (?!rel="icon" href="data:)|src="(?!data:)|url\(|import\(|fetch\(',
        page,
    )
    assert "default-src 'none'" in page
    assert "%%" not in page


def test_the_motion_of_a_page_is_that_of_the_recording():
    slam = some_replay()
    facts = facts_of(player_of([("Onix", slam)]).html)
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
    (own,) = facts_of(player_of([("Onix", slam)]).html)["clips"][0]["slams"]
    flipped = [k for k, piece in enumerate(own["pieces"]) if piece["mark"] == "flipped"]
    assert tuple(flipped) == slam.outcome.flipped
    assert (own["engine"], own["hit"]) == ("plane", True)
    assert own["pieces"][-1]["face"] == f"{SCENE.slammer.mass_g:g} g"


def test_text_cannot_leave_its_place_in_the_page():
    player = SlamPlayer([Clip(title=NASTY, slams=((NASTY, some_replay()),))])
    page = player.html
    assert "alert(1)</script>" not in page
    assert page.count("</script>") == player_of([("Onix", some_replay())]).html.count("</script>")
    facts = facts_of(page)
    assert facts["clips"][0]["title"] == facts["clips"][0]["slams"][0]["name"] == NASTY
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


def test_a_notebook_shows_the_page_in_a_frame_of_its_own():
    player = player_of([("Onix", some_replay())], title=NASTY)
    shown = player._repr_html_()
    assert shown.startswith("<iframe ")
    assert "sandbox=" in shown
    inner = shown.split('srcdoc="')[1].split('"')[0]
    assert html.unescape(inner) == player.html
    assert shown.count("<script") == 0


def test_a_recording_without_poses_is_played_and_said_to_be_flat():
    slam = some_replay()
    older = replace(slam, recording=replace(slam.recording, poses=None))
    facts = facts_of(player_of([("Onix", older)]).html)
    (own,) = facts["clips"][0]["slams"]
    assert own["inSpace"] is False
    times, states = unpacked(facts, own)
    assert len(times) > 10
    assert np.linalg.norm(states[..., 3:], axis=2) == pytest.approx(1.0, abs=1e-3)


def test_twenty_one_slams_side_by_side_fit_into_a_page_and_more_are_refused():
    slams = tuple((f"slammer {k}", some_replay()) for k in range(21))
    page = SlamPlayer([Clip(title="ghosts", slams=slams)]).html
    assert len(page.encode()) <= MAX_BYTES
    refused(
        Clip,
        title="ghosts",
        slams=(*slams, slams[0]),
        said="slams: 22 are not accepted in a clip; give 1 to 21",
    )
    refused(SlamPlayer, [], said="clips: none is not accepted")


def test_what_does_not_fit_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(SlamPlayer, "most_bytes", 60_000)
    with pytest.raises(
        InputError, match=r"^save: 1 slams need more than the 60000 bytes of a page"
    ):
        _ = player_of([("Onix", some_replay())]).html


@pytest.fixture(scope="module")
def opened(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("player") / "slam.html"
    player_of([("Onix", some_replay())], title=NASTY).save(path)
    chromium.open(path, SIZE)
    chromium.run("pucklab.play(false);")
    yield chromium
    chromium.leave()


def faces_of(outcome):
    return {piece.face for piece in (*outcome.pieces, outcome.slammer)}


def box_of(page, name):
    """Return left, top, right and bottom of an element."""
    return page.run(
        f"const b = document.getElementById('{name}').getBoundingClientRect();"
        "return [b.left, b.top, b.right, b.bottom].map(Math.round);"
    )


def stage(page, time_s):
    page.run(f"pucklab.seek({time_s}); pucklab.drawAll();")
    left, top, right, bottom = box_of(page, "canvas")
    return page.picture()[top:bottom, left:right]


def test_a_browser_draws_the_slam_and_its_console_stays_empty(opened):
    opened.run("pucklab.setView('above'); pucklab.state.theme = 'light';")
    end_s = opened.run("return pucklab.facts.clips[0].slams[0].times.at(-1);")
    last = stage(opened, end_s)
    # Each piece is where the camera from above sees it: a pixel at its middle is not wood.
    places = opened.run(
        f"const s = pucklab.facts.clips[0].slams[0]; return [...pucklab.posesAt(s, {end_s})];"
    )
    height, width, _ = last.shape
    camera = opened.run("return pucklab.facts.clips[0].cameras.above;")
    scale = height / 2 / np.tan(camera["field"] / 2) / camera["distance"]
    red, blue = last[..., 0].astype(int), last[..., 2].astype(int)
    wood = red > blue + 40
    assert wood.mean() > 0.2
    checked = 0
    for x, y, *_ in np.reshape(places, (-1, 7)).tolist():
        column, row = round(width / 2 + scale * x), round(height / 2 - scale * y)
        if 0 <= column < width and 70 < row < height:
            around = last[row - 4 : row + 5, column - 4 : column + 5].reshape(-1, 3).astype(int)
            empty = last[int(0.7 * height), int(0.62 * width)].astype(int)
            assert np.abs(around - empty).max() > 60
            checked += 1
    assert checked >= 3
    assert opened.console() == []
    assert opened.run("return document.getElementById('notice').textContent;") == ""


def test_flips_are_counted_and_lit_in_a_browser(opened):
    opened.run("pucklab.setView('above'); pucklab.state.theme = 'dark';")
    slam = some_replay()
    motion = replay_motion(slam)
    count = "return document.getElementById('count').textContent;"
    stage(opened, 0.0)
    assert opened.run(count) == ""
    stage(opened, motion.end_s)
    flips = len(slam.outcome.flipped)
    assert opened.run(count) == f"{flips} FLIP{'' if flips == 1 else 'S'}"
    lit = stage(opened, motion.end_s).astype(int)
    opened.run("for (const p of pucklab.facts.clips[0].slams[0].pieces) p.mark = '';")
    unlit = stage(opened, motion.end_s).astype(int)
    greener = (lit - unlit)[..., 1]
    assert (greener > 25).sum() > 100


def test_a_page_answers_to_keys_mouse_and_fingers(opened):
    state = "return pucklab.state;"
    opened.run("pucklab.setView('follow'); pucklab.seek(0.01);")
    opened.keys("l")
    assert opened.run(state)["theme"] in ("light", "dark")
    before = opened.run(state)["time"]
    opened.keys("\ue014")  # Right
    assert opened.run(state)["time"] == pytest.approx(before + 0.002)
    opened.keys(" ")
    assert opened.run(state)["playing"] is True
    opened.keys(" ")
    assert opened.run(state)["playing"] is False
    for kind in ("mouse", "touch"):
        opened.run("pucklab.setView('follow');")
        assert opened.run(state)["camera"] is None
        opened.drag((300, 250), (380, 250), kind)
        assert opened.run(state)["camera"]["azimuth"] < -1.5
    opened.keys("m")
    assert opened.run(state)["sound"] is False
    names = opened.run(
        "return [...document.querySelectorAll('button, select, input, canvas')]"
        ".filter((e) => !e.closest('dialog'))"
        ".map((e) => e.getAttribute('aria-label') || '');"
    )
    assert all(names)
    # From before the impact to its end, the pace of films plays its contacts, one in a frame.
    end_s = motion_of(SCENE, some_replay().recording).impact_end_s
    opened.run(
        f"pucklab.state.sound = true; pucklab.seek(-0.005);"
        f"while (pucklab.state.time < {end_s}) pucklab.advance(1 / 60);"
    )
    played = opened.run("return pucklab.played();")
    assert len(played) >= 3
    assert all(voice.startswith("disc") or voice == "wood" for voice in played)
    # Text is text, whatever stands in it.
    assert opened.run("return document.getElementById('title').textContent;") == NASTY
    assert opened.run("return document.scripts.length;") == 2


def test_without_webgl_a_page_shows_a_picture_and_says_why(page, tmp_path):
    # The camera steps back for pieces outside of the box: here all stay in it, and wood fills more.
    throws = (trial_throw(4, 1, k) for k in range(50))
    slams = ((throw, slam(SCENE, throw, SampleRate())) for throw in throws)
    inside = next(each for each in slams if Face.OUT not in faces_of(each[1].outcome))
    path = tmp_path / "slam.html"
    player_of([("Onix", replay_of(SCENE, *inside))]).save(path)
    page.open(path, has_webgl=False)
    notice = page.run("return document.getElementById('notice').textContent;")
    assert notice.startswith("This browser has no WebGL2")
    assert page.run("return document.getElementById('canvas').hidden;") is True
    assert page.run("return document.getElementById('still').naturalWidth;") == 800
    left, top, right, bottom = box_of(page, "still")
    still = page.picture()[top:bottom, left:right].astype(int)
    assert (still[..., 0] > still[..., 2] + 40).mean() > 0.1


@pytest.mark.parametrize(
    ("trial", "wanted"), [(1, "1 flip, 4 out"), (17, "2 flips, 4 out"), (114, "missed")]
)
def test_page_window_film_and_text_count_alike(trial, wanted, page, tmp_path):
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
    player_of([("Onix", replay)]).save(tmp_path / "slam.html")
    page.open(tmp_path / "slam.html", SIZE)
    page.run("pucklab.seek(99); pucklab.drawAll();")
    assert page.run("return document.getElementById('count').textContent") == wanted.upper()
