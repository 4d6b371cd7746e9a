"""A window and its surface: slams by OpenGL with panels over them, or all in software."""

import sys

import pygame
from pygame import Rect, Surface

from render.palette import Palette
from render.slams.opengl import OpenGL, OpenGLError, SpaceView
from render.slams.space import RENDERER
from render.viewer.layout import Size

_ATTRIBUTES = {
    "GL_CONTEXT_MAJOR_VERSION": 3,
    "GL_CONTEXT_MINOR_VERSION": 3,
    "GL_CONTEXT_PROFILE_MASK": 1,  # the core profile
    "GL_MULTISAMPLEBUFFERS": 1,
    "GL_MULTISAMPLESAMPLES": 4,
    "GL_DEPTH_SIZE": 24,
}


class Screen:
    """A window with OpenGL where it is there and fast enough, and a plain one elsewhere."""

    window: pygame.Window

    def __init__(self) -> None:
        self._opengl: OpenGL | None = None
        self._panels = Surface((1, 1), pygame.SRCALPHA, depth=32)
        self._views: list[tuple[Rect, SpaceView]] = []

    def open(self, title: str, size: Size) -> None:
        """Open the window, and say what draws in it."""
        if RENDERER.suits_window(size):
            RENDERER.use(None)
            try:
                for name, value in _ATTRIBUTES.items():
                    pygame.display.gl_set_attribute(getattr(pygame, name), value)
                self.window = pygame.Window(title, size, resizable=True, opengl=True)
                self._opengl = OpenGL(in_window=True)
                RENDERER.use(self._opengl)
            except (pygame.error, OpenGLError) as error:
                self._leave_opengl(str(error))
        if self._opengl is None:
            self._open_plain(title, size)
        sys.stderr.write(f"{RENDERER.text}\n")

    def _open_plain(self, title: str, size: Size) -> None:
        self.window = pygame.Window(title, size, resizable=True, allow_high_dpi=True)

    @property
    def size(self) -> Size:
        """Width and height in pixels, of which dense screens have more than points."""
        return self.window.size if self._opengl else self.window.get_surface().get_size()

    def surface(self) -> Surface:
        """Return the surface to draw the whole window on."""
        if self._opengl is None:
            surface = self.window.get_surface()
            RENDERER.begin_window(surface)
            return surface
        if self._panels.get_size() != self.size:
            self._panels = Surface(self.size, pygame.SRCALPHA, depth=32)
        self._views.clear()
        RENDERER.begin_window(self._panels, self._views)
        return self._panels

    def show(self, palette: Palette) -> bool:
        """Show what was drawn; return False if it has to be drawn again."""
        if self._opengl is not None:
            try:
                self._opengl.show(self._panels, self._views, palette)
            except OpenGLError as error:
                title, size = self.window.title, self.window.size
                self._leave_opengl(str(error))
                self._open_plain(title, size)
                return False
        self.window.flip()
        return True

    def close(self) -> None:
        """Close the window."""
        RENDERER.begin_window(None)
        if self._opengl is not None:
            RENDERER.use(None)
        self.window.destroy()

    def _leave_opengl(self, reason: str) -> None:
        """Close the window with OpenGL: a plain one follows."""
        RENDERER.fail(reason)
        if hasattr(self, "window"):
            self.window.destroy()
        self._opengl = None
