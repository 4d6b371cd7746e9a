"""A slam as a file: film strip (PNG), film (GIF, MP4 or WebM), web page (HTML) or replay (JSON).

`export_slam` writes the kind of file that the name ends in, `save_reel` several slams in one;
`save_film` and `save_filmstrip` write one kind with more settings. Films follow the pace of
`playback.Pace`; a film strip shows the moments that `strip_times_s` picks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Recording, Scene, SlamOutcome, Throw
from physics.errors import check_number
from render.canvas import new_surface, save_png, write
from render.movie_files import FILM_SUFFIXES, check_film_extra, film_bytes, gif_bytes
from render.palette import LIGHT, Palette
from render.slams.camera3d import OVERVIEW, Camera3D, closer, fitted, following, view_of
from render.slams.frame import draw_frame, draw_space, state_text, time_text, write_legend
from render.slams.motion import Moment, Motion, moment_at, motion_of, rest_sample
from render.slams.playback import FILM_PACE, Pace, later, pace_text, slower_at
from render.slams.player import Clip, SlamPlayer, player_of, throw_line
from render.slams.poses import pose_of
from render.slams.side_view import draw_side_view
from render.slams.sound import SlamSound, Stereo, film_sound, silence, sounds_of
from render.slams.top_view import draw_top_view
from render.slams.view3d import resting_colours
from sim.core.files import check_writable, write_whole
from sim.slam_replay import Replay, save_replay
from sim.slam_text import caption_of

SLAM_SUFFIXES = (".png", *FILM_SUFFIXES, ".html", ".json")
"""Suffixes of all files that a slam can be saved as."""

_TITLE_S, _RESULT_S = 1.6, 1.2
"""Times for which a reel shows the title before a slam, and its end after it."""

_GIF_REEL_SIZE, _GIF_REEL_FPS = (640, 320), 12.5
"""Size and rate of a reel as a GIF, all of whose frames are in memory at once."""

GIF_SIZE, MP4_SIZE = (800, 400), (1280, 640)
"""Width and height of films, in pixels."""

_GIF_FPS, _MP4_FPS = 25.0, 30.0
"""Frames a second, unless others are asked for."""

_CELL_PX, _SPACE_PX, _GAP_PX = 300, 225, 14
"""Width and height of a view in space, and gap between views of a film strip."""

_STRIP_STEPS, _STRIP_AWAY, _STRIP_RISE_MM = 10, 1.1, 14.0
"""Most steps that a camera of a film strip goes away from its target, a step relative to the
distance, and the rise of the target in it."""

_INSET_PX = (_CELL_PX - _GAP_PX) // 2
"""Side of a side view and of a top view of a film strip."""

_TITLE_PX, _TEXT_PX, _LINE_PX = 30, 22, 30
"""Heights of the caption, of other text, and of a line of a film strip."""


def export_slam(path: Path, replay: Replay, name: str, *, palette: Palette = LIGHT) -> None:
    """Save a slam as a film strip, a film, a web page or a replay; whole or not at all.

    Args:
        path: The file to write; its suffix decides the kind.
        replay: The slam.
        name: Name of the slammer.
        palette: The colours of a picture; a web page has both themes.
    """
    scene, throw, outcome = replay.scene, replay.throw, replay.outcome
    caption = caption_of(name, scene, throw, outcome, replay.engine)
    suffix = path.suffix.lower()
    if suffix == ".json":
        save_replay(path, replay)
    elif suffix == ".html":
        player_of([(name, replay)]).save(path)
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
            sounds=sounds_of(replay),
        )


def check_export(field: str, path: Path) -> None:
    """Check, before any work is done, that a slam can be saved as a file.

    Raises:
        InputError: The name has another suffix, or the file cannot be written.
        MissingExtraError: A library that such a file needs is not installed.
    """
    check_writable(field, path, SLAM_SUFFIXES)
    if path.suffix.lower() in FILM_SUFFIXES:
        check_film_extra(path)


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
    sounds: Sequence[SlamSound] = (),
) -> None:
    """Write a slam as a film: the impact in slow motion, the rest at half speed.

    The file is written whole or not at all.

    Args:
        path: The file to write: a name in ``.gif``, which loops, ``.mp4`` or ``.webm``.
        scene: The scene that was recorded.
        recording: The recording.
        outcome: Result of the slam; written and marked in the last frame.
        throw: The throw; with it, the film begins with the slammer's approach.
        fps: Frames a second: for a GIF 1 to 50 and 25 by default, for others 1 to 120 and 30.
        pace: Slow-down.
        caption: A line above the views.
        palette: The colours.
        sounds: The sounds of the slam; a GIF is silent.

    Raises:
        MissingExtraError: Pillow or imageio-ffmpeg is not installed.
        InputError: ``fps`` is not accepted.
    """
    is_gif = path.suffix.lower() == ".gif"
    check_film_extra(path)
    fps = fps if fps is not None else (_GIF_FPS if is_gif else _MP4_FPS)
    check_number("fps", fps, low=1.0, high=50.0 if is_gif else 120.0)
    size = GIF_SIZE if is_gif else MP4_SIZE
    motion = motion_of(scene, recording, throw)
    frames = film_frames(
        scene,
        motion,
        outcome,
        size=size,
        fps=fps,
        pace=pace,
        caption=caption,
        palette=palette,
    )
    if is_gif:
        data = gif_bytes(frames, fps, palette, more=resting_colours())
    else:
        sound = film_sound(sounds, motion, pace, film_times_s(motion, fps, pace), fps)
        data = film_bytes(frames, size, fps, path.suffix.lower(), sound if sounds else None)
    write_whole(path, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReelSlam:
    """A slam of a reel.

    Attributes:
        title: A few words shown large before it, such as ``7 flips``.
        name: Name of the slammer.
        replay: The slam.
    """

    title: str
    name: str
    replay: Replay


def save_reel(path: Path, slams: Sequence[ReelSlam], *, palette: Palette = LIGHT) -> None:
    """Write several slams as one film or web page, the best one last; whole or not at all.

    Args:
        path: The file to write: a name in ``.gif``, ``.mp4``, ``.webm`` or ``.html``.
        slams: The slams, the best one first.
        palette: The colours; a web page has both themes.

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
    is_gif = suffix == ".gif"
    size, fps = (_GIF_REEL_SIZE, _GIF_REEL_FPS) if is_gif else (MP4_SIZE, _MP4_FPS)
    frames = _reel_frames(countdown, size, fps, palette)
    if is_gif:
        data = gif_bytes(frames, fps, palette, more=resting_colours())
    else:
        data = film_bytes(frames, size, fps, suffix, _reel_sound(countdown, fps))
    write_whole(path, data)


