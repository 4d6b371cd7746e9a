"""A search that is under way: the kernel's arrays, and their growth.

A `Run` searches one share of nodes after the other, so that limits are checked and progress is
reported in between, and enlarges the arrays when they fill up. `new_run` begins one;
`least_actions` and `distances_to_goal` are the heuristic of a position alone.
"""

import math
import time
from dataclasses import dataclass

from physics.compiling import batch_size
from sim.bumpers.board import Position
from sim.bumpers.kernel.arrays import U8, U16, U64
from sim.bumpers.kernel.heuristic import (
    EncodedGoal,
    lower_bound_of,
    pattern_bound_of,
    with_distances,
)
from sim.bumpers.kernel.layouts import (
    SHIFT,
    LayoutGraph,
    MatMoves,
    card_kinds,
    encode_cards,
    expand_layouts,
    mat_move_of,
    may_grow,
    most_mat_moves,
    new_graph,
    size_bytes,
)
from sim.bumpers.kernel.move_generation import unmake_move
from sim.bumpers.kernel.pattern_database import (
    MOST_SPACES,
    PAIRS,
    TRIPLES,
    UNREACHABLE,
    count_sets,
    database_mb,
    database_of,
    is_kept,
)
from sim.bumpers.kernel.position import FIRST, Encoded, encode, key_of
from sim.bumpers.kernel.search import LAYOUT_UNKNOWN, search
from sim.bumpers.kernel.search_stack import (
    ENTRIES,
    MAT_MOVES,
    NODES,
    NOT_GENERATED,
    SearchStack,
    new_search_stack,
)
from sim.bumpers.kernel.transposition_table import grown_table, new_table
from sim.bumpers.mats import Direction
from sim.bumpers.moves import Move, PieceMove
from sim.bumpers.solver.goals import (
    Goal,
    distinguish_puck,
    encode_goal,
)
from sim.bumpers.solver.solution import Limits, Solution

_FEW_NODES, _NODES = 1 << 5, 1 << 16
"""Nodes of one share of the search: interpreted, compiled."""

_FIRST_NODES = 1 << 10
"""Nodes after which the transposition table may grow for the first time."""

_SIZES = (PAIRS, TRIPLES)
_SETS_A_NODE = 8
"""Sets of a pattern database built in the time of a node: a database comes into use after as many
nodes as take as long as building it, some 4,000 (pairs) and 360,000 (triples) on 256 spaces.

The number does not depend on whether it is kept already, so that the same question always has the
same node count."""

_NODES_BEFORE_THREADS = 1 << 18
"""Nodes after which an iteration is split into threads."""

_TABLE_MB = 1.0
"""Memory left at least to the transposition table."""

SPLIT_DEPTH = 2
"""Actions before the tree is split."""


