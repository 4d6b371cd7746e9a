"""Whole battles, scripted: their transcripts stay as they were read against the rulebook."""

import pytest

from tests.make_pokepucks_battles import (
    FOLDER,
    SCRIPTS,
    play_script,
    script_of,
    told_of,
    transcript_of,
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_battle_goes_and_is_told_as_it_was_read(name):
    script = script_of(name)
    exchanges = list(play_script(script))
    for tell, suffix in ((transcript_of, "txt"), (told_of, "told.txt")):
        assert tell(script, exchanges) == (FOLDER / f"{name}.{suffix}").read_text(encoding="utf-8")
