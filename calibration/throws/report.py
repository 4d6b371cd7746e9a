"""Report of a fit of throws for people, and its entries in a parameter file."""

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from pucklab.base.decoding import Noted, decode
from pucklab.base.errors import parameters
from pucklab.calibration.parameter_files import FittedConstant
from pucklab.calibration.simulated_fit import (
    FittedParameter,
    FreeParameter,
    SimulatedFit,
    Verdict,
)
from pucklab.calibration.throws.fit import FREE
from pucklab.calibration.throws.log import RealThrow
from pucklab.physics.materials import ParameterSet

_UNLIKELY = 0.01
_AS_GOOD_AS_THE_RANGES = 0.5
"""Standard deviation from which a combination counts as undetermined; a whole range's is .58."""

_TELLING_WEIGHT = 0.3
_METHOD = "simulated likelihood of the model; error from the posterior"
_SOURCES = {
    Verdict.IDENTIFIED: _METHOD,
    Verdict.TIED: f"{_METHOD}; identified only together with the other values",
    Verdict.MEASURED: "mean of measured speeds",
    Verdict.KEPT: "default: not identified by the log",
    Verdict.DROPPED: "default: not identified by the log",
}
"""Sources of values in a parameter file."""


def throws_report(throws: Sequence[RealThrow], fit: SimulatedFit, where: str) -> str:
    """Return the report of a fit as text; ``where`` is the name of the log."""
    lines = [f"Fit of {len(throws)} throws in {where}", ""]
    if not fit.converged:
        lines += ["The fit did NOT converge: do not trust any value below.", ""]
    elif not fit.identified:
        lines += ["The log identifies NO parameter: log more throws, with more than one slammer."]
        lines += [""]
    lines += [f"  {'parameter':<13} {'value':>10}    95 % interval"]
    for own in fit.parameters:
        word = str(own.verdict)
        if own.verdict is Verdict.KEPT:
            word = "NOT identified"
        elif own.verdict is Verdict.IDENTIFIED and own.free.known_sd is not None:
            word += f", with a prior of {own.free.default:.3g} +- {own.free.known_sd:.2g}"
        value = format_value(own.free, own.value)
        lines.append(f"  {own.free.label:<13} {value:>10}    {_interval(own):<20} {word}")
    lines += [
        "",
        "An interval allows for any value of the other parameters. A value is the mean of all that",
        "fit, with the parameters that are not identified kept at the value shown.",
        "",
        "Not determined by this log",
        *_list_undetermined(fit),
        "- The angle of descent, the slammer's rotation, the neatness of the stack: they are as in",
        "  the model or in --params.",
        "- The model's own errors: they are not in the intervals.",
        "",
        "Combinations of parameters, from best to worst determined, with one standard error each",
        *_list_combinations(fit),
        "",
        "Goodness of fit",
    ]
    worst = max(fit.residuals, key=lambda r: abs(r.z_score))
    # Significant over all of them: Bonferroni.
    limit = NormalDist().inv_cdf(1 - _UNLIKELY / 2 / len(fit.residuals))
    if abs(worst.z_score) <= limit:
        lines.append("- Good: no residual is larger than chance allows.")
    else:
        lines += [
            f"- BAD: {worst.statistic} of {worst.setting} is {worst.seen:.2f} in the log,",
            f"  {worst.fitted:.2f} in the fit: {worst.z_score:+.1f} standard errors.",
            "  The model does not describe this log, and the intervals are too narrow.",
        ]
    lines += ["", f"  {'setting':<24} {'':<31} {'throws':>6} {'log':>7} {'fit':>7} {'resid.':>6}"]
    lines += [
        f"  {r.setting:<24} {r.statistic:<31} {r.trials:>6} {r.seen:>7.2f} {r.fitted:>7.2f} "
        f"{r.z_score:>+6.1f}"
        for r in fit.residuals
    ]
    lines += [
        "  resid.: residual in standard errors",
        "",
        "Method",
        "- Mean counts are smooth functions of the parameters, fitted to simulated throws. The",
        "  intervals allow for the limited number of simulated throws, which makes",
        f"  {100 * fit.simulated_share:.0f} % of the variances; more --trials reduce it.",
    ]
    return "\n".join(lines) + "\n"


