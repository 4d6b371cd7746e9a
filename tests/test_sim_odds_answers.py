"""Answers in words: who leads and how surely, and what is said where throws decide nothing."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pucklab.physics import ThrowDistribution, knock_out_stack, puck_stack, puckdex_slammer
from pucklab.render.plots.odds import odds_points
from pucklab.sim.experiments.paired import (
    best_value,
    difference,
    paired_counts,
    paired_tally,
    swing,
)
from pucklab.sim.odds import OddsRow
from pucklab.sim.odds.answers import (
    PLANE_ERRORS,
    best_answer,
    case_name,
    chances_to_lead,
    comparison,
    likely_leaders,
    odds_answer,
    scene_line,
    sensitivity_answer,
    stop_words,
)
from tests.scenes import stack_scene, usual_study
from tests.tables import cases
from tests.tallies import tally_of_flips


def row_of(mass_g, flips, name="", **values):
    """Return a row of throws at three pucks: entry k of the flips are throws that flip k."""
    tally = tally_of_flips(*flips, *[0] * (4 - len(flips)))
    study = usual_study(stack_scene(mass_g, 3))
    return OddsRow(name=name or f"{mass_g:g} g", study=study, tally=tally, values=values)


LIGHT, HEAVY = row_of(4.0, (400, 400)), row_of(20.0, (200, 600))


@cases(
    "throws said",
    """
    4: 400 400 => 4 g flips 0.50 pucks a throw (95 % sure: 0.46 to 0.54)
    4: 400 400; 20: 200 600 => 20 g flips 50 % more than 4 g, 0.75 pucks a throw (surely: over 99 %)
    4: 400 400; 8: 240 560; 20: 200 600 => 20 g flips most, 0.75 pucks a throw: 7 % more than 8 g \
(surely: 98 %)
    4: 40; 8: 20 20; 12: 20 20; 20: 20 20 => 8, 12 or 20 g flips most: not decided by 40 throws of \
