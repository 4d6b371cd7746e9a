"""The mouse on buttons and sliders."""

from collections.abc import Sequence

import pygame
from pygame.event import Event

from render.palette import Palette
from render.viewer.drawing import draw_button, draw_hint, draw_slider
from render.viewer.widgets import Button, Slider, Widget

_LEFT = 1


class Controls:
    """Hands a view's widgets what the mouse does, and draws them.

    Of all widgets it remembers just where the mouse is, and the label of the slider it holds.
    """

    def __init__(self) -> None:
        self._at: tuple[int, int] | None = None
        self._held: str | None = None

    def handle(self, event: Event, widgets: Sequence[Widget]) -> bool:
        """Take a mouse event, and return whether the picture changed by it."""
        if event.type == pygame.MOUSEMOTION:
            return self._move(event.pos, widgets)
        if event.type == pygame.WINDOWLEAVE:
            self._at = None
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT and self._held is not None:
            self._held = None
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT:
            return self._press(event.pos, widgets)
        return False

    def draw(self, surface: pygame.Surface, widgets: Sequence[Widget], palette: Palette) -> None:
        """Draw the widgets, and the label of the icon that the mouse is on."""
        under = self._under(widgets)
        for widget in widgets:
            if isinstance(widget, Button):
                draw_button(surface, widget, palette, under=widget is under)
            else:
                held = under is widget or self._held == widget.label
                draw_slider(surface, widget, palette, under=held)
        if isinstance(under, Button) and under.icon:
            draw_hint(surface, under, palette)

    def _move(self, at: tuple[int, int], widgets: Sequence[Widget]) -> bool:
        before = self._under(widgets)
        self._at = at
        for widget in widgets:
            if isinstance(widget, Slider) and widget.label == self._held:
                widget.changed(widget.value_at(at[0]))
                return True
        return before is not self._under(widgets)

    def _press(self, at: tuple[int, int], widgets: Sequence[Widget]) -> bool:
        self._at = at
        under = self._under(widgets)
        if isinstance(under, Slider):
            self._held = under.label
            under.changed(under.value_at(at[0]))
        elif under is not None and under.enabled:
            under.action()
        return under is not None

    def _under(self, widgets: Sequence[Widget]) -> Widget | None:
        """Return the widget that the mouse is on; later ones lie on top."""
        if self._at is None:
            return None
        for widget in reversed(widgets):
            if widget.box.collidepoint(self._at):
                return widget
        return None
