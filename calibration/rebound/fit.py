"""Restitution and hysteresis from rebounds: an emulator of the solid engine, and a posterior.

Rebounds are simulated all over the ranges of restitution, hysteresis and tilt. For each setting the
mean return is a polynomial in restitution and hysteresis whose coefficients change linearly from
knot to knot of the tilt; the scatter about it is that of aim, direction and what the polynomial
misses. The posterior is computed on a grid. The tilt of a drop or throw is not known: it is drawn
from |N(0, spread)|, and the spread is a nuisance, one for drops and one for throws, as is a further
scatter of the measurements.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from calibration.designs import Floats, design_points
from calibration.rebound.measurements import Rebound, Setting, settings_of, simulate_rebound
from physics import Materials, trial_generator
from physics.errors import parameters
from physics.facts import fact
from physics.materials import GRAVITY_MM_S2

CHUNK = 16
"""Rebounds per task of a worker."""

LEVEL = 0.95
"""Level of the intervals."""

TELLING_WIDTH = 0.7
"""Width of an interval of the hysteresis, of at most 1, from which on the data tell nothing."""

_DEGREE = 3
_CELLS = 41
_NODES = 61
_SPREADS_DEG = {True: (0.4, 6.0), False: (4.0, 30.0)}
"""Smallest and largest tilt spread of drops through a tube (True) and of throws."""

_KNOTS_DEG = {
    True: (0.0, 0.4, 0.8, 1.3, 2.0, 2.8, 3.8, 5.0, 7.0, 10.0, 15.0),
    False: (0.0, 3.0, 6.0, 10.0, 15.0, 22.0, 32.0, 45.0, 60.0),
}
_SPREAD_STEPS = 25
_SCATTERS = (0.003, 0.01, 0.02, 0.04, 0.08)
"""Further scatter of the return, from one slammer, puck or place to another: each as likely."""

_SLIP = 1e-6
"""Density of a return that nothing explains."""

_PRIOR_SDS = 3.0


@fact(eq=False)
class ReboundTask:
    """Some rebounds for a worker process.

    Attributes:
        setting: Slammer and target.
        base: Materials but for the two that are fitted.
        speed_mm_s: Speed at which the slammer arrives.
        points: Shape (N, 3); restitution, hysteresis, tilt in degrees.
        seed: Seed of the rebounds.
        first: Number of the first rebound.
    """

    setting: Setting
    base: Materials
    speed_mm_s: float
    points: Floats
    seed: int
    first: int


def rebound_tasks(
    rebounds: Sequence[Rebound], base: Materials, sd: float, *, trials: int, seed: int
) -> Iterator[ReboundTask]:
    """Yield what must be simulated to fit rebounds, setting by setting.

    Args:
        rebounds: The measurements.
        base: The materials; their restitution is the middle of its range.
        sd: Prior standard deviation of the restitution.
        trials: Simulated rebounds per setting.
        seed: Seed of the rebounds.
    """
    low, high = restitution_range(base, sd)
    for number, setting in enumerate(settings_of(rebounds)):
        falls = [rebound.fall_mm for rebound in rebounds if rebound.setting == setting]
        speed = math.sqrt(2 * GRAVITY_MM_S2 * sum(falls) / len(falls))
        unit = design_points(np.zeros(3), np.ones(3), trials, (seed, number))
        knots = np.array(_KNOTS_DEG[setting.dropped])
        tilts = np.interp(unit[:, 2], np.linspace(0, 1, len(knots)), knots)
        points = np.stack((low + (high - low) * unit[:, 0], unit[:, 1], tilts), axis=1)
        for begin in range(0, trials, CHUNK):
            yield ReboundTask(
                setting=setting,
                base=base,
                speed_mm_s=speed,
                points=points[begin : begin + CHUNK],
                seed=seed,
                first=begin,
            )


def run_rebounds(task: ReboundTask) -> list[tuple[float, float, float, float]]:
    """Simulate the rebounds of a task; return each point with its return."""
    found = []
    for index, (restitution, hysteresis, tilt_deg) in enumerate(task.points.tolist()):
        height_mm = simulate_rebound(
            task.setting,
            replace(task.base, restitution=restitution, hysteresis=hysteresis),
            task.speed_mm_s,
            math.radians(tilt_deg),
            trial_generator(task.seed, task.first + index),
        )
        fall_mm = task.speed_mm_s**2 / (2 * GRAVITY_MM_S2)
        found.append((restitution, hysteresis, tilt_deg, math.sqrt(height_mm / fall_mm)))
    return found


def restitution_range(base: Materials, sd: float) -> tuple[float, float]:
    """Return the range in which the restitution is looked for."""
    note = parameters(Materials)["restitution"]
    middle = base.restitution
    return max(note.low, middle - _PRIOR_SDS * sd), min(note.high, middle + _PRIOR_SDS * sd)


@fact(eq=False)
class Emulator:
    """Mean and scatter of the return in a setting.

    Attributes:
        setting: The setting.
        low: Smallest restitution.
        high: Largest.
        knots_deg: Shape (K,); knots of the tilt.
        coefficients: Shape (terms, K).
        scatter: Shape (K,); standard deviation about the mean.
    """

    setting: Setting
    low: float
    high: float
    knots_deg: Floats
    coefficients: Floats
    scatter: Floats

    def mean(self, restitution: Floats, hysteresis: Floats, tilt_deg: Floats) -> Floats:
        """Return the mean return; shapes (P,), (P,) and (T,) make (P, T)."""
        terms = _terms(self._unit(restitution), hysteresis)
        at_knots = (terms[:, :, np.newaxis] * self.coefficients).sum(axis=1)
        hats = _hats(tilt_deg, self.knots_deg)
        mean: Floats = (at_knots[:, np.newaxis, :] * hats).sum(axis=2)
        return mean

    def _unit(self, restitution: Floats) -> Floats:
        return (restitution - self.low) / (self.high - self.low)


def fit_emulator(
    setting: Setting, simulated: Sequence[tuple[float, float, float, float]]
) -> Emulator:
    """Return the emulator of a setting, by least squares.

    Args:
        setting: The setting.
        simulated: What `run_rebounds` returned for it.
    """
    data = np.array(simulated)
    low, high = data[:, 0].min(), data[:, 0].max()
    knots = np.array(_KNOTS_DEG[setting.dropped])
    hats = _hats(data[:, 2], knots)
    terms = _terms((data[:, 0] - low) / (high - low), data[:, 1])
    # Each knot's polynomial, weighted with the hat functions of the tilt.
    columns = (terms[:, :, np.newaxis] * hats[:, np.newaxis, :]).reshape(len(data), -1)
    # A little of a ridge keeps knots with few rebounds in place.
    ridge = 1e-3 * np.eye(columns.shape[1])
    normal = np.einsum("ni,nj->ij", columns, columns) + ridge
    found = np.linalg.solve(normal, np.einsum("ni,n->i", columns, data[:, 3]))
    rest = data[:, 3] - np.einsum("ni,i->n", columns, found)
    spare = max(0.5, 1 - columns.shape[1] / len(data))
    squares = np.einsum("nk,n->k", hats, rest**2) / np.maximum(hats.sum(axis=0), 1e-9) / spare
    return Emulator(
        setting=setting,
        low=float(low),
        high=float(high),
        knots_deg=knots,
        coefficients=found.reshape(terms.shape[1], len(knots)),
        scatter=np.sqrt(squares),
    )


def _terms(x: Floats, y: Floats) -> Floats:
    """Return the terms of a polynomial of two variables; shape (N, terms)."""
    return np.stack(
        [x**i * y**j for i in range(_DEGREE + 1) for j in range(_DEGREE + 1 - i)], axis=1
    )


def _hats(at: Floats, knots: Floats) -> Floats:
    """Return hat functions, 1 at their own knot and 0 at all others; shape (N, K)."""
    return np.stack([np.interp(at, knots, own) for own in np.eye(len(knots))], axis=1)


@fact
class Marginal:
    """A parameter from the posterior.

    Attributes:
        value: The mean.
        standard_error: The standard deviation.
        low: Lower end of the shortest interval at `LEVEL`.
        high: Upper end.
    """

    value: float
    standard_error: float
    low: float
    high: float


@fact
class Expected:
    """Mean returns in a setting, measured and in the model.

    Attributes:
        setting: The setting.
        count: How many were measured.
        measured: Their mean.
        fitted: The model's, at the fit.
        viscous: The model's without hysteresis.
        latching: The model's with nothing else.
    """

    setting: Setting
    count: int
    measured: float
    fitted: float
    viscous: float
    latching: float


@fact
class ReboundFit:
    """Findings from rebounds.

    Attributes:
        restitution: The restitution.
        hysteresis: The hysteresis.
        tilt_deg: Spread of the tilt of drops, and of throws; None where there are none. Its
            interval is the shortest on a logarithmic scale.
        more_than_half: Probability that more than half of the loss is hysteresis.
        expected: Each setting's mean return.
    """

    restitution: Marginal
    hysteresis: Marginal
    tilt_deg: tuple[Marginal | None, Marginal | None]
    more_than_half: float
    expected: tuple[Expected, ...]

    @property
    def tells_hysteresis(self) -> bool:
        """The data narrow the hysteresis down."""
        return self.hysteresis.high - self.hysteresis.low < TELLING_WIDTH


def fit_rebounds(
    rebounds: Sequence[Rebound], emulators: Sequence[Emulator], base: Materials, sd: float
) -> ReboundFit:
    """Return restitution and hysteresis with their intervals.

    Args:
        rebounds: The measurements.
        emulators: One for each of their settings.
        base: Its restitution is the middle of a normal prior; the hysteresis' prior is even.
        sd: That prior's standard deviation.
    """
    low, high = restitution_range(base, sd)
    e_axis, h_axis = np.linspace(low, high, _CELLS), np.linspace(0.0, 1.0, _CELLS)
    e, h = (axis.ravel() for axis in np.meshgrid(e_axis, h_axis, indexing="ij"))
    log_posterior = -(((e - base.restitution) / sd) ** 2) / 2
    likelihoods: dict[bool, Floats] = {}
    for dropped in (True, False):
        own = [rebound for rebound in rebounds if rebound.setting.dropped == dropped]
        if own:
            likelihoods[dropped] = _log_likelihood(own, emulators, e, h)
            log_posterior = log_posterior + _log_sum(likelihoods[dropped])
    posterior = np.exp(log_posterior - log_posterior.max())
    posterior /= posterior.sum()
    spreads = {dropped: _spread(part, posterior, dropped) for dropped, part in likelihoods.items()}
    grid = posterior.reshape(_CELLS, _CELLS)
    restitution, hysteresis = _marginal(e_axis, grid.sum(axis=1)), _marginal(h_axis, grid.sum(0))
    return ReboundFit(
        restitution=restitution,
        hysteresis=hysteresis,
        tilt_deg=(spreads.get(True), spreads.get(False)),
        more_than_half=float(grid[:, h_axis >= 0.5].sum()),
        expected=tuple(
            _expected(
                [rebound for rebound in rebounds if rebound.setting == emulator.setting],
                emulator,
                (restitution.value, hysteresis.value),
                spreads[emulator.setting.dropped].value,
            )
            for emulator in emulators
        ),
    )


def _log_likelihood(
    rebounds: Sequence[Rebound], emulators: Sequence[Emulator], e: Floats, h: Floats
) -> Floats:
    """Return the log-likelihood by nuisance and point; shape (spreads, scatters, P)."""
    dropped = rebounds[0].setting.dropped
    tilts, weights = _tilts(dropped)
    total = np.zeros((len(weights), len(_SCATTERS), len(e)))
    for emulator in emulators:
        own = [rebound for rebound in rebounds if rebound.setting == emulator.setting]
        if not own:
            continue
        mean = emulator.mean(e, h, tilts)
        own_scatter = np.interp(tilts, emulator.knots_deg, emulator.scatter)
        for index, scatter in enumerate(_SCATTERS):
            for rebound in own:
                variance = own_scatter**2 + scatter**2 + rebound.reading_error**2
                density = np.exp(-((rebound.returned - mean) ** 2) / (2 * variance))
                density /= np.sqrt(2 * math.pi * variance)
                for spread, weight in enumerate(weights):
                    # Never quite impossible: a slip that no model has.
                    chance = (density * weight).sum(axis=1) + _SLIP
                    total[spread, index] += np.log(chance)
    return total


def _tilts(dropped: bool) -> tuple[Floats, Floats]:
    """Return nodes of the tilt, (T,), and their weights for each spread, (spreads, T)."""
    from scipy.special import erf

    largest = _KNOTS_DEG[dropped][-1]
    edges = largest * np.linspace(0.0, 1.0, _NODES + 1) ** 2
    weights = []
    for spread in _spreads(dropped):
        below = erf(edges / (spread * math.sqrt(2.0)))
        weights.append(np.diff(below) / below[-1])
    return (edges[1:] + edges[:-1]) / 2, np.array(weights)


def _spreads(dropped: bool) -> Floats:
    """Return the spreads of the tilt that are tried: evenly on a logarithmic scale."""
    return np.geomspace(*_SPREADS_DEG[dropped], _SPREAD_STEPS)


def _log_sum(likelihood: Floats) -> Floats:
    """Return the logarithm of a likelihood summed over its nuisances, each as likely."""
    from scipy.special import logsumexp

    summed: Floats = logsumexp(likelihood, axis=(0, 1))
    return summed


def _spread(likelihood: Floats, posterior: Floats, dropped: bool) -> Marginal:
    """Return the tilt's spread, given the posterior of the other parameters."""
    share = np.exp(likelihood - likelihood.max(axis=(0, 1)))
    share = share.sum(axis=1) / share.sum(axis=(0, 1))
    spreads, chance = _spreads(dropped), (share * posterior).sum(axis=1)
    chance /= chance.sum()
    on_logs = _marginal(np.log(spreads), chance)
    mean = float((spreads * chance).sum())
    return Marginal(
        value=mean,
        standard_error=math.sqrt(float(((spreads - mean) ** 2 * chance).sum())),
        low=math.exp(on_logs.low),
        high=math.exp(on_logs.high),
    )


