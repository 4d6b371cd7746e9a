"""One sample of a recording as a picture: from the side and from above, with words around."""

import numpy as np
import pygame

from physics import Face, Recording, Scene, SlamOutcome
from render.canvas import text_width, write
from render.palette import LIGHT, Palette, Rgb
from render.views import draw_side_view, draw_top_view


def draw_frame(
    surface: pygame.Surface,
    scene: Scene,
    recording: Recording,
    sample: int,
    *,
    outcome: SlamOutcome | None = None,
    caption: str = "",
    note: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Draw one sample: the side view on the left, the top view on the right.

    No display is needed, and none is opened.

    Args:
        surface: Where to; all of it is used. About twice as wide as high is best.
        scene: The scene that was recorded.
        recording: The recording.
        sample: Which of its samples; -1 is the last.
        outcome: What the slam came to; told and marked at the last sample.
        caption: A line above the views.
        note: Words after the time, such as how slowly it runs.
        palette: The colours.

    Example:
        >>> from physics import SampleRate, Throw, PieceChance, puck_stack, puckdex_slammer, slam
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
        >>> result = slam(scene, Throw(speed_mm_s=5000.0, chances=(PieceChance(),)), SampleRate())
        >>> surface = pygame.Surface((400, 200), depth=32)
        >>> draw_frame(surface, scene, result.recording, 0)
        >>> pygame.display.get_init()
        False
    """
    width, height = surface.get_size()
    words_px = min(max(round(height / 19), 13), 30)
    margin = round(0.6 * words_px)
    line = round(1.3 * words_px)
    surface.fill(palette.background)
    top = margin
    if caption:
        write(
            surface,
            caption,
            (margin, top + line / 2),
            size_px=words_px,
            colour=palette.text,
            width_px=width - 2 * margin,
        )
        top += line
    state_y = top + line / 2
    time = time_text(float(recording.time_s[sample]))
    write(surface, time, (margin, state_y), size_px=words_px, colour=palette.text)
    place = (margin + text_width("000.0 ms", words_px) + words_px / 2, state_y)
    write(surface, note, place, size_px=words_px, colour=palette.faint)
    write(
        surface,
        state_text(recording, sample, outcome),
        (width - margin, state_y),
        size_px=words_px,
        colour=palette.text,
        align="right",
    )
    top += line
    side_px = height - top - line - margin
    views = pygame.Rect(margin, top, width - 3 * margin - side_px, side_px)
    draw_side_view(surface.subsurface(views), scene, recording, sample, palette=palette)
    square = pygame.Rect(views.right + margin, top, side_px, side_px)
    draw_top_view(
        surface.subsurface(square), scene, recording, sample, outcome=outcome, palette=palette
    )
    write_legend(surface, scene, (margin, top + side_px + line / 2 + margin / 2), words_px, palette)


def state_text(recording: Recording, sample: int, outcome: SlamOutcome | None) -> str:
    """Return how many pieces of the stack are face up, or what the slam came to.

    The outcome counts at the last sample only: before, a piece that is face up is just turning.
    """
    last = sample in (-1, len(recording.time_s) - 1)
    if outcome is None or not last:
        angles = recording.angle_rad[sample, :-1]
        face_up = int(np.count_nonzero(np.cos(angles) > 0))
        return f"face up: {face_up} of {len(angles)}"
    if not outcome.hit:
        return "missed the stack"
    faces = [piece.face for piece in outcome.pieces]
    told = [f"flipped: {len(outcome.flipped)} of {len(faces)}"]
    told += [
        f"{name}: {faces.count(face)}"
        for face, name in ((Face.OUT, "out"), (Face.LEANING, "leaning"))
        if face in faces
    ]
    if outcome.slammer.face is Face.OUT:
        told.append("slammer out")
    return "    ".join(told)


def time_text(time_s: float) -> str:
    """Return a time in milliseconds.

    Example:
        >>> time_text(0.00234), time_text(0.84851)
        ('2.3 ms', '849 ms')
    """
    time_ms = 1000 * time_s
    return f"{time_ms:.1f} ms" if time_ms < 99.95 else f"{time_ms:.0f} ms"


def write_legend(
    surface: pygame.Surface,
    scene: Scene,
    place: tuple[float, float],
    words_px: int,
    palette: Palette = LIGHT,
) -> None:
    """Write what the colours mean in a line that begins at ``place``."""
    x, y = place
    entries: list[tuple[str, Rgb]] = [
        ("puck, back", palette.puck_back),
        ("puck, face", palette.puck_face),
        (f"slammer, {scene.slammer.mass_g:g} g", palette.slammer),
    ]
    for name, colour in entries:
        box = pygame.Rect(round(x), round(y - 0.3 * words_px), words_px, round(0.6 * words_px))
        surface.fill(colour, box)
        x = box.right + words_px / 3
        write(surface, name, (x, y), size_px=words_px, colour=palette.faint)
        x += text_width(name, words_px) + words_px
