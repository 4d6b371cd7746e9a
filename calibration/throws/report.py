"""Report of a fit for people, its entries in a parameter file, and residuals by setting."""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from types import MappingProxyType
from typing import Any

import numpy as np

from calibration.designs import Floats, quadratic
from calibration.parameter_files import Entry, FittedConstant
from calibration.throws.fit import Direction, FittedParameter, ThrowFit, Verdict
from calibration.throws.likelihood import Likelihood, predicted
from calibration.throws.log import RealThrow
from calibration.throws.simulation import STATISTICS
from calibration.throws.space import FREE, FreeParameter
from physics.decoding import decode
from physics.errors import parameters
from physics.facts import fact
from physics.materials import ParameterSet

_UNLIKELY = 0.01


@fact
class StatisticResidual:
    """Observed and fitted mean of one statistic of one setting."""

    setting: str  # its label
    statistic: str  # one of `STATISTICS`
    throws: int
    seen: float
    fitted: float
    standard_error: float  # of the mean of so many throws, by the fit

    @property
    def standardised(self) -> float:
        """Residual in standard errors; 0 where the fit has no variance."""
        rest = self.seen - self.fitted
        return rest / self.standard_error if self.standard_error > 0 else 0.0


def residuals_of(likelihood: Likelihood, unit: Floats) -> tuple[StatisticResidual, ...]:
    """Return the residuals at a point in the unit cube."""
    found: list[StatisticResidual] = []
    for data in likelihood.data:
        mean, sampled, simulated = predicted(data, unit[np.newaxis])
        errors = np.sqrt(np.diagonal(sampled[0] + simulated[0]))
        for place, name in enumerate(STATISTICS):
            if data.throws[place]:
                found.append(
                    StatisticResidual(
                        setting=data.response.setting.name,
                        statistic=name,
                        throws=int(data.throws[place]),
                        seen=float(data.seen[place]),
                        fitted=float(mean[0, place]),
                        standard_error=float(errors[place]),
                    )
                )
    return tuple(found)


def misfit_of(residuals: Sequence[StatisticResidual]) -> StatisticResidual | None:
    """Return the largest residual if it is significant at 1 % over all of them (Bonferroni)."""
    worst = max(residuals, key=lambda r: abs(r.standardised))
    limit = NormalDist().inv_cdf(1 - _UNLIKELY / 2 / len(residuals))
    return worst if abs(worst.standardised) > limit else None


_AS_GOOD_AS_THE_RANGES = 0.5
"""Standard deviation from which a combination counts as undetermined; a whole range's is .58."""

_TELLING_WEIGHT = 0.3
_METHOD = "simulated likelihood of the model; error from the posterior"
_SOURCES: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.IDENTIFIED: _METHOD,
        Verdict.TIED: f"{_METHOD}; identified only together with the other values",
        Verdict.MEASURED: "mean of measured speeds",
    }
)


def throws_report(
    throws: Sequence[RealThrow],
    fit: ThrowFit,
    likelihood: Likelihood,
    residuals: Sequence[StatisticResidual],
    where: str,
) -> str:
    """Return the report of a fit as text; ``where`` is the name of the log."""
    lines = [f"Fit of {len(throws)} throws in {where}", ""]
    lines += _verdict(fit)
    lines += [f"  {'parameter':<13} {'value':>10}    95 % interval"]
    lines += [_row(own) for own in fit.parameters]
    lines += [
        "",
        "An interval allows for any value of the other parameters. A value is the best one",
        "with all parameters that are not identified kept at the value shown.",
        "",
        "Not determined by this log",
        *_undetermined(fit),
        "- The angle of descent, the slammer's rotation, the neatness of the stack: they are as in",
        "  the model or in --params.",
        "- The model's own errors: they are not in the intervals.",
        "",
        "Combinations of parameters, from best to worst determined, with one standard error each",
        *(_combination(fit, direction) for direction in fit.directions),
        "",
        "Goodness of fit",
        *_described(residuals),
        "",
        "Method",
        "- Mean counts are smooth functions of the parameters, fitted to simulated throws. Beyond",
        f"  chance these functions are {_lack(likelihood):.2f} standard deviations of a throw off;",
        "  the intervals allow for it, and for the limited number of simulated throws. Both make",
        f"  {100 * fit.simulated_share:.0f} % of the variances; more --trials reduce it.",
    ]
    return "\n".join(lines) + "\n"


