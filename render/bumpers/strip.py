"""Lines of moves saved as files: a strip of boards, a film, or a web page to step through.

`export_line` writes a file; its suffix decides the kind. `draw_strip` draws a board for the start
and after each move, `film_frames` yields pictures in which pieces slide and mats turn.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pygame

from render.bumpers.board import (
    LABEL_PX,
    BoardView,
    Moment,
    draw_labels,
    draw_moment,
    moment_of,
)
from render.bumpers.lines import Line, line_moments, line_of
from render.bumpers.motion import final_moment, moment_at
from render.bumpers.page import board_page, line_item
from render.bumpers.sprites import LIGHT_BOARD, BoardPalette
from render.canvas import new_surface, png_bytes, write
from render.movie_files import FILM_SUFFIXES, check_film_extra, film_bytes, gif_bytes
from sim.bumpers import Layout, Position
from sim.bumpers.mats import Slot
from sim.bumpers.solver.solution import LineStep
from sim.core.files import check_writable, named_in_errors, write_whole

SUFFIXES = (".png", *FILM_SUFFIXES, ".html")
"""Suffixes of a strip of boards, of films and of a web page."""

PAUSE_S = 0.8
"""Time for which a film shows the board before each move."""

_FILM_SCALES_PX = (12, 60)
"""Least and greatest width of a space in a film, in pixels."""

_FILM_MARGIN_PX, _FILM_TEXT_PX, _FILM_LINE_PX = 8, 24, 30
"""Margin of a film, and height of its text and of its lines."""

_GIF_FPS, _MP4_FPS = 20.0, 30.0
_GIF_PX, _MP4_PX = 480, 720
"""Approximate width of the board in each kind of film."""

_STRIP_BOARD_PX = 352
"""Approximate width of a board in a strip."""

_STRIP_SCALES_PX = (12, 44)
"""Least and greatest width of a space in a strip, in pixels."""

_STRIP_COLUMNS = 4
"""Boards side by side in a strip."""

_STRIP_GAP_PX, _STRIP_CAPTION_PX, _STRIP_TEXT_PX, _STRIP_LINE_PX = 12, 26, 22, 28
"""Gap between boards of a strip, and heights of its caption, its text and its lines."""


def check_export(field: str, path: Path) -> None:
    """Check, before any work is done, that a line can be saved as a file.

    Raises:
        InputError: The name ends in something else, or the file cannot be written.
        MissingExtraError: The package that writes such files is not installed.
    """
    check_writable(field, path, SUFFIXES)
    if path.suffix.lower() in FILM_SUFFIXES:
        check_film_extra(path)


def export_line(
    path: Path,
    start: Position,
    steps: Sequence[LineStep],
    *,
    caption: str = "",
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Save a line of moves as a strip of boards, a film or a web page, whole or not at all.

    Args:
        path: The file; its suffix decides the kind.
        start: The position before it.
        steps: Its moves.
        caption: Text above the boards.
        palette: The colours.
    """
    line, suffix = line_of(start, steps), path.suffix.lower()
    if suffix == ".png":
        write_whole(path, png_bytes(draw_strip(line, caption=caption, palette=palette)))
        return
    if suffix == ".html":
        page = board_page([line_item(line, caption or "A position")], caption or "Puck Bumpers")
        write_whole(path, page.encode())
        return
    is_gif = suffix == ".gif"
    fps, side_px = (_GIF_FPS, _GIF_PX) if is_gif else (_MP4_FPS, _MP4_PX)
    frames = film_frames(line, side_px=side_px, fps=fps, caption=caption, palette=palette)
    with named_in_errors(path):
        if is_gif:
            data = gif_bytes(frames, fps, palette.page, palette.colours)
        else:
            data = film_bytes(frames, film_size(line, side_px), fps, suffix)
    write_whole(path, data)


def line_view(line: Line, place: tuple[int, int], scale_px: int) -> BoardView:
    """Return the view of a line's board, with its labels, whose top left corner is at a place."""
    west, north, _, _ = line.extent
    return BoardView(
        scale_px=scale_px,
        x_px=round(place[0] + LABEL_PX - scale_px * west),
        y_px=round(place[1] + LABEL_PX - scale_px * north),
    )


def board_size(line: Line, scale_px: int) -> tuple[int, int]:
    """Return the width and height of a line's board with its labels."""
    west, north, east, south = line.extent
    return (
        round(scale_px * (east - west)) + 2 * LABEL_PX,
        round(scale_px * (south - north)) + 2 * LABEL_PX,
    )


def fitted_scale(line: Line, side_px: int, accepted: tuple[int, int]) -> int:
    """Return the width of a space for a board of about a given width, within accepted limits."""
    west, north, east, south = line.extent
    return min(max(int(side_px / max(east - west, south - north)), accepted[0]), accepted[1])


