"""Gyms: reference values computed with fractions elsewhere, and every roll of the dice."""

import math
from fractions import Fraction
from itertools import product

import pytest

from pucklab.sim.trail.duels import (
    Gym,
    Split,
    best_dice,
    cheapest_plan,
    efficient_plans,
    flash_chances,
    flash_plan,
    parse_gym,
    plan,
)
from tests.refusals import refused
from tests.tables import cases, toml

ONIX = Gym(attack=3, hp=4)
ONE_THEN_THREE = {4: 1, 3: 3, 2: 3, 1: 3}
TWO_THEN_THREE = {4: 2, 3: 3, 2: 3, 1: 3}


@cases(
    "dice flash faints turns",
    """
    { 4 = 1, 3 = 3, 2 = 3, 1 = 3 } => "76/81" => "5/76" => "117/76"  # best for a Flash
    { 4 = 2, 3 = 3, 2 = 3, 1 = 3 } => "10681/11664" => "983/10681" => "13608/10681"
    1 => "36839/39366" => "2527/36839" => "59582/36839"
    2 => "288305/314928" => "26623/288305" => "368174/288305"
    3 => "7/8" => "1/7" => "8/7"
    0 => "0" => "inf" => "inf"
    """,
    toml,
)
def test_what_comes_of_a_plan_at_onix(dice, flash, faints, turns):
    if isinstance(dice, dict):
        dice = {int(hp): count for hp, count in dice.items()}
    found = plan(ONIX, dice)
    wanted = [math.inf if text == "inf" else Fraction(text) for text in (flash, faints, turns)]
    assert [found.flash, found.faints, found.turns] == wanted


def test_the_best_plan_for_a_flash_at_onix():
    assert flash_plan(ONIX) == plan(ONIX, ONE_THEN_THREE)
    chances = "1 215/216 26/27 76/81"
    assert flash_chances(ONIX) == dict(enumerate(map(Fraction, chances.split()), start=1))
    assert best_dice(ONIX) == {1: (1, 2, 3), 2: (3,), 3: (3,), 4: (1,)}


def test_onix_has_three_efficient_plans_with_their_thresholds():
    assert list(efficient_plans(ONIX)) == [
        (plan(ONIX, 3), Fraction(1226, 475)),
        (plan(ONIX, TWO_THEN_THREE), Fraction(23941, 2367)),
        (plan(ONIX, ONE_THEN_THREE), math.inf),
    ]


@pytest.mark.parametrize(
    ("worth", "least"),
    [(4, Fraction(17540, 10681)), (8, Fraction(1952, 971)), (100, Fraction(617, 76))],
)
def test_the_least_cost_of_turns_and_faints_at_onix(worth, least):
    found = cheapest_plan(ONIX, worth)
    assert found.turns + worth * found.faints == least


@pytest.mark.parametrize(
    ("dice", "flash"), [(2, Fraction(265, 324)), (4, Fraction(102811, 104976))]
)
def test_onix_with_other_numbers_of_dice(dice, flash):
    assert flash_chances(Gym(attack=3, hp=4, dice=dice))[4] == flash


FLASH = {
    1: "1 1 1 1 1 1 1 1 1 1",
    2: "1 .995370 .989991 .983739 .976475 .968033 .958223 .951454 .944338 .936941",
    3: "1 .995370 .962963 .938272 .910608 .878846 .842379 .819028 .792903 .767709",
    4: "1 .995370 .962963 .875000 .812500 .747396 .674154 .633423 .588179 .541331",
    5: "1 .995370 .962963 .875000 .703704 .586763 .474426 .425762 .373020 .318396",
    6: "1 .995370 .962963 .875000 .703704 .421296 .252508 .214441 .174671 .134527",
    7: "1 .995370 .962963 .875000 .703704 .421296 0 0 0 0",
}
TURNS = {
    1: "1 1.004651 1.038462 1.142857 1.421053 1.735709 2.111652 2.229607 2.410431 2.634790",
    2: "1 1.004651 1.038462 1.142857 1.421053 1.827211 2.331195 2.479254 2.713248 3.021812",
    3: "1 1.004651 1.038462 1.142857 1.421053 1.945280 2.486570 2.770250 3.117050 3.520466",
    4: "1 1.004651 1.038462 1.142857 1.421053 2.103614 2.771088 3.134707 3.590978 4.166716",
    5: "1 1.004651 1.038462 1.142857 1.421053 2.328794 3.362023 3.882877 4.595924 5.592152",
    6: "1 1.004651 1.038462 1.142857 1.421053 2.373626 5.170359 6.160745 7.657059 10.069769",
}
SINGLE = {
    2: "3:.995370 1:.989991 1:.983739 1:.976475 1:.968033 1:.958223 1:.951454 1:.944338 1:.936941",
    3: "3:.995370 3:.962963 1:.935808 1:.907779 1:.875598 1:.838650 1:.814746 1:.790044 1:.764833",
    4: "3:.995370 3:.962963 3:.875000 1:.799398 1:.732656 1:.657571 1:.614768 1:.571822 1:.529367",
    5: "3:.995370 3:.962963 3:.875000 3:.703704 1:.554392 1:.439058 1:.387119 1:.337230 1:.290215",
    6: "3:.995370 3:.962963 3:.875000 3:.703704 3:.421296 1:.210905 1:.170720 1:.134382 1:.102388",
}
ROUNDING = 5.1e-7


