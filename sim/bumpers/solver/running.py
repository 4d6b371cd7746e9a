"""A search on its way: the kernel's arrays, with room for more when they need it."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.bumpers.directions import Direction
from sim.bumpers.moves import Move, PieceMove
from sim.bumpers.position import Position
from sim.bumpers.solver.aims import aim_of, with_named
from sim.bumpers.solver.goals import Goal
from sim.bumpers.solver.solution import Limits, Solution, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sim.bumpers.kernel.aims import Aim
    from sim.bumpers.kernel.cards import Cards
    from sim.bumpers.kernel.encoding import Encoded
    from sim.bumpers.kernel.path import Path

_NODES = 1 << 16


@dataclass(slots=True, kw_only=True)
class Run:
    """A search on its way; it changes as it goes on.

    Attributes:
        limits: How far it may go.
        encoded: The position, and the arrangements met.
        aim: What is wanted.
        path: Where the search is.
        table: What is proved.
        cards: What is known of mat moves; None if no card is in hand.
        depth: Most actions of the solutions that are looked for; none has fewer.
        began_s: When it began, by the clock of `time.perf_counter`.
    """

    limits: Limits
    encoded: "Encoded"
    aim: "Aim"
    path: "Path"
    table: "NDArray[np.uint64]"
    cards: "Cards | None"
    depth: int
    began_s: float

    def place(self, where: "NDArray[np.uint16]") -> None:
        """Put the pieces elsewhere, each on the space at its number; the table stays."""
        from sim.bumpers.kernel.encoding import key_of

        pieces = self.encoded.pieces
        pieces.where[:] = where
        pieces.occupied[:] = pieces.vacated
        for number, space in enumerate(where.tolist()):
            if space < len(pieces.vacated) - 1:
                pieces.occupied[space] = number + 1
        self.path.keys[0] = key_of(self.encoded)

    def restart(self) -> None:
        """Begin anew where the pieces are, without cards; count work and time from now on."""
        from sim.bumpers.kernel.aims import bound_of

        where, path, distances = self.encoded.pieces.where, self.path, self.aim.distances[0]
        path.bound[0] = bound_of(self.aim, distances, where, path.who[0], path.to[0], 0, False)
        path.counts[:3] = 0  # the table keeps its entries
        self.began_s = time.perf_counter()
        self.begin_depth()

    def size_mb(self) -> float:
        """Return the memory of what grows or is large: the table and the arrangements."""
        arrays = (self.table, self.aim.distances, *self.encoded.arrangements)
        return sum(array.nbytes for array in arrays) / 1e6

    def begin_depth(self) -> None:
        """Go back to the position."""
        from sim.bumpers.kernel.path import UNLISTED

        self.path.ply[0] = self.path.solved[0] = 0
        self.path.next_move[0] = UNLISTED

    def go_on(self) -> int:
        """Search for a while; return how that ended (see `sim.bumpers.kernel.solving`)."""
        from sim.bumpers.kernel.solving import search

        share = _NODES
        if self.limits.nodes is not None:
            share = min(share, self.limits.nodes - int(self.path.counts[0]))
        return search(self.encoded, self.aim, self.path, self.table, self.cards, self.depth, share)

    def make_room(self) -> str:
        """Make room for more; return "memory" if layouts need more than is allowed."""
        from sim.bumpers.kernel.cards import is_full, size_mb, with_more_room
        from sim.bumpers.kernel.path import ENTRIES
        from sim.bumpers.kernel.proofs import with_room

        left_mb = self.limits.memory_mb
        if self.cards is not None:
            used_mb = size_mb(self.encoded, self.aim, self.cards)
            if is_full(self.encoded, self.cards):
                # While they are copied, there are old and new ones.
                if self.table.nbytes / 1e6 + 3 * used_mb > left_mb:
                    return "memory"
                self.encoded, self.aim, self.cards = with_more_room(
                    self.encoded, self.aim, self.cards
                )
                used_mb = size_mb(self.encoded, self.aim, self.cards)
            left_mb -= used_mb
        self.table = with_room(self.table, int(self.path.counts[ENTRIES]), left_mb)
        return ""

    def limit(self) -> str:
        """Return which limit of work is reached; empty for none."""
        if self.limits.nodes is not None and self.path.counts[0] >= self.limits.nodes:
            return "nodes"
        seconds = time.perf_counter() - self.began_s
        if self.limits.seconds is not None and seconds >= self.limits.seconds:
            return "seconds"
        return ""

    def line(self) -> tuple[Move, ...]:
        """Return the moves of the solution that was found."""
        from sim.bumpers.kernel.matmoves import mat_move_of

        path = self.path
        moves: list[Move] = []
        for ply in range(int(path.ply[0]) + 1):
            if path.mat_move[ply] >= 0:
                moves.append(mat_move_of(int(path.mat_move[ply])))
            else:
                move = int(path.listed_move[ply, path.next_move[ply] - 1])
                moves.append(PieceMove(int(path.start[ply]), Direction(move % 4)))
        return tuple(moves)

    def state(self) -> Solution:
        """Return what is known."""
        from sim.bumpers.kernel.distances import NO_WAY

        nodes, generated, hits, used = self.path.counts.tolist()
        return Solution(
            status=Status.LIMIT_REACHED,
            line=(),
            lines=(),
            complete=False,
            lower_bound=None if self.depth >= NO_WAY else self.depth,
            limit="",
            nodes=nodes,
            generated=generated,
            seconds=time.perf_counter() - self.began_s,
            table_hits=hits,
            table_used=used,
            table_size=len(self.table),
        )


def begun(position: Position, goal: Goal, limits: Limits, hand: tuple[int, int, int]) -> Run:
    """Return a search that has not begun.

    Args:
        position: The position.
        goal: A goal that was checked.
        limits: How far to go.
        hand: How many cards turn, swap and shift.
    """
    from sim.bumpers.kernel.aims import bound_of
    from sim.bumpers.kernel.cards import new_cards
    from sim.bumpers.kernel.encoding import encode
    from sim.bumpers.kernel.path import new_path
    from sim.bumpers.kernel.proofs import first_table

    began_s = time.perf_counter()
    encoded = encode(position)
    has_cards = sum(hand) > 0
    aim = aim_of(position, goal, encoded, cards=has_cards)
    encoded = with_named(encoded, aim, goal)
    path = new_path(encoded, limits.actions)
    turns, swaps, shifts = hand
    path.hand[0] = turns + 4 * swaps + 16 * shifts
    distances, where = aim.distances[0], encoded.pieces.where
    path.bound[0] = bound_of(aim, distances, where, path.who[0], path.to[0], 0, has_cards)
    return Run(
        limits=limits,
        encoded=encoded,
        aim=aim,
        path=path,
        table=first_table(),
        cards=new_cards(encoded, *hand) if has_cards else None,
        depth=int(path.bound[0]),
        began_s=began_s,
    )


def least_actions(position: Position, goal: Goal) -> int:
    """Return how many actions a goal needs at least, as if pucks could stop anywhere.

    Other pieces are left out; 255 if it can never be reached.

    Args:
        position: The position.
        goal: A goal of it that is not reached.
    """
    return int(begun(position, goal, Limits(), (0, 0, 0)).path.bound[0])
