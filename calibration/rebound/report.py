"""Report of rebounds for people, and their entries in a parameter file."""

from collections.abc import Sequence

from pucklab.calibration.parameter_files import FittedConstant
from pucklab.calibration.rebound.fit import ReboundFit
from pucklab.calibration.rebound.measurements import Rebound


def rebound_report(rebounds: Sequence[Rebound], found: ReboundFit, where: str) -> str:
    """Return the report as text; ``where`` is the name of the file."""
    lines = [f"{len(rebounds)} rebounds of {where}", ""]
    if not found.fit.converged:
        lines += ["The fit did NOT converge: do not trust any value below.", ""]
    for own in found.fit.parameters:
        interval = "(95 % interval {:.{digits}f} to {:.{digits}f})"
        if own.free.section:
            lines.append(
                f"{own.free.name} {own.value:.3f} +- {own.standard_error:.3f} "
                + interval.format(own.low, own.high, digits=3)
            )
        elif own.free.name != "scatter":
            lines.append(
                f"tilt spread of {own.free.name} {own.value:.1f} degrees "
                + interval.format(own.low, own.high, digits=1)
            )
    lines += [
        "",
        "Mean return: the root of the height of the rebound over the height of fall",
        f"  {'setting':<32} {'count':>5} {'measured':>8} {'fit':>6} {'h = 0':>6} {'h = 1':>6}",
        *(
            f"  {e.setting.name:<32} {e.count:>5} {e.measured:>8.3f} {e.fitted:>6.3f} "
            f"{e.viscous:>6.3f} {e.latching:>6.3f}"
            for e in found.expected
        ),
        "  (h = 0: viscous dampers alone; h = 1: springs that lose a fixed share of their energy)",
        "",
        "Conclusion",
        *(f"- {line}" for line in _conclusions(found)),
    ]
    return "\n".join(lines) + "\n"


def rebound_parameters(
    rebounds: Sequence[Rebound], found: ReboundFit, where: str
) -> list[FittedConstant]:
    """Return the fitted restitution and hysteresis as entries of a parameter file."""
    return [
        FittedConstant(
            section="materials",
            name=name,
            value=found[name].value,
            uncertainty=found[name].standard_error,
            source="heights of rebounds against the solid engine",
            fitted_on=f"{len(rebounds)} rebounds of {where}",
            not_fitted_on="flips and pucks out",
        )
        for name in ("restitution", "hysteresis")
        if name == "restitution" or found.tells_hysteresis
    ]


def _conclusions(found: ReboundFit) -> list[str]:
    lines = []
    if not found.tells_hysteresis:
        lines.append("The rebounds do not tell what a stack gives back: hysteresis is not written.")
        if all(e.setting.pucks == 0 for e in found.expected):
            lines.append("All were on the bare floor. Drop the slammer on ten pucks as well.")
        elif not any(e.setting.pucks == 0 for e in found.expected):
            lines.append("None was on the bare floor, so that restitution is not known apart.")
    elif found["hysteresis"].high < 0.5:
        lines.append("Contacts in your stack act rather like viscous dampers.")
    elif found["hysteresis"].low > 0.5:
        lines.append("Contacts in your stack rather lose a fixed share of what they store.")
    else:
        lines.append("Your stack is between the two, or the data do not decide for one of them.")
    lines.append(
        f"Probability that more than half of the loss is hysteresis: {found.more_than_half:.2f}."
    )
    lines += [
        f"{e.setting.name}: the rise is {e.measured**2:.3f} of the fall;\n  {e.viscous**2:.3f} is "
        f"expected with dampers alone, {e.latching**2:.3f} with hysteresis alone."
        for e in found.expected
        if e.setting.pucks and e.setting.dropped
    ]
    lines.append(
        "Errors that all rebounds share are not in the intervals: a wrong scale in the\n"
        "  picture, bent pucks, a tube that slows the slammer."
    )
    return lines
