"""Places in the battle window, and a panel for each player: slammer, statuses, stacks.

The Arena in space fills the window but for the log; the players' stacks lie over its left part.
`boxes_of` splits the window; `columns_of` places the stacks of a player and `draw_player` draws
them.
"""

from functools import lru_cache

import pygame
from pygame import Rect, Surface

from physics.facts import fact
from render.battlewindow.stacks import PuckMarks, PuckTile, draw_stack, stack_tiles
from render.canvas import clear_surface, draw_energy, lay, text_width, write
from render.palette import Palette, Rgb
from render.viewer import Size, cut, grid, padded, words_px
from render.viewer.widgets import draw_box
from sim.pokepucks.battle.explanations import STACKS, design_text, knock_out_chance, status_text
from sim.pokepucks.battle.state import BattleState, Place, StackKind, Status

_HEADER, _SCRUB, _BUTTONS = 3.0, 1.4, 2.0
"""Heights of header, scrub bar and button bar, in text heights."""

_LOG = 0.25
"""Width of the log, relative to the window."""

_STACKS_WIDTH, _WIDTH_OF_MANY, _MOST_IN_A_COLUMN = 0.27, 0.42, 4
"""Width of the players' stacks, relative to the window: of few players, of more."""

_LADDER = 8.2
"""Width of the list of the Arena's pucks, in text heights."""

_PLATE = 150
"""Opacity of the plates below a player's stacks, 0 to 255."""

_STACKS = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
_NAME, _NOTES, _LABEL = 1.3, 1.1, 1.0
"""Heights of the rows of a player's panel, in text heights."""

_TILE, _LOWEST = 1.0, 0.5
"""Heights of tiles, in text heights: if there is room, and the least."""

_WIDEST_LABEL, _SMALLEST_PX = "Health 10/10", 9
"""Text that must fit below a stack, and the least height of this text, in pixels."""

_SMALL = 0.78
"""Height of secondary text, in text heights."""


@fact
class Boxes:
    """Places of the parts of the window, in pixels."""

    words_px: int  # text height
    header: Rect  # turn, attacks and the latest line of the narration
    view: Rect  # the Arena in space
    free: Rect  # the part of the view beside the stacks
    ladder: Rect  # the pucks of the Arena, over the right part of the view
    players: tuple[Rect, ...]  # in turn order, over the left part of the view
    transcript: Rect  # and questions below it
    scrub: Rect
    buttons: Rect


