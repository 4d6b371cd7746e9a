"""Studies: trials of a scene and thrower, their tallies, and the odds estimated from these.

`run_studies` throws the trials of all studies, here or in an executor, and yields the tallies as
they grow; `odds_of` turns a tally into chances and means with their uncertainty by chance;
`model_ranges` says how far off these may be because the model is.
"""

import csv
import hashlib
import json
import math
import signal
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

from physics import Scene, Throw, ThrowDistribution, draw_throw, slam, trial_generator
from physics.slam import computing_engine
from physics.tally import Mean, Tally, empty_tally, mean_distance_mm, mean_of, tally_of
from sim.core.ordered_work import in_order

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from multiprocessing.connection import Connection

    from sim.odds.stopping import StopRule


CHUNK_TRIALS = 25
"""Trials of one task for a worker: one or two tenths of a second."""


_SENT_AFTER = 10
"""Throws after which a process of its own sends the tally so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A scene, a thrower and an engine.

    Attributes:
        scene: The slammer, the stack and their world.
        thrower: The distribution of throws.
        engine: The engine that simulates them, one of `physics.ENGINES`. Small scenes are the solid
            engine's, see `physics.slam.computing_engine`.

    Example:
        >>> from physics import puck_stack, puckdex_slammer
        >>> pair = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> Study(scene=pair, thrower=ThrowDistribution()).engine
        'solid'
    """

    scene: Scene
    thrower: ThrowDistribution
    engine: str = "plane"

    def __post_init__(self) -> None:
        """Name the engine that computes the scene."""
        object.__setattr__(self, "engine", computing_engine(self.scene, self.engine))


def study_hash(study: Study) -> str:
    """Return 12 hexadecimal digits that identify a study, hashed from every number in it.

    Example:
        >>> from physics import Slammer, puck_stack
        >>> scene = Scene(slammer=Slammer(mass_g=4.0), stack=puck_stack(10))
        >>> len(study_hash(Study(scene=scene, thrower=ThrowDistribution())))
        12
    """
    facts = asdict(study)
    if study.engine == "plane":  # the only engine when the first files were written
        del facts["engine"]
    if study.thrower.direction_deg == 0:  # the only direction at that time
        del facts["thrower"]["direction_deg"]
    if study.scene.materials.hysteresis == 0.0:  # the only contacts then
        del facts["scene"]["materials"]["hysteresis"]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]


def run_trials(study: Study, seed: int, first: int, count: int) -> Tally:
    """Simulate trials ``first`` to ``first + count - 1`` and return their tally.

    Trial i is the same throw in every study with the same thrower, whatever its scene or engine.
    """
    pieces = len(study.scene.stack)
    total = empty_tally(pieces)
    for trial in range(first, first + count):
        throw = draw_throw(study.thrower, pieces, trial_generator(seed, trial))
        total += tally_of(slam(study.scene, throw, engine=study.engine).outcome)
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """State of a run of studies.

    Attributes:
        tallies: One per study; each is of the trials from 0 on, without a gap.
        done: Trials done, over all different studies.
        total: Trials asked for, over all different studies; an estimate if there are rules.
        stopped_by: The rule that ended each study, see `sim.odds.stopping`; None without rules, and
            while the run goes on.
    """

    tallies: tuple[Tally, ...]
    done: int
    total: int
    stopped_by: tuple[str, ...] | None = None


