"""Solid pieces in a world: how they are put into it, and their motion as it is sampled.

The engine moves bodies with the velocity of a step's beginning. Read as that of its middle, flight
is exact at any time step (leapfrog); so velocities go in and come out half a step off.
"""

import math
from collections.abc import Sequence

import numpy as np

from physics.materials import Materials
from physics.pieces import Piece, mass_properties
from physics.trace import Trace
from physics.units import GRAVITY_MM_S2
from physics.world import ALL_CATEGORIES, State, World, mechanical_energy_nj

PIECE_CATEGORY = 1 << 31


def add_solid(
    world: World,
    piece: Piece,
    state: Sequence[float],
    materials: Materials,
    step_s: float,
    *,
    friction: float,
    mask: int = ALL_CATEGORIES,
) -> None:
    """Add a piece in one.

    Args:
        world: The world.
        piece: The piece.
        state: x, z (mm), angle (rad), vx, vz (mm/s), angular velocity (rad/s).
        materials: Restitution is theirs.
        step_s: The time step that the world will be run with.
        friction: The piece's own part of the friction: that of a pair is the product.
        mask: What it meets.
    """
    x_mm, z_mm, angle_rad, vx_mm_s, vz_mm_s, rate_rad_s = state
    mass = mass_properties(piece)
    world.add_disc(
        (x_mm, z_mm, angle_rad, vx_mm_s, vz_mm_s - _half_kick_mm_s(step_s), rate_rad_s),
        mass_g=mass.mass_g,
        moment_g_mm2=mass.moment_diameter_g_mm2,
        thickness_mm=piece.thickness_mm,
        middle_mm=-mass.centre_mm,
        friction=friction,
        elasticity=math.sqrt(materials.restitution),
        categories=PIECE_CATEGORY,
        mask=mask,
    )


def solid_states(world: World, step_s: float) -> State:
    """Return the pieces' states, velocities of the same instant as positions."""
    state = world.states().copy()
    state[:, 4] += _half_kick_mm_s(step_s)
    return state


def sample_solids(pieces: Sequence[Piece], state: State, trace: Trace, time_s: float) -> None:
    """Add a sample of the pieces' motion and energy to a trace."""
    properties = [mass_properties(piece) for piece in pieces]
    mass = np.array([p.mass_g for p in properties])
    moment = np.array([p.moment_diameter_g_mm2 for p in properties])
    trace.add(time_s, state, mechanical_energy_nj(state, mass, moment))


def _half_kick_mm_s(step_s: float) -> float:
    return GRAVITY_MM_S2 * step_s / 2
