"""Stage 4, settling: solid pieces fly, collide, roll and come to rest.

All pieces share one space, so that they still meet, but each moves along its own azimuth: x is the
signed way along it, and each piece has walls of its own where its line crosses the arena's. Until a
stack's pieces have come apart those in the air meet no others: in the plane they would meet too
often, and lose their turning. Nor does the thrown slammer, which may be in the midst of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.liftoff import Flight
from physics.pieces import PIECE_RADIUS_MM, Piece
from physics.scene import Scene
from physics.solids import PIECE_CATEGORY, add_solid, sample_solids, solid_states
from physics.stepping import Looks, step_and_look
from physics.trace import Trace
from physics.wallturns import WallTurn, WallWatch
from physics.world import FLOOR_CATEGORY, State, World

_WALL_RADIUS_MM = 10.0
_LOOK_EVERY_S = 0.03
_LONGEST_S = 1.5
_IN_THE_AIR_S = 0.1
"""Until then a piece may be at the top of its flight, and only seem to be at rest."""

_LOOKS_AT_REST = 2
_REST_MM_S = 20.0
_GONE_MM = 60.0
"""A piece this far beyond its wall is out, moving or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Where the pieces came to rest.

    Attributes:
        state: Shape (B, 6), as `Flight.state`.
        walls_mm: Shape (B, 2); where each piece's line crosses the walls, in the coordinate of x.
        turns: Where each piece came back from a wall; B tuples, most of them empty.
    """

    state: State
    walls_mm: NDArray[np.float64]
    turns: tuple[tuple[WallTurn, ...], ...]


def settle(
    scene: Scene, pieces: Sequence[Piece], flight: Flight, trace: Trace | None = None
) -> Rest:
    """Let the pieces fly and come to rest.

    Args:
        scene: The scene: arena, materials and preset.
        pieces: The pieces in flight, the thrown slammer last; shape (B,).
        flight: Their states.
        trace: Where to put samples of the motion, if wanted.
    """
    walls = _walls_mm(flight, scene.arena.half_side_mm)
    step_s = scene.preset.settle_step_s
    watch = WallWatch(0.0, flight.state.tolist(), walls.tolist())
    looks = Looks(first_s=flight.apart_s, every_s=_LOOK_EVERY_S, last_s=_LONGEST_S)
    free = np.flatnonzero(flight.free).tolist()
    looks_at_rest = 0
    with World(scene.preset.settle_iterations) as world:
        _add_surroundings(world, scene, walls)
        _add_pieces(world, scene, pieces, flight)
        for index in free:
            world.let_meet(index, _mask(index) & ~PIECE_CATEGORY)

        def sample(time_s: float) -> None:
            if trace is not None:
                sample_solids(pieces, solid_states(world, step_s), trace, time_s)

        sample(0.0)
        for time_s in step_and_look(world, step_s, looks, trace, sample):
            state = world.states()
            rows = state.tolist()
            watch.look(time_s, rows)
            while free:
                index = free.pop()
                world.let_meet(index, _mask(index))
                if flight.high[index]:
                    world.turn(index, float(flight.swing_rad_s[index]))
            resting = time_s >= _IN_THE_AIR_S and _at_rest(rows, walls)
            looks_at_rest = looks_at_rest + 1 if resting else 0
            if looks_at_rest == _LOOKS_AT_REST:
                break
    return Rest(state=state, walls_mm=walls, turns=watch.turns_of_those_inside())


def _at_rest(rows: Sequence[Sequence[float]], walls: NDArray[np.float64]) -> bool:
    return not any(
        abs(vx) + abs(vz) + PIECE_RADIUS_MM * abs(rate) >= _REST_MM_S
        and low - _GONE_MM <= x <= high + _GONE_MM
        for (x, _, _, vx, vz, rate), (low, high) in zip(rows, walls.tolist(), strict=True)
    )


def _walls_mm(flight: Flight, half_side_mm: float) -> NDArray[np.float64]:
    ways = []
    for x_mm, azimuth, start in zip(
        flight.state[:, 0].tolist(),
        flight.azimuth_rad.tolist(),
        flight.start_mm.tolist(),
        strict=True,
    ):
        low, high = -math.inf, math.inf
        for component, begin_mm in zip((math.cos(azimuth), math.sin(azimuth)), start, strict=True):
            if component != 0.0:
                wall_mm = math.copysign(half_side_mm, component)
                low = max(low, (-wall_mm - begin_mm) / component)
                high = min(high, (wall_mm - begin_mm) / component)
        ways.append((x_mm + low, x_mm + high))
    return np.array(ways)


def _add_surroundings(world: World, scene: Scene, walls: NDArray[np.float64]) -> None:
    friction = math.sqrt(scene.materials.friction)
    elasticity = math.sqrt(scene.materials.restitution)
    world.add_floor(10 * scene.arena.side_mm, friction=friction, elasticity=elasticity)
    for index, (low_mm, high_mm) in enumerate(walls.tolist()):
        for x_mm in (low_mm - _WALL_RADIUS_MM, high_mm + _WALL_RADIUS_MM):
            world.add_wall(
                x_mm,
                height_mm=scene.arena.wall_height_mm,
                radius_mm=_WALL_RADIUS_MM,
                friction=friction,
                elasticity=elasticity,
                categories=_wall_category(index),
            )


def _add_pieces(world: World, scene: Scene, pieces: Sequence[Piece], flight: Flight) -> None:
    friction = math.sqrt(scene.materials.friction)
    rolling = scene.materials.rolling_friction / friction if friction else 0.0
    for index, (piece, row, high) in enumerate(
        zip(pieces, flight.state.tolist(), flight.high.tolist(), strict=True)
    ):
        add_solid(
            world,
            piece,
            row,
            scene.materials,
            scene.preset.settle_step_s,
            friction=rolling if high else friction,
            mask=_mask(index),
        )


def _mask(index: int) -> int:
    return FLOOR_CATEGORY | PIECE_CATEGORY | _wall_category(index)


def _wall_category(index: int) -> int:
    return 1 << (index + 1)
