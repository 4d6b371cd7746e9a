"""Slams in space with OpenGL: the web page's shaders and meshes, in a window or without one.

An `OpenGL` holds a context and all that is in it. Its `draw` fills a surface with views, each in
its own box; `show` draws them and panels over them into a window.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import moderngl
import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect, Surface

from pucklab.base.facts import fact
from pucklab.physics import Arena, Scene
from pucklab.render.palette import Palette, Rgb
from pucklab.render.slams.camera3d import WALL_MM, Camera3D, axes_of, view_matrix
from pucklab.render.slams.looks import (
    ART_PX,
    MOST_CONTACTS,
    PANELS,
    PROGRAMS,
    SUN,
    WALL_CORNERS,
    box_mesh,
    disc_mesh,
    face_art,
    piece_looks,
    shaders,
)
from pucklab.render.slams.motion import Moment

Floats = NDArray[np.float32]

SAMPLES = 4
"""Samples of a pixel, for smooth edges."""

_HEADER = "#version 330\n"
_SHADOW_PX = 2048
_RASTERISERS = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software", "gdi generic")
"""Parts of the names of OpenGL without a graphics card."""

_LAYOUTS = {
    "disc": (("aShape", "4f"), ("aNormal", "2f")),
    "piece": (("iPlace", "4f"), ("iTurn", "4f"), ("iLook", "4f"), ("iGlow", "4f")),
    "box": (("aPlace", "3f"), ("aNormal", "3f"), ("aWood", "3f")),
}
"""Names and sizes of what the buffers hold."""


@fact
class SpaceView:
    """A moment of a slam in space, as a camera sees it."""

    scene: Scene
    moment: Moment
    camera: Camera3D
    glow: tuple[tuple[int, Rgb, float], ...] = ()  # pieces by index, colour and strength of light
    is_moving: bool = False  # another moment follows at once; a window need not smooth this one
    faces: tuple[str, ...] = ()  # of the stack's pieces, as `piece_looks` takes them


Views = Sequence[tuple[Rect, SpaceView]]
"""Views, and the part of a picture that each fills."""


class OpenGLError(Exception):
    """OpenGL 3.3 is not there, or has stopped; the message is the reason in a few words."""


class OpenGL:
    """OpenGL 3.3 with the programs, meshes and pictures of slams."""

    def __init__(self, *, in_window: bool = False) -> None:
        """Use the context of the window that is open, or make one without a window.

        Raises:
            OpenGLError: There is none.
        """
        self.name = ""
        self._panels: moderngl.Texture | None = None
        try:
            if in_window:
                self.context = moderngl.create_context(require=330)
            else:
                backend: dict[str, Any] = {"backend": "egl"} if sys.platform == "linux" else {}
                self.context = moderngl.create_context(require=330, standalone=True, **backend)
            context = self.context
            with context:
                text = shaders(_HEADER)
                self._programs = {
                    name: context.program(
                        vertex_shader=text[vertex], fragment_shader=text[fragment]
                    )
                    for name, (vertex, fragment) in PROGRAMS.items()
                }
                points, corners = disc_mesh()
                self._disc = context.buffer(points), context.buffer(corners)
                panels = shaders(_HEADER, PANELS)
                over = context.program(
                    vertex_shader=panels["panels.vert"], fragment_shader=panels["panels.frag"]
                )
                self._over = context.vertex_array(over, [])
                self._pieces = context.buffer(reserve=60 * 64, dynamic=True)
                self._shadow = context.depth_texture((_SHADOW_PX, _SHADOW_PX))
                self._shadow.compare_func = "<="
                self._shadow.filter = (moderngl.LINEAR, moderngl.LINEAR)
                self._sunlit = context.framebuffer(depth_attachment=self._shadow)
                self._discs = {
                    name: context.vertex_array(
                        self._programs[name],
                        [_bound("disc", self._disc[0]), _bound("piece", self._pieces, "/i")],
                        self._disc[1],
                        index_element_size=2,
                        skip_errors=True,
                    )
                    for name in ("disc", "halo", "disc_depth")
                }
                self._boxes: dict[Arena, dict[str, moderngl.VertexArray]] = {}
                self._labels: tuple[str, ...] = ()
                self._layers: dict[str, int] = {}
                self._targets: tuple[moderngl.Renderbuffer | moderngl.Framebuffer, ...] = ()
                self._resize((1, 1))
                self.name = str(context.info["GL_RENDERER"])
        except Exception as error:  # drivers fail in many ways
            raise OpenGLError(_first_line(error)) from error
        self.is_rasteriser = any(part in self.name.lower() for part in _RASTERISERS)

    def draw(self, surface: Surface, views: Views, palette: Palette) -> None:
        """Fill a surface with views.

        Raises:
            OpenGLError: The context has stopped.
        """
        size = surface.get_size()
        with self._check_context(), self.context:
            if size != self._size:
                self._resize(size)
            self._render(self._smooth, size, views, palette)
            self.context.copy_framebuffer(self._plain, self._smooth)
            data = self._plain.read(components=3, alignment=1)
        picture = pygame.image.frombuffer(data, size, "RGB")
        surface.blit(pygame.transform.flip(picture, flip_x=False, flip_y=True), (0, 0))

    def show(self, panels: Surface, views: Views, palette: Palette) -> None:
        """Draw views and the panels over them into the window of the context.

        Raises:
            OpenGLError: The context has stopped.
        """
        size, context = panels.get_size(), self.context
        with self._check_context():
            self._render(context.screen, size, views, palette)
            context.screen.viewport = (0, 0, *size)
            texture = self._panels
            if texture is None or texture.size != size:
                self._panels = texture = context.texture(size, 4)
                texture.swizzle = "BGRA"
            texture.write(panels.get_view("1"))
            texture.use(0)
            context.enable_only(moderngl.BLEND)
            context.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
            self._over.render(moderngl.TRIANGLE_STRIP, vertices=4)

    @contextmanager
    def _check_context(self) -> Iterator[None]:
        """Tell failures of the context.

        Raises:
            OpenGLError: The context has stopped.
        """
        try:
            yield
            failure = self.context.error
        except moderngl.Error as error:
            raise OpenGLError(_first_line(error)) from error
        if failure != "GL_NO_ERROR":
            raise OpenGLError(failure)

    def _render(
        self,
        target: moderngl.Framebuffer,
        size: tuple[int, int],
        views: Views,
        palette: Palette,
    ) -> None:
        """Draw views into a framebuffer."""
        self._learn_labels([view for _, view in views])
        target.use()
        target.scissor = (0, 0, *size)
        target.clear(*_linear(palette.background), 1.0, depth=1.0)
        for box, view in views:
            self._draw_view(target, box.move(0, size[1] - 2 * box.top - box.height), view, palette)
        target.scissor = (0, 0, *size)
        target.use()  # the scissor cuts off copies too

    def release(self) -> None:
        """Give back all memory."""
        self.context.release()

    def _resize(self, size: tuple[int, int]) -> None:
        context = self.context
        self._sunlit.use()  # what is in use cannot be released
        for part in self._targets:
            part.release()
        parts = (
            context.renderbuffer(size, 4, samples=SAMPLES),
            context.depth_renderbuffer(size, samples=SAMPLES),
            context.renderbuffer(size, 4),
        )
        self._smooth = context.framebuffer([parts[0]], parts[1])
        self._plain = context.framebuffer([parts[2]])
        self._targets, self._size = (self._smooth, self._plain, *parts), size

    def _learn_labels(self, views: Sequence[SpaceView]) -> None:
        """Have the pictures of all faces ready; a slammer of another mass has another label."""
        looks = {look.face for view in views for look in piece_looks(view.scene, view.faces)}
        if self._layers.keys() >= looks:
            return
        labels = looks - self._layers.keys() - set(face_art(()).layers)
        self._labels = (*self._labels, *sorted(labels))
        art = face_art(self._labels)
        self._layers = {name: number for number, name in enumerate(art.layers)}
        pictures = np.ascontiguousarray(art.rgb)
        size = (ART_PX, ART_PX, len(art.layers))
        self._art = self.context.texture_array(size, 3, pictures.tobytes(), alignment=1)
        self._art.build_mipmaps()
        self._art.anisotropy = 8.0

    def _draw_view(
        self, target: moderngl.Framebuffer, box: Rect, view: SpaceView, palette: Palette
    ) -> None:
        """Draw a view into its box, with rows from below: depths for the sun, then the picture."""
        context, arena = self.context, view.scene.arena
        half = arena.shown_half_mm
        pieces, contacts = self._piece_values(view)
        count = len(pieces)
        self._pieces.orphan(max(pieces.nbytes, self._pieces.size))
        self._pieces.write(pieces)
        if arena not in self._boxes:
            buffer = context.buffer(box_mesh(arena))
            self._boxes[arena] = {
                name: context.vertex_array(
                    self._programs[name], [_bound("box", buffer)], skip_errors=True
                )
                for name in ("box", "table", "box_depth")
            }
        boxes, discs = self._boxes[arena], self._discs
        camera, aspect = view.camera, box.width / box.height
        to_sun = _sun_matrix(half, view.moment)
        eye_mm = camera.eye_mm
        shared: dict[str, Any] = {
            "uView": camera.matrix(aspect).T.astype(np.float32).tobytes(),
            "uToSun": to_sun.T.astype(np.float32).tobytes(),
            "uEye": tuple(eye_mm.tolist()),
            "uPieces": contacts.tobytes(),
            "uCount": min(count, MOST_CONTACTS),
            "uHalf": half,
            "uWall": WALL_MM if arena.box else 0.0,
            "uOut": arena.out_radius_mm or 0.0,
            "uAlpha": 1.0,
            "uTable": _linear(palette.floor),
            "uBackground": _linear(palette.background),
            "uShadow": 0,
            "uArt": 1,
        }
        for name, program in self._programs.items():
            own = {"uView": shared["uToSun"]} if name.endswith("_depth") else {}
            _set(program, shared | own)
        self._sunlit.use()
        context.enable_only(moderngl.DEPTH_TEST)
        self._sunlit.clear(depth=1.0)
        discs["disc_depth"].render(instances=count)
        boxes["box_depth"].render(first=6, vertices=4 * WALL_CORNERS)
        target.use()
        target.viewport = target.scissor = (box.left, box.top, *box.size)
        self._shadow.use(0)
        self._art.use(1)
        # A wall is behind the pieces if the eye is on the inner side of its plane.
        x, y, _ = eye_mm
        before = [side for side, far in enumerate((x, y, -x, -y)) if far >= half]
        target.depth_mask = False  # nothing is below the table
        boxes["table"].render(first=6 + 4 * WALL_CORNERS, vertices=6)
        target.depth_mask = True
        boxes["box"].render(first=0, vertices=6)
        for side in set(range(4)) - set(before):
            boxes["box"].render(first=6 + WALL_CORNERS * side, vertices=WALL_CORNERS)
        discs["disc"].render(instances=count)
        target.depth_mask = False
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE
        discs["halo"].render(instances=count)
        # Walls before the pieces are seen through, as if of glass.
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        for side in before:
            for first, alpha in ((6, 0.10), (12, 0.42)):
                _set(self._programs["box"], {"uAlpha": alpha})
                boxes["box"].render(first=first + WALL_CORNERS * side, vertices=6)
        target.depth_mask = True
        context.disable(moderngl.BLEND)

    def _piece_values(self, view: SpaceView) -> tuple[Floats, Floats]:
        """Return the shaders' values of each piece, (B, 16), and of those below it, (32, 4)."""
        moment, looks = view.moment, piece_looks(view.scene, view.faces)
        values = np.zeros((len(looks), 16), np.float32)
        values[:, :3], values[:, 3] = moment.centre_mm, moment.half_mm
        values[:, 4:8] = moment.orientation[:, [1, 2, 3, 0]]
        values[:, 8:11] = [
            (self._layers[look.face], self._layers[look.back], look.is_metal) for look in looks
        ]
        values[:, 11] = moment.radius_mm
        for index, colour, strength in view.glow:
            values[index, 12:] = *_linear(colour), strength
        # Height of the lowest point of a tilted disc below its centre.
        upright = np.abs(moment.rotation[:, 2, 2])
        sine = np.sqrt(np.maximum(1 - upright**2, 0.0))
        contacts = np.zeros((MOST_CONTACTS, 4), np.float32)
        below = moment.half_mm * upright + moment.radius_mm * sine
        most = min(len(looks), MOST_CONTACTS)
        x, y, z = moment.centre_mm.T
        contacts[:most] = np.column_stack((x, y, z - below, moment.radius_mm))[:most]
        return values, contacts


