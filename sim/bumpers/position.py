"""Positions: a board, the pieces on it, what is scored, and who moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.bumpers.board import board_of
from sim.bumpers.layout import Layout
from sim.bumpers.layoutrules import layout_problems
from sim.bumpers.options import Rules
from sim.bumpers.pieces import Colour, Kind, Piece

NOTHING_SCORED = (0,) * len(Colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """All that a move can change, and what it depends on; build it with `make_position`.

    Attributes:
        layout: The mats and where they lie.
        pieces: The pieces on the board with their spaces, in the order of the spaces.
        scored: Pucks scored, by colour.
        to_move: The colour whose pieces move; None where nobody is asked to.
        rules: The reading of the rules.
    """

    layout: Layout
    pieces: tuple[tuple[int, Piece], ...]
    scored: tuple[int, ...] = NOTHING_SCORED
    to_move: Colour | None = None
    rules: Rules = field(default=Rules())

    def piece_on(self, space: int) -> Piece | None:
        """Return the piece on a space, or None."""
        return dict(self.pieces).get(space)


def make_position(
    layout: Layout,
    pieces: Mapping[int, Piece],
    *,
    scored: Mapping[Colour, int] | None = None,
    to_move: Colour | None = None,
    rules: Rules | None = None,
) -> Position:
    """Return the position of some pieces, by space. Nothing is checked: see `position_problems`."""
    counts = scored or {}
    return Position(
        layout=layout,
        pieces=in_order(pieces),
        scored=tuple(counts.get(colour, 0) for colour in Colour),
        to_move=to_move,
        rules=rules or Rules(),
    )


def in_order(pieces: Mapping[int, Piece]) -> tuple[tuple[int, Piece], ...]:
    """Return pieces by space as `Position.pieces` has them."""
    return tuple((space, pieces[space]) for space in sorted(pieces))


def same_board(first: Position, second: Position) -> bool:
    """Return whether mats, pieces and scores of two positions are the same (PB-10)."""
    return (first.layout, first.pieces, first.scored) == (
        second.layout,
        second.pieces,
        second.scored,
    )


def position_problems(position: Position) -> tuple[str, ...]:
    """Return all that is wrong with a position; nothing if it is legal.

    A layout that is not legal is told alone: nothing can stand on it.

    Example:
        >>> from sim.bumpers.house import setups
        >>> puck = Piece(Colour.RED, Kind.PUCK)
        >>> layout = setups()["classic"].layout
        >>> position_problems(make_position(layout, {n: puck for n in range(5)}))
        ('red has 5 pucks, scored ones among them; at most 4',)
    """
    illegal = layout_problems(position.layout, position.rules)
    if illegal:
        return illegal
    placed = tuple(message for message, _ in problems_of_places(position))
    return placed + problems_of_counts(position)


def problems_of_places(position: Position) -> tuple[tuple[str, int], ...]:
    """Return what is wrong with where pieces stand, and on which space each problem is."""
    problems = []
    board = board_of(position.layout)
    seen: set[int] = set()
    for space, piece in position.pieces:
        if not 0 <= space < len(board.squares):
            message = f"there is no space {space}; give 0 to {len(board.squares) - 1}"
            problems.append((message, space))
            continue
        square = board.squares[space]
        name = board.name(square)
        if space in seen:
            problems.append((f"two pieces stand on {name}", space))
        if square in board.pools:
            problems.append((f"{name} is a pool; no piece stands there", space))
        if square in board.goals and piece.kind is Kind.PUCK:
            problems.append((f"{name} is in a goal; no puck stays there (PB-7)", space))
        seen.add(space)
    return tuple(problems)


def problems_of_counts(position: Position) -> tuple[str, ...]:
    """Return which colours have more pieces than there are."""
    problems = []
    most = position.rules.pieces_each
    for colour in Colour:
        if position.scored[colour] < 0:
            problems.append(f"{colour.word} has scored {position.scored[colour]} pucks")
        for kind in Kind:
            count = sum(piece == Piece(colour, kind) for _, piece in position.pieces)
            among = ""
            if kind is Kind.PUCK:
                count += position.scored[colour]
                among = ", scored ones among them"
            if count > most[kind]:
                words = kind.word if count == 1 else f"{kind.word}s"
                problems.append(f"{colour.word} has {count} {words}{among}; at most {most[kind]}")
    return tuple(problems)
