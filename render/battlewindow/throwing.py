"""A person's throw in a battle: aimed over the stack in space, thrown by a flick or a key.

A `Throwing` holds the throw while it is aimed; the mouse presses on the stack and flicks, and keys
change every number of it. `draw_throwing` draws the slammer over the stack with an arrow.
"""

import math
from dataclasses import replace

import numpy as np
import pygame
from pygame import Event, Rect, Surface

from physics import Scene
from physics.pieces import PIECE_RADIUS_MM
from render.battlewindow.arena import SEAT, ArenaScene, beside, draw_arena
from render.battlewindow.panels import Boxes, draw_plate
from render.canvas import text_width, write
from render.palette import Palette
from render.slams.camera3d import Camera3D, Eye, framed
from render.slamwindow.aiming import (
    WHEEL_DEG,
    aimed_at,
    draw_arrow_in_space,
    flick_of,
    flicked,
    ready_moment,
    set_to,
    setting_of,
    way_mm,
)
from sim.hand_throw import AimedThrow, throw_of
from sim.pokepucks.battle.questions import ThrowCall

STRAIGHT_DEG = math.degrees(SEAT.azimuth_rad) + 180.0
"""Direction of a throw straight away from the viewer."""

_NEAR_MM = 105.0
"""Half of the width of what is seen around the stack while a throw is aimed."""

_HIT_MM = 1.6 * PIECE_RADIUS_MM
"""Distance from the middle of the stack within which a press takes hold of the slammer."""


class Throwing:
    """A throw that waits for a person.

    Attributes:
        call: The throw.
        scene: Its slammer and stack.
        aimed: The throw as it is aimed now.
        is_held: True while the mouse holds the slammer.
        note: What the mouse should have done, after a flick that was none.
    """

    def __init__(self, call: ThrowCall, scene: Scene, aimed: AimedThrow) -> None:
        self.call, self.scene, self.aimed = call, scene, aimed
        self.note = ""
        self._trail: list[tuple[float, float, float]] = []
        self._time_s, self.is_held = 0.0, False

    def advance(self, elapsed_s: float) -> None:
        """Let time pass, which tells how fast a flick is."""
        self._time_s += elapsed_s

    def handle(self, event: Event, boxes: Boxes) -> tuple[bool, bool]:
        """Handle the mouse; return whether anything changed, and whether the throw is made."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            place = self._place(event.pos, boxes)
            self.is_held = place is not None and math.hypot(*place) <= _HIT_MM
            self._trail = [(self._time_s, *event.pos)]
            if self.is_held and place is not None:
                self.aimed = aimed_at(self.aimed, *place)
            elif boxes.free.collidepoint(event.pos):
                self.note = "Press on the stack, flick, and let go."
            return boxes.free.collidepoint(event.pos), False
        if event.type == pygame.MOUSEMOTION and self.is_held:
            self._trail.append((self._time_s, *event.pos))
            return True, False
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.is_held:
            self.is_held = False
            self._trail.append((self._time_s, *event.pos))
            return True, self._let_go(boxes)
        if event.type == pygame.MOUSEWHEEL and event.y:
            self.change("tilt_deg", WHEEL_DEG * event.y)
            return True, False
        return False, False

    def change(self, name: str, by: float) -> None:
        """Change a number of the throw; directions go round."""
        value = getattr(self.aimed, name) + by
        if name == "direction_deg":
            value = (value + 180) % 360 - 180
        self.aimed = set_to(self.aimed, setting_of(name), value)

    def nudge(self, across_mm: float, on_mm: float) -> None:
        """Move the aim to the right and away from the viewer."""
        way = math.radians(STRAIGHT_DEG)
        x = self.aimed.aim_x_mm + on_mm * math.cos(way) + across_mm * math.sin(way)
        y = self.aimed.aim_y_mm + on_mm * math.sin(way) - across_mm * math.cos(way)
        self.aimed = aimed_at(self.aimed, x, y)

    def shown(self, boxes: Boxes) -> AimedThrow:
        """Return the throw as it would be if a mouse that is held were released now."""
        if not self.is_held:
            return self.aimed
        return flicked(self.aimed, self._trail, boxes.view.height, STRAIGHT_DEG)

    def _let_go(self, boxes: Boxes) -> bool:
        """Take the flick as the throw; return False, and say why, if it was too slow."""
        speed_m_s, _ = flick_of(self._trail, boxes.view.height)
        least = setting_of("speed_m_s").low
        if speed_m_s < least:
            was = "no flick" if speed_m_s < 0.1 else f"a flick of {speed_m_s:.1f} m/s"
            self.note = f"That was {was}: too slow, throws begin at {least:g} m/s. Space throws."
            return False
        self.aimed = flicked(self.aimed, self._trail, boxes.view.height, STRAIGHT_DEG)
        return True

    def _place(self, at: tuple[int, int], boxes: Boxes) -> tuple[float, float] | None:
        eye = Eye(_camera(boxes), boxes.view.size)
        top_mm = sum(piece.thickness_mm for piece in self.scene.stack)
        return eye.place_at((at[0] - boxes.view.left, at[1] - boxes.view.top), top_mm)


def _camera(boxes: Boxes) -> Camera3D:
    """Return the camera while a throw is aimed: it looks at the stack and keeps its place."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 0.6)]
    aspect = boxes.free.width / max(boxes.free.height, 1)
    return beside(framed(SEAT, _NEAR_MM * np.array(corners), aspect), boxes)


