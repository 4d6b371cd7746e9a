"""Windows: the loop, the clock, commands with their keys and help, buttons and sliders.

A `View` is anything that can be shown: it lists its commands, handles mouse events, lets time pass
and draws itself onto a surface of any size; it knows nothing of windows. `show` opens a window on
it, `picture_of` draws it without a display, and `save_view` writes a picture or a film of it.
Begin at `app.View` and `commands.Command`.

Buttons and sliders are plain facts that a view makes from its state, for every frame and event;
`Controls` draws them and passes them the mouse. A whole view::

    class Counter:
        title = "Counter"

        def __init__(self) -> None:
            self.count = 0
            self.controls = Controls()
            self.count_up = Command(("+",), "count up", self.add, label="+1")
            self.commands = (self.count_up,)

        def add(self) -> None:
            self.count += 1

        def widgets(self, size: Size) -> list[Widget]:
            return [command_button(pygame.Rect(20, 20, 120, 40), self.count_up)]

        def handle(self, event: Event, size: Size) -> bool:
            return self.controls.handle(event, self.widgets(size))

        def advance(self, elapsed_s: float) -> bool:
            return False

        def draw(self, surface: pygame.Surface, palette: Palette) -> None:
            surface.fill(palette.background)
            self.controls.draw(surface, self.widgets(surface.get_size()), palette)

    show(Counter())

Tests draw views with `picture_of`, drive an `App` with pygame events, or call `show` with a clock
of their own (see `window.Clock`) and SDL's dummy display.
"""

from render.viewer.app import App, View, picture_of
from render.viewer.commands import Command, command_button, key_name
from render.viewer.layout import Size, cut, grid, padded, row, words_px
from render.viewer.panels import (
    Log,
    Row,
    Symbol,
    Text,
    button_row,
    draw_message,
    draw_parts,
    part_widgets,
    place_parts,
    scrub_bar,
)
from render.viewer.saving import (
    copy_text,
    film_suffix,
    pasted_text,
    save_beside,
    save_view,
)
from render.viewer.widgets import Button, Controls, Slider, Widget, draw_panel, draw_tooltip
from render.viewer.window import Clock, RealClock, show

__all__ = [
    "App",
    "Button",
    "Clock",
    "Command",
    "Controls",
    "Log",
    "RealClock",
    "Row",
    "Size",
    "Slider",
    "Symbol",
    "Text",
    "View",
    "Widget",
    "button_row",
    "command_button",
    "copy_text",
    "cut",
    "draw_message",
    "draw_panel",
    "draw_parts",
    "draw_tooltip",
    "film_suffix",
    "grid",
    "key_name",
    "padded",
    "part_widgets",
    "pasted_text",
    "picture_of",
    "place_parts",
    "row",
    "save_beside",
    "save_view",
    "scrub_bar",
    "show",
    "words_px",
]
