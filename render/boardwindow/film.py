"""The positions of a history one after another, without a window: for pictures and films."""

from pathlib import Path

import pygame

from physics import InputError
from render.boardwindow.boardpicture import draw_board
from render.boardwindow.history import History, gone_to
from render.boardwindow.marks import NO_MARKS
from render.boardwindow.stage import later, stage_between, stage_of
from render.boardwindow.words import draw_header, tell_side
from render.canvas import write
from render.palette import Palette
from render.viewer import Shortcut, Size, cut, padded, save_view
from sim.bumpers import position_text

FILM_SIZE = (720, 800)
FILM_FPS = 20.0
LONGEST_S = 90.0
"""All frames of a GIF are kept until it is written: a longer one would need gigabytes."""

_PAUSE_S = 0.5
_WORDS_PER_SIDE = 36


class BoardFilm:
    """A view of a history that plays from the entry shown to the last.

    Attributes:
        history: The history.
    """

    title = "Puck Bumpers - pucklab"
    shortcuts: tuple[Shortcut, ...] = ()

    def __init__(self, history: History) -> None:
        self.history = history
        self._stage = stage_of(history)
        self._waiting_s = _PAUSE_S

    @property
    def seconds(self) -> float:
        """How long it takes from here."""
        history, seconds = self.history, 0.0
        while not history.is_last:
            following = gone_to(history, history.at + 1)
            seconds += stage_between(history, following).motion.duration_s + _PAUSE_S
            history = following
        return seconds

    def handle(self, event: pygame.event.Event, size: Size) -> bool:
        """Have no use for an event."""
        del event, size
        return False

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        stage = self._stage
        self._stage = later(stage, elapsed_s)
        if self._stage.is_moving or self.history.is_last:
            return self._stage is not stage
        self._waiting_s -= elapsed_s
        if self._waiting_s <= 0:
            self._waiting_s += _PAUSE_S
            following = gone_to(self.history, self.history.at + 1)
            self._stage = stage_between(self.history, following)
            self.history = following
        return True

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw the board, who moves and what is scored above it, and below it what happened."""
        words = round(min(surface.get_size()) / _WORDS_PER_SIDE)
        surface.fill(palette.background)
        rest = padded(surface.get_rect(), words)
        header, rest = cut(rest, "top", 2.2 * words, gap=0.5 * words)
        line, box = cut(rest, "bottom", 1.5 * words, gap=0.5 * words)
        entry = self.history.entry
        draw_header(
            surface, header, entry.text or tell_side(entry.position), entry.position, palette
        )
        draw_board(surface, box, self._stage, NO_MARKS, palette)
        told = entry.words or position_text(entry.position)
        place = (line.left, line.centery)
        write(surface, told, place, size_px=words, colour=palette.faint, width_px=line.width)


def save_film(path: Path, history: History, *, palette: Palette) -> None:
    """Save the last position of a history as a picture, or all from the one shown as a film.

    The file is written whole or not at all; no display is needed.

    Args:
        path: Where to: a name in ``.png``, ``.gif`` or ``.mp4``.
        history: The history.
        palette: The colours.

    Raises:
        InputError: The name ends in something else, or the film would be too long.
        MissingExtraError: What writes such files is not installed.
    """
    if path.suffix.lower() == ".png":
        history = gone_to(history, len(history.entries) - 1)
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
    )
