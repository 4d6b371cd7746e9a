"""A slam as a file: film strip (PNG), film (GIF, MP4 or WebM), web page (HTML) or replay (JSON).

`export_slam` writes the kind of file that the name ends in, and `save_reel` several slams in one.
Films follow the pace of `pace.FILM_PACE`; `draw_filmstrip` shows the moments that
`strip_times_s` picks.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pygame import Rect, Surface

from pucklab.base.facts import fact
from pucklab.base.files import write_whole
from pucklab.physics.slam_line import SlamSetup
from pucklab.render.canvas import new_surface, save_png, write
from pucklab.render.movie_files import FILM_HOLD_S, FILM_SUFFIXES, SOUND_HZ, check_saved, save_movie
from pucklab.render.palette import LIGHT, Palette
from pucklab.render.slams.frame import draw_frame, state_text, time_text, write_legend
from pucklab.render.slams.motion import Motion, moment_at, motion_of, replay_motion
from pucklab.render.slams.pace import (
    FILM_PACE,
    Pace,
    frame_times_s,
    pace_text,
    slower_at,
)
from pucklab.render.slams.sound import Stereo, film_sound, sounds_of
from pucklab.render.slams.space import draw_space
from pucklab.render.slams.top_view import draw_top_view
from pucklab.render.web.lab import lab_page
from pucklab.sim.scene.replay import Replay, save_replay
from pucklab.sim.scene.slam_text import replay_lines

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
    site_url: str = "",
) -> None:
    """Save a slam as a film strip, a film, the Lab at it or a replay; whole or not at all.

    A film begins with the slammer's approach; it shows the impact in slow motion, the rest at half
    speed.

    Args:
        path: The file to write; its suffix decides the kind.
        replay: The slam.
        name: Name of the slammer.
        palette: The colours of a picture; a web page has both themes.
        progress: Shows the progress of a film.
        site_url: Address of a Lab by which a page shares throws.

    Raises:
        MissingExtraError: Pillow or imageio-ffmpeg is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        save_replay(path, replay)
    elif suffix == ".html":
        write_whole(path, slam_page([(name, replay)], site_url).encode())
    elif suffix == ".png":
        save_png(path, draw_filmstrip(replay, _caption(name, replay), palette))
    else:
        slam = ReelSlam(title="", name=name, replay=replay)
        _save_film(path, [(1, slam)], _GIF_FPS, palette, progress)


def slam_page(slams: Sequence[tuple[str, Replay]], site_url: str = "") -> str:
    """Return the Lab, opened at slams, each with a name.

    A throw that this version computes as it is recorded is computed by the page, too; others, as
    of the plane, carry their motion and are played.
    """
    shown: list[tuple[str, Replay | str]] = []
    for name, replay in slams:
        setup = SlamSetup(scene=replay.scene, throw=replay.throw, engine=replay.engine)
        is_computed = replay.engine == "solid" and setup.slam(None).outcome == replay.outcome
        shown.append((name, setup.line if is_computed else replay))
    return lab_page(slams=shown, site_url=site_url)


def _caption(name: str, replay: Replay) -> str:
    return f"{replay_lines(name, replay)[0]} {replay.engine.capitalize()} engine."


@fact
class ReelSlam:
    """A slam of a reel."""

    title: str  # a few words shown large before it, such as "7 flips"; empty for no title
    name: str  # name of the slammer
    replay: Replay


