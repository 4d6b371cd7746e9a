"""The model's throws, logged as a person would log them."""

from dataclasses import replace

from calibration.throws.log import RealThrow, Setting
from physics import PRESETS, Face, ParameterSet, SlamOutcome, draw_throw, slam, trial_generator


def simulate_throw(setting: Setting, parameters: ParameterSet, seed: int, trial: int) -> RealThrow:
    """Throw one trial as if it were of a log.

    The preset is ``fast``: its statistics differ from the others' by less than a log can tell.

    Example:
        >>> from physics import Puck, puckdex_slammer
        >>> setting = Setting(slammer=puckdex_slammer(8.0), pucks=3, puck=Puck())
        >>> throw = simulate_throw(setting, ParameterSet(), seed=1, trial=0)
        >>> throw.flipped + throw.out <= 3
        True
    """
    thrower = parameters.thrower
    if setting.dropped:
        thrower = replace(thrower, descent_min_deg=0.0, descent_max_deg=0.0)
    scene = replace(
        setting.scene,
        materials=parameters.materials,
        lift_off=parameters.lift_off,
        preset=PRESETS["fast"],
    )
    throw = draw_throw(thrower, setting.pucks, trial_generator(seed, trial))
    return _logged(setting, slam(scene, throw).outcome)


def _logged(setting: Setting, outcome: SlamOutcome) -> RealThrow:
    inside = [piece.distance_mm for piece in outcome.pieces if piece.face is not Face.OUT]
    return RealThrow(
        setting=setting,
        flipped=len(outcome.flipped),
        out=len(outcome.out),
        distance_mm=sum(inside) / len(inside) if inside else None,
    )
