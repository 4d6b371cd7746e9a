"""``pucklab puckdex``: lists, filters, and pucks of one's own."""

import json

from tests.commands import pucklab, succeed

OWN = """\
# mine
name,kind,rule,type,resistance,weakness,mass_g
Onix Gold,pokemon,Dig,fighting,fire,water,24
Rare Potion,item,Potion,,,,1.2
"""


def names(*arguments, cwd=None):
    done = succeed("puckdex --json", *arguments, cwd=cwd)
    return [puck["name"] for puck in json.loads(done.stdout)]


def test_options_choose_which_pucks_are_listed():
    assert names("--kind", "pokemon", "--type", "fire") == [
        "Charmander",
        "Charmander Alpha",
        "Flareon",
    ]


def test_masses_and_rules_choose_and_several_options_are_all_to_fit():
    assert names("--mass-g", "20", "--kind", "pokemon") == ["Pidgeot", "Onix", "Snorlax"]
    assert names("--ability", "leech seed", "--mass-g", "8") == ["Bulbasaur Alpha"]
    assert names("--weak-to", "electric", "--mass-g", "8", "--rule", "surf,ice beam") == [
        "Lapras",
        "Vaporeon",
    ]


def test_the_table_has_the_rule_of_each_puck():
    done = pucklab("puckdex --name", "poke ball,mr. merkert")
    assert "Poké Ball" in done.stdout
    assert "one more if nothing was picked up" in " ".join(done.stdout.split())


def test_pucks_of_ones_own_are_added(tmp_path, write):
    write("own.csv", OWN)
    assert names("--puckdex", "own.csv", "--name", "Onix Gold,rare potion", cwd=tmp_path) == [
        "Onix Gold",
        "Rare Potion",
    ]
