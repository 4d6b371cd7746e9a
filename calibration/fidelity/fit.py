"""Fit of the model's constants to the reference, and its report.

The model's statistics over a box of constants are learned from slams at points that fill it (a
quadratic surrogate; the same throws at every point, so that it is smooth), least squares are taken
on the surrogate, and all is repeated in a smaller box around the first optimum.

`fidelity_report` says in plain text how faithful the model is.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.calibration.cells import Cell
from pucklab.calibration.designs import quadratic
from pucklab.calibration.fidelity.cell_statistics import CellStatistics, ReferenceCell
from pucklab.calibration.fidelity.compare import (
    CellFidelity,
    Fidelity,
    chance_of,
    fidelity_of,
    flips_bias,
)
from pucklab.calibration.parameter_files import FittedConstant
from pucklab.physics import ParameterSet


@fact
class FreeConstant:
    """A constant of lift-off that may be fitted, and the range that is searched."""

    name: str
    low: float
    high: float

    def value_in(self, parameters: ParameterSet) -> float:
        """Return the constant's value in a set of parameters."""
        value: float = getattr(parameters.lift_off, self.name)
        return value


FREE: tuple[FreeConstant, ...] = (
    FreeConstant(name="strength", low=-0.4, high=0.4),
    FreeConstant(name="drift", low=0.05, high=0.3),
    FreeConstant(name="lean_rad", low=0.8, high=1.5),
    FreeConstant(name="twist", low=0.05, high=0.3),
)
"""Restitution and friction are not among them: they are the same in the engines, so the reference
does not identify them."""


def with_constants(parameters: ParameterSet, values: Sequence[float]) -> ParameterSet:
    """Return parameters with the values of all `FREE` constants.

    Example:
        >>> values = [constant.value_in(ParameterSet()) for constant in FREE]
        >>> with_constants(ParameterSet(), values) == ParameterSet()
        True
    """
    fitted = {free.name: float(value) for free, value in zip(FREE, values, strict=True)}
    return replace(parameters, lift_off=replace(parameters.lift_off, **fitted))


def ablations(base: ParameterSet) -> dict[str, ParameterSet]:
    """Return parameters without one constant of the plane each, by its name.

    A constant that is left out is zero: a power of 0, no scatter, no common part. The lean has no
    neutral value, so it is not ablated.

    Example:
        >>> found = ablations(ParameterSet())
        >>> found["drift"].lift_off.drift
        0.0
    """
    found = {}
    for constant in fields(base.lift_off):
        if constant.name != "lean_rad":
            without = replace(base.lift_off, **{constant.name: 0.0})
            found[constant.name] = replace(base, lift_off=without)
    return found


def ablation_table(whole: Fidelity, without: Mapping[str, Fidelity]) -> str:
    """Return a table of the errors without one constant each, the most needed constants first.

    Args:
        whole: The comparison with all constants.
        without: The comparison without each constant, by its name.
    """
    ordered = sorted(without.items(), key=lambda item: -item[1].flips_rms)
    lines = [
        "What each constant is worth: root mean square errors without it",
        f"{'without':22s}   flips  any out     out  distance     TV",
    ]
    lines += [
        f"{name:22s} {each.flips_rms:7.3f} {each.any_out_rms:8.3f} {each.out_rms:7.3f} "
        f"{each.distance_ratio:9.3f} {each.total_variation:6.3f}"
        for name, each in [("(nothing)", whole), *ordered]
    ]
    return "\n".join(lines) + "\n"


_STATISTICS = ("flips", "any_out", "out", "distance_mm", "none", "many")
_TOLERANCES = {
    "flips": 0.15,
    "any_out": 0.04,
    "out": 0.15,
    "distance_mm": 3.0,
    "none": 0.04,
    "many": 0.04,
}
"""Acceptable errors of the model, which count like standard errors."""

_MANY = 4
_BEYOND_BOX = 0.5
"""A constant whose standard error is more than this share of its whole range is not identified."""

_EDGE = 0.98
"""Share of the way from the middle of the box to its edge, from which a value is at it."""


