"""A line of moves as a file, of the kind that its name asks for."""

from collections.abc import Sequence
from pathlib import Path

from physics.extras import require_extra
from render.bumpers.film import film_frames, film_size
from render.bumpers.line import line_of
from render.bumpers.palette import LIGHT_BOARD, BoardPalette
from render.bumpers.strip import draw_strip
from render.canvas import png_bytes
from render.gif import gif_bytes
from render.mp4 import mp4_bytes
from sim.bumpers import Position
from sim.bumpers.solver.solution import LineStep
from sim.core.files import check_writable, write_whole

SUFFIXES = (".png", ".gif", ".mp4")
"""A strip of boards, two kinds of films."""

_GIF_FPS, _MP4_FPS = 20.0, 30.0
_GIF_PX, _MP4_PX = 480, 720


def check_export(field: str, path: Path) -> None:
    """Check, before any work is done, that a line can be saved as a file.

    Raises:
        InputError: The name ends in something else, or the file cannot be written.
        MissingExtraError: What writes such files is not installed.
    """
    check_writable(field, path, SUFFIXES)
    suffix = path.suffix.lower()
    if suffix == ".gif":
        require_extra("plot", "PIL")
    elif suffix == ".mp4":
        require_extra("video", "imageio_ffmpeg")


def export_line(
    path: Path,
    start: Position,
    steps: Sequence[LineStep],
    *,
    caption: str = "",
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Save a line of moves as a strip of boards or as a film; whole or not at all.

    Args:
        path: Where to; its suffix says as what.
        start: The position before it.
        steps: Its moves.
        caption: A line above.
        palette: The colours.
    """
    line, suffix = line_of(start, steps), path.suffix.lower()
    if suffix == ".png":
        write_whole(path, png_bytes(draw_strip(line, caption=caption, palette=palette)))
        return
    is_gif = suffix == ".gif"
    fps, side_px = (_GIF_FPS, _GIF_PX) if is_gif else (_MP4_FPS, _MP4_PX)
    frames = film_frames(line, side_px=side_px, fps=fps, caption=caption, palette=palette)
    if is_gif:
        data = gif_bytes(frames, fps, palette.page, palette.colours)
    else:
        data = mp4_bytes(frames, film_size(line, side_px), fps)
    write_whole(path, data)
