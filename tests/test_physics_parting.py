"""The parting: solid pieces that have just been struck come apart."""

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
from physics.impact import Impact, impact
from physics.parting import PARTED_S, part
from physics.pieces import Piece
from physics.plane import impact_plane
from physics.units import GRAVITY_MM_S2
from physics.world import State, mechanical_energy_nj

FAST = PRESETS["fast"]


def scene_of(preset: Preset, pucks: int = 8, mass_g: float = 8.0) -> Scene:
    return Scene(slammer=puckdex_slammer(mass_g), stack=puck_stack(pucks), preset=preset)


def pieces_of(scene: Scene) -> tuple[Piece, ...]:
    return (*scene.stack, scene.slammer)


def struck(scene: Scene, trial: int) -> Impact | None:
    throw = draw_throw(ThrowDistribution(), len(scene.stack), trial_generator(4, trial))
    plane = impact_plane(scene, throw)
    return None if plane is None else impact(scene, throw, plane)


def energy_nj(scene: Scene, state: State) -> float:
    properties = [mass_properties(piece) for piece in pieces_of(scene)]
    mass_g = np.array([p.mass_g for p in properties])
    return mechanical_energy_nj(
        state, mass_g, np.array([p.moment_diameter_g_mm2 for p in properties])
    )


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_pieces_that_meet_nothing_fly_as_they_fall(preset: Preset) -> None:
    scene = scene_of(preset, pucks=1)
    state = np.array(
        [[-60.0, 40.0, 3.0, -500.0, 900.0, 20.0], [30.0, 60.0, 0.1, 400.0, 1500.0, 5.0]]
    )
    end = part(scene, pieces_of(scene), Impact(state=state, duration_s=4e-3, lifted_nj=0.0))
    span_s = end.duration_s - 4e-3
    assert span_s == pytest.approx(8e-3)
    flown = state.copy()
    flown[:, :3] += state[:, 3:] * span_s
    flown[:, 1] -= GRAVITY_MM_S2 * span_s**2 / 2
    flown[:, 4] -= GRAVITY_MM_S2 * span_s
    assert end.state == pytest.approx(flown)


def test_what_the_pieces_rise_is_counted() -> None:
    scene = scene_of(FAST)
    before = struck(scene, 1)
    assert before is not None
    after = part(scene, pieces_of(scene), before)
    mass_g = np.array([mass_properties(piece).mass_g for piece in pieces_of(scene)])
    rise_mm = after.state[:, 1] - before.state[:, 1]
    rise_nj = GRAVITY_MM_S2 * float((mass_g * rise_mm).sum())
    assert after.lifted_nj - before.lifted_nj == pytest.approx(rise_nj)


def test_horizontal_momentum_is_kept_where_nothing_rubs() -> None:
    scene = replace(scene_of(FAST), materials=Materials(friction=0.0))
    mass_g = np.array([mass_properties(piece).mass_g for piece in pieces_of(scene)])
    for trial in range(5):
        before = struck(scene, trial)
        assert before is not None
        after = part(scene, pieces_of(scene), before)
        momenta = [float((mass_g * end.state[:, 3]).sum()) for end in (before, after)]
        assert momenta[1] == pytest.approx(momenta[0], abs=1e-6 * 8.0 * 5000.0)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_energy_rises_no_more_than_by_pushing_overlaps_apart(preset: Preset) -> None:
    """A piece goes at most a step's way into another before the solver sees it and lifts it out."""
    for mass_g in (4.0, 20.0):
        scene = scene_of(preset, mass_g=mass_g)
        heavy_g = sum(piece.mass_g for piece in pieces_of(scene))
        for trial in range(8):
            before = struck(scene, trial)
            assert before is not None
            after = part(scene, pieces_of(scene), before)
            rise = energy_nj(scene, after.state) - energy_nj(scene, before.state)
            assert rise <= heavy_g * GRAVITY_MM_S2 * 5000.0 * preset.parting_step_s


def test_a_piece_near_a_wall_ends_the_parting() -> None:
    scene = scene_of(FAST, pucks=1)
    state = np.array(
        [[-100.0, 40.0, 3.0, -4000.0, 900.0, 0.0], [30.0, 60.0, 0.1, 400.0, 1500.0, 5.0]]
    )
    end = part(scene, pieces_of(scene), Impact(state=state, duration_s=2.5e-3, lifted_nj=0.0))
    assert end.duration_s < PARTED_S
    assert -scene.arena.half_side_mm < end.state[0, 0] < -100.0


def test_solid_pieces_part_as_split_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same motion by the impact's own springs, for as long: means over throws."""
    import physics.impact as split
    from physics.stepping import Looks

    scene = scene_of(FAST)
    befores = [before for trial in range(40) if (before := struck(scene, trial)) is not None]
    solid = [part(scene, pieces_of(scene), before).state for before in befores]
    monkeypatch.setattr(split, "_LOOKS", Looks(first_s=PARTED_S, every_s=1e-3, last_s=PARTED_S))
    plates = [end.state for trial in range(40) if (end := struck(scene, trial)) is not None]
    one, other = np.array(solid)[:, :-1], np.array(plates)[:, :-1]
    for column in (4, 5):
        here, there = (np.sqrt((states[:, :, column] ** 2).mean(axis=1)) for states in (one, other))
        error = np.hypot(here.std(), there.std()) / np.sqrt(len(here))
        assert here.mean() == pytest.approx(there.mean(), abs=2 * error)
