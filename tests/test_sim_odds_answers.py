"""Answers in words: who leads and how surely, and what is said where throws decide nothing."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pucklab.physics import ThrowDistribution, knock_out_stack, puck_stack, puckdex_slammer
from pucklab.render.plots.odds import odds_points
from pucklab.sim.experiments.curve import Curve, number_distances
from pucklab.sim.experiments.paired import (
    difference,
    fit_paired_curve,
    paired_counts,
    paired_tally,
    swing,
)
from pucklab.sim.odds import OddsRow
from pucklab.sim.odds.answers import (
    PLANE_ERRORS,
    belief,
    case_distances,
    case_name,
    comparison_answer,
    odds_answer,
    ranking_answer,
    scene_line,
    sensitivity_answer,
    stop_words,
    value_names,
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
    4: 400 => 4 g flips nothing in 400 throws (95 % sure: at most 0.01 pucks a throw)
    4: 40; 8: 40; 20: 40 => 4 to 20 g flip nothing in 40 throws of each
    4: 400 400; 20: 200 600 => 20 g flips 49 % more than 4 g, 0.75 pucks a throw (surely: over 99 %)
    4: 400 400; 8: 240 560; 20: 160 640 => 20 g flips most, 0.80 pucks a throw: 14 % more than 8 g \
(surely: over 99 %)
    4: 40; 8: 20 20; 12: 20 20; 20: 20 20 => From 8 g on no difference that 40 throws can see \
(about 0.48 pucks a throw); 4 g flips fewer
    4: 20 20; 8: 20 20; 12: 20 20; 20: 40 => Up to 12 g no difference that 40 throws can see \
(about 0.48 pucks a throw); 20 g flips fewer
    4: 40; 6: 40; 12: 20 20; 14: 20 20 => Between 12 and 14 g no difference that 40 throws can see \
(about 0.47 pucks a throw); 4 and 6 g flip fewer
    """,
)
def test_slammers_are_compared_by_what_they_flip(throws, said):
    """One has its interval; of many the first is compared with the second.

    Those that nothing tells apart stand together, without those that are behind.
    """
    rows = (case.split(":") for case in throws.split(";"))
    flips = [row_of(float(mass), [*map(int, counts.split())]) for mass, counts in rows]
    answer = odds_answer(flips)
    assert answer[:1].upper() + answer[1:] == said


def test_slammers_of_one_make_are_one_case_with_the_name_of_their_mass():
    twin = replace(HEAVY, name="Onix")
    assert case_name([twin]) == "Onix"
    assert odds_answer([replace(HEAVY, name="Pidgeot"), twin, LIGHT]).startswith("20 g flips 49 %")


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
        "from 3 to 7 m/s no difference that 40 throws can see (about 0.50 pucks a throw)"
    )
    rows = [row_of(20.0, (20, 20), "Onix", pucks=pucks, friction=mu)
            for pucks in (2.0, 9.0) for mu in (0.2, 0.3)]  # fmt: skip
    assert odds_answer(rows) == (
        "between Onix at 2 pucks and friction 0.2, Onix at 2 pucks and friction 0.3 and 2 more no "
        "difference that 40 throws can see (about 0.50 pucks a throw)"
    )


def test_of_two_cases_an_unsure_order_is_not_told():
    said = "not told apart by 100 throws of each: 20 g flips 4 % more than 4 g, 0.52 pucks a throw"
    told = odds_answer([row_of(4.0, (50, 50)), row_of(20.0, (47, 53))])
    assert told == f"{said} (perhaps: 64 %)"
    same = odds_answer([row_of(4.0, (50, 50)), row_of(20.0, (50, 50))])
    assert same.endswith("g flips as many as 20 g, 0.50 pucks a throw")