def throws_parameters(
    throws: Sequence[RealThrow],
    fit: ThrowFit,
    base: ParameterSet,
    table: Mapping[str, Any],
    where: str,
) -> list[FittedConstant]:
    """Return the entries of a parameter file: fitted ones, and given ones unchanged.

    Args:
        throws: The log.
        fit: The fit.
        base: Parameters before the fit.
        table: Contents of the file they came from; empty for the model's own.
        where: Name of the log.
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


def format_value(free: FreeParameter, value: float) -> str:
    """Return a parameter's value with its unit, as in reports.

    Example:
        >>> format_value(FREE[0], 4812.3)
        '4.81 m/s'
    """
    digits = 1 if free.unit in ("mm", "deg") else 2
    return f"{value / free.scale:.{digits}f} {free.unit}".rstrip()


def _verdict(fit: ThrowFit) -> list[str]:
    if not fit.converged:
        return ["The fit did NOT converge: do not trust any value below.", ""]
    if not fit.identified:
        return ["The log identifies NO parameter: log more throws, with more than one slammer.", ""]
    return []


def _row(own: FittedParameter) -> str:
    interval = f"{_bare(own, own.low)} to {format_value(own.free, own.high)}"
    value = format_value(own.free, own.value)
    return f"  {own.free.label:<13} {value:>10}    {interval:<20} {_word(own)}"


def _bare(own: FittedParameter, value: float) -> str:
    return format_value(own.free, value).split()[0]


def _word(own: FittedParameter) -> str:
    if own.verdict is Verdict.KEPT:
        return "NOT identified"
    if own.verdict is Verdict.IDENTIFIED and own.free.known_sd is not None:
        return f"identified, with a prior of {own.free.default:.3g} +- {own.free.known_sd:.2g}"
    return str(own.verdict)


def _undetermined(fit: ThrowFit) -> list[str]:
    lines = []
    for own in fit.parameters:
        if own.verdict in (Verdict.KEPT, Verdict.TIED):
            before = ""
            if own.free.known_sd is not None:
                before = f", hardly less than the prior (+- {own.free.known_sd:.2g})"
            lines.append(
                f"- {own.free.label}: anything from {_bare(own, own.low)} to "
                f"{format_value(own.free, own.high)} fits{before}."
            )
            if own.verdict is Verdict.TIED:
                lines.append("  But not with all the others at their defaults, so it is fitted.")
            elif own.value != own.free.default:
                assumed = format_value(own.free, own.free.default)
                lines.append(f"  The default, {assumed}, does not: the nearest end is taken.")
    return lines or ["- Of the parameters above, none: all are identified."]


def _combination(fit: ThrowFit, direction: Direction) -> str:
    """Return one standard error along a direction, in the parameters' units."""
    lost = direction.standard_error > _AS_GOOD_AS_THE_RANGES
    length = _AS_GOOD_AS_THE_RANGES if lost else direction.standard_error
    steps = []
    for own, weight in zip(fit.parameters, direction.weights, strict=True):
        if abs(weight) >= _TELLING_WEIGHT:
            step = weight * length * (own.free.high - own.free.low) / 2
            word = "more" if step > 0 else "less"
            steps.append(f"{format_value(own.free, abs(step))} {word} {own.free.label}")
    return f"- {' with '.join(steps)}" + (": not determined at all" if lost else "")


def _described(residuals: Sequence[StatisticResidual]) -> list[str]:
    worst = misfit_of(residuals)
    if worst is None:
        lines = ["- Good: no residual is larger than chance allows."]
    else:
        lines = [
            f"- BAD: {worst.statistic} of {worst.setting} is {worst.seen:.2f} in the log,",
            f"  {worst.fitted:.2f} in the fit: {worst.standardised:+.1f} standard errors.",
            "  The model does not describe this log, and the intervals are too narrow.",
        ]
    lines += ["", f"  {'setting':<24} {'':<31} {'throws':>6} {'log':>7} {'fit':>7} {'resid.':>6}"]
    lines += [
        f"  {r.setting:<24} {r.statistic:<31} {r.throws:>6} {r.seen:>7.2f} {r.fitted:>7.2f} "
        f"{r.standardised:>+6.1f}"
        for r in residuals
    ]
    return [*lines, "  resid.: residual in standard errors"]


def _lack(likelihood: Likelihood) -> float:
    """Return the lack of fit over a throw's standard deviation, over settings and statistics."""
    responses = [data.response for data in likelihood.data]
    middle = quadratic(np.zeros(len(likelihood.space)))
    shares = [r.lack**2 / r.variance(r.mean(middle)) for r in responses]
    return math.sqrt(float(np.mean(shares)))


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
            "default: not identified by the log"
            if own.value == free.default
            else "not identified by the log: the allowed value nearest to the default"
        ),
        fitted_on="nothing",
        not_fitted_on=f"{throws} throws of {where}",
    )


def _given(section: str, name: str, entry: Any, value: float) -> FittedConstant:
    known = Entry(value=value)
    if isinstance(entry, Mapping):
        known = decode(Entry, entry, f"params: [{section}] {name}")
    return FittedConstant(
        section=section,
        name=name,
        value=value,
        uncertainty=known.uncertainty or None,
        source=known.source or "given",
        fitted_on=known.fitted_on,
        not_fitted_on=known.not_fitted_on,
    )
