"""The model's own uncertainty: the same throws under other assumptions and in other engines.

The figures of a throw are compared with those of the solid engine at its defaults, on the scale of
logarithms: a mean by the logarithm of the ratio, a chance by that of the ratio of odds. Some
sources are properties of pucks and throwers that nobody has measured, each thrown at the ends of
its range. They are compared by the slammer's mass, throw by throw the same. Two are differences
between engines, over the reference cells of all masses: impacts in MuJoCo, and the plane against
the solid engine. Each has its mean over cells, and the spread of the cells around it beyond chance.

``python -m tools.model_uncertainty FILE.csv [SHARE ...]`` measures the shares named, of
`SHARES`, or all, and keeps the other rows of the file; ``pucklab odds`` reads it from
``sim/odds/model_uncertainty.csv``. Throws with other contacts are logged in ``FILE.throws.csv`` as
they come, and a run that was stopped goes on from there. Those of other engines are the shipped
ones. The rows of bending, shields and slow heavy throws were measured once; docs/fidelity.md says
how, and they are kept as they are.
"""

import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, fields, replace
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.base.files import write_whole
from pucklab.base.tables import csv_text, read_rows
from pucklab.calibration.cells import (
    REFERENCE_CELLS,
    Cell,
    cell_named,
    cells_named,
    draw_trial,
    is_in_plane,
    scene_of,
)
from pucklab.calibration.fidelity.cell_statistics import shipped_throws
from pucklab.calibration.reference import engine_version, throw_in_engine
from pucklab.calibration.throw_log import read_log, write_log
from pucklab.physics import PHYSICS_VERSION, slam

CELLS: tuple[Cell, ...] = cells_named(
    ("4g-6mm-5ms-10", "8g-6mm-5ms-10", "20g-6mm-5ms-10", "8g-6mm-5ms-on-8g-0")
)
"""The default throws of ``pucklab odds``, and a knock-out."""

ASSUMPTION_THROWS = 300
"""Throws of each cell under each assumption."""

AIR_CELLS: tuple[Cell, ...] = cells_named(
    (
        "4g-6mm-5ms-10",
        "8g-6mm-3ms-10",
        "8g-6mm-5ms-3",
        "8g-6mm-5ms-10",
        "8g-6mm-7ms-10",
        "20g-6mm-3ms-10",
        "20g-6mm-5ms-10",
        "8g-6mm-5ms-on-8g-0",
    )
)
"""Light and heavy, slow and fast, few pucks and a knock-out: each has its own share of air."""

AIR_THROWS = 600
"""Throws of each of them with and without air."""

PLANE_THROWS = 300
"""Throws of each reference cell in the plane, at the default preset."""

MEASURED_ONCE = ("bending", "shields", "slow")
"""Sources whose rows are kept: docs/fidelity.md says how they were measured."""

_SAVED_AFTER = 100
_FEWEST = 8
"""Fewest pieces or throws of a kind that a logarithm is taken of."""


@fact
class Assumption:
    """One end of the range of pucks, contacts or throwers.

    Attributes:
        source: The source of uncertainty that is varied.
        value: The value that it gets, in words.
        settings: Of the solid engine, by the names of `pucklab.calibration.reference.SETTINGS`.
        cell: The difference between cells.
    """

    source: str
    value: str
    settings: str = "fast"
    cell: Mapping[str, Any] = field(default_factory=dict)


def _of_cell(source: str, name: str, *values: float | str) -> list[Assumption]:
    return [Assumption(source=source, value=str(v), cell={name: v}) for v in values]


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(source="stiffness", value="1/3", settings="stiffness/3"),
    Assumption(source="stiffness", value="3", settings="stiffness*3"),
    Assumption(source="exponent", value="3", settings="exponent3"),
    Assumption(source="shear", value="1/2", settings="shear/2"),
    Assumption(source="shear", value="2", settings="shear*2"),
    *_of_cell("hysteresis", "hysteresis", 0.5, 1.0),
    *_of_cell("restitution", "restitution", 0.4, 0.6),
    *_of_cell("friction", "friction", 0.25, 0.45),
    *_of_cell("speed", "speed_m_s", 3.5, 6.5),
    *_of_cell("aim", "thrower", "careful", "wild"),
)
"""The ends of their ranges; `docs/how-a-slam-is-computed.md` says why."""

