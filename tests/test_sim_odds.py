"""Odds: tallies count what happened, estimates follow their formulas, the model says its doubts."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pucklab.physics import (
    PRESETS,
    Face,
    InputError,
    Materials,
    PieceOutcome,
    SlamOutcome,
    ThrowDistribution,
    knock_out_stack,
    puckdex_slammer,
)
from pucklab.sim.experiments import Case, merge_tables, read_table, run_to_end, wilson
from pucklab.sim.odds import (
    ODDS,
    ModelRange,
    OddsCase,
    empty_tally,
    experiment_cases,
    model_ranges,
    odds_experiment,
    odds_of,
    run_trials,
    tally_of,
)
from tests.refusals import refused
from tests.scenes import fast_scene, usual_study
from tests.tables import cases

PIECES = 3
model_module = sys.modules[ModelRange.__module__]


def study_of(mass_g=8.0, pucks=PIECES):
    return usual_study(fast_scene(mass_g, pucks), "plane")


outcomes = st.builds(
    lambda hit, faces, places: SlamOutcome(
        hit=hit,
        pieces=tuple(
            PieceOutcome(place=i, face=face, x_mm=x, y_mm=0.0)
            for i, (face, x) in enumerate(zip(faces, places, strict=True))
        ),
        slammer=PieceOutcome(place=None, face=Face.DOWN, x_mm=0.0, y_mm=0.0),
    ),
    st.booleans(),
    st.lists(st.sampled_from(Face), min_size=PIECES, max_size=PIECES),
    st.lists(st.floats(0, 200), min_size=PIECES, max_size=PIECES),
)


def test_distances_count_only_pieces_inside_the_arena():
    inside = PieceOutcome(place=0, face=Face.DOWN, x_mm=30.0, y_mm=40.0)
    gone = PieceOutcome(place=1, face=Face.OUT, x_mm=400.0, y_mm=0.0)
    slammer = PieceOutcome(place=None, face=Face.UP, x_mm=10.0, y_mm=0.0)
    tally = tally_of(SlamOutcome(hit=True, pieces=(inside, gone), slammer=slammer))
    assert (tally.distance_um, tally.inside) == (50_000, 1)


@given(st.lists(outcomes, max_size=8), st.randoms())
def test_tallies_add_up_to_the_same_in_any_order(many, random):
    tallies = [tally_of(outcome) for outcome in many]
    forward = sum(tallies, empty_tally(PIECES))
    random.shuffle(tallies)
    assert sum(tallies, empty_tally(PIECES)) == forward


@given(st.lists(outcomes, min_size=1, max_size=8))
def test_a_tally_counts_what_happened(many):
    tally = sum((tally_of(outcome) for outcome in many), empty_tally(PIECES))
    flips = [len(outcome.flipped) for outcome in many]
    assert tally.trials == sum(tally.flips) == sum(tally.outs) == len(many)
    assert sum(tally.flips_by_place) == sum(flips)
    odds = odds_of(tally)
    assert odds.flips.value == pytest.approx(np.mean(flips))
    assert odds.any_flip.value == pytest.approx(np.mean([n > 0 for n in flips]))
    assert math.fsum(odds.flip_chances) == pytest.approx(1.0)
    if len(many) > 1:
        assert odds.flips.standard_error == pytest.approx(
            np.std(flips, ddof=1) / math.sqrt(len(many)), abs=1e-12
        )


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_interval_is_that_of_scipy(counts):
    successes, trials = counts
    ours = wilson(successes, trials)
    theirs = binomtest(successes, trials).proportion_ci(method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_odds_of_no_trials_are_refused():
    with pytest.raises(ValueError, match="no trial is not accepted"):
        odds_of(empty_tally(PIECES))


def test_a_run_is_the_sum_of_its_parts():
    study = study_of()
    assert run_trials(study, 1, 0, 12) == run_trials(study, 1, 0, 5) + run_trials(study, 1, 5, 7)


def test_a_study_is_named_by_every_number_in_it():
    study = study_of()
    others = [
        study_of(pucks=4),
        study_of(4.0),
        replace(study, thrower=ThrowDistribution(aim_sd_mm=8.0)),
        replace(study, scene=replace(study.scene, preset=PRESETS["recommended"])),
        replace(study, scene=replace(study.scene, stack=knock_out_stack(puckdex_slammer(8.0), 2))),
    ]
    latching = replace(study.scene.materials, hysteresis=1.0)
    others.append(replace(study, scene=replace(study.scene, materials=latching)))
    assert len({ODDS.ids([Case(subject=s, labels={})])[0] for s in (study, *others)}) == 1 + len(
        others
    )


def values_of(study, trials=40):
    case = OddsCase(name="x", study=study)
    table = run_to_end(odds_experiment([case]), experiment_cases([case]), trials=trials)
    return dict(table.records()[0])


def test_a_table_of_odds_has_names_means_and_intervals_of_the_throws():
    study = study_of()
    values, odds = values_of(study), odds_of(run_trials(study, 1, 0, 40))
    assert (values["slammer"], values["slammer_g"], values["pucks"]) == ("x", 8.0, PIECES)
    assert (values["speed_m_s"], values["engine"], values["trials"]) == (5.0, "plane", 40)
    assert (values["flips_mean"], values["flips_se"]) == (
        odds.flips.value,
        odds.flips.standard_error,
    )
    for name, chance in {"p_any": odds.any_flip, "p_any_out": odds.any_out}.items():
        shown = (values[name], values[f"{name}_low"], values[f"{name}_high"])
        assert shown == (chance.value, chance.low, chance.high)
    assert (values["out_mean"], values["distance_mm_mean"]) == (odds.outs.value, odds.distance_mm)


CHANGES = {
    '"flips"':  '"flips":[41,0,0,0],"flops"',
    '"hits":40': '"hits":41',
    '"leaning":': '"leaning":1000',
    '"distance_um":': '"distance_um":-1',
    '"flips_by_place":[': '"flips_by_place":[9,',
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), CHANGES.items())
def test_counts_that_no_throws_can_have_are_refused_with_their_row(old, new):
    study = study_of()
    text = run_to_end(ODDS, experiment_cases([OddsCase(name="x", study=study)]), trials=40).csv()
    old, new = old.replace('"', '""'), new.replace('"', '""')
    assert old in text
    refused(
        read_table,
        text.replace(old, new, 1),
        "odds.csv",
        ODDS,
        said="^odds.csv: row 2, column counts",
    )


def test_tables_of_other_scenes_are_not_merged_and_the_difference_is_named():
    one, other = study_of(), replace(study_of(), thrower=ThrowDistribution(aim_sd_mm=8.0))
    tables = [
        (
            name,
            run_to_end(
                ODDS, experiment_cases([OddsCase(name="x", study=study)]), trials=1, seed=seed
            ),
        )
        for seed, (name, study) in enumerate((("a", one), ("b", other)))
    ]
    with pytest.raises(
        InputError, match=r"lacks: settings preset=fast and aim_sd_mm=8 preset=fast$"
    ):
        merge_tables(tables)


HEADER = "source,value,slammer_g,figure,log_factor,error,spread\n"
MEASURED = (
    HEADER
    + """\
