"""Whole games: they end, replay from their records, and keep what must be kept."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from pucklab.sim.bumpers import (
    Colour,
    Kind,
    Piece,
    apply,
    legal_moves,
    position_problems,
    setup_named,
    setups,
)
from pucklab.sim.bumpers.board import board_of, make_position
from pucklab.sim.bumpers.cards import CardKind
from pucklab.sim.bumpers.game import (
    BUMPERS,
    GreedyPlayer,
    Pass,
    Phase,
    PlacePiece,
    PlayCard,
    RandomPlayer,
    choice_text,
    choices,
    chooser,
    first_player,
    goal_distances,
    make_config,
    place_at_random,
    step,
)
from pucklab.sim.bumpers.game.players import count_scoring_spaces
from pucklab.sim.bumpers.mats import layout_problems
from pucklab.sim.core.game import Decision, Match, play
from pucklab.sim.core.players import RandomPlayer as AnyPlayer
from pucklab.sim.core.records import read_record, replay
from tests.bumpersgames import at_turn, cards_of, check_told, do, number, offered
from tests.make_bumpers_games import FOLDER, GAMES, TOLD, transcript_of
from tests.refusals import refused
from tests.slowness import slow

SHORT = 150
"""Actions after which the games of any choices in these tests are draws."""


@cache
def any_game(players):
    """Return a game of arbitrary choices."""
    table = make_config(players, max_actions=SHORT)
    return list(play(BUMPERS, table, [AnyPlayer()] * players, players))


def random_game(players, seed, **options):
    table = make_config(players, **options)
    return list(play(BUMPERS, table, [RandomPlayer()] * players, seed))


@pytest.mark.parametrize(
    ("players", "seed"),
    [(2, 2), *(slow(players, seed) for players in range(2, 7) for seed in range(100, 105))],
)
def test_a_whole_game_of_random_players_is_won(players, seed):
    steps = random_game(players, seed)
    final = steps[-1].after
    assert final.winner is not None
    assert final.position.scored[final.winner] == 4


@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_of_arbitrary_choices_keeps_what_must_be_kept(players):
    steps = any_game(players)
    for taken in steps:
        before, after = taken.before, taken.after
        assert cards_of(after) == after.config.deck.numbers
        check_told(before, after, taken.events)
        if after.phase is not Phase.PLACING:
            check_pieces(after.position, players)
        # The position is legal but within a series of mat moves, which begins with a legal one.
        if after.series is None:
            assert position_problems(after.position) == ()
        else:
            assert layout_problems(after.series.layout, after.series.rules) == ()
        assert (chooser(before) is None) == (before.shuffle_due or before.phase is Phase.OVER)
        assert (choices(before) == ()) == (chooser(before) is None)
    assert steps[-1].after.phase is Phase.OVER


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


def test_every_choice_offered_can_be_taken():
    for taken in any_game(3)[::9]:
        for choice in choices(taken.before):
            after, _ = step(taken.before, choice)
            assert after != taken.before


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_replays_to_its_end(name):
    record = read_record(BUMPERS, FOLDER / f"{name}.json")
    *_, last = replay(BUMPERS, record)
    assert (last.after.phase, last.after.winner) == (Phase.OVER, record.end["winner"])


@pytest.mark.parametrize("name", TOLD)
def test_a_golden_game_is_told_as_it_was(name):
    assert transcript_of(name) == (FOLDER / f"{name}.txt").read_text()


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
    return GreedyPlayer().choose(state, BUMPERS.open(state), np.random.default_rng(1))


def test_a_greedy_player_scores_when_it_can():
    state = at_turn((), (), pieces="RPe5a1.OPi1")
    choice = greedy_choice(state)
    assert offered(state)[choices(state).index(choice)] == "e5N*"


def test_a_greedy_player_stops_an_action_that_moved_its_puck_away_from_a_goal():
    state = do(at_turn((), ("Hold It",), pieces="RMd1.OPe1"), "d1Ex")
    assert greedy_choice(state) == PlayCard(number("Hold It"))


def test_a_random_player_scores_when_it_can_by_a_nudge_too():
    state = at_turn((), (), pieces="RPe5a1.OPi1")
    assert choice_text(state, random_choice(state)) == "e5N*"
    nudging = do(at_turn(("Nudge",), (), pieces="RPe5a1.OPi1"), "play Nudge")
    assert choice_text(nudging, random_choice(nudging)) == "e5N"


def test_a_random_player_scores_for_others_only_by_chance():
    state = at_turn((), (), pieces="RPe1.OPe5")
    assert "e1Nx*" in offered(state)
    assert {choice_text(state, random_choice(state, seed)) for seed in range(20)} == {
        *offered(state)
    }


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
    return RandomPlayer().choose(state, BUMPERS.open(state), np.random.default_rng(seed))


@pytest.mark.parametrize("first", range(3))
def test_pb_20_whoever_begins_placing_takes_the_first_turn(first):
    table = make_config(3, first=first, max_actions=10)
    steps = list(play(BUMPERS, table, [RandomPlayer()] * 3, 1))
    placing = [t.before.player for t in steps if isinstance(t.answer, PlacePiece)]
    turns = [taken.after for taken in steps if taken.after.turns == 1]
    assert placing[:3] == [first, (first - 1) % 3, (first - 2) % 3]
    assert turns[0].player == first


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


def test_a_person_is_asked_for_quick_plays_only_where_they_cannot_wait():
    """A stop, or a reverse before another's turn, is now or never; the rest is left for later."""
    asked = kept = 0
    for seed in range(6):
        match = Match(BUMPERS, make_config(2), [None, GreedyPlayer()], seed)
        place_at_random(match)
        answers = np.random.default_rng(seed)
        for _ in range(300):
            for _ in match.play():
                pass
            state, now = match.state, match.open
            if now is None:
                break
            assert isinstance(now, Decision)
            if state.asked is not None:
                asked += 1
                cards = [state.card(option.card).name for option in now.options[:-1]]
                is_action_over = state.phase is not Phase.DRAW
                assert "Hold It" in cards if is_action_over else "Reverse" in cards or state.quick
                match.step(Pass())
            else:
                quick = [option for option in now.options if isinstance(option, PlayCard)
                         and state.card(option.card).kind is CardKind.QUICK_PLAY]  # fmt: skip
                kept += bool(quick)
                moves = [option for option in now.options if option not in quick]
                match.step(moves[answers.integers(len(moves))])
    assert asked > 3
    assert kept > 50  # nothing is lost by it: they can be played in the own turn
