"""What a window shows."""

from collections.abc import Sequence
from typing import Protocol

import pygame
from pygame.event import Event

from render.palette import Palette
from render.viewer.layout import Size
from render.viewer.shortcuts import Shortcut


class View(Protocol):
    """Something that can be shown in a window, or drawn without one."""

    @property
    def title(self) -> str:
        """What stands above the window."""

    @property
    def shortcuts(self) -> Sequence[Shortcut]:
        """The keys it has a use for, in the order in which the help lists them."""

    def handle(self, event: Event, size: Size) -> bool:
        """Take an event that is no shortcut's.

        Args:
            event: A pygame event; ``pos`` and ``rel`` of the mouse are in pixels of the surface.
            size: Width and height of the surface.

        Returns:
            Whether it had a use for it. Then the picture is drawn anew.
        """

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass, and return whether the picture changed."""

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of the picture."""
