"""Files of PokéPucks that are refused: pucks, special rules, decks, cards.

The cases stand in tests/data/pokepucks/refused.toml: what is changed or written, and what is said.
"""

import json
import tomllib
from functools import partial
from pathlib import Path

import pytest

from pucklab.sim.core.records import read_record, record_json
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.setup_file import read_deck, read_setup
from pucklab.sim.pokepucks.career import CAREER
from pucklab.sim.pokepucks.design_file import read_catalogue, shipped_catalogue
from tests.pokepucksbattles import mixed_table, own_rules, random_battle, recorded, replayed
from tests.refusals import changed, refused
from tests.test_sim_pokepucks_designfile import HEAD
from tests.test_sim_pokepucks_own_rules import rule
from tests.test_sim_pokepucks_records import SETUP
from tests.test_sim_pokepucks_setup_files import PLAYERS

CASES = tomllib.loads(
    (Path(__file__).parent / "data" / "pokepucks" / "refused.toml").read_text(encoding="utf-8")
)
SETUPS = partial(read_setup, catalogue=shipped_catalogue())
CARDS = {
    "schema": 1, "game": "pokepucks career", "version": "0.0.1",
    "trainers": {
        "Ash": {"battles": 1, "wins": 0, "caught": [], "discovered": [], "pucks": {}},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def record():
    """Return a record as JSON has it."""
    table = mixed_table(3, 5, max_turns=20)
    return json.loads(record_json(BATTLE, recorded(table, random_battle(table, 5), 5)))


FILES = {
    "rows": lambda row: (read_catalogue, "own.csv", f"{HEAD}{row}\n"),
    "deeds": lambda deed: (lambda _: own_rules([rule(does=[deed])]), "none", ""),
    "rules": lambda keys: (
        lambda _: own_rules([rule(**{"does": [{"verb": "discard"}]} | keys)]), "none", ""
    ),
    "setups": lambda old, new: (SETUPS, "setup.toml", SETUP.replace(old, new)),
    "legal": lambda text: (SETUPS, "setup.toml", f"schema = 1\n{PLAYERS}[legal]\n{text}\n"),
    "proxies": lambda text: (SETUPS, "setup.toml", f"schema = 1\n{PLAYERS}[proxies]\n{text}\n"),
    "decks": lambda text: (partial(read_deck, catalogue=shipped_catalogue()), "d.toml", text),
    "cards": lambda text: (CAREER.read, "cards.json", text),
    "careers": lambda way, value: (
        CAREER.read, "cards.json", json.dumps(changed(CARDS, way, value))
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "case"),
    [(kind, case) for kind in FILES for case in CASES[kind]],
    ids=lambda value: value if isinstance(value, str) else value[-1],
)
def test_a_file_is_refused_in_a_line_that_names_the_field(kind, case, tmp_path, write):
    *given, said = case
    read, name, text = FILES[kind](*given)
    write(name, text)
    refused(read, tmp_path / name, said=said)


@pytest.mark.parametrize(("way", "value", "said"), CASES["records"])
def test_a_corrupt_record_is_refused_before_it_is_replayed(way, value, said, record, write):
    path = write("battle.json", json.dumps(changed(record, way, value)))
    refused(lambda: replayed(read_record(BATTLE, path)), said=f"record ... {said}")


def test_an_answer_too_many_is_refused(record, tmp_path):
    path, answers = tmp_path / "battle.json", [*record["answers"], "-"]
    path.write_text(json.dumps(record | {"answers": answers}), encoding="utf-8")
    refused(lambda: replayed(read_record(BATTLE, path)), said="record ... the battle is over")
