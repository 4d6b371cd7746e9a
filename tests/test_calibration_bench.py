"""Bench measurements: formulas, standard errors, and whether intervals hold what was planted."""

import math
from itertools import chain

import numpy as np
import pytest
from scipy.stats import f_oneway

from pucklab.calibration.bench import bench_constants, bench_report, read_measurements
from tests.refusals import refused

COLUMNS = "measurement,drop_mm,rebound_mm,speed_m_s,slide_mm,ramp_mm,run_mm,tilt_deg"


def table(*rows):
    return "\n".join([COLUMNS, *rows])


def found_in(*rows):
    return bench_constants(read_measurements(table(*rows), "bench.csv"))


def drop(e, height_mm=800.0):
    return f"drop,{height_mm!r},{height_mm * e * e!r},,,,,"


def slide(mu):
    return f"slide,,,1.5,{1500.0**2 / (2 * 9810.0 * mu)!r},,,"


def ramp(mu):
    return f"ramp,,,,,150,{150 / mu!r},"


def tilt(mu):
    return f"tilt,,,,,,,{math.degrees(math.atan(mu))!r}"


@pytest.mark.parametrize("row", [drop, slide, ramp, tilt])
def test_exact_measurements_give_the_constant_they_were_made_from(row):
    (constant,) = found_in(*[row(0.31)] * 4)
    assert constant.value == pytest.approx(0.31, rel=1e-9)
    assert constant.name == ("restitution" if row is drop else "friction")


def test_a_slide_goes_as_far_as_the_textbook_says():
    (constant,) = found_in(*["slide,,,1,145.62,,,"] * 3)
    assert constant.value == pytest.approx(0.35, abs=1e-4)


def test_repeats_that_never_differ_keep_the_error_of_reading_a_ruler():
    (constant,) = found_in(*["drop,500,125,,,,,"] * 4)
    # d ln e = d ln rebound / 2 - d ln drop / 2, each read to the nearest millimetre.
    single = 0.5 * 0.5 * math.hypot(1 / 125, 1 / 500) / math.sqrt(12)
    assert constant.standard_error == pytest.approx(single / 2, rel=1e-3)


def test_kinds_that_agree_are_weighted_by_their_variances():
    tight = [0.300, 0.302, 0.304, 0.298, 0.296] * 3
    wide = [0.26, 0.34, 0.30, 0.28, 0.35] * 3
    (constant,) = found_in(*map(slide, tight), *map(ramp, wide))
    assert not constant.kinds_disagree
    assert "The kinds agree (chance " in bench_report([constant], "bench.csv")
    slides, ramps = constant.kinds
    assert abs(constant.value - slides.value) < 0.1 * abs(constant.value - ramps.value)
    assert constant.standard_error < 1.1 * slides.standard_error


def test_kinds_that_disagree_are_told_and_widen_the_interval():
    ramps, tilts = [0.30, 0.31, 0.29, 0.30], [0.40, 0.41, 0.39, 0.40]
    (constant,) = found_in(*map(ramp, ramps), *map(tilt, tilts))
    assert constant.kinds_disagree
    assert constant.low < 0.305
    assert constant.high > 0.395
    told = bench_report([constant], "bench.csv")
    assert "DISAGREE" in told
    assert "static friction" in told


@pytest.mark.parametrize("kinds", [2, 3])
def test_the_chance_of_agreement_is_welchs(kinds):
    values = [[0.24, 0.36, 0.3, 0.28], [0.3, 0.41, 0.35, 0.4, 0.4], [0.38, 0.27, 0.31]][:kinds]
    rows = (map(row, own) for row, own in zip((slide, ramp, tilt), values, strict=False))
    (constant,) = found_in(*chain.from_iterable(rows))
    expected = f_oneway(*values, equal_var=False).pvalue
    assert constant.agreement == pytest.approx(expected, rel=1e-6)


def test_a_row_far_from_the_others_is_named():
    (constant,) = found_in(*map(drop, [0.5, 0.51, 0.49, 0.5, 0.505, 0.8]))
    assert constant.kinds[0].far_off == (7,)
    assert "row 7" in bench_report([constant], "bench.csv")


def test_a_restitution_that_falls_with_speed_is_told():
    rows = [drop(0.6 - 0.02 * k, 100.0 + 150 * k) for k in range(8)]
    assert "Restitution changes by -0." in bench_report(found_in(*rows), "bench.csv")
    same = [drop(0.5, 100.0 + 150 * k) for k in range(8)]
    assert "Restitution changes" not in bench_report(found_in(*same), "bench.csv")


def covered(make, planted):
    """Return the share of 1000 made-up files whose 95 % interval holds what was planted."""
    hits = 0
    for repetition in range(1000):
        (constant,) = found_in(*make(np.random.default_rng([7, repetition])))
        hits += constant.low <= planted <= constant.high
    return hits / 1000


def test_intervals_of_restitution_hold_the_planted_one():
    def drops(rng):
        heights = rng.choice([400.0, 700.0, 1000.0], 6)
        e = 0.5 + 0.02 * rng.standard_normal(6)
        read = np.rint(heights * e * e)
        return [f"drop,{h:.0f},{r:.0f},,,,," for h, r in zip(heights, read, strict=True)]

    assert 0.93 < covered(drops, 0.5) < 0.97


def test_intervals_of_friction_from_three_kinds_hold_the_planted_one():
    def all_kinds(rng):
        def draw(sd):
            return (0.3 + sd * rng.standard_normal(5)).tolist()

        return [*map(slide, draw(0.03)), *map(ramp, draw(0.015)), *map(tilt, draw(0.01))]

    assert 0.93 < covered(all_kinds, 0.3) < 0.985


def test_a_constant_that_the_model_does_not_accept_is_an_error():
    refused(found_in, *[drop(0.98)] * 3, said="restitution: 0.98 from drop ... takes 0.05 to 0.9")


def test_spaces_comments_blank_lines_and_a_byte_order_mark_are_no_matter():
    text = "\ufeff# mine\nmeasurement , drop_mm,rebound_mm\n\n" + " drop ,500, 125\n\n" * 3
    (constant,) = bench_constants(read_measurements(text, "bench.csv"))
    assert constant.value == 0.5
