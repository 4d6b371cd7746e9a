"""Fidelity of the model: its statistics beside those of the solid engine, cell by cell."""

from calibration.fidelity.cell_statistics import (
    CellStatistics,
    CellSubject,
    ModelCell,
    ReferenceCell,
    cell_tally,
    fitted_cells,
    model_cell,
    shipped_reference,
    statistics_of,
    throw_cell,
)
from calibration.fidelity.compare import (
    CellFidelity,
    Fidelity,
    chance_of,
    compare,
    fidelity_of,
    flips_bias,
)
from calibration.fidelity.fit import (
    FREE,
    ConstantFit,
    FreeConstant,
    ablation_table,
    ablations,
    fidelity_report,
    fit_constants,
    fitted_constants,
)

__all__ = [
    "FREE",
    "CellFidelity",
    "CellStatistics",
    "CellSubject",
    "ConstantFit",
    "Fidelity",
    "FreeConstant",
    "ModelCell",
    "ReferenceCell",
    "ablation_table",
    "ablations",
    "cell_tally",
    "chance_of",
    "compare",
    "fidelity_of",
    "fidelity_report",
    "fit_constants",
    "fitted_cells",
    "fitted_constants",
    "flips_bias",
    "model_cell",
    "shipped_reference",
    "statistics_of",
    "throw_cell",
]
