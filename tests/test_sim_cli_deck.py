"""``pucklab deck``: tables, files, resuming, mistakes, and decks in battles."""

import csv
import json
import os
import signal
import sys

import pytest

from tests.commands import pucklab, started, wait_until

SHORT = ("--turns", "3", "--workers", "1")
SEARCH = ("deck", "search", "--slammer", "lapras", *SHORT)
BALANCE = ("deck", "balance", "--slammers", "onix,eevee,pidgeot", *SHORT)

COLLECTION = """
schema = 1
pucks = { "Plain Puck" = 8, "Potion" = 5, "Water Energy" = 4, "You" = 2 }
"""
LEGAL = """
schema = 1
[legal]
per_player = { "Potion" = { most = 2 }, trainer = { most = 1 } }
"""


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_deck_is_found_saved_and_played_with(tmp_path):
    (tmp_path / "mine.toml").write_text(COLLECTION)
    (tmp_path / "legal.toml").write_text(LEGAL)
    limits = ("--collection", "mine.toml", "--setup", "legal.toml", "--against", "onix,eevee")
    counts = ("--battles", "120", "--test-battles", "6")
    done = pucklab(*SEARCH, *limits, *counts, "--save", "s.toml", "--out", "s.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Tested in 8 battles against Onix, Eevee" in done.stdout  # whole rounds of rivals
    rows = rows_of(tmp_path / "s.csv")
    assert rows[-1]["generation"] == "test"
    for row in rows:
        pucks = {name: int(n) for name, n in (p.split("=") for p in row["deck"].split("; "))}
        assert sum(pucks.values()) == 14
        assert pucks.get("Potion", 0) <= 2
        assert pucks.get("You", 0) <= 1
    played = pucklab("battle", "--deck", "s.toml,lapras", "--throws", "table", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    told = pucklab(*SEARCH, *limits, *counts, "--json", cwd=tmp_path)
    found = json.loads(told.stdout)
    assert "; ".join(f"{name}={n}" for name, n in found["deck"].items()) == rows[-1]["deck"]


def test_a_balance_report_has_a_table_a_file_and_a_plot(tmp_path):
    once = (*BALANCE, "--battles", "4", "--out", "b.csv")
    done = pucklab(*once, "--plot", "b.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "b.csv")
    assert {row["kind"] for row in rows} == {"slammer", "ability", "puck"}
    assert {row["trials"] for row in rows} == {"2"}
    assert all(row["name"] in done.stdout for row in rows)
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    some = (*BALANCE, "--kind", "slammer,puck", "--battles", "2", "--json")
    told = json.loads(pucklab(*some, cwd=tmp_path).stdout)
    assert {row["kind"] for row in told} == {"slammer", "puck"}
    more = pucklab(*once, "--battles", "6", "--resume", "--json", cwd=tmp_path)
    assert {row["trials"] for row in json.loads(more.stdout)} == {3}


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_search_that_was_stopped_goes_on_to_the_same_end(tmp_path):
    words = (*SEARCH, "--battles", "240")
    begun = ("--test-battles", "9000000", "--out", "x.csv")
    with started(*words, *begun, cwd=tmp_path) as running:
        wait_until((tmp_path / "x.csv").exists)
        os.killpg(running.pid, signal.SIGINT)
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed) == (130, "")
    assert "add --resume to go on from there" in said
    assert "Traceback" not in said
    for name, more in (("x.csv", ("--resume",)), ("whole.csv", ("--workers", "2"))):
        done = pucklab(*words, "--test-battles", "1000", "--out", name, *more, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


WRONG = {
    "no slammer": (("search", "--slammer", "potion"), "--slammer: 'Potion' is no slammer"),
    "slammer missing": (("search",), "Missing option '--slammer'"),
    "no such rival": (("search", "--slammer", "onix", "--against", "nix"), "--against: 'nix'"),
    "no such file": (
        ("search", "--slammer", "onix", "--against", "x.toml"),
        "--against: 'x.toml' cannot be read",
    ),
    "a rival twice": (
        ("search", "--slammer", "onix", "--against", "house,onix"),
        "--against: 'Onix' is there twice",
    ),
    "a rival with few pucks": (
        ("search", "--slammer", "onix", "--against", "few.toml"),
        "--against: pucks: the collection of few has 2 that are no slammers; give at least 14",
    ),
    "few pucks": (
        ("search", "--slammer", "onix", "--collection", "few.toml"),
        "--collection: 2 of its pucks are legal",
    ),
    "no legal deck": (
        ("search", "--slammer", "onix", "--setup", "none.toml"),
        "no deck of 14 pucks was found",
    ),
    "no TOML": (("search", "--slammer", "onix", "--save", "x.txt"), "--save: 'x.txt'"),
    "its own file": (
        ("search", "--slammer", "onix", "--collection", "few.toml", "--save", "few.toml"),
        "--save: 'few.toml' is read by this command",
    ),
    "one battle": (("search", "--slammer", "onix", "--battles", "1"), "--battles: 1"),
    "resuming nothing": (("balance", "--resume"), "--resume: not accepted without --out"),
    "no such policy": (("balance", "--policy", "clever"), "--policy: 'clever' is not accepted"),
    "two policies": (("balance", "--policy", "greedy,random"), "'greedy,random' is not accepted"),
    "training": (("balance", "--mode", "training"), "--mode: 'training' is not accepted"),
    "one slammer": (("balance", "--slammers", "onix"), "--slammers: 1 is not accepted"),
    "no such kind": (("balance", "--kind", "item"), "--kind: 'item' is not accepted; give slammer"),
    "nothing left": (
        ("balance", "--kind", "ability", "--option", "puckdex=false"),
        "--kind: 'ability' leaves nothing",
    ),
    "no plot": (("balance", "--plot", "x.gif"), "--plot: 'x.gif' is not accepted"),
    "three buy-ins": (
        ("balance", "--option", "buy_in=[9,9,9]"),
        "buy_in: (9, 9, 9) is not accepted; give 2 numbers",
    ),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=list(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2_and_writes_nothing(tmp_path, arguments, said):
    few = 'schema = 1\nslammers = ["Onix"]\npucks = { "Potion" = 2 }\n'
    (tmp_path / "few.toml").write_text(few)
    (tmp_path / "none.toml").write_text(
        "schema = 1\n[legal]\nper_player = { item = { least = 15 } }"
    )
    done = pucklab("deck", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"few.toml", "none.toml"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--deck", "onix,lapras", "--players", "onix,lapras"), "--players: not accepted beside"),
        (("--deck", "onix"), "--deck: 'onix' makes 1 player; give 2 to 8"),
        (("--deck", "onix,few.toml"), "the collection of few has 2"),
        (("--deck", "onix,few.toml", "--names", "Ash"), "--names: 'Ash' is not accepted"),
    ],
)
def test_a_mistake_with_the_decks_of_a_battle_is_one_line(tmp_path, arguments, said):
    few = 'schema = 1\nslammers = ["Onix"]\npucks = { "Potion" = 2 }\n'
    (tmp_path / "few.toml").write_text(few)
    done = pucklab("battle", "--throws", "table", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
