"""How faithful the model is: its statistics beside those of two 3-D engines, cell by cell."""

from calibration.fidelity.compare import CellFidelity, Fidelity, compare, fidelity_of
from calibration.fidelity.constants import FREE, FreeConstant
from calibration.fidelity.fit import ConstantFit, fit_constants, fitted_constants
from calibration.fidelity.modelcell import ModelCell, cell_statistics, model_cell
from calibration.fidelity.referenceset import ReferenceCell, fitted_cells, shipped_reference
from calibration.fidelity.report import fidelity_report
from calibration.fidelity.statistics import CellStatistics, statistics_of

__all__ = [
    "FREE",
    "CellFidelity",
    "CellStatistics",
    "ConstantFit",
    "Fidelity",
    "FreeConstant",
    "ModelCell",
    "ReferenceCell",
    "cell_statistics",
    "compare",
    "fidelity_of",
    "fidelity_report",
    "fit_constants",
    "fitted_cells",
    "fitted_constants",
    "model_cell",
    "shipped_reference",
    "statistics_of",
]
