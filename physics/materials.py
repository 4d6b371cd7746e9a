"""Contact parameters, and the constants of the parts of a slam that a plane cannot show."""

import math
from dataclasses import dataclass

from physics.checks import check_parameters, parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Materials:
    """How surfaces meet: one coefficient for every pair of piece, slammer, floor and wall.

    Attributes:
        restitution: Coefficient of restitution.
        friction: Coefficient of sliding friction (Coulomb).
        rolling_friction: Effective friction of a puck thrown higher than its own radius: it
            comes down on its rim and rolls, so that it goes further than one that slides.
    """

    restitution: float = parameter(
        0.5,
        low=0.05,
        high=0.9,
        uncertainty=0.1,
        source="typical of hard plastic on wood; not measured on pucks",
    )
    friction: float = parameter(
        0.35,
        low=0.0,
        high=1.5,
        uncertainty=0.1,
        source="typical of plastic on plastic and wood; not measured on pucks",
    )
    rolling_friction: float = parameter(
        0.1,
        low=0.0,
        high=1.5,
        uncertainty=0.03,
        source="fitted to distances in 3-D rigid-body runs at 3 to 7 m/s, friction .35",
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_parameters(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftOff:
    """What happens out of the impact's plane, as statistics fitted to 3-D rigid-body runs.

    Attributes:
        azimuth_sd_rad: Spread of the direction in which a puck leaves, around the impact's plane.
        kick_fraction: Random horizontal speed per axis, as a fraction of the throw's speed.
        spin_ratio: Spin about its axis that a puck gets, as a fraction of its tumbling rate; one
            thrown higher than its radius that spins faster than half its tumbling rate keeps its
            axis and does not turn over in the air.
        offset_base: Share of the planar impact's motion that a centred hit leaves.
        offset_slope: How much that share grows with the aim's offset, per piece radius.
        offset_limit: Its upper limit.
        lateral_kept: Share of the slammer's speed across the plane that it keeps.
    """

    azimuth_sd_rad: float = parameter(
        1.0,
        low=0.0,
        high=math.pi,
        unit="rad",
        uncertainty=0.2,
        source="3-D rigid-body runs: azimuth of pucks after the impact",
    )
    kick_fraction: float = parameter(
        0.02,
        low=0.0,
        high=0.5,
        uncertainty=0.01,
        source="3-D rigid-body runs: speed of pucks that the planar impact leaves at rest",
    )
    spin_ratio: float = parameter(
        1.2,
        low=0.0,
        high=3.0,
        uncertainty=0.2,
        source="fitted to flips in 3-D runs, 12 cells of 3 to 24 g at 3 to 7 m/s; a stand-in "
        "for gyroscopic stabilisation that also hides what the planar settling over-flips",
    )
    offset_base: float = parameter(
        0.577,
        low=0.0,
        high=2.0,
        uncertainty=0.05,
        source="fitted to puck speeds after the impact in 3-D runs; empirical",
    )
    offset_slope: float = parameter(
        0.63,
        low=0.0,
        high=3.0,
        uncertainty=0.1,
        source="fitted to puck speeds after the impact in 3-D runs; empirical",
    )
    offset_limit: float = parameter(
        1.2,
        low=0.1,
        high=2.0,
        uncertainty=0.1,
        source="fitted to puck speeds after the impact in 3-D runs; empirical",
    )
    lateral_kept: float = parameter(
        0.7,
        low=0.0,
        high=1.0,
        uncertainty=0.2,
        source="assumed: friction during the impact; only moves where the slammer ends",
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_parameters(self)


def damping_ratio(restitution: float) -> float:
    """Return the damping ratio of a linear contact spring that rebounds with ``restitution``.

    From the half period of a damped oscillator: zeta = -ln e / sqrt(pi2 + ln2 e).

    Example:
        >>> round(damping_ratio(0.5), 4)
        0.2155
    """
    log = math.log(restitution)
    return -log / math.hypot(math.pi, log)
