"""Errors in a text: one line that shows the place.

Mats as text drawings.

A drawing has a line for each row of spaces, north first, and a character for each space:

    .  open          ~  pool
    p  start space of a puck, m of a meeple, i of an ice block
    v ^ < >          a goal space; the arrow points out of its open front

Two equal arrows side by side are one goal. A drawing with walls has twice as many lines and
columns and one more: corners are ``+``, edges stand between the spaces, ``|`` and ``-`` are walls
and a blank is none::

    + + +
     .|.
    + +-+
     p .
    + + +

Mats from the ``[mats]`` table of a TOML file: drawings of the front and the flip side.

Own mats in a position's line: ``X1/.p2./s...``, the rows of spaces after the mat's label.

Signs are those of drawings, but pools are ``o`` and a goal's arrow is the letter of its
direction, so that no shell takes them for its own. A hexadecimal digit after a space tells the
walls on its edges: 1 north, 2 east, 4 south, 8 west, added up.

Layouts in text: rows of mats from the north, each with its side and turn.

``B1.K5.K3@90/K1f.-.G2@180`` is two rows of three slots. ``K1f`` is the flip side of mat K1,
``@90`` turns a mat clockwise, ``-`` is a slot without a mat. In a file, rows may be lines and
blanks may stand for the full stops.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from physics import InputError
from physics.errors import shown
from sim.bumpers.mats import (
    MAX_MAT_SIZE,
    MIN_MAT_SIZE,
    Direction,
    Goal,
    Kind,
    Layout,
    MatFace,
    Place,
    canonical_edge,
    make_layout,
)

_AROUND = 14


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a text.

    Attributes:
        message: What is wrong, and what is accepted.
        start: Where the offending text begins; None where the whole text is meant.
        end: Where it ends.
    """

    message: str
    start: int | None = None
    end: int | None = None


class NotationError(InputError):
    """A text that is no position, board or move; the message marks every place.

    Attributes:
        text: The text.
        problems: What is wrong with it; at least one.
    """

    def __init__(self, field: str, text: str, problems: Sequence[Problem]) -> None:
        self.text = text
        self.problems = tuple(problems)
        told = [_told(text, problem) for problem in self.problems]
        count = f"{len(told)} problems: " if len(told) > 1 else ""
        super().__init__(f"{field}: {count}{'; '.join(told)}")


def marked(text: str, start: int, end: int) -> str:
    """Return the text around a place, which stands between ``>>`` and ``<<``.

    Example:
        >>> marked("pb1:small:RPzz9:-:R:-", 12, 15)
        "'pb1:small:RP>>zz9<<:-:R:-'"
    """
    before, after = text[:start], text[end:]
    if len(before) > _AROUND:
        before = "..." + before[-_AROUND:]
    if len(after) > _AROUND:
        after = after[:_AROUND] + "..."
    middle = text[start:end]
    if len(middle) > 2 * _AROUND:
        middle = middle[: 2 * _AROUND] + "..."
    return "'" + _printed(" ".join(f"{before}>>{middle}<<{after}".split())) + "'"


