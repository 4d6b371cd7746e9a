"""Mats and layouts as text: drawings, codes for one line, and rows of mats.

**Drawings** (`read_mat`) have a line for each row of spaces, north first, and a
character for each space::

    .  open          ~  pool
    p  start space of a puck, m of a meeple, i of an ice block
    v ^ < >          a goal space; the arrow points out of its open front

Two equal arrows side by side are one goal. A drawing with walls has 2 n + 1 lines and columns:
corners are ``+``, and between them an edge is ``|`` or ``-`` for a wall, a blank for none::

    + + +
     .|.
    + +-+
     p .
    + + +

**Codes** (`read_mat_code`, `mat_code`) are a mat's label and rows in one line: ``X1/.p2./s...``.
The characters are those of drawings, except that a pool is ``o`` and a goal's arrow the letter of
its direction, so that a shell leaves them alone. A hexadecimal digit after a space is the sum of
the walls on its edges: 1 north, 2 east, 4 south, 8 west.

**Layouts** (`read_layout`, `layout_text`) are rows of mats from the north: ``B1.K5.K3@90/K1f.-.G2``
is two rows of three slots. ``K1f`` is the flip side of mat K1, ``@90`` a clockwise turn, ``-`` an
empty slot. In a file, rows may be lines, separated by blanks instead of full stops.

Errors in any of them are `NotationError`s, which mark the offending text.
"""

import re
from collections.abc import Mapping, Sequence

