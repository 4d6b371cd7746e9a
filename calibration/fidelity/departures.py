"""The flight of a stack's pieces 80 ms after the start, in the plane and in space, and its fit.

By then the pieces have come apart: what follows is free flight, landing and rolling. Most constants
of `physics.LiftOff` are fitted to the statistics of these states, which know no landing: they
are less noisy than the numbers of flips, and computed twenty times faster.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.cells import REFERENCE_SEED, Cell, scene_of, thrower_of
from calibration.fidelity.cell_statistics import ModelCell
from calibration.reference3d import impact_end
from physics import LiftOff, Scene, draw_throw, trial_generator
from physics.materials import GRAVITY_MM_S2
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import (
    SEPARATED_S,
    DiscRotation,
    fly_to_touch_down,
    rotation_when_separated,
    vertical_factor,
)
from physics.plane.impact import first_contact
from physics.plane.lift_off import horizontal_mm_s, tumbling_mm_s
from physics.plane.world import VZ, Z
from physics.solid.bodies import starting_bodies
from physics.solid.engine import IMPACT_S, SolidRun

Numbers = NDArray[np.float64]

_LEAST_SINE = 0.05
_SMALL = 1e-3
_FURTHEST = 6.0
"""Residuals count for at most this many tolerances, and for less from `_ROBUST` on."""

_ROBUST = 2.5
_LONGEST_STEP = 1.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Apart:
    """The pieces of a throw's stack 80 ms after the start; arrays of shape (pieces,).

    Attributes:
        place_mm: Shape (pieces, 3); the middles.
        velocity_mm_s: Shape (pieces, 3).
        rotation: Leans, their rates, precession and spin.
    """

    place_mm: Numbers
    velocity_mm_s: Numbers
    rotation: DiscRotation

    @property
    def high(self) -> NDArray[np.bool_]:
        """True for pieces higher than their radius: only they can still turn over."""
        result: NDArray[np.bool_] = self.place_mm[:, 2] >= PIECE_RADIUS_MM
        return result

    def touch_rad(self) -> Numbers:
        """Return the leans at the first touch of the floor, after free flight."""
        up_mm_s = self.velocity_mm_s[:, 2]
        return fly_to_touch_down(self.rotation, self.place_mm[:, 2], up_mm_s)[1]

    def clears(self, scene: Scene) -> NDArray[np.bool_]:
        """Return True for pieces whose free path passes above the arena's wall."""
        speed = self.velocity_mm_s[:, :2]
        way_mm = scene.arena.half_side_mm - np.sign(speed) * self.place_mm[:, :2]
        time_s = (way_mm / np.maximum(np.abs(speed), _SMALL)).min(axis=1)
        height_mm = self.place_mm[:, 2] + self.velocity_mm_s[:, 2] * time_s
        result: NDArray[np.bool_] = (
            height_mm - GRAVITY_MM_S2 * time_s**2 / 2 > scene.arena.wall_height_mm
        )
        return result


def apart_in_plane(cell: ModelCell, model: LiftOff) -> list[Apart]:
    """Return the pieces of each throw that hits, as the plane's laws have them.

    Args:
        cell: The strikes.
        model: Constants of the laws.
    """
    scene = replace(cell.scene, lift_off=model)
    pieces = len(scene.stack)
    found = []
    for throw, struck in zip(cell.throws, cell.strikes, strict=True):
        if struck is None:
            continue
        end = struck[1]
        up_mm_s = end.state[:pieces, VZ] * vertical_factor(scene)
        left_s = SEPARATED_S - end.duration_s
        along_mm_s = horizontal_mm_s(scene, throw, up_mm_s)
        rims = np.hypot(*tumbling_mm_s(scene, throw, up_mm_s))
        height_mm = end.state[:pieces, Z] + up_mm_s * left_s - GRAVITY_MM_S2 * left_s**2 / 2
        found.append(
            Apart(
                place_mm=np.column_stack((*(along_mm_s * left_s), height_mm)),
                velocity_mm_s=np.column_stack((*along_mm_s, up_mm_s - GRAVITY_MM_S2 * left_s)),
                rotation=rotation_when_separated(scene, throw, up_mm_s, rims),
            )
        )
    return found


