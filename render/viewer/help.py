"""The keys of a window, listed on top of it."""

from collections.abc import Sequence

import pygame

from render.canvas import text_width, write
from render.palette import Palette
from render.viewer.drawing import draw_box, draw_shade
from render.viewer.layout import padded, words_px
from render.viewer.shortcuts import Shortcut

_SHADE = 190
_MOST_A_COLUMN = 16


def draw_help(
    surface: pygame.Surface, title: str, shortcuts: Sequence[Shortcut], palette: Palette
) -> None:
    """List shortcuts in a box over what is drawn: their keys, and what they do."""
    size = surface.get_size()
    size_px = words_px(size)
    line = 1.5 * size_px
    columns = -(-len(shortcuts) // _MOST_A_COLUMN)
    rows = -(-len(shortcuts) // columns)
    keys_px = max(text_width(shortcut.shown, size_px) for shortcut in shortcuts)
    does_px = max(text_width(shortcut.does, size_px) for shortcut in shortcuts)
    column_px = keys_px + does_px + 3 * size_px
    width = columns * column_px + size_px
    height = round((rows + 2) * line) + 2 * size_px
    draw_shade(surface, palette.background, _SHADE)
    box = pygame.Rect(0, 0, min(width, size[0] - size_px), min(height, size[1] - size_px))
    box.center = surface.get_rect().center
    draw_box(surface, box, palette.panel, radius_px=size_px // 2)
    inside = padded(box, size_px)
    place = (inside.left, inside.top + line / 2)
    write(surface, title, place, size_px=round(1.2 * size_px), colour=palette.text)
    line = min(line, (inside.height - 1.5 * line) / max(rows, 1))
    column_px = inside.width // columns
    for index, shortcut in enumerate(shortcuts):
        column, row = divmod(index, rows)
        x = inside.left + column * column_px
        y = inside.bottom - (rows - row - 0.5) * line
        keys = round(min(keys_px, 0.45 * column_px))
        write(
            surface,
            shortcut.shown,
            (x, y),
            size_px=size_px,
            colour=palette.accent,
            width_px=keys,
        )
        x += keys + size_px
        room = column_px - keys - 2 * size_px
        write(surface, shortcut.does, (x, y), size_px=size_px, colour=palette.text, width_px=room)
