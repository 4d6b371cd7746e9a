"""Numerical presets: how finely a slam is computed."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from physics.checks import InputError, check_count, check_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Time steps and solver iterations of the two stages that are integrated.

    Attributes:
        name: What the preset is called.
        plate_frequency_rad_s: Angular frequency of a split puck's plates against each other,
            sqrt(4 k / m); a lying slammer is as stiff as a puck. How stiff pucks are is not known:
            this is a choice of model, and lift-off makes up for what it changes.
        impact_step_s: Time step of the impact; frequency times step must stay below .5.
        impact_iterations: Solver iterations a step of the impact.
        settle_step_s: Time step of the settling.
        settle_iterations: Solver iterations a step of the settling.
    """

    name: str
    plate_frequency_rad_s: float
    impact_step_s: float
    impact_iterations: int
    settle_step_s: float
    settle_iterations: int

    def __post_init__(self) -> None:
        """Check every field."""
        check_number(
            "plate_frequency_rad_s", self.plate_frequency_rad_s, low=1e4, high=2e5, unit="rad/s"
        )
        check_number("impact_step_s", self.impact_step_s, low=1e-7, high=5e-5, unit="s")
        check_number("settle_step_s", self.settle_step_s, low=1e-5, high=5e-3, unit="s")
        check_count("impact_iterations", self.impact_iterations, low=1, high=200)
        check_count("settle_iterations", self.settle_iterations, low=1, high=200)
        if self.plate_frequency_rad_s * self.impact_step_s > 0.5:
            raise InputError(
                f"impact_step_s: {self.impact_step_s!r} is not accepted; give at most "
                f"{0.5 / self.plate_frequency_rad_s:.3g} s, half over the plate frequency"
            )


PLATE_FREQUENCY_RAD_S = 31_622.8
"""sqrt(4 k / m) for k = 3.75e5 N/m and the standard 1.5 g puck."""

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="reference",
                plate_frequency_rad_s=44_721.4,
                impact_step_s=5e-6,
                impact_iterations=20,
                settle_step_s=0.5e-3,
                settle_iterations=30,
            ),
            Preset(
                name="recommended",
                plate_frequency_rad_s=PLATE_FREQUENCY_RAD_S,
                impact_step_s=15e-6,
                impact_iterations=8,
                settle_step_s=2e-3,
                settle_iterations=10,
            ),
            Preset(
                name="fast",
                plate_frequency_rad_s=PLATE_FREQUENCY_RAD_S,
                impact_step_s=15e-6,
                impact_iterations=8,
                settle_step_s=3e-3,
                settle_iterations=5,
            ),
        )
    }
)
"""The shipped presets by name, from slow and fine to fast."""


def preset(name: str) -> Preset:
    """Return the preset of that name.

    Raises:
        InputError: There is none.

    Example:
        >>> preset("fast").impact_iterations
        8
    """
    if name not in PRESETS:
        raise InputError(f"preset: {name!r} is not accepted; give one of {', '.join(PRESETS)}")
    return PRESETS[name]
