"""The view of a game: persons at the window, against each other or against computer players.

Clicks and drags on the board become choices of the game: `click_result` and `drag_result` give the
choice made, or the `Selection` on the way to one. `GameView` shows the game as it goes on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pygame.event import Event

from physics.facts import fact
from render.boardwindow.explorer_state import History, at_entry, with_entry
from render.boardwindow.game import (
    GameStep,
    LiveGame,
    entry_of,
    history_of_game,
    joined_text,
    piece_movements,
    prompt_lines,
    turn_text,
)
from render.boardwindow.mouse import Pointer, is_release, piece_marks, pointer_drag
from render.boardwindow.picking import MovePreview, mat_move_to, preview_at, slot_of
from render.boardwindow.picture import Marks, a_piece, capitalized, picture_of_piece
from render.boardwindow.screen import TURNS, BoardScreen, Boxes
from render.bumpers import BoardView
from render.viewer import Command, Log, Row, Text, save_beside
from render.viewer.panels import Part
from sim.bumpers import (
    Direction,
    MatMove,
    MatShift,
    MatSwap,
    MatTurn,
    Piece,
    PieceMove,
    board_of,
    why_illegal,
)
from sim.bumpers.board import Square
from sim.bumpers.game import (
    Choice,
    GameState,
    MakeMove,
    Pass,
    Phase,
    PickCard,
    PlacePiece,
    PlayCard,
    choice_text,
    event_text,
)
from sim.bumpers.moves import bare_move_text, moved_mats
from sim.core.records import record_json, record_of

_PAUSE_S = 0.5
"""Pause between the steps of computer players."""

_RECENT_STEPS = 60
"""Steps whose events are listed in the panel, as far as there is room."""

_CARD, _TITLE = 3.9, 1.5
"""Heights of a card, if there is room, and of its button, in text heights."""


@fact
class Selection:
    """A person's selection on the way to a choice."""

    space: int | None = None  # that of the selected piece
    mat: int | None = None
    kind: Piece | None = None  # the piece to place


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
    """Return the choice made by a click on a square, or the selection after it."""
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


def why_not_dragged(state: GameState, begin: Square, direction: Direction) -> str:
    """Return the reason why a drag that is none of the choices does nothing; empty off pieces."""
    position, layout = state.position, state.position.layout
    space = board_of(layout).spaces.get(begin)
    piece = None if space is None else position.piece_on(space)
    if state.phase is Phase.PLACING:
        return "choose a kind of piece, then click on a ring to place it"
    if state.phase is not Phase.ACTION:
        return "this is not the time for a move"
    if piece is None or space is None:
        return ""
    if piece.colour not in state.movable:
        return f"that is {a_piece(piece)}, which is not yours to move"
    move = PieceMove(space, direction)
    reason = why_illegal(position, move, colours=state.movable, before=state.turn.before)
    text = bare_move_text(layout, move)
    return f"{text}: {reason}" if reason else f"{text}: no action is left for it"


def piece_move_choice(
    offered: Sequence[Choice], selection: Selection, direction: Direction
) -> Choice | None:
    """Return the choice that moves the selected piece in a direction; None if not offered."""
    if selection.space is None:
        return None
    choice = MakeMove(PieceMove(selection.space, direction))
    return choice if choice in offered else None


def marks_for(
    state: GameState,
    offered: Sequence[Choice],
    selection: Selection,
    square: Square | None,
    direction: Direction | None,
) -> Marks:
    """Return the marks on the board, for the square under the mouse and the direction of a drag."""
    if mat_moves(offered):
        return _mat_marks(state, offered, selection)
    kind = kind_to_place(selection, offered)
    if kind is not None:
        puts = (choice for choice in offered if isinstance(choice, PlacePiece))
        return Marks(spaces=tuple(put.space for put in puts if put.piece == kind))
    previews = offered_previews(state, offered)
    return piece_marks(state.position, previews, selection.space, square, direction)


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
        elif isinstance(move, MatSwap) and selection.mat in moved_mats(move):
            (other,) = {*moved_mats(move)} - {selection.mat}
            slots.append(places[other].slot)
    return Marks(mat=selection.mat, slots=tuple(slots))


