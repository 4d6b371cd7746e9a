"""perft: how many lines of play there are, and how many distinct positions they lead to.

A line of depth d is d moves of the side to move, one after the other; no other colour moves in
between, and PB-10, which is about turns, is not applied. A position counts at the depth at which
it is first reached.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from physics.errors import check_count
from sim.bumpers.board import Position
from sim.bumpers.moves import Move

if TYPE_CHECKING:
    from sim.bumpers.kernel.layouts import Graph
    from sim.bumpers.kernel.perft import Stack
    from sim.bumpers.kernel.position import Encoded

MAX_DEPTH = 64
_STEPS = 1 << 22
_FEW_STEPS = 1 << 7


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafCount:
    """How far the count of lines is.

    Attributes:
        done: First moves tried; the lines of the last one may not all be counted.
        total: How many there are to try, legal or not.
        by_move: Lines by legal first move, in the order of the rules.
    """

    done: int
    total: int
    by_move: tuple[tuple[Move, int], ...]

    @property
    def leaves(self) -> int:
        """Lines counted so far."""
        return sum(count for _, count in self.by_move)


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionCount:
    """How far the count of distinct positions is.

    Attributes:
        done: Positions of the last depth whose moves are all made.
        total: How many there are.
        depth: The depth that is being counted.
        by_depth: Distinct positions at each depth that is whole, from depth 0.
        size_bytes: Memory in use.
    """

    done: int
    total: int
    depth: int
    by_depth: tuple[int, ...]
    size_bytes: int


def count_lines(position: Position, depth: int, *, mats: bool = False) -> Iterator[LeafCount]:
    """Count the lines of a depth, and yield how far that is; the last is the whole.

    Args:
        position: A legal position.
        depth: Moves in a line, 1 to 64.
        mats: Mats move, too.

    Raises:
        InputError: ``depth`` is not accepted.

    Example:
        >>> from sim.bumpers import parse_position
        >>> *_, whole = count_lines(parse_position("pb1:small:RPb7.BPe7:-:R:-"), 3)
        >>> whole.leaves
        34
    """
    from sim.bumpers.kernel.compiling import share_of
    from sim.bumpers.kernel.perft import DONE, UNKNOWN_AHEAD, count_leaves, new_stack
    from sim.bumpers.kernel.position import encode

    check_count("depth", depth, low=1, high=MAX_DEPTH)
    encoded, graph = encode(position), _graph(position, mats=mats)
    moves = _first_moves(encoded, graph)
    stack = new_stack(depth, len(encoded.pieces.where), len(moves))
    ended = None
    while ended != DONE:
        steps = share_of(_FEW_STEPS, _STEPS)
        ended = count_leaves(encoded.game, encoded.pieces, graph.layouts, stack, depth, steps)
        if ended == UNKNOWN_AHEAD:
            _look_ahead(graph, stack, depth)
        yield _leaf_count(moves, stack)


def count_positions(
    position: Position, depth: int, *, mats: bool = False
) -> Iterator[PositionCount]:
    """Count the distinct positions of every depth, and yield how far that is.

    Args:
        position: A legal position.
        depth: The greatest depth, 1 to 64.
        mats: Mats move, too.

    Raises:
        InputError: ``depth`` is not accepted.

    Example:
        >>> from sim.bumpers import parse_position
        >>> *_, whole = count_positions(parse_position("pb1:small:RPb7.BPe7:-:R:-"), 3)
        >>> whole.by_depth
        (1, 4, 9, 11)
    """
    from sim.bumpers.kernel.breadth_first import expand, memory_bytes, new_search, next_depth
    from sim.bumpers.kernel.position import encode

    check_count("depth", depth, low=1, high=MAX_DEPTH)
    search = new_search(encode(position), _graph(position, mats=mats))
    by_depth: tuple[int, ...] = (1,)
    while len(by_depth) <= depth and by_depth[-1] > 0:
        keep = len(by_depth) < depth
        while search.reached < by_depth[-1]:
            expand(search, keep=keep)
            yield PositionCount(
                done=search.reached,
                total=by_depth[-1],
                depth=len(by_depth),
                by_depth=by_depth,
                size_bytes=memory_bytes(search),
            )
        by_depth = (*by_depth, int(search.following.used[0]))
        if keep:
            next_depth(search)
    by_depth += (0,) * (depth + 1 - len(by_depth))
    yield PositionCount(
        done=1, total=1, depth=depth, by_depth=by_depth, size_bytes=memory_bytes(search)
    )


def _graph(position: Position, *, mats: bool) -> "Graph":
    """Return the graph of a position's layout."""
    from sim.bumpers.kernel.layouts import MatMoves, new_graph

    one_piece = position.rules.one_piece
    allowed = MatMoves(turns=mats, swaps=mats, shifts=mats, one_piece=one_piece)
    return new_graph(position.layout, allowed)


def _first_moves(encoded: "Encoded", graph: "Graph") -> tuple[Move, ...]:
    """Return the moves that are tried first, legal or not, in the order that they are."""
    from sim.bumpers.kernel.layouts import follow, links_of, mat_move_of
    from sim.bumpers.kernel.position import piece_move_of

    follow(graph, [0])
    piece_moves = [piece_move_of(encoded, index) for index in range(4 * len(encoded.game.movable))]
    return (*piece_moves, *map(mat_move_of, graph.layouts.moves[links_of(graph, 0)].tolist()))


def _look_ahead(graph: "Graph", stack: "Stack", depth: int) -> None:
    """Follow the mat moves of the arrangement that a count came to, and of those beside it.

    Of the last ply's, only their number is wanted.
    """
    from sim.bumpers.kernel.layouts import count_moves, follow, links_of

    ply = int(stack.ply[0])
    before = int(stack.arrangement[ply - 1])
    numbers = graph.layouts.after[links_of(graph, before)].tolist()
    if ply == depth - 1:
        count_moves(graph, numbers)
    else:
        follow(graph, numbers)


def _leaf_count(moves: tuple[Move, ...], stack: "Stack") -> LeafCount:
    counts = stack.leaves.tolist()
    return LeafCount(
        done=int(stack.next_move[0]),
        total=len(moves),
        by_move=tuple((m, count) for m, count in zip(moves, counts, strict=True) if count >= 0),
    )
