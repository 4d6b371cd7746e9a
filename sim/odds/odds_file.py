"""The odds CSV: one row per slammer, with the counts of its tally and the chances for people.

Counts are what is stored: ``trials``, ``hits``, ``flips0`` to ``flipsN`` (trials by number of
pieces flipped), ``outs0`` to ``outsN`` (trials by number of pieces that left the arena),
``flipped1`` to ``flippedN`` (flips of each piece, number 1 on the floor), ``leaning``,
``distance_um`` and ``slammers_out``. All columns with chances, means and intervals are derived from
them when the file is written, and are not read. Files from before the counts were stored have the
chances ``p0``, ``out0``, ``place1`` and so on only; their counts are computed from these.
"""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from physics import PHYSICS_VERSION, InputError, Slammer, check_engine
from physics.errors import check_count, shown
from physics.parsing import parse_csv
from physics.tally import Tally, check_tally
from sim.odds.study import Study, odds_of, study_hash

_MOST_COUNT = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsRow:
    """One row of the file that is written.

    Attributes:
        name: Name of the slammer.
        study: The scene and the thrower.
        tally: At least one trial.
        seed: The study's seed.
        version: Version of the pucklab that made the trials.
        physics: Version of the physics that made them.
    """

    name: str
    study: Study
    tally: Tally
    seed: int
    version: str
    physics: int = PHYSICS_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsEntry:
    """One row of a file that is read.

    Attributes:
        scene_hash: Hash of the study, see `sim.odds.study.study_hash`.
        seed: The study's seed.
        version: Version of the pucklab that made the trials.
        physics: Version of the physics that made them; None in files from before it was stored.
        engine: The engine that made them.
        slammer_g: Mass of the slammer.
        knock_out_g: Mass of the single slammer that was the target; None for a stack of pucks.
        tally: The counts; in a knock-out the target is the lowest piece.
    """

    scene_hash: str = ""
    seed: int = 0
    version: str = ""
    physics: int | None = None
    engine: str = "plane"
    slammer_g: float
    knock_out_g: float | None
    tally: Tally


