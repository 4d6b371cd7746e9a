"""Trainer battles, starters and the Potion: reference values, and all rolls."""

from fractions import Fraction
from itertools import product

import pytest

from pucklab.sim.trail.duels import Starter, battle_dice, battle_odds, potion_units, starter_units

GRASS, FIRE, WATER = Starter


def test_the_starters_beat_each_other_in_a_cycle():
    beaten = {(a, b) for a, b in product(Starter, Starter) if a.beats(b)}
    assert beaten == {(GRASS, WATER), (WATER, FIRE), (FIRE, GRASS)}


def test_whose_starter_is_super_effective_rolls_two_dice():
    assert battle_dice(GRASS, WATER) == (2, 1)
    assert battle_dice(WATER, GRASS) == (1, 2)
    assert battle_dice(FIRE, FIRE) == (1, 1)


def test_a_battle_of_equal_starters():
    odds = battle_odds(FIRE, FIRE)
    assert (odds.win, odds.tie, odds.lose) == (Fraction(5, 12), Fraction(1, 6), Fraction(5, 12))
    assert (odds.units, odds.other_units) == (1, 1)


def test_a_battle_with_a_super_effective_starter():
    odds = battle_odds(GRASS, WATER)
    assert (odds.win, odds.tie, odds.lose) == (
        Fraction(125, 216),
        Fraction(1, 6),
        Fraction(55, 216),
    )
    assert (odds.units, odds.other_units) == (Fraction(73, 108), Fraction(143, 108))


@pytest.mark.parametrize(("mine", "theirs"), list(product(Starter, Starter)))
def test_both_players_units_are_two_in_all(mine, theirs):
    odds = battle_odds(mine, theirs)
    assert odds.units + odds.other_units == 2


def test_against_unknown_starters_each_costs_one_unit():
    assert set(starter_units().values()) == {1}


@pytest.mark.parametrize("others", list(product(Starter, repeat=3)))
def test_the_best_starter_beats_most_and_is_beaten_by_fewest(others):
    net = {s: sum(s.beats(o) - o.beats(s) for o in others) for s in Starter}
    units = starter_units(others)
    # Every net win saves 1 - 73/108 units.
    assert units == {s: 1 - net[s] * Fraction(35, 108) / 3 for s in Starter}


def test_a_potion_used_best():
    units = "0 0 7/12 193/144 3799/1728 64609/20736"
    assert [potion_units(battles) for battles in range(6)] == [*map(Fraction, units.split())]
