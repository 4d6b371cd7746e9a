"""The impact in its plane: momentum, stiffness, and its time step."""

from dataclasses import replace

import numpy as np
import pytest

from pucklab.physics import (
    PRESETS,
    Materials,
)
from pucklab.physics.plane.impact import impact, impact_plane
from tests.scenes import stack_scene, trial_throw


def scene_of(preset, **changes):
    return stack_scene(8.0, 8, preset=preset, **changes)


def thrown(scene, trials):
    for trial in range(trials):
        throw = trial_throw(8, 4, trial)
        plane = impact_plane(scene, throw)
        yield throw, plane


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_horizontal_momentum_is_kept_where_nothing_rubs(preset):
    scene = scene_of(preset, materials=Materials(friction=0.0))
    mass_g = np.array([p.mass_g for p in (*scene.stack, scene.slammer)])
    for throw, plane in thrown(scene, 3):
        momentum = float((mass_g * impact(scene, throw, plane).state[:, 3]).sum())
        expected = scene.slammer.mass_g * plane.speed_along_mm_s
        assert momentum == pytest.approx(expected, abs=1e-6 * 8.0 * 5000.0)


def test_an_impact_at_half_the_time_step_ends_much_the_same():
    """Before chaos sets in: the slammer's speed after the impact, over some throws."""
    coarse = PRESETS["recommended"]
    ends = []
    for preset in (coarse, replace(coarse, impact_step_s=coarse.impact_step_s / 2)):
        scene = scene_of(preset)
        ends.append(np.array([impact(scene, *each).state[-1, 4] for each in thrown(scene, 40)]))
    one, other = ends
    assert np.corrcoef(one, other)[0, 1] > 0.9
    assert one.mean() == pytest.approx(other.mean(), abs=one.std() / np.sqrt(len(one)))
    assert one.mean() == pytest.approx(other.mean(), rel=0.05)