@fact
class ConstantFit:
    """Fitted constants, in the order of `FREE`.

    Attributes:
        values: The constants.
        errors: Their standard errors.
        identified: True for those that the reference identifies.
        at_edge: Whether each is at the edge of the box: the best may lie beyond.
        converged: The least squares converged inside the box.
        chi2: Sum of squared residuals over their errors, at the end.
        statistics: Number of statistics fitted.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]
    identified: tuple[bool, ...]
    at_edge: tuple[bool, ...]
    converged: bool
    chi2: float
    statistics: int


def box_around(centre: Sequence[float], share: float) -> tuple[Floats, Floats]:
    """Return the lowest and highest constants of a box.

    Args:
        centre: Its middle, moved inwards where the box would leave the constants' ranges.
        share: Its width over the width of the ranges.
    """
    low = np.array([constant.low for constant in FREE])
    high = np.array([constant.high for constant in FREE])
    half = (high - low) * share / 2
    middle = np.clip(np.array(centre), low + half, high - half)
    return middle - half, middle + half


def fit_constants(
    reference: Sequence[ReferenceCell],
    points: Floats,
    statistics: Sequence[Sequence[CellStatistics]],
) -> ConstantFit:
    """Fit the constants to the reference, within the box that the points fill.

    Args:
        reference: The cells to fit on.
        points: Shape (P, constants).
        statistics: The model's, per cell and point.
    """
    from scipy.optimize import least_squares

    low, high = points.min(axis=0), points.max(axis=0)
    features = quadratic(2 * (points - low) / (high - low) - 1)
    targets, weights = [], []
    for cell, ours in zip(reference, statistics, strict=True):
        for name in _STATISTICS:
            values = np.array([_value(each, name) for each in ours])
            coefficients, *_ = np.linalg.lstsq(features, values, rcond=None)
            weights.append(coefficients)
            targets.append(_target(cell, name, ours[0].throws))
    learned, (target, error) = np.array(weights), np.array(targets).T

    def residuals(unit: Floats) -> Floats:
        result: Floats = ((learned * quadratic(unit[np.newaxis])).sum(axis=1) - target) / error
        return result

    found = least_squares(residuals, np.zeros(len(FREE)), bounds=(-1.0, 1.0))
    half = (high - low) / 2
    whole = np.array([constant.high - constant.low for constant in FREE])
    scale = max(1.0, 2 * found.cost / (len(target) - len(FREE)))
    normal = (found.jac[:, :, np.newaxis] * found.jac[:, np.newaxis, :]).sum(axis=0) / scale
    # The prior is the range: a constant without data has a finite error.
    normal += np.diag((half / whole) ** 2)
    standard_errors = np.sqrt(np.diag(np.linalg.inv(normal))) * half
    return ConstantFit(
        values=tuple((low + (found.x + 1) * half).tolist()),
        errors=tuple(standard_errors.tolist()),
        identified=tuple((standard_errors < _BEYOND_BOX * whole).tolist()),
        at_edge=tuple((np.abs(found.x) > _EDGE).tolist()),
        converged=bool(found.success),
        chi2=float(2 * found.cost),
        statistics=len(target),
    )


def fitted_constants(
    fit: ConstantFit, base: ParameterSet, on: Sequence[CellFidelity]
) -> list[FittedConstant]:
    """Return a fit's constants for a parameter file; one that is not identified keeps its value."""
    names = [cell.reference.cell.name for cell in on if cell.fitted]
    held_out = [cell.reference.cell.name for cell in on if not cell.fitted]
    constants = []
    for free, value, error, identified in zip(
        FREE, fit.values, fit.errors, fit.identified, strict=True
    ):
        source = (
            "least squares on the solid engine" if identified else "not identified; kept as it was"
        )
        constants.append(
            FittedConstant(
                section="lift_off",
                name=free.name,
                value=float(f"{value if identified else free.value_in(base):.4g}"),
                uncertainty=float(f"{error:.2g}") if identified else None,
                source=source,
                fitted_on=f"the solid engine, cells {', '.join(names)}",
                not_fitted_on=f"cells {', '.join(held_out)}; no measured throws of people",
            )
        )
    return constants


def _value(statistics: CellStatistics, name: str) -> float:
    if name == "none":
        return statistics.flip_shares[0]
    if name == "many":
        return sum(statistics.flip_shares[_MANY:])
    value: float = getattr(statistics, name)
    return value


def _target(cell: ReferenceCell, name: str, trials: int) -> tuple[float, float]:
    """Return the engine's statistic, and the standard error of the model's distance from it."""
    middle = _value(cell.solid, name)
    throws = cell.solid.throws
    if name == "distance_mm":
        noise = 0.0
    elif name in {"flips", "out"}:
        own: float = getattr(cell.solid, f"{name}_se")
        noise = own * math.sqrt(1 + throws / trials)
    else:
        share = min(max(middle, 1 / throws), 1 - 1 / throws)
        noise = math.sqrt(share * (1 - share) * (1 / throws + 1 / trials))
    return middle, math.hypot(noise, _TOLERANCES[name])


_CLAIM = """\
Claimed: statistics over many throws, against the solid engine, rigid discs in three dimensions. Not
claimed: any single throw (two runs of one engine do not agree on one either), or throws of people,
of which no measurements exist. MuJoCo stands beside them where it threw, as an independent check.
"""
_COLUMNS = ("model", "solid", "MuJoCo")
_FORMS = {"flips": ".2f", "any_out": ".2f", "out": ".2f", "distance_mm": ".0f"}


