"""Throws of a 3-D engine as a CSV file: a row per throw, from which everything else follows."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from calibration.reference3d import Reference3D
from physics import Face, InputError, SlamOutcome
from physics.parsing import parse_csv

_FACES = {Face.UP: "U", Face.DOWN: "D", Face.LEANING: "L", Face.OUT: "O"}


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
        gains_energy: The throw gained energy, and is to be left out.
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


def log_throw(engine: str, cell: str, trial: int, result: Reference3D) -> LoggedThrow:
    """Return the row of a throw; energies are rounded to a millionth of a millijoule."""
    outcome = result.outcome
    return LoggedThrow(
        engine=engine,
        cell=cell,
        trial=trial,
        hit=outcome.hit,
        faces=face_letters(outcome),
        slammer=_FACES[outcome.slammer.face],
        distance_um=distance_um(outcome),
        energy_begin_mj=round(result.energy_begin_mj, 6),
        energy_peak_mj=round(result.energy_peak_mj, 6),
        energy_end_mj=round(result.energy_end_of_impact_mj, 6),
        gains_energy=result.gains_energy,
    )


def face_letters(outcome: SlamOutcome) -> str:
    """Return a letter per piece of the stack from the floor up: U up, D down, L leaning, O out."""
    return "".join(_FACES[piece.face] for piece in outcome.pieces)


def distance_um(outcome: SlamOutcome) -> int:
    """Return the distances from the centre of the pieces inside, whole micrometres, summed."""
    return sum(
        round(1000 * piece.distance_mm) for piece in outcome.pieces if piece.face is not Face.OUT
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
        where: What to call the file in an error.

    Raises:
        InputError: A row that is none of ours; the message names its line.
    """
    throws = []
    for line, row in parse_csv(text, where):
        try:
            throws.append(_throw_from(row))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{where}: line {line} is no logged throw: {error}") from None
    return tuple(throws)


def _throw_from(row: dict[str, str]) -> LoggedThrow:
    letters = set(_FACES.values())
    if not set(row["faces"]) <= letters or row["slammer"] not in letters:
        raise ValueError(f"faces are of {', '.join(sorted(letters))}")
    return LoggedThrow(
        engine=row["engine"],
        cell=row["cell"],
        trial=int(row["trial"]),
        hit=row["hit"] == "1",
        faces=row["faces"],
        slammer=row["slammer"],
        distance_um=int(row["distance_um"]),
        energy_begin_mj=float(row["energy_begin_mj"]),
        energy_peak_mj=float(row["energy_peak_mj"]),
        energy_end_mj=float(row["energy_end_mj"]),
        gains_energy=row["gains_energy"] == "1",
    )
