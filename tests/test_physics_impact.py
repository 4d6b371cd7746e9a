"""The impact: conservation laws, and the presets against each other."""

from dataclasses import replace

import numpy as np
import pytest

from physics import (
    PRESETS,
    Materials,
    Puck,
    Scene,
    ThrowDistribution,
    draw_throw,
    mass_properties,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from physics.plane.impact import (
    _merge,
    _plate_frequency_rad_s,
    _Rig,
    arriving_state,
    impact,
    impact_plane,
)


def scene_of(preset):
    return Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(8), preset=preset)


def thrown(scene, trials):
    for trial in range(trials):
        throw = draw_throw(ThrowDistribution(), 8, trial_generator(4, trial))
        plane = impact_plane(scene, throw)
        assert plane is not None
        yield throw, plane


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_horizontal_momentum_is_kept_where_nothing_rubs(preset):
    scene = replace(scene_of(preset), materials=Materials(friction=0.0))
    mass_g = np.array([p.mass_g for p in (*scene.stack, scene.slammer)])
    for throw, plane in thrown(scene, 3):
        end = impact(scene, throw, plane)
        momentum = float((mass_g * end.state[:, 3]).sum())
        assert momentum == pytest.approx(
            scene.slammer.mass_g * plane.speed_along_mm_s, abs=1e-6 * 8.0 * 5000.0
        )


def test_the_slammer_arrives_half_a_millimetre_above_the_stack():
    scene = scene_of(PRESETS["fast"])
    for _, plane in thrown(scene, 10):
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


def test_an_impact_at_half_the_time_step_ends_much_the_same():
    """Before chaos sets in: the slammer's speed after the impact, over some throws."""
    coarse = PRESETS["recommended"]
    fine = replace(coarse, impact_step_s=coarse.impact_step_s / 2)
    speeds = {coarse.impact_step_s: [], fine.impact_step_s: []}
    for preset in (coarse, fine):
        scene = scene_of(preset)
        for throw, plane in thrown(scene, 40):
            speeds[preset.impact_step_s].append(impact(scene, throw, plane).state[-1, 4])
    one, other = (np.array(values) for values in speeds.values())
    assert np.corrcoef(one, other)[0, 1] > 0.9
    assert one.mean() == pytest.approx(other.mean(), abs=one.std() / np.sqrt(len(one)))
    assert one.mean() == pytest.approx(other.mean(), rel=0.05)


def test_a_heavy_piece_is_as_stiff_as_a_puck_and_a_light_one_no_faster():
    """A 6 g slammer has the stiffness of a 1.5 g puck, m omega^2 / 4; 1 g keeps the frequency."""
    preset = PRESETS["fast"]
    scene = scene_of(preset)
    omega = preset.plate_frequency_rad_s
    assert _plate_frequency_rad_s(scene, Puck(mass_g=1.0)) == pytest.approx(omega)
    assert 6.0 * _plate_frequency_rad_s(scene, puckdex_slammer(6.0)) ** 2 == pytest.approx(
        1.5 * omega**2
    )


def test_merging_plates_conserves_momentum_and_angular_momentum():
    rng = np.random.default_rng(5)
    mass, moment = np.repeat(rng.uniform(0.5, 4.0, (2, 3)), 2, axis=1)
    rig = _Rig(
        mass_g=np.append(mass, 8.0),
        moment_g_mm2=np.append(100 * moment, 900.0),
        rest_mm=np.ones(3),
        stiffness_g_s2=np.ones(3),
        springs=[],
        rotary_springs=[],
    )
    plates = rng.normal(0.0, 10.0, (7, 6))
    merged = _merge(rig, plates)

    def angular(state, mass_g, moment_g_mm2):
        x, z, _, vx, vz, omega = state.T
        return mass_g * (x * vz - z * vx) + moment_g_mm2 * omega

    pairs = plates[:-1].reshape(3, 2, 6)
    apart = pairs[:, 1, :2] - pairs[:, 0, :2]
    whole_mass = 2 * mass[::2]
    whole_moment = 200 * moment[::2] + whole_mass * (apart**2).sum(axis=1) / 4
    before = angular(plates[:-1], rig.mass_g[:-1], rig.moment_g_mm2[:-1]).reshape(3, 2).sum(axis=1)
    assert angular(merged[:-1], whole_mass, whole_moment) == pytest.approx(before)
    assert merged[:-1, 3:5] == pytest.approx(pairs[:, :, 3:5].mean(axis=1))
    assert (merged[-1] == plates[-1]).all()
