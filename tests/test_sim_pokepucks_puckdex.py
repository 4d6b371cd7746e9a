"""The PuckDex: found by name, and as physics knows its slammers."""

import pytest

from pucklab.physics import InputError
from pucklab.physics.pieces import mass_properties
from pucklab.sim.pokepucks.design_file import find_slammer, puckdex, shipped_catalogue
from pucklab.sim.pokepucks.designs import slammer_of
from tests.refusals import refused


def test_every_entry_makes_an_official_slammer():
    for entry in puckdex():
        slammer = slammer_of(entry)
        assert slammer.mass_g == entry.mass_g
        assert slammer.thickness_mm == 6.0


def test_slammers_are_made_like_the_authors_models():
    made = {entry.name: slammer_of(entry) for entry in puckdex()}
    assert {(own.mass_g, own.insert_g) for own in made.values()} == {
        (4.0, 0.0),
        (8.0, 0.0),  # of plastic alone
        (8.0, 4.0),
        (20.0, 16.0),
    }
    assert {name for name, own in made.items() if own.insert_g} == {
        *("Lapras", "Onix", "Pidgeot", "Snorlax"),
    }
    # Measured centre of mass: .22 to .28 mm below the middle.
    for own in made.values():
        if not own.insert_g:
            assert -0.28 < mass_properties(own).centre_mm < -0.22


def test_balls_are_made_like_the_authors_models():
    find = shipped_catalogue().find
    made = {name: slammer_of(find(name)) for name in ("Great Ball", "Heavy Ball")}
    assert {name: (own.thickness_mm, own.insert_g) for name, own in made.items()} == {
        "Great Ball": (6.0, 0.0),
        "Heavy Ball": (8.0, 16.0),
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
