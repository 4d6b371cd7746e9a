"""A slam as a file: film strip (PNG), film (GIF, MP4 or WebM), web page (HTML) or replay (JSON).

`export_slam` writes the kind of file that the name ends in, `save_reel` several slams in one, and
`save_film` a film with more settings. Films follow the pace of `playback.Pace`; `draw_filmstrip`
shows the moments that `strip_times_s` picks.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pygame import Rect, Surface

from physics.errors import check_number
from physics.facts import fact
from render.canvas import new_surface, save_png, write
from render.movie_files import (
    FILM_HOLD_S,
    FILM_SUFFIXES,
    check_film_extra,
    check_saved,
    film_bytes,
    gif_bytes,
)
from render.palette import LIGHT, Palette
from render.slams.frame import draw_frame, state_text, time_text, write_legend
from render.slams.motion import Motion, moment_at, motion_of
from render.slams.playback import FILM_PACE, Pace, later, pace_text, slower_at
from render.slams.player import Clip, SlamPlayer, player_of, throw_line
from render.slams.sound import Stereo, film_sound, silence, sounds_of
from render.slams.space import draw_space
from render.slams.top_view import draw_top_view
from sim.core.files import named_in_errors, write_whole
from sim.slam_replay import Replay, save_replay
from sim.slam_text import caption_of

SLAM_SUFFIXES = (".png", *FILM_SUFFIXES, ".html", ".json")
"""Suffixes of all files that a slam can be saved as."""

check_export = partial(check_saved, SLAM_SUFFIXES)
"""Check, before any work is done, that a slam can be saved as a file."""

_TITLE_S, _RESULT_S = 1.6, 1.2
"""Times for which a reel shows the title before a slam, and its end after it."""

_GIF_REEL_FPS = 12.5
"""Rate of a reel as a GIF, all of whose frames are in memory at once."""

GIF_SIZE, MP4_SIZE = (640, 320), (1280, 640)
"""Width and height of films, in pixels."""

_GIF_FPS, _MP4_FPS = 20.0, 30.0
"""Frames a second, unless others are asked for."""

_STRIP_COLUMNS, _SPACE_PX, _TOP_PX, _GAP_PX = 3, (400, 270), 140, 14
"""Moments in a row of a film strip, sizes of the views in space and from above, and the gap."""

_TITLE_PX, _TEXT_PX, _LINE_PX = 30, 22, 30
"""Heights of the caption, of other text, and of a line of a film strip."""


Progress = Callable[[Iterator[Any], int], Iterator[Any]]
"""A function that yields the frames of a film, of so many, and shows how far they are."""


def export_slam(
    path: Path,
    replay: Replay,
    name: str,
    *,
    palette: Palette = LIGHT,
    progress: Progress = lambda frames, _: frames,
) -> None:
    """Save a slam as a film strip, a film, a web page or a replay; whole or not at all.

    Args:
        path: The file to write; its suffix decides the kind.
        replay: The slam.
        name: Name of the slammer.
        palette: The colours of a picture; a web page has both themes.
        progress: Shows the progress of a film.
    """
    caption = _caption(name, replay)
    suffix = path.suffix.lower()
    if suffix == ".json":
        save_replay(path, replay)
    elif suffix == ".html":
        player_of([(name, replay)]).save(path)
    elif suffix == ".png":
        save_png(path, draw_filmstrip(replay, caption=caption, palette=palette))
    else:
        save_film(path, replay, caption=caption, palette=palette, progress=progress)


def save_film(
    path: Path,
    replay: Replay,
    *,
    fps: float | None = None,
    pace: Pace = FILM_PACE,
    caption: str = "",
    palette: Palette = LIGHT,
    progress: Progress = lambda frames, _: frames,
) -> None:
    """Write a slam as a film: the impact in slow motion, the rest at half speed.

    The file is written whole or not at all. It begins with the slammer's approach.

    Args:
        path: The file to write: a name in ``.gif``, which loops and is silent, ``.mp4`` or
            ``.webm``.
        replay: The slam.
        fps: Frames a second: for a GIF 1 to 50 and 20 by default, for others 1 to 120 and 30.
        pace: Slow-down.
        caption: A line above the views.
        palette: The colours.
        progress: Shows the progress.

    Raises:
        MissingExtraError: Pillow or imageio-ffmpeg is not installed.
        InputError: ``fps`` is not accepted.
    """
    is_gif = path.suffix.lower() == ".gif"
    check_film_extra(path)
    fps = fps if fps is not None else (_GIF_FPS if is_gif else _MP4_FPS)
    check_number("fps", fps, 1.0, 50.0 if is_gif else 120.0)
    size = GIF_SIZE if is_gif else MP4_SIZE
    frames = film_frames(replay, size=size, fps=fps, pace=pace, caption=caption, palette=palette)
    motion = motion_of(replay.scene, replay.recording, replay.throw)
    frames = progress(frames, len(film_times_s(motion, fps, pace)))
    _write_film(
        path, frames, size, fps, palette, lambda: _slam_sound(replay, fps, pace, _held(1, fps))
    )


def _write_film(
    path: Path,
    frames: Iterator[Surface],
    size: tuple[int, int],
    fps: float,
    palette: Palette,
    sound: Callable[[], Stereo],
) -> None:
    suffix = path.suffix.lower()
    if suffix == ".gif":
        write_whole(path, gif_bytes(frames, fps, palette))
    else:
        with named_in_errors(path):
            data = film_bytes(frames, size, fps, suffix, sound())
        write_whole(path, data)


def _slam_sound(replay: Replay, fps: float, pace: Pace, held: int) -> Stereo:
    """Return the sound of a film, with a number of frames for which its end is held."""
    motion = motion_of(replay.scene, replay.recording, replay.throw)
    times = film_times_s(motion, fps, pace)
    # The last time is shown on while the end is held, so that the last chimes ring out.
    times = np.concatenate((times, np.full(held, times[-1])))
    return film_sound(sounds_of(replay), motion, pace, times, fps)


def _caption(name: str, replay: Replay) -> str:
    return caption_of(name, replay.scene, replay.throw, replay.outcome, replay.engine)


@fact
class ReelSlam:
    """A slam of a reel."""

    title: str  # a few words shown large before it, such as "7 flips"
    name: str  # name of the slammer
    replay: Replay


def save_reel(
    path: Path,
    slams: Sequence[ReelSlam],
    *,
    palette: Palette = LIGHT,
    progress: Progress = lambda frames, _: frames,
) -> None:
    """Write several slams as one film or web page, the best one last; whole or not at all.

    Args:
        path: The file to write: a name in ``.gif``, ``.mp4``, ``.webm`` or ``.html``.
        slams: The slams, the best one first.
        palette: The colours; a web page has both themes.
        progress: Shows the progress of a film.

    Raises:
        MissingExtraError: Pillow or imageio-ffmpeg is not installed.
        InputError: The slams are none, or too many for such a file.
    """
    suffix, last = path.suffix.lower(), len(slams)
    countdown = [(last - k, slam) for k, slam in enumerate(reversed(slams))]
    if suffix == ".html":
        SlamPlayer(
            [
                Clip(
                    title=f"{number}: {slam.title}. {throw_line(slam.name, slam.replay)}",
                    slams=((slam.name, slam.replay),),
                )
                for number, slam in countdown
            ]
        ).save(path)
        return
    check_film_extra(path)
    size, fps = (GIF_SIZE, _GIF_REEL_FPS) if suffix == ".gif" else (MP4_SIZE, _MP4_FPS)
    frames = _reel_frames(countdown, size, fps, palette)
    frames = progress(frames, sum(_reel_length(*each, fps) for each in countdown))
    _write_film(path, frames, size, fps, palette, lambda: _reel_sound(countdown, fps))


def _reel_frames(
    slams: Sequence[tuple[int, ReelSlam]], size: tuple[int, int], fps: float, palette: Palette
) -> Iterator[Surface]:
    """Draw a title before each slam, its film, and its end for a moment."""
    for number, slam in slams:
        frame = _title_card(number, slam, size, palette)
        for _ in range(round(_TITLE_S * fps)):
            yield frame
        caption = _caption(slam.name, slam.replay)
        for frame in film_frames(
            slam.replay, size=size, fps=fps, pace=FILM_PACE, caption=caption, palette=palette
        ):
            yield frame
        for _ in range(_held(number, fps) if number > 1 else 0):  # every film holds its end
            yield frame


def _reel_length(number: int, slam: ReelSlam, fps: float) -> int:
    """Return the number of frames of a slam of a reel."""
    replay = slam.replay
    motion = motion_of(replay.scene, replay.recording, replay.throw)
    held = _held(number, fps) if number > 1 else 0
    return round(_TITLE_S * fps) + len(film_times_s(motion, fps, FILM_PACE)) + held


def _held(number: int, fps: float) -> int:
    """Return the frames for which the end of a slam is held; 1 is the last one of a film."""
    return round((_RESULT_S if number > 1 else FILM_HOLD_S[1]) * fps)


def _reel_sound(slams: Sequence[tuple[int, ReelSlam]], fps: float) -> Stereo:
    """Return the sound of `_reel_frames`."""
    parts: list[Stereo] = []
    for number, slam in slams:
        parts.append(silence(round(_TITLE_S * fps) / fps))
        parts.append(_slam_sound(slam.replay, fps, FILM_PACE, _held(number, fps)))
    return np.concatenate(parts)


def _title_card(number: int, slam: ReelSlam, size: tuple[int, int], palette: Palette) -> Surface:
    """Return a picture with the place of a slam among the best, its title and its throw."""
    width, height = size
    surface = new_surface(*size)
    surface.fill(palette.background)
    line = _caption(slam.name, slam.replay)
    for text, share, y, colour in (
        (f"{number}", 0.3, 0.3, palette.accent),
        (slam.title, 0.13, 0.6, palette.text),
        (line, 0.042, 0.78, palette.faint),
    ):
        write(
            surface,
            text,
            (width / 2, y * height),
            round(share * height),
            colour,
            align="centre",
            width_px=0.92 * width,
        )
    return surface


def film_frames(
    replay: Replay,
    *,
    size: tuple[int, int],
    fps: float,
    pace: Pace,
    caption: str = "",
    palette: Palette = LIGHT,
) -> Iterator[Surface]:
    """Draw the frames of a film, one after another on the same surface.

    Args:
        replay: The slam; its result is written and marked in the last frame.
        size: Width and height in pixels.
        fps: Frames a second, 1 to 120.
        pace: Slow-down.
        caption: A line above the views.
        palette: The colours.
    """
    surface = new_surface(*size)
    scene, outcome = replay.scene, replay.outcome
    motion = motion_of(scene, replay.recording, replay.throw)
    for time_s in film_times_s(motion, fps, pace).tolist():
        moment = moment_at(motion, time_s)
        note = "" if moment.at_end else pace_text(slower_at(pace, motion, time_s), pace)
        draw_frame(
            surface, scene, moment, outcome=outcome, caption=caption, note=note, palette=palette
        )
        yield surface


def film_times_s(motion: Motion, fps: float, pace: Pace) -> NDArray[np.float64]:
    """Return the times that the frames of a film show.

    Once everything is at rest, as far as can be seen, the last frame shows the end of the motion.

    Args:
        motion: The motion.
        fps: Frames a second, 1 to 120.
        pace: Slow-down.

    Raises:
        InputError: ``fps`` is outside its range.
    """
    check_number("fps", fps, 1.0, 120.0)
    times = [motion.start_s]
    while True:
        time_s = later(pace, motion, times[-1], 1 / fps)
        if time_s >= motion.rest_s:
            return np.array([*times, motion.end_s])
        times.append(time_s)


def draw_filmstrip(replay: Replay, *, caption: str = "", palette: Palette = LIGHT) -> Surface:
    """Return a picture of up to six moments of a slam, each in space and from above.

    Args:
        replay: The slam; its result is marked in the last moment.
        caption: A line above the moments.
        palette: The colours.
    """
    scene, outcome = replay.scene, replay.outcome
    motion = motion_of(scene, replay.recording)
    moments = strip_times_s(replay)
    cell_px = _SPACE_PX[0] + _TOP_PX + 2 * _GAP_PX
    columns = min(len(moments), _STRIP_COLUMNS)
    rows = -(-len(moments) // columns)
    width = columns * cell_px + _GAP_PX
    first = _GAP_PX + (_LINE_PX + _GAP_PX // 2 if caption else 0)
    height = first + rows * (_SPACE_PX[1] + _GAP_PX) + _LINE_PX + _GAP_PX
    strip = new_surface(width, height)
    strip.fill(palette.background)
    place, room = (_GAP_PX, _GAP_PX + _LINE_PX / 2), width - 2 * _GAP_PX
    write(strip, caption, place, _TITLE_PX, palette.text, width_px=room)
    for cell, (time_s, name) in enumerate(moments):
        moment = moment_at(motion, time_s)
        row, column = divmod(cell, columns)
        x, y = _GAP_PX + column * cell_px, first + row * (_SPACE_PX[1] + _GAP_PX)
        space = Rect((x, y), _SPACE_PX)
        draw_space(strip.subsurface(space), scene, moment, outcome, palette)
        square = Rect(0, 0, _TOP_PX, _TOP_PX)
        square.bottomleft = space.right + _GAP_PX // 2, space.bottom
        draw_top_view(strip.subsurface(square), scene, moment, outcome=outcome, palette=palette)
        lines = ((time_text(time_s), palette.text), (name, palette.faint))
        for line, (text, colour) in enumerate(lines):
            place = (square.left, y + (line + 0.5) * _LINE_PX)
            write(strip, text, place, _TEXT_PX, colour, width_px=_TOP_PX)
    bottom = height - _GAP_PX - _LINE_PX / 2
    write_legend(strip, scene, (_GAP_PX, bottom), _TEXT_PX, palette)
    state = state_text(moment_at(motion, motion.end_s), outcome)
    place = (width - _GAP_PX, bottom)
    write(strip, state, place, _TEXT_PX, palette.text, align="right")
    return strip


def strip_times_s(replay: Replay) -> tuple[tuple[float, str], ...]:
    """Return up to six times for a film strip, in order, each with a name.

    They are the beginning, the middle of the impact, its end, the highest moment of the flight, a
    moment on the way down, and the rest.
    """
    recording = replay.recording
    motion = motion_of(replay.scene, recording)
    time_s, end = motion.time_s, recording.impact_samples - 1
    if 1 <= end < len(time_s) - 1:
        mean_height = recording.height_mm[end + 1 :, :-1].mean(axis=1)
        top_s = float(time_s[end + 1 + int(np.argmax(mean_height))])
        falling_s = (top_s + float(motion.piece_rest_s[:-1].max())) / 2
        wanted = [
            (float(time_s[end // 2]), "impact"),
            (float(time_s[end]), "lift-off"),
            (top_s, "flight"),
            (falling_s, "coming down"),
        ]
    else:
        wanted = [(motion.rest_s * k / 5, "slammer alone") for k in range(1, 5)]
    before_end = [(moment_s, name) for moment_s, name in wanted if moment_s < motion.end_s]
    start = [(0.0, "start")] if motion.end_s > 0 else []
    named = dict(reversed([*start, *before_end]))  # of two names for one time, the first one
    return (*sorted(named.items()), (motion.end_s, "rest"))
