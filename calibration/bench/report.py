"""Report of bench constants for people, and their entries in a parameter file."""

import math
from collections.abc import Sequence
from statistics import fmean, pvariance

from pucklab.calibration.bench.estimate import BenchConstant
from pucklab.calibration.parameter_files import FittedConstant
from pucklab.physics.materials import GRAVITY_MM_S2

_SLAM_M_S = 3.0
_PUCK_FALLS_AT_MOST_M_S = 4.1
"""Terminal speed of a flat disc of 1.5 g and 41.23 mm in air of 1.2 kg/m3, drag coefficient 1.1."""

_TELLING_SLOPE = 2.5
_FEWEST_FOR_SLOPE, _LEAST_VARIANCE = 6, 1e-7


def bench_report(constants: Sequence[BenchConstant], where: str) -> str:
    """Return the report as text.

    Args:
        constants: Estimated constants, at least one.
        where: Name of the file of measurements.
    """
    lines = [f"Bench measurements of {where}", ""]
    for constant in constants:
        lines += [*_section(constant), ""]
    lines += [
        "Limits of these measurements",
        "- The model has one restitution and one friction for every pair of surfaces. Measure the",
        "  pair that matters most: puck on puck for restitution, puck on floor for friction.",
        "- The errors show how well repeats agree. Errors that all repeats share are not in them:",
        "  a sloping floor, a worn puck, a misread speed.",
        *(f"- {line}" for constant in constants for line in _cautions(constant)),
    ]
    return "\n".join(lines) + "\n"


def bench_parameters(constants: Sequence[BenchConstant], where: str) -> list[FittedConstant]:
    """Return the constants as entries of a parameter file."""
    return [
        FittedConstant(
            section="materials",
            name=constant.name,
            value=constant.value,
            uncertainty=constant.standard_error,
            source="; ".join(f"{k.kind.name}: {k.kind.formula}" for k in constant.kinds),
            fitted_on=", ".join(
                f"{len(k.measurements)} of kind {k.kind.name}" for k in constant.kinds
            )
            + f" of {where}",
            not_fitted_on="slams",
        )
        for constant in constants
    ]


def _section(constant: BenchConstant) -> list[str]:
    interval = f"(95 % interval {constant.low:.4f} to {constant.high:.4f})"
    lines = [
        f"{constant.name} {constant.value:.4f} +- {constant.standard_error:.4f} {interval}",
        "",
        f"  {'kind':<6} {'repeats':>7} {'mean':>8} {'scatter':>8} {'std. error':>10}  formula",
    ]
    lines += [
        f"  {k.kind.name:<6} {len(k.measurements):>7} {k.value:>8.4f} {k.scatter:>8.4f} "
        f"{k.standard_error:>10.4f}  {k.kind.formula}"
        for k in constant.kinds
    ]
    for k in constant.kinds:
        if k.far_off:
            rows = ", ".join(map(str, k.far_off))
            lines.append(f"  Far from the other {k.kind.name}s, but kept: row {rows}. Check it.")
    if constant.kinds_disagree:
        lines += [
            f"  The kinds DISAGREE: chance {constant.agreement:.2g} if all measured the same.",
            "  The error is widened to span them; find out which kind to trust.",
        ]
        if any(k.kind.name == "tilt" for k in constant.kinds):
            lines.append(
                "  The tilt at which a puck starts to slide gives static friction, which is higher."
            )
    elif len(constant.kinds) > 1:
        lines.append(f"  The kinds agree (chance {constant.agreement:.2g} of being further apart).")
    return lines


def _cautions(constant: BenchConstant) -> list[str]:
    if constant.name != "restitution":
        return []
    from scipy.stats import linregress

    (drops,) = constant.kinds
    speeds = [math.sqrt(2 * GRAVITY_MM_S2 * m.readings[0]) / 1000 for m in drops.measurements]
    cautions = [
        f"The drops hit at {min(speeds):.1f} to {max(speeds):.1f} m/s; slams are at 3 to 7 m/s."
        + (" Restitution falls with speed." if max(speeds) < _SLAM_M_S else "")
    ]
    if len(speeds) >= _FEWEST_FOR_SLOPE and pvariance(speeds) > _LEAST_VARIANCE:
        line = linregress(speeds, [m.value for m in drops.measurements])
        if abs(line.slope) > _TELLING_SLOPE * line.stderr:
            cautions.append(
                f"Restitution changes by {line.slope:+.3f} +- {line.stderr:.3f} per m/s in these "
                "drops."
            )
    # A falling puck loses a share of its speed to the air: v^2 = V^2 (1 - exp(-v0^2 / V^2)).
    ratio = (fmean(speeds) / _PUCK_FALLS_AT_MOST_M_S) ** 2
    lost = 1 - math.sqrt((1 - math.exp(-ratio)) / ratio)
    cautions.append(
        f"A flat puck of 1.5 g that is dropped loses about {100 * lost:.0f} % of its speed to the "
        "air here, so that it\n  seems to bounce less; a heavy slammer loses next to nothing."
    )
    return cautions
