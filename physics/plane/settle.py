"""Settling: rigid bodies with impulse contacts fly, collide, roll and rest; faces and places.

All pieces share one space and still collide, but each moves along its own azimuth: x is the signed
distance along it, and each piece has walls of its own where its line crosses the arena's. Until
the separation a stack's pieces in the air collide with no others (in the plane they would do so
too often and lose their rotation), nor does the thrown slammer, which may be in their midst.

Time steps are leapfrog: the engine moves bodies with the velocity of a step's beginning. Read as
the velocity of its middle, flight is exact at any step, so velocities go in and out half a step
apart.

A piece comes back from a wall along its own line. Seen from above it should not, for the wall
reverses only the normal component: `WallWatch` notes the reversals, `mirror_mm` reflects the
path.
`places_mm` and `piece_outcomes` read the result: positions from above, and the final faces.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pucklab.base.arrays import Bools, Floats
from pucklab.base.facts import fact
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.outcome import LEANING_SINE, ON_RIM_COSINE, TOUCHING_MM, Face, PieceOutcome
from pucklab.physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from pucklab.physics.plane.flight_laws import MEAN_HALF_HEIGHT_MM, fall_time_s
from pucklab.physics.plane.lift_off import Flight
from pucklab.physics.plane.world import (
    ANGLE,
    FLOOR_CATEGORY,
    VX,
    VZ,
    WALL_CATEGORY,
    Checkpoints,
    State,
    Trace,
    World,
    X,
    Z,
    mechanical_energy_nj,
    run_with_checkpoints,
    surface_of,
)
from pucklab.physics.scene import Scene

_SURROUNDINGS = FLOOR_CATEGORY | WALL_CATEGORY
_PIECE_BIT = 2
"""Bit of the first piece's collision category, after those of the floor and the walls."""

_MEETING_MM = 1.5 * PIECE_RADIUS_MM
"""Pieces meet if they land closer together than this. On one line, pieces would lie several layers
deep that lie side by side in space: let loose from the solid engine's states 80 ms after the
start, a pile of 20 pucks would flip 1.15 if all met, 2.79 if none did, and flips 1.59 in space."""

_WALL_RADIUS_MM = 10.0
_LOOK_EVERY_S = 0.03
_LONGEST_S = 1.5
_IN_THE_AIR_S = 0.1
"""Until then a piece at the top of its flight may seem to be at rest."""

_LOOKS_AT_REST = 2
_REST_MM_S = 20.0
_GONE_MM = 60.0
"""A piece this far beyond its wall counts as out, moving or not."""

_NEAR_MM = PIECE_RADIUS_MM + 5.0
"""A piece touches a wall with its centre at most its radius away. The rest allows for friction on
the floor, which bends the path between two checkpoints."""

_CLOSEST_MM = 0.8
"""Half the thickness of a puck: no centre comes closer to a wall."""


@dataclass(frozen=True, slots=True)
class WallTurn:
    """Return of a piece from a wall.

    Attributes:
        after_s: Time of the last checkpoint before it.
        before_s: Time of the first checkpoint after it.
        way_mm: Position on the piece's line.
        onwards: Direction before the turn: 1 towards larger positions, -1 towards smaller ones.
    """

    after_s: float
    before_s: float
    way_mm: float
    onwards: int


@fact
class Rest:
    """Final states of all pieces.

    Attributes:
        state: Shape (B, 6), as `Flight.state`.
        walls_mm: Shape (B, 2); positions at which each piece's line crosses the walls.
        turns: Returns from walls; B tuples, most of them empty.
    """

    state: State
    walls_mm: Floats
    turns: tuple[tuple[WallTurn, ...], ...]


