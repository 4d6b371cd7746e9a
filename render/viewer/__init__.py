"""Windows: the loop, the clock, commands with their keys and help, buttons and sliders.

A `View` is anything that can be shown: it lists its commands, handles mouse events, lets time pass
and draws itself onto a surface of any size; it knows nothing of windows. `show` opens a window on
it, and `picture_of` draws it without a display. Begin at `app.View` and `commands.Command`.

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
            return [Button(box=pygame.Rect(20, 20, 120, 40), command=self.count_up)]

        def handle(self, event: Event, size: Size) -> bool:
            return self.controls.handle(event, self.widgets(size))

        def advance(self, elapsed_s: float) -> bool:
            return False

        def draw(self, surface: pygame.Surface, palette: Palette) -> None:
            surface.fill(palette.background)
            self.controls.draw(surface, self.widgets(surface.get_size()), palette)

    show(Counter())

Tests draw views with `picture_of`, drive an `App` with pygame events, or call `show` with a clock
of their own and SDL's dummy display.
"""

from render.viewer.app import App, View, picture_of
from render.viewer.commands import Command, key_name
from render.viewer.layout import Size, cut, inset, words_px
from render.viewer.widgets import Button, Controls, Slider, Widget, button_row
from render.viewer.window import show

__all__ = [
    "App",
    "Button",
    "Command",
    "Controls",
    "Size",
    "Slider",
    "View",
    "Widget",
    "button_row",
    "cut",
    "inset",
    "key_name",
    "picture_of",
    "show",
    "words_px",
]
