"""Odds of trails: reference values for one player, races and two players; simulation beside."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from pucklab.sim.chance.distribution import distribution
from pucklab.sim.chance.process import evaluate, totals, visits
from pucklab.sim.trail.board import Board, GymSquare, board_from, house_board
from pucklab.sim.trail.duels import Starter
from pucklab.sim.trail.odds import (
    TRAIL,
    alone,
    by_number,
    game_process,
    play_games,
    race,
    trail_case,
)
from pucklab.sim.trail.play import POLICIES, Game
from tests.refusals import refused
from tests.slowness import slow
from tests.tables import cases, toml
from tests.trailgames import rolls, table

ONIX = GymSquare(square=6, name="Onix", attack=3, hp=4)
SECOND = GymSquare(square=13, name="second", attack=4, hp=6)


@cache
def alone_on(board, kind="careful"):
    return alone(board, POLICIES[kind]())


@cases(
    "last turns",
    """
    1 => "1"
    6 => "16807/7776"
    7 => "117649/46656"
    10 => "33495175/10077696"
    12 => "1417221463/362797056"
    """,
    toml,
)
def test_expected_turns_of_a_bare_trail(last, turns):
    assert alone_on(Board(last=last)).turns == Fraction(turns)


@pytest.mark.parametrize(("last", "turns"), [(20, 6.190195199), (40, 11.904762898)])
def test_expected_turns_of_a_long_trail(last, turns):
    assert abs(alone_on(Board(last=last)).turns - turns) < 5.1e-10


def test_the_distribution_of_turns_of_ten_squares():
    chances = "1/6 11/24 5/18 35/432 7/486 13/7776 23/186624 53/10077696 1/10077696"
    odds = alone_on(Board(last=10)).turns_odds.items
    assert odds == tuple(enumerate(map(Fraction, chances.split()), start=2))


def test_the_chance_to_land_on_a_square():
    landing = alone_on(Board(last=40)).landing
    chances = "1/6 7/36 49/216 16807/46656 70993/279936"
    assert [landing[square] for square in (1, 2, 3, 6, 7)] == [*map(Fraction, chances.split())]
    assert abs(landing[10] - 0.289288) < 5.1e-7
    assert abs(landing[20] - 0.285621) < 5.1e-7


def test_a_race_of_two_by_seat_is_exact():
    turns = alone_on(Board(last=10)).turns_odds
    first = Fraction(67120060377295, 101559956668416)
    assert race(turns, 2) == [first, 1 - first]


@pytest.mark.parametrize(
    ("players", "chances"),
    [
        (3, [0.524785791, 0.292373424, 0.182840785]),
        (4, [0.446628816, 0.262056686, 0.170438347, 0.120876151]),
    ],
)
def test_a_race_of_more_by_seat(players, chances):
    found = race(alone_on(Board(last=10)).turns_odds, players)
    assert found == pytest.approx(chances, abs=5.1e-10)
    assert sum(found) == 1


def test_a_race_has_two_players():
    refused(
        race,
        distribution([(1, Fraction(1))]),
        1,
        said="players: 1 is not accepted; a race has 2 or more",
    )


@cases(
    "last gyms kind turns",
    """
    12 => 1 => "careful" => "359185/73872"
    12 => 1 => "quick" => "121537/27216"
    20 => 2 => "quick" => "286357019/33883920"
    20 => 2 => "careful" => "572558803/63603792"
    """,
    toml,
)
def test_a_trail_with_gyms(last, gyms, kind, turns):
    board = Board(last=last, gym=(ONIX, SECOND)[:gyms])
    assert alone_on(board, kind).turns == Fraction(turns)


def two_players(last, mine, theirs):
    """Return both players' expected units, and the first one's chance to win."""
    policies = [POLICIES["careful"]()] * 2
    game = Game(Board(last=last), policies, rolls(), starters=(mine, theirs))
    processes = [game_process(game, lambda u, s=s: u[s]) for s in range(2)]
    first, second = map(evaluate, processes)
    won = sum(
        number
        for (_, seats), number in visits(processes[0]).items()
        if seats[0][-1] == 1  # the rank
    )
    start = next(iter(first.value))
    return first.value[start], second.value[start], won


@cases(
    "last units won",
    """
    6 => "12935365/60466176" => "42078967/60466176"
    10 => "43706683189309/101559956668416" => "67120060377295/101559956668416"
    """,
    toml,
)
def test_two_players_of_equal_starters_are_exact(last, units, won):
    found = two_players(last, Starter.SQUIRTLE, Starter.SQUIRTLE)
    assert found == (Fraction(units), Fraction(units), Fraction(won))


@pytest.mark.slow
def test_two_players_on_twenty_squares():
    mine, theirs, won = two_players(20, Starter.SQUIRTLE, Starter.SQUIRTLE)
    assert (mine, theirs) == pytest.approx((0.836700578, 0.836700578), abs=5.1e-10)
    assert won == pytest.approx(0.618861164, abs=5.1e-10)


def test_two_players_one_of_them_super_effective():
    mine, theirs, _ = two_players(10, Starter.BULBASAUR, Starter.SQUIRTLE)
    assert (float(mine), float(theirs)) == pytest.approx((0.290887, 0.569820), abs=5.1e-7)


@cases(
    "items units",
    """
    [] => "70993/93312"
    ["pokeball"] => "70993/186624"
    ["repel"] => "0"
    """,
    toml,
)
def test_items_at_a_pokemon_square(items, units):
    rattata = {"at": 7, "kind": "pokemon", "effect": [{"drink": 3}]}
    board = board_from({"last": 10, "square": [rattata], "starting_items": items})
    assert alone_on(board).units == Fraction(units)


@pytest.mark.parametrize(
    ("kind", "board"), [("careful", Board(last=12, gym=(ONIX,))), ("quick", house_board())]
)
def test_distributions_have_the_expected_values_as_means(kind, board):
    odds = alone_on(board, kind)
    for part, mean in ((odds.turns_odds, odds.turns), (odds.units_odds, odds.units)):
        finite = [(value, p) for value, p in part.items if value != math.inf]
        assert sum(value * p for value, p in finite) == pytest.approx(float(mean), abs=1e-6)
        assert part[math.inf] < 1e-9


@pytest.mark.parametrize("kind", ["careful", "quick"])
def test_moves_of_caught_pokemon_change_nothing_for_one_player(kind):
    harmless = {"at": 2, "kind": "pokemon", "effect": [], "move": [{"drink": 1, "who": "chosen"}]}
    tauros = {**harmless, "at": 5, "effect": [{"drink": 3}, {"skip": 1}]}
    squares = [harmless, tauros, {**tauros, "at": 8}]
    board = board_from({"last": 9, "square": squares, "starting_items": ["pokeball"]})
    odds = alone_on(board, kind)
    game = Game(board, [POLICIES[kind]()], rolls())
    start = game.state()
    assert evaluate(game_process(game, lambda _: 1)).value[start] == odds.turns
    assert evaluate(game_process(game, lambda units: units[0])).value[start] == odds.units


def test_totals_in_fractions_and_in_floats_agree():
    game = Game(Board(last=12, gym=(ONIX,)), [POLICIES["careful"]()], rolls())
    process = game_process(game, lambda _: 1)
    floats = totals(process, exact=0)
    for value, p in totals(process).items:
        assert float(floats[value]) == pytest.approx(float(p), abs=1e-11)


def test_too_many_states_are_refused_by_the_limits_name():
    refused(
        alone, house_board(), POLICIES["careful"](), limit=20, said="limit: more than 20 states"
    )


def check_mean(counter, expected):
    """Check a simulated mean against an exact one, within four standard errors."""
    values = np.repeat(list(counter), list(counter.values()))
    assert abs(values.mean() - expected) < 4 * values.std(ddof=1) / math.sqrt(len(values))


@pytest.mark.parametrize("games", [2_000, slow(100_000)])
def test_simulated_games_of_two_players_agree_with_exact_odds(games):
    """The players are on ten squares, the first super effective."""
    starters = (Starter.BULBASAUR, Starter.SQUIRTLE)
    pair = table(Board(last=10), "careful", "careful", starters=starters, first=0)
    tally = play_games(pair, 1, 0, games)
    assert tally.trials == games
    mine, theirs, won = two_players(10, *starters)
    check_mean(tally.units_of(0), float(mine))
    check_mean(tally.units_of(1), float(theirs))
    check_mean(by_number(tally.all_units), float(mine + theirs))
    error = math.sqrt(won * (1 - won) / games)
    assert abs(tally.wins[0] / games - won) < 4 * error


@pytest.mark.parametrize("games", [300, slow(100_000)])
def test_simulated_turns_on_the_house_board_agree_with_exact_ones(games):
    for kind in ("careful", "quick"):
        odds = alone_on(house_board(), kind)
        tally = play_games(table(house_board(), kind), 2, 0, games)
        turns = by_number(tally.turns)
        check_mean(turns, float(odds.turns))
        for value, p in odds.turns_odds.items:
            if value != math.inf and p * games > 20:
                share = turns[int(value)] / games
                # Some 15 values are compared: five standard errors for each.
                assert abs(share - float(p)) < 5 * math.sqrt(float(p) / games)


def test_who_begins_is_drawn_evenly():
    wins = play_games(table(Board(last=1), *["quick"] * 3), 5, 0, 3_000).wins
    assert all(abs(wins[seat] - 1000) < 4 * math.sqrt(3000 * 2 / 9) for seat in range(3))


def test_tallies_of_parts_add_up_to_the_whole():
    pair = table(house_board(), "careful", "quick")
    parts = play_games(pair, 3, 0, 7) + play_games(pair, 3, 7, 13)
    assert parts == play_games(pair, 3, 0, 20)


def test_units_beyond_the_cap_are_not_counted():
    free = table(house_board(), "careful", "quick")
    capped = table(house_board(), "careful", "quick", cap=3)
    all_of_it, some = (play_games(pair, 4, 0, 200) for pair in (free, capped))
    for seat in range(2):
        counter, uncapped = some.units_of(seat), all_of_it.units_of(seat)
        assert some.capped[seat] == sum(n for units, n in uncapped.items() if units > 3) > 0
        assert max(counter) == 3
        assert counter[3] == sum(n for units, n in uncapped.items() if units >= 3)
    assert all_of_it.capped == (0, 0)


def test_everything_on_a_board_is_in_the_id_of_its_case():
    boards = (Board(last=9), Board(last=10), Board(last=10, gym=(ONIX,)), house_board())
    made = [trail_case(table(board, "quick")) for board in (*boards, *boards)]
    ids = TRAIL.ids(made)
    assert len({*ids}) == 4
    assert ids[:4] == ids[4:]
