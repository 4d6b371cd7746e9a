"""Stage 2, the parting: the pieces fly on until lift-off takes over, 12 ms after the start.

Once the shock has gone through the stack its pieces are still close together, but here they meet
nothing more. Solid pieces that strike each other in the plane were tried: they rise a twentieth
slower on average, flip as often, and leave the arena less often than in 3-D runs.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from physics.impact import Impact
from physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from physics.scene import Scene
from physics.units import GRAVITY_MM_S2
from physics.world import State, potential_energy_nj

PARTED_S = 12e-3
"""Since the slam began. The 3-D engines' states that the lift-off is compared with are of then."""

_CLEAR_OF_WALLS_MM = 2 * PIECE_RADIUS_MM


def part(scene: Scene, pieces: Sequence[Piece], end: Impact) -> Impact:
    """Go on from the end of an impact until 12 ms after the start, or until a piece is near a wall.

    Args:
        scene: The scene.
        pieces: The stack's pieces and the thrown slammer, shape (B,).
        end: The end of their impact.
    """
    near_mm = scene.arena.half_side_mm - _CLEAR_OF_WALLS_MM
    left_s = min(PARTED_S - end.duration_s, _until_s(end.state, near_mm))
    if left_s <= 0:
        return end
    state = end.state.copy()
    state[:, :3] += left_s * state[:, 3:]
    state[:, 1] -= GRAVITY_MM_S2 * left_s**2 / 2
    state[:, 4] -= GRAVITY_MM_S2 * left_s
    lying = state[:, 1] < [piece.thickness_mm / 2 for piece in pieces]
    state[lying, 1:3] = end.state[lying, 1:3]
    state[lying, 4:] = 0.0
    mass_g = np.array([mass_properties(piece).mass_g for piece in pieces])
    rise_nj = potential_energy_nj(state, mass_g) - potential_energy_nj(end.state, mass_g)
    return replace(
        end,
        state=state,
        duration_s=end.duration_s + left_s,
        lifted_nj=end.lifted_nj + rise_nj,
    )


def _until_s(state: State, near_mm: float) -> float:
    """Return how long until the first of the pieces is so far from the middle."""
    speed_mm_s = np.maximum(np.abs(state[:, 3]), 1e-9)
    return float(((near_mm - np.abs(state[:, 0])) / speed_mm_s).min())
