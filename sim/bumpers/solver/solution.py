"""What a search is allowed, and what comes of it.

A line of moves, step by step, as the rules play it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from physics.errors import check_count, check_number
from sim.bumpers.board import Position
from sim.bumpers.move_notation import move_text
from sim.bumpers.moves import Change, Move
from sim.bumpers.rules import play

MOST_ACTIONS = 64
LEAST_MB = 8.0


class Status(Enum):
    """What is known at the end of a search."""

    SOLVED = "solved"
    PROVED_UNSOLVABLE = "proved unsolvable"
    LIMIT_REACHED = "limit reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far a search may go.

    Attributes:
        actions: Most actions of a solution, 1 to 64.
        nodes: Most moves made, 1 to 10^15; None for no limit.
        seconds: Most seconds, .001 to 10^7; None for no limit.
        memory_mb: Most memory of the search in MB, 8 to 10^6. A full transposition table loses
            what it knows of short searches and goes on; too many layouts end the search.

    Raises:
        InputError: A field is not accepted.
    """

    actions: int = 20
    nodes: int | None = None
    seconds: float | None = None
    memory_mb: float = 1024.0

    def __post_init__(self) -> None:
        check_count("actions", self.actions, low=1, high=MOST_ACTIONS)
        if self.nodes is not None:
            check_count("nodes", self.nodes, low=1, high=10**15)
        if self.seconds is not None:
            check_number("seconds", self.seconds, low=0.001, high=1e7, unit="s")
        check_number("memory_mb", self.memory_mb, low=LEAST_MB, high=1e6, unit="MB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What comes of a search.

    Attributes:
        status: Whether there is a solution within the actions asked for, or that a limit came
            first.
        line: A shortest solution; empty if none was found.
        lines: All shortest solutions, if they were asked for; else the one found.
        complete: ``lines`` are all there are.
        lower_bound: No solution has fewer actions than this: proved. None if there is none of any
            length.
        limit: What ended the search: nodes, seconds, memory, lines, or stopped; empty for no
            limit.
        nodes: Moves made.
        generated: Positions generated.
        seconds: Time it took.
        table_hits: Positions that the transposition table knew to be without a solution.
        table_used: Entries of the table in use.
        table_size: All its entries.
    """

    status: Status
    line: tuple[Move, ...]
    lines: tuple[tuple[Move, ...], ...]
    complete: bool
    lower_bound: int | None
    limit: str
    nodes: int
    generated: int
    seconds: float
    table_hits: int
    table_used: int
    table_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LineStep:
    """One move of a line.

    Attributes:
        before: The position before it.
        move: The move.
        text: Its text.
        after: The position after it.
        change: What it changed.
    """

    before: Position
    move: Move
    text: str
    after: Position
    change: Change


def line_steps(start: Position, line: Iterable[Move]) -> tuple[LineStep, ...]:
    """Return the steps of a line.

    Args:
        start: The position before its first move.
        line: The moves, of the side to move or of mats.

    Raises:
        InputError: A move is not legal; the message says why.

    Example:
        >>> from sim.bumpers import parse_move, parse_position
        >>> start = parse_position("pb1:small:RPf7.RMe7:-:R:-")
        >>> [step.after.scored[0] for step in line_steps(start, [parse_move(start, "f7N")])]
        [1]
    """
    steps = []
    before = start
    for move in line:
        after, change = play(before, move)
        text = move_text(before, move)
        steps.append(LineStep(before=before, move=move, text=text, after=after, change=change))
        before = after
    return tuple(steps)


def line_texts(start: Position, line: Iterable[Move]) -> list[str]:
    """Return the texts of a line's moves."""
    return [step.text for step in line_steps(start, line)]


def line_text(start: Position, line: Iterable[Move]) -> str:
    """Return the texts of a line's moves with blanks between them."""
    return " ".join(line_texts(start, line))
