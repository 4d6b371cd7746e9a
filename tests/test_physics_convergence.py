"""Finer time steps, more iterations and other stiffnesses leave the statistics where they are."""

import math
from dataclasses import replace
from functools import lru_cache

import pytest

from pucklab.physics import (
    PRESETS,
    slam,
)
from tests.scenes import stack_scene, trial_throw

RECOMMENDED = PRESETS["recommended"]
VARIANTS = {
    "half the impact's step": replace(RECOMMENDED, impact_step_s=RECOMMENDED.impact_step_s / 2),
    "half the settling's step": replace(RECOMMENDED, settle_step_s=RECOMMENDED.settle_step_s / 2),
    "twice the impact's iterations": replace(
        RECOMMENDED, impact_iterations=2 * RECOMMENDED.impact_iterations
    ),
    "twice the settling's iterations": replace(
        RECOMMENDED, settle_iterations=2 * RECOMMENDED.settle_iterations
    ),
    "twice the stiffness": replace(
        RECOMMENDED,
        plate_frequency_rad_s=math.sqrt(2) * RECOMMENDED.plate_frequency_rad_s,
        impact_step_s=RECOMMENDED.impact_step_s / math.sqrt(2),
    ),
    "half the stiffness": replace(
        RECOMMENDED, plate_frequency_rad_s=RECOMMENDED.plate_frequency_rad_s / math.sqrt(2)
    ),
}


@lru_cache
def mean_flips(preset, throws):
    """Return the mean flips of a throw and their standard error."""
    scene = stack_scene(8.0, 10, preset=preset)
    flips = [len(slam(scene, trial_throw(10, 5, i)).outcome.flipped) for i in range(throws)]
    mean = sum(flips) / throws
    return mean, math.sqrt(sum((flip - mean) ** 2 for flip in flips)) / throws


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_numerics_move_mean_flips_by_less_than_two_standard_errors(variant):
    (base, base_se), (flips, se) = (
        mean_flips(preset, 1000) for preset in (RECOMMENDED, VARIANTS[variant])
    )
    told = f"{flips:.3f} +- {se:.3f} flips, recommended {base:.3f} +- {base_se:.3f}"
    assert abs(flips - base) < 2 * math.hypot(se, base_se), told
