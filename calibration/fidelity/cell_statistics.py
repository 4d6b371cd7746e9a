"""The statistics of a cell's throws, whoever threw them.

The shipped reference set: every throw of both 3-D engines, cell by cell.

A cell in the model: its strikes are computed once, for they do not know the fitted constants.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from calibration.cells import (
    REFERENCE_CELLS,
    REFERENCE_SEED,
    Cell,
    cells_named,
    scene_of,
    thrower_of,
)
from calibration.reference import ENGINES
from calibration.throw_log import LoggedThrow, distance_um, face_letters, read_log
from physics import PRESETS, ParameterSet, Scene, Throw, draw_throw, slam, trial_generator
from physics.plane.engine import outcome_after, strike
from physics.plane.impact import Impact
from physics.plane.projection import ImpactPlane, impact_plane


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStatistics:
    """What the throws of one cell come to.

    Attributes:
        throws: How many there were.
        flips: Mean number of pieces of the stack that ended face up inside, per throw.
        flips_se: Its standard error.
        any_out: Share of throws with a piece of the stack outside.
        out: Mean number of those pieces.
        out_se: Its standard error.
        distance_mm: Mean distance from the centre of the pieces inside.
        flip_shares: Share of throws with 0, 1, ... flips; one more entry than pieces.
        knocked_out: Share of throws in which the lowest piece ended face up inside.
    """

    throws: int
    flips: float
    flips_se: float
    any_out: float
    out: float
    out_se: float
    distance_mm: float
    flip_shares: tuple[float, ...]
    knocked_out: float

    @property
    def any_out_se(self) -> float:
        """Standard error of `any_out`."""
        return _share_se(self.any_out, self.throws)

    @property
    def knocked_out_se(self) -> float:
        """Standard error of `knocked_out`."""
        return _share_se(self.knocked_out, self.throws)


def statistics_of(faces: Sequence[str], distances_um: Sequence[int]) -> CellStatistics:
    """Return the statistics of throws.

    Args:
        faces: Per throw a letter for each piece of the stack from the floor up: U up, D down, L
            leaning, O out. At least one throw.
        distances_um: Per throw the sum of the distances from the centre of the pieces inside.

    Example:
        >>> cell = statistics_of(["DDU", "DOO"], [90_000, 10_000])
        >>> cell.flips, cell.any_out, cell.out, cell.distance_mm
        (0.5, 0.5, 1.0, 25.0)
        >>> cell.flip_shares
        (0.5, 0.5, 0.0, 0.0)
    """
    throws, pieces = len(faces), len(faces[0])
    flips = [row.count("U") for row in faces]
    outs = [row.count("O") for row in faces]
    inside = throws * pieces - sum(outs)
    return CellStatistics(
        throws=throws,
        flips=sum(flips) / throws,
        flips_se=_mean_se(flips),
        any_out=sum(out > 0 for out in outs) / throws,
        out=sum(outs) / throws,
        out_se=_mean_se(outs),
        distance_mm=sum(distances_um) / 1000 / inside if inside else math.nan,
        flip_shares=tuple(flips.count(number) / throws for number in range(pieces + 1)),
        knocked_out=sum(row[0] == "U" for row in faces) / throws,
    )


def _mean_se(values: Sequence[int]) -> float:
    count = len(values)
    mean = sum(values) / count
    return math.sqrt(sum((value - mean) ** 2 for value in values)) / count


def _share_se(share: float, throws: int) -> float:
    return math.sqrt(share * (1 - share) / throws)


_HOLD_OUT_EVERY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCell:
    """What both engines make of one cell.

    Attributes:
        cell: The cell.
        mujoco: Of MuJoCo.
        penalty: Of the penalty engine.
        left_out: Throws of both that gained energy and count for nothing.
    """

    cell: Cell
    mujoco: CellStatistics
    penalty: CellStatistics
    left_out: int


def shipped_reference() -> tuple[ReferenceCell, ...]:
    """Return the reference set that comes with pucklab.

    Example:
        >>> cells = shipped_reference()
        >>> cells[0].cell.name
        '3g-1.6mm-5ms-10'
    """
    folder = files("calibration") / "data"
    return reference_cells(
        throw
        for engine in ENGINES
        for throw in read_log(
            (folder / f"{engine}.throws.csv").read_text(encoding="utf-8"), f"the {engine} set"
        )
    )


def reference_cells(throws: Iterable[LoggedThrow]) -> tuple[ReferenceCell, ...]:
    """Return the cells that both engines have throws of, those of the shipped set first.

    Raises:
        InputError: A throw is of no cell.
    """
    kept: defaultdict[tuple[str, str], list[LoggedThrow]] = defaultdict(list)
    gaining: defaultdict[str, int] = defaultdict(int)
    for throw in throws:
        if throw.gains_energy:
            gaining[throw.cell] += 1
        else:
            kept[throw.engine, throw.cell].append(throw)
    names = dict.fromkeys(cell for _, cell in kept)
    return tuple(
        ReferenceCell(
            cell=cell,
            mujoco=_statistics(kept["mujoco", cell.name]),
            penalty=_statistics(kept["penalty", cell.name]),
            left_out=gaining[cell.name],
        )
        for cell in sorted(cells_named(names), key=_place)
        if all((engine, cell.name) in kept for engine in ENGINES)
    )


def fitted_cells() -> frozenset[str]:
    """Return the names of the cells that constants are fitted on: all but every third one.

    Example:
        >>> [cell.name in fitted_cells() for cell in REFERENCE_CELLS[:4]]
        [True, True, False, True]
    """
    return frozenset(
        cell.name for number, cell in enumerate(REFERENCE_CELLS) if (number + 1) % _HOLD_OUT_EVERY
    )


def _place(cell: Cell) -> int:
    return REFERENCE_CELLS.index(cell) if cell in REFERENCE_CELLS else len(REFERENCE_CELLS)


def _statistics(throws: list[LoggedThrow]) -> CellStatistics:
    return statistics_of([t.faces for t in throws], [t.distance_um for t in throws])


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
