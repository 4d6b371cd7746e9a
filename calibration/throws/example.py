"""The example log that comes with pucklab: ``python -m calibration.throws.example FILE``."""

import sys
from dataclasses import replace
from pathlib import Path

from calibration.throws.log import Setting
from calibration.throws.simulate import simulate_throw
from physics import ParameterSet, Puck, puckdex_slammer

_SEED = 4
_SLAMMERS_G = (4.0, 8.0, 20.0)
_THROWS = 25
_PUCKS = 10
_HEAD = """\
# Made up: simulated by pucklab, not thrown. A row per throw; see pucklab calibrate throws --help.
# Thrown at 4.5 m/s, aim spread 9 mm, tilt spread 11 degrees, restitution .46, friction .31.
slammer_g,thickness_mm,pucks,flipped,out,distance_mm
"""


def example_log() -> str:
    """Throw each slammer some times and return the log, as a CSV text."""
    usual = ParameterSet()
    parameters = replace(
        usual,
        thrower=replace(usual.thrower, speed_mm_s=4500.0, aim_sd_mm=9.0, tilt_sd_deg=11.0),
        materials=replace(usual.materials, restitution=0.46, friction=0.31),
    )
    rows = []
    for number, mass_g in enumerate(_SLAMMERS_G):
        setting = Setting(slammer=puckdex_slammer(mass_g), pucks=_PUCKS, puck=Puck())
        for trial in range(number * _THROWS, (number + 1) * _THROWS):
            throw = simulate_throw(setting, parameters, _SEED, trial)
            distance = "" if throw.distance_mm is None else f"{throw.distance_mm:.0f}"
            rows.append(f"{mass_g:g},6,{_PUCKS},{throw.flipped},{throw.out},{distance}\n")
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(example_log(), encoding="utf-8")
