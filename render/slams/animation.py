"""A slam as an animated GIF, or as a film in an MP4 file."""

from pathlib import Path

from physics import Recording, Scene, SlamOutcome, Throw
from physics.checks import check_number
from physics.extras import require_extra
from render.gif import gif_bytes
from render.mp4 import mp4_bytes
from render.palette import LIGHT, Palette
from render.slams.film import film_frames
from render.slams.motion import motion_of
from render.slams.pace import FILM_PACE, Pace
from sim.core.files import write_whole

GIF_PX = (800, 400)
MP4_PX = (1280, 640)
SUFFIXES = (".gif", ".mp4")
"""What an animation's file may be called."""


def save_animation(
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
    size = GIF_PX if is_gif else MP4_PX
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
