"""The page of a game of Puck Bumpers: pieces and mats are moved on the board, cards by buttons."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import ui

from pucklab.render.browser.board_element import BoardElement
from pucklab.render.browser.explorer import open_board
from pucklab.render.browser.exploring import ExplorerState
from pucklab.render.browser.frame import ARROWS, Action
from pucklab.render.browser.game_page import TablePage
from pucklab.render.browser.picking import (
    Marks,
    MovePreview,
    Press,
    mat_move_to,
    next_space,
    preview_at,
    slot_of,
)
from pucklab.render.browser.work import compute
from pucklab.render.bumpers.history import at_entry, history_of_game, piece_movements
from pucklab.render.bumpers.svg import legend_html
from pucklab.sim.bumpers import Direction, MatShift, MatSwap, MatTurn, PieceMove, board_of
from pucklab.sim.bumpers.game import MakeMove, PlacePiece
from pucklab.sim.bumpers.game.planner import is_free_action
from pucklab.sim.bumpers.game.player_kinds import advice_lines
from pucklab.sim.bumpers.moves import moved_mats


class BumpersPage(TablePage):
    """The page of one visitor."""

    heading = "Puck Bumpers"
    legend = legend_html()

    def own_actions(self) -> Sequence[Action]:
        """Return the actions on the board."""
        return (
            Action(" ", "next piece that can move", self._select_next),
            *(
                Action(key, f"move it {way.name}", partial(self._send, way))
                for key, way in ARROWS.items()
            ),
            Action("h", "ask the coach what it would do", self._ask_coach, "school"),
            Action("x", "explore from here", self._explore, "explore"),
        )

    def stage(self) -> None:
        """Add the board."""
        self._space: int | None = None  # that of the selected piece
        self._mat: int | None = None
        self._board = BoardElement(self._press)

    def draw(self) -> None:
        """Show the board with marks on everything that can be chosen."""
        history = history_of_game(self.table.match.setup, self.steps)
        self._board.show(at_entry(history, len(history.entries) - 1))
        self._board.show_marks(self._marks())

    def is_on_stage(self, option: Any) -> bool:
        """Return whether an option is a move of a piece, a shift or swap of mats, or a placing."""
        if isinstance(option, PlacePiece):
            return True
        return isinstance(option, MakeMove) and not isinstance(option.move, MatTurn)

    @property
    def _options(self) -> Sequence[Any]:
        return () if self.decision is None else self.decision.options

    def _previews(self, space: int) -> list[MovePreview]:
        """Return the moves of a piece that can be chosen."""
        state = self.table.match.state
        return [
            MovePreview(move=option.move, movements=piece_movements(state, option.move))
            for option in self._options
            if isinstance(option, MakeMove)
            and isinstance(option.move, PieceMove)
            and option.move.space == space
        ]

    def _mat_moves(self) -> list[MatShift | MatSwap]:
        moves = (option.move for option in self._options if isinstance(option, MakeMove))
        return [move for move in moves if isinstance(move, MatShift | MatSwap)]

    def _marks(self) -> Marks:
        layout = self.table.match.state.position.layout
        if self._space is not None:
            previews = tuple(self._previews(self._space))
            if previews:
                return Marks(selected=(self._space,), previews=previews)
        if self._mat is not None:
            slots = [
                move.slot if isinstance(move, MatShift) else layout.places[other].slot
                for move in self._mat_moves()
                if self._mat in moved_mats(move)
                for other in moved_mats(move)
                if isinstance(move, MatShift) or other != self._mat
            ]
            return Marks(mat=self._mat, slots=tuple(slots))
        places = {option.space for option in self._options if isinstance(option, PlacePiece)}
        return Marks(spaces=tuple(places))

    def _press(self, press: Press) -> None:
        position = self.table.match.state.position
        space = board_of(position.layout).spaces.get(press.square)
        own = [] if space is None else self._previews(space)
        chosen = [] if self._space is None else self._previews(self._space)
        placing = [o for o in self._options if isinstance(o, PlacePiece) and o.space == space]
        preview = preview_at(position, chosen, press.end)
        if placing:
            self.choose(placing[0])
        elif press.direction is not None and own:
            self._space = space
            self._send(press.direction)
        elif preview is not None:
            self._move(MakeMove(preview.move))
        elif not (self._mat_moves() and self._press_mat(press)):
            self._space = space if own else None
            if not own and space is not None and position.piece_on(space) is not None:
                ui.notify("that piece cannot be moved now")
            self._board.show_marks(self._marks())

    def _press_mat(self, press: Press) -> bool:
        """Select a mat, or move the selected one; return whether a mat was meant."""
        layout = self.table.match.state.position.layout
        begin, end = (slot_of(square, layout.size) for square in (press.square, press.end))
        mat = layout.mat_at(begin) if press.direction is not None else self._mat
        if mat is not None:
            move = mat_move_to(layout, mat, end)
            if move is not None and MakeMove(move) in self._options:
                self._mat = None
                self._move(MakeMove(move))
                return True
        self._mat = layout.mat_at(end) if self._mat is None else None
        self._board.show_marks(self._marks())
        return self._mat is not None

    def _send(self, direction: Direction) -> None:
        for preview in [] if self._space is None else self._previews(self._space):
            if preview.move.direction is direction:
                self._move(MakeMove(preview.move))
                return

    def _move(self, choice: MakeMove) -> None:
        self._space = None
        self.choose(choice)

    def _select_next(self) -> None:
        spaces = {
            option.move.space
            for option in self._options
            if isinstance(option, MakeMove) and isinstance(option.move, PieceMove)
        }
        if spaces:
            self._space = next_space(self.table.match.state.position, spaces, self._space)
            self._board.show_marks(self._marks())

    async def _ask_coach(self) -> None:
        """Tell the person whose decision it is what the planner would do."""
        if self.decision is None or not is_free_action(self.table.match.state):
            ui.notify("the coach advises at your actions")
            return
        lines = await compute(
            self.table.viewers, advice_lines, self.table.match.state, self.decision
        )
        ui.notify("\n".join(lines or ["the coach has no answer now"]), multi_line=True,
                  classes="whitespace-pre-line", timeout=20_000)  # fmt: skip

    def _explore(self) -> None:
        match = self.table.match
        history = history_of_game(match.setup, match.steps)
        name = open_board(ExplorerState(history=at_entry(history, len(history.entries) - 1)))
        ui.navigate.to(f"/boards/{name}")
