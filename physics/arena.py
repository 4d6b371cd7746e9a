"""The arena: a square floor in a box."""

from dataclasses import dataclass

from physics.checks import check_parameters, parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A square box; the stack stands at its centre, the origin of all coordinates.

    Attributes:
        side_mm: Inner side of the floor; the rulebook asks for at least 12 inches.
        wall_height_mm: Inner height of the walls; typically 4 inches.

    Example:
        >>> Arena().half_side_mm
        152.4
    """

    side_mm: float = parameter(
        304.8,
        low=304.8,
        high=2000.0,
        unit="mm",
        uncertainty=0.0,
        source="rulebook, parts of a game: at least 12 x 12 inches",
    )
    wall_height_mm: float = parameter(
        101.6,
        low=10.0,
        high=500.0,
        unit="mm",
        uncertainty=10.0,
        source="rulebook, parts of a game: a box around 4 inches deep",
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_parameters(self)

    @property
    def half_side_mm(self) -> float:
        """Distance of each wall from the centre."""
        return self.side_mm / 2
