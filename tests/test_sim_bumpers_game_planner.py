"""Players that use the solver: they score when they can, and win; series of games."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from physics import InputError
from sim.bumpers import Colour, parse_position
from sim.bumpers.game import (
    Choice,
    GameState,
    GreedyPlayer,
    MakeMove,
    PickCard,
    PlayCard,
    choices,
    house_deck,
    make_table,
    play_game,
    player_of,
    random_start,
)
from sim.bumpers.game.arena import GameResult, play_one, play_series, win_rates
from sim.bumpers.game.planner import PlannerPlayer, SolverLinePlayer, is_free_action
from sim.bumpers.game.state import Phase
from sim.bumpers.kernel import compiling
from sim.bumpers.moves import PieceMove
from sim.bumpers.solver import Goal, Limits, solve
from sim.cli.bumpers_arena import arena_command

RNG = np.random.default_rng(1)


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "INTERPRETED_S", 0.0)


def at(text: str, *cards: str, taken: int = 0) -> GameState:
    """Return a state in which red is to act on a position, with some cards in hand."""
    position = parse_position(text)
    state = random_start(make_table(2), np.random.default_rng(3))
    deck = house_deck()
    hand = tuple(sorted(number for name in cards if (number := deck.card_named(name)) is not None))
    assert len(hand) == len(cards)
    return replace(
        state,
        position=replace(position, to_move=None),
        phase=Phase.ACTION,
        player=0,
        hands=(hand, ()),
        owed=(),
        asked=None,
        last=None,
        turn=replace(state.turn, taken=taken),
    )


def chosen(state: GameState, player: SolverLinePlayer) -> Choice:
    return player.choose(state, choices(state), RNG)


@pytest.mark.parametrize("kind", [SolverLinePlayer, PlannerPlayer])
def test_a_puck_that_can_come_in_now_does(kind: type[SolverLinePlayer]) -> None:
    start = "pb1:small:RPf7.RMe7.OPb7:-:R:-"
    line = solve(parse_position(start), Goal(), Limits(max_actions=1)).line
    assert chosen(at(start), kind()) == MakeMove(line[0])


def test_a_planner_plays_a_card_for_more_actions_if_it_scores_with_them() -> None:
    state = at("pb1:small:RPb7.RMe7.OPd7:-:R:-", "Take 6", "Take 1")
    assert len(solve(replace(state.position, to_move=Colour.RED)).line) == 4
    first = chosen(state, PlannerPlayer())
    assert isinstance(first, PlayCard)
    assert state.card(first.card).name == "Take 6"


def test_a_planner_keeps_its_cards_where_they_score_nothing() -> None:
    state = at("pb1:small:RPb7.RMe7.OPd7:-:R:-", "Extra Action")
    assert isinstance(chosen(state, PlannerPlayer()), MakeMove)


def test_a_planner_discards_the_card_of_least_use() -> None:
    state = at("pb1:small:RPb7.RMe7.OPd7:-:R:-", "Take 6", "Double Action", "Nudge")
    state = replace(state, phase=Phase.DISCARD)
    dropped = chosen(state, PlannerPlayer())
    assert isinstance(dropped, PickCard)
    assert state.card(dropped.card).name == "Nudge"


def test_a_planner_never_leaves_a_score_of_this_turn_untaken() -> None:
    chances = 0
    for seed in range(20):
        table = make_table(2, max_actions=150)
        players = [PlannerPlayer(2_000), GreedyPlayer()]
        for step in play_game(table, players, np.random.default_rng(seed)):
            state, red = step.before, Colour.RED
            left = state.actions_allowed - state.turn.taken
            if state.player != 0 or not is_free_action(state) or left != 1:
                continue
            if state.turn.before is not None or not state.position.pieces:
                continue
            start = replace(state.position, to_move=red)
            if solve(start, Goal(), Limits(max_actions=1)).line:
                chances += 1
                move = step.choice
                is_score = step.after.position.scored[red] > state.position.scored[red]
                assert is_score or isinstance(move, PlayCard), (seed, state.turns)
    assert chances > 5


def test_the_planner_beats_the_line_follower() -> None:
    table = make_table(2, max_actions=1000)
    results = list(play_series(table, ["planner", "solver-line"], 20, seed=5))
    assert sum(result.winner == 0 for result in results) >= 14


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "wins"), [("solver-line", 150), ("greedy", 180)])
def test_the_planner_beats_others_in_200_games(kind: str, wins: int) -> None:
    table = make_table(2, max_actions=1000)
    results = list(play_series(table, ["planner", kind], 200, seed=6))
    assert sum(result.winner == 0 for result in results) >= wins


def test_planners_play_the_same_game_again_from_the_same_seed() -> None:
    table = make_table(2, max_actions=200)
    one, two = (play_one(table, ("planner-quick", "greedy"), 3, 1) for _ in range(2))
    assert one == two


def test_seats_are_rotated_and_shuffles_shared() -> None:
    table = make_table(2, setup="old-school", max_actions=10)
    results = list(play_series(table, ["random", "greedy"], 4, seed=1))
    assert [result.first for result in results] == [0, 1, 0, 1]


def test_win_rates_have_intervals() -> None:
    results = [GameResult(winner=winner, first=0, turns=9) for winner in (0, 0, 1, None)]
    one, two = win_rates(["a", "b"], results)
    assert (one.value, two.value) == (0.5, 0.25)
    assert one.low < 0.5 < one.high


def test_an_unknown_kind_is_one_clear_line() -> None:
    with pytest.raises(InputError, match="players: 'planner-9' is not accepted; give one of"):
        player_of("planner-9")
    with pytest.raises(InputError, match="planner-9"):
        play_series(make_table(2), ["planner", "planner-9"], 1, seed=1)


def test_a_piece_move_of_the_line_is_played_if_it_is_legal() -> None:
    state = at("pb1:small:RPb7.RMe7.OPd7:-:R:-")
    choice = chosen(state, SolverLinePlayer())
    line = solve(replace(state.position, to_move=Colour.RED)).line
    assert isinstance(choice, MakeMove)
    assert isinstance(choice.move, PieceMove)
    assert choice.move == line[0]


def test_the_arena_command_prints_wins_with_intervals() -> None:
    options = ["--players", "random,greedy", "--games", "4", "--setup", "old-school"]
    done = CliRunner().invoke(arena_command, [*options, "--max-actions", "10", "--workers", "1"])
    assert done.exception is None or done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0].startswith("1. random: 0 of 4 games won, 0.0 % (0.0 to ")
    assert lines[2].startswith("draws 4, won by the first player 0, ")