def format_value(free: FreeParameter, value: float) -> str:
    """Return a parameter's value with its unit, as in reports.

    Example:
        >>> format_value(FREE[0], 4812.3)
        '4.81 m/s'
    """
    digits = 1 if free.unit in ("mm", "deg") else 2
    return f"{value / free.scale:.{digits}f} {free.unit}".rstrip()


def _interval(own: FittedParameter) -> str:
    return f"{format_value(own.free, own.low).split()[0]} to {format_value(own.free, own.high)}"


def _list_undetermined(fit: SimulatedFit) -> list[str]:
    lines = []
    for own in fit.parameters:
        if own.verdict not in (Verdict.KEPT, Verdict.TIED):
            continue
        known = own.free.known_sd
        before = "" if known is None else f", hardly less than the prior (+- {known:.2g})"
        lines.append(f"- {own.free.label}: anything from {_interval(own)} fits{before}.")
        if own.verdict is Verdict.TIED:
            lines.append("  But not with all the others at their defaults, so it is fitted.")
        elif own.value != own.free.default:
            assumed = format_value(own.free, own.free.default)
            lines.append(f"  The default, {assumed}, does not: the nearest end is taken.")
    return lines or ["- Of the parameters above, none: all are identified."]


def _list_combinations(fit: SimulatedFit) -> list[str]:
    """Return a line for each direction: one standard error along it, in the parameters' units."""
    fitted = [
        p.free for p in fit.parameters if p.verdict not in (Verdict.MEASURED, Verdict.DROPPED)
    ]
    lines = []
    for error, axis in zip(fit.axis_errors.tolist(), fit.axes.T.tolist(), strict=True):
        length = min(error, _AS_GOOD_AS_THE_RANGES)
        steps = []
        for free, weight in zip(fitted, axis, strict=True):
            if abs(weight) >= _TELLING_WEIGHT:
                step = weight * length * (free.high - free.low) / 2
                word = "more" if step > 0 else "less"
                steps.append(f"{format_value(free, abs(step))} {word} {free.label}")
        lost = ": not determined at all" if length < error else ""
        lines.append(f"- {' with '.join(steps)}{lost}")
    return lines


def throws_parameters(
    throws: Sequence[RealThrow],
    fit: SimulatedFit,
    base: ParameterSet,
    table: Mapping[str, Any],
    where: str,
) -> list[FittedConstant]:
    """Return the entries of a parameter file: the fitted constants, and the given ones unchanged.

    Args:
        throws: The log.
        fit: The fit.
        base: Parameters before the fit.
        table: Contents of the file they came from; empty for the model's own.
        where: Name of the log.
    """
    on = f"{len(throws)} throws of {where}"
    found = []
    for own in fit.parameters:
        free, source = own.free, _SOURCES[own.verdict]
        uncertainty: float | None = own.standard_error
        fitted_on, not_fitted_on = on, "other slammers, stacks and throwers"
        if own.verdict in (Verdict.KEPT, Verdict.DROPPED):
            note = parameters(getattr(ParameterSet(), free.section))[free.name]
            uncertainty = free.known_sd or note.uncertainty
            fitted_on, not_fitted_on = "nothing", on
            if own.value != free.default:
                source = "not identified by the log: the allowed value nearest to the default"
        found.append(
            FittedConstant(
                section=free.section,
                name=free.name,
                value=own.value,
                uncertainty=uncertainty,
                source=source,
                fitted_on=fitted_on,
                not_fitted_on=not_fitted_on,
            )
        )
    names = {(free.section, free.name) for free in FREE}
    for section, entries in table.items():
        for name, entry in entries.items():
            if (section, name) not in names:
                known = Noted(value=getattr(getattr(base, section), name))
                if isinstance(entry, Mapping):
                    known = decode(Noted, entry, f"params: [{section}] {name}")
                found.append(
                    FittedConstant(
                        section=section,
                        name=name,
                        value=known.value,
                        uncertainty=known.uncertainty or None,
                        source=known.source or "given",
                        fitted_on=known.fitted_on,
                        not_fitted_on=known.not_fitted_on,
                    )
                )
    return found
