"""Whole battles, scripted: their transcripts stay as they were read against the rulebook."""

from functools import cache

import pytest

from sim.pokepucks.battle.events import StatusGained
from sim.pokepucks.battle.state import Status
from sim.pokepucks.battle.table import Mode
from tests.make_pokepucks_battles import (
    FOLDER,
    SCRIPTS,
    play_script,
    script_of,
    table_of_script,
    told_of,
    transcript_of,
)


@cache
def exchanges_of(name):
    """Return the exchanges of a golden battle."""
    return list(play_script(script_of(name)))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_battle_goes_and_is_told_as_it_was_read(name):
    script, exchanges = script_of(name), exchanges_of(name)
    for tell, suffix in ((transcript_of, "txt"), (told_of, "told.txt")):
        assert tell(script, exchanges) == (FOLDER / f"{name}.{suffix}").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_battle_uses_its_whole_script_and_is_over(name):
    final = exchanges_of(name)[-1].after.state
    assert final.throws == len(script_of(name)["throws"])
    assert final.step.value == "over"


def test_golden_battles_have_every_status_every_mode_and_two_to_four_players():
    scripts = [script_of(name) for name in SCRIPTS]
    gained = {
        event.status
        for name in SCRIPTS
        for exchange in exchanges_of(name)
        for event in exchange.events
        if isinstance(event, StatusGained)
    }
    assert gained == set(Status)
    assert {table_of_script(script).options.mode for script in scripts} == set(Mode)
    assert {len(script["players"]) for script in scripts} == {2, 3, 4}
    assert len(scripts) >= 10
