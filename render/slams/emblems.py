"""Faces of pucks in space: an emblem for each energy type, as polygons.

All shapes lie in the unit disc of a face: x to the right, y up, 1 is the radius of the puck. They
are the project's own drawings. `face_shapes` gives those of an energy type.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pucklab.render.palette import ENERGIES

Points = NDArray[np.float64]
"""Shape (N, 2)."""

ENERGY_ORDER = tuple(ENERGIES)
"""Energy types, in the order in which the pucks of a stack have them."""

_EMBLEM_SIZE, _EMBLEM_PLACE = 0.5, (0.0, 0.16)
"""Half of an emblem's height, and its middle on the face."""


@lru_cache(maxsize=16)
def face_shapes(energy: str) -> tuple[Points, ...]:
    """Return the polygons of the emblem on the face of an energy type.

    Example:
        >>> all(float(np.hypot(*shape.T).max()) < 0.9 for shape in face_shapes("fire"))
        True
    """
    return tuple(_EMBLEM_SIZE * shape + _EMBLEM_PLACE for shape in _emblems()[energy])


def _arc(
    middle: tuple[float, float], radius: float, begin_deg: float, end_deg: float, corners: int = 10
) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(begin_deg, end_deg, corners))
    return [
        (middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle))
        for angle in angles.tolist()
    ]


def _stroke(line: Sequence[tuple[float, float]], width: float) -> Points:
    """Return the outline of a line with mitred corners, as one polygon."""
    points = np.array(line, dtype=np.float64)
    along = np.diff(points, axis=0)
    along /= np.hypot(along[:, 0], along[:, 1])[:, np.newaxis]
    aside = np.stack((-along[:, 1], along[:, 0]), axis=1)
    before, after = np.vstack((aside[:1], aside)), np.vstack((aside, aside[-1:]))
    # The corner of a mitre is along the sum of both normals, 1 / cos(half angle) away.
    mitre = before + after
    mitre *= width / np.maximum((mitre * mitre).sum(axis=1), 0.5)[:, np.newaxis]
    outline: Points = np.vstack((points + mitre, (points - mitre)[::-1]))
    return outline


@cache
def _emblems() -> Mapping[str, tuple[Points, ...]]:
    """Return the emblem of each energy type, about 1 to each side of its middle."""
    # A leaf: a quarter circle from the lower left tip to the upper right one, and another one back.
    edges = _arc((0.9, -0.55), 1.45, 180, 90) + _arc((-0.55, 0.9), 1.45, 0, -90)
    flame = (
        (0.05, 1.0), (0.3, 0.5), (0.42, 0.62), (0.68, 0.1), (0.66, -0.4), (0.4, -0.82),
        (0.0, -1.0), (-0.4, -0.82), (-0.66, -0.4), (-0.64, 0.05), (-0.4, 0.4), (-0.3, 0.12),
        (-0.12, 0.6),
    )  # fmt: skip
    bolt = (
        (0.2, 1.0), (-0.62, -0.12), (-0.1, -0.12), (-0.3, -1.0), (0.62, 0.22), (0.1, 0.22),
        (0.5, 1.0),
    )  # fmt: skip
    star_angles = np.radians(90 + 36 * np.arange(10))
    star_radius = np.where(np.arange(10) % 2 == 0, 1.0, 0.42)
    star = np.stack((star_radius * np.cos(star_angles), star_radius * np.sin(star_angles)), axis=1)
    eye = (
        _stroke(_arc((0.0, -0.72), 1.22, 142, 38, 9), 0.2),
        _stroke(_arc((0.0, 0.72), 1.22, -38, -142, 9), 0.2),
        np.array(_arc((0.0, 0.0), 0.34, 0, 330, 12)),
    )
    spokes = (_stroke([(0.0, 0.0), end], 0.3) for end in _arc((0.0, 0.0), 0.95, 90, 390, 6))
    return MappingProxyType(
        {
            "grass": (np.array(edges), _stroke([(-1.0, -1.0), (-0.5, -0.5)], 0.16)),
            "fire": (np.array(flame),),
            "water": (np.array([(0.0, 1.0), *_arc((0.0, -0.35), 0.65, 22, -202, 18)]),),
            "electric": (np.array(bolt),),
            "fighting": (star,),
            "psychic": eye,
            "normal": tuple(spokes),
        }
    )
