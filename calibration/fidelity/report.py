"""The report of how faithful the model is, in plain text."""

from collections.abc import Sequence

from calibration.fidelity.compare import CellFidelity, Fidelity, fidelity_of
from calibration.fidelity.constants import FREE
from calibration.fidelity.fit import ConstantFit

_CLAIM = """\
What is claimed: statistics over many throws, against rigid bodies in three dimensions. Not claimed:
any single throw (two runs of one engine do not agree on one either), or throws of people, of which
no measurements exist. The reference is the mean of two engines that differ; where they do, nobody
knows better.
"""
_COLUMNS = ("model", "MuJoCo", "penalty")


def fidelity_report(cells: Sequence[CellFidelity], fit: ConstantFit | None = None) -> str:
    """Return the report.

    Args:
        cells: The model beside the reference.
        fit: The fit that the model's constants come from, if it was made just now.
    """
    parts = [_CLAIM]
    if fit is not None:
        parts.append(_fit_table(fit))
    held_out = [cell for cell in cells if not cell.fitted]
    parts.append(_summary("All cells", fidelity_of(cells)))
    if 0 < len(held_out) < len(cells):
        parts.append(_summary("Cells left out of every fit", fidelity_of(held_out)))
    parts.append(_stack_table([cell for cell in cells if not cell.is_knock_out]))
    parts.append(_knock_out_table([cell for cell in cells if cell.is_knock_out]))
    return "\n".join(part for part in parts if part)


def _fit_table(fit: ConstantFit) -> str:
    lines = [
        f"Fitted constants ({fit.statistics} statistics, chi2 {fit.chi2:.0f}; standard errors)"
    ]
    for free, value, error, identified, at_edge in zip(
        FREE, fit.values, fit.errors, fit.identified, fit.at_edge, strict=True
    ):
        told = f"{value:7.3f} +- {error:.3f}" if identified else "not identified by the reference"
        if identified and at_edge:
            told += "  at the edge of what was looked at: the best may lie beyond"
        lines.append(f"  {free.section + '.' + free.name:28s} {told}")
    return "\n".join(lines) + "\n"


def _summary(title: str, whole: Fidelity) -> str:
    agreeing = whole.stacks - len(whole.disagreeing)
    lines = [
        f"{title}: {whole.stacks} stacks, {whole.knock_outs + whole.shielded} knock-outs",
        f"  mean flips inside their band    {agreeing} of {whole.stacks}",
        f"  mean flips, rms                 {whole.flips_rms:.2f}",
        f"  P(any puck out), rms            {whole.any_out_rms:.3f}",
        f"  pucks out per throw, rms        {whole.out_rms:.2f}",
        f"  mean distance over theirs       {whole.distance_ratio:.2f}",
        f"  total variation of the flips    {whole.total_variation:.2f}",
        f"  knock-out chance, rms           {whole.knock_out_rms:.3f}",
        f"  the same with shields           {whole.shielded_rms:.3f}",
    ]
    if whole.disagreeing:
        lines.append(f"  outside their band: {', '.join(whole.disagreeing)}")
    return "\n".join(lines) + "\n"


def _stack_table(cells: Sequence[CellFidelity]) -> str:
    if not cells:
        return ""
    groups = ("flips +- s.e.", "P(any out)", "out", "distance mm")
    head = f"{'cell':26s}" + "".join(f"| {group:^26s}" for group in groups)
    named = f"{'':26s}" + ("| " + " ".join(f"{name:>8s}" for name in _COLUMNS)) * len(groups)
    lines = [head, named]
    for cell in cells:
        row = f"{_name(cell):26s}"
        row += f"| {_three(cell, 'flips', '.2f')}"
        row += f"| {_three(cell, 'any_out', '.2f')}"
        row += f"| {_three(cell, 'out', '.2f')}"
        row += f"| {_three(cell, 'distance_mm', '.0f')}"
        lines.append(row + f"  +- {cell.error_se('flips'):.2f} flips")
    lines.append("* left out of the fit   ! mean flips outside their band")
    return "\n".join(lines) + "\n"


def _knock_out_table(cells: Sequence[CellFidelity]) -> str:
    if not cells:
        return ""
    lines = [f"{'knock-out':26s}| {'P(lying slammer ends face up)':^26s}"]
    lines.append(f"{'':26s}| " + " ".join(f"{name:>8s}" for name in _COLUMNS))
    lines += [
        f"{_name(cell):26s}| {_three(cell, 'knocked_out', '.2f')}"
        f"  +- {cell.error_se('knocked_out'):.2f}"
        for cell in cells
    ]
    return "\n".join(lines) + "\n"


def _three(cell: CellFidelity, name: str, form: str) -> str:
    values = (cell.model, cell.reference.mujoco, cell.reference.penalty)
    return " ".join(f"{format(getattr(each, name), form):>8s}" for each in values)


def _name(cell: CellFidelity) -> str:
    marks = ("" if cell.fitted else "*") + ("" if cell.flips_agree or cell.is_knock_out else "!")
    return f"{cell.reference.cell.name} {marks}"
