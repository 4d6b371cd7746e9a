"""A scene: the slammer, the stack, the arena and the parameters. All of a slam but the throw."""

import math
from dataclasses import dataclass, field

from physics.errors import InputError, check_count, check_parameters, parameter
from physics.materials import PRESETS, LiftOff, Materials, Preset
from physics.pieces import Piece, Puck, Slammer


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


START_GAP_MM = 0.5
"""Gap between the slammer's lowest point and the stack's top when a slam begins."""

MAX_STACK = 29
"""Greatest size of a stack: Chipmunk has 32 collision categories, and each piece needs its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A slammer to throw, a stack to throw it at, and their surroundings.

    Attributes:
        slammer: The thrown slammer.
        stack: The pieces at the arena's centre, from the floor up, all face down.
        arena: The box.
        materials: Contact parameters.
        lift_off: Constants of the laws of lift-off.
        preset: Time steps and iterations.

    Example:
        >>> scene = Scene(slammer=Slammer(mass_g=4.0), stack=puck_stack(10))
        >>> scene.stack_height_mm
        16.0
    """

    slammer: Slammer
    stack: tuple[Piece, ...]
    arena: Arena = field(default_factory=Arena)
    materials: Materials = field(default_factory=Materials)
    lift_off: LiftOff = field(default_factory=LiftOff)
    preset: Preset = PRESETS["recommended"]

    def __post_init__(self) -> None:
        """Check the size of the stack."""
        if len(self.stack) > MAX_STACK:
            raise InputError(
                f"stack: {len(self.stack)} pieces are not accepted; give at most {MAX_STACK}"
            )

    @property
    def is_knock_out(self) -> bool:
        """True if the target is a slammer, with or without shields on it."""
        return bool(self.stack) and isinstance(self.stack[0], Slammer)

    @property
    def stack_height_mm(self) -> float:
        """Height of the stack's top above the floor."""
        return math.fsum(piece.thickness_mm for piece in self.stack)


def puck_stack(count: int, puck: Puck | None = None) -> tuple[Piece, ...]:
    """Return a stack of ``count`` equal pucks (1 to 29).

    Raises:
        InputError: The count is outside that range.
    """
    check_count("pucks", count, low=1, high=MAX_STACK)
    return (puck or Puck(),) * count


def knock_out_stack(
    target: Slammer, shields: int = 0, puck: Puck | None = None
) -> tuple[Piece, ...]:
    """Return a slammer face down on the floor, with ``shields`` pucks on it (0 to 28).

    Raises:
        InputError: The count is outside that range.

    Example:
        >>> len(knock_out_stack(Slammer(mass_g=8.0), shields=2))
        3
    """
    check_count("shields", shields, low=0, high=MAX_STACK - 1)
    return (target, *(puck or Puck(),) * shields)
