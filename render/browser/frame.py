"""Parts of every page of the server: header, style, actions as keys, buttons and lines of help."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from nicegui import ui
from nicegui.events import KeyEventArguments

from render.pages import web_text
from render.palette import DARK, LIGHT, hex_code
from sim.bumpers import Direction

ARROWS = dict(zip(("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"), Direction, strict=True))
"""Board direction of each arrow key."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do on a page: a key, a line of the help and, with an icon, a button."""

    key: str  # as `KeyboardEvent.key` names it
    name: str
    run: Callable[[], object]
    icon: str = ""

    @property
    def hint(self) -> str:
        """The name, and the key."""
        return f"{self.name} ({self.key.upper() if self.key.strip() else 'Space'})"


@contextmanager
def page_frame(title: str) -> Iterator[None]:
    """Build a page with its header; the contents follow in two columns, or one on a phone."""
    ui.page_title(f"{title} - pucklab" if title else "pucklab")
    ui.add_css(web_text("render.browser", "pages.css"))
    ui.colors(primary=hex_code(LIGHT.accent), dark_page=hex_code(DARK.background))
    dark = ui.dark_mode(None)
    with ui.header().classes("items-center py-1 px-3 gap-3"):
        ui.link("pucklab", "/").classes("text-lg text-white no-underline")
        ui.label(title).classes("grow")
        ui.button(icon="contrast", on_click=lambda: dark.set_value(not dark.value)).props(
            'flat dense color=white aria-label="light or dark"'
        )
    with ui.element("main").classes("pucklab-page"):
        yield


def action_buttons(actions: Sequence[Action]) -> ui.row:
    """Add a row with the button of each action."""
    with ui.row().classes("gap-1") as row:
        for action in actions:
            ui.button(icon=action.icon, on_click=action.run).props(
                f'dense aria-label="{action.name}"'
            ).tooltip(action.hint).mark(marker(action.name))
    return row


def marker(name: str) -> str:
    """Return a name as tests find it: NiceGUI splits markers at spaces."""
    return name.replace(" ", "-")


def key_list(actions: Sequence[Action]) -> None:
    """Add the keys, each with what it does."""
    for action in actions:
        ui.label(action.hint).classes("text-sm")


def listen_to_keys(actions: Sequence[Action]) -> None:
    """Run actions by their keys, except while a person types."""
    by_key = {action.key.lower(): action for action in actions}

    def press(event: KeyEventArguments) -> None:
        modifiers = event.modifiers
        action = by_key.get((event.key.name or "").lower())
        if (
            action
            and event.action.keydown
            and not (modifiers.ctrl or modifiers.meta or modifiers.alt)
        ):
            action.run()

    ui.keyboard(on_key=press)
