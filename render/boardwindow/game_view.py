"""A game in the window: a person against players that need nobody, or against other persons.

What a person in a game chooses on the board, of what there is to choose.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pygame
from pygame.event import Event

from render.boardwindow.explorer import playing_keys
from render.boardwindow.explorer_state import History, at_entry, with_entry
from render.boardwindow.game import (
    LiveGame,
    entry_of,
    history_of_game,
    joined_text,
    piece_movements,
    turn_text,
)
from render.boardwindow.game_panel import draw_game_panel_above, draw_game_panel_below, game_widgets
from render.boardwindow.layout import boxes_of, draw_line
from render.boardwindow.mouse import Pointer, is_release, pointer_after, pointer_drag
from render.boardwindow.picking import MovePreview, mat_move_to, preview_at, slot_of
from render.boardwindow.picture import (
    NO_MARKS,
    Marks,
    advanced,
    animation_between,
    draw_board,
    draw_header,
    layout_view,
    plane_view,
    resting_animation,
)
from render.bumpers import BoardView
from render.palette import Palette
from render.viewer import Button, Command, Controls, Size, Widget, free_path, row
from sim.bumpers import Direction, MatMove, MatShift, MatSwap, MatTurn, Piece, PieceMove, board_of
from sim.bumpers.board import Square
from sim.bumpers.game import Choice, GameState, MakeMove, Pass, PlacePiece, Step, record_json
from sim.core.files import write_whole
from sim.core.play import next_step


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a person has selection on the preview to a choice.

    Attributes:
        space: The space of a piece.
        mat: A mat.
        kind: The kind of piece to put on the board.
    """

    space: int | None = None
    mat: int | None = None
    kind: Piece | None = None


NOTHING_SELECTED = Selection()


def placeable_kinds(offered: Sequence[Choice]) -> tuple[Piece, ...]:
    """Return the pieces that can be placed on the board, each kind once."""
    return tuple(
        dict.fromkeys(choice.piece for choice in offered if isinstance(choice, PlacePiece))
    )


def kind_to_place(selection: Selection, offered: Sequence[Choice]) -> Piece | None:
    """Return the piece that a click puts on the board: the one selection, or else the first."""
    kinds = placeable_kinds(offered)
    return selection.kind if selection.kind in kinds else next(iter(kinds), None)


def mat_moves(offered: Sequence[Choice]) -> tuple[MatMove, ...]:
    """Return the mat moves that are offered."""
    moves = (choice.move for choice in offered if isinstance(choice, MakeMove))
    return tuple(move for move in moves if not isinstance(move, PieceMove))


def offered_previews(
    state: GameState, offered: Sequence[Choice]
) -> Mapping[int, tuple[MovePreview, ...]]:
    """Return the moves of pieces that are offered, by the space of the piece."""
    found: dict[int, list[MovePreview]] = {}
    for choice in offered:
        if isinstance(choice, MakeMove) and isinstance(choice.move, PieceMove):
            preview = MovePreview(move=choice.move, movements=piece_movements(state, choice.move))
            found.setdefault(choice.move.space, []).append(preview)
    return {space: tuple(previews) for space, previews in found.items()}


def click_result(
    state: GameState, offered: Sequence[Choice], selection: Selection, square: Square
) -> Selection | Choice:
    """Return the choice that a click on a square makes, or what is selection after it.

    Args:
        state: The game.
        offered: What there is to choose.
        selection: What is selection.
        square: The square.
    """
    if mat_moves(offered):
        return _mat_clicked(state, offered, selection, square)
    space = board_of(state.position.layout).spaces.get(square)
    kind = kind_to_place(selection, offered)
    if kind is not None and space is not None and PlacePiece(kind, space) in offered:
        return PlacePiece(kind, space)
    previews = offered_previews(state, offered)
    if selection.space is not None:
        preview = preview_at(state.position, previews.get(selection.space, ()), square)
        if preview is not None:
            return MakeMove(preview.move)
    return replace(
        selection, space=space if space in previews and space != selection.space else None
    )


def drag_result(
    state: GameState,
    offered: Sequence[Choice],
    begin: Square,
    square: Square,
    direction: Direction,
) -> Selection | Choice | None:
    """Return the choice made by a drag between two squares, or the selection after it."""
    layout = state.position.layout
    if mat_moves(offered):
        mat = layout.mat_at(slot_of(begin, layout.size))
        return None if mat is None else _mat_clicked(state, offered, Selection(mat=mat), square)
    space = board_of(layout).spaces.get(begin)
    return piece_move_choice(offered, Selection(space=space), direction)


def piece_move_choice(
    offered: Sequence[Choice], selection: Selection, direction: Direction
) -> Choice | None:
    """Return the choice that sends the piece that is selection in a direction, if it is offered."""
    if selection.space is None:
        return None
    choice = MakeMove(PieceMove(selection.space, direction))
    return choice if choice in offered else None


