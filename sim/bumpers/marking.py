"""Errors in a text: one line that shows the place."""

from collections.abc import Sequence
from dataclasses import dataclass

from physics import InputError

_AROUND = 14


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a text.

    Attributes:
        message: What is wrong, and what is accepted.
        start: Where the offending text begins; None where the whole text is meant.
        end: Where it ends.
    """

    message: str
    start: int | None = None
    end: int | None = None


class NotationError(InputError):
    """A text that is no position, board or move; the message marks every place.

    Attributes:
        text: The text.
        problems: What is wrong with it; at least one.
    """

    def __init__(self, field: str, text: str, problems: Sequence[Problem]) -> None:
        self.text = text
        self.problems = tuple(problems)
        told = [_told(text, problem) for problem in self.problems]
        count = f"{len(told)} problems: " if len(told) > 1 else ""
        super().__init__(f"{field}: {count}{'; '.join(told)}")


def marked(text: str, start: int, end: int) -> str:
    """Return the text around a place, which stands between ``>>`` and ``<<``.

    Example:
        >>> marked("pb1:small:RPzz9:-:R:-", 12, 15)
        "'pb1:small:RP>>zz9<<:-:R:-'"
    """
    before, after = text[:start], text[end:]
    if len(before) > _AROUND:
        before = "..." + before[-_AROUND:]
    if len(after) > _AROUND:
        after = after[:_AROUND] + "..."
    middle = text[start:end]
    if len(middle) > 2 * _AROUND:
        middle = middle[: 2 * _AROUND] + "..."
    return "'" + _printed(" ".join(f"{before}>>{middle}<<{after}".split())) + "'"


def _printed(text: str) -> str:
    """Return a text with signs that cannot be printed as Python writes them."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def _told(text: str, problem: Problem) -> str:
    if problem.start is None:
        return problem.message
    end = problem.start if problem.end is None else problem.end
    return f"{marked(text, problem.start, end)}: {problem.message}"
