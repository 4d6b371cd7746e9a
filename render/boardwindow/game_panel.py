"""The panel of a game: the prompt, the cards in hand, other choices, recent events.

A `GamePanel` is all that the panel shows, with a command for each of its buttons; `game_widgets`
makes the buttons, and `draw_game_panel_below` and `draw_game_panel_above` draw the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from render.boardwindow.layout import Boxes, in_row
from render.boardwindow.picture import draw_piece, write_lines
from render.canvas import wrapped, write
from render.palette import Palette
from render.viewer import Command, Widget, command_button, cut
from render.viewer.widgets import draw_panel
from sim.bumpers import Piece
from sim.bumpers.game import Card

_CARD, _BUTTON, _GAP = 3.9, 1.5, 0.45
"""Heights of a card and of a button, and the gap between two, in text heights."""

_SMALL = 0.73
"""Height of the text of a card, in text heights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePanel:
    """Contents of the panel.

    Attributes:
        prompt: The question to the person, or the state of the game; the first line stands out.
        cards: The cards in hand, each with the command that plays or picks it.
        kinds: The pieces that can be placed, each with the command that selects it.
        others: Commands of the choices that are neither on the board nor in the hand.
        events: Descriptions of recent events, the latest last.
    """

    prompt: Sequence[str]
    cards: Sequence[tuple[Card, Command]]
    kinds: Sequence[tuple[Piece, Command]]
    others: Sequence[Command]
    events: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """Places of the parts of the panel, in pixels."""

    prompt: pygame.Rect
    choices: tuple[pygame.Rect, ...]
    cards: tuple[pygame.Rect, ...]
    events: pygame.Rect


def game_widgets(panel: GamePanel, boxes: Boxes) -> list[Widget]:
    """Return the buttons of the panel: cards, and pieces to place or other choices."""
    places, height = _places(panel, boxes), round(_BUTTON * boxes.words_px)
    cards: list[Widget] = [
        command_button(pygame.Rect(box.left, box.top, box.width, height), command)
        for box, (_, command) in zip(places.cards, panel.cards, strict=True)
    ]
    choices = [command for _, command in panel.kinds] or panel.others
    pairs = zip(places.choices, choices, strict=True)
    return cards + [command_button(box, command) for box, command in pairs]


def draw_game_panel_below(
    surface: pygame.Surface, panel: GamePanel, boxes: Boxes, palette: Palette
) -> None:
    """Draw the part of the panel below the buttons: background, prompt, texts, events."""
    places, size_px = _places(panel, boxes), boxes.words_px
    draw_panel(surface, boxes.panel, palette)
    write_lines(surface, panel.prompt, places.prompt, palette, size_px=size_px)
    small = round(_SMALL * size_px)
    for box, (card, _) in zip(places.cards, panel.cards, strict=True):
        _, below = cut(box, "top", _BUTTON * size_px, gap=0.15 * size_px)
        write_lines(surface, ["", card.text], below, palette, size_px=small)
    _draw_events(surface, panel.events, places.events, round(0.9 * size_px), palette)


def draw_game_panel_above(
    surface: pygame.Surface, panel: GamePanel, boxes: Boxes, palette: Palette
) -> None:
    """Draw the part of the panel above the buttons: the pieces on them."""
    for box, (piece, _) in zip(_places(panel, boxes).choices, panel.kinds, strict=False):
        draw_piece(surface, piece, box.center, palette, round(0.78 * min(box.size)))


def _places(panel: GamePanel, boxes: Boxes) -> _Places:
    words, count = boxes.words_px, len(panel.kinds or panel.others)
    gap = _GAP * words
    rest = boxes.panel.inflate(-round(1.4 * words), -round(1.2 * words))
    prompt, rest = cut(rest, "top", 2.7 * words, gap=gap)
    choices, rest = cut(rest, "top", 1.9 * words if count else 0, gap=2 * gap)
    cards = []
    # Cards get lower if there are many, so that some room is left for the events.
    height = min(_CARD * words, 0.82 * rest.height / max(len(panel.cards), 1))
    for _ in panel.cards:
        card, rest = cut(rest, "top", height)
        cards.append(card)
    _, events = cut(rest, "top", gap)
    return _Places(
        prompt=prompt,
        choices=tuple(in_row(choices, count, gap)) if count else (),
        cards=tuple(cards),
        events=events,
    )


def _draw_events(
    surface: pygame.Surface,
    events: Sequence[str],
    box: pygame.Rect,
    size_px: int,
    palette: Palette,
) -> None:
    """Write as many events as fit, the latest at the bottom."""
    line = round(1.3 * size_px)
    rows = max(box.height // line, 0)
    parts = [
        (part, number == len(events) - 1)
        for number, event in enumerate(events)
        for part in wrapped(event, size_px, box.width)
    ]
    shown = parts[len(parts) - rows :] if len(parts) > rows else parts
    for row, (words, is_last) in enumerate(shown):
        y = box.bottom - (len(shown) - row - 0.5) * line
        colour = palette.text if is_last else palette.faint
        write(surface, words, (box.left, y), size_px=size_px, colour=colour, width_px=box.width)
