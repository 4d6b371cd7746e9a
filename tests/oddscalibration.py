"""Calibration of what is said of odds: chances said and right, coverage, throws saved.

``python -m tests.oddscalibration FOLDER [REPETITIONS]`` prints what `docs/odds-studies.md` tells.
Throws of real scenes are kept in the folder, and are made if they are not there (10 minutes of one
processor). Without a folder it prints what the prior of `pucklab.sim.experiments.curve` is made of,
from the shipped reference throws.
"""

import itertools
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from pucklab.calibration.cells import cell_named
from pucklab.calibration.fidelity.cell_statistics import shipped_throws
from pucklab.physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
from pucklab.physics.solid.engine import throw_trials
from pucklab.sim.experiments.curve import (
    COMMON_LUCK,
    LENGTHS,
    MOVES,
    Curve,
    fit_curve,
    move_chances,
    number_distances,
)

Floats = npt.NDArray[np.float64]
Draw = Callable[[int, np.random.Generator], tuple[Floats, Floats]]
"""Draws flips of so many throws in each case, shape (throws, k), and returns the truth, too."""

MASSES_G = (4.0, 8.0, 12.0, 16.0, 20.0, 24.0)
_TRIALS, _SD, _LEVEL = 2500, 1.45, 1.35
"""Throws of a real case; flips of a throw, their deviation and mean, where truths are made up."""

_CLASSES = (0.5, 0.8, 0.975, 1.0)
"""Chances from which an order is said perhaps, probably and surely."""

_USUAL = {"slammer_g": 8.0, "speed_m_s": 5.0, "pucks": 10}
REAL: dict[str, tuple[str, Sequence[float], dict[str, float]]] = {
    "masses": ("slammer_g", MASSES_G, {}),
    "speeds": ("speed_m_s", (3.5, 4.5, 5.5, 6.5), {}),
    "heights": ("pucks", (6, 8, 10, 12), {}),
    "masses, slow": ("slammer_g", MASSES_G, {"speed_m_s": 3.5}),
    "masses, 5 pucks": ("slammer_g", MASSES_G, {"pucks": 5}),
}


def throw_real(folder: Path, name: str) -> Floats:
    """Return the flips of each throw in the cases of a real scene; shape (throws, k)."""
    path, (field, values, other) = folder / f"{name}.npy", REAL[name]
    if not path.exists():
        columns = []
        for value in values:
            scene = _USUAL | other | {field: value}
            outcomes = throw_trials(
                Scene(
                    slammer=puckdex_slammer(scene["slammer_g"]),
                    stack=puck_stack(int(scene["pucks"])),
                ),
                ThrowDistribution(speed_mm_s=1000 * scene["speed_m_s"]),
                60 + list(REAL).index(name),
                0,
                _TRIALS,
            )
            columns.append([-1 if one is None else len(one.flipped) for one in outcomes])
        flips = np.array(columns, dtype=float).T
        np.save(path, flips[(flips >= 0).all(axis=1)])
    return np.asarray(np.load(path))


def made_up(means: Callable[[np.random.Generator], Floats], distances: Floats) -> Draw:
    """Return throws that flip like real ones: of a given mean, and alike in cases that are near."""
    numbers = np.arange(11)
    usual = np.array([0.37, 0.28, 0.16, 0.09, 0.05, 0.025, 0.015, 0.005, 0.003, 0.001, 0.001])
    tilts = np.linspace(-4.0, 3.0, 1401)
    tilted = usual * np.exp(tilts[:, None] * numbers)
    tilted /= tilted.sum(axis=1, keepdims=True)
    luck = np.linalg.cholesky(0.3 * np.exp(-distances) + 0.7 * np.eye(len(distances)))

    def draw(throws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        truth = means(rng)
        ranks = ndtr(rng.standard_normal((throws, len(truth))) @ luck.T)
        rows = tilted[np.searchsorted(tilted @ numbers, truth)].cumsum(axis=1)
        flips = [np.searchsorted(row, own) for row, own in zip(rows, ranks.T, strict=True)]
        return np.minimum(np.array(flips, dtype=float).T, 10.0), truth

    return draw


def draw_truth(distances: Floats, rng: np.random.Generator) -> Floats:
    """Return means that are drawn as the prior says."""
    while True:
        move, length = rng.choice(MOVES, p=move_chances()), rng.choice(LENGTHS)
        way = 3**0.5 / length * np.minimum(distances, 1e3)
        prior = (1 + way) * np.exp(-way) + 1e-9 * np.eye(len(distances))
        means = _LEVEL + _SD * move * np.linalg.cholesky(prior) @ rng.standard_normal(len(prior))
        if means.min() > 0.1 and means.max() < 6.0:
            return np.asarray(means)


def curve_of(flips: Floats, distances: Floats, *, paired: bool) -> Curve:
    """Return the curve through throws, of which only tallies are known if they are not paired."""
    covariance = np.cov(flips.T)
    if not paired:
        spread = np.sqrt(covariance.diagonal())
        covariance = COMMON_LUCK * np.outer(spread, spread)
        np.fill_diagonal(covariance, spread**2)
    trials = [len(flips)] * len(covariance)
    return fit_curve(distances, flips.mean(axis=0).tolist(), covariance, trials)


def judge(
    draw: Draw, distances: Floats, throws: int, repetitions: int, *, paired: bool
) -> dict[str, Any]:
    """Return what is said and what is right of all pairs, in repeated studies.

    Returns:
        ``classes``: chance said, share right and number of pairs, of each class of certainty;
        ``covered``: share of intervals of differences that hold the truth; ``held``: of studies
        whose leaders hold the best case; ``signs``: of orders told without doubt that are right.
    """
    rng = np.random.default_rng([throws, repetitions, paired])
    rows, held, signs = [], 0, []
    for _ in range(repetitions):
        flips, truth = draw(throws, rng)
        curve = curve_of(flips, distances, paired=paired)
        best, leaders = curve.ranks[0][0], curve.leaders
        held += int(truth.argmax()) in leaders
        signs += [truth[best] > truth[k] for k in range(len(truth)) if k not in leaders]
        for one, other in itertools.combinations(range(len(truth)), 2):
            gap, true = curve.gap(one, other), truth[one] - truth[other]
            said = max(gap.better, 1 - gap.better)
            is_right = (true > 0) == (gap.better > 0.5)
            rows.append((said, is_right, abs(true - gap.value) <= 1.96 * gap.error))
    pairs = np.array(rows, dtype=float)
    classes = []
    for low, high in itertools.pairwise(_CLASSES):
        own = pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high + (high == 1.0))]
        classes.append((*own[:, :2].mean(axis=0).tolist(), len(own)) if len(own) else (0.0, 0.0, 0))
    return {
        "classes": classes,
        "covered": pairs[:, 2].mean(),
        "held": held / repetitions,
        "signs": float(np.mean(signs)) if signs else 1.0,
    }


