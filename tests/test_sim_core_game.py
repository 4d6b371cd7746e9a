"""Every game through the one protocol: random games, records, persons, programs, series."""

import json
from contextlib import redirect_stdout
from functools import partial
from io import StringIO

import click
import numpy as np
import pytest
from click.testing import CliRunner

from pucklab.cli.terminal import play_match, replay_match
from pucklab.physics import InputError
from pucklab.sim.bumpers import parse_position
from pucklab.sim.bumpers.game import BUMPERS, make_config
from pucklab.sim.bumpers.puzzle_solving import PUZZLE, puzzle_at, study_of
from pucklab.sim.bumpers.solver import Goal
from pucklab.sim.core.game import Decision, Match, play
from pucklab.sim.core.players import ProgramPlayer, RandomPlayer
from pucklab.sim.core.records import game_record_from, read_record, record_json, record_of, replay
from pucklab.sim.experiments import run_to_end
from pucklab.sim.experiments.series import entrants
from pucklab.sim.pokepucks.battle.match import BATTLE, make_throw
from pucklab.sim.trail.board import house_board
from pucklab.sim.trail.match import TRAIL_GAME
from pucklab.sim.trail.match import Setup as TrailSetup
from tests.noughts import NOUGHTS, PLAYERS, SERIES, Setup
from tests.pokepucksbattles import DiceThrows, mixed_table
from tests.refusals import refused
from tests.slowness import slow
from tests.test_sim_core_players import program

PUZZLES = [
    study_of(puzzle_at(parse_position(f"pb1:small:{pieces}:-:R:-"), Goal()))
    for pieces in ("RPf7", "RPf7.BPd7", "RPb7.RMe7.BPd7")
]
GAMES = {
    "puzzle": (PUZZLE, lambda seed: PUZZLES[seed % 3]),
    "noughts and crosses": (NOUGHTS, lambda seed: Setup(first=seed % 2)),
    "drinking trail": (
        TRAIL_GAME,
        lambda seed: TrailSetup(board=house_board(), names=tuple("abcd"[: 1 + seed % 4])),
    ),
    "battle": (BATTLE, lambda seed: mixed_table(2 + seed % 3, seed, max_turns=4)),
    "puck bumpers": (BUMPERS, lambda seed: make_config(2 + seed % 5, max_actions=20)),
}
FEW, MANY = 4, 200
RUBBISH = ("?!", "nonsense", "0" * 300, "\x00", "put put put")


def match_of(name, setup, seed):
    """Return a match of random players, with one of the set-ups of a game."""
    game, setup_of = GAMES[name]
    players = [RandomPlayer()] * len(game.seats(game.start(setup_of(setup))))
    return Match(game, setup_of(setup), players, seed, compute=partial(make_throw, DiceThrows()))


def answers_of(now):
    """Return answers to a decision: all of its options, one at a time."""
    return [now.answer([index]) for index in range(len(now.options))]


def check_texts(game, state, now):
    """Check that the text of every option reads back, and that rubbish is refused in a line."""
    for answer in answers_of(now):
        assert game.read(state, game.text(state, answer)) == answer
    for text in RUBBISH:
        with pytest.raises(InputError) as caught:
            game.apply(state, game.read(state, text))
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "seeds"), [each for name in GAMES for each in ((name, FEW), slow(name, MANY))]
)
def test_random_games_read_replay_and_go_back(name, seeds):
    game, _ = GAMES[name]
    for seed in range(seeds):
        match = match_of(name, seed, seed)
        while (answer := match.choose()) is not None:
            if isinstance(match.open, Decision) and len(match.steps) % 5 == seed % 5:
                check_texts(game, match.state, match.open)
            match.step(answer)
        assert len(game.returns(match.state)) == len(match.players)
        stored = json.loads(record_json(game, record_of(match)))
        assert list(replay(game, game_record_from(game, stored))) == match.steps
        check_undo(game, match.setup, match.steps)


def test_a_battle_is_worth_1_to_the_winner_and_minus_1_to_the_others():
    won = 0
    for seed in range(6):
        setup = mixed_table(2, seed)
        throw = partial(make_throw, DiceThrows())
        match = Match(BATTLE, setup, [RandomPlayer()] * 2, seed, compute=throw)
        list(match.play())
        winner, returns = match.state.state.winner, BATTLE.returns(match.state)
        if winner is not None:
            won += 1
            assert (returns[winner], returns[1 - winner]) == (1.0, -1.0)
    assert won


