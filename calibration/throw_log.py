"""Throws of a 3-D engine as a CSV file, a row for each."""

from collections.abc import Sequence
from dataclasses import asdict, fields

from pucklab.base.errors import limits, refusal
from pucklab.base.facts import fact
from pucklab.base.tables import csv_text, read_table
from pucklab.calibration.cells import cell_named, scene_of
from pucklab.physics import Face, InputError
from pucklab.physics.tally import Tally, tally_of_faces

_BY_LETTER = {face.letter: face for face in Face}

_MOST_ENERGY_MJ = 1e300
"""Throws that gain energy are logged, too, however much they gain."""


@fact
class LoggedThrow:
    """One throw in a 3-D engine."""

    engine: str
    cell: str
    trial: int = limits(0, 10**12)
    hit: bool
    faces: str  # a letter per piece from the floor up: U up, D down, L leaning, O out
    slammer: str  # the same for the thrown slammer
    distance_um: int = limits(0, 10**12)  # of the pieces inside from the centre, in all
    energy_begin_mj: float = limits(1e-6, _MOST_ENERGY_MJ, "mJ")
    energy_peak_mj: float = limits(-_MOST_ENERGY_MJ, _MOST_ENERGY_MJ, "mJ")
    energy_end_mj: float = limits(-_MOST_ENERGY_MJ, _MOST_ENERGY_MJ, "mJ")  # after the impact
    gains_energy: bool  # such throws are left out of tallies
    engine_version: str = ""
    settings: str = ""  # of the engine; empty where there is no choice


def tally_of_throw(throw: LoggedThrow) -> Tally:
    """Return the tally of one logged throw.

    Example:
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
    rows = (
        asdict(throw) | {"hit": int(throw.hit), "gains_energy": int(throw.gains_energy)}
        for throw in sorted(throws, key=lambda t: (t.engine, t.cell, t.trial))
    )
    return csv_text([field.name for field in fields(LoggedThrow)], rows)


def read_log(text: str, where: str) -> tuple[LoggedThrow, ...]:
    """Read throws that `write_log` wrote.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A row is not one of a log; the message names row and column.
    """
    found, pieces_of = [], dict[str, int]()
    for row in read_table(LoggedThrow, text, where):
        throw = row.cells
        try:
            if throw.cell not in pieces_of:
                pieces_of[throw.cell] = len(scene_of(cell_named(throw.cell)).stack)
        except InputError as error:
            raise row.error("cell", str(error)) from None
        pieces = pieces_of[throw.cell]
        for name, letters, count in (("faces", throw.faces, pieces), ("slammer", throw.slammer, 1)):
            if len(letters) != count or not {*letters} <= {*_BY_LETTER}:
                accepted = f"{count} of the letters {', '.join(_BY_LETTER)}"
                raise refusal(f"{row.place}, column {name}", letters, accepted)
        found.append(throw)
    return tuple(found)
