"""The arena: every kind on every seat, rates that add up, files, and mistakes."""

import csv
import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import InputError
from sim.pokepucks.arena import (
    ArenaBattle,
    MirroredTally,
    play_mirrored,
    play_round,
    play_rounds,
    read_rounds,
    rounds_csv,
    tally_points,
    win_rates,
)
from sim.pokepucks.battle.setup_file import house_deck
from sim.pokepucks.battle.table import BattleOptions
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.tournament import Contest
from tests.commands import pucklab, started

CONTEST = Contest(throws=shipped_table(), options=BattleOptions(max_turns=20))
DECKS = [shipped_catalogue().find(name) for name in ("onix", "eevee", "lapras")]
SHORT = ("tournament", "--throws", "table", "--turns", "5", "--workers", "1")


def test_every_kind_sits_on_every_seat_with_the_same_decks_and_throws() -> None:
    battles = play_round(CONTEST, ("greedy", "random", "random"), DECKS, 1, 4)
    assert [battle.seats for battle in battles] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert len({battle.names for battle in battles}) == 1
    assert len({battle.seed for battle in battles}) == 1


def test_two_players_of_the_same_kind_win_exactly_half() -> None:
    rounds = list(play_rounds(CONTEST, ("greedy", "greedy"), DECKS, 6, seed=2))
    for rate in win_rates(("a", "b"), rounds):
        assert rate.value == 0.5
        assert 0.3 < rate.low < 0.5 < rate.high < 0.7


winners = st.lists(st.tuples(*[st.sampled_from([None, 0, 1, 2])] * 3), min_size=1, max_size=8)


@given(winners)
def test_rates_add_up_to_one_and_lie_within_their_intervals(
    won: list[tuple[int | None, ...]],
) -> None:
    rounds = [
        tuple(
            ArenaBattle(seats=(0, 1, 2), names=("a", "b", "c"), winner=who, turns=1, seed=1)
            for who in battles
        )
        for battles in won
    ]
    rates = win_rates(("a", "b", "c"), rounds)
    assert sum(rate.value for rate in rates) == pytest.approx(1.0)
    assert all(rate.low <= rate.value + 1e-9 <= rate.high + 2e-9 for rate in rates)