class WallWatch:
    """Observer of settling pieces that notes their returns from walls.

    Example:
        >>> watch = WallWatch(0.0, [[0.0, 5.0, 0.0, 1000.0, 0.0, 0.0]], [[-150.0, 150.0]])
        >>> watch.look(0.2, [[70.0, 1.0, 0.0, -800.0, 0.0, 0.0]])
        >>> [round(turn.way_mm, 1) for turn in watch.turns_in_box()[0]]
        [127.8]
    """

    def __init__(
        self, time_s: float, rows: Sequence[Sequence[float]], walls_mm: Sequence[Sequence[float]]
    ) -> None:
        """Take the first states.

        Args:
            time_s: Time.
            rows: States of the pieces, shape (B, 6); see `pucklab.physics.plane.world.State`.
            walls_mm: Shape (B, 2); positions at which each piece's line crosses the walls.
        """
        self._turns: list[list[WallTurn]] = [[] for _ in rows]
        self._time_s = time_s
        self._rows = rows
        self._walls_mm = walls_mm

    def look(self, time_s: float, rows: Sequence[Sequence[float]]) -> None:
        """Take the next states and note the pieces that have turned since.

        Args:
            time_s: Time, later than before.
            rows: States of the pieces.
        """
        lasted_s = time_s - self._time_s
        for index, (before, now) in enumerate(zip(self._rows, rows, strict=True)):
            speed, back = before[VX], now[VX]
            if speed * back < 0:
                # The straight paths before and after the turn meet here.
                turned_s = (now[X] - before[X] - back * lasted_s) / (speed - back)
                way_mm = before[X] + speed * turned_s
                onwards = 1 if speed > 0 else -1
                low, high = self._walls_mm[index]
                left_mm = (high - way_mm) if speed > 0 else (way_mm - low)
                if abs(left_mm) <= _NEAR_MM:
                    way_mm += onwards * min(0.0, left_mm - _CLOSEST_MM)
                    self._turns[index].append(WallTurn(self._time_s, time_s, way_mm, onwards))
        self._time_s, self._rows = time_s, rows

    def turns_in_box(self) -> tuple[tuple[WallTurn, ...], ...]:
        """Return the turns of each piece, with none for pieces beyond their walls."""
        return tuple(
            tuple(turns) if low < row[X] < high else ()
            for turns, row, (low, high) in zip(self._turns, self._rows, self._walls_mm, strict=True)
        )


def mirror_mm(
    start_mm: Floats,
    direction: tuple[float, float],
    way_mm: Floats,
    turns: Sequence[tuple[Bools, float]],
) -> Floats:
    """Return positions from above of a piece that came back from walls.

    Method of images: in mirror images of the room the zigzag of a ray is one straight line. The
    total path, straight on, is folded at the first wall and at its mirror images.

    Args:
        start_mm: x and y of the start of its line.
        direction: Unit vector of its line.
        way_mm: Shape (F,); positions on its line, from there.
        turns: At least one pair: True for samples after the turn, shape (F,), and its position.

    Returns:
        Shape (F, 2).

    Example:
        >>> diagonal = (0.5**0.5, 0.5**0.5)
        >>> turn = np.array([False, True]), 120.0
        >>> way = np.array([110.0, 100.0])  # the second sample: 120 on and 20 back
        >>> mirror_mm(np.array([0.0, -50.0]), diagonal, way, [turn]).round(1).tolist()
        [[77.8, 27.8], [70.7, 49.0]]
    """
    along = np.array(direction)
    sign, offset_mm = np.ones(len(way_mm)), np.zeros(len(way_mm))
    for over, turned_mm in turns:
        offset_mm[over] += 2 * sign[over] * turned_mm
        sign[over] *= -1
    # Total path, as if there were no walls.                                                    (F,)
    gone_mm = sign * way_mm + offset_mm
    limit_mm = float(np.abs(start_mm + turns[0][1] * along).max())
    straight = start_mm + gone_mm[:, np.newaxis] * along
    # Triangle wave of period 4 * limit: the reflections on both walls of each axis.          (F, 2)
    images = np.mod(straight + limit_mm, 4 * limit_mm)
    result: Floats = limit_mm - np.abs(images - 2 * limit_mm)
    return result


