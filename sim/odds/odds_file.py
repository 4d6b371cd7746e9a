"""The odds CSV: a row per slammer, from which the tally can be read again."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from physics import InputError, Slammer
from sim.odds.estimate import odds_of
from sim.odds.study import Study, study_hash
from sim.odds.tally import Tally

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsRow:
    """One row: what was thrown, and what came of it.

    Attributes:
        name: What the slammer is called.
        study: The scene and the thrower.
        tally: At least one trial.
        seed: The study's seed.
        version: The version of pucklab that threw.
    """

    name: str
    study: Study
    tally: Tally
    seed: int
    version: str


def row_values(row: OddsRow) -> dict[str, str | int | float]:
    """Return a row's values by column, in the order of the columns.

    Columns with a number at their end run over the number of pieces flipped (``p0``, ``p1``...),
    the number that left the arena (``out0``...), or the place in the stack, 1 on the floor
    (``place1``...). ``p_knock_out`` and its interval are empty for a stack of pucks.
    """
    scene, thrower = row.study.scene, row.study.thrower
    tally, odds = row.tally, odds_of(row.tally)
    lying = scene.stack[0] if isinstance(scene.stack[0], Slammer) else None
    pucks = [piece for piece in scene.stack if not isinstance(piece, Slammer)]
    knock_out = odds.flips_by_place[0] if lying else None
    values: dict[str, str | int | float] = {
        "slammer": row.name,
        "slammer_g": scene.slammer.mass_g,
        "thickness_mm": scene.slammer.thickness_mm,
        "speed_m_s": thrower.speed_mm_s / 1000,
        "pucks": len(pucks),
        "puck_g": pucks[0].mass_g if pucks else "",
        "knock_out_g": lying.mass_g if lying else "",
        "trials": tally.trials,
        "hits": tally.hits,
        "misses": tally.trials - tally.hits,
        "flips_mean": odds.flips.value,
        "flips_se": odds.flips.standard_error,
        "p_any": odds.any_flip.value,
        "p_any_low": odds.any_flip.low,
        "p_any_high": odds.any_flip.high,
        "p_knock_out": knock_out.value if knock_out else "",
        "p_knock_out_low": knock_out.low if knock_out else "",
        "p_knock_out_high": knock_out.high if knock_out else "",
    }
    values |= {f"p{k}": chance for k, chance in enumerate(odds.flip_chances)}
    values |= {
        "out_mean": odds.outs.value,
        "out_se": odds.outs.standard_error,
        "p_any_out": odds.any_out.value,
        "p_any_out_low": odds.any_out.low,
        "p_any_out_high": odds.any_out.high,
        "distance_mm_mean": odds.distance_mm,
        "leaning_mean": odds.leaning,
        "p_slammer_out": odds.slammer_out.value,
    }
    values |= {f"out{k}": count / tally.trials for k, count in enumerate(tally.outs)}
    values |= {f"place{k + 1}": p.value for k, p in enumerate(odds.flips_by_place)}
    return values | {
        "aim_sd_mm": thrower.aim_sd_mm,
        "tilt_sd_deg": thrower.tilt_sd_deg,
        "descent_min_deg": thrower.descent_min_deg,
        "descent_max_deg": thrower.descent_max_deg,
        "preset": scene.preset.name,
        "version": row.version,
        "scene_hash": study_hash(row.study),
        "seed": row.seed,
    }


def odds_csv(
    rows: Sequence[OddsRow], more: Sequence[Mapping[str, str | int | float]] | None = None
) -> str:
    """Return the text of the CSV file; numbers are written in full.

    Args:
        rows: At least one; stacks may differ in size, and a smaller one leaves columns empty.
        more: Further columns at the end, one mapping per row.
    """
    text = io.StringIO()
    extras = more or [{}] * len(rows)
    values = [row_values(row) | dict(own) for row, own in zip(rows, extras, strict=True)]
    widest = max(values, key=len)
    writer = csv.DictWriter(text, fieldnames=list(widest), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return text.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsEntry:
    """What a row of a file tells of whom it was thrown at with what.

    Attributes:
        slammer_g: Mass of the slammer.
        knock_out_g: Mass of the lone slammer that was thrown at; None for a stack of pucks.
        tally: What happened; the lone slammer, if there is one, is the lowest piece.
    """

    slammer_g: float
    knock_out_g: float | None
    tally: Tally


def read_tallies(text: str, where: str) -> dict[tuple[str, int, str], Tally]:
    """Read a CSV of `odds_csv` back into tallies, by scene hash, seed and version.

    Args:
        text: The file's text.
        where: What to call the file in an error.

    Raises:
        InputError: A row that is not one of ours; the message names it.
    """
    return dict(_read_rows(text, where, _keyed_tally))


def read_entries(text: str, where: str) -> tuple[OddsEntry, ...]:
    """Read a CSV of `odds_csv` back into what was thrown at what, in order of the rows.

    Args:
        text: The file's text.
        where: What to call the file in an error.

    Raises:
        InputError: A row that is not one of ours; the message names it.
    """
    return _read_rows(text, where, _entry_from)


def _read_rows(text: str, where: str, read: Callable[[dict[str, str]], _Read]) -> tuple[_Read, ...]:
    """Return what ``read`` makes of each row."""
    found = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        if row.get("engine"):  # thrown in a 3-D engine, not by this model
            continue
        try:
            found.append(read(row))
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"{where}: line {number} is no row of odds: {error}") from None
    return tuple(found)


def _keyed_tally(row: dict[str, str]) -> tuple[tuple[str, int, str], Tally]:
    return (row["scene_hash"], int(row["seed"]), row["version"]), _tally_from(row)


def _entry_from(row: dict[str, str]) -> OddsEntry:
    return OddsEntry(
        slammer_g=float(row["slammer_g"]),
        knock_out_g=float(row["knock_out_g"]) if row["knock_out_g"] else None,
        tally=_tally_from(row),
    )


def _tally_from(row: dict[str, str]) -> Tally:
    trials = int(row["trials"])

    def counts(stem: str, first: int) -> tuple[int, ...]:
        found: list[int] = []
        while value := row.get(f"{stem}{first + len(found)}"):
            found.append(round(float(value) * trials))
        return tuple(found)

    tally = Tally(
        trials=trials,
        hits=int(row["hits"]),
        flips=counts("p", 0),
        flips_by_place=counts("place", 1),
        outs=counts("out", 0),
        leaning=round(float(row["leaning_mean"]) * trials),
        distance_um=0,
        slammers_out=round(float(row["p_slammer_out"]) * trials),
    )
    if not sum(tally.flips) == sum(tally.outs) == trials:
        raise ValueError("its chances do not add up to 1")
    distance = float(row["distance_mm_mean"]) * tally.inside * 1000 if tally.inside else 0.0
    return replace(tally, distance_um=round(distance))
