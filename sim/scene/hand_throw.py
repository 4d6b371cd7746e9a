"""A throw that a person sets up: its aim, speed, direction and tilt.

`throw_of` makes the `Throw` of it; `pucklab.sim.odds.study.throw_again` adds the chance of a trial.
`SETTINGS` are the numbers that a page lets people set.
"""

import math
from dataclasses import asdict, replace
from typing import NamedTuple, TypeVar

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.physics import Throw

MAX_AIM_MM = 60.0
"""Largest distance between aim and centre: far enough to miss."""


@fact
class Flick:
    """The numbers of a throw that a flick sets."""

    aim_x_mm: float = limits(-MAX_AIM_MM, MAX_AIM_MM, "mm", default=0.0)  # at the stack's height
    aim_y_mm: float = limits(-MAX_AIM_MM, MAX_AIM_MM, "mm", default=0.0)
    speed_m_s: float = limits(0.5, 10, "m/s", default=5.0)
    direction_deg: float = limits(-180, 180, "deg", default=0.0)  # from above: 0 is +x, 90 is +y


@fact
class AimedThrow(Flick):
    """A throw as a person aims it."""

    tilt_deg: float = limits(0, 60, "deg", default=10.0)  # between slammer and floor
    # Its low side: 0 away from the thrower, 90 left, -90 right.
    tilt_to_deg: float = limits(-180, 180, "deg", default=0.0)
    descent_deg: float = limits(0, 75, "deg", default=15.0)  # between its path and the vertical


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


class Setting(NamedTuple):
    """A number of a throw by hand, as a slider shows it."""

    name: str  # field of `AimedThrow`
    label: str
    low: float
    high: float
    step: float  # values are multiples of it
    unit: str  # written after the value


Aimed = TypeVar("Aimed", bound=AimedThrow)

SETTINGS = (
    Setting("speed_m_s", "speed", 0.5, 10, 0.1, " m/s"),
    Setting("direction_deg", "direction", -180, 180, 5, "°"),
    Setting("descent_deg", "descent", 0, 75, 1, "°"),
    Setting("tilt_deg", "tilt", 0, 60, 1, "°"),
    Setting("tilt_to_deg", "tilted towards", -180, 180, 5, "°"),
)


def set_to(hand: Aimed, setting: Setting, value: float) -> Aimed:
    """Return a throw with one number set, rounded to its step and limited to its range."""
    number = round(value / setting.step) * setting.step
    number = min(max(number, setting.low), setting.high)
    return replace(hand, **{setting.name: round(number, 3)})


def with_flick(hand: Aimed, flick: Flick) -> Aimed:
    """Return a throw as it is set up, with the numbers of a flick."""
    return replace(hand, **asdict(flick))
