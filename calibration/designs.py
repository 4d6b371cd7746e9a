"""Designs of simulations: points that fill a box, and quadratic polynomials fitted to them."""

import numpy as np

from pucklab.base.arrays import Floats


def design_points(low: Floats, high: Floats, count: int, seed: int | tuple[int, ...]) -> Floats:
    """Return points that fill a box evenly, a scrambled Sobol sequence; shape (count, D).

    Example:
        >>> design_points(np.zeros(2), np.array([1.0, 9.0]), 5, seed=1).shape
        (5, 2)
    """
    from scipy.stats import qmc

    sobol = qmc.Sobol(len(low), seed=np.random.default_rng(seed))
    filled: Floats = sobol.random_base2(count.bit_length())[:count]
    return low + filled * (high - low)


def quadratic(unit: Floats) -> Floats:
    """Return 1, every coordinate, and their products by twos; shape (..., D) to (..., C).

    Example:
        >>> quadratic(np.array([0.5, 2.0])).tolist()
        [1.0, 0.5, 2.0, 0.25, 1.0, 4.0]
    """
    first, second = np.triu_indices(unit.shape[-1])
    ones = np.ones((*unit.shape[:-1], 1))
    return np.concatenate([ones, unit, unit[..., first] * unit[..., second]], axis=-1)