def _reel_frames(
    slams: Sequence[tuple[int, ReelSlam]], size: tuple[int, int], fps: float, palette: Palette
) -> Iterator[pygame.Surface]:
    """Draw a title before each slam, its film, and its end for a moment."""
    for number, slam in slams:
        replay = slam.replay
        title = _title_card(number, slam, size, palette)
        for _ in range(round(_TITLE_S * fps)):
            yield title
        scene, throw, outcome = replay.scene, replay.throw, replay.outcome
        caption = caption_of(slam.name, scene, throw, outcome, replay.engine)
        motion = motion_of(scene, replay.recording, throw)
        frame = title
        for frame in film_frames(
            scene,
            motion,
            outcome,
            size=size,
            fps=fps,
            pace=FILM_PACE,
            caption=caption,
            palette=palette,
        ):
            yield frame
        if number > 1:  # the end of the whole film is held anyway
            for _ in range(round(_RESULT_S * fps)):
                yield frame


def _reel_sound(slams: Sequence[tuple[int, ReelSlam]], fps: float) -> Stereo:
    """Return the sound of `_reel_frames`."""
    parts: list[Stereo] = []
    for number, slam in slams:
        replay = slam.replay
        motion = motion_of(replay.scene, replay.recording, replay.throw)
        times = film_times_s(motion, fps, FILM_PACE)
        held = round(_RESULT_S * fps) if number > 1 else 0
        # The last time is shown on while the end is held, so that the last chimes ring out.
        times = np.concatenate((times, np.full(held, times[-1])))
        parts.append(silence(round(_TITLE_S * fps) / fps))
        parts.append(film_sound(sounds_of(replay), motion, FILM_PACE, times, fps))
    return np.concatenate(parts)


