"""Model errors of the odds: a range for each figure, from a table measured once.

`model_ranges` returns factors on the figures of a study; the shipped table behind them is
``model_uncertainty.csv``.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np

from pucklab.base.facts import fact
from pucklab.base.tables import read_rows
from pucklab.physics.pieces import has_usual_make
from pucklab.sim.odds.study import Study


@fact
class ModelRange:
    """Range of a figure due to the uncertainty of the model, as factors.

    Attributes:
        low: Factor on the figure at the lower end, at most 1; on its odds if it is a chance.
        high: Factor at the upper end, at least 1.
        sources: Names of the sources of uncertainty, the largest first.
    """

    low: float
    high: float
    sources: tuple[str, ...]

    def around(self, value: float) -> tuple[float, float]:
        """Return the range of a mean."""
        return value * self.low, value * self.high

    def around_chance(self, chance: float) -> tuple[float, float]:
        """Return the range of a chance.

        Example:
            >>> ModelRange(low=0.5, high=2.0, sources=()).around_chance(0.5)
            (0.3333333333333333, 0.6666666666666666)
        """
        low, high = (chance * f / (1 - chance + chance * f) for f in (self.low, self.high))
        return low, high


def model_ranges(study: Study, *, thrower: bool = False) -> dict[str, ModelRange]:
    """Return the ranges of a study's figures due to the uncertainty of the model.

    Measured at 5 m/s and the default materials, see `tools.model_uncertainty`: by the slammer's
    mass where contacts are varied, over all reference cells where engines differ, both without what
    chance adds. Each source is varied alone to the ends of its range, and reaches from no change to
    the far end of the cells' spread there; so engines that differ to one side widen that side. The
    ends add up as independent causes: the root of the sum of squares of logarithms, below and above
    apart, as all sources are unlikely to be at the same end.

    Args:
        study: The study; its slammer's mass, its hysteresis and its engine count, and whether it
            is a knock-out.
        thrower: Whether the thrower's speed and aim are unsure, too.

    Returns:
        By figure: ``flips``, ``any_flip``, ``outs`` and ``any_out``, or ``knock_out``; a mean's
        range is a factor on it, a chance's one on its odds. Nothing for pieces or floors that are
        not the rulebook's: these were not measured.

    Example:
        >>> from pucklab.physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> flips = model_ranges(Study(scene=scene, thrower=ThrowDistribution()))["flips"]
        >>> flips.low < 1 < flips.high
        True
    """
    found = {}
    for figure, parts in model_parts(study, thrower=thrower).items():
        low = -math.hypot(*(part[0] for part in parts.values()))
        high = math.hypot(*(part[1] for part in parts.values()))
        largest = sorted(parts, key=lambda name: math.hypot(*parts[name]), reverse=True)
        found[figure] = ModelRange(low=math.exp(low), high=math.exp(high), sources=tuple(largest))
    return found


def model_parts(
    study: Study, *, thrower: bool = False
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the lowest and highest logarithm of each figure's factor, by source."""
    pieces = (*study.scene.stack, study.scene.slammer)
    if study.scene.arena.material or not all(map(has_usual_make, pieces)):
        return {}
    wanted = ("knock_out",) if study.scene.is_knock_out else _MEANS_AND_CHANCES
    arena, slammer_g, speed_mm_s = study.scene.arena, pieces[-1].mass_g, study.thrower.speed_mm_s
    counts = dict.fromkeys(THROWER, thrower) | {
        "plane": study.engine == "plane",
        "film": not arena.film_gap_um,
        "drag": not arena.air_kg_m3,
        "shields": study.scene.is_knock_out and len(pieces) > 2,
        "slow": slammer_g >= _HEAVY_G and speed_mm_s <= _SLOW_MM_S,
    }
    left_out = [source for source, does_count in counts.items() if not does_count]
    return {figure: _parts(study, figure, left_out) for figure in wanted}


THROWER = ("speed", "aim")
"""Sources of uncertainty that are the thrower's."""

_HEAVY_G, _SLOW_MM_S = 14.0, 4000.0
"""Throws so heavy and slow are like those of which the row ``slow`` was measured."""


_OF_SOME = frozenset({"shields", "slow"})
"""Differences of engines in some scenes; they stand for those of all scenes."""

_MEANS_AND_CHANCES = ("flips", "any_flip", "outs", "any_out")


def _parts(study: Study, figure: str, left_out: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest logarithm of a figure's factor that each source gives."""
    factors, log_mass = _model_factors(), math.log(study.scene.slammer.mass_g)
    parts = {}
    for source in dict.fromkeys(source for source, _, own in factors if own == figure):
        if source in left_out:
            continue
        # Lowest and highest logarithm by value, linearly over the logarithm of the mass.
        spans = {
            value: [_linear([(mass, ends[k]) for mass, *ends in points], log_mass) for k in (0, 1)]
            for (name, value, own), points in factors.items()
            if (name, own) == (source, figure)
        }
        own_log = 0.0
        if source == "hysteresis":
            measured = {0.0: 0.0} | {float(value): sum(span) / 2 for value, span in spans.items()}
            own_log = _linear(sorted(measured.items()), study.scene.materials.hysteresis)
        ends = [end - own_log for span in ([0.0], *spans.values()) for end in span]
        parts[source] = (min(0.0, *ends), max(0.0, *ends))
    if _OF_SOME.intersection(parts):  # the same difference, where it was found to be another
        parts.pop("engines", None)
    return parts


def _linear(points: Sequence[tuple[float, float]], x: float) -> float:
    """Return the value at x on a line through points in ascending order, level at its ends."""
    xs, ys = (list(own) for own in zip(*points, strict=True))
    return float(np.interp(x, xs, ys))


@lru_cache(maxsize=1)
def _model_factors() -> dict[tuple[str, str, str], list[tuple[float, float, float]]]:
    """Return the logarithms by source, value and figure: that of a mass, the lowest, the highest.

    Differences of engines are of all masses.
    """
    found = defaultdict[tuple[str, str, str], list[tuple[float, float, float]]](list)
    text = (files("pucklab.sim.odds") / "model_uncertainty.csv").read_text(encoding="utf-8")
    for row in (own.cells for own in read_rows(text, "model_uncertainty.csv", ["source"])):
        log, error, spread = (float(row[name]) for name in ("log_factor", "error", "spread"))
        # The square of a mean is too large by its error's.
        log = math.copysign(math.sqrt(max(0.0, log * log - error * error)), log)
        if row["source"] == "plane":  # the solid engine's figure is the nearer one
            log = -log
        mass = math.log(float(row["slammer_g"] or 1.0))
        key = (row["source"], row["value"], row["figure"])
        found[key].append((mass, log - spread, log + spread))
    return {key: sorted(points) for key, points in found.items()}
