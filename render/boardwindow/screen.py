"""Parts that the views of a board share: places in the window, header, board, panel, bar and mouse.

`BoardScreen` draws itself and hands on the mouse; the explorer and the view of a game say what
stands in its header and panel, which marks are on the board, and what a click does.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import pygame
from pygame import Event, Rect, Surface

from physics.facts import fact
from render.boardwindow.explorer_state import History
from render.boardwindow.legend import legend_parts
from render.boardwindow.mouse import Pointer, pointer_after, pointer_drag
from render.boardwindow.picture import Marks, draw_header
from render.boardwindow.playback import BoardPlayback
from render.bumpers import BoardView
from render.palette import Palette
from render.viewer import (
    Command,
    Controls,
    Size,
    Widget,
    button_row,
    copy_text,
    cut,
    draw_panel,
    draw_parts,
    padded,
    part_widgets,
    place_parts,
    scrub_bar,
    words_px,
)
from render.viewer.panels import GAP, SQUARE, WIDE, Part, Placed, draw_message
from sim.bumpers import Direction, Position, position_text

ARROWS = dict(zip(("up", "right", "down", "left"), Direction, strict=True))
"""Board direction of each arrow key."""

TURNS: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("Turn left", "turn the mat left", 3, ("e",)),
    ("Half", "turn the mat by half a turn", 2, ()),
    ("Turn right", "turn the mat right", 1, ("r",)),
)
"""Label, name, clockwise quarter turns and keys of each turn of a mat."""

_HEADER, _LINE, _BAR = 2.2, 1.4, 2.0
"""Heights of the rows, in text heights."""

_PANEL = 16.0
"""Width of the panel, in text heights."""


@fact
class Boxes:
    """Places of the parts of the window, in pixels."""

    words_px: int  # text height
    header: Rect  # side to move and scores
    board: Rect
    panel: Rect  # buttons and facts beside the board
    line: Rect  # the message, or the position as a line of text
    bar: Rect  # the buttons below


def copied(position: Position) -> str:
    """Copy a position to the clipboard as a line of text; return what there is to say."""
    done = copy_text(position_text(position))
    return "position copied to the clipboard" if done else "there is no clipboard"


def boxes_of(size: Size) -> Boxes:
    """Return the places of the parts of a window of a given size."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = padded(Rect(0, 0, *size), 0.8 * words)
    panel, rest = cut(rest, "right", min(_PANEL * words, 0.45 * rest.width), gap=1.5 * gap)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    bar, rest = cut(rest, "bottom", _BAR * words, gap=gap)
    line, board = cut(rest, "bottom", _LINE * words, gap=gap / 2)
    return Boxes(words_px=words, header=header, board=board, panel=panel, line=line, bar=bar)


