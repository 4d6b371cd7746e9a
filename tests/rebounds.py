"""Drops of a slammer as a household measures them, simulated; the example of rebounds is such."""

import math

from pucklab.calibration.rebound.measurements import READING_MM, Rebound, simulate_rebound
from pucklab.calibration.table import Setting
from pucklab.physics import Puck, puckdex_slammer, trial_generator
from pucklab.physics.materials import GRAVITY_MM_S2

FALL_MM = 460.0
FALL_MM_S = math.sqrt(2 * GRAVITY_MM_S2 * FALL_MM)


def drops(materials, tilt_sd_deg, seed, *, repeats=10):
    """Drop 8 g on the floor and on ten pucks, and read the rebounds off."""
    found = []
    for row in range(2 * repeats):
        rng = trial_generator(seed, row)
        pucks = 10 if row >= repeats else 0
        setting = Setting(slammer=puckdex_slammer(8.0), pucks=pucks, puck=Puck(), dropped=True)
        tilt_rad = abs(math.radians(tilt_sd_deg) * rng.standard_normal())
        height_mm = simulate_rebound(setting, materials, FALL_MM_S, tilt_rad, rng)
        read_mm = max(0.0, height_mm + READING_MM * rng.standard_normal())
        found.append(Rebound(row=row + 2, setting=setting, fall_mm=FALL_MM, rebound_mm=read_mm))
    return tuple(found)
