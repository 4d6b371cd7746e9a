"""An energy-clean 3-D engine: every contact is a spring with memory, a damper and a slider.

Pieces are rigid; the springs between them carry the shock through the stack. An impact takes
small steps; when its springs are empty, settling goes on with larger steps and softer springs.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.solid.bodies import Bodies3D, mechanical_energy_nj, starting_bodies
from calibration.reference3d import Reference3D, follow
from physics import Scene, Throw
from physics.checks import check_number, check_parameters, parameter
from physics.pieces import PIECE_RADIUS_MM
from physics.units import GRAVITY_MM_S2

if TYPE_CHECKING:
    from calibration.penalty_state import Bodies, Law, Memory, Points

_EMPTY_SHARE = 1e-4
"""Springs that hold less than this share of the throw's energy are empty."""

_LONGEST_WAIT_S = 8e-3
_WAIT_S = 0.5e-3
_SAMPLE_EVERY = 20
_RINGS = ((1.0, 36), (0.75, 12), (0.5, 8), (0.25, 6), (0.0, 1))
"""Rings of points on a face: radius over the piece's, and how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltySettings:
    """What the penalty engine chooses: no measurement fixes it.

    Attributes:
        stiffness_g_s2: Of two faces against each other. The default is two springs of 7.5e5 N/m,
            as in the planar reference preset.
        shear_share: Tangential over normal stiffness. The default is that of an elastic
            half-space, 2 (1 - nu) / (2 - nu) (Mindlin); a large share makes Coulomb's friction
            rigid, as it is in MuJoCo and in the plane.
        impact_step_s: Time step of the impact.
        settle_share: Stiffness in the settling over that in the impact.
        settle_step_s: Time step of the settling.
        still_mm_s: A piece slower than this for 20 ms of the settling, its rim's speed about its
            centre added, sleeps until one that moves touches it.
    """

    stiffness_g_s2: float = parameter(
        1.5e9,
        low=1e8,
        high=1e12,
        unit="g/s2",
        source="chosen: as the planar model's reference preset",
    )
    shear_share: float = parameter(
        0.8, low=0.05, high=50.0, source="Mindlin: .65 to .85 for Poisson's ratios of .3 to .5"
    )
    impact_step_s: float = parameter(
        2e-6, low=1e-8, high=1e-5, unit="s", source="half of it changes no figure"
    )
    settle_share: float = parameter(
        0.16,
        low=1e-3,
        high=1.0,
        source="a quarter of it adds .2 flips at 12 g and 5 m/s",
    )
    settle_step_s: float = parameter(
        10e-6,
        low=1e-8,
        high=5e-5,
        unit="s",
        source="half of it leaves the energy of a throw the same to 1 % until the pucks land",
    )
    still_mm_s: float = parameter(
        20.0, low=0.0, high=100.0, unit="mm/s", source="slides on for .06 mm"
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_parameters(self)


def run_penalty(scene: Scene, throw: Throw, settings: PenaltySettings | None = None) -> Reference3D:
    """Throw the scene's slammer at its stack, in the penalty engine.

    Raises:
        InputError: The throw was drawn for a smaller or larger stack.
        MissingExtraError: numba is not installed.
    """
    return follow(PenaltyRun(scene, starting_bodies(scene, throw), settings), scene, throw)


class PenaltyRun:
    """Bodies on their way, and what their contacts remember.

    Example:
        >>> from physics import Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=())
        >>> run = PenaltyRun(scene, starting_bodies(scene, Throw(speed_mm_s=5000.0)))
        >>> run.advance(1e-3)
        >>> run.energy_nj < run.begin_nj
        True
    """

    def __init__(
        self, scene: Scene, bodies: Bodies3D, settings: PenaltySettings | None = None
    ) -> None:
        """Put bodies into a scene's box.

        Args:
            scene: The scene; only its arena and its materials count.
            bodies: The bodies.
            settings: What the engine chooses.
        """
        from calibration import penalty_kernel

        self._kernel = penalty_kernel
        self._start = bodies
        self._bodies = _kernel_bodies(bodies)
        self._memory = _kernel_memory(len(bodies.mass_g))
        self._points = _points()
        self._settings = settings or PenaltySettings()
        self._law = _law(scene, self._settings)
        self._step_s = self._settings.impact_step_s
        self.time_s = 0.0
        self.begin_nj = self.peak_nj = self.energy_nj = mechanical_energy_nj(bodies)
        self.springs_nj = 0.0

    def advance(self, span_s: float) -> None:
        """Move on by at least 20 steps; the energy is sampled every 20th."""
        samples = max(1, round(span_s / self._step_s / _SAMPLE_EVERY))
        steps = samples * _SAMPLE_EVERY
        energies = np.zeros((samples, 2))
        self._kernel.advance(
            self._bodies,
            self._memory,
            self._points,
            self._law,
            self._step_s,
            steps,
            energies,
            _SAMPLE_EVERY,
        )
        self.time_s += steps * self._step_s
        self.energy_nj, self.springs_nj = energies[-1].tolist()
        self.peak_nj = max(self.peak_nj, float(energies[:, 0].max()))

    def soften(self) -> None:
        """Go on with larger steps and softer springs.

        It waits until the springs are all but empty: what they hold is lost.
        """
        latest_s = self.time_s + _LONGEST_WAIT_S
        while self.springs_nj > _EMPTY_SHARE * self.begin_nj and self.time_s < latest_s:
            self.advance(_WAIT_S)
        softer = self._settings.settle_share
        self._law = self._law._replace(
            stiffness=self._law.stiffness * softer,
            shear_stiffness=self._law.shear_stiffness * softer,
            still_mm_s=self._settings.still_mm_s,
        )
        self._step_s = self._settings.settle_step_s

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        count = len(self._start.mass_g)
        return replace(
            self._start,
            position_mm=self._bodies.position[:count].copy(),
            rotation=self._bodies.rotation[:count].copy(),
            velocity_mm_s=self._bodies.velocity[:count].copy(),
            rate_rad_s=self._bodies.rate[:count].copy(),
        )

    def have_met(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, ever touched."""
        return bool(self._memory.met[first, second])