def draw_labelled(
    surface: pygame.Surface,
    view: BoardView,
    moment: Moment,
    names: tuple[Layout, Slot],
    palette: BoardPalette,
) -> None:
    """Draw a moment, and the names of rows and columns around it.

    Args:
        surface: The surface to draw on.
        view: Place of the board on it.
        moment: The moment.
        names: The layout that is named, and the slot of the picture that is its slot (0, 0).
        palette: The colours.
    """
    draw_labels(surface, view, *names, palette=palette)
    draw_moment(surface, view, moment, palette=palette)


def film_size(line: Line, side_px: int) -> tuple[int, int]:
    """Return the width and height of a film, even numbers, for a board of about a given width."""
    width, height = board_size(line, fitted_scale(line, side_px, _FILM_SCALES_PX))
    height += 2 * _FILM_LINE_PX
    return width + 2 * _FILM_MARGIN_PX + width % 2, height + 2 * _FILM_MARGIN_PX + height % 2


def film_frames(
    line: Line,
    *,
    side_px: int,
    fps: float,
    caption: str = "",
    palette: BoardPalette = LIGHT_BOARD,
) -> Iterator[pygame.Surface]:
    """Draw the frames of a film, one after another on the same surface.

    Args:
        line: The line.
        side_px: Approximate width of the board.
        fps: Frames a second.
        caption: A line above the board.
        palette: The colours.
    """
    surface = new_surface(*film_size(line, side_px))
    scale_px = fitted_scale(line, side_px, _FILM_SCALES_PX)
    view = line_view(line, (_FILM_MARGIN_PX, _FILM_MARGIN_PX + 2 * _FILM_LINE_PX), scale_px)
    for text, moment, names in _film_moments(line, fps):
        surface.fill(palette.page.background)
        for row, words in enumerate((caption, text)):
            write(
                surface,
                words,
                (_FILM_MARGIN_PX, _FILM_MARGIN_PX + (row + 0.5) * _FILM_LINE_PX),
                _FILM_TEXT_PX,
                palette.page.text if row else palette.page.faint,
                width_px=surface.get_width() - 2 * _FILM_MARGIN_PX,
            )
        draw_labelled(surface, view, moment, names, palette)
        yield surface


def _film_moments(line: Line, fps: float) -> Iterator[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Yield the text, the moment and the layout to be named, for each frame."""
    still = moment_of(line.start)
    names: tuple[Layout, Slot] = (line.start.layout, (0, 0))
    pause = max(round(PAUSE_S * fps), 1)
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        words = f"{number}. {text}"
        for _ in range(pause):
            yield words, still, names
        for frame in range(1, int(motion.duration_s * fps) + 1):
            yield words, moment_at(motion, frame / fps), names
        still, names = final_moment(motion), (motion.after.layout, motion.origin_after)
    words = f"{len(line.texts)}. {line.texts[-1]}" if line.texts else "start"
    yield words, still, names


def draw_strip(
    line: Line, *, caption: str = "", palette: BoardPalette = LIGHT_BOARD
) -> pygame.Surface:
    """Return a picture with a board for the position and after each move.

    Each board shows the trails of the pieces that moved and marks the mats that did.

    Args:
        line: The line.
        caption: A line above the boards.
        palette: The colours.
    """
    moments = line_moments(line)
    scale_px = fitted_scale(line, _STRIP_BOARD_PX, _STRIP_SCALES_PX)
    width, height = board_size(line, scale_px)
    across = min(len(moments), _STRIP_COLUMNS)
    first = _STRIP_GAP_PX + (_STRIP_LINE_PX + _STRIP_GAP_PX // 2 if caption else 0)
    down = math.ceil(len(moments) / across)
    strip = new_surface(
        _STRIP_GAP_PX + across * (width + _STRIP_GAP_PX),
        first + down * (_STRIP_LINE_PX + height + _STRIP_GAP_PX),
    )
    strip.fill(palette.page.background)
    room = strip.get_width() - 2 * _STRIP_GAP_PX
    if caption:
        place = (_STRIP_GAP_PX, _STRIP_GAP_PX + _STRIP_LINE_PX / 2)
        words = palette.page.text
        write(strip, caption, place, _STRIP_CAPTION_PX, words, width_px=room)
    for number, (text, moment, names) in enumerate(moments):
        x = _STRIP_GAP_PX + number % across * (width + _STRIP_GAP_PX)
        y = first + number // across * (_STRIP_LINE_PX + height + _STRIP_GAP_PX)
        write(
            strip,
            text,
            (x + width / 2, y + _STRIP_LINE_PX / 2),
            _STRIP_TEXT_PX,
            palette.page.text,
            align="centre",
        )
        view = line_view(line, (x, y + _STRIP_LINE_PX), scale_px)
        draw_labelled(strip, view, moment, names, palette)
    return strip
