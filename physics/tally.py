"""Tallies: counts over trials that add up, exactly and in any order, and means computed from them.

The one definition of the statistics of slams, for the odds of a study and for the cells that the
model is compared on.
"""

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

from physics.facts import fact
from physics.outcome import Face, SlamOutcome
from physics.scene import MAX_STACK

_UM_PER_MM = 1000


@fact
class Counts:
    """Whole numbers counted over trials, alone, in tuples or by name; sums are exact.

    Example:
        >>> @fact
        ... class Wins(Counts):
        ...     by_seat: tuple[int, ...]
        ...     by_rule: dict[str, int]
        >>> first = Wins(trials=2, by_seat=(2, 0), by_rule={"Potion": 2})
        >>> first + Wins(trials=1, by_seat=(0, 1), by_rule={"Berry": 1})
        Wins(trials=3, by_seat=(2, 1), by_rule={'Potion': 2, 'Berry': 1})
    """

    trials: int

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


def _sum(values: Sequence[Any]) -> Any:
    if isinstance(values[0], tuple):
        return tuple(map(_sum, zip(*values, strict=True)))
    if isinstance(values[0], dict):
        names = dict.fromkeys(name for value in values for name in value)
        return {name: sum(value.get(name, 0) for value in values) for name in names}
    return sum(values)


@fact
class Tally(Counts):
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
    flips: tuple[int, ...]
    flips_by_place: tuple[int, ...]
    outs: tuple[int, ...]
    leaning: int
    distance_um: int
    slammers_out: int

    @property
    def pieces(self) -> int:
        """Pieces in the stack."""
        return len(self.flips_by_place)

    @property
    def inside(self) -> int:
        """Pieces that ended inside the arena, over all trials."""
        return self.trials * self.pieces - sum(k * count for k, count in enumerate(self.outs))


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


def check_tally(tally: Tally) -> None:
    """Check that the counts of a tally that was read from a file agree with each other.

    Raises:
        ValueError: They cannot be those of any trials; the message names the counts.

    Example:
        >>> check_tally(empty_tally(2))
    """
    trials, pieces = tally.trials, tally.pieces
    if not 1 <= pieces <= MAX_STACK or not len(tally.flips) == len(tally.outs) == pieces + 1:
        raise ValueError(f"counts of a stack of {pieces} pieces do not match in number")
    if not sum(tally.flips) == sum(tally.outs) == trials:
        raise ValueError("counts of flips, or of pieces out, do not add up to the trials")
    if sum(k * count for k, count in enumerate(tally.flips)) != sum(tally.flips_by_place):
        raise ValueError("flips by place do not add up to all flips")
    largest = (tally.hits, tally.slammers_out, *tally.flips_by_place)
    smallest = (*largest, *tally.flips, *tally.outs, tally.leaning, tally.distance_um)
    if max(largest) > trials or tally.leaning > trials * pieces or min(smallest) < 0:
        raise ValueError(f"a count is below 0, or more than {trials} trials can have")


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
    """Return the distances of the pieces inside from the centre, in whole micrometres, summed."""
    return sum(
        round(piece.distance_mm * _UM_PER_MM)
        for piece in outcome.pieces
        if piece.face is not Face.OUT
    )


@fact
class Mean:
    """A mean over trials, with its standard error."""

    value: float
    standard_error: float


def mean_of(histogram: Sequence[int]) -> Mean:
    """Return the mean of whole numbers, of which entry k counts the trials with the number k.

    The standard error uses the unbiased variance; for a single trial it is NaN.

    Example:
        >>> mean_of((1, 1)).value, mean_of((1, 1)).standard_error
        (0.5, 0.5)
    """
    trials = sum(histogram)
    total = sum(k * count for k, count in enumerate(histogram))
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