def test_kinds_are_compared_and_saved(tmp_path: Path) -> None:
    done = pucklab(
        *SHORT, "--policy", "greedy,random", "--battles", "4", "--out", "a.csv", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "of 4 battles" in done.stdout
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["kinds"] for row in rows] == ["greedy random", "random greedy"] * 2
    assert rows[0]["seed"] == rows[1]["seed"] != rows[2]["seed"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--policy", "greedy,clever"), "'clever' is not accepted"),
        (("--policy", "greedy,random", "--resume"), "--resume: not accepted without --out"),
        (("--policy", "greedy,random", "--out", "no.txt"), "--out: 'no.txt' is not accepted"),
        (("--policy", "greedy,random", "--plot", "no.gif"), "--plot: 'no.gif' is not accepted"),
        (("--deck", "onix"), "--deck: 'onix' makes 1 player; give 2 to 8"),
        (("--deck", "onix,nix.toml"), "--deck: 'nix.toml' cannot be read"),
        (("--deck", "onix,geodude"), "--deck: 'geodude' is not in any list"),
        (("--deck", "onix,eevee", "--policy", "greedy,random,random"), "give 1 or 2 kinds"),
        (("--deck", "onix,eevee", "--slammers", "onix,eevee"), "not accepted beside --deck"),
        (("--policy", ",".join(["random"] * 9)), "makes 9 players; give 2 to 8"),
        (("--policy", "greedy", "--setup", "x.toml"), "needs several kinds"),
        (("--policy", "greedy,random", "--setup", "x.toml"), "x.toml"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...],
    message: str,
) -> None:
    done = pucklab(*SHORT, "--battles", "2", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_decks_of_a_file_are_played_with_whoever_the_options_let_begin(tmp_path: Path) -> None:
    setup = 'schema = 1\n[options]\nfirst = "random"\nmax_turns = 3\n'
    for name, slammer in (("Ash", "Onix"), ("Misty", "Lapras")):
        setup += f'[[players]]\nname = "{name}"\nslammers = ["{slammer}"]\n'
        setup += 'pucks = { "Plain Puck" = 16 }\n'
    (tmp_path / "decks.toml").write_text(setup, encoding="utf-8")
    decks = ("--policy", "greedy,random", "--setup", "decks.toml", "--battles", "4")
    for option in ((), ("--option", "first=Misty")):
        done = pucklab(*SHORT, *decks, *option, cwd=tmp_path)
        assert done.returncode == 0, done.stderr


OWN = tuple(
    house_deck(design, size, CONTEST.catalogue)
    for design, size in zip(DECKS, (14, 15, 16), strict=True)
)


def test_own_decks_move_with_their_players() -> None:
    battles = play_round(CONTEST, ("greedy", "greedy", "random"), OWN, 1, 0)
    assert [battle.names for battle in battles] == [
        ("Onix", "Eevee", "Lapras"),
        ("Eevee", "Lapras", "Onix"),
        ("Lapras", "Onix", "Eevee"),
    ]


def test_a_mirrored_pair_is_a_round_of_two_decks() -> None:
    seeds, points = [], []
    for battles in play_rounds(CONTEST, ("greedy", "greedy"), OWN[:2], 6, seed=3):
        seeds.append(battles[0].seed)
        points.append(sum({0: 2, None: 1, 1: 0}[battle.winner] for battle in battles))
    assert play_mirrored(CONTEST, OWN[0], OWN[1], seeds) == points
    assert play_mirrored(CONTEST, OWN[1], OWN[0], seeds) == [4 - k for k in points]


point = st.integers(0, 4)


@given(st.lists(st.tuples(point, point), min_size=1, max_size=30))
def test_a_tally_has_the_mean_of_points_and_gains_within_their_intervals(
    pairs: list[tuple[int, int]],
) -> None:
    mine, its = [list(column) for column in zip(*pairs, strict=True)]
    tally = tally_points(mine, its)
    assert tally.won.value == tally.share == pytest.approx(np.mean(mine) / 4)
    assert tally.gain.value == pytest.approx(np.mean(np.subtract(mine, its)) / 4)
    for found in (tally.won, tally.gain):
        assert found.low <= found.value <= found.high
        assert found.low < found.high  # few pairs that end alike prove nothing


@given(st.lists(point, min_size=2, max_size=12), st.integers(1, 11))
def test_tallies_add_up(points: list[int], cut: int) -> None:
    first, second = points[:cut], points[cut:]
    assert tally_points(points) == tally_points(first) + tally_points(second)
    assert tally_points(points) == MirroredTally() + tally_points(points)


@pytest.mark.parametrize("pairs", [30, 200])
@pytest.mark.parametrize("chances", [(0.3, 0.1, 0.2, 0.1, 0.3), (0.02, 0, 0.08, 0, 0.9)])
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(
    pairs: int, chances: tuple[float, ...]
) -> None:
    rng = np.random.default_rng(4)
    truth = float(np.dot(chances, np.linspace(0, 1, 5)))
    held = 0
    for counts in rng.multinomial(pairs, chances, size=400):
        won = MirroredTally(points=tuple(counts.tolist())).won
        held += won.low <= truth <= won.high
    assert held / 400 > 0.92  # 95 % less 2.8 standard errors


def test_the_bootstrap_of_rounds_is_as_wide_as_its_standard_error() -> None:
    rng = np.random.default_rng(1)
    rounds = [
        (
            ArenaBattle(seats=(0, 1), names=("a", "b"), winner=first, turns=1, seed=1),
            ArenaBattle(seats=(1, 0), names=("a", "b"), winner=second, turns=1, seed=1),
        )
        for first, second in rng.integers(2, size=(500, 2)).tolist()
    ]
    rate = win_rates(("a", "b"), rounds)[0]
    error = (0.25 / 1000) ** 0.5  # two independent battles a round
    assert rate.high - rate.low == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_rounds_are_read_back_and_halves_are_left_out() -> None:
    kinds = ("greedy", "exec:python3 bot.py")
    rounds = list(play_rounds(CONTEST, ("greedy", "random"), DECKS, 3, seed=1))
    text = rounds_csv(kinds, rounds, contest_hash="abc", engine="plane")
    assert read_rounds(text, "x", kinds, contest_hash="abc", engine="plane") == rounds
    cut = "".join(text.splitlines(keepends=True)[:-1])
    assert read_rounds(cut, "x", kinds, contest_hash="abc", engine="plane") == rounds[:2]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("abc", "abd", "battles of other players"),
        ("winner", "loser", "column winner is missing"),
        ("\n1,0,", "\n2,0,", "line 4 is no battle: it is out of order"),
        ("\n0,1,", "\n0,x,", "line 3 is no battle"),
    ],
)
def test_files_of_something_else_are_refused(old: str, new: str, message: str) -> None:
    kinds = ("greedy", "random")
    rounds = list(play_rounds(CONTEST, kinds, DECKS, 2, seed=1))
    text = rounds_csv(kinds, rounds, contest_hash="abc", engine="plane").replace(old, new)
    with pytest.raises(InputError, match=message):
        read_rounds(text, "x", kinds, contest_hash="abc", engine="plane")


