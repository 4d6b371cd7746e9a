"""Checks of odds in space and with each assumption at its ends."""

from dataclasses import replace

import pytest

from physics import (
    MATERIALS,
    Arena,
    Material,
    Materials,
    Puck,
    Scene,
    ThrowDistribution,
    puck_stack,
    puckdex_slammer,
)
from physics.tally import Mean
from sim.experiments.paired import Difference
from sim.odds import PAIRED_ODDS, Study, model_ranges
from sim.odds.assumptions import AS_ASSUMED, OrderCheck, at_ends, differ, order_sentence


def study_of(mass_g):
    scene = Scene(slammer=puckdex_slammer(mass_g), stack=puck_stack(3))
    return Study(scene=scene, thrower=ThrowDistribution())


def difference_of(better, trials=50):
    return Difference(
        value=0.0, low=0.0, high=0.0, better=better, wins=0, losses=0, trials=trials, needed=None,
        factor=1.0,
    )  # fmt: skip


def test_each_assumption_goes_to_its_ends_alone_and_in_space():
    own = study_of(8.0)
    ends = at_ends(own)
    assert {study.engine for study in ends.values()} == {"solid"}
    assert ends[AS_ASSUMED] == replace(own, engine="solid")
    assert ends["restitution 0.4"].scene.materials == Materials(restitution=0.4)
    assert ends["hysteresis 1"].scene.materials == Materials(hysteresis=1.0)
    settings = [s for s in ends.values() if s.settings != own.settings]
    assert settings
    assert all(study.scene == own.scene for study in settings)


def test_all_materials_go_to_the_ends_of_their_own_ranges_together():
    own, mine = study_of(8.0), Material(restitution=0.85)
    stack = (replace(Puck(), material=MATERIALS["cardboard"]), replace(Puck(), material=mine))
    slammer = replace(puckdex_slammer(8.0), material=MATERIALS["steel"])
    ends = at_ends(replace(own, scene=replace(own.scene, slammer=slammer, stack=stack)))
    low, high = ends["the lowest restitution"].scene, ends["the highest restitution"].scene
    assert [s.materials for s in (low, high)] == [Materials(restitution=r) for r in (0.4, 0.6)]
    assert [s.slammer.material.restitution for s in (low, high)] == [0.5, 0.7]
    assert [p.material.restitution for p in (*low.stack, *high.stack)] == [0.2, 0.75, 0.5, 0.9]
    soft = ends["the lowest modulus"].scene
    assert [p.material.modulus_gpa for p in soft.stack] == [0.1, 0.8 * mine.modulus_gpa]
    assert soft.materials == own.scene.materials
    assert ends["hysteresis 1"].scene.stack == stack
    assert not [name for name in at_ends(own) if "modulus" in name]


def test_nothing_is_claimed_of_pieces_and_floors_that_were_not_measured():
    own = study_of(8.0).scene
    wood = replace(own, arena=Arena(material=MATERIALS["wood"]))
    wide = replace(own, stack=(Puck(diameter_mm=45.0),) * 3)
    thrower = ThrowDistribution()
    found = [bool(model_ranges(Study(scene=s, thrower=thrower))) for s in (own, wood, wide)]
    assert found == [True, False, False]


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.99, 0.97, 0.96), "held under every assumption tried (2 ends, in space)."),
        ((0.99, 0.9, 0.96), "did not turn, but 50 throws in space cannot tell with a 1."),
        ((0.99, 0.9, 0.01), "does not hold with b 2."),
        ((0.04, 0.9, 0.99), "does not hold with in space."),
    ],
)
def test_an_order_holds_turns_or_cannot_be_told(ends, said):
    named = dict(zip((AS_ASSUMED, "a 1", "b 2"), map(difference_of, ends), strict=True))
    assert order_sentence("20 g", "4 g", named) == f"That 20 g beats 4 g {said}"


def test_differences_at_the_ends_are_those_of_the_same_throws():
    check = OrderCheck(pairs=[(("20 g", study_of(20.0)), ("4 g", study_of(4.0)))], measure=0)
    counts = PAIRED_ODDS.run(check.studies, 1, 0, 4)
    (found,) = check.differences(counts)
    assert list(found) == list(at_ends(study_of(4.0)))
    flips = {study: own.sums[0] for study, own in zip(check.studies, counts, strict=True)}
    for name, one in found.items():
        better, worse = (flips[at_ends(study_of(mass))[name]] for mass in (20.0, 4.0))
        assert one.value * 4 == pytest.approx(better - worse)


@pytest.mark.parametrize(
    ("space", "is_off"),
    [((1.5, 0.1), True), ((1.15, 0.01), False), ((1.5, 0.3), False), ((0.5, 0.1), True)],
)
def test_engines_differ_by_more_than_chance_and_a_fifth(space, is_off):
    value, error = space
    plane = Mean(value=1.0, standard_error=0.02)
    assert differ(plane, Mean(value=value, standard_error=error)) is is_off
