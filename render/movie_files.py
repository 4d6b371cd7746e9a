"""Frames as an animated GIF.

Frames as a film in an MP4 file.
"""

import math
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pygame
import pygame.image

from physics.errors import check_number, require_extra
from render.palette import Palette, Rgb

if TYPE_CHECKING:
    from PIL import Image


_COLOURS = 64
_APART = 12.0
_HOLD_FIRST_MS = 500
_HOLD_LAST_MS = 1500


def gif_bytes(
    frames: Iterable[pygame.Surface], fps: float, palette: Palette, more: Sequence[Rgb] = ()
) -> bytes:
    """Return frames as a GIF that loops; the first is held for a moment, and the last for longer.

    All frames share one set of colours, so that what stands still does not flicker.

    Args:
        frames: Surfaces of one size; it may be the same one, drawn anew.
        fps: Frames a second, 1 to 50; a GIF counts whole hundredths of a second.
        palette: The colours that are kept as they are.
        more: Others that are kept, too.

    Raises:
        MissingExtraError: Pillow is not installed.
        InputError: ``fps`` is not accepted.
    """
    require_extra("plot", "PIL")
    check_number("fps", fps, low=1.0, high=50.0)
    from PIL import Image

    images = [
        Image.frombytes("RGB", frame.get_size(), pygame.image.tobytes(frame, "RGB"))
        for frame in frames
    ]
    colours = [*(getattr(palette, field.name) for field in fields(palette)), *more]
    shared = _shared_palette(images, colours)
    first, *others = [image.quantize(palette=shared, dither=Image.Dither.NONE) for image in images]
    durations = [round(100 / fps) * 10] * len(images)
    durations[0] = _HOLD_FIRST_MS
    durations[-1] = _HOLD_LAST_MS
    data = BytesIO()
    first.save(
        data,
        format="GIF",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        optimize=False,
    )
    return data.getvalue()


def _shared_palette(images: "Sequence[Image.Image]", colours: Sequence[Rgb]) -> "Image.Image":
    """Return an image with the palette of all frames: the theme's own colours, and the blends."""
    from PIL import Image

    width, height = images[0].size
    picked = [images[len(images) * part // 4] for part in range(4)] + [images[-1]]
    sheet = Image.new("RGB", (width, height * len(picked)))
    for index, image in enumerate(picked):
        sheet.paste(image, (0, index * height))
    exact = list(dict.fromkeys(colours))
    blends = sheet.quantize(colors=_COLOURS, method=Image.Quantize.MEDIANCUT).getpalette() or []
    # Pillow looks colours up in steps of four: a blend next to a theme's colour would replace it.
    apart = [
        blend
        for blend in zip(blends[0::3], blends[1::3], blends[2::3], strict=True)
        if min(math.dist(blend, colour) for colour in exact) > _APART
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*exact, *apart) for part in colour])
    return palette


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
