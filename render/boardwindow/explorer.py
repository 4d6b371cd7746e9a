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
from render.boardwindow.explorer_panel import draw_panel_above, draw_panel_below, panel_widgets
from render.boardwindow.explorer_state import (
    ExplorerState,
    History,
    Tool,
    at_entry,
    next_turn_index,
    stepped,
    with_continuation,
    with_message,
    with_next_piece,
    with_next_side,
    with_pasted_line,
    with_piece_sent,
    with_tool,
)
from render.boardwindow.layout import Steps, bar, boxes_of, draw_line
from render.boardwindow.mouse import (
    Pointer,
    after_mouse,
    marks_of,
    pointer_after,
    pointer_drag,
    with_mat_flipped,
    with_mat_turned,
)
from render.boardwindow.picture import (
    NO_MARKS,
    advanced,
    animation_between,
    draw_board,
    draw_header,
    layout_view,
    plane_view,
    resting_animation,
    side_text,
)
from render.boardwindow.solving import Solving, solution_entries, with_replies
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
    from render.boardwindow.game_view import GameView


ARROWS = {
    "up": Direction.N,
    "right": Direction.E,
    "down": Direction.S,
    "left": Direction.W,
}
"""The direction of each arrow key."""


def exploring_keys(view: "BoardExplorer") -> tuple[Command, ...]:
    """Return the keys, in the order in which the help lists them."""
    last = len(view.state.history.entries) - 1
    return (
        *(
            Command(keys=(str(number),), name=tool.value, action=view.doing(with_tool, tool))
            for number, tool in enumerate(Tool, start=1)
        ),
        Command(keys=("tab",), name="next piece", action=view.doing(with_next_piece, 1)),
        Command(keys=("shift+tab",), name="piece before", action=view.doing(with_next_piece, -1)),
        *(
            Command(
                keys=(key,),
                name=f"send the piece {direction.name}",
                action=view.doing(with_piece_sent, direction),
            )
            for key, direction in ARROWS.items()
        ),
        Command(keys=("r",), name="turn the mat right", action=view.doing(with_mat_turned, 1)),
        Command(keys=("e",), name="turn the mat left", action=view.doing(with_mat_turned, 3)),
        Command(keys=("u",), name="edit mats: flip the mat", action=view.doing(with_mat_flipped)),
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


def playing_keys(view: "GameView") -> tuple[Command, ...]:
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
        self._stage = resting_animation(history)
        self._waiting_s = _PAUSE_S_FILM

    @property
    def seconds(self) -> float:
        """How long it takes from here."""
        history, seconds = self.history, 0.0
        while not history.is_last:
            following = at_entry(history, history.index + 1)
            seconds += animation_between(history, following).motion.duration_s + _PAUSE_S_FILM
            history = following
        return seconds

    def handle(self, event: pygame.event.Event, size: Size) -> bool:
        """Have no use for an event."""
        del event, size
        return False

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        animation = self._stage
        self._stage = advanced(animation, elapsed_s)
        if self._stage.is_moving or self.history.is_last:
            return self._stage is not animation
        self._waiting_s -= elapsed_s
        if self._waiting_s <= 0:
            self._waiting_s += _PAUSE_S_FILM
            following = at_entry(self.history, self.history.index + 1)
            self._stage = animation_between(self.history, following)
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
            surface, header, entry.text or side_text(entry.position), entry.position, palette
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
        shown = history_to_here(history) if not is_film else at_entry(history, 0)
        try:
            save_film(path, shown, palette=palette)
        except (InputError, MissingExtraError, OSError) as error:
            return str(error)
        return f"wrote {path.name}"


def history_to_here(history: History) -> History:
    """Return a history without what is still to come."""
    return History(entries=history.entries[: history.index + 1], index=history.index)


_PAUSE_S = 0.6
"""Between moves that play by themselves."""

_Arguments = ParamSpec("_Arguments")


class BoardExplorer:
    """A view of a board that can be moved on, with_edit and solved.

    Attributes:
        state: The board, what is chosen on it, and its history.
        animation: What of it is seen just now.
        solving: The solver.
        is_playing: It goes on through its history by itself.
    """

    title = "Puck Bumpers - pucklab"

    def __init__(
        self,
        state: ExplorerState,
        *,
        solving: Solving | None = None,
        back: Callable[[], object] | None = None,
        folder: Path | None = None,
        seed: int = 1,
    ) -> None:
        """Show a board.

        Args:
            state: The board.
            solving: The solver; one that searches in a process of its own if none is given.
            back: Shows again what was shown before; None if nothing was.
            folder: Where files are saved; the current one if none is given.
            seed: Of the chance in the moves of other sides.
        """
        self.state = state
        self.animation = resting_animation(state.history)
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
        if event.type == pygame.MOUSEBUTTONDOWN:  # what is after_click on must stand still
            self.animation = resting_animation(self.state.history)
        view, before, state = self.board_view(size), self._pointer, self.state
        self._pointer = pointer_after(before, event, boxes_of(size).board, view)
        self._show(after_mouse(state, before or self._pointer, event, view))
        return self.state is not state or self._pointer != before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        animation = self.animation
        self.animation = advanced(animation, elapsed_s)
        changed = self.animation is not animation
        if self.solving.advance():
            self._take_solution()
            changed = True
        saved = self._saving.save(self.state.history, self._palette)
        if saved:
            self._show(with_message(self.state, saved))
            changed = True
        if self.is_playing and not self.animation.is_moving:
            self._waiting_s -= elapsed_s
            if self._waiting_s <= 0:
                self._waiting_s = _PAUSE_S
                self.go(1)
                self.is_playing = not self.state.history.is_last
                changed = True
        return changed

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        boxes = boxes_of(surface.get_size())
        state, position = self.state, self.state.position
        surface.fill(palette.background)
        draw_header(surface, boxes.header, side_text(position), position, palette)
        direction = pointer_drag(self._pointer, self.board_view(surface.get_size()).scale_px)
        marks = marks_of(state, self._pointer, direction, self.solving.about(position))
        ring = state.tool.is_for_mats
        draw_board(surface, boxes.board, self.animation, marks, palette, has_ring=ring)
        words = state.message or state.history.entry.words
        draw_line(surface, boxes, words, position_text(position), palette)
        draw_panel_below(surface, self, boxes, palette)
        self._controls.draw(surface, self.widgets(surface.get_size()), palette)
        draw_panel_above(surface, self, boxes, palette)
        self._palette = palette
        self._saving.told()

    def board_view(self, size: Size) -> BoardView:
        """Return where the squares of the board are in a window of a size."""
        ring = self.state.tool.is_for_mats
        return layout_view(
            self.animation, plane_view(self.animation, boxes_of(size).board, has_ring=ring)
        )

    def close(self) -> None:
        """End a search that is on its preview."""
        self.solving.stop()

    def doing(
        self,
        change: Callable[Concatenate[ExplorerState, _Arguments], ExplorerState],
        *arguments: _Arguments.args,
        **named: _Arguments.kwargs,
    ) -> Callable[[], None]:
        """Return an action: it shows what becomes of the state."""
        return lambda: self._show(change(self.state, *arguments, **named))

    def go(self, steps: int) -> None:
        """Go some positions back or on."""
        self._show(stepped(self.state, steps))

    def go_to(self, number: int) -> None:
        """Go to a position by its number, and stay there."""
        self.is_playing = False
        if number != self.state.history.index:
            self.go(number - self.state.history.index)

    def go_turn(self, change: int) -> None:
        """Go to the next turn, or to the start of this one or the one before."""
        self.go_to(next_turn_index(self.state.history, change))

    def play(self) -> None:
        """Go on through the history by itself, or stop."""
        self.is_playing = not self.is_playing and not self.state.history.is_last
        self._waiting_s = 0.0

    def solve(self) -> None:
        """Look for a solution, or stop looking."""
        if self.solving.is_running:
            self.solving.stop()
        else:
            self.solving.ask(self.state.position, is_hint=False)

    def hint(self) -> None:
        """Look for a hint, or show more of it."""
        self._show(with_tool(self.state, Tool.MOVE_PIECES))
        self.solving.hint(self.state.position)

    def reply(self) -> None:
        """Let the other sides move, one after another."""
        self._show(with_replies(self.state, self._rng))
        self.is_playing, self._waiting_s = not self.state.message, 0.0

    def save(self, *, is_film: bool) -> None:
        """Save the position as a picture, or all positions as a film."""
        self._show(with_message(self.state, self._saving.ask(is_film=is_film)))

    def copy(self) -> None:
        """Put the position's line on the clipboard."""
        done = copy_text(position_text(self.state.position))
        words = "the position's line is on the clipboard" if done else "there is no clipboard"
        self._show(with_message(self.state, words))

    def paste(self) -> None:
        """Show the position whose line is on the clipboard."""
        text = pasted_text().strip()
        paste = (
            with_pasted_line(self.state, text)
            if text
            else with_message(self.state, "the clipboard has no text")
        )
        self._show(paste)

    def widgets(self, size: Size) -> list[Widget]:
        """Return its buttons and sliders."""
        boxes = boxes_of(size)
        steps = Steps(
            history=self.state.history,
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

    def _show(self, state: ExplorerState) -> None:
        """Show another state; what moved glides."""
        if state.history is not self.state.history:
            self.animation = animation_between(self.state.history, state.history)
        self.state = state

    def _take_solution(self) -> None:
        """Put a solution that was found before the one who asked, to be played."""
        answer, history = self.solving.answer, self.state.history
        if answer is None or answer.is_hint or answer.position != history.position:
            return
        if answer.steps:
            self.state = replace(
                self.state, history=with_continuation(history, solution_entries(answer))
            )
