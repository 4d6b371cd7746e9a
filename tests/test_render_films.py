"""A slam as a film: an animated GIF, an MP4 or a WebM file."""

import gc
import subprocess
import sys

import numpy as np
import pygame
import pytest
from imageio_ffmpeg import count_frames_and_secs, get_ffmpeg_exe
from PIL import Image, ImageSequence

from pucklab.base.errors import MissingExtraError
from pucklab.render import movie_files
from pucklab.render.canvas import new_surface
from pucklab.render.movie_files import film_bytes, gif_bytes, last_line
from pucklab.render.palette import LIGHT
from pucklab.render.slams import export
from pucklab.render.slams.export import GIF_SIZE, MP4_SIZE, export_slam, film_times_s
from pucklab.render.slams.motion import replay_motion
from pucklab.render.slams.pace import FILM_PACE, Pace
from tests.commands import not_windows
from tests.recordedslams import some_replay
from tests.refusals import refused

FPS = 20.0
REPLAY = some_replay()
COMMAND = "broken pipe\n\nFFMPEG COMMAND:\nffmpeg -y a.mp4\n\nFFMPEG STDERR OUTPUT:\n"


def short_film(folder, suffix):
    """Return the path of a film with a quick impact, and the times of its frames."""
    path = folder / f"slam{suffix}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "FILM_PACE", Pace(impact_slower=50.0))
        patch.setattr(export, "_MP4_FPS", FPS)
        patch.setattr(export, "_GIF_FPS", FPS)
        export_slam(path, REPLAY, "Onix")
        return path, film_times_s(replay_motion(REPLAY), FPS, export.FILM_PACE)


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return short_film(tmp_path_factory.mktemp("mp4"), ".mp4")


@pytest.fixture(scope="module")
def gif(tmp_path_factory):
    return short_film(tmp_path_factory.mktemp("gif"), ".gif")


@pytest.mark.parametrize("kind", ["film", "gif"])
def test_a_film_leaves_no_other_file_and_opens_no_display(kind, request):
    path, _ = request.getfixturevalue(kind)
    assert list(path.parent.iterdir()) == [path]
    assert not pygame.display.get_init()


def test_a_gif_has_a_frame_for_each_time_loops_and_holds_its_last(gif):
    path, times = gif
    with Image.open(path) as image:
        assert (image.size, image.info["loop"]) == (GIF_SIZE, 0)
        held_ms = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert held_ms == [500, *[1000 / FPS] * (len(times) - 2), 1500]
    assert path.stat().st_size / len(times) < 15_000


