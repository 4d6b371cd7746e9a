"""Buttons and sliders, as facts: what they are, where, and what they do."""

from collections.abc import Callable
from dataclasses import dataclass

import pygame


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A box to click on.

    Attributes:
        box: Where it is.
        label: What it says; with an icon, what it says when the mouse is on it.
        action: What a click does.
        icon: Name of a drawing to show instead of the label (see `icons.ICONS`).
        on: It is the one chosen, or what it stands for is on.
        enabled: It can be clicked on.
    """

    box: pygame.Rect
    label: str
    action: Callable[[], object]
    icon: str = ""
    on: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """A number to be chosen on a line.

    Attributes:
        box: Where it is: words above the line if there is room for both.
        label: What the number is.
        shown: The number as words.
        value: The number.
        low: The smallest.
        high: The largest.
        changed: Takes a number chosen, ``low`` to ``high``.
        marks: Numbers marked on the line.
    """

    box: pygame.Rect
    label: str
    shown: str
    value: float
    low: float
    high: float
    changed: Callable[[float], object]
    marks: tuple[float, ...] = ()

    @property
    def has_words(self) -> bool:
        """Whether its words stand above its line."""
        return bool(self.label)

    @property
    def line(self) -> tuple[float, float, float]:
        """Left, right and height of its line, in pixels."""
        height = self.box.height
        inset = (height / 4 if self.has_words else height / 2) / 1.5
        y = self.box.bottom - (height / 4 if self.has_words else height / 2)
        return self.box.left + inset, self.box.right - inset, y

    def value_at(self, x_px: float) -> float:
        """Return the number at a place on its line, cut to its range.

        Example:
            >>> box = pygame.Rect(0, 0, 120, 30)
            >>> slider = Slider(
            ...     box=box, label="", shown="", value=0.0, low=0.0, high=10.0, changed=print
            ... )
            >>> slider.value_at(60.0), slider.value_at(-5.0), slider.value_at(500.0)
            (5.0, 0.0, 10.0)
        """
        left, right, _ = self.line
        share = (x_px - left) / max(right - left, 1.0)
        return self.low + (self.high - self.low) * min(max(share, 0.0), 1.0)

    def place_of(self, value: float) -> float:
        """Return where on its line a number is, in pixels."""
        left, right, _ = self.line
        span = self.high - self.low
        share = (value - self.low) / span if span > 0 else 0.0
        return left + (right - left) * min(max(share, 0.0), 1.0)


Widget = Button | Slider