def settle(
    scene: Scene, pieces: Sequence[Piece], flight: Flight, trace: Trace | None = None
) -> Rest:
    """Simulate the pieces until they are at rest.

    Args:
        scene: The scene: arena, materials and preset.
        pieces: The pieces in flight, the thrown slammer last; shape (B,).
        flight: States after the impact.
        trace: Receives samples of the motion; None for no sampling.
    """
    walls = _walls_mm(flight, scene.arena.half_side_mm)
    step_s = scene.preset.settle_step_s
    half_kick_mm_s = GRAVITY_MM_S2 * step_s / 2
    properties = [mass_properties(piece) for piece in pieces]
    mass = np.array([p.mass_g for p in properties])
    moment = np.array([p.moment_diameter_g_mm2 for p in properties])
    watch = WallWatch(0.0, flight.state.tolist(), walls.tolist())
    checkpoints = Checkpoints(first_s=flight.separated_s, every_s=_LOOK_EVERY_S, last_s=_LONGEST_S)
    masks = _masks(flight)
    free = np.flatnonzero(flight.free).tolist()
    looks_at_rest = 0
    with World(scene.preset.settle_iterations) as world:
        surface = surface_of(scene.materials)
        world.add_floor(10 * scene.arena.side_mm, surface)
        top_mm = scene.arena.wall_height_mm - _WALL_RADIUS_MM
        for index, (low_mm, high_mm) in enumerate(walls.tolist()):
            for x_mm in (low_mm - _WALL_RADIUS_MM, high_mm + _WALL_RADIUS_MM):
                ends = (x_mm, 0.0), (x_mm, top_mm)
                world.add_segment(
                    *ends, _WALL_RADIUS_MM, surface, WALL_CATEGORY, mask=_category(index)
                )
        for index, (piece, own, state) in enumerate(
            zip(pieces, properties, flight.state, strict=True)
        ):
            # One rigid body, half a step ahead in its velocity.
            ahead = state.tolist()
            ahead[VZ] -= half_kick_mm_s
            world.add_disc(
                ahead,
                mass_g=own.mass_g,
                moment_g_mm2=own.moment_diameter_g_mm2,
                thickness_mm=piece.thickness_mm,
                middle_mm=-own.centre_mm,
                surface=surface,
                categories=_category(index),
                mask=masks[index],
            )
        for index in free:
            world.set_collision_mask(index, _SURROUNDINGS)

        def sample(time_s: float) -> None:
            if trace is not None:
                # Positions and velocities at the same instant.
                state = world.states()
                state[:, VZ] += half_kick_mm_s
                trace.add(time_s, state, mechanical_energy_nj(state, mass, moment))

        sample(0.0)
        for time_s in run_with_checkpoints(world, step_s, checkpoints, trace, sample):
            state = world.states()
            rows = state.tolist()
            watch.look(time_s, rows)
            # The first checkpoint is the separation: from now on all pieces collide.
            while free:
                index = free.pop()
                world.set_collision_mask(index, masks[index])
                if flight.high[index]:
                    world.set_angular_velocity(index, float(flight.swing_rad_s[index]))
            resting = time_s >= _IN_THE_AIR_S and not any(
                abs(vx) + abs(vz) + PIECE_RADIUS_MM * abs(rate) >= _REST_MM_S
                and low - _GONE_MM <= x <= high + _GONE_MM
                for (x, _, _, vx, vz, rate), (low, high) in zip(rows, walls.tolist(), strict=True)
            )
            looks_at_rest = looks_at_rest + 1 if resting else 0
            if looks_at_rest == _LOOKS_AT_REST:
                break
    return Rest(state=state, walls_mm=walls, turns=watch.turns_in_box())


def _walls_mm(flight: Flight, half_side_mm: float) -> Floats:
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


def _category(index: int) -> int:
    return 1 << (index + _PIECE_BIT)


def _masks(flight: Flight) -> list[int]:
    """Return the collision mask of each piece: the floor, its walls, and the pieces it can meet.

    Those land closer to it than `_MEETING_MM`. On their lines all others pass through it, as they
    pass beside it in space.
    """
    fall_s = fall_time_s(flight.state[:, Z] - MEAN_HALF_HEIGHT_MM, flight.state[:, VZ])
    heading = np.stack((np.cos(flight.azimuth_rad), np.sin(flight.azimuth_rad)), axis=-1)
    # Landing places from above.                                                          (B, 2)
    places = flight.start_mm + (flight.state[:, VX] * fall_s)[:, np.newaxis] * heading
    apart_mm2 = ((places[:, np.newaxis] - places) ** 2).sum(axis=-1)
    meets = (apart_mm2 < _MEETING_MM**2).tolist()
    return [
        sum((_category(other) for other, met in enumerate(row) if met), _SURROUNDINGS)
        for row in meets
    ]


_IN_THE_END_S = np.array([math.inf])


def places_mm(flight: Flight, rest: Rest, time_s: Floats, states: State) -> Floats:
    """Return positions from above while the pieces settle.

    Args:
        flight: Flights of B pieces.
        rest: Final states of these pieces.
        time_s: Shape (F,); time from the start of the settling.
        states: Shape (F, B, 6); see `Flight.state`.

    Returns:
        Shape (F, B, 2): x and y.
    """
    way = states[:, :, X] - flight.state[:, X]
    cosine, sine = np.cos(flight.azimuth_rad), np.sin(flight.azimuth_rad)
    places = np.stack(
        (flight.start_mm[:, 0] + way * cosine, flight.start_mm[:, 1] + way * sine), axis=-1
    )
    for index, turns in enumerate(rest.turns):
        if turns:
            passed = []
            for turn in turns:
                back = states[:, index, VX] * turn.onwards < 0
                over = (time_s >= turn.before_s) | ((time_s > turn.after_s) & back)
                passed.append((over, turn.way_mm - flight.state[index, X]))
            direction = float(cosine[index]), float(sine[index])
            places[:, index] = mirror_mm(flight.start_mm[index], direction, way[:, index], passed)
    return places


