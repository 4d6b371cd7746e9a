"""Boards of sliding puzzles as files: a plain drawing, and the forms of three other programs.

`read_board` returns a position of the rule set ``slide`` (Ricochet-style) with its goals; it tells
the form by the text. `draw_board` writes the plain drawing, one sign a cell and one an edge::

    +-+-+-+-+
    |. .|R .|      R O Y G B V   a puck of that colour
    + +-+ + +      .             an empty cell
    |B . . #|      #             a cell that does not exist
    +-+-+-+-+      | and -       walls
    goal: to:a1:R  the goal, as ``pucklab solve --goal`` takes it; none, or a line each

The other forms:

- drawings of a daily puzzle, with a line ``+ A B C D E F G H +`` above the rows;
- wall masks: an object with ``grid``, a number a cell that adds 1, 2, 4 and 8 for walls north,
  east, south and west, or ``quadrants``, four lists of cells such as ``NW`` clockwise from the
  north-west, of which each next one is turned by a quarter more; ``robots``, the cells of the red,
  green, blue and yellow one; ``robot``, the number of the one meant, 0 if it is left out; and
  ``token``, the cell to reach, or its token in the quadrants, such as ``BT``;
- an editor's list of objects with ``rob_position`` and ``fields``.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from pucklab.base.errors import InputError, shown
from pucklab.base.facts import fact
from pucklab.sim.bumpers.board import (
    Position,
    Square,
    beside,
    board_of,
    make_position,
)
from pucklab.sim.bumpers.kernel.pattern_database import UNREACHABLE
from pucklab.sim.bumpers.mats import (
    MAX_MAT_SIZE,
    MAX_MATS,
    MIN_MAT_SIZE,
    MOST_PIECES,
    Colour,
    Direction,
    Kind,
    Layout,
    MatFace,
    Piece,
    Place,
    Rules,
    canonical_edge,
    make_layout,
)
from pucklab.sim.bumpers.solver.goals import AnyGoal, Goal, Target, check_goal, goal_text, read_goal
from pucklab.sim.bumpers.solver.run import least_actions

_COLOURS = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
"""Colours of robots, in their order in files of other programs."""

_SOUTH_WALL, _TARGET_HERE = "\u0332", "\u0302"
_MARKED = re.compile(".[\u0300-\u036f]*")
"""A sign with the marks that combine with it."""
_HEADER = re.compile(r"^\+(?: [A-Z])+ \+\s*$", re.MULTILINE)
_LENGTH = re.compile(r"^minMoves:\s*([0-9]{1,3})\s*$", re.MULTILINE)


@fact
class SlideBoard:
    """A board that was read.

    Attributes:
        position: The position.
        goals: Its goals by name; the name of a single one may be empty.
        length: The length of a shortest solution by the file; None if it says nothing.
    """

    position: Position
    goals: Mapping[str, AnyGoal]
    length: int | None = None

    def goal(self) -> str:
        """Return the text of the only goal; empty without goals.

        Raises:
            InputError: There are several.
        """
        texts = {goal_text(self.position, goal): name for name, goal in self.goals.items()}
        if len(texts) > 1:
            named = ", ".join(f"{text} ({name})" for text, name in texts.items())
            raise InputError(f"goal: the board has {len(texts)}; give one of {named}"[:300])
        return next(iter(texts), "")


@dataclass
class _Grid:
    """The cells of a board, by row and column from 0, as far as they are read.

    Attributes:
        where: The name of the file in errors.
        rows: The number of rows.
        columns: The number of columns.
        holes: Cells that do not exist.
        walls: Edges that nothing crosses, each from one side or both.
        pieces: The colour of the piece on each cell that has one.
        targets: Each target by its name: its cell, and whose it is: a piece's cell, a colour, or
            None for any piece.
    """

    where: str
    rows: int
    columns: int
    holes: set[Square] = field(default_factory=set)
    walls: set[tuple[Square, Direction]] = field(default_factory=set)
    pieces: dict[Square, Colour] = field(default_factory=dict)
    targets: dict[str, tuple[Square, Square | Colour | None]] = field(default_factory=dict)

    def problem(self, cell: Square, said: str) -> InputError:
        """Return the error of a cell."""
        return InputError(f"{self.where}: row {cell[0] + 1}, column {cell[1] + 1}: {said}")

    def add_piece(self, cell: Square, colour: Colour) -> None:
        """Put a piece on a cell."""
        if cell in self.pieces:
            raise self.problem(cell, "two pieces stand there")
        if cell in self.holes:
            raise self.problem(cell, "a piece stands where there is no cell")
        if len(self.pieces) == MOST_PIECES:
            raise self.problem(cell, f"a piece too many; at most {MOST_PIECES} fit")
        self.pieces[cell] = colour

    def numbered(self, number: object) -> Square:
        """Return the cell of a number, counted row by row from 0."""
        if type(number) is not int or not 0 <= number < self.rows * self.columns:
            most = self.rows * self.columns - 1
            raise InputError(f"{self.where}: {shown(number)} is no cell; give 0 to {most}")
        return divmod(number, self.columns)

    def layout(self) -> Layout:
        """Return mats with these cells: as few cells beside them as possible, then few mats.

        Cells beside them, north and east, are pools.
        """
        sizes = [
            (down * across * size * size, down * across, size, down, across)
            for size in range(MIN_MAT_SIZE, MAX_MAT_SIZE + 1)
            for down, across in ((-(-self.rows // size), -(-self.columns // size)),)
            if 0 < down * across <= MAX_MATS
        ]
        if not sizes:
            raise InputError(
                f"{self.where}: {self.rows} rows and {self.columns} columns are not accepted; "
                f"they must fit on {MAX_MATS} mats of up to {MAX_MAT_SIZE} x {MAX_MAT_SIZE} cells"
            )
        _, _, size, down, across = min(sizes)
        above = down * size - self.rows
        placed = []
        for mat in range(down * across):
            first_row, first_column = mat // across * size - above, mat % across * size
            own = [(first_row + row, first_column + column)
                   for row in range(size) for column in range(size)]  # fmt: skip
            face = MatFace(
                name=f"X{mat:02}",
                size=size,
                pools=frozenset(space for space, cell in enumerate(own) if not self._is_cell(cell)),
                walls=frozenset(
                    canonical_edge(size, space, direction)
                    for space, cell in enumerate(own)
                    for direction in Direction
                    if (cell, direction) in self.walls and self._is_cell(beside(cell, direction))
                ),
            )
            placed.append((face, Place(divmod(mat, across))))
        return make_layout(placed)

    def _is_cell(self, cell: Square) -> bool:
        row, column = cell
        return 0 <= row < self.rows and 0 <= column < self.columns and cell not in self.holes

    def board(self, texts: Sequence[str] = (), length: int | None = None) -> SlideBoard:
        """Return the board, with goals by their texts or the targets."""
        if not self.pieces:
            raise InputError(f"{self.where}: there is no piece")
        board = board_of(self.layout())
        above = board.rows - self.rows
        space_of = {(row - above, column): n for (row, column), n in board.spaces.items()}
        position = make_position(
            self.layout(),
            {space_of[cell]: Piece(colour, Kind.PUCK) for cell, colour in self.pieces.items()},
            to_move=min(self.pieces.values()),
            rules=Rules(slide=True),
        )
        goals: dict[str, AnyGoal] = {}
        for number, text in enumerate(texts):
            goals[f"{number + 1}" if number else ""] = read_goal(position, text)
        for name, (cell, which) in self.targets.items():
            if cell in self.holes:
                raise self.problem(cell, "no piece comes there: there is no cell")
            piece, colour = (None, which) if isinstance(which, Colour) else (which, None)
            target = Target(
                space=space_of[cell],
                colour=colour,
                piece=None if piece is None else space_of[piece],
            )
            goals[name] = Goal(targets=(target,))
        for name, one in goals.items():
            check_goal(position, one)
            if isinstance(one, Goal) and least_actions(position, one) == UNREACHABLE:
                cells = [cell for cell, space in space_of.items() if space == one.targets[0].space]
                named = f"target {name}" if name else "target"
                raise self.problem((cells or [(0, 0)])[0], f"no such piece can reach the {named}")
        return SlideBoard(position=position, goals=goals, length=length)


def read_board(text: str, where: str = "board") -> SlideBoard:
    """Return the board of a text in any of the forms.

    Args:
        text: The text of a file.
        where: Its name in errors.

    Raises:
        InputError: The text is in none of the forms, or has a mistake; rows and columns count from
            1 at the north-west.

    Example:
        >>> drawn = read_board("+-+-+-+\\n|R . .|\\n+-+-+-+\\ngoal: to:c1:R\\n")
        >>> drawn.position.rules.slide, drawn.goal()
        (True, 'to:c1:R')
    """
    if text.lstrip()[:1] in ("{", "["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where} is no JSON: {error}") from None
        return _read_editor(value, where) if isinstance(value, list) else _read_masks(value, where)
    if _HEADER.search(text):
        return _read_daily(text, where)
    return _read_drawing(text, where)


def is_board(text: str) -> bool:
    """Return whether a text is meant as a board of one of the forms."""
    if text.lstrip()[:1] in ("{", "["):
        return '"grid"' in text or '"quadrants"' in text or '"fields"' in text
    return text.lstrip().startswith("+-+") or _HEADER.search(text) is not None


def draw_board(position: Position, goals: Iterable[AnyGoal] = ()) -> str:
    """Return the plain drawing of a position of pucks on a board without goals.

    Raises:
        InputError: Other pieces or goals are on the board, or another rule than ``slide`` holds.

    Example:
        >>> text = "+-+-+\\n|. R|\\n+ +-+\\n|# .|\\n+-+-+\\n"
        >>> draw_board(read_board(text).position) == text
        True
    """
    board, rules = board_of(position.layout), position.rules
    others = any(piece.kind is not Kind.PUCK for _, piece in position.pieces)
    if rules != Rules(slide=True) or board.goals or others:
        raise InputError(
            "position: only pucks of the rule set slide on a board without goals can be drawn so"
        )
    open_squares = set(board.spaces) - board.pools
    top = min(row for row, _ in open_squares)
    right = max(column for _, column in open_squares)
    colours = {board.squares[space]: piece.colour for space, piece in position.pieces}
    lines = []
    for row in range(top, board.rows + 1):
        edges, cells = "+", "|"
        for column in range(right + 1):
            square = row, column
            is_edge = row in (top, board.rows) or (square, Direction.N) in board.barriers
            edges += ("-" if is_edge else " ") + "+"
            colour = colours.get(square)
            sign = "." if square in open_squares else "#"
            cells += sign if colour is None else colour.letter
            is_edge = column == right or (square, Direction.E) in board.barriers
            cells += "|" if is_edge else " "
        lines += [edges, cells]
    lines.pop()
    lines += [f"goal: {goal_text(position, goal)}" for goal in goals]
    return "\n".join(lines) + "\n"


def _read_drawing(text: str, where: str) -> SlideBoard:
    """Return the board of a plain drawing."""
    lines = [line.rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("//")]
    goals: list[str] = []
    while lines and lines[-1].startswith("goal:"):
        goals.insert(0, lines.pop().removeprefix("goal:").strip())
    width = len(lines[0]) if lines else 0
    if len(lines) < 3 or len(lines) % 2 == 0 or width % 2 == 0:
        raise InputError(
            f"{where} is no board; give a drawing of 2 n + 1 lines, such as +-+-+ and |R .|, or a "
            "board of another program"
        )
    grid = _Grid(where, len(lines) // 2, width // 2)
    signs = {".": None, "#": None} | {colour.letter: colour for colour in Colour}
    for number, line in enumerate(lines):
        if len(line) != width:
            column = min(len(line), width) // 2 + 1
            raise InputError(
                f"{where}: row {number // 2 + 1}, column {column}: line {number + 1} has "
                f"{len(line)} signs; the first has {width}"
            )
        for place, sign in enumerate(line):
            row, column = (number - 1) // 2, (place - 1) // 2
            cell = max(row, 0), max(column, 0)
            is_frame = number in (0, len(lines) - 1) or place in (0, width - 1)
            if number % 2 and place % 2:
                if sign not in signs:
                    raise grid.problem(cell, f"{sign!r} is no cell; give {' '.join(signs)}")
                colour = signs[sign]
                if sign == "#":
                    grid.holes.add(cell)
                elif colour is not None:
                    grid.add_piece(cell, colour)
                continue
            edge = "|" if number % 2 else "-" if place % 2 else "+"
            if sign != edge and (sign != " " or is_frame or edge == "+"):
                raise grid.problem(cell, f"{sign!r} is no edge; give {edge} or a blank")
            if sign == "|":
                grid.walls.add(((row, column), Direction.E))
            elif sign == "-":
                grid.walls.add(((row, column), Direction.S))
    return grid.board(tuple(filter(None, goals)))


def _read_daily(text: str, where: str) -> SlideBoard:
    """Return the board of a daily puzzle: one piece is to reach a target."""
    head = _HEADER.search(text)
    assert head is not None
    lines = text[head.end() :].splitlines()[1:]
    rows = list(takewhile(lambda line: line[:1].isdigit(), lines))
    columns = len(head[0].rstrip()) // 2 - 1
    grid = _Grid(where, len(rows), columns)
    special: dict[str, list[Square]] = {"@": [], "X": []}  # the piece that moves, the target
    for row, line in enumerate(rows):
        # After the row's number a blank, then a sign a cell, a sign between two cells, the edge.
        for place, sign in enumerate(_MARKED.findall(line.lstrip("0123456789").rstrip())):
            column, is_between = divmod(place - 1, 2)
            cell, base, marks = (row, column), sign[0], set(sign[1:])
            known = " " if place == 0 else " |" if is_between or column == columns else " |_@#X"
            if column > columns or base not in known or marks - {_SOUTH_WALL, _TARGET_HERE}:
                raise grid.problem(
                    (row, max(column, 0)), f"{sign!r} is not accepted; give one of | _ @ # X"
                )
            if base == "|" and column < columns:
                grid.walls.add((cell, Direction.E if is_between else Direction.W))
            if base == "_" or _SOUTH_WALL in marks:
                grid.walls.add((cell, Direction.S))
            if base in "@#":
                grid.add_piece(cell, Colour.RED if base == "@" else Colour.BLUE)
            if base == "@":
                special["@"].append(cell)
            if base == "X" or _TARGET_HERE in marks:
                special["X"].append(cell)
    for sign, cells in special.items():
        if len(cells) != 1:
            raise InputError(f"{where}: the drawing has {len(cells)} signs {sign}; give one")
    grid.targets[""] = special["X"][0], special["@"][0]
    length = _LENGTH.search(text)
    return grid.board(length=None if length is None else int(length[1]))


def _read_masks(value: Any, where: str) -> SlideBoard:
    """Return the board of wall masks and robots."""
    if not isinstance(value, dict):
        raise InputError(f"{where}: give an object with grid or quadrants, robots and token")
    token = value.get("token", value.get("target"))
    masks = value.get("grid")
    if "quadrants" in value:
        masks, token = _join_quadrants(value["quadrants"], token, where)
    if not isinstance(masks, list) or not all(type(mask) is int for mask in masks):
        raise InputError(f"{where}: grid: give a list of numbers, one a cell")
    side = round(len(masks) ** 0.5)
    if side * side != len(masks):
        raise InputError(f"{where}: grid: {len(masks)} cells are no square")
    grid, robots = _Grid(where, side, side), value.get("robots")
    for number, mask in enumerate(masks):
        if not 0 <= mask < 32:
            raise grid.problem(divmod(number, side), f"{mask} is no sum of 1, 2, 4, 8 and 16")
        grid.walls |= {(divmod(number, side), way) for way in Direction if mask >> way & 1}
    letters = "".join(colour.letter for colour in _COLOURS)
    which = value.get("robot", max(letters.find(str(value.get("token"))[:1]), 0))
    if not isinstance(robots, list) or not 1 <= len(robots) <= len(_COLOURS):
        raise InputError(f"{where}: robots: give a list of 1 to {len(_COLOURS)} cells")
    for robot, colour in zip(robots, _COLOURS, strict=False):
        grid.add_piece(grid.numbered(robot), colour)
    if type(which) is not int or which not in range(len(robots)):
        raise InputError(f"{where}: robot: {shown(which)}; give 0 to {len(robots) - 1}")
    grid.targets[""] = grid.numbered(token), grid.numbered(robots[which])
    return grid.board()


def _join_quadrants(quadrants: Any, token: Any, where: str) -> tuple[list[int], int]:
    """Return the masks of four quadrants, clockwise from the north-west, and the token's cell."""
    cells: dict[Square, str] = {}
    if not isinstance(quadrants, list) or len(quadrants) != 4:
        raise InputError(f"{where}: quadrants: give four")
    for quarters, quadrant in enumerate(quadrants):
        own = quadrant.split(",") if isinstance(quadrant, str) else quadrant
        side = round(len(own) ** 0.5) if isinstance(own, list) else 0
        if side == 0 or side * side != len(own) or not all(isinstance(one, str) for one in own):
            raise InputError(
                f"{where}: quadrant {quarters + 1}: give its cells, such as NW, X or E"
            )
        for number, cell in enumerate(own):
            row, column = divmod(number, side)
            for _ in range(quarters):  # clockwise
                row, column = column, side - 1 - row
            walls, mark = re.fullmatch(r"([NESW]*)(.*)", cell.strip()).groups()  # type: ignore[union-attr]
            turned = "".join(Direction((Direction[way] + quarters) % 4).name for way in walls)
            place = row + side * (quarters in (2, 3)), column + side * (quarters in (1, 2))
            if place in cells or (cells and max(map(max, cells)) >= 2 * side):
                raise InputError(f"{where}: quadrant {quarters + 1} is not as large as the first")
            cells[place] = f"{turned} {mark}"
    ordered = [cells[place] for place in sorted(cells)]
    at = [number for number, cell in enumerate(ordered) if cell.split(" ")[1] == token]
    if len(at) != 1 or not token:
        raise InputError(f"{where}: token: {shown(token)} is on {len(at)} cells; give one of them")
    masks = [sum(1 << Direction[way] for way in cell.split(" ")[0]) for cell in ordered]
    return masks, at[0]


