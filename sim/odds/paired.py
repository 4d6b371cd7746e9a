"""Paired studies: the same throws in several scenes, with sums from which differences follow.

Trial i is thrown in every case with the same random numbers (common random numbers), so that luck
is shared, and differences are surer than the odds of either case. `run_paired` throws; a
`PairedTally` keeps sums and sums of products, which are whole numbers and add up in any order;
`paired_csv` and `read_paired` store them.

Answers follow from the sums: `difference` compares two cases; `best_value` fits a response surface
to the cases of a sweep and finds its highest point; `swing` gives the effect of one assumption. All
intervals are of 95 %.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from physics import PHYSICS_VERSION, Face, InputError, draw_throw, slam, trial_generator
from physics.errors import check_count
from physics.parsing import parse_csv
from sim.core.ordered_work import in_order
from sim.odds.study import Z_95, Study, study_hash

if TYPE_CHECKING:
    from concurrent.futures import Executor

_Counts = npt.NDArray[np.int64]
_Vector = npt.NDArray[np.float64]

MEASURES = ("flips", "p_any", "flips-minus-out")
"""Numbers of a throw: pieces flipped; 1 if at least one is; flipped less those out of the arena."""

_CHUNK_SLAMS = 50
"""Slams of one task for a worker, about."""

_POWER_80 = NormalDist().inv_cdf(0.8)
_LEAST_FIT = 0.01
"""A polynomial is taken if a misfit as large as its own has at least this probability."""

_WIDE = 4
"""Ratio of the ends of a range from which on the curve is fitted over the logarithm."""

_DRAWS = 1000
"""Curves drawn for the interval of a best value."""

_FINE = 401
"""Points at which a curve is searched for its highest one."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Difference of a measure between two cases, first less second.

    Attributes:
        value: Mean difference per throw.
        low: Lower end of its interval.
        high: Upper end.
        better: Probability that the first case's true mean is the higher one, from the normal
            distribution of the difference, with every difference equally likely beforehand.
        wins: Share of throws in which the first case flips more.
        losses: Share in which the second does.
        trials: Throws so far.
        needed: Throws that would tell the cases apart with probability 80 %, if the true difference
            were the one found; None if it is 0.
        factor: Throws that an unpaired comparison would need for each of these.
    """

    value: float
    low: float
    high: float
    better: float
    wins: float
    losses: float
    trials: int
    needed: int | None
    factor: float

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0."""
        return self.low > 0 or self.high < 0


