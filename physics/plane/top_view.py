"""The top view: positions from above, and the final face of each piece."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from physics.outcome import Face, PieceOutcome
from physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from physics.plane.lift_off import Flight
from physics.plane.settle import Rest, has_turned, mirrored_mm
from physics.plane.world import ANGLE, VX, State, X

_ON_RIM_COSINE = 0.1
"""Cosine of 84 degrees: a steeper piece stands on its rim."""

_LEANING_SINE = 0.17
"""Sine of 10 degrees: a flatter piece lies flat, even where it touches a wall."""

_TOUCHING_MM = 1.0
_IN_THE_END_S = np.array([math.inf])


def places_mm(
    flight: Flight, rest: Rest, time_s: NDArray[np.float64], states: State
) -> NDArray[np.float64]:
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
            speed_mm_s = states[:, index, VX]
            places[:, index] = mirrored_mm(
                flight.start_mm[index],
                (float(cosine[index]), float(sine[index])),
                way[:, index],
                [
                    (has_turned(turn, time_s, speed_mm_s), turn.way_mm - flight.state[index, X])
                    for turn in turns
                ],
            )
    return places


def kept_inside_mm(
    places: NDArray[np.float64],
    angle_rad: NDArray[np.float64],
    azimuth_rad: NDArray[np.float64],
    half_mm: NDArray[np.float64],
    half_side_mm: float,
    stays: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return positions from above moved back as far as a rim reaches beyond a wall.

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


def stay_inside(pieces: Sequence[Piece], rest: Rest) -> NDArray[np.bool_]:
    """Return True for each piece, shape (B,), whose middle ends inside of the arena."""
    centre_mm = np.array([mass_properties(piece).centre_mm for piece in pieces])
    middle_mm = rest.state[:, X] + np.sin(rest.state[:, ANGLE]) * centre_mm
    low, high = rest.walls_mm.T
    result: NDArray[np.bool_] = (low < middle_mm) & (middle_mm < high)
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
    (centres,) = kept_inside_mm(
        places_mm(flight, rest, _IN_THE_END_S, rest.state[np.newaxis]),
        rest.state[np.newaxis, :, ANGLE],
        flight.azimuth_rad,
        np.array([piece.thickness_mm / 2 for piece in pieces]),
        half_side_mm,
        stay_inside(pieces, rest),
    ).tolist()
    return tuple(
        PieceOutcome(place=place, face=_face(piece, way, angle, walls), x_mm=x, y_mm=y)
        for piece, place, way, angle, walls, (x, y) in zip(
            pieces,
            places,
            rest.state[:, X].tolist(),
            rest.state[:, ANGLE].tolist(),
            rest.walls_mm.tolist(),
            centres,
            strict=True,
        )
    )


def _face(piece: Piece, way_mm: float, angle_rad: float, walls_mm: list[float]) -> Face:
    cosine, sine = math.cos(angle_rad), math.sin(angle_rad)
    middle = way_mm + sine * mass_properties(piece).centre_mm
    low, high = walls_mm
    if not low < middle < high:
        return Face.OUT
    if abs(cosine) < _ON_RIM_COSINE:
        return Face.LEANING
    # Half the width of the tilted disc along its line: does it touch a wall?
    reach = PIECE_RADIUS_MM * abs(cosine) + piece.thickness_mm / 2 * abs(sine) + _TOUCHING_MM
    if abs(sine) > _LEANING_SINE and not low + reach < middle < high - reach:
        return Face.LEANING
    return Face.UP if cosine > 0 else Face.DOWN
