"""Slams in space in any picture: with OpenGL where there is one, in software elsewhere.

`draw_space` draws a moment with a light around pieces that flipped, lean or are out, and counts
flips and pieces outside; `RENDERER` chooses the renderer, and names it in a line.
"""

import math
import os
import time
from dataclasses import replace

from pygame import Rect, Surface

from pucklab.physics import Scene, SlamOutcome, puck_stack, puckdex_slammer
from pucklab.render.canvas import new_surface, write_over
from pucklab.render.palette import DARK, Palette
from pucklab.render.slams import software
from pucklab.render.slams.camera3d import FOLLOWING, Camera3D, following
from pucklab.render.slams.motion import Moment, still_moment
from pucklab.render.slams.opengl import OpenGL, OpenGLError, SpaceView, Views
from pucklab.render.slams.outcome_marks import outcome_marks

_LIGHT_UP_S = 0.25
"""Time in which a piece that lights up calms down."""

_SLOWEST_S = 0.03
"""Longest time of a frame in a window for which OpenGL without a graphics card is taken."""


class Renderer:
    """Renderer of slams in space: OpenGL, or software where there is none or it has stopped."""

    def __init__(self) -> None:
        self.wanted = os.environ.get("PUCKLAB_RENDERER", "")  # "gl", "software", or the best
        self._opengl: OpenGL | None = None
        self._failure = ""
        self._window: Surface | None = None
        self._window_views: list[tuple[Rect, SpaceView]] | None = None

    @property
    def text(self) -> str:
        """Name of the renderer in use, in a line."""
        opengl = self.opengl()
        if opengl is not None:
            return f"drawn with OpenGL: {opengl.name}"
        return f"drawn in software{': ' if self._failure else ''}{self._failure}"

    def opengl(self) -> OpenGL | None:
        """Return OpenGL if it is wanted and there, made without a window the first time."""
        if self.wanted == "software" or self._failure:
            return None
        if self._opengl is None:
            try:
                self._opengl = OpenGL()
            except OpenGLError as error:
                self._failure = f"no OpenGL 3.3 ({error})"
        return self._opengl

    def draw(self, surface: Surface, views: Views, palette: Palette) -> None:
        """Fill a surface with views."""
        is_window = self._window is not None and surface.get_abs_parent() is self._window
        if is_window and self._window_views is not None:
            # The window draws them below its panels, which are clear there.
            surface.fill(palette.background)
            for box, view in views:
                surface.fill((0, 0, 0, 0), box)
                self._window_views.append((box.move(surface.get_abs_offset()), view))
            return
        opengl = None if is_window else self.opengl()
        if opengl is not None:
            try:
                opengl.draw(surface, views, palette)
            except OpenGLError as error:
                self.fail(str(error))
            else:
                return
        is_moving = is_window and any(view.is_moving for _, view in views)
        software.draw(surface, views, palette, 1 if is_moving else software.SMOOTH)

    def fail(self, reason: str) -> None:
        """Draw in software from now on."""
        self._failure, self._opengl = f"OpenGL has stopped ({reason})", None

    def use(self, opengl: OpenGL | None) -> None:
        """Use the context of a window from now on, or one without a window again."""
        if self._opengl is not None:
            self._opengl.release()
        self._opengl = opengl

    def begin_window(
        self,
        surface: Surface | None,
        views: list[tuple[Rect, SpaceView]] | None = None,
    ) -> None:
        """Draw into the surface of a window from now on, or collect views for its OpenGL."""
        self._window, self._window_views = surface, views

    def suits_window(self, size: tuple[int, int]) -> bool:
        """Return True if OpenGL is there and fast enough for a window of a size."""
        opengl = self.opengl()
        if opengl is None or self.wanted == "gl" or not opengl.is_rasteriser:
            return opengl is not None
        scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
        moment = still_moment(scene)
        view = space_view(scene, moment, None, following(FOLLOWING, scene.arena, [moment.shot]))
        surface = new_surface(*size)
        for _ in range(2):  # the first one compiles
            begin_s = time.perf_counter()
            opengl.draw(surface, [(surface.get_rect(), view)], DARK)
            taken_s = time.perf_counter() - begin_s
        self._failure = (
            f"{opengl.name} takes {1000 * taken_s:.0f} ms a frame" if taken_s > _SLOWEST_S else ""
        )
        return not self._failure


RENDERER = Renderer()


def draw_space(
    surface: Surface,
    scene: Scene,
    moment: Moment,
    outcome: SlamOutcome | None,
    palette: Palette,
    camera: Camera3D | None = None,
    *,
    is_moving: bool = False,
    faces: tuple[str, ...] = (),
) -> None:
    """Draw a moment in space, with the flips and the pieces outside so far.

    Args:
        surface: The surface to fill.
        scene: The scene.
        moment: The poses of the pieces.
        outcome: Result of the slam: pieces that flipped, lean or left the arena light up as soon as
            they have come to rest.
        palette: The colours.
        camera: The camera; by default one that follows the pieces.
        is_moving: True if another moment follows at once, as in a window that plays a slam.
        faces: Faces of the stack's pieces, as `pucklab.render.slams.looks.piece_looks` takes them.
    """
    width, height = surface.get_size()
    if camera is None:
        camera = following(FOLLOWING, scene.arena, [moment.shot], width / height)
    view = replace(space_view(scene, moment, outcome, camera, is_moving=is_moving), faces=faces)
    RENDERER.draw(surface, [(surface.get_rect(), view)], palette)
    count = count_so_far(moment, outcome) if outcome is not None else ""
    if count:
        size_px = max(round(height / 13), 12)
        colours = palette.flipped if count[0].isdigit() else palette.faint, palette.background
        write_over(surface, count.upper(), 0.7 * size_px, size_px, colours, max(size_px // 22, 1))


def space_view(
    scene: Scene,
    moment: Moment,
    outcome: SlamOutcome | None,
    camera: Camera3D,
    *,
    is_moving: bool = False,
) -> SpaceView:
    """Return a view of a moment; pieces that flipped, lean or are out are lit."""
    marks = {} if outcome is None else outcome_marks(outcome, DARK)
    glow = []
    for index, (_, colour) in marks.items():
        if index in moment.resting:
            # It lights up brightly, then calms down.
            since = 1.0 if moment.at_end else float(moment.rested_s[index]) / _LIGHT_UP_S
            glow.append((index, colour, 0.8 + 0.7 * math.exp(-4 * since)))
    return SpaceView(
        scene=scene, moment=moment, camera=camera, glow=tuple(glow), is_moving=is_moving
    )


def count_so_far(moment: Moment, outcome: SlamOutcome) -> str:
    """Return the numbers of pieces at rest that flipped or are out, in words; may be empty."""
    flips, out = (len(moment.resting.intersection(of)) for of in (outcome.flipped, outcome.out))
    if not (flips or out or moment.at_end):
        return ""
    return flips_text(flips, out) if outcome.hit else "missed"


def flips_text(flips: int, out: int = 0) -> str:
    """Return a number of flips, and of pieces of the stack outside the arena, in words.

    Example:
        >>> flips_text(0), flips_text(1), flips_text(7, 3)
        ('no flips', '1 flip', '7 flips, 3 out')
    """
    flipped = f"{flips or 'no'} flip{'' if flips == 1 else 's'}"
    return f"{flipped}, {out} out" if out else flipped
