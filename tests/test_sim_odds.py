"""Odds: tallies add up, estimates follow their formulas, runs do not depend on who does them."""

import math
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from physics import (
    PHYSICS_VERSION,
    PRESETS,
    Face,
    InputError,
    Materials,
    PieceOutcome,
    Scene,
    SlamOutcome,
    ThrowDistribution,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
)
from sim.odds import (
    ModelRange,
    OddsRow,
    Study,
    Tally,
    empty_tally,
    merge_odds,
    model_ranges,
    odds_csv,
    odds_of,
    read_odds,
    row_values,
    run_studies,
    run_trials,
    study_hash,
    tally_of,
    wilson,
)

PIECES = 3
study_module = sys.modules[Study.__module__]


def study_of(mass_g: float = 8.0, pucks: int = PIECES) -> Study:
    scene = Scene(slammer=puckdex_slammer(mass_g), stack=puck_stack(pucks), preset=PRESETS["fast"])
    return Study(scene=scene, thrower=ThrowDistribution())


def run_all(studies: list[Study], trials: int, **options: object) -> tuple[Tally, ...]:
    *_, last = run_studies(studies, trials=trials, seed=1, **options)  # type: ignore[arg-type]
    return last.tallies


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


def test_distances_count_only_pieces_inside_the_arena() -> None:
    inside = PieceOutcome(place=0, face=Face.DOWN, x_mm=30.0, y_mm=40.0)
    gone = PieceOutcome(place=1, face=Face.OUT, x_mm=400.0, y_mm=0.0)
    slammer = PieceOutcome(place=None, face=Face.UP, x_mm=10.0, y_mm=0.0)
    tally = tally_of(SlamOutcome(hit=True, pieces=(inside, gone), slammer=slammer))
    assert (tally.distance_um, tally.inside) == (50_000, 1)


@given(st.lists(outcomes, max_size=8), st.randoms())
def test_tallies_add_up_to_the_same_in_any_order(many: list[SlamOutcome], random: object) -> None:
    tallies = [tally_of(outcome) for outcome in many]
    forward = sum(tallies, empty_tally(PIECES))
    random.shuffle(tallies)  # type: ignore[attr-defined]
    assert sum(tallies, empty_tally(PIECES)) == forward


@given(st.lists(outcomes, min_size=1, max_size=8))
def test_a_tally_counts_what_happened(many: list[SlamOutcome]) -> None:
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
def test_the_wilson_interval_is_that_of_scipy(counts: tuple[int, int]) -> None:
    successes, trials = counts
    ours = wilson(successes, trials)
    theirs = binomtest(successes, trials).proportion_ci(method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_odds_of_no_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="no trial is not accepted"):
        odds_of(empty_tally(PIECES))


def test_a_run_is_the_sum_of_its_parts() -> None:
    study = study_of()
    assert run_trials(study, 1, 0, 12) == run_trials(study, 1, 0, 5) + run_trials(study, 1, 5, 7)


