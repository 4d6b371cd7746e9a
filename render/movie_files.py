"""Frames as an animated GIF or as an MP4 film.

Both take frames one after another, as pygame surfaces of one size, and return the whole file. The
first frame is held for a moment, and the last for longer, so that the result can be read.
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

_GIF_HOLD_MS = (500, 1500)
"""Times for which the first and the last frame of a GIF are shown."""

_GIF_BLENDS = 64
"""Colours of a GIF for smooth edges, besides those that are kept exactly."""

_GIF_APART = 12.0
"""Smallest distance, in RGB, between such a blend and a colour that is kept exactly.

Pillow looks colours up in steps of four, so a blend next to a colour of the theme would replace it.
"""

_MP4_HOLD_S = (0.3, 1.5)
"""Times for which the first and the last frame of an MP4 are shown."""

_MP4_OPTIONS = ("-preset", "veryfast", "-crf", "20", "-movflags", "+faststart")
"""Options of ffmpeg. A rate factor (crf) of 0 loses nothing, 51 is the worst; 20 looks like 0."""


def gif_bytes(
    frames: Iterable[pygame.Surface], fps: float, palette: Palette, more: Sequence[Rgb] = ()
) -> bytes:
    """Return frames as a GIF that loops.

    All frames share one set of colours, so that parts that do not move do not flicker.

    Args:
        frames: Surfaces of one size; it may be one surface, drawn again for every frame.
        fps: Frames a second, 1 to 50; a GIF counts whole hundredths of a second.
        palette: Colours that are kept exactly.
        more: Further colours that are kept exactly.

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
    durations[0], durations[-1] = _GIF_HOLD_MS
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
    """Return an image with the palette of all frames: the exact colours, then blends of them."""
    from PIL import Image

    width, height = images[0].size
    picked = [images[len(images) * part // 4] for part in range(4)] + [images[-1]]
    sheet = Image.new("RGB", (width, height * len(picked)))
    for index, image in enumerate(picked):
        sheet.paste(image, (0, index * height))
    exact = list(dict.fromkeys(colours))
    blends = sheet.quantize(colors=_GIF_BLENDS, method=Image.Quantize.MEDIANCUT).getpalette() or []
    apart = [
        blend
        for blend in zip(blends[0::3], blends[1::3], blends[2::3], strict=True)
        if min(math.dist(blend, colour) for colour in exact) > _GIF_APART
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*exact, *apart) for part in colour])
    return palette


def mp4_bytes(frames: Iterable[pygame.Surface], size: tuple[int, int], fps: float) -> bytes:
    """Return frames as an MP4 file in H.264, which every browser shows.

    Args:
        frames: Surfaces with 32 bits per pixel; it may be one surface, drawn again for every frame.
        size: Width and height of the frames in pixels, even numbers.
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
            output_params=list(_MP4_OPTIONS),
        )
        with closing(coder):
            coder.send(None)
            frame = b""
            hold_first_s, hold_last_s = _MP4_HOLD_S
            for index, surface in enumerate(frames):
                frame = surface.get_buffer().raw
                for _ in range(round(hold_first_s * fps) if index == 0 else 1):
                    coder.send(frame)
            for _ in range(round(hold_last_s * fps)):
                coder.send(frame)
        return path.read_bytes()
