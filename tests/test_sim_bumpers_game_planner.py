"""Players that use the solver: they score when they can, and win; series of games."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from physics import InputError, compiling
from sim.bumpers import Colour, parse_position
from sim.bumpers.game import (
    Choice,
    GameState,
    GreedyPlayer,
    MakeMove,
    NameColour,
    Pass,
    PickCard,
    PlayCard,
    choices,
    house_deck,
    make_table,
    play_game,
    random_start,
)
from sim.bumpers.game.arena import GameResult, play_one, play_series, win_rates
from sim.bumpers.game.planner import PlannerPlayer, SolverLinePlayer, is_free_action
from sim.bumpers.game.player_kinds import player_of
from sim.bumpers.game.state import Phase
from sim.bumpers.moves import PieceMove
from sim.bumpers.solver import Goal, Limits, solve
from sim.cli.bumpers_arena import arena_command
from tests.bumpersgames import at_turn, do, number

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


def test_a_planner_plays_the_card_that_gives_others_nothing_if_it_suffices() -> None:
    state = at("pb1:small:RPf7.RMe7.OPb7:-:R:-", "Extra Action", "Take 6")
    state = replace(state, position=parse_position("pb1:small:RPe7.OPb7:-:R:-"))
    needed = len(solve(replace(state.position, to_move=Colour.RED)).line)
    first = chosen(state, PlannerPlayer())
    assert isinstance(first, PlayCard) == (needed > 1)
    if isinstance(first, PlayCard):
        assert state.card(first.card).name == ("Extra Action" if needed == 2 else "Take 6")


def asked_after_a_score(hand: str) -> GameState:
    """Return the state in which orange is asked for a quick play after red has scored."""
    start = at_turn((), (hand,), pieces="RPe1.RMa1.OPi9", in_play={"action_rule": "Take 3"})
    return do(start, "e1N")


def test_a_planner_stops_a_score_of_another_player() -> None:
    state = asked_after_a_score("Hold It")
    assert state.position.scored[Colour.RED] == 1
    assert isinstance(PlannerPlayer().choose(state, choices(state), RNG), PlayCard)


def test_a_planner_keeps_its_reverse_if_nobody_is_about_to_score() -> None:
    state = asked_after_a_score("Reverse")
    assert PlannerPlayer().choose(state, choices(state), RNG) == Pass()


def test_a_planner_leaves_the_next_player_few_actions_once_its_own_are_taken() -> None:
    start = at_turn(("Take 1", "Take 5"), (), pieces="RPa1.OPi9", in_play={"action_rule": "Take 2"})
    state = replace(start, turn=replace(start.turn, taken=2))
    first = chosen(state, PlannerPlayer())
    assert isinstance(first, PlayCard)
    assert state.card(first.card).name == "Take 1"
    without = replace(state, hands=((number("Take 5"),), ()))
    assert chosen(without, PlannerPlayer()) == Pass()


def test_a_planner_returns_a_puck_of_the_others_not_its_own() -> None:
    state = at_turn(("Back in Play",), (), pieces="RPa1.OPi9", scored="R1O1")
    state = do(state, "play Back in Play")
    choice = chosen(state, PlannerPlayer())
    assert choice == NameColour(Colour.ORANGE)


def test_a_planner_never_leaves_a_score_of_this_turn_untaken() -> None:
    """Counted turn by turn, for turns of any number of actions, unless a card was played in it."""
    chances = taken = 0
    for seed in range(20):
        table = make_table(2, max_actions=150)
        players = [PlannerPlayer(2_000), GreedyPlayer()]
        due: tuple[int, int] | None = None  # the turn with a chance, and red's pucks before it
        for step in play_game(table, players, np.random.default_rng(seed)):
            state, red = step.before, Colour.RED
            if due is not None and (state.turns != due[0] or step.after.phase is Phase.OVER):
                chances += 1
                scored = max(state.position.scored[red], step.after.position.scored[red])
                taken += scored > due[1]
                due = None
            is_turn = state.player == 0 and state.turns > 0
            if is_turn and (isinstance(step.choice, PlayCard) or state.quick):
                due = None  # cards, or those of others, change the turn
            elif is_turn and is_free_action(state) and state.turn.taken == 0 and due is None:
                left = state.actions_allowed
                start = replace(state.position, to_move=red)
                if solve(start, Goal(), Limits(max_actions=left, nodes=2_000)).line:
                    due = state.turns, state.position.scored[red]
    assert chances > 20
    assert taken == chances


@pytest.mark.parametrize("kind", ["planner-0.2s", "planner-60s"])
def test_a_level_may_be_a_time_for_each_turn(kind: str) -> None:
    player = player_of(kind)
    assert isinstance(player, PlannerPlayer)
    assert player.seconds == float(kind[8:-1])
    assert isinstance(chosen(at("pb1:small:RPb7.RMe7.OPd7:-:R:-"), player), MakeMove)


def test_with_a_time_the_planner_rates_at_least_one_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the time is over, the move is the best of those rated so far: here the first."""
    state = at("pb1:small:RPb7.RMe7.OPd7:-:R:-")
    clock = iter(range(0, 10**9, 1000))
    monkeypatch.setattr("sim.bumpers.game.planner.monotonic", lambda: next(clock))
    hurried = player_of("planner-1s").choose(state, choices(state), RNG)
    assert hurried == chosen(state, PlannerPlayer())


def test_the_planner_beats_the_line_follower() -> None:
    table = make_table(2, max_actions=1000)
    results = list(play_series(table, ["planner", "solver-line"], 20, seed=5))
    assert sum(result.winner == 0 for result in results) >= 14


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "wins"), [("solver-line", 150), ("greedy", 194)])
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
    for kind in ("planner-0s", "planner-61s", "planner-s"):
        with pytest.raises(
            InputError, match=r"or planner-1s for a planner with a second a turn \(0.1"
        ):
            player_of(kind)


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
