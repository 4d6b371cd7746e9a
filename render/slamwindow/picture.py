"""The picture of the slam window: its layout, the text around the views, and their cameras.

`boxes_of` lays the window out; `draw_header`, `Views` and `draw_status` fill the boxes. The view in
space is the main one, with the side view and the top view beside it. `CameraControl`
turns, zooms and moves them with the mouse.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import pygame
from pygame.event import Event

from physics import InputError, Scene
from render.canvas import (
    SMALLEST_TEXT_PX,
    Layer,
    draw_energy,
    draw_quick_shapes,
    text_width,
    write,
)
from render.palette import Palette
from render.slams.camera3d import (
    FROM_ABOVE,
    FROM_SIDE,
    OVERVIEW,
    Camera3D,
    close_to,
    closer,
    following,
    orbited,
)
from render.slams.frame import draw_space, state_text, time_text, write_legend
from render.slams.geometry import WHOLE, Camera, Projection, moved, zoomed
from render.slams.motion import BestFlip, Moment, moment_at
from render.slams.playback import Playback, pace_text
from render.slams.poses import pose_of
from render.slams.side_view import draw_side_view, followed, side_height_px, side_projection
from render.slams.top_view import draw_top_view, top_projection
from render.slamwindow.ghosts import Ghost, Watched, draw_ghosts
from render.viewer import Size, cut, padded, words_px
from sim.pokepucks.design_file import find_slammer
from sim.slam_text import describe_slam

_HEADER, _STATUS, _SCRUB, _BUTTONS = 3.0, 1.7, 1.5, 2.0
"""Heights of the rows, in heights of text."""

_AIM = 11.0
"""Width of the button that sets up a throw, in heights of text."""

_WIDE = 1.25
"""Smallest width of the window, relative to its height, for views side by side."""

_INSET = 0.3
"""Largest width of the side view and the top view beside the main one, relative to the window."""

_ORBIT_RAD_PX = 0.007
"""Angle that the camera in space turns for a pixel that it is dragged."""

SPACE_CAMERAS = (
    ("camera that follows the pieces", OVERVIEW, True),
    ("whole box", OVERVIEW, False),
    ("from above", FROM_ABOVE, False),
    ("from the side", FROM_SIDE, False),
)
"""Cameras in space to choose from: name, camera, and if it follows the pieces."""

_NOTCH = 1.25
"""Factor of the zoom for one notch of the wheel."""

_LEFT_BUTTON = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Layout of the window, in pixels.

    Attributes:
        words_px: Height of text.
        header: Slammer, throw and count.
        space: The view in space; empty while a throw is aimed.
        legend: The meaning of the colours of the side view and the top view.
        side: The side view.
        top: The top view.
        status: Time, pace and outcome.
        scrub: The scrub bar.
        buttons: The buttons.
        aim: The button that sets up a throw.
    """

    words_px: int
    header: pygame.Rect
    space: pygame.Rect
    legend: pygame.Rect
    side: pygame.Rect
    top: pygame.Rect
    status: pygame.Rect
    scrub: pygame.Rect
    buttons: pygame.Rect
    aim: pygame.Rect