def _read_editor(value: list[Any], where: str) -> SlideBoard:
    """Return the board of an editor: cells with walls south and east, and targets with names."""
    parts: dict[str, Any] = {}
    for part in value:
        parts |= part if isinstance(part, dict) else {}
    fields, robots = parts.get("fields"), parts.get("rob_position")
    if not isinstance(fields, list) or not all(isinstance(line, list) for line in fields):
        raise InputError(f"{where}: fields: give a list of columns of cells")
    if len({len(line) for line in fields}) != 1:
        raise InputError(f"{where}: fields: give columns of the same length")
    if not isinstance(robots, list) or not 1 <= len(robots) <= len(_COLOURS):
        raise InputError(f"{where}: rob_position: give 1 to {len(_COLOURS)} pairs of numbers")
    if not all(isinstance(cell, dict) for line in fields for cell in line):
        raise InputError(f"{where}: fields: give cells with bottom, right and target")
    # Lists are columns, unless it is rows that end with the edge of the board.
    is_rows = all(line[-1].get("right") for line in fields) and not all(
        line[-1].get("bottom") for line in fields
    )
    columns = [list(column) for column in zip(*fields, strict=True)] if is_rows else fields
    grid = _Grid(where, len(columns[0]), len(columns))
    of_colour = {colour.word: colour for colour in _COLOURS}
    for column, line in enumerate(columns):
        for row, cell in enumerate(line):
            if cell.get("bottom"):
                grid.walls.add(((row, column), Direction.S))
            if cell.get("right"):
                grid.walls.add(((row, column), Direction.E))
            target = cell.get("target")
            if isinstance(target, dict):  # a colour, and a list with the shape
                target = " ".join([str(target.get("variant")), *map(str, target.get("fields", ()))])
            if target:
                name = str(target).lower()
                grid.targets[name] = (row, column), of_colour.get(name.split(" ")[0])
    for pair, colour in zip(robots, _COLOURS, strict=False):
        if not isinstance(pair, list) or [type(number) for number in pair] != [int, int]:
            raise InputError(f"{where}: rob_position: {shown(pair)} is no column and row")
        column, row = pair
        if not (0 <= row < grid.rows and 0 <= column < grid.columns):
            raise InputError(f"{where}: rob_position: {shown(pair)} is not on the board")
        grid.add_piece((row, column), colour)
    return grid.board()
