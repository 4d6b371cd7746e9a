"""Settings of the solid engine: its material's stiffness, its steps, and its rules of rest."""

from functools import partial

from pucklab.base.errors import (
    Checked,
    limits,
    parameter,
)
from pucklab.base.facts import fact

_TRIALS = "chosen so that 1,000 throws of six cells keep their statistics; tests measure its cost"

_numeric = partial(parameter, uncertainty=0.0, source=_TRIALS)


@fact
class SolidSettings(Checked):
    """Choices of the solid engine.

    The first three belong to the material and are part of the model's uncertainty: results do not
    converge in them. The others are numerical; the defaults are the fast ones, `REFERENCE` the
    careful ones.

    Attributes:
        stiffness: Of all contacts of the impact, over that of the pieces' materials.
        exponent: Of the norm of depths, 3 or 4; see `pucklab.physics.solid.contact_laws`.
        shear_share: Tangential over normal stiffness.
        impact_phase: Time step of the impact, times the highest angular frequency of two pieces'
            faces, or a piece and the floor.
        later_phase: The same from 3 ms on, when the stack has come apart; 2 ms after the slammer
            has met the stack, if that is later.
        softening: Angular frequency of any piece flat on the floor, after the blow, times the time
            since the start: its contacts are as stiff as its mass asks for.
        settle_rate_rad_s: The lowest such frequency.
        sag_mm: Penetration of all contacts together under the weight that they bear, when they
            soften; pieces swing beyond it by as much.
        settle_phase: Time step of the settling, times that frequency.
        longest_wait: Most steps for which the distance of two bodies is not checked.
        coarse_points: Whether discs have fewer contact points in the settling.
        rest_s: Time for which a body has to be slow before it sleeps.
        rest_height_mm: Kinetic energy over m g below which a body that lies is at rest.
        slow_height_mm: The same of a body that lies nearly flat and stays where it is; 0 for never.
        slow_tilt_deg: Largest tilt from flat of such a body.
        slow_drift_mm: Largest distance it may move meanwhile.
        wake_height_mm: Kinetic energy over m g from which on a body wakes a sleeper it touches.
        decided_share: A body with room on the floor is laid flat if its energy over m g, from where
            it would lie, and that of awake neighbours are below this share of its radius; 0 for
            never. To turn over it needs 1.
        decided_drift_mm: Largest distance it may move meanwhile.
    """

    stiffness: float = parameter(
        1.0,
        low=1e-3,
        high=1e3,
        uncertainty=0.6,
        source="rims: 2 to 3 GPa, and dents half to 1.5 times as wide as a disc is thick",
    )
    exponent: int = parameter(
        4,
        low=3,
        high=4,
        uncertainty=1,
        source="4 resists tilting as a rigid punch on a half-space does; 3 lets rims give way less",
    )
    shear_share: float = parameter(
        0.8,
        low=0.05,
        high=50.0,
        uncertainty=0.1,
        source="Mindlin's half-space, 2 (1 - nu) / (2 - nu): .67 to .82 for nu = .3 to .5",
    )
    impact_phase: float = _numeric(
        0.3, low=1e-3, high=0.9, source="1.7 us for pucks of 1.5 g; " + _TRIALS
    )
    later_phase: float = _numeric(0.8, low=1e-3, high=0.9)
    softening: float = _numeric(
        96.0,
        low=10.0,
        high=1e4,
        unit="rad",
        source="a collision lasts a thirtieth of the time since the start; " + _TRIALS,
    )
    settle_rate_rad_s: float = _numeric(4e3, low=1e3, high=1e6, unit="rad/s")
    sag_mm: float = _numeric(0.025, low=1e-4, high=1.0, unit="mm", source="a sixtieth of a puck")
    settle_phase: float = _numeric(0.6, low=1e-3, high=0.9, source="150 us; " + _TRIALS)
    longest_wait: int = limits(0, 20, default=16)
    coarse_points: bool = True
    rest_s: float = _numeric(
        20e-3,
        low=1e-3,
        high=1.0,
        unit="s",
        source="nothing that flies is slow for so long, not even at the top of its way",
    )
    rest_height_mm: float = _numeric(
        0.02, low=0.0, high=1.0, unit="mm", source="20 mm/s: slides on for .06 mm"
    )
    slow_height_mm: float = _numeric(1.5, low=0.0, high=10.0, unit="mm")
    slow_tilt_deg: float = _numeric(31.8, low=0.0, high=60.0, unit="deg")
    slow_drift_mm: float = _numeric(1.0, low=0.0, high=20.0, unit="mm")
    wake_height_mm: float = _numeric(1.5, low=0.0, high=10.0, unit="mm")
    decided_share: float = _numeric(
        0.75,
        low=0.0,
        high=1.0,
        source="energy: a disc turns over only through standing on its rim, R high",
    )
    decided_drift_mm: float = _numeric(1.2, low=0.0, high=20.0, unit="mm")


FAST = SolidSettings()
"""The settings of `pucklab.physics.slam`."""

REFERENCE = SolidSettings(
    impact_phase=0.15,
    later_phase=0.3,
    softening=400.0,
    settle_rate_rad_s=8e3,
    settle_phase=0.1,
    longest_wait=0,
    coarse_points=False,
    slow_height_mm=0.0,
    wake_height_mm=0.02,
    decided_share=0.0,
)
"""The settings of the lab's reference: no shortcut but that bodies sleep when they lie still."""
