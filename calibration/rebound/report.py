"""Report of rebounds for people, and their entries in a parameter file."""

from collections.abc import Sequence

from calibration.parameter_files import FittedConstant
from calibration.rebound.fit import Expected, Marginal, ReboundFit
from calibration.rebound.measurements import Rebound


def rebound_report(rebounds: Sequence[Rebound], fit: ReboundFit, where: str) -> str:
    """Return the report as text.

    Args:
        rebounds: The measurements.
        fit: The fit.
        where: Name of their file.
    """
    lines = [
        f"{len(rebounds)} rebounds of {where}",
        "",
        _line("restitution", fit.restitution),
        _line("hysteresis", fit.hysteresis),
        *_spread_lines(fit),
        "",
        "Mean return: the root of the height of the rebound over the height of fall",
        f"  {'setting':<32} {'count':>5} {'measured':>8} {'fit':>6} {'h = 0':>6} {'h = 1':>6}",
        *(
            f"  {e.setting.name:<32} {e.count:>5} {e.measured:>8.3f} {e.fitted:>6.3f} "
            f"{e.viscous:>6.3f} {e.latching:>6.3f}"
            for e in fit.expected
        ),
        "  (h = 0: viscous dampers alone; h = 1: springs that lose a fixed share of their energy)",
        "",
        "Conclusion",
        *(f"- {line}" for line in _conclusions(fit)),
    ]
    return "\n".join(lines) + "\n"


def rebound_parameters(
    rebounds: Sequence[Rebound], fit: ReboundFit, where: str
) -> list[FittedConstant]:
    """Return what the rebounds determine as entries of a parameter file."""
    on = f"{len(rebounds)} rebounds of {where}"
    found = [("restitution", fit.restitution)]
    if fit.tells_hysteresis:
        found.append(("hysteresis", fit.hysteresis))
    return [
        FittedConstant(
            section="materials",
            name=name,
            value=marginal.value,
            uncertainty=marginal.standard_error,
            source="heights of rebounds against the solid engine",
            fitted_on=on,
            not_fitted_on="flips and pucks out",
        )
        for name, marginal in found
    ]


def _line(name: str, marginal: Marginal) -> str:
    return (
        f"{name} {marginal.value:.3f} +- {marginal.standard_error:.3f} "
        f"(95 % interval {marginal.low:.3f} to {marginal.high:.3f})"
    )


def _spread_lines(fit: ReboundFit) -> list[str]:
    named = zip(("drops", "throws"), fit.tilt_deg, strict=True)
    return [
        f"tilt spread of {name} {spread.value:.1f} degrees "
        f"(95 % interval {spread.low:.1f} to {spread.high:.1f})"
        for name, spread in named
        if spread
    ]


def _conclusions(fit: ReboundFit) -> list[str]:
    lines = []
    if not fit.tells_hysteresis:
        lines.append("The rebounds do not tell what a stack gives back: hysteresis is not written.")
        if all(e.setting.pucks == 0 for e in fit.expected):
            lines.append("All were on the bare floor. Drop the slammer on ten pucks as well.")
        elif not any(e.setting.pucks == 0 for e in fit.expected):
            lines.append("None was on the bare floor, so that restitution is not known apart.")
    elif fit.hysteresis.high < 0.5:
        lines.append("Contacts in your stack act rather like viscous dampers.")
    elif fit.hysteresis.low > 0.5:
        lines.append("Contacts in your stack rather lose a fixed share of what they store.")
    else:
        lines.append("Your stack is between the two, or the data do not decide for one of them.")
    lines.append(
        f"Probability that more than half of the loss is hysteresis: {fit.more_than_half:.2f}."
    )
    lines += [_compared(e) for e in fit.expected if e.setting.pucks and e.setting.dropped]
    lines.append(
        "Errors that all rebounds share are not in the intervals: a wrong scale in the\n"
        "  picture, bent pucks, a tube that slows the slammer."
    )
    return lines


def _compared(expected: Expected) -> str:
    return (
        f"{expected.setting.name}: the rise is {expected.measured**2:.3f} of the fall;\n"
        f"  {expected.viscous**2:.3f} is expected with dampers alone, "
        f"{expected.latching**2:.3f} with hysteresis alone."
    )