def mat_turn_choice(
    offered: Sequence[Choice], selection: Selection, quarters: int
) -> Choice | None:
    """Return the choice that turns the mat that is selection, if it is offered."""
    if selection.mat is None:
        return None
    choice = MakeMove(MatTurn(selection.mat, quarters))
    return choice if choice in offered else None


def marks_for(
    state: GameState,
    offered: Sequence[Choice],
    selection: Selection,
    square: Square | None,
    direction: Direction | None,
) -> Marks:
    """Return what is marked on the board.

    Args:
        state: The game.
        offered: What there is to choose.
        selection: What is selection.
        square: The square that the mouse points at.
        direction: Where it drags to.
    """
    if mat_moves(offered):
        return _mat_marks(state, offered, selection)
    kind = kind_to_place(selection, offered)
    if kind is not None:
        puts = (choice for choice in offered if isinstance(choice, PlacePiece))
        return Marks(spaces=tuple(put.space for put in puts if put.piece == kind))
    if selection.space is None:
        return NO_MARKS
    previews = offered_previews(state, offered).get(selection.space, ())
    pointed = None
    if direction is not None:
        pointed = next(
            (preview for preview in previews if preview.move.direction is direction), None
        )
    elif square is not None:
        pointed = preview_at(state.position, previews, square)
    return Marks(chosen=(selection.space,), previews=previews, pointed=pointed)


def _mat_clicked(
    state: GameState, offered: Sequence[Choice], selection: Selection, square: Square
) -> Selection | Choice:
    layout = state.position.layout
    slot = slot_of(square, layout.size)
    if selection.mat is not None:
        move = mat_move_to(layout, selection.mat, slot)
        if move is not None and MakeMove(move) in offered:
            return MakeMove(move)
    there = layout.mat_at(slot)
    return replace(selection, mat=None if there == selection.mat else there)


def _mat_marks(state: GameState, offered: Sequence[Choice], selection: Selection) -> Marks:
    places = state.position.layout.places
    slots = []
    for move in mat_moves(offered):
        if isinstance(move, MatShift) and move.mat == selection.mat:
            slots.append(move.slot)
        elif isinstance(move, MatSwap) and selection.mat in (move.first, move.second):
            other = move.second if move.first == selection.mat else move.first
            slots.append(places[other].slot)
    return Marks(mat=selection.mat, slots=tuple(slots))


_PAUSE_S = 0.5
"""Between the steps of players that need nobody."""