def _sun_matrix(half_mm: float, moment: Moment) -> NDArray[np.float64]:
    """Return the matrix of the shadow map, which has the box in it and all pieces near it."""
    far = 1.1 * float(np.abs(moment.centre_mm).max()) + float(moment.radius_mm.max())
    reach = max(1.75 * half_mm, min(far, 3 * half_mm))
    x, y, z = SUN
    axes = axes_of(np.arctan2(y, x), np.arctan2(z, np.hypot(x, y)))
    near, far = 5.0, 5 * reach
    seen = np.diag((1 / reach, 1 / reach, 2 / (near - far), 1.0))
    seen[2, 3] = (far + near) / (near - far)
    matrix: NDArray[np.float64] = seen @ view_matrix(axes[2] * 3 * reach, axes)
    return matrix


def _bound(
    layout: str, buffer: moderngl.Buffer, step: str = ""
) -> tuple[moderngl.Buffer, str, *tuple[str, ...]]:
    names, sizes = zip(*_LAYOUTS[layout], strict=True)
    return (buffer, " ".join(sizes) + step, *names)


def _linear(colour: Rgb) -> tuple[float, float, float]:
    red, green, blue = colour
    return red / 255, green / 255, blue / 255


def _set(program: moderngl.Program, values: dict[str, Any]) -> None:
    """Set the uniforms that a program has."""
    for name, value in values.items():
        member = program.get(name, None)
        if isinstance(member, moderngl.Uniform):
            if isinstance(value, bytes):
                member.write(value)
            else:
                member.value = value


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
