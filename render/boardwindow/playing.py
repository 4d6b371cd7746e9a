"""A game in the window: a person against players that need nobody, or against other persons.

What a person in a game chooses on the board, of what there is to choose.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pygame
from pygame.event import Event

from render.boardwindow.desk import History, gone_to, with_entry
from render.boardwindow.exploring import playing_keys
from render.boardwindow.game import (
    LiveGame,
    entry_of,
    history_of_game,
    joined,
    movements_in,
    tell_turn,
)
from render.boardwindow.hand_panel import draw_hand_above, draw_hand_below, hand_widgets
from render.boardwindow.layout import boxes_of, draw_line
from render.boardwindow.picking import Way, mat_move_to, slot_of, way_at
from render.boardwindow.picture import (
    NO_MARKS,
    Marks,
    draw_board,
    draw_header,
    later,
    layout_view,
    plane_view,
    stage_between,
    stage_of,
)
from render.boardwindow.pointing import Pointer, drag_of, is_release, tracked
from render.bumpers import BoardView
from render.palette import Palette
from render.viewer import Button, Command, Controls, Size, Widget, free_path, row
from sim.bumpers import Direction, MatMove, MatShift, MatSwap, MatTurn, Piece, PieceMove, board_of
from sim.bumpers.board import Square
from sim.bumpers.game import Choice, GameState, MakeMove, Pass, PlacePiece, Step, record_json
from sim.core.files import write_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What a person has picked on the way to a choice.

    Attributes:
        space: The space of a piece.
        mat: A mat.
        kind: The kind of piece to put on the board.
    """

    space: int | None = None
    mat: int | None = None
    kind: Piece | None = None


NOTHING = Picked()


def kinds_of(offered: Sequence[Choice]) -> tuple[Piece, ...]:
    """Return the pieces that can be put on the board, each kind once."""
    return tuple(
        dict.fromkeys(choice.piece for choice in offered if isinstance(choice, PlacePiece))
    )


def kind_of(picked: Picked, offered: Sequence[Choice]) -> Piece | None:
    """Return the piece that a click puts on the board: the one picked, or else the first."""
    kinds = kinds_of(offered)
    return picked.kind if picked.kind in kinds else next(iter(kinds), None)


def mat_moves(offered: Sequence[Choice]) -> tuple[MatMove, ...]:
    """Return the mat moves that are offered."""
    moves = (choice.move for choice in offered if isinstance(choice, MakeMove))
    return tuple(move for move in moves if not isinstance(move, PieceMove))


def ways_offered(state: GameState, offered: Sequence[Choice]) -> Mapping[int, tuple[Way, ...]]:
    """Return the moves of pieces that are offered, by the space of the piece."""
    found: dict[int, list[Way]] = {}
    for choice in offered:
        if isinstance(choice, MakeMove) and isinstance(choice.move, PieceMove):
            way = Way(move=choice.move, movements=movements_in(state, choice.move))
            found.setdefault(choice.move.space, []).append(way)
    return {space: tuple(ways) for space, ways in found.items()}


def clicked_on(
    state: GameState, offered: Sequence[Choice], picked: Picked, square: Square
) -> Picked | Choice:
    """Return the choice that a click on a square makes, or what is picked after it.

    Args:
        state: The game.
        offered: What there is to choose.
        picked: What is picked.
        square: The square.
    """
    if mat_moves(offered):
        return _mat_clicked(state, offered, picked, square)
    space = board_of(state.position.layout).spaces.get(square)
    kind = kind_of(picked, offered)
    if kind is not None and space is not None and PlacePiece(kind, space) in offered:
        return PlacePiece(kind, space)
    ways = ways_offered(state, offered)
    if picked.space is not None:
        way = way_at(state.position, ways.get(picked.space, ()), square)
        if way is not None:
            return MakeMove(way.move)
    return replace(picked, space=space if space in ways and space != picked.space else None)


