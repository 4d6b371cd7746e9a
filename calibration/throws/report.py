"""The fit of a log of throws told to people, and as entries of a parameter file.

What a log has against what the fit says, setting by setting.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from calibration.parameter_files import FittedConstant
from calibration.throws.fit import Direction, FittedParameter, ThrowFit, Verdict
from calibration.throws.likelihood import Likelihood
from calibration.throws.log import RealThrow
from calibration.throws.space import FREE, SPEED, FreeParameter, uncertainty_in
from calibration.throws.surrogate import Floats, Surrogate, joint_chances
from physics.errors import parameters
from physics.materials import ParameterSet

STATISTICS = (
    "flips a throw",
    "share of throws that flip any",
    "out a throw",
    "share of throws with any out",
    "mean distance, mm",
)

_UNLIKELY = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticResidual:
    """One statistic of one setting.

    Attributes:
        setting: What the setting is called.
        statistic: One of `STATISTICS`.
        throws: Throws behind it.
        seen: What the log has.
        fitted: What the fit says.
        standard_error: Of the mean of so many throws, by the fit.
    """

    setting: str
    statistic: str
    throws: int
    seen: float
    fitted: float
    standard_error: float

    @property
    def standardised(self) -> float:
        """The residual in standard errors; 0 where the fit has no scatter."""
        rest = self.seen - self.fitted
        return rest / self.standard_error if self.standard_error > 0 else 0.0


def residuals_of(
    throws: Sequence[RealThrow], likelihood: Likelihood, unit: Floats
) -> tuple[StatisticResidual, ...]:
    """Return the residuals at a point of the unit cube."""
    found: list[StatisticResidual] = []
    for data in likelihood.data:
        setting = data.surrogate.setting
        own = [throw for throw in throws if throw.setting == setting]
        speeds = np.where(np.isnan(data.speed), unit[SPEED], data.speed)
        share = np.bincount(data.which, minlength=len(speeds)) / len(own)
        moments = np.zeros((len(STATISTICS), 2))
        for speed, weight in zip(speeds, share, strict=True):
            point = unit.copy()
            point[SPEED] = speed
            moments += weight * _moments(data.surrogate, point)
        for name, (mean, square), seen in zip(STATISTICS, moments, _seen(own), strict=True):
            if seen:
                variance = max(square - mean**2, 0.0)
                found.append(
                    StatisticResidual(
                        setting=setting.name,
                        statistic=name,
                        throws=len(seen),
                        seen=math.fsum(seen) / len(seen),
                        fitted=float(mean),
                        standard_error=math.sqrt(variance / len(seen)),
                    )
                )
    return tuple(found)


def misfit_of(residuals: Sequence[StatisticResidual]) -> StatisticResidual | None:
    """Return the worst residual if so bad a one would be rare, at 1 % over all of them."""
    from statistics import NormalDist

    worst = max(residuals, key=lambda r: abs(r.standardised))
    limit = NormalDist().inv_cdf(1 - _UNLIKELY / 2 / len(residuals))
    return worst if abs(worst.standardised) > limit else None


def _seen(own: Sequence[RealThrow]) -> list[list[float]]:
    return [
        [float(t.flipped) for t in own],
        [float(t.flipped > 0) for t in own],
        [float(t.out) for t in own],
        [float(t.out > 0) for t in own],
        [t.distance_mm for t in own if t.distance_mm is not None],
    ]


def _moments(surrogate: Surrogate, unit: Floats) -> Floats:
    """Return mean and mean square of each statistic; shape (5, 2)."""
    table = joint_chances(surrogate, unit)
    flips, outs, bands = (ladder.typical for ladder in surrogate.ladders)
    by_flips, by_outs, by_band = (table.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))

    def counted(levels: Floats, chances: Floats) -> tuple[float, float]:
        return float(np.sum(levels * chances)), float(np.sum(levels**2 * chances))

    def any_at_all(levels: Floats, chances: Floats) -> tuple[float, float]:
        # Without rungs the only level is a mean below or above 1; with them, they are 0, 1, ...
        share = float(np.sum(np.minimum(levels, 1.0) * chances))
        return share, share

    return np.array(
        [
            counted(flips, by_flips),
            any_at_all(flips, by_flips),
            counted(outs, by_outs),
            any_at_all(outs, by_outs),
            counted(bands, by_band),
        ]
    )


_AS_GOOD_AS_THE_RANGES = 0.58
"""Standard deviation of a number that may be anything from -1 to 1."""

_TELLING_WEIGHT = 0.3
_METHOD = "maximum likelihood by surrogates of the model; error from the profile likelihood"
_SOURCES: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.TOLD: _METHOD,
        Verdict.TIED: f"{_METHOD}; told only with the others as they stand here",
        Verdict.MEASURED: "mean of measured speeds",
    }
)


def throws_report(
    throws: Sequence[RealThrow],
    fit: ThrowFit,
    surrogates: Sequence[Surrogate],
    residuals: Sequence[StatisticResidual],
    where: str,
) -> str:
    """Return a report in plain words.

    Args:
        throws: The log.
        fit: Its fit.
        surrogates: Behind the fit.
        residuals: At the fit's values.
        where: What the log is called.
    """
    lines = [f"What {len(throws)} throws of {where} tell", ""]
    lines += _verdict(fit)
    lines += [f"  {'parameter':<13} {'value':>10}    95 % interval"]
    lines += [_row(own) for own in fit.parameters]
    lines += [
        "",
        "An interval holds whatever the other parameters are. A value is the best one with",
        "everything that the log does not tell kept at the value shown.",
        "",
        "What this log can NOT tell",
        *_untold(fit),
        "- The angle of descent, the slammer's turning, how neatly the stack was built: they are",
        "  as they stand in the model or in --params.",
        "- Anything about the model itself: its own errors are not in the intervals.",
        "",
        "Combinations, from what is told best to what is told worst, by one standard error each",
        *(_combination(fit, direction) for direction in fit.directions),
        "",
        "How well the fit describes the log",
        *_described(residuals),
        "",
        "How it was computed",
        "- By the chances of every count as smooth functions of the parameters, learned from",
        "  simulated throws. Throws that were held out lie this far off, in log odds:",
        f"  {_lack(surrogates):.2f}. The intervals allow for it; of the variance of what is told",
        f"  best it makes {100 * fit.surrogate_share:.0f} %, and more --trials make it less.",
    ]
    return "\n".join(lines) + "\n"


def throws_parameters(
    throws: Sequence[RealThrow],
    fit: ThrowFit,
    base: ParameterSet,
    table: Mapping[str, Any],
    where: str,
) -> list[FittedConstant]:
    """Return the entries of a parameter file: what was fitted, and what was given as it was.

    Args:
        throws: The log.
        fit: Its fit.
        base: The parameters it started from.
        table: The table of the file they came from; empty for the model's own.
        where: What the log is called.
    """
    fitted = [_entry(own, len(throws), where) for own in fit.parameters]
    names = {(free.section, free.name) for free in FREE}
    given = [
        _given(section, name, entry, float(getattr(getattr(base, section), name)))
        for section, entries in table.items()
        for name, entry in entries.items()
        if (section, name) not in names
    ]
    return [*fitted, *given]


def told_number(free: FreeParameter, value: float) -> str:
    """Return a value of a parameter with its unit, as reports show it.

    Example:
        >>> told_number(FREE[0], 4812.3)
        '4.81 m/s'
    """
    digits = 1 if free.unit in ("mm", "deg") else 2
    return f"{value / free.scale:.{digits}f} {free.unit}".rstrip()


def _verdict(fit: ThrowFit) -> list[str]:
    if not fit.converged:
        return ["The fit did NOT converge: no value below is to be trusted.", ""]
    if not fit.identified:
        return ["The log identifies NO parameter: log more throws, with more than one slammer.", ""]
    return []


def _row(own: FittedParameter) -> str:
    interval = f"{_bare(own, own.low)} to {told_number(own.free, own.high)}"
    value = told_number(own.free, own.value)
    return f"  {own.free.told:<13} {value:>10}    {interval:<20} {_word(own)}"


def _bare(own: FittedParameter, value: float) -> str:
    return told_number(own.free, value).split()[0]


def _word(own: FittedParameter) -> str:
    if own.verdict is Verdict.KEPT:
        return "NOT told"
    if own.verdict is Verdict.TOLD and own.free.known_sd is not None:
        return f"told, with {own.free.default:.3g} +- {own.free.known_sd:.2g} known before"
    return str(own.verdict)


def _untold(fit: ThrowFit) -> list[str]:
    lines = []
    for own in fit.parameters:
        if own.verdict in (Verdict.KEPT, Verdict.TIED):
            before = ""
            if own.free.known_sd is not None:
                before = f", hardly less than was known before (+- {own.free.known_sd:.2g})"
            lines.append(
                f"- {own.free.told}: anything from {_bare(own, own.low)} to "
                f"{told_number(own.free, own.high)} fits{before}."
            )
            if own.verdict is Verdict.TIED:
                lines.append("  But not with all the others at what was assumed, so it is fitted.")
            elif own.value != own.free.default:
                assumed = told_number(own.free, own.free.default)
                lines.append(f"  {assumed}, which was assumed, does not: the nearest end is taken.")
    return lines or ["- Of the parameters above, nothing: all are told."]


def _combination(fit: ThrowFit, direction: Direction) -> str:
    """Return a step of a standard error along a direction, in the parameters' units."""
    lost = direction.standard_error > _AS_GOOD_AS_THE_RANGES
    length = _AS_GOOD_AS_THE_RANGES if lost else direction.standard_error
    told = []
    for own, weight in zip(fit.parameters, direction.weights, strict=True):
        if abs(weight) >= _TELLING_WEIGHT:
            step = weight * length * (own.free.high - own.free.low) / 2
            word = "more" if step > 0 else "less"
            told.append(f"{told_number(own.free, abs(step))} {word} {own.free.told}")
    return f"- {' with '.join(told)}" + (": not told at all" if lost else "")


