"""Frames as a film in an MP4 file."""

import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pygame

from physics.extras import require_extra

_HOLD_FIRST_S, _HOLD_LAST_S = 0.3, 1.5
_CODER = ("-preset", "veryfast", "-crf", "20", "-movflags", "+faststart")
"""A constant rate factor of 0 loses nothing, 51 is worst; 20 cannot be told from 0 here."""


def mp4_bytes(frames: Iterable[pygame.Surface], size: tuple[int, int], fps: float) -> bytes:
    """Return frames as an MP4 file, coded in H.264 as every browser shows it.

    The first frame is held for a moment, and the last for longer.

    Args:
        frames: Surfaces of 32 bits a pixel; it may be the same one, drawn anew.
        size: Their width and height in pixels, even numbers.
        fps: Frames a second.

    Raises:
        MissingExtraError: imageio-ffmpeg is not installed.
    """
    require_extra("video", "imageio_ffmpeg")
    from imageio_ffmpeg import write_frames

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        coder = write_frames(
            str(path),
            size,
            fps=fps,
            pix_fmt_in="bgra",
            codec="libx264",
            quality=None,
            macro_block_size=2,
            ffmpeg_log_level="error",
            output_params=list(_CODER),
        )
        with closing(coder):
            coder.send(None)
            frame = b""
            for index, surface in enumerate(frames):
                frame = surface.get_buffer().raw
                for _ in range(round(_HOLD_FIRST_S * fps) if index == 0 else 1):
                    coder.send(frame)
            for _ in range(round(_HOLD_LAST_S * fps)):
                coder.send(frame)
        return path.read_bytes()
