"""The panel beside a game: the cards in hand, what else there is to choose, what happened."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from render.boardwindow.explorer_panel import TURNS, in_row
from render.boardwindow.game import prompt_lines
from render.boardwindow.layout import Boxes
from render.boardwindow.picture import capitalized, draw_piece, wrapped, write_lines
from render.canvas import write
from render.palette import Palette
from render.viewer import Button, Widget, cut
from render.viewer.widgets import draw_panel
from sim.bumpers import MatTurn
from sim.bumpers.game import (
    Choice,
    MakeMove,
    PickCard,
    PlacePiece,
    PlayCard,
    choice_text,
    event_text,
)

if TYPE_CHECKING:
    from render.boardwindow.game_view import GameView


_CARD, _BUTTON, _GAP = 3.9, 1.5, 0.45
"""Height of a card, of a button, and the gaps, in heights of text."""

_SMALL = 0.73
"""Height of a card's text, in heights of text."""

_TOLD = 60
"""Steps of which is told what happened, as far as there is room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePanel:
    """Where the parts of the panel are.

    Attributes:
        box: All of it.
        words_px: Height of its words.
        asked: What is asked.
        others: The rows of what else there is to choose.
        cards: The cards in hand.
        happened: What happened.
    """

    box: pygame.Rect
    words_px: int
    asked: pygame.Rect
    others: pygame.Rect
    cards: tuple[pygame.Rect, ...]
    happened: pygame.Rect


def game_panel_of(boxes: Boxes, cards: int, *, has_others: bool) -> GamePanel:
    """Return where the parts of the panel are, for so many cards in hand."""
    words = boxes.words_px
    gap = _GAP * words
    rest = boxes.panel.inflate(-round(1.4 * words), -round(1.2 * words))
    asked, rest = cut(rest, "top", 2.7 * words, gap=gap)
    others, rest = cut(rest, "top", 1.9 * words if has_others else 0, gap=2 * gap)
    places = []
    height = min(_CARD * words, 0.82 * rest.height / cards) if cards else 0
    for _ in range(cards):
        place, rest = cut(rest, "top", height)
        places.append(place)
    _, rest = cut(rest, "top", gap)
    return GamePanel(
        box=boxes.panel,
        words_px=words,
        asked=asked,
        others=others,
        cards=tuple(places),
        happened=rest,
    )


def game_widgets(view: "GameView", boxes: Boxes) -> list[Widget]:
    """Return the buttons of the panel: the cards, and what else there is to choose."""
    panel = _panel(view, boxes)
    state = view.game.state
    playable = {c.card: c for c in view.game.offered if isinstance(c, PlayCard | PickCard)}
    widgets: list[Widget] = [
        Button(
            box=pygame.Rect(place.left, place.top, place.width, round(_BUTTON * panel.words_px)),
            label=state.card(card).name,
            action=view.choosing(playable.get(card)),
            enabled=card in playable,
        )
        for card, place in zip(view.cards, panel.cards, strict=True)
    ]
    gap = _GAP * panel.words_px
    kinds = view.kinds_to_put
    for box, piece in zip(in_row(panel.others, max(len(kinds), 1), gap), kinds, strict=False):
        on = piece == view.kind
        widgets.append(Button(box=box, label="", action=view.taking(piece), on=on))
    others = _others(view)
    if not kinds:
        boxes_of_others = in_row(panel.others, max(len(others), 1), gap)
        for box, (label, choice) in zip(boxes_of_others, others, strict=False):
            widgets.append(Button(box=box, label=label, action=view.choosing(choice)))
    return widgets


def draw_game_panel_below(
    surface: pygame.Surface, view: "GameView", boxes: Boxes, palette: Palette
) -> None:
    """Draw what lies below the buttons: the ground and the words."""
    panel = _panel(view, boxes)
    state, size_px = view.game.state, panel.words_px
    draw_panel(surface, panel.box, palette)
    write_lines(surface, prompt_lines(view.game), panel.asked, palette, size_px=size_px)
    small = round(_SMALL * size_px)
    for card, place in zip(view.cards, panel.cards, strict=True):
        _, below = cut(place, "top", _BUTTON * size_px, gap=0.15 * size_px)
        write_lines(surface, ["", state.card(card).text], below, palette, size_px=small)
    _draw_happened(surface, view, panel, palette)


def draw_game_panel_above(
    surface: pygame.Surface, view: "GameView", boxes: Boxes, palette: Palette
) -> None:
    """Draw the pieces on their buttons."""
    panel = _panel(view, boxes)
    kinds = view.kinds_to_put
    gap = _GAP * panel.words_px
    for box, piece in zip(in_row(panel.others, max(len(kinds), 1), gap), kinds, strict=False):
        draw_piece(surface, piece, box.center, palette, round(0.78 * min(box.size)))


def _draw_happened(
    surface: pygame.Surface, view: "GameView", panel: GamePanel, palette: Palette
) -> None:
    """Write what happened last, the latest below."""
    size_px = round(0.9 * panel.words_px)
    line = round(1.3 * size_px)
    box = panel.happened
    rows = max(box.height // line, 0)
    table = view.game.table
    events = [event for step in view.game.steps[-_TOLD:] for event in step.events]
    parts = [
        (part, number == len(events) - 1)
        for number, event in enumerate(events)
        for part in wrapped(event_text(table, event), box.width, size_px)
    ]
    shown = parts[len(parts) - rows :] if len(parts) > rows else parts
    for row, (words, is_last) in enumerate(shown):
        y = box.bottom - (len(shown) - row - 0.5) * line
        colour = palette.text if is_last else palette.faint
        write(surface, words, (box.left, y), size_px=size_px, colour=colour, width_px=box.width)


def _others(view: "GameView") -> list[tuple[str, Choice]]:
    """Return what there is to choose but on the board and from the hand, with its name."""
    held = set(view.cards)
    offered = view.game.offered
    turns = (
        (name, MakeMove(MatTurn(view.selection.mat, quarters)))
        for name, quarters in TURNS
        if view.selection.mat is not None
    )
    named = (
        (capitalized(choice_text(view.game.state, choice)), choice)
        for choice in offered
        if not isinstance(choice, MakeMove | PlacePiece)
        and not (isinstance(choice, PlayCard | PickCard) and choice.card in held)
    )
    return [pair for pair in (*turns, *named) if pair[1] in offered]


def _panel(view: "GameView", boxes: Boxes) -> GamePanel:
    has_others = bool(_others(view) or view.kinds_to_put)
    return game_panel_of(boxes, len(view.cards), has_others=has_others)
