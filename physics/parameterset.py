"""The parameters that a person may want to fit or to set, as one value."""

from dataclasses import dataclass, field

from physics.materials import LiftOff, Materials
from physics.thrower import ThrowDistribution


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterSet:
    """Everything about a slam that is neither geometry nor numerics.

    Attributes:
        materials: Contact parameters.
        lift_off: Constants of what leaves the impact's plane.
        thrower: How a person throws.
    """

    materials: Materials = field(default_factory=Materials)
    lift_off: LiftOff = field(default_factory=LiftOff)
    thrower: ThrowDistribution = field(default_factory=ThrowDistribution)
