"""The arena: every kind on every seat, rates that add up, files, and mistakes."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.pokepucks.arena import ArenaBattle, play_round, play_rounds, win_rates
from sim.pokepucks.battle.table import BattleOptions
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.tournament import Contest
from tests.commands import pucklab

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
        assert (rate.value, rate.low, rate.high) == (0.5, 0.5, 0.5)


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
        (("--policy", "greedy,random", "--json"), "not accepted with several kinds"),
        (("--policy", "greedy", "--setup", "x.toml"), "needs several kinds"),
        (("--policy", "greedy,random", "--setup", "x.toml"), "x.toml"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], message: str) -> None:
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
