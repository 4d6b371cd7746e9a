"""The wildest of many throws: a search over the trials of a study, by flips, pucks out or height.

`search_best` simulates the trials, here or in an executor, and yields the best ones so far, so that
stopped work still has a result.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import check_count
from pucklab.base.facts import fact
from pucklab.physics import SampleRate, slam
from pucklab.sim.core.ordered_work import in_order
from pucklab.sim.experiments.experiment import CHUNK_TRIALS
from pucklab.sim.odds.study import Study

if TYPE_CHECKING:
    from concurrent.futures import Executor

MEASURES = ("flips", "out", "height")
"""Measures of a wild throw: pucks flipped, pucks out of the arena, height of the highest puck."""

MAX_TRIALS = 100_000
"""Most throws of a search."""

_HEIGHT_RATE = SampleRate(impact_hz=1000.0, settle_hz=60.0, pose_hz=200.0)
"""Samples for heights: between two of them a puck at its highest falls .03 mm."""


@fact
class RankedThrow:
    """A trial of a search with its result.

    Attributes:
        trial: Number of the trial.
        flips: Pieces of the stack that flip.
        outs: Pieces of the stack that leave the arena.
        height_mm: Largest height of the centre of a piece of the stack; 0 if it was not measured.
    """

    trial: int
    flips: int
    outs: int
    height_mm: float = 0.0

    def key(self, measure: str) -> tuple[float, ...]:
        """Return numbers to sort by, the wildest throw first; earlier trials win ties.

        Example:
            >>> high, wide = RankedThrow(trial=4, flips=1, outs=0), RankedThrow(trial=7, flips=1,
            ...     outs=2)
            >>> min(high, wide, key=lambda throw: throw.key("flips")).trial
            7
        """
        numbers = {
            "flips": (self.flips, self.outs),
            "out": (self.outs, self.flips),
            "height": (self.height_mm, self.flips),
        }[measure]
        return (*(-number for number in numbers), self.trial)


@fact
class BestThrows:
    """State of a search.

    Attributes:
        throws: The best throws so far, the wildest first.
        done: Trials simulated.
        total: Trials asked for.
    """

    throws: tuple[RankedThrow, ...]
    done: int
    total: int


def search_best(
    study: Study,
    measure: str,
    *,
    trials: int,
    seed: int,
    keep: int = 1,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[BestThrows]:
    """Simulate trials 0 to ``trials - 1`` of a study, and yield the wildest after each chunk.

    The result does not depend on the executor. The same throw is trial ``trial`` of the seed in
    `pucklab slam` and `pucklab watch`.

    Args:
        study: Scene, thrower and engine.
        measure: One of `MEASURES`.
        trials: Throws to simulate, 1 to `MAX_TRIALS`.
        seed: Seed of the trials.
        keep: Throws to return, 1 to 1000; fewer if there are fewer trials.
        executor: Runs chunks of trials; None to run them in this process.
        window: Chunks in the executor at a time.

    Raises:
        InputError: The measure or a number is not accepted.

    Example:
        >>> from pucklab.physics import Slammer, ThrowDistribution, preset, puck_stack, Scene
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(3), preset=preset("fast"))
        >>> study = Study(scene=scene, thrower=ThrowDistribution())
        >>> *_, last = search_best(study, "out", trials=4, seed=1, keep=2)
        >>> last.done, len(last.throws), last.throws[0].outs >= last.throws[1].outs
        (4, 2, True)
    """
    check_one_of("best", measure, MEASURES)
    check_count("trials", trials, low=1, high=MAX_TRIALS)
    check_count("keep", keep, low=1, high=1000)
    tasks = (
        (study, measure, seed, first, min(CHUNK_TRIALS, trials - first))
        for first in range(0, trials, CHUNK_TRIALS)
    )
    best: tuple[RankedThrow, ...] = ()
    done = 0
    for found in in_order(_rank_trials, tasks, executor, window):
        wildest = sorted((*best, *found), key=lambda throw: throw.key(measure))
        best = tuple(wildest[:keep])
        done += len(found)
        yield BestThrows(throws=best, done=done, total=trials)


def _rank_trials(
    study: Study, measure: str, seed: int, first: int, count: int
) -> list[RankedThrow]:
    rate = _HEIGHT_RATE if measure == "height" else None
    found = []
    for trial in range(first, first + count):
        result, height_mm = slam(study.scene, study.throw(seed, trial), rate, study.engine), 0.0
        if (recording := result.recording) is not None:
            poses = recording.poses
            heights = recording.height_mm if poses is None else poses.middle_mm[:, :, 2]
            height_mm = float(heights[:, :-1].max())
        flips, outs = len(result.outcome.flipped), len(result.outcome.out)
        found.append(RankedThrow(trial=trial, flips=flips, outs=outs, height_mm=height_mm))
    return found
