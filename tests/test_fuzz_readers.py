"""No file makes a reader fail with anything but its own error, take long, or take much memory."""

import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.bench import read_measurements
from calibration.parameter_files import parameters_from
from calibration.throw_log import LoggedThrow, read_log, write_log
from calibration.throws import read_throws
from physics import InputError, Scene, ThrowDistribution, puck_stack, puckdex_slammer
from sim.bumpers import parse_position
from sim.bumpers.board_file import read_position
from sim.bumpers.game import record as bumpers_record
from sim.bumpers.game.deck_file import read_deck
from sim.bumpers.solver import Limits
from sim.bumpers.solver.batch import Defaults, answers_csv, read_answers, read_tasks
from sim.cli.battle_options import rulings_from_options
from sim.core.files import read_text, read_toml
from sim.experiments import read_table, run_to_end
from sim.odds import ODDS, Study, odds_cases
from sim.pokepucks.arena import ARENA, entrant_cases
from sim.pokepucks.balance import BALANCE, balance_cases, comparisons_of
from sim.pokepucks.battle.record import read_record as read_battle
from sim.pokepucks.battle.record import replay as replay_battle
from sim.pokepucks.battle.setup_file import deck_toml, house_deck, read_setup
from sim.pokepucks.battle.setup_file import read_deck as read_pucks
from sim.pokepucks.battle.table import BattleOptions
from sim.pokepucks.career import TrainerCard, career_json, read_career
from sim.pokepucks.design_file import example_text, read_designs, shipped_catalogue
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.tournament import TOURNAMENT, Contest, pair_cases
from sim.scenes import SceneSpec, slammers_by_mass, spec_from
from sim.slam_replay import load_replay, replay_of, replay_to_json
from tests.commands import pucklab
from tests.recordedslams import SCENE, some_slam, thrown

ROOT = Path(__file__).parents[1]
resource = pytest.importorskip("resource", reason="Windows counts memory otherwise")

