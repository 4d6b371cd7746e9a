"""3-D reference runs: the same throws in engines that know no plane.

Neither engine is the truth. Some throws gain energy in MuJoCo, most of them of heavy slammers; the
solid engine never gains any, and chooses its stiffness. Their difference is the honest band around
any figure taken from them.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from physics import Scene, SlamOutcome, Throw
from physics.materials import NJ_PER_MJ
from physics.pieces import PIECE_RADIUS_MM
from physics.solid.bodies import Bodies3D, outcome_from_3d

IMPACT_S = 12e-3
"""Time for which an impact is followed with the small step, and when `ImpactEnd` is taken."""

_LONGEST_S = 1.5
_LOOK_EVERY_S = 5e-3
_LOOKS_AT_REST = 4
_REST_MM_S = 20.0
_GONE_MM = 30.0

ENERGY_TOLERANCE = 0.01
"""A run that ever holds more than this share above its first energy has gained energy.

It is ten times what the solid engine's integration errs by.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImpactEnd:
    """The bodies 12 ms after the start, the slammer last; B bodies.

    Attributes:
        middle_mm: Shape (B, 3).
        normal: Shape (B, 3); face normals.
        velocity_mm_s: Shape (B, 3); of the centres of mass.
        tumble_rad_s: Shape (B, 3); angular velocity without the spin about the axis.
        spin_rad_s: Shape (B,); angular velocity about the face normal.
    """

    middle_mm: NDArray[np.float64]
    normal: NDArray[np.float64]
    velocity_mm_s: NDArray[np.float64]
    tumble_rad_s: NDArray[np.float64]
    spin_rad_s: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference3D:
    """One slam in a 3-D engine.

    Attributes:
        outcome: How and where every piece ended.
        energy_begin_mj: Kinetic and potential energy at the start.
        energy_peak_mj: The highest seen; the solid engine counts its springs' energy, MuJoCo
            does not know that of its contacts.
        energy_end_of_impact_mj: At 12 ms.
        impact_end: The bodies at 12 ms.
        duration_s: Simulated time until everything lay still, at most 1.5 s.
    """

    outcome: SlamOutcome
    energy_begin_mj: float
    energy_peak_mj: float
    energy_end_of_impact_mj: float
    impact_end: ImpactEnd
    duration_s: float

    @property
    def gains_energy(self) -> bool:
        """The energy rose more than `ENERGY_TOLERANCE` above what it began with."""
        return self.energy_peak_mj > self.energy_begin_mj * (1 + ENERGY_TOLERANCE)


class Run3D(Protocol):
    """Bodies on their way in one of the engines.

    Attributes:
        time_s: Since the start.
        begin_nj: Mechanical energy at the start.
    """

    time_s: float
    begin_nj: float

    @property
    def energy_nj(self) -> float:
        """Mechanical energy now."""

    @property
    def peak_nj(self) -> float:
        """The highest sampled."""

    def advance(self, span_s: float) -> None:
        """Move on."""

    def soften(self) -> None:
        """Go on with the larger steps and softer contacts of the settling."""

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""

    def have_met(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, ever touched."""


def follow(run: Run3D, scene: Scene, throw: Throw) -> Reference3D:
    """Follow a throw that has just begun until everything lies still, for at most 1.5 s."""
    run.advance(IMPACT_S)
    end_of_impact_nj = run.energy_nj
    end = impact_end(run.bodies())
    run.soften()
    looks_at_rest = 0
    while looks_at_rest < _LOOKS_AT_REST and run.time_s < _LONGEST_S:
        run.advance(_LOOK_EVERY_S)
        at_rest = _lie_still(run.bodies(), scene.arena.half_side_mm)
        looks_at_rest = looks_at_rest + 1 if at_rest else 0
    last = run.bodies()
    slammer = len(scene.stack)
    hit = slammer > 0 and run.have_met(slammer - 1, slammer)
    return Reference3D(
        outcome=outcome_from_3d(
            scene, throw, hit=hit, middle_mm=last.middle_mm, normal=last.normal
        ),
        energy_begin_mj=run.begin_nj / NJ_PER_MJ,
        energy_peak_mj=run.peak_nj / NJ_PER_MJ,
        energy_end_of_impact_mj=end_of_impact_nj / NJ_PER_MJ,
        impact_end=end,
        duration_s=run.time_s,
    )


def impact_end(bodies: Bodies3D) -> ImpactEnd:
    """Return what is kept of the bodies at the end of an impact.

    Example:
        >>> from physics.solid.bodies import starting_bodies
        >>> from physics import Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=())
        >>> spinning = Throw(speed_mm_s=5000.0, rate_x_rad_s=3.0, rate_z_rad_s=20.0)
        >>> end = impact_end(starting_bodies(scene, spinning))
        >>> end.tumble_rad_s.tolist(), end.spin_rad_s.tolist()
        ([[3.0, 0.0, 0.0]], [20.0])
    """
    spin = np.sum(bodies.rate_rad_s * bodies.normal, axis=1)
    return ImpactEnd(
        middle_mm=bodies.middle_mm,
        normal=bodies.normal.copy(),
        velocity_mm_s=bodies.velocity_mm_s.copy(),
        tumble_rad_s=bodies.rate_rad_s - spin[:, np.newaxis] * bodies.normal,
        spin_rad_s=spin,
    )


def _lie_still(bodies: Bodies3D, half_side_mm: float) -> bool:
    speed = np.sqrt(np.sum(bodies.velocity_mm_s**2, axis=1))
    motion = speed + PIECE_RADIUS_MM * np.sqrt(np.sum(bodies.rate_rad_s**2, axis=1))
    gone = np.abs(bodies.position_mm[:, :2]).max(axis=1) > half_side_mm + _GONE_MM
    return bool(((motion < _REST_MM_S) | gone).all())
