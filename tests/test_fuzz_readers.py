"""No file makes a reader fail with anything but its own error, take long, or take much memory.

All readers begin with `pucklab.base.parsing`.
"""

import random
import re
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from pucklab.base.files import read_text, read_toml, toml_contents
from pucklab.calibration.bench import read_measurements
from pucklab.calibration.parameter_files import parameters_from
from pucklab.calibration.rebound.measurements import read_rebounds
from pucklab.calibration.throw_log import read_log
from pucklab.calibration.throws.log import read_throws
from pucklab.cli.battle_options import rulings_from_options
from pucklab.physics import InputError
from pucklab.sim.bumpers.board_file import read_position
from pucklab.sim.bumpers.game import BUMPERS
from pucklab.sim.bumpers.game.deck_file import read_deck
from pucklab.sim.bumpers.position_notation import parse_position
from pucklab.sim.bumpers.solver import Limits
from pucklab.sim.bumpers.solver.batch import SOLVED, batch_cases, read_questions
from pucklab.sim.bumpers.solver.question import Defaults, question_of
from pucklab.sim.core.game import Match
from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.core.records import read_record, record_json, record_of, replay
from pucklab.sim.experiments import read_table, run_to_end
from pucklab.sim.odds import ODDS, OddsCase, experiment_cases
from pucklab.sim.pokepucks.arena import ARENA, entrant_cases
from pucklab.sim.pokepucks.balance import BALANCE, balance_cases, comparisons_of
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.setup_file import deck_toml, house_deck, read_setup
from pucklab.sim.pokepucks.battle.setup_file import read_deck as read_pucks
from pucklab.sim.pokepucks.career import CAREER, TrainerCard
from pucklab.sim.pokepucks.design_file import example_text, shipped_catalogue
from pucklab.sim.pokepucks.design_file import read_catalogue as read_designs
from pucklab.sim.pokepucks.throw_sources import shipped_table
from pucklab.sim.pokepucks.tournament import TOURNAMENT, Contest, pair_cases
from pucklab.sim.post.catalogue import read_catalogue
from pucklab.sim.post.play import POST_GAME, Setup
from pucklab.sim.post.scenario import read_scenario
from pucklab.sim.scene.replay import load_replay, replay_of, replay_to_json
from pucklab.sim.scene.scenes import SceneSpec, slammers_by_mass, spec_from
from pucklab.sim.trail.odds import read_board
from tests.pokepucksbattles import mixed_table, random_battle, recorded
from tests.recordedslams import SCENE, some_slam, thrown
from tests.scenes import usual_study
from tests.slowness import slow

ROOT = Path(__file__).parents[1]
resource = pytest.importorskip("resource", reason="Windows counts memory otherwise")

DATA = ROOT / "tests" / "data"
CALIBRATION = ROOT / "calibration"
POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
DEFAULTS = Defaults(goal="1", cards=None, max_actions=8, rule=None, limits=Limits(), every=False)
BASE = SceneSpec(slammers=slammers_by_mass((4.0,)))
MOST_S = 5.0
MOST_BYTES = 300_000_000


def odds():
    cases = experiment_cases([OddsCase(name="x", study=usual_study(SCENE))])
    return run_to_end(ODDS, cases, trials=3).csv()


CONTEST = Contest(throws=shipped_table(), options=BattleOptions(max_turns=1))
PAIR = [shipped_catalogue().find(name) for name in ("onix", "eevee")]
HOUSE = house_deck(PAIR[0], 14, shipped_catalogue())


def results():
    return run_to_end(TOURNAMENT, pair_cases(CONTEST, PAIR), trials=1).csv()


def rounds():
    return run_to_end(ARENA, entrant_cases(CONTEST, KINDS, PAIR), trials=1).csv()


def worths():
    things = comparisons_of(CONTEST, PAIR)[:2]
    return run_to_end(BALANCE, balance_cases(CONTEST, things), trials=1).csv()


POST_BATTLE, POST_DATA = re.findall(
    r"```toml\n(.*?)```", (ROOT / "docs/battle-by-post.md").read_text(), re.DOTALL
)


def post_battle(path):
    return read_scenario(path, read_catalogue())


def by_post():
    table = toml_contents("battle", POST_BATTLE)
    setup = Setup(battle=table, data=read_catalogue())
    match = Match(POST_GAME, setup, [RandomPlayer()] * 2, 1, kinds=["random"] * 2)
    list(match.play())
    return record_json(POST_GAME, record_of(match))


def replay_post(path):
    return list(replay(POST_GAME, read_record(POST_GAME, path)))


def battle():
    table = mixed_table(2, 1, max_turns=2)
    return record_json(BATTLE, recorded(table, random_battle(table, 1)))


KINDS = ("greedy", "random")
LOG = """engine,cell,trial,hit,faces,slammer,distance_um,energy_begin_mj,energy_peak_mj,\
energy_end_mj,gains_energy,engine_version,settings
mujoco,4g-6mm-5ms-on-4g-1,0,1,DU,O,1234,50.0,50.1,20.0,0,3.12.0,
"""
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
length = "short"
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
OPTION = "buy_in=20\nkeeps=false\nmode=wild\nlength=short"


def options(path):
    """Read each line as a value of ``--option``."""
    values = {"length": None, "mode": None, "turns": None}
    for line in path.read_text(errors="replace").split("\n"):
        rulings_from_options(BattleOptions(), {**values, "rulings": [line]})


def answers():
    return run_to_end(
        SOLVED, batch_cases([question_of(parse_position(POSITION), {}, DEFAULTS)]), trials=1
    ).csv()


def of_text(read, *more):
    """Return a reader of a file by a reader of its text."""
    return lambda path: read(read_text("file", path), "file", *more)