def boxes_of(size: Size, *, is_aiming: bool = False) -> Boxes:
    """Return the layout of a window of a size, to watch slams or to aim a throw."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    buttons, rest = cut(rest, "bottom", _BUTTONS * words, gap=gap)
    aim, buttons = cut(buttons, "right", min(_AIM * words, buttons.width / 4), gap=gap)
    scrub, rest = cut(rest, "bottom", _SCRUB * words, gap=gap / 2)
    status, rest = cut(rest, "bottom", _STATUS * words, gap=gap / 2)
    is_wide = rest.width >= _WIDE * rest.height
    space = legend = pygame.Rect(rest.topleft, (0, 0))
    if is_aiming and is_wide:
        top, side = cut(rest, "right", min(rest.height, rest.width / 2), gap=gap)
    elif is_aiming:
        side, top = cut(rest, "top", rest.height * 0.45, gap=gap)
    elif is_wide:
        insets, space = cut(rest, "right", min(0.52 * rest.height, _INSET * rest.width), gap=gap)
        legend, insets = cut(insets, "top", 1.1 * words)
        top, side = cut(insets, "bottom", insets.width, gap=gap)
    else:
        insets, space = cut(rest, "bottom", 0.3 * rest.height, gap=gap / 2)
        legend, space = cut(space, "bottom", 1.1 * words, gap=gap / 2)
        top, side = cut(insets, "right", min(insets.height, insets.width / 2), gap=gap)
    return Boxes(
        words_px=words,
        header=header,
        space=space,
        legend=legend,
        side=side,
        top=top,
        status=status,
        scrub=scrub,
        buttons=buttons,
        aim=aim,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cameras:
    """The cameras of the views.

    Attributes:
        side: Camera of the side view.
        top: Camera of the top view.
        space: Camera in space.
        follows: True if the camera in space follows the pieces.
    """

    side: Camera = WHOLE
    top: Camera = WHOLE
    space: Camera3D = OVERVIEW
    follows: bool = True

    def space_at(self, moment: Moment) -> Camera3D:
        """Return the camera in space at a moment."""
        if not self.follows:
            return self.space
        return following(self.space, moment.reach_mm, moment.time_s)


def draw_header(
    surface: pygame.Surface,
    boxes: Boxes,
    watched: Watched,
    count: str,
    palette: Palette,
) -> None:
    """Write slammer and throw; on the right the throw's origin and engine, and the count so far."""
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


