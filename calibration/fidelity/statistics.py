"""The statistics of a cell's throws, whoever threw them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStatistics:
    """What the throws of one cell come to.

    Attributes:
        throws: How many there were.
        flips: Mean number of pieces of the stack that ended face up inside, per throw.
        flips_se: Its standard error.
        any_out: Share of throws with a piece of the stack outside.
        out: Mean number of those pieces.
        out_se: Its standard error.
        distance_mm: Mean distance from the centre of the pieces inside.
        flip_shares: Share of throws with 0, 1, ... flips; one more entry than pieces.
        knocked_out: Share of throws in which the lowest piece ended face up inside.
    """

    throws: int
    flips: float
    flips_se: float
    any_out: float
    out: float
    out_se: float
    distance_mm: float
    flip_shares: tuple[float, ...]
    knocked_out: float

    @property
    def any_out_se(self) -> float:
        """Standard error of `any_out`."""
        return _share_se(self.any_out, self.throws)

    @property
    def knocked_out_se(self) -> float:
        """Standard error of `knocked_out`."""
        return _share_se(self.knocked_out, self.throws)


def statistics_of(faces: Sequence[str], distances_um: Sequence[int]) -> CellStatistics:
    """Return the statistics of throws.

    Args:
        faces: Per throw a letter for each piece of the stack from the floor up: U up, D down, L
            leaning, O out. At least one throw.
        distances_um: Per throw the sum of the distances from the centre of the pieces inside.

    Example:
        >>> cell = statistics_of(["DDU", "DOO"], [90_000, 10_000])
        >>> cell.flips, cell.any_out, cell.out, cell.distance_mm
        (0.5, 0.5, 1.0, 25.0)
        >>> cell.flip_shares
        (0.5, 0.5, 0.0, 0.0)
    """
    throws, pieces = len(faces), len(faces[0])
    flips = [row.count("U") for row in faces]
    outs = [row.count("O") for row in faces]
    inside = throws * pieces - sum(outs)
    return CellStatistics(
        throws=throws,
        flips=sum(flips) / throws,
        flips_se=_mean_se(flips),
        any_out=sum(out > 0 for out in outs) / throws,
        out=sum(outs) / throws,
        out_se=_mean_se(outs),
        distance_mm=sum(distances_um) / 1000 / inside if inside else math.nan,
        flip_shares=tuple(flips.count(number) / throws for number in range(pieces + 1)),
        knocked_out=sum(row[0] == "U" for row in faces) / throws,
    )


def _mean_se(values: Sequence[int]) -> float:
    count = len(values)
    mean = sum(values) / count
    return math.sqrt(sum((value - mean) ** 2 for value in values)) / count


def _share_se(share: float, throws: int) -> float:
    return math.sqrt(share * (1 - share) / throws)