def contact_damping_ratio(restitution: float) -> float:
    """Return the damping ratio of a contact spring that only pushes, by its restitution.

    Such a contact ends as its force reaches zero, before the spring is at its full length again:
    e = exp(-z / s (pi - atan2(2 z s, 1 - 2 z2))) with s = sqrt(1 - z2), and for z above 1
    e = exp(-z / s ln((z + s) / (z - s))) with s = sqrt(z2 - 1) (Schwager and Poeschel 2007).

    Example:
        >>> round(contact_damping_ratio(0.5), 4)
        0.2553
    """
    check_number("restitution", restitution, low=1e-3, high=1.0)
    low, high = 0.0, 1e3
    for _ in range(100):
        middle = (low + high) / 2
        if _restitution(middle) > restitution:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _restitution(ratio: float) -> float:
    if ratio < 1:
        s = math.sqrt(1 - ratio**2)
        return math.exp(-ratio / s * (math.pi - math.atan2(2 * ratio * s, 1 - 2 * ratio**2)))
    if ratio == 1:
        return math.exp(-2)
    s = math.sqrt(ratio**2 - 1)
    return math.exp(-ratio / s * math.log((ratio + s) / (ratio - s)))


def _kernel_bodies(bodies: Bodies3D) -> "Bodies":
    from calibration.penalty_state import Bodies

    force = np.zeros_like(bodies.position_mm)
    force[:, 2] = -bodies.mass_g * GRAVITY_MM_S2
    spin = np.sum(bodies.rate_rad_s * bodies.normal, axis=1)
    momentum = bodies.moment_diameter_g_mm2[:, np.newaxis] * bodies.rate_rad_s
    hoop = bodies.moment_axis_g_mm2 - bodies.moment_diameter_g_mm2
    momentum += (hoop * spin)[:, np.newaxis] * bodies.normal
    return Bodies(
        position=_with_world(bodies.position_mm),
        middle=_with_world(bodies.middle_mm),
        velocity=_with_world(bodies.velocity_mm_s),
        rotation=np.concatenate((bodies.rotation, np.eye(3)[np.newaxis])),
        momentum=_with_world(momentum),
        rate=_with_world(bodies.rate_rad_s),
        force=_with_world(force),
        torque=_with_world(np.zeros_like(force)),
        inverse_mass=_with_world(1 / bodies.mass_g),
        inverse_diameter=_with_world(1 / bodies.moment_diameter_g_mm2),
        inverse_axis=_with_world(1 / bodies.moment_axis_g_mm2),
        half_mm=_with_world(bodies.thickness_mm / 2),
        centre_mm=_with_world(bodies.centre_mm),
    )


def _with_world(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows of bodies with a row of zeros, the world's, behind them."""
    return np.concatenate((rows, np.zeros((1, *rows.shape[1:]))))


def _kernel_memory(count: int) -> "Memory":
    from calibration.penalty_state import WORLD_PATCHES, Memory

    points = len(_points().x_mm)
    others = count + WORLD_PATCHES - 1
    patches = count * (count + WORLD_PATCHES)
    return Memory(
        surface=np.zeros((count, others, points), dtype=np.int8),
        offset_mm=np.zeros((count, others, points)),
        busy=np.zeros((count, others, 3), dtype=np.bool_),
        slip_mm=np.zeros((patches, 3)),
        turn_mm=np.zeros(patches),
        sticks=np.zeros(patches, dtype=np.bool_),
        met=np.zeros((count, count), dtype=np.bool_),
        still=np.zeros(count, dtype=np.int64),
        asleep=np.zeros(count, dtype=np.bool_),
        found=np.zeros((2 * points, 8)),
    )


@lru_cache(maxsize=1)
def _points() -> "Points":
    """Return the points of a piece: rings on each face, and one around the middle of the side.

    A point's weight is the area that is nearest to its ring, shared by the ring's points.
    """
    from calibration.penalty_state import Points

    radii = [radius for radius, _ in _RINGS]
    borders = [1.0, *((a + b) / 2 for a, b in pairwise(radii)), 0.0]
    face = [
        (radius * math.cos(angle), radius * math.sin(angle), (outer**2 - inner**2) / count)
        for (radius, count), outer, inner in zip(_RINGS, borders, borders[1:], strict=False)
        for angle in (2 * math.pi * i / count for i in range(count))
    ]
    rim = face[: _RINGS[0][1]]
    table = np.array(face + rim + face)
    return Points(
        x_mm=PIECE_RADIUS_MM * table[:, 0],
        y_mm=PIECE_RADIUS_MM * table[:, 1],
        weight=table[:, 2].copy(),
        first=np.cumsum([0, len(face), len(rim), len(face)]),
    )


def _law(scene: Scene, settings: PenaltySettings) -> "Law":
    from calibration.penalty_state import Law

    return Law(
        stiffness=settings.stiffness_g_s2,
        shear_stiffness=settings.shear_share * settings.stiffness_g_s2,
        damping_ratio=contact_damping_ratio(scene.materials.restitution),
        friction=scene.materials.friction,
        half_side_mm=scene.arena.half_side_mm,
        wall_height_mm=scene.arena.wall_height_mm,
        still_mm_s=0.0,
    )
