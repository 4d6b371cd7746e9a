"""Which weight wins: chances in battles beside flips, for the masses of the table of throws."""

from dataclasses import replace

import pytest

from pucklab.physics import Face, Puck, ThrowDistribution, knock_out_stack, puckdex_slammer
from pucklab.sim.experiments import Proportion
from pucklab.sim.odds import OddsCase, OddsRow, experiment_cases
from pucklab.sim.odds.answers import battles_sentence
from pucklab.sim.odds.study import KNOCKED_OUT, KNOCKED_OUT_EQUAL, WON
from pucklab.sim.pokepucks.throw_sources import FACES, shipped_table
from pucklab.sim.pokepucks.throws import ThrowKind
from pucklab.sim.pokepucks.weights import with_battles
from tests.scenes import stack_scene, usual_study
from tests.tables import cases, toml
from tests.tallies import tally_of_flips


def case_of(mass_g, **changes):
    study = usual_study(stack_scene(mass_g, 3))
    return OddsCase(name=f"{mass_g:g} g", study=replace(study, **changes))


def test_chances_are_those_of_the_table_and_an_equal_wins_half():
    light, equal, heavy = (case.battles for case in with_battles([*map(case_of, (4.0, 8.0, 20.0))]))
    for battles, mass_g in ((light, 4.0), (equal, 8.0), (heavy, 20.0)):
        for name, thrown_g in ((KNOCKED_OUT, 8.0), (KNOCKED_OUT_EQUAL, mass_g)):
            kind = ThrowKind(slammer_g=thrown_g, knock_out_g=mass_g, pieces=1)
            flips = shipped_table().slams(kind)[0, 0] == FACES.index(Face.UP)
            assert battles[name].value == pytest.approx(flips.mean(), abs=1e-6)
    assert equal[WON].low < 0.5 < equal[WON].high
    assert equal[WON].half_width < 0.03
    assert light[WON].low < heavy[WON].high


def test_only_throws_that_the_table_has_get_chances():
    own = case_of(8.0).study.scene
    others = [
        case_of(12.0),
        case_of(8.0, thrower=ThrowDistribution(speed_mm_s=4000.0)),
        case_of(8.0, scene=replace(own, stack=(Puck(mass_g=1.2),) * 3)),
        case_of(8.0, scene=replace(own, slammer=puckdex_slammer(8.0, 5.0))),
        case_of(8.0, scene=replace(own, stack=knock_out_stack(own.slammer, 0))),
    ]
    assert [case.battles for case in with_battles(others)] == [{}] * len(others)
    known, none = (
        case.labels for case in experiment_cases(with_battles([case_of(8.0), *others[:1]]))
    )
    assert known.keys() == none.keys()
    assert known[f"{WON}_low"] < known[WON] < known[f"{WON}_high"]
    assert none[WON] == ""
    assert WON not in experiment_cases(others[:1])[0].labels


def row_of(mass_g, flips, won, knocked_out):
    chances = {WON: won, KNOCKED_OUT: knocked_out}
    return OddsRow(
        name=f"{mass_g:g} g",
        study=usual_study(stack_scene(mass_g, 3)),
        tally=tally_of_flips(*flips, 0, 0),
        battles={name: Proportion(value=p, low=p - 0.05, high=p + 0.05)
                 for name, p in chances.items()},
    )  # fmt: skip


@cases(
    "light heavy said",
    """
    [200, 200, 0.33, 0.27] => [200, 200, 0.62, 0.11] => Flips do not tell 20 g from 4 g, but \
it wins 62 of 100 short battles against 8 g and 4 g 33: it is knocked out by 11 % of throws, \
4 g by 27.
    [200, 200, 0.33, 0.27] => [300, 100, 0.62, 0.2] => 20 g flips fewer than 4 g, but it wins \
62 of 100 short battles against 8 g and 4 g 33.
    [300, 100, 0.33, 0.27] => [200, 200, 0.62, 0.11] =>
    [200, 200, 0.48, 0.27] => [200, 200, 0.52, 0.11] =>
    """,
    toml,
)
def test_a_sentence_says_which_weight_wins_where_flips_do_not(light, heavy, said):
    rows = [row_of(mass_g, (no, one), won, out)
            for mass_g, (no, one, won, out) in ((4.0, light), (20.0, heavy))]  # fmt: skip
    unknown = replace(rows[0], name="12 g", battles={})
    assert battles_sentence([rows[0], unknown, rows[1]]) == said
    assert not battles_sentence([unknown, rows[1]])
