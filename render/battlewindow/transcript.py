"""The transcript: one line or more for each timeline entry so far, the current one highlighted."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from render.battlewindow.timeline import TimelineEntry
from render.canvas import wrapped, write
from render.palette import Palette
from render.viewer import padded
from render.viewer.widgets import draw_box, draw_panel

_SMALL = 0.8
"""Height of its text, in text heights."""

_LINE = 1.3
"""Distance between lines, in heights of its text."""

_INDENT = 0.8
"""Indent of all lines but those that begin a turn, in heights of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptLine:
    """A timeline entry in the transcript.

    Attributes:
        index: Index of the entry in the timeline.
        box: Its place, in pixels; its top may be above the transcript.
        lines: Its description, wrapped.
    """

    index: int
    box: pygame.Rect
    lines: tuple[str, ...]


def transcript_lines(
    timeline: Sequence[TimelineEntry], box: pygame.Rect, words_px: int
) -> tuple[TranscriptLine, ...]:
    """Return the latest entries that fit a box, as lines from its top down.

    Args:
        timeline: All entries up to the one shown.
        box: Place of the transcript.
        words_px: Text height of the window.
    """
    size_px, inside = round(_SMALL * words_px), padded(box, 0.5 * words_px)
    line_px = round(_LINE * size_px)
    found: list[tuple[int, tuple[str, ...]]] = []
    height = 0
    for place in range(len(timeline) - 1, -1, -1):
        indent = 0 if timeline[place].is_turn else _INDENT * size_px
        lines = wrapped(timeline[place].words, size_px, round(inside.width - indent - size_px / 2))
        height += line_px * len(lines)
        found.append((place, lines))
        if height >= inside.height:
            break
    entries, top = [], inside.top + min(inside.height - height, 0)
    for place, lines in reversed(found):
        tall = line_px * len(lines)
        row = pygame.Rect(inside.left, top, inside.width, tall)
        entries.append(TranscriptLine(index=place, box=row, lines=lines))
        top += tall
    return tuple(entries)


def draw_transcript(
    surface: pygame.Surface,
    timeline: Sequence[TimelineEntry],
    box: pygame.Rect,
    words_px: int,
    palette: Palette,
) -> None:
    """Draw the transcript of timeline entries, the last one highlighted."""
    draw_panel(surface, box, palette)
    size_px = round(_SMALL * words_px)
    line_px = round(_LINE * size_px)
    inside = padded(box, 0.5 * words_px)
    for entry in transcript_lines(timeline, box, words_px):
        is_shown, is_turn = entry.index == len(timeline) - 1, timeline[entry.index].is_turn
        if is_shown:
            lit = entry.box.clip(inside).inflate(size_px // 2, 0)
            draw_box(surface, lit, palette.control, radius_px=size_px // 3)
        colour = palette.text if is_shown or is_turn else palette.faint
        if is_turn:
            colour = palette.accent
        x = entry.box.left + (0 if is_turn else _INDENT * size_px)
        for number, line in enumerate(entry.lines):
            y = entry.box.top + (number + 0.5) * line_px
            if y - line_px / 2 >= inside.top - 1:
                write(surface, line, (x, y), size_px=size_px, colour=colour)
