"""Boards and positions.

A `Board` is a layout seen as one grid of squares; a square is a row from the north and a column
from the west, counted over all mats. A space is a number that moves along with its mat. A
`Position` is a layout with pieces, scores and the side to move. Moves are in
`pucklab.sim.bumpers.moves`, the rules in `pucklab.sim.bumpers.rules`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache

from pucklab.base.facts import fact
from pucklab.sim.bumpers.mats import (
    MOST_PIECES,
    Colour,
    Direction,
    Kind,
    Layout,
    Piece,
    Place,
    Rules,
    layout_problems,
)

Square = tuple[int, int]
_NAME = re.compile(r"([a-z]+)([1-9][0-9]*)")
NOTHING_SCORED = (0,) * len(Colour)


@fact
class Board:
    """A layout as one grid of squares.

    Attributes:
        spaces: Space number of every square that has one.
        squares: Square of every space, by space number.
        pools: Squares that no piece enters.
        goals: Goal squares, each with the direction out of its open front.
        barriers: Edges that nothing crosses, listed from both sides: walls, and the sides and
            backs of goals.
        rows: Number of rows of squares.
        columns: Number of columns of squares.
    """

    spaces: Mapping[Square, int]
    squares: tuple[Square, ...]
    pools: frozenset[Square]
    goals: Mapping[Square, Direction]
    barriers: frozenset[tuple[Square, Direction]]
    rows: int
    columns: int

    def ahead(self, square: Square, direction: Direction) -> Square | None:
        """Return the next square in a direction; None at a barrier or the edge of the board."""
        there = beside(square, direction)
        if there not in self.spaces or there in self.pools or (square, direction) in self.barriers:
            return None
        return there

    def name(self, square: Square) -> str:
        """Return a square's name: column letter from the west, row number from the south."""
        return f"{column_name(square[1])}{self.rows - square[0]}"

    def name_of(self, space: int) -> str:
        """Return the name of a space's square."""
        return self.name(self.squares[space])

    def space_named(self, name: str) -> int | None:
        """Return the space on the square with this name, or None."""
        match = _NAME.fullmatch(name)
        if match is None or len(name) > 8:
            return None
        return self.spaces.get((self.rows - int(match[2]), _column(match[1])))

    def why_no_space(self, name: str) -> str:
        """Return the reason why no space has a name, for errors."""
        match = _NAME.fullmatch(name)
        is_inside = match is not None and len(name) <= 8 and (
            int(match[2]) <= self.rows and _column(match[1]) < self.columns)  # fmt: skip
        last = self.name((0, self.columns - 1))
        return "no mat lies there" if is_inside else f"the board is a1 to {last}"


@lru_cache(maxsize=512)
def board_of(layout: Layout) -> Board:
    """Return the board of a layout.

    Example:
        >>> from pucklab.sim.bumpers.setups import setups
        >>> board = board_of(setups()["classic"].layout)
        >>> board.rows, board.columns, board.name((15, 0)), len(board.pools)
        (16, 16, 'a1', 4)
    """
    size = layout.size
    squares: list[Square] = []
    pools: set[Square] = set()
    goals: dict[Square, Direction] = {}
    barriers: set[tuple[Square, Direction]] = set()
    for face, place in zip(layout.faces, layout.places, strict=True):
        own = [_square(size, place, space) for space in range(face.spaces)]
        squares.extend(own)
        pools.update(own[space] for space in face.pools)
        for space, direction in face.walls:
            barriers |= _both_sides(own[space], direction.turned(place.turn))
        for goal in face.goals:
            facing = goal.facing.turned(place.turn)
            twins = {own[space] for space in goal.spaces}
            for square in twins:
                goals[square] = facing
                for direction in Direction:
                    if direction is not facing and beside(square, direction) not in twins:
                        barriers |= _both_sides(square, direction)
    return Board(
        spaces={square: space for space, square in enumerate(squares)},
        squares=tuple(squares),
        pools=frozenset(pools),
        goals=goals,
        barriers=frozenset(barriers),
        rows=layout.rows * size,
        columns=layout.columns * size,
    )


def _square(size: int, place: Place, space: int) -> Square:
    """Return the square of a mat's space after the mat is turned and placed."""
    row, column = divmod(space, size)
    for _ in range(place.turn):  # a quarter turn clockwise takes (r, c) to (c, size - 1 - r)
        row, column = column, size - 1 - row
    return place.slot[0] * size + row, place.slot[1] * size + column


def _both_sides(square: Square, direction: Direction) -> set[tuple[Square, Direction]]:
    """Return an edge as seen from the squares on both its sides."""
    return {(square, direction), (beside(square, direction), direction.turned(2))}


def beside(square: Square, direction: Direction) -> Square:
    """Return the square one step away, on or off the board."""
    return square[0] + direction.step[0], square[1] + direction.step[1]


def column_name(column: int) -> str:
    """Return a column's letters: a to z, then aa, ab and so on.

    Example:
        >>> column_name(0), column_name(25), column_name(26)
        ('a', 'z', 'aa')
    """
    letters = ""
    column += 1
    while column:
        column, last = divmod(column - 1, 26)
        letters = chr(ord("a") + last) + letters
    return letters


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column - 1


