"""A throw in, an outcome out: rigid-body slams of a slammer on a stack of pucks.

The one door is `slam(scene, throw)`, with two engines behind it: `pucklab.physics.plane`, and
`pucklab.physics.solid`. Inputs and results are frozen dataclasses. Nothing here reads or writes
files, prints, or keeps random state.
"""

if __name__ != "pucklab.physics":
    raise ImportError(f"{__name__}: import pucklab.physics, and test pucklab/physics")

from pucklab.base.errors import InputError
from pucklab.physics.material import MATERIALS, Material
from pucklab.physics.materials import (
    PRESETS,
    LiftOff,
    Materials,
    ParameterSet,
    Preset,
    contact_stiffness_g_s2,
    preset,
)
from pucklab.physics.outcome import EnergyError, Face, PieceOutcome, SlamOutcome
from pucklab.physics.pieces import (
    MassProperties,
    Piece,
    Puck,
    Slammer,
    mass_properties,
    own_piece,
    puckdex_slammer,
)
from pucklab.physics.recording import Recording, SampleRate
from pucklab.physics.scene import MAX_STACK, Arena, Scene, knock_out_stack, puck_stack
from pucklab.physics.slam import ENGINES, PHYSICS_VERSION, SlamResult, check_engine, slam
from pucklab.physics.thrower import (
    CAREFUL_THROWER,
    Throw,
    ThrowDistribution,
    draw_throw,
    trial_generator,
)

__all__ = [
    "CAREFUL_THROWER",
    "ENGINES",
    "MATERIALS",
    "MAX_STACK",
    "PHYSICS_VERSION",
    "PRESETS",
    "Arena",
    "EnergyError",
    "Face",
    "InputError",
    "LiftOff",
    "MassProperties",
    "Material",
    "Materials",
    "ParameterSet",
    "Piece",
    "PieceOutcome",
    "Preset",
    "Puck",
    "Recording",
    "SampleRate",
    "Scene",
    "SlamOutcome",
    "SlamResult",
    "Slammer",
    "Throw",
    "ThrowDistribution",
    "check_engine",
    "contact_stiffness_g_s2",
    "draw_throw",
    "knock_out_stack",
    "mass_properties",
    "own_piece",
    "preset",
    "puck_stack",
    "puckdex_slammer",
    "slam",
    "trial_generator",
]
