"""Statistics of a cell's throws, from an engine or from the model.

`shipped_reference` is the reference set, cell by cell: the solid engine's throws, and MuJoCo's
where it threw. `model_cell` computes the model's impacts once, as these do not depend on the fitted
constants.
"""

import gzip
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from pucklab.base.facts import fact
from pucklab.calibration.cells import (
    REFERENCE_CELLS,
    REFERENCE_SEED,
    USUAL_CELLS,
    VARIED_CELLS,
    Cell,
    cells_named,
    draw_trial,
    scene_of,
)
from pucklab.calibration.reference import ENGINES
from pucklab.calibration.throw_log import LoggedThrow, read_log, tally_of_throw
from pucklab.physics import PRESETS, ParameterSet, Scene, Throw, slam
from pucklab.physics.plane.engine import outcome_after, strike
from pucklab.physics.plane.impact import Impact, ImpactPlane, impact_plane
from pucklab.physics.tally import Tally, empty_tally, mean_distance_mm, mean_of, tally_of


@fact
class CellStatistics:
    """Statistics of the throws of one cell."""

    throws: int
    flips: float  # mean number of pieces of the stack that ended face up inside
    flips_se: float  # its standard error
    any_out: float  # share of throws with a piece of the stack outside
    out: float  # mean number of those pieces
    out_se: float
    distance_mm: float  # mean distance from the centre of the pieces inside
    flip_shares: tuple[float, ...]  # share of throws with 0, 1, ... flips
    knocked_out: float  # share in which the lowest piece ended face up inside

    @property
    def any_out_se(self) -> float:
        """Standard error of `any_out`; `CellFidelity.error_se` looks it up by name."""
        return _share_se(self.any_out, self.throws)

    @property
    def knocked_out_se(self) -> float:
        """Standard error of `knocked_out`."""
        return _share_se(self.knocked_out, self.throws)


def statistics_of(tally: Tally) -> CellStatistics:
    """Return the statistics of a tally of at least one throw.

    Example:
        >>> from pucklab.physics import Face
        >>> from pucklab.physics.tally import tally_of_faces
        >>> up, down, out = Face.UP, Face.DOWN, Face.OUT
        >>> tally = tally_of_faces([down, out, out], slammer=down, hit=True, distance_um=10_000)
        >>> tally += tally_of_faces([down, down, up], slammer=down, hit=True, distance_um=90_000)
        >>> cell = statistics_of(tally)
        >>> cell.flips, cell.any_out, cell.out, cell.distance_mm
        (0.5, 0.5, 1.0, 25.0)
        >>> cell.flip_shares
        (0.5, 0.5, 0.0, 0.0)
    """
    trials = tally.trials
    flips, outs = mean_of(tally.flips), mean_of(tally.outs)
    return CellStatistics(
        throws=trials,
        flips=flips.value,
        flips_se=flips.standard_error,
        any_out=(trials - tally.outs[0]) / trials,
        out=outs.value,
        out_se=outs.standard_error,
        distance_mm=mean_distance_mm(tally),
        flip_shares=tuple(count / trials for count in tally.flips),
        knocked_out=tally.flips_by_place[0] / trials,
    )


def _share_se(share: float, throws: int) -> float:
    return math.sqrt(share * (1 - share) / throws)


_HOLD_OUT_EVERY = 3
"""Every third of the cells that a fit may use is left out, too."""


@fact
class ReferenceCell:
    """Statistics of the solid engine in one cell, and of MuJoCo as an independent check."""

    cell: Cell
    solid: CellStatistics
    mujoco: CellStatistics | None = None
    left_out: int = 0  # throws of all that gained energy and count for nothing


@lru_cache(maxsize=1)
def shipped_reference() -> tuple[ReferenceCell, ...]:
    """Return the reference set that comes with pucklab.

    Example:
        >>> cells = shipped_reference()
        >>> cells[0].cell.name
        '3g-1.6mm-5ms-10'
    """
    return reference_cells(shipped_throws("mujoco") + shipped_throws("solid"))


