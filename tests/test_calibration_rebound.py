"""Restitution and hysteresis from rebounds: files, the emulator, planted values."""

import math
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

import numpy as np
import pytest

from calibration.parameter_files import parameter_file
from calibration.rebound import (
    fit_emulator,
    fit_rebounds,
    read_rebounds,
    rebound_parameters,
    rebound_report,
    rebound_tasks,
    run_rebounds,
)
from calibration.rebound.measurements import drops, example_drops, simulate_rebound
from calibration.throws import read_throws
from physics import InputError, Material, Materials, contact_stiffness_g_s2, trial_generator
from physics.errors import parameters
from physics.materials import GRAVITY_MM_S2
from physics.solid.settings import contact_damping_ratio

HEAD = "slammer_g,thickness_mm,pucks,drop_mm,rebound_mm"
SD = parameters(Materials)["restitution"].uncertainty or 0.0
FALL_MM_S = math.sqrt(2 * GRAVITY_MM_S2 * 460.0)


def emulators_of(rebounds, trials):
    found = {}
    tasks = rebound_tasks(rebounds, Materials(), SD, trials=trials, seed=2)
    settings = {}
    for task in tasks:
        settings[task.setting.name] = task.setting
        found.setdefault(task.setting.name, []).extend(run_rebounds(task))
    return [fit_emulator(settings[name], found[name]) for name in settings]


@lru_cache
def emulators(trials):
    return emulators_of(drops(Materials(), 2.0, 1), trials)


def test_the_example_is_what_the_model_makes():
    shipped = (files("calibration.rebound") / "example.csv").read_text(encoding="utf-8")
    assert example_drops() == shipped
    assert shipped.startswith("# Made up")


@pytest.mark.parametrize("restitution", [0.4, 0.6])
@pytest.mark.parametrize("hysteresis", [0.0, 1.0])
def test_a_flat_drop_on_the_floor_returns_with_the_restitution(restitution, hysteresis):
    (drop, *_) = drops(Materials(), 0.0, 1, repeats=1)
    height_mm = simulate_rebound(
        drop.setting,
        Materials(restitution=restitution, hysteresis=hysteresis),
        FALL_MM_S,
        0.0,
        trial_generator(1, 0),
    )
    assert math.sqrt(height_mm / 460.0) == pytest.approx(restitution, rel=0.02)


def line_return(setting, hysteresis, restitution=0.5):
    """Return the speed at which a slammer leaves ten points of pucks on a line over that before.

    The first point is the floor. By its own few lines: dampers and latching springs, as stiff as
    two sides in series (a thick slammer's side is stiffer than a puck's).
    """
    pieces = [*[setting.puck] * setting.pucks, setting.slammer]
    lightness = np.array([0.0, *(1 / piece.mass_g for piece in pieces)])
    sides = [contact_stiffness_g_s2(Material(), piece.thickness_mm) for piece in pieces]
    soft = 1 / np.array([contact_stiffness_g_s2(Material()), *sides])
    stiffness, step_s = 1 / (soft[1:] + soft[:-1]), 2.5e-7
    ratio, kept = contact_damping_ratio(restitution ** (1 - hysteresis)), restitution**hysteresis
    x, v, dent = np.zeros(12), np.zeros(12), np.zeros(11)
    v[-1] = -FALL_MM_S
    for _ in range(6000):
        depth = np.maximum(0.0, x[:-1] - x[1:])
        dent = np.maximum(np.minimum(dent, depth), (1 - kept**2) * depth)
        spring = stiffness / kept**2 * (depth - dent)
        steep = np.where(spring >= stiffness * depth * (1 - 1e-9), 1.0, kept**-2) * stiffness
        damping = 2 * ratio * np.sqrt(steep / (lightness[:-1] + lightness[1:]))
        force = np.maximum(0.0, spring + damping * (v[:-1] - v[1:])) * (depth > 0.0)
        v[1:] += step_s * force * lightness[1:]
        v[:-1] -= step_s * force * lightness[:-1]
        x += step_s * v
    return float(v[-1]) / FALL_MM_S


