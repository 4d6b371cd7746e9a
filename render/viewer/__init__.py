"""Windows: a loop, a clock, keys with their help, buttons and sliders. What is shown is a `View`.

A view is an object with five members (see `view.View`), and knows nothing of windows:

- ``title`` stands above the window;
- ``shortcuts`` are its keys: what the help lists is what the keys do;
- ``handle(event, size)`` takes a pygame event, its place in pixels of the surface, and tells
  whether it had a use for it; keys among ``shortcuts`` are run without it;
- ``advance(elapsed_s)`` lets time pass, and tells whether the picture changed;
- ``draw(surface, palette)`` draws all of it onto a surface of any size, at once.

`show` opens a window on a view; `picture_of` draws one without a display, and `save_view` makes a
picture or a film of it. Help (H), full screen
(F11), light and dark (L), and leaving (Q, Esc) are the window's own keys; a view's come
first. Sizes in a view follow from the surface's: `words_px` gives the height of its text, `cut`
and `padded` split rectangles.

Buttons and sliders are facts that a view makes anew from its state, for each frame and each event;
`Controls` draws them and hands them what the mouse does. A view is built like this::

    class Counter:
        title = "Counter"

        def __init__(self) -> None:
            self.count = 0
            self.controls = Controls()
            self.shortcuts = (Shortcut(keys=("+",), does="count on", action=self.count_on),)

        def count_on(self) -> None:
            self.count += 1

        def widgets(self, size: Size) -> list[Widget]:
            return [Button(box=pygame.Rect(20, 20, 120, 40), label="On", action=self.count_on)]

        def handle(self, event: Event, size: Size) -> bool:
            return self.controls.handle(event, self.widgets(size))

        def advance(self, elapsed_s: float) -> bool:
            return False

        def draw(self, surface: pygame.Surface, palette: Palette) -> None:
            surface.fill(palette.background)
            self.controls.draw(surface, self.widgets(surface.get_size()), palette)

    show(Counter())

Tests draw views with `picture_of`, drive an `App` with events from pygame's queue, or call `show`
with a clock of their own (see `clock.Clock`) and SDL's dummy display.
"""

from render.viewer.app import App, View, picture_of
from render.viewer.layout import Size, cut, padded, row, words_px
from render.viewer.saving import (
    copy_text,
    film_suffix,
    frames_of,
    free_path,
    pasted_text,
    save_view,
)
from render.viewer.shortcuts import Shortcut, key_name
from render.viewer.widgets import Button, Controls, Slider, Widget
from render.viewer.window import Clock, RealClock, show

__all__ = [
    "App",
    "Button",
    "Clock",
    "Controls",
    "RealClock",
    "Shortcut",
    "Size",
    "Slider",
    "View",
    "Widget",
    "copy_text",
    "cut",
    "film_suffix",
    "frames_of",
    "free_path",
    "key_name",
    "padded",
    "pasted_text",
    "picture_of",
    "row",
    "save_view",
    "show",
    "words_px",
]
