"""Measurement of the lift-off's constants on a 3-D engine, 12 and 80 ms after the start.

`measure_departures` reads velocities, tumbling and spin at 12 ms, when the shock is over;
`measure_throngs` reads lean, rotation and spin of a stack's pieces at 80 ms. In the units of
`physics.plane.flight_laws` they are alike in all cells.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.reference3d import ImpactEnd
from physics import Scene, Throw
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import (
    FREE_TUMBLING_S,
    SCATTER_TAIL,
    VELOCITY_TAIL,
    crowding,
    horizontal_scale_mm_s,
    horizontal_share,
    individual_scatter,
    lean_reduction,
    max_lean_rad,
    precession_rate,
    relative_speeds,
    spin_unit,
    tumbling_scales_mm_s,
)
from physics.plane.impact import face_normal

_RISING = 0.3
"""Pieces of a smaller relative speed have hardly left the floor."""

_FEWEST = 3
"""Fewest rising pieces for a median of their common motion."""

_ENDLESS_TAIL = 1e9
_HALF_NORMAL_MEDIAN = 0.6745


@dataclass(frozen=True, slots=True, kw_only=True)
class Departures:
    """Constants of `physics.LiftOff` measured on 3-D states at 12 ms; defined there.

    Attributes:
        pace_by_energy: Of the slammer's energy; nan if that is the same in all.
        pace_by_height: Of the number of pieces, for velocities; nan if that is the same in all.
        grip_by_friction: Of the friction, for velocities; nan if that is the same in all.
        tumbling_by_height: Of the number of pieces, for tumbling.
        tumbling_by_speed: Of the mean vertical speed, for tumbling.
        carry: Of the slammer's way.
        drift: Of all pieces alike, for velocities.
        scatter: Of each piece.
        downhill: Of the tilt, for tumbling.
        roll: Of all pieces alike, for tumbling.
        tumble_scatter: Of each piece.
        spin_ratio: Spin over tumbling.
        throws: How many throws have enough pieces that rise.
    """

    pace_by_energy: float
    pace_by_height: float
    grip_by_friction: float
    tumbling_by_height: float
    tumbling_by_speed: float
    carry: float
    drift: float
    scatter: float
    downhill: float
    roll: float
    tumble_scatter: float
    spin_ratio: float
    throws: int


def measure_departures(slams: Iterable[tuple[Scene, Throw, ImpactEnd]]) -> Departures:
    """Measure the constants on slams of stacks.

    Args:
        slams: Scenes, throws, and how their pieces left: the stack's from the floor up, then the
            slammer.

    Raises:
        ValueError: Hardly a piece rises.
    """
    velocities, tumblings = _Vectors(), _Vectors()
    paces: list[tuple[float, ...]] = []
    tumbling: list[tuple[float, ...]] = []
    spins: list[float] = []
    for scene, throw, end in slams:
        pieces = len(throw.chances)
        up_mm_s = end.velocity_mm_s[:pieces, 2]
        relative = relative_speeds(up_mm_s)
        # The lowest piece tips about its rim, and is not one of them.
        rising = (relative > _RISING) & (np.arange(pieces) > 0)
        if rising.sum() < _FEWEST or up_mm_s.mean() <= 0:
            continue
        tilt = np.array(face_normal(throw)[:2])
        way = math.tan(throw.descent_rad) * np.array(throw.heading)
        wild = individual_scatter(relative[rising])
        velocity = end.velocity_mm_s[:pieces, :2][rising]
        share = horizontal_share(relative[rising])
        common = velocities.add(
            velocity / horizontal_scale_mm_s(scene, throw, up_mm_s), share, wild, (way,)
        )
        down_mm_s = throw.speed_mm_s * math.cos(throw.descent_rad)
        energy = scene.slammer.mass_g * down_mm_s**2 / scene.stack[0].mass_g
        speed = float(np.hypot(*common)) * horizontal_scale_mm_s(scene, throw, up_mm_s)
        grounds = (energy, pieces, scene.materials.friction)
        paces.append((*map(math.log, grounds), math.log(max(speed, 1.0))))
        turning = end.tumble_rad_s[:pieces][rising]
        rim = np.column_stack((turning[:, 1], -turning[:, 0])) * PIECE_RADIUS_MM
        unit_mm_s = tumbling_scales_mm_s(scene, up_mm_s[rising])[:, np.newaxis]
        common = tumblings.add(rim / unit_mm_s, np.ones(len(rim)), wild, (tilt,))
        speed = float(np.median(np.hypot(*rim.T)))
        risen_mm_s = float(np.median(up_mm_s[rising]))
        tumbling.append((math.log(pieces), math.log(risen_mm_s), math.log(max(speed, 1e-3))))
        rate = np.linalg.norm(turning, axis=1)
        spins += (np.abs(end.spin_rad_s[:pieces][rising]) / rate).tolist()
    (carry,), drift, scatter = velocities.fit(VELOCITY_TAIL, SCATTER_TAIL)
    (downhill,), roll, tumble_scatter = tumblings.fit(_ENDLESS_TAIL, _ENDLESS_TAIL)
    pace_by_energy, pace_by_height, grip_by_friction = _powers(np.array(paces))
    tumbling_by_height, tumbling_by_speed = _powers(np.array(tumbling))
    return Departures(
        pace_by_energy=pace_by_energy,
        pace_by_height=pace_by_height,
        grip_by_friction=grip_by_friction,
        tumbling_by_height=tumbling_by_height,
        tumbling_by_speed=tumbling_by_speed,
        carry=carry,
        drift=drift,
        scatter=scatter,
        downhill=downhill,
        roll=roll,
        tumble_scatter=tumble_scatter,
        spin_ratio=float(np.median(spins)) / _HALF_NORMAL_MEDIAN,
        throws=len(paces),
    )


class _Vectors:
    """Horizontal vectors of the pieces of throws: what they have in common, and what not."""

    def __init__(self) -> None:
        self._common: list[NDArray[np.float64]] = []
        self._causes: list[tuple[NDArray[np.float64], ...]] = []
        self._own: list[NDArray[np.float64]] = []

    def add(
        self,
        vectors: NDArray[np.float64],
        share: NDArray[np.float64],
        wild: NDArray[np.float64],
        causes: tuple[NDArray[np.float64], ...],
    ) -> NDArray[np.float64]:
        """Add a throw and return the common part of its pieces, shape (2,).

        Args:
            vectors: Of its pieces, shape (n, 2).
            share: How much of what is common each has, shape (n,).
            wild: How much more than others each goes its own way, shape (n,).
            causes: What the common may come of.
        """
        common: NDArray[np.float64] = np.median(vectors / share[:, np.newaxis], axis=0)
        own = (vectors - share[:, np.newaxis] * common) / wild[:, np.newaxis]
        # A median of normal numbers has pi / 2 times their mean's variance.
        lost = 1 - math.pi / 2 / len(share)
        self._common.append(common)
        self._causes.append(causes)
        self._own.append(np.hypot(*own.T) / math.sqrt(lost))
        return common

    def fit(self, tail: float, own_tail: float) -> tuple[list[float], float, float]:
        """Return the share of each cause, and the common and the individual scatter per axis.

        Args:
            tail: Degrees of freedom of the t distribution of what is common.
            own_tail: Of what is not.
        """
        if len(self._common) < _FEWEST:
            raise ValueError("slams: none in which three pieces rise")
        common = np.concatenate(self._common)
        causes = np.concatenate([np.column_stack(each) for each in self._causes])
        shares, *_ = np.linalg.lstsq(causes, common, rcond=None)
        left = (common - causes @ shares).reshape(-1, 2)
        return (
            shares.tolist(),
            float(np.median(np.hypot(*left.T))) / _median_radius(tail),
            float(np.median(np.concatenate(self._own))) / _median_radius(own_tail),
        )


def _median_radius(tail: float) -> float:
    """Return the median length of t-distributed vectors in a plane, of unit scale."""
    return math.sqrt(tail * math.expm1(2 / tail * math.log(2)))


def _powers(logarithms: NDArray[np.float64]) -> list[float]:
    """Return the exponents of a power law, by least squares on logarithms.

    Args:
        logarithms: Of what it goes with, and last of it, shape (n, powers + 1).
    """
    causes = logarithms[:, :-1] - logarithms[:, :-1].mean(axis=0)
    used = np.ptp(causes, axis=0) > 0
    powers = np.full(causes.shape[1], math.nan)
    powers[used], *_ = np.linalg.lstsq(causes[:, used], logarithms[:, -1], rcond=None)
    return [float(power) for power in powers]


Numbers = NDArray[np.float64]

_AT_WALL_MM = PIECE_RADIUS_MM + 5.0
_LIKE_OTHERS = 2.0
"""Pieces of a larger relative speed go their own ways."""

_HELD = 0.5
"""Share of the greatest lean from which a free tumbler counts as having met others."""

_FEWEST_CROWDED = 2
_MEDIAN_SPIN = 0.702
"""Median of a t distribution of three degrees of freedom as `t_distributed` makes it of a
normal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Throngs:
    """Constants of `physics.LiftOff` measured on 3-D states at 80 ms; defined there.

    Attributes:
        lean_rad: How far pieces lean that are stopped.
        lean_by_tumbling: Of the unit of tumbling.
        lean_scatter: Of the pieces of all throws.
        swing: Of the throws.
        swing_scatter: Of the pieces of a throw.
        twist: Of the throws.
        twist_scatter: Of the pieces of a throw.
        throws: How many throws have two pieces that are in the air by then.
    """

    lean_rad: float
    lean_by_tumbling: float
    lean_scatter: float
    swing: float
    swing_scatter: float
    twist: float
    twist_scatter: float
    throws: int


