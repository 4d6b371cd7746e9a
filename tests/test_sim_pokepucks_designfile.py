"""Pucks of a user's own: files are read whole, and refused with the row and the field."""

from pathlib import Path

import pytest

from physics import InputError
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.design_file import read_catalogue, read_designs, shipped_catalogue
from sim.pokepucks.designs import DesignKind, EnergyType, piece_of
from sim.pokepucks.special import shipped_rules

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


def write(folder: Path, text: str, name: str = "own.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_and_toml_say_the_same(tmp_path: Path) -> None:
    rows = "Onix Gold,,Dig,fighting,,water,24,,yes,\n\n# a remark\nBig Potion,item,Potion,,,,2,,,\n"
    by_csv = read_designs(write(tmp_path, HEAD + rows))
    assert by_csv == read_designs(write(tmp_path, TOML, "own.toml"))
    onix = by_csv[0]
    assert (onix.kind, onix.weakness, onix.wing) == (DesignKind.POKEMON, EnergyType.WATER, True)
    assert piece_of(onix).thickness_mm == 6.0


def test_a_puck_of_the_same_name_takes_the_place_of_a_shipped_one(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + "pikachu,pokemon,Sing,electric,,water,8,,,\n")
    catalogue = read_catalogue(path)
    assert catalogue.find("Pikachu").rule == "Sing"
    assert len(catalogue.designs) == len(shipped_catalogue().designs)


def test_an_own_slammer_battles_with_its_rule(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + "Onix Gold,pokemon,Dig,fighting,,water,24,,,\n")
    gold = read_catalogue(path).find("onix gold")
    table = house_table([gold, gold])
    assert table.names == ("Onix Gold", "Onix Gold 2")
    assert any(rule.name == "Dig" and rule.fits(gold) for rule in shipped_rules().rules)


def test_every_shipped_puck_is_one_that_physics_accepts() -> None:
    for design in shipped_catalogue().designs:
        assert piece_of(design).mass_g == design.mass_g


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("A,thing,,,,,,,,", r"line 2 \(A\) kind: 'thing' is not accepted; give one of pokemon"),
        ("A,item,Dgi,,,,,,,", r"line 2 \(A\) rule: 'Dgi' is not accepted; give one of Berry"),
        ("A,pokemon,Potion,fire,,water,4,,,", r"rule: 'Potion' is not accepted"),
        ("A,ball,Dig,,,,4,,,", r"rule: 'Dig' is not accepted; a puck of kind ball has none"),
        ("A,pokemon,,,,water,4,,,", r"type: missing; a Pokémon slammer has one"),
        ("A,pokemon,,fire,,,4,,,", r"weakness: missing"),
        ("A,item,Energy,,,,,,,", r"type: missing; Energy has one"),
        ("A,item,Potion,,fire,,,,,", r"resistance: a puck of kind item has none"),
        ("A,ball,,fire,,,4,,,", r"type: a puck of kind ball has none \(ruling PP-34\)"),
        ("A,pokemon,,fier,,water,4,,,", r"type: 'fier' is not accepted; give one of grass"),
        ("A,pokemon,,fire,,water,,,,", r"mass_g: missing; give the slammer's mass in g"),
        ("A,pokemon,,fire,,water,25,,,", r"mass_g: 25 is not accepted; .* from 2 to 24 g"),
        ("A,item,Potion,,,,heavy,,,", r"mass_g: 'heavy' is not accepted"),
        ("A,item,Potion,,,,nan,,,", r"mass_g: nan is not accepted"),
        ("A,pokemon,,fire,,water,4,9,,", r"thickness_mm: 9 is not accepted"),
        ("A,item,Potion,,,,,3,,", r"thickness_mm: 3 is not accepted"),
        ("A,pokemon,,fire,,water,4,,maybe,", r"wing: 'maybe' is not accepted; give yes or no"),
        ("A,pokemon,,fire,,water,4,,,x", r"dex: 'x' is not accepted"),
        (",item,Potion,,,,,,,", r"line 2 name: None is not accepted"),
        ("A,item,Potion,,,,,,,\na,item,Berry,,,,,,,", r"line 3 name: 'a' is there twice"),
        ("A,item,Potion", r"line 2: it has not 10 cells"),
        ("A,item,Potion,,,,,,,,,,", r"line 2: it has not 10 cells"),
    ],
)
def test_a_row_that_is_not_accepted_is_named(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        read_designs(write(tmp_path, HEAD + row + "\n"))
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "own.csv", "it has no row"),
        (HEAD, "own.csv", "it has no row"),
        ("nome,kind\nA,item\n", "own.csv", "'nome': no such field; give name"),
        ("schema = 1\n", "own.toml", r"pucks: None is not accepted; give \[\[pucks\]\]"),
        ("schema = 1\npuck = 1\n", "own.toml", "puck: no such key; give pucks"),
        ("schema = 1\npucks = [1]\n", "own.toml", "puck 1: 1 is not accepted; give a table"),
        ("schema = 2\n", "own.toml", "schema 2"),
        ("schema = 1\n[[pucks]]\nname = 7\n", "own.toml", "puck 1 name: 7 is not accepted"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_designs(write(tmp_path, text, name))
