"""The thrower: a distribution of throws, and one throw drawn from it.

All random numbers of a slam are drawn here, so that a slam is a function of its scene and throw. No
measurements of real throws exist; every default is an assumption and is marked as such.
"""

import math
from functools import partial
from typing import TYPE_CHECKING

from pucklab.base.errors import (
    InputError,
    check_count,
    check_limits,
    limits,
    parameter,
)
from pucklab.base.facts import fact

if TYPE_CHECKING:
    import numpy as np

_assumed = partial(parameter, source="assumed; no measured throws exist")
MAX_TILT_DEG = 60.0
"""Largest tilt that is drawn."""

MAX_LUCK = 2**53 - 1
"""Greatest seed that JSON readers of all languages keep."""


@fact
class ThrowDistribution:
    """Distribution of a person's throws.

    Attributes:
        speed_mm_s: Speed of the slammer as it reaches the stack.
        aim_sd_mm: Standard deviation of the aim point on each axis, at the top of the stack.
        descent_min_deg: Steepest descent, measured from the vertical.
        descent_max_deg: Flattest descent; angles between are equally likely.
        tilt_sd_deg: Spread of the slammer's tilt, |N(0, sd)| cut at 60 degrees, about a
            horizontal axis of any direction.
        tumble_sd_rad_s: Standard deviation of the slammer's rate about each horizontal axis.
        spin_sd_rad_s: Standard deviation of its rate about the vertical.
        stack_jitter_sd_mm: Standard deviation, on each axis, of the off-centre position of each
            puck in the stack.
        direction_deg: Direction of all throws from above: 0 is +x, 90 is +y.

    Example:
        >>> careful = ThrowDistribution(aim_sd_mm=8.0, tilt_sd_deg=8.0)
        >>> careful.speed_mm_s
        5000.0
    """

    speed_mm_s: float = _assumed(5000.0, low=500.0, high=10_000.0, unit="mm/s", uncertainty=1500.0)
    aim_sd_mm: float = _assumed(12.0, low=0.0, high=100.0, unit="mm", uncertainty=4.0)
    descent_min_deg: float = _assumed(0.0, low=0.0, high=75.0, unit="deg", uncertainty=5.0)
    descent_max_deg: float = _assumed(30.0, low=0.0, high=75.0, unit="deg", uncertainty=10.0)
    tilt_sd_deg: float = _assumed(15.0, low=0.0, high=60.0, unit="deg", uncertainty=7.0)
    tumble_sd_rad_s: float = _assumed(10.0, low=0.0, high=100.0, unit="rad/s", uncertainty=5.0)
    spin_sd_rad_s: float = _assumed(20.0, low=0.0, high=300.0, unit="rad/s", uncertainty=10.0)
    stack_jitter_sd_mm: float = _assumed(0.4, low=0.0, high=5.0, unit="mm", uncertainty=0.2)
    direction_deg: float = parameter(
        0.0, low=-180.0, high=180.0, unit="deg", uncertainty=0.0, source="chosen freely"
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_limits(self)
        if self.descent_min_deg > self.descent_max_deg:
            raise InputError(
                f"descent_min_deg: {self.descent_min_deg!r} is not accepted; "
                f"give at most descent_max_deg, {self.descent_max_deg:g}"
            )


CAREFUL_THROWER = ThrowDistribution(aim_sd_mm=8.0, tilt_sd_deg=8.0)
"""A careful thrower: aim within 8 mm instead of 12, tilt within 8 degrees instead of 15."""


@fact
class Throw:
    """One throw: the slammer's state at the stack, and the offsets of the stack's pieces.

    The thrower stands towards -x: the slammer moves along +x and down, unless ``direction_rad``
    says otherwise.

    Attributes:
        speed_mm_s: Speed, .5 to 10 m/s.
        aim_x_mm: Position of the slammer's centre at the height of the stack's top, x.
        aim_y_mm: The same, y.
        descent_rad: Angle of the velocity from the vertical.
        tilt_rad: Angle between the slammer's face normal and the vertical.
        tilt_azimuth_rad: Direction of the horizontal axis about which it is tilted.
        rate_x_rad_s: Angular velocity about x.
        rate_y_rad_s: Angular velocity about y.
        rate_z_rad_s: Angular velocity about z.
        jitter_mm: Off-centre position, x and y, of each piece of the stack from the floor up; empty
            for none.
        luck: Seed of the random numbers for what an engine does not compute; 0 stands for their
            mean. The solid engine draws none.
        direction_rad: Direction of the velocity from above, counter-clockwise from +x.

    Example:
        >>> flat = Throw(speed_mm_s=5000.0)
        >>> flat.tilt_rad
        0.0
    """

    speed_mm_s: float = limits(500.0, 10_000.0, "mm/s")
    aim_x_mm: float = limits(-1000.0, 1000.0, "mm", default=0.0)
    aim_y_mm: float = limits(-1000.0, 1000.0, "mm", default=0.0)
    descent_rad: float = limits(0.0, math.radians(75.0), "rad", default=0.0)
    tilt_rad: float = limits(0.0, math.radians(85.0), "rad", default=0.0)
    tilt_azimuth_rad: float = limits(-10.0, 10.0, "rad", default=0.0)
    rate_x_rad_s: float = limits(-2000.0, 2000.0, "rad/s", default=0.0)
    rate_y_rad_s: float = limits(-2000.0, 2000.0, "rad/s", default=0.0)
    rate_z_rad_s: float = limits(-2000.0, 2000.0, "rad/s", default=0.0)
    jitter_mm: tuple[tuple[float, float], ...] = ()
    luck: int = limits(0, MAX_LUCK, default=0)
    direction_rad: float = limits(-10.0, 10.0, "rad", default=0.0)

    @property
    def heading(self) -> tuple[float, float]:
        """Horizontal unit vector of the velocity: x and y."""
        return math.cos(self.direction_rad), math.sin(self.direction_rad)

    def __post_init__(self) -> None:
        """Check every number of the throw itself."""
        check_limits(self)

    def jitter_of(self, pieces: int) -> tuple[tuple[float, float], ...]:
        """Return the off-centre positions of a stack of ``pieces``.

        Raises:
            InputError: The throw was drawn for another stack.
        """
        if self.jitter_mm and len(self.jitter_mm) != pieces:
            raise InputError(
                f"throw: jitter of {len(self.jitter_mm)} pieces is not accepted; "
                f"the scene's stack has {pieces}"
            )
        return self.jitter_mm or ((0.0, 0.0),) * pieces


def face_normal(throw: Throw) -> tuple[float, float, float]:
    """Return the unit normal of the slammer's face."""
    tilt, axis = throw.tilt_rad, throw.tilt_azimuth_rad
    return (
        math.sin(axis) * math.sin(tilt),
        -math.cos(axis) * math.sin(tilt),
        math.cos(tilt),
    )


def trial_generator(entropy: int, trial: int) -> "np.random.Generator":
    """Return the generator of one trial: the same for every scene, process and order of work.

    Args:
        entropy: The study's seed, a whole number from 0.
        trial: The trial's number, from 0.
    """
    check_count("seed", entropy, low=0, high=2**128 - 1)
    import numpy as np

    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(trial,)))