def test_decks_are_compared_printed_plotted_and_told_as_json(tmp_path: Path) -> None:
    (tmp_path / "many.toml").write_text(
        'schema = 1\nslammers = ["Onix"]\npucks = { "Plain Puck" = 20, "Potion" = 3 }\n'
    )
    decks = ("--deck", "many.toml,onix,onix", "--battles", "3")
    done = pucklab(*SHORT, *decks, "--plot", "d.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split(" won ")[0] for line in lines[1:4]] == ["many", "Onix", "Onix 2"]
    assert (tmp_path / "d.png").read_bytes().startswith(b"\x89PNG")
    told = json.loads(pucklab(*SHORT, *decks, "--json", cwd=tmp_path).stdout)
    assert [player["player"] for player in told["players"]] == ["many", "Onix", "Onix 2"]
    wins = sum(player["wins"] for player in told["players"])
    assert wins + told["draws"] == told["battles"] == 3


def test_kinds_may_have_decks_of_their_own(tmp_path: Path) -> None:
    decks = ("--policy", "random,greedy", "--deck", "onix,lapras", "--battles", "2")
    done = pucklab(*SHORT, *decks, "--out", "d.csv", cwd=tmp_path)
    assert "random with Onix won" in done.stdout
    with (tmp_path / "d.csv").open(newline="") as file:
        rows = [(row["kinds"], row["slammers"]) for row in csv.DictReader(file)]
    assert rows == [("random greedy", "Onix; Lapras"), ("greedy random", "Lapras; Onix")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_rounds_that_were_stopped_go_on_to_the_same_end(tmp_path: Path) -> None:
    kinds = (*SHORT, "--policy", "greedy,random", "--out", "a.csv")
    with started(*kinds, "--battles", "1000000", cwd=tmp_path) as running:
        until = time.monotonic() + 120
        while not (tmp_path / "a.csv").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "add --resume to go on from there" in said
    with (tmp_path / "a.csv").open(newline="") as file:
        begun = len(list(csv.DictReader(file)))
    assert begun > 0
    more = ("--battles", str(begun + 4))
    done = pucklab(*kinds, *more, "--resume", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert pucklab(*kinds[:-1], "whole.csv", *more, cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    other = pucklab(*kinds, *more, "--resume", "--seed", "2", cwd=tmp_path)
    assert other.returncode == 2
    assert "--resume: 'a.csv' has battles of other players" in other.stderr
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