def _title_card(
    number: int, slam: ReelSlam, size: tuple[int, int], palette: Palette
) -> pygame.Surface:
    """Return a picture with the place of a slam among the best, its title and its throw."""
    width, height = size
    surface = new_surface(*size)
    surface.fill(palette.background)
    replay = slam.replay
    line = caption_of(slam.name, replay.scene, replay.throw, replay.outcome, replay.engine)
    for text, share, y, colour in (
        (f"{number}", 0.3, 0.3, palette.accent),
        (slam.title, 0.13, 0.6, palette.text),
        (line, 0.042, 0.78, palette.faint),
    ):
        write(
            surface,
            text,
            (width / 2, y * height),
            size_px=round(share * height),
            colour=colour,
            align="centre",
            width_px=0.92 * width,
        )
    return surface


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
        motion: Motion of its pieces.
        outcome: Result of the slam; written and marked in the last frame.
        size: Width and height in pixels.
        fps: Frames a second, 1 to 120.
        pace: Slow-down.
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
    check_number("fps", fps, low=1.0, high=120.0)
    times = [motion.start_s]
    while True:
        time_s = later(pace, motion, times[-1], 1 / fps)
        if time_s >= motion.rest_s:
            return np.array([*times, motion.end_s])
        times.append(time_s)


def save_filmstrip(
    path: Path,
    scene: Scene,
    recording: Recording,
    outcome: SlamOutcome,
    *,
    caption: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Write up to six moments of a slam as a PNG file: in space, from the side and from above.

    The file is written whole or not at all.

    Args:
        path: The file to write.
        scene: The scene that was recorded.
        recording: The recording.
        outcome: Result of the slam; marked in the last picture.
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
    height = first + _LINE_PX + _SPACE_PX + _GAP_PX + _INSET_PX + _LINE_PX + _GAP_PX
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
        used = write(strip, time, (x, middle), size_px=_TEXT_PX, colour=palette.text)
        after = (x + used + _TEXT_PX / 2, middle)
        write(strip, name, after, size_px=_TEXT_PX, colour=palette.faint)
        y += _LINE_PX
        space = strip.subsurface(pygame.Rect(x, y, _CELL_PX, _SPACE_PX))
        camera = _strip_camera(scene, moment)
        draw_space(space, scene, moment, outcome, palette, camera)
        y += _SPACE_PX + _GAP_PX
        side = strip.subsurface(pygame.Rect(x, y, _INSET_PX, _INSET_PX))
        draw_side_view(side, scene, moment, palette=palette)
        x += _INSET_PX + _GAP_PX
        top = strip.subsurface(pygame.Rect(x, y, _INSET_PX, _INSET_PX))
        draw_top_view(top, scene, moment, outcome=outcome, palette=palette)
    bottom = height - _GAP_PX - _LINE_PX / 2
    write_legend(strip, scene, (_GAP_PX, bottom), _TEXT_PX, palette)
    write(
        strip,
        state_text(moment_at(motion, motion.end_s), outcome),
        (width - _GAP_PX, bottom),
        size_px=_TEXT_PX,
        colour=palette.text,
        align="right",
    )
    return strip


def _strip_camera(scene: Scene, moment: Moment) -> Camera3D:
    """Return the camera that follows, as far away as it takes to show half of the pieces.

    In a film, pieces that fly out of the picture come back; in a single picture they are missing.
    """
    camera = following(OVERVIEW, moment.reach_mm, moment.time_s)
    size = (_CELL_PX, _SPACE_PX)
    centre_mm = pose_of(scene, moment).centre_mm
    for _ in range(_STRIP_STEPS):
        pixels = view_of(fitted(camera, size), size).project(centre_mm)
        shown = np.all((pixels > 0) & (pixels < size), axis=1)
        if np.mean(shown) >= 0.5:
            break
        x, y, z = camera.target_mm
        higher = (x, y, z + _STRIP_RISE_MM)
        camera = replace(closer(camera, 1 / _STRIP_AWAY), target_mm=higher)
    return camera


def strip_times_s(recording: Recording) -> tuple[tuple[float, str], ...]:
    """Return up to six times for a film strip, in order, each with a name.

    They are the beginning, the middle of the impact, its end, the highest moment of the flight, a
    moment on the way down, and the rest.
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
        falling = _sample_at(recording, (recording.time_s[top] + recording.time_s[rest]) / 2)
        wanted = [
            (0, "start"),
            (end // 2, "impact"),
            (end, "lift-off"),
            (top, "flight"),
            (falling, "coming down"),
        ]
    chosen: dict[int, str] = {}
    for sample, name in [*wanted, (last, "rest")]:
        if sample < last or name == "rest":
            chosen.setdefault(sample, name)
    return tuple((float(recording.time_s[sample]), chosen[sample]) for sample in sorted(chosen))


def _sample_at(recording: Recording, time_s: float) -> int:
    return int(np.searchsorted(recording.time_s, time_s).clip(0, len(recording.time_s) - 1))
