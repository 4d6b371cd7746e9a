"""Stage 2, the parting: solid pieces in the plane of the impact, until they have come apart.

Once the shock has gone through the stack its pieces are still close together: they strike each
other and the slammer on their way up, which takes from the light slammers' throws a third of
the tumbling. Split pieces show the same, at more than ten times the work; so do the 3-D engines:
of the upper pucks, to a tenth.
"""

import math
from collections.abc import Sequence

import numpy as np

from physics.impact import Impact
from physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from physics.scene import Scene
from physics.solids import add_solid, sample_solids, solid_states
from physics.stepping import Looks, step_and_look
from physics.trace import Trace
from physics.world import World, potential_energy_nj

PARTED_S = 12e-3
"""Since the slam began. The 3-D engines' states that the lift-off is compared with are of then."""

_LOOK_EVERY_S = 1e-3
_CLEAR_OF_WALLS_MM = 2 * PIECE_RADIUS_MM


def part(scene: Scene, pieces: Sequence[Piece], end: Impact, trace: Trace | None = None) -> Impact:
    """Go on from the end of an impact until the pieces have come apart, or one is near a wall.

    Args:
        scene: The scene: arena, materials and preset.
        pieces: The stack's pieces and the thrown slammer, shape (B,).
        end: The end of their impact.
        trace: Where to put samples of the motion, if wanted.
    """
    step_s = scene.preset.parting_step_s
    left_s = PARTED_S - end.duration_s
    if left_s < step_s:
        return end
    near_mm = scene.arena.half_side_mm - _CLEAR_OF_WALLS_MM
    friction = math.sqrt(scene.materials.friction)
    state, lasted_s = end.state, 0.0
    with World(scene.preset.parting_iterations) as world:
        world.add_floor(
            4 * scene.arena.side_mm,
            friction=friction,
            elasticity=math.sqrt(scene.materials.restitution),
        )
        for piece, row in zip(pieces, end.state.tolist(), strict=True):
            add_solid(world, piece, row, scene.materials, step_s, friction=friction)

        def sample(time_s: float) -> None:
            if trace is not None:
                state = solid_states(world, step_s)
                sample_solids(pieces, state, trace, end.duration_s + time_s)

        every_s = min(_LOOK_EVERY_S, left_s)
        looks = Looks(first_s=every_s, every_s=every_s, last_s=left_s)
        for time_s in step_and_look(world, step_s, looks, trace, sample):
            state, lasted_s = solid_states(world, step_s), time_s
            if np.abs(state[:, 0]).max() > near_mm:
                break
    mass_g = np.array([mass_properties(piece).mass_g for piece in pieces])
    rise_nj = potential_energy_nj(state, mass_g) - potential_energy_nj(end.state, mass_g)
    return Impact(
        state=state,
        duration_s=end.duration_s + lasted_s,
        lifted_nj=end.lifted_nj + rise_nj,
    )
