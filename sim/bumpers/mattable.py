"""Mats from the ``[mats]`` table of a TOML file: drawings of the front and the flip side."""

import re
from collections.abc import Mapping
from typing import Any

from physics import InputError
from physics.checks import shown
from sim.bumpers.marking import NotationError
from sim.bumpers.matdrawing import read_mat
from sim.bumpers.mats import MatFace

NAME = re.compile(r"[A-Z][A-Z0-9]{0,7}")
_SIDES = ("front", "flip")


def read_mats(field: str, table: object) -> dict[str, MatFace]:
    """Return the sides of the mats of a table, by label.

    Args:
        field: What to call the file in an error.
        table: Names of mats to tables with the drawings ``front`` and, if it has one, ``flip``.

    Raises:
        InputError: A name, a side or a drawing that is not accepted.

    Example:
        >>> sorted(read_mats("board", {"X1": {"front": "p.\\n..", "flip": "..\\n.."}}))
        ['X1', 'X1f']
    """
    faces: dict[str, MatFace] = {}
    for name, sides in _table(field, "[mats]", table).items():
        if not NAME.fullmatch(name):
            raise InputError(
                f"{field}: [mats] {name}: not accepted; give a name of 1 to 8 capitals and digits "
                "that begins with a letter"
            )
        for side, drawing in _table(field, f"[mats.{name}]", sides).items():
            if side not in _SIDES or not isinstance(drawing, str):
                raise InputError(
                    f"{field}: [mats.{name}] {side}: {shown(drawing)} is not accepted; "
                    "give drawings named front and flip"
                )
            try:
                face = read_mat(name, drawing, flipped=side == "flip")
            except NotationError as error:
                raise InputError(f"{field}: {error}") from None
            faces[face.label] = face
    return faces


def _table(field: str, where: str, table: object) -> Mapping[str, Any]:
    if not isinstance(table, Mapping):
        raise InputError(f"{field}: {where}: {shown(table)} is not accepted; give a table")
    return table