DATA = ROOT / "tests" / "data"
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
DEFAULTS = Defaults(goal="1", cards=None, max_actions=8, rule=None, limits=Limits(), every=False)
BASE = SceneSpec(slammers=slammers_by_mass((4.0,)))
MOST_S = 5.0
MOST_BYTES = 300_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A reader of files.

    Attributes:
        suffix: End of the file's name.
        good: Returns a file that is accepted.
        read: Reads a file, with all that follows before it is used.
    """

    suffix: str
    good: Callable[[], str]
    read: Callable[[Path], object]


def study() -> Study:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3))
    return Study(scene=scene, thrower=ThrowDistribution())


def odds() -> str:
    return run_to_end(ODDS, odds_cases(["x"], [study()]), trials=3).csv()


CONTEST = Contest(throws=shipped_table(), options=BattleOptions(max_turns=1))
PAIR = [shipped_catalogue().find(name) for name in ("onix", "eevee")]
HOUSE = house_deck(PAIR[0], 14, shipped_catalogue())


def results() -> str:
    return run_to_end(TOURNAMENT, pair_cases(CONTEST, PAIR), trials=1).csv()


def rounds() -> str:
    return run_to_end(ARENA, entrant_cases(CONTEST, ("greedy", "random"), PAIR), trials=1).csv()


def worths() -> str:
    things = comparisons_of(CONTEST, PAIR)[:2]
    return run_to_end(BALANCE, balance_cases(CONTEST, things), trials=1).csv()


def log() -> str:
    throw = LoggedThrow(
        engine="mujoco", cell="4g-6mm-5ms-on-4g-1", trial=0, hit=True, faces="DU", slammer="O",
        distance_um=1234, energy_begin_mj=50.0, energy_peak_mj=50.1, energy_end_mj=20.0,
        gains_energy=False,
    )  # fmt: skip
    return write_log([throw])


@cache
def battle() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battle.json"
        pucklab("battle", "--throws", "table", "--turns", "2", "--save", str(path))
        return path.read_text()


def example(package: str) -> str:
    return (ROOT / "calibration" / package / "example.csv").read_text()


SCENE_TOML = """schema = 1
pucks = 12
preset = "fast"
slammer = { mass_g = 12, thickness_mm = 8 }
puck = { mass_g = 1.8 }
knock_out = { mass_g = 8, shields = 2 }
arena = { side_mm = 400, wall_height_mm = 90 }
thrower = { speed_mm_s = 6000, aim_sd_mm = 8 }
materials = { restitution = 0.45 }
"""
PARAMETERS = "schema = 1\n[thrower]\nspeed_mm_s = { value = 6000.0, uncertainty = 300 }\n"
PUCKS_TOML = 'schema = 1\n[[pucks]]\nname = "Gem"\nkind = "ball"\nmass_g = 8\n'
PUCKS_CSV = """name,kind,rule,type,resistance,weakness,mass_g
Onix Gold,pokemon,Dig,fighting,fire,water,24
Rare Potion,item,Potion,,,,1.2
"""
BOARD = """schema = 1
layout = "X1@90"
pieces = "RPa2"
to_move = "R"
mats = { X1 = { front = "p.\\n.~" } }
"""
SETUP = """schema = 1
[options]
mode = "battle"
buy_in = 8
[[players]]
name = "Ash"
slammers = ["Pikachu"]
pucks = { "Plain Puck" = 10, "Potion" = 2 }
[[players]]
name = "Gary"
slammers = ["Onix"]
pucks = { "Plain Puck" = 10, "Electric Energy" = 2, "Cap" = 1 }
[box]
pucks = { "Sandbag" = 2 }
home = "Ash"
homes = { "item" = "Gary" }
[legal]
only = ["pokemon", "item", "plain"]
banned = ["Switch"]
per_player = { "Potion" = { least = 0, most = 3 } }
per_battle = { "plain" = { most = 20 } }
[proxies]
"Cap" = { for = "Berry", mass_g = 1.2 }
"""
OPTION = "buy_in=20\nkeeps=false\nmode=wild"


def options(path: Path) -> None:
    """Read each line as a value of ``--option``."""
    values: dict[str, Any] = {"mode": None, "turns": None}
    for line in path.read_text(errors="replace").split("\n"):
        rulings_from_options(BattleOptions(), {**values, "rulings": [line]})


def answers(path: Path) -> None:
    tasks = path.parent / "tasks.csv"
    tasks.write_text(f"position\n{POSITION}\n")
    read_answers(path, read_tasks(tasks, DEFAULTS))


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "scene": Reader(
            suffix=".toml",
            good=lambda: SCENE_TOML,
            read=lambda path: spec_from(read_toml("scene", path), BASE),
        ),
        "parameters": Reader(
            suffix=".toml",
            good=lambda: PARAMETERS,
            read=lambda path: parameters_from(read_toml("params", path)),
        ),
        "setup": Reader(
            suffix=".toml",
            good=lambda: SETUP,
            read=lambda path: read_setup(path, shipped_catalogue()),
        ),
        "pucks (TOML)": Reader(suffix=".toml", good=lambda: PUCKS_TOML, read=read_designs),
        "own rules": Reader(suffix=".toml", good=example_text, read=read_designs),
        "pucks (CSV)": Reader(
            suffix=".csv",
            good=lambda: PUCKS_CSV,
            read=read_designs,
        ),
        "career": Reader(
            suffix=".json",
            good=lambda: career_json({"Ash": TrainerCard(battles=2, pucks={"Potion": 1})}),
            read=read_career,
        ),
        "battle": Reader(
            suffix=".json", good=battle, read=lambda path: list(replay_battle(read_battle(path)))
        ),
        "game": Reader(
            suffix=".json",
            good=(DATA / "bumpers/games/two-random-draw.json").read_text,
            read=lambda path: list(bumpers_record.replay(bumpers_record.read_record(path))),
        ),
        "replay": Reader(
            suffix=".json",
            good=lambda: replay_to_json(replay_of(SCENE, thrown(), some_slam())),
            read=load_replay,
        ),
        "odds": Reader(
            suffix=".csv",
            good=odds,
            read=lambda path: read_table(read_text("out", path), "odds", ODDS),
        ),
        "tournament": Reader(
            suffix=".csv",
            good=results,
            read=lambda path: read_table(read_text("out", path), "tournament", TOURNAMENT),
        ),
        "deck of pucks": Reader(
            suffix=".toml",
            good=lambda: deck_toml(HOUSE),
            read=lambda path: read_pucks(path, shipped_catalogue()),
        ),
        "rounds": Reader(
            suffix=".csv",
            good=rounds,
            read=lambda path: read_table(read_text("out", path), "rounds", ARENA),
        ),
        "balance": Reader(
            suffix=".csv",
            good=worths,
            read=lambda path: read_table(read_text("out", path), "balance", BALANCE),
        ),
        "throw log": Reader(
            suffix=".csv", good=log, read=lambda path: read_log(read_text("out", path), "log")
        ),
        "bench": Reader(
            suffix=".csv",
            good=lambda: example("bench"),
            read=lambda path: read_measurements(read_text("file", path), "bench"),
        ),
        "real throws": Reader(
            suffix=".csv",
            good=lambda: example("throws"),
            read=lambda path: read_throws(read_text("file", path), "throws"),
        ),
        "batch": Reader(
            suffix=".csv",
            good=lambda: f"position,goal,cards,max_actions\n{POSITION},1,,8\n{POSITION},to:c7,,4\n",
            read=lambda path: read_tasks(path, DEFAULTS),
        ),
        "answers": Reader(suffix=".csv", good=lambda: answers_csv([]), read=answers),
        "board": Reader(suffix=".toml", good=lambda: BOARD, read=read_position),
        "position": Reader(
            suffix=".txt",
            good=lambda: POSITION,
            read=lambda path: parse_position(read_text("position", path)),
        ),
        "deck": Reader(
            suffix=".toml",
            good=(ROOT / "sim/bumpers/data/cards.toml").read_text,
            read=read_deck,
        ),
        "option": Reader(suffix=".txt", good=lambda: OPTION, read=options),
    }
)

PIECES = (
    b"\x00", b"\xff\xfe", b"\x1b]52;c;AAAA\x07", b"\\u001b[2J", b'"', b"'", b",", b",,", b"\n",
    b"\r", b"[", b"]", b"{", b"}", b"[" * 60, b"[" * 3000, b'{"a":' * 100, b"a." * 200, b"=", b":",
    b"-", b"#",
    b"1e999", b"-1", b"NaN", b"inf", b"0", b"9" * 5000, b"999999", b"1.5", b"true", b"null", b"[]",
    b"{}", b'""', b"[1]", "½".encode(), "\u202e".encode(), b"x" * 200_000, b"schema", b" = 2\n",
)  # fmt: skip
"""Bytes that mutations put into files: controls, brackets, numbers out of range, other types."""


VALUES = (
    b"[]", b"[1]", b"{}", b'""', b"null", b"true", b"-1", b"0", b"1.5", b"1e999", b"NaN", b"9" * 30,
    b'"x"', b"", b'"\\u001b]52;c;"',
)  # fmt: skip
"""Values of other types, and out of range, that take the place of a value in a file."""


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a file with some changes: half of the files have one value replaced, and are whole."""
    if rng.random() < 0.5:
        return with_other_value(data, rng)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.choice((0, 1, 1, 2, 5, 20, 200)))
        change = rng.randrange(6)
        if change == 0:
            data = data[:at] + rng.choice(PIECES) + data[end:]
        elif change == 1:
            data = data[:at] + data[end:]
        elif change == 2:
            data = data[:at] + data[at:end] * rng.choice((2, 3, 50)) + data[end:]
        elif change == 3:
            data = data[:at] + bytes([rng.randrange(256)]) + data[end:]
        elif change == 4:
            data = data[:at]
        else:
            data = with_other_value(data, rng)
    return data


