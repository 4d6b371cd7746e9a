"""The file of a tournament under way: written now and then, and gone on with."""

import math
import time
from collections.abc import Sequence
from pathlib import Path

from physics import InputError
from sim.files import read_text, write_whole
from sim.pokepucks.tournament import (
    Contest,
    Pair,
    PairRow,
    PairTally,
    contest_hash,
    read_results,
    results_csv,
)
from sim.version import version

_SAVE_EVERY_S = 5.0


class ResultFile:
    """The results of a tournament, and its file if there is one.

    Args:
        contest: What the battles are.
        pairs: The pairs.
        seed: The tournament's seed.
        out: The file; None for none.
    """

    def __init__(
        self, contest: Contest, pairs: Sequence[Pair], seed: int, out: Path | None
    ) -> None:
        self._pairs = pairs
        self._hashes = [contest_hash(contest, pair) for pair in pairs]
        self._seed = seed
        self._out = out
        self._saved_s = -math.inf

    def saved(self) -> list[PairTally]:
        """Return what the file has of each pair, with this contest, seed and version.

        Raises:
            InputError: There is no file to go on with, or it is one of something else, or it has
                other battles, too: they would be lost, as the file is written anew.
        """
        if self._out is None:
            raise InputError("resume: not accepted without out; give the file to go on with")
        if not self._out.exists():
            return [PairTally()] * len(self._pairs)
        found = read_results(read_text("out", self._out), f"out: {str(self._out)!r}")
        wanted = [(key, self._seed, version()) for key in self._hashes]
        if not found.keys() <= set(wanted):
            raise InputError(
                f"resume: {str(self._out)!r} has battles of other slammers, options, throws, seed "
                "or version, which would be lost; give another file to go on with"
            )
        return [found.get(key, PairTally()) for key in wanted]

    def rows(self, tallies: Sequence[PairTally]) -> list[PairRow]:
        """Return the rows of the file."""
        return [
            PairRow(pair=pair, tally=tally, seed=self._seed, version=version(), contest_hash=key)
            for pair, tally, key in zip(self._pairs, tallies, self._hashes, strict=True)
        ]

    def save(self, tallies: Sequence[PairTally], *, now: bool = False) -> None:
        """Write the file, if it is time: a tournament that is killed loses a few seconds."""
        due = now or time.monotonic() - self._saved_s > _SAVE_EVERY_S
        if self._out is not None and due:
            write_whole(self._out, results_csv(self.rows(tallies)).encode())
            self._saved_s = time.monotonic()