class Views:
    """The views of a window, of which only those that changed are drawn again.

    While a slam is playing, the side view and the top view are drawn in turn, one in each frame.
    """

    def __init__(self) -> None:
        self._space, self._side, self._top, self._legend = Layer(), Layer(), Layer(), Layer()
        self._is_sides_turn = False

    def draw(
        self,
        surface: pygame.Surface,
        boxes: Boxes,
        shown: "Shown",
        playback: Playback,
        palette: Palette,
    ) -> None:
        """Draw all views.

        Args:
            surface: The window.
            boxes: Its layout.
            shown: The slam, its cameras, and all else that is in the picture.
            playback: The time.
            palette: The colours.
        """
        moment = moment_at(playback.motion, playback.time_s)
        scene, outcome = shown.watched.replay.scene, shown.watched.replay.outcome
        cameras = shown.cameras
        facts, time_s = (shown.number, palette), playback.time_s

        def draw_main() -> None:
            part = surface.subsurface(boxes.space)
            if shown.ghosts and shown.flip is None:
                draw_ghosts(
                    part,
                    shown.watched,
                    playback.motion,
                    shown.ghosts,
                    playback.time_s,
                    cameras.space,
                    palette,
                    follows=cameras.follows,
                )
            elif shown.flip is not None:
                _draw_flip(part, scene, moment, shown.flip, cameras, palette)
            else:
                camera = cameras.space_at(moment)
                draw_space(part, scene, moment, outcome, palette, camera, is_smooth=False)

        if playback.playing:
            draw_main()
        else:
            more = (cameras.space, cameras.follows, len(shown.ghosts), shown.flip)
            self._space.draw(surface, boxes.space, (*facts, more), draw_main, time_s=time_s)
        self._is_sides_turn = not self._is_sides_turn
        self._side.draw(
            surface,
            boxes.side,
            (*facts, cameras.side),
            lambda: draw_side_view(
                surface.subsurface(boxes.side),
                scene,
                moment,
                camera=cameras.side,
                palette=palette,
                draw=draw_quick_shapes,
            ),
            time_s=time_s,
            may_wait=playback.playing and not self._is_sides_turn,
        )
        self._top.draw(
            surface,
            boxes.top,
            (*facts, cameras.top),
            lambda: draw_top_view(
                surface.subsurface(boxes.top),
                scene,
                moment,
                outcome=outcome,
                camera=cameras.top,
                palette=palette,
                draw=draw_quick_shapes,
            ),
            time_s=time_s,
            may_wait=playback.playing and self._is_sides_turn,
        )
        self._draw_legend(surface, boxes, shown, palette)

    def _draw_legend(
        self, surface: pygame.Surface, boxes: Boxes, shown: "Shown", palette: Palette
    ) -> None:
        box, scene = boxes.legend, shown.watched.replay.scene
        size_px = min(round(0.8 * boxes.words_px), box.width // 19)
        if size_px < SMALLEST_TEXT_PX:
            return

        def draw() -> None:
            surface.fill(palette.background, box)
            write_legend(surface, scene, (box.left, box.centery), size_px, palette)

        self._legend.draw(surface, box, (scene.slammer, palette), draw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A slam in the window, and all else that is in the picture but its time.

    Attributes:
        number: Another number for each slam that is shown.
        watched: The slam.
        cameras: The cameras.
        ghosts: Its ghosts, if they are shown, as far as they have been computed.
        flip: The flip that is shown again; None while the whole slam is.
    """

    number: int
    watched: Watched
    cameras: Cameras
    ghosts: Sequence[Ghost] = ()
    flip: BestFlip | None = None


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


def _draw_flip(
    surface: pygame.Surface,
    scene: Scene,
    moment: Moment,
    flip: BestFlip,
    cameras: Cameras,
    palette: Palette,
) -> None:
    """Draw a moment of the best flip from nearby, with a line about it."""
    centre = pose_of(scene, moment).centre_mm[flip.place]
    camera = close_to(cameras.space_at(moment), centre)
    draw_space(surface, scene, moment, None, palette, camera, marked=flip.place, is_smooth=False)
    width, height = surface.get_size()
    size_px = max(round(height / 20), SMALLEST_TEXT_PX)
    for shift, colour in ((2, palette.background), (0, palette.accent)):
        write(
            surface,
            flip_text(flip),
            (width / 2 + shift, size_px + shift),
            size_px=size_px,
            colour=colour,
            align="centre",
            width_px=width - size_px,
        )


def draw_status(
    surface: pygame.Surface,
    boxes: Boxes,
    watched: Watched,
    playback: Playback,
    moment: Moment,
    message: str,
    palette: Palette,
) -> None:
    """Write time, pace, engine and the number of pieces face up; at the end the slam's result."""
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
        note += f"    {replay.engine} engine"
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
    """The mouse on the views: the wheel zooms; dragging turns the one in space, moves the others.

    Attributes:
        cameras: The cameras of the views.
    """

    def __init__(self) -> None:
        self.cameras = Cameras()
        self._preset = 0
        self._at = (0, 0)
        self._held = ""

    def reset(self) -> None:
        """Show everything again in all views."""
        self.cameras = Cameras()
        self._preset = 0

    def next_space_camera(self) -> str:
        """Switch to the next of `SPACE_CAMERAS`, and return its name."""
        self._preset = (self._preset + 1) % len(SPACE_CAMERAS)
        name, camera, follows = SPACE_CAMERAS[self._preset]
        self.cameras = replace(self.cameras, space=camera, follows=follows)
        return name

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
        if self._held == "space":
            # Dragging to the right turns the box to the right, so the camera goes to the left.
            turned = orbited(self.cameras.space, -_ORBIT_RAD_PX * by[0], _ORBIT_RAD_PX * by[1])
            self.cameras = replace(self.cameras, space=turned)
            return True
        to = self._projection(self._held, boxes, scene, moment)
        camera = getattr(self.cameras, self._held)
        self._set(self._held, moved(camera, -by[0] / to.scale, by[1] / to.scale))
        return True

    def _zoom(self, factor: float, boxes: Boxes, scene: Scene, moment: Moment) -> bool:
        view = self._view_at(self._at, boxes)
        if not view:
            return False
        if view == "space":
            self.cameras = replace(self.cameras, space=closer(self.cameras.space, factor))
            return True
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
        if view == "side":
            self.cameras = replace(self.cameras, side=camera)
        else:
            self.cameras = replace(self.cameras, top=camera)

    def _view_at(self, at: tuple[int, int], boxes: Boxes) -> str:
        for view in ("space", "side", "top"):
            if getattr(boxes, view).collidepoint(at):
                return view
        return ""


def _air(boxes: Boxes) -> tuple[int, int]:
    """Return the size of the part of the side view above its floor."""
    return boxes.side.width, side_height_px(boxes.side.height)
