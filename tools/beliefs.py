"""A check of the range of belief.

``python -m tools.beliefs FILE`` throws random scenes with each assumption at its ends and says
whether the mean flips lie in the range that `sim.odds.model_ranges` claims for them. Each scene has
a line in the file; a run that was stopped goes on after the last one.
"""

import sys
from pathlib import Path

import numpy as np

from physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
from physics.tally import mean_of
from sim.experiments.estimates import Z_95
from sim.odds.assumptions import at_ends
from sim.odds.model_ranges import model_ranges
from sim.odds.study import Study, run_trials

SCENES, THROWS, _SEED = 20, 200, 71


def random_study(rng: np.random.Generator) -> Study:
    """Return a study of a random stack, thrower and slammer."""
    own = float(rng.choice([4, 6, 8, 12, 16, 20]))
    steep = float(rng.integers(0, 31))
    thrower = ThrowDistribution(
        speed_mm_s=float(rng.integers(40, 61)) * 100,
        aim_sd_mm=float(rng.integers(6, 21)),
        descent_min_deg=steep,
        descent_max_deg=steep + float(rng.integers(5, 31)),
        tilt_sd_deg=float(rng.integers(5, 26)),
    )
    scene = Scene(slammer=puckdex_slammer(own), stack=puck_stack(int(rng.integers(4, 16))))
    return Study(scene=scene, thrower=thrower)


def check_range(study: Study) -> str:
    """Return whether flips at the ends of assumptions lie in the range claimed.

    An end is outside if its mean, less the error of both means, is.
    """
    means = {
        name: mean_of(run_trials(own, _SEED, 0, THROWS).flips)
        for name, own in at_ends(study).items()
    }
    own = mean_of(run_trials(study, _SEED, 0, THROWS).flips)
    claim = model_ranges(study)["flips"]
    outside = []
    for name, mean in means.items():
        low, high = claim.around(own.value)
        slack = Z_95 * np.hypot(mean.standard_error, own.standard_error)
        if not low - slack <= mean.value <= high + slack:
            outside.append(f"{name} {mean.value / own.value:.2f}")
    ends = [mean.value / own.value for mean in means.values()]
    thrower, pucks = study.thrower, len(study.scene.stack)
    return (
        f"{study.scene.slammer.mass_g:g} g, {pucks} pucks at {thrower.speed_mm_s / 1000:g} m/s, "
        f"{thrower.descent_min_deg:g} to {thrower.descent_max_deg:g} degrees: claimed "
        f"x{claim.low:.2f} to x{claim.high:.2f}, ends x{min(ends):.2f} to x{max(ends):.2f}; "
        + (f"OUTSIDE: {', '.join(outside)}" if outside else "inside")
    )


def check_all(path: Path) -> None:
    """Check scene after scene, with a line in a file for each."""
    rng = np.random.default_rng(_SEED)
    scenes = [random_study(rng) for _ in range(SCENES)]
    done = len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
    for scene in scenes[done:]:
        line = check_range(scene)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


if __name__ == "__main__":
    check_all(Path(sys.argv[1]))