def save_reel(
    path: Path,
    slams: Sequence[ReelSlam],
    *,
    palette: Palette,
    progress: Progress,
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
    countdown = list(enumerate(slams, start=1))[::-1]
    if path.suffix.lower() == ".html":
        named = [(f"{number}: {slam.title}", slam.replay) for number, slam in countdown]
        write_whole(path, slam_page(named).encode())
    else:
        _save_film(path, countdown, _GIF_REEL_FPS, palette, progress)


def _save_film(
    path: Path,
    slams: Sequence[tuple[int, ReelSlam]],
    gif_fps: float,
    palette: Palette,
    progress: Progress,
) -> None:
    """Write slams, each with its place among the best, one after another."""
    is_gif = path.suffix.lower() == ".gif"
    size, fps = (GIF_SIZE, gif_fps) if is_gif else (MP4_SIZE, _MP4_FPS)
    parts = [_FilmPart(number, slam, fps) for number, slam in slams]
    frames = chain.from_iterable(part.frames(size, palette) for part in parts)
    save_movie(
        path,
        progress(frames, sum(map(len, parts))),
        size,
        fps,
        palette,
        sound=lambda: np.concatenate([part.sound() for part in parts]),
    )


class _FilmPart:
    """A slam in a film: frames of its title, of its motion, and of its end, which is held."""

    def __init__(self, number: int, slam: ReelSlam, fps: float) -> None:
        """Take a slam with its place among the best; 1 is the last one of a film."""
        self.number, self.slam, self.fps = number, slam, fps
        self.motion = replay_motion(slam.replay)
        self.times_s = film_times_s(self.motion, fps, FILM_PACE)
        self.titled = round(_TITLE_S * fps) if slam.title else 0
        self.held = round((_RESULT_S if number > 1 else FILM_HOLD_S[1]) * fps)
        self.drawn_held = self.held if number > 1 else 0  # every film holds its own end

    def __len__(self) -> int:
        return self.titled + len(self.times_s) + self.drawn_held

    def frames(self, size: tuple[int, int], palette: Palette) -> Iterator[Surface]:
        """Draw its frames, one after another on the same surface."""
        surface, replay = new_surface(*size), self.slam.replay
        caption = _caption(self.slam.name, replay)
        if self.titled:
            width, height = size
            surface.fill(palette.background)
            for text, share, y, colour in (
                (f"{self.number}", 0.3, 0.3, palette.accent),
                (self.slam.title, 0.13, 0.6, palette.text),
                (caption, 0.042, 0.78, palette.faint),
            ):
                place, size_px, room = (width / 2, y * height), round(share * height), 0.92 * width
                write(surface, text, place, size_px, colour, align="centre", width_px=room)
        yield from repeat(surface, self.titled)
        for time_s in self.times_s.tolist():
            moment = moment_at(self.motion, time_s)
            slower = slower_at(FILM_PACE, self.motion.impact_end_s, time_s)
            note = "" if moment.at_end else pace_text(slower, FILM_PACE)
            draw_frame(surface, replay.scene, moment, replay.outcome, caption, note, palette)
            yield surface
        yield from repeat(surface, self.drawn_held)

    def sound(self) -> Stereo:
        """Return the sound of its frames."""
        # The last time is shown on while the end is held, so that the last chimes ring out.
        times_s = np.append(self.times_s, np.full(self.held, self.times_s[-1]))
        before = np.zeros((round(self.titled / self.fps * SOUND_HZ), 2), np.int16)
        sounds = sounds_of(self.slam.replay)
        return np.concatenate(
            (before, film_sound(sounds, self.motion, FILM_PACE, times_s, self.fps))
        )


def film_times_s(motion: Motion, fps: float, pace: Pace) -> NDArray[np.float64]:
    """Return the times that the frames of a film show.

    Once everything is at rest, as far as can be seen, the last frame shows the end of the motion.
    """
    times = motion.start_s, motion.rest_s, motion.end_s
    return frame_times_s(pace, motion.impact_end_s, *times, fps)


def draw_filmstrip(replay: Replay, caption: str, palette: Palette) -> Surface:
    """Return a picture of up to six moments of a slam, each in space and from above.

    The caption stands above them; the result of the slam is marked in the last one.
    """
    scene, outcome = replay.scene, replay.outcome
    motion = motion_of(scene, replay.recording)
    moments = strip_times_s(replay)
    cell_px = _SPACE_PX[0] + _TOP_PX + 2 * _GAP_PX
    columns = min(len(moments), _STRIP_COLUMNS)
    rows = -(-len(moments) // columns)
    width = columns * cell_px + _GAP_PX
    first = _GAP_PX + _LINE_PX + _GAP_PX // 2
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