def keep_inside_mm(
    places: Floats,
    angle_rad: Floats,
    azimuth_rad: Floats,
    half_mm: Floats,
    half_side_mm: float,
    stays: Bools,
) -> Floats:
    """Move positions from above back by as much as the piece's rim would cross a wall.

    A piece's line ends at the wall, but its rim reaches to both sides of the line.

    Args:
        places: Shape (F, B, 2); x and y of the middles.
        angle_rad: Shape (F, B); angles in the planes of the azimuths.
        azimuth_rad: Shape (B,).
        half_mm: Shape (B,); half the thickness of each piece.
        half_side_mm: Distance of the walls from the centre.
        stays: Shape (B,); False for pieces that leave the arena and are not moved.
    """
    heading = np.stack((np.cos(azimuth_rad), np.sin(azimuth_rad)), axis=-1)
    # Horizontal components of the face normal.                                       (F, B, 2)
    aside = np.abs(np.sin(angle_rad)[:, :, np.newaxis] * heading)
    # Half the width of a disc along an axis: R sqrt(1 - n^2) + half |n|.              (F, B, 2)
    reach = PIECE_RADIUS_MM * np.sqrt(1 - aside**2) + half_mm[:, np.newaxis] * aside
    limit = half_side_mm - reach
    inside = np.clip(places, -limit, limit)
    return np.where(stays[:, np.newaxis], inside, places)


def stay_inside(pieces: Sequence[Piece], rest: Rest) -> Bools:
    """Return True for each piece, shape (B,), whose middle ends inside of the arena."""
    centre_mm = np.array([mass_properties(piece).centre_mm for piece in pieces])
    middle_mm = rest.state[:, X] + np.sin(rest.state[:, ANGLE]) * centre_mm
    low, high = rest.walls_mm.T
    result: Bools = (low < middle_mm) & (middle_mm < high)
    return result


def piece_outcomes(
    pieces: tuple[Piece, ...],
    places: tuple[int | None, ...],
    flight: Flight,
    rest: Rest,
    half_side_mm: float,
) -> tuple[PieceOutcome, ...]:
    """Return the final face and position of each piece.

    Args:
        pieces: The pieces, shape (B,).
        places: Index of each in the stack, from 0 on the floor; None for the thrown slammer.
        flight: Flights of the pieces.
        rest: Final states of the pieces.
        half_side_mm: Distance of the walls from the centre.
    """
    (centres,) = keep_inside_mm(
        places_mm(flight, rest, _IN_THE_END_S, rest.state[np.newaxis]),
        rest.state[np.newaxis, :, ANGLE],
        flight.azimuth_rad,
        np.array([piece.thickness_mm / 2 for piece in pieces]),
        half_side_mm,
        stay_inside(pieces, rest),
    ).tolist()
    outcomes = []
    for piece, place, way_mm, angle_rad, (low, high), (x_mm, y_mm) in zip(
        pieces,
        places,
        rest.state[:, X].tolist(),
        rest.state[:, ANGLE].tolist(),
        rest.walls_mm.tolist(),
        centres,
        strict=True,
    ):
        cosine, sine = math.cos(angle_rad), math.sin(angle_rad)
        middle = way_mm + sine * mass_properties(piece).centre_mm
        # Half the width of the tilted disc along its line: does it touch a wall?
        reach = PIECE_RADIUS_MM * abs(cosine) + piece.thickness_mm / 2 * abs(sine) + TOUCHING_MM
        touches = not low + reach < middle < high - reach
        if not low < middle < high:
            face = Face.OUT
        elif abs(cosine) < ON_RIM_COSINE or (abs(sine) > LEANING_SINE and touches):
            face = Face.LEANING
        else:
            face = Face.UP if cosine > 0 else Face.DOWN
        outcomes.append(PieceOutcome(place=place, face=face, x_mm=x_mm, y_mm=y_mm))
    return tuple(outcomes)
