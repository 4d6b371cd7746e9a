"""The page of a board that everybody with its link can move on, edit, solve and save."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from nicegui import Event, ui

from pucklab.base.errors import InputError, MissingExtraError
from pucklab.render.browser.board_element import BoardElement
from pucklab.render.browser.exploring import (
    ExplorerState,
    Tool,
    a_piece,
    after_press,
    initial_state,
    marks_of,
    step_history,
    with_edit,
    with_mat_flipped,
    with_mat_turned,
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
from pucklab.render.browser.frame import (
    ARROWS,
    Action,
    action_buttons,
    marker,
    page_frame,
    word_button,
)
from pucklab.render.browser.solving import (
    Solving,
    answer_lines,
    answer_marks,
    goal_text,
    move_lengths,
    with_replies,
)
from pucklab.render.browser.work import Viewers, Work, compute
from pucklab.render.bumpers.film import save_history
from pucklab.render.bumpers.history import (
    History,
    at_entry,
    entry_of_move,
    next_turn_index,
    side_text,
    with_continuation,
)
from pucklab.render.bumpers.spoken import entry_words
from pucklab.render.bumpers.svg import XMLNS, legend_html, piece_svg
from pucklab.sim.bumpers import Colour, Kind, Piece, Position, parse_position, position_text
from pucklab.sim.bumpers.board_forms import is_board, read_board

_START = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-"
_NEWS_S = 0.2
_PAUSE_S = 1.0


@dataclass
class SharedBoard:
    """A board that the visitors of its page share."""

    state: ExplorerState
    viewers: Viewers = field(default_factory=lambda: Viewers(_BOARDS))
    solving: Solving = field(init=False)
    changed: Event[...] = field(default_factory=Event)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))
    is_playing: bool = False

    def __post_init__(self) -> None:
        """Let the solver work for the viewers."""
        self.solving = Solving(partial(Work, self.viewers))

    @property
    def is_unsaved(self) -> bool:
        """True if something was done on it."""
        return len(self.state.history.entries) > 1

    def show(self, state: ExplorerState) -> None:
        """Show another state to everybody."""
        self.state = state
        self.changed.emit()

    def change(self, how: Callable[..., ExplorerState], *arguments: Any, **facts: Any) -> None:
        """Apply a change to the state and show the result."""
        self.show(how(self.state, *arguments, **facts))

    def read(self, text: str) -> None:
        """Show the position of a line, or of a board's file with its goal."""
        if not is_board(text):
            self.change(with_pasted_line, text.strip())
            return
        try:
            board = read_board(text)
            self.change(with_edit, board.position, "read")
            self.solving.goal = ""
            self.read_goal(board.goal())
        except InputError as error:  # of several goals, none is chosen
            self.change(with_message, str(error))

    def read_goal(self, text: str) -> None:
        """Take a goal as ``pucklab solve --goal`` does."""
        self.solving.goal = text.strip()
        self.changed.emit()

    def go_to(self, number: int) -> None:
        """Show the position of a number."""
        self.is_playing = False
        self.change(step_history, number - self.state.history.index)

    def ask(self, ask: Callable[[Position], object]) -> None:
        """Ask the solver about the position; its answer is shown while pieces are moved."""
        ask(self.state.position)
        self.change(with_tool, Tool.MOVE_PIECES)

    def change_pucks(self, change: int) -> None:
        """Change the number of pucks that are to score."""
        self.solving.change_pucks(change)
        self.changed.emit()

    def solve(self) -> None:
        """Start the solver, or stop it."""
        if self.solving.is_running:
            self.solving.stop()
        else:
            self.solving.ask(self.state.position)
        self.changed.emit()

    def advance(self) -> None:
        """Take the solver's latest result, and its solution when it ends."""
        if not self.solving.advance():
            return
        answer, history = self.solving.answer, self.state.history
        if answer and answer.steps and not answer.is_hint and answer.position == history.position:
            history = with_continuation(history, map(entry_of_move, answer.steps))
        self.show(replace(self.state, history=history))

    def play_on(self) -> None:
        """Show the next position while the history plays by itself."""
        if self.is_playing:
            self.change(step_history, 1)
            self.is_playing = not self.state.history.is_last


_BOARDS: dict[str, SharedBoard] = {}