def _described(residuals: Sequence[StatisticResidual]) -> list[str]:
    worst = misfit_of(residuals)
    if worst is None:
        lines = ["- Well: no residual is larger than chance makes it."]
    else:
        lines = [
            f"- BADLY: {worst.statistic} of {worst.setting} is {worst.seen:.2f} in the log,",
            f"  {worst.fitted:.2f} in the fit: {worst.standardised:+.1f} standard errors.",
            "  The model is wrong for this log, and the intervals are too narrow.",
        ]
    lines += ["", f"  {'setting':<24} {'':<31} {'throws':>6} {'log':>7} {'fit':>7} {'apart':>6}"]
    lines += [
        f"  {r.setting:<24} {r.statistic:<31} {r.throws:>6} {r.seen:>7.2f} {r.fitted:>7.2f} "
        f"{r.standardised:>+6.1f}"
        for r in residuals
    ]
    return [*lines, "  apart: in standard errors of so many throws"]


def _lack(surrogates: Sequence[Surrogate]) -> float:
    return math.sqrt(sum(s.lack_of_fit**2 for s in surrogates) / len(surrogates))


def _entry(own: FittedParameter, throws: int, where: str) -> FittedConstant:
    free = own.free
    if own.verdict in _SOURCES:
        return FittedConstant(
            section=free.section,
            name=free.name,
            value=own.value,
            uncertainty=own.standard_error,
            source=_SOURCES[own.verdict],
            fitted_on=f"{throws} throws of {where}",
            not_fitted_on="other slammers, stacks and throwers",
        )
    section = getattr(ParameterSet(), free.section)
    known = free.known_sd or parameters(section)[free.name].uncertainty
    return FittedConstant(
        section=free.section,
        name=free.name,
        value=own.value,
        uncertainty=known,
        source=(
            "kept: the log does not tell it"
            if own.value == free.default
            else "not told by the log: the end of what it allows that is next to what was assumed"
        ),
        fitted_on="nothing",
        not_fitted_on=f"{throws} throws of {where}",
    )


def _given(section: str, name: str, entry: Any, value: float) -> FittedConstant:
    known = entry if isinstance(entry, Mapping) else {}
    return FittedConstant(
        section=section,
        name=name,
        value=value,
        uncertainty=uncertainty_in({section: {name: entry}}, section, name),
        source=str(known.get("source", "given")),
        fitted_on=str(known.get("fitted_on", "")),
        not_fitted_on=str(known.get("not_fitted_on", "")),
    )
