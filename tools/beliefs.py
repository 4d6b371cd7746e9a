"""A check of what odds say of themselves: the range of belief, and orders that "held".

``python -m tools.beliefs ranges FILE`` throws random scenes in space with each assumption at its
ends and says whether the mean flips lie in the range that `sim.odds.model_ranges` claims for them.
``python -m tools.beliefs orders FILE`` compares pairs of slammers as ``pucklab odds compare`` does,
and where that says that an order held, throws fresh ones at every end, and says whether it held
there too. Each scene has a line in the file; a run that was stopped goes on after the last one.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
from physics.tally import mean_of
from sim.experiments.estimates import Z_95
from sim.experiments.paired import difference, paired_tally
from sim.odds.assumptions import OrderCheck, at_ends
from sim.odds.model_ranges import model_ranges
from sim.odds.study import PAIRED_ODDS, Study, run_trials

SCENES, THROWS = 20, 200
CHECK_THROWS, FRESH_THROWS = 100, 400
_SEED, _CHECK_SEED, _FRESH_SEED = 71, 72, 73


def random_study(rng: np.random.Generator, mass_g: float | None = None) -> Study:
    """Return a study of a random stack, thrower and, if not given, slammer."""
    own = float(rng.choice([4, 6, 8, 12, 16, 20])) if mass_g is None else mass_g
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


def random_pair(rng: np.random.Generator) -> tuple[Study, Study]:
    """Return a light and a heavy slammer in the same random scene.

    They are far apart, as a hundred throws at each end rarely tell alike ones apart.
    """
    light_g, heavy_g = rng.choice([2.0, 3.0, 4.0]), rng.choice([12.0, 16.0, 20.0])
    light = random_study(rng, float(light_g))
    scene = replace(light.scene, slammer=puckdex_slammer(float(heavy_g)))
    return light, replace(light, scene=scene)


def _described(study: Study) -> str:
    """Return a scene in a few words."""
    own = study.thrower
    descent = f"{own.descent_min_deg:g} to {own.descent_max_deg:g} degrees"
    return f"{len(study.scene.stack)} pucks at {own.speed_mm_s / 1000:g} m/s, {descent}"


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
    return (
        f"{study.scene.slammer.mass_g:g} g, {_described(study)}: claimed x{claim.low:.2f} to "
        f"x{claim.high:.2f}, ends x{min(ends):.2f} to x{max(ends):.2f}; "
        + (f"OUTSIDE: {', '.join(outside)}" if outside else "inside")
    )


def check_order(pair: tuple[Study, Study]) -> str:
    """Return what the check of a pair of slammers says, and whether fresh throws agree."""
    first, second = (f"{study.scene.slammer.mass_g:g} g" for study in pair)
    where = _described(pair[0])
    found = difference(paired_tally(PAIRED_ODDS.run(pair, _SEED, 0, THROWS)), 0, 1, 0)
    if not found.is_clear:
        return f"{where}: {first} and {second} cannot be told apart"
    if found.value < 0:
        pair, first, second = pair[::-1], second, first
    check = OrderCheck(pairs=[((first, pair[0]), (second, pair[1]))], measure=0)
    counts = PAIRED_ODDS.run(check.studies, _CHECK_SEED, 0, CHECK_THROWS)
    said = check.clause(counts, Z_95).removeprefix("; ")
    if "with every assumption" not in said:
        return f"{where}: {said}. NOT CLAIMED"
    (fresh,) = check.differences(PAIRED_ODDS.run(check.studies, _FRESH_SEED, 0, FRESH_THROWS), Z_95)
    turned = [f"{end} {one.value:+.2f}" for end, one in fresh.items() if one.value <= 0]
    closest = min(fresh, key=lambda end: fresh[end].value)
    return (
        f"{where}: {said}. In {FRESH_THROWS} fresh throws at {len(fresh)} ends it "
        + (f"TURNED: {', '.join(turned)}" if turned else "HELD")
        + f"; least {fresh[closest].value:+.2f} flips, {closest}"
    )


def check_all(name: str, path: Path) -> None:
    """Check scene after scene, with a line in a file for each."""
    rng = np.random.default_rng(_SEED)
    checks: dict[str, Any] = {
        "ranges": (random_study, check_range),
        "orders": (random_pair, check_order),
    }
    draw, check = checks[name]
    scenes = [draw(rng) for _ in range(SCENES)]
    done = len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
    for scene in scenes[done:]:
        line = check(scene)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


if __name__ == "__main__":
    check_all(sys.argv[1], Path(sys.argv[2]))
