"""Players that use the solver: they score when they can, and win; series of games."""

from dataclasses import replace

import numpy as np
import pytest

from pucklab.sim.bumpers import Colour, parse_position
from pucklab.sim.bumpers.game import (
    BUMPERS,
    GreedyPlayer,
    MakeMove,
    NameColour,
    Pass,
    PickCard,
    PlayCard,
    make_config,
    random_start,
)
from pucklab.sim.bumpers.game.planner import PlannerPlayer, SolverLinePlayer, is_free_action
from pucklab.sim.bumpers.game.player_kinds import PLAYERS, SERIES
from pucklab.sim.bumpers.game.state import Phase
from pucklab.sim.bumpers.solver import Goal, Limits, Question, solve
from pucklab.sim.core.game import play
from pucklab.sim.experiments import run_to_end
from pucklab.sim.experiments.series import entrants, play_games
from tests.bumpersgames import at_turn, do, number
from tests.commands import json_of, pucklab, succeed
from tests.refusals import refused
from tests.slowness import slow

RNG = np.random.default_rng(1)
FOUR_AWAY = "pb1:small:RPb7.RMe7.OPd7:-:R:-"
TWO_AWAY = "pb1:small:RPe1.OPb7:-:R:-"


def at(text, *cards, taken=0):
    """Return a state in which red is to act on a position, with some cards in hand."""
    position = parse_position(text)
    state = random_start(make_config(2), 3)
    hand = tuple(sorted(number(name) for name in cards))
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


def chosen(state, player):
    return player.choose(state, BUMPERS.open(state), RNG)


@pytest.mark.parametrize("kind", [SolverLinePlayer, PlannerPlayer])
def test_a_puck_that_can_come_in_now_does(kind):
    start = "pb1:small:RPf7.RMe7.OPb7:-:R:-"
    line = solve(Question(parse_position(start), Goal(), Limits(max_actions=1))).line
    assert chosen(at(start), kind()) == MakeMove(line[0])


@pytest.mark.parametrize(
    ("start", "cards", "phase", "wanted"),
    [
        (FOUR_AWAY, ("Take 6", "Take 1"), Phase.ACTION, "Take 6"),  # it scores with them
        (FOUR_AWAY, ("Extra Action",), Phase.ACTION, ""),  # it would score nothing
        (FOUR_AWAY, ("Take 6", "Double Action", "Nudge"), Phase.DISCARD, "Nudge"),
        # The card that gives the others nothing, if it suffices.
        (TWO_AWAY, ("Extra Action", "Take 6"), Phase.ACTION, "Extra Action"),
    ],
)
def test_a_planner_plays_and_discards_the_card_of_use(start, cards, phase, wanted):
    state = replace(at(start, *cards), phase=phase)
    choice = chosen(state, PlannerPlayer())
    if not wanted:
        assert isinstance(choice, MakeMove)
        return
    assert isinstance(choice, PickCard if phase is Phase.DISCARD else PlayCard)
    assert state.card(choice.card).name == wanted


def asked_after_a_score(hand):
    """Return the state in which orange is asked for a quick play after red has scored."""
    start = at_turn((), (hand,), pieces="RPe1.RMa1.OPi9", in_play={"action_rule": "Take 3"})
    return do(start, "e1N")


def test_a_planner_stops_a_score_of_another_player():
    state = asked_after_a_score("Hold It")
    assert state.position.scored[Colour.RED] == 1
    assert isinstance(chosen(state, PlannerPlayer()), PlayCard)


def test_a_planner_keeps_its_reverse_if_nobody_is_about_to_score():
    state = asked_after_a_score("Reverse")
    assert chosen(state, PlannerPlayer()) == Pass()


def test_a_planner_leaves_the_next_player_few_actions_once_its_own_are_taken():
    start = at_turn(("Take 1", "Take 5"), (), pieces="RPa1.OPi9", in_play={"action_rule": "Take 2"})
    state = replace(start, turn=replace(start.turn, taken=2))
    first = chosen(state, PlannerPlayer())
    assert state.card(first.card).name == "Take 1"
    without = replace(state, hands=((number("Take 5"),), ()))
    assert chosen(without, PlannerPlayer()) == Pass()


def test_a_planner_returns_a_puck_of_the_others_not_its_own():
    state = at_turn(("Back in Play",), (), pieces="RPa1.OPi9", scored="R1O1")
    state = do(state, "play Back in Play")
    choice = chosen(state, PlannerPlayer())
    assert choice == NameColour(Colour.ORANGE)