class GameView:
    """A view of a game under preview.

    Attributes:
        game: The game.
        history: What it showed so far.
        animation: What of it is on the board just now.
        selection: What the person has selection on the preview to a choice.
        told: What to tell, such as where the game was saved.
    """

    title = "Puck Bumpers - pucklab"

    def __init__(
        self,
        game: LiveGame,
        *,
        explore: Callable[[History], object] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Show a game.

        Args:
            game: The game.
            explore: Shows the positions of a game as a board to explore.
            folder: Where games are saved; the current one if none is given.
        """
        self.game = game
        self._explore = explore
        self._folder = folder or Path.cwd()
        self.history = self._whole_history()
        self.animation = resting_animation(self.history)
        self.selection = NOTHING_SELECTED
        self.message = ""
        self._words = ""
        self._waiting_s = 0.0
        self._pointer: Pointer | None = None
        self._controls = Controls()

    @property
    def commands(self) -> Sequence[Command]:
        """Its keys."""
        return playing_keys(self)

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event."""
        if self._controls.handle(event, self.widgets(size)):
            return True
        before, view = self._pointer, self.board_view(size)
        self._pointer = pointer_after(before, event, boxes_of(size).board, view)
        if before is not None and is_release(before, event):
            self._released(
                before, view.square_at(event.pos), pointer_drag(before, view.scale_px, event.pos)
            )
            return True
        return self._pointer != before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass: pieces glide, and players that need nobody choose."""
        animation = self.animation
        self.animation = advanced(animation, elapsed_s)
        if self.animation.is_moving or self.game.is_over or self.game.is_waiting:
            return self.animation is not animation
        self._waiting_s -= elapsed_s
        if self._waiting_s > 0:
            return self.animation is not animation
        self._add(next_step(self.game))
        return True

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        size = surface.get_size()
        boxes = boxes_of(size)
        surface.fill(palette.background)
        draw_header(
            surface, boxes.header, turn_text(self.game.state), self.history.position, palette
        )
        square = None if self._pointer is None else self._pointer.square
        direction = pointer_drag(self._pointer, self.board_view(size).scale_px)
        offered = self.game.offered if self.game.is_waiting else ()
        marks = marks_for(self.game.state, offered, self.selection, square, direction)
        draw_board(
            surface, boxes.board, self.animation, marks, palette, has_ring=bool(mat_moves(offered))
        )
        draw_line(surface, boxes, self.message, self.history.entry.words, palette)
        draw_game_panel_below(surface, self, boxes, palette)
        self._controls.draw(surface, self.widgets(size), palette)
        draw_game_panel_above(surface, self, boxes, palette)

    def close(self) -> None:
        """Nothing is left to end."""

    def widgets(self, size: Size) -> list[Widget]:
        """Return its buttons."""
        boxes = boxes_of(size)
        words = boxes.words_px
        facts = (("Take back", self.take_back), ("Explore", self.explore), ("Save game", self.save))
        places = row(boxes.bar, [6.5 * words] * len(facts), 0.4 * words)
        return [
            *(
                Button(box=box, label=label, action=action)
                for box, (label, action) in zip(places, facts, strict=True)
            ),
            *game_widgets(self, boxes),
        ]

    def board_view(self, size: Size) -> BoardView:
        """Return where the squares of the board are in a window of a size."""
        has_ring = bool(mat_moves(self.game.offered))
        plane = plane_view(self.animation, boxes_of(size).board, has_ring=has_ring)
        return layout_view(self.animation, plane)

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards in the hand of the person who is to choose, or of the only one there is."""
        who = self.game.person
        if who is None:
            persons = self.game.persons
            who = persons[0] if len(persons) == 1 else None
        hands = self.game.state.hands
        return hands[who] if who is not None and hands else ()

    @property
    def kinds_to_put(self) -> tuple[Piece, ...]:
        """The kinds of pieces that the person can put on the board."""
        return placeable_kinds(self.game.offered)

    @property
    def kind(self) -> Piece | None:
        """The one that a click puts there."""
        return kind_to_place(self.selection, self.game.offered)

    def choosing(self, choice: Choice | None) -> Callable[[], object]:
        """Return an action that makes a choice; None for none."""
        return lambda: None if choice is None else self.choose(choice)

    def taking(self, kind: Piece) -> Callable[[], object]:
        """Return an action that picks a kind of piece to put on the board."""

        def take() -> None:
            self.selection = Selection(kind=kind)

        return take

    def choose(self, choice: Choice) -> None:
        """Make a choice."""
        self._add(self.game.step(choice))

    def head(self, direction: Direction) -> None:
        """Send the piece that is selection in a direction."""
        choice = piece_move_choice(self.game.offered, self.selection, direction)
        if choice is not None:
            self.choose(choice)

    def turn(self, quarters: int) -> None:
        """Turn the mat that is selection."""
        choice = mat_turn_choice(self.game.offered, self.selection, quarters)
        if choice is not None:
            self.choose(choice)

    def skip(self) -> None:
        """Pass, where it is offered."""
        if Pass() in self.game.offered:
            self.choose(Pass())

    def pick_next(self, change: int) -> None:
        """PickCard the next piece that can move, or the one before."""
        previews = sorted(offered_previews(self.game.state, self.game.offered))
        if previews:
            number = (
                previews.index(self.selection.space) + change
                if self.selection.space in previews
                else 0
            )
            self.selection = Selection(space=previews[number % len(previews)])

    def take_back(self) -> None:
        """Go back to the person's last choice."""
        if self.game.take_back():
            old = self.history
            self.history = at_entry(self._whole_history(), len(old.entries))
            self.animation = animation_between(old, self.history)
            self.selection = NOTHING_SELECTED
            self.message = ""
        else:
            self.message = "there is no choice to take back"

    def explore(self) -> None:
        """Show the position as a board to explore."""
        if self._explore is not None:
            self._explore(self.history)

    def save(self) -> None:
        """Save the game as a record."""
        path = free_path(self._folder, "game", ".json")
        try:
            write_whole(path, record_json(self.game.record()).encode())
        except OSError as error:
            self.message = str(error)
        else:
            self.message = f"wrote {path.name}: pucklab bumpers view shows it again"

    def _released(self, pointer: Pointer, square: Square, direction: Direction | None) -> None:
        """Take a click, or a drag, on the board."""
        if not self.game.is_waiting or self.animation.is_moving:
            return
        state, offered = self.game.state, self.game.offered
        result: Selection | Choice | None
        if direction is None or pointer.begin_square is None:
            result = click_result(state, offered, self.selection, square)
        else:
            result = drag_result(state, offered, pointer.begin_square, square, direction)
        if isinstance(result, Selection):
            self.selection = result
        elif result is not None:
            self.choose(result)

    def _add(self, taken: Step | None) -> None:
        """Show a step of the game."""
        if taken is None:
            return
        old, self._words = self.history, joined_text(self._words, taken)
        entry = entry_of(taken, self._words)
        self.selection, self.message = NOTHING_SELECTED, ""
        if entry is not None:
            self._words = ""
            self.history = with_entry(old, entry)
            self.animation = animation_between(old, self.history)
            self._waiting_s = _PAUSE_S

    def _whole_history(self) -> History:
        history = history_of_game(self.game.table, self.game.steps)
        return at_entry(history, len(history.entries) - 1)