def measure_throngs(slams: Iterable[tuple[Scene, ImpactEnd, ImpactEnd]]) -> Throngs:
    """Measure the constants on slams of stacks.

    Args:
        slams: Scenes, and their bodies 12 and 80 ms after the start.

    Raises:
        ValueError: Hardly a piece is in the air.
    """
    leans: list[Numbers] = []
    swings: list[Numbers] = []
    spins: list[Numbers] = []
    stopped: list[Numbers] = []
    for scene, early, late in slams:
        pieces = len(scene.stack)
        up_mm_s = early.velocity_mm_s[:pieces, 2]
        # The walls turn what they stop; what is that far out by now has met one or is beside it.
        inside = (
            np.abs(late.middle_mm[:pieces, :2]).max(axis=1) < scene.arena.half_side_mm - _AT_WALL_MM
        )
        used = inside & (late.middle_mm[:pieces, 2] > PIECE_RADIUS_MM) & (up_mm_s > 0)
        used &= relative_speeds(up_mm_s) < _LIKE_OTHERS
        if used.sum() < _FEWEST_CROWDED:
            continue
        unit_mm_s = tumbling_scales_mm_s(scene, up_mm_s[used])
        spin = late.spin_rad_s[:pieces][used] * PIECE_RADIUS_MM / unit_mm_s
        lean, on, aside = _turning(late, np.flatnonzero(used))
        tumbling_rad_s = np.linalg.norm(early.tumble_rad_s[:pieces][used], axis=1)
        most_rad = max_lean_rad(scene.lift_off, unit_mm_s)
        leant, kept_rad_s = crowding(tumbling_rad_s, most_rad)
        relative = lean * lean_reduction(spin) / leant
        onwards = (on - kept_rad_s) * PIECE_RADIUS_MM / unit_mm_s
        aways = aside * PIECE_RADIUS_MM / unit_mm_s - precession_rate(spin)
        held = tumbling_rad_s * FREE_TUMBLING_S > _HELD * most_rad
        leans.append(relative[held])
        swings += [onwards[held], aways[held]]
        spins.append(spin / spin_unit(scene, up_mm_s[used], unit_mm_s))
        stopped.append(
            np.column_stack((np.log(unit_mm_s / 1000.0), np.log(relative * most_rad)))[held]
        )
    if len(leans) < _FEWEST_CROWDED:
        raise ValueError("slams: none in which two pieces are in the air after 80 ms")
    logarithms = np.concatenate(stopped)
    power = float(np.polyfit(logarithms[:, 0], logarithms[:, 1], 1)[0])
    level = float(np.median(logarithms[:, 1] - power * logarithms[:, 0]))
    swing, swing_scatter = _spreads(swings)
    mean_spin = np.array([spin.mean() for spin in spins])
    own_spin = np.concatenate(
        [np.abs(spin - spin.mean()) / math.sqrt(1 - 1 / len(spin)) for spin in spins]
    )
    return Throngs(
        lean_rad=math.exp(level),
        lean_by_tumbling=power,
        lean_scatter=float(np.concatenate(leans).std()),
        swing=swing,
        swing_scatter=swing_scatter,
        twist=float(np.median(np.abs(mean_spin))) / _MEDIAN_SPIN,
        twist_scatter=float(np.median(own_spin)) / _MEDIAN_SPIN,
        throws=len(leans),
    )


