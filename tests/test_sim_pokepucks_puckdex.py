"""The PuckDex: found by name, and as physics knows its slammers."""

import pytest

from pucklab.physics import InputError
from pucklab.sim.pokepucks.design_file import find_slammer, puckdex, shipped_catalogue
from pucklab.sim.pokepucks.designs import slammer_of
from tests.refusals import refused


def test_every_entry_makes_an_official_slammer():
    for entry in puckdex():
        slammer = slammer_of(entry)
        assert slammer.mass_g == entry.mass_g
        assert slammer.thickness_mm == 6.0


def test_heavy_ones_hold_a_steel_ring():
    assert {entry.mass_g: slammer_of(entry).insert_g for entry in puckdex()} == {
        4.0: 0.0,
        8.0: 4.0,
        20.0: 16.0,
    }


@pytest.mark.parametrize("name", ["Squirtle Alpha", "squirtle-alpha", " SQUIRTLE alpha "])
def test_case_and_signs_between_words_do_not_matter(name):
    assert find_slammer(name).name == "Squirtle Alpha"


def test_an_unknown_name_is_met_with_the_nearest():
    refused(find_slammer, "charmandar", said="did you mean Charmander")


def test_a_name_like_none_is_met_with_some_the_likest_first_and_how_many_more():
    with pytest.raises(InputError, match=r"give one of (\w+( Alpha)?, ){5}\w+ and 15 more, which"):
        find_slammer("geodude")


def test_only_slammers_are_given_where_only_they_are_accepted():
    refused(
        shipped_catalogue().find_slammer,
        "potion",
        said="slammer: 'Potion' is no slammer but of kind item",
    )
    refused(shipped_catalogue().find_slammer, "", said="'' is not in any list of slammers")


def test_an_entry_without_resistance_has_none():
    assert find_slammer("Bulbasaur Alpha").resistance is None
    assert find_slammer("Bulbasaur").resistance == "water"
