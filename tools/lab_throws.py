"""Throws that the Lab knows before it has made any: the usual scene with slammers of eight masses.

Usage: ``python -m tools.lab_throws`` writes ``render/web/usual_throws.json`` anew (75 s), which is
due with each new version of the physics; the Lab uses no throws of another one.
"""

from dataclasses import asdict, replace

from pucklab.base.files import write_whole
from pucklab.base.parsing import json_text
from pucklab.physics import PHYSICS_VERSION, Scene, ThrowDistribution, puck_stack, puckdex_slammer
from pucklab.physics.solid.engine import throw_trials
from pucklab.physics.tally import empty_tally, tally_of
from pucklab.render.web.lab import SEED, USUAL_THROWS

MASSES_G = (2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0)
_TRIALS = 600


def main() -> None:
    """Make the throws and write the file."""
    found = {}
    for mass_g in MASSES_G:
        scene = Scene(slammer=puckdex_slammer(mass_g), stack=puck_stack(10))
        total = none = empty_tally(len(scene.stack))
        flips = ""
        for outcome in throw_trials(scene, ThrowDistribution(), SEED, 0, _TRIALS):
            total += replace(none, trials=1, left_out=1) if outcome is None else tally_of(outcome)
            flips += "-" if outcome is None else f"{len(outcome.flipped):x}"
        found[f"{mass_g:g}"] = {"tally": asdict(total), "flips": flips}
    text = json_text({"physics": PHYSICS_VERSION, "seed": SEED, "throws": found}, indent=1)
    write_whole(USUAL_THROWS, f"{text}\n".encode())


if __name__ == "__main__":
    main()
