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
            It goes on tumbling in the impact's plane, so only the part of its tilt and rate that
            is along its own way turns it over.
        kick_fraction: Random horizontal speed per axis, as a fraction of the throw's speed.
        spin_ratio: Spin about its axis that a puck gets, as a fraction of its tumbling rate. A disc
            that spins faster than half the rate that would turn it over keeps its axis: its
            moment about the axis is twice that about a diameter.
        lateral_kept: Share of the slammer's speed across the plane that it keeps.
    """

    azimuth_sd_rad: float = parameter(
        1.0,
        low=0.0,
        high=math.pi,
        unit="rad",
        uncertainty=0.2,
        source="3-D rigid-body runs: azimuths after the impact, and the share of the tumbling "
        "rate that is along a puck's way (quartiles .45, .77, .93)",
    )
    kick_fraction: float = parameter(
        0.02,
        low=0.0,
        high=0.5,
        uncertainty=0.01,
        source="3-D rigid-body runs: speed of pucks that the planar impact leaves at rest",
    )
    spin_ratio: float = parameter(
        0.35,
        low=0.0,
        high=3.0,
        uncertainty=0.1,
        source="3-D rigid-body runs (3, 12 and 24 g, 3 to 7 m/s): spin over tumbling rate has its "
        "median at .15 to .20, its third quartile at .31 to .40, its last tenth from .66 to .76",
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
