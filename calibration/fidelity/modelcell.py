"""A cell in the model: its strikes are computed once, for they do not know the fitted constants."""

from dataclasses import dataclass, replace

from calibration.cells import REFERENCE_SEED, Cell, scene_of, thrower_of
from calibration.fidelity.statistics import CellStatistics, statistics_of
from calibration.throwlog import distance_um, face_letters
from physics import PRESETS, ParameterSet, Scene, Throw, draw_throw, slam, trial_generator
from physics.plane.impact import Impact
from physics.plane.projection import ImpactPlane, impact_plane
from physics.slam import outcome_after, strike


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelCell:
    """What a cell's throws come to in the planes of their impacts.

    Attributes:
        scene: The cell's scene.
        throws: The throws that hit or miss.
        strikes: Plane and end of the parting of each; None for a miss.
    """

    scene: Scene
    throws: tuple[Throw, ...]
    strikes: tuple[tuple[ImpactPlane, Impact] | None, ...]


def model_cell(cell: Cell, trials: int, preset: str = "fast") -> ModelCell:
    """Compute the strikes of a cell's first throws: those of the engines, trial by trial.

    Args:
        cell: The cell.
        trials: How many throws.
        preset: How finely.

    Raises:
        InputError: There is no such preset.
    """
    scene = replace(scene_of(cell), preset=PRESETS[preset])
    thrower = thrower_of(cell)
    throws = tuple(
        draw_throw(thrower, len(scene.stack), trial_generator(REFERENCE_SEED, trial))
        for trial in range(trials)
    )
    planes = [impact_plane(scene, throw) for throw in throws]
    return ModelCell(
        scene=scene,
        throws=throws,
        strikes=tuple(
            None if plane is None else (plane, strike(scene, throw, plane))
            for throw, plane in zip(throws, planes, strict=True)
        ),
    )


def cell_statistics(cell: ModelCell, parameters: ParameterSet) -> CellStatistics:
    """Return the statistics of a cell with other constants of what follows the parting.

    Args:
        cell: The strikes.
        parameters: Their thrower, restitution and friction have no say here.
    """
    materials = replace(
        cell.scene.materials, rolling_friction=parameters.materials.rolling_friction
    )
    scene = replace(cell.scene, lift_off=parameters.lift_off, materials=materials)
    outcomes = [
        slam(scene, throw).outcome if struck is None else outcome_after(scene, throw, *struck)
        for throw, struck in zip(cell.throws, cell.strikes, strict=True)
    ]
    return statistics_of(
        [face_letters(outcome) for outcome in outcomes],
        [distance_um(outcome) for outcome in outcomes],
    )
