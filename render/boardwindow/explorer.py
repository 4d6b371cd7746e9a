"""The view in which a board is explored: moved on, edited, solved, saved.

A `BoardExplorer` holds an `ExplorerState` and shows every change of it as an animation. All its
commands are made in one place, from `_panel_commands` and `_bar_commands` on.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec

import numpy as np
import pygame
from pygame.event import Event

from render.boardwindow.explorer_panel import (
    PanelCommands,
    draw_panel_above,
    draw_panel_below,
    panel_widgets,
)
from render.boardwindow.explorer_state import (
    ExplorerState,
    Tool,
    next_turn_index,
    stepped,
    with_brush,
    with_continuation,
    with_message,
    with_next_piece,
    with_next_side,
    with_pasted_line,
    with_piece_sent,
    with_scored,
    with_side,
    with_tool,
)
from render.boardwindow.film import FilmSaver
from render.boardwindow.layout import ARROWS, TURNS, bar, boxes_of, draw_message_line
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
from render.palette import LIGHT, Palette
from render.viewer import Command, Controls, Size, Widget, copy_text, pasted_text
from sim.bumpers import Colour, Kind, Piece, position_text

_PAUSE_S = 0.6
"""Pause between moves that play by themselves."""

_TOOL_LABELS = {
    Tool.MOVE_PIECES: "Pieces",
    Tool.MOVE_MATS: "Mats",
    Tool.EDIT_PIECES: "Pieces",
    Tool.EDIT_MATS: "Mats",
}
"""Labels of the tools, in the rows Move and Edit."""

_Arguments = ParamSpec("_Arguments")


class BoardExplorer:
    """A view of a board that can be moved on, edited and solved.

    Attributes:
        state: The history of positions, the tool, the selection and the message.
        animation: The motion shown on the board.
        solving: The solver.
        is_playing: True while it steps through the history by itself.
    """

    title = "Puck Bumpers - pucklab"

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
        self.state = state
        self.animation = resting_animation(state.history)
        self.solving = solving or Solving()
        self.is_playing = False
        self._back = back
        self._saver = FilmSaver(folder)
        self._palette: Palette = LIGHT
        self._rng = np.random.default_rng(seed)
        self._waiting_s = 0.0
        self._pointer: Pointer | None = None
        self._controls = Controls()

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        panel = self._panel_commands()
        undo, play, redo, copy, paste, *back = self._bar_commands()
        changing, last = self._changing, len(self.state.history.entries) - 1
        return (
            *panel.tools.values(),
            Command(keys=("tab",), name="next piece", action=changing(with_next_piece, 1)),
            Command(
                keys=("shift+tab",), name="previous piece", action=changing(with_next_piece, -1)
            ),
            *(
                Command(
                    keys=(key,),
                    name=f"move the piece {key}",
                    action=changing(with_piece_sent, direction),
                )
                for key, direction in ARROWS.items()
            ),
            *reversed(panel.mats[: len(TURNS)]),
            self._flip_command(),
            Command(keys=("t",), name="next side to move", action=changing(with_next_side)),
            undo,
            redo,
            Command(keys=("home",), name="first position", action=partial(self.go_to, 0)),
            Command(keys=("end",), name="last position", action=partial(self.go_to, last)),
            Command(keys=("page up",), name="previous turn", action=partial(self.go_turn, -1)),
            Command(keys=("page down",), name="next turn", action=partial(self.go_turn, 1)),
            play,
            panel.solve,
            panel.hint,
            Command(keys=("g",), name="let the other sides move", action=self.reply),
            Command(keys=("p",), name="save a picture", action=partial(self.save, is_film=False)),
            Command(keys=("x",), name="save a film", action=partial(self.save, is_film=True)),
            copy,
            paste,
            *back,
        )

    def widgets(self, size: Size) -> list[Widget]:
        """Return its buttons and the scrub bar."""
        boxes = boxes_of(size)
        commands = self._bar_commands()
        left, right = commands[:3], commands[3:]
        return [
            *bar(boxes, self.state.history, self.go_to, left=left, right=right),
            *panel_widgets(self.state.tool, self._panel_commands(), boxes),
        ]

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        if self._controls.handle(event, self.widgets(size)):
            return True
        if event.type == pygame.MOUSEWHEEL:
            self.go(-event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:  # the board must not move under a click
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
        saved = self._saver.save(self.state.history, self._palette)
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
        """Draw the whole view."""
        size = surface.get_size()
        boxes = boxes_of(size)
        state, position = self.state, self.state.position
        surface.fill(palette.background)
        draw_header(surface, boxes.header, side_text(position), position, palette)
        direction = pointer_drag(self._pointer, self.board_view(size).scale_px)
        marks = marks_of(state, self._pointer, direction, self.solving.about(position))
        has_ring = state.tool.is_for_mats
        draw_board(surface, boxes.board, self.animation, marks, palette, has_ring=has_ring)
        message = state.message or state.history.entry.description
        draw_message_line(surface, boxes, message, position_text(position), palette)
        draw_panel_below(surface, state, self.solving, boxes, palette)
        self._controls.draw(surface, self.widgets(size), palette)
        draw_panel_above(surface, state.tool, boxes, palette)
        self._palette = palette
        self._saver.announced()

    def board_view(self, size: Size) -> BoardView:
        """Return the place of the board's squares in a window of a given size."""
        box, has_ring = boxes_of(size).board, self.state.tool.is_for_mats
        return layout_view(self.animation, plane_view(self.animation, box, has_ring=has_ring))

    def close(self) -> None:
        """Stop a running search."""
        self.solving.stop()

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
        self._waiting_s = 0.0

    def solve(self) -> None:
        """Start the solver, or stop it."""
        if self.solving.is_running:
            self.solving.stop()
        else:
            self.solving.ask(self.state.position, is_hint=False)

    def hint(self) -> None:
        """Ask for a hint, or show more of it."""
        self._show(with_tool(self.state, Tool.MOVE_PIECES))
        self.solving.hint(self.state.position)

    def reply(self) -> None:
        """Let the other sides move, one after another."""
        self._show(with_replies(self.state, self._rng))
        self.is_playing, self._waiting_s = not self.state.message, 0.0

    def save(self, *, is_film: bool) -> None:
        """Save the position as a picture, or all positions as a film."""
        self._show(with_message(self.state, self._saver.request(is_film=is_film)))

    def copy(self) -> None:
        """Copy the position to the clipboard as a line of text."""
        copied = copy_text(position_text(self.state.position))
        message = "position copied to the clipboard" if copied else "there is no clipboard"
        self._show(with_message(self.state, message))

    def paste(self) -> None:
        """Show the position whose line of text is on the clipboard."""
        text = pasted_text().strip()
        if text:
            self._show(with_pasted_line(self.state, text))
        else:
            self._show(with_message(self.state, "there is no text on the clipboard"))

    def choose_brush(self, piece: Piece | None) -> None:
        """Choose the piece that a click places in editing; None removes pieces."""
        self._show(with_brush(self.state, piece))

    def _bar_commands(self) -> tuple[Command, ...]:
        """Return the commands of the bar: back, play, forward; copy, paste, and leaving."""
        history, playing = self.state.history, self.is_playing
        return (
            Command(
                keys=("z", "ctrl+z"),
                name="step back",
                action=partial(self.go, -1),
                icon="undo",
                enabled=not history.is_first,
            ),
            Command(
                keys=("space",),
                name="play or pause",
                action=self.play,
                icon="pause" if playing else "play",
                on=playing,
                enabled=not history.is_last,
            ),
            Command(
                keys=("y", "ctrl+y"),
                name="step forward",
                action=partial(self.go, 1),
                icon="redo",
                enabled=not history.is_last,
            ),
            Command(keys=("c", "ctrl+c"), name="copy the position", action=self.copy, label="Copy"),
            Command(
                keys=("v", "ctrl+v"), name="paste a position", action=self.paste, label="Paste"
            ),
            *([] if self._back is None else [self._back]),
        )

    def _panel_commands(self) -> PanelCommands:
        state, changing, solving = self.state, self._changing, self.solving
        running = solving.is_running
        mats = tuple(
            Command(
                keys=keys,
                name=name,
                action=changing(with_mat_turned, quarters),
                label=label,
                enabled=state.mat is not None,
            )
            for label, name, quarters, keys in TURNS
        )
        return PanelCommands(
            tools={
                tool: Command(
                    keys=(str(number),),
                    name=tool.value,
                    action=changing(with_tool, tool),
                    label=_TOOL_LABELS[tool],
                    on=state.tool is tool,
                )
                for number, tool in enumerate(Tool, start=1)
            },
            mats=(*mats, self._flip_command()) if state.tool is Tool.EDIT_MATS else mats,
            sides={
                colour: Command(
                    keys=(),
                    name=f"{colour.word} to move",
                    action=changing(with_side, colour),
                    on=state.position.to_move is colour,
                )
                for colour in Colour
            },
            brushes={
                piece: Command(
                    keys=(),
                    name=f"place a {piece}",
                    action=partial(self.choose_brush, piece),
                    on=state.brush == piece,
                )
                for piece in (Piece(colour, kind) for kind in Kind for colour in Colour)
            },
            eraser=Command(
                keys=(),
                name="remove pieces",
                action=partial(self.choose_brush, None),
                label="Remove",
                on=state.brush is None,
            ),
            scores=(
                Command(
                    keys=(), name="fewer scored", action=changing(with_scored, -1), label="fewer"
                ),
                Command(keys=(), name="more scored", action=changing(with_scored, 1), label="more"),
            ),
            goals=(
                Command(
                    keys=(),
                    name="fewer pucks",
                    action=partial(solving.change_pucks, -1),
                    icon="minus",
                ),
                Command(
                    keys=(), name="more pucks", action=partial(solving.change_pucks, 1), icon="plus"
                ),
            ),
            solve=Command(
                keys=("s",),
                name="solve or stop",
                action=self.solve,
                label="Stop" if running else "Solve",
                on=running,
            ),
            hint=Command(keys=("i",), name="hint; again for more", action=self.hint, label="Hint"),
        )

    def _flip_command(self) -> Command:
        return Command(
            keys=("u",),
            name="flip the mat (edit mats)",
            action=self._changing(with_mat_flipped),
            label="Flip",
            enabled=self.state.mat is not None,
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
            self.animation = animation_between(self.state.history, state.history)
        self.state = state

    def _take_solution(self) -> None:
        """Append a solution that was found to the history, to be played by the user."""
        answer, history = self.solving.answer, self.state.history
        if answer is None or answer.is_hint or answer.position != history.position:
            return
        if answer.steps:
            continued = with_continuation(history, solution_entries(answer))
            self.state = replace(self.state, history=continued)
