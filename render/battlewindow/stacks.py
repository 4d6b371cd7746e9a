"""Stacks of pucks seen from the side: a tile for each puck, with its name, type and number.

`stack_tiles` places the tiles of a stack, `draw_stack` draws them with `PuckMarks`, and `tile_at`
finds the one under the mouse.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from physics.facts import fact
from render.canvas import FINE, clear_surface, lay, text_width, write
from render.palette import ENERGIES, Palette, Rgb
from render.slams.emblems import face_shapes
from render.slams.looks import mixed
from render.viewer.widgets import draw_box
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.designs import Design, DesignKind

_SMALLEST_PX = 9
"""Text height of a narrowed name below which its badge stands alone."""

_NUMBER_ROOM = 2.2
"""Free width beside a name that lets the puck's number be written, in text heights."""

_WORDS_SHARE = 0.8
"""Text height on a tile, relative to the tile's height."""

_READABLE_PX = 10
"""Least text height that can be read; a lower tile has no words."""

_FILLS: Mapping[DesignKind, Callable[[Palette], tuple[Rgb, Rgb]]] = {
    DesignKind.POKEMON: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.BALL: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.SLAMMER: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.ITEM: lambda palette: (palette.control, palette.text),
    DesignKind.TRAINER: lambda palette: (palette.wall, palette.background),
    DesignKind.PLAIN: lambda palette: (palette.control, palette.faint),
}
"""Colours of tiles without an energy type, and of the words on them."""


@fact
class PuckTile:
    """The tile of a puck in a stack.

    Attributes:
        puck: Number of the puck.
        box: Its place, in pixels.
        words_px: Text height, the same for all tiles of a stack; 0 if it could not be read.
    """

    puck: int
    box: Rect
    words_px: int


@fact
class PuckMarks:
    """Marks on pucks.

    Attributes:
        lit: Pucks that have just moved.
        offered: Pucks that can be chosen.
        chosen: Pucks that are selected.
        notes: A word on a puck, such as ``up``, and its colour.
        hidden: Pucks that are not drawn in their stacks, as they are on their way there.
    """

    lit: Collection[int] = ()
    offered: Collection[int] = ()
    chosen: Collection[int] = ()
    notes: Mapping[int, tuple[str, Rgb]] = field(default_factory=dict)
    hidden: Collection[int] = ()


def stack_tiles(stack: Sequence[int], box: Rect, highest_px: float) -> tuple[PuckTile, ...]:
    """Return the tiles of a stack, from the bottom of a box up; they get lower to fit.

    Args:
        stack: The pucks from the bottom up.
        box: Place of the stack.
        highest_px: Height of a tile if there is room.

    Example:
        >>> low, high = stack_tiles((3, 5), Rect(0, 0, 40, 100), 20)
        >>> low.puck, low.box.bottom, high.box.bottom
        (3, 100, 80)
    """
    height = min(highest_px, box.height / max(len(stack), 1))
    fitting = round(_WORDS_SHARE * height)
    words_px = fitting if fitting >= _READABLE_PX else 0
    tiles = []
    for place, puck in enumerate(stack):
        top = round(box.bottom - (place + 1) * height)
        bottom = round(box.bottom - place * height)
        whole = Rect(box.left, top, box.width, bottom - top)
        tiles.append(PuckTile(puck=puck, box=whole, words_px=words_px))
    return tuple(tiles)


def draw_stack(
    surface: Surface,
    tiles: Sequence[PuckTile],
    state: BattleState,
    marks: PuckMarks,
    palette: Palette,
) -> None:
    """Draw the tiles of a stack with their marks."""
    for tile in tiles:
        if tile.puck not in marks.hidden:
            draw_tile(surface, tile, state.design(tile.puck), marks, palette)


