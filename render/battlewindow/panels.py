"""A panel for each player: slammer, statuses and stacks."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from render.battlewindow.boxes import Boxes
from render.battlewindow.slabs import Looks, Slab
from render.battlewindow.stacks import draw_pile, pile
from render.canvas import text_width, write
from render.energy import draw_energy
from render.palette import Palette, Rgb
from render.viewer import cut, padded
from render.viewer.drawing import draw_box, draw_panel
from sim.pokepucks.battle import BattleState, Place, StackKind

_STACKS = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
_NAME, _NOTES, _LABEL = 1.3, 1.1, 1.0
"""Heights of the rows, in heights of text."""

_SLAB, _LOWEST = 1.05, 0.6
"""Heights of slabs, in heights of text: where there is room, and the lowest to be read."""

_NARROWEST = 3.3
"""Width of a slab, in its heights, at the least."""

_WIDEST, _SMALLEST_PX = "Health 10/10", 9
"""What must fit below a stack, and how small it may be for it."""

_SMALL = 0.78
"""Height of words of less weight, in heights of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A stack of a panel.

    Attributes:
        place: Which.
        label: Where its name is.
        slabs: Its pucks.
    """

    place: Place
    label: pygame.Rect
    slabs: tuple[Slab, ...]


def columns_of(state: BattleState, player: int, boxes: Boxes) -> tuple[Column, ...]:
    """Return the stacks of a player's panel."""
    words = boxes.words_px
    gap = round(0.35 * words)
    rest = padded(boxes.players[player], 0.45 * words)
    _, rest = cut(rest, "top", (_NAME + _NOTES) * words, gap=gap / 2)
    width = (rest.width - gap * (len(_STACKS) - 1)) // len(_STACKS)
    columns = []
    for number, kind in enumerate(_STACKS):
        whole = pygame.Rect(rest.left + (width + gap) * number, rest.top, width, rest.height)
        label, below = cut(whole, "bottom", _LABEL * words, gap=2)
        place = Place(kind, player)
        slabs = pile(state.stack(place), below, _highest_px(state, below, words))
        columns.append(Column(place=place, label=label, slabs=slabs))
    return tuple(columns)


def _highest_px(state: BattleState, room: pygame.Rect, words: int) -> float:
    """Return the height of slabs: that at which all stacks of all players fit, if it can be read.

    Where it could not, just the stacks that are too high for it have lower ones. In narrow stacks
    slabs are lower too, for the names on them to be alike in size.
    """
    most = max(
        len(state.stack(Place(kind, player)))
        for kind in _STACKS
        for player in range(state.table.players)
    )
    widest = max(room.width / _NARROWEST, _LOWEST * words)
    return min(_SLAB * words, widest, max(room.height / max(most, 1), _LOWEST * words))


def draw_player(
    surface: pygame.Surface,
    state: BattleState,
    player: int,
    boxes: Boxes,
    looks: Looks,
    palette: Palette,
) -> None:
    """Draw a player's panel; that of the current player has a bar at its side."""
    words, box = boxes.words_px, boxes.players[player]
    draw_panel(surface, box, palette)
    if player == state.player and state.turn.number:
        bar = pygame.Rect(box.left, box.top, max(words // 4, 3), box.height)
        draw_box(surface, bar, palette.accent, radius_px=bar.width // 2)
    inside = padded(box, 0.45 * words)
    name, rest = cut(inside, "top", _NAME * words)
    notes, _ = cut(rest, "top", _NOTES * words)
    _draw_name(surface, state, player, name, words, palette)
    _draw_notes(surface, state, player, notes, words, palette)
    for column in columns_of(state, player, boxes):
        _draw_label(surface, state, column, round(_SMALL * words), palette)
        draw_pile(surface, column.slabs, state, looks, palette)


def _draw_name(
    surface: pygame.Surface,
    state: BattleState,
    player: int,
    box: pygame.Rect,
    words: int,
    palette: Palette,
) -> None:
    """Write a player's name, and what their slammer is."""
    playing = player in state.playing
    told = _slammer_text(state, player)
    small = round(_SMALL * words)
    room = box.width
    if told:
        room -= write(
            surface,
            told,
            (box.right, box.centery),
            size_px=small,
            colour=palette.faint,
            align="right",
            width_px=0.55 * box.width,
        )
    x = float(box.left)
    slammer = state.slammer(player)
    energy = None if slammer is None else state.design(slammer).type
    if energy is not None:
        draw_energy(surface, energy, (x + words / 2, box.centery), words)
        x += 1.3 * words
    colour = palette.text if playing else palette.faint
    room -= round(x) - box.left + small // 2
    place = (x, box.centery)
    name = state.table.names[player]
    write(surface, name, place, size_px=words, colour=colour, width_px=room)


def _slammer_text(state: BattleState, player: int) -> str:
    slammer = state.slammer(player)
    if player not in state.playing:
        return "won" if state.winner == player else "out"
    if slammer is None:
        return "no slammer here"
    design = state.design(slammer)
    same = state.table.names[player].startswith(design.name)
    return f"{design.mass_g:g} g" if same else f"{design.name}, {design.mass_g:g} g"


def _draw_notes(
    surface: pygame.Surface,
    state: BattleState,
    player: int,
    box: pygame.Rect,
    words: int,
    palette: Palette,
) -> None:
    """Draw statuses and pending effects as chips; without any, tell of the collection."""
    size_px = round(_SMALL * words)
    chips: list[tuple[str, Rgb, Rgb]] = [
        (str(status), palette.out, palette.background) for status in state.statuses[player]
    ]
    chips += [(effect, palette.control, palette.text) for effect in state.effects[player]]
    if not chips:
        count = len(state.collection(player))
        told = f"collection: {count}" if count else ""
        write(surface, told, (box.left, box.centery), size_px=size_px, colour=palette.faint)
        return
    draw_chips(surface, chips, box, size_px)


def draw_chips(
    surface: pygame.Surface,
    chips: Sequence[tuple[str, Rgb, Rgb]],
    box: pygame.Rect,
    size_px: int,
) -> None:
    """Draw words in small boxes beside each other; they get narrower if they must."""
    gap = size_px // 3
    whole = sum(text_width(text, size_px) + size_px + gap for text, _, _ in chips)
    share = min(1.0, box.width / whole)
    x = float(box.left)
    for text, fill, ink in chips:
        width = share * (text_width(text, size_px) + size_px)
        chip = pygame.Rect(round(x), box.top, round(width), box.height)
        draw_box(surface, chip, fill, radius_px=chip.height // 2)
        room = chip.width - 0.6 * size_px
        write(
            surface,
            text,
            chip.center,
            size_px=size_px,
            colour=ink,
            align="centre",
            width_px=room,
        )
        x += width + share * gap


def _draw_label(
    surface: pygame.Surface, state: BattleState, column: Column, size_px: int, palette: Palette
) -> None:
    """Write what a stack is called, how many pucks it has, and how many it may have."""
    count, size = len(state.stack(column.place)), state.max_size(column.place)
    told = f"{count}/{size}" if size else str(count)
    box, name = column.label, str(column.place.kind)
    pygame.draw.line(surface, palette.wall, box.topleft, (box.right - 1, box.top))
    while size_px > _SMALLEST_PX and text_width(_WIDEST, size_px) > box.width:
        size_px -= 1
    y = box.centery + 1
    write(surface, told, (box.right, y), size_px=size_px, colour=palette.text, align="right")
    write(surface, name, (box.left, y), size_px=size_px, colour=palette.faint)
