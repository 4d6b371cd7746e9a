"""Mats as text drawings.

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
"""

from collections.abc import Mapping
from types import MappingProxyType

from sim.bumpers.directions import Direction
from sim.bumpers.marking import NotationError, Problem
from sim.bumpers.mats import MAX_MAT_SIZE, MIN_MAT_SIZE, Goal, MatFace, own_side
from sim.bumpers.pieces import Kind

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
        return face_of(where, name, ["".join(line.split()) for line in lines], flipped=flipped)
    size = len(lines) // 2
    if len(lines) % 2 == 0 or any(len(line) > len(lines) for line in lines):
        problem = Problem(f"{len(lines)} lines; with walls, give 2 n + 1 lines of 2 n + 1 signs")
        raise NotationError(where, drawing, [problem])
    grid = [line.ljust(len(lines)) for line in lines]
    rows = [grid[2 * row + 1][1::2] for row in range(size)]
    walls = {
        own_side(size, row * size + column, direction)
        for row in range(size)
        for column in range(size)
        for direction in Direction
        if _edge(grid, row, column, direction) in _WALLS
    }
    return face_of(where, name, rows, walls=frozenset(walls), flipped=flipped)


def face_of(
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


def signs_of(face: MatFace) -> list[str]:
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
    size, signs = face.size, signs_of(face)
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
