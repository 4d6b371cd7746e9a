"""Whole games: they end, replay from their records, and keep what must be kept."""

import json
from collections import Counter
from functools import cache

import numpy as np
import pytest

from sim.bumpers import (
    Colour,
    Kind,
    Piece,
    PieceMove,
    apply,
    legal_moves,
    position_problems,
    setup_named,
    setups,
)
from sim.bumpers.board import board_of, make_position
from sim.bumpers.game import (
    GreedyPlayer,
    Phase,
    PlacePiece,
    PlayCard,
    RandomPlayer,
    cards_of,
    choice_text,
    choices,
    chooser,
    first_player,
    game_transcript,
    goal_distances,
    make_table,
    play_game,
    read_record,
    record_from,
    record_json,
    record_of,
    replay,
    result_lines,
    state_from,
    state_json,
    step,
)
from sim.bumpers.game.players import count_scoring_spaces
from sim.bumpers.mats import layout_problems
from tests.bumpersgames import at_turn, do, number, offered
from tests.make_bumpers_games import FOLDER, GAMES
from tests.refusals import refused
from tests.slowness import slow

SHORT = 150
"""Actions after which the games of any choices in these tests are draws."""


class AnyPlayer:
    """Takes any choice, each as likely as another: it does whatever the rules allow."""

    def choose(self, state, choices, rng):
        """Return any of the choices."""
        del state
        return choices[int(rng.integers(len(choices)))]


@cache
def any_game(players):
    """Return a game of arbitrary choices."""
    table = make_table(players, max_actions=SHORT)
    return list(play_game(table, [AnyPlayer()] * players, np.random.default_rng(players)))


def random_game(players, seed, **options):
    table = make_table(players, **options)
    return list(play_game(table, [RandomPlayer()] * players, np.random.default_rng(seed)))


@pytest.mark.parametrize(
    ("players", "seed"),
    [(2, 2), *(slow(players, seed) for players in range(2, 7) for seed in range(100, 105))],
)
def test_a_whole_game_of_random_players_is_won_and_replays_to_the_same_end(players, seed):
    steps = random_game(players, seed)
    final = steps[-1].after
    assert final.winner is not None
    assert final.position.scored[final.winner] == 4
    *_, last = replay(record_of(final.table, ["random"] * players, seed, steps))
    assert last.after == final


@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_of_arbitrary_choices_keeps_what_must_be_kept_and_replays_to_its_end(players):
    steps = any_game(players)
    for taken in steps:
        before, after = taken.before, taken.after
        assert cards_of(after) == after.table.deck.numbers
        if after.phase is not Phase.PLACING:
            check_pieces(after.position, players)
        # The position is legal but within a series of mat moves, which begins with a legal one.
        if after.series is None:
            assert position_problems(after.position) == ()
        else:
            assert layout_problems(after.series.layout, after.series.rules) == ()
        assert (chooser(before) is None) == (before.shuffle_due or before.phase is Phase.OVER)
        assert (choices(before) == ()) == (chooser(before) is None)
    final = steps[-1].after
    assert final.phase is Phase.OVER
    *_, last = replay(record_of(final.table, ["random"] * players, players, steps))
    assert last.after == final


def check_pieces(position, players):
    """Check that all pieces are there, but for scored and returned pucks."""
    on_board = Counter(piece for _, piece in position.pieces)
    for colour in list(Colour)[:players]:
        assert on_board[Piece(colour, Kind.PUCK)] + position.scored[colour] == 4
        assert on_board[Piece(colour, Kind.ICE)] == on_board[Piece(colour, Kind.MEEPLE)] == 2


@pytest.mark.parametrize("players", [2, 6])
def test_random_players_finish_cardless_games_with_a_winner(players):
    final = random_game(players, seed=1, setup="old-school")[-1].after
    assert final.winner is not None
    assert final.position.scored[final.winner] == 2


@pytest.mark.parametrize("players", [2, 4])
def test_greedy_players_win(players):
    table = make_table(players)
    seats = [GreedyPlayer()] * players
    *_, last = play_game(table, seats, np.random.default_rng(1))
    assert last.after.winner is not None


def test_the_same_seed_gives_the_same_game():
    games = [random_game(3, seed, max_actions=30)[-1].after for seed in (5, 5, 6)]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_every_choice_offered_can_be_taken_and_no_step_changes_its_input():
    for taken in any_game(3)[::9]:
        state = taken.before
        kept = state_json(state)
        for choice in choices(state):
            after, events = step(state, choice)
            assert after != state
            assert isinstance(events, tuple)
        assert state_json(state) == kept


def test_a_state_round_trips_through_json_and_goes_on_the_same():
    for taken in any_game(3)[::4]:
        read = state_from(state_json(taken.before))
        assert read == taken.before
        assert step(read, taken.choice)[0] == taken.after


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_replays_to_its_end(name):
    record = read_record(FOLDER / f"{name}.json")
    *_, last = replay(record)
    assert (last.after.phase, last.after.winner) == (Phase.OVER, record.final.winner)


@pytest.mark.parametrize("name", ["two-greedy", "old-school"])
def test_a_record_reads_back_as_it_was_written(name, tmp_path):
    record = read_record(FOLDER / f"{name}.json")
    path = tmp_path / "again.json"
    path.write_text(record_json(record), encoding="utf-8")
    assert read_record(path) == record


def test_an_unfinished_game_has_a_record_too():
    steps = any_game(2)[:60]
    record = record_of(steps[-1].after.table, ["random"] * 2, 1, steps)
    *_, last = replay(record)
    assert last.after == steps[-1].after
    empty = record_of(make_table(2), ["random"] * 2, 1, [])
    assert list(replay(empty)) == []


