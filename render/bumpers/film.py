"""Pictures, strips, films and web pages of boards, made of SVG drawings.

`save_history` writes a history of positions, `export_line` a solution.
"""

import html
import io
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path

import pygame
import resvg_py
from pygame import Surface

from pucklab.base.files import write_whole
from pucklab.physics import InputError
from pucklab.render.bumpers.board import Moment, extent_of, moment_of
from pucklab.render.bumpers.colours import DARK_BOARD, LIGHT_BOARD, BoardPalette
from pucklab.render.bumpers.history import Entry, History, at_entry, entry_of_move, side_text
from pucklab.render.bumpers.motion import (
    Line,
    Motion,
    final_moment,
    line_moments,
    line_of,
    line_of_changes,
    moment_at,
    motion_of,
)
from pucklab.render.bumpers.page import Item, board_page, line_item
from pucklab.render.bumpers.svg import (
    board_group,
    outer_box,
    piece_svg,
    place_board,
    place_svg,
    svg_element,
    text_svg,
)
from pucklab.render.movie_files import FILM_SUFFIXES, check_saved, save_movie
from pucklab.render.palette import Rgb, hex_code
from pucklab.sim.bumpers import Colour, Kind, Piece, Position, position_text
from pucklab.sim.bumpers.solver.solution import LineStep

SUFFIXES = (".png", *FILM_SUFFIXES, ".html")
"""Suffixes of pictures, films and web pages."""

check_export = partial(check_saved, SUFFIXES)
"""Check, before any work is done, that positions can be saved as a file."""

FILM_SIZE = (720, 800)
FILM_FPS = 20.0

LONGEST_S = 90.0
"""Longest film: all frames of a GIF are in memory until it is written, gigabytes if longer."""

_PAUSE_S = 0.5
"""Time for which each position rests."""

_WORDS_PX, _LETTER = 20, 0.56
"""Height of words, and width of a letter in heights."""

_STRIP_BOARD_PX, _STRIP_SCALES_PX, _STRIP_COLUMNS = 352, (12, 44), 4
"""Width of a board in a strip, about; least and greatest width of a space; boards side by side."""

_STRIP_GAP_PX, _STRIP_LINE_PX = 12, 28


def rasterise(svg: str, width_px: int) -> bytes:
    """Return a drawing as a PNG file of a width; its words have the font that pygame brings."""
    font = str(Path(pygame.__file__).parent / "freesansbold.ttf")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width_px,
            font_files=[font],
            skip_system_fonts=True,
            font_family="FreeSans",
            sans_serif_family="FreeSans",
        )
    )


@lru_cache(maxsize=8)
def _frame(svg: str, width_px: int) -> Surface:
    """Return a drawing as a surface with 32 bits per pixel."""
    picture = pygame.image.load(io.BytesIO(rasterise(svg, width_px)), "frame.png")
    surface = Surface(picture.get_size(), depth=32)
    surface.blit(picture, (0, 0))
    return surface


def position_png(position: Position, width_px: int) -> bytes:
    """Return a position with the names of its squares as a PNG file."""
    moment = moment_of(position)
    box = west, north, width, height = outer_box(extent_of([moment]))
    board = board_group(moment, (position.layout, (0, 0)), "pb", "pb")
    # In pixels: without a size of its own, a drawing is rounded to whole units.
    size = f'width="{width_px}" height="{round(width_px * height / width)}"'
    back = f'<rect x="{west:g}" y="{north:g}" width="100%" height="100%" fill="#fff"/>'
    return rasterise(svg_element(back + board, box, size), width_px)