# End of the name, a file that is accepted or what makes it, and the reader with what follows.
READERS = {
    "scene": (".toml", SCENE_TOML, lambda path: spec_from(read_toml("scene", path), BASE)),
    "parameters": (".toml", PARAMETERS, lambda path: parameters_from(read_toml("params", path))),
    "setup": (".toml", SETUP, lambda path: read_setup(path, shipped_catalogue())),
    "pucks (TOML)": (".toml", PUCKS_TOML, read_designs),
    "own rules": (".toml", example_text, read_designs),
    "pucks (CSV)": (".csv", PUCKS_CSV, read_designs),
    "deck of pucks": (
        ".toml", lambda: deck_toml(HOUSE), lambda path: read_pucks(path, shipped_catalogue())
    ),
    "career": (
        ".json",
        lambda: CAREER.text({"Ash": TrainerCard(battles=2, pucks={"Potion": 1})}),
        CAREER.read,
    ),
    "battle": (".json", battle, lambda path: list(replay(BATTLE, read_record(BATTLE, path)))),
    "game": (
        ".json",
        (DATA / "bumpers/games/two-random-draw.json").read_text,
        lambda path: list(replay(BUMPERS, read_record(BUMPERS, path))),
    ),
    "replay": (
        ".json", lambda: replay_to_json(replay_of(SCENE, thrown(), some_slam())), load_replay
    ),
    "odds": (".csv", odds, of_text(read_table, ODDS)),
    "tournament": (".csv", results, of_text(read_table, TOURNAMENT)),
    "rounds": (".csv", rounds, of_text(read_table, ARENA)),
    "balance": (".csv", worths, of_text(read_table, BALANCE)),
    "throw log": (".csv", LOG, of_text(read_log)),
    "bench": (".csv", (CALIBRATION / "bench/example.csv").read_text, of_text(read_measurements)),
    "rebounds": (".csv", (CALIBRATION / "rebound/example.csv").read_text, of_text(read_rebounds)),
    "real throws": (".csv", (CALIBRATION / "throws/example.csv").read_text, of_text(read_throws)),
    "batch": (
        ".csv",
        f"position,goal,cards,max_actions\n{POSITION},1,,8\n{POSITION},to:c7,,4\n",
        lambda path: read_questions(path, DEFAULTS),
    ),
    "answers": (".csv", answers, of_text(read_table, SOLVED)),
    "board": (".toml", BOARD, read_position),
    "position": (".txt", POSITION, read_position),
    "deck": (".toml", (ROOT / "sim/bumpers/data/cards.toml").read_text, read_deck),
    "battle by post": (".toml", POST_BATTLE, post_battle),
    "data of battles by post": (".toml", POST_DATA, lambda path: read_catalogue([path])),
    "record by post": (".json", by_post, replay_post),
    "trail": (".toml", (ROOT / "sim/trail/data/house_trail.toml").read_text, read_board),
    "option": (".txt", OPTION, options),
}  # fmt: skip


@cache
def good(name):
    """Return a file that a reader accepts."""
    _, text, _ = READERS[name]
    return (text if isinstance(text, str) else text()).encode()


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


def mutated(data, rng):
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


def with_other_value(data, rng):
    """Return a file with one number, text or word in it replaced."""
    tokens = list(re.finditer(rb'-?\d+(?:\.\d+)?|"[^"\n]*"|(?<==)[a-z]+|(?<=: )\[\]', data))
    if not tokens:
        return data
    token = rng.choice(tokens)
    return data[: token.start()] + rng.choice(VALUES) + data[token.end() :]


def written(name, data, folder):
    path = folder / f"file{READERS[name][0]}"
    path.write_bytes(data)
    return path


def read(name, path):
    """Give a file to a reader, and check the time and the memory that it takes."""
    *_, reader = READERS[name]
    begin_s, before = time.process_time(), peak_bytes()
    try:
        reader(path)
    finally:
        assert time.process_time() - begin_s < MOST_S
        assert peak_bytes() - before < MOST_BYTES


def peak_bytes():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("files", [20, slow(360)])
def test_a_good_file_is_read_and_a_damaged_one_is_one_error(name, files, tmp_path):
    """The long run has 10,000 damaged files; it has other ones each time."""
    read(name, written(name, good(name), tmp_path))
    seeds = random.SystemRandom() if files > 20 else random.Random(name)
    for seed in (seeds.randrange(2**32) for _ in range(files)):
        said = "good"
        try:
            read(name, written(name, mutated(good(name), random.Random(seed)), tmp_path))
        except InputError as error:
            said = str(error)
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
        assert re.fullmatch(r"[^\x1b\n]{1,300}", said), (seed, said)


BOMBS = {
    "brackets": b"[" * 99_000_000,
    "empty lists": b"[" + b"[]," * 33_000_000 + b"[]]",
    "one line": b"x" * 99_000_000,
    "empty lines": b"\n" * 99_000_000,
    "cells": b"a,b\n" + b"," * 9_000_000,
    "keys": b"schema = 1\n" + b"a." * 400_000 + b"b = 1\n",
    "a long cell": b"position\n" + b"7" * 200_000 + b"\n",
}


@pytest.fixture(scope="module")
def bombs(tmp_path_factory):
    """Huge files, written once."""
    folder = tmp_path_factory.mktemp("bombs")
    for name, data in BOMBS.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("name", ["scene", "battle", "odds", "batch", "pucks (CSV)", "position"])
def test_a_huge_file_is_refused_at_once(name, bomb, bombs, tmp_path):
    path = tmp_path / f"file{READERS[name][0]}"
    path.symlink_to(bombs / bomb)
    with pytest.raises(InputError):
        read(name, path)