def shipped_throws(engine: str) -> tuple[LoggedThrow, ...]:
    """Return the throws of an engine that come with pucklab, all with its usual settings.

    Example:
        >>> shipped_throws("solid")[0].settings
        'fast'
    """
    path = files("pucklab.calibration") / "data" / f"{engine}.throws.csv.gz"
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return read_log(text, f"the {engine} set")


def reference_cells(throws: Iterable[LoggedThrow]) -> tuple[ReferenceCell, ...]:
    """Return the cells with throws of the solid engine, the shipped ones first.

    Raises:
        InputError: A throw is of no cell.
    """
    kept: defaultdict[tuple[str, str], list[LoggedThrow]] = defaultdict(list)
    gaining: defaultdict[tuple[str, str], int] = defaultdict(int)
    for throw in throws:
        if throw.gains_energy:
            gaining[throw.engine, throw.cell] += 1
        else:
            kept[throw.engine, throw.cell].append(throw)
    found = {
        own: statistics_of(Tally.total([tally_of_throw(throw) for throw in rows]))
        for own, rows in kept.items()
    }
    names = dict.fromkeys(cell for _, cell in found)
    shipped = {cell: number for number, cell in enumerate(REFERENCE_CELLS)}
    return tuple(
        ReferenceCell(
            cell=cell,
            solid=found["solid", cell.name],
            mujoco=found.get(("mujoco", cell.name)),
            left_out=sum(gaining[engine, cell.name] for engine in ENGINES),
        )
        for cell in sorted(cells_named(names), key=lambda cell: shipped.get(cell, len(shipped)))
        if ("solid", cell.name) in found
    )


def fitted_cells() -> frozenset[str]:
    """Return the names of the cells used for fitting: two thirds of those not put aside.

    Example:
        >>> [cell.name in fitted_cells() for cell in REFERENCE_CELLS[:4]]
        [True, True, False, True]
    """
    return frozenset(
        cell.name
        for number, cell in enumerate(USUAL_CELLS + VARIED_CELLS, start=1)
        if number % _HOLD_OUT_EVERY
    )


@fact(eq=False)
class ModelCell:
    """Impacts of a cell's throws in their planes, computed once for many fits."""

    scene: Scene
    throws: tuple[Throw, ...]
    strikes: tuple[tuple[ImpactPlane, Impact] | None, ...]  # plane and impact; None for a miss


@fact
class CellSubject:
    """A cell in the plane with parameters; only those of lift-off count."""

    cell: Cell
    preset: str
    parameters: ParameterSet


@lru_cache(maxsize=4)
def model_cell(
    cell: Cell, trials: int, preset: str = "fast", first: int = 0, seed: int = REFERENCE_SEED
) -> ModelCell:
    """Compute the impacts of a cell's throws, the same as the engines' trial by trial.

    Raises:
        InputError: There is no such preset.
    """
    scene = replace(scene_of(cell), preset=PRESETS[preset])
    throws = tuple(draw_trial(cell, trial, seed) for trial in range(first, first + trials))
    planes = [impact_plane(scene, throw) for throw in throws]
    return ModelCell(
        scene=scene,
        throws=throws,
        strikes=tuple(
            None if plane is None else (plane, strike(scene, throw, plane))
            for throw, plane in zip(throws, planes, strict=True)
        ),
    )


def throw_cell(subject: CellSubject, seed: int, first: int, count: int) -> Tally:
    """Count some throws of a cell; for a worker process."""
    cell = model_cell(subject.cell, count, subject.preset, first, seed)
    return cell_tally(cell, subject.parameters)


def cell_tally(cell: ModelCell, parameters: ParameterSet) -> Tally:
    """Return the tally of a cell's throws with other constants of lift-off."""
    scene = replace(cell.scene, lift_off=parameters.lift_off)
    outcomes = [
        slam(scene, throw).outcome if struck is None else outcome_after(scene, throw, *struck)
        for throw, struck in zip(cell.throws, cell.strikes, strict=True)
    ]
    return sum(map(tally_of, outcomes), empty_tally(len(scene.stack)))
