"""The value of a position: its features, and the fit of their weights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.pokepucks.battle.live import play_battle
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.position import (
    Sample,
    features,
    fit,
    flip_chances,
    knock_out_chance,
    log_loss,
    main,
    mean_flips,
    samples,
    shipped_values,
    winning_chance,
)
from sim.pokepucks.battle.rules import View
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import Status, Step
from sim.pokepucks.battle.table import Mode
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.special import SPECIAL_RULES, shipped_rules
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import ThrowKind
from tests.pokepucksbattles import DiceThrows, battle, mixed_table

RULES = shipped_rules()


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from(Mode))
def test_the_chances_of_the_players_add_up_to_one(seed: int, players: int, mode: Mode) -> None:
    table = mixed_table(players, seed, mode=mode, max_turns=4)
    for exchange in play_battle(table, [RandomPlayer()] * players, DiceThrows(), seed):
        state = exchange.after
        total = sum(winning_chance(state, RULES, player) for player in range(players))
        assert total == pytest.approx(1.0)


def test_the_flips_of_a_stack_are_those_of_the_recorded_slams() -> None:
    kind = ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=8)
    slams = shipped_table().slams(kind)
    assert mean_flips(20.0, 8) == pytest.approx(np.mean([len(slam.flipped) for slam in slams]))
    assert len(flip_chances(20.0, 8)) == 8
    assert flip_chances(20.0, 0) == ()
    alone = shipped_table().slams(ThrowKind(slammer_g=4.0, knock_out_g=20.0, pieces=1))
    assert knock_out_chance(4.0, 20.0) == pytest.approx(np.mean([bool(s.flipped) for s in alone]))


def test_what_a_player_is_about_to_pay_does_not_count_as_health() -> None:
    fight = battle(
        {"Arena": 5, "Health 0": 4, "Health 1": 4}, sizes={"Arena": 8}, rules=SPECIAL_RULES
    )
    mine, other = (features(View(fight.state, RULES, player)) for player in (0, 1))
    assert (mine["health"], other["health"]) == (1.0, 4.0)
    assert "fails" not in mine


def test_a_top_off_that_is_about_to_fail_is_a_danger() -> None:
    fight = battle(
        {"Arena": 5, "Health 0": 1, "Health 1": 4}, sizes={"Arena": 8}, rules=SPECIAL_RULES
    )
    mine = features(View(replace(fight.state, step=Step.BEFORE_TOP_OFF), RULES, 0))
    assert (mine["fails"], mine["short"], mine["health"]) == (1.0, 2.0, 0.0)
    assert mine["in danger now"] > 0


def test_statuses_and_what_lies_in_power_are_features() -> None:
    fight = battle(
        {"Power 0": ["Grass Energy", "Grass Energy", "Fire Energy", "Potion", "Mr. Merkert"]},
        statuses={0: [Status.SLEEP]},
        rules=SPECIAL_RULES,
    )
    mine = features(View(fight.state, RULES, 0))
    assert mine["power Energy"] == 1.0  # the same Item acts once a turn
    assert mine["potions"] == 1.0
    assert mine["power Mr. Merkert"] == 1.0
    assert mine["status Sleep"] == 1.0


def test_a_fit_finds_weights_that_made_the_data() -> None:
    rng = np.random.default_rng(1)
    true = {"health": 0.5, "to move": -1.0}
    found = []
    for number in range(4000):
        described = {name: float(rng.normal()) for name in true}
        odds = sum(true[name] * amount for name, amount in described.items())
        found.append(Sample(described, bool(rng.random() < 1 / (1 + np.exp(-odds))), number))
    fitted = fit(found)
    for name, weight, error in zip(fitted.names, fitted.weights, fitted.errors, strict=True):
        assert abs(weight - true[name]) < 4 * error
        assert 0.01 < error < 0.1


def test_a_refit_to_a_few_battles_is_written_and_foretells_better_than_a_coin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "values.csv"
    main([str(path), "--battles", "40", "--seed", "2"])
    rows = path.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "feature,weight,standard_error"
    assert any(row.startswith("health,") for row in rows)
    assert "turns that the fit has not seen: loss" in capsys.readouterr().out


def test_the_shipped_weights_foretell_battles_that_they_were_not_fitted_to() -> None:
    names = list(shipped_values())
    unseen = list(samples(40, seed=987_654))
    assert {name for sample in unseen for name in sample.described} - set(names) == set()
    odds = [
        sum(shipped_values()[name] * amount for name, amount in sample.described.items())
        for sample in unseen
    ]
    assert log_loss(1 / (1 + np.exp(-np.array(odds))), unseen) < 0.60


def test_the_same_seed_makes_the_same_battles_and_weights() -> None:
    first, again = (list(samples(4, seed=5)) for _ in range(2))
    assert first == again
    assert fit(first).csv == fit(again).csv


def test_who_has_won_has_chance_one() -> None:
    table = house_table([shipped_catalogue().find(name) for name in ("onix", "gastly")])
    *_, last = play_battle(table, [GreedyPlayer()] * 2, shipped_table(), 1)
    winner = last.after.winner
    assert last.after.step is Step.OVER
    assert winner is not None
    assert winning_chance(last.after, RULES, winner) == 1.0
    assert winning_chance(last.after, RULES, 1 - winner) == 0.0
