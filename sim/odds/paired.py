"""Paired studies: the same throws in several scenes, with sums from which differences follow.

Trial i is thrown in every case with the same random numbers (common random numbers), so that luck
is shared, and differences are surer than the odds of either case. `run_paired` throws; a
`PairedTally` keeps sums and sums of products, which are whole numbers and add up in any order;
`paired_csv` and `read_paired` store them.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from physics import PHYSICS_VERSION, Face, InputError, draw_throw, slam, trial_generator
from physics.errors import check_count
from physics.parsing import parse_csv
from sim.core.ordered_work import in_order
from sim.odds.study import Study, study_hash

if TYPE_CHECKING:
    from concurrent.futures import Executor

_Counts = npt.NDArray[np.int64]

MEASURES = ("flips", "p_any", "flips-minus-out")
"""Numbers of a throw: pieces flipped; 1 if at least one is; flipped less those out of the arena."""

_CHUNK_SLAMS = 50
"""Slams of one task for a worker, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A scene and thrower to compare with others, by name."""

    name: str
    study: Study


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedTally:
    """Sums over trials that were thrown in each of k cases.

    Attributes:
        trials: Number of trials; each was thrown in every case.
        sums: Shape (3, k); each measure of `MEASURES`, summed over trials.
        products: Shape (3, k, k); products of a measure in two cases, summed over trials.
        wins: Shape (k, k); trials in which the first case flips more than the second.
    """

    trials: int
    sums: _Counts
    products: _Counts
    wins: _Counts

    def __add__(self, other: Self) -> "PairedTally":
        """Return the tally of both sets of trials."""
        return PairedTally(
            trials=self.trials + other.trials,
            sums=self.sums + other.sums,
            products=self.products + other.products,
            wins=self.wins + other.wins,
        )

    def __eq__(self, other: object) -> bool:
        """Return whether all sums are equal."""
        return isinstance(other, PairedTally) and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def means(self, measure: str) -> npt.NDArray[np.float64]:
        """Return the mean of a measure in each case; shape (k,)."""
        return np.asarray(self.sums[MEASURES.index(measure)] / self.trials)

    def covariance(self, measure: str) -> npt.NDArray[np.float64]:
        """Return the unbiased covariance of a measure between cases, for one trial; shape (k, k).

        At least two trials are needed.
        """
        index = MEASURES.index(measure)
        # In whole numbers until the division, so that nothing is lost where variances are small.
        sums, n = self.sums[index].astype(object), self.trials
        centred = self.products[index].astype(object) * n - np.outer(sums, sums)
        return np.asarray(centred, dtype=float) / (n * (n - 1))


def paired_tally(values: npt.NDArray[np.int64]) -> PairedTally:
    """Return the tally of some trials.

    Args:
        values: Shape (3, trials, k); each measure in each trial and case.

    Example:
        >>> values = np.array([[[2, 1], [0, 1]], [[1, 1], [0, 1]], [[2, 0], [0, 1]]])
        >>> tally = paired_tally(values)
        >>> tally.means("flips").tolist(), tally.wins.tolist()
        ([1.0, 1.0], [[0, 1], [1, 0]])
    """
    flips = values[0]
    return PairedTally(
        trials=values.shape[1],
        sums=values.sum(axis=1),
        products=np.einsum("mti,mtj->mij", values, values),
        wins=(flips[:, :, None] > flips[:, None, :]).sum(axis=0),
    )


def empty_paired(cases: int) -> PairedTally:
    """Return the tally of no trials."""
    return paired_tally(np.zeros((len(MEASURES), 0, cases), dtype=np.int64))


def throw_paired(studies: Sequence[Study], seed: int, first: int, count: int) -> PairedTally:
    """Simulate trials ``first`` to ``first + count - 1`` in each study, and return their tally."""
    values = np.zeros((len(MEASURES), count, len(studies)), dtype=np.int64)
    for row, trial in enumerate(range(first, first + count)):
        for column, study in enumerate(studies):
            throw = draw_throw(study.thrower, len(study.scene.stack), trial_generator(seed, trial))
            outcome = slam(study.scene, throw, engine=study.engine).outcome
            faces = [piece.face for piece in outcome.pieces]
            flips = faces.count(Face.UP)
            values[:, row, column] = flips, flips > 0, flips - faces.count(Face.OUT)
    return paired_tally(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedProgress:
    """State of a paired run.

    Attributes:
        tally: Of the trials from 0 on, without a gap.
        total: Trials asked for.
    """

    tally: PairedTally
    total: int


def run_paired(
    studies: Sequence[Study],
    *,
    trials: int = 1000,
    seed: int = 1,
    begin: PairedTally | None = None,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[PairedProgress]:
    """Throw trials in all studies, and yield the state after each chunk of them.

    Args:
        studies: The studies.
        trials: Trials, each of which is thrown in every study.
        seed: The seed; trial i of every study is drawn from it and i alone.
        begin: Tally of an earlier run; trials continue after it.
        executor: Runs the chunks; None to run them in this process.
        window: Chunks in the executor at a time.
    """
    tally = begin or empty_paired(len(studies))
    total = max(trials, tally.trials)
    yield PairedProgress(tally=tally, total=total)
    chunk = max(1, _CHUNK_SLAMS // len(studies))
    tasks = (
        (tuple(studies), seed, first, min(chunk, trials - first))
        for first in range(tally.trials, trials, chunk)
    )
    for more in in_order(throw_paired, tasks, executor, window):
        tally += more
        yield PairedProgress(tally=tally, total=total)


def paired_csv(cases: Sequence[Case], tally: PairedTally, *, seed: int, version: str) -> str:
    """Return the text of a CSV with a row per case; `read_paired` reads it back.

    ``x1`` and so on are sums of products with case 1 and so on, and ``wins1`` counts the trials in
    which the row's case flips more than case 1.
    """
    text = io.StringIO()
    rows = []
    for index, case in enumerate(cases):
        row: dict[str, str | int | float] = {
            "case": case.name,
            "slammer_g": case.study.scene.slammer.mass_g,
            "speed_m_s": case.study.thrower.speed_mm_s / 1000,
            "engine": case.study.engine,
            "trials": tally.trials,
        }
        for number, measure in enumerate(MEASURES):
            row[f"{measure}_mean"] = int(tally.sums[number, index]) / tally.trials
            row[f"{measure}_sum"] = int(tally.sums[number, index])
        for number, measure in enumerate(MEASURES):
            for other in range(len(cases)):
                row[f"{measure}_x{other + 1}"] = int(tally.products[number, index, other])
        for other in range(len(cases)):
            row[f"wins{other + 1}"] = int(tally.wins[index, other])
        row |= {
            "version": version,
            "physics": PHYSICS_VERSION,
            "scene_hash": study_hash(case.study),
            "seed": seed,
        }
        rows.append(row)
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_paired(text: str, where: str, cases: Sequence[Case], *, seed: int) -> PairedTally:
    """Read the tally of a CSV of `paired_csv` back.

    Args:
        text: The file's text.
        where: Name of the file in errors.
        cases: The cases that it must have, in their order.
        seed: The seed that it must have.

    Raises:
        InputError: It is no such file, or is of other cases, another seed or another version of
            the physics.
    """
    rows = list(parse_csv(text, where))
    k = len(cases)
    wanted = [(study_hash(case.study), str(seed)) for case in cases]
    if [(row.get("scene_hash"), row.get("seed")) for _, row in rows] != wanted:
        raise InputError(
            f"{where} has throws of other scenes, throwers or seeds, which would be lost; "
            "give another file"
        )
    if any(row.get("physics") != str(PHYSICS_VERSION) for _, row in rows):
        raise InputError(f"{where} is not of physics version {PHYSICS_VERSION}; give another file")
    try:
        trials = {_whole(row, "trials") for _, row in rows}
        tally = PairedTally(
            trials=min(trials),
            sums=np.array([[_whole(row, f"{m}_sum") for _, row in rows] for m in MEASURES]),
            products=np.array(
                [
                    [[_whole(row, f"{m}_x{other + 1}") for other in range(k)] for _, row in rows]
                    for m in MEASURES
                ]
            ),
            wins=np.array(
                [[_whole(row, f"wins{other + 1}") for other in range(k)] for _, row in rows]
            ),
        )
    except KeyError as error:
        raise InputError(f"{where} is no file of paired throws: no {error.args[0]}") from None
    except InputError as error:
        raise InputError(f"{where} is no file of paired throws: {error}") from None
    if len(trials) > 1 or not _could_be(tally):
        raise InputError(f"{where} is no file of paired throws: its counts contradict each other")
    return tally


def _whole(row: dict[str, str], name: str) -> int:
    text = row[name]
    digits = text.removeprefix("-")
    value: int | str = int(text) if digits.isdecimal() and len(digits) < 17 else text
    check_count(name, value, low=-(10**15), high=10**15)
    return int(value)


def _could_be(tally: PairedTally) -> bool:
    """Return whether counts could be those of trials."""
    symmetric = np.array_equal(tally.products, tally.products.transpose(0, 2, 1))
    squares = np.diagonal(tally.products, axis1=1, axis2=2)
    return bool(
        symmetric
        and tally.trials > 0
        # By Cauchy and Schwarz, the square of a sum is at most n times the sum of squares.
        and (tally.sums.astype(float) ** 2 <= tally.trials * squares.astype(float) + 0.5).all()
        and (tally.wins >= 0).all()
        and (tally.wins + tally.wins.T <= tally.trials).all()
    )
