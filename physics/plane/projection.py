"""Projection of a throw onto the vertical plane of its impact; None for a throw that misses.

The plane's horizontal direction is u, the direction across it is w = z x u.
"""

import math
from dataclasses import dataclass

from physics.pieces import PIECE_RADIUS_MM, Slammer, mass_properties
from physics.scene import Scene
from physics.thrower import Throw

START_GAP_MM = 0.5
"""Gap between the slammer's lowest point and the stack's top when a slam begins."""

_ROUNDING = 1e-9
_FLAT_SLOPE = 1e-6
"""Slope below which a slammer touches with its whole face at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactPlane:
    """A throw, projected onto the plane of its impact.

    Attributes:
        direction: Unit vector (x, y) of the plane's horizontal axis u.
        offset_mm: Aim of the slammer along u.
        lateral_mm: Aim along w.
        speed_along_mm_s: Horizontal velocity along u.
        speed_across_mm_s: Horizontal velocity along w.
        speed_up_mm_s: Vertical velocity; negative is down.
        angle_rad: The slammer's angle in the plane, 0 for flat and face up, counter-clockwise.
        rate_rad_s: Angular velocity in the plane.
    """

    direction: tuple[float, float]
    offset_mm: float
    lateral_mm: float
    speed_along_mm_s: float
    speed_across_mm_s: float
    speed_up_mm_s: float
    angle_rad: float
    rate_rad_s: float


def face_normal(throw: Throw) -> tuple[float, float, float]:
    """Return the unit normal of the slammer's face."""
    tilt, axis = throw.tilt_rad, throw.tilt_azimuth_rad
    return (
        math.sin(axis) * math.sin(tilt),
        -math.cos(axis) * math.sin(tilt),
        math.cos(tilt),
    )


def first_contact(throw: Throw) -> tuple[float, float] | None:
    """Return the point of first contact on the plane of the stack's top, or None for a miss.

    The slammer's underside is a disc about the aim point, the stack's top a disc about the origin.
    The first contact is the lowest point of the underside above the top: the lowest point of
    either rim if the other disc covers it, or else a corner of the lens that both share.

    Example:
        >>> first_contact(Throw(speed_mm_s=5000.0, aim_x_mm=10.0))  # flat: the lens's middle
        (5.0, 0.0)
        >>> first_contact(Throw(speed_mm_s=5000.0, aim_x_mm=42.0)) is None
        True
    """
    radius = PIECE_RADIUS_MM
    ax, ay = throw.aim_x_mm, throw.aim_y_mm
    distance = math.hypot(ax, ay)
    if distance >= 2 * radius:
        return None
    nx, ny, nz = face_normal(throw)
    slope = math.hypot(nx, ny) / nz
    if slope < _FLAT_SLOPE:
        return ax / 2, ay / 2
    down_x, down_y = nx / (slope * nz), ny / (slope * nz)
    rim_x, rim_y = ax + radius * down_x, ay + radius * down_y
    covered = radius * (1 + _ROUNDING)
    if math.hypot(rim_x, rim_y) <= covered:
        return rim_x, rim_y
    edge_x, edge_y = radius * down_x, radius * down_y
    if math.hypot(edge_x - ax, edge_y - ay) <= covered:
        return edge_x, edge_y
    half_chord = math.sqrt(radius**2 - distance**2 / 4)
    across_x, across_y = -ay / distance * half_chord, ax / distance * half_chord
    sign = 1.0 if across_x * down_x + across_y * down_y > 0 else -1.0
    return ax / 2 + sign * across_x, ay / 2 + sign * across_y


def impact_plane(scene: Scene, throw: Throw) -> ImpactPlane | None:
    """Return the throw projected onto the plane of its impact, or None for a miss.

    On a stack of pucks the plane contains the stack's axis and the aim point; pucks then rise as
    in 3-D runs, up to a factor that is the same for all cells to .1. On a lone piece, or a slammer
    on the floor under its shields, it contains the slammer's velocity, which agrees best there.
    """
    contact = first_contact(throw) if scene.stack else None
    if contact is None:
        return None
    if is_knock_out(scene):
        return project(throw, (1.0, 0.0))
    for x, y in ((throw.aim_x_mm, throw.aim_y_mm), contact):
        length = math.hypot(x, y)
        if length > 0:
            return project(throw, (x / length, y / length))
    return project(throw, (1.0, 0.0))


def is_knock_out(scene: Scene) -> bool:
    """Return True if the target is a lone piece, or a slammer with or without shields on it."""
    return len(scene.stack) == 1 or isinstance(scene.stack[0], Slammer)


def project(throw: Throw, direction: tuple[float, float]) -> ImpactPlane:
    """Return the throw projected onto the vertical plane along ``direction``, a unit vector."""
    ux, uy = direction
    nx, ny, nz = face_normal(throw)
    horizontal = throw.speed_mm_s * math.sin(throw.descent_rad)
    return ImpactPlane(
        direction=direction,
        offset_mm=throw.aim_x_mm * ux + throw.aim_y_mm * uy,
        lateral_mm=throw.aim_y_mm * ux - throw.aim_x_mm * uy,
        speed_along_mm_s=horizontal * ux,
        speed_across_mm_s=-horizontal * uy,
        speed_up_mm_s=-throw.speed_mm_s * math.cos(throw.descent_rad),
        angle_rad=-math.atan2(nx * ux + ny * uy, nz),
        rate_rad_s=throw.rate_x_rad_s * uy - throw.rate_y_rad_s * ux,
    )


def arriving_state(
    scene: Scene, plane: ImpactPlane
) -> tuple[float, float, float, float, float, float]:
    """Return the slammer's state at the start: x, z, angle, vx, vz, angular velocity.

    Of its centre of mass, in the plane; see `physics.plane.world.State`.
    """
    slammer, angle = scene.slammer, plane.angle_rad
    centre_mm = mass_properties(slammer).centre_mm
    lowest_mm = slammer.thickness_mm / 2 * abs(math.cos(angle)) + PIECE_RADIUS_MM * abs(
        math.sin(angle)
    )
    return (
        plane.offset_mm - math.sin(angle) * centre_mm,
        scene.stack_height_mm + START_GAP_MM + lowest_mm + math.cos(angle) * centre_mm,
        angle,
        plane.speed_along_mm_s,
        plane.speed_up_mm_s,
        plane.rate_rad_s,
    )
