"""Pictures, films and web pages of a history of positions, saved without a window.

`save_film` writes a history, `export_line` a solution; `BoardFilm` is the view whose frames they
write. A `FilmSaver` saves
from the window: next to earlier files, never over them, and only after its message was drawn.
"""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import pygame

from physics import InputError
from physics.errors import MissingExtraError
from render.boardwindow.explorer_state import Entry, History, at_entry, entry_of_move
from render.boardwindow.picture import NO_MARKS, board_palette, draw_header, side_text
from render.boardwindow.playback import BoardPlayback, motion_to
from render.bumpers.lines import line_of, line_of_changes
from render.bumpers.page import Item, board_page, line_item
from render.bumpers.strip import draw_strip
from render.canvas import png_bytes, write
from render.movie_files import FILM_SUFFIXES, check_saved
from render.palette import LIGHT, Palette
from render.viewer import Command, Size, cut, padded, save_view
from sim.bumpers import Position, position_text
from sim.bumpers.solver.solution import LineStep
from sim.core.files import free_path, write_whole

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

_WORDS_PER_SIDE = 36
"""Text heights in the shorter side of a film."""

_STEM = "board"
"""Name of saved files without number and suffix."""


class BoardFilm:
    """A view of a history that plays from the entry shown to the last."""

    title = "Puck Bumpers - pucklab"
    commands: tuple[Command, ...] = ()

    def __init__(self, history: History) -> None:
        self.playback = BoardPlayback(history)

    @property
    def seconds(self) -> float:
        """Time from the entry shown to the end."""
        history = self.playback.history
        rest = range(history.index + 1, len(history.entries))
        return sum(motion_to(history, number).duration_s + _PAUSE_S for number in rest)

    def handle(self, event: pygame.event.Event, size: Size) -> bool:
        """Ignore an event."""
        del event, size
        return False

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        playback, history = self.playback, self.playback.history
        moved = playback.advance(elapsed_s)
        if moved or history.is_last:
            return moved
        late_s = playback.rested_s - _PAUSE_S
        if late_s >= 0:
            playback.show(at_entry(history, history.index + 1))
            playback.advance(late_s)
        return True

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw the board, above it the move and the scores, below it the description."""
        words = round(min(surface.get_size()) / _WORDS_PER_SIDE)
        surface.fill(palette.background)
        rest = padded(surface.get_rect(), words)
        header, rest = cut(rest, "top", 2.2 * words, gap=0.5 * words)
        line, box = cut(rest, "bottom", 1.5 * words, gap=0.5 * words)
        entry = self.playback.history.entry
        title = entry.text or side_text(entry.position)
        draw_header(surface, header, title, entry.position, palette)
        self.playback.draw(surface, box, NO_MARKS, palette)
        text = entry.description or position_text(entry.position)
        place = (line.left, line.centery)
        write(surface, text, place, words, palette.faint, width_px=line.width)


def save_film(path: Path, history: History, *, palette: Palette) -> None:
    """Save the last position as a picture, all as a web page, or a film from the entry shown on.

    The file is written whole or not at all; no display is needed.

    Args:
        path: The file; its name ends in ``.png``, ``.gif``, ``.mp4``, ``.webm`` or ``.html``.
        history: The history.
        palette: The colours.

    Raises:
        InputError: The name ends in something else, or the film would be too long.
        MissingExtraError: The package that writes such files is not installed.
    """
    if path.suffix.lower() == ".html":
        write_whole(path, page_of(history).encode())
        return
    if path.suffix.lower() == ".png":
        history = at_entry(history, len(history.entries) - 1)
    film = BoardFilm(history)
    if film.seconds > LONGEST_S:
        raise InputError(
            f"save: a film of {film.seconds:.0f} s is too long, {LONGEST_S:.0f} s at most; "
            "give --turns for a part of a game"
        )
    save_view(
        path,
        film,
        seconds=film.seconds + 1 / FILM_FPS,
        fps=FILM_FPS,
        size=FILM_SIZE,
        palette=palette,
        colours=board_palette(palette).colours,
    )


def page_of(history: History) -> str:
    """Return a web page to step through a history.

    Raises:
        InputError: It would be too large.
    """
    # A pasted position may have another board, which is then shown by itself.
    lines = groupby(history.entries, key=lambda entry: _mats(entry.position))
    return board_page([_page_item(list(entries)) for _, entries in lines], "Puck Bumpers")


def _mats(position: Position) -> tuple[int, int]:
    """Return number and size of the mats."""
    return len(position.layout.faces), position.layout.size


def _page_item(entries: Sequence[Entry]) -> Item:
    first, *rest = entries
    changes = ((entry.text, entry.position, entry.movements) for entry in rest)
    line = line_of_changes(first.position, changes)
    if not any(entry.turn for entry in rest):
        return line_item(line, first.description or position_text(first.position))
    # Of "red moves c7N*, red scores" only the end is new beside the move.
    notes = [entry.description.rpartition(f" {entry.text}")[2].strip(", ") for entry in rest]
    return line_item(line, "A game of Puck Bumpers", notes=notes)


def export_line(path: Path, start: Position, steps: Sequence[LineStep], caption: str = "") -> None:
    """Save a line of moves as a strip of boards, a film or a web page, whole or not at all.

    Args:
        path: The file; its suffix decides the kind.
        start: The position before it.
        steps: Its moves.
        caption: Text beside the boards.
    """
    if path.suffix.lower() == ".png":
        write_whole(path, png_bytes(draw_strip(line_of(start, steps), caption=caption)))
        return
    entries = [Entry(position=start, description=caption)]
    entries += [entry_of_move(step, caption) for step in steps]
    save_film(path, History(entries=tuple(entries)), palette=LIGHT)


class FilmSaver:
    """Saves a picture, film or page after the window has announced it: it may take seconds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._suffix = ""
        self._is_announced = False

    def request(self, suffix: str) -> str:
        """Request a picture, a film or a page, and return the announcement to show meanwhile."""
        self._suffix = suffix
        self._is_announced = False
        return f"writing {free_path(self.folder / f'{_STEM}{self._suffix}').name} ..."

    def announced(self) -> None:
        """Take note that the announcement has been drawn."""
        self._is_announced = True

    def save(self, history: History, palette: Palette) -> str:
        """Save the requested file and return a message; an empty one if nothing is due yet.

        Args:
            history: A picture shows its current position, a film or page all of it.
            palette: The colours.
        """
        if not self._suffix or not self._is_announced:
            return ""
        suffix, self._suffix = self._suffix, ""
        path = free_path(self.folder / f"{_STEM}{suffix}")
        shown = at_entry(history, 0)
        if suffix == ".png":
            shown = History(entries=history.entries[: history.index + 1], index=history.index)
        try:
            save_film(path, shown, palette=palette)
        except (InputError, MissingExtraError, OSError) as error:
            return str(error)
        return f"wrote {path.name}"