def test_cases_that_are_no_values_of_one_number_are_far_apart():
    other = row_of(8.0, (20, 20), "own")
    scene = replace(other.study.scene, slammer=puckdex_slammer(8.0, 8.0))
    other = replace(other, study=replace(other.study, scene=scene))
    far = case_distances([LIGHT, HEAVY, other])
    assert far[0, 1] == pytest.approx(np.log(5))
    assert np.isinf(far[:2, 2]).all()
    swept = [row_of(8.0, (9, 9), speed_m_s=v, friction=mu) for v, mu in ((3, 0.2), (6, 0.4))]
    assert case_distances(swept)[0, 1] == pytest.approx(np.log(2) * 17**0.5)


def test_a_slammer_thinner_than_a_puck_is_told():
    scene = replace(LIGHT.study.scene, slammer=puckdex_slammer(2.0, 1.6))
    stack = tuple(replace(puck, thickness_mm=2.0) for puck in scene.stack)
    row = replace(LIGHT, study=replace(LIGHT.study, scene=replace(scene, stack=stack)))
    assert odds_answer([row]).endswith("; a slammer of 2 g is 1.6 mm, thinner than a puck")


def test_materials_move_between_the_ends_of_their_ranges():
    (own,) = [swing("restitution", (-1.0, 0.0, 1.0), TALLY, 1, 0)]
    said = "restitution matters: from its usual to its lowest value, flips a throw rise by 0."
    assert sensitivity_answer([own], "flips").startswith(said)


def test_a_sweep_names_its_values():
    rows = [row_of(20.0, flips, "Onix", speed_m_s=speed, friction=0.2)
            for speed, flips in ((3.0, (400, 400)), (7.0, (200, 600)))]  # fmt: skip
    rows[0] = replace(
        rows[0], study=replace(rows[0].study, thrower=ThrowDistribution(speed_mm_s=3e3))
    )
    assert odds_answer(rows) == (
        "Onix at speed 7 m/s and friction 0.2 flips 49 % more than at speed 3 m/s and friction "
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
        "20 g knocks the slammer out 49 % more often than 4 g, in 75 % of throws "
        "(surely: over 99 %)"
    )


def test_what_real_pucks_may_do_is_about_the_answer_and_the_scene():
    usual = usual_study(stack_scene(8.0, 10))
    flips, outs = belief([usual]).splitlines()
    assert re.fullmatch(r"Real pucks may flip [\d.]+ to [\d.]+ times as many: \w.*\.", flips)
    assert re.fullmatch(r"They may fly out [\d.]+ to [\d.]+ times as often\.", outs)
    assert belief([usual], "flips-minus-out") == belief([usual])
    assert belief([usual], "p_any").startswith("Real odds of a flip may be ")
    slow = replace(usual, thrower=ThrowDistribution(speed_mm_s=2e3))
    tall = usual_study(stack_scene(8.0, 20))
    for study in (slow, tall):
        assert belief([usual, study]).endswith(
            " as often. That was measured at 5 m/s with ten pucks only."
        )


@pytest.mark.parametrize(("shields", "where"), [(0, ""), (2, " with shields")])
def test_of_knock_outs_it_is_said_to_which_side_engines_differ(shields, where):
    scene = replace(stack_scene(8.0, 1), stack=knock_out_stack(puckdex_slammer(8.0), shields))
    said = belief([usual_study(scene)])
    assert re.fullmatch(
        r"Real odds of a knock-out may be 0\.\d to 1\.\d times as high: "
        f"MuJoCo, another engine, has more{where}.",
        said,
    )


RNG = np.random.default_rng(4)
COMMON = RNG.poisson(0.5, (400, 1))
FLIPS = COMMON + RNG.poisson([0.4, 1.0, 0.42, 0.4, 2.6], (400, 5))
TALLY = paired_tally(paired_counts(np.array([FLIPS, FLIPS > 0, FLIPS - 1])))
FAR = np.where(np.eye(5, dtype=bool), 0.0, np.inf)