def save_history(path: Path, history: History, *, dark: bool = False) -> None:
    """Save the last position as a picture, all positions as a page, or a film from the entry shown.

    The file is written whole or not at all; no display is needed.

    Args:
        path: The file; its name ends in ``.png``, ``.gif``, ``.mp4``, ``.webm`` or ``.html``.
        history: The history.
        dark: True for light on black.

    Raises:
        InputError: The name ends in something else, or the film would be too long.
        MissingExtraError: The package that writes such files is not installed.
    """
    palette = DARK_BOARD if dark else LIGHT_BOARD
    width, _ = FILM_SIZE
    if path.suffix.lower() == ".html":
        write_whole(path, page_of(history).encode())
        return
    if path.suffix.lower() == ".png":
        last = at_entry(history, len(history.entries) - 1)
        motion = motion_to(last, last.index)
        write_whole(path, rasterise(_film_svg(final_moment(motion), motion, last, palette), width))
        return
    rest = range(history.index + 1, len(history.entries))
    seconds = sum(motion_to(history, number).duration_s + _PAUSE_S for number in rest)
    if seconds > LONGEST_S:
        raise InputError(
            f"save: a film of {seconds:.0f} s is too long, {LONGEST_S:.0f} s at most; "
            "give --turns for a part of a game"
        )
    frames = (_frame(svg, width) for svg in _film_frames(history, palette))
    save_movie(path, frames, FILM_SIZE, FILM_FPS, palette.page, colours=palette.colours)


def motion_to(history: History, number: int) -> Motion:
    """Return the motion that led to an entry; a still one for the first entry and for jumps."""
    entry = history.entries[number]
    if number == 0 or not entry.glides:
        return motion_of(entry.position, entry.position)
    return motion_of(history.entries[number - 1].position, entry.position, entry.movements)


def _film_frames(history: History, palette: BoardPalette) -> Iterator[str]:
    """Yield the drawing of each frame, from the entry shown to the last."""
    number, time_s = history.index, 0.0
    first = True
    while number < len(history.entries):
        motion, shown = motion_to(history, number), at_entry(history, number)
        moving_s = 0.0 if first else motion.duration_s
        end_s = moving_s + (0.0 if first else _PAUSE_S)
        while time_s <= end_s:
            moment = moment_at(motion, time_s) if time_s < moving_s else final_moment(motion)
            yield _film_svg(moment, motion, shown, palette)
            time_s += 1 / FILM_FPS
        time_s -= end_s
        number, first = number + 1, False


def _film_svg(moment: Moment, motion: Motion, history: History, palette: BoardPalette) -> str:
    """Return a frame: the board, above it the move and the scores, below it the description."""
    entry, (wide, high), page = history.entry, FILM_SIZE, palette.page
    position, words = entry.position, _WORDS_PX
    parts = [f'<rect width="{wide}" height="{high}" fill="{hex_code(page.background)}"/>']
    left = 1.0 * words
    if position.to_move is not None:
        puck = piece_svg(Piece(position.to_move, Kind.PUCK), palette)
        parts.append(place_svg(puck, (left + 0.8 * words, 2 * words), 1.8 * words))
        left += 2 * words
    title = entry.text or side_text(position)
    parts.append(_words(title, left, 2.4 * words, 1.4 * words, page.text, 0.5 * wide))
    there = {piece.colour for _, piece in position.pieces}
    scored = [colour for colour in Colour if colour in there or position.scored[colour]]
    most = position.rules.pieces_each[Kind.PUCK]
    for number, colour in enumerate(scored):
        x = wide - 4.6 * words * (len(scored) - number)
        puck = piece_svg(Piece(colour, Kind.PUCK), palette)
        parts.append(place_svg(puck, (x, 2 * words), 1.2 * words))
        score = f"{position.scored[colour]} of {most}"
        parts.append(_words(score, x + 0.9 * words, 2.3 * words, words, page.faint, 3.6 * words))
    about = entry.description or position_text(position)
    parts.append(_words(about, words, high - words, words, page.faint, wide - 2 * words))
    moments = [
        moment_of(motion.before, motion.origin),
        moment_of(motion.after, motion.origin_after),
    ]
    names = (motion.after.layout, motion.origin_after)
    box = (words, 3.6 * words, wide - 2 * words, high - 6 * words)
    parts.append(place_board(moment, names, extent_of(moments), box, "pb", palette))
    return svg_element("".join(parts), (0, 0, wide, high))


