"""Places in the battle window, and a panel for each player: slammer, statuses, stacks.

`boxes_of` splits the window; `columns_of` places the stacks of a player's panel and `draw_player`
draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from render.battlewindow.stacks import PuckMarks, PuckTile, draw_stack, stack_tiles
from render.canvas import draw_energy, text_width, write
from render.palette import Palette, Rgb
from render.viewer import Size, cut, grid, padded, words_px
from render.viewer.widgets import draw_box, draw_panel
from sim.pokepucks.battle.state import BattleState, Place, StackKind

_HEADER, _SCRUB, _BUTTONS = 3.0, 1.4, 2.0
"""Heights of header, scrub bar and button bar, in text heights."""

_TRANSCRIPT = 0.31
"""Width of the transcript, relative to the window."""

_ARENA, _ARENA_OF_MANY = 0.49, 0.4
"""Height of the Arena's views between header and scrub bar: with one row of players, with two."""

_MOST_IN_A_ROW = 4
"""Players side by side."""

_STACKS = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
_NAME, _NOTES, _LABEL = 1.3, 1.1, 1.0
"""Heights of the rows of a player's panel, in text heights."""

_TILE, _LOWEST = 1.05, 0.6
"""Heights of tiles, in text heights: if there is room, and the least that can be read."""

_NARROWEST = 3.3
"""Least width of a tile, relative to its height."""

_WIDEST_LABEL, _SMALLEST_PX = "Health 10/10", 9
"""Text that must fit below a stack, and the least height of this text, in pixels."""

_SMALL = 0.78
"""Height of secondary text, in text heights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Places of the parts of the window, in pixels."""

    words_px: int  # text height
    header: pygame.Rect  # turn, attacks and current event
    arena_stack: pygame.Rect  # the Arena's stack; during a slam, the view in space
    top: pygame.Rect  # the arena from above, a square
    players: tuple[pygame.Rect, ...]  # in turn order
    transcript: pygame.Rect  # and questions below it
    scrub: pygame.Rect
    buttons: pygame.Rect


def boxes_of(size: Size, players: int) -> Boxes:
    """Return the places of the parts of a window of a given size, for a number of players."""
    words = words_px(size)
    gap = round(0.5 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    transcript, rest = cut(rest, "right", _TRANSCRIPT * size[0], gap=gap)
    rows = -(-players // _MOST_IN_A_ROW)
    share = _ARENA if rows == 1 else _ARENA_OF_MANY
    arena, rest = cut(rest, "top", share * rest.height, gap=gap)
    top, arena_stack = cut(arena, "right", min(arena.height, arena.width / 2), gap=gap)
    return Boxes(
        words_px=words,
        header=header,
        arena_stack=arena_stack,
        top=top,
        players=tuple(grid(rest, -(-players // rows), rows, gap)[:players]),
        transcript=transcript,
        scrub=scrub,
        buttons=buttons,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StackColumn:
    """A stack in a player's panel."""

    place: Place  # the stack
    label: pygame.Rect
    tiles: tuple[PuckTile, ...]


def columns_of(state: BattleState, player: int, boxes: Boxes) -> tuple[StackColumn, ...]:
    """Return the stacks of a player's panel, from left to right."""
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
        tiles = stack_tiles(state.stack(place), below, _tile_height_px(state, below, words))
        columns.append(StackColumn(place=place, label=label, tiles=tiles))
    return tuple(columns)


def _tile_height_px(state: BattleState, room: pygame.Rect, words: int) -> float:
    """Return the height of tiles at which the stacks of all players fit, if it can be read.

    Otherwise only the stacks that are too high get lower tiles. Narrow stacks have lower tiles
    too, so that the names on all tiles have about the same size.
    """
    most = max(
        len(state.stack(Place(kind, player)))
        for kind in _STACKS
        for player in range(state.table.players)
    )
    widest = max(room.width / _NARROWEST, _LOWEST * words)
    return min(_TILE * words, widest, max(room.height / max(most, 1), _LOWEST * words))


def draw_player(
    surface: pygame.Surface,
    state: BattleState,
    player: int,
    boxes: Boxes,
    marks: PuckMarks,
    palette: Palette,
) -> None:
    """Draw a player's panel; a bar at its side marks the current player."""
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
        draw_stack(surface, column.tiles, state, marks, palette)


def _draw_name(
    surface: pygame.Surface,
    state: BattleState,
    player: int,
    box: pygame.Rect,
    words: int,
    palette: Palette,
) -> None:
    """Write a player's name and slammer."""
    playing = player in state.playing
    text = _slammer_text(state, player)
    small = round(_SMALL * words)
    room = box.width
    if text:
        room -= write(
            surface,
            text,
            (box.right, box.centery),
            small,
            palette.faint,
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
    write(surface, name, place, words, colour, width_px=room)


def _slammer_text(state: BattleState, player: int) -> str:
    slammer = state.slammer(player)
    if player not in state.playing:
        return "won" if state.winner == player else "out"
    if slammer is None:
        return "no slammer"
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
    """Draw statuses and pending effects as chips; without any, the size of the collection."""
    size_px = round(_SMALL * words)
    chips: list[tuple[str, Rgb, Rgb]] = [
        (str(status), palette.out, palette.background) for status in state.statuses[player]
    ]
    chips += [(effect, palette.control, palette.text) for effect in state.effects[player]]
    if not chips:
        count = len(state.collection(player))
        text = f"collection: {count}" if count else ""
        write(surface, text, (box.left, box.centery), size_px, palette.faint)
        return
    draw_chips(surface, chips, box, size_px)


def draw_chips(
    surface: pygame.Surface,
    chips: Sequence[tuple[str, Rgb, Rgb]],
    box: pygame.Rect,
    size_px: int,
) -> None:
    """Draw texts in small boxes side by side, narrower if there is little room."""
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
            size_px,
            ink,
            align="centre",
            width_px=room,
        )
        x += width + share * gap


def _draw_label(
    surface: pygame.Surface, state: BattleState, column: StackColumn, size_px: int, palette: Palette
) -> None:
    """Write the name of a stack, its number of pucks and its maximum size."""
    count, size = len(state.stack(column.place)), state.max_size(column.place)
    text = f"{count}/{size}" if size else str(count)
    box, name = column.label, str(column.place.kind)
    pygame.draw.line(surface, palette.wall, box.topleft, (box.right - 1, box.top))
    while size_px > _SMALLEST_PX and text_width(_WIDEST_LABEL, size_px) > box.width:
        size_px -= 1
    y = box.centery + 1
    write(surface, text, (box.right, y), size_px, palette.text, align="right")
    write(surface, name, (box.left, y), size_px, palette.faint)