@lru_cache(maxsize=256)
def _puck_side(size: tuple[int, int], fill: Rgb, radius: int) -> Surface:
    """Return a puck seen from the side: round ends, lighter above and darker below."""
    picture = clear_surface(size)
    draw_box(picture, picture.get_rect(), mixed(fill, (0, 0, 0), 0.35), radius_px=radius)
    upper = Rect(0, 0, size[0], max(size[1] - max(size[1] // 6, 1), 1))
    draw_box(picture, upper, mixed(fill, (255, 255, 255), 0.3), radius_px=radius)
    line = max(size[1] // 10, 1)
    draw_box(picture, Rect(0, line, size[0], upper.height - line), fill, radius_px=radius)
    return picture


@lru_cache(maxsize=64)
def _emblem(energy: str, size_px: int) -> Surface:
    """Return the emblem of an energy type on a disc of its colour, as on the face of a puck."""
    badge, side = ENERGIES[energy], FINE * size_px
    fine = clear_surface((side, side))
    pygame.draw.circle(fine, mixed(badge.colour, badge.ink, 0.12), (side / 2, side / 2), side / 2)
    for shape in face_shapes(energy):
        # The emblem fills the disc: its letter is left out.
        points = side / 2 * (1 + 1.5 * (shape - (0.0, 0.16)) * (1, -1))
        pygame.draw.polygon(fine, badge.ink, points.tolist())
    return pygame.transform.smoothscale(fine, (size_px, size_px))


def tile_at(tiles: Sequence[PuckTile], at: tuple[int, int]) -> PuckTile | None:
    """Return the tile at a pixel; None if there is none."""
    return next((tile for tile in tiles if tile.box.collidepoint(at)), None)


def draw_tile(
    surface: Surface, tile: PuckTile, design: Design, marks: PuckMarks, palette: Palette
) -> None:
    """Draw a tile: name, badge and number of its puck as far as they fit, and its marks."""
    box = tile.box.inflate(0, -1)
    radius = max(box.height // 3, 1)
    frame = _frame(tile.puck, marks, palette)
    fill, ink = tile_colours(design, palette)
    if frame is not None:
        draw_box(surface, box, frame, radius_px=radius)
        line = 2 if box.height >= 18 else 1
        box = box.inflate(-2 * line, -2 * line)
    if box.height < 1:
        return  # many pucks in a small window
    if tile.puck in marks.chosen:
        fill, ink = palette.accent, palette.on_accent
    lay(surface, _puck_side(box.size, fill, radius), box)
    size_px = tile.words_px
    if not size_px:
        return
    left = box.left + size_px // 3
    if design.type is not None:
        emblem = _emblem(str(design.type), min(box.height, round(1.25 * size_px)))
        lay(surface, emblem, (left, box.centery - emblem.get_height() // 2))
        left += emblem.get_width() + size_px // 4
    right = box.right - size_px // 3
    right -= _draw_note(surface, tile, marks, (right, box), size_px, palette)
    if right - left - text_width(design.name, size_px) > _NUMBER_ROOM * size_px:
        at = (right, box.centery + 1)
        number = str(tile.puck)
        right -= write(surface, number, at, size_px, ink, align="right")
    place = (left, box.centery + 1)
    name = _fitting_name(design, size_px, right - left)
    write(surface, name, place, size_px, ink, width_px=right - left)


def tile_colours(design: Design, palette: Palette) -> tuple[Rgb, Rgb]:
    """Return the colour of a puck's tile and that of the words on it."""
    if design.type is not None and not design.kind.is_slammer:
        look = ENERGIES[design.type]
        return look.colour, look.ink
    return _FILLS[design.kind](palette)


def _fitting_name(design: Design, size_px: int, room_px: int) -> str:
    """Return a puck's name; if it is too long, without the energy type that its badge shows.

    It is empty if even the rest could not be read.
    """
    kind, _, rest = design.name.partition(" ")
    if kind.lower() != design.type or text_width(design.name, size_px) <= room_px:
        return design.name
    return rest if text_width(rest, _SMALLEST_PX) <= room_px else ""


def _draw_note(
    surface: Surface,
    tile: PuckTile,
    marks: PuckMarks,
    end: tuple[int, Rect],
    size_px: int,
    palette: Palette,
) -> int:
    """Draw the note at the right end of a tile, and return the width it takes."""
    if tile.puck not in marks.notes:
        return 0
    note, colour = marks.notes[tile.puck]
    right, box = end
    small = round(0.85 * size_px)
    width = text_width(note, small) + small
    chip = Rect(right - width, 0, width, box.height - 6)
    chip.centery = box.centery
    draw_box(surface, chip, palette.background, radius_px=chip.height // 3)
    place = (chip.centerx, chip.centery + 1)
    write(surface, note, place, small, colour, align="centre")
    return width + size_px // 3


def _frame(puck: int, marks: PuckMarks, palette: Palette) -> Rgb | None:
    if puck in marks.offered:
        return palette.accent
    return palette.text if puck in marks.lit else None
