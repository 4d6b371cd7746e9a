"""perft: how many lines of play there are, and how many distinct positions they lead to.

A line of depth d is d moves of the side to move, one after the other; no other colour moves in
between, and PB-10, which is about turns, is not applied. A position counts at the depth at which
it is first reached.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from physics.checks import check_count
from sim.bumpers.moves import Move
from sim.bumpers.position import Position

if TYPE_CHECKING:
    from sim.bumpers.kernel.encoding import Encoded
    from sim.bumpers.kernel.perft import MatStack, Stack

MAX_DEPTH = 64
_NODES = 1 << 22
_POSITIONS = 1 << 14


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
    from sim.bumpers.kernel.arrangements import grown
    from sim.bumpers.kernel.encoding import encode
    from sim.bumpers.kernel.perft import DONE, FULL, count_leaves, new_mat_stack, new_stack

    check_count("depth", depth, low=1, high=MAX_DEPTH)
    root = encoded = encode(position)
    root = root._replace(pieces=root.pieces._replace(where=root.pieces.where.copy()))
    stack = new_stack(depth, len(root.pieces.where))
    side = _side(position, depth)
    mat_stack = new_mat_stack(depth, len(position.layout.faces), side) if mats else None
    ended = None
    while ended != DONE:
        ended = count_leaves(encoded, stack, mat_stack, depth, _NODES)
        if ended == FULL:
            encoded = encoded._replace(arrangements=grown(encoded.arrangements))
        yield _leaf_count(root, stack, mat_stack)


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
    from sim.bumpers.kernel.distinct import expand
    from sim.bumpers.kernel.encoding import encode
    from sim.bumpers.kernel.frontier import new_search, next_depth, size_bytes, with_room

    check_count("depth", depth, low=1, high=MAX_DEPTH)
    search = new_search(encode(position), _side(position, depth) if mats else None)
    by_depth: tuple[int, ...] = (1,)
    while len(by_depth) <= depth and by_depth[-1] > 0:
        reached, total = 0, by_depth[-1]
        keep = len(by_depth) < depth
        while reached < total:
            search = with_room(search)
            reached = expand(*search, reached, min(total, reached + _POSITIONS), keep)
            yield PositionCount(
                done=reached,
                total=total,
                depth=len(by_depth),
                by_depth=by_depth,
                size_bytes=size_bytes(search),
            )
        by_depth = (*by_depth, int(search.following.used[0]))
        if keep:
            search = next_depth(search)
    by_depth += (0,) * (depth + 1 - len(by_depth))
    yield PositionCount(
        done=1, total=1, depth=depth, by_depth=by_depth, size_bytes=size_bytes(search)
    )


def _leaf_count(root: "Encoded", stack: "Stack", mat_stack: "MatStack | None") -> LeafCount:
    from sim.bumpers.kernel.encoding import piece_move_of
    from sim.bumpers.kernel.matmoves import mat_move_of

    piece_moves = 4 * len(root.game.movable)
    moves: list[Move] = [piece_move_of(root, index) for index in range(piece_moves)]
    if mat_stack is not None:
        listed = mat_stack.listed[0, : root.arrangements.mat_moves[0]]
        moves += [mat_move_of(coded) for coded in listed.tolist()]
    counts = stack.leaves[: len(moves)].tolist()
    return LeafCount(
        done=int(stack.next_move[0]),
        total=len(moves),
        by_move=tuple((m, count) for m, count in zip(moves, counts, strict=True) if count >= 0),
    )


def _side(position: Position, depth: int) -> int:
    """Return the most slots that a layout will be wide or high: each move adds one at most."""
    return max(position.layout.rows, position.layout.columns) + depth