TRUTHS: dict[str, Callable[[Floats], Floats]] = {
    "saturating": lambda mass: 1.5 - 0.9 * np.exp(-mass / 4),
    "kinked": lambda mass: np.minimum(1.45, 0.9 + 0.55 * (mass - 4) / 6),
    "bump": lambda mass: 1.2 + 0.35 * np.exp(-(((mass - 12) / 4) ** 2)),
}


def saved(truth: str, throws: int, repetitions: int) -> float:
    """Return the mean squared error of separate differences over that of the curve's."""
    masses = np.array(MASSES_G)
    means, distances = TRUTHS[truth](masses), number_distances(MASSES_G)
    draw, rng = made_up(lambda _: means, distances), np.random.default_rng(5)
    errors = np.zeros(2)
    for _ in range(repetitions):
        flips, _ = draw(throws, rng)
        curve = curve_of(flips, distances, paired=False)
        for side, own in enumerate((flips.mean(axis=0), curve.values)):
            off = own - means
            errors[side] += ((off[:, None] - off) ** 2).sum()
    return float(errors[0] / errors[1])


def print_prior() -> None:
    """Print differences of reference cells that differ in one number, in deviations of a throw."""
    flips: dict[str, list[int]] = {}
    for throw in shipped_throws("solid"):
        flips.setdefault(throw.cell, []).append(throw.faces.count("U"))
    cells = [(asdict(cell_named(name)), np.array(own)) for name, own in flips.items()]
    for field in ("slammer_g", "speed_m_s", "pucks", "friction", "restitution"):
        rows = []
        for (one, own), (other, their) in itertools.combinations(cells, 2):
            differ = {name for name in one if one[name] != other[name]} - {"thickness_mm"}
            if differ == {field} and one["knock_out_g"] is None:
                variances = own.var() + their.var()
                square = (own.mean() - their.mean()) ** 2 - variances / len(own)
                rows.append((square / (variances / 2), np.log(one[field] / other[field]) ** 2))
        squares, ways = np.array(rows).sum(axis=0)
        click.echo(f"{field}: {len(rows)} pairs, {(squares / ways) ** 0.5:.2f} for a factor of e")


def print_tables(folder: Path, repetitions: int) -> None:
    """Print said against right of all kinds of truths, and the throws that the curve saves."""
    far = number_distances(MASSES_G)
    masses = throw_real(folder, "masses")
    smooth = curve_of(masses, far, paired=True).values
    pair, others = far[:2, :2] * 2, np.where(np.eye(3, dtype=bool), 0.0, np.inf)
    kinds: list[tuple[str, Draw, Floats]] = [
        ("prior: six masses", made_up(lambda rng: draw_truth(far, rng), far), far),
        ("prior: two masses", made_up(lambda rng: draw_truth(pair, rng), pair), pair),
        ("prior: three slammers", made_up(lambda rng: draw_truth(others, rng), others), others),
        ("the product's own curve", made_up(lambda _: smooth, far), far),
    ]
    for name, (field, values, _) in REAL.items():
        kinds.append((name, resampled(throw_real(folder, name)), number_distances(values, field)))
    for paired in (False, True):
        click.echo(f"\n{'compare, best' if paired else 'odds'}: chance said / share right (pairs)")
        for name, draw, distances in kinds:
            for throws in (60, 100, 400):
                found = judge(draw, distances, throws, repetitions, paired=paired)
                own = ", ".join(
                    f"{said:.3f}/{right:.3f} ({count})" for said, right, count in found["classes"]
                )
                rest = " ".join(f"{key} {found[key]:.3f}" for key in ("covered", "held", "signs"))
                click.echo(f"{name}, {throws} throws: {own}; {rest}")
    for truth in TRUTHS:
        ratios = ", ".join(f"{throws}: {saved(truth, throws, 200):.2f}" for throws in (100, 400))
        click.echo(f"throws saved, {truth}: {ratios}")


def resampled(flips: Floats) -> Draw:
    """Return throws drawn from many real ones, whose means are the truth."""
    means = flips.mean(axis=0)
    return lambda throws, rng: (flips[rng.integers(0, len(flips), throws)], means)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print_tables(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    else:
        print_prior()