class GameView(BoardScreen):
    """A view of a game under way."""

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
        super().__init__(self._whole_history(), folder)
        self.selection = NOTHING_SELECTED  # on the way to a choice
        self.message = ""
        self._explore = explore
        self._events = ""

    @property
    def history(self) -> History:
        """The positions shown so far."""
        return self.playback.history

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""
        left, _, right = self._turn_commands()
        return (
            *self.piece_commands,
            right,
            left,
            self._pass_command(),
            self.sound_command,
            *self.bar_commands,
        )

    @property
    def bar_commands(self) -> Sequence[Command]:
        """Taking back, exploring, saving."""
        return (
            Command(("z", "ctrl+z"), "take your choice back", self.take_back, label="Take back"),
            Command(("x",), "explore this position", self.explore, label="Explore"),
            Command(("w", "ctrl+s"), "save the game", self.save, label="Save game"),
            self.legend_command,
        )

    @property
    def heading(self) -> str:
        """The player to move, or the result."""
        return turn_text(self.game.state)

    @property
    def words(self) -> tuple[str, str]:
        """The message, and what happened last."""
        return self.message, self.history.entry.description

    @property
    def has_ring(self) -> bool:
        """True if a mat may be moved."""
        return bool(mat_moves(self.game.offered))

    def parts(self, boxes: Boxes) -> Iterator[Part]:
        """Return the prompt, the choices, the cards in hand, recent events."""
        game, state, hand = self.game, self.game.state, self.hand
        yield Text(lines=prompt_lines(game), height=2.7)
        room = boxes.panel.height / boxes.words_px - 4.4
        choices = [
            Command(
                (),
                f"place {a_piece(piece)}",
                partial(self.select_kind, piece),
                picture=picture_of_piece(piece),
                on=piece == self.kind,
            )
            for piece in self.kinds
        ] or self._other_commands()
        if choices:
            yield Row(commands=choices, gap=0.9)
            room -= 2.8
        playable = {c.card: c for c in game.offered if isinstance(c, PlayCard | PickCard)}
        # Cards get lower if there are many, so that some room is left for the events.
        height = min(_CARD, 0.82 * room / max(len(hand), 1))
        for number in hand:
            card, choice = state.card(number), playable.get(number)
            button = self._choice_command(choice, name=card.kind.value, label=card.name)
            yield Row(commands=[button], height=_TITLE, gap=0.15)
            yield Text(lines=["", card.text], size=0.73, height=height - _TITLE - 0.15, gap=0.0)
        recent = [event for step in game.steps[-_RECENT_STEPS:] for event in step.events]
        events = [event_text(game.table, event) for event in recent]
        yield Row(height=0.45, gap=0.0)
        yield Log(lines=events, current=len(events) - 1)

    def marks(self, pointer: Pointer | None, direction: Direction | None) -> Marks:
        """Return the marks of the choices offered to a person."""
        offered = self.game.offered if self.game.is_waiting else ()
        square = None if pointer is None else pointer.square
        return marks_for(self.game.state, offered, self.selection, square, direction)

    def mouse(self, pointer: Pointer | None, event: Event, view: BoardView) -> bool:
        """Handle the end of a click or a drag on the board."""
        if pointer is None or not is_release(pointer, event):
            return False
        if not self.game.is_waiting:
            return True
        square, begin = view.square_at(event.pos), pointer.begin_square
        direction = pointer_drag(pointer, view.scale_px, event.pos)
        state, offered = self.game.state, self.game.offered
        result: Selection | Choice | None
        if direction is None or begin is None:
            result = click_result(state, offered, self.selection, square)
        else:
            result = drag_result(state, offered, begin, square, direction)
        if isinstance(result, Selection):
            self.selection = result
        elif result is not None:
            self.choose(result)
        elif begin is not None and direction is not None:
            self.message = why_not_dragged(state, begin, direction)
        return True

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass: moves are animated, and computer players choose."""
        if self.playback.advance(elapsed_s):
            return True
        if self.game.is_over or self.game.is_waiting or self.playback.rested_s < _PAUSE_S:
            return False
        answer = self.game.choose()
        if answer is not None:
            self._add(self.game.step(answer))
        return True

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
        if self.game.undo():
            self.playback.show(self._whole_history())
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
        data = record_json(self.game.game, record_of(self.game)).encode()
        self.message = save_beside(self.folder, "game", ".json", data)
        if self.message.startswith("wrote "):
            name = self.message.removeprefix("wrote ")
            self.message += f"; pucklab bumpers view {name} shows it again"

    def _turn_commands(self) -> list[Command]:
        """Return the commands that turn the selected mat: left, by half, right."""
        found = []
        for label, name, quarters, keys in TURNS:
            mat = self.selection.mat
            choice = None if mat is None else MakeMove(MatTurn(mat, quarters))
            offered = choice if choice in self.game.offered else None
            found.append(self._choice_command(offered, name=name, label=label, keys=keys))
        return found

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

        return Command(keys, name, choose, label=label, enabled=choice is not None)

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

    def _add(self, step: GameStep) -> None:
        """Show a step of the game."""
        self._events = joined_text(self._events, step)
        entry = entry_of(step, self._events)
        self.selection, self.message = NOTHING_SELECTED, ""
        if entry is None:
            self.playback.rested_s = _PAUSE_S  # nothing to look at
        else:
            self._events = ""
            self.playback.show(with_entry(self.history, entry))

    def _whole_history(self) -> History:
        history = history_of_game(self.game.table, self.game.steps)
        return at_entry(history, len(history.entries) - 1)
