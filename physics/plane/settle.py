"""Stage 4, settling: solid pieces fly, collide, roll and come to rest.

All pieces share one space, so that they still meet, but each moves along its own azimuth: x is the
signed way along it, and each piece has walls of its own where its line crosses the arena's. Until a
stack's pieces have come apart those in the air meet no others: in the plane they would meet too
often, and lose their turning. Nor does the thrown slammer, which may be in the midst of them.

Solid pieces in a world: how they are put into it, and their motion as it is sampled.

The engine moves bodies with the velocity of a step's beginning. Read as that of its middle, flight
is exact at any time step (leapfrog); so velocities go in and come out half a step off.

Where pieces come back from walls: to the side they go on as a mirror would send them.

While it settles a piece moves along one line, its own, and comes back along it from a wall. Seen
from above it does not: the wall turns only what goes across it. The pieces are looked at now and
then; one that turned between two looks did so where the straight ways before and after meet.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.materials import GRAVITY_MM_S2, Materials
from physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from physics.plane.lift_off import Flight
from physics.plane.world import (
    ALL_CATEGORIES,
    FLOOR_CATEGORY,
    VZ,
    Checkpoints,
    State,
    Trace,
    World,
    X,
    mechanical_energy_nj,
    run_with_checkpoints,
)
from physics.scene import Scene

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
    state[:, VZ] += _half_kick_mm_s(step_s)
    return state


def sample_solids(pieces: Sequence[Piece], state: State, trace: Trace, time_s: float) -> None:
    """Add a sample of the pieces' motion and energy to a trace."""
    properties = [mass_properties(piece) for piece in pieces]
    mass = np.array([p.mass_g for p in properties])
    moment = np.array([p.moment_diameter_g_mm2 for p in properties])
    trace.add(time_s, state, mechanical_energy_nj(state, mass, moment))


def _half_kick_mm_s(step_s: float) -> float:
    return GRAVITY_MM_S2 * step_s / 2


_NEAR_MM = PIECE_RADIUS_MM + 5.0
"""A piece touches a wall with its middle no further from it than its radius. What friction on the
floor bends of the ways between two looks is the rest."""

_CLOSEST_MM = 0.8
"""Nor does it get nearer than half its thickness."""


@dataclass(frozen=True, slots=True)
class WallTurn:
    """A piece came back from a wall.

    Attributes:
        after_s: Time of the last look before it.
        before_s: Of the first look after it.
        way_mm: Where on its line.
        onwards: Whether it moved towards larger ways before: 1, or -1 if not.
    """

    after_s: float
    before_s: float
    way_mm: float
    onwards: int


class WallWatch:
    """Checkpoints at pieces that settle, and keeps where they came back from walls.

    Example:
        >>> watch = WallWatch(0.0, [[0.0, 5.0, 0.0, 1000.0, 0.0, 0.0]], [[-150.0, 150.0]])
        >>> watch.look(0.2, [[70.0, 1.0, 0.0, -800.0, 0.0, 0.0]])
        >>> [round(turn.way_mm, 1) for turn in watch.turns_of_those_inside()[0]]
        [127.8]
    """

    def __init__(
        self, time_s: float, rows: Sequence[Sequence[float]], walls_mm: Sequence[Sequence[float]]
    ) -> None:
        """Look for the first time.

        Args:
            time_s: When.
            rows: The pieces' states, shape (B, 6); see `physics.plane.world.State`.
            walls_mm: Shape (B, 2); where each piece's line crosses the walls.
        """
        self._turns: list[list[WallTurn]] = [[] for _ in rows]
        self._time_s = time_s
        self._rows = rows
        self._walls_mm = walls_mm

    def look(self, time_s: float, rows: Sequence[Sequence[float]]) -> None:
        """Look again.

        Args:
            time_s: When; later than before.
            rows: The pieces' states.
        """
        lasted_s = time_s - self._time_s
        for index, (before, now) in enumerate(zip(self._rows, rows, strict=True)):
            speed, back = before[3], now[3]
            if speed * back < 0:
                turned_s = (now[0] - before[0] - back * lasted_s) / (speed - back)
                way_mm = before[0] + speed * turned_s
                onwards = 1 if speed > 0 else -1
                low, high = self._walls_mm[index]
                left_mm = (high - way_mm) if speed > 0 else (way_mm - low)
                if abs(left_mm) <= _NEAR_MM:
                    way_mm += onwards * min(0.0, left_mm - _CLOSEST_MM)
                    self._turns[index].append(WallTurn(self._time_s, time_s, way_mm, onwards))
        self._time_s, self._rows = time_s, rows

    def turns_of_those_inside(self) -> tuple[tuple[WallTurn, ...], ...]:
        """Return the turns of each piece, but none of one that is beyond its walls by now."""
        return tuple(
            tuple(turns) if low < row[0] < high else ()
            for turns, row, (low, high) in zip(self._turns, self._rows, self._walls_mm, strict=True)
        )


