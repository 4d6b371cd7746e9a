"""The result of a search, and lines of moves replayed by the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import zip_longest

from pucklab.base.facts import fact
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.move_notation import move_text, parse_move
from pucklab.sim.bumpers.moves import Change, Line, Move, PieceMove
from pucklab.sim.bumpers.rules import play


class Status(Enum):
    """The outcome of a search."""

    SOLVED = "solved"
    PROVED_UNSOLVABLE = "proved unsolvable"
    LIMIT_REACHED = "limit reached"


@fact
class Solution:
    """The result of a search.

    Attributes:
        status: Solved, proved unsolvable within the maximum length, or stopped by a limit.
        line: A shortest solution, the principal variation; empty if none was found.
        lines: All shortest solutions if they were asked for, otherwise the one found.
        complete: True if ``lines`` holds all shortest solutions.
        lower_bound: Proved: no solution has fewer actions. None if no solution of any length
            exists.
        limit: The limit that ended the search: nodes, seconds, memory or lines; empty for none.
        nodes: Nodes: positions visited.
        legal_moves: Legal moves listed in the expanded positions. Moves that a filter of the
            heuristic skips unlisted are not counted.
        seconds: Duration in seconds.
        table_hits: Moves pruned by the transposition table.
        table_used: Entries of the transposition table in use.
        table_size: Capacity of the transposition table, in entries.
        without_tables: The limit that left no room for useful tables of pairs or triples of pucks,
            and the room that they take; empty if there was room.
    """

    status: Status = Status.LIMIT_REACHED
    line: Line = ()
    lines: tuple[Line, ...] = ()
    complete: bool = False
    lower_bound: int | None
    limit: str = ""
    nodes: int
    legal_moves: int
    seconds: float
    table_hits: int
    table_used: int
    table_size: int
    without_tables: str = ""


def with_lines(
    state: Solution, lines: Sequence[Line], limit: str, most: int, *, complete: bool
) -> Solution:
    """Return the result of a search that has found solutions; ``limit`` is the one that ended it.

    A search for one solution is complete when it has one.
    """
    return replace(
        state,
        status=Status.SOLVED,
        line=lines[0],
        lines=tuple(lines),
        complete=complete,
        limit="" if complete or most == 1 else limit or "lines",
    )


@fact
class LineStep:
    """One move of a line.

    Attributes:
        before: The position before the move.
        move: The move.
        text: The move in notation.
        after: The position after the move.
        change: The pieces that moved and scored.
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
        InputError: A move is illegal; the message gives the reason.

    Example:
        >>> from pucklab.sim.bumpers import parse_move, parse_position
        >>> start = parse_position("pb1:small:RPf7.RMe7:-:R:-")
        >>> [step.after.scored[0] for step in line_steps(start, [parse_move(start, "f7N")])]
        [1]
    """
    steps = []
    before = start
    moves = list(line)
    for move, following in zip_longest(moves, moves[1:]):
        # Within a series of mat moves the layout need not be legal (PB-23).
        goes_on = following is not None and not isinstance(following, PieceMove)
        after, change = play(before, move, temporary=goes_on)
        text = move_text(before, move)
        steps.append(LineStep(before=before, move=move, text=text, after=after, change=change))
        before = after
    return tuple(steps)


def line_texts(start: Position, line: Iterable[Move]) -> list[str]:
    """Return the moves of a line in notation."""
    return [step.text for step in line_steps(start, line)]


def line_text(start: Position, line: Iterable[Move]) -> str:
    """Return the moves of a line in notation, separated by spaces."""
    return " ".join(line_texts(start, line))


def parse_line(start: Position, text: str) -> Line:
    """Return the moves of a text such as `line_text` returns.

    Raises:
        InputError: A move is illegal.
    """
    line: list[Move] = []
    for word in text.split():
        line.append(parse_move(start, word))
        start, _ = play(start, line[-1])
    return tuple(line)