def apart_in_space(cell: Cell, trials: int) -> list[Apart]:
    """Return the same of the solid engine, for the first throws of a cell.

    Args:
        cell: The cell.
        trials: How many throws.
    """
    scene, thrower = scene_of(cell), thrower_of(cell)
    found = []
    for trial in range(trials):
        throw = draw_throw(thrower, len(scene.stack), trial_generator(REFERENCE_SEED, trial))
        if first_contact(throw) is None:
            continue
        run = SolidRun(scene, starting_bodies(scene, throw))
        run.advance(IMPACT_S)
        run.soften()
        run.advance(SEPARATED_S - run.time_s)
        end = impact_end(run.bodies())
        axis = end.normal[:-1]
        moving = np.cross(end.tumble_rad_s[:-1], axis)
        sine = np.maximum(np.hypot(axis[:, 0], axis[:, 1]), _LEAST_SINE)
        aside = (axis[:, 0] * moving[:, 1] - axis[:, 1] * moving[:, 0]) / sine
        rotation = DiscRotation(
            lean_rad=np.arccos(np.clip(-axis[:, 2], -1.0, 1.0)),
            lean_rate_rad_s=moving[:, 2] / sine,
            precession_rate_rad_s=aside,
            spin_rad_s=end.spin_rad_s[:-1],
        )
        found.append(
            Apart(
                place_mm=end.middle_mm[:-1],
                velocity_mm_s=end.velocity_mm_s[:-1],
                rotation=rotation,
            )
        )
    return found


TOLERANCES = {
    "high": 0.05,
    "turning": 0.12,
    "turning_sd": 0.15,
    "leaning": 0.2,
    "speed": 0.08,
    "fast": 0.1,
    "rising": 0.15,
    "rising_fast": 0.1,
    "lean": 0.05,
    "much_lean": 0.08,
    "lean_rate": 1.5,
    "lean_rate_sd": 0.2,
    "precession": 0.2,
    "spin": 0.12,
    "much_spin": 0.2,
    "leaving": 0.1,
    "any_leaving": 0.04,
}
"""Statistics of `statistics_apart`, and what each may be off without anybody minding."""

_ABSOLUTE = {"turning", "turning_sd", "leaning", "lean", "much_lean", "lean_rate", "any_leaving"}
"""Statistics whose tolerances are differences; those of the others are relative."""


def statistics_apart(scene: Scene, throws: Sequence[Apart]) -> dict[str, float]:
    """Return the statistics of a cell's throws, by the names of `TOLERANCES`.

    Of the high pieces: mean numbers per throw of all, of those that will touch the floor face up or
    more than 1 rad from face down, and of those that clear the wall; medians, 90th percentiles and
    means of speeds, leans and rates.

    Args:
        scene: The cell's scene.
        throws: Its pieces; at least one is high.
    """
    high = [throw.high for throw in throws]
    touches = [throw.touch_rad()[up] for throw, up in zip(throws, high, strict=True)]
    turning = np.array([np.count_nonzero(touch > math.pi / 2) for touch in touches])
    leaving = np.array(
        [np.count_nonzero(each.clears(scene) & up) for each, up in zip(throws, high, strict=True)]
    )

    def of_high(values: Sequence[Numbers]) -> Numbers:
        return np.concatenate([value[up] for value, up in zip(values, high, strict=True)])

    speed = of_high([np.hypot(*each.velocity_mm_s[:, :2].T) for each in throws])
    rising = of_high([each.velocity_mm_s[:, 2] for each in throws])
    lean = of_high([each.rotation.lean_rad for each in throws])
    rate = of_high([each.rotation.lean_rate_rad_s for each in throws])
    aside = of_high([np.abs(each.rotation.precession_rate_rad_s) for each in throws])
    spin = of_high([np.abs(each.rotation.spin_rad_s) for each in throws])
    return {
        "high": len(lean) / len(throws),
        "turning": float(turning.mean()),
        "turning_sd": float(turning.std()),
        "leaning": sum(np.count_nonzero(touch > 1.0) for touch in touches) / len(throws),
        "speed": float(np.median(speed)),
        "fast": float(np.percentile(speed, 90)),
        "rising": float(np.median(rising)),
        "rising_fast": float(np.percentile(rising, 90)),
        "lean": float(np.median(lean)),
        "much_lean": float(np.percentile(lean, 90)),
        "lean_rate": float(rate.mean()),
        "lean_rate_sd": float(rate.std()),
        "precession": float(np.median(aside)),
        "spin": float(np.median(spin)),
        "much_spin": float(np.percentile(spin, 90)),
        "leaving": float(leaving.mean()),
        "any_leaving": float((leaving > 0).mean()),
    }