AIR: tuple[Assumption, ...] = (
    *_of_cell("film", "film_gap_um", 100.0, 50.0),
    *_of_cell("drag", "air_kg_m3", 1.2),
)
"""Air that real throws have, and the model by default has not."""

SHARES = ("assumptions", "air", "engines", "plane")
"""Shares of the uncertainty; each can be measured without the others."""

IS_CHANCE: Mapping[str, bool] = MappingProxyType(
    {"flips": False, "any_flip": True, "outs": False, "any_out": True, "knock_out": True}
)
"""Figures: whether each is a chance, which is compared by its odds, or a mean."""


@fact
class MeasuredFactor:
    """One row of the file.

    Attributes:
        source: ``engines``, ``plane``, or one of those of `ASSUMPTIONS`.
        value: The value that was thrown, in words.
        slammer_g: Mass of the slammer; None for all of the reference cells.
        figure: One of `IS_CHANCE`.
        log_factor: Logarithm of the figure over that of the solid engine at its defaults; the mean
            over cells.
        error: Its standard error.
        spread: Standard deviation of the cells around it, beyond chance.
        throws: Number of throws, in all cells.
        cells: Number of cells.
        engine: The engine and its version.
        physics: Version of the physics that measured it.
    """

    source: str
    value: str
    slammer_g: float | None
    figure: str
    log_factor: float
    error: float
    spread: float
    throws: int
    cells: int
    engine: str
    physics: int = PHYSICS_VERSION


def compare(ours: Floats, base: Floats, *, is_chance: bool, paired: bool) -> tuple[float, float]:
    """Return the logarithm of a ratio of means or of odds, and its standard error.

    Args:
        ours: Shape (n,); the figure in each throw.
        base: The same in the model that it is compared with; shape (n,) if paired.
        is_chance: The figure is 0 or 1, and odds are compared.
        paired: Throws with the same number are the same throw.

    Example:
        >>> ours, base = np.array([2.0, 4.0] * 50), np.array([1.0, 2.0] * 50)
        >>> factor, error = compare(ours, base, is_chance=False, paired=True)
        >>> round(math.exp(factor), 2), round(error, 3)
        (2.0, 0.0)
    """
    (level, influence), (its_level, its_influence) = (
        _level(values, is_chance=is_chance) for values in (ours, base)
    )
    if paired:
        variance = float((influence - its_influence).var(ddof=1)) / len(ours)
    else:
        variance = float(influence.var(ddof=1)) / len(ours)
        variance += float(its_influence.var(ddof=1)) / len(base)
    return level - its_level, math.sqrt(variance)


def _level(values: Floats, *, is_chance: bool) -> tuple[float, Floats]:
    """Return a figure's logarithm, and each throw's part of its error (delta method)."""
    # Half a throw of either kind is added, so that rare ones hardly bias the logarithm.
    mean = (float(values.sum()) + 0.5) / (len(values) + 1.0)
    if is_chance:
        return math.log(mean / (1 - mean)), (values - mean) / (mean * (1 - mean))
    return math.log(mean), (values - mean) / mean