def test_the_last_frame_of_a_gif_marks_what_flipped_in_the_theme_s_own_colours(gif):
    with Image.open(gif[0]) as image:
        frames = [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
    assert (frames[-1][0, 0] == LIGHT.background).all()
    first, last = ((frames[k] == LIGHT.flipped).all(axis=2).sum() for k in (0, -1))
    assert first == 0
    assert last > 20


def test_without_pillow_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pucklab\[plot\]'$") as caught:
        export_slam(tmp_path / "slam.gif", REPLAY, "Onix")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def frames_of(path):
    """Return the frames of a film; shape (N, height, width, 3)."""
    data = ffmpeg("-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-").stdout
    return np.frombuffer(data, np.uint8).reshape(-1, MP4_SIZE[1], MP4_SIZE[0], 3)


def ffmpeg(*arguments):
    return subprocess.run([get_ffmpeg_exe(), *arguments], capture_output=True, check=False)


def test_a_film_has_a_frame_for_each_of_its_times_and_holds_its_ends(film):
    path, times = film
    frames, seconds = count_frames_and_secs(str(path))
    assert frames == len(times) - 1 + 6 + 30
    assert seconds == pytest.approx(frames / FPS, abs=0.2)


def test_a_film_shows_the_slam_in_the_palette_s_colours(film):
    frames = frames_of(film[0])
    first, last = frames[0], frames[-1]

    def share(frame, colour):
        return float((np.abs(frame.astype(int) - colour).max(axis=2) < 12).mean())

    right = first[2 * MP4_SIZE[1] // 5 :, 3 * MP4_SIZE[0] // 4 :].astype(int)
    assert (right[..., 2] > right[..., 0] + 60).mean() > 0.001  # backs of pucks from above
    assert share(first, LIGHT.flipped) == 0.0
    assert share(last, LIGHT.background) > 0.2


def test_a_film_is_made_of_what_every_browser_shows(film):
    path, _ = film
    report = ffmpeg("-i", str(path)).stderr.decode()
    assert "Video: h264" in report
    assert f"yuv420p(progressive), {MP4_SIZE[0]}x{MP4_SIZE[1]}" in report
    assert f"{FPS:g} fps" in report
    # The index is in front, for a film to begin before it is loaded.
    head = path.read_bytes()[:200_000]
    assert head.index(b"moov") < head.index(b"mdat")


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_film_has_stereo_sound_as_long_as_its_pictures(suffix, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "MP4_SIZE", (320, 160))
    path = tmp_path / f"slam{suffix}"
    export_slam(path, REPLAY, "Onix")
    report = ffmpeg("-i", str(path)).stderr.decode()
    assert "Video: h264" in report if suffix == ".mp4" else "Video: vp9" in report
    assert ("Audio: aac" if suffix == ".mp4" else "Audio: opus") in report
    assert "stereo" in report
    raw = ffmpeg("-i", str(path), "-f", "s16le", "-ac", "2", "-ar", "44100", "-").stdout
    sound = np.abs(np.frombuffer(raw, "<i2").reshape(-1, 2).astype(float)).max(axis=1)
    _, seconds = count_frames_and_secs(str(path))
    assert len(sound) / 44_100 == pytest.approx(seconds, abs=0.15)
    # The first click is heard as the slammer meets the stack, and the first frame is held before.
    times = film_times_s(replay_motion(REPLAY), 30.0, FILM_PACE)
    clack_s = (8 + float(np.interp(0.0, times, np.arange(len(times))))) / 30
    assert sound[: int((clack_s - 0.05) * 44_100)].max() < 100
    assert sound[int((clack_s - 0.05) * 44_100) : int((clack_s + 0.2) * 44_100)].max() > 3000


def test_a_film_that_fails_halfway_leaves_nothing(tmp_path):
    def frames():
        yield new_surface(64, 64)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film_bytes(frames(), (64, 64), FPS)
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@not_windows
@pytest.mark.parametrize(
    "script",
    ["head -c 1024 > /dev/null; exit 1", 'for f; do :; done; head -c 1024 > "$f"; cat > /dev/null'],
    ids=["fails", "stops early"],
)
def test_a_film_that_ffmpeg_does_not_finish_is_an_error(script, tmp_path, write, monkeypatch):
    fake = write("ffmpeg", f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(fake))
    monkeypatch.chdir(tmp_path)  # it writes the file "-" when its encoders are tried
    frames = (new_surface(64, 64) for _ in range(200))
    with pytest.raises(OSError, match=r"^ffmpeg (failed|wrote)") as caught:
        film_bytes(frames, (64, 64), FPS)
    assert "\n" not in str(caught.value)
    assert not str(caught.value).endswith(":")
    assert "OUTPUT" not in str(caught.value)
    # Where ffmpeg breaks the pipe, imageio-ffmpeg leaves it to the collector: here, not in another
    # test.
    del caught
    gc.collect()


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (f"{COMMAND}ffmpeg version 7\na.mp4: No space left\n", "a.mp4: No space left"),
        (COMMAND, "broken pipe"),
        ("[Errno 32] Broken pipe: ", "[Errno 32] Broken pipe"),
        ("", "no reason given"),
    ],
    ids=["the last line of its log", "an empty log", "no log", "nothing"],
)
def test_a_failure_of_ffmpeg_is_told_by(message, reason):
    assert last_line(OSError(message)) == reason


@pytest.mark.parametrize(
    ("limit", "most", "made", "said"),
    [
        ("_MOST_FILM_FRAMES", 3, film_bytes, "a film of more than 3 frames"),
        ("_MOST_GIF_BYTES", 3 * 64 * 64 * 2, gif_bytes, "more than 3 such frames"),
    ],
)
def test_a_film_that_is_too_large_is_refused(limit, most, made, said, monkeypatch):
    monkeypatch.setattr(movie_files, limit, most)
    frames = (new_surface(64, 64) for _ in range(9))
    facts = ((64, 64), FPS) if made is film_bytes else (FPS, LIGHT)
    refused(made, frames, *facts, said=f"{said} is not accepted; give a")
