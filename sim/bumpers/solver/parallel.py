"""One iteration of the search on several cores: threads that share the transposition table.

The tree is split after two actions. Threads take the resulting subtrees in the order in which one
thread would search them, and share what they prove. Once one finds a solution, later subtrees are
given up and earlier ones are finished, so the answer is the first solution in that order, as with
one thread, however many there are and however they run. Only node counts differ, and under a limit
of seconds the answer, too.

Threads read and write the table without locks. A torn entry is the low half of one key with the
high half of another: it matches no real position except with a chance of about 2^-120.
"""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pucklab.base.facts import fact
from pucklab.sim.bumpers.kernel.arrays import U16
from pucklab.sim.bumpers.kernel.heuristic import new_scratch
from pucklab.sim.bumpers.kernel.move_generation import unmake_move
from pucklab.sim.bumpers.kernel.position import Pieces
from pucklab.sim.bumpers.kernel.search import EXHAUSTED, FOUND, search_depth_first
from pucklab.sim.bumpers.kernel.search_stack import new_search_stack
from pucklab.sim.bumpers.mats import Direction
from pucklab.sim.bumpers.moves import Line, PieceMove
from pucklab.sim.bumpers.solver.run import SPLIT_DEPTH, Run
from pucklab.sim.bumpers.solver.solution import Solution

_LOOK_S = 0.02
"""Seconds between two looks at limits."""


@fact
class _Subtree:
    """A part of the tree.

    Attributes:
        number: Its place in the order of the search.
        line: The actions that lead to it.
        where: The space of each piece after them.
        bound: The lower bound there.
    """

    number: int
    line: Line
    where: U16
    bound: int


@dataclass(slots=True, kw_only=True)
class _Shared:
    """State shared by threads; all but the transposition table changes under the lock.

    Attributes:
        run: The search that is split; its table grows.
        subtrees: Those not taken yet.
        lock: The lock.
        is_stopped: True to end all threads soon.
        best: The number and the line of the first solution found so far.
        error: An exception raised in a thread.
    """

    run: Run
    subtrees: Iterator[_Subtree]
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_stopped: bool = False
    best: tuple[int, Line] | None = None
    error: BaseException | None = None

    def next_subtree(self) -> _Subtree | None:
        """Return the next subtree to search; None if there is none, or a solution comes first."""
        with self.lock:
            if self.is_stopped or self.best is not None:
                return None
            return next(self.subtrees, None)

    def report(self, subtree: _Subtree, line: Line) -> None:
        """Report a solution."""
        with self.lock:
            if self.best is None or subtree.number < self.best[0]:
                self.best = subtree.number, (*subtree.line, *line)

    def is_idle(self, subtree: _Subtree) -> bool:
        """Return whether a subtree need not be searched any longer."""
        return self.is_stopped or (self.best is not None and self.best[0] < subtree.number)


def split_iteration(run: Run, cores: int) -> Iterator[Solution]:
    """Search one iteration on some cores, and yield the result so far; the last one is its result.

    It has a line if there is a solution, and a limit if one ended the search. Otherwise there is no
    solution of the run's depth.

    Args:
        run: The search, at the beginning of an iteration of more than `SPLIT_DEPTH` actions without
            mat moves.
        cores: The number of threads.
    """
    began = run.stack.counts.copy()
    shared = _Shared(run=run, subtrees=_subtrees(run))
    workers = [_copy(run) for _ in range(cores)]
    threads = [
        threading.Thread(target=_work, args=(shared, worker), daemon=True) for worker in workers
    ]
    limit = ""
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads) and not limit:
            time.sleep(_LOOK_S)
            run.stack.counts[:] = began + sum(worker.stack.counts for worker in workers)
            run.make_table()
            limit = run.limit()
            yield run.state()
    finally:
        shared.is_stopped = True
        for thread in threads:
            thread.join()
        run.stack.counts[:] = began + sum(worker.stack.counts for worker in workers)
    if shared.error is not None:
        raise shared.error
    line = () if shared.best is None else shared.best[1]
    yield replace(run.state(), line=line, limit="" if line else limit)


def _work(shared: _Shared, worker: Run) -> None:
    """Search subtrees until there are no more."""
    try:
        subtree = shared.next_subtree()
        while subtree is not None:
            _search_subtree(shared, worker, subtree)
            subtree = shared.next_subtree()
    except BaseException as error:  # raised again by the thread that waits
        shared.error = error
        shared.is_stopped = True


def _search_subtree(shared: _Shared, worker: Run, subtree: _Subtree) -> None:
    worker.place(subtree.where)
    worker.stack.bound[0] = subtree.bound
    worker.begin_depth()
    ended = None
    while ended not in (EXHAUSTED, FOUND) and not shared.is_idle(subtree):
        worker.table = shared.run.table
        ended = worker.advance()
    if ended == FOUND:
        shared.report(subtree, worker.line())


def _subtrees(run: Run) -> Iterator[_Subtree]:
    """Yield the subtrees after `SPLIT_DEPTH` actions in the order of the search.

    The kernel's search makes one move at a time here. It must not prove anything of positions
    whose subtrees are left to others: a ply that is marked as solved stores nothing.
    """
    splitter = _copy(run)
    splitter.begin_depth()
    stack, pieces = splitter.stack, splitter.encoded.pieces
    stack.bound[0] = run.stack.bound[0]
    number = 0
    while True:
        stack.solved[:SPLIT_DEPTH] = 1
        ended = search_depth_first(splitter.search._replace(table=run.table), run.depth, 1)
        if ended == EXHAUSTED:
            return
        if stack.ply[0] < SPLIT_DEPTH:
            continue
        line = tuple(
            PieceMove(
                int(stack.start[ply]),
                Direction(int(stack.moves[ply, stack.next_move[ply] - 1]) % 4),
            )
            for ply in range(SPLIT_DEPTH)
        )
        bound = int(stack.bound[SPLIT_DEPTH])
        yield _Subtree(number=number, line=line, where=pieces.where.copy(), bound=bound)
        number += 1
        last = SPLIT_DEPTH - 1
        unmake_move(pieces, stack.who[last], stack.origin[last], int(stack.changes[last]))
        stack.ply[0] = last


def _copy(run: Run) -> Run:
    """Return a search at the same root with arrays of its own, except for tables."""
    where, occupied, vacated = run.encoded.pieces
    encoded = run.encoded._replace(pieces=Pieces(where.copy(), occupied.copy(), vacated))
    scratch = new_scratch(len(occupied), len(where))
    limits = replace(run.limits, nodes=None, seconds=None)
    return replace(
        run,
        limits=limits,
        encoded=encoded,
        encoded_goal=run.encoded_goal._replace(scratch=scratch),
        stack=new_search_stack(encoded, limits.max_actions, 0),
        depth=run.depth - SPLIT_DEPTH,
    )