def fidelity_report(
    cells: Sequence[CellFidelity],
    fit: ConstantFit | None = None,
    small: Sequence[ReferenceCell] = (),
) -> str:
    """Return the report as text.

    Args:
        cells: The model beside the reference.
        fit: The fit that the model's constants come from, if it was made just now.
        small: Cells that the model leaves to the solid engine.
    """
    lines = [_CLAIM]
    if fit is not None:
        lines.append(
            f"Fitted constants ({fit.statistics} statistics, chi2 {fit.chi2:.0f}; standard errors)"
        )
        for free, value, error, identified, at_edge in zip(
            FREE, fit.values, fit.errors, fit.identified, fit.at_edge, strict=True
        ):
            estimate = "not identified by the reference"
            if identified:
                estimate = f"{value:7.3f} +- {error:.3f}"
                if at_edge:
                    estimate += "  at the edge of the search range: the best value may be beyond"
            lines.append(f"  {'lift_off.' + free.name:28s} {estimate}")
        lines.append("")
    held_out = [cell for cell in cells if not cell.fitted]
    lines += _summarize("All cells", cells)
    if 0 < len(held_out) < len(cells):
        lines += _summarize("Cells left out of every fit", held_out)
    lines += _bias_table(held_out)
    if cells:
        lines += _stack_table(cells)
    if checked := [cell for cell in small if cell.mujoco]:
        lines += _small_scenes_table(checked)
    return "\n".join(lines)


def _summarize(title: str, cells: Sequence[CellFidelity]) -> list[str]:
    whole, chance = fidelity_of(cells), chance_of(cells)
    agreeing = whole.stacks - len(whole.disagreeing)
    lines = [
        f"{title}: {whole.stacks} stacks (in brackets: by chance alone)",
        f"  mean flips inside their band    {agreeing} of {whole.stacks}",
        f"  mean flips, rms                 {whole.flips_rms:.2f}  ({chance.flips_rms:.2f})",
        f"  P(any puck out), rms            {whole.any_out_rms:.3f} ({chance.any_out_rms:.3f})",
        f"  pucks out per throw, rms        {whole.out_rms:.2f}  ({chance.out_rms:.2f})",
        f"  mean distance over its          {whole.distance_ratio:.2f}",
        (
            f"  total variation of the flips    {whole.total_variation:.3f} "
            f"({chance.total_variation:.3f})"
        ),
    ]
    if whole.disagreeing:
        lines.append(f"  outside their band: {', '.join(whole.disagreeing)}")
    return [*lines, ""]


_KINDS: Mapping[str, Callable[[Cell], bool]] = MappingProxyType(
    {
        "all": lambda _: True,
        "descents from 20 degrees on": lambda cell: cell.descent_deg[0] >= 20.0,
        "slammers below 10 g": lambda cell: cell.slammer_g < 10.0,
        "slammers from 14 g on": lambda cell: cell.slammer_g >= 14.0,
        "restitution below .45": lambda cell: cell.restitution < 0.45,
    }
)


def _bias_table(cells: Sequence[CellFidelity]) -> list[str]:
    """Return the biases of the cells left out of every fit, by kinds of cells."""
    lines = [
        "Mean flips too many (+) or too few, in cells left out of every fit; errors over cells"
    ]
    for name, is_of_kind in _KINDS.items():
        own = [cell for cell in cells if is_of_kind(cell.reference.cell)]
        bias, error = flips_bias(own)
        if not math.isnan(error):
            lines.append(f"  {name:30s} {bias:+5.0%} +- {error:.0%}, {len(own)} cells")
    return [*lines, ""] if lines[1:] else []


def _stack_table(cells: Sequence[CellFidelity]) -> list[str]:
    groups = ("flips +- s.e.", "P(any out)", "out", "distance mm")
    head = f"{'cell':50s}" + "".join(f"| {group:^35s}" for group in groups)
    named = f"{'':50s}" + ("| " + " ".join(f"{name:>8s}" for name in _COLUMNS)) * len(groups)
    lines = [head, named]
    for cell in cells:
        marks = ("" if cell.fitted else "*") + ("" if cell.flips_agree else "!")
        row = f"{f'{cell.reference.cell.name} {marks}':50s}"
        for name, form in _FORMS.items():
            engines = (cell.model, cell.reference.solid, cell.reference.mujoco)
            texts = ("" if each is None else format(getattr(each, name), form) for each in engines)
            row += "| " + " ".join(f"{text:>8s}" for text in texts)
        lines.append(row + f"  +- {cell.error_se('flips'):.2f} flips")
    return [*lines, "* left out of the fit   ! mean flips outside their band", ""]


def _small_scenes_table(cells: Sequence[ReferenceCell]) -> list[str]:
    """Return the engines side by side where the model is the solid engine."""
    lines = [
        "Small scenes, which the model leaves to the solid engine: P(the lowest piece is face up)",
        f"{'cell':50s}| " + " ".join(f"{name:>16s}" for name in _COLUMNS[1:]),
    ]
    for cell in cells:
        shares = [
            f"{each.knocked_out:8.2f} +- {each.knocked_out_se:.2f}" if each else ""
            for each in (cell.solid, cell.mujoco)
        ]
        lines.append(f"{cell.cell.name:50s}| " + " ".join(f"{text:>16s}" for text in shares))
    return [*lines, ""]
