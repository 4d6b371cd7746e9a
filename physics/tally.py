"""Tallies: counts over trials that add up, exactly and in any order, and means computed from them.

The one definition of the statistics of slams, for the odds of a study and for the cells that the
model is compared on.
"""

import math
from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any, Self

from pucklab.base.errors import shown
from pucklab.base.facts import fact
from pucklab.physics.outcome import Face, SlamOutcome
from pucklab.physics.scene import MAX_STACK

_UM_PER_MM = 1000
_MOST_TRIALS = 10**12

_FARTHEST_UM = 100_000_000
"""A piece struck by a throw of 10 m/s has at most 20 m/s, and slides for at most 4 s."""


def per_trial(high: int = 1, *, low: int = 0, adds_up: bool = False, **default: Any) -> Any:
    """Declare a field of `Counts` to whose numbers a trial adds other amounts than 0 or 1.

    Args:
        high: Most that a trial adds to a number.
        low: Least that it adds.
        adds_up: Each trial is counted once: the numbers of a tuple or mapping add up to the trials.
        default: ``default``.
    """
    return field(metadata={"per_trial": (low, high, adds_up)}, **default)


@fact
class Counts:
    """Whole numbers counted over trials; sums are exact.

    A field is a number, a tuple of them, or a mapping from text to number. A trial adds 0 or 1 to
    each, or the amounts that the field declares with `per_trial`.

    Example:
        >>> @fact
        ... class Wins(Counts):
        ...     by_seat: tuple[int, ...]
        ...     by_turns: dict[str, int] = per_trial(adds_up=True)
        >>> first = Wins(trials=2, by_seat=(2, 0), by_turns={"8": 2})
        >>> first + Wins(trials=1, by_seat=(0, 1), by_turns={"11": 1})
        Wins(trials=3, by_seat=(2, 1), by_turns={'8': 2, '11': 1})
        >>> Wins(trials=1, by_seat=(0, 2), by_turns={"8": 1}).check()
        Traceback (most recent call last):
            ...
        ValueError: by_seat: (0, 2) of 1 trials
    """

    trials: int

    def check(self, before: Sequence[Self] = ()) -> None:
        """Check that counts that were read from a file can be those of their trials.

        Args:
            before: The counts of the cases before it, if the trials of all are run together.

        Raises:
            ValueError: They cannot; the message names the field.
        """
        trials = self.trials
        if not 1 <= trials <= _MOST_TRIALS:
            raise ValueError(f"{trials} trials")
        for each in fields(self):
            value = getattr(self, each.name)
            counted = trials if each.name in ("trials", "left_out") else self.counted
            if not _is_of(counted, value, *each.metadata.get("per_trial", (0, 1, False))):
                raise ValueError(f"{each.name}: {shown(value)} of {trials} trials")
        if not (self.agrees() and all(other.trials == trials for other in before)):
            raise ValueError("they contradict each other")

    @property
    def counted(self) -> int:
        """Trials that the other numbers count."""
        return self.trials

    def agrees(self) -> bool:
        """True if the fields, each as it is declared, can be counts of the same trials."""
        return True

    @property
    def is_final(self) -> bool:
        """False if a run that goes on should try again."""
        return True

    def __add__(self, other: Self) -> Self:
        """Return the counts of both sets of trials.

        Raises:
            ValueError: Tuples differ in length.
        """
        return self.total((self, other))

    @classmethod
    def total(cls, parts: Sequence[Self]) -> Self:
        """Return the counts of many sets of trials, at least one; in one pass, so it is fast.

        Raises:
            ValueError: Tuples differ in length.
        """
        return cls(**{each.name: _sum([getattr(part, each.name) for part in parts])
                      for each in fields(cls)})  # fmt: skip


def _is_of(trials: int, value: Any, low: int, high: int, adds_up: bool) -> bool:
    """True if the numbers of a field can be those of trials."""
    if isinstance(value, int):
        return low * trials <= value <= high * trials
    if isinstance(value, dict):
        if not all(name.isdecimal() and len(name) < 10 for name in value):
            return False
        value = tuple(value.values())
    if adds_up and not (value and isinstance(value[0], (dict, tuple))) and sum(value) != trials:
        return False
    return all(_is_of(trials, part, low, high, adds_up) for part in value)


def _sum(values: Sequence[Any]) -> Any:
    if isinstance(values[0], tuple):
        return tuple(map(_sum, zip(*values, strict=True)))
    if isinstance(values[0], dict):
        names = dict.fromkeys(name for value in values for name in value)
        return {name: sum(value.get(name, 0) for value in values) for name in names}
    return sum(values)


@fact
class SlamCounts(Counts):
    """Whole numbers counted over slams.

    Attributes:
        left_out: Trials that no other number counts, as the engine gained energy in them.
    """

    left_out: int = 0

    @property
    def counted(self) -> int:
        """Trials that the other numbers count."""
        return self.trials - self.left_out


