"""The view in which puzzles are solved: each move is told right or wrong, hints are given.

A move of an `ExplorerState` is judged by `sim.bumpers.puzzle_solving`; a wrong one is shown and
taken back. The next puzzle is made in a process of its own meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import pygame
from pygame.event import Event

from render.boardwindow.explorer_state import (
    ExplorerState,
    History,
    initial_state,
    with_next_piece,
    with_piece_sent,
)
from render.boardwindow.mouse import Pointer, after_mouse, marks_of
from render.boardwindow.picking import MovePreview
from render.boardwindow.picture import NO_MARKS, Marks
from render.boardwindow.screen import BoardScreen, Boxes, copied
from render.bumpers import BoardView
from render.viewer import Command, Log, Row, Text
from render.viewer.panels import Part
from render.viewer.processes import NewsProcess
from sim.bumpers import Direction, PieceMove, parse_move, parse_position, play
from sim.bumpers.puzzle_series import PuzzleSource
from sim.bumpers.puzzle_solving import (
    Attempt,
    Study,
    ask_hint,
    hint_text,
    task_text,
    try_move,
    verdict_text,
)

_WRONG_S = 0.7
"""Time for which a wrong move is shown."""

_HOW = "click on a piece and then on an arrow's end, or drag it; or Tab and the arrow keys"
_NO_BOARD = "pb1:small:-:-:-:-"
_MAKING, _LAST = "making a puzzle ...", "that was the last puzzle"


class Loading(Protocol):
    """A puzzle that is being made."""

    def news(self) -> Study | str | None:
        """Return the puzzle, or why there is none; None as long as it is made."""

    def stop(self) -> None:
        """Stop making it."""


def make_study(source: PuzzleSource, number: int) -> Iterator[Study | str]:
    """Make a puzzle and yield it, or the reason why there is none."""
    yield source.study(number)


StudyProcess = partial(NewsProcess, make_study)
"""Starts to make a puzzle in a process of its own."""


class PuzzleView(BoardScreen):
    """A view of puzzles, one after another."""

    title = "Puck Bumpers puzzles - pucklab"

    def __init__(
        self,
        source: PuzzleSource,
        numbers: Iterable[int],
        enter: Callable[[Attempt], str],
        *,
        load: Callable[[PuzzleSource, int], Loading] = StudyProcess,
        folder: Path | None = None,
    ) -> None:
        """Show the first puzzle.

        Args:
            source: The puzzles.
            numbers: The numbers of those to show.
            enter: Keeps the result of a puzzle, and returns the score in a line.
            load: Starts to make a puzzle.
            folder: Folder of saved files; by default the current one.
        """
        self.state = initial_state(parse_position(_NO_BOARD))
        super().__init__(self.state.history, folder)
        self.attempt: Attempt | None = None
        self.message = ""
        self.result = ""  # the score after a solved puzzle
        self._source, self._numbers, self._enter, self._load = source, iter(numbers), enter, load
        self._is_wrong = False  # the move shown is to be taken back
        self._loading: Loading | None = None
        self._ready: Study | str | None = None  # the puzzle to show next
        self._is_wanted = True
        self._begin_to_load()

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        own = (*self.piece_commands, *self._puzzle_commands)
        return (*own, self.sound_command, *self.bar_commands)

    @property
    def bar_commands(self) -> Sequence[Command]:
        """Copying the position, and the legend."""
        copy = Command(("c", "ctrl+c"), "copy the position", self.copy, label="Copy")
        return (copy, self.legend_command)

    @property
    def heading(self) -> str:
        """The title of the puzzle."""
        title = _MAKING if self.attempt is None else self.attempt.study.title
        return title[:1].upper() + title[1:]

    @property
    def words(self) -> tuple[str, str]:
        """Nothing, and what can be done."""
        return "", _HOW

    def parts(self, boxes: Boxes) -> Iterator[Part]:
        """Return the task, the buttons, the hint, the score, the moves so far."""
        del boxes
        if self.attempt is None:
            return
        yield Text(lines=[task_text(self.attempt.study.puzzle)], height=4.2)
        for commands in (self._puzzle_commands[:2], self._puzzle_commands[2:]):
            yield Row(commands=commands)
        yield Text(lines=[self.message], height=4.2)
        yield Text(lines=["", self.result], height=3.2)
        moves = [entry.text for entry in self.state.history.entries[1:]]
        yield Log(lines=moves, current=len(moves) - 1)

    def marks(self, pointer: Pointer | None, direction: Direction | None) -> Marks:
        """Return the marks of the selection, of a hint, and of the space to reach."""
        if self.attempt is None or self._is_wrong:
            return NO_MARKS
        marks = marks_of(self.state, pointer, direction, None)
        node, grade = self.attempt.node, self.attempt.grade
        goal = self.attempt.study.puzzle.goal.space
        if goal is not None:
            marks = replace(marks, spaces=(goal,))
        if grade == 0 or not node.right or self.state.space is not None:
            return marks
        move, _ = node.right[0]
        assert isinstance(move, PieceMove)
        if grade == 1:
            return replace(marks, hinted=(move.space,))
        movements = play(node.position, move)[1].movements
        preview = MovePreview(move=move, movements=movements)
        return replace(marks, previews=(preview,), pointed=preview)

    def mouse(self, pointer: Pointer | None, event: Event, view: BoardView) -> bool:
        """Handle the mouse on the board."""
        before = self.state
        if event.type != pygame.MOUSEWHEEL and self._is_open:
            self._show(after_mouse(before, pointer, event, view))
        return self.state is not before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass: wrong moves are taken back, the next puzzle is made."""
        changed = self.playback.advance(elapsed_s)
        if self._loading is not None:
            self._ready = self._loading.news()
            if self._ready is not None:
                self._loading.stop()
                self._loading = None
        if self._is_wanted and self._ready is not None:
            self._open(self._ready)
            changed = True
        elif self._is_wrong and not self.playback.is_moving and self.playback.rested_s >= _WRONG_S:
            self._is_wrong = False
            entries = self.state.history.entries[:-1]
            self._set(History(entries=entries, index=len(entries) - 1))
            changed = True
        return changed

    def close(self) -> None:
        """Stop making a puzzle."""
        if self._loading is not None:
            self._loading.stop()

    def select_next(self, change: int) -> None:
        """Select the next piece that can move, or the previous one."""
        if self._is_open:
            self._show(with_next_piece(self.state, change))

    def move_piece(self, direction: Direction) -> None:
        """Move the selected piece."""
        if self._is_open:
            self._show(with_piece_sent(self.state, direction))

    def hint(self) -> None:
        """Give a hint, or more of it."""
        if self._is_open and self.attempt is not None:
            self.attempt = ask_hint(self.attempt)
            self.state = replace(self.state, space=None)
            self.message = hint_text(self.attempt)

    def start_over(self) -> None:
        """Go back to the first position; wrong moves and hints stay counted."""
        if self.attempt is not None and not self._is_wrong:
            self.attempt = replace(self.attempt, number=0, grade=0)
            self._set(History(entries=self.state.history.entries[:1]))
            self.message = ""

    def next_puzzle(self) -> None:
        """Show the next puzzle as soon as it is made."""
        self._is_wanted = True
        self.message = _MAKING

    def copy(self) -> None:
        """Copy the position to the clipboard as a line of text."""
        self.message = copied(self.state.position)

    @property
    def _puzzle_commands(self) -> tuple[Command, ...]:
        return (
            Command(("i",), "hint; again for more", self.hint, label="Hint", enabled=self._is_open),
            Command(("r",), "start over", self.start_over, label="Start over"),
            Command(("n", "return"), "next puzzle", self.next_puzzle, label="Next puzzle"),
        )

    @property
    def _is_open(self) -> bool:
        """True if a move can be tried."""
        return self.attempt is not None and not (self.attempt.is_solved or self._is_wrong)

    def _show(self, state: ExplorerState) -> None:
        """Show another state, and judge the move that led to it."""
        before, attempt, self.state = self.state.history, self.attempt, state
        self.message = state.message or self.message
        if attempt is None or state.history.index == before.index:
            return
        text = state.history.entry.text
        move = parse_move(before.position, text)
        self.attempt, right = try_move(attempt, move)
        self._is_wrong = not right
        self.message = verdict_text(self.attempt, text, right=right)
        self.playback.show(state.history)
        if self.attempt.is_solved and not attempt.is_solved:
            self.result = self._enter(self.attempt)

    def _set(self, history: History) -> None:
        self.state = replace(self.state, history=history, space=None, message="")
        self.playback.show(history)

    def _open(self, ready: Study | str) -> None:
        """Show a puzzle, or why there is none, and begin to make the next one."""
        self._is_wanted, self.message = ready is not _LAST and isinstance(ready, str), ""
        if isinstance(ready, Study):
            self.attempt, self.result = Attempt(study=ready), ""
            self.state = initial_state(ready.puzzle.position)
            self.playback.show(self.state.history)
        else:
            self.message = ready
        if ready is not _LAST:
            self._begin_to_load()

    def _begin_to_load(self) -> None:
        number = next(self._numbers, None)
        self._ready = _LAST if number is None else None
        if number is not None:
            self._loading = self._load(self._source, number)