stiffness,1/16,4,flips,.3,0,0
stiffness,1/16,16,flips,.1,0,0
stiffness,16,4,flips,-.2,0,0
stiffness,16,16,flips,-.5,.4583,0
hysteresis,0.5,4,flips,-.4,0,0
hysteresis,1,4,flips,-.6,0,0
plane,,,flips,.1,0,.4
stiffness,1/16,8,knock_out,.7,0,0
engines,,,knock_out,.3,0,.1
engines,,,outs,.3,0,.2
slow,,,outs,-.2,0,0
shields,,,knock_out,.5,.3,0
"""
)


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Put a few numbers in the place of those that were measured."""
    (tmp_path / "model_uncertainty.csv").write_text(MEASURED)
    monkeypatch.setattr(model_module, "files", lambda _: tmp_path)
    model_module._model_factors.cache_clear()
    yield
    monkeypatch.undo()
    model_module._model_factors.cache_clear()


CHANGES = {
    "plain": {},
    "latching": {"materials": Materials(hysteresis=0.75)},
    "lying": {"stack": knock_out_stack(puckdex_slammer(8.0))},
    "shielded": {"stack": knock_out_stack(puckdex_slammer(8.0), 1)},
    "slow": {},
}


@cases(
    "mass_g engine change figure low high sources",
    """
    4 => solid => plain => flips => .2 .6 => .3 => hysteresis stiffness
    4 => plane => plain => flips => .2 .6 .5 => .3 .3 => hysteresis plane stiffness
    8 => solid => plain => flips => .2 .6 => .2 => hysteresis stiffness  # between two masses
    2 => solid => plain => flips => .2 .6 => .3 => hysteresis stiffness  # level beyond them
    16 => solid => plain => flips => .2 .6 => .1 => hysteresis stiffness
    4 => solid => latching => flips => .1 .2 => .5 .3 => hysteresis stiffness
    8 => plane => lying => knock_out => 0 => .7 .4 => stiffness engines
    8 => solid => shielded => knock_out => 0 => .7 .4 => stiffness shields
    16 => solid => plain => outs => 0 => .5 => engines
    16 => solid => slow => outs => .2 => 0 => slow
    """,
)
@pytest.mark.usefixtures("measured")
def test_a_range_has_the_sources_of_its_mass_engine_and_materials(
    mass_g, engine, change, figure, low, high, sources
):
    """Squares of the sources' logarithms add up, below and above apart.

    The plane has its difference from the solid engine besides, which takes it back. Half way
    between two masses is on the scale of logarithms. Of 16 g's difference of .5 with an error of
    .4583, .2 are more than chance. Contacts that latch in part may give back less or more. Engines
    that differ to one side, more than from cell to cell, widen that side only; what differs in some
    scenes stands for the difference in all.
    """
    study = study_of(float(mass_g))
    scene = replace(study.scene, **CHANGES[change])
    if change == "slow":
        study = replace(study, thrower=ThrowDistribution(speed_mm_s=3000.0))
    found = model_ranges(replace(study, engine=engine, scene=scene))
    low, high = (math.hypot(*map(float, parts.split())) for parts in (low, high))
    assert (figure == "knock_out") == ({*found} == {"knock_out"})
    own = found[figure]
    assert (-math.log(own.low), math.log(own.high)) == pytest.approx((low, high), abs=1e-4)
    assert own.sources == tuple(sources.split())


@given(st.floats(0, 1), st.floats(0.1, 1), st.floats(1, 10))
def test_the_range_of_a_chance_is_a_chance_around_it(chance, low, high):
    ends = ModelRange(low=low, high=high, sources=()).around_chance(chance)
    assert 0 <= ends[0] <= chance * (1 + 1e-12)
    assert chance * (1 - 1e-12) <= ends[1] <= 1
