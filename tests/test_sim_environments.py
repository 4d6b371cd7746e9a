"""Environments of Gymnasium and PettingZoo: their checkers, masks, seeds, records and pictures."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pucklab.render.environments import picture_of
from pucklab.sim.core.records import record_of, replay
from pucklab.sim.environments import (
    DONE,
    GameSeats,
    OpponentEnv,
    SeatsEnv,
    battle_seats,
    bumpers_seats,
)
from pucklab.sim.pokepucks.battle.questions import Question
from pucklab.sim.trail.board import house_board
from pucklab.sim.trail.match import PLAYERS as TRAIL
from pucklab.sim.trail.match import Setup as TrailSetup
from tests.noughts import PLAYERS as NOUGHTS
from tests.noughts import Setup
from tests.refusals import refused

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its checkers import environments in a deprecated way
    from pettingzoo.test import api_test, seed_test

GAMES = {
    "battle": lambda: battle_seats(max_turns=6),
    "battle of three": lambda: battle_seats(("onix", "eevee", "lapras"), max_turns=4),
    "bumpers": lambda: bumpers_seats(max_actions=20),
    "noughts and crosses": lambda: GameSeats(NOUGHTS, Setup(), 9),
    "drinking trail": lambda: GameSeats(
        TRAIL, TrailSetup(board=house_board(), names=("ann", "bob")), 8
    ),
    "bumpers of three": lambda: bumpers_seats(3, max_actions=20),
}
every_game = pytest.mark.parametrize("name", GAMES)


def play_random(env, seed):
    """Play an episode with random legal actions, and return the rewards."""
    env.reset(seed=seed)
    rng, rewards = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        rewards[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over or cut else int(rng.choice(legal)))
    return rewards


def check_episode(env, rewards):
    """Check that the record of an episode replays to the same end, and the rewards say so."""
    game = env.game
    *_, last = replay(game.match.game, record_of(game.match))
    assert last.after == game.match.state
    returns = list(game.match.game.returns(last.after))
    assert list(rewards.values()) == returns


@every_game
def test_the_checker_of_gymnasium_passes(name):
    env = OpponentEnv(GAMES[name](), opponent="random", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on spaces; errors are raised
        check_env(env, skip_render_check=True)


@every_game
def test_the_checkers_of_pettingzoo_pass(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on names; errors are raised
        api_test(SeatsEnv(GAMES[name]()), num_cycles=60)
        seed_test(lambda: SeatsEnv(GAMES[name]()), num_cycles=60)


@every_game
def test_random_episodes_end_and_agree_with_their_records(name):
    env = SeatsEnv(GAMES[name]())
    for seed in range(2):
        check_episode(env, play_random(env, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000))
def test_a_thousand_random_episodes_end_and_agree_with_their_records(seed):
    env = SeatsEnv(list(GAMES.values())[seed % len(GAMES)]())
    check_episode(env, play_random(env, seed))


def test_an_illegal_action_makes_the_first_legal_one_and_says_so():
    env, other = (OpponentEnv(battle_seats(), opponent="greedy") for _ in range(2))
    first, _ = env.reset(seed=2)
    other.reset(seed=2)
    assert not first["action_mask"][DONE]
    after, *_, info = env.step(DONE)
    same, *_ = other.step(int(first["action_mask"].argmax()))
    assert info["illegal"]
    assert np.array_equal(after["observation"], same["observation"])


def test_a_selection_of_several_options_ends_when_it_is_done():
    env = SeatsEnv(battle_seats(max_turns=4))
    play_random(env, 1)
    answers = [e.answer for e in env.game.match.steps if isinstance(e.before.ask, Question)]
    assert any(isinstance(answer, tuple) and len(answer) > 1 for answer in answers)


@every_game
def test_pictures_and_text_are_drawn(name):
    env = SeatsEnv(GAMES[name](), render_mode="rgb_array", picture=picture_of)
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (480, 640, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3
    text = SeatsEnv(GAMES[name](), render_mode="ansi")
    text.reset(seed=1)
    assert text.render().count("\n") >= 2


def test_mistakes_are_named():
    refused(OpponentEnv, battle_seats(), seat=2, said="seat: 2 is not accepted")
    refused(
        SeatsEnv, battle_seats(), render_mode="human", said="render_mode: 'human' is not accepted"
    )
    refused(SeatsEnv, battle_seats(), render_mode="rgb_array", said="picture: none is given")


def play_first(env, steps=10_000):
    """Take the first legal action up to so many times, or to the end; return all that was seen."""
    seen = []
    while len(seen) < steps and not (seen and (seen[-1][2] or seen[-1][3])):
        observation, *rest = env.step(int(env.action_masks().argmax()))
        seen.append((observation["observation"].tolist(), *rest))
    return seen


@every_game
def test_a_limit_of_moves_cuts_a_game_off_and_a_result_ends_it(name):
    env = OpponentEnv(GAMES[name](), opponent="random")
    for seed in range(3):
        env.reset(seed=seed)
        *_, (_, reward, over, cut, info) = play_first(env)
        has_winner = any(env.game.match.game.returns(env.game.match.state))
        assert (over, cut) == (has_winner or name.startswith("noughts"), not over)
        assert (reward != 0) == has_winner
        assert info["actions"] == 0
        assert env.action_masks().all()


def test_all_players_of_a_game_that_is_cut_off_are_told_so():
    env = SeatsEnv(bumpers_seats(max_actions=4))
    env.reset(seed=1)
    for _ in env.agent_iter(4000):
        observation, _, over, cut, _ = env.last()
        assert not over
        assert observation["action_mask"].any()
        env.step(None if cut else int(observation["action_mask"].argmax()))
    assert not env.agents
    refused(env.step, 0, said="step: no game is under way; call reset() first")


@every_game
def test_a_step_before_the_first_reset_or_after_the_end_is_refused(name):
    env = OpponentEnv(GAMES[name](), opponent="random")
    refused(env.step, 0, said="step: no game is under way; call reset() first")
    env.reset(seed=1)
    play_first(env)
    refused(env.step, 0, said="step: no game is under way; call reset() first")
    refused(SeatsEnv(GAMES[name]()).step, 0, said="step: no game is under way; call reset() first")


@every_game
def test_two_environments_of_the_same_seats_share_nothing(name):
    seats = GAMES[name]()
    first, second, alone = (OpponentEnv(seats, opponent="random") for _ in range(3))
    alone.reset(seed=1)
    wanted = play_first(alone)
    first.reset(seed=1)
    second.reset(seed=2)
    assert first.observation_space is not second.observation_space
    mixed = []
    while len(mixed) < len(wanted):
        mixed += play_first(first, 1)
        if not second.game.match.open:
            second.reset()
        play_first(second, 1)
    assert mixed == wanted


@every_game
@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_and_a_pickle_go_on_exactly_as_the_original_would(name, again):
    env = OpponentEnv(GAMES[name](), opponent="random")
    env.reset(seed=1)
    play_first(env, 1)
    copied = again(env)
    assert play_first(copied) == play_first(env)
    assert copied.reset()[0]["observation"].tolist() == env.reset()[0]["observation"].tolist()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pucklab/Battle-v0", {"slammers": ("lapras", "onix"), "max_turns": 6}),
        ("pucklab/Bumpers-v0", {"players": 3, "max_actions": 20}),
    ],
)
def test_gymnasium_makes_them_by_name(name, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on spaces; errors are raised
        env = gymnasium.make(name, seat=1, opponent="random", render_mode="ansi", **options)
        assert len(env.unwrapped.game.names) == options.get("players", 2)
        assert env.unwrapped.seat == 1
        observation, _ = env.reset(seed=1)
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == bool
        assert np.array_equal(masks, observation["action_mask"])
        over = cut = False
        while not (over or cut):
            legal = env.get_wrapper_attr("action_masks")()
            *_, over, cut, info = env.step(int(legal.argmax()))
            assert not info["illegal"]
        assert env.render()
        many = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", **options)
        observations, _ = many.reset(seed=1)
        assert observations["action_mask"].shape[0] == 2
