"""A scene: everything about a slam that is not the throw."""

import math
from dataclasses import dataclass, field

from physics.arena import Arena
from physics.checks import InputError, check_count
from physics.materials import LiftOff, Materials
from physics.pieces import Piece, Puck, Slammer
from physics.presets import PRESETS, Preset

MAX_STACK = 29
"""Pieces a stack may hold: Chipmunk has 32 collision categories, and each piece needs its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A slammer to throw, a stack to throw it at, and the world they are in.

    Attributes:
        slammer: The thrown slammer.
        stack: The pieces at the arena's centre, from the floor up, all face down.
        arena: The box.
        materials: Contact parameters.
        lift_off: Constants of what leaves the impact's plane.
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
    def stack_height_mm(self) -> float:
        """Height of the stack's top above the floor."""
        return math.fsum(piece.thickness_mm for piece in self.stack)


def puck_stack(count: int, puck: Puck | None = None) -> tuple[Piece, ...]:
    """Return a stack of ``count`` equal pucks (1 to 29).

    Raises:
        InputError: The count is not accepted.
    """
    check_count("pucks", count, low=1, high=MAX_STACK)
    return (puck or Puck(),) * count


def knock_out_stack(
    lying: Slammer, shields: int = 0, puck: Puck | None = None
) -> tuple[Piece, ...]:
    """Return a lone slammer lying face down, with ``shields`` pucks on it (0 to 28).

    Raises:
        InputError: The count is not accepted.

    Example:
        >>> len(knock_out_stack(Slammer(mass_g=8.0), shields=2))
        3
    """
    check_count("shields", shields, low=0, high=MAX_STACK - 1)
    return (lying, *(puck or Puck(),) * shields)
