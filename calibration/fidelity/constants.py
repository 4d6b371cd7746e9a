"""The model's own constants that are fitted to the reference set."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from physics import ParameterSet


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeConstant:
    """A constant that may be fitted.

    Attributes:
        section: materials or lift_off.
        name: The field in it.
        low: Lowest value that is looked at.
        high: Highest value.
    """

    section: str
    name: str
    low: float
    high: float

    def value_in(self, parameters: ParameterSet) -> float:
        """Return the constant's value in a set of parameters."""
        value: float = getattr(getattr(parameters, self.section), self.name)
        return value


FREE: tuple[FreeConstant, ...] = (
    FreeConstant(section="lift_off", name="strength", low=-0.4, high=0.4),
    FreeConstant(section="lift_off", name="drift", low=0.05, high=0.3),
    FreeConstant(section="lift_off", name="spin_ratio", low=0.1, high=0.7),
    FreeConstant(section="materials", name="rolling_friction", low=0.0, high=0.3),
)
"""What the plane cannot show. Restitution and friction are not among them: they are the same in
the engines, so the reference cannot tell them."""


def with_constants(parameters: ParameterSet, values: Sequence[float]) -> ParameterSet:
    """Return parameters with the values of all `FREE` constants.

    Example:
        >>> values = [constant.value_in(ParameterSet()) for constant in FREE]
        >>> with_constants(ParameterSet(), values) == ParameterSet()
        True
    """
    for constant, value in zip(FREE, values, strict=True):
        section = replace(getattr(parameters, constant.section), **{constant.name: float(value)})
        parameters = replace(parameters, **{constant.section: section})
    return parameters
