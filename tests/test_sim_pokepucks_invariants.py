"""Invariants of every battle, with random options, pucks and rule files.

`test_sim_pokepucks_rulings` has the rules one by one, and `test_sim_pokepucks_playouts` compares
them step by step with the compiled ones.
"""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pucklab.base.decoding import decode, encode
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.battle_setup import Mode
from pucklab.sim.pokepucks.battle.events import Event
from pucklab.sim.pokepucks.battle.live import decide_first
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.questions import Question, Use
from pucklab.sim.pokepucks.special import shipped_rules
from tests.pokepucksbattles import DiceThrows, mixed_table, random_battle
from tests.randombattles import random_table
from tests.slowness import slow

TURNS = 12
"""Turns of each player after which the battles of these tests are draws."""


def examples(count):
    """Return settings for so many battles; there is no sense in shrinking a seed."""
    return settings(max_examples=count, phases=(Phase.explicit, Phase.generate))


def played(seed, players, mode, flips):
    """Return a battle of random players with any pucks."""
    table = mixed_table(players, seed, mode=mode, max_turns=TURNS)
    return random_battle(table, seed, flips)


@examples(12)
@given(seed=st.integers(0, 2**32), mode=st.sampled_from(Mode))
def test_no_answer_that_is_not_offered_is_accepted(seed, mode):
    rng = np.random.default_rng(seed)
    for step in played(seed, 2, mode, 0.2):
        ask = step.before.ask
        if isinstance(ask, Question) and rng.random() < 0.2:
            for answer in forbidden(step.before.state, ask, rng):
                with pytest.raises(InputError):
                    BATTLE.apply(step.before, answer)


def forbidden(state, ask, rng):
    """Return answers that are not offered: other pucks and uses, too few, too many, one twice."""
    others = [p for p in range(len(state.table.pucks)) if p not in ask.options]
    answers = [(int(rng.choice(others)),)] if others else []
    name = shipped_rules().rules[int(rng.integers(len(shipped_rules().rules)))].name
    use = Use(name, int(rng.integers(len(state.table.pucks))))
    answers += [(use,)] if use not in ask.options else []
    answers += [ask.options[: ask.least - 1]] if ask.least else []
    answers += [ask.options] if len(ask.options) > ask.most else []
    answers += [ask.options[:1] * 2]
    return answers


@pytest.mark.parametrize("battles", [60, slow(10_000)])
def test_events_lead_from_each_state_to_the_next_and_every_puck_is_in_one_stack(battles):
    modes = Counter()
    for seed in range(battles):
        rng = np.random.default_rng(seed)
        flips = float(rng.choice([0.05, 0.2, 0.5]))
        table, _ = decide_first(random_table(rng), DiceThrows(flips), seed)
        for step in random_battle(table, seed, flips):
            state = step.before.state
            for event in json.loads(json.dumps([encode(event) for event in step.events])):
                state = decode(Event, event, "event").apply_to(state)
            assert state == step.after.state
            assert sorted(sum(state.stacks, ())) == list(range(len(table.pucks)))
        assert not state.playing
        modes[table.options.mode] += 1
    assert len(modes) == len(Mode)


@examples(5)
@given(seed=st.integers(0, 2**32))
def test_going_back_is_keeping_an_earlier_moment(seed):
    for step in played(seed, 3, Mode.BATTLE, 0.2)[::-11]:
        assert BATTLE.apply(step.before, step.answer) == (step.after, step.events)