def start_spaces(layout: Layout, kind: Kind) -> tuple[int, ...]:
    """Return the start spaces of a kind of piece, in order (PB-3).

    Example:
        >>> from pucklab.sim.bumpers.setups import setups
        >>> [len(start_spaces(setups()["small"].layout, kind)) for kind in Kind]
        [16, 16, 12]
    """
    return tuple(
        mat * layout.spaces_per_mat + space
        for mat, face in enumerate(layout.faces)
        for space, of in sorted(face.starts, key=lambda start: start[0])
        if of is kind
    )


def open_spaces(layout: Layout) -> tuple[int, ...]:
    """Return the spaces that are neither pool nor goal, in order."""
    board = board_of(layout)
    return tuple(
        space
        for space, square in enumerate(board.squares)
        if square not in board.pools and square not in board.goals
    )


@fact
class Position:
    """Board, pieces, scores and side to move; build it with `make_position`.

    Attributes:
        layout: The mats on the lattice.
        pieces: Pairs of space and piece, sorted by space.
        scored: Scored pucks, indexed by colour.
        to_move: The colour to move, or None.
        rules: The optional rules in force.
    """

    layout: Layout
    pieces: tuple[tuple[int, Piece], ...]
    scored: tuple[int, ...] = NOTHING_SCORED
    to_move: Colour | None = None
    rules: Rules = field(default=Rules())

    @property
    def movers(self) -> tuple[Colour, ...]:
        """The colours that may move: that of the side to move, or all if every piece slides."""
        if self.to_move is None:
            return ()
        return tuple(Colour) if self.rules.slide else (self.to_move,)

    def piece_on(self, space: int) -> Piece | None:
        """Return the piece on a space, or None."""
        return dict(self.pieces).get(space)

    def count(self, piece: Piece) -> int:
        """Return the number of pieces of a colour and kind on the board."""
        return sum(other == piece for _, other in self.pieces)


def make_position(
    layout: Layout,
    pieces: Mapping[int, Piece],
    *,
    scored: Mapping[Colour, int] | None = None,
    to_move: Colour | None = None,
    rules: Rules | None = None,
) -> Position:
    """Return a position with the given pieces; legality is not checked: see `position_problems`."""
    counts = scored or {}
    return Position(
        layout=layout,
        pieces=sorted_pieces(pieces),
        scored=tuple(counts.get(colour, 0) for colour in Colour),
        to_move=to_move,
        rules=rules or Rules(),
    )


def sorted_pieces(pieces: Mapping[int, Piece]) -> tuple[tuple[int, Piece], ...]:
    """Return pieces in the form of `Position.pieces`."""
    return tuple((space, pieces[space]) for space in sorted(pieces))


def with_pieces(
    position: Position, pieces: Mapping[int, Piece], scored: Sequence[int] | None = None
) -> Position:
    """Return the position with other pieces, and with other scores if they are given."""
    scores = position.scored if scored is None else tuple(scored)
    return replace(position, pieces=sorted_pieces(pieces), scored=scores)


def position_problems(position: Position) -> tuple[str, ...]:
    """Return every reason why a position is illegal; empty if it is legal.

    If the layout is illegal, only its problems are returned: no piece can stand on it.

    Example:
        >>> from pucklab.sim.bumpers.setups import setups
        >>> puck = Piece(Colour.RED, Kind.PUCK)
        >>> layout = setups()["classic"].layout
        >>> position_problems(make_position(layout, {n: puck for n in range(5)}))
        ('red has 5 pucks, scored ones among them; at most 4',)
    """
    illegal = layout_problems(position.layout, position.rules)
    if illegal:
        return illegal
    placed = tuple(message for message, _ in placement_problems(position))
    return placed + count_problems(position)


def placement_problems(position: Position) -> tuple[tuple[str, int], ...]:
    """Return problems with the squares of pieces, each with its space."""
    problems = []
    board = board_of(position.layout)
    seen: set[int] = set()
    for space, piece in position.pieces:
        if not 0 <= space < len(board.squares):
            message = f"there is no space {space}; give 0 to {len(board.squares) - 1}"
            problems.append((message, space))
            continue
        square = board.squares[space]
        name = board.name_of(space)
        if space in seen:
            problems.append((f"two pieces stand on {name}", space))
        if square in board.pools:
            problems.append((f"{name} is a pool; no piece stands there", space))
        if square in board.goals and piece.kind is Kind.PUCK:
            problems.append((f"{name} is in a goal; no puck stays there (PB-7)", space))
        seen.add(space)
    return tuple(problems)


def count_problems(position: Position) -> tuple[str, ...]:
    """Return problems with the number of pieces of each colour."""
    problems = []
    most = position.rules.pieces_each
    if len(position.pieces) > MOST_PIECES:
        problems.append(f"{len(position.pieces)} pieces; at most {MOST_PIECES}")
    for colour in Colour:
        if position.scored[colour] < 0:
            problems.append(f"{colour.word} has scored {position.scored[colour]} pucks")
        for kind in Kind:
            count = position.count(Piece(colour, kind))
            among = ""
            if kind is Kind.PUCK:
                count += position.scored[colour]
                among = ", scored ones among them"
            if count > most[kind]:
                words = kind.word if count == 1 else f"{kind.word}s"
                problems.append(f"{colour.word} has {count} {words}{among}; at most {most[kind]}")
    return tuple(problems)