def throw_text(aimed: AimedThrow) -> str:
    """Return speed, direction and tilt in words.

    Example:
        >>> throw_text(AimedThrow(direction_deg=STRAIGHT_DEG - 12))
        '5.0 m/s, 12° to the right, tilted 10°'
    """
    left = (aimed.direction_deg - STRAIGHT_DEG + 180) % 360 - 180
    way = f"{abs(left):.0f}° to the {'left' if left > 0 else 'right'}"
    straight = "straight on" if abs(left) < 1 else way
    return f"{aimed.speed_m_s:.1f} m/s, {straight}, tilted {aimed.tilt_deg:.0f}°"


def draw_throwing(
    surface: Surface,
    boxes: Boxes,
    throwing: Throwing,
    faces: tuple[str, ...],
    palette: Palette,
) -> None:
    """Draw the slammer over the stack, with an arrow, and the numbers of the throw below."""
    aimed = throwing.shown(boxes)
    throw = throw_of(aimed)
    moment = ready_moment(throwing.scene, throw)
    camera = _camera(boxes)
    held = throwing.is_held
    seen = ArenaScene(scene=throwing.scene, moment=moment, faces=faces, is_moving=held)
    draw_arena(surface, boxes, seen, palette, camera)
    part = surface.subsurface(boxes.view)
    draw_arrow_in_space(part, Eye(camera, boxes.view.size), way_mm(throw, moment), palette)
    words = boxes.words_px
    hint = throwing.note or "Press on the stack and flick; keys are listed by H. The wheel tilts."
    lines = ((throw_text(aimed), 1.15, palette.text), (hint, 0.85, palette.accent))
    middle, bottom = boxes.free.centerx, boxes.free.bottom - round(0.4 * words)
    wide = max(text_width(text, round(share * words)) for text, share, _ in lines) + 2 * words
    plate = Rect(0, 0, min(wide, boxes.free.width), round(3.2 * words))
    plate.midbottom = middle, bottom
    draw_plate(surface, plate, palette)
    for number, (text, share, colour) in enumerate(lines):
        place = (middle, plate.top + (0.95 + 1.35 * number) * words)
        size_px, room = round(share * words), plate.width - words
        write(surface, text, place, size_px, colour, align="centre", width_px=room)


def straightened(aimed: AimedThrow) -> AimedThrow:
    """Return a throw straight away from the viewer at the middle of the stack."""
    direction = (STRAIGHT_DEG + 180) % 360 - 180
    return replace(aimed, aim_x_mm=0.0, aim_y_mm=0.0, direction_deg=round(direction, 1))
