"""A slam as a file, of the kind that its name asks for.

A slam as an animated GIF, or as a film in an MP4 file.

A slam as a film: frames at the pace that suits it.

A slam as a strip of pictures.

Which moments of a recording tell a slam in a strip of pictures.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Recording, Scene, SlamOutcome, Throw
from physics.errors import check_number, require_extra
from render.canvas import new_surface, save_png, write
from render.movie_files import gif_bytes, mp4_bytes
from render.palette import LIGHT, Palette
from render.slams.frame import draw_frame, state_text, time_text, write_legend
from render.slams.motion import Motion, moment_at, motion_of, rest_sample
from render.slams.playback import FILM_PACE, Pace, later, pace_text, slower_at
from render.slams.side_view import draw_side_view
from render.slams.top_view import draw_top_view
from sim.core.files import check_writable, write_whole
from sim.slam_replay import Replay, save_replay
from sim.slam_text import tell_slam


def film_times_s(motion: Motion, fps: float, pace: Pace) -> NDArray[np.float64]:
    """Return the times that the frames of a film show.

    It ends when all is at rest, as far as can be seen, with the end of the motion.

    Args:
        motion: The motion.
        fps: Frames a second, 1 to 120.
        pace: How slowly it is shown.

    Raises:
        InputError: ``fps`` is outside its range.
    """
    check_number("fps", fps, low=1.0, high=120.0)
    times = [motion.start_s]
    while True:
        time_s = later(pace, motion, times[-1], 1 / fps)
        if time_s >= motion.rest_s:
            return np.array([*times, motion.end_s])
        times.append(time_s)


def film_frames(
    scene: Scene,
    motion: Motion,
    outcome: SlamOutcome,
    *,
    size: tuple[int, int],
    fps: float,
    pace: Pace,
    caption: str = "",
    palette: Palette = LIGHT,
) -> Iterator[pygame.Surface]:
    """Draw the frames of a film, one after another on the same surface.

    Args:
        scene: The scene.
        motion: How its pieces move.
        outcome: What the slam came to; told and marked in the last frame.
        size: Width and height in pixels.
        fps: Frames a second, 1 to 120.
        pace: How slowly it is shown.
        caption: A line above the views.
        palette: The colours.
    """
    surface = new_surface(*size)
    for time_s in film_times_s(motion, fps, pace).tolist():
        moment = moment_at(motion, time_s)
        note = "" if moment.at_end else pace_text(slower_at(pace, motion, time_s), pace)
        draw_frame(
            surface, scene, moment, outcome=outcome, caption=caption, note=note, palette=palette
        )
        yield surface


GIF_SIZE = (800, 400)
MP4_SIZE = (1280, 640)
FILM_SUFFIXES = (".gif", ".mp4")
"""What an animation's file may be called."""


