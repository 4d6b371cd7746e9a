"""Boards: reading them, what is refused, and games on random ones."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.sim.trail.board import ACTIONS, Item, Who, board_from, house_board
from pucklab.sim.trail.odds import check_finish, new_game, read_board
from pucklab.sim.trail.play import Kind
from tests.refusals import refused
from tests.tables import cases, toml
from tests.trailgames import table

EXAMPLE = Path(__file__).parents[1] / "docs" / "drinking-trail.md"


def test_the_house_board_says_so_and_has_the_games_own_gym():
    board = house_board()
    assert board.house_made
    check_finish(board)
    pewter = board.gyms[8]
    assert (pewter.attack, pewter.hp, pewter.dice, pewter.faint) == (3, 4, 3, 2)
    assert [effect.item for effect in pewter.flash] == [Item.POKEBALL]


def test_the_board_of_the_docs_is_accepted(write):
    path = write(
        "trail.toml", EXAMPLE.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    )
    board = read_board(path)
    assert board.name == "My trail"
    assert board.zone[0].catch == 3
    assert {effect.action for square in board.squares.values() for effect in square.effect} == set(
        ACTIONS
    )


def test_names_of_items_may_be_written_in_several_ways():
    board = board_from({"last": 9, "starting_items": ["Master Ball", "safari_ball", "POTION"]})
    assert board.starting_items == (Item.MASTER_BALL, Item.SAFARI_BALL, Item.POTION)


@cases("table said", "board_mistakes.txt", toml)
def test_a_mistake_on_a_board_is_named_in_one_line(table, said):
    refused(board_from, table, said=said)


def test_a_wall_of_squares_that_send_back_is_refused():
    wall = [{"at": place, "effect": [{"move": -place}]} for place in range(2, 8)]
    refused(
        check_finish,
        board_from({"last": 12, "square": wall}),
        said="square 1: the finish is out of reach from there",
    )
    check_finish(board_from({"last": 12, "square": wall[1:]}))


def test_a_file_is_named_in_its_mistake(write):
    path = write("trail.toml", "schema = 1\nlast = 0\n")
    refused(read_board, path, said="board: ... trail.toml' last: 0")
    path.write_text("last = 9\n")
    refused(read_board, path, said="has no schema; begin it with schema = 1")


@st.composite
def effects(draw):
    action = draw(st.sampled_from(ACTIONS))
    if action == "roll_again":
        return {"roll_again": True}
    value = draw(st.integers(-8, 8) if action == "move" else st.integers(1, 4))
    if action == "item":
        value = draw(st.sampled_from([item.value for item in Item]))
    return {action: value, "who": draw(st.sampled_from([who.value for who in Who]))}


@st.composite
def boards(draw):
    """Small boards, crowded with gyms, squares of all kinds and a zone."""
    last = draw(st.integers(2, 15))
    some = st.lists(effects(), max_size=2)
    gyms, squares = [], []
    for place in sorted(draw(st.sets(st.integers(1, last), max_size=8))):
        if draw(st.integers(0, 4)) == 0:
            gym = {"attack": draw(st.integers(0, 6)), "hp": draw(st.integers(1, 6))}
            reward = draw(st.one_of(effects(), st.sampled_from([item.value for item in Item])))
            gyms.append({"square": place, **gym, "faint": draw(st.integers(0, 3)), "flash": reward})
        elif place < last:
            squares.append(
                {
                    "at": place,
                    "kind": draw(st.sampled_from(["plain", "pokemon"])),
                    "when": draw(st.sampled_from(["land", "start"])),
                    "effect": draw(some),
                    "move": draw(some),
                }
            )
    zones = []
    if draw(st.booleans()):
        first = draw(st.integers(1, last))
        zones = [{"from": first, "to": draw(st.integers(first, last)), "effect": draw(some)}]
    items = draw(st.lists(st.sampled_from([item.value for item in Item]), max_size=4))
    return board_from(
        {"last": last, "starting_items": items, "gym": gyms, "square": squares, "zone": zones}
    )


def check_games(board, kinds, seed, *, all_finish):
    """Check that a game ends, conserves items and units, and is the same for the same seed."""
    here = table(board, *kinds, all_finish=all_finish)
    game = new_game(here, np.random.default_rng(seed))
    game.play()
    assert game.over or game.undecided
    for seat, player in enumerate(game.seats):
        mine = [event for event in game.events if event.seat == seat]
        drunk = sum(event.amount for event in mine if event.kind is Kind.DRANK)
        assert player.units == drunk >= 0
        held = Counter(event.name for event in mine if event.kind is Kind.GOT)
        held.subtract(event.name for event in mine if event.kind is Kind.USED)
        assert {Item(name): count for name, count in held.items() if count} == player.items
        assert min(held.values(), default=0) >= 0
        moves = [event for event in mine if event.kind is Kind.MOVED]
        places = [0, *(event.amount for event in moves)]
        assert [event.other for event in moves] == places[:-1]
        assert player.position == places[-1] <= board.last
        begun = sum(event.kind in {Kind.TURN, Kind.SKIPPED} for event in mine)
        assert player.turns == begun
        # Nobody passes a gym that is not completed.
        assert all(place in player.done for place in board.gyms if place < player.position)
        if player.rank:
            assert player.position == board.last
    ranks = sorted(player.rank for player in game.seats if player.rank)
    assert ranks == list(range(1, len(ranks) + 1))
    again = new_game(here, np.random.default_rng(seed))
    again.play()
    assert again.events == game.events


GAMES = {
    "board": boards(),
    "kinds": st.lists(st.sampled_from(["careful", "quick"]), min_size=1, max_size=4),
    "seed": st.integers(0, 2**32),
    "all_finish": st.booleans(),
}


@settings(max_examples=80)
@given(**GAMES)
def test_games_on_random_boards_end_and_conserve(board, kinds, seed, all_finish):
    check_games(board, tuple(kinds), seed, all_finish=all_finish)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(**GAMES)
def test_games_on_ten_thousand_random_boards_end_and_conserve(board, kinds, seed, all_finish):
    check_games(board, tuple(kinds), seed, all_finish=all_finish)
