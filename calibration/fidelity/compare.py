"""Comparison of the model with the reference: cell by cell, and summed up over all cells."""

import math
import statistics
from collections.abc import Iterable, Sequence

from pucklab.base.facts import fact
from pucklab.calibration.fidelity.cell_statistics import CellStatistics, ReferenceCell

_RELATIVE_BAND = 0.20


@fact
class CellFidelity:
    """Comparison of the model with the solid engine in one cell.

    Attributes:
        reference: The solid engine, and MuJoCo as a check.
        model: The model.
        fitted: The model's constants were fitted on this cell, too.
    """

    reference: ReferenceCell
    model: CellStatistics
    fitted: bool

    def expected(self, name: str) -> float:
        """Return a statistic of the solid engine, by its name."""
        value: float = getattr(self.reference.solid, name)
        return value

    def error(self, name: str) -> float:
        """Return the model's statistic less the solid engine's."""
        value: float = getattr(self.model, name)
        return value - self.expected(name)

    def error_se(self, name: str) -> float:
        """Return the standard error of `error` of flips, any_out or out."""
        ours: float = getattr(self.model, f"{name}_se")
        theirs: float = getattr(self.reference.solid, f"{name}_se")
        return math.hypot(ours, theirs)

    @property
    def flips_band(self) -> float:
        """Tolerance of mean flips: 20 % or 2 standard errors."""
        return max(_RELATIVE_BAND * self.expected("flips"), 2 * self.error_se("flips"))

    @property
    def flips_agree(self) -> bool:
        """Mean flips are within their band."""
        return abs(self.error("flips")) <= self.flips_band

    @property
    def distance_ratio(self) -> float:
        """The model's mean distance over the solid engine's."""
        return self.model.distance_mm / self.expected("distance_mm")

    @property
    def total_variation(self) -> float:
        """Half the summed difference of the shares of 0, 1, ... flips."""
        shares = zip(self.model.flip_shares, self.reference.solid.flip_shares, strict=True)
        return sum(abs(ours - theirs) for ours, theirs in shares) / 2


@fact
class Fidelity:
    """Comparison over all cells; rms are root mean squares of the errors.

    Attributes:
        stacks: Number of cells.
        disagreeing: Names of those whose mean flips are outside their band.
        flips_rms: Of mean flips.
        any_out_rms: Of the share of throws with a puck out.
        out_rms: Of pucks out per throw.
        distance_ratio: Mean ratio of the distances inside.
        total_variation: Mean total-variation distance of the flips' distribution.
    """

    stacks: int
    disagreeing: tuple[str, ...]
    flips_rms: float
    any_out_rms: float
    out_rms: float
    distance_ratio: float
    total_variation: float


def compare(
    reference: Sequence[ReferenceCell],
    model: Sequence[CellStatistics],
    fitted: frozenset[str] = frozenset(),
) -> tuple[CellFidelity, ...]:
    """Compare the model's statistics with the reference's, cell by cell in the same order.

    Args:
        reference: The engines, cell by cell.
        model: The model's statistics.
        fitted: Names of the cells that the model's constants were fitted on.
    """
    return tuple(
        CellFidelity(reference=cell, model=ours, fitted=cell.cell.name in fitted)
        for cell, ours in zip(reference, model, strict=True)
    )


def fidelity_of(cells: Iterable[CellFidelity]) -> Fidelity:
    """Return the comparison summed up over cells; without any cell all figures are nan."""
    cells = tuple(cells)
    return Fidelity(
        stacks=len(cells),
        disagreeing=tuple(c.reference.cell.name for c in cells if not c.flips_agree),
        flips_rms=_rms([cell.error("flips") for cell in cells]),
        any_out_rms=_rms([cell.error("any_out") for cell in cells]),
        out_rms=_rms([cell.error("out") for cell in cells]),
        distance_ratio=_mean([cell.distance_ratio for cell in cells]),
        total_variation=_mean([cell.total_variation for cell in cells]),
    )


def chance_of(cells: Iterable[CellFidelity]) -> Fidelity:
    """Return the errors that a perfect model would show by chance, with as many throws.

    Standard errors stand in for errors. A share p of n and m throws differs by the root of
    2 / pi p (1 - p) (1 / n + 1 / m) on average, and half of the sum of these is the total
    variation. The distance's is not known: its ratio is 1.
    """
    cells = tuple(cells)
    variations = []
    for cell in cells:
        throws = 1 / cell.model.throws + 1 / cell.reference.solid.throws
        shares = cell.reference.solid.flip_shares
        variations.append(sum(math.sqrt(2 / math.pi * p * (1 - p) * throws) for p in shares) / 2)
    return Fidelity(
        stacks=len(cells),
        disagreeing=(),
        flips_rms=_rms([cell.error_se("flips") for cell in cells]),
        any_out_rms=_rms([cell.error_se("any_out") for cell in cells]),
        out_rms=_rms([cell.error_se("out") for cell in cells]),
        distance_ratio=1.0,
        total_variation=_mean(variations),
    )


def flips_bias(cells: Iterable[CellFidelity]) -> tuple[float, float]:
    """Return the mean relative error of the mean flips, and its standard error over the cells.

    Throws of one cell share the model's error there: it does not shrink with their number.
    """
    errors = [cell.error("flips") / cell.expected("flips") for cell in cells]
    if len(errors) < 2:
        return _mean(errors), math.nan
    return statistics.mean(errors), statistics.stdev(errors) / math.sqrt(len(errors))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _rms(values: Sequence[float]) -> float:
    return math.sqrt(_mean([value**2 for value in values])) if values else math.nan
