"""A slam as a film: frames at the pace that suits it."""

from collections.abc import Iterator

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Scene, SlamOutcome
from physics.checks import check_number
from render.canvas import new_surface
from render.palette import LIGHT, Palette
from render.slams.frame import draw_frame
from render.slams.motion import Motion, moment_at
from render.slams.pace import Pace, later, pace_text, slower_at


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
