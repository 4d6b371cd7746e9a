"""Restitution and hysteresis from rebounds: files, the engine, planted values."""

import itertools
import math
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from pucklab.base.errors import parameters
from pucklab.calibration.parameter_files import parameter_file
from pucklab.calibration.rebound.fit import PointSubject, fit_rebounds, measure, rebounds_at_point
from pucklab.calibration.rebound.measurements import read_rebounds, simulate_rebound
from pucklab.calibration.rebound.report import rebound_parameters, rebound_report
from pucklab.calibration.throws.log import read_throws
from pucklab.physics import Materials, trial_generator
from pucklab.physics.materials import GRAVITY_MM_S2
from tests.rebounds import FALL_MM_S, drops

SD = parameters(Materials)["restitution"].uncertainty or 0.0


def fit_drops(rebounds, trials, seed=1):
    def simulate(subjects, each):
        return [rebounds_at_point(subject, seed, 0, each) for subject in subjects]

    return fit_rebounds(rebounds, Materials(), SD, simulate, trials=trials, seed=seed)


def test_the_example_is_what_the_model_makes():
    shipped = (files("pucklab.calibration.rebound") / "example.csv").read_text(encoding="utf-8")
    made = drops(Materials(restitution=0.5, hysteresis=0.6), 2.0, 3)
    assert [(r.setting, r.fall_mm, r.rebound_mm) for r in read_rebounds(shipped, "drops.csv")] == [
        (r.setting, r.fall_mm, round(r.rebound_mm)) for r in made
    ]
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


def test_a_log_of_throws_may_have_rebounds():
    head = "slammer_g,thickness_mm,pucks,flipped,out,speed_m_s,rebound_mm"
    text = head + "\n8,6,10,2,0,5,300" * 15 + "\n8,6,10,1,1,5," * 5
    assert len(read_throws(text, "log.csv")) == 20
    rebounds = read_rebounds(text, "log.csv")
    assert len(rebounds) == 15
    assert not rebounds[0].setting.dropped
    assert rebounds[0].returned == pytest.approx(math.sqrt(300.0 * 2 * GRAVITY_MM_S2) / 5000.0)


def test_measured_and_simulated_returns_are_compared_in_groups_of_four():
    """All groups of four of five returns, in their order; of three returns only the mean counts."""
    first = drops(Materials(), 2.0, 1, repeats=3)[0]
    group = [replace(first, rebound_mm=float(height)) for height in (90, 10, 160, 40, 250)]
    chosen = list(itertools.combinations(sorted(each.returned for each in group), 4))
    assert measure(first.setting, group).seen == pytest.approx(np.mean(chosen, axis=0))
    few = measure(first.setting, group[:3])
    assert few.seen == pytest.approx([np.mean([each.returned for each in group[:3]])])
    subject = PointSubject(
        setting=first.setting,
        materials=Materials(),
        speed_mm_s=FALL_MM_S,
        tilt_sd_deg=2.0,
        scatter=0.01,
        number=3,
    )
    means = rebounds_at_point(subject, 1, 0, 8).means
    assert (np.diff(means) > 0).all()
    assert 0.3 < means[-1] < 0.55


def coverage(repetitions, trials):
    """Count the intervals of restitution, hysteresis and tilt that hold the planted value."""
    held = np.zeros(3, dtype=int)
    for number in range(repetitions):
        rng = np.random.default_rng((11, number))
        restitution = float(np.clip(rng.normal(0.5, SD), 0.5 - 2.5 * SD, 0.5 + 2.5 * SD))
        hysteresis, spread_deg = rng.uniform(), math.exp(rng.uniform(*np.log([0.4, 6.0])))
        materials = Materials(restitution=restitution, hysteresis=float(hysteresis))
        found = fit_drops(drops(materials, spread_deg, 1000 + number), trials, number)
        own = [found[name] for name in ("restitution", "hysteresis", "drops")]
        planted = (restitution, hysteresis, spread_deg)
        held += [p.low <= truth <= p.high for p, truth in zip(own, planted, strict=True)]
    return held


@pytest.mark.slow
def test_of_twenty_half_hours_17_or_more_intervals_hold_what_was_planted():
    assert coverage(20, 512).min() >= 17


def test_twenty_drops_tell_the_hysteresis_and_the_floor_alone_does_not():
    rebounds = drops(Materials(hysteresis=1.0), 2.0, 5)
    found = fit_drops(rebounds, 256)
    assert found.tells_hysteresis
    assert found.more_than_half > 0.9
    assert found["restitution"].low < 0.5 < found["restitution"].high
    report = rebound_report(rebounds, found, "drops.csv")
    assert "rather lose a fixed share" in report
    assert f"\ntilt spread of drops {found['drops'].value:.1f} degrees (95 % interval " in report
    assert f"\nhysteresis {found['hysteresis'].value:.3f} +- " in report
    assert "did NOT converge" not in report
    one_point = np.eye(1, len(found.fit.posterior.weights))[0]
    lost = replace(found.fit, posterior=replace(found.fit.posterior, weights=one_point))
    report = rebound_report(rebounds, replace(found, fit=lost), "drops.csv")
    assert "did NOT converge" in report
    text = parameter_file(rebound_parameters(rebounds, found, "drops.csv"))
    assert "[materials.hysteresis]" in text
    floor = [rebound for rebound in rebounds if rebound.setting.pucks == 0]
    blind = fit_drops(floor, 256)
    assert not blind.tells_hysteresis
    assert "Drop the slammer on ten pucks as well" in rebound_report(floor, blind, "drops.csv")
    assert [c.name for c in rebound_parameters(floor, blind, "drops.csv")] == ["restitution"]