def save_film(
    path: Path,
    scene: Scene,
    recording: Recording,
    outcome: SlamOutcome,
    *,
    throw: Throw | None = None,
    fps: float | None = None,
    pace: Pace = FILM_PACE,
    caption: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Write a slam as an animation: the impact slowly, the rest at half speed.

    The file is written whole or not at all.

    Args:
        path: Where to: a name in ``.gif``, which loops, or ``.mp4``.
        scene: The scene that was recorded.
        recording: The recording.
        outcome: What the slam came to; told and marked in the last frame.
        throw: The throw, for the slammer to be seen coming.
        fps: Frames a second: 1 to 50 in a GIF, 25 if none is given; 1 to 120 in a film, or 30.
        pace: How slowly it is shown.
        caption: A line above the views.
        palette: The colours.

    Raises:
        MissingExtraError: Pillow or imageio-ffmpeg is not installed.
        InputError: ``fps`` is not accepted.
    """
    is_gif = path.suffix.lower() == ".gif"
    check_extra(path)
    fps = fps if fps is not None else (25.0 if is_gif else 30.0)
    check_number("fps", fps, low=1.0, high=50.0 if is_gif else 120.0)
    size = GIF_SIZE if is_gif else MP4_SIZE
    frames = film_frames(
        scene,
        motion_of(scene, recording, throw),
        outcome,
        size=size,
        fps=fps,
        pace=pace,
        caption=caption,
        palette=palette,
    )
    data = gif_bytes(frames, fps, palette) if is_gif else mp4_bytes(frames, size, fps)
    write_whole(path, data)


def check_extra(path: Path) -> None:
    """Check that what an animation's file needs is installed.

    Raises:
        MissingExtraError: It is not.
    """
    if path.suffix.lower() == ".gif":
        require_extra("plot", "PIL")
    else:
        require_extra("video", "imageio_ffmpeg")


def strip_times_s(recording: Recording) -> tuple[tuple[float, str], ...]:
    """Return up to six times that tell a slam, in their order, each with what it shows.

    The beginning, the middle of the impact, its end, the flight at its highest, later in the
    flight, and the rest.
    """
    last = len(recording.time_s) - 1
    end = recording.impact_samples - 1
    if not 1 <= end < last:
        rest = rest_sample(recording)
        wanted = [(0, "start"), *[(rest * k // 5, "slammer alone") for k in range(1, 5)]]
    else:
        rest = rest_sample(recording, slice(0, -1))
        mean_height = recording.height_mm[end + 1 :, :-1].mean(axis=1)
        top = end + 1 + int(np.argmax(mean_height))
        later = _sample_at(recording, (recording.time_s[top] + recording.time_s[rest]) / 2)
        wanted = [
            (0, "start"),
            (end // 2, "impact"),
            (end, "lift-off"),
            (top, "flight"),
            (later, "coming down"),
        ]
    chosen: dict[int, str] = {}
    for sample, name in [*wanted, (last, "rest")]:
        if sample < last or name == "rest":
            chosen.setdefault(sample, name)
    return tuple((float(recording.time_s[sample]), chosen[sample]) for sample in sorted(chosen))


def _sample_at(recording: Recording, time_s: float) -> int:
    return int(np.searchsorted(recording.time_s, time_s).clip(0, len(recording.time_s) - 1))


_CELL_PX = 248
_SIDE_PX = 200
_GAP_PX = 14
_TITLE_PX = 30
_WORDS_PX = 22
_LINE_PX = 30


def save_filmstrip(
    path: Path,
    scene: Scene,
    recording: Recording,
    outcome: SlamOutcome,
    *,
    caption: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Write about six moments of a slam as a PNG file: the side view above the top view.

    The file is written whole or not at all.

    Args:
        path: Where to.
        scene: The scene that was recorded.
        recording: The recording.
        outcome: What the slam came to; marked in the last picture.
        caption: A line above the pictures.
        palette: The colours.
    """
    save_png(path, draw_filmstrip(scene, recording, outcome, caption=caption, palette=palette))


def draw_filmstrip(
    scene: Scene,
    recording: Recording,
    outcome: SlamOutcome,
    *,
    caption: str = "",
    palette: Palette = LIGHT,
) -> pygame.Surface:
    """Return the picture that `save_filmstrip` writes."""
    motion = motion_of(scene, recording)
    moments = strip_times_s(recording)
    width = len(moments) * (_CELL_PX + _GAP_PX) + _GAP_PX
    first = _GAP_PX + (_LINE_PX + _GAP_PX // 2 if caption else 0)
    height = first + _LINE_PX + _SIDE_PX + _GAP_PX + _CELL_PX + _LINE_PX + _GAP_PX
    strip = new_surface(width, height)
    strip.fill(palette.background)
    if caption:
        write(
            strip,
            caption,
            (_GAP_PX, _GAP_PX + _LINE_PX / 2),
            size_px=_TITLE_PX,
            colour=palette.text,
            width_px=width - 2 * _GAP_PX,
        )
    for cell, (time_s, name) in enumerate(moments):
        moment = moment_at(motion, time_s)
        x, y = _GAP_PX + cell * (_CELL_PX + _GAP_PX), first
        time = time_text(time_s)
        middle = y + _LINE_PX / 2
        used = write(strip, time, (x, middle), size_px=_WORDS_PX, colour=palette.text)
        after = (x + used + _WORDS_PX / 2, middle)
        write(strip, name, after, size_px=_WORDS_PX, colour=palette.faint)
        y += _LINE_PX
        side = strip.subsurface(pygame.Rect(x, y, _CELL_PX, _SIDE_PX))
        draw_side_view(side, scene, moment, palette=palette)
        y += _SIDE_PX + _GAP_PX
        top = strip.subsurface(pygame.Rect(x, y, _CELL_PX, _CELL_PX))
        draw_top_view(top, scene, moment, outcome=outcome, palette=palette)
    bottom = height - _GAP_PX - _LINE_PX / 2
    write_legend(strip, scene, (_GAP_PX, bottom), _WORDS_PX, palette)
    write(
        strip,
        state_text(moment_at(motion, motion.end_s), outcome),
        (width - _GAP_PX, bottom),
        size_px=_WORDS_PX,
        colour=palette.text,
        align="right",
    )
    return strip


SLAM_SUFFIXES = (".png", ".gif", ".mp4", ".json")
"""A film strip, two kinds of animation, a replay."""


def check_export(field: str, path: Path) -> None:
    """Check, before any work is done, that a slam can be saved as a file.

    Raises:
        InputError: The name ends in something else, or the file cannot be written.
        MissingExtraError: What writes such files is not installed.
    """
    check_writable(field, path, SLAM_SUFFIXES)
    if path.suffix.lower() in (".gif", ".mp4"):
        check_extra(path)


def export_slam(path: Path, replay: Replay, name: str, *, palette: Palette = LIGHT) -> None:
    """Save a slam as a film strip, an animation or a replay; whole or not at all.

    Args:
        path: Where to; its suffix says as what.
        replay: The slam.
        name: What the slammer is called.
        palette: The colours of a picture.
    """
    scene, throw, outcome = replay.scene, replay.throw, replay.outcome
    caption = tell_slam(name, scene, throw, outcome).splitlines()[0]
    suffix = path.suffix.lower()
    if suffix == ".json":
        save_replay(path, replay)
    elif suffix == ".png":
        save_filmstrip(path, scene, replay.recording, outcome, caption=caption, palette=palette)
    else:
        save_film(
            path,
            scene,
            replay.recording,
            outcome,
            throw=throw,
            caption=caption,
            palette=palette,
        )
