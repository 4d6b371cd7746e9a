"""A board to explore: moves, edits, solutions, and games step by step.

The keys of boards that are explored, and of games.

Pictures and films saved from the window: next to each other, never one over another.

The positions of a history one after another, without a window: for pictures and films.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import numpy as np
import pygame
from pygame.event import Event

from physics import InputError
from physics.errors import MissingExtraError
from render.boardwindow.desk import (
    Desk,
    History,
    Tool,
    gone_to,
    headed,
    next_piece,
    next_turn,
    pasted,
    told,
    went,
    with_future,
    with_next_side,
    with_tool,
)
from render.boardwindow.layout import Steps, bar, boxes_of, draw_line
from render.boardwindow.panel import draw_panel_above, draw_panel_below, panel_widgets
from render.boardwindow.picture import (
    NO_MARKS,
    draw_board,
    draw_header,
    later,
    layout_view,
    plane_view,
    stage_between,
    stage_of,
    tell_side,
)
from render.boardwindow.pointing import Pointer, drag_of, flipped, marks_of, moused, tracked, turned
from render.boardwindow.solving import Solving, entries_of, replied
from render.bumpers import BoardView
from render.canvas import write
from render.palette import LIGHT, Palette
from render.viewer import (
    Command,
    Controls,
    Size,
    Widget,
    copy_text,
    cut,
    film_suffix,
    free_path,
    padded,
    pasted_text,
    save_view,
)
from sim.bumpers import Direction, position_text

if TYPE_CHECKING:
    from render.boardwindow.playing import Playing


ARROWS = {
    "up": Direction.N,
    "right": Direction.E,
    "down": Direction.S,
    "left": Direction.W,
}
"""The direction of each arrow key."""


def exploring_keys(view: "Exploring") -> tuple[Command, ...]:
    """Return the keys, in the order in which the help lists them."""
    last = len(view.desk.history.entries) - 1
    return (
        *(
            Command(keys=(str(number),), name=tool.value, action=view.doing(with_tool, tool))
            for number, tool in enumerate(Tool, start=1)
        ),
        Command(keys=("tab",), name="next piece", action=view.doing(next_piece, 1)),
        Command(keys=("shift+tab",), name="piece before", action=view.doing(next_piece, -1)),
        *(
            Command(
                keys=(key,),
                name=f"send the piece {direction.name}",
                action=view.doing(headed, direction),
            )
            for key, direction in ARROWS.items()
        ),
        Command(keys=("r",), name="turn the mat right", action=view.doing(turned, 1)),
        Command(keys=("e",), name="turn the mat left", action=view.doing(turned, 3)),
        Command(keys=("u",), name="edit mats: flip the mat", action=view.doing(flipped)),
        Command(keys=("t",), name="next side to move", action=view.doing(with_next_side)),
        Command(keys=("z", "ctrl+z"), name="a step back", action=partial(view.go, -1)),
        Command(keys=("y", "ctrl+y"), name="a step on", action=partial(view.go, 1)),
        Command(keys=("home",), name="first position", action=partial(view.go_to, 0)),
        Command(keys=("end",), name="last position", action=partial(view.go_to, last)),
        Command(keys=("page up",), name="a turn back", action=partial(view.go_turn, -1)),
        Command(keys=("page down",), name="a turn on", action=partial(view.go_turn, 1)),
        Command(keys=("space",), name="play on, or pause", action=view.play),
        Command(keys=("s",), name="solve, or stop", action=view.solve),
        Command(keys=("i",), name="a hint; again for more", action=view.hint),
        Command(keys=("g",), name="let the other sides move", action=view.reply),
        Command(keys=("p",), name="save a picture", action=partial(view.save, is_film=False)),
        Command(keys=("x",), name="save a film", action=partial(view.save, is_film=True)),
        Command(keys=("c", "ctrl+c"), name="copy the position", action=view.copy),
        Command(keys=("v", "ctrl+v"), name="paste a position", action=view.paste),
    )


def playing_keys(view: "Playing") -> tuple[Command, ...]:
    """Return the keys of a game, in the order in which the help lists them."""
    return (
        Command(keys=("tab",), name="next piece", action=partial(view.pick_next, 1)),
        Command(keys=("shift+tab",), name="piece before", action=partial(view.pick_next, -1)),
        *(
            Command(
                keys=(key,),
                name=f"send the piece {direction.name}",
                action=partial(view.head, direction),
            )
            for key, direction in ARROWS.items()
        ),
        Command(keys=("r",), name="turn the mat right", action=partial(view.turn, 1)),
        Command(keys=("e",), name="turn the mat left", action=partial(view.turn, 3)),
        Command(keys=("space", "return"), name="pass, where it is offered", action=view.skip),
        Command(keys=("z", "ctrl+z"), name="take your choice back", action=view.take_back),
        Command(keys=("x",), name="explore this position", action=view.explore),
        Command(keys=("w", "ctrl+s"), name="save the game", action=view.save),
    )


FILM_SIZE = (720, 800)
FILM_FPS = 20.0
LONGEST_S = 90.0
"""All frames of a GIF are kept until it is written: a longer one would need gigabytes."""

_PAUSE_S_FILM = 0.5
_WORDS_PER_SIDE = 36


class BoardFilm:
    """A view of a history that plays from the entry shown to the last.

    Attributes:
        history: The history.
    """

    title = "Puck Bumpers - pucklab"
    commands: tuple[Command, ...] = ()

    def __init__(self, history: History) -> None:
        self.history = history
        self._stage = stage_of(history)
        self._waiting_s = _PAUSE_S_FILM

    @property
    def seconds(self) -> float:
        """How long it takes from here."""
        history, seconds = self.history, 0.0
        while not history.is_last:
            following = gone_to(history, history.at + 1)
            seconds += stage_between(history, following).motion.duration_s + _PAUSE_S_FILM
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
            self._waiting_s += _PAUSE_S_FILM
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


_STEM = "board"


class Saving:
    """What is to be saved, once the window has told so.

    Attributes:
        folder: Where to.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path.cwd()
        self._suffix = ""
        self._is_told = False

    def ask(self, *, is_film: bool) -> str:
        """Save a picture or a film soon, and return what to tell meanwhile: it may take seconds."""
        self._suffix = film_suffix() if is_film else ".png"
        self._is_told = False
        return f"writing {free_path(self.folder, _STEM, self._suffix).name} ..."

    def told(self) -> None:
        """Take note that the window has told what is to come."""
        self._is_told = True

    def save(self, history: History, palette: Palette) -> str:
        """Save what was asked for, and return what to tell; nothing if it is not time yet.

        Args:
            history: A picture shows its position, a film all of it.
            palette: The colours.
        """
        if not self._suffix or not self._is_told:
            return ""
        suffix, self._suffix = self._suffix, ""
        path = free_path(self.folder, _STEM, suffix)
        is_film = suffix != ".png"
        shown = history_to_here(history) if not is_film else gone_to(history, 0)
        try:
            save_film(path, shown, palette=palette)
        except (InputError, MissingExtraError, OSError) as error:
            return str(error)
        return f"wrote {path.name}"


