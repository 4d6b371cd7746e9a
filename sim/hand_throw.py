"""A throw that a person sets up: its aim, speed, direction and tilt, as files keep it.

`throw_of` makes the `Throw` of it; `sim.odds.study.throw_again` adds the chance of a trial.
"""

import math

from physics import Throw
from physics.errors import limits
from physics.facts import fact

MAX_AIM_MM = 60.0
"""Largest distance between aim and centre: far enough to miss."""


@fact
class AimedThrow:
    """A throw as a person aims it."""

    aim_x_mm: float = limits(-MAX_AIM_MM, MAX_AIM_MM, "mm", default=0.0)  # at the stack's height
    aim_y_mm: float = limits(-MAX_AIM_MM, MAX_AIM_MM, "mm", default=0.0)
    speed_m_s: float = limits(0.5, 10, "m/s", default=5.0)
    tilt_deg: float = limits(0, 60, "deg", default=10.0)  # between slammer and floor
    # Its low side: 0 away from the thrower, 90 left, -90 right.
    tilt_to_deg: float = limits(-180, 180, "deg", default=0.0)
    descent_deg: float = limits(0, 75, "deg", default=15.0)  # between its path and the vertical
    direction_deg: float = limits(-180, 180, "deg", default=0.0)  # from above: 0 is +x, 90 is +y


def throw_of(aimed: AimedThrow) -> Throw:
    """Return a throw exactly as it is aimed."""
    return Throw(
        speed_mm_s=1000 * aimed.speed_m_s,
        aim_x_mm=aimed.aim_x_mm,
        aim_y_mm=aimed.aim_y_mm,
        descent_rad=math.radians(aimed.descent_deg),
        direction_rad=math.radians(aimed.direction_deg),
        tilt_rad=math.radians(aimed.tilt_deg),
        # The low side is a quarter turn behind the axis of the tilt, and turns with the throw.
        tilt_azimuth_rad=math.radians(aimed.tilt_to_deg + aimed.direction_deg + 90),
    )