def _printed(text: str) -> str:
    """Return a text with signs that cannot be printed as Python writes them."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def _told(text: str, problem: Problem) -> str:
    if problem.start is None:
        return problem.message
    end = problem.start if problem.end is None else problem.end
    return f"{marked(text, problem.start, end)}: {problem.message}"


ARROWS: Mapping[str, Direction] = MappingProxyType(
    {"^": Direction.N, ">": Direction.E, "v": Direction.S, "<": Direction.W}
)
STARTS: Mapping[str, Kind] = MappingProxyType({"p": Kind.PUCK, "m": Kind.MEEPLE, "i": Kind.ICE})
OPEN, POOL = ".", "~"
_WALLS = "|-"


def read_mat(name: str, drawing: str, *, flipped: bool = False) -> MatFace:
    """Return the side of a mat that a drawing shows.

    Args:
        name: The mat's name.
        drawing: Lines as the module says; empty lines and blanks around them do not matter in a
            drawing without walls.
        flipped: It is the flip side.

    Raises:
        NotationError: The drawing is not square, or has a sign or half a goal that is no mat's.

    Example:
        >>> mat = read_mat("G1", ".vv.\\n....\\nm...\\n...m")
        >>> mat.size, mat.goals[0].spaces, mat.goals[0].facing.name
        (4, (1, 2), 'S')
    """
    where = f"mat {name}{'f' if flipped else ''}"
    lines = [line.rstrip() for line in drawing.splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    lines = [line[margin:] for line in lines]
    walled = any(sign in line for line in lines for sign in "|-+")
    if not walled:
        return make_mat_face(
            where, name, ["".join(line.split()) for line in lines], flipped=flipped
        )
    size = len(lines) // 2
    if len(lines) % 2 == 0 or any(len(line) > len(lines) for line in lines):
        problem = Problem(f"{len(lines)} lines; with walls, give 2 n + 1 lines of 2 n + 1 signs")
        raise NotationError(where, drawing, [problem])
    grid = [line.ljust(len(lines)) for line in lines]
    rows = [grid[2 * row + 1][1::2] for row in range(size)]
    walls = {
        canonical_edge(size, row * size + column, direction)
        for row in range(size)
        for column in range(size)
        for direction in Direction
        if _edge(grid, row, column, direction) in _WALLS
    }
    return make_mat_face(where, name, rows, walls=frozenset(walls), flipped=flipped)


def make_mat_face(
    where: str,
    name: str,
    rows: list[str],
    *,
    walls: frozenset[tuple[int, Direction]] = frozenset(),
    flipped: bool = False,
) -> MatFace:
    """Return the side of a mat from its rows of signs and its walls.

    Raises:
        NotationError: As `read_mat`.
    """
    size = len(rows)
    text = "/".join(rows)
    problems: list[Problem] = []
    if not MIN_MAT_SIZE <= size <= MAX_MAT_SIZE:
        problems.append(
            Problem(f"{size} rows are not accepted; give {MIN_MAT_SIZE} to {MAX_MAT_SIZE}")
        )
    elif any(len(row) != size for row in rows):
        problems.append(Problem(f"{text!r} is not square; give {size} rows of {size} spaces"))
    else:
        for space, sign in enumerate("".join(rows)):
            if sign not in (OPEN, POOL, *STARTS, *ARROWS):
                place = space + space // size
                problems.append(
                    Problem(
                        f"{sign!r} is no space; give one of . ~ p m i v ^ < >", place, place + 1
                    )
                )
    if problems:
        raise NotationError(where, text, problems)
    signs = "".join(rows)
    return MatFace(
        name=name,
        flipped=flipped,
        size=size,
        pools=frozenset(space for space, sign in enumerate(signs) if sign == POOL),
        goals=_goals(where, rows),
        starts=frozenset((s, STARTS[sign]) for s, sign in enumerate(signs) if sign in STARTS),
        walls=walls,
    )


def space_symbols(face: MatFace) -> list[str]:
    """Return the sign of every space of a mat's side."""
    signs = [OPEN] * face.spaces
    for space in face.pools:
        signs[space] = POOL
    for start, kind in face.starts:
        signs[start] = next(sign for sign, of in STARTS.items() if of is kind)
    for goal in face.goals:
        for space in goal.spaces:
            signs[space] = next(sign for sign, to in ARROWS.items() if to is goal.facing)
    return signs


def draw_mat(face: MatFace) -> str:
    """Return the drawing of a mat's side; one with walls has its edges drawn.

    Example:
        >>> print(draw_mat(read_mat("X", "+-+-+\\n|. .|\\n+ + +\\n|p.~|\\n+-+-+")))
        +-+-+
        |. .|
        + + +
        |p ~|
        +-+-+
    """
    size, signs = face.size, space_symbols(face)
    if not face.walls:
        return "\n".join("".join(signs[row * size : (row + 1) * size]) for row in range(size))
    grid = [[" "] * (2 * size + 1) for _ in range(2 * size + 1)]
    for row in range(0, 2 * size + 1, 2):
        grid[row][::2] = ["+"] * (size + 1)
    for space, sign in enumerate(signs):
        row, column = divmod(space, size)
        grid[2 * row + 1][2 * column + 1] = sign
    for space, direction in face.walls:
        row, column = divmod(space, size)
        down, right = direction.step
        grid[2 * row + 1 + down][2 * column + 1 + right] = "-" if down else "|"
    return "\n".join("".join(line).rstrip() for line in grid)


def _edge(grid: list[str], row: int, column: int, direction: Direction) -> str:
    down, right = direction.step
    return grid[2 * row + 1 + down][2 * column + 1 + right]


