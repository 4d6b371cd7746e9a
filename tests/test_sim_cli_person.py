"""Explanations and chances at the terminal, question by question."""

from pucklab.physics import Face
from pucklab.sim.pokepucks.battle.explanations import (
    QUESTIONS,
    chance_lines,
    explain,
    help_lines,
)
from pucklab.sim.pokepucks.battle.questions import Asking
from pucklab.sim.pokepucks.battle.state import Status
from pucklab.sim.pokepucks.special import shipped_rules
from pucklab.sim.pokepucks.throw_sources import FACES, shipped_table
from pucklab.sim.pokepucks.throws import Shot, kind_of
from tests.pokepucksbattles import ASH, BROCK, battle, design
from tests.tables import cases


def began():
    stacks = {"Power 0": ["Potion", "Full Heal"], "Prize 0": 3}
    return battle(
        stacks,
        slammers=("Onix", "Pikachu"),
        rules=shipped_rules().rules,
        sizes={"Health 0": 12, "Arena": 8},
    )


def test_every_question_and_status_has_an_explanation():
    assert set(QUESTIONS) == set(Asking)
    assert all(status.text for status in Status)
    assert all(text.endswith(".") for text in QUESTIONS.values())


def test_help_explains_the_question_and_every_option():
    ash = began()
    lines = list(help_lines(ash.state, ash.ask))
    assert lines[0].endswith("(before topping off)")
    assert any(line.startswith("  Potion 0: Before topping off: up to two") for line in lines)
    assert len(lines) == 2 + len(set(ash.ask.options))


@cases(
    "name said",
    """
    onix => Onix: A fighting slammer of 20 g, weak to water, resisting fire. It has Dig.
    0 => Potion: An Item.
    poisoned => Poisoned: The player fills up the Arena with one puck more.
    Thunder Wave => Thunder Wave:
    Rest => Rest: It acts before topping off.
    Mewtwo => ?: 'Mewtwo' is no puck of this battle
    """,
)
def test_names_are_explained(name, said):
    lines = explain(began().state, name)
    assert len(lines) == 1
    assert lines[0].startswith(said)


def test_the_chances_of_a_throw_are_the_shares_of_the_recorded_slams():
    ash = began()
    throw, places = chance_lines(ash.state, ash.ask)
    shot = Shot(
        player=ASH,
        slammer=design("onix"),
        stack=tuple(ash.state.design(puck) for puck in ash.state.arena),
    )
    flips = shipped_table().slams(kind_of(shot))[0] == FACES.index(Face.UP)
    nothing, top = 1 - flips.any(axis=0).mean(), flips[7].mean()
    assert throw.startswith(f"Of eight pucks, Onix flips nothing in {100 * nothing:.0f} %, one in ")
    assert places.startswith(f"From the top, it flips Plain Puck in {100 * top:.0f} %, ")


def test_the_chance_of_a_knock_out_is_that_of_the_slammer_alone():
    ash = battle(
        slammers=("Onix", "Pikachu"),
        statuses={ASH: [Status.CRITICAL]},
        options={"critical_ends": "never"},
        rules=shipped_rules().rules,
    )
    assert ash.asked(Asking.KNOCK_OUT, BROCK)
    (line,) = chance_lines(ash.state, ash.ask)
    shot = Shot(player=BROCK, slammer=design("pikachu"), stack=(design("onix"),), knock_out=True)
    share = (shipped_table().slams(kind_of(shot))[0, 0] == FACES.index(Face.UP)).mean()
    assert line.startswith("Pikachu ")
    assert f"{100 * share:.1f} % (" in line
