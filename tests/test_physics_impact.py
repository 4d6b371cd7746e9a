"""The impact: conservation laws, and the presets against each other."""

from dataclasses import replace

import numpy as np
import pytest

from physics import (
    PRESETS,
    Materials,
    Preset,
    Scene,
    ThrowDistribution,
    draw_throw,
    mass_properties,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from physics.plane.impact import impact
from physics.plane.projection import arriving_state, impact_plane


def scene_of(preset: Preset, pucks: int = 8) -> Scene:
    return Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(pucks), preset=preset)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_horizontal_momentum_is_kept_where_nothing_rubs(preset: Preset) -> None:
    scene = replace(scene_of(preset), materials=Materials(friction=0.0))
    mass_g = np.array([p.mass_g for p in (*scene.stack, scene.slammer)])
    for trial in range(3):
        throw = draw_throw(ThrowDistribution(), 8, trial_generator(4, trial))
        plane = impact_plane(scene, throw)
        assert plane is not None
        end = impact(scene, throw, plane)
        momentum = float((mass_g * end.state[:, 3]).sum())
        assert momentum == pytest.approx(
            scene.slammer.mass_g * plane.speed_along_mm_s, abs=1e-6 * 8.0 * 5000.0
        )


def test_the_slammer_arrives_half_a_millimetre_above_the_stack() -> None:
    scene = scene_of(PRESETS["fast"])
    for trial in range(10):
        throw = draw_throw(ThrowDistribution(), 8, trial_generator(4, trial))
        plane = impact_plane(scene, throw)
        assert plane is not None
        x, z, angle, *_ = arriving_state(scene, plane)
        centre_mm = mass_properties(scene.slammer).centre_mm
        half = scene.slammer.thickness_mm / 2
        corners = [
            z + np.sin(angle) * along + np.cos(angle) * (across - centre_mm)
            for along in (-20.615, 20.615)
            for across in (-half, half)
        ]
        assert min(corners) == pytest.approx(scene.stack_height_mm + 0.5)
        assert abs(x) < 200.0


def test_an_impact_at_half_the_time_step_ends_much_the_same() -> None:
    """Before chaos sets in: the slammer's speed after the impact, over some throws."""
    coarse = PRESETS["recommended"]
    fine = replace(coarse, impact_step_s=coarse.impact_step_s / 2)
    speeds: dict[float, list[float]] = {coarse.impact_step_s: [], fine.impact_step_s: []}
    for preset in (coarse, fine):
        scene = scene_of(preset)
        for trial in range(40):
            throw = draw_throw(ThrowDistribution(), 8, trial_generator(4, trial))
            plane = impact_plane(scene, throw)
            assert plane is not None
            speeds[preset.impact_step_s].append(impact(scene, throw, plane).state[-1, 4])
    one, other = (np.array(values) for values in speeds.values())
    assert np.corrcoef(one, other)[0, 1] > 0.9
    assert one.mean() == pytest.approx(other.mean(), abs=one.std() / np.sqrt(len(one)))
    assert one.mean() == pytest.approx(other.mean(), rel=0.05)
