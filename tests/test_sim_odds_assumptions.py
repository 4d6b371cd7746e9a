"""Assumptions of the model at their ends, and what is said of an order there."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from pucklab.physics import (
    MATERIALS,
    Arena,
    Material,
    Materials,
    Puck,
    ThrowDistribution,
    puckdex_slammer,
)
from pucklab.sim.experiments.estimates import Z_95
from pucklab.sim.odds import PAIRED_ODDS, OddsCase, Study, model_ranges
from pucklab.sim.odds.assumptions import OrderCheck, at_ends
from tests.scenes import stack_scene, usual_study
from tests.tables import cases, toml


def study_of(mass_g):
    return usual_study(stack_scene(mass_g, 3))


def test_each_assumption_goes_to_its_ends_alone_in_the_solid_engine():
    own = study_of(8.0)
    ends = at_ends(own)
    assert {study.engine for study in ends.values()} == {"solid"}
    assert own not in ends.values()
    assert ends["restitution 0.4"].scene.materials == Materials(restitution=0.4)
    assert ends["hysteresis 1"].scene.materials == Materials(hysteresis=1.0)
    settings = [s for s in ends.values() if s.settings != own.settings]
    assert settings
    assert all(study.scene == own.scene for study in settings)
    planar = at_ends(replace(own, engine="plane"))
    assert planar == {"the solid engine": own} | ends


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


class _Decided(OrderCheck):
    """An order with made-up probabilities at three ends."""

    def differences(self, counts, z):
        del counts, z
        return [{name: SimpleNamespace(better=p) for name, p in zip("abc", own, strict=True)}
                for own in self.measure]  # fmt: skip


@cases(
    "ends said",
    """
    [0.99, 0.97, 0.96] => ; 20 g beats 4 g at both ends of every assumption, too
    [0.99, 0.9, 0.94] => ; 50 throws do not tell whether 20 g beats 4 g with b and c
    [0.01, 0.9, 0.99] => ; 20 g does not beat 4 g with a; 50 throws do not tell whether \
20 g beats 4 g with b
    [0.01, 0.96, 0.99] => ; 20 g does not beat 4 g with a
    """,
    toml,
)
def test_an_order_holds_turns_or_is_not_decided(ends, said):
    pair = tuple(OddsCase(name=f"{g} g", study=study_of(float(g))) for g in (20, 4))
    check = _Decided(pairs=[pair] * 2, measure=(ends, ends))
    counts = [SimpleNamespace(trials=50)]
    assert check.clause(counts, Z_95, undecided=True) == said * 2
    short = said.partition("; 50 throws")[0]  # the command's first line
    assert check.clause(counts, Z_95) == short * 2


def test_differences_at_the_ends_are_those_of_the_same_throws():
    heavy, light = study_of(20.0), study_of(4.0)
    pair = (OddsCase(name="20 g", study=heavy), OddsCase(name="4 g", study=light))
    check = OrderCheck(pairs=[pair] * 2, measure=0)
    assert len(check.studies) == 2 * len(at_ends(light))
    counts = PAIRED_ODDS.run(check.studies, 1, 0, 4)
    found, again = check.differences(counts, Z_95)
    assert found == again
    assert list(found) == list(at_ends(light))
    flips = {study: own.sums[0] for study, own in zip(check.studies, counts, strict=True)}
    for name, one in found.items():
        gap = flips[at_ends(heavy)[name]] - flips[at_ends(light)[name]]
        assert np.sign(one.value) == np.sign(gap)
        assert abs(one.value * 4) <= abs(gap)  # drawn towards 0