class LastFirstExecutor(Executor):
    """Does its work in the reverse order of being asked."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future, object, tuple]] = []  # type: ignore[type-arg]

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        del kwargs
        outer = self

        class Lazy(Future):  # type: ignore[type-arg]
            def result(self, timeout: float | None = None) -> object:
                for future, work, arguments in reversed(outer.waiting):
                    future.set_result(work(*arguments))  # type: ignore[operator]
                outer.waiting.clear()
                return super().result(timeout)

        future = Lazy()
        self.waiting.append((future, fn, args))
        return future


def test_the_executor_and_its_order_of_work_do_not_matter() -> None:
    studies = [study_of(4.0), study_of(20.0)]
    here = run_all(studies, 60)
    assert run_all(studies, 60, executor=LastFirstExecutor()) == here
    with ThreadPoolExecutor(3) as pool:
        assert run_all(studies, 60, executor=pool, window=2) == here


def test_every_state_of_a_run_is_that_of_a_shorter_run() -> None:
    study = study_of()
    for state in run_studies([study], trials=60, seed=1):
        assert state.tallies[0] == run_trials(study, 1, 0, state.done)


def test_a_run_goes_on_where_an_earlier_one_ended() -> None:
    studies = [study_of(4.0), study_of(20.0)]
    begin = (run_trials(studies[0], 1, 0, 30), run_trials(studies[1], 1, 0, 7))
    assert run_all(studies, 55, begin=begin) == run_all(studies, 55)


def test_all_slammers_get_on_together() -> None:
    for state in run_studies([study_of(4.0), study_of(20.0)], trials=60, seed=1):
        first, second = (tally.trials for tally in state.tallies)
        assert abs(first - second) <= 25


def test_a_study_is_named_by_every_number_in_it() -> None:
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
    assert len({study_hash(s) for s in (study, *others)}) == 1 + len(others)


def row_of(study: Study, trials: int = 40) -> OddsRow:
    return OddsRow(
        name="x", study=study, tally=run_trials(study, 1, 0, trials), seed=1, version="0"
    )


@pytest.mark.parametrize("stack", ["pucks", "knock-out"])
def test_the_csv_gives_the_tally_back(stack: str) -> None:
    study = study_of()
    if stack == "knock-out":
        lying = knock_out_stack(puckdex_slammer(8.0), shields=1)
        study = replace(study, scene=replace(study.scene, stack=lying))
    row = row_of(study)
    (entry,) = read_odds(odds_csv([row]), "file")
    assert (entry.scene_hash, entry.seed, entry.version) == (study_hash(study), 1, "0")
    assert entry.physics == PHYSICS_VERSION
    assert entry.tally == row.tally


OLD = ["flips", "outs", "flipped", "leaning", "distance_um", "slammers_out", "physics"]


def test_a_csv_from_before_counts_were_stored_gives_the_tally_back() -> None:
    row = row_of(study_of())
    header, cells = odds_csv([row]).splitlines()
    kept = {
        name: cell
        for name, cell in zip(header.split(","), cells.split(","), strict=True)
        if name.rstrip("0123456789") not in OLD
    }
    (entry,) = read_odds(f"{','.join(kept)}\n{','.join(kept.values())}\n", "odds.csv")
    assert (entry.tally, entry.physics) == (row.tally, None)


def test_the_csv_has_the_columns_that_it_promises() -> None:
    values = row_values(row_of(study_of()))
    promised = (
        "slammer_g thickness_mm speed_m_s pucks trials hits flips_mean flips_se p_any p_any_low "
        "p_any_high p0 p1 p2 p3 out_mean p_any_out distance_mm_mean version scene_hash seed"
    )
    assert set(promised.split()) <= set(values)
    assert values["slammer_g"] == 8.0
    assert values["speed_m_s"] == 5.0
    assert values["pucks"] == PIECES


def test_only_a_knock_out_has_a_chance_of_one() -> None:
    study = study_of()
    assert row_values(row_of(study))["p_knock_out"] == ""
    lying = knock_out_stack(puckdex_slammer(4.0))
    values = row_values(row_of(replace(study, scene=replace(study.scene, stack=lying))))
    assert values["p_knock_out"] == values["place1"] == values["p1"]


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "scene_hash,seed,version,trials\nx,1,0,ten\n"], ids=["other", "broken"]
)
def test_a_file_that_is_no_odds_csv_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^odds.csv: line 2 is no row of odds"):
        read_odds(text, "odds.csv")


def changed(**cells: str) -> str:
    """Return an odds CSV of one row, with cells changed."""
    header, row = odds_csv([row_of(study_of())]).splitlines()
    values = dict(zip(header.split(","), row.split(","), strict=True)) | cells
    return f"{header}\n{','.join(values.values())}\n"


CHANGES = {
    "flips0": "999",
    "outs0": "999",
    "flipped1": "41",
    "flipped2": "39",
    "hits": "999999",
    "slammers_out": "41",
    "leaning": "121",
    "trials": "-40",
    "distance_um": "1e9",
    "seed": "9" * 5000,
    "slammer_g": "inf",
    "version": "1,extra",
}


@pytest.mark.parametrize(("column", "cell"), CHANGES.items(), ids=list(CHANGES))
def test_a_changed_odds_csv_is_refused(column: str, cell: str) -> None:
    with pytest.raises(InputError, match=r"^odds.csv: line 2 "):
        read_odds(changed(**{column: cell}), "odds.csv")


def test_chances_of_an_odds_csv_are_not_read() -> None:
    (entry,) = read_odds(changed(p0="inf", place1="7", p_any="no"), "odds.csv")
    assert entry.tally == row_of(study_of()).tally


def seeded(seed: int, trials: int = 20, **changes: object) -> str:
    """Return the CSV of two slammers, thrown with a seed by a changed thrower."""
    thrower = replace(ThrowDistribution(), **changes)  # type: ignore[arg-type]
    rows = []
    for mass_g in (4.0, 20.0):
        study = replace(study_of(mass_g), thrower=thrower)
        tally = run_trials(study, seed, 0, trials)
        rows.append(OddsRow(name=f"{mass_g:g} g", study=study, tally=tally, seed=seed, version="0"))
    return odds_csv(rows)


def test_merged_files_have_the_throws_of_both() -> None:
    texts = [seeded(1), seeded(7, trials=5)]
    merged = read_odds(merge_odds([("a", texts[0]), ("b", texts[1])]), "merged")
    one, other = (read_odds(text, "file") for text in texts)
    assert [row.tally for row in merged] == [
        a.tally + b.tally for a, b in zip(one, other, strict=True)
    ]
    assert {row.seeds for row in merged} == {((1, 20), (7, 5))}


def test_a_merged_file_has_the_columns_of_its_sum() -> None:
    text = merge_odds([("a", seeded(1)), ("b", seeded(7))])
    (header, first, _) = text.splitlines()
    row = dict(zip(header.split(","), first.split(","), strict=True))
    tally = read_odds(text, "merged")[0].tally
    assert float(row["flips_mean"]) == odds_of(tally).flips.value
    assert float(row["p_any_low"]) == odds_of(tally).any_flip.low
    assert (row["trials"], row["stopped_by"], row["slammer"]) == ("40", "merge", "4 g")


def test_merging_is_associative() -> None:
    a, b, c = (("f", seeded(seed, trials=3)) for seed in (1, 2, 3))
    assert merge_odds([a, b, c]) == merge_odds([("f", merge_odds([a, b])), c])


def test_the_same_throws_are_not_merged_twice() -> None:
    merged = merge_odds([("a", seeded(1, 3)), ("b", seeded(2, 3))])
    with pytest.raises(InputError, match=r"^m: throws of seed 2 at '4 g' are in c too, and would"):
        merge_odds([("c", seeded(2, 9)), ("m", merged)])


def test_files_of_other_scenes_are_not_merged_and_the_difference_is_named() -> None:
    with pytest.raises(InputError, match=r"^a: '4 g' .* slammer of b; different: aim_sd_mm 12.0 a"):
        merge_odds([("a", seeded(1)), ("b", seeded(2, aim_sd_mm=8.0))])
    with pytest.raises(InputError, match=r"different: spin_sd_rad_s default and 9$"):
        merge_odds([("a", seeded(1)), ("b", seeded(2, spin_sd_rad_s=9.0))])


def test_a_file_with_more_slammers_is_not_merged() -> None:
    fewer = "".join(line + "\n" for line in seeded(2).splitlines()[:2])
    with pytest.raises(InputError, match=r"^a: '20 g' .* different: slammer_g 20.0 and 4.0$"):
        merge_odds([("a", seeded(1)), ("b", fewer)])


HEADER = "source,value,slammer_g,figure,log_factor,error\n"
MEASURED = (
    HEADER
    + """\
