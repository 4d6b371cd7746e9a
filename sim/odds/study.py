"""Studies: a scene, a thrower and an engine, simulated for many trials."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from physics import Scene, ThrowDistribution, draw_throw, slam, trial_generator
from physics.tally import Tally, empty_tally, tally_of
from sim.core.ordered_work import in_order

if TYPE_CHECKING:
    from concurrent.futures import Executor

CHUNK_TRIALS = 25
"""Trials of one task for a worker: one or two tenths of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A scene, a thrower and an engine.

    Attributes:
        scene: The slammer, the stack and their world.
        thrower: The distribution of throws.
        engine: The engine that simulates them, one of `physics.ENGINES`.
    """

    scene: Scene
    thrower: ThrowDistribution
    engine: str = "plane"


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
        done: Trials done, over all studies.
        total: Trials asked for, over all studies.
    """

    tallies: tuple[Tally, ...]
    done: int
    total: int


def run_studies(
    studies: Sequence[Study],
    *,
    trials: int,
    seed: int,
    begin: Sequence[Tally] | None = None,
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[Progress]:
    """Simulate ``trials`` trials of each study, and yield the state after each chunk of them.

    All studies advance together, and each state is complete: its tallies equal those of a shorter
    run. The result does not depend on the executor.

    Args:
        studies: The studies.
        trials: Trials per study.
        seed: The seed; trial i of every study is drawn from it and i alone.
        begin: Tallies of an earlier run, one per study; trials continue after them.
        executor: Runs the chunks; None to run them in this process.
        window: Chunks in the executor at a time, so that memory does not grow with the trials.
    """
    tallies = list(begin or (empty_tally(len(study.scene.stack)) for study in studies))
    done = sum(tally.trials for tally in tallies)
    total = sum(max(trials, tally.trials) for tally in tallies)
    tasks = (
        (index, studies[index], seed, first, count)
        for index, first, count in _chunks(trials, [tally.trials for tally in tallies])
    )
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


def _run_chunk(index: int, study: Study, seed: int, first: int, count: int) -> tuple[int, Tally]:
    return index, run_trials(study, seed, first, count)