@pytest.mark.parametrize("seeds", [range(4), slow(range(4, 24))])
def test_a_planner_never_leaves_a_score_of_this_turn_untaken(seeds):
    """Counted turn by turn, for turns of any number of actions, unless a card was played in it."""
    chances = taken = 0
    for seed in seeds:
        table = make_config(2, max_actions=150)
        players = [PlannerPlayer(2_000), GreedyPlayer()]
        due = None  # the turn with a chance, and red's pucks before it
        for step in play(BUMPERS, table, players, seed):
            state, red = step.before, Colour.RED
            if due is not None and (state.turns != due[0] or step.after.phase is Phase.OVER):
                chances += 1
                scored = max(state.position.scored[red], step.after.position.scored[red])
                taken += scored > due[1]
                due = None
            is_turn = state.player == 0 and state.turns > 0
            if is_turn and (isinstance(step.answer, PlayCard) or state.quick):
                due = None  # cards, or those of others, change the turn
            elif is_turn and is_free_action(state) and state.turn.taken == 0 and due is None:
                left = state.actions_allowed
                start = replace(state.position, to_move=red)
                if solve(Question(start, Goal(), Limits(max_actions=left, nodes=2_000))).line:
                    due = state.turns, state.position.scored[red]
    assert chances > len(seeds)
    assert taken == chances


@pytest.mark.parametrize("kind", ["planner-0.2s", "planner-60s"])
def test_a_level_may_be_a_time_for_each_turn(kind):
    player = PLAYERS.of(kind)
    assert isinstance(player, PlannerPlayer)
    assert player.seconds == float(kind[8:-1])
    assert isinstance(chosen(at("pb1:small:RPb7.RMe7.OPd7:-:R:-"), player), MakeMove)


def test_with_a_time_the_planner_rates_at_least_one_reply(monkeypatch):
    """Once the time is over, the move is the best of those rated so far: here the first."""
    state = at("pb1:small:RPb7.RMe7.OPd7:-:R:-")
    clock = iter(range(0, 10**9, 1000))
    monkeypatch.setattr("pucklab.sim.bumpers.game.planner.monotonic", lambda: next(clock))
    hurried = PLAYERS.of("planner-1s").choose(state, BUMPERS.open(state), RNG)
    assert hurried == chosen(state, PlannerPlayer())


@pytest.mark.parametrize(
    ("kind", "seed", "games", "wins"),
    [
        ("solver-line", 5, 8, 6),
        slow("solver-line", 6, 200, 150),
        slow("greedy", 6, 200, 194),
    ],
)
def test_the_planner_beats_others(kind, seed, games, wins):
    cases = entrants(PLAYERS, make_config(2, max_actions=1000), ("planner", kind))
    planner, _ = run_to_end(SERIES, cases, trials=games, seed=seed).tallies()
    assert planner.wins >= wins


def test_planners_play_the_same_game_again_from_the_same_seed():
    cases = entrants(PLAYERS, make_config(2, max_actions=200), ("planner-quick", "greedy"))
    one, two = (play_games(PLAYERS, [case.subject for case in cases], 3, 1, 1) for _ in range(2))
    assert one == two


def test_an_unknown_kind_is_one_clear_line():
    refused(PLAYERS.of, "planner-9", said="players: 'planner-9' is not accepted; give one of")
    refused(entrants, PLAYERS, make_config(2), ["planner", "planner-9"], said="planner-9")
    for kind in ("planner-0s", "planner-61s", "planner-s"):
        refused(PLAYERS.of, kind, said="planner-1s for a planner with a second a turn (0.1")


def test_the_arena_command_prints_wins_with_intervals_and_goes_on_with_its_table(tmp_path):
    options = "--max-actions 10 --workers 1 --out games.csv --games"
    line = f"bumpers arena --players random,greedy --setup old-school {options}"
    pucklab(f"{line} 2", cwd=tmp_path)
    done = succeed(f"{line} 4 --resume", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1. random: 0 of 4 games won, 0.0% (0.0% to ")
    assert lines[2].startswith("draws 4, won by the first player 0, ")
    told = json_of(f"{line} 4 --resume", cwd=tmp_path)
    assert [row["counts"]["draws"] for row in told] == [4, 4]
