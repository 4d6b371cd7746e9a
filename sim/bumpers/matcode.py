"""Own mats in a position's line: ``X1/.p2./s...``, the rows of spaces after the mat's label.

Signs are those of drawings, but pools are ``o`` and a goal's arrow is the letter of its
direction, so that no shell takes them for its own. A hexadecimal digit after a space tells the
walls on its edges: 1 north, 2 east, 4 south, 8 west, added up.
"""

import re

from sim.bumpers.directions import Direction
from sim.bumpers.matdrawing import ARROWS, POOL, face_of, signs_of
from sim.bumpers.mats import MatFace, own_side

_TO_CODE = str.maketrans({POOL: "o"} | {sign: to.name.lower() for sign, to in ARROWS.items()})
_FROM_CODE = str.maketrans({"o": POOL} | {to.name.lower(): sign for sign, to in ARROWS.items()})
_ROW = re.compile(r"([.opminesw])([1-9A-F]?)")
LABEL = re.compile(r"([A-Z][A-Z0-9]{0,7})(f?)")


def mat_code(face: MatFace) -> str:
    """Return a mat's side as a position's line has it.

    Example:
        >>> from sim.bumpers.matdrawing import read_mat
        >>> mat_code(read_mat("X1", "vv~\\n...\\np..", flipped=True))
        'X1f/sso/.../p..'
    """
    walls = [0] * face.spaces
    for space, direction in face.walls:
        walls[space] |= 1 << direction
    signs = "".join(signs_of(face)).translate(_TO_CODE)
    coded = [sign + (f"{wall:X}" if wall else "") for sign, wall in zip(signs, walls, strict=True)]
    rows = ["".join(coded[row * face.size : (row + 1) * face.size]) for row in range(face.size)]
    return "/".join((face.label, *rows))


def read_mat_code(text: str) -> MatFace | None:
    """Return the mat's side that a code tells; None if it is no code at all.

    Raises:
        NotationError: It is one, but of no mat: not square, or with half a goal.
    """
    label, *rows = text.split("/")
    named = LABEL.fullmatch(label)
    spaces = [_ROW.findall(row) for row in rows]
    told = ["".join(sign + wall for sign, wall in row) for row in spaces]
    if named is None or not rows or told != rows:
        return None
    walls = {
        own_side(len(rows), row * len(rows) + column, direction)
        for row, signs in enumerate(spaces)
        for column, (_, wall) in enumerate(signs)
        for direction in Direction
        if int(wall or "0", 16) >> direction & 1
    }
    return face_of(
        f"mat {label}",
        named[1],
        ["".join(sign for sign, _ in row).translate(_FROM_CODE) for row in spaces],
        walls=frozenset(walls),
        flipped=bool(named[2]),
    )
