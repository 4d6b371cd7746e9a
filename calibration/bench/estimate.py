"""Constants from repeated measurements, with standard errors from their own scatter."""

import math
from collections.abc import Sequence
from statistics import fmean, median, stdev

from pucklab.base.errors import parameters
from pucklab.base.facts import fact
from pucklab.calibration.bench.measurements import Kind, Measurement
from pucklab.physics import InputError, Materials

CONSTANTS = ("restitution", "friction")
"""Quantities that can be measured; fields of `pucklab.physics.Materials`."""

_DISAGREE = 0.05
_FAR_OFF = 3.5


@fact
class KindEstimate:
    """A constant from the measurements of one kind.

    Attributes:
        kind: The kind.
        measurements: At least three.
        value: Their mean.
        scatter: Standard deviation of one measurement: of the repeats, or of reading a ruler where
            the repeats scatter less than that.
        standard_error: Of the mean.
        far_off: Rows that lie more than 3.5 robust standard deviations from the median.
    """

    kind: Kind
    measurements: tuple[Measurement, ...]
    value: float
    scatter: float
    standard_error: float
    far_off: tuple[int, ...]

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the scatter."""
        return len(self.measurements) - 1


@fact
class BenchConstant:
    """Estimate of a constant from all kinds of measurement of it.

    Attributes:
        name: restitution or friction.
        value: The mean of the kinds, weighted by their variances.
        standard_error: Widened where the kinds disagree.
        low: Lower end of the 95 % interval, by Student's t.
        high: Upper end.
        kinds: One estimate per kind.
        agreement: Chance of kinds at least this far apart if all measured the same; 1 for one kind.
    """

    name: str
    value: float
    standard_error: float
    low: float
    high: float
    kinds: tuple[KindEstimate, ...]
    agreement: float

    @property
    def kinds_disagree(self) -> bool:
        """The kinds lie further apart than their scatter explains, at the 5 % level."""
        return self.agreement < _DISAGREE


def bench_constants(measurements: Sequence[Measurement]) -> tuple[BenchConstant, ...]:
    """Return the constants that the measurements identify, restitution first.

    Args:
        measurements: At least three of each kind.

    Raises:
        InputError: A constant outside what the model accepts.

    Example:
        >>> from pucklab.calibration.bench.measurements import read_measurements
        >>> text = "measurement,ramp_mm,run_mm\\nramp,150,500\\nramp,150,490\\nramp,150,510"
        >>> (friction,) = bench_constants(read_measurements(text, "bench.csv"))
        >>> friction.name, round(friction.value, 4), round(friction.standard_error, 4)
        ('friction', 0.3001, 0.0035)
    """
    found = []
    for name in CONSTANTS:
        kinds = dict.fromkeys(m.kind for m in measurements if m.kind.constant == name)
        own = [_estimate(kind, [m for m in measurements if m.kind == kind]) for kind in kinds]
        if own:
            found.append(_combine_kinds(name, tuple(own)))
    return tuple(found)


def _estimate(kind: Kind, own: Sequence[Measurement]) -> KindEstimate:
    values = [m.value for m in own]
    count = len(values)
    reading = math.sqrt(math.fsum(m.reading_error**2 for m in own) / count)
    scatter = max(stdev(values), reading)
    # Robust: 1.4826 times the median distance from the median is a normal standard deviation.
    middle = median(values)
    spread = max(1.4826 * median([abs(value - middle) for value in values]), reading)
    return KindEstimate(
        kind=kind,
        measurements=tuple(own),
        value=fmean(values),
        scatter=scatter,
        standard_error=scatter / math.sqrt(count),
        far_off=tuple(m.row for m in own if abs(m.value - middle) > _FAR_OFF * spread),
    )


def _combine_kinds(name: str, kinds: tuple[KindEstimate, ...]) -> BenchConstant:
    """Return the mean of kinds, weighted by their variances.

    Its standard error allows for weights that are themselves estimates: Meier, Biometrics 9 (1953)
    59. If the kinds disagree by Welch's test of equal means, Biometrika 38 (1951) 330, it is
    widened by Birge's ratio, Phys. Rev. 40 (1932) 207.
    """
    from scipy.special import fdtrc, stdtrit

    precision = [k.standard_error**-2 for k in kinds]
    shares = [p / sum(precision) for p in precision]
    value = math.fsum(share * k.value for share, k in zip(shares, kinds, strict=True))
    doubt = math.fsum(
        share * (1 - share) / k.freedom for share, k in zip(shares, kinds, strict=True)
    )
    error = math.sqrt((1 + 4 * doubt) / sum(precision))
    freedom = 1 / math.fsum(share**2 / k.freedom for share, k in zip(shares, kinds, strict=True))
    agreement, others = 1.0, len(kinds) - 1
    if others > 0:
        squares = math.fsum(((k.value - value) / k.standard_error) ** 2 for k in kinds) / others
        unsure = math.fsum(
            (1 - share) ** 2 / k.freedom for share, k in zip(shares, kinds, strict=True)
        )
        size = len(kinds) ** 2 - 1
        test = squares / (1 + 2 * (len(kinds) - 2) / size * unsure)
        agreement = float(fdtrc(others, size / (3 * unsure), test))
        if agreement < _DISAGREE:
            error *= max(1.0, math.sqrt(squares))
    half = float(stdtrit(freedom, 0.975)) * error
    note = parameters(Materials)[name]
    if not note.low <= value <= note.high:
        raise InputError(
            f"{name}: {value:.3g} from {', '.join(k.kind.name for k in kinds)} is not accepted; "
            f"the model takes {note.low:g} to {note.high:g}"
        )
    return BenchConstant(
        name=name,
        value=value,
        standard_error=error,
        low=value - half,
        high=value + half,
        kinds=kinds,
        agreement=agreement,
    )