def file_of(history: History, suffix: str) -> bytes | str:
    """Return a picture, film or page of positions as a file, or the reason why there is none."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"board{suffix}"
        try:
            save_history(path, history)
        except (InputError, MissingExtraError) as error:
            return str(error)
        return path.read_bytes()


def open_board(state: ExplorerState, name: str = "", viewers: Viewers | None = None) -> str:
    """Let people explore a board, and return its name in links.

    Without ``viewers`` of its own it is forgotten when nobody looks at it any more.
    """
    name = name or secrets.token_urlsafe(8)
    _BOARDS[name] = SharedBoard(state, viewers or Viewers(_BOARDS))
    return name


def show_board(name: str, position: str = "") -> None:
    """Show a board that all visitors of the link share."""
    if name not in _BOARDS:
        message = ""
        try:
            start = parse_position(position or _START)
        except InputError as error:
            start, message = parse_position(_START), str(error)
        _BOARDS[name] = SharedBoard(with_message(initial_state(start), message))
    _BoardPage(_BOARDS[name])


class _BoardPage:
    """The page of one visitor."""

    def __init__(self, shared: SharedBoard) -> None:
        self._shared = shared
        change, solving = shared.change, shared.solving
        self._actions = (
            Action("z", "step back", partial(change, step_history, -1), word="Back"),
            Action(" ", "play or pause", self._play, word="Play"),
            Action("y", "step forward", partial(change, step_history, 1), word="On"),
            Action("Home", "first position", partial(shared.go_to, 0), word="First"),
            Action("End", "last position", partial(shared.go_to, 10**6), word="Last"),
            Action("PageUp", "previous turn", partial(self._go_turn, -1)),
            Action("PageDown", "next turn", partial(self._go_turn, 1)),
            *(
                Action(str(number), tool.value, partial(change, with_tool, tool))
                for number, tool in enumerate(Tool, start=1)
            ),
            Action("Tab", "next piece that can move", partial(change, with_next_piece, 1)),
            *(
                Action(
                    key, f"move it {direction.name}", partial(change, with_piece_sent, direction)
                )
                for key, direction in ARROWS.items()
            ),
            Action("e", "turn the mat left", partial(change, with_mat_turned, 3), word="Turn left"),
            Action(
                "r", "turn the mat right", partial(change, with_mat_turned, 1), word="Turn right"
            ),
            Action("u", "flip the mat (edit mats)", partial(change, with_mat_flipped), word="Flip"),
            Action("t", "next side to move", partial(change, with_next_side)),
            Action(
                "n",
                "pieces at random",
                partial(change, with_random_pieces, shared.rng),
                word="Random",
            ),
            Action(
                "g",
                "let the other sides move",
                partial(change, with_replies, shared.rng),
                word="Replies",
            ),
            Action("s", "solve or stop", shared.solve, word="Solve"),
            Action("i", "hint; again for more", partial(shared.ask, solving.hint), word="Hint"),
            Action(
                "a",
                "solution length of every move",
                partial(shared.ask, partial(solving.ask, search=move_lengths)),
                word="Lengths",
            ),
            Action("c", "copy the position", self._copy, word="Copy"),
            Action("p", "save a picture", partial(self._save, ".png"), word="Picture"),
            Action("x", "save a film", partial(self._save, ".gif"), word="Film"),
            Action("w", "save a web page", partial(self._save, ".html"), word="Page"),
        )
        with page_frame("Puck Bumpers", self._actions, legend_html()) as (stage, panel):
            with stage:
                self._heading = ui.label().classes("text-xl").mark("heading")
                self._board = BoardElement(partial(change, after_press)).mark("board")
                self._message = ui.label().props("role=status").mark("message")
                shared.viewers.join()
                self._line = ui.input("Position").classes("w-full").mark("line")
                self._line.on("change", lambda: shared.read(self._line.value))
                # A file that is dropped on the board is read as a board.
                self._board.on("dragover.prevent", js_handler="() => {}")
                self._board.on(
                    "drop.prevent",
                    lambda event: shared.read(str(event.args)),
                    js_handler="async ({ dataTransfer: { files }, dataTransfer: data }) => {"
                    " const text = await (files[0] ? files[0].text() : data.getData('text'));"
                    " if (text) emit(text); }",
                )
            with panel:
                self._add_tools()
        ui.timer(_NEWS_S, shared.advance)
        ui.timer(_PAUSE_S, shared.play_on)
        shared.changed.subscribe(self._show)
        self._show()

    def _add_tools(self) -> None:
        """Add the parts of the panel."""
        shared, change = self._shared, self._shared.change

        def add_steps(run: Callable[[int], object]) -> None:
            for word, step in (("Fewer", -1), ("More", 1)):
                word_button(word, partial(run, step))

        self._tools = ui.toggle(
            {tool.name: tool.value for tool in Tool},
            on_change=lambda event: change(with_tool, Tool[event.value]),
        ).props("dense no-caps")
        self._mats = self._buttons("e", "r", "u")
        with ui.grid(columns=6).classes("gap-1") as self._pieces:
            for piece in (Piece(colour, kind) for kind in Kind for colour in Colour):
                brush = partial(change, replace, brush=piece, message="")
                self._piece_button(piece, f"place {a_piece(piece)}", brush)
            brush = partial(change, replace, brush=None, message="")
            word_button("Remove", brush)
        with ui.row().classes("gap-1 items-center") as self._sides:
            ui.label("To move")
            for colour in Colour:
                move = partial(change, with_side, colour)
                self._piece_button(Piece(colour, Kind.PUCK), f"{colour.word} to move", move)
        with ui.row().classes("gap-1 items-center") as self._scores:
            ui.label("Scored")
            add_steps(partial(change, with_scored))
        with ui.row().classes("gap-1 items-center"):
            add_steps(shared.change_pucks)
            self._goal = ui.label().mark("goal")
            own = ui.input("Goal, such as to:d5:b7").mark("own goal")
            own.on("change", lambda: shared.read_goal(own.value))
        self._buttons("s", "i", "a", "g", "n", "c", "p", "x", "w")
        self._answer = ui.label().classes("whitespace-pre-line").mark("answer")
        self._buttons("Home", "z", " ", "y", "End")
        self._moves = ui.column().classes("pucklab-moves").mark("moves")

    def _buttons(self, *keys: str) -> ui.row:
        return action_buttons([action for action in self._actions if action.key in keys])

    def _piece_button(self, piece: Piece, name: str, run: Callable[[], object]) -> None:
        button = ui.button(on_click=run).props(f'flat dense aria-label="{name}"').mark(marker(name))
        with button.tooltip(name):
            box = 'width="28" height="28" viewBox="-.5 -.5 1 1"'
            ui.html(f"<svg {XMLNS} {box}>{piece_svg(piece)}</svg>", sanitize=False)

    def _show(self) -> None:
        shared, state = self._shared, self._shared.state
        tool, position, history = state.tool, state.position, state.history
        self._heading.text = side_text(position)
        self._board.show(history, has_ring=tool.is_for_mats)
        answer = shared.solving.about(position)
        is_free = state.space is None and tool is Tool.MOVE_PIECES
        marks = answer_marks(position, answer) if answer and is_free else marks_of(state)
        self._board.show_marks(marks)
        self._message.text = state.message or history.entry.description or entry_words(history)
        self._line.value = position_text(position)
        self._tools.value = tool.name
        self._mats.visible = tool.is_for_mats
        self._pieces.visible = self._scores.visible = tool is Tool.EDIT_PIECES
        self._sides.visible = not tool.is_for_mats
        self._goal.text = (
            f"Goal: {shared.solving.goal or goal_text(shared.solving.pucks, position)}"
        )
        running = shared.solving.is_running
        lines = [] if answer is None else answer_lines(answer, is_running=running)
        self._answer.text = "\n".join(lines)
        self._moves.clear()
        lengths = shared.solving.lengths_at(position)
        with self._moves:
            if lengths:
                ui.label("shortest solution that begins with")
                for one in lengths:
                    ui.button(
                        one.words, on_click=partial(shared.change, with_move, one.move)
                    ).props("flat dense no-caps")
                return
            for number, entry in enumerate(history.entries):
                words = f"{number}. {entry.text}" if number else "start"
                button = ui.button(words, on_click=partial(shared.go_to, number)).props(
                    "flat dense no-caps align=left"
                )
                if number == history.index:
                    button.classes("font-bold")

    def _go_turn(self, change: int) -> None:
        self._shared.go_to(next_turn_index(self._shared.state.history, change))

    def _play(self) -> None:
        self._shared.is_playing = not self._shared.is_playing

    def _copy(self) -> None:
        ui.clipboard.write(position_text(self._shared.state.position))
        self._shared.change(with_message, "position copied to the clipboard")

    async def _save(self, suffix: str) -> None:
        """Let the visitor download the board: as it is, or all positions so far."""
        history = self._shared.state.history
        if suffix != ".png":
            history = at_entry(history, 0)
        data = await compute(self._shared.viewers, file_of, history, suffix)
        if isinstance(data, bytes):
            ui.download.content(data, f"board{suffix}")
        elif data is not None:
            self._shared.change(with_message, data)
