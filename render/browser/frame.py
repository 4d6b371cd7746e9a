"""The frame of every page of the server: header, two columns, actions as keys, buttons and help."""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar

import segno
from nicegui import context, ui
from nicegui.events import KeyEventArguments

from pucklab.render.browser.guard import Guard, Visitor
from pucklab.render.pages import navigation_bar, web_text
from pucklab.sim.bumpers import Direction

ARROWS = dict(zip(("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"), Direction, strict=True))
"""Board direction of each arrow key."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do on a page: a key, a line of the help and, with a word, a button."""

    key: str  # as `KeyboardEvent.key` names it
    name: str
    run: Callable[[], object]
    word: str = ""

    @property
    def hint(self) -> str:
        """The name, and the key."""
        return f"{self.name} ({self.key.upper() if self.key.strip() else 'Space'})"


class Sharing:
    """The links for guests; there are none without ``--share``."""

    address = ""  # of this server in the network
    guard: ClassVar[Guard]

    @classmethod
    def link(cls, address: str) -> str:
        """Return the link for guests to the address of a page."""
        return f"{address}?key={cls.guard.keys.guest}"


def visitor_now() -> Visitor:
    """Return who has asked for the page that is being built."""
    visitor: Visitor = context.client.request.scope["state"]["visitor"]
    return visitor


def prefix_now() -> str:
    """Return what a proxy puts before the paths of the page that is being built, such as /lab."""
    prefix: str = context.client.request.headers.get("x-forwarded-prefix", "")
    return prefix


def words_from(root: str) -> dict[str, str]:
    """Return the addresses of the words of the navigation, given that of the first page."""
    return {
        "Lab": root or "./",
        "Battle": f"{root}battles",
        "Boards": f"{root}bumpers",
        "Puzzles": f"{root}puzzles/day",
        "Learn": f"{root}learn/index.html",
        "More": f"{root}learn/more.html",
    }


def _share_button() -> None:
    """Let the host show the link of this page to guests, also as a code to scan."""
    if not Sharing.address or not visitor_now().is_host:
        return
    request = context.client.request
    address = (request.scope["state"]["site"] or Sharing.address) + request.url.path

    def show() -> None:
        link = Sharing.link(address)
        code.content = segno.make(link).svg_inline(scale=5, border=2, light="#fff")
        label.text = link

    def renew() -> None:
        Sharing.guard.renew()
        show()

    with ui.dialog() as dialog, ui.card():
        ui.label("Who opens this link in your network takes a free seat, or watches:")
        code = ui.html(sanitize=False)
        label = ui.label().classes("break-all").mark("guest-link")
        with ui.row():
            ui.button("Copy", on_click=lambda: ui.clipboard.write(label.text)).props("no-caps")
            ui.button("New link", on_click=renew).props("no-caps flat").mark("new-link").tooltip(
                "The old link ends, and who came by it has to open the new one."
            )
    show()
    ui.button("Invite a friend", on_click=dialog.open, color=None).props("flat no-caps").classes(
        "pill"
    )


@contextmanager
def page_frame(
    title: str, actions: Sequence[Action] = (), legend: str = ""
) -> Iterator[tuple[ui.column, ui.column]]:
    """Build a page, and yield its stage and the panel beside it, or below it on a phone.

    The panel ends with the keys of the actions, which work except while a person types.

    Args:
        title: Title of the page.
        actions: What can be done on it.
        legend: HTML above the keys.
    """
    by_key = {action.key.lower(): action for action in actions}

    def press(event: KeyEventArguments) -> object:
        action = by_key.get((event.key.name or "").lower())
        modifiers = event.modifiers
        is_other = modifiers.ctrl or modifiers.meta or modifiers.alt
        return action.run() if action and event.action.keydown and not is_other else None

    ui.page_title(f"{title} - pucklab")
    # Quasar's rules stand in layers, which those of the look are above.
    for name in ("look.css", "arena.css"):
        ui.add_css(web_text("pucklab.render", name))
    for name in ("pages.css", "games.css"):
        ui.add_css(web_text("pucklab.render.browser", name))
    ui.dark_mode(None)
    # The content of each of NiceGUI's pages is one `main` already; the header stands before it.
    with context.client.layout, ui.element("header").classes("top") as header:
        links, path = words_from(f"{prefix_now()}/"), context.client.request.url.path
        words = {link.split("/")[0]: word for word, link in words_from("").items()}
        here = words.get(path.removeprefix(prefix_now()).split("/")[1], "")
        ui.html(navigation_bar(links, here), sanitize=False).classes("contents")
        with ui.element("div").classes("right"):
            _share_button()
    header.move(target_index=0)
    with ui.element("div").classes("pucklab-page"):
        ui.html(f"<h1>{html.escape(title)}</h1>", sanitize=False).classes("unseen")
        stage = ui.column().classes("pucklab-stage")
        panel = ui.column().classes("pucklab-panel")
        yield stage, panel
    ui.add_head_html(f"<script>{web_text('pucklab.render.browser', 'focus.js')}</script>")
    if actions:
        with panel, ui.expansion("Legend and keys" if legend else "Keys").classes("w-full"):
            ui.html(legend, sanitize=False).classes("pucklab-legend")
            for action in actions:
                ui.label(action.hint).classes("text-sm")
        ui.keyboard(on_key=press)


def action_buttons(actions: Iterable[Action]) -> ui.row:
    """Add a row with the button of each action that has a word."""
    with ui.row().classes("chips gap-1") as row:
        for action in filter(attrgetter("word"), actions):
            button = word_button(action.word, action.run)
            button.props(f'title="{action.hint}"').mark(marker(action.name))
    return row


def word_button(word: str, run: Callable[..., object], *, is_main: bool = False) -> ui.button:
    """Add a button with a word."""
    button = ui.button(word, on_click=run, color=None).props("no-caps flat")
    return button.classes("pill main" if is_main else "pill")


def marker(name: str) -> str:
    """Return a name as tests find it: NiceGUI splits markers at spaces."""
    return name.replace(" ", "-")