def residuals_apart(ours: Mapping[str, float], theirs: Mapping[str, float]) -> Numbers:
    """Return the differences of two cells' statistics over their tolerances; shape (statistics,).

    Example:
        >>> cell = dict.fromkeys(TOLERANCES, 1.0)
        >>> residuals_apart(cell | {"lean": 1.1}, cell).max().round(1)
        np.float64(2.0)
    """
    found = []
    for name, tolerance in TOLERANCES.items():
        if name in _ABSOLUTE:
            error = ours[name] - theirs[name]
        elif name == "leaving":
            error = (ours[name] - theirs[name]) / max(1.0, theirs[name])
        else:
            error = math.log(max(ours[name], _SMALL) / max(theirs[name], _SMALL))
        found.append(error / tolerance)
    residuals: Numbers = np.clip(np.array(found), -_FURTHEST, _FURTHEST)
    return residuals


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftOffFit:
    """Constants fitted to states 80 ms after the start.

    Attributes:
        model: The constants.
        errors: Standard errors of those fitted, by name.
        mean_square: Mean squared residual before each round, and at the end.
    """

    model: LiftOff
    errors: Mapping[str, float]
    mean_square: tuple[float, ...]


def fit_lift_off(
    cells: Sequence[ModelCell],
    targets: Sequence[Mapping[str, float]],
    start: LiftOff,
    steps: Mapping[str, float],
    rounds: int = 3,
) -> LiftOffFit:
    """Fit constants of lift-off by damped Gauss-Newton rounds with robust weights.

    Args:
        cells: Strikes of stacks.
        targets: The solid engine's statistics in these cells.
        start: Constants to begin with.
        steps: The constants to fit, and by how much each is moved to see what it does.
        rounds: How often.
    """

    def residuals(model: LiftOff) -> Numbers:
        ours = (statistics_apart(cell.scene, apart_in_plane(cell, model)) for cell in cells)
        return np.concatenate(
            [residuals_apart(mine, target) for mine, target in zip(ours, targets, strict=True)]
        )

    model, squares, errors = start, [], {}
    sizes = np.array(list(steps.values()))
    for _ in range(rounds):
        now = residuals(model)
        squares.append(float((now**2).mean()))
        moved = [
            residuals(replace(model, **{name: getattr(model, name) + step})) - now
            for name, step in steps.items()
        ]
        weights = 1 / np.maximum(1.0, np.abs(now) / _ROBUST)
        slopes = np.array(moved).T * weights[:, np.newaxis]
        # Normal equations of the weighted residuals, in units of the steps.       (steps, steps)
        normal = (slopes[:, :, np.newaxis] * slopes[:, np.newaxis, :]).sum(axis=0)
        damping = 3e-4 * len(now) * np.eye(len(sizes))
        wanted = -(slopes * (weights * now)[:, np.newaxis]).sum(axis=0)
        change = np.clip(np.linalg.solve(normal + damping, wanted), -_LONGEST_STEP, _LONGEST_STEP)
        spread = math.sqrt(float(((weights * now) ** 2).mean()))
        own = np.sqrt(np.diag(np.linalg.inv(normal + 1e-9 * np.eye(len(sizes))))) * sizes * spread
        errors = dict(zip(steps, own.tolist(), strict=True))
        values = {
            name: getattr(model, name) + float(part * step)
            for (name, step), part in zip(steps.items(), change, strict=True)
        }
        model = replace(model, **values)
    squares.append(float((residuals(model) ** 2).mean()))
    return LiftOffFit(model=model, errors=errors, mean_square=tuple(squares))