def _turning(end: ImpactEnd, pieces: NDArray[np.int_]) -> tuple[Numbers, Numbers, Numbers]:
    """Return leans, rates onwards and rates aside of some pieces, shape (n,) each."""
    axis = end.normal[pieces]
    moving = np.cross(end.tumble_rad_s[pieces], axis)
    sine = np.maximum(np.hypot(axis[:, 0], axis[:, 1]), 0.05)
    aside = (axis[:, 0] * moving[:, 1] - axis[:, 1] * moving[:, 0]) / sine
    return np.arccos(np.clip(-axis[:, 2], -1.0, 1.0)), moving[:, 2] / sine, aside


def _spreads(groups: Sequence[Numbers]) -> tuple[float, float]:
    """Return the scatter of groups' means and that within them: one-way analysis of variance."""
    used = [group for group in groups if len(group) >= _FEWEST_CROWDED]
    sizes = np.array([len(group) for group in used])
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in used)
    within /= float(sizes.sum()) - len(used)
    means = np.array([group.mean() for group in used])
    middle = float((sizes * means).sum() / sizes.sum())
    between = float((sizes * (means - middle) ** 2).sum()) / (len(used) - 1)
    size = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(used) - 1)
    return math.sqrt(max(0.0, (between - within) / size)), math.sqrt(within)
