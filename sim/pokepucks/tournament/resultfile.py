"""The tournament CSV: a row per pair, from which the tally can be read again."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from physics import InputError
from sim.odds import wilson
from sim.pokepucks.tournament.running import Pair
from sim.pokepucks.tournament.tally import PairTally

_COUNTS = tuple(PairTally.__slots__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """One row: which slammers met in what battles, and what came of it.

    Attributes:
        pair: The slammers; the tally tells of the first.
        tally: What happened.
        seed: The tournament's seed.
        version: The version of pucklab that played.
        contest_hash: What the battles are.
    """

    pair: Pair
    tally: PairTally
    seed: int
    version: str
    contest_hash: str


def row_values(row: PairRow) -> dict[str, str | int | float]:
    """Return a row's values by column; chances of a pair without a battle are empty."""
    first, second = row.pair
    tally = row.tally
    won = wilson(tally.wins, tally.battles) if tally.battles else None
    counts: dict[str, str | int | float] = {name: getattr(tally, name) for name in _COUNTS}
    return {
        "slammer": first.name,
        "slammer_g": first.mass_g,
        "opponent": second.name,
        "opponent_g": second.mass_g,
        "p_win": won.value if won else "",
        "p_win_low": won.low if won else "",
        "p_win_high": won.high if won else "",
        **counts,
        "draws": tally.draws,
        "seed": row.seed,
        "version": row.version,
        "contest_hash": row.contest_hash,
    }


def results_csv(rows: Sequence[PairRow]) -> str:
    """Return the text of the CSV file.

    Args:
        rows: At least one.
    """
    text = io.StringIO()
    values = [row_values(row) for row in rows]
    writer = csv.DictWriter(text, fieldnames=list(values[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return text.getvalue()


def read_results(text: str, where: str) -> dict[tuple[str, int, str], PairTally]:
    """Read a CSV of `results_csv` back into tallies, by contest hash, seed and version.

    Args:
        text: The file's text.
        where: What to call the file in an error.

    Raises:
        InputError: A row that is not one of ours; the message names it.
    """
    tallies = {}
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        try:
            key = (row["contest_hash"], int(row["seed"]), row["version"])
            tallies[key] = _tally_from(row)
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"{where}: line {number} is no row of a tournament: {error}") from None
    return tallies


def _tally_from(row: dict[str, str]) -> PairTally:
    tally = PairTally(**{name: int(row[name]) for name in _COUNTS})
    decided = tally.wins + tally.losses
    if min(int(row[name]) for name in _COUNTS) < 0 or decided > tally.battles:
        raise ValueError("its counts do not fit together")
    return tally
