"""Distributions: against sums over all outcomes, and against formulas."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.sim.chance.distribution import (
    at_least,
    best_of,
    courses,
    die,
    distribution,
    draw,
    map_outcomes,
    mean,
    plus,
    quantile,
    times,
)


def counted(outcomes):
    return {value: Fraction(n, len(outcomes)) for value, n in Counter(outcomes).items()}


@given(st.integers(1, 8), st.integers(1, 4))
def test_the_best_of_some_dice_is_that_of_all_rolls(sides, count):
    rolls = list(product(range(1, sides + 1), repeat=count))
    assert dict(best_of(die(sides), count).items) == counted([max(roll) for roll in rolls])


@given(st.integers(1, 6), st.integers(0, 3))
def test_a_sum_of_dice_is_that_of_all_rolls(sides, count):
    rolls = list(product(range(1, sides + 1), repeat=count))
    assert dict(times(die(sides), count).items) == counted([sum(roll) for roll in rolls])


def test_outcomes_are_sorted_and_equal_ones_are_merged():
    half = Fraction(1, 2)
    assert distribution([(3, half), (1, half / 2), (3, half / 2)]).items == (
        (1, Fraction(1, 4)),
        (3, Fraction(3, 4)),
    )


def test_outcomes_without_an_order_stay_as_they_came():
    items = distribution([("b", Fraction(1, 2)), (1, Fraction(1, 2))]).items
    assert [outcome for outcome, _ in items] == ["b", 1]


def test_fractions_stay_fractions_and_floats_floats():
    exact = plus(die(6), die(4))
    rough = plus(distribution([(0, 0.25), (1, 0.75)]), die(2))
    assert all(isinstance(p, Fraction) for _, p in exact.items)
    assert all(isinstance(p, float) for _, p in rough.items)
    assert rough[3] == 0.375


def test_mean_tail_and_map_of_a_die():
    assert mean(die(6)) == Fraction(7, 2)
    assert at_least(die(6), 5) == Fraction(1, 3)
    assert map_outcomes(lambda face: face % 2, die(6)).items == (
        (0, Fraction(1, 2)),
        (1, Fraction(1, 2)),
    )
    assert die(6)[7] == 0


@pytest.mark.parametrize(("level", "expected"), [(0, 1), (Fraction(1, 6), 1), (0.17, 2), (1, 6)])
def test_a_quantile_is_the_least_outcome_that_reaches_its_level(level, expected):
    assert quantile(die(6), level) == expected


def test_rounding_does_not_move_a_quantile():
    tenths = distribution((face, 0.1) for face in range(10))
    assert (quantile(tenths, 0.3), quantile(tenths, 0.8)) == (2, 7)


@pytest.mark.parametrize("pairs", [[(1, 0.5)], [(1, 1.5), (2, -0.5)], [(1, math.nan)], []])
def test_what_is_no_distribution_is_refused(pairs):
    with pytest.raises(ValueError, match="probabilit"):
        distribution(pairs)


def test_no_dice_have_no_best():
    with pytest.raises(ValueError, match="count: 0 is not accepted"):
        best_of(die(6), 0)


def test_draws_follow_the_chances():
    part = distribution([("a", Fraction(1, 10)), ("b", Fraction(6, 10)), ("c", Fraction(3, 10))])
    rng = np.random.default_rng(1)
    drawn = Counter(draw(part, rng) for _ in range(20_000))
    for outcome, p in part.items:
        error = math.sqrt(p * (1 - p) / 20_000)
        assert abs(drawn[outcome] / 20_000 - p) < 4 * error


def test_courses_give_every_result_of_a_procedure_once():
    def until_six(draw_one):
        rolls = []
        while len(rolls) < 3 and (not rolls or rolls[-1] != 6):
            rolls.append(draw_one(die(6)))
        return tuple(rolls)

    found = courses(until_six)
    assert len(found) == 1 + 5 + 25 * 6
    assert sum(p for _, p in found) == 1
    assert all(p == Fraction(1, 6 ** len(rolls)) for rolls, p in found)
