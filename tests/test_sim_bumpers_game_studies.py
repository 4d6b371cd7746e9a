"""What cards and seats are worth, and the planner's advice."""

import numpy as np

from pucklab.sim.bumpers.game import BUMPERS, make_config
from pucklab.sim.bumpers.game.card_study import CARDS, card_cases, play_card_games, worth_of_cards
from pucklab.sim.bumpers.game.planner import PlannerPlayer, is_free_action
from pucklab.sim.bumpers.game.player_kinds import PLAYERS, advice_lines
from pucklab.sim.bumpers.game.state import PlayCard
from pucklab.sim.core.game import Decision, Match
from pucklab.sim.experiments import run_to_end
from tests.commands import pucklab
from tests.refusals import refused


def test_each_game_is_counted_once_and_halves_add_up():
    (case,) = card_cases(("greedy", "random"), make_config(2))
    whole = play_card_games(case.subject, 4, 0, 6)
    parts = [play_card_games(case.subject, 4, first, 3) for first in (0, 3)]
    assert parts[0] + parts[1] == whole
    whole.check()
    assert sum(whole.seat_wins) <= 6
    assert sum(whole.lengths.values()) == 6
    table = run_to_end(CARDS, [case], trials=2, seed=4)
    assert table.tallies()[0] == play_card_games(case.subject, 4, 0, 2)


def test_cards_count_for_the_players_that_drew_and_played_them():
    kinds, table = ("greedy", "greedy"), make_config(2)
    (case,) = card_cases(kinds, table)
    tally = play_card_games(case.subject, 9, 0, 1)
    match = Match(BUMPERS, table, [PLAYERS.of(kind) for kind in kinds], [9, 0])
    drawn, played = set(), set()
    while (answer := match.choose()) is not None:
        if isinstance(answer, PlayCard):
            played.add((match.open.seat, answer.card))
        match.step(answer)
        for player, hand in enumerate(match.state.hands):
            drawn |= {(player, card) for card in hand}
    assert sum(tally.drawn) == len(drawn)
    assert sum(tally.played) == len(played)
    assert played <= drawn
    winner = BUMPERS.returns(match.state).index(1.0)
    assert sum(tally.played_wins) == sum(player == winner for player, _ in played)
    assert len(worth_of_cards(tally, table)) == len(table.deck.cards)


def test_the_planner_advises_what_it_would_do_and_nothing_illegal():
    match = Match(BUMPERS, make_config(2), [PLAYERS.of("greedy")] * 2, 3)
    advised = 0
    while advised < 2 and (answer := match.choose()) is not None:
        if isinstance(match.open, Decision) and is_free_action(match.state):
            rng = np.random.default_rng(0)
            planner = PlannerPlayer(500, 1)
            found = planner.advise(match.state, match.open, rng)
            assert found[0].choice == planner.choose(match.state, match.open, rng)
            assert 1 <= len(found) <= 5
            assert all(advice.choice in match.open.options for advice in found)
            assert len({advice.choice for advice in found}) == len(found)
            lines = advice_lines(match.state, match.open)
            assert lines[0].startswith("1. ")
            advised += 1
        match.step(answer)
    assert advised == 2


def test_the_commands_tell_what_cards_are_worth_and_advise(tmp_path):
    done = pucklab("bumpers arena --players greedy,greedy --games 3 --by-card", cwd=tmp_path)
    assert "turns a game: median" in done.stdout
    assert "seat 2: " in done.stdout
    pucklab("bumpers play --players greedy,greedy --seed 1 --save g.json", cwd=tmp_path)
    done = pucklab("bumpers advise g.json --turn 1", cwd=tmp_path)
    assert done.stdout.splitlines()[1].startswith("1. ")
    done = pucklab("bumpers advise g.json --turn 9999", cwd=tmp_path)
    assert done.returncode == 2
    assert "--turn: 9999 is not accepted" in done.stderr


def test_unknown_players_are_refused():
    refused(card_cases, ("greedy", "clever"), make_config(2), said="'clever' is not accepted")
