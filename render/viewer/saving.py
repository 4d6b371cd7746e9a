"""Files and the clipboard: a view as a picture or a film, names for saved files, text to copy.

None of this needs a window, except for the clipboard, which belongs to the window system.
"""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pygame

from physics import InputError
from render.canvas import new_surface, save_png
from render.movie_files import FILM_SUFFIXES, save_movie
from render.palette import LIGHT, Palette, Rgb
from render.viewer.app import View, picture_of
from render.viewer.layout import Size
from sim.core.files import check_writable, free_path, write_whole

_SUFFIXES = (".png", *FILM_SUFFIXES)
"""Suffixes of pictures and films of a view."""


def save_view(
    path: Path,
    view: View,
    *,
    seconds: float,
    fps: float = 25.0,
    size: Size = (960, 600),
    palette: Palette = LIGHT,
    colours: Sequence[Rgb] = (),
) -> None:
    """Save a view as a picture of this moment, or as a film that begins with it.

    The file is written whole or not at all. After a film, the view stays at the film's end.

    Args:
        path: The file to write: a name in ``.png``, ``.gif``, ``.mp4`` or ``.webm``.
        view: The view.
        seconds: Length of a film.
        fps: Frames a second, 1 to 50.
        size: Width and height in pixels, even numbers.
        palette: The colours.
        colours: Further colours that a GIF keeps.

    Raises:
        InputError: The name has another suffix.
        MissingExtraError: A library that such a file needs is not installed.
    """
    check_writable("save", path, _SUFFIXES)
    if path.suffix.lower() == ".png":
        save_png(path, picture_of(view, size, palette=palette))
        return

    def frames() -> Iterator[pygame.Surface]:
        surface = new_surface(*size)
        for _ in range(max(round(seconds * fps), 1)):
            view.draw(surface, palette)
            yield surface
            view.advance(1 / fps)

    save_movie(path, frames(), size, fps, palette, colours=colours)


def save_beside(folder: Path, stem: str, suffix: str, data: bytes) -> str:
    """Write a file beside earlier ones, never over them; return a message about it."""
    path = free_path(folder / f"{stem}{suffix}")
    try:
        check_writable("save", path, (suffix,))
        write_whole(path, data)
    except (InputError, OSError) as error:
        return str(error)
    return f"wrote {path.name}"


def film_suffix() -> str:
    """Return the suffix of films: ``.mp4`` if its library is installed, else ``.gif``."""
    return ".mp4" if find_spec("imageio_ffmpeg") is not None else ".gif"


def copy_text(text: str) -> bool:
    """Put text on the clipboard; return False if there is none. A window must be open."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


def pasted_text() -> str:
    """Return the text on the clipboard, empty if there is none. A window must be open."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""