stiffness,1/16,4,flips,.3,0
stiffness,1/16,16,flips,.1,0
stiffness,16,4,flips,-.2,0
stiffness,16,16,flips,-.5,.4583
hysteresis,0.5,4,flips,-.4,0
hysteresis,1,4,flips,-.6,0
plane,,,flips,.5,0
stiffness,1/16,8,knock_out,.7,0
"""
)


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a few numbers in the place of those that were measured."""
    (tmp_path / "model_uncertainty.csv").write_text(MEASURED)
    monkeypatch.setattr(study_module, "files", lambda _: tmp_path)
    study_module._model_factors.cache_clear()
    yield
    monkeypatch.undo()
    study_module._model_factors.cache_clear()


@pytest.mark.usefixtures("measured")
def test_sources_of_uncertainty_are_added_by_squares_below_and_above_apart() -> None:
    found = model_ranges(replace(study_of(4.0), engine="solid"))["flips"]
    assert math.log(found.high) == pytest.approx(0.3)
    assert math.log(found.low) == pytest.approx(-math.hypot(0.2, 0.6))
    assert found.sources == ("hysteresis", "stiffness")


@pytest.mark.usefixtures("measured")
def test_the_plane_has_its_difference_from_the_solid_engine_besides() -> None:
    found = model_ranges(study_of(4.0))["flips"]
    assert math.log(found.high) == pytest.approx(math.hypot(0.3, 0.5))
    assert found.sources == ("plane", "hysteresis", "stiffness")


