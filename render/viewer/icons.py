"""Small drawings on buttons, by name: `ICONS`, and `draw_icon` to draw one."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import pygame

from render.canvas import FINE, clear_surface, draw_stroke, lay
from render.palette import Rgb

_SHARE = 0.5
"""Side of a drawing, relative to the shorter side of its button."""

Point = tuple[float, float]
_Draw = Callable[["_Pen"], None]


class _Pen:
    """A pen for drawing in the unit square, with (0, 0) in the upper left corner."""

    def __init__(self, canvas: pygame.Surface, colour: Rgb) -> None:
        self._canvas = canvas
        self._colour = colour
        self._side = canvas.get_width()

    def fill(self, *points: Point) -> None:
        pygame.draw.polygon(self._canvas, self._colour, self._placed(points))

    def line(self, *points: Point, width: float = 0.12) -> None:
        draw_stroke(self._canvas, self._colour, self._placed(points), width * self._side)

    def ring(self, middle: Point, radius: float, width: float = 0.12) -> None:
        ((x, y),) = self._placed((middle,))
        side = self._side
        pygame.draw.circle(self._canvas, self._colour, (x, y), radius * side, round(width * side))

    def _placed(self, points: tuple[Point, ...]) -> list[Point]:
        # The drawing stays away from the edge, which would cut off the round ends of lines.
        return [(self._side * (0.07 + 0.86 * x), self._side * (0.07 + 0.86 * y)) for x, y in points]


def _play(pen: _Pen) -> None:
    pen.fill((0.15, 0.0), (1.0, 0.5), (0.15, 1.0))


def _pause(pen: _Pen) -> None:
    pen.fill((0.1, 0.0), (0.4, 0.0), (0.4, 1.0), (0.1, 1.0))
    pen.fill((0.6, 0.0), (0.9, 0.0), (0.9, 1.0), (0.6, 1.0))


def _step_on(pen: _Pen) -> None:
    pen.fill((0.1, 0.1), (0.7, 0.5), (0.1, 0.9))
    pen.fill((0.75, 0.1), (0.95, 0.1), (0.95, 0.9), (0.75, 0.9))


def _step_back(pen: _Pen) -> None:
    pen.fill((0.9, 0.1), (0.3, 0.5), (0.9, 0.9))
    pen.fill((0.05, 0.1), (0.25, 0.1), (0.25, 0.9), (0.05, 0.9))


def _previous(pen: _Pen) -> None:
    pen.line((0.65, 0.1), (0.25, 0.5), (0.65, 0.9), width=0.16)


def _next(pen: _Pen) -> None:
    pen.line((0.35, 0.1), (0.75, 0.5), (0.35, 0.9), width=0.16)


def _restart(pen: _Pen) -> None:
    pen.fill((0.5, 0.1), (0.0, 0.5), (0.5, 0.9))
    pen.fill((1.0, 0.1), (0.5, 0.5), (1.0, 0.9))


def _help(pen: _Pen) -> None:
    pen.line((0.25, 0.3), (0.3, 0.1), (0.5, 0.0), (0.7, 0.1), (0.74, 0.3), (0.5, 0.52), (0.5, 0.68))
    pen.line((0.5, 0.95), (0.5, 0.951), width=0.16)


def _undo(pen: _Pen) -> None:
    pen.line((0.35, 0.05), (0.05, 0.35), (0.35, 0.65))
    pen.line((0.05, 0.35), (0.65, 0.35), (0.95, 0.6), (0.65, 0.9), (0.35, 0.9))


def _redo(pen: _Pen) -> None:
    pen.line((0.65, 0.05), (0.95, 0.35), (0.65, 0.65))
    pen.line((0.95, 0.35), (0.35, 0.35), (0.05, 0.6), (0.35, 0.9), (0.65, 0.9))


def _save(pen: _Pen) -> None:
    pen.line((0.5, 0.0), (0.5, 0.6))
    pen.line((0.2, 0.35), (0.5, 0.65), (0.8, 0.35))
    pen.line((0.0, 0.7), (0.0, 0.95), (1.0, 0.95), (1.0, 0.7))


def _plus(pen: _Pen) -> None:
    pen.line((0.5, 0.1), (0.5, 0.9))
    pen.line((0.1, 0.5), (0.9, 0.5))


def _minus(pen: _Pen) -> None:
    pen.line((0.1, 0.5), (0.9, 0.5))


def _aim(pen: _Pen) -> None:
    pen.ring((0.5, 0.5), 0.32)
    for x, y in ((0.0, 0.5), (0.72, 0.5)):
        pen.line((x, y), (x + 0.28, y), width=0.1)
        pen.line((y, x), (y, x + 0.28), width=0.1)


def _ghosts(pen: _Pen) -> None:
    pen.ring((0.36, 0.6), 0.33, width=0.1)
    pen.ring((0.64, 0.4), 0.33, width=0.1)


ICONS: Mapping[str, _Draw] = MappingProxyType(
    {
        "aim": _aim,
        "ghosts": _ghosts,
        "help": _help,
        "minus": _minus,
        "next": _next,
        "pause": _pause,
        "play": _play,
        "plus": _plus,
        "previous": _previous,
        "redo": _redo,
        "restart": _restart,
        "save": _save,
        "step_back": _step_back,
        "step_on": _step_on,
        "undo": _undo,
    }
)
"""Drawings by name."""


def draw_icon(surface: pygame.Surface, name: str, box: pygame.Rect, colour: Rgb) -> None:
    """Draw an icon in the middle of a box."""
    side = round(_SHARE * min(box.size))
    lay(surface, _icon(name, side, colour), (box.centerx - side // 2, box.centery - side // 2))


@lru_cache(maxsize=256)
def _icon(name: str, side: int, colour: Rgb) -> pygame.Surface:
    fine = clear_surface((FINE * side, FINE * side))
    ICONS[name](_Pen(fine, colour))
    return pygame.transform.smoothscale(fine, (side, side))
