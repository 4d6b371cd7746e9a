"""What is said of odds is right as often as it says; `tests.oddscalibration` measures more."""

import html

import numpy as np
import pytest

import pucklab
from pucklab.sim.experiments.curve import number_distances
from tests.commands import succeed
from tests.oddscalibration import MASSES_G, TRUTHS, draw_truth, judge, made_up, saved
from tests.slowness import slow

FAR = number_distances(MASSES_G)
OTHERS = np.where(np.eye(3, dtype=bool), 0.0, np.inf)


@pytest.mark.parametrize("distances", [FAR, OTHERS], ids=["masses", "slammers"])
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize(
    ("throws", "repetitions", "off"),
    [(100, 80, 0.06), slow(60, 3000, 0.025), slow(400, 3000, 0.025)],
)
def test_chances_are_right_as_often_as_they_say(distances, paired, throws, repetitions, off):
    draw = made_up(lambda rng: draw_truth(distances, rng), distances)
    found = judge(draw, distances, throws, repetitions, paired=paired)
    for said, right, pairs in found["classes"]:
        # Pairs of one study share their throws.
        assert abs(said - right) <= off + 1.5 / max(pairs, 1) ** 0.5
    assert found["covered"] >= 0.91
    assert found["held"] >= 0.95
    assert found["signs"] >= 0.95


@pytest.mark.parametrize("truth", TRUTHS)
def test_the_curve_saves_throws_whatever_the_truth(truth):
    assert saved(truth, 100, 60) >= (1.3 if truth == "bump" else 2.0)
    assert saved(truth, 400, 60) >= 0.9


def test_the_command_python_and_a_notebook_say_the_same():
    options = "--slammer-g 4,8,20 --pucks 3 --trials 30"
    first, *_, flips, outs = succeed(f"odds {options}").stdout.splitlines()
    found = pucklab.odds(slammer_g=(4, 8, 20), pucks=3, trials=30)
    assert (found.answer, found.belief) == (first, f"{flips}\n{outs}")
    assert html.escape(first) in found._repr_html_()
