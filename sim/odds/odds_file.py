"""The odds CSV: one row per slammer, with the counts of its tally and the chances for people.

Counts are what is stored: ``trials``, ``hits``, ``flips0`` to ``flipsN`` (trials by number of
pieces flipped), ``outs0`` to ``outsN`` (trials by number of pieces that left the arena),
``flipped1`` to ``flippedN`` (flips of each piece, number 1 on the floor), ``leaning``,
``distance_um`` and ``slammers_out``. All columns with chances, means and intervals are derived from
them when the file is written, and are not read; nor are those that begin with ``model_``, factors
by which means, and odds of chances, may be off because the model is. Files from before the counts
were stored have the chances ``p0``, ``out0``, ``place1`` and so on only; their counts are computed
from these.

`merge_odds` adds the counts of files that were thrown at the same scenes with other seeds.
"""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from physics import (
    PHYSICS_VERSION,
    Arena,
    InputError,
    LiftOff,
    Materials,
    Puck,
    Slammer,
    ThrowDistribution,
    check_engine,
    puckdex_slammer,
)
from physics.errors import check_count, check_number, shown
from physics.parsing import parse_csv
from physics.tally import Tally, check_tally
from sim.odds.study import (
    Z_95,
    Study,
    flips_half_width,
    model_ranges,
    odds_of,
    study_hash,
)

_MOST_COUNT = 10**15

