"""A line of moves as a file, of the kind that its name asks for.

A line of moves as a film: each piece slides, each mat turns, as in a game.

A line of moves as one picture: the position, and the board after each move.

A line of moves in pictures: what is common to strips and films.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from physics.errors import require_extra
from render.bumpers.board import (
    LABEL_PX,
    BoardView,
    Extent,
    Moment,
    draw_labels,
    draw_moment,
    extent_of,
    moment_of,
)
from render.bumpers.motion import MATS_S, Motion, final_moment, moment_at, motion_of
from render.bumpers.sprites import LIGHT_BOARD, BoardPalette
from render.canvas import new_surface, png_bytes, write
from render.movie_files import gif_bytes, mp4_bytes
from sim.bumpers import Layout, Position
from sim.bumpers.mats import Slot
from sim.bumpers.solver.solution import LineStep
from sim.core.files import check_writable, write_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of moves on its trail; build it with `line_of`.

    Attributes:
        start: The position before it.
        texts: The moves' texts.
        motions: The moves on their trail, one where the one before has ended.
        extent: All that mats cover from its beginning to its end.
    """

    start: Position
    texts: tuple[str, ...]
    motions: tuple[Motion, ...]
    extent: Extent


def line_of(start: Position, steps: Sequence[LineStep]) -> Line:
    """Return a line on its trail.

    Args:
        start: The position before it.
        steps: Its moves; none for a picture of the position alone.
    """
    motions: list[Motion] = []
    origin: Slot = (0, 0)
    for step in steps:
        motions.append(motion_of(step.before, step.after, step.change.movements, origin))
        origin = motions[-1].origin_after
    halfway = [moment_at(motion, MATS_S / 2) for motion in motions]
    ends = [moment_of(motion.after, motion.origin_after) for motion in motions]
    return Line(
        start=start,
        texts=tuple(step.text for step in steps),
        motions=tuple(motions),
        extent=extent_of([moment_of(start), *halfway, *ends]),
    )


def line_view(line: Line, place: tuple[int, int], scale_px: int) -> BoardView:
    """Return the view of a line's board whose names of squares begin at a place."""
    west, north, _, _ = line.extent
    return BoardView(
        scale_px=scale_px,
        x_px=round(place[0] + LABEL_PX - scale_px * west),
        y_px=round(place[1] + LABEL_PX - scale_px * north),
    )


def board_size(line: Line, scale_px: int) -> tuple[int, int]:
    """Return the width and height of a line's board with the names of its squares."""
    west, north, east, south = line.extent
    return (
        round(scale_px * (east - west)) + 2 * LABEL_PX,
        round(scale_px * (south - north)) + 2 * LABEL_PX,
    )


def fitted_scale(line: Line, side_px: int, accepted: tuple[int, int]) -> int:
    """Return the pixels of a space for a board of about some pixels, within what is accepted."""
    west, north, east, south = line.extent
    return min(max(int(side_px / max(east - west, south - north)), accepted[0]), accepted[1])


def draw_labelled(
    surface: pygame.Surface,
    view: BoardView,
    moment: Moment,
    names: tuple[Layout, Slot],
    palette: BoardPalette,
) -> None:
    """Draw a moment, and the names of a layout's squares around it.

    Args:
        surface: Where to.
        view: Where the board is on it.
        moment: What lies where.
        names: The layout, and where its slot (0, 0) is.
        palette: The colours.
    """
    draw_labels(surface, view, *names, palette=palette)
    draw_moment(surface, view, moment, palette=palette)


PAUSE_S = 0.8
"""How long the board is shown before a move, and after the last."""

_SCALES_PX = (12, 60)
_MARGIN_PX = 8
_WORDS_PX = 24
_LINE_PX = 30


def film_size(line: Line, side_px: int) -> tuple[int, int]:
    """Return the width and height of a film, even numbers, for a board of about some pixels."""
    width, height = board_size(line, fitted_scale(line, side_px, _SCALES_PX))
    height += 2 * _LINE_PX
    return width + 2 * _MARGIN_PX + width % 2, height + 2 * _MARGIN_PX + height % 2


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
        side_px: About how large the board is.
        fps: Frames a second.
        caption: A line above the board.
        palette: The colours.
    """
    surface = new_surface(*film_size(line, side_px))
    scale_px = fitted_scale(line, side_px, _SCALES_PX)
    view = line_view(line, (_MARGIN_PX, _MARGIN_PX + 2 * _LINE_PX), scale_px)
    for text, moment, names in _shots(line, fps):
        surface.fill(palette.page.background)
        for row, words in enumerate((caption, text)):
            write(
                surface,
                words,
                (_MARGIN_PX, _MARGIN_PX + (row + 0.5) * _LINE_PX),
                size_px=_WORDS_PX,
                colour=palette.page.text if row else palette.page.faint,
                width_px=surface.get_width() - 2 * _MARGIN_PX,
            )
        draw_labelled(surface, view, moment, names, palette)
        yield surface


def _shots(line: Line, fps: float) -> Iterator[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Yield the words, the moment and what names the squares, of each frame."""
    still = moment_of(line.start)
    names: tuple[Layout, Slot] = (line.start.layout, (0, 0))
    pause = max(round(PAUSE_S * fps), 1)
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        told = f"{number}. {text}"
        for _ in range(pause):
            yield told, still, names
        for frame in range(1, int(motion.duration_s * fps) + 1):
            yield told, moment_at(motion, frame / fps), names
        still, names = final_moment(motion), (motion.after.layout, motion.origin_after)
    told = f"{len(line.texts)}. {line.texts[-1]}" if line.texts else "start"
    yield told, still, names