@dataclass(slots=True, kw_only=True)
class Run:
    """The state of a search.

    Attributes:
        limits: The limits of the search.
        encoded: The position.
        graph: The layouts met, and their mat moves with the cards in hand.
        encoded_goal: The goal.
        stack: The search stack.
        table: The transposition table.
        depth: The length of the solutions looked for; none is shorter.
        stages: The pattern databases still to come: after how many nodes, and the size of each.
        patterns_s: Time at which the last one came into use.
        without_tables: See `Solution`.
        began_s: Start time on the clock of `time.perf_counter`.
    """

    limits: Limits
    encoded: Encoded
    graph: LayoutGraph
    encoded_goal: EncodedGoal
    stack: SearchStack
    table: U64
    depth: int
    stages: list[tuple[int, int]]
    patterns_s: float = 0.0
    without_tables: str = ""
    began_s: float

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self.began_s

    def place(self, where: U16) -> None:
        """Move the pieces to other spaces, ``where[piece]``; the transposition table stays."""
        pieces = self.encoded.pieces
        pieces.where[:] = where
        pieces.occupied[:] = pieces.vacated
        for number, space in enumerate(where.tolist()):
            if space < len(pieces.vacated) - 1:
                pieces.occupied[space] = number + FIRST
        self.stack.keys[0] = key_of(self.encoded)

    def restart(self) -> None:
        """Restart from the pieces' places, without cards; nodes and time count from now on."""
        where, stack, distances = (
            self.encoded.pieces.where,
            self.stack,
            self.encoded_goal.distances[0],
        )
        stack.bound[0] = lower_bound_of(
            self.encoded_goal, distances, where, stack.who[0], stack.to[0], 0, False
        )
        stack.counts[:3] = 0  # the table keeps its entries
        self.began_s = time.perf_counter()
        self.begin_depth()

    def size_mb(self) -> float:
        """Return the memory of the large arrays: the transposition table and all others."""
        return self.table.nbytes / 1e6 + self._arrays_mb()

    def begin_depth(self) -> None:
        """Go back to the root for a new iteration."""
        self.stack.ply[0] = self.stack.solved[0] = 0
        self.stack.stage[0] = NOT_GENERATED

    def advance(self) -> int:
        """Search one share of nodes; return its result (see `sim.bumpers.kernel.search`)."""
        made = int(self.stack.counts[NODES])
        # The table grows at the same node counts, however the shares are cut: at powers of 2 up
        # to a share, and then after each share.
        until_growth = min(_NODES - made % _NODES, max(_FIRST_NODES, 1 << made.bit_length()) - made)
        share = min(batch_size(_FEW_NODES, _NODES), until_growth)
        if self.stages:
            share = min(share, max(1, self.stages[0][0] - made))
        if self.limits.nodes is not None:
            share = min(share, self.limits.nodes - made)
        layouts = self.graph.layouts
        return search(
            self.encoded, layouts, self.encoded_goal, self.stack, self.table, self.depth, share
        )

    def make_room(self, ended: int) -> str:
        """Enlarge the arrays for the next share; return "memory" if the limit does not allow it.

        Args:
            ended: The result of the last share.
        """
        if ended == LAYOUT_UNKNOWN and not self._expand_layout():
            return "memory"
        self.make_table()
        return ""

    def make_table(self) -> None:
        """Enlarge the transposition table if it is nearly full and memory allows."""
        left_mb = self.limits.memory_mb - self._arrays_mb()
        spaces = len(self.encoded.pieces.vacated) - 2
        reserved_mb = max((database_mb(spaces, size) for _, size in self.stages), default=0.0)
        left_mb -= reserved_mb if reserved_mb + _TABLE_MB < left_mb else 0.0
        self.table = grown_table(self.table, int(self.stack.counts[ENTRIES]), left_mb)

    def may_split(self) -> bool:
        """Return whether the next iteration is worth several threads, and can be split."""
        is_hard = self.stack.counts[NODES] >= _NODES_BEFORE_THREADS and self.depth > SPLIT_DEPTH
        can_split = not (self.stages or self.graph.allowed.any or self.limits.nodes)
        return bool(is_hard and can_split)

    def use_patterns(self) -> bool:
        """Use the next pattern database if its time has come; under a limit of seconds a kept one.

        Returns:
            True if it is used from now on; the root then has a new bound and must be searched anew.
        """
        if not self.stages:
            return False
        layout = self.graph.layouts.neighbours[0], self.encoded.pieces.vacated
        (nodes, size), largest = self.stages[0], self.stages[-1][1]
        if self.limits.seconds is not None and is_kept(*layout, largest):
            size = largest
        elif self.stack.counts[NODES] < nodes:
            return False
        self.stages = [stage for stage in self.stages if stage[1] > size]
        name = {PAIRS: "pairs", TRIPLES: "triples"}[size]
        needed_mb = self._arrays_mb() + database_mb(len(layout[1]) - 2, size) + _TABLE_MB
        if needed_mb > self.limits.memory_mb:
            self.without_tables = (
                f"no tables of {name} within {self.limits.memory_mb:g} MB: "
                f"with all the rest they take {math.ceil(needed_mb)} MB"
            )
            self.stages = []
            return False
        # Building takes about as long as the nodes since pairs came into use.
        needed_s = self.seconds - self.patterns_s if size > PAIRS else 0.0
        left_s = (self.limits.seconds or math.inf) - self.seconds
        if left_s < needed_s and not is_kept(*layout, size):
            self.without_tables = (
                f"no tables of {name} within {self.limits.seconds:g} s: "
                f"they take about {needed_s:.2g} s, and {left_s:.2g} s were left"
            )
            return False
        database = database_of(*layout, size, lambda: self.limit() != "seconds")
        if database is None:
            return False
        self.patterns_s = self.seconds
        self.encoded_goal = self.encoded_goal._replace(database=database)
        self._unwind()
        stack, where = self.stack, self.encoded.pieces.where
        bound = pattern_bound_of(self.encoded_goal, where, stack.who[0], stack.to[0], 0)
        stack.bound[0] = max(int(stack.bound[0]), bound)
        self.depth = max(self.depth, int(stack.bound[0]))
        return True

    def _unwind(self) -> None:
        """Undo the moves of the stack, so that the pieces are where they are at the root."""
        stack = self.stack
        for ply in range(int(stack.ply[0]) - 1, -1, -1):
            unmake_move(
                self.encoded.pieces, stack.who[ply], stack.origin[ply], int(stack.changes[ply])
            )
        self.begin_depth()

    def _expand_layout(self) -> bool:
        """Expand the layout that the search has reached, if memory allows."""
        # While arrays are copied, the old and the new ones exist.
        if may_grow(self.graph):
            most_mb = self.table.nbytes / 1e6 + 3 * self._arrays_mb()
            if most_mb > self.limits.memory_mb:
                return False
        ply, known = self.stack.ply[0], len(self.graph.numbers)
        kinds = card_kinds(int(self.stack.cards[ply]))
        shifts = int(self.stack.cards[ply]) >> 2 * SHIFT & 3
        expand_layouts(self.graph, [int(self.stack.layout[ply])], kinds, series=shifts > 1)
        neighbours, vacated = self.graph.layouts.neighbours, self.encoded.pieces.vacated
        self.encoded_goal = with_distances(
            self.encoded_goal, neighbours, vacated, known, len(self.graph.numbers)
        )
        return True

    def _arrays_mb(self) -> float:
        goal = self.encoded_goal
        tables = (goal.distances, goal.descents, goal.database.values, goal.database.filters)
        return (size_bytes(self.graph) + sum(table.nbytes for table in tables)) / 1e6

    def limit(self) -> str:
        """Return the limit that is reached; empty for none."""
        return self.limits.reached(int(self.stack.counts[NODES]), self.seconds)

    def line(self) -> tuple[Move, ...]:
        """Return the moves of the solution found."""
        stack = self.stack
        moves: list[Move] = []
        for ply in range(int(stack.ply[0]) + 1):
            move = int(stack.moves[ply, stack.next_move[ply] - 1])
            if stack.stage[ply] == MAT_MOVES:
                moves.append(mat_move_of(int(self.graph.layouts.moves[move])))
            else:
                moves.append(PieceMove(int(stack.start[ply]), Direction(move % 4)))
        return tuple(moves)

    def state(self) -> Solution:
        """Return the result so far."""
        nodes, legal_moves, hits, used = self.stack.counts.tolist()
        return Solution(
            lower_bound=None if self.depth >= UNREACHABLE else self.depth,
            nodes=nodes,
            legal_moves=legal_moves,
            seconds=self.seconds,
            table_hits=hits,
            table_used=used,
            table_size=len(self.table),
            without_tables=self.without_tables,
        )


