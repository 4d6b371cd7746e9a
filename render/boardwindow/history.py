"""What has been shown: positions one after another, and which of them is shown now."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from physics import InputError
from sim.bumpers import Movement, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A position, and how it came about.

    Attributes:
        position: The position.
        text: What led to it, such as ``c7N``; empty for a first one.
        words: More of what led to it, for who goes through a game.
        movements: The pieces that moved to it, as `sim.bumpers.Change` has them.
        glides: Pieces or mats glide to it; otherwise it is just there.
        turn: The number of the turn in which it came about; 0 outside of games.
    """

    position: Position
    text: str = ""
    words: str = ""
    movements: tuple[Movement, ...] = ()
    glides: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Entries, and which of them is shown; build it with `history_of`.

    Attributes:
        entries: The entries, at least one.
        at: The number of the one shown.

    Example:
        >>> from sim.bumpers import parse_position
        >>> first = Entry(position=parse_position("pb1:small:RPb7:-:R:-"))
        >>> history = with_entry(history_of([first]), first)
        >>> history.at, gone_to(history, 0).at, len(with_entry(gone_to(history, 0), first).entries)
        (1, 0, 2)
    """

    entries: tuple[Entry, ...]
    at: int = 0

    @property
    def entry(self) -> Entry:
        """The entry shown."""
        return self.entries[self.at]

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.entry.position

    @property
    def is_first(self) -> bool:
        """Whether there is nothing before it."""
        return self.at == 0

    @property
    def is_last(self) -> bool:
        """Whether there is nothing after it."""
        return self.at == len(self.entries) - 1


def history_of(entries: Iterable[Entry]) -> History:
    """Return a history at its first entry."""
    return History(entries=tuple(entries))


def with_entry(history: History, entry: Entry) -> History:
    """Return a history with an entry after the one shown; what came after that is gone."""
    entries = (*history.entries[: history.at + 1], entry)
    return History(entries=entries, at=len(entries) - 1)


def with_future(history: History, entries: Iterable[Entry]) -> History:
    """Return a history with other entries after the one shown, still to come."""
    return replace(history, entries=(*history.entries[: history.at + 1], *entries))


def gone_to(history: History, number: int) -> History:
    """Return a history at another entry, or at the nearest end."""
    return replace(history, at=min(max(number, 0), len(history.entries) - 1))


def next_turn(history: History, change: int) -> int:
    """Return the number of the first entry of the next turn, or of this or the one before.

    Args:
        history: The history.
        change: 1 for the next turn; -1 for the start of this one, or from there of the one before.
    """
    starts = [
        number
        for number, entry in enumerate(history.entries)
        if number == 0 or entry.turn != history.entries[number - 1].turn
    ]
    if change > 0:
        return next((start for start in starts if start > history.at), len(history.entries) - 1)
    return max((start for start in starts if start < history.at), default=0)


def part_of(history: History, first: int, last: int) -> History:
    """Return the part of a history from the beginning of a turn to the end of another.

    It begins with the position before the first of these turns.

    Args:
        history: The history.
        first: Number of the first turn.
        last: Number of the last one, at least ``first``.

    Raises:
        InputError: No such turn is in the history.
    """
    numbers = [n for n, entry in enumerate(history.entries) if first <= entry.turn <= last]
    if not numbers:
        most = max(entry.turn for entry in history.entries)
        raise InputError(f"turns: {first}-{last} is not accepted; the game has turns 1 to {most}")
    begin = max(numbers[0] - 1, 0)
    before = replace(history.entries[begin], glides=False)
    return history_of([before, *history.entries[begin + 1 : numbers[-1] + 1]])
