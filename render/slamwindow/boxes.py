"""Where things are in the window."""

from dataclasses import dataclass

import pygame

from render.viewer import Size, cut, padded, words_px

_HEADER, _STATUS, _SCRUB, _BUTTONS = 3.0, 1.7, 1.5, 2.0
"""Heights of the rows, in heights of text."""

_AIM = 11.0
"""Width of the button that sets up a throw, in heights of text."""

_WIDE = 1.25
"""The views stand side by side where there is so much more width than height, or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Where things are, in pixels.

    Attributes:
        words_px: Height of text.
        header: What is thrown.
        side: The view from the side.
        top: The view from above, a square.
        status: Time and outcome.
        scrub: The scrub bar.
        buttons: The buttons.
        aim: The button that sets up a throw.
    """

    words_px: int
    header: pygame.Rect
    side: pygame.Rect
    top: pygame.Rect
    status: pygame.Rect
    scrub: pygame.Rect
    buttons: pygame.Rect
    aim: pygame.Rect


def boxes_of(size: Size) -> Boxes:
    """Return where things are in a window of a size."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    aim, buttons = cut(buttons, "right", min(_AIM * words, buttons.width / 4), gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    status, rest = cut(rest, "bottom", _STATUS * words, gap=gap / 2)
    if rest.width >= _WIDE * rest.height:
        top, side = cut(rest, "right", min(rest.height, rest.width / 2), gap=gap)
    else:
        side, top = cut(rest, "top", rest.height * 0.45, gap=gap)
    return Boxes(
        words_px=words,
        header=header,
        side=side,
        top=top,
        status=status,
        scrub=scrub,
        buttons=buttons,
        aim=aim,
    )
