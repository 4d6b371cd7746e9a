"""Throws of a 3-D engine as a CSV file: a row per throw, from which everything else follows."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache

from calibration.cells import cell_named, scene_of
from calibration.reference3d import Reference3D
from physics import Face, InputError
from physics.errors import check_count, check_number, shown
from physics.parsing import parse_csv
from physics.tally import Tally, distance_um, tally_of_faces

_BY_LETTER = {face.letter: face for face in Face}

_MOST_ENERGY_MJ = 1e300
"""Throws that gain energy are logged, too, however much they gain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedThrow:
    """One throw in a 3-D engine.

    Attributes:
        engine: Which engine.
        cell: Name of the cell.
        trial: The trial's number.
        hit: The slammer hit the stack.
        faces: A letter per piece from the floor up: U up, D down, L leaning, O out.
        slammer: The same letter for the thrown slammer.
        distance_um: Sum of the distances from the centre of the pieces inside, in whole
            micrometres each.
        energy_begin_mj: Mechanical energy at the start.
        energy_peak_mj: The highest seen.
        energy_end_mj: At the end of the impact.
        gains_energy: The throw gained energy, and is left out of tallies.
        engine_version: Version of the engine; empty in files from before it was stored.
        settings: Name of the engine's settings; empty where there is no choice.
    """

    engine: str
    cell: str
    trial: int
    hit: bool
    faces: str
    slammer: str
    distance_um: int
    energy_begin_mj: float
    energy_peak_mj: float
    energy_end_mj: float
    gains_energy: bool
    engine_version: str = ""
    settings: str = ""


def log_throw(
    engine: str,
    cell: str,
    trial: int,
    result: Reference3D,
    engine_version: str = "",
    settings: str = "",
) -> LoggedThrow:
    """Return the row of a throw; energies are rounded to a millionth of a millijoule."""
    outcome = result.outcome
    return LoggedThrow(
        engine=engine,
        cell=cell,
        trial=trial,
        hit=outcome.hit,
        faces="".join(piece.face.letter for piece in outcome.pieces),
        slammer=outcome.slammer.face.letter,
        distance_um=distance_um(outcome),
        energy_begin_mj=round(result.energy_begin_mj, 6),
        energy_peak_mj=round(result.energy_peak_mj, 6),
        energy_end_mj=round(result.energy_end_of_impact_mj, 6),
        gains_energy=result.gains_energy,
        engine_version=engine_version,
        settings=settings,
    )


def tally_of_throw(throw: LoggedThrow) -> Tally:
    """Return the tally of one logged throw.

    Example:
        >>> from dataclasses import replace
        >>> throw = LoggedThrow(engine="mujoco", cell="4g-6mm-5ms-on-4g-1", trial=0, hit=True,
        ...     faces="UD", slammer="O", distance_um=0, energy_begin_mj=1.0, energy_peak_mj=1.0,
        ...     energy_end_mj=0.5, gains_energy=False)
        >>> tally_of_throw(throw).flips
        (0, 1, 0)
    """
    return tally_of_faces(
        [_BY_LETTER[letter] for letter in throw.faces],
        slammer=_BY_LETTER[throw.slammer],
        hit=throw.hit,
        distance_um=throw.distance_um,
    )


def write_log(throws: Sequence[LoggedThrow]) -> str:
    """Return throws as a CSV text, sorted by engine, cell and trial.

    Example:
        >>> write_log([]).split(",")[:3]
        ['engine', 'cell', 'trial']
    """
    text = io.StringIO()
    names = [field.name for field in fields(LoggedThrow)]
    writer = csv.DictWriter(text, fieldnames=names, lineterminator="\n")
    writer.writeheader()
    for throw in sorted(throws, key=lambda t: (t.engine, t.cell, t.trial)):
        row = asdict(throw)
        writer.writerow({**row, "hit": int(throw.hit), "gains_energy": int(throw.gains_energy)})
    return text.getvalue()


def read_log(text: str, where: str) -> tuple[LoggedThrow, ...]:
    """Read throws that `write_log` wrote.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A row is not one of a log; the message names its line.
    """
    throws = []
    for line, row in parse_csv(text, where):
        try:
            throws.append(_throw_from(row))
        except KeyError as error:
            raise InputError(
                f"{where}: line {line} is no logged throw: column {error.args[0]} is missing"
            ) from None
        except ValueError as error:
            raise InputError(f"{where}: line {line} is no logged throw: {error}") from None
    return tuple(throws)


def _throw_from(row: dict[str, str]) -> LoggedThrow:
    if not {*row["faces"]} <= {*_BY_LETTER} or row["slammer"] not in _BY_LETTER:
        raise ValueError(f"faces are of {', '.join(sorted(_BY_LETTER))}")
    pieces = _pieces(row["cell"])
    if len(row["faces"]) != pieces:
        raise ValueError(f"faces: {shown(row['faces'])} is not accepted; give {pieces} letters")
    return LoggedThrow(
        engine=row["engine"],
        cell=row["cell"],
        trial=_count(row, "trial"),
        hit=row["hit"] == "1",
        faces=row["faces"],
        slammer=row["slammer"],
        distance_um=_count(row, "distance_um"),
        energy_begin_mj=_energy(row, "energy_begin_mj", low=1e-6),
        energy_peak_mj=_energy(row, "energy_peak_mj"),
        energy_end_mj=_energy(row, "energy_end_mj"),
        gains_energy=row["gains_energy"] == "1",
        engine_version=row.get("engine_version", ""),
        settings=row.get("settings", ""),
    )


@lru_cache(maxsize=1024)
def _pieces(cell: str) -> int:
    return len(scene_of(cell_named(cell)).stack)


def _count(row: dict[str, str], name: str) -> int:
    text = row[name]
    value = int(text) if text.isdecimal() and len(text) < 20 else text
    check_count(name, value, low=0, high=10**12)
    return int(value)


def _energy(row: dict[str, str], name: str, low: float = -_MOST_ENERGY_MJ) -> float:
    value = float(row[name])
    check_number(name, value, low=low, high=_MOST_ENERGY_MJ, unit="mJ")
    return value
