"""Where things are in the window."""

from dataclasses import dataclass

import pygame

from render.viewer import Size, cut, padded, words_px

_HEADER, _SCRUB, _BUTTONS = 3.0, 1.4, 2.0
"""Heights of the rows, in heights of text."""

_TRANSCRIPT = 0.31
"""Of the width."""

_ARENA, _ARENA_OF_MANY = 0.49, 0.4
"""Of the height between header and scrub bar: with players in one row, and in two."""

MOST_IN_A_ROW = 4
"""Players beside each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Where things are, in pixels.

    Attributes:
        words_px: Height of text.
        header: Whose turn it is, and what happens.
        pile: The Arena's stack; the slam from the side while it runs.
        top: The arena from above, a square.
        players: The players' panels, in turn order.
        transcript: The transcript, and questions below it.
        scrub: The scrub bar.
        buttons: The buttons.
    """

    words_px: int
    header: pygame.Rect
    pile: pygame.Rect
    top: pygame.Rect
    players: tuple[pygame.Rect, ...]
    transcript: pygame.Rect
    scrub: pygame.Rect
    buttons: pygame.Rect


def boxes_of(size: Size, players: int) -> Boxes:
    """Return where things are in a window of a size, for so many players."""
    words = words_px(size)
    gap = round(0.5 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    transcript, rest = cut(rest, "right", _TRANSCRIPT * size[0], gap=gap)
    rows = -(-players // MOST_IN_A_ROW)
    share = _ARENA if rows == 1 else _ARENA_OF_MANY
    arena, rest = cut(rest, "top", share * rest.height, gap=gap)
    top, pile = cut(arena, "right", min(arena.height, arena.width / 2), gap=gap)
    return Boxes(
        words_px=words,
        header=header,
        pile=pile,
        top=top,
        players=_grid(rest, players, rows, gap),
        transcript=transcript,
        scrub=scrub,
        buttons=buttons,
    )


def _grid(box: pygame.Rect, count: int, rows: int, gap: int) -> tuple[pygame.Rect, ...]:
    """Return so many boxes in rows, all of one size."""
    columns = -(-count // rows)
    width = (box.width - gap * (columns - 1)) // columns
    height = (box.height - gap * (rows - 1)) // rows
    return tuple(
        pygame.Rect(
            box.left + (width + gap) * (place % columns),
            box.top + (height + gap) * (place // columns),
            width,
            height,
        )
        for place in range(count)
    )
