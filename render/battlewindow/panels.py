"""A panel for each player: slammer, statuses and stacks.

A puck in a arena_stack: a tile with its name, and its energy type by colour and letter.

Stacks as piles of tiles with names on them.

Where things are in the window.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pygame

from render.canvas import draw_energy, text_width, write
from render.palette import ENERGIES, Palette, Rgb
from render.viewer import Size, cut, padded, words_px
from render.viewer.widgets import draw_box, draw_panel
from sim.pokepucks.battle import BattleState, Place, StackKind
from sim.pokepucks.designs import Design, DesignKind

_SMALLEST_PX_SLABS = 9
"""Height of words below which a name is left out where a badge tells as much."""

_NUMBER_ROOM = 2.2
"""A tile that is so much wider than its name has its number too; in heights of words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuckTile:
    """A puck in a stack_tiles.

    Attributes:
        puck: Its number.
        box: Where it is, in pixels.
        words_px: Height of its words, alike in all of the stack_tiles; 0 if they could not be read.
    """

    puck: int
    box: pygame.Rect
    words_px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PuckMarks:
    """What is shown of pucks beside their names.

    Attributes:
        lit: Pucks that have just moved.
        offered: Pucks that can be chosen.
        chosen: Pucks that are chosen.
        notes: A word on a puck, and its colour.
    """

    lit: Collection[int] = ()
    offered: Collection[int] = ()
    chosen: Collection[int] = ()
    notes: Mapping[int, tuple[str, Rgb]] = field(default_factory=dict)