def cells(table, first_hp=1):
    return [
        (attack, hp, text)
        for attack, row in table.items()
        for hp, text in enumerate(row.split(), start=first_hp)
    ]


@pytest.mark.parametrize(("attack", "hp", "text"), cells(FLASH))
def test_the_chance_of_a_flash_at_any_gym(attack, hp, text):
    assert abs(flash_chances(Gym(attack=attack, hp=hp))[hp] - float(text)) < ROUNDING


@pytest.mark.parametrize(("attack", "hp", "text"), cells(TURNS))
def test_the_fewest_turns_at_any_gym(attack, hp, text):
    assert abs(cheapest_plan(Gym(attack=attack, hp=hp), 0).turns - float(text)) < ROUNDING


@pytest.mark.parametrize(("attack", "hp", "text"), cells(SINGLE, 2))
def test_the_best_single_split(attack, hp, text):
    dice, flash = text.split(":")
    found = flash_plan(Gym(attack=attack, hp=hp), Split.FIGHT)
    assert set(found.attack_dice.values()) == {int(dice)}
    assert abs(found.flash - float(flash)) < ROUNDING


@pytest.mark.parametrize("hp", range(1, 11))
def test_the_best_dice_of_the_first_round(hp):
    first = {attack: best_dice(Gym(attack=attack, hp=hp))[hp] for attack in range(1, 7)}
    every = (1, 2, 3)
    assert first[1] == (every if hp == 1 else (1, 2))
    assert first[2] == (every if hp <= 2 else (1,))
    for attack, last_all_in in ((3, 3), (4, 4), (5, 5), (6, 6)):
        expected = every if hp == 1 else (3,) if hp <= last_all_in else (1,)
        assert first[attack] == expected


@pytest.mark.parametrize("gym", ["3/4", "4/3"])
def test_every_stationary_plan_is_no_better(gym):
    fought = parse_gym(gym)
    every = [
        plan(fought, dict(enumerate(dice, start=1))) for dice in product(range(4), repeat=fought.hp)
    ]
    assert flash_plan(fought).flash == max(one.flash for one in every)
    for worth in (0, 1, 3, 20):

        def cost(one, worth=worth):
            return one.turns + worth * one.faints

        assert cost(cheapest_plan(fought, worth)) == min(cost(one) for one in every if one.flash)


def test_a_gym_that_cannot_be_won_has_no_chance_and_endless_turns():
    gym = Gym(attack=7, hp=7)
    assert (flash_plan(gym).flash, flash_plan(gym).turns) == (0, math.inf)
    assert list(efficient_plans(gym)) == []


def test_bonuses_and_sides_of_a_special_count():
    # With a bonus of 1 the damage is 2 to 7: 5/6 to win at once against 3 HP with one die.
    bonus = Gym(attack=9, hp=3, dice=1, attack_bonus=1)
    assert flash_chances(bonus)[3] == Fraction(5, 6)
    # All dice attack with 8 sides: 1 - (3/8)^3 against ATK out of reach.
    assert flash_chances(Gym(attack=9, hp=4, sides=8))[4] == 1 - Fraction(3, 8) ** 3
    # A defence bonus of 6 always stands, whatever one die shows.
    assert flash_chances(Gym(attack=7, hp=12, dice=2, defence_bonus=6))[12] == 1


def test_without_a_defence_die_atk_0_does_no_harm():
    assert plan(Gym(attack=0, hp=4), 3).flash == 1


@cases(
    "text said",
    """
    3-4 => gym: '3-4' is not accepted; a gym is ATK/HP, for example 3/4
    => gym: '' is not accepted
    3/4/5 => gym: '3/4/5' is not accepted
    a/b => a gym is ATK/HP
    -1/4 => attack: -1 is not accepted; give a whole number from 0 to 100
    3/0 => hp: 0 is not accepted; give a whole number from 1 to 20
    3/999999999 => hp: 999999999 is not accepted
    """,
)
def test_what_is_no_gym_is_refused(text, said):
    refused(parse_gym, text, said=said)


@pytest.mark.parametrize("dice", [0, 11])
def test_the_number_of_dice_has_its_range(dice):
    refused(parse_gym, "3/4", dice, said="dice:")
