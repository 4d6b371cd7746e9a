"""What the window shows around and in its two views."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from physics import InputError
from render.canvas import text_width, write
from render.energy import draw_energy
from render.palette import Palette
from render.slams.camera import WHOLE, Camera
from render.slams.frame import state_text, time_text, write_legend
from render.slams.motion import Moment
from render.slams.pace import pace_text
from render.slams.player import Player
from render.slams.sideview import draw_side_view, side_height_px, side_projection
from render.slams.topview import draw_top_view, top_projection
from render.slamwindow.boxes import Boxes
from render.slamwindow.ghosts import (
    Ghost,
    draw_ghost_list,
    draw_ghosts_from_above,
    draw_ghosts_from_side,
)
from render.slamwindow.programme import Watched
from sim.pokepucks.design_file import find_slammer
from sim.slam_text import tell_slam


@dataclass(frozen=True, slots=True, kw_only=True)
class Cameras:
    """How the two views are looked at."""

    side: Camera = WHOLE
    top: Camera = WHOLE


def draw_header(
    surface: pygame.Surface,
    boxes: Boxes,
    watched: Watched,
    count: str,
    palette: Palette,
) -> None:
    """Write what is thrown and how; on the right which throw it is, and what came of all so far."""
    box, size_px = boxes.header, boxes.words_px
    slammer = watched.replay.scene.slammer
    first, second = box.top + 0.9 * size_px, box.top + 2.35 * size_px
    large = round(1.5 * size_px)
    origin_px = max(text_width(watched.origin, size_px), text_width(count, size_px))
    room = box.width - origin_px - size_px
    mass = f"{slammer.mass_g:g} g"
    name = f"{mass} slammer" if watched.name == mass else watched.name
    x = box.left + write(
        surface,
        name,
        (box.left, first),
        size_px=large,
        colour=palette.text,
        width_px=room / 2,
    )
    energy = _energy(watched.name)
    if energy:
        x += large // 2
        draw_energy(surface, energy, (x + large * 0.45, first), round(0.9 * large))
        x += round(0.9 * large)
    told = f"{slammer.thickness_mm:g} mm thick"
    told = told if watched.name == mass else f"{mass}, {told}"
    place = (x + size_px / 2, first + 0.2 * size_px)
    write(surface, told, place, size_px=size_px, colour=palette.faint)
    sentence = tell_slam(
        watched.name, watched.replay.scene, watched.replay.throw, watched.replay.outcome
    ).splitlines()[0]
    write(
        surface,
        sentence,
        (box.left, second),
        size_px=size_px,
        colour=palette.text,
        width_px=room,
    )
    for words, y in ((watched.origin, first), (count, second)):
        write(
            surface,
            words,
            (box.right, y),
            size_px=size_px,
            colour=palette.faint,
            align="right",
        )


def draw_views(
    surface: pygame.Surface,
    boxes: Boxes,
    watched: Watched,
    moment: Moment,
    cameras: Cameras,
    ghosts: Sequence[Ghost],
    palette: Palette,
) -> None:
    """Draw both views of a moment, with ghosts over them."""
    scene, outcome = watched.replay.scene, watched.replay.outcome
    side, top = surface.subsurface(boxes.side), surface.subsurface(boxes.top)
    draw_side_view(side, scene, moment, camera=cameras.side, palette=palette)
    draw_top_view(top, scene, moment, outcome=outcome, camera=cameras.top, palette=palette)
    size_px = round(0.8 * boxes.words_px)
    place = (boxes.side.left + size_px, boxes.side.top + size_px)
    write_legend(surface, scene, place, size_px, palette)
    if ghosts:
        air = side.subsurface((0, 0, side.get_width(), side_height_px(side.get_height())))
        to = side_projection(air.get_size(), scene, moment, cameras.side)
        draw_ghosts_from_side(air, to, ghosts, moment.time_s, palette)
        from_above = top_projection(top.get_size(), scene, cameras.top)
        draw_ghosts_from_above(top, from_above, ghosts, moment.time_s, palette)
        place = (place[0], place[1] + 2 * size_px)
        draw_ghost_list(surface, ghosts, place, size_px, palette)


def draw_status(
    surface: pygame.Surface,
    boxes: Boxes,
    watched: Watched,
    player: Player,
    moment: Moment,
    message: str,
    palette: Palette,
) -> None:
    """Write the time and the pace, and how many lie face up; at the end what the slam came to."""
    box, size_px = boxes.status, boxes.words_px
    y = box.centery
    replay = watched.replay
    state = state_text(moment, replay.outcome)
    write(
        surface,
        state,
        (box.right, y),
        size_px=round(1.15 * size_px),
        colour=palette.text,
        align="right",
    )
    room = box.width - text_width(state, round(1.15 * size_px)) - size_px
    if message:
        write(
            surface, message, (box.left, y), size_px=size_px, colour=palette.accent, width_px=room
        )
        return
    write(surface, time_text(moment.time_s), (box.left, y), size_px=size_px, colour=palette.text)
    x = box.left + text_width("-000.0 ms", size_px) + size_px / 2
    if moment.at_end:
        told = tell_slam(watched.name, replay.scene, replay.throw, replay.outcome).splitlines()[1]
    else:
        told = pace_text(player.slower, player.pace) or f"{player.slower:.0f} times slower"
        told += "" if player.playing else "    paused"
    write(surface, told, (x, y), size_px=size_px, colour=palette.faint, width_px=room - x)


@lru_cache(maxsize=64)
def _energy(name: str) -> str:
    """Return the energy type of a slammer of the PuckDex; nothing for others."""
    try:
        return find_slammer(name).type or ""
    except InputError:
        return ""
