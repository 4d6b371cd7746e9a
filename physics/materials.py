"""Contact parameters, and the constants of the parts of a slam that a plane cannot show."""

import math
from dataclasses import dataclass

from physics.checks import check_parameters, parameter

_FITTED = "fitted to two 3-D engines; see calibration/data/constants.toml"


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
        0.0554,
        low=0.0,
        high=1.5,
        uncertainty=0.0091,
        source=_FITTED,
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_parameters(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftOff:
    """What happens out of the impact's plane, as statistics fitted to 3-D rigid-body runs.

    A puck's scatter is random motion out of the impact: its scale is the geometric mean of the
    puck's own vertical speed and the stack's (root mean square).

    Attributes:
        strength_sd: Spread, from throw to throw, of the logarithm of the speeds with which the
            pieces of the stack leave, beyond what the plane shows.
        scatter: Scatter of the horizontal velocity per axis, over that scale, of a slammer that
            hits flat.
        scatter_by_tilt: What the sine of the slammer's tilt adds to it.
        tumble_kept: Share of the planar tumbling that a puck keeps.
        tumble_scatter: Scatter of the speed of its rim by tumbling, per axis, over that scale.
        spin_ratio: Spin about its axis that a puck gets, as a fraction of its tumbling rate: the
            scale of a half-normal distribution.
        lateral_kept: Share of the slammer's speed across the plane that it keeps.
    """

    strength_sd: float = parameter(
        0.382,
        low=0.0,
        high=1.0,
        uncertainty=0.025,
        source=_FITTED,
    )
    scatter: float = parameter(
        0.02042,
        low=0.0,
        high=1.0,
        uncertainty=0.012,
        source=_FITTED,
    )
    scatter_by_tilt: float = parameter(
        0.6677,
        low=0.0,
        high=3.0,
        uncertainty=0.069,
        source=_FITTED,
    )
    tumble_kept: float = parameter(
        0.3228,
        low=0.0,
        high=1.0,
        uncertainty=0.073,
        source=_FITTED,
    )
    tumble_scatter: float = parameter(
        0.8102,
        low=0.0,
        high=2.0,
        uncertainty=0.045,
        source=_FITTED,
    )
    spin_ratio: float = parameter(
        0.3573,
        low=0.0,
        high=3.0,
        uncertainty=0.016,
        source=_FITTED,
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
