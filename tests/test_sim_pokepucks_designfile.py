"""Pucks of a user's own: files are read whole, and refused with the row and the field."""

import pytest

from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.design_file import read_catalogue, shipped_catalogue
from sim.pokepucks.designs import DesignKind, EnergyType, piece_of
from sim.pokepucks.special import shipped_rules
from tests.refusals import refused

TOML = """\
schema = 1

[[pucks]]
name = "Onix Gold"
rule = "Dig"
type = "fighting"
weakness = "water"
mass_g = 24
wing = true

[[pucks]]
name = "Big Potion"
kind = "item"
rule = "Potion"
mass_g = 2.0
"""

HEAD = "name,kind,rule,type,resistance,weakness,mass_g,thickness_mm,wing,dex\n"


def write(folder, text, name="own.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_and_toml_say_the_same(tmp_path):
    rows = "Onix Gold,,Dig,fighting,,water,24,,yes,\n\n# a remark\nBig Potion,item,Potion,,,,2,,,\n"
    by_csv = read_catalogue(write(tmp_path, HEAD + rows))
    assert by_csv == read_catalogue(write(tmp_path, TOML, "own.toml"))
    onix = by_csv.find("onix gold")
    assert (onix.kind, onix.weakness, onix.wing) == (DesignKind.POKEMON, EnergyType.WATER, True)
    assert piece_of(onix).thickness_mm == 6.0


def test_a_puck_of_the_same_name_takes_the_place_of_a_shipped_one(tmp_path):
    path = write(tmp_path, HEAD + "pikachu,pokemon,Sing,electric,,water,8,,,\n")
    catalogue = read_catalogue(path)
    assert catalogue.find("Pikachu").rule == "Sing"
    assert len(catalogue.designs) == len(shipped_catalogue().designs)


def test_an_own_slammer_battles_with_its_rule(tmp_path):
    path = write(tmp_path, HEAD + "Onix Gold,pokemon,Dig,fighting,,water,24,,,\n")
    gold = read_catalogue(path).find("onix gold")
    table = house_table([gold, gold])
    assert table.names == ("Onix Gold", "Onix Gold 2")
    assert any(rule.name == "Dig" and rule.fits(gold) for rule in shipped_rules().rules)


def test_every_shipped_puck_is_one_that_physics_accepts():
    for design in shipped_catalogue().designs:
        assert piece_of(design).mass_g == design.mass_g


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("A,thing,,,,,,,,", "line 2 kind: 'thing' ... one of pokemon"),
        ("A,item,Dgi,,,,,,,", "line 2 (A) rule: 'Dgi' ... one of Berry"),
        ("A,pokemon,Potion,fire,,water,4,,,", "rule: 'Potion'"),
        ("A,ball,Dig,,,,4,,,", "rule: 'Dig' ... a puck of kind ball has none"),
        ("A,pokemon,,,,water,4,,,", "type: missing; a Pokémon slammer has one"),
        ("A,pokemon,,fire,,,4,,,", "weakness: missing"),
        ("A,item,Energy,,,,,,,", "type: missing; Energy has one"),
        ("A,item,Potion,,fire,,,,,", "resistance: a puck of kind item has none"),
        ("A,ball,,fire,,,4,,,", "type: a puck of kind ball has none (ruling PP-34)"),
        ("A,pokemon,,fier,,water,4,,,", "type: 'fier' ... one of grass ... mean fire?"),
        ("A,pokemon,,fire,,water,,,,", "mass_g: missing; give the slammer's mass in g"),
        ("A,pokemon,,fire,,water,25,,,", "mass_g: 25.0 ... from 2 to 24 g"),
        ("A,item,Potion,,,,heavy,,,", "mass_g: 'heavy' ... a number"),
        ("A,item,Potion,,,,nan,,,", "mass_g: nan ... a number"),
        ("A,pokemon,,fire,,water,4,9,,", "thickness_mm: 9.0 ... from 1.6 to 8 mm"),
        ("A,item,Potion,,,,,3,,", "thickness_mm: 3.0 ... from 1.6 to 1.6 mm"),
        ("A,pokemon,,fire,,water,4,,maybe,", "wing: 'maybe' ... true or false"),
        ("A,pokemon,,fire,,water,4,,,x", "dex: 'x' ... a whole number from 0 to 9999"),
        ('"A, B",item,Potion,,,,,,,', "name: 'A, B' ... without a comma"),
        (",item,Potion,,,,,,,", "line 2 name: missing"),
        ("A,item,Potion,,,,,,,\na,item,Berry,,,,,,,", "line 3 (a) name: it is there twice"),
        ("A,item,Potion", "line 2 has 3 cells; give 10"),
        ("A,item,Potion,,,,,,,,,,", "line 2 has 13 cells; give 10"),
    ],
)
def test_a_row_that_is_not_accepted_is_named(tmp_path, row, said):
    refused(read_catalogue, write(tmp_path, HEAD + row + "\n"), said=f"puckdex: ... {said}")


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "own.csv", "it has no row"),
        (HEAD, "own.csv", "it has no row"),
        ("nome,kind\nA,item\n", "own.csv", "nome: no such field; did you mean name?"),
        ("schema = 1\n", "own.toml", "pucks: missing"),
        ("schema = 1\npucks = []\n", "own.toml", "pucks: [] ... give [[pucks]] tables"),
        ("schema = 1\npuck = 1\n", "own.toml", "puck: no such field; did you mean pucks?"),
        ("schema = 1\npucks = [1]\n", "own.toml", "pucks 1: 1 ... a table of name"),
        ("schema = 2\n", "own.toml", "schema: 2 ... give 1"),
        ("schema = 1\n[[pucks]]\nname = 7\n", "own.toml", "pucks 1 name: 7 ... a line"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, text, name, said):
    refused(read_catalogue, write(tmp_path, text, name), said=said)