def _words(text: str, x: float, y: float, size: float, colour: Rgb, room: float) -> str:
    """Return a line of text, shortened to its room."""
    most = max(int(room / (_LETTER * size)), 2)
    shown = text if len(text) <= most else f"{text[: most - 1]}…"
    return text_svg(shown, (x, y), size, colour)


def strip_svg(line: Line, *, caption: str = "") -> tuple[str, int]:
    """Return a drawing with a board for the start of a line and after each move, and its width.

    Each board shows the trails of the pieces that moved and marks the mats that did.
    """
    palette, moments = LIGHT_BOARD, line_moments(line)
    _, _, width, height = outer_box(line.extent)
    least, most = _STRIP_SCALES_PX
    scale = min(max(_STRIP_BOARD_PX / max(width, height), least), most)
    wide, high = round(scale * width), round(scale * height)
    gap, text_px = _STRIP_GAP_PX, _STRIP_LINE_PX
    across = min(len(moments), _STRIP_COLUMNS)
    first = gap + (text_px + gap // 2 if caption else 0)
    whole = gap + across * (wide + gap)
    tall = first + math.ceil(len(moments) / across) * (text_px + high + gap)
    back = hex_code(palette.page.background)
    parts = [f'<rect width="{whole}" height="{tall}" fill="{back}"/>']
    if caption:
        parts.append(_words(caption, gap, gap + 22, 22, palette.page.text, whole - 2 * gap))
    for number, (text, moment, names) in enumerate(moments):
        x = gap + number % across * (wide + gap)
        y = first + number // across * (text_px + high + gap)
        middle = f'text-anchor="middle" font-size="22" fill="{hex_code(palette.page.text)}"'
        parts.append(f'<text x="{x + wide / 2:g}" y="{y + 22}" {middle}>{html.escape(text)}</text>')
        box = (x, y + text_px, wide, high)
        parts.append(place_board(moment, names, line.extent, box, f"s{number}"))
    size = f'width="{whole}" height="{tall}"'
    return svg_element("".join(parts), (0, 0, whole, tall), size), whole


def export_line(path: Path, start: Position, steps: Sequence[LineStep], caption: str = "") -> None:
    """Save a line of moves as a strip of boards, a film or a web page, whole or not at all.

    Args:
        path: The file; its suffix decides the kind.
        start: The position before it.
        steps: Its moves.
        caption: Text beside the boards.
    """
    if path.suffix.lower() == ".png":
        write_whole(path, rasterise(*strip_svg(line_of(start, steps), caption=caption)))
        return
    entries = [Entry(position=start, description=caption)]
    entries += [entry_of_move(step, caption) for step in steps]
    save_history(path, History(entries=tuple(entries)))


def page_of(history: History) -> str:
    """Return a web page to step through a history.

    Raises:
        InputError: It would be too large.
    """
    # A pasted position may have another board, with other mats, which is then shown by itself.
    lines = groupby(
        history.entries,
        lambda entry: (len(entry.position.layout.faces), entry.position.layout.size),
    )
    return board_page([_page_item(list(entries)) for _, entries in lines], "Puck Bumpers")


def _page_item(entries: Sequence[Entry]) -> Item:
    first, *rest = entries
    changes = ((entry.text, entry.position, entry.movements) for entry in rest)
    line = line_of_changes(first.position, changes)
    if not any(entry.turn for entry in rest):
        return line_item(line, first.description or position_text(first.position))
    # Of "red moves c7N*, red scores" only the end is new beside the move.
    notes = [entry.description.rpartition(f" {entry.text}")[2].strip(", ") for entry in rest]
    return line_item(line, "A game of Puck Bumpers", notes=notes)