def test_the_short_transcript_has_a_line_only_for_turns_with_important_events():
    record = read_record(FOLDER / "four-greedy.json")
    steps = list(replay(record))
    short = list(game_transcript(record.table, steps))
    long = list(game_transcript(record.table, steps, verbose=True))
    turns = [line for line in long if line.startswith("turn ")]
    assert len(short) < len(turns) < len(long)
    scores = [sum(line.count("scores") for line in told) for told in (short, long)]
    assert scores[0] == scores[1] > 0


def test_the_result_has_the_winner_all_pucks_and_the_position():
    record = read_record(FOLDER / "two-greedy.json")
    *_, last = replay(record)
    first, *players, line = result_lines(last.after)
    assert record.final.winner is not None
    assert first.startswith(f"{record.table.name(record.final.winner)} wins after ")
    drawn = do(at_turn((), (), table={"max_actions": 1}), "a1N")
    assert next(result_lines(drawn)) == (
        "a draw after 1 turns, 1 actions: the limit of 1 is reached"
    )
    assert f"  {record.table.name(record.final.winner)}: 4 of 4 pucks" in players
    assert line == record.final.position


@pytest.mark.parametrize("setup", setups())
def test_goal_distances_are_the_fewest_moves_by_the_rules(setup):
    layout = setup_named(setup).layout
    board = board_of(layout)
    distances = goal_distances(layout)
    red = Piece(Colour.RED, Kind.PUCK)
    for space in range(0, len(board.squares), 29):
        if board.squares[space] in board.pools or board.squares[space] in board.goals:
            continue
        front = {make_position(layout, {space: red}, to_move=Colour.RED)}
        slides = 0
        while not any(position.scored[Colour.RED] for position in front):
            front = {apply(p, move) for p in front for move in legal_moves(p)}
            slides += 1
        assert distances[space] == slides


def greedy_choice(state):
    return GreedyPlayer().choose(state, choices(state), np.random.default_rng(1))


def test_a_greedy_player_scores_when_it_can():
    state = at_turn((), (), pieces="RPe5a1.OPi1")
    choice = greedy_choice(state)
    assert isinstance(choice.move, PieceMove)
    assert offered(state)[choices(state).index(choice)] == "e5N*"


def test_a_greedy_player_stops_an_action_that_moved_its_puck_away_from_a_goal():
    state = do(at_turn((), ("Hold It",), pieces="RMd1.OPe1"), "d1Ex")
    assert greedy_choice(state) == PlayCard(number("Hold It"))


def test_a_random_player_scores_when_it_can_by_a_nudge_too():
    state = at_turn((), (), pieces="RPe5a1.OPi1")
    assert choice_text(state, random_choice(state)) == "e5N*"
    nudging = do(at_turn(("Nudge",), (), pieces="RPe5a1.OPi1"), "play Nudge")
    assert choice_text(nudging, random_choice(nudging)) == "e5N"


def test_a_random_player_returns_a_puck_only_without_another_choice():
    state = at_turn(("Back in Play",), (), scored="R1")
    assert "play Back in Play" in offered(state)
    assert {choice_text(state, random_choice(state, seed)) for seed in range(20)} == {"a1N", "a1E"}
    stuck = at_turn(("Back in Play",), (), scored="R1", pieces="OPi1")
    assert choice_text(stuck, random_choice(stuck)) == "play Back in Play"


def test_a_random_player_moves_mats_so_that_no_fewer_spaces_lead_to_goals():
    board = {"mat": "", "layout": "B1/G1/B2"}
    state = do(at_turn(("Board Shift",), (), pieces="RPa12", board=board), "play Board Shift")
    before = count_scoring_spaces(state.position.layout)

    def closes(choice):
        return count_scoring_spaces(step(state, choice)[0].position.layout) < before

    assert any(closes(choice) for choice in choices(state))
    assert not any(closes(random_choice(state, seed)) for seed in range(20))


def random_choice(state, seed=1):
    return RandomPlayer().choose(state, choices(state), np.random.default_rng(seed))


@pytest.mark.parametrize("first", range(3))
def test_pb_20_whoever_begins_placing_takes_the_first_turn(first):
    table = make_table(3, first=first, max_actions=10)
    steps = list(play_game(table, [RandomPlayer()] * 3, np.random.default_rng(1)))
    placing = [t.before.player for t in steps if isinstance(t.choice, PlacePiece)]
    turns = [taken.after for taken in steps if taken.after.turns == 1]
    assert placing[:3] == [first, (first - 1) % 3, (first - 2) % 3]
    assert turns[0].player == first
    record = record_of(table, ["random"] * 3, 1, steps)
    *_, last = replay(record_from("record", json.loads(record_json(record))))
    assert last.after == steps[-1].after


def test_a_record_that_does_not_say_who_began_was_begun_by_the_first_player():
    steps = any_game(2)[:60]
    contents = json.loads(record_json(record_of(steps[-1].after.table, ["random"] * 2, 1, steps)))
    del contents["table"]["first"]
    assert record_from("record", contents).table.first == 0


def test_the_starting_player_is_drawn_or_named_by_a_colour():
    drawn = [first_player("draw", 4, 1, np.random.default_rng(seed)) for seed in range(40)]
    assert set(drawn) == {0, 1, 2, 3}
    assert first_player("green", 3, 2, np.random.default_rng(1)) == 0
    refused(
        first_player,
        "blue",
        2,
        1,
        np.random.default_rng(1),
        said="first: 'blue' is not accepted; give one of draw, red",
    )
