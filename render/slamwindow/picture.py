"""The picture of the slam window: its layout, the text around the two views, and their cameras.

`boxes_of` lays the window out; `draw_header`, `draw_views` and `draw_status` fill the boxes.
`CameraControl` zooms with the wheel and moves by dragging.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame
from pygame.event import Event

from physics import InputError, Scene
from render.canvas import draw_energy, text_width, write
from render.palette import Palette
from render.slams.frame import state_text, time_text, write_legend
from render.slams.geometry import WHOLE, Camera, Projection, moved, zoomed
from render.slams.motion import Moment
from render.slams.playback import Playback, pace_text
from render.slams.side_view import draw_side_view, followed, side_height_px, side_projection
from render.slams.top_view import draw_top_view, top_projection
from render.slamwindow.ghosts import (
    Ghost,
    Watched,
    draw_ghost_list,
    draw_ghosts_from_above,
    draw_ghosts_from_side,
)
from render.viewer import Size, cut, padded, words_px
from sim.pokepucks.design_file import find_slammer
from sim.slam_text import describe_slam

_HEADER, _STATUS, _SCRUB, _BUTTONS = 3.0, 1.7, 1.5, 2.0
"""Heights of the rows, in heights of text."""

_AIM = 11.0
"""Width of the button that sets up a throw, in heights of text."""

_WIDE = 1.25
"""Smallest width of the window, relative to its height, for views side by side."""

_NOTCH = 1.25
"""Factor of the zoom for one notch of the wheel."""

_LEFT_BUTTON = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Layout of the window, in pixels.

    Attributes:
        words_px: Height of text.
        header: Slammer, throw and count.
        side: The side view.
        top: The top view.
        status: Time, pace and outcome.
        scrub: The scrub bar.
        buttons: The buttons.
        aim: The button that sets up a throw.
    """

    words_px: int
    header: pygame.Rect
    side: pygame.Rect
    top: pygame.Rect
    status: pygame.Rect
    scrub: pygame.Rect
    buttons: pygame.Rect
    aim: pygame.Rect


def boxes_of(size: Size) -> Boxes:
    """Return the layout of a window of a size."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    aim, buttons = cut(buttons, "right", min(_AIM * words, buttons.width / 4), gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    status, rest = cut(rest, "bottom", _STATUS * words, gap=gap / 2)
    if rest.width >= _WIDE * rest.height:
        top, side = cut(rest, "right", min(rest.height, rest.width / 2), gap=gap)
    else:
        side, top = cut(rest, "top", rest.height * 0.45, gap=gap)
    return Boxes(
        words_px=words,
        header=header,
        side=side,
        top=top,
        status=status,
        scrub=scrub,
        buttons=buttons,
        aim=aim,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cameras:
    """The cameras of the two views."""

    side: Camera = WHOLE
    top: Camera = WHOLE


def draw_header(
    surface: pygame.Surface,
    boxes: Boxes,
    watched: Watched,
    count: str,
    palette: Palette,
) -> None:
    """Write slammer and throw; on the right the origin of the throw and the count so far."""
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
    size = f"{slammer.thickness_mm:g} mm thick"
    size = size if watched.name == mass else f"{mass}, {size}"
    place = (x + size_px / 2, first + 0.2 * size_px)
    write(surface, size, place, size_px=size_px, colour=palette.faint)
    sentence = describe_slam(
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
    """Draw both views of a moment, with the ghosts on top."""
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
    playback: Playback,
    moment: Moment,
    message: str,
    palette: Palette,
) -> None:
    """Write time, pace and the number of pieces face up; at the end the result of the slam."""
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
        note = describe_slam(watched.name, replay.scene, replay.throw, replay.outcome).splitlines()[
            1
        ]
    else:
        note = pace_text(playback.slower, playback.pace) or f"{playback.slower:.0f} times slower"
        note += "" if playback.playing else "    paused"
    write(surface, note, (x, y), size_px=size_px, colour=palette.faint, width_px=room - x)


@lru_cache(maxsize=64)
def _energy(name: str) -> str:
    """Return the energy type of a PuckDex slammer, and an empty text for any other."""
    try:
        return find_slammer(name).type or ""
    except InputError:
        return ""


class CameraControl:
    """The mouse on the two views: the wheel zooms, dragging moves.

    Attributes:
        cameras: The cameras of both views.
    """

    def __init__(self) -> None:
        self.cameras = Cameras()
        self._at = (0, 0)
        self._held = ""

    def reset(self) -> None:
        """Show everything in both views."""
        self.cameras = Cameras()

    def handle(self, event: Event, boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        """Handle a mouse event on one of the views; return True if the picture changed."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT_BUTTON:
            self._held = self._view_at(event.pos, boxes)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT_BUTTON:
            self._held = ""
        elif event.type == pygame.MOUSEMOTION:
            self._at = event.pos
            return self._drag(event.rel, boxes, scene, moment)
        elif event.type == pygame.MOUSEWHEEL:
            return self._zoom(_NOTCH**event.y, boxes, scene, moment)
        return False

    def _drag(self, by: tuple[int, int], boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        if not self._held:
            return False
        to = self._projection(self._held, boxes, scene, moment)
        camera = getattr(self.cameras, self._held)
        self._set(self._held, moved(camera, -by[0] / to.scale, by[1] / to.scale))
        return True

    def _zoom(self, factor: float, boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        view = self._view_at(self._at, boxes)
        if not view:
            return False
        box = getattr(boxes, view)
        to = self._projection(view, boxes, scene, moment)
        x_mm, y_mm = to.place((self._at[0] - box.left, self._at[1] - box.top))
        camera = getattr(self.cameras, view)
        if view == "side" and camera == WHOLE:
            camera = followed(_air(boxes), scene, moment)
        self._set(view, zoomed(camera, factor, (x_mm, y_mm)))
        return True

    def _projection(self, view: str, boxes: Boxes, scene: Scene, moment: Moment) -> Projection:
        if view == "side":
            return side_projection(_air(boxes), scene, moment, self.cameras.side)
        return top_projection(boxes.top.size, scene, self.cameras.top)

    def _set(self, view: str, camera: Camera) -> None:
        side, top = self.cameras.side, self.cameras.top
        if view == "side":
            self.cameras = Cameras(side=camera, top=top)
        else:
            self.cameras = Cameras(side=side, top=camera)

    def _view_at(self, at: tuple[int, int], boxes: Boxes) -> str:
        for view in ("side", "top"):
            if getattr(boxes, view).collidepoint(at):
                return view
        return ""


def _air(boxes: Boxes) -> tuple[int, int]:
    """Return the size of the part of the side view above its floor."""
    return boxes.side.width, side_height_px(boxes.side.height)