def dragged_to(
    state: GameState,
    offered: Sequence[Choice],
    begin: Square,
    square: Square,
    direction: Direction,
) -> Picked | Choice | None:
    """Return the choice that a drag from a square to another makes, or what is picked after it."""
    layout = state.position.layout
    if mat_moves(offered):
        mat = layout.mat_at(slot_of(begin, layout.size))
        return None if mat is None else _mat_clicked(state, offered, Picked(mat=mat), square)
    space = board_of(layout).spaces.get(begin)
    return headed_to(offered, Picked(space=space), direction)


def headed_to(offered: Sequence[Choice], picked: Picked, direction: Direction) -> Choice | None:
    """Return the choice that sends the piece that is picked in a direction, if it is offered."""
    if picked.space is None:
        return None
    choice = MakeMove(PieceMove(picked.space, direction))
    return choice if choice in offered else None


def turned_by(offered: Sequence[Choice], picked: Picked, quarters: int) -> Choice | None:
    """Return the choice that turns the mat that is picked, if it is offered."""
    if picked.mat is None:
        return None
    choice = MakeMove(MatTurn(picked.mat, quarters))
    return choice if choice in offered else None


def marks_for(
    state: GameState,
    offered: Sequence[Choice],
    picked: Picked,
    square: Square | None,
    direction: Direction | None,
) -> Marks:
    """Return what is marked on the board.

    Args:
        state: The game.
        offered: What there is to choose.
        picked: What is picked.
        square: The square that the mouse points at.
        direction: Where it drags to.
    """
    if mat_moves(offered):
        return _mat_marks(state, offered, picked)
    kind = kind_of(picked, offered)
    if kind is not None:
        puts = (choice for choice in offered if isinstance(choice, PlacePiece))
        return Marks(spaces=tuple(put.space for put in puts if put.piece == kind))
    if picked.space is None:
        return NO_MARKS
    ways = ways_offered(state, offered).get(picked.space, ())
    pointed = None
    if direction is not None:
        pointed = next((way for way in ways if way.move.direction is direction), None)
    elif square is not None:
        pointed = way_at(state.position, ways, square)
    return Marks(chosen=(picked.space,), ways=ways, pointed=pointed)


def _mat_clicked(
    state: GameState, offered: Sequence[Choice], picked: Picked, square: Square
) -> Picked | Choice:
    layout = state.position.layout
    slot = slot_of(square, layout.size)
    if picked.mat is not None:
        move = mat_move_to(layout, picked.mat, slot)
        if move is not None and MakeMove(move) in offered:
            return MakeMove(move)
    there = layout.mat_at(slot)
    return replace(picked, mat=None if there == picked.mat else there)


def _mat_marks(state: GameState, offered: Sequence[Choice], picked: Picked) -> Marks:
    places = state.position.layout.places
    slots = []
    for move in mat_moves(offered):
        if isinstance(move, MatShift) and move.mat == picked.mat:
            slots.append(move.slot)
        elif isinstance(move, MatSwap) and picked.mat in (move.first, move.second):
            other = move.second if move.first == picked.mat else move.first
            slots.append(places[other].slot)
    return Marks(mat=picked.mat, slots=tuple(slots))


_PAUSE_S = 0.5
"""Between the steps of players that need nobody."""


