"""Scenes of slammers and stacks, throws at them, and studies of throws."""

from pucklab.physics import (
    PRESETS,
    Scene,
    ThrowDistribution,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    trial_generator,
)
from pucklab.sim.odds import Study


def stack_scene(slammer_g, pucks, **fields):
    """Return a slammer of the Puckdex and a stack of pucks."""
    return Scene(slammer=puckdex_slammer(slammer_g), stack=puck_stack(pucks), **fields)


def fast_scene(slammer_g, pucks):
    """Return the same for quick throws."""
    return stack_scene(slammer_g, pucks, preset=PRESETS["fast"])


def trial_throw(pieces, seed, trial, **thrower):
    """Return a trial's throw at so many pieces."""
    return draw_throw(ThrowDistribution(**thrower), pieces, trial_generator(seed, trial))


def usual_study(scene, engine="solid"):
    """Return a study of the usual throws at a scene."""
    return Study(scene=scene, thrower=ThrowDistribution(), engine=engine)
