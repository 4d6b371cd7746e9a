"""perft: the number of lines of play.

A line of depth d is d moves of the side to move, one after the other; no other colour moves in
between, and PB-10, which is about turns, is not applied.
"""

from collections.abc import Iterator

from physics.compiling import batch_size
from physics.errors import check_count
from physics.facts import fact
from sim.bumpers.board import Position
from sim.bumpers.kernel.layouts import (
    LayoutGraph,
    MatMoves,
    count_moves,
    edges_of,
    expand_layouts,
    mat_move_of,
    new_graph,
)
from sim.bumpers.kernel.leaf_count import (
    DONE,
    LAYOUT_UNKNOWN,
    LeafCountStack,
    count_leaves,
    new_leaf_count_stack,
)
from sim.bumpers.kernel.position import Encoded, encode, piece_move_of
from sim.bumpers.moves import Move

MAX_DEPTH = 64
_STEPS = 1 << 22
_FEW_STEPS = 1 << 7


@fact
class LeafCount:
    """Progress of a count of lines.

    Attributes:
        done: First moves tried; the lines of the last one may not all be counted yet.
        total: First moves to try, legal or not.
        by_move: Lines by legal first move, in the order of the rules.
    """

    done: int
    total: int
    by_move: tuple[tuple[Move, int], ...]

    @property
    def leaves(self) -> int:
        """Lines counted so far."""
        return sum(count for _, count in self.by_move)


def count_lines(position: Position, depth: int, *, mats: bool = False) -> Iterator[LeafCount]:
    """Count the lines of a depth, and yield the progress; the last value is the complete count.

    Args:
        position: A legal position.
        depth: Moves in a line, 1 to 64.
        mats: True if mats may move, too.

    Raises:
        InputError: ``depth`` is not accepted.

    Example:
        >>> from sim.bumpers import parse_position
        >>> *_, whole = count_lines(parse_position("pb1:small:RPb7.BPe7:-:R:-"), 3)
        >>> whole.leaves
        34
    """
    check_count("depth", depth, 1, MAX_DEPTH)
    encoded, graph = encode(position), _graph(position, mats=mats)
    moves = _first_moves(encoded, graph)
    stack = new_leaf_count_stack(depth, len(encoded.pieces.where), len(moves))
    ended = None
    while ended != DONE:
        steps = batch_size(_FEW_STEPS, _STEPS)
        ended = count_leaves(encoded, graph.layouts, stack, depth, steps)
        if ended == LAYOUT_UNKNOWN:
            _expand_siblings(graph, stack, depth)
        yield _leaf_count(moves, stack)


def _graph(position: Position, *, mats: bool) -> LayoutGraph:
    """Return the graph of a position's layout."""
    one_piece = position.rules.one_piece
    allowed = MatMoves(turns=mats, swaps=mats, shifts=mats, one_piece=one_piece)
    return new_graph(position.layout, allowed)


def _first_moves(encoded: Encoded, graph: LayoutGraph) -> tuple[Move, ...]:
    """Return the first moves, legal or not, in the order in which they are tried."""
    expand_layouts(graph, [0])
    piece_moves = [piece_move_of(encoded, index) for index in range(4 * len(encoded.game.movable))]
    return (*piece_moves, *map(mat_move_of, graph.layouts.moves[edges_of(graph, 0)].tolist()))


def _expand_siblings(graph: LayoutGraph, stack: LeafCountStack, depth: int) -> None:
    """Expand the layout that a count has reached, and its siblings.

    In the last ply only the number of mat moves is needed.
    """
    ply = int(stack.ply[0])
    before = int(stack.layout[ply - 1])
    numbers = graph.layouts.after[edges_of(graph, before)].tolist()
    if ply == depth - 1:
        count_moves(graph, numbers)
    else:
        expand_layouts(graph, numbers)


def _leaf_count(moves: tuple[Move, ...], stack: LeafCountStack) -> LeafCount:
    counts = stack.leaves.tolist()
    return LeafCount(
        done=int(stack.next_move[0]),
        total=len(moves),
        by_move=tuple((m, count) for m, count in zip(moves, counts, strict=True) if count >= 0),
    )
