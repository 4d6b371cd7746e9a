"""The parts of an experiment: cases, trials of a case, and tallies that add up.

An experiment is defined by its cases, the function that runs a trial, and its columns.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from enum import Enum
from typing import Any, Generic, Self, TypeVar

from pucklab.base.facts import fact
from pucklab.base.parsing import json_text
from pucklab.physics import PHYSICS_VERSION
from pucklab.physics.tally import Counts, Mean
from pucklab.sim.experiments.estimates import Proportion

Cell = str | int | float
"""A cell of a file."""

Value = Mean | Proportion | Cell
"""A value of a column: a mean and a chance have their errors."""

_Subject = TypeVar("_Subject")
_Tally = TypeVar("_Tally", bound=Counts)

CHUNK_TRIALS = 25
"""Trials of one task for a worker: one or two tenths of a second for slams."""


@fact
class Case(Generic[_Subject]):
    """One row of an experiment: a scene, a pair of slammers, a position."""

    subject: _Subject  # what a trial needs; it is sent to worker processes
    labels: Mapping[str, Cell]  # columns that tell people which case this is
    facts: object = None  # all that results depend on, for the id; the subject if None


@fact
class Answer(Counts):
    """Result of a case without chance, such as a line of moves; answers do not add up."""

    trials: int = field(default=1, init=False)

    def __add__(self, other: Self) -> Self:
        """Refuse to add.

        Raises:
            ValueError: Always.
        """
        raise ValueError("answers do not add up")

    def check(self, before: Sequence[Self] = ()) -> None:
        """Check an answer that was read from a file, beyond the `limits` of its fields.

        Raises:
            ValueError: It cannot be one.
        """


@fact
class Experiment(Generic[_Subject, _Tally]):
    """A kind of trial, with the counts that it yields and the columns that people read.

    Trial i of a seed draws its random numbers from the seed and i alone, so that a run of 100
    trials is the beginning of one of 1000, and all cases are compared on the same luck.
    """

    name: str
    tally: type[_Tally]
    run: Callable[[Any, int, int, int], Any]
    """Count trials of a subject: ``run(subject, seed, first, count)`` returns the tally of trials
    ``first`` to ``first + count - 1``; that of none tells the shape of the tallies of its subject.
    It stands at the top of a module, for worker processes. With ``together`` it gets the subjects
    of all cases and returns a tally for each."""
    columns: Callable[[_Tally, float], Mapping[str, Value]]
    """Means and intervals of a tally with at least one trial; the number is the z of intervals."""
    version: int = 1  # raised when the same trial comes to count otherwise
    chunk: int = CHUNK_TRIALS  # trials of one task
    together: bool = (
        False  # every trial is thrown in all cases, whose tallies have sums of products
    )
    in_threads: Callable[[Any], bool] = lambda _: False
    """Whether kernels do the work of a subject: threads do it then, else processes."""
    half_widths: Mapping[str, Callable[[_Tally, float], float]] = field(default_factory=dict)
    """Quantities that a stop rule may watch: half-width of the interval for a tally and a z."""

    @property
    def tag(self) -> str:
        """Name of the experiment, and the versions on which its results depend.

        Example:
            >>> from pucklab.sim.trail.odds import TRAIL
            >>> TRAIL.tag.partition(" (")[0]
            'trail 1'
        """
        return f"{self.name} {self.version} (physics {PHYSICS_VERSION})"

    def tasks(self, cases: int, trials: int) -> int:
        """Return the number of tasks for workers into which the trials of all cases are split."""
        return (1 if self.together else cases) * math.ceil(trials / self.chunk_of(cases))

    def chunk_of(self, cases: int) -> int:
        """Return the trials of a task; fewer if all cases are thrown together."""
        return max(1, self.chunk // cases) if self.together else self.chunk

    def ids(self, cases: Sequence[Case[_Subject]]) -> list[str]:
        """Return 16 hexadecimal digits for each case, hashed from all that its results depend on.

        The tallies of cases that are thrown together depend on the other cases, too.
        """
        own = [case.subject if case.facts is None else case.facts for case in cases]
        return [digest(self.tag, [number, own] if self.together else facts)
                for number, facts in enumerate(own)]  # fmt: skip


def digest(*facts: object) -> str:
    """Return 16 hexadecimal digits of some facts."""
    text = json_text(facts, sort_keys=True, default=plain_facts)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain_facts(value: Any) -> Any:
    """Return a value that JSON does not know in types that it does."""
    if is_dataclass(value):
        own = {each.name: getattr(value, each.name) for each in fields(value)}
        return {"type": type(value).__name__, **own}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"facts: a {type(value).__name__} has no form in JSON")