@fact
class Tally(SlamCounts):
    """Counts over trials at a stack of n pieces; whole numbers, so sums are exact.

    Attributes:
        hits: Trials whose slammer hit the stack.
        flips: Shape (n + 1,); trials by number of pieces flipped.
        flips_by_place: Shape (n,); flips of each piece; index 0 is on the floor.
        outs: Shape (n + 1,); trials by number of pieces that left the arena.
        leaning: Pieces that ended leaning.
        distance_um: Distances of the pieces inside from the centre, summed; each is rounded to
            whole micrometres, so that the sum does not depend on its order.
        slammers_out: Trials whose slammer left the arena.
    """

    hits: int
    flips: tuple[int, ...] = per_trial(adds_up=True)
    flips_by_place: tuple[int, ...]
    outs: tuple[int, ...] = per_trial(adds_up=True)
    leaning: int = per_trial(MAX_STACK)
    distance_um: int = per_trial(MAX_STACK * _FARTHEST_UM)
    slammers_out: int

    @property
    def pieces(self) -> int:
        """Pieces in the stack."""
        return len(self.flips_by_place)

    @property
    def inside(self) -> int:
        """Pieces that ended inside the arena, over all trials."""
        return self.counted * self.pieces - total_of(self.outs)

    def agrees(self) -> bool:
        """True if throws can have these counts: no piece ends in two ways."""
        return (
            len(self.flips) == len(self.outs) == self.pieces + 1
            and total_of(self.flips) == sum(self.flips_by_place)
            and total_of(self.flips) + self.leaning <= self.inside
            and self.distance_um <= self.inside * _FARTHEST_UM
        )


def empty_tally(pieces: int) -> Tally:
    """Return the tally of no trials at a stack of ``pieces``.

    Example:
        >>> empty_tally(2) + empty_tally(2) == empty_tally(2)
        True
    """
    return Tally(
        trials=0,
        hits=0,
        flips=(0,) * (pieces + 1),
        flips_by_place=(0,) * pieces,
        outs=(0,) * (pieces + 1),
        leaning=0,
        distance_um=0,
        slammers_out=0,
    )


def tally_of(outcome: SlamOutcome) -> Tally:
    """Return the tally of one trial."""
    return tally_of_faces(
        [piece.face for piece in outcome.pieces],
        slammer=outcome.slammer.face,
        hit=outcome.hit,
        distance_um=distance_um(outcome),
    )


def tally_of_faces(faces: Sequence[Face], *, slammer: Face, hit: bool, distance_um: int) -> Tally:
    """Return the tally of one trial from the faces of its pieces.

    Args:
        faces: Faces of the stack's pieces from the floor up.
        slammer: Face of the thrown slammer.
        hit: The slammer hit the stack.
        distance_um: Sum of the distances, see `distance_um`.
    """
    pieces = len(faces)
    return Tally(
        trials=1,
        hits=int(hit),
        flips=_one_at(faces.count(Face.UP), pieces + 1),
        flips_by_place=tuple(int(face is Face.UP) for face in faces),
        outs=_one_at(faces.count(Face.OUT), pieces + 1),
        leaning=faces.count(Face.LEANING),
        distance_um=distance_um,
        slammers_out=int(slammer is Face.OUT),
    )


def distance_um(outcome: SlamOutcome) -> int:
    """Return the sum of distances from the centre of the pieces inside, in whole micrometres."""
    return sum(
        round(piece.distance_mm * _UM_PER_MM)
        for piece in outcome.pieces
        if piece.face is not Face.OUT
    )


def total_of(histogram: Sequence[int]) -> int:
    """Return the sum of whole numbers from their histogram: entry k counts the numbers equal to k.

    Example:
        >>> total_of((5, 2, 1))
        4
    """
    return sum(k * count for k, count in enumerate(histogram))


@fact
class Mean:
    """A mean over trials, with its standard error."""

    value: float
    standard_error: float


def mean_of(histogram: Sequence[int]) -> Mean:
    """Return the mean of a whole number over trials; entry k counts the trials in which it is k.

    The standard error uses the unbiased variance; for a single trial it is NaN.

    Example:
        >>> mean_of((1, 1)).value, mean_of((1, 1)).standard_error
        (0.5, 0.5)
    """
    trials = sum(histogram)
    total = total_of(histogram)
    squares = sum(k * k * count for k, count in enumerate(histogram))
    if trials == 1:
        return Mean(value=float(total), standard_error=math.nan)
    # In whole numbers until the end: exact, and so the same in any order of adding up.
    variance = (squares * trials - total * total) / (trials * (trials - 1))
    return Mean(value=total / trials, standard_error=math.sqrt(variance / trials))


def mean_distance_mm(tally: Tally) -> float:
    """Return the mean distance of the pieces inside from the centre; NaN if there is none."""
    return tally.distance_um / _UM_PER_MM / tally.inside if tally.inside else math.nan


def _one_at(index: int, size: int) -> tuple[int, ...]:
    return tuple(int(i == index) for i in range(size))