def with_other_value(data: bytes, rng: random.Random) -> bytes:
    """Return a file with one number, text or word in it replaced."""
    tokens = list(re.finditer(rb'-?\d+(?:\.\d+)?|"[^"\n]*"|(?<==)[a-z]+|(?<=: )\[\]', data))
    if not tokens:
        return data
    token = rng.choice(tokens)
    return data[: token.start()] + rng.choice(VALUES) + data[token.end() :]


def check(name: str, data: bytes, folder: Path) -> None:
    """Read a file, and check the time it takes, the memory, and the error."""
    reader = READERS[name]
    path = folder / f"file{reader.suffix}"
    path.write_bytes(data)
    begin_s = time.process_time()
    before = peak_bytes()
    try:
        reader.read(path)
    except InputError as error:
        text = str(error)
        assert "\x1b" not in text
        assert "\n" not in text
    assert time.process_time() - begin_s < MOST_S
    assert peak_bytes() - before < MOST_BYTES


def peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@pytest.mark.parametrize("name", READERS)
def test_a_good_file_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{READERS[name].suffix}"
    path.write_text(READERS[name].good())
    READERS[name].read(path)


SHORT = settings(
    max_examples=27,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(SHORT, max_examples=550, derandomize=False)


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_one_error(name: str, tmp_path: Path) -> None:
    good = READERS[name].good().encode()

    @SHORT
    @given(st.integers(0, 2**32))
    def damage(seed: int) -> None:
        check(name, mutated(good, random.Random(seed)), tmp_path)

    damage()


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_ten_thousand_damaged_files_are_errors(name: str, tmp_path: Path) -> None:
    good = READERS[name].good().encode()

    @LONG
    @given(st.integers(0, 2**32))
    def damage(seed: int) -> None:
        check(name, mutated(good, random.Random(seed)), tmp_path)

    damage()


BOMBS = {
    "brackets": b"[" * 99_000_000,
    "empty lists": b"[" + b"[]," * 33_000_000 + b"[]]",
    "one line": b"x" * 99_000_000,
    "empty lines": b"\n" * 99_000_000,
    "cells": b"a,b\n" + b"," * 9_000_000,
    "keys": b"schema = 1\n" + b"a." * 400_000 + b"b = 1\n",
    "a long cell": b"position\n" + b"7" * 200_000 + b"\n",
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("name", ["scene", "battle", "odds", "batch", "pucks (CSV)", "position"])
def test_a_huge_file_is_refused_at_once(name: str, bomb: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{READERS[name].suffix}"
    path.write_bytes(BOMBS[bomb])
    begin_s = time.process_time()
    with pytest.raises(InputError):
        READERS[name].read(path)
    assert time.process_time() - begin_s < MOST_S
