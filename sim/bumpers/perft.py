"""perft: the number of lines of play.

A line of depth d is d moves of the side to move, one after the other; no other colour moves in
between, and PB-10, which is about turns, is not applied.
"""

from collections.abc import Iterator

from pucklab.base.errors import check_count
from pucklab.base.facts import fact
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.kernel.layouts import (
    MatMoves,
    count_moves,
    edges_of,
    expand_layouts,
    mat_move_of,
    new_graph,
)
from pucklab.sim.bumpers.kernel.leaf_count import (
    DONE,
    LAYOUT_UNKNOWN,
    count_leaves,
    new_leaf_count_stack,
)
from pucklab.sim.bumpers.kernel.position import encode, piece_move_of
from pucklab.sim.bumpers.moves import Move

MAX_DEPTH = 64
_STEPS = 1 << 22


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
        >>> from pucklab.sim.bumpers import parse_position
        >>> *_, whole = count_lines(parse_position("pb1:small:RPb7.BPe7:-:R:-"), 3)
        >>> whole.leaves
        34
    """
    check_count("depth", depth, 1, MAX_DEPTH)
    encoded, one_piece = encode(position), position.rules.one_piece
    allowed = MatMoves(turns=mats, swaps=mats, shifts=mats, one_piece=one_piece)
    graph = new_graph(position.layout, allowed)
    expand_layouts(graph, [0])
    # First moves, legal or not, in the order in which they are tried.
    moves: list[Move] = [
        piece_move_of(encoded, index) for index in range(4 * len(encoded.game.movable))
    ]
    moves += map(mat_move_of, graph.layouts.moves[edges_of(graph, 0)].tolist())
    stack = new_leaf_count_stack(depth, len(encoded.pieces.where), len(moves))
    ended = None
    while ended != DONE:
        ended = count_leaves(encoded, graph.layouts, stack, depth, _STEPS)
        if ended == LAYOUT_UNKNOWN:
            # Expand the layout reached and its siblings; the last ply needs only their numbers.
            ply = int(stack.ply[0])
            before = edges_of(graph, int(stack.layout[ply - 1]))
            expand = count_moves if ply == depth - 1 else expand_layouts
            expand(graph, graph.layouts.after[before].tolist())
        counts = zip(moves, stack.leaves.tolist(), strict=True)
        yield LeafCount(
            done=int(stack.next_move[0]),
            total=len(moves),
            by_move=tuple((move, count) for move, count in counts if count >= 0),
        )