def difference(tally: PairedTally, first: int, second: int, measure: str) -> Difference:
    """Compare two cases of at least two trials.

    Args:
        tally: The trials.
        first: Index of a case.
        second: Index of another one.
        measure: One of `MEASURES`.

    Example:
        >>> flips = np.array([[2, 1], [1, 1], [3, 1], [2, 2]])
        >>> found = difference(paired_tally(np.array([flips, flips > 0, flips])), 0, 1, "flips")
        >>> found.value, found.wins, found.losses
        (0.75, 0.5, 0.0)
    """
    means, covariance = tally.means(measure), tally.covariance(measure)
    value = float(means[first] - means[second])
    apart = float(covariance[first, first] + covariance[second, second])
    paired = max(0.0, apart - 2 * float(covariance[first, second]))
    error = math.sqrt(paired / tally.trials)
    better = NormalDist().cdf(value / error) if error else 0.5 + 0.5 * float(np.sign(value))
    needed = math.ceil(paired * ((Z_95 + _POWER_80) / value) ** 2) if value else None
    return Difference(
        value=value,
        low=value - Z_95 * error,
        high=value + Z_95 * error,
        better=better,
        wins=int(tally.wins[first, second]) / tally.trials,
        losses=int(tally.wins[second, first]) / tally.trials,
        trials=tally.trials,
        needed=needed,
        factor=apart / paired if paired else math.inf,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BestValue:
    """The highest point of a response surface.

    Attributes:
        x: The best value of the number.
        low: Lower end of its interval.
        high: Upper end.
        y: Mean of the measure there.
        y_low: Lower end of its interval.
        y_high: Upper end.
        degree: Degree of the polynomial.
        fit: Probability of a misfit at least as large, if the polynomial were the truth.
        at_edge: Share of curves whose highest point is an end of the range.
        curve_x: Shape (200,); values along the range.
        curve: Shape (200,); the surface there.
        curve_low: Shape (200,); lower ends of its intervals.
        curve_high: Shape (200,); upper ends.
    """

    x: float
    low: float
    high: float
    y: float
    y_low: float
    y_high: float
    degree: int
    fit: float
    at_edge: float
    curve_x: _Vector
    curve: _Vector
    curve_low: _Vector
    curve_high: _Vector


def best_value(
    x: Sequence[float], tally: PairedTally, measure: str, rng: np.random.Generator
) -> BestValue:
    """Fit a response surface to paired cases, and find where it is highest.

    The surface is the polynomial of lowest degree, from 2 on, that fits (Box and Wilson, J. R.
    Stat. Soc. B 13 (1951) 1). Errors of the cases have common parts, as all cases are thrown alike:
    the fit weighs them by their covariance (generalised least squares; Schruben and Margolin, J.
    Am. Stat. Assoc. 73 (1978) 504), and the misfit is judged by Hotelling's T-squared. The interval
    of the best value is that of the highest points of curves drawn from the fit's distribution.

    Args:
        x: Value of the number in each case; at least 4, rising.
        tally: Trials, more than there are cases.
        measure: One of `MEASURES`.
        rng: Draws the curves.
    """
    from scipy.optimize import minimize_scalar

    # Over a wide range a power law is smoother than a line: 2 to 4 g changes more than 22 to 24 g.
    is_wide = min(x) > 0 and max(x) >= _WIDE * min(x)
    places = np.log(x) if is_wide else np.asarray(x, dtype=float)
    low, high = float(places[0]), float(places[-1])
    means = tally.means(measure)
    covariance = tally.covariance(measure) / tally.trials
    # A small ridge keeps cases that are thrown all alike from being a perfect measurement.
    covariance += np.eye(len(x)) * (1e-6 * float(np.trace(covariance)) / len(x) + 1e-12)
    scaled = (2 * places - low - high) / (high - low)
    for degree in range(2, len(x) - 1):
        basis = _rows(scaled, degree)  # (k, degree + 1)
        found, spread, fit = _fitted(basis, means, covariance, tally.trials)
        if fit >= _LEAST_FIT:
            break
    fine = np.linspace(-1, 1, _FINE)
    rows = _rows(fine, degree)  # (fine, degree + 1)
    peak = fine[int(np.argmax(rows @ found))]
    step = 2 / (_FINE - 1)
    refined = minimize_scalar(
        lambda at: -np.polynomial.chebyshev.chebval(at, found),
        bounds=(max(-1.0, peak - step), min(1.0, peak + step)),
        method="bounded",
    )
    draws = found + rng.standard_normal((_DRAWS, len(found))) @ np.linalg.cholesky(spread).T
    peaks = fine[np.argmax(draws @ rows.T, axis=1)]
    edge = np.isclose(np.abs(peaks), 1.0)
    if abs(peak) == 1.0:
        refined.x = peak
    at = _rows(np.array([refined.x]), degree)[0]
    y, error = float(at @ found), math.sqrt(float(at @ spread @ at))

    def back(points: Any) -> Any:
        place = low + (high - low) * (np.asarray(points) + 1) / 2
        return np.exp(place) if is_wide else place

    along = np.linspace(-1, 1, 200)
    along_rows = _rows(along, degree)
    curve = along_rows @ found
    half = Z_95 * np.sqrt(np.einsum("ij,jk,ik->i", along_rows, spread, along_rows))
    ends = np.quantile(peaks, [0.025, 0.975])
    return BestValue(
        x=float(back(refined.x)),
        low=float(back(ends[0])),
        high=float(back(ends[1])),
        y=y,
        y_low=y - Z_95 * error,
        y_high=y + Z_95 * error,
        degree=degree,
        fit=fit,
        at_edge=float(edge.mean()),
        curve_x=back(along),
        curve=curve,
        curve_low=curve - half,
        curve_high=curve + half,
    )


def _rows(scaled: _Vector, degree: int) -> _Vector:
    """Return Chebyshev polynomials of degrees 0 to ``degree`` at points from -1 to 1."""
    return np.asarray(np.polynomial.chebyshev.chebvander(scaled, degree), dtype=np.float64)


def _fitted(
    basis: _Vector, means: _Vector, covariance: _Vector, trials: int
) -> tuple[_Vector, _Vector, float]:
    """Return the coefficients of a fit, their covariance, and the probability of its misfit."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.stats import f

    factor = cho_factor(covariance)
    spread = np.linalg.inv(basis.T @ cho_solve(factor, basis))
    found = spread @ basis.T @ cho_solve(factor, means)
    rest = means - basis @ found
    freedom = len(means) - basis.shape[1]
    squared = float(rest @ cho_solve(factor, rest))  # Hotelling's T-squared
    scale = (trials - freedom) / (freedom * (trials - 1))
    # The weights are estimates, too, which widens the spread: Rao, Proc. 5th Berkeley Symp. 1
    # (1967) 355.
    spread *= (1 + squared / (trials - 1)) * (trials - 1) / (trials - 1 - freedom)
    return found, spread, float(f.sf(squared * scale, freedom, trials - freedom))


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Effect of one assumption, moved from its value to either side.

    Attributes:
        name: The assumption's field.
        values: Its lower, own and upper value.
        below: Difference of the measure at the lower value to that at its own.
        above: The same at the upper value.
        per_unit: Difference between upper and lower value, per unit of the assumption.
        per_unit_low: Lower end of the interval of that.
        per_unit_high: Upper end.
    """

    name: str
    values: tuple[float, float, float]
    below: Difference
    above: Difference
    per_unit: float
    per_unit_low: float
    per_unit_high: float

    @property
    def size(self) -> float:
        """Greatest change to either side, or between the two."""
        between = abs(self.above.value - self.below.value)
        return max(abs(self.below.value), abs(self.above.value), between)


def swing(
    name: str, values: tuple[float, float, float], tally: PairedTally, lower: int, measure: str
) -> Swing:
    """Return the effect of an assumption.

    Args:
        name: Its field.
        values: Its lower, own and upper value.
        tally: Trials; case 0 has the assumption's own value.
        lower: Index of the case with the lower value; the next one has the upper.
        measure: One of `MEASURES`.
    """
    across, span = difference(tally, lower + 1, lower, measure), values[2] - values[0]
    return Swing(
        name=name,
        values=values,
        below=difference(tally, lower, 0, measure),
        above=difference(tally, lower + 1, 0, measure),
        per_unit=across.value / span,
        per_unit_low=across.low / span,
        per_unit_high=across.high / span,
    )
