"""A line of moves, step by step, as the rules play it."""

from collections.abc import Iterable
from dataclasses import dataclass

from sim.bumpers.movenotation import move_text
from sim.bumpers.moves import Change, Move
from sim.bumpers.position import Position
from sim.bumpers.rules import play


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