def draw_name(
    surface: pygame.Surface, tile: PuckTile, state: BattleState, words_px: int, palette: Palette
) -> None:
    """Write what a tile's puck is, and what it does, above the tile."""
    design = state.design(tile.puck)
    told = f"{state.table.tell(tile.puck)}: {design.text}" if design.text else design.name
    size_px = round(0.85 * words_px)
    room = surface.get_width() - 3 * size_px
    width = min(text_width(told, size_px), room) + size_px
    box = pygame.Rect(0, 0, width, round(1.6 * size_px))
    box.midbottom = (tile.box.centerx, tile.box.top - size_px // 4)
    box.clamp_ip(surface.get_rect())
    draw_box(surface, box, palette.text, radius_px=box.height // 4)
    place = (box.left + size_px / 2, box.centery)
    write(surface, told, place, size_px=size_px, colour=palette.background, width_px=room)


def draw_tile(
    surface: pygame.Surface, tile: PuckTile, design: Design, marks: PuckMarks, palette: Palette
) -> None:
    """Draw a puck: its name, badge and number as far as there is room, and what is to be told."""
    box = tile.box.inflate(0, -2) if tile.box.height >= 8 else tile.box.inflate(0, -1)
    radius = min(box.height // 3, 6)
    frame = _frame(tile.puck, marks, palette)
    fill, ink = tile_colours(design, palette)
    if frame is not None:
        draw_box(surface, box, frame, radius_px=radius)
        line = 2 if box.height >= 18 else 1
        box = box.inflate(-2 * line, -2 * line)
    if tile.puck in marks.chosen:
        fill, ink = palette.accent, palette.on_accent
    draw_box(surface, box, fill, radius_px=radius)
    size_px = tile.words_px
    if not size_px:
        return
    left = box.left + size_px // 3
    if design.type is not None:
        inverse = fill == ENERGIES[design.type].colour
        middle = (left + size_px / 2, box.centery)
        draw_energy(surface, design.type, middle, size_px, inverse=inverse)
        left += round(1.2 * size_px)
    right = box.right - size_px // 3
    right -= _draw_note(surface, tile, marks, (right, box), size_px, palette)
    if right - left - text_width(design.name, size_px) > _NUMBER_ROOM * size_px:
        at = (right, box.centery + 1)
        number = str(tile.puck)
        right -= write(surface, number, at, size_px=size_px, colour=ink, align="right")
    place = (left, box.centery + 1)
    name = _fitting_name(design, size_px, right - left)
    write(surface, name, place, size_px=size_px, colour=ink, width_px=right - left)


def _fitting_name(design: Design, size_px: int, room_px: int) -> str:
    """Return a puck's name, without its energy type, which its badge tells, where that is long.

    Where the rest of it could not be read either, the badge is all.
    """
    kind, _, rest = design.name.partition(" ")
    if kind.lower() != design.type or text_width(design.name, size_px) <= room_px:
        return design.name
    return rest if text_width(rest, _SMALLEST_PX_SLABS) <= room_px else ""


def _draw_note(
    surface: pygame.Surface,
    tile: PuckTile,
    marks: PuckMarks,
    end: tuple[int, pygame.Rect],
    size_px: int,
    palette: Palette,
) -> int:
    """Draw the word on a puck at the right end of its tile, and return how much room it takes."""
    if tile.puck not in marks.notes:
        return 0
    note, colour = marks.notes[tile.puck]
    right, box = end
    small = round(0.85 * size_px)
    width = text_width(note, small) + small
    chip = pygame.Rect(right - width, 0, width, box.height - 6)
    chip.centery = box.centery
    draw_box(surface, chip, palette.background, radius_px=chip.height // 3)
    place = (chip.centerx, chip.centery + 1)
    write(surface, note, place, size_px=small, colour=colour, align="centre")
    return width + size_px // 3


def _frame(puck: int, marks: PuckMarks, palette: Palette) -> Rgb | None:
    if puck in marks.offered:
        return palette.accent
    return palette.text if puck in marks.lit else None


_FILLS: Mapping[DesignKind, Callable[[Palette], tuple[Rgb, Rgb]]] = {
    DesignKind.POKEMON: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.BALL: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.SLAMMER: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.ITEM: lambda palette: (palette.control, palette.text),
    DesignKind.TRAINER: lambda palette: (palette.wall, palette.background),
    DesignKind.PLAIN: lambda palette: (palette.control, palette.faint),
}


def tile_colours(design: Design, palette: Palette) -> tuple[Rgb, Rgb]:
    """Return the colour of a puck's tile, and of the words on it."""
    if design.type is not None and not design.kind.is_slammer:
        look = ENERGIES[design.type]
        return look.colour, look.ink
    return _FILLS[design.kind](palette)


_WORDS_SHARE = 0.8
"""Height of words on a tile, by the tile's."""

_LEAST_TO_READ_PX = 10


def stack_tiles(stack: Sequence[int], box: pygame.Rect, highest_px: float) -> tuple[PuckTile, ...]:
    """Return a stack as tiles on each other, from the floor of a box up; all of them fit.

    Args:
        stack: Pucks from the floor up.
        box: Where to.
        highest_px: Height of a tile where there is room.

    Example:
        >>> low, high = stack_tiles((3, 5), pygame.Rect(0, 0, 40, 100), 20)
        >>> low.puck, low.box.bottom, high.box.bottom
        (3, 100, 80)
    """
    height = min(highest_px, box.height / max(len(stack), 1))
    fitting = round(_WORDS_SHARE * height)
    words_px = fitting if fitting >= _LEAST_TO_READ_PX else 0
    tiles = []
    for place, puck in enumerate(stack):
        top = round(box.bottom - (place + 1) * height)
        bottom = round(box.bottom - place * height)
        whole = pygame.Rect(box.left, top, box.width, bottom - top)
        tiles.append(PuckTile(puck=puck, box=whole, words_px=words_px))
    return tuple(tiles)


def draw_stack(
    surface: pygame.Surface,
    tiles: Sequence[PuckTile],
    state: BattleState,
    marks: PuckMarks,
    palette: Palette,
) -> None:
    """Draw tiles, with what is to be told of their pucks."""
    for tile in tiles:
        draw_tile(surface, tile, state.design(tile.puck), marks, palette)


def tile_at(tiles: Sequence[PuckTile], at: tuple[int, int]) -> PuckTile | None:
    """Return the tile at a place, if there is one."""
    return next((tile for tile in tiles if tile.box.collidepoint(at)), None)


_HEADER, _SCRUB, _BUTTONS = 3.0, 1.4, 2.0
"""Heights of the rows, in heights of text."""

_TRANSCRIPT = 0.31
"""Of the width."""

_ARENA, _ARENA_OF_MANY = 0.49, 0.4
"""Of the height between header and scrub bar: with players in one row, and in two."""

MOST_IN_A_ROW = 4
"""Players beside each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Where things are, in pixels.

    Attributes:
        words_px: Height of text.
        header: Whose turn it is, and what happens.
        arena_stack: The Arena's stack; the slam from the side while it runs.
        top: The arena from above, a square.
        players: The players' panels, in turn order.
        transcript: The transcript, and questions below it.
        scrub: The scrub bar.
        buttons: The buttons.
    """

    words_px: int
    header: pygame.Rect
    arena_stack: pygame.Rect
    top: pygame.Rect
    players: tuple[pygame.Rect, ...]
    transcript: pygame.Rect
    scrub: pygame.Rect
    buttons: pygame.Rect


def boxes_of(size: Size, players: int) -> Boxes:
    """Return where things are in a window of a size, for so many players."""
    words = words_px(size)
    gap = round(0.5 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    transcript, rest = cut(rest, "right", _TRANSCRIPT * size[0], gap=gap)
    rows = -(-players // MOST_IN_A_ROW)
    share = _ARENA if rows == 1 else _ARENA_OF_MANY
    arena, rest = cut(rest, "top", share * rest.height, gap=gap)
    top, arena_stack = cut(arena, "right", min(arena.height, arena.width / 2), gap=gap)
    return Boxes(
        words_px=words,
        header=header,
        arena_stack=arena_stack,
        top=top,
        players=_grid(rest, players, rows, gap),
        transcript=transcript,
        scrub=scrub,
        buttons=buttons,
    )


def _grid(box: pygame.Rect, count: int, rows: int, gap: int) -> tuple[pygame.Rect, ...]:
    """Return so many boxes in rows, all of one size."""
    columns = -(-count // rows)
    width = (box.width - gap * (columns - 1)) // columns
    height = (box.height - gap * (rows - 1)) // rows
    return tuple(
        pygame.Rect(
            box.left + (width + gap) * (place % columns),
            box.top + (height + gap) * (place // columns),
            width,
            height,
        )
        for place in range(count)
    )


_STACKS = (StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
_NAME, _NOTES, _LABEL = 1.3, 1.1, 1.0
"""Heights of the rows, in heights of text."""

_SLAB, _LOWEST = 1.05, 0.6
"""Heights of tiles, in heights of text: where there is room, and the lowest to be read."""

_NARROWEST = 3.3
"""Width of a tile, in its heights, at the least."""

_WIDEST, _SMALLEST_PX = "Health 10/10", 9
"""What must fit below a stack, and how small it may be for it."""

_SMALL = 0.78
"""Height of words of less weight, in heights of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackColumn:
    """A stack of a panel.

    Attributes:
        place: Which.
        label: Where its name is.
        tiles: Its pucks.
    """

    place: Place
    label: pygame.Rect
    tiles: tuple[PuckTile, ...]


def columns_of(state: BattleState, player: int, boxes: Boxes) -> tuple[StackColumn, ...]:
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
        tiles = stack_tiles(state.stack(place), below, _highest_px(state, below, words))
        columns.append(StackColumn(place=place, label=label, tiles=tiles))
    return tuple(columns)


def _highest_px(state: BattleState, room: pygame.Rect, words: int) -> float:
    """Return the height of tiles: that at which all stacks of all players fit, if it can be read.

    Where it could not, just the stacks that are too high for it have lower ones. In narrow stacks
    tiles are lower too, for the names on them to be alike in size.
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
    marks: PuckMarks,
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
        draw_stack(surface, column.tiles, state, marks, palette)


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
    surface: pygame.Surface, state: BattleState, column: StackColumn, size_px: int, palette: Palette
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
