"""A puck in a pile: a slab with its name, and its energy type by colour and letter."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import pygame

from render.canvas import text_width, write
from render.energy import draw_energy
from render.palette import ENERGIES, Palette, Rgb
from render.viewer.drawing import draw_box
from sim.pokepucks.battle import BattleState
from sim.pokepucks.designs import Design, DesignKind

_SMALLEST_PX = 9
"""Height of words below which a name is left out where a badge tells as much."""

_NUMBER_ROOM = 2.2
"""A slab that is so much wider than its name has its number too; in heights of words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slab:
    """A puck in a pile.

    Attributes:
        puck: Its number.
        box: Where it is, in pixels.
        words_px: Height of its words, alike in all of the pile; 0 if they could not be read.
    """

    puck: int
    box: pygame.Rect
    words_px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
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
    surface: pygame.Surface, slab: Slab, state: BattleState, words_px: int, palette: Palette
) -> None:
    """Write what a slab's puck is, and what it does, above the slab."""
    design = state.design(slab.puck)
    told = f"{state.table.tell(slab.puck)}: {design.text}" if design.text else design.name
    size_px = round(0.85 * words_px)
    room = surface.get_width() - 3 * size_px
    width = min(text_width(told, size_px), room) + size_px
    box = pygame.Rect(0, 0, width, round(1.6 * size_px))
    box.midbottom = (slab.box.centerx, slab.box.top - size_px // 4)
    box.clamp_ip(surface.get_rect())
    draw_box(surface, box, palette.text, radius_px=box.height // 4)
    place = (box.left + size_px / 2, box.centery)
    write(surface, told, place, size_px=size_px, colour=palette.background, width_px=room)


def draw_slab(
    surface: pygame.Surface, slab: Slab, design: Design, looks: Looks, palette: Palette
) -> None:
    """Draw a puck: its name, badge and number as far as there is room, and what is to be told."""
    box = slab.box.inflate(0, -2) if slab.box.height >= 8 else slab.box.inflate(0, -1)
    radius = min(box.height // 3, 6)
    frame = _frame(slab.puck, looks, palette)
    fill, ink = slab_colours(design, palette)
    if frame is not None:
        draw_box(surface, box, frame, radius_px=radius)
        line = 2 if box.height >= 18 else 1
        box = box.inflate(-2 * line, -2 * line)
    if slab.puck in looks.chosen:
        fill, ink = palette.accent, palette.on_accent
    draw_box(surface, box, fill, radius_px=radius)
    size_px = slab.words_px
    if not size_px:
        return
    left = box.left + size_px // 3
    if design.type is not None:
        inverse = fill == ENERGIES[design.type].colour
        middle = (left + size_px / 2, box.centery)
        draw_energy(surface, design.type, middle, size_px, inverse=inverse)
        left += round(1.2 * size_px)
    right = box.right - size_px // 3
    right -= _draw_note(surface, slab, looks, (right, box), size_px, palette)
    if right - left - text_width(design.name, size_px) > _NUMBER_ROOM * size_px:
        at = (right, box.centery + 1)
        number = str(slab.puck)
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
    return rest if text_width(rest, _SMALLEST_PX) <= room_px else ""


def _draw_note(
    surface: pygame.Surface,
    slab: Slab,
    looks: Looks,
    end: tuple[int, pygame.Rect],
    size_px: int,
    palette: Palette,
) -> int:
    """Draw the word on a puck at the right end of its slab, and return how much room it takes."""
    if slab.puck not in looks.notes:
        return 0
    note, colour = looks.notes[slab.puck]
    right, box = end
    small = round(0.85 * size_px)
    width = text_width(note, small) + small
    chip = pygame.Rect(right - width, 0, width, box.height - 6)
    chip.centery = box.centery
    draw_box(surface, chip, palette.background, radius_px=chip.height // 3)
    place = (chip.centerx, chip.centery + 1)
    write(surface, note, place, size_px=small, colour=colour, align="centre")
    return width + size_px // 3


def _frame(puck: int, looks: Looks, palette: Palette) -> Rgb | None:
    if puck in looks.offered:
        return palette.accent
    return palette.text if puck in looks.lit else None


_FILLS: Mapping[DesignKind, Callable[[Palette], tuple[Rgb, Rgb]]] = {
    DesignKind.POKEMON: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.BALL: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.SLAMMER: lambda palette: (palette.slammer, palette.on_slammer),
    DesignKind.ITEM: lambda palette: (palette.control, palette.text),
    DesignKind.TRAINER: lambda palette: (palette.wall, palette.background),
    DesignKind.PLAIN: lambda palette: (palette.control, palette.faint),
}


def slab_colours(design: Design, palette: Palette) -> tuple[Rgb, Rgb]:
    """Return the colour of a puck's slab, and of the words on it."""
    if design.type is not None and not design.kind.is_slammer:
        look = ENERGIES[design.type]
        return look.colour, look.ink
    return _FILLS[design.kind](palette)