from pucklab.base.decoding import check_names
from pucklab.base.errors import errors_at
from pucklab.base.facts import small_fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.mats import (
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
"""Characters shown on either side of an error."""

ARROWS = {"^": Direction.N, ">": Direction.E, "v": Direction.S, "<": Direction.W}
STARTS = {"p": Kind.PUCK, "m": Kind.MEEPLE, "i": Kind.ICE}
OPEN, POOL = ".", "~"
_WALLS = "|-"
NAME = re.compile(r"[A-Z][A-Z0-9]{0,7}")
_SIDES = ("front", "flip")
_TO_CODE = str.maketrans({POOL: "o"} | {sign: to.name.lower() for sign, to in ARROWS.items()})
_FROM_CODE = str.maketrans({"o": POOL} | {to.name.lower(): sign for sign, to in ARROWS.items()})
_ROW = re.compile(r"([.opminesw])([1-9A-F]?)")
LABEL = re.compile(r"([A-Z][A-Z0-9]{0,7})(f?)")
_TOKEN = re.compile(r"[^\s./]+|[/\n]")
_SLOT = re.compile(r"([A-Z][A-Z0-9]*f?)(?:@(0|90|180|270))?")
_EMPTY = "-"

MAX_SIDE = 64
"""Most rows and columns of slots in a text; mats may move beyond."""


@small_fact
class Problem:
    """An error in a text.

    Attributes:
        message: The error, and what is accepted instead.
        start: Index of the first offending character.
        end: Index after the last offending character; None if the whole text is meant.
    """

    message: str
    start: int = 0
    end: int | None = None


class NotationError(InputError):
    """A text that is not a position, board or move; the message marks each error in the text.

    Attributes:
        text: The text.
        problems: Its errors, at least one.
    """

    longest = 2000  # it has all problems of a line

    def __init__(self, field: str, text: str, problems: Sequence[Problem]) -> None:
        self.text = text
        self.problems = tuple(problems)
        messages = []
        for problem in problems:
            message = problem.message
            if problem.end is not None:
                message = f"{mark_text(text, problem.start, problem.end)}: {message}"
            messages.append(message)
        count = f"{len(messages)} problems: " if len(messages) > 1 else ""
        super().__init__(f"{field}: {count}{'; '.join(messages)}")


def problem_in(
    field: str, text: str, message: str, start: int = 0, end: int | None = None
) -> NotationError:
    """Return the error of a text with one problem: in all of it, or in a part."""
    return NotationError(field, text, [Problem(message, start, len(text) if end is None else end)])


def mark_text(text: str, start: int, end: int) -> str:
    """Return a part of a text between ``>>`` and ``<<``, with some text around it.

    Example:
        >>> mark_text("pb1:small:RPzz9:-:R:-", 12, 15)
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
    whole = " ".join(f"{before}>>{middle}<<{after}".split())
    return f"'{''.join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in whole)}'"


def read_mat(name: str, drawing: str, *, flipped: bool = False) -> MatFace:
    """Return the side of a mat from its drawing.

    Args:
        name: The mat's name.
        drawing: Lines as described in the module. In a drawing without walls, empty lines and
            surrounding blanks are ignored.
        flipped: Whether it is the flip side.

    Raises:
        NotationError: The drawing is not square, or has an unknown character or half a goal.

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
        problem = Problem(
            f"{len(lines)} lines; with walls, give 2 n + 1 lines of 2 n + 1 characters"
        )
        raise NotationError(where, drawing, [problem])
    grid = [line.ljust(len(lines)) for line in lines]
    rows = [grid[2 * row + 1][1::2] for row in range(size)]
    walls = {
        canonical_edge(size, row * size + column, direction)
        for row in range(size)
        for column in range(size)
        for direction in Direction
        for down, right in (direction.step,)
        if grid[2 * row + 1 + down][2 * column + 1 + right] in _WALLS
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
    """Return the side of a mat from its rows of characters and its walls.

    Raises:
        NotationError: As in `read_mat`.
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
                        f"{sign!r} is not a space; give one of . ~ p m i v ^ < >", place, place + 1
                    )
                )
    if problems:
        raise NotationError(where, text, problems)
    # Goals: pairs of equal arrows side by side, counted from the north-west.
    signs, goals, paired = "".join(rows), list[Goal](), set[int]()
    for space, sign in enumerate(signs):
        if sign not in ARROWS or space in paired:
            continue
        row, column = divmod(space, size)
        down, right = (0, 1) if sign in "^v" else (1, 0)
        twin = space + down * size + right
        if max(row + down, column + right) < size and signs[twin] == sign:
            paired |= {space, twin}
            goals.append(Goal((space, twin), ARROWS[sign]))
        else:
            place = space + row
            problems.append(
                Problem("half a goal; give two equal arrows side by side", place, place + 1)
            )
    if problems:
        raise NotationError(where, text, problems)
    return MatFace(
        name=name,
        flipped=flipped,
        size=size,
        pools=frozenset(space for space, sign in enumerate(signs) if sign == POOL),
        goals=tuple(goals),
        starts=frozenset((s, STARTS[sign]) for s, sign in enumerate(signs) if sign in STARTS),
        walls=walls,
    )


def read_mats(field: str, table: Mapping[str, Mapping[str, str]]) -> dict[str, MatFace]:
    """Return the sides of the mats in a TOML table ``[mats]``, by label.

    Args:
        field: Name of the file in errors.
        table: Mat names mapped to tables with the drawings ``front`` and, optionally, ``flip``.

    Raises:
        InputError: A name, a side or a drawing that is not accepted.

    Example:
        >>> sorted(read_mats("board", {"X1": {"front": "p.\\n..", "flip": "..\\n.."}}))
        ['X1', 'X1f']
    """
    faces: dict[str, MatFace] = {}
    for name, sides in table.items():
        if not NAME.fullmatch(name):
            raise InputError(
                f"{field} mats {name}: not accepted; give a name of 1 to 8 capital letters and "
                "digits that begins with a letter"
            )
        for side, drawing in sides.items():
            check_names(f"{field} mats {name}", sides, _SIDES)
            with errors_at(f"{field}:"):
                face = read_mat(name, drawing, flipped=side == "flip")
            faces[face.label] = face
    return faces


def mat_code(face: MatFace) -> str:
    """Return the code of a mat's side, as used in the line of a position.

    Example:
        >>> mat_code(read_mat("X1", "vv~\\n...\\np..", flipped=True))
        'X1f/sso/.../p..'
    """
    walls, drawn = [0] * face.spaces, [OPEN] * face.spaces
    for space, direction in face.walls:
        walls[space] |= 1 << direction
    for space in face.pools:
        drawn[space] = POOL
    for start, kind in face.starts:
        drawn[start] = next(sign for sign, of in STARTS.items() if of is kind)
    for goal in face.goals:
        for space in goal.spaces:
            drawn[space] = next(sign for sign, to in ARROWS.items() if to is goal.facing)
    signs = "".join(drawn).translate(_TO_CODE)
    coded = [sign + (f"{wall:X}" if wall else "") for sign, wall in zip(signs, walls, strict=True)]
    rows = ["".join(coded[row * face.size : (row + 1) * face.size]) for row in range(face.size)]
    return "/".join((face.label, *rows))


def read_mat_code(text: str) -> MatFace | None:
    """Return the mat's side of a code; None if the text is not a code.

    Raises:
        NotationError: The code is not square, or has half a goal.
    """
    label, *rows = text.split("/")
    named = LABEL.fullmatch(label)
    spaces = [_ROW.findall(row) for row in rows]
    understood = ["".join(sign + wall for sign, wall in row) for row in spaces]
    if named is None or not rows or understood != rows:
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


def read_layout(field: str, text: str, faces: Mapping[str, MatFace]) -> Layout:
    """Return the layout of a text; its legality is not checked.

    Args:
        field: Name of the text in errors.
        text: The text.
        faces: The known sides of mats, by label.

    Raises:
        NotationError: An unknown mat, or no mat at all.
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
        if match is None and word != _EMPTY:
            message = f"{word!r} is not a slot; give a mat such as B1, B1f or B1@90, or -"
            problems.append(Problem(message, *token.span()))
        elif match is not None and match[1] not in faces:
            message = f"there is no mat {match[1]}; give one of {', '.join(sorted(faces))}"
            problems.append(Problem(message, *token.span()))
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
    """Return a layout as one line of text.

    Example:
        >>> from pucklab.sim.bumpers.setups import house_faces
        >>> layout_text(read_layout("layout", "B1 K5@90\\n- G1f@180", house_faces()))
        'B1.K5@90/-.G1f@180'
    """
    return "/".join(map(".".join, rows_of_mats(layout)))


def rows_of_mats(layout: Layout) -> list[list[str]]:
    """Return the label and turn of the mat in each slot."""
    rows = [[_EMPTY] * layout.columns for _ in range(layout.rows)]
    for face, place in zip(layout.faces, layout.places, strict=True):
        turn = f"@{90 * place.turn}" if place.turn else ""
        rows[place.slot[0]][place.slot[1]] = face.label + turn
    return rows
