"""The picture of the slam window: its layout, the text around the views, and their cameras.

`boxes_of` lays the window out; `draw_header`, `draw_views` and `draw_status` fill the boxes. The
view in space is the main one, with the top view beside it. `CameraControl` turns, zooms and moves
them with the mouse.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import pygame
from pygame import Event, Rect, Surface

from pucklab.base.facts import fact
from pucklab.physics import InputError, Scene
from pucklab.render.canvas import (
    SMALLEST_TEXT_PX,
    draw_energy,
    text_width,
    write,
    write_over,
)
from pucklab.render.palette import Palette
from pucklab.render.slams.camera3d import (
    FOLLOWING,
    PRESETS,
    Direction,
    close_to,
    closer,
    following,
    orbit,
)
from pucklab.render.slams.frame import state_text, time_text, write_legend
from pucklab.render.slams.motion import BestFlip, Moment
from pucklab.render.slams.pace import pace_text
from pucklab.render.slams.playback import Playback
from pucklab.render.slams.space import draw_space
from pucklab.render.slams.top_view import WHOLE, Camera, draw_top_view, moved, top_scale, zoom
from pucklab.render.slamwindow.ghosts import Ghost, Watched, draw_ghosts
from pucklab.render.slamwindow.widgets import Size, cut, inset, words_px
from pucklab.sim.pokepucks.design_file import find_slammer
from pucklab.sim.scene.slam_text import replay_lines

_HEADER, _STATUS, _SCRUB, _BUTTONS = 3.0, 1.7, 1.5, 2.0
"""Heights of the rows, in heights of text."""

_THROW = 11.0
"""Width of the button to throw by hand, in heights of text."""

_WIDE = 1.25
"""Smallest width of the window, relative to its height, for views side by side."""

_INSET = 0.3
"""Largest width of the top view beside the main one, relative to the window."""

_ORBIT_RAD_PX = 0.007
"""Angle that the camera in space turns for a pixel that it is dragged."""

_NOTCH = 1.25
"""Factor of the zoom for one notch of the wheel."""

_LEFT_BUTTON = 1


@fact
class Boxes:
    """Layout of the window, in pixels."""

    words_px: int  # height of text
    header: Rect  # slammer, throw and count
    space: Rect  # the view in space
    legend: Rect  # the meaning of the colours of the top view
    top: Rect  # the top view
    status: Rect  # time, pace and outcome
    scrub: Rect
    buttons: Rect
    throw: Rect  # the button to throw by hand


def boxes_of(size: Size) -> Boxes:
    """Return the layout of a window of a size."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = inset(Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    throw, buttons = cut(buttons, "right", min(_THROW * words, buttons.width / 4), gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    status, rest = cut(rest, "bottom", _STATUS * words, gap=gap / 2)
    is_wide = rest.width >= _WIDE * rest.height
    if is_wide:
        most = min(0.52 * rest.height, _INSET * rest.width)
        beside, space = cut(rest, "right", min(rest.height, most), gap=gap)
    else:
        beside, space = cut(rest, "bottom", 0.3 * rest.height, gap=gap)
    legend, below = cut(beside, "top", 1.1 * words, gap=gap / 2)
    top, _ = cut(below, "bottom", min(below.height, below.width))
    return Boxes(
        words_px=words,
        header=header,
        space=space,
        legend=legend,
        top=top,
        status=status,
        scrub=scrub,
        buttons=buttons,
        throw=throw,
    )


@fact
class Cameras:
    """The cameras of both views."""

    top: Camera = WHOLE
    space: Direction = FOLLOWING


@fact
class Shown:
    """All that is in the picture of the window."""

    watched: Watched
    playback: Playback
    moment: Moment
    cameras: Cameras
    ghosts: Sequence[Ghost] = ()  # if they are shown, as far as they have been computed
    flip: BestFlip | None = None  # the flip that is shown again
    count: str = ""  # flips so far
    message: str = ""


def draw_header(surface: Surface, boxes: Boxes, shown: Shown, palette: Palette) -> None:
    """Write slammer and throw; on the right the throw's origin and engine, and the count so far."""
    box, size_px = boxes.header, boxes.words_px
    watched, count = shown.watched, shown.count
    slammer = watched.replay.scene.slammer
    first, second = box.top + 0.9 * size_px, box.top + 2.35 * size_px
    large = round(1.5 * size_px)
    origin_px = max(text_width(watched.origin, size_px), text_width(count, size_px))
    room = box.width - origin_px - size_px
    mass = f"{slammer.mass_g:g} g"
    name = f"{mass} slammer" if watched.name == mass else watched.name
    x = box.left + write(surface, name, (box.left, first), large, palette.text, width_px=room / 2)
    energy = _energy(watched.name)
    if energy:
        x += large // 2
        draw_energy(surface, energy, (x + large * 0.45, first), round(0.9 * large))
        x += round(0.9 * large)
    size = f"{slammer.thickness_mm:g} mm thick"
    size = size if watched.name == mass else f"{mass}, {size}"
    place = (x + size_px / 2, first + 0.2 * size_px)
    write(surface, size, place, size_px, palette.faint)
    sentence, _ = replay_lines(watched.name, watched.replay)
    write(surface, sentence, (box.left, second), size_px, palette.text, width_px=room)
    for words, y in ((watched.origin, first), (count, second)):
        write(surface, words, (box.right, y), size_px, palette.faint, align="right")


