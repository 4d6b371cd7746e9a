"""The clock of a window: tests bring their own."""

from typing import Protocol

import pygame

_LONGEST_S = 0.1
"""After a longer pause, as when a window is moved, a film goes on from where it was."""


class Clock(Protocol):
    """What tells a window how much time has passed."""

    def tick(self) -> float:
        """Wait until the next frame is due, and return the seconds since the last."""


class RealClock:
    """The time of day, in frames of equal length."""

    def __init__(self, frames_per_s: float = 60.0) -> None:
        self._clock = pygame.Clock()
        self._frames_per_s = frames_per_s

    def tick(self) -> float:
        """Wait until the next frame is due, and return the seconds since the last, up to .1."""
        return min(self._clock.tick(self._frames_per_s) / 1000, _LONGEST_S)
