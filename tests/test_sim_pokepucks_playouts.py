"""Compiled playouts: they play as the rules and the players' rules do."""

import math
from pathlib import Path

import numpy as np
import pytest

from physics import compiling
from sim.pokepucks.battle import playout_kernel as kernel
from sim.pokepucks.battle.expert import SkilledPlayer
from sim.pokepucks.battle.live import begin, shot_of
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.playouts import (
    after,
    arrays_of,
    drawn_lots,
    encoded,
    sorted_slams,
)
from sim.pokepucks.battle.questions import Question
from sim.pokepucks.battle.rules import Ledger
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import BattleState, Step
from sim.pokepucks.battle.table import BattleOptions, Table
from sim.pokepucks.battle.turn import take_step
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import shipped_rules
from sim.pokepucks.throw_sources import shipped_table
from sim.pokepucks.throws import kind_of, missed
from tests.benchmarks.battle_skill import gains, measure

RULES, THROWS = shipped_rules(), shipped_table()
POKEMON = [d for d in shipped_catalogue().designs if d.kind is DesignKind.POKEMON]
PLAYERS = (GreedyPlayer(), SkilledPlayer())


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "INTERPRETED_S", math.inf)


def table_of(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(len(POKEMON), size=2).tolist()
    return house_table([POKEMON[index] for index in drawn])


def steps(table: Table, skill: tuple[int, int], lots: np.ndarray) -> list[tuple[BattleState, int]]:
    """Return the states between the steps of a battle by the rules, and throws made in the turn."""
    ledger, found, number, thrown = Ledger(new_battle(table), RULES), [], 0, 0
    while ledger.state.step is not Step.OVER:
        if ledger.state.turn.number > number:
            number, thrown = ledger.state.turn.number, 0
        found.append((ledger.state, thrown))
        script = take_step(ledger)
        ask = next(script, None)
        while ask is not None:
            if isinstance(ask, Question):
                answer = PLAYERS[skill[ask.player]].reply(ledger.state, ask)
            elif not ask.targets:
                answer = missed(0)
            else:
                slams = sorted_slams(THROWS, kind_of(shot_of(table, ask)))
                answer, thrown = slams[lots[8 * number - 8 + thrown]], thrown + 1
            try:
                ask = script.send(answer)
            except StopIteration:
                ask = None
    return [*found, (ledger.state, thrown)]


def shown(battle: kernel.Encoded) -> list[object]:
    """Return what is the same in equal battles: leftovers beyond the ends of lists are not."""
    fields = battle[: kernel.COUNTS].tolist()
    del fields[kernel.GRANTS + 1 : kernel.PICKED]
    stacks = [
        battle[kernel.STACKS + kernel.MOST * k :][: battle[kernel.COUNTS + k]].tolist()
        for k in range(7)
    ]
    return [fields, stacks]


@pytest.mark.parametrize("seed", range(12))
def test_playouts_agree_with_the_rules_at_every_step(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 250))
def test_more_playouts_agree_with_the_rules_at_every_step(seed: int) -> None:
    check(seed)


def check(seed: int) -> None:
    """Compare a battle at the end of each turn, played on from each of its steps."""
    table, rng = table_of(seed), np.random.default_rng(seed)
    skill = (int(rng.integers(2)), int(rng.integers(2)))
    lots = rng.integers(kernel.SLAMS, size=8 * 600)
    arrays = arrays_of(table, skill, THROWS)
    assert arrays is not None
    played = steps(table, skill, lots)
    turns = [place for place, (s, _) in enumerate(played) if s.step is Step.BEFORE_TOP_OFF]
    for begun, end in zip(turns, [*turns[1:], len(played) - 1], strict=True):
        for state, thrown in played[begun:end]:
            if len(state.playing) < 2:
                continue  # a knock-out, which ends the battle
            battle = encoded(state)
            battle[kernel.THROWN] = thrown
            winner = kernel.play(arrays, battle, lots[8 * state.turn.number - 8 :], 1)
            last = played[end][0]
            if last.step is Step.OVER:
                assert winner == (2 if last.winner is None else last.winner)
            else:
                assert winner == -1
                assert shown(battle) == shown(encoded(last)), (table.names, state.step)


def test_after_a_reply_the_battle_stands_before_the_next_throw() -> None:
    opening = begin(table_of(3))
    assert isinstance(opening.ask, Question)
    reply = PLAYERS[1].reply(opening.state, opening.ask)
    battle = after(opening, reply, [PLAYERS[1]] * 2)
    played = steps(table_of(3), (1, 1), np.zeros(5000, int))
    first = next(state for state, _ in played if state.step is Step.ATTACK)
    assert battle is not None
    assert shown(battle) == shown(encoded(first))


def test_other_battles_are_not_covered() -> None:
    pair = POKEMON[:2]
    assert arrays_of(house_table(POKEMON[:3]), (1, 1), THROWS) is None
    assert (
        arrays_of(house_table(pair, BattleOptions(critical_ends="never")), (1, 1), THROWS) is None
    )
    assert arrays_of(house_table(pair, BattleOptions(max_turns=9)), (1, 1), THROWS) is not None


@pytest.mark.slow
def test_compiled_playouts_are_those_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = begin(table_of(4))
    assert isinstance(opening.ask, Question)
    battle = after(opening, PLAYERS[1].reply(opening.state, opening.ask), [PLAYERS[1]] * 2)
    arrays = arrays_of(table_of(4), (1, 1), THROWS)
    assert battle is not None
    lots, scratch = drawn_lots(np.random.default_rng(1), 40), np.zeros(kernel.LENGTH, np.int16)
    interpreted, compiled = np.zeros(40, np.int8), np.zeros(40, np.int8)
    kernel.play_out(arrays, battle, lots, scratch, interpreted)
    monkeypatch.setattr(compiling, "INTERPRETED_S", 0.0)
    kernel.play_out(arrays, battle, lots, scratch, compiled)
    assert interpreted.tolist() == compiled.tolist()
    assert set(interpreted.tolist()) <= {0, 1, 2}


def test_gains_are_judged_by_playouts_that_had_no_part_in_the_choice() -> None:
    won = np.zeros((8, 2))
    won[::2, 1] = 1  # the second answer wins in every other playout, and so in one half only
    found, sure, most, _ = gains(won)
    assert found == pytest.approx(0)
    assert sure == pytest.approx(0)
    assert most == pytest.approx(0.5)
    assert gains(np.repeat([[0.0, 1.0]], 8, axis=0))[:3] == (1.0, 1.0, 1.0)


def test_the_gains_of_a_battle_are_stored_and_not_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "gains.csv"
    first = list(measure(file, playouts=2, minutes=1, battles=1))
    text = file.read_text()
    assert first[0].startswith("1 battles")
    assert text.count("\n") > 5
    assert list(measure(file, playouts=2, minutes=1, battles=1)) == first
    assert file.read_text() == text