@pytest.mark.usefixtures("measured")
def test_between_two_masses_a_source_counts_as_much_as_lies_between() -> None:
    found = model_ranges(replace(study_of(8.0), engine="solid"))["flips"]
    assert math.log(found.high) == pytest.approx(0.2)  # half way on the scale of logarithms
    heavy = model_ranges(replace(study_of(16.0), engine="solid"))["flips"]
    # Of a difference of .5 with an error of .4583, .2 are more than chance.
    assert math.log(heavy.low) == pytest.approx(-math.hypot(0.2, 0.6), abs=1e-4)
    light = replace(study_of(2.0), engine="solid")
    assert math.log(model_ranges(light)["flips"].high) == pytest.approx(0.3)


@pytest.mark.usefixtures("measured")
def test_contacts_with_hysteresis_may_give_back_less_or_more() -> None:
    study = replace(study_of(4.0), engine="solid")
    scene = replace(study.scene, materials=Materials(hysteresis=0.75))
    found = model_ranges(replace(study, scene=scene))["flips"]
    assert math.log(found.high) == pytest.approx(math.hypot(0.5, 0.3))
    assert math.log(found.low) == pytest.approx(-math.hypot(0.1, 0.2))


@pytest.mark.usefixtures("measured")
def test_a_knock_out_has_a_range_of_its_own() -> None:
    study = study_of()
    lying = knock_out_stack(puckdex_slammer(8.0))
    found = model_ranges(replace(study, scene=replace(study.scene, stack=lying)))
    assert {*found} == {"knock_out"}
    assert found["knock_out"].high == pytest.approx(math.exp(0.7))


@given(st.floats(0, 1), st.floats(0.1, 1), st.floats(1, 10))
def test_the_range_of_a_chance_is_a_chance_around_it(
    chance: float, low: float, high: float
) -> None:
    ends = ModelRange(low=low, high=high, sources=()).around_chance(chance)
    assert 0 <= ends[0] <= chance * (1 + 1e-12)
    assert chance * (1 - 1e-12) <= ends[1] <= 1


def test_rows_say_how_far_off_the_model_may_be() -> None:
    values, ranges = row_values(row_of(study_of())), model_ranges(study_of())
    assert values["model_flips_low"] == round(ranges["flips"].low, 4)
    assert values["model_p_any_out_high"] == round(ranges["any_out"].high, 4)
    assert values["model_p_knock_out_low"] == ""
