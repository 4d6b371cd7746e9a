"""The version of the physics rises with every change of outcomes."""

import hashlib
from dataclasses import astuple

import pytest

from pucklab.physics import (
    ENGINES,
    PHYSICS_VERSION,
    Scene,
    knock_out_stack,
    puckdex_slammer,
    slam,
)
from tests.scenes import fast_scene, stack_scene, trial_throw

VERSION = 10
OUTCOMES = {"plane": "d84302ba9b66", "solid": "6c421f1d207b"}
"""Digests of the version by engine: outcomes that change need a new version, and new digests."""

SCENES = (
    stack_scene(4.0, 4),
    fast_scene(20.0, 10),
    Scene(slammer=puckdex_slammer(8.0), stack=knock_out_stack(puckdex_slammer(20.0), 2)),
)
TRIALS = {"plane": 12, "solid": 2}


def digest(engine):
    """Return 12 hexadecimal digits of the outcomes, positions in whole millimetres."""
    text = []
    scenes = SCENES if engine == "plane" else SCENES[::2]
    for scene in scenes:
        for trial in range(TRIALS[engine]):
            throw = trial_throw(len(scene.stack), 7, trial)
            outcome = slam(scene, throw, engine=engine).outcome
            for place, face, x_mm, y_mm in map(astuple, (*outcome.pieces, outcome.slammer)):
                text.append(f"{place} {face} {x_mm:.0f} {y_mm:.0f}")
    return hashlib.sha256("\n".join(text).encode()).hexdigest()[:12]


@pytest.mark.parametrize("engine", ENGINES)
def test_outcomes_of_fixed_seeds_are_those_of_the_version(engine):
    assert PHYSICS_VERSION == VERSION
    assert digest(engine) == OUTCOMES[engine]
