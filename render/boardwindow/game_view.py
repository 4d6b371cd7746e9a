"""The view of a game: persons at the window, against each other or against computer players.

Clicks and drags on the board become choices of the game: `click_result` and `drag_result` give the
choice made, or the `Selection` on the way to one. `GameView` shows the game as it goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pygame
from pygame.event import Event

from render.boardwindow.explorer_state import History, at_entry, with_entry
from render.boardwindow.game import (
    LiveGame,
    entry_of,
    history_of_game,
    joined_text,
    piece_movements,
    prompt_lines,
    turn_text,
)
from render.boardwindow.game_panel import (
    GamePanel,
    draw_game_panel_above,
    draw_game_panel_below,
    game_widgets,
)
from render.boardwindow.layout import ARROWS, TURNS, boxes_of, draw_message_line
from render.boardwindow.mouse import Pointer, is_release, pointer_after, pointer_drag
from render.boardwindow.picking import MovePreview, mat_move_to, preview_at, slot_of
from render.boardwindow.picture import (
    NO_MARKS,
    Marks,
    advanced,
    animation_between,
    capitalized,
    draw_board,
    draw_header,
    layout_view,
    plane_view,
    resting_animation,
)
from render.bumpers import BoardView
from render.palette import Palette
from render.viewer import Command, Controls, Size, Widget, command_button, free_path, row
from sim.bumpers import Direction, MatMove, MatShift, MatSwap, MatTurn, Piece, PieceMove, board_of
from sim.bumpers.board import Square
from sim.bumpers.game import (
    Choice,
    GameState,
    MakeMove,
    Pass,
    PickCard,
    PlacePiece,
    PlayCard,
    Step,
    choice_text,
    event_text,
    record_json,
)
from sim.core.files import write_whole
from sim.core.play import next_step

_PAUSE_S = 0.5
"""Pause between the steps of computer players."""

_RECENT_STEPS = 60
"""Steps whose events are listed in the panel, as far as there is room."""

_BUTTON, _GAP = 6.5, 0.4
"""Width of a button of the bar, and the gap between two, in text heights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A person's selection on the way to a choice.

    Attributes:
        space: The space of the selected piece.
        mat: The selected mat.
        kind: The piece to place.
    """

    space: int | None = None
    mat: int | None = None
    kind: Piece | None = None


NOTHING_SELECTED = Selection()


def placeable_kinds(offered: Sequence[Choice]) -> tuple[Piece, ...]:
    """Return the pieces that can be placed, each kind once."""
    return tuple(
        dict.fromkeys(choice.piece for choice in offered if isinstance(choice, PlacePiece))
    )


def kind_to_place(selection: Selection, offered: Sequence[Choice]) -> Piece | None:
    """Return the piece that a click places: the selected one, or else the first."""
    kinds = placeable_kinds(offered)
    return selection.kind if selection.kind in kinds else next(iter(kinds), None)


def mat_moves(offered: Sequence[Choice]) -> tuple[MatMove, ...]:
    """Return the mat moves among the choices offered."""
    moves = (choice.move for choice in offered if isinstance(choice, MakeMove))
    return tuple(move for move in moves if not isinstance(move, PieceMove))


def offered_previews(
    state: GameState, offered: Sequence[Choice]
) -> Mapping[int, tuple[MovePreview, ...]]:
    """Return the piece moves among the choices offered, by the space of the piece."""
    found: dict[int, list[MovePreview]] = {}
    for choice in offered:
        if isinstance(choice, MakeMove) and isinstance(choice.move, PieceMove):
            preview = MovePreview(move=choice.move, movements=piece_movements(state, choice.move))
            found.setdefault(choice.move.space, []).append(preview)
    return {space: tuple(previews) for space, previews in found.items()}


def click_result(
    state: GameState, offered: Sequence[Choice], selection: Selection, square: Square
) -> Selection | Choice:
    """Return the choice made by a click on a square, or the selection after it.

    Args:
        state: The game.
        offered: The choices offered.
        selection: The selection before.
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
    """Return the choice that moves the selected piece in a direction; None if not offered."""
    if selection.space is None:
        return None
    choice = MakeMove(PieceMove(selection.space, direction))
    return choice if choice in offered else None


