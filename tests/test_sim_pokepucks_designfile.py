"""Pucks of a user's own: files are read whole, and refused with the row and the field."""

from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.design_file import read_catalogue, shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind, EnergyType, piece_of
from pucklab.sim.pokepucks.special import shipped_rules
from tests.refusals import refused
from tests.tables import cases, toml

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


def test_csv_and_toml_say_the_same(write):
    rows = "Onix Gold,,Dig,fighting,,water,24,,yes,\n\n# a remark\nBig Potion,item,Potion,,,,2,,,\n"
    by_csv = read_catalogue(write("own.csv", HEAD + rows))
    assert by_csv == read_catalogue(write("own.toml", TOML))
    onix = by_csv.find("onix gold")
    assert (onix.kind, onix.weakness, onix.wing) == (DesignKind.POKEMON, EnergyType.WATER, True)
    assert piece_of(onix).thickness_mm == 6.0


def test_a_puck_of_the_same_name_takes_the_place_of_a_shipped_one(write):
    path = write("own.csv", HEAD + "pikachu,pokemon,Sing,electric,,water,8,,,\n")
    catalogue = read_catalogue(path)
    assert catalogue.find("Pikachu").rule == "Sing"
    assert len(catalogue.designs) == len(shipped_catalogue().designs)


def test_an_own_slammer_battles_with_its_rule(write):
    path = write("own.csv", HEAD + "Onix Gold,pokemon,Dig,fighting,,water,24,,,\n")
    gold = read_catalogue(path).find("onix gold")
    table = house_setup([gold, gold])
    assert table.names == ("Onix Gold", "Onix Gold 2")
    assert any(rule.name == "Dig" and rule.fits(gold) for rule in shipped_rules().rules)


def test_every_shipped_puck_is_one_that_physics_accepts():
    for design in shipped_catalogue().designs:
        assert piece_of(design).mass_g == design.mass_g


@cases(
    "text name said",
    r"""
    "" => "own.csv" => is empty; give a row of column names: name
    "name,kind,rule\n" => "own.csv" => it has no row
    "nome,kind\nA,item\n" => "own.csv" => row 1, column nome: no such column; did you mean name?
    "schema = 1\n" => "own.toml" => pucks: missing
    "schema = 1\npucks = []\n" => "own.toml" => pucks: [] ... give [[pucks]] tables
    "schema = 1\npuck = 1\n" => "own.toml" => puck: no such field; did you mean pucks?
    "schema = 1\npucks = [1]\n" => "own.toml" => pucks 1: 1 ... a table of name
    "schema = 2\n" => "own.toml" => schema: 2 ... give 1
    "schema = 1\n[[pucks]]\nname = 7\n" => "own.toml" => pucks 1 name: 7 ... a line
    """,
    toml,
)
def test_a_file_that_is_none_is_refused(write, text, name, said):
    refused(read_catalogue, write(name, text), said=said)