def pool(logs: Sequence[float], errors: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of the cells' differences, its standard error, and their spread.

    Random effects by DerSimonian and Laird (1986): cells differ by chance, as their errors say, and
    by the spread beside it, a standard deviation.

    Args:
        logs: The differences of some cells.
        errors: Their standard errors, above 0.

    Example:
        >>> [round(value, 2) for value in pool([0.3, 0.3], [0.1, 0.1])]
        [0.3, 0.07, 0.0]
        >>> [round(value, 2) for value in pool([0.4, -0.2], [0.1, 0.1])]
        [0.1, 0.3, 0.41]
    """
    log, variance = np.array(logs), np.maximum(errors, 1e-6) ** 2
    weights = 1 / variance
    mean = weights @ log / weights.sum()
    freedom = weights.sum() - weights @ weights / weights.sum()
    beyond = weights @ (log - mean) ** 2 - (len(log) - 1)
    spread2 = max(0.0, float(beyond / freedom)) if len(log) > 1 else 0.0
    weights = 1 / (variance + spread2)
    mean, error = weights @ log / weights.sum(), weights.sum() ** -0.5
    return float(mean), float(error), math.sqrt(spread2)


def figures_of(faces: Sequence[str], *, is_knock_out: bool) -> dict[str, Floats]:
    """Return the figures of throws by name, shape (throws,) each.

    Args:
        faces: Letters of the pieces of each throw, see `pucklab.calibration.throw_log.LoggedThrow`.
        is_knock_out: The lowest piece is a slammer.

    Example:
        >>> figures_of(["UDO", "DDD"], is_knock_out=False)["flips"].tolist()
        [1.0, 0.0]
        >>> figures_of(["UD"], is_knock_out=True)
        {'knock_out': array([1.])}
    """
    if is_knock_out:
        return {"knock_out": np.array([own[0] == "U" for own in faces], dtype=float)}
    flips, outs = (np.array([own.count(letter) for own in faces], dtype=float) for letter in "UO")
    any_flip, any_out = ((counts > 0).astype(float) for counts in (flips, outs))
    return {"flips": flips, "outs": outs, "any_flip": any_flip, "any_out": any_out}


def _factors(
    ours: Sequence[str], base: Sequence[str], cell: Cell, *, paired: bool
) -> Iterator[tuple[str, float, float]]:
    """Yield each figure that is not rare with the logarithm of its factor, and the error."""
    is_knock_out = cell.knock_out_g is not None
    others = figures_of(base, is_knock_out=is_knock_out)
    for figure, values in figures_of(ours, is_knock_out=is_knock_out).items():
        is_chance = IS_CHANCE[figure]
        both = (values, others[figure])
        kinds = [values.sum() for values in both]
        if is_chance:
            kinds += [len(values) - values.sum() for values in both]
        if min(kinds) >= _FEWEST:
            yield figure, *compare(*both, is_chance=is_chance, paired=paired)


def assumption_factors(
    log: "ThrowFile", cells: Sequence[Cell], assumptions: Sequence[Assumption], throws: int
) -> Iterator[MeasuredFactor]:
    """Throw under other assumptions, and yield the factors by the slammer's mass."""
    for mass_g in dict.fromkeys(cell.slammer_g for cell in cells):
        for other in assumptions:
            found = []
            for cell in cells:
                if cell.slammer_g == mass_g:
                    changed = replace(cell, **other.cell)
                    both = log.faces(changed, throws, other.settings), log.faces(cell, throws)
                    paired = draw_trial(changed, 0) == draw_trial(cell, 0)
                    found += [(*own, throws) for own in _factors(*both, cell, paired=paired)]
            engine = f"solid {metadata.version('pucklab')}"
            yield from pool_factors(found, other.source, other.value, mass_g, engine)


def engine_factors(
    source: str, engine: str, faces: Iterable[tuple[Cell, Sequence[str]]]
) -> Iterator[MeasuredFactor]:
    """Yield how far other engines are from the shipped throws of the solid engine.

    Args:
        source: Name of the source of uncertainty.
        engine: The engines and their versions.
        faces: Cells, and faces of an engine's throws in them.
    """
    solid: dict[str, list[str]] = {}
    for throw in shipped_throws("solid"):
        if not throw.gains_energy:
            solid.setdefault(throw.cell, []).append(throw.faces)
    found = [
        (*own, len(theirs))
        for cell, theirs in faces
        for own in _factors(theirs, solid[cell.name], cell, paired=False)
    ]
    return pool_factors(found, source, "", None, engine)


def pool_factors(
    found: Iterable[tuple[str, float, float, int]],
    source: str,
    value: str,
    slammer_g: float | None,
    engine: str,
) -> Iterator[MeasuredFactor]:
    """Yield the factor of each figure over cells: its name, logarithm, error and throws in each."""
    cells = defaultdict[str, list[tuple[float, float, int]]](list)
    for figure, log, error, throws in found:
        cells[figure].append((log, error, throws))
    for figure, rows in cells.items():
        logs, errors, counts = zip(*rows, strict=True)
        log, error, spread = (round(number, 4) for number in pool(logs, errors))
        yield MeasuredFactor(
            source=source,
            value=value,
            slammer_g=slammer_g,
            figure=figure,
            log_factor=log,
            error=error,
            spread=spread,
            throws=sum(counts),
            cells=len(rows),
            engine=engine,
        )


class ThrowFile:
    """Throws in the solid engine that are kept in a file, and made where it has none."""

    def __init__(self, path: Path) -> None:
        """Read the file at ``path``, if there is one."""
        self._path = path
        text = path.read_text(encoding="utf-8") if path.exists() else write_log(())
        self._throws = {
            (throw.engine, throw.cell, throw.settings, throw.engine_version, throw.trial): throw
            for throw in read_log(text, path.name)
        }

    def faces(self, cell: Cell, throws: int, settings: str = "fast") -> list[str]:
        """Return the faces of a cell's first throws; make those that are missing."""
        version = engine_version("solid")
        wanted = [("solid", cell.name, settings, version, trial) for trial in range(throws)]
        missing = [key for key in wanted if key not in self._throws]
        for number, key in enumerate(missing, start=1):
            self._throws[key] = throw_in_engine("solid", cell, settings, key[-1])
            if number % _SAVED_AFTER == 0 or number == len(missing):
                write_whole(self._path, write_log(list(self._throws.values())).encode())
                sys.stderr.write(f"{settings} {cell.name}: {number} of {len(missing)}\n")
        return [self._throws[key].faces for key in wanted]


def measure(share: str, log: ThrowFile) -> tuple[MeasuredFactor, ...]:
    """Measure one of `SHARES`."""
    if share == "assumptions":
        return tuple(assumption_factors(log, CELLS, ASSUMPTIONS, ASSUMPTION_THROWS))
    if share == "air":
        return tuple(assumption_factors(log, AIR_CELLS, AIR, AIR_THROWS))
    if share == "engines":
        found: dict[str, list[str]] = {}
        for throw in shipped_throws("mujoco"):
            if not throw.gains_energy:
                found.setdefault(throw.cell, []).append(throw.faces)
        cells = [(cell_named(cell), own) for cell, own in found.items()]
        return tuple(engine_factors(share, f"mujoco {metadata.version('mujoco')}", cells))
    cells = []
    for cell in filter(is_in_plane, REFERENCE_CELLS):
        slams = (slam(scene_of(cell), draw_trial(cell, trial)) for trial in range(PLANE_THROWS))
        letters = ["".join(p.face.letter for p in each.outcome.pieces) for each in slams]
        cells.append((cell, letters))
    return tuple(engine_factors(share, f"plane {metadata.version('pucklab')}", cells))


def _share_of(source: str) -> str:
    if source in {each.source for each in AIR}:
        return "air"
    return source if source in (*SHARES, *MEASURED_ONCE) else "assumptions"


def main(path: Path, shares: Sequence[str]) -> None:
    """Measure some shares and put them into the file, in the place of their former rows."""
    log = ThrowFile(path.with_suffix(".throws.csv"))
    for share in shares:
        names = [each.name for each in fields(MeasuredFactor)]
        text = path.read_text(encoding="utf-8") if path.exists() else csv_text(names, ())
        kept = (row.cells for row in read_rows(text, path.name, names))
        rows = [row for row in kept if _share_of(row["source"]) != share]
        rows += map(asdict, measure(share, log))
        rows.sort(key=lambda row: _share_of(row["source"]))
        path.write_text(csv_text(names, rows), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or SHARES)