def mat_turn_choice(
    offered: Sequence[Choice], selection: Selection, quarters: int
) -> Choice | None:
    """Return the choice that turns the selected mat clockwise; None if not offered."""
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
    """Return the marks on the board.

    Args:
        state: The game.
        offered: The choices offered.
        selection: The selection.
        square: The square under the mouse; None if it is not on the board.
        direction: The direction of a drag; None without one.
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
    return Marks(selected=(selection.space,), previews=previews, pointed=pointed)


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


class GameView:
    """A view of a game under way.

    Attributes:
        game: The game.
        history: The positions shown so far.
        animation: The motion shown on the board.
        selection: The person's selection on the way to a choice.
        message: A message, such as the name of a saved file.
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
            explore: Shows the positions of a game in an explorer.
            folder: Folder of saved games; by default the current one.
        """
        self.game = game
        self._explore = explore
        self._folder = folder or Path.cwd()
        self.history = self._whole_history()
        self.animation = resting_animation(self.history)
        self.selection = NOTHING_SELECTED
        self.message = ""
        self._events = ""
        self._waiting_s = 0.0
        self._pointer: Pointer | None = None
        self._controls = Controls()

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        left, _, right = self._turn_commands()
        return (
            Command(keys=("tab",), name="next piece", action=partial(self.select_next, 1)),
            Command(
                keys=("shift+tab",), name="previous piece", action=partial(self.select_next, -1)
            ),
            *(
                Command(
                    keys=(key,),
                    name=f"move the piece {key}",
                    action=partial(self.move_piece, direction),
                )
                for key, direction in ARROWS.items()
            ),
            right,
            left,
            self._pass_command(),
            *self._bar_commands(),
        )

    def widgets(self, size: Size) -> list[Widget]:
        """Return its buttons."""
        boxes, commands = boxes_of(size), self._bar_commands()
        words = boxes.words_px
        places = row(boxes.bar, [_BUTTON * words] * len(commands), _GAP * words)
        return [
            *(command_button(box, command) for box, command in zip(places, commands, strict=True)),
            *game_widgets(self._panel(), boxes),
        ]

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        if self._controls.handle(event, self.widgets(size)):
            return True
        before, view = self._pointer, self.board_view(size)
        self._pointer = pointer_after(before, event, boxes_of(size).board, view)
        if before is not None and is_release(before, event):
            direction = pointer_drag(before, view.scale_px, event.pos)
            self._release(before, view.square_at(event.pos), direction)
            return True
        return self._pointer != before

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass: moves are animated, and computer players choose."""
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
        """Draw the whole view."""
        size = surface.get_size()
        boxes, panel = boxes_of(size), self._panel()
        state = self.game.state
        surface.fill(palette.background)
        draw_header(surface, boxes.header, turn_text(state), self.history.position, palette)
        square = None if self._pointer is None else self._pointer.square
        direction = pointer_drag(self._pointer, self.board_view(size).scale_px)
        offered = self.game.offered if self.game.is_waiting else ()
        marks = marks_for(state, offered, self.selection, square, direction)
        has_ring = bool(mat_moves(offered))
        draw_board(surface, boxes.board, self.animation, marks, palette, has_ring=has_ring)
        description = self.history.entry.description
        draw_message_line(surface, boxes, self.message, description, palette)
        draw_game_panel_below(surface, panel, boxes, palette)
        self._controls.draw(surface, self.widgets(size), palette)
        draw_game_panel_above(surface, panel, boxes, palette)

    def close(self) -> None:
        """Close the view; nothing is running."""

    def board_view(self, size: Size) -> BoardView:
        """Return the place of the board's squares in a window of a given size."""
        has_ring = bool(mat_moves(self.game.offered))
        plane = plane_view(self.animation, boxes_of(size).board, has_ring=has_ring)
        return layout_view(self.animation, plane)

    @property
    def hand(self) -> tuple[int, ...]:
        """Cards in the hand of the person to choose, or of the only person in the game."""
        who = self.game.person
        if who is None:
            persons = self.game.persons
            who = persons[0] if len(persons) == 1 else None
        hands = self.game.state.hands
        return hands[who] if who is not None and hands else ()

    @property
    def kinds(self) -> tuple[Piece, ...]:
        """The pieces that the person can place, each kind once."""
        return placeable_kinds(self.game.offered)

    @property
    def kind(self) -> Piece | None:
        """The piece that a click places."""
        return kind_to_place(self.selection, self.game.offered)

    def select_kind(self, kind: Piece) -> None:
        """Select the piece that a click places."""
        self.selection = Selection(kind=kind)

    def select_next(self, change: int) -> None:
        """Select the next piece that can move, or the previous one."""
        spaces = sorted(offered_previews(self.game.state, self.game.offered))
        if spaces:
            selected = self.selection.space
            number = spaces.index(selected) + change if selected in spaces else 0
            self.selection = Selection(space=spaces[number % len(spaces)])

    def choose(self, choice: Choice) -> None:
        """Make a choice."""
        self._add(self.game.step(choice))

    def move_piece(self, direction: Direction) -> None:
        """Move the selected piece in a direction."""
        choice = piece_move_choice(self.game.offered, self.selection, direction)
        if choice is not None:
            self.choose(choice)

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
        """Show the positions of the game in an explorer."""
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
            self.message = f"wrote {path.name}; pucklab bumpers view {path.name} shows it again"

    def _bar_commands(self) -> tuple[Command, ...]:
        """Return the commands of the bar."""
        return (
            Command(
                keys=("z", "ctrl+z"),
                name="take your choice back",
                action=self.take_back,
                label="Take back",
            ),
            Command(
                keys=("x",), name="explore this position", action=self.explore, label="Explore"
            ),
            Command(
                keys=("w", "ctrl+s"), name="save the game", action=self.save, label="Save game"
            ),
        )

    def _turn_commands(self) -> tuple[Command, ...]:
        """Return the commands that turn the selected mat: left, by half, right."""
        offered = self.game.offered
        found = []
        for label, name, quarters, keys in TURNS:
            choice = mat_turn_choice(offered, self.selection, quarters)
            found.append(self._choice_command(choice, name=name, label=label, keys=keys))
        return tuple(found)

    def _pass_command(self) -> Command:
        label = capitalized(choice_text(self.game.state, Pass()))
        choice = Pass() if Pass() in self.game.offered else None
        return self._choice_command(
            choice, name="pass, if allowed", label=label, keys=("space", "return")
        )

    def _choice_command(
        self, choice: Choice | None, *, name: str, label: str, keys: tuple[str, ...] = ()
    ) -> Command:
        """Return the command of a choice; it is disabled if there is none."""

        def choose() -> None:
            if choice is not None:
                self.choose(choice)

        return Command(keys=keys, name=name, action=choose, label=label, enabled=choice is not None)

    def _panel(self) -> GamePanel:
        """Return the contents of the panel."""
        game, state, hand = self.game, self.game.state, self.hand
        playable = {c.card: c for c in game.offered if isinstance(c, PlayCard | PickCard)}
        cards = []
        for number in hand:
            card = state.card(number)
            command = self._choice_command(
                playable.get(number), name=card.kind.value, label=card.name
            )
            cards.append((card, command))
        kinds = [
            (
                piece,
                Command(
                    keys=(),
                    name=f"place a {piece}",
                    action=partial(self.select_kind, piece),
                    on=piece == self.kind,
                ),
            )
            for piece in self.kinds
        ]
        recent = [event for step in game.steps[-_RECENT_STEPS:] for event in step.events]
        return GamePanel(
            prompt=prompt_lines(game),
            cards=cards,
            kinds=kinds,
            others=self._other_commands(),
            events=[event_text(game.table, event) for event in recent],
        )

    def _other_commands(self) -> list[Command]:
        """Return commands of the choices that are neither on the board nor in the hand."""
        commands = [command for command in self._turn_commands() if command.enabled]
        for choice in self.game.offered:
            if choice == Pass():
                commands.append(self._pass_command())
            elif isinstance(choice, MakeMove | PlacePiece):
                continue
            elif not (isinstance(choice, PlayCard | PickCard) and choice.card in self.hand):
                text = choice_text(self.game.state, choice)
                commands.append(self._choice_command(choice, name=text, label=capitalized(text)))
        return commands

    def _release(self, pointer: Pointer, square: Square, direction: Direction | None) -> None:
        """Handle the end of a click or a drag on the board."""
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

    def _add(self, step: Step | None) -> None:
        """Show a step of the game."""
        if step is None:
            return
        old, self._events = self.history, joined_text(self._events, step)
        entry = entry_of(step, self._events)
        self.selection, self.message = NOTHING_SELECTED, ""
        if entry is not None:
            self._events = ""
            self.history = with_entry(old, entry)
            self.animation = animation_between(old, self.history)
            self._waiting_s = _PAUSE_S

    def _whole_history(self) -> History:
        history = history_of_game(self.game.table, self.game.steps)
        return at_entry(history, len(history.entries) - 1)
