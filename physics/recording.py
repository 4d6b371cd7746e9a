"""The motion of a slam, sampled at a frame rate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.errors import check_number
from physics.materials import GRAVITY_MM_S2, NJ_PER_MJ
from physics.pieces import Piece, mass_properties
from physics.plane.lift_off import Flight
from physics.plane.projection import ImpactPlane
from physics.plane.settle import Rest
from physics.plane.top_view import places_mm
from physics.plane.world import Trace
from physics.scene import Scene
from physics.thrower import Throw


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRate:
    """How often the motion is sampled.

    Attributes:
        impact_hz: Samples a second of the impact, which lasts a few milliseconds.
        settle_hz: Samples a second of what follows.
    """

    impact_hz: float = 5000.0
    settle_hz: float = 120.0

    def __post_init__(self) -> None:
        """Check every field."""
        check_number("impact_hz", self.impact_hz, low=10.0, high=100_000.0, unit="Hz")
        check_number("settle_hz", self.settle_hz, low=1.0, high=2000.0, unit="Hz")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The motion of every piece; the thrown slammer is the last. F samples, B pieces.

    Seen from the side, a piece moves in a vertical plane of its own; the impact's plane and those
    planes are drawn into one, and what flies back there flies back in it. Seen from above, it moves
    along straight lines from wall to wall.

    Attributes:
        time_s: Shape (F,); the first sample is at 0, the slammer just above the stack.
        side_mm: Shape (F, B); way of each piece's middle along its plane, as seen from the side.
        height_mm: Shape (F, B); height of each piece's middle above the floor.
        angle_rad: Shape (F, B); angle in its plane, 0 for flat and face up, counter-clockwise.
        top_mm: Shape (F, B, 2); x and y of each piece's middle from above.
        energy_mj: Shape (F,); mechanical energy of the motion in those planes: kinetic, potential,
            and in the springs of the split pieces.
        impact_samples: How many of the F samples belong to the impact.
    """

    time_s: NDArray[np.float64]
    side_mm: NDArray[np.float64]
    height_mm: NDArray[np.float64]
    angle_rad: NDArray[np.float64]
    top_mm: NDArray[np.float64]
    energy_mj: NDArray[np.float64]
    impact_samples: int


def record_slam(
    pieces: Sequence[Piece],
    plane: ImpactPlane,
    flight: Flight,
    impact_trace: Trace,
    impact_s: float,
    settle_trace: Trace,
    rest: Rest,
) -> Recording:
    """Put the samples of both stages together.

    Args:
        pieces: The pieces, the thrown slammer last; shape (B,).
        plane: The plane of the impact.
        flight: How the pieces left the impact.
        impact_trace: Samples of the impact; may be empty.
        impact_s: How long it took.
        settle_trace: Samples of what followed, times from the end of the impact.
        rest: What came of it.
    """
    before, after = _states(impact_trace, len(pieces)), _states(settle_trace, len(pieces))
    states = np.concatenate((before, _from_the_side(after, plane, flight)))
    moved = before[:, :, 0] - flight.state[:, 0]
    top = np.concatenate(
        (
            flight.start_mm + moved[:, :, np.newaxis] * np.array(plane.direction),
            places_mm(flight, rest, np.array(settle_trace.time_s), after),
        )
    )
    centre = np.array([mass_properties(piece).centre_mm for piece in pieces])
    angle = states[:, :, 2]
    across_nj = pieces[-1].mass_g * plane.speed_across_mm_s**2 / 2
    energy_nj = [across_nj + e for e in impact_trace.energy_nj] + settle_trace.energy_nj
    return Recording(
        time_s=np.array(impact_trace.time_s + [impact_s + t for t in settle_trace.time_s]),
        side_mm=states[:, :, 0] + np.sin(angle) * centre,
        height_mm=states[:, :, 1] - np.cos(angle) * centre,
        angle_rad=angle,
        top_mm=top,
        energy_mj=np.array(energy_nj) / NJ_PER_MJ,
        impact_samples=len(before),
    )


def _from_the_side(
    states: NDArray[np.float64], plane: ImpactPlane, flight: Flight
) -> NDArray[np.float64]:
    """Return states with those of pieces mirrored that fly back in the impact's plane.

    Args:
        states: Of the settling, shape (F, B, 6): there all fly onwards.
        plane: The plane of the impact.
        flight: How the pieces left it.
    """
    ux, uy = plane.direction
    back = np.cos(flight.azimuth_rad) * ux + np.sin(flight.azimuth_rad) * uy < 0
    mirrored = states.copy()
    mirrored[:, back, 0] = 2 * flight.state[back, 0] - states[:, back, 0]
    mirrored[:, back, 2] = 2 * np.pi - states[:, back, 2]
    return mirrored


def with_stack_at_rest(slammer: Recording, scene: Scene, throw: Throw) -> Recording:
    """Return a recording of a slammer alone with the scene's stack lying beside it."""
    samples = len(slammer.time_s)
    tops = np.cumsum([piece.thickness_mm for piece in scene.stack])
    height = tops - [piece.thickness_mm / 2 for piece in scene.stack]
    place = np.array([(c.jitter_x_mm, c.jitter_y_mm) for c in throw.chances]).reshape(-1, 2)
    centre = np.array([mass_properties(piece).centre_mm for piece in scene.stack])
    mass = np.array([piece.mass_g for piece in scene.stack])
    resting_mj = GRAVITY_MM_S2 * float(np.sum(mass * (height - centre))) / NJ_PER_MJ

    def before(stack: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.concatenate((np.broadcast_to(stack, (samples, *stack.shape)), own), axis=1)

    return Recording(
        time_s=slammer.time_s,
        side_mm=before(place[:, 0], slammer.side_mm),
        height_mm=before(height, slammer.height_mm),
        angle_rad=before(np.full(len(height), np.pi), slammer.angle_rad),
        top_mm=before(place, slammer.top_mm),
        energy_mj=slammer.energy_mj + resting_mj,
        impact_samples=slammer.impact_samples,
    )


def _states(trace: Trace, pieces: int) -> NDArray[np.float64]:
    return np.array(trace.states).reshape(-1, pieces, 6)
