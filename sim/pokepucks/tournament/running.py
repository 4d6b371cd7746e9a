"""Running a tournament: every slammer against every other."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations

from physics import InputError
from sim.ordered import in_order
from sim.pokepucks.design import Design
from sim.pokepucks.tournament.contest import Contest, play_pair
from sim.pokepucks.tournament.tally import PairTally

CHUNK_BATTLES = 2
"""Battles that a worker plays before it reports; one with each slammer first."""

Pair = tuple[Design, Design]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a tournament is.

    Attributes:
        tallies: One per pair; each is of its battles from 0 on, without a gap.
        done: Battles played.
        total: Battles asked for.
    """

    tallies: tuple[PairTally, ...]
    done: int
    total: int


def pairs_of(slammers: Sequence[Design]) -> tuple[Pair, ...]:
    """Return every pair of slammers, once; which is first does not depend on their order here.

    Raises:
        InputError: There are fewer than two, or one is there twice, or is no slammer.
    """
    keys = [design.key for design in slammers]
    for design in slammers:
        if not design.kind.is_slammer:
            raise InputError(f"slammers: {design.name!r} is no slammer; give slammers")
        if keys.count(design.key) > 1:
            raise InputError(f"slammers: {design.name!r} is there twice")
    if len(slammers) < 2:
        raise InputError(f"slammers: {len(slammers)} is not accepted; give at least 2")
    by_name = sorted(slammers, key=lambda design: design.key)
    return tuple(combinations(by_name, 2))


def run_tournament(
    contest: Contest,
    pairs: Sequence[Pair],
    *,
    battles: int,
    seed: int,
    begin: Sequence[PairTally] | None = None,
    executor: Executor | None = None,
    window: int = 8,
) -> Iterator[Progress]:
    """Play ``battles`` battles of every pair, and yield the state after each few of them.

    All pairs get on together, and whatever was yielded last is whole. The result depends neither
    on the executor nor on how often the tournament was stopped.

    Args:
        contest: What the battles are.
        pairs: The pairs.
        battles: Battles a pair.
        seed: The seed.
        begin: What an earlier run has done, one per pair; battles go on after it.
        executor: Where battles run; None for here.
        window: Calls in the executor at a time.
    """
    tallies = list(begin or (PairTally() for _ in pairs))
    done = sum(tally.battles for tally in tallies)
    total = sum(max(battles, tally.battles) for tally in tallies)
    tasks = (
        (index, contest, pairs[index], seed, first, count)
        for index, first, count in _chunks(battles, [tally.battles for tally in tallies])
    )
    for index, tally in in_order(_play_chunk, tasks, executor, window):
        tallies[index] += tally
        done += tally.battles
        yield Progress(tallies=tuple(tallies), done=done, total=total)


def _chunks(battles: int, begin: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield pair, first battle and count of each chunk; pairs that are behind come first."""
    for low in range(min(begin), battles, CHUNK_BATTLES):
        high = min(low + CHUNK_BATTLES, battles)
        for pair, start in enumerate(begin):
            if start < high:
                first = max(low, start)
                yield pair, first, high - first


def _play_chunk(
    index: int, contest: Contest, pair: Pair, seed: int, first: int, count: int
) -> tuple[int, PairTally]:
    return index, play_pair(contest, pair, seed, first, count)