def new_run(
    position: Position,
    goal: Goal,
    limits: Limits,
    hand: tuple[int, int, int],
    *,
    one_turn: bool = False,
) -> Run:
    """Return a new search.

    Args:
        position: The position.
        goal: A goal that has been checked.
        limits: The limits of the search.
        hand: The number of cards that turn, swap and shift mats.
        one_turn: As of `sim.bumpers.solver.solve`.
    """
    began_s = time.perf_counter()
    encoded = encode(position)
    turns, swaps, shifts = hand
    allowed = MatMoves(
        turns=turns > 0,
        swaps=swaps > 0,
        shifts=shifts > 0,
        one_piece=position.rules.one_piece,
        series=one_turn and shifts > 1,
    )
    graph = new_graph(position.layout, allowed)
    encoded_goal = encode_goal(position, goal, encoded, graph.layouts.neighbours)
    encoded = distinguish_puck(encoded, encoded_goal, goal)
    mat_moves = most_mat_moves(len(position.layout.faces), allowed)
    stack = new_search_stack(encoded, limits.max_actions, mat_moves)
    stack.cards[0] = encode_cards(*hand)
    distances, where = encoded_goal.distances[0], encoded.pieces.where
    spaces = len(encoded.pieces.vacated) - 2
    sizes = () if allowed.any else _SIZES
    stack.bound[0] = lower_bound_of(
        encoded_goal, distances, where, stack.who[0], stack.to[0], 0, allowed.any
    )
    return Run(
        limits=limits,
        encoded=encoded,
        graph=graph,
        encoded_goal=encoded_goal,
        stack=stack,
        table=new_table(),
        depth=int(stack.bound[0]),
        stages=[
            (count_sets(spaces, size) // _SETS_A_NODE, size)
            for size in sizes
            if size <= encoded_goal.needed and spaces <= MOST_SPACES[size]
        ],
        began_s=began_s,
    )


def least_actions(position: Position, goal: Goal) -> int:
    """Return the heuristic lower bound of the actions to a goal; 255 if it can never be reached.

    Args:
        position: The position.
        goal: A goal of the position that is not reached.
    """
    return int(new_run(position, goal, Limits(), (0, 0, 0)).stack.bound[0])


def distances_to_goal(position: Position, goal: Goal) -> dict[int, U8]:
    """Return the heuristic distances of the pieces of a goal: 255 where it is out of reach.

    Args:
        position: The position.
        goal: A goal of the position that is not reached.

    Returns:
        For the space of each piece, ``distances[space]`` of such a piece.
    """
    run = new_run(position, goal, Limits(), (0, 0, 0))
    encoded, where = run.encoded_goal, run.encoded.pieces.where
    return {
        int(where[piece]): encoded.distances[0, encoded.row[piece]]
        for piece in encoded.pieces.tolist()
    }