def run_studies(
    studies: Sequence[Study],
    *,
    trials: int = 1000,
    rule: "StopRule | None" = None,
    seed: int = 1,
    begin: Sequence[Tally] | None = None,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[Progress]:
    """Simulate trials of each study, and yield the state after each chunk of them.

    All studies advance together, and each state is complete: its tallies equal those of a shorter
    run. The result does not depend on the executor. Equal studies are simulated once.

    Args:
        studies: The studies.
        trials: Trials per study; not used if there is a rule.
        rule: Ends the run instead of a number of trials, and decides which study is thrown next.
        seed: The seed; trial i of every study is drawn from it and i alone.
        begin: Tallies of an earlier run, one per study; trials continue after them.
        executor: Runs the chunks; None to run them in this process.
        window: Chunks in the executor at a time, so that memory does not grow with the trials.
    """
    order = list(dict.fromkeys(studies))
    first = [studies.index(study) for study in order]
    places = [order.index(study) for study in studies]
    start = [begin[i] if begin else empty_tally(len(studies[i].scene.stack)) for i in first]
    if rule is None:
        states = _run_all(order, trials, seed, start, executor, window)
    else:
        from sim.odds.stopping import run_until

        states = run_until(order, rule, seed=seed, begin=start, executor=executor, window=window)
    for state in states:
        by = state.stopped_by
        yield replace(
            state,
            tallies=tuple(state.tallies[place] for place in places),
            stopped_by=by and tuple(by[place] for place in places),
        )


def run_study(
    studies: Sequence[Study],
    *,
    trials: int = 1000,
    rule: "StopRule | None" = None,
    seed: int = 1,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Progress:
    """Simulate studies to their end; see `run_studies`, which yields the states on the way.

    Example:
        >>> from physics import Scene, Slammer, puck_stack
        >>> scene = Scene(slammer=Slammer(mass_g=4.0), stack=puck_stack(2))
        >>> result = run_study([Study(scene=scene, thrower=ThrowDistribution())], trials=3)
        >>> odds_of(result.tallies[0]).trials
        3
    """
    *_, last = run_studies(
        studies, trials=trials, rule=rule, seed=seed, executor=executor, window=window
    )
    return last


def _run_all(
    studies: Sequence[Study],
    trials: int,
    seed: int,
    begin: Sequence[Tally],
    executor: "Executor | None",
    window: int,
) -> Iterator[Progress]:
    """Simulate a number of trials of each study, and yield the state after each chunk."""
    tallies = list(begin)
    done = sum(tally.trials for tally in tallies)
    total = sum(max(trials, tally.trials) for tally in tallies)
    tasks = (
        (index, studies[index], seed, first, count)
        for index, first, count in _chunks(trials, [tally.trials for tally in tallies])
    )
    yield Progress(tallies=tuple(tallies), done=done, total=total)
    for index, tally in in_order(_run_chunk, tasks, executor, window):
        tallies[index] += tally
        done += tally.trials
        yield Progress(tallies=tuple(tallies), done=done, total=total)


def _chunks(trials: int, begin: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield study, first trial and count of each chunk; the least advanced studies come first."""
    for low in range(min(begin), trials, CHUNK_TRIALS):
        high = min(low + CHUNK_TRIALS, trials)
        for study, start in enumerate(begin):
            if start < high:
                first = max(low, start)
                yield study, first, high - first


def thrown_again(throw: Throw, chance: Throw) -> Throw:
    """Return a throw made again: scattered about its aim, and with the chance of another.

    Args:
        throw: The throw: its speed, direction, descent and tilt stay.
        chance: A drawn throw: its aim is added, its rates and random numbers are taken.
    """
    return replace(
        chance,
        speed_mm_s=throw.speed_mm_s,
        aim_x_mm=throw.aim_x_mm + chance.aim_x_mm,
        aim_y_mm=throw.aim_y_mm + chance.aim_y_mm,
        descent_rad=throw.descent_rad,
        direction_rad=throw.direction_rad,
        tilt_rad=throw.tilt_rad,
        tilt_azimuth_rad=throw.tilt_azimuth_rad,
    )


def run_again(study: Study, throw: Throw, seed: int, first: int, count: int) -> Tally:
    """Make a throw again and again, and return the tally.

    Args:
        study: The scene, the engine, and the thrower whose scatter and chance each throw has.
        throw: The throw, as in `thrown_again`.
        seed: Seed of the chance.
        first: Number of the first throw.
        count: Throws to make.

    Example:
        >>> from physics import Slammer, preset, puck_stack
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(2), preset=preset("fast"))
        >>> study = Study(scene=scene, thrower=ThrowDistribution(aim_sd_mm=0.0))
        >>> aside = Throw(speed_mm_s=5000.0, aim_x_mm=60.0)
        >>> tally = run_again(study, aside, seed=1, first=0, count=3)
        >>> tally.trials, tally.hits
        (3, 0)
    """
    pieces = len(study.scene.stack)
    total = empty_tally(pieces)
    for number in range(first, first + count):
        chance = draw_throw(study.thrower, pieces, trial_generator(seed, number))
        again = thrown_again(throw, chance)
        total += tally_of(slam(study.scene, again, engine=study.engine).outcome)
    return total


def send_tallies(news: "Connection", study: Study, throw: Throw, seed: int, trials: int) -> None:
    """Make a throw again and again, and send the tally so far after every few throws.

    This is the work of a process of its own; it ends when nobody listens any more.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    total = empty_tally(len(study.scene.stack))
    try:
        for first in range(0, trials, _SENT_AFTER):
            total += run_again(study, throw, seed, first, min(_SENT_AFTER, trials - first))
            news.send(total)
    except (BrokenPipeError, ConnectionResetError):
        return
    finally:
        news.close()


def _run_chunk(index: int, study: Study, seed: int, first: int, count: int) -> tuple[int, Tally]:
    return index, run_trials(study, seed, first, count)


Z_95 = NormalDist().inv_cdf(0.975)
"""Quantile of 95 % intervals after a number of trials that was fixed beforehand."""

Z_LOOKED = 2.0
"""Quantile of 95 % intervals of a run that stops when they are narrow; see `sim.odds.stopping`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A chance estimated from counts, with its 95 % Wilson score interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The odds of one scene and thrower, at a stack of n pieces.

    Attributes:
        trials: Number of trials.
        hit: Chance that the slammer hits the stack.
        flips: Pieces flipped per throw.
        flip_chances: Shape (n + 1,); chance of flipping exactly 0..n pieces.
        any_flip: Chance of at least one flip.
        flips_by_place: Shape (n,); chance of each piece to flip; index 0 is on the floor.
        outs: Pieces that leave the arena per throw.
        any_out: Chance that at least one leaves it.
        distance_mm: Mean distance of the pieces that stay inside from the centre; NaN if none does.
        leaning: Pieces that end leaning per throw.
        slammer_out: Chance that the slammer leaves the arena.
    """

    trials: int
    hit: Proportion
    flips: Mean
    flip_chances: tuple[float, ...]
    any_flip: Proportion
    flips_by_place: tuple[Proportion, ...]
    outs: Mean
    any_out: Proportion
    distance_mm: float
    leaning: float
    slammer_out: Proportion


def odds_of(tally: Tally, z: float = Z_95) -> Odds:
    """Estimate the odds from a tally of at least one trial.

    Args:
        tally: The counts.
        z: Quantile of the intervals; `Z_LOOKED` if their width ended the run.

    Raises:
        ValueError: The tally is empty.
    """
    trials = tally.trials
    if trials == 0:
        raise ValueError("tally: no trial is not accepted; give at least 1")
    return Odds(
        trials=trials,
        hit=wilson(tally.hits, trials, z),
        flips=mean_of(tally.flips),
        flip_chances=tuple(count / trials for count in tally.flips),
        any_flip=wilson(trials - tally.flips[0], trials, z),
        flips_by_place=tuple(wilson(count, trials, z) for count in tally.flips_by_place),
        outs=mean_of(tally.outs),
        any_out=wilson(trials - tally.outs[0], trials, z),
        distance_mm=mean_distance_mm(tally),
        leaning=tally.leaning / trials,
        slammer_out=wilson(tally.slammers_out, trials, z),
    )


def wilson(successes: int, trials: int, z: float = Z_95) -> Proportion:
    """Return a proportion with its 95 % Wilson score interval.

    Wilson, J. Am. Stat. Assoc. 22 (1927) 209: unlike the normal interval it stays inside [0, 1],
    and has a width even where nothing or everything succeeded.

    Example:
        >>> p = wilson(0, 100)
        >>> p.value, p.low, round(p.high, 4)
        (0.0, 0.0, 0.037)
    """
    p = successes / trials
    z2 = z**2 / trials
    middle = (p + z2 / 2) / (1 + z2)
    half = z / (1 + z2) * math.sqrt(p * (1 - p) / trials + z2 / (4 * trials))
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return Proportion(value=p, low=low, high=high)


def flips_half_width(histogram: Sequence[int], z: float = Z_95) -> float:
    """Return the half-width of the 95 % interval of the mean number of flips.

    The variance is that of the throws and of four more: two that flip nothing, and two that flip
    one piece more than any did. As in the interval of Agresti and Coull (Am. Stat. 52 (1998) 119),
    they keep the width from being nothing where all throws flipped the same number.

    Args:
        histogram: Throws by number of pieces flipped, from 0 to all of the stack.
        z: Quantile of the interval.

    Example:
        >>> round(flips_half_width((100, 0)), 3), round(flips_half_width((500, 500)), 3)
        (0.027, 0.031)
    """
    flipped = [k for k, count in enumerate(histogram) if count]
    most = min(max(flipped, default=0) + 1, len(histogram) - 1)
    trials = sum(histogram)
    widened = list(histogram)
    widened[0] += 2
    widened[most] += 2
    return z * mean_of(widened).standard_error * math.sqrt((trials + 4) / trials)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRange:
    """The range of a figure that the model's own uncertainty allows, as factors.

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


def model_ranges(study: Study) -> dict[str, ModelRange]:
    """Return how far off the figures of a study may be because the model is.

    Measured at 5 m/s and the default materials, see `tools.model_uncertainty`: by the
    slammer's mass where contacts are varied, over all reference cells where engines differ, both
    without what chance adds. Each source goes to the ends of its range alone. The ends are added as
    those of independent causes, by the root of the sum of squares of logarithms, below and above
    apart: that all sources are at their ends on the same side is less likely than that one is.

    Args:
        study: The study; its slammer's mass, its hysteresis and its engine count, and whether it
            is a knock-out.

    Returns:
        By figure: ``flips``, ``any_flip``, ``outs`` and ``any_out``, or ``knock_out``; a mean's
        range is a factor on it, a chance's one on its odds.

    Example:
        >>> from physics import Scene, puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> flips = model_ranges(Study(scene=scene, thrower=ThrowDistribution()))["flips"]
        >>> flips.low < 1 < flips.high
        True
    """
    wanted = ("knock_out",) if study.scene.is_knock_out else tuple(_MEANS_AND_CHANCES)
    found = {}
    for figure in wanted:
        parts = _parts(study, figure)
        low = -math.hypot(*(part[0] for part in parts.values()))
        high = math.hypot(*(part[1] for part in parts.values()))
        largest = sorted(parts, key=lambda name: math.hypot(*parts[name]), reverse=True)
        found[figure] = ModelRange(low=math.exp(low), high=math.exp(high), sources=tuple(largest))
    return found


_MEANS_AND_CHANCES = ("flips", "any_flip", "outs", "any_out")


def _parts(study: Study, figure: str) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest logarithm of a figure's factor that each source gives."""
    factors = _model_factors()
    parts = {}
    for source in dict.fromkeys(source for source, _, own in factors if own == figure):
        if source == "plane" and study.engine != "plane":
            continue
        logs = {
            value: _at_mass(points, study.scene.slammer.mass_g)
            for (name, value, own), points in factors.items()
            if (name, own) == (source, figure)
        }
        if "" in logs:  # a difference of engines: either may be nearer to the truth
            parts[source] = (-logs[""], logs[""])
            continue
        own_log = 0.0
        if source == "hysteresis":
            own_log = _between({0.0: 0.0} | {float(v): log for v, log in logs.items()}, study)
        ends = [0.0 - own_log, *(log - own_log for log in logs.values())]
        parts[source] = (min(0.0, *ends), max(0.0, *ends))
    return parts


def _between(logs: Mapping[float, float], study: Study) -> float:
    """Return the logarithm at the study's hysteresis, linearly between those measured."""
    own = study.scene.materials.hysteresis
    return _linear(sorted(logs.items()), own)


def _at_mass(points: Sequence[tuple[float, float]], mass_g: float) -> float:
    """Return the logarithm at a slammer's mass, linearly over the mass's logarithm."""
    return _linear([(math.log(mass), log) for mass, log in points], math.log(mass_g))


def _linear(points: Sequence[tuple[float, float]], x: float) -> float:
    """Return the value at x on a line through points in ascending order, level at its ends."""
    for (left, low), (right, high) in pairwise(points):
        if x < right:
            return low + (high - low) * max(0.0, (x - left) / (right - left))
    return points[-1][1]


@lru_cache(maxsize=1)
def _model_factors() -> dict[tuple[str, str, str], list[tuple[float, float]]]:
    """Return the measured logarithms by source, value and figure: each with its slammer's mass."""
    found: defaultdict[tuple[str, str, str], list[tuple[float, float]]] = defaultdict(list)
    text = (files("sim.odds") / "model_uncertainty.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        key = (row["source"], row["value"], row["figure"])
        log, error = float(row["log_factor"]), float(row["error"])
        if row["slammer_g"]:  # a square of what was measured has the square of its error too much
            log = math.copysign(math.sqrt(max(0.0, log * log - error * error)), log)
        # Differences of engines are of all masses.
        found[key].append((float(row["slammer_g"] or 1.0), log))
    return {key: sorted(points) for key, points in found.items()}