def draw_throw(thrower: ThrowDistribution, pieces: int, rng: "np.random.Generator") -> Throw:
    """Draw one throw at a stack of ``pieces``.

    The slammer's state is drawn first, then the pieces from the floor up: generators in the same
    state give the same throw for every stack, and the same numbers to pieces that two stacks share.

    Example:
        >>> a = draw_throw(ThrowDistribution(), 10, trial_generator(7, 0))
        >>> b = draw_throw(ThrowDistribution(), 12, trial_generator(7, 0))
        >>> a.aim_x_mm == b.aim_x_mm and a.jitter_mm == b.jitter_mm[:10]
        True
    """
    descent, azimuth = rng.random(2).tolist()
    aim_x, aim_y, tilt, rate_x, rate_y, rate_z = rng.standard_normal(6).tolist()
    luck = int(rng.integers(1, MAX_LUCK + 1))
    jitter = (thrower.stack_jitter_sd_mm * rng.standard_normal((pieces, 2))).tolist()
    low, high = thrower.descent_min_deg, thrower.descent_max_deg
    return Throw(
        speed_mm_s=thrower.speed_mm_s,
        aim_x_mm=thrower.aim_sd_mm * aim_x,
        aim_y_mm=thrower.aim_sd_mm * aim_y,
        descent_rad=math.radians(low + (high - low) * descent),
        tilt_rad=math.radians(min(abs(thrower.tilt_sd_deg * tilt), MAX_TILT_DEG)),
        tilt_azimuth_rad=2 * math.pi * azimuth,
        rate_x_rad_s=thrower.tumble_sd_rad_s * rate_x,
        rate_y_rad_s=thrower.tumble_sd_rad_s * rate_y,
        rate_z_rad_s=thrower.spin_sd_rad_s * rate_z,
        jitter_mm=tuple((x, y) for x, y in jitter),
        luck=luck,
        direction_rad=math.radians(thrower.direction_deg),
    )
