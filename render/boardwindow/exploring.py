"""A board to explore: moves, edits, solutions, and games step by step."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

import numpy as np
import pygame
from pygame.event import Event

from render.boardwindow.bar import Steps, bar, draw_line
from render.boardwindow.boardpicture import draw_board, layout_view, plane_view
from render.boardwindow.boxes import boxes_of
from render.boardwindow.desk import Desk, Tool, told, went, with_tool
from render.boardwindow.editing import pasted
from render.boardwindow.history import next_turn, with_future
from render.boardwindow.keys import exploring_keys
from render.boardwindow.panel import draw_panel_above, draw_panel_below
from render.boardwindow.panelbuttons import panel_widgets
from render.boardwindow.pointing import Pointer, drag_of, marks_of, moused, tracked
from render.boardwindow.replies import replied
from render.boardwindow.saving import Saving
from render.boardwindow.solving import Solving, entries_of
from render.boardwindow.stage import later, stage_between, stage_of
from render.boardwindow.words import draw_header, tell_side
from render.bumpers import BoardView
from render.palette import LIGHT, Palette
from render.viewer import Controls, Shortcut, Size, Widget, copy_text, pasted_text
from sim.bumpers import position_text

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
    def shortcuts(self) -> Sequence[Shortcut]:
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
