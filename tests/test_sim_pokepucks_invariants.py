"""Invariants of every battle; `test_sim_pokepucks_checker` checks the rules themselves."""

import json

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pucklab.base.decoding import decode, encode
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.events import (
    Event,
)
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.questions import Question, Use
from pucklab.sim.pokepucks.battle.table import Mode
from pucklab.sim.pokepucks.special import shipped_rules
from tests.pokepucksbattles import mixed_table, random_battle

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


@examples(5)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), mode=st.sampled_from(Mode))
def test_events_as_json_lead_from_each_state_to_the_next(seed, players, mode):
    for exchange in played(seed, players, mode, 0.2):
        state = exchange.before.state
        for event in json.loads(json.dumps([encode(event) for event in exchange.events])):
            state = decode(Event, event, "event").apply_to(state)
        assert state == exchange.after.state


@examples(5)
@given(seed=st.integers(0, 2**32))
def test_going_back_is_keeping_an_earlier_moment(seed):
    for step in played(seed, 3, Mode.BATTLE, 0.2)[::-11]:
        assert BATTLE.apply(step.before, step.answer) == (step.after, step.events)