_BOARD_PX = 352
_SCALES_PX_STRIP = (12, 44)
_IN_A_ROW = 4
_GAP_PX = 12
_TITLE_PX = 26
_WORDS_PX_STRIP = 22
_LINE_PX_STRIP = 28


def draw_strip(
    line: Line, *, caption: str = "", palette: BoardPalette = LIGHT_BOARD
) -> pygame.Surface:
    """Return a picture with a board for the position and after each move.

    The trail of each piece that moved is drawn, and the rim of each mat that did.

    Args:
        line: The line.
        caption: A line above the boards.
        palette: The colours.
    """
    panels = _panels(line)
    scale_px = fitted_scale(line, _BOARD_PX, _SCALES_PX_STRIP)
    width, height = board_size(line, scale_px)
    across = min(len(panels), _IN_A_ROW)
    first = _GAP_PX + (_LINE_PX_STRIP + _GAP_PX // 2 if caption else 0)
    down = math.ceil(len(panels) / across)
    strip = new_surface(
        _GAP_PX + across * (width + _GAP_PX), first + down * (_LINE_PX_STRIP + height + _GAP_PX)
    )
    strip.fill(palette.page.background)
    room = strip.get_width() - 2 * _GAP_PX
    if caption:
        place = (_GAP_PX, _GAP_PX + _LINE_PX_STRIP / 2)
        words = palette.page.text
        write(strip, caption, place, size_px=_TITLE_PX, colour=words, width_px=room)
    for number, (text, moment, names) in enumerate(panels):
        x = _GAP_PX + number % across * (width + _GAP_PX)
        y = first + number // across * (_LINE_PX_STRIP + height + _GAP_PX)
        write(
            strip,
            text,
            (x + width / 2, y + _LINE_PX_STRIP / 2),
            size_px=_WORDS_PX_STRIP,
            colour=palette.page.text,
            align="centre",
        )
        view = line_view(line, (x, y + _LINE_PX_STRIP), scale_px)
        draw_labelled(strip, view, moment, names, palette)
    return strip


def _panels(line: Line) -> list[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Return the words, the moment and what names the squares, of each board."""
    panels = [("start", moment_of(line.start), (line.start.layout, (0, 0)))]
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        names = (motion.after.layout, motion.origin_after)
        panels.append((f"{number}. {text}", final_moment(motion), names))
    return panels


SUFFIXES = (".png", ".gif", ".mp4")
"""A strip of boards, two kinds of films."""

_GIF_FPS, _MP4_FPS = 20.0, 30.0
_GIF_PX, _MP4_PX = 480, 720


def check_export(field: str, path: Path) -> None:
    """Check, before any work is done, that a line can be saved as a file.

    Raises:
        InputError: The name ends in something else, or the file cannot be written.
        MissingExtraError: What writes such files is not installed.
    """
    check_writable(field, path, SUFFIXES)
    suffix = path.suffix.lower()
    if suffix == ".gif":
        require_extra("plot", "PIL")
    elif suffix == ".mp4":
        require_extra("video", "imageio_ffmpeg")


def export_line(
    path: Path,
    start: Position,
    steps: Sequence[LineStep],
    *,
    caption: str = "",
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Save a line of moves as a strip of boards or as a film; whole or not at all.

    Args:
        path: Where to; its suffix says as what.
        start: The position before it.
        steps: Its moves.
        caption: A line above.
        palette: The colours.
    """
    line, suffix = line_of(start, steps), path.suffix.lower()
    if suffix == ".png":
        write_whole(path, png_bytes(draw_strip(line, caption=caption, palette=palette)))
        return
    is_gif = suffix == ".gif"
    fps, side_px = (_GIF_FPS, _GIF_PX) if is_gif else (_MP4_FPS, _MP4_PX)
    frames = film_frames(line, side_px=side_px, fps=fps, caption=caption, palette=palette)
    if is_gif:
        data = gif_bytes(frames, fps, palette.page, palette.colours)
    else:
        data = mp4_bytes(frames, film_size(line, side_px), fps)
    write_whole(path, data)