@pytest.mark.parametrize("hysteresis", [0.0, 0.5, 1.0])
def test_a_flat_drop_on_a_stack_returns_as_from_points_on_a_line(hysteresis):
    """.65 with dampers, .28 with hysteresis alone; on the floor it is .5 with either."""
    *_, drop = drops(Materials(), 0.0, 1, repeats=1)
    materials = Materials(hysteresis=hysteresis)
    height_mm = simulate_rebound(drop.setting, materials, FALL_MM_S, 0.0, trial_generator(1, 1))
    expected = line_return(drop.setting, hysteresis)
    assert math.sqrt(height_mm / 460.0) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            HEAD + "\n8,6,0,460,\n" * 12,
            "drops.csv: no row has a rebound; give rebound_mm, the height to which",
        ),
        (
            HEAD + "\n8,6,0,460,115" * 9,
            "drops.csv: 9 rebounds (the last is row 10) are too few; give at least 10",
        ),
        (
            HEAD + "\n8,6,0,460,500" * 10,
            "row 2, column rebound_mm: 500 is not accepted; a rebound is lower than its fall",
        ),
        (HEAD + "\n8,6,0,,115" * 10, "row 2, column drop_mm: give one of drop_mm, for a flat"),
        (HEAD + "\n80,6,0,460,115" * 10, "row 2, column slammer_g: 80"),
    ],
)
def test_mistakes_in_a_file_are_one_line(text, message):
    with pytest.raises(InputError) as error:
        read_rebounds(text, "drops.csv")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_log_of_throws_may_have_rebounds():
    head = "slammer_g,thickness_mm,pucks,flipped,out,speed_m_s,rebound_mm"
    text = head + "\n8,6,10,2,0,5,300" * 15 + "\n8,6,10,1,1,5," * 5
    assert len(read_throws(text, "log.csv")) == 20
    rebounds = read_rebounds(text, "log.csv")
    assert len(rebounds) == 15
    assert not rebounds[0].setting.dropped
    assert rebounds[0].returned == pytest.approx(math.sqrt(300.0 * 2 * GRAVITY_MM_S2) / 5000.0)


def test_the_emulator_says_what_the_engine_does():
    """At points that it was not fitted on: within three of its own standard deviations."""
    rng = np.random.default_rng(8)
    for emulator in emulators(256):
        for number in range(4):
            e, h, tilt = rng.uniform(0.35, 0.65), rng.uniform(), rng.uniform(0.2, 5.0)
            height_mm = simulate_rebound(
                emulator.setting,
                Materials(restitution=e, hysteresis=h),
                FALL_MM_S,
                math.radians(tilt),
                trial_generator(9, number),
            )
            mean = emulator.mean(np.array([e]), np.array([h]), np.array([tilt]))[0, 0]
            sd = np.interp(tilt, emulator.knots_deg, emulator.scatter)
            assert abs(math.sqrt(height_mm / 460.0) - mean) < 3.5 * sd


def planted(number):
    """Return materials and a tilt spread drawn from what the fit takes for likely."""
    rng = np.random.default_rng((11, number))
    restitution = float(np.clip(rng.normal(0.5, SD), 0.5 - 2.5 * SD, 0.5 + 2.5 * SD))
    hysteresis, spread_deg = rng.uniform(), math.exp(rng.uniform(math.log(0.4), math.log(6.0)))
    return Materials(restitution=restitution, hysteresis=float(hysteresis)), spread_deg


@lru_cache
def covered(repetitions, trials):
    """Return how many intervals of restitution, hysteresis and tilt hold the planted value."""
    inside = [0, 0, 0]
    for number in range(repetitions):
        materials, spread_deg = planted(number)
        rebounds = drops(materials, spread_deg, 1000 + number)
        fit = fit_rebounds(rebounds, emulators(trials), Materials(), SD)
        for index, (found, truth) in enumerate(
            (
                (fit.restitution, materials.restitution),
                (fit.hysteresis, materials.hysteresis),
                (fit.tilt_deg[0], spread_deg),
            )
        ):
            inside[index] += found.low <= truth <= found.high
    return inside[0], inside[1], inside[2]


def test_intervals_of_a_few_fits_hold_the_planted_values():
    assert sum(covered(3, 256)) >= 8


@pytest.mark.slow
def test_intervals_hold_the_planted_values_in_90_to_99_of_100_repetitions():
    restitution, hysteresis, _ = covered(100, 1024)
    assert 90 <= restitution <= 99
    assert 90 <= hysteresis <= 99


@pytest.mark.slow
def test_intervals_hold_the_planted_tilt_in_90_to_99_of_100_repetitions():
    assert 90 <= covered(100, 1024)[2] <= 99


def test_twenty_drops_tell_the_hysteresis_and_the_floor_alone_does_not():
    rebounds = drops(Materials(hysteresis=1.0), 2.0, 5)
    fit = fit_rebounds(rebounds, emulators(256), Materials(), SD)
    assert fit.tells_hysteresis
    assert fit.more_than_half > 0.99
    assert "rather lose a fixed share" in rebound_report(rebounds, fit, "drops.csv")
    text = parameter_file(rebound_parameters(rebounds, fit, "drops.csv"))
    assert "[materials.hysteresis]" in text
    floor = [replace(r) for r in rebounds if r.setting.pucks == 0]
    own = [emulator for emulator in emulators(256) if emulator.setting.pucks == 0]
    blind = fit_rebounds(floor, own, Materials(), SD)
    assert not blind.tells_hysteresis
    assert "Drop the slammer on ten pucks as well" in rebound_report(floor, blind, "drops.csv")
    assert [c.name for c in rebound_parameters(floor, blind, "drops.csv")] == ["restitution"]
