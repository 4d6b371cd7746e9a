"""A person at a board in a window that is not open."""

from render.boardwindow import BoardExplorer, initial_state
from render.viewer import Button
from render.viewer.widgets import Line
from sim.bumpers import board_of, parse_position, position_text
from sim.bumpers.position_notation import pieces_text
from tests.bumpersboards import position
from tests.slamwindows import Driver

LONG_S = 3.0
"""More than any move takes."""


class Board(Driver):
    """A person at a board to explore."""

    @property
    def view(self) -> BoardExplorer:
        """The explorer shown."""
        return self.window

    def place(self, square: str) -> tuple[int, int]:
        """Return the pixel of the middle of a square."""
        board = board_of(self.view.playback.layout)
        space = board.space_named(square)
        assert space is not None
        row, column = board.squares[space]
        return self.view.board_view(self.size).pixel(column + 0.5, row + 0.5)

    def click(self, square: str) -> None:
        """Click on a square."""
        self.press(*self.place(square))
        self.release(*self.place(square))

    def drag(self, start: str, end: str) -> None:
        """Drag from a square to another."""
        self.press(*self.place(start))
        self.release(*self.place(end))

    def button(self, label: str) -> None:
        """Click on the button with a label or a hint, or on a line of a log."""
        boxes = [
            widget.box
            for widget in self.view.widgets(self.size)
            if (isinstance(widget, Button) and label in (widget.label, widget.hint))
            or (isinstance(widget, Line) and label == " ".join(widget.parts))
        ]
        assert boxes, label
        self.press(*boxes[0].center)
        self.release(*boxes[0].center)

    def keys(self, *names: str) -> None:
        """Press keys."""
        for name in names:
            self.key(name)

    def drag_from(self, square: str, x: float, y: float) -> None:
        """Drag from a square to a point of the board's plane."""
        end = self.view.board_view(self.size).pixel(x, y)
        self.press(*self.place(square))
        self.release(*end)

    @property
    def texts(self) -> list[str]:
        """The entries of the history but the first, in notation."""
        return [entry.text for entry in self.view.state.history.entries[1:]]

    @property
    def line(self) -> str:
        """The position shown."""
        return position_text(self.view.state.position)

    @property
    def pieces(self) -> str:
        """The pieces as a position's line has them."""
        return pieces_text(self.view.state.position)

    @property
    def message(self) -> str:
        """The message shown."""
        return self.view.state.message


def board_of_line(line: str) -> Board:
    """Return a person at a board."""
    return Board(BoardExplorer(initial_state(parse_position(line))))


def board_with(pieces: str, **options: str) -> Board:
    """Return a person at a board of one mat, red to move."""
    return Board(BoardExplorer(initial_state(position(pieces, **options))))


class Made:
    """A puzzle that is made at once."""

    def __init__(self, source, number):
        self._study = source.study(number)

    def news(self):
        """Return the puzzle."""
        return self._study

    def stop(self):
        """Do nothing."""