def _goals(where: str, rows: list[str]) -> tuple[Goal, ...]:
    """Pair equal arrows that stand side by side, from the west or the north."""
    size = len(rows)
    goals: list[Goal] = []
    problems: list[Problem] = []
    paired: set[int] = set()
    for space, sign in enumerate("".join(rows)):
        if sign not in ARROWS or space in paired:
            continue
        facing = ARROWS[sign]
        row, column = divmod(space, size)
        down, right = (0, 1) if facing in (Direction.N, Direction.S) else (1, 0)
        beside = (row + down, column + right)
        if max(beside) < size and rows[beside[0]][beside[1]] == sign:
            twin = beside[0] * size + beside[1]
            paired |= {space, twin}
            goals.append(Goal((space, twin), facing))
        else:
            place = space + row
            problems.append(
                Problem("half a goal; give two equal arrows side by side", place, place + 1)
            )
    if problems:
        raise NotationError(where, "/".join(rows), problems)
    return tuple(goals)


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


_TO_CODE = str.maketrans({POOL: "o"} | {sign: to.name.lower() for sign, to in ARROWS.items()})
_FROM_CODE = str.maketrans({"o": POOL} | {to.name.lower(): sign for sign, to in ARROWS.items()})
_ROW = re.compile(r"([.opminesw])([1-9A-F]?)")
LABEL = re.compile(r"([A-Z][A-Z0-9]{0,7})(f?)")


def mat_code(face: MatFace) -> str:
    """Return a mat's side as a position's line has it.

    Example:
        >>> from sim.bumpers.mat_notation import read_mat
        >>> mat_code(read_mat("X1", "vv~\\n...\\np..", flipped=True))
        'X1f/sso/.../p..'
    """
    walls = [0] * face.spaces
    for space, direction in face.walls:
        walls[space] |= 1 << direction
    signs = "".join(space_symbols(face)).translate(_TO_CODE)
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
        canonical_edge(len(rows), row * len(rows) + column, direction)
        for row, signs in enumerate(spaces)
        for column, (_, wall) in enumerate(signs)
        for direction in Direction
        if int(wall or "0", 16) >> direction & 1
    }
    return make_mat_face(
        f"mat {label}",
        named[1],
        ["".join(sign for sign, _ in row).translate(_FROM_CODE) for row in spaces],
        walls=frozenset(walls),
        flipped=bool(named[2]),
    )


_TOKEN = re.compile(r"[^\s./]+|[/\n]")
_SLOT = re.compile(r"([A-Z][A-Z0-9]*f?)(?:@(0|90|180|270))?")
_EMPTY = "-"
MAX_SIDE = 64
"""Most rows and columns of slots in a text; mats that move may go beyond."""


def read_layout(field: str, text: str, faces: Mapping[str, MatFace]) -> Layout:
    """Return the layout that a text tells.

    Args:
        field: What to call it in an error.
        text: The text.
        faces: The sides there are, by label.

    Raises:
        NotationError: A slot that is no mat, or no mat at all. Whether the layout is legal is
            not looked at.
    """
    placed: list[tuple[MatFace, Place]] = []
    problems: list[Problem] = []
    row = column = 0
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "/\n":
            row, column = row + (column > 0), 0
            continue
        match = _SLOT.fullmatch(word)
        if word != _EMPTY and (match is None or match[1] not in faces):
            problems.append(Problem(_no_mat(word, match, faces), *token.span()))
        elif match is not None:
            placed.append((faces[match[1]], Place((row, column), int(match[2] or 0) // 90)))
        column += 1
        if row >= MAX_SIDE or column > MAX_SIDE:
            message = f"give at most {MAX_SIDE} rows and columns of mats"
            problems.append(Problem(message, *token.span()))
            break
    if not placed and not problems:
        problems.append(Problem("no mat; give rows of mats such as B1.K5@90/G1.B2", 0, len(text)))
    if problems:
        raise NotationError(field, text, problems)
    return make_layout(placed)


def layout_text(layout: Layout) -> str:
    """Return a layout as text in one line.

    Example:
        >>> from sim.bumpers.setups import house_faces
        >>> layout_text(read_layout("layout", "B1 K5@90\\n- G1f@180", house_faces()))
        'B1.K5@90/-.G1f@180'
    """
    rows = [[_EMPTY] * layout.columns for _ in range(layout.rows)]
    for face, place in zip(layout.faces, layout.places, strict=True):
        turn = f"@{90 * place.turn}" if place.turn else ""
        rows[place.slot[0]][place.slot[1]] = face.label + turn
    return "/".join(".".join(row) for row in rows)


def _no_mat(word: str, match: re.Match[str] | None, faces: Mapping[str, MatFace]) -> str:
    if match is None:
        return f"{word!r} is no slot; give a mat such as B1, B1f or B1@90, or -"
    return f"there is no mat {match[1]}; give one of {', '.join(sorted(faces))}"