def boxes_of(size: Size, players: int) -> Boxes:
    """Return the places of the parts of a window of a given size, for a number of players."""
    words = words_px(size)
    gap = round(0.5 * words)
    rest = padded(Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    transcript, view = cut(rest, "right", _LOG * size[0], gap=gap)
    columns = -(-players // _MOST_IN_A_COLUMN)
    share = _STACKS_WIDTH if columns == 1 else _WIDTH_OF_MANY
    stacks, rest = cut(view, "left", share * size[0])
    own = grid(padded(stacks, gap / 2), columns, -(-players // columns), gap)
    # The first player, who looks at the window, is the nearest.
    nearest_last = sorted(own, key=lambda box: (box.left, -box.top))
    ladder, _ = cut(padded(rest, gap), "right", min(_LADDER * words, 0.4 * rest.width))
    _, free = cut(rest, "right", ladder.width, gap=gap)
    _, ladder = cut(ladder, "top", 2.4 * words)
    return Boxes(
        words_px=words,
        header=header,
        view=view,
        free=free,
        ladder=ladder,
        players=tuple(nearest_last[:players]),
        transcript=transcript,
        scrub=scrub,
        buttons=buttons,
    )


@fact
class StackColumn:
    """A stack in a player's panel."""

    place: Place  # the stack
    label: Rect
    tiles: tuple[PuckTile, ...]


def columns_of(state: BattleState, player: int, boxes: Boxes) -> tuple[StackColumn, ...]:
    """Return the stacks of a player's panel, from left to right."""
    words = boxes.words_px
    gap = round(0.25 * words)
    rest = padded(boxes.players[player], 0.35 * words)
    _, rest = cut(rest, "top", (_NAME + _NOTES) * words, gap=gap / 2)
    width = (rest.width - gap * (len(_STACKS) - 1)) // len(_STACKS)
    columns = []
    for number, kind in enumerate(_STACKS):
        whole = Rect(rest.left + (width + gap) * number, rest.top, width, rest.height)
        label, below = cut(whole, "bottom", _LABEL * words, gap=2)
        stack = state.stack(Place(kind, player))
        highest = min(_TILE * words, max(below.height / max(len(stack), 1), _LOWEST * words))
        columns.append(
            StackColumn(
                place=Place(kind, player), label=label, tiles=stack_tiles(stack, below, highest)
            )
        )
    return tuple(columns)


def hints_of(state: BattleState, boxes: Boxes) -> list[tuple[Rect, str]]:
    """Return a sentence on each part of the panels but the pucks: slammers, statuses, stacks."""
    found = []
    for player in range(state.table.players):
        name, notes, _ = _rows(boxes.players[player], boxes.words_px)
        own = state.slammer(player)
        if own is not None:
            design = state.design(own)
            found.append((name, f"{design.name}: {design_text(design)}"))
        words = [f"{status}: {status_text(state, status)}" for status in state.statuses[player]]
        if words:
            found.append((notes, "; ".join(words)))
        columns = columns_of(state, player, boxes)
        found += [(column.label, STACKS[column.place.kind]) for column in columns]
    return found


def draw_player(
    surface: Surface,
    state: BattleState,
    player: int,
    boxes: Boxes,
    marks: PuckMarks,
    palette: Palette,
) -> None:
    """Draw a player's panel; a bar at its side marks the current player."""
    words, box = boxes.words_px, boxes.players[player]
    lay(surface, _plate(box.size, palette.background), box)
    if player == state.player and state.turn.number:
        bar = Rect(box.left, box.top, max(words // 5, 3), box.height)
        draw_box(surface, bar, palette.accent, radius_px=bar.width // 2)
    name, notes, _ = _rows(box, words)
    _draw_name(surface, state, player, name, words, palette)
    _draw_notes(surface, state, player, notes, words, palette)
    for column in columns_of(state, player, boxes):
        _draw_label(surface, state, column, round(_SMALL * words), palette)
        draw_stack(surface, column.tiles, state, marks, palette)


def _rows(box: Rect, words: int) -> tuple[Rect, Rect, Rect]:
    """Return the places of a player's name, statuses and stacks."""
    name, rest = cut(padded(box, 0.35 * words), "top", _NAME * words)
    notes, rest = cut(rest, "top", _NOTES * words)
    return name, notes, rest


@lru_cache(maxsize=16)
def _plate(size: tuple[int, int], colour: Rgb) -> Surface:
    """Return a plate through which the table is seen, with premultiplied alpha."""
    plate = clear_surface(size)
    red, green, blue = (part * _PLATE // 255 for part in colour)
    plate.fill((red, green, blue, _PLATE))
    return plate


def draw_plate(surface: Surface, box: Rect, palette: Palette) -> None:
    """Draw a plate below words that lie over the view."""
    lay(surface, _plate(box.size, palette.background), box)


def _draw_name(
    surface: Surface,
    state: BattleState,
    player: int,
    box: Rect,
    words: int,
    palette: Palette,
) -> None:
    """Write a player's name and slammer."""
    playing = player in state.playing
    text = _slammer_text(state, player)
    small = round(_SMALL * words)
    room = box.width
    if text:
        place, room_px = (box.right, box.centery), 0.55 * box.width
        room -= write(surface, text, place, small, palette.faint, align="right", width_px=room_px)
    x = float(box.left)
    slammer = state.slammer(player)
    energy = None if slammer is None else state.design(slammer).type
    if energy is not None:
        draw_energy(surface, energy, (x + words / 2, box.centery), words)
        x += 1.3 * words
    colour = palette.text if playing else palette.faint
    room -= round(x) - box.left + small // 2
    write(surface, state.table.names[player], (x, box.centery), words, colour, width_px=room)


def _slammer_text(state: BattleState, player: int) -> str:
    slammer = state.slammer(player)
    if state.winner == player:
        return "won"
    if player not in state.playing:
        return "out"
    if slammer is None:
        return "no slammer"
    design = state.design(slammer)
    same = state.table.names[player].startswith(design.name)
    return f"{design.mass_g:g} g" if same else f"{design.name}, {design.mass_g:g} g"


def _draw_notes(
    surface: Surface,
    state: BattleState,
    player: int,
    box: Rect,
    words: int,
    palette: Palette,
) -> None:
    """Draw statuses and pending effects as chips side by side, narrower if there is little room."""
    size_px = round(_SMALL * words)
    chips: list[tuple[str, Rgb, Rgb]] = [
        (_status_text(state, player, status), palette.out, palette.background)
        for status in state.statuses[player]
    ]
    chips += [(effect, palette.control, palette.text) for effect in state.effects[player]]
    gap = size_px // 3
    whole = sum(text_width(text, size_px) + size_px + gap for text, _, _ in chips)
    share = min(1.0, box.width / max(whole, 1))
    x = float(box.left)
    for text, fill, ink in chips:
        width = share * (text_width(text, size_px) + size_px)
        chip = Rect(round(x), box.top, round(width), box.height)
        draw_box(surface, chip, fill, radius_px=chip.height // 2)
        room = chip.width - 0.6 * size_px
        write(surface, text, chip.center, size_px, ink, align="centre", width_px=room)
        x += width + share * gap


def _status_text(state: BattleState, player: int, status: str) -> str:
    """Return a status, and the chance of a knock-out with Critical."""
    chance = knock_out_chance(state, player) if status == Status.CRITICAL else None
    return str(status) if chance is None else f"{status}: knocked out {100 * chance.value:.0f} %"


def _draw_label(
    surface: Surface, state: BattleState, column: StackColumn, size_px: int, palette: Palette
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
