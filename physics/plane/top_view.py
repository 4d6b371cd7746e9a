"""The top view: positions from above, and the final face of each piece."""

import math

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


def piece_outcomes(
    pieces: tuple[Piece, ...], places: tuple[int | None, ...], flight: Flight, rest: Rest
) -> tuple[PieceOutcome, ...]:
    """Return the final face and position of each piece.

    Args:
        pieces: The pieces, shape (B,).
        places: Index of each in the stack, from 0 on the floor; None for the thrown slammer.
        flight: Flights of the pieces.
        rest: Final states of the pieces.
    """
    (centres,) = places_mm(flight, rest, _IN_THE_END_S, rest.state[np.newaxis]).tolist()
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
