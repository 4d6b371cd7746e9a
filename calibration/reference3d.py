"""3-D reference runs: the same throws in engines that know no plane.

None of them is the truth. Some throws gain energy in MuJoCo; the solid engine gains next to none.
The differences between them are the honest band around any figure taken from them.

`EngineRun` is what runs of other engines share; `follow` takes a throw of any engine to its end.
"""

from abc import ABC, abstractmethod

import numpy as np

from physics import Scene, SlamOutcome, Throw
from physics.facts import fact
from physics.materials import NJ_PER_MJ
from physics.pieces import PIECE_RADIUS_MM
from physics.solid.bodies import Bodies3D, mechanical_energy_nj, outcome_from_3d
from physics.solid.engine import IMPACT_S, SolidRun

_WEIGH_EVERY = 20
_SETTLE_STRIDE = 5
"""Steps between looks at what touches; a contact lasts ten steps."""

_LONGEST_S = 1.5
_LOOK_EVERY_S = 5e-3
_LOOKS_AT_REST = 4
_REST_MM_S = 20.0
_GONE_MM = 30.0

ENERGY_TOLERANCE = 0.01
"""A run that ever holds more than this share above its first energy has gained energy.

It is ten times what the solid engine's integration errs by.
"""


@fact
class Reference3D:
    """One slam in a 3-D engine.

    Attributes:
        outcome: How and where every piece ended.
        energy_begin_mj: Kinetic and potential energy at the start.
        energy_peak_mj: The highest seen; the solid engine counts its springs' energy, the
            others do not know that of their contacts.
        energy_end_of_impact_mj: At 12 ms.
    """

    outcome: SlamOutcome
    energy_begin_mj: float
    energy_peak_mj: float
    energy_end_of_impact_mj: float

    @property
    def gains_energy(self) -> bool:
        """The energy rose more than `ENERGY_TOLERANCE` above what it began with."""
        return self.energy_peak_mj > self.energy_begin_mj * (1 + ENERGY_TOLERANCE)


class EngineRun(ABC):
    """Bodies on their way in another engine than the solid one.

    Attributes:
        time_s: Since the start.
        begin_nj: Mechanical energy at the start.
        energy_nj: Now, without that of the contacts; sampled every 20 steps of the impact and at
            the end of each advance.
        peak_nj: The highest sampled.
    """

    step_s: float
    stride: int = 1  # steps between looks at what touches

    def __init__(self, scene: Scene, bodies: Bodies3D) -> None:
        """Note where the pieces of a scene are and how they move; the slammer is the last one."""
        self.start = bodies
        self._half_side_mm = scene.arena.half_side_mm
        self._met = False
        self.time_s = 0.0
        self.begin_nj = self.energy_nj = self.peak_nj = mechanical_energy_nj(bodies)

    @abstractmethod
    def move(self, steps: int) -> None:
        """Move on by some steps."""

    @abstractmethod
    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""

    @abstractmethod
    def touch(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, touch now."""

    def soften(self) -> None:
        """Go on with the settling's longer steps."""
        self.stride = _SETTLE_STRIDE

    def advance(self, span_s: float) -> None:
        """Move on by at least one stride."""
        slammer = len(self.start.mass_g) - 1
        looks = max(1, round(span_s / self.step_s / self.stride))
        for look in range(1, looks + 1):
            self.move(self.stride)
            self._met = self._met or (slammer > 0 and self.touch(slammer - 1, slammer))
            if look == looks or (self.stride == 1 and look % _WEIGH_EVERY == 0):
                self.energy_nj = mechanical_energy_nj(self.bodies())
                self.peak_nj = max(self.peak_nj, self.energy_nj)
        self.time_s += looks * self.stride * self.step_s

    def settle(self) -> None:
        """Go on until everything lies still, for at most 1.5 s since the start."""
        looks_at_rest = 0
        while looks_at_rest < _LOOKS_AT_REST and self.time_s < _LONGEST_S:
            self.advance(_LOOK_EVERY_S)
            at_rest = _lie_still(self.bodies(), self._half_side_mm)
            looks_at_rest = looks_at_rest + 1 if at_rest else 0

    def have_met(self, first: int, second: int) -> bool:
        """Return whether the slammer, ``second``, ever touched the stack's top, ``first``."""
        return self._met and (first + 1, second + 1) == (second, len(self.start.mass_g))


def follow(
    run: EngineRun | SolidRun, scene: Scene, throw: Throw, *, by_solid: bool = False
) -> Reference3D:
    """Follow a throw that has just begun until everything lies still.

    Args:
        run: The run.
        scene: Its scene.
        throw: Its throw.
        by_solid: Have the solid engine go on where the impact ends.
    """
    run.advance(IMPACT_S)
    end_of_impact_nj = run.energy_nj
    last = SolidRun(scene, run.bodies()) if by_solid else run
    last.soften()
    last.settle()
    rest = last.bodies()
    slammer = len(scene.stack)
    hit = slammer > 0 and any(each.have_met(slammer - 1, slammer) for each in (run, last))
    return Reference3D(
        outcome=outcome_from_3d(
            scene, throw, hit=hit, middle_mm=rest.middle_mm, normal=rest.normal
        ),
        energy_begin_mj=run.begin_nj / NJ_PER_MJ,
        energy_peak_mj=run.peak_nj / NJ_PER_MJ,
        energy_end_of_impact_mj=end_of_impact_nj / NJ_PER_MJ,
    )


def _lie_still(bodies: Bodies3D, half_side_mm: float) -> bool:
    speed = np.sqrt(np.sum(bodies.velocity_mm_s**2, axis=1))
    motion = speed + PIECE_RADIUS_MM * np.sqrt(np.sum(bodies.rate_rad_s**2, axis=1))
    gone = np.abs(bodies.position_mm[:, :2]).max(axis=1) > half_side_mm + _GONE_MM
    return bool(((motion < _REST_MM_S) | gone).all())