def has_turned(
    turn: WallTurn, time_s: NDArray[np.float64], speed_mm_s: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell at which samples of a piece's motion, shape (F,), it has come back from that wall."""
    back = speed_mm_s * turn.onwards < 0
    result: NDArray[np.bool_] = (time_s >= turn.before_s) | ((time_s > turn.after_s) & back)
    return result


def mirrored_mm(
    start_mm: NDArray[np.float64],
    direction: tuple[float, float],
    way_mm: NDArray[np.float64],
    turns: Sequence[tuple[NDArray[np.bool_], float]],
) -> NDArray[np.float64]:
    """Return where a piece is from above that came back from walls.

    In a room's mirror images a ray's zigzag is one straight line: what the piece has gone in all,
    straight on, is folded at the first wall it came to, and at the others just as far from the
    middle.

    Args:
        start_mm: x and y where its line begins.
        direction: Unit vector of its line.
        way_mm: Shape (F,); positions on its line, from there.
        turns: At least one; whether it was over at each sample, shape (F,), and where on the line.

    Returns:
        Shape (F, 2).

    Example:
        >>> diagonal = (0.5**0.5, 0.5**0.5)
        >>> turn = np.array([False, True]), 120.0
        >>> way = np.array([110.0, 100.0])  # over is the second: 120 onwards and 20 back
        >>> mirrored_mm(np.array([0.0, -50.0]), diagonal, way, [turn]).round(1).tolist()
        [[77.8, 27.8], [70.7, 49.0]]
    """
    along = np.array(direction)
    sign, offset_mm = np.ones(len(way_mm)), np.zeros(len(way_mm))
    for over, turned_mm in turns:
        offset_mm[over] += 2 * sign[over] * turned_mm
        sign[over] *= -1
    gone_mm = sign * way_mm + offset_mm
    limit_mm = float(np.abs(start_mm + turns[0][1] * along).max())
    straight = start_mm + gone_mm[:, np.newaxis] * along
    images = np.mod(straight + limit_mm, 4 * limit_mm)
    result: NDArray[np.float64] = limit_mm - np.abs(images - 2 * limit_mm)
    return result


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
    looks = Checkpoints(first_s=flight.separated_s, every_s=_LOOK_EVERY_S, last_s=_LONGEST_S)
    free = np.flatnonzero(flight.free).tolist()
    looks_at_rest = 0
    with World(scene.preset.settle_iterations) as world:
        _add_surroundings(world, scene, walls)
        _add_pieces(world, scene, pieces, flight)
        for index in free:
            world.set_collision_mask(index, _mask(index) & ~PIECE_CATEGORY)

        def sample(time_s: float) -> None:
            if trace is not None:
                sample_solids(pieces, solid_states(world, step_s), trace, time_s)

        sample(0.0)
        for time_s in run_with_checkpoints(world, step_s, looks, trace, sample):
            state = world.states()
            rows = state.tolist()
            watch.look(time_s, rows)
            while free:
                index = free.pop()
                world.set_collision_mask(index, _mask(index))
                if flight.high[index]:
                    world.set_angular_velocity(index, float(flight.swing_rad_s[index]))
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
        flight.state[:, X].tolist(),
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
