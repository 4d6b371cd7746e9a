"""What holds in every battle, with any pucks and any legal choices."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from physics import InputError
from physics.decoding import decode, encode
from sim.pokepucks.battle.events import (
    AttacksSet,
    Drawn,
    Event,
    Moved,
    PickedUp,
    SizeSet,
    Won,
    apply,
    replay_events,
)
from sim.pokepucks.battle.live import Exchange, LiveBattle, advance, begin
from sim.pokepucks.battle.questions import Question, Reply, Use
from sim.pokepucks.battle.record import moment_from, moment_json
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import (
    ARENA,
    BattleState,
    StackKind,
    Status,
    Step,
    check_state,
    health,
    places,
)
from sim.pokepucks.battle.table import MAX_PLAYERS, MIN_PLAYERS, Mode
from sim.pokepucks.special import SPECIAL_RULES
from tests.pokepucksbattles import mixed_table, random_battle

TURNS = 12
"""Turns of each player after which the battles of these tests are draws."""

OVERFILL = {"Surf", "Pay Day", "Ms. Hicks", "Mr. Saia", "top-off", "put back"}
"""What may fill the Arena beyond its max size: PP-42; a top-off, if its payer is Poisoned."""

BATTLES = {
    "seed": st.integers(0, 2**32),
    "players": st.integers(MIN_PLAYERS, MAX_PLAYERS),
    "mode": st.sampled_from(Mode),
    "flips": st.sampled_from([0.05, 0.2, 0.5]),
}


def examples(count: int) -> settings:
    """Return settings for so many battles; there is no sense in shrinking a seed."""
    return settings(max_examples=count, phases=(Phase.explicit, Phase.generate))


def played(seed: int, players: int, mode: Mode, flips: float) -> list[Exchange]:
    """Return a battle of random players with any pucks."""
    table = mixed_table(players, seed, mode=mode, max_turns=TURNS)
    return random_battle(table, seed, flips)


def check_battle(exchanges: list[Exchange]) -> None:
    """Check all that must hold of a battle."""
    table = exchanges[0].before.table
    state = new_battle(table)
    events = [*LiveBattle(state).news, *(event for e in exchanges for event in e.events)]
    for event in events:
        before, state = state, apply(state, event)
        check_sizes(before, event, state)
        if isinstance(event, AttacksSet):
            assert event.attacks >= 1
        assert sorted(puck for stack in state.stacks for puck in stack) == list(
            range(len(table.pucks))
        )
        for player in state.playing:
            mine = state.statuses[player]
            assert len(set(mine)) == len(mine)
            if Status.CRITICAL in mine and not table.options.is_wild:
                assert mine == (Status.CRITICAL,)
    check_state("state", state)
    assert state == exchanges[-1].after
    assert state.step is Step.OVER
    ends = [event for event in events if isinstance(event, Won | Drawn)]
    assert len(ends) == 1
    assert (state.winner is None) == isinstance(ends[0], Drawn)
    at_home = (StackKind.COLLECTION, StackKind.BOX)
    assert all(place.kind in at_home or not state.stack(place) for place in places(table.players))


def check_sizes(before: BattleState, event: Event, after: BattleState) -> None:
    """Check that no stack is beyond its max size, but where a rule says so."""
    for place in places(after.table.players):
        size, count = after.max_size(place), len(after.stack(place))
        if size is None or count <= size or isinstance(event, SizeSet):
            continue
        assert place == ARENA, (place, event)
        # A slammer that is thrown at lies in an Arena whose pucks are set aside.
        if count > len(before.stack(place)) and not after.table.options.is_wild:
            assert isinstance(event, Moved)
            assert event.why in OVERFILL | {"knock-out"}


@examples(25)
@given(**BATTLES)
def test_every_battle_keeps_what_must_be_kept_and_ends(
    seed: int, players: int, mode: Mode, flips: float
) -> None:
    check_battle(played(seed, players, mode, flips))


@pytest.mark.slow
@examples(2000)
@given(**BATTLES)
def test_thousands_of_battles_keep_what_must_be_kept_and_end(
    seed: int, players: int, mode: Mode, flips: float
) -> None:
    check_battle(played(seed, players, mode, flips))


@examples(12)
@given(seed=st.integers(0, 2**32), mode=st.sampled_from(Mode))
def test_no_answer_that_is_not_offered_is_accepted(seed: int, mode: Mode) -> None:
    rng = np.random.default_rng(seed)
    exchanges = played(seed, 2, mode, 0.2)
    moment = begin(exchanges[0].before.table)
    for exchange in exchanges:
        ask = moment.ask
        if isinstance(ask, Question) and rng.random() < 0.2:
            for answer in forbidden(moment.state, ask, rng):
                with pytest.raises(InputError):
                    advance(moment, answer)
        moment = advance(moment, exchange.answer)
    assert moment.state == exchanges[-1].after


def forbidden(state: BattleState, ask: Question, rng: np.random.Generator) -> list[Reply]:
    """Return answers that are not offered: other pucks and uses, too few, too many, one twice."""
    others = [p for p in range(len(state.table.pucks)) if p not in ask.options]
    answers: list[Reply] = [(int(rng.choice(others)),)] if others else []
    name = SPECIAL_RULES[int(rng.integers(len(SPECIAL_RULES)))].name
    use = Use(name, int(rng.integers(len(state.table.pucks))))
    answers += [(use,)] if use not in ask.options else []
    answers += [ask.options[: ask.least - 1]] if ask.least else []
    answers += [ask.options] if len(ask.options) > ask.most else []
    answers += [ask.options[:1] * 2]
    return answers


@examples(5)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), mode=st.sampled_from(Mode))
def test_moments_and_events_round_trip_through_json(seed: int, players: int, mode: Mode) -> None:
    exchanges = played(seed, players, mode, 0.2)
    moment = begin(exchanges[0].before.table)
    for number, exchange in enumerate(exchanges):
        if number % 7 == 0:
            read = moment_from(moment_json(moment))
            assert read == replace(moment, news=read.news)
        told = [json.loads(json.dumps(encode(event))) for event in exchange.events]
        events = [decode(Event, event, "event") for event in told]
        assert tuple(events) == exchange.events
        assert replay_events(exchange.before, events) == exchange.after
        moment = advance(moment, exchange.answer)


@examples(5)
@given(seed=st.integers(0, 2**32))
def test_going_back_is_keeping_an_earlier_moment(seed: int) -> None:
    exchanges = played(seed, 3, Mode.BATTLE, 0.2)
    moments = [begin(exchanges[0].before.table)]
    for exchange in exchanges:
        moments.append(advance(moments[-1], exchange.answer))
    for place in range(0, len(exchanges), 11):
        assert moments[place].state == exchanges[place].before
        assert advance(moments[place], exchanges[place].answer) == moments[place + 1]


@examples(5)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 8))
def test_the_same_seed_is_the_same_battle(seed: int, players: int) -> None:
    assert played(seed, players, Mode.BATTLE, 0.3) == played(seed, players, Mode.BATTLE, 0.3)


@examples(12)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4))
def test_health_never_grows_beyond_its_max_size(seed: int, players: int) -> None:
    for exchange in played(seed, players, Mode.BATTLE, 0.3):
        state = exchange.after
        if state.turn.number:
            for player in state.playing:
                size = state.max_size(health(player))
                assert size is not None
                assert len(state.health(player)) <= size


@examples(12)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), keeps=st.booleans())
def test_who_keeps_nothing_takes_the_own_pucks_home(seed: int, players: int, keeps: bool) -> None:
    table = mixed_table(players, seed, keeps=keeps, balls_catch="wild", max_turns=TURNS)
    exchanges = random_battle(table, seed, 0.5)
    final = exchanges[-1].after
    events = [event for exchange in exchanges for event in exchange.events]
    taken = Counter(
        e.player != table.pucks[e.puck].owner for e in events if isinstance(e, PickedUp)
    )
    homes = [
        all(table.pucks[puck].owner == player for puck in final.collection(player))
        for player in range(players)
    ]
    if not keeps or (not taken[True] and final.winner is None):
        assert all(homes)
