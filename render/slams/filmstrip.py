"""A slam as a strip of pictures."""

from pathlib import Path

import pygame

from physics import Recording, Scene, SlamOutcome
from render.canvas import new_surface, save_png, write
from render.palette import LIGHT, Palette
from render.slams.frame import state_text, time_text, write_legend
from render.slams.motion import moment_at, motion_of
from render.slams.sideview import draw_side_view
from render.slams.striptimes import strip_times_s
from render.slams.topview import draw_top_view

_CELL_PX = 248
_SIDE_PX = 200
_GAP_PX = 14
_TITLE_PX = 30
_WORDS_PX = 22
_LINE_PX = 30


def save_filmstrip(
    path: Path,
    scene: Scene,
    recording: Recording,
    outcome: SlamOutcome,
    *,
    caption: str = "",
    palette: Palette = LIGHT,
) -> None:
    """Write about six moments of a slam as a PNG file: the side view above the top view.

    The file is written whole or not at all.

    Args:
        path: Where to.
        scene: The scene that was recorded.
        recording: The recording.
        outcome: What the slam came to; marked in the last picture.
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
    height = first + _LINE_PX + _SIDE_PX + _GAP_PX + _CELL_PX + _LINE_PX + _GAP_PX
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
        used = write(strip, time, (x, middle), size_px=_WORDS_PX, colour=palette.text)
        after = (x + used + _WORDS_PX / 2, middle)
        write(strip, name, after, size_px=_WORDS_PX, colour=palette.faint)
        y += _LINE_PX
        side = strip.subsurface(pygame.Rect(x, y, _CELL_PX, _SIDE_PX))
        draw_side_view(side, scene, moment, palette=palette)
        y += _SIDE_PX + _GAP_PX
        top = strip.subsurface(pygame.Rect(x, y, _CELL_PX, _CELL_PX))
        draw_top_view(top, scene, moment, outcome=outcome, palette=palette)
    bottom = height - _GAP_PX - _LINE_PX / 2
    write_legend(strip, scene, (_GAP_PX, bottom), _WORDS_PX, palette)
    write(
        strip,
        state_text(moment_at(motion, motion.end_s), outcome),
        (width - _GAP_PX, bottom),
        size_px=_WORDS_PX,
        colour=palette.text,
        align="right",
    )
    return strip