def check_undo(game, setup, steps):
    """Check that persons who make the same answers go back and forth to the same states."""
    match = Match(game, setup, [None] * len(game.seats(game.start(setup))))
    for step in steps:
        match.step(step.answer)
    states, there = [step.before for step in steps], [match.state]
    while match.undo():
        there.append(match.state)
        assert match.state == states[len(match.steps)]
    for state in there[-2::-1]:
        assert match.redo()
        assert match.state == state
    assert not match.redo()
    assert match.steps == steps


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_game(name):
    ends = [[step.answer for step in match_of(name, 2, seed).play()] for seed in (5, 5, 6)]
    assert ends[0] == ends[1] != ends[2]


def played(typed, *kinds, save=None):
    """Return what a person reads who types something in noughts and crosses, and the match."""
    match = Match(NOUGHTS, Setup(), [PLAYERS.of(kind, persons=True) for kind in kinds], 1,
                  kinds=kinds)  # fmt: skip

    @click.command()
    def command():
        raise SystemExit(int(play_match(match, save, verbose=False)))

    return CliRunner().invoke(command, input=typed), match


def test_a_person_plays_at_the_terminal_with_what_the_seam_has():
    typed = "5\n?\n55\n4\nundo\nredo\nredo\noptions\n1\n6\n9\n3\n2\n"
    done, match = played(typed, "person", "person")
    assert "Ann: 1, 2, 3, 4, 5, 6, 7, 8, 9" in done.output
    assert "answer: '55' is not accepted; give one of 1, 2, 3, 4, 6" in done.output
    assert "there is nothing to redo" in done.output
    assert done.output.endswith("Ann takes 9\nAnn wins\n") or done.exit_code == 0
    assert NOUGHTS.open(match.state) is None


def test_a_person_who_quits_has_a_saved_game(tmp_path):
    path = tmp_path / "game.json"
    done, match = played("5\nquit\n", "person", "greedy", save=path)
    assert done.exit_code == 1
    assert "not over" in done.output
    assert list(replay(NOUGHTS, read_record(NOUGHTS, path))) == match.steps
    told = StringIO()
    with redirect_stdout(told):
        replay_match(NOUGHTS, path, None, verbose=True)
    assert told.getvalue().startswith("Ann takes 5\nBen takes ")


def test_a_record_of_another_game_or_form_is_refused():
    table = make_config(2)
    record = json.loads(record_json(BUMPERS, record_of(Match(BUMPERS, table, [None] * 2))))
    refused(game_record_from, NOUGHTS, record, said="record game: 'puck bumpers' ... give 'noughts")
    own = json.loads(record_json(NOUGHTS, record_of(Match(NOUGHTS, Setup(), [None] * 2))))
    refused(game_record_from, NOUGHTS, own | {"schema": 1}, said="schema: 1 ... saved by pucklab")
    wrong = game_record_from(NOUGHTS, own | {"answers": ["5", "5"], "version": "0.0.9"})
    refused(list, replay(NOUGHTS, wrong), said="record: answer 2: ... saved by pucklab 0.0.9, this")


def test_a_series_turns_seats_and_gives_wins_with_intervals():
    cases = entrants(PLAYERS, Setup(), ("greedy", "random"))
    greedy, other = run_to_end(SERIES, cases, trials=60, seed=1).tallies()
    assert greedy.first == other.first == 30
    assert greedy.wins > other.wins
    won = SERIES.columns(greedy, 1.96)["p_win"]
    assert won.low < won.value < won.high
    refused(entrants, PLAYERS, Setup(), ("greedy",), said="players: 1 is not accepted; give 2")


def test_an_unknown_kind_is_answered_with_the_nearest_one():
    refused(PLAYERS.of, "gredy", said="players: 'gredy' ... (did you mean greedy?)")
    assert PLAYERS.of("person", persons=True) is None


def test_what_a_seat_sees_are_numbers_too():
    state = NOUGHTS.start(Setup())
    for square in "59":
        state, _ = NOUGHTS.apply(state, square)
    assert np.array_equal(NOUGHTS.observe(state, 0), [0, 0, 0, 0, 1, 0, 0, 0, -1])


@pytest.mark.parametrize("source", ["print('rubbish', flush=True)", "sys.exit(1)"])
def test_a_program_that_answers_rubbish_or_dies_loses_its_moves_and_the_game_goes_on(
    tmp_path, source
):
    kind, messages = program(tmp_path, f"import sys\nfor line in sys.stdin:\n    {source}\n"), []
    players = [ProgramPlayer(NOUGHTS, kind, messages.append), RandomPlayer()]
    steps = list(play(NOUGHTS, Setup(), players, 1))
    assert NOUGHTS.open(steps[-1].after) is None
    assert all(step.answer == NOUGHTS.open(step.before).options[0] for step in steps[::2])
    assert "loses the move" in messages[0] or "loses all moves" in messages[0]