def row_values(row: OddsRow) -> dict[str, str | int | float]:
    """Return a row's values by column, in the order of the columns.

    ``p_knock_out`` and its interval are empty for a stack of pucks; see the module for the rest.
    """
    scene, thrower = row.study.scene, row.study.thrower
    tally, odds = row.tally, odds_of(row.tally)
    target = scene.stack[0] if isinstance(scene.stack[0], Slammer) else None
    pucks = [piece for piece in scene.stack if not isinstance(piece, Slammer)]
    knock_out = odds.flips_by_place[0] if target else None
    values: dict[str, str | int | float] = {
        "slammer": row.name,
        "slammer_g": scene.slammer.mass_g,
        "thickness_mm": scene.slammer.thickness_mm,
        "speed_m_s": thrower.speed_mm_s / 1000,
        "pucks": len(pucks),
        "puck_g": pucks[0].mass_g if pucks else "",
        "knock_out_g": target.mass_g if target else "",
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
    values |= {
        "aim_sd_mm": thrower.aim_sd_mm,
        "tilt_sd_deg": thrower.tilt_sd_deg,
        "descent_min_deg": thrower.descent_min_deg,
        "descent_max_deg": thrower.descent_max_deg,
        "engine": row.study.engine,
        "preset": scene.preset.name if row.study.engine == "plane" else "",
        "version": row.version,
        "physics": row.physics,
        "scene_hash": study_hash(row.study),
        "seed": row.seed,
    }
    return values | _counts(tally)


def odds_csv(
    rows: Sequence[OddsRow], more: Sequence[Mapping[str, str | int | float]] | None = None
) -> str:
    """Return the text of the CSV file; numbers are written in full.

    Args:
        rows: The rows; stacks may differ in size, and a smaller one leaves columns empty.
        more: Further columns at the end, one mapping per row.
    """
    text = io.StringIO()
    extras = more or [{}] * len(rows)
    values = [row_values(row) | dict(own) for row, own in zip(rows, extras, strict=True)]
    widest = max(values, key=len, default={})
    writer = csv.DictWriter(text, fieldnames=list(widest), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return text.getvalue()


def read_odds(text: str, where: str) -> tuple[OddsEntry, ...]:
    """Read a CSV of `odds_csv` back, in the order of its rows.

    Rows of ``pucklab reference`` are skipped. Files without a column ``engine`` are of the plane.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A row is not one of an odds CSV, or its counts contradict each other; the
            message names its line.
    """
    found = []
    for line, row in parse_csv(text, where):
        if row.get("cell"):
            continue
        try:
            found.append(_entry(row))
        except KeyError as error:
            raise InputError(
                f"{where}: line {line} is no row of odds: column {error.args[0]} is missing"
            ) from None
        except (ValueError, OverflowError) as error:
            raise InputError(f"{where}: line {line} is no row of odds: {error}") from None
    return tuple(found)


def _counts(tally: Tally) -> dict[str, str | int | float]:
    return {
        **{f"flips{k}": count for k, count in enumerate(tally.flips)},
        **{f"outs{k}": count for k, count in enumerate(tally.outs)},
        **{f"flipped{k}": count for k, count in enumerate(tally.flips_by_place, start=1)},
        "leaning": tally.leaning,
        "distance_um": tally.distance_um,
        "slammers_out": tally.slammers_out,
    }


def _entry(row: dict[str, str]) -> OddsEntry:
    engine = row.get("engine") or "plane"
    check_engine(engine)
    tally = _stored_tally(row) if "flips0" in row else _derived_tally(row)
    check_tally(tally)
    return OddsEntry(
        scene_hash=row["scene_hash"],
        seed=_count(row, "seed"),
        version=row["version"],
        physics=_count(row, "physics") if "physics" in row else None,
        engine=engine,
        slammer_g=_number(row, "slammer_g"),
        knock_out_g=_number(row, "knock_out_g") if row["knock_out_g"] else None,
        tally=tally,
    )


def _stored_tally(row: dict[str, str]) -> Tally:
    """Return the tally whose counts are stored."""
    return Tally(
        trials=_count(row, "trials"),
        hits=_count(row, "hits"),
        flips=tuple(_count(row, name) for name in _series(row, "flips", 0)),
        flips_by_place=tuple(_count(row, name) for name in _series(row, "flipped", 1)),
        outs=tuple(_count(row, name) for name in _series(row, "outs", 0)),
        leaning=_count(row, "leaning"),
        distance_um=_count(row, "distance_um"),
        slammers_out=_count(row, "slammers_out"),
    )


def _derived_tally(row: dict[str, str]) -> Tally:
    """Return the tally whose chances are stored, as in files from before counts were."""
    trials = _count(row, "trials")

    def counts(stem: str, first: int) -> tuple[int, ...]:
        return tuple(round(_number(row, name) * trials) for name in _series(row, stem, first))

    tally = Tally(
        trials=trials,
        hits=_count(row, "hits"),
        flips=counts("p", 0),
        flips_by_place=counts("place", 1),
        outs=counts("out", 0),
        leaning=round(_number(row, "leaning_mean") * trials),
        distance_um=0,
        slammers_out=round(_number(row, "p_slammer_out") * trials),
    )
    mean_mm = _number(row, "distance_mm_mean") if tally.inside else 0.0
    return replace(tally, distance_um=round(mean_mm * tally.inside * 1000))


def _series(row: dict[str, str], stem: str, first: int) -> list[str]:
    """Return the numbered columns that are filled in, from ``first`` on."""
    names: list[str] = []
    while row.get(f"{stem}{first + len(names)}"):
        names.append(f"{stem}{first + len(names)}")
    return names


def _count(row: dict[str, str], name: str) -> int:
    text = row[name]
    value = int(text) if text.isdecimal() and len(text) < 20 else text
    check_count(name, value, low=0, high=2**63 if name == "seed" else _MOST_COUNT)
    return int(value)


def _number(row: dict[str, str], name: str) -> float:
    value = float(row[name])
    if not math.isfinite(value) or abs(value) > _MOST_COUNT:
        raise InputError(f"{name}: {shown(row[name])} is not accepted; give a finite number")
    return value