class Playing:
    """A view of a game under way.

    Attributes:
        game: The game.
        history: What it showed so far.
        stage: What of it is on the board just now.
        picked: What the person has picked on the way to a choice.
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
        self.stage = stage_of(self.history)
        self.picked = NOTHING
        self.told = ""
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
        self._pointer = tracked(before, event, boxes_of(size).board, view)
        if before is not None and is_release(before, event):
            self._released(
                before, view.square_at(event.pos), drag_of(before, view.scale_px, event.pos)
            )
            return True
        return self._pointer != before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass: pieces glide, and players that need nobody choose."""
        stage = self.stage
        self.stage = later(stage, elapsed_s)
        if self.stage.is_moving or self.game.is_over or self.game.is_waiting:
            return self.stage is not stage
        self._waiting_s -= elapsed_s
        if self._waiting_s > 0:
            return self.stage is not stage
        self._add(self.game.go_on)
        return True

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        size = surface.get_size()
        boxes = boxes_of(size)
        surface.fill(palette.background)
        draw_header(
            surface, boxes.header, tell_turn(self.game.state), self.history.position, palette
        )
        square = None if self._pointer is None else self._pointer.square
        direction = drag_of(self._pointer, self.board_view(size).scale_px)
        offered = self.game.offered if self.game.is_waiting else ()
        marks = marks_for(self.game.state, offered, self.picked, square, direction)
        draw_board(
            surface, boxes.board, self.stage, marks, palette, has_ring=bool(mat_moves(offered))
        )
        draw_line(surface, boxes, self.told, self.history.entry.words, palette)
        draw_hand_below(surface, self, boxes, palette)
        self._controls.draw(surface, self.widgets(size), palette)
        draw_hand_above(surface, self, boxes, palette)

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
            *hand_widgets(self, boxes),
        ]

    def board_view(self, size: Size) -> BoardView:
        """Return where the squares of the board are in a window of a size."""
        has_ring = bool(mat_moves(self.game.offered))
        plane = plane_view(self.stage, boxes_of(size).board, has_ring=has_ring)
        return layout_view(self.stage, plane)

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
        return kinds_of(self.game.offered)

    @property
    def kind(self) -> Piece | None:
        """The one that a click puts there."""
        return kind_of(self.picked, self.game.offered)

    def choosing(self, choice: Choice | None) -> Callable[[], object]:
        """Return an action that makes a choice; None for none."""
        return lambda: None if choice is None else self.choose(choice)

    def taking(self, kind: Piece) -> Callable[[], object]:
        """Return an action that picks a kind of piece to put on the board."""

        def take() -> None:
            self.picked = Picked(kind=kind)

        return take

    def choose(self, choice: Choice) -> None:
        """Make a choice."""
        self._add(lambda: self.game.choose(choice))

    def head(self, direction: Direction) -> None:
        """Send the piece that is picked in a direction."""
        choice = headed_to(self.game.offered, self.picked, direction)
        if choice is not None:
            self.choose(choice)

    def turn(self, quarters: int) -> None:
        """Turn the mat that is picked."""
        choice = turned_by(self.game.offered, self.picked, quarters)
        if choice is not None:
            self.choose(choice)

    def skip(self) -> None:
        """Pass, where it is offered."""
        if Pass() in self.game.offered:
            self.choose(Pass())

    def pick_next(self, change: int) -> None:
        """Pick the next piece that can move, or the one before."""
        ways = sorted(ways_offered(self.game.state, self.game.offered))
        if ways:
            number = ways.index(self.picked.space) + change if self.picked.space in ways else 0
            self.picked = Picked(space=ways[number % len(ways)])

    def take_back(self) -> None:
        """Go back to the person's last choice."""
        if self.game.take_back():
            old = self.history
            self.history = gone_to(self._whole_history(), len(old.entries))
            self.stage = stage_between(old, self.history)
            self.picked = NOTHING
            self.told = ""
        else:
            self.told = "there is no choice to take back"

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
            self.told = str(error)
        else:
            self.told = f"wrote {path.name}: pucklab bumpers view shows it again"

    def _released(self, pointer: Pointer, square: Square, direction: Direction | None) -> None:
        """Take a click, or a drag, on the board."""
        if not self.game.is_waiting or self.stage.is_moving:
            return
        state, offered = self.game.state, self.game.offered
        result: Picked | Choice | None
        if direction is None or pointer.begin_square is None:
            result = clicked_on(state, offered, self.picked, square)
        else:
            result = dragged_to(state, offered, pointer.begin_square, square, direction)
        if isinstance(result, Picked):
            self.picked = result
        elif result is not None:
            self.choose(result)

    def _add(self, take: Callable[[], Step]) -> None:
        """Let the game take a step, and show it."""
        taken = take()
        old, self._words = self.history, joined(self._words, taken)
        entry = entry_of(taken, self._words)
        self.picked, self.told = NOTHING, ""
        if entry is not None:
            self._words = ""
            self.history = with_entry(old, entry)
            self.stage = stage_between(old, self.history)
            self._waiting_s = _PAUSE_S

    def _whole_history(self) -> History:
        history = history_of_game(self.game.table, self.game.steps)
        return gone_to(history, len(history.entries) - 1)
