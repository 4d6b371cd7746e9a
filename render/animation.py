"""A slam as an animated GIF."""

import math
from collections.abc import Sequence
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pygame
import pygame.image

from physics import Recording, Scene, SlamOutcome
from physics.extras import require_extra
from render.canvas import new_surface
from render.frame import draw_frame
from render.moments import SETTLE_SLOWER, at_times, film_times_s
from render.palette import LIGHT, Palette, Rgb
from sim.files import write_whole

if TYPE_CHECKING:
    from PIL import Image

SIZE_PX = (800, 400)

_COLOURS = 64
_APART = 12.0
_HOLD_FIRST_MS = 500
_HOLD_LAST_MS = 1500


def save_gif(
    path: Path,
    scene: Scene,
    recording: Recording,
    outcome: SlamOutcome,
    *,
    fps: float = 25.0,
    slow_motion: float = 250.0,
    caption: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Write a slam as an animated GIF that loops: the impact slowly, the rest at half speed.

    The file is written whole or not at all.

    Args:
        path: Where to.
        scene: The scene that was recorded.
        recording: The recording.
        outcome: What the slam came to; told and marked in the last frame.
        fps: Frames a second, 1 to 50; a GIF counts whole hundredths of a second.
        slow_motion: How many times slower than real the impact is shown.
        caption: A line above the views.
        palette: The colours.

    Raises:
        MissingExtraError: Pillow is not installed.
        InputError: ``fps`` or ``slow_motion`` is not accepted.
    """
    require_extra("plot", "PIL")
    film = at_times(recording, film_times_s(recording, fps, slow_motion))
    surface = new_surface(*SIZE_PX)
    frames = []
    for sample in range(len(film.time_s)):
        draw_frame(
            surface,
            scene,
            film,
            sample,
            outcome=outcome,
            caption=caption,
            note=_pace(film, sample, fps, slow_motion),
            palette=palette,
        )
        frames.append(pygame.image.tobytes(surface, "RGB"))
    colours = [getattr(palette, field.name) for field in fields(palette)]
    write_whole(path, _gif(frames, round(100 / fps) * 10, colours))


def _pace(film: Recording, sample: int, fps: float, slow_motion: float) -> str:
    if sample < film.impact_samples - 1:
        return f"{slow_motion:g} times slower"
    if sample in (0, len(film.time_s) - 1):
        return ""
    slower = 1 / (fps * float(film.time_s[sample] - film.time_s[sample - 1]))
    return "half speed" if slower < 1.01 * SETTLE_SLOWER else ""


def _gif(frames: list[bytes], frame_ms: int, colours: Sequence[Rgb]) -> bytes:
    """Return frames as a GIF; all share one palette, so that what stands still does not flicker."""
    from PIL import Image

    images = [Image.frombytes("RGB", SIZE_PX, frame) for frame in frames]
    palette = _shared_palette(images, colours)
    first, *others = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    durations = [frame_ms] * len(images)
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

    width, height = SIZE_PX
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