_SETTING_COLUMNS = (
    "slammer_g", "thickness_mm", "speed_m_s", "pucks", "puck_g", "knock_out_g", "aim_sd_mm",
    "tilt_sd_deg", "descent_min_deg", "descent_max_deg", "engine", "preset",
)  # fmt: skip
"""Columns that a merge names first where two scenes differ."""


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
        z: Quantile of the intervals, see `sim.odds.study.odds_of`.
        stopped_by: The rule that ended the run; empty if there is none, or it was interrupted.
    """

    name: str
    study: Study
    tally: Tally
    seed: int
    version: str
    physics: int = PHYSICS_VERSION
    z: float = Z_95
    stopped_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsEntry:
    """One row of a file that is read.

    Attributes:
        scene_hash: Hash of the study, see `sim.odds.study.study_hash`.
        seed: The study's seed; the first one of merged studies.
        seeds: Seeds and their numbers of trials, several in merged studies.
        version: Version of the pucklab that made the trials.
        physics: Version of the physics that made them; None in files from before it was stored.
        engine: The engine that made them.
        slammer_g: Mass of the slammer.
        knock_out_g: Mass of the single slammer that was the target; None for a stack of pucks.
        tally: The counts; in a knock-out the target is the lowest piece.
        z: Quantile of the intervals.
    """

    scene_hash: str = ""
    seed: int = 0
    seeds: tuple[tuple[int, int], ...] = ()
    version: str = ""
    physics: int | None = None
    engine: str = "plane"
    slammer_g: float
    knock_out_g: float | None
    tally: Tally
    z: float = Z_95


def row_values(row: OddsRow) -> dict[str, str | int | float]:
    """Return a row's values by column, in the order of the columns.

    ``p_knock_out`` and its interval are empty for a stack of pucks; see the module for the rest.
    """
    scene, thrower = row.study.scene, row.study.thrower
    target = scene.stack[0] if isinstance(scene.stack[0], Slammer) else None
    pucks = [piece for piece in scene.stack if not isinstance(piece, Slammer)]
    return {
        "slammer": row.name,
        "slammer_g": scene.slammer.mass_g,
        "thickness_mm": scene.slammer.thickness_mm,
        "speed_m_s": thrower.speed_mm_s / 1000,
        "pucks": len(pucks),
        "puck_g": pucks[0].mass_g if pucks else "",
        "knock_out_g": target.mass_g if target else "",
        **_estimates(row.tally, row.z, knock_out=target is not None),
        **_model_factors(row.study),
        "aim_sd_mm": thrower.aim_sd_mm,
        "tilt_sd_deg": thrower.tilt_sd_deg,
        "descent_min_deg": thrower.descent_min_deg,
        "descent_max_deg": thrower.descent_max_deg,
        "engine": row.study.engine,
        "preset": scene.preset.name if row.study.engine == "plane" else "",
        "settings": _settings(row.study),
        "version": row.version,
        "physics": row.physics,
        "scene_hash": study_hash(row.study),
        "seed": row.seed,
        "stopped_by": row.stopped_by,
        **_counts(row.tally),
    }


def _estimates(tally: Tally, z: float, *, knock_out: bool) -> dict[str, str | int | float]:
    """Return the columns for people: chances, means and intervals."""
    odds = odds_of(tally, z)
    half = flips_half_width(tally.flips, z)
    down = odds.flips_by_place[0] if knock_out else None
    values: dict[str, str | int | float] = {
        "trials": tally.trials,
        "hits": tally.hits,
        "misses": tally.trials - tally.hits,
        "interval_z": z,
        "flips_mean": odds.flips.value,
        "flips_se": odds.flips.standard_error,
        "flips_low": max(0.0, odds.flips.value - half),
        "flips_high": min(float(tally.pieces), odds.flips.value + half),
        "p_any": odds.any_flip.value,
        "p_any_low": odds.any_flip.low,
        "p_any_high": odds.any_flip.high,
        "p_knock_out": down.value if down else "",
        "p_knock_out_low": down.low if down else "",
        "p_knock_out_high": down.high if down else "",
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
    return values


_FIGURES = {
    "flips": "flips",
    "any_flip": "p_any",
    "outs": "out",
    "any_out": "p_any_out",
    "knock_out": "p_knock_out",
}
"""Figures that the model is unsure of, and their names in columns."""


def _model_factors(study: Study) -> dict[str, str | int | float]:
    """Return the columns that say how far off the figures may be because the model is."""
    ranges = model_ranges(study)
    values: dict[str, str | int | float] = {}
    for figure, name in _FIGURES.items():
        known = ranges.get(figure)
        values[f"model_{name}_low"] = round(known.low, 4) if known else ""
        values[f"model_{name}_high"] = round(known.high, 4) if known else ""
    return values


def _settings(study: Study) -> str:
    """Return the numbers of a study that differ from the defaults, as ``name=value`` with spaces.

    Example:
        >>> from physics import Scene, puck_stack
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> _settings(Study(scene=scene, thrower=ThrowDistribution(aim_sd_mm=8.0)))
        'aim_sd_mm=8'
    """
    scene = study.scene
    slammer, puck = scene.slammer, scene.stack[-1]
    pairs: list[tuple[str, Any, Any]] = [
        ("", scene.arena, Arena()),
        ("", scene.materials, Materials()),
        ("", scene.lift_off, LiftOff()),
        ("", study.thrower, ThrowDistribution()),
        (
            "slammer.",
            slammer,
            puckdex_slammer(slammer.mass_g, slammer.thickness_mm, unofficial=True),
        ),
    ]
    if isinstance(puck, Puck):
        pairs.append(("puck.", puck, Puck()))
    found = []
    for stem, own, default in pairs:
        plain = asdict(default)
        found += [
            f"{stem}{name}={value:.12g}"
            for name, value in asdict(own).items()
            if value != plain[name] and name != "unofficial"
        ]
    return " ".join(found)


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


def merge_odds(files: Sequence[tuple[str, str]]) -> str:
    """Return the CSV of several files' trials together: rows of the same scene are added.

    Args:
        files: Name and text of each file, two or more.

    Raises:
        InputError: A file is no odds CSV; a scene is not in all of them, with the difference
            named; or trials of one seed are in two of them.
    """
    merged: dict[str, tuple[OddsEntry, dict[str, str], str]] = {}
    rows = _raw_rows(*files[0])
    for raw, entry in rows:
        merged[entry.scene_hash] = (entry, raw, files[0][0])
    for name, text in files[1:]:
        found = {entry.scene_hash: (entry, raw, name) for raw, entry in _raw_rows(name, text)}
        for one, other in ((merged, found), (found, merged)):
            for scene, row in one.items():
                if scene not in other:
                    raise InputError(_difference(row, list(other.values())))
        for scene, (entry, raw, where) in merged.items():
            merged[scene] = (_added(entry, found[scene][0], raw, where, name), raw, where)
    texts = [_merged_row(raw, merged[entry.scene_hash][0]) for raw, entry in rows]
    widest = max(texts, key=len)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, fieldnames=list(widest), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(texts)
    return buffer.getvalue()


def _raw_rows(name: str, text: str) -> list[tuple[dict[str, str], OddsEntry]]:
    entries = read_odds(text, name)
    rows = [row for _, row in parse_csv(text, name) if not row.get("cell")]
    if not rows:
        raise InputError(f"{name}: has no row of odds")
    return list(zip(rows, entries, strict=True))


def _difference(
    row: tuple[OddsEntry, dict[str, str], str], others: Sequence[tuple[OddsEntry, Any, str]]
) -> str:
    """Return the error for a row whose scene is not in another file: how the nearest differs."""

    def apart(other: Mapping[str, str]) -> list[str]:
        mine, its = _facts(row[1]), _facts(other)
        return [
            f"{name} {mine.get(name) or 'default'} and {its.get(name) or 'default'}"
            for name in {**mine, **its}
            if mine.get(name) != its.get(name)
        ]

    nearest = min(others, key=lambda other: len(apart(other[1])))
    found = apart(nearest[1]) or ["settings that these files do not hold"]
    return (
        f"{row[2]}: {shown(row[1]['slammer'])} is thrown in another scene than any slammer of "
        f"{nearest[2]}; different: {', '.join(found)}"
    )


def _facts(raw: Mapping[str, str]) -> dict[str, str]:
    facts = {name: raw.get(name, "") for name in _SETTING_COLUMNS}
    more = dict(part.split("=", 1) for part in raw.get("settings", "").split() if "=" in part)
    more.pop("speed_mm_s", None)  # a column in other units
    return facts | more


def _added(
    entry: OddsEntry, more: OddsEntry, raw: Mapping[str, str], where: str, name: str
) -> OddsEntry:
    twice = sorted({seed for seed, _ in entry.seeds} & {seed for seed, _ in more.seeds})
    if twice:
        raise InputError(
            f"{name}: throws of seed {twice[0]} at {shown(raw['slammer'])} are in {where} too, and "
            "would count twice; throw one of them again with another --seed"
        )
    if entry.physics != more.physics:
        raise InputError(
            f"{name}: is of physics version {more.physics or 'unknown'}, "
            f"{where} of {entry.physics or 'unknown'}"
        )
    versions = dict.fromkeys((*entry.version.split("+"), *more.version.split("+")))
    return replace(
        entry,
        seeds=entry.seeds + more.seeds,
        tally=entry.tally + more.tally,
        version="+".join(versions),
        z=max(entry.z, more.z),
    )


def _merged_row(raw: Mapping[str, str], entry: OddsEntry) -> dict[str, Any]:
    return {
        **raw,
        **_estimates(entry.tally, entry.z, knock_out=entry.knock_out_g is not None),
        **_counts(entry.tally),
        "version": entry.version,
        "stopped_by": "merge",
        "seeds": " ".join(f"{seed}:{trials}" for seed, trials in entry.seeds),
    }


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
        seeds=_seeds(row),
        version=row["version"],
        physics=_count(row, "physics") if "physics" in row else None,
        engine=engine,
        slammer_g=_number(row, "slammer_g"),
        knock_out_g=_number(row, "knock_out_g") if row["knock_out_g"] else None,
        tally=tally,
        z=_quantile(row),
    )


def _quantile(row: dict[str, str]) -> float:
    z = _number(row, "interval_z") if row.get("interval_z") else Z_95
    check_number("interval_z", z, low=1.0, high=10.0)
    return z


def _seeds(row: dict[str, str]) -> tuple[tuple[int, int], ...]:
    """Return seeds and their trials: ``1:1000 7:500`` in a merged row."""
    if not row.get("seeds"):
        return ((_count(row, "seed"), _count(row, "trials")),)
    found = []
    for part in row["seeds"].split():
        seed, _, trials = part.partition(":")
        cells = {"seed": seed, "seeds": trials}
        found.append((_count(cells, "seed"), _count(cells, "seeds")))
    if sum(trials for _, trials in found) != _count(row, "trials"):
        raise InputError(f"seeds: {shown(row['seeds'])} does not add up to the trials")
    return tuple(found)


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