def draw_views(surface: Surface, boxes: Boxes, shown: Shown, palette: Palette) -> None:
    """Draw the slam in space and from above, and the meaning of the colours."""
    moment, playback = shown.moment, shown.playback
    scene, outcome = shown.watched.replay.scene, shown.watched.replay.outcome
    cameras, part = shown.cameras, surface.subsurface(boxes.space)
    aspect, is_moving = boxes.space.width / max(boxes.space.height, 1), playback.playing
    camera = following(cameras.space, scene.arena, [moment.shot], aspect)
    if shown.flip is not None:
        place = shown.flip.place
        camera = close_to(camera, moment.centre_mm[place])
        draw_space(part, scene, moment, None, palette, camera, marked=place, is_moving=is_moving)
        size_px = max(round(part.get_height() / 20), SMALLEST_TEXT_PX)
        colours = palette.accent, palette.background
        write_over(part, flip_text(shown.flip), size_px, size_px, colours, 2)
    elif shown.ghosts:
        draw_ghosts(part, shown.watched, playback, shown.ghosts, cameras.space, palette)
    else:
        draw_space(part, scene, moment, outcome, palette, camera, is_moving=is_moving)
    draw_top_view(
        surface.subsurface(boxes.top),
        scene,
        moment,
        outcome=outcome,
        camera=cameras.top,
        palette=palette,
        is_moving=is_moving,
    )
    box = boxes.legend
    size_px = min(round(0.8 * boxes.words_px), box.width // 19)
    if size_px >= SMALLEST_TEXT_PX:
        write_legend(surface, scene, (box.left, box.centery), size_px, palette)


def flip_text(flip: BestFlip) -> str:
    """Return a flip in words.

    Example:
        >>> flip_text(BestFlip(place=3, turns=1.52, height_mm=213.4, begin_s=0.0, end_s=0.5))
        'best flip: puck 4 from the floor, 1.5 turns, 21 cm high'
    """
    turns, height_cm = round(2 * flip.turns) / 2, flip.height_mm / 10
    return (
        f"best flip: puck {flip.place + 1} from the floor, {turns:g} "
        f"turn{'' if turns == 1 else 's'}, {height_cm:.0f} cm high"
    )


def draw_status(surface: Surface, boxes: Boxes, shown: Shown, palette: Palette) -> None:
    """Write time, pace, engine and the number of pieces face up; at the end the slam's result."""
    box, size_px = boxes.status, boxes.words_px
    y = box.centery
    moment, playback, replay = shown.moment, shown.playback, shown.watched.replay
    state = state_text(moment, replay.outcome)
    write(surface, state, (box.right, y), round(1.15 * size_px), palette.text, align="right")
    room = box.width - text_width(state, round(1.15 * size_px)) - size_px
    if shown.message:
        write(surface, shown.message, (box.left, y), size_px, palette.accent, width_px=room)
        return
    write(surface, time_text(moment.time_s), (box.left, y), size_px, palette.text)
    x = box.left + text_width("-000.0 ms", size_px) + size_px / 2
    if moment.at_end:
        _, note = replay_lines(shown.watched.name, replay)
    else:
        note = pace_text(playback.slower, playback.pace) or f"{playback.slower:.0f} times slower"
        note += f"    {replay.engine} engine"
        note += "" if playback.playing else "    paused"
    write(surface, note, (x, y), size_px, palette.faint, width_px=room - x)


@lru_cache(maxsize=64)
def _energy(name: str) -> str:
    """Return the energy type of a PuckDex slammer, and an empty text for any other."""
    try:
        return find_slammer(name).type or ""
    except InputError:
        return ""


class CameraControl:
    """The mouse on the views: the wheel zooms; dragging turns the space view, moves the other."""

    def __init__(self) -> None:
        self.cameras = Cameras()
        self._preset = 0
        self._at = (0, 0)
        self._held = ""

    def reset(self) -> None:
        """Show everything again in both views."""
        self.cameras = Cameras()
        self._preset = 0

    def next_space_camera(self) -> str:
        """Switch to the next of `PRESETS`, and return its name."""
        self._preset = (self._preset + 1) % len(PRESETS)
        name, direction = list(PRESETS.values())[self._preset]
        self.cameras = replace(self.cameras, space=direction)
        return name

    def handle(self, event: Event, boxes: Boxes, scene: Scene) -> bool:
        """Handle a mouse event on one of the views; return True if the picture changed."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT_BUTTON:
            self._held = self._view_at(event.pos, boxes)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT_BUTTON:
            self._held = ""
        elif event.type == pygame.MOUSEMOTION:
            self._at = event.pos
            x, y = event.rel
            if self._held == "space":
                # Dragging to the right turns the box to the right, so the camera goes to the left.
                turned = orbit(self.cameras.space, -_ORBIT_RAD_PX * x, _ORBIT_RAD_PX * y)
                self.cameras = replace(self.cameras, space=turned)
            elif self._held:
                scale = top_scale(boxes.top.size, scene, self.cameras.top)
                top = moved(self.cameras.top, -x / scale, y / scale)
                self.cameras = replace(self.cameras, top=top)
            return bool(self._held)
        elif event.type == pygame.MOUSEWHEEL:
            factor, view = _NOTCH**event.y, self._view_at(self._at, boxes)
            if view == "space":
                self.cameras = replace(self.cameras, space=closer(self.cameras.space, factor))
            elif view:
                top, box = self.cameras.top, boxes.top
                scale = top_scale(box.size, scene, top)
                x_px = self._at[0] - box.left - box.width / 2
                y_px = self._at[1] - box.top - box.height / 2
                place = (top.x_mm + x_px / scale, top.y_mm - y_px / scale)
                self.cameras = replace(self.cameras, top=zoom(top, factor, place))
            return bool(view)
        return False

    def _view_at(self, at: tuple[int, int], boxes: Boxes) -> str:
        for view in ("space", "top"):
            if getattr(boxes, view).collidepoint(at):
                return view
        return ""
