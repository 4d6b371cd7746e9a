"""The view in which a board is explored: moved on, edited, solved, saved.

A `BoardExplorer` holds an `ExplorerState` and shows every change of it as an animation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec

import numpy as np
import pygame
from pygame.event import Event

from render.boardwindow.explorer_state import (
    ExplorerState,
    Tool,
    entry_of_move,
    next_turn_index,
    stepped,
    with_brush,
    with_continuation,
    with_message,
    with_move,
    with_next_piece,
    with_next_side,
    with_pasted_line,
    with_piece_sent,
    with_random_pieces,
    with_scored,
    with_side,
    with_tool,
)
from render.boardwindow.film import FilmSaver
from render.boardwindow.mouse import (
    Pointer,
    after_mouse,
    marks_of,
    with_mat_flipped,
    with_mat_turned,
)
from render.boardwindow.picture import Marks, a_piece, picture_of_piece, side_text
from render.boardwindow.screen import TURNS, BoardScreen, Boxes, copied
from render.boardwindow.solving import (
    MoveLength,
    Solving,
    answer_lines,
    goal_text,
    with_replies,
)
from render.bumpers import BoardView
from render.palette import LIGHT, Palette
from render.viewer import Command, Log, Row, Text, film_suffix, pasted_text
from render.viewer.panels import Part
from sim.bumpers import Colour, Direction, Kind, Piece, position_text

_PAUSE_S = 0.6
"""Pause between moves that play by themselves."""

_BEGIN = "the board is empty: 3 places pieces by clicks, N at random; V pastes a position"

_Arguments = ParamSpec("_Arguments")


class BoardExplorer(BoardScreen):
    """A view of a board that can be moved on, edited and solved."""

    def __init__(
        self,
        state: ExplorerState,
        *,
        solving: Solving | None = None,
        back: Command | None = None,
        folder: Path | None = None,
        seed: int = 1,
    ) -> None:
        """Show a board.

        Args:
            state: The board.
            solving: The solver; by default one that searches in a process of its own.
            back: The command that leaves the explorer; None if there is nothing to go back to.
            folder: Folder of saved files; by default the current one.
            seed: Seed of the moves of other sides.
        """
        super().__init__(state.history, folder)
        self.state = state
        self.solving = solving or Solving()
        self.is_playing = False
        self._back = back
        self._saver = FilmSaver(self.folder)
        self._palette: Palette = LIGHT
        self._rng = np.random.default_rng(seed)

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        undo, play, redo, *copy_paste_back = self.bar_commands
        changing, last = self._changing, len(self.state.history.entries) - 1
        left, _, right, flip = self._mat_commands
        return (
            *self._tool_commands,
            *self.piece_commands,
            right,
            left,
            flip,
            Command(("t",), "next side to move", changing(with_next_side)),
            Command(("n",), "pieces at random", changing(with_random_pieces, self._rng)),
            undo,
            redo,
            Command(("home",), "first position", partial(self.go_to, 0)),
            Command(("end",), "last position", partial(self.go_to, last)),
            Command(("page up",), "previous turn", partial(self.go_turn, -1)),
            Command(("page down",), "next turn", partial(self.go_turn, 1)),
            play,
            *self._solver_commands,
            Command(("g",), "let the other sides move", self.reply),
            Command(("p",), "save a picture", partial(self.save, ".png")),
            Command(("x",), "save a film", lambda: self.save(film_suffix())),
            Command(("w",), "save a web page", partial(self.save, ".html")),
            self.sound_command,
            *copy_paste_back,
        )

    @property
    def bar_commands(self) -> Sequence[Command]:
        """Back, play, forward; copy, paste, and leaving."""
        is_first, is_last = self.state.history.is_first, self.state.history.is_last
        playing, back = self.is_playing, partial(self.go, -1)
        return (
            Command(("z", "ctrl+z"), "step back", back, icon="undo", enabled=not is_first),
            Command(
                ("space",),
                "play or pause",
                self.play,
                icon="pause" if playing else "play",
                on=playing,
                enabled=not is_last,
            ),
            Command(
                ("y", "ctrl+y"),
                "step forward",
                partial(self.go, 1),
                icon="redo",
                enabled=not is_last,
            ),
            Command(("c", "ctrl+c"), "copy the position", self.copy, label="Copy"),
            Command(("v", "ctrl+v"), "paste a position", self.paste, label="Paste"),
            self.legend_command,
            *([] if self._back is None else [self._back]),
        )

    @property
    def heading(self) -> str:
        """The side to move."""
        return side_text(self.state.position)

    @property
    def words(self) -> tuple[str, str]:
        """The message, and the position as a line of text."""
        state = self.state
        begin = "" if state.position.pieces else _BEGIN
        return state.message or state.history.entry.description or begin, position_text(
            state.position
        )

    @property
    def has_ring(self) -> bool:
        """True if mats are moved."""
        return self.state.tool.is_for_mats

    def parts(self, boxes: Boxes) -> Iterator[Part]:
        """Return tools, the buttons of the tool in use, the solver, the moves."""
        del boxes
        state, tool, changing = self.state, self.state.tool, self._changing
        tools = self._tool_commands
        captioned = partial(Row, caption_width=3.6)
        yield captioned(caption="Move", commands=tools[:2])
        yield captioned(caption="Edit", commands=tools[2:], gap=1.1)
        if tool.is_for_mats:
            yield Row(commands=self._mat_commands[: 3 + (tool is Tool.EDIT_MATS)])
        if tool is Tool.EDIT_PIECES:
            for kind in Kind:
                yield Row(commands=[self._brush(Piece(colour, kind)) for colour in Colour])
            yield Row(commands=[self._brush(None)])
        if not tool.is_for_mats:
            sides = [
                Command(
                    (),
                    f"{colour.word} to move",
                    changing(with_side, colour),
                    picture=picture_of_piece(Piece(colour, Kind.PUCK)),
                    on=state.position.to_move is colour,
                )
                for colour in Colour
            ]
            yield captioned(caption="To move", commands=sides)
        if tool is Tool.EDIT_PIECES:
            scores = [
                Command((), f"{word} scored", changing(with_scored, change), label=word)
                for word, change in (("fewer", -1), ("more", 1))
            ]
            yield captioned(caption="Scored", commands=scores)
        yield Row(height=0.7, gap=0.0)
        goals = [
            Command((), f"{word} pucks", partial(self.solving.change_pucks, change), icon=icon)
            for word, change, icon in (("fewer", -1, "minus"), ("more", 1, "plus"))
        ]
        goal = goal_text(self.solving.pucks, state.position)
        yield Row(caption=f"Goal: {goal}", commands=goals, squares=True)
        yield Row(commands=self._solver_commands)
        answer = self.solving.about(state.position)
        lines = () if answer is None else answer_lines(answer, is_running=self.solving.is_running)
        yield Text(lines=lines, height=4.3)
        lengths = self.solving.lengths_at(state.position)
        if lengths:
            title = "shortest solution that begins with"
            choose = partial(self._play_listed, lengths)
            lines = [title, *(one.words for one in lengths)]
            yield Log(lines=lines, current=1, headings={0}, choose=choose)
            return
        entries = state.history.entries
        moves = ["start", *(f"{n}. {entry.text}" for n, entry in enumerate(entries[1:], start=1))]
        yield Log(lines=moves, current=state.history.index, choose=self.go_to)

    def marks(self, pointer: Pointer | None, direction: Direction | None) -> Marks:
        """Return the marks of the selection, a drag, or the solver's answer."""
        answer = self.solving.about(self.state.position)
        return marks_of(self.state, pointer, direction, answer)

    def mouse(self, pointer: Pointer | None, event: Event, view: BoardView) -> bool:
        """Handle the mouse on the board; the wheel steps through the history."""
        if event.type == pygame.MOUSEWHEEL:
            self.go(-event.y)
            return True
        before = self.state
        self._show(after_mouse(before, pointer, event, view))
        return self.state is not before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        changed = self.playback.advance(elapsed_s)
        if self.solving.advance():
            self._take_solution()
            changed = True
        saved = self._saver.save(self.state.history, self._palette)
        if saved:
            self._show(with_message(self.state, saved))
            changed = True
        if self.is_playing and not self.playback.is_moving and self.playback.rested_s >= _PAUSE_S:
            self.go(1)
            self.is_playing = not self.state.history.is_last
            changed = True
        return changed

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw the whole view."""
        super().draw(surface, palette)
        self._palette = palette
        self._saver.announced()

    def close(self) -> None:
        """Stop a running search."""
        self.solving.stop()

    def select_next(self, change: int) -> None:
        """Select the next piece that can move, or the previous one."""
        self._show(with_next_piece(self.state, change))

    def move_piece(self, direction: Direction) -> None:
        """Move the selected piece."""
        self._show(with_piece_sent(self.state, direction))

    def go(self, steps: int) -> None:
        """Go some positions forward, or back if negative."""
        self._show(stepped(self.state, steps))

    def go_to(self, number: int) -> None:
        """Go to a position by its number, and stop playing."""
        self.is_playing = False
        if number != self.state.history.index:
            self.go(number - self.state.history.index)

    def go_turn(self, change: int) -> None:
        """Go to the next turn, or if negative to the start of this turn or of the one before."""
        self.go_to(next_turn_index(self.state.history, change))

    def play(self) -> None:
        """Step through the rest of the history automatically, or stop."""
        self.is_playing = not self.is_playing and not self.state.history.is_last
        self.playback.rested_s = _PAUSE_S

    def solve(self) -> None:
        """Start the solver, or stop it."""
        if self.solving.is_running:
            self.solving.stop()
        else:
            self.solving.ask(self.state.position, is_hint=False)

    def analyse(self) -> None:
        """List the solution length of every move."""
        self._show(with_tool(self.state, Tool.MOVE_PIECES))
        self.solving.analyse(self.state.position)

    def _play_listed(self, lengths: Sequence[MoveLength], number: int) -> None:
        """Make the move on a line of the list; the first line is its title."""
        if number > 0:
            self._show(with_move(self.state, lengths[number - 1].move))

    def hint(self) -> None:
        """Ask for a hint, or show more of it."""
        self._show(with_tool(self.state, Tool.MOVE_PIECES))
        self.solving.hint(self.state.position)

    def reply(self) -> None:
        """Let the other sides move, one after another."""
        self._show(with_replies(self.state, self._rng))
        self.is_playing, self.playback.rested_s = not self.state.message, _PAUSE_S

    def save(self, suffix: str) -> None:
        """Save the position as a picture, or all positions as a film or a web page."""
        self._show(with_message(self.state, self._saver.request(suffix)))

    def copy(self) -> None:
        """Copy the position to the clipboard as a line of text."""
        self._show(with_message(self.state, copied(self.state.position)))

    def paste(self) -> None:
        """Show the position whose line of text is on the clipboard."""
        text = pasted_text().strip()
        if text:
            self._show(with_pasted_line(self.state, text))
        else:
            self._show(with_message(self.state, "there is no text on the clipboard"))

    @property
    def _tool_commands(self) -> list[Command]:
        """Choosing a tool: two to move, two to edit."""
        return [
            Command(
                (str(number),),
                tool.value,
                self._changing(with_tool, tool),
                label=tool.value.split()[1].capitalize(),
                on=self.state.tool is tool,
            )
            for number, tool in enumerate(Tool, start=1)
        ]

    @property
    def _mat_commands(self) -> list[Command]:
        """Turning the selected mat left, by half and right, and flipping it."""
        changing, is_chosen = self._changing, self.state.mat is not None
        turns = [
            Command(keys, name, changing(with_mat_turned, quarters), label=label, enabled=is_chosen)
            for label, name, quarters, keys in TURNS
        ]
        name, flip = "flip the mat (edit mats)", changing(with_mat_flipped)
        return [*turns, Command(("u",), name, flip, label="Flip", enabled=is_chosen)]

    @property
    def _solver_commands(self) -> tuple[Command, ...]:
        running = self.solving.is_running
        label = "Stop" if running else "Solve"
        return (
            Command(("s",), "solve or stop", self.solve, label=label, on=running),
            Command(("i",), "hint; again for more", self.hint, label="Hint"),
            Command(("a",), "solution length of every move", self.analyse, label="Analyse"),
        )

    def _brush(self, piece: Piece | None) -> Command:
        """Return the command that chooses what a click places in editing; None removes pieces."""
        return Command(
            (),
            "remove pieces" if piece is None else f"place {a_piece(piece)}",
            self._changing(with_brush, piece),
            label="Remove" if piece is None else "",
            picture=None if piece is None else picture_of_piece(piece),
            on=self.state.brush == piece,
        )

    def _changing(
        self,
        change: Callable[Concatenate[ExplorerState, _Arguments], ExplorerState],
        *arguments: _Arguments.args,
        **named: _Arguments.kwargs,
    ) -> Callable[[], None]:
        """Return an action that applies a change to the state and shows the result."""
        return lambda: self._show(change(self.state, *arguments, **named))

    def _show(self, state: ExplorerState) -> None:
        """Show another state; moves between positions are animated."""
        if state.history is not self.state.history:
            self.playback.show(state.history)
        self.state = state

    def _take_solution(self) -> None:
        """Append a solution that was found to the history, to be played by the user."""
        answer, history = self.solving.answer, self.state.history
        if answer is None or answer.is_hint or answer.position != history.position:
            return
        if answer.steps:
            history = with_continuation(history, map(entry_of_move, answer.steps))
            self.state = replace(self.state, history=history)
            self.playback.history = history
