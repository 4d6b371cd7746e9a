"""A check of what odds say of themselves: the range of belief, and orders that "held".

``python -m tools.beliefs ranges`` throws random scenes in space with each assumption at its ends
and says whether the mean flips lie in the range that `sim.odds.model_ranges` claims for the scene.
``python -m tools.beliefs orders`` compares pairs of slammers as ``pucklab odds`` does, and where it
says that an order held, throws fresh ones at every end and says whether it held in those too.
"""

import sys
from collections.abc import Iterator

import numpy as np

from physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
from physics.tally import mean_of
from sim.experiments.estimates import Z_95
from sim.odds.assumptions import AS_ASSUMED, OrderCheck, at_ends
from sim.odds.model_ranges import model_ranges
from sim.odds.study import PAIRED_ODDS, Study, run_trials

SCENES, THROWS = 20, 200
PAIRS, CHECK_THROWS, FRESH_THROWS = 8, 100, 400
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
    return Study(scene=scene, thrower=thrower, engine="solid")


def _described(study: Study) -> str:
    """Return a scene in a few words."""
    own = study.thrower
    descent = f"{own.descent_min_deg:g} to {own.descent_max_deg:g} degrees"
    return f"{len(study.scene.stack)} pucks at {own.speed_mm_s / 1000:g} m/s, {descent}"


def check_ranges(rng: np.random.Generator) -> Iterator[str]:
    """Yield for each scene whether flips at the ends of assumptions lie in the range claimed.

    An end is outside if its mean, less the error of both means, is.
    """
    for _ in range(SCENES):
        study = random_study(rng)
        means = {
            name: mean_of(run_trials(own, _SEED, 0, THROWS).flips)
            for name, own in at_ends(study).items()
        }
        own = means.pop(AS_ASSUMED)
        claim = model_ranges(study)["flips"]
        outside = []
        for name, mean in means.items():
            low, high = claim.around(own.value)
            slack = Z_95 * np.hypot(mean.standard_error, own.standard_error)
            if not low - slack <= mean.value <= high + slack:
                outside.append(f"{name} {mean.value / own.value:.2f}")
        ends = [mean.value / own.value for mean in means.values()]
        yield (
            f"{study.scene.slammer.mass_g:g} g, {_described(study)}: claimed x{claim.low:.2f} to "
            f"x{claim.high:.2f}, ends x{min(ends):.2f} to x{max(ends):.2f}; "
            + (f"OUTSIDE: {', '.join(outside)}" if outside else "inside")
        )


def check_orders(rng: np.random.Generator) -> Iterator[str]:
    """Yield for each pair of slammers what its check said, and the fresh throws."""
    for _ in range(PAIRS):
        first, second = sorted(rng.choice([4.0, 8.0, 12.0, 20.0], 2, replace=False))
        state = rng.bit_generator.state
        light = random_study(rng, float(first))
        rng.bit_generator.state = state  # the same scene and thrower
        heavy = random_study(rng, float(second))
        flips = [mean_of(run_trials(own, _SEED, 0, THROWS).flips).value for own in (light, heavy)]
        pair = ((f"{first:g} g", light), (f"{second:g} g", heavy))
        check = OrderCheck(pairs=[pair if flips[0] > flips[1] else pair[::-1]], measure=0)
        counts = PAIRED_ODDS.run(check.studies, _CHECK_SEED, 0, CHECK_THROWS)
        (said,) = check.sentences(counts)
        line = f"{_described(light)}: {said}"
        if "held" in said:
            fresh = PAIRED_ODDS.run(check.studies, _FRESH_SEED, 0, FRESH_THROWS)
            (found,) = check.differences(fresh)
            turned = [name for name, one in found.items() if one.value <= 0]
            line += f" In fresh throws: {', '.join(turned) + ' TURNED' if turned else 'held'}."
        yield line


if __name__ == "__main__":
    checks = {"ranges": check_ranges, "orders": check_orders}
    for found in checks[sys.argv[1]](np.random.default_rng(_SEED)):
        sys.stdout.write(f"{found}\n")
        sys.stdout.flush()
