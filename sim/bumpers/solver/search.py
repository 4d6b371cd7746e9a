"""Searching for a shortest solution: iterative deepening A*."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from physics import InputError
from sim.bumpers.directions import Direction
from sim.bumpers.moves import Move, PieceMove
from sim.bumpers.position import Position
from sim.bumpers.solver.aims import aim_of, with_named
from sim.bumpers.solver.goals import Goal, check_goal
from sim.bumpers.solver.solution import Limits, Solution, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sim.bumpers.kernel.solving import Path

MOST_LINES = 10_000
"""Most solutions that are listed when all are asked for."""

NEVER = 255
"""The lower bound of what cannot be reached at all; as the kernel has it."""

_NODES = 1 << 16


def solve(
    position: Position,
    goal: Goal | None = None,
    limits: Limits | None = None,
    *,
    every: bool = False,
    watch: Callable[[Solution], None] | None = None,
) -> Solution:
    """Return a shortest list of actions of the side to move that reaches a goal, or what is proved.

    The side to move makes all moves; PB-10, which is about turns, is not applied. Same position,
    goal and limits, same answer and node count, but for a limit of seconds. Ctrl-C ends the
    search as a limit does.

    Args:
        position: A legal position.
        goal: What is wanted; by default one puck of the side to move in.
        limits: How far to go; see `Limits` for the defaults.
        every: Find all shortest solutions, up to 10,000.
        watch: Called now and then with what is known so far, and at last with the answer.

    Raises:
        InputError: Nobody is to move, or the goal is none of the position, or reached already.

    Example:
        >>> from sim.bumpers import move_text, parse_position
        >>> start = parse_position("pb1:small:RPb7.BPe7:-:R:-")
        >>> found = solve(start)
        >>> found.status.value, len(found.line)
        ('solved', 3)
    """
    known = None
    try:
        for state in _search_states(position, goal or Goal(), limits or Limits(), every=every):
            known = state
            if watch is not None:
                watch(state)
    except KeyboardInterrupt:
        if known is None:
            raise
        return replace(known, limit="stopped")
    assert known is not None
    return known


def _search_states(
    position: Position, goal: Goal, limits: Limits, *, every: bool
) -> Iterator[Solution]:
    """Search as `solve` does, and yield what is known so far; the last is the answer."""
    from sim.bumpers.kernel.encoding import encode
    from sim.bumpers.kernel.proofs import first_table, with_room
    from sim.bumpers.kernel.solving import ENTRIES, FOUND, NONE, bound_of, new_path, search

    if position.to_move is None:
        raise InputError("position: nobody is to move; give a colour as the fifth field")
    check_goal(position, goal)
    began = time.perf_counter()
    encoded = encode(position)
    aim = aim_of(position, goal, encoded)
    encoded = with_named(encoded, aim, goal)
    path, table = new_path(encoded, limits.actions), first_table()
    depth = int(bound_of(aim, encoded.pieces.where, path, 0, 0))
    path.bound[0] = depth
    lines: list[tuple[Move, ...]] = []
    limit = ""
    most = MOST_LINES if every else 1
    yield _state(path, table, depth, began)
    while depth <= limits.actions and not lines and not limit:
        path.ply[0] = path.next_move[0] = path.solved[0] = 0
        ended = FOUND
        while ended != NONE and not limit and len(lines) < most:
            ended = search(encoded, aim, path, table, depth, _share(limits, path))
            if ended == FOUND:
                lines.append(_line(path))
            else:
                yield _state(path, table, depth, began)
            table = with_room(table, int(path.counts[ENTRIES]), limits.memory_mb)
            limit = "" if ended == NONE else _limit(limits, path, began)
        depth += ended == NONE and not lines
    state = _state(path, table, depth, began)
    if lines:
        complete = ended == NONE
        yield replace(
            state,
            status=Status.SOLVED,
            line=lines[0],
            lines=tuple(lines),
            complete=complete,
            limit="" if complete or not every else limit or "lines",
        )
    elif limit:
        yield replace(state, limit=limit)
    else:
        yield replace(state, status=Status.PROVED_UNSOLVABLE)


def _share(limits: Limits, path: "Path") -> int:
    """Return how many moves to make before a pause."""
    if limits.nodes is None:
        return _NODES
    return min(_NODES, limits.nodes - int(path.counts[0]))


def _limit(limits: Limits, path: "Path", began: float) -> str:
    """Return which limit is reached; empty for none."""
    if limits.nodes is not None and path.counts[0] >= limits.nodes:
        return "nodes"
    if limits.seconds is not None and time.perf_counter() - began >= limits.seconds:
        return "seconds"
    return ""


def _line(path: "Path") -> tuple[Move, ...]:
    """Return the moves of a solution that was found."""
    plies = int(path.ply[0]) + 1
    return tuple(
        PieceMove(int(start), Direction((int(following) - 1) % 4))
        for start, following in zip(path.start[:plies], path.next_move[:plies], strict=True)
    )


def _state(path: "Path", table: "NDArray[np.uint64]", depth: int, began: float) -> Solution:
    """Return what is known when no solution has fewer actions than ``depth``."""
    nodes, generated, hits, used = path.counts.tolist()
    return Solution(
        status=Status.LIMIT_REACHED,
        line=(),
        lines=(),
        complete=False,
        lower_bound=None if depth >= NEVER else depth,
        limit="",
        nodes=nodes,
        generated=generated,
        seconds=time.perf_counter() - began,
        table_hits=hits,
        table_used=used,
        table_size=len(table),
    )