def history_to_here(history: History) -> History:
    """Return a history without what is still to come."""
    return History(entries=history.entries[: history.at + 1], at=history.at)


_PAUSE_S = 0.6
"""Between moves that play by themselves."""

_Arguments = ParamSpec("_Arguments")


class Exploring:
    """A view of a board that can be moved on, edited and solved.

    Attributes:
        desk: The board, what is chosen on it, and its history.
        stage: What of it is seen just now.
        solving: The solver.
        is_playing: It goes on through its history by itself.
    """

    title = "Puck Bumpers - pucklab"

    def __init__(
        self,
        desk: Desk,
        *,
        solving: Solving | None = None,
        back: Callable[[], object] | None = None,
        folder: Path | None = None,
        seed: int = 1,
    ) -> None:
        """Show a board.

        Args:
            desk: The board.
            solving: The solver; one that searches in a process of its own if none is given.
            back: Shows again what was shown before; None if nothing was.
            folder: Where files are saved; the current one if none is given.
            seed: Of the chance in the moves of other sides.
        """
        self.desk = desk
        self.stage = stage_of(desk.history)
        self.solving = solving or Solving()
        self.is_playing = False
        self._back = back
        self._saving = Saving(folder)
        self._palette: Palette = LIGHT
        self._rng = np.random.default_rng(seed)
        self._waiting_s = 0.0
        self._pointer: Pointer | None = None
        self._controls = Controls()

    @property
    def commands(self) -> Sequence[Command]:
        """Its keys."""
        return exploring_keys(self)

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event."""
        if self._controls.handle(event, self.widgets(size)):
            return True
        if event.type == pygame.MOUSEWHEEL:
            self.go(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:  # what is clicked on must stand still
            self.stage = stage_of(self.desk.history)
        view, before, desk = self.board_view(size), self._pointer, self.desk
        self._pointer = tracked(before, event, boxes_of(size).board, view)
        self._show(moused(desk, before or self._pointer, event, view))
        return self.desk is not desk or self._pointer != before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        stage = self.stage
        self.stage = later(stage, elapsed_s)
        changed = self.stage is not stage
        if self.solving.advance():
            self._take_solution()
            changed = True
        saved = self._saving.save(self.desk.history, self._palette)
        if saved:
            self._show(told(self.desk, saved))
            changed = True
        if self.is_playing and not self.stage.is_moving:
            self._waiting_s -= elapsed_s
            if self._waiting_s <= 0:
                self._waiting_s = _PAUSE_S
                self.go(1)
                self.is_playing = not self.desk.history.is_last
                changed = True
        return changed

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        boxes = boxes_of(surface.get_size())
        desk, position = self.desk, self.desk.position
        surface.fill(palette.background)
        draw_header(surface, boxes.header, tell_side(position), position, palette)
        direction = drag_of(self._pointer, self.board_view(surface.get_size()).scale_px)
        marks = marks_of(desk, self._pointer, direction, self.solving.about(position))
        ring = desk.tool.is_for_mats
        draw_board(surface, boxes.board, self.stage, marks, palette, has_ring=ring)
        words = desk.told or desk.history.entry.words
        draw_line(surface, boxes, words, position_text(position), palette)
        draw_panel_below(surface, self, boxes, palette)
        self._controls.draw(surface, self.widgets(surface.get_size()), palette)
        draw_panel_above(surface, self, boxes, palette)
        self._palette = palette
        self._saving.told()

    def board_view(self, size: Size) -> BoardView:
        """Return where the squares of the board are in a window of a size."""
        ring = self.desk.tool.is_for_mats
        return layout_view(self.stage, plane_view(self.stage, boxes_of(size).board, has_ring=ring))

    def close(self) -> None:
        """End a search that is on its way."""
        self.solving.stop()

    def doing(
        self,
        change: Callable[Concatenate[Desk, _Arguments], Desk],
        *arguments: _Arguments.args,
        **named: _Arguments.kwargs,
    ) -> Callable[[], None]:
        """Return an action: it shows what becomes of the desk."""
        return lambda: self._show(change(self.desk, *arguments, **named))

    def go(self, steps: int) -> None:
        """Go some positions back or on."""
        self._show(went(self.desk, steps))

    def go_to(self, number: int) -> None:
        """Go to a position by its number, and stay there."""
        self.is_playing = False
        if number != self.desk.history.at:
            self.go(number - self.desk.history.at)

    def go_turn(self, change: int) -> None:
        """Go to the next turn, or (below 0) back to the start of this one, or the one before."""
        self.go_to(next_turn(self.desk.history, change))

    def play(self) -> None:
        """Go on through the history by itself, or stop."""
        self.is_playing = not self.is_playing and not self.desk.history.is_last
        self._waiting_s = 0.0

    def solve(self) -> None:
        """Look for a solution, or stop looking."""
        if self.solving.is_running:
            self.solving.stop()
        else:
            self.solving.ask(self.desk.position, is_hint=False)

    def hint(self) -> None:
        """Look for a hint, or show more of it."""
        self._show(with_tool(self.desk, Tool.MOVE_PIECES))
        self.solving.hint(self.desk.position)

    def reply(self) -> None:
        """Let the other sides move, one after another."""
        self._show(replied(self.desk, self._rng))
        self.is_playing, self._waiting_s = not self.desk.told, 0.0

    def save(self, *, is_film: bool) -> None:
        """Save the position as a picture, or all positions as a film."""
        self._show(told(self.desk, self._saving.ask(is_film=is_film)))

    def copy(self) -> None:
        """Put the position's line on the clipboard."""
        done = copy_text(position_text(self.desk.position))
        words = "the position's line is on the clipboard" if done else "there is no clipboard"
        self._show(told(self.desk, words))

    def paste(self) -> None:
        """Show the position whose line is on the clipboard."""
        text = pasted_text().strip()
        paste = pasted(self.desk, text) if text else told(self.desk, "the clipboard has no text")
        self._show(paste)

    def widgets(self, size: Size) -> list[Widget]:
        """Return its buttons and sliders."""
        boxes = boxes_of(size)
        steps = Steps(
            history=self.desk.history,
            is_playing=self.is_playing,
            back=lambda: self.go(-1),
            on=lambda: self.go(1),
            play=self.play,
            go=self.go_to,
        )
        named: list[tuple[str, Callable[[], object]]] = [("Copy", self.copy), ("Paste", self.paste)]
        if self._back is not None:
            named.append(("Back", self._back))
        return [*bar(boxes, steps, named), *panel_widgets(self, boxes)]

    def _show(self, desk: Desk) -> None:
        """Show another desk; what moved glides."""
        if desk.history is not self.desk.history:
            self.stage = stage_between(self.desk.history, desk.history)
        self.desk = desk

    def _take_solution(self) -> None:
        """Put a solution that was found before the one who asked, to be played."""
        answer, history = self.solving.answer, self.desk.history
        if answer is None or answer.is_hint or answer.position != history.position:
            return
        if answer.steps:
            self.desk = replace(self.desk, history=with_future(history, entries_of(answer)))
