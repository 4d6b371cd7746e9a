"""Histories: the positions of a game, an explored board or a solution, one after another."""

from collections.abc import Iterable
from dataclasses import replace

from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.bumpers import Movement, PieceMove, Position, nudge, play
from pucklab.sim.bumpers.game import (
    Choice,
    Event,
    GameConfig,
    GameState,
    MakeMove,
    PlacePiece,
    PlayCard,
    choice_text,
    event_text,
    new_game,
)
from pucklab.sim.bumpers.solver.solution import LineStep
from pucklab.sim.core.game import Step

GameStep = Step[GameState, Choice, Event]


@fact
class Entry:
    """A position and the step that led to it.

    Attributes:
        position: The position.
        text: The step in notation, such as ``c7N``; empty for a first position.
        description: The step in words; empty outside of games.
        movements: The pieces that the step moved, as in `pucklab.sim.bumpers.Change`.
        glides: True if the step is animated.
        turn: The number of its turn; 0 outside of games.
    """

    position: Position
    text: str = ""
    description: str = ""
    movements: tuple[Movement, ...] = ()
    glides: bool = False
    turn: int = 0


@fact
class History:
    """Positions one after another, and the number of the one shown.

    Attributes:
        entries: The entries, at least one.
        index: Number of the entry shown, from 0.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> first = Entry(position=parse_position("pb1:small:RPb7:-:R:-"))
        >>> history = with_entry(History(entries=(first,)), first)
        >>> history.index, at_entry(history, 0).index
        (1, 0)
    """

    entries: tuple[Entry, ...]
    index: int = 0

    @property
    def entry(self) -> Entry:
        """The entry shown."""
        return self.entries[self.index]

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.entry.position

    @property
    def is_last(self) -> bool:
        """True if the last entry is shown."""
        return self.index == len(self.entries) - 1


def entry_of_move(step: LineStep, description: str = "") -> Entry:
    """Return the entry of a move."""
    return Entry(
        position=step.after,
        text=step.text,
        description=description,
        movements=step.change.movements,
        glides=True,
    )


def with_entry(history: History, entry: Entry) -> History:
    """Return a history with an entry in place of all that came after the one shown."""
    entries = (*history.entries[: history.index + 1], entry)
    return History(entries=entries, index=len(entries) - 1)


def with_continuation(history: History, entries: Iterable[Entry]) -> History:
    """Return a history with other entries after the one shown, which stays."""
    return replace(history, entries=(*history.entries[: history.index + 1], *entries))


def at_entry(history: History, number: int) -> History:
    """Return a history at another entry, or at the nearer end if there is no such number."""
    return replace(history, index=min(max(number, 0), len(history.entries) - 1))


def next_turn_index(history: History, change: int) -> int:
    """Return the number of the first entry of another turn.

    Args:
        history: The history.
        change: 1 for the next turn; -1 for this turn, or from its first entry the one before.
    """
    starts = [
        number
        for number, entry in enumerate(history.entries)
        if number == 0 or entry.turn != history.entries[number - 1].turn
    ]
    if change > 0:
        return next((start for start in starts if start > history.index), len(history.entries) - 1)
    return max((start for start in starts if start < history.index), default=0)


def turns_of_game(history: History, first: int, last: int) -> History:
    """Return the part of a game from one turn to another.

    It begins with the position before these turns.

    Args:
        history: The history.
        first: Number of the first turn.
        last: Number of the last one, at least ``first``.

    Raises:
        InputError: The history has no such turn.
    """
    numbers = [n for n, entry in enumerate(history.entries) if first <= entry.turn <= last]
    if not numbers:
        most = max(entry.turn for entry in history.entries)
        raise InputError(f"turns: {first}-{last} is not accepted; the game has turns 1 to {most}")
    begin = max(numbers[0] - 1, 0)
    before = replace(history.entries[begin], glides=False)
    return History(entries=(before, *history.entries[begin + 1 : numbers[-1] + 1]))


def history_of_game(config: GameConfig, steps: Iterable[GameStep]) -> History:
    """Return the history of a game, at its beginning, without steps that change nothing visible.

    Example:
        >>> from pucklab.sim.bumpers.game import BUMPERS, RandomPlayer, make_config
        >>> from pucklab.sim.core.game import play
        >>> config = make_config(2, max_actions=3)
        >>> steps = list(play(BUMPERS, config, [RandomPlayer()] * 2, 7))
        >>> history_of_game(config, steps).entries[1].text
        'put RI h14'
    """
    first = Entry(position=new_game(config).position, description="the board before the game")
    entries = [first]
    events: list[str] = []  # since the last entry
    for step in steps:
        before, answer, position = step.before, step.answer, step.after.position
        events += [event_text(before.config, event) for event in step.events]
        is_seen = isinstance(answer, MakeMove | PlacePiece | PlayCard)
        if not is_seen and before.position == position:
            continue
        movements: tuple[Movement, ...] = ()
        if isinstance(answer, MakeMove) and isinstance(answer.move, PieceMove):
            movements = piece_movements(before, answer.move)
        entries.append(
            Entry(
                position=position,
                text=choice_text(before, answer),
                description=", ".join(events),
                movements=movements,
                glides=isinstance(answer, MakeMove) or before.position.layout != position.layout,
                turn=before.turns,
            )
        )
        events = []
    return History(entries=tuple(entries))


def piece_movements(state: GameState, move: PieceMove) -> tuple[Movement, ...]:
    """Return the movements that a piece move causes in the present state of a game."""
    if state.pending is not None:
        return nudge(state.position, move)[1].movements
    colours, before = state.movable, state.turn.before
    return play(state.position, move, colours=colours, before=before)[1].movements


def side_text(position: Position) -> str:
    """Return the side to move as a title.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> side_text(parse_position("pb1:small:RPb7:-:R:-"))
        'Red to move'
    """
    side = "nobody" if position.to_move is None else position.to_move.word
    return f"{side.capitalize()} to move"