each
    """,
)
def test_slammers_are_compared_by_what_they_flip(throws, said):
    """One has its interval; of many the first is compared with the second.

    Those that nothing tells apart are listed without those that are behind.
    """
    rows = (case.split(":") for case in throws.split(";"))
    flips = [row_of(float(mass), [*map(int, counts.split())]) for mass, counts in rows]
    assert odds_answer(flips) == said


def test_slammers_of_one_make_are_one_case_with_the_name_of_their_mass():
    twin = replace(HEAVY, name="Onix")
    assert case_name([twin]) == "Onix"
    assert odds_answer([replace(HEAVY, name="Pidgeot"), twin, LIGHT]).startswith("20 g flips 50 %")


def test_slammers_of_one_make_are_one_point_of_the_plot():
    names = ("Pidgeot", "Onix", "Snorlax")
    points = odds_points([replace(HEAVY, name=name) for name in names] + [LIGHT], model_band=True)
    assert [(point.label, point.slammer_g) for point in points] == [
        ("3 slammers", 20.0),
        ("4 g", 4.0),
    ]


def test_cases_of_a_sweep_that_nothing_tells_apart_are_named_by_what_differs():
    rows = [row_of(20.0, (20, 20), "Onix", speed_m_s=speed) for speed in (3.0, 5.0, 7.0)]
    assert odds_answer(rows) == (
        "Onix at speed 3, 5 or 7 m/s flips most: not decided by 40 throws of each"
    )
    rows = [row_of(20.0, (20, 20), "Onix", pucks=pucks, friction=mu)
            for pucks in (2.0, 9.0) for mu in (0.2, 0.3)]  # fmt: skip
    assert odds_answer(rows) == (
        "Onix at 2 pucks and friction 0.2, Onix at 2 pucks and friction 0.3 or 2 more flips most: "
        "not decided by 40 throws of each"
    )


def test_of_two_cases_an_unsure_order_is_not_decided():
    said = "not decided by 100 throws of each: 20 g flips 4 % more than 4 g, 0.52 pucks a throw ("
    assert odds_answer([row_of(4.0, (50, 50)), row_of(20.0, (48, 52))]).startswith(said)


def test_materials_move_between_the_ends_of_their_ranges():
    (own,) = [swing("restitution", (-1.0, 0.0, 1.0), TALLY, 1, 0)]
    said = "restitution matters (surely: over 99 %): from its usual to its lowest value, flips"
    assert sensitivity_answer([own], "flips").startswith(said)


def test_a_sweep_names_its_values():
    rows = [row_of(20.0, flips, "Onix", speed_m_s=speed, friction=0.2)
            for speed, flips in ((3.0, (400, 400)), (7.0, (200, 600)))]  # fmt: skip
    rows[0] = replace(
        rows[0], study=replace(rows[0].study, thrower=ThrowDistribution(speed_mm_s=3e3))
    )
    assert odds_answer(rows) == (
        "Onix at speed 7 m/s and friction 0.2 flips 50 % more than at speed 3 m/s and friction "
        "0.2, 0.75 pucks a throw (surely: over 99 %)"
    )


def test_a_knock_out_is_told_by_its_chance():
    def knock_out(row):
        stack = (*knock_out_stack(puckdex_slammer(8.0)), *puck_stack(2))
        return replace(row, study=replace(row.study, scene=replace(row.study.scene, stack=stack)))

    assert odds_answer([knock_out(LIGHT)]) == (
        "4 g knocks the slammer out in 50 % of throws (95 % sure: 47 to 53 %)"
    )
    assert odds_answer([knock_out(LIGHT), knock_out(HEAVY)]) == (
        "20 g knocks the slammer out 50 % more often than 4 g, in 75 % of throws "
        "(surely: over 99 %)"
    )


def test_the_chance_to_lead_is_that_of_normal_errors():
    # Of two means one standard error of their difference apart, the higher one leads 84 % of times.
    first, second = chances_to_lead([10.0, 9.0], [1 / 2**0.5] * 2)
    assert first == pytest.approx(0.841, abs=0.02)
    assert first + second == pytest.approx(1.0)
    assert likely_leaders([0.02, 0.5, 0.46, 0.02]) == [1, 2]


RNG = np.random.default_rng(4)
COMMON = RNG.poisson(0.5, (400, 1))
FLIPS = COMMON + RNG.poisson([0.4, 1.0, 0.42, 0.4, 2.6], (400, 5))
TALLY = paired_tally(paired_counts(np.array([FLIPS, FLIPS > 0, FLIPS - 1])))


@cases(
    "measure order answer",
    r"""
    flips => b a => b flips 6\d % more than a \(surely: over 99 %\)
    flips => a b => a flips \d\d % fewer than b \(surely: over 99 %\)
    flips => e a => e flips 3\.\d times as many as a \(surely: over 99 %\)
    p_any => b a => b flips something \d\d % more often than a \(.*
    flips-minus-out => b a => b nets 0\.\d\d more pucks a throw than a .*
    flips => a d => a flips 6 % fewer than d \(probably: 92 %\)
    flips => a c => not decided by 400 throws: a flips \d+ % \w+ than c \(p.*\); about .*
    flips => b e a => b flips .* than e \(.*\) and .* than a \(surely: over 99 %\)
    flips => a b c => a flips .* than b \(.*\); against c it is not decided by 400 .*
    """,
)
def test_a_comparison_says_by_how_much_and_how_surely(measure, order, answer):
    index = ("flips", "p_any", "flips-minus-out").index(measure)
    first, *others = places = ["abcde".index(name) for name in order.split()]
    found = [difference(TALLY, first, other, index) for other in others]
    said = comparison(order.split(), TALLY.means(index)[places].tolist(), found, measure)
    assert re.fullmatch(answer, said), said


@pytest.mark.parametrize(
    ("means", "said"),
    [
        (
            [0.5, 0.5, 3.0, 0.5, 0.5],
            r"at speed 3 m/s a throw flips most, (3\.0|2\.9)\d ± 0\.\d\d \(95 % sure\)",
        ),
        (
            [1.0] * 5,
            r"at speed 1 to 5 m/s throws flip about alike, .*: not decided by 600 throws at .*",
        ),
        (
            [0.3, 1.0, 1.3, 1.4, 1.3],
            r"at speed 3 to 5 m/s throws flip about alike, .*and more than the rest \(95 % sure\)",
        ),
    ],
)
def test_the_best_values_are_a_run_or_a_list(means, said):
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    tally = paired_tally(paired_counts(np.random.default_rng(2).poisson(means, (600, 5))[None]))
    own = tally.means(0).tolist()
    found = best_value(values, tally, 0, np.random.default_rng(1))
    answer = best_answer("speed_m_s", values, own, found, "flips", 600)
    assert re.fullmatch(said, answer), answer
    few = replace(found, plateau=(0, 2))
    listed = best_answer("friction", values, [0.41, 0.2, 0.46, 0.1, 0.1], few, "p_any", 600)
    assert listed == (
        "at friction 1 and 3 throws flip something about equally often, in 41 to 46 % of throws, "
        "and more than the rest (95 % sure)"
    )


def test_the_assumption_that_moves_flips_most_is_named_with_its_move():
    swings = [swing("speed_m_s", (3.5, 5.0, 6.5), TALLY, 3, 0),
              swing("friction", (0.2, 0.3, 0.4), TALLY, 1, 0)]  # fmt: skip
    answer = sensitivity_answer(swings, "flips")
    assert answer == (
        "speed matters most (surely: over 99 %): from 5 to 6.5 m/s, flips a throw rise by "
        f"{swings[0].above.value:.2f}"
    )
    alone = sensitivity_answer([swing("friction", (0.2, 0.3, 0.4), TALLY, 0, 0)], "flips")
    assert alone.startswith(
        "friction matters (surely: over 99 %): from 0.2 to 0.4, flips a throw rise"
    )
    alike = replace(swings[1], name="tilt_sd_deg")
    unsure = sensitivity_answer([swings[1], alike, alike], "flips")
    assert unsure.startswith("friction leads (not decided by 400 throws): from 0.3 to 0.2, flips ")


def test_the_scene_says_how_often_was_thrown_and_what_the_plane_gets_wrong():
    study = LIGHT.study
    assert scene_line("3 pucks", [study], [tally_of_flips(1)]) == "3 pucks; 1 throw each"
    text = scene_line(
        "3 pucks",
        [replace(study, engine="plane")],
        [tally_of_flips(100), tally_of_flips(150, 50)],
        ", stopped",
    )
    assert text == f"3 pucks; 100 to 200 throws each, stopped\n{PLANE_ERRORS}"


def test_a_stop_rule_is_named_with_the_width_it_left():
    rows = [replace(row, stopped_by="max-seconds") for row in (LIGHT, HEAVY)]
    assert stop_words(rows, "p_any") == ", stopped by max-seconds: P(any flip) sure to ± 0.035"
    assert stop_words([LIGHT], "p_any") == ""
