"""The best point of a likelihood, and how far each parameter may lie from it."""

import math

import numpy as np

from calibration.throws.likelihood import Likelihood
from calibration.throws.rung import Bools, Floats

_CHI2_95 = 3.841458820694124
_STARTS = 5
_LEVEL = 1e-2
"""What -2 log likelihood may have left to fall at a minimum: a tenth of a standard error."""

_EDGE = 1 - 1e-6

_UNIFORM_PRECISION = 3.0
"""One over the variance of a number that may be anything from -1 to 1."""

_LOOKS = 10
_CLOSE = 0.02
_CREEP = 0.02


def best_point(likelihood: Likelihood, free: Bools) -> tuple[Floats, bool]:
    """Return the best point of the unit cube from several starts, and whether it is a minimum.

    Args:
        likelihood: The likelihood.
        free: Shape (D,); which parameters to fit. The others stay in the middle.
    """
    starts = np.random.default_rng(0).uniform(-0.7, 0.7, (_STARTS, len(free))) * free
    starts[0] = 0.0
    ends = np.array([descend(likelihood, start, free) for start in starts])
    best: Floats = ends[np.argmin(likelihood.misfit(ends))]
    slope = likelihood.slope(best)[free]
    outward = (np.abs(best[free]) >= _EDGE) & (slope * best[free] < 0)
    inside = np.where(outward, 0.0, slope)
    left = inside @ variances(likelihood, best, free)[0] @ inside / 4
    return best, bool(left < _LEVEL)


def descend(likelihood: Likelihood, start: Floats, free: Bools) -> Floats:
    """Return the best point with some parameters free and the others as they are at the start."""
    if not free.any():
        return start
    from scipy.optimize import minimize

    point = start.copy()

    def misfit(own: Floats) -> tuple[float, Floats]:
        point[free] = own
        return float(likelihood.misfit(point[np.newaxis])[0]), likelihood.slope(point)[free]

    found = minimize(
        misfit,
        start[free],
        jac=True,
        method="SLSQP",
        bounds=[(-1.0, 1.0)] * int(free.sum()),
        options={"ftol": 1e-8, "maxiter": 200},
    )
    end = start.copy()
    end[free] = np.clip(found.x, -1.0, 1.0)
    return end


def variances(likelihood: Likelihood, best: Floats, free: Bools) -> tuple[Floats, Floats]:
    """Return covariances of the free parameters: by the log, and added by the surrogates' error.

    The log's is the inverse of the information and of what the ranges tell; shapes (F, F).
    """
    grid = np.ix_(free, free)
    information = likelihood.information(best, with_known=True)[grid]
    own = np.linalg.inv(information + _UNIFORM_PRECISION * np.eye(len(information)))
    added: Floats = own @ likelihood.pull(best)[grid] @ own
    return own.astype(np.float64), added


def intervals(likelihood: Likelihood, best: Floats, free: Bools) -> Floats:
    """Return the ends of the 95 % intervals in the unit cube; shape (D, 2), 0 for what is fixed.

    An interval is where -2 log likelihood, at its best over all other parameters, lies within
    3.84 of its lowest; within 3.84 (1 + S/V), where the variance is V by the log and the
    surrogates' error adds S.
    """
    own, added = variances(likelihood, best, free)
    ends = np.zeros((len(best), 2))
    spread = np.sqrt(np.diag(own))
    rises = _CHI2_95 * (1 + np.diag(added) / np.diag(own))
    for place, sd, rise in zip(np.flatnonzero(free).tolist(), spread, rises, strict=True):
        for side, sign in enumerate((-1.0, 1.0)):
            step = sign * math.sqrt(rise) * float(sd)
            ends[place, side] = _end(likelihood, best, free, place, (step, math.sqrt(rise)))
    return ends


def _end(
    likelihood: Likelihood,
    best: Floats,
    free: Bools,
    place: int,
    aim: tuple[float, float],
) -> float:
    """Return where the root of the rise, which is nearly a straight line, meets its target."""
    step, target = aim
    others = free.copy()
    others[place] = False
    lowest = float(likelihood.misfit(best[np.newaxis])[0])
    near, near_root = float(best[place]), 0.0
    far: tuple[float, float] | None = None
    point, x = best, near + step
    for _ in range(_LOOKS):
        x = min(max(x, -1.0), 1.0)
        point = point.copy()
        point[place] = x
        point = descend(likelihood, point, others)
        root = math.sqrt(max(float(likelihood.misfit(point[np.newaxis])[0]) - lowest, 0.0))
        at_the_edge = x == math.copysign(1.0, step)
        if abs(root - target) < _CLOSE * target or (root < target and at_the_edge):
            return x
        if root < target:
            near, near_root = x, root
        else:
            far = (x, root)
        if far is None:
            missing = abs(x - best[place]) * (target / max(root, 0.3) - 1)
            x += math.copysign(min(abs(step), missing + _CREEP), step)
        else:
            x = near + (far[0] - near) * (target - near_root) / (far[1] - near_root)
    return x