def _marginal(axis: Floats, chance: Floats) -> Marginal:
    """Return mean, deviation and shortest interval of a distribution on a grid."""
    mean = float((axis * chance).sum())
    deviation = math.sqrt(float(((axis - mean) ** 2 * chance).sum()))
    # A point of the grid stands for half a step to either side; the ends for a half.
    fine = np.linspace(axis[0], axis[-1], 1001)
    density = np.interp(fine, axis, chance)
    kept = np.argsort(density)[::-1]
    kept = kept[: int(np.searchsorted(np.cumsum(density[kept]), LEVEL * density.sum())) + 1]
    return Marginal(
        value=mean,
        standard_error=deviation,
        low=float(fine[kept.min()]),
        high=float(fine[kept.max()]),
    )


def _expected(
    own: Sequence[Rebound], emulator: Emulator, fit: tuple[float, float], spread_deg: float
) -> Expected:
    tilts, weights = _tilts(emulator.setting.dropped)
    nearest = int(np.abs(_spreads(emulator.setting.dropped) - spread_deg).argmin())
    e, h = np.full(3, fit[0]), np.array([fit[1], 0.0, 1.0])
    fitted, viscous, latching = (emulator.mean(e, h, tilts) * weights[nearest]).sum(axis=1).tolist()
    return Expected(
        setting=emulator.setting,
        count=len(own),
        measured=sum(rebound.returned for rebound in own) / len(own),
        fitted=fitted,
        viscous=viscous,
        latching=latching,
    )
