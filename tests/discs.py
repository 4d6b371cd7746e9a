"""Discs that strike a floor."""

import math

import numpy as np


def low_point_speed_mm_s(begin, end):
    """Return how fast the point rises that was the lowest of a lone disc, from its motion now."""
    normal, half_mm = begin.normal[0], begin.thickness_mm[0] / 2
    sine = math.hypot(*normal[:2])
    down = np.array([*(normal[:2] * normal[2] / sine), -sine]) if sine else np.zeros(3)
    lever = begin.radius_mm[0] * down - (half_mm + begin.centre_mm[0]) * normal
    return (end.velocity_mm_s[0] + np.cross(end.rate_rad_s[0], lever))[2]