@cases(
    "measure order answer",
    r"""
    flips => b a => b flips 6\d % more than a \(surely: over 99 %\)
    flips => a b => a flips \d\d % fewer than b \(surely: over 99 %\)
    flips => e a => e flips 3\.\d times as many as a \(surely: over 99 %\)
    p_any => b a => b flips something \d\d % more often than a \(.*
    flips-minus-out => b a => b nets 0\.\d\d more pucks a throw than a .*
    flips => a d => a flips 6 % fewer than d \(probably: 92 %\)
    flips => a c => not told apart by 400 throws of each: a flips \d+ % \w+ than c \(p.*\); about .*
    flips => b e a => b flips .* than e \(.*\) and .* than a \(surely: over 99 %\)
    flips => a b c => a flips .* than b \(.*\); 400 throws do not tell it apart from c.*
    """,
)
def test_a_comparison_says_by_how_much_and_how_surely(measure, order, answer):
    index = ("flips", "p_any", "flips-minus-out").index(measure)
    first, *others = places = ["abcde".index(name) for name in order.split()]
    curve = fit_paired_curve(TALLY, index, FAR)
    found = [difference(TALLY, curve, first, other, index) for other in others]
    said = comparison_answer(order.split(), curve.values[places].tolist(), found, measure)
    assert re.fullmatch(answer, said), said


@pytest.mark.parametrize(
    ("means", "said"),
    [
        (
            [0.5, 0.5, 3.0, 0.5, 0.5],
            r"at 3 m/s a throw flips most, (3\.0|2\.9)\d pucks a throw: 5.* times as many as .*",
        ),
        ([1.0] * 5, r"from 1 to 5 m/s no difference that 600 throws can see \(about 0.99 pucks .*"),
        (
            [0.3, 1.0, 1.4, 1.4, 1.4],
            r"from 3 m/s on no difference that 600 throws can see .*; at 1 and 2 m/s throws .*",
        ),
    ],
)
def test_the_best_values_are_one_or_a_plateau(means, said):
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    tally = paired_tally(paired_counts(np.random.default_rng(2).poisson(means, (600, 5))[None]))
    curve = fit_paired_curve(tally, 0, number_distances(values))
    answer = ranking_answer(value_names("speed_m_s", values), curve, "flips", 600)
    assert re.fullmatch(said, answer), answer


def test_values_of_which_some_are_told_apart_are_no_plateau():
    errors = np.diag([1e-4, 0.005, 0.005, 0.05])
    curve = Curve(
        weights=np.ones(1), means=np.array([[0.1, 1.0, 1.2, 1.22]]), covariances=errors[None]
    )
    answer = ranking_answer(value_names("slammer_g", [4.0, 6.0, 8.0, 12.0]), curve, "flips", 150)
    assert answer == "6 to 12 g may flip most: 150 throws cannot tell which; 4 g flips fewer"


def test_the_assumption_that_moves_flips_most_is_named_with_its_move():
    swings = [swing("speed_m_s", (3.5, 5.0, 6.5), TALLY, 3, 0),
              swing("friction", (0.2, 0.3, 0.4), TALLY, 1, 0)]  # fmt: skip
    answer = sensitivity_answer(swings, "flips")
    assert answer == (
        "speed matters most: from 5 to 6.5 m/s, flips a throw rise by "
        f"{swings[0].above.value:.2f} (surely: over 99 %)"
    )
    alone = sensitivity_answer([swing("friction", (0.2, 0.3, 0.4), TALLY, 0, 0)], "flips")
    assert alone.startswith("friction matters: from 0.2 to 0.4, flips a throw rise by 0.")
    alike = replace(swings[1], name="tilt_sd_deg")
    unsure = sensitivity_answer([swings[1], alike, alike], "flips")
    assert unsure.startswith("friction leads: from 0.3 to 0.2, flips a throw rise by ")


def test_a_change_that_is_not_decided_has_no_sign():
    flips = np.random.default_rng(3).poisson(1.0, (50, 3))
    tally = paired_tally(paired_counts(np.array([flips, flips > 0, flips])))
    said = sensitivity_answer([swing("friction", (0.2, 0.3, 0.4), tally, 1, 0)], "flips")
    assert re.fullmatch(
        r"50 throws show no change for sure: friction from \S+ to \S+ may change flips a throw by "
        r"-0\.\d\d to \+0\.\d\d",
        said,
    )


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