class BoardScreen(ABC):
    """A view of a board with a panel beside it."""

    title = "Puck Bumpers - pucklab"

    def __init__(self, history: History, folder: Path | None) -> None:
        self.playback = BoardPlayback(history)
        self.folder = folder or Path.cwd()
        self.legend_open = False
        self._pointer: Pointer | None = None
        self._controls = Controls()

    @property
    @abstractmethod
    def heading(self) -> str:
        """Words above the board."""

    @property
    @abstractmethod
    def words(self) -> tuple[str, str]:
        """The message below the board, and what stands there without one."""

    @property
    def has_ring(self) -> bool:
        """True if mats are moved, which need room around the board."""
        return False

    @property
    @abstractmethod
    def bar_commands(self) -> Sequence[Command]:
        """Commands of the bar: icons stand on its left, labels on its right."""

    @abstractmethod
    def parts(self, boxes: Boxes) -> Iterable[Part]:
        """Return the parts of the panel."""

    @abstractmethod
    def marks(self, pointer: Pointer | None, direction: Direction | None) -> Marks:
        """Return the marks on the board, for the mouse and the direction of a drag."""

    @abstractmethod
    def select_next(self, change: int) -> None:
        """Select the next piece that can move, or the previous one."""

    @abstractmethod
    def move_piece(self, direction: Direction) -> None:
        """Move the selected piece."""

    def go_to(self, number: int) -> None:
        """Show an entry of the history; a view that always shows the last does nothing."""
        del number

    def close(self) -> None:
        """Stop what is running."""
        self.playback.settle()

    @abstractmethod
    def mouse(self, pointer: Pointer | None, event: Event, view: BoardView) -> bool:
        """Handle the mouse on the board, where it was before; return True if something changed."""

    @property
    def legend_command(self) -> Command:
        """Showing what the symbols mean, in place of the panel."""
        action, is_open = self.toggle_legend, self.legend_open
        return Command(("k",), "meaning of the symbols", action, label="Symbols", on=is_open)

    @property
    def sound_command(self) -> Command:
        """Switching the sound on or off."""
        return Command(("m",), "sound on or off", self.playback.speaker.switch)

    def toggle_legend(self) -> None:
        """Show or hide the meaning of the symbols."""
        self.legend_open = not self.legend_open

    @property
    def piece_commands(self) -> tuple[Command, ...]:
        """Keys that select and move a piece."""
        return (
            Command(("tab",), "next piece", partial(self.select_next, 1)),
            Command(("shift+tab",), "previous piece", partial(self.select_next, -1)),
            *(
                Command((key,), f"move the piece {key}", partial(self.move_piece, direction))
                for key, direction in ARROWS.items()
            ),
        )

    def widgets(self, size: Size) -> list[Widget]:
        """Return the buttons of bar and panel, the scrub bar, and the lines of logs."""
        boxes, history = boxes_of(size), self.playback.history
        words, bar, commands = boxes.words_px, boxes.bar, self.bar_commands
        icons = [command for command in commands if command.icon]
        labels = [command for command in commands if not command.icon]
        left, rest = cut(bar, "left", len(icons) * (SQUARE + GAP) * words)
        wide = min(len(labels) * (WIDE + GAP) * words, 0.6 * bar.width)
        right, middle = cut(rest, "right", wide, gap=GAP * words)
        widgets: list[Widget] = [*button_row(left, icons, words)]
        widgets += button_row(right, labels, words)
        if icons and len(history.entries) > 1:
            widgets.append(scrub_bar(middle, history.index, len(history.entries), self.go_to))
        return widgets + part_widgets(self._placed(boxes), words)

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        if self._controls.handle(event, self.widgets(size)):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:  # the board must not move under a click
            self.playback.settle()
        before, view = self._pointer, self.board_view(size)
        self._pointer = pointer_after(before, event, boxes_of(size).board, view)
        return self.mouse(before or self._pointer, event, view) or self._pointer != before

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole view."""
        size = surface.get_size()
        boxes, playback = boxes_of(size), self.playback
        surface.fill(palette.background)
        draw_header(surface, boxes.header, self.heading, playback.history.position, palette)
        drag = pointer_drag(self._pointer, self.board_view(size).scale_px)
        marks = self.marks(self._pointer, drag)
        playback.draw(surface, boxes.board, marks, palette, has_ring=self.has_ring)
        draw_message(surface, boxes.line, *self.words, boxes.words_px, palette)
        draw_panel(surface, boxes.panel, palette)
        draw_parts(surface, self._placed(boxes), boxes.words_px, palette)
        self._controls.draw(surface, self.widgets(size), palette)

    def board_view(self, size: Size) -> BoardView:
        """Return the place of the board's squares in a window of a given size."""
        return self.playback.view(boxes_of(size).board, has_ring=self.has_ring)

    def _placed(self, boxes: Boxes) -> Placed:
        words = boxes.words_px
        inside = boxes.panel.inflate(-round(1.4 * words), -round(1.2 * words))
        parts = legend_parts() if self.legend_open else self.parts(boxes)
        return place_parts(list(parts), inside, words)
