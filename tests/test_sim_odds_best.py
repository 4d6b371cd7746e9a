"""The wildest of many throws: found whole, in order, and by any number of workers."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from pucklab.physics import (
    SampleRate,
    slam,
)
from pucklab.sim.odds.best_throws import MEASURES, search_best
from tests.commands import pucklab
from tests.refusals import refused
from tests.scenes import fast_scene, usual_study

SEED, TRIALS = 3, 30


@cache
def study(engine="plane"):
    return usual_study(fast_scene(20.0, 4), engine)


@cache
def outcomes():
    own = study()
    return tuple(slam(own.scene, own.throw(SEED, k)).outcome for k in range(TRIALS))


def last_of(measure, trials=TRIALS, keep=5):
    *_, last = search_best(study(), measure, trials=trials, seed=SEED, keep=keep)
    return last


@pytest.mark.parametrize("measure", ["flips", "out"])
def test_nobody_throws_better_than_the_best_and_the_other_number_decides_a_tie(measure):
    counts = [(len(outcome.flipped), len(outcome.out)) for outcome in outcomes()]
    found = last_of(measure).throws
    order = (lambda pair: pair) if measure == "flips" else (lambda pair: pair[::-1])
    assert [(throw.flips, throw.outs) for throw in found] == sorted(
        counts, key=order, reverse=True
    )[:5]
    assert all(counts[throw.trial] == (throw.flips, throw.outs) for throw in found)


@pytest.mark.parametrize("engine", ["plane", "solid"])
def test_heights_are_those_of_the_finest_recordings_to_a_millimetre(engine):
    own = study(engine)
    *_, last = search_best(own, "height", trials=6, seed=SEED, keep=6)
    heights = [throw.height_mm for throw in last.throws]
    assert heights == sorted(heights, reverse=True)
    for throw in last.throws[:3]:
        fine = slam(own.scene, own.throw(SEED, throw.trial), SampleRate(), engine).recording
        assert throw.height_mm == pytest.approx(fine.poses.middle_mm[:, :-1, 2].max(), abs=1.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_workers_and_shorter_searches_change_nothing(measure):
    with ThreadPoolExecutor(3) as executor:
        *_, spread = search_best(
            study(), measure, trials=TRIALS, seed=SEED, keep=5, executor=executor, window=3
        )
    states = list(search_best(study(), measure, trials=TRIALS, seed=SEED, keep=5))
    assert states[-1] == spread
    assert [state.done for state in states] == [25, 30]
    assert states[0].throws == last_of(measure, trials=25).throws


def test_ties_go_to_the_earlier_trial():
    keys = [throw.key("flips") for throw in last_of("flips", keep=TRIALS).throws]
    assert keys == sorted(keys)
    same = [
        throw.trial
        for throw in last_of("flips", keep=TRIALS).throws
        if throw.key("flips")[:2] == keys[-1][:2]
    ]
    assert len(same) > 1
    assert same == sorted(same)


@pytest.mark.parametrize(("measure", "trials"), [("wild", 5), ("flips", 0)])
def test_a_search_that_cannot_be_made_is_refused(measure, trials):
    search = search_best(study(), measure, trials=trials, seed=SEED)
    refused(next, search, said="is not accepted; give ")


FAST = "--engine plane --preset fast --pucks 4 --slammer-g 20"


def test_slam_describes_the_best_throw_and_names_its_trial():
    search = f"--seed {SEED} --best flips --of {TRIALS}"
    done = pucklab(f"slam {FAST} {search} --workers 1")
    best = last_of("flips", keep=1).throws[0]
    *told, origin = done.stdout.splitlines()
    assert origin == (f"Trial {best.trial} of seed {SEED}: the best of {TRIALS} throws by flips.")
    alone = pucklab(f"slam {FAST} --seed {SEED} --trial", str(best.trial))
    assert told == alone.stdout.splitlines()
