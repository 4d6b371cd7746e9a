"""Finite decision processes: moves with random results, their costs, and how to choose best.

A state's value is the expected total cost from there to the end. Small processes with fractions
are solved in fractions, others in floats by sparse linear algebra.

The best policy is found by policy iteration (R. A. Howard, "Dynamic Programming and Markov
Processes", 1960); with two owners by strategy iteration, the best reply to one side's policy solved
inside (A. J. Hoffman and R. M. Karp, Management Science 12 (1966) 359).
"""

import math
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from physics import InputError
from sim.chance.distribution import Distribution, Number, distribution

State: TypeAlias = Hashable
Move: TypeAlias = Hashable
_S = TypeVar("_S", bound=Hashable)
_M = TypeVar("_M", bound=Hashable)

LIMIT = 200_000
EXACT = 250
"""Most states that are solved in fractions."""
_BETTER = 1e-10
"""Relative difference of floats that counts as an improvement; below is rounding."""


class Owner(Enum):
    """Who chooses the move of a state: someone who wants a high total, a low one, or nobody."""

    MAXIMISE = "maximise"
    MINIMISE = "minimise"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Process(Generic[_S, _M]):
    """All that can happen from a first state on; `collect` makes one.

    Attributes:
        moves: The moves of each state, the first state first: what each leads to, as
            (probability, next state, cost). A state without moves is an end.
    """

    moves: Mapping[_S, Mapping[_M, tuple[tuple[Number, _S, Number], ...]]]

    @property
    def start(self) -> _S:
        """The first state."""
        return next(iter(self.moves))


@dataclass(frozen=True, kw_only=True)
class Solution(Generic[_S, _M]):
    """Values under a policy.

    Attributes:
        process: The process.
        policy: The move of each state that is no end.
        value: Expected total cost from each state on; 0 at an end, infinite where it is.
        exact: Most states to solve in fractions.
    """

    process: Process[_S, _M]
    policy: Mapping[_S, _M]
    value: Mapping[_S, Number]
    exact: int

    @cached_property
    def visits(self) -> Mapping[_S, Number]:
        """Expected number of times that each state is visited, from the first state on."""
        return _visits(_chain(self.process.moves, self.policy), self.process.start, self.exact)


def collect(
    start: _S,
    moves: Callable[[_S], Mapping[_M, Iterable[tuple[Number, _S, Number]]]],
    *,
    limit: int = LIMIT,
) -> Process[_S, _M]:
    """Return the process of all states that can be reached, found breadth first.

    Args:
        start: The first state.
        moves: Returns a state's moves, each with (probability, next state, cost) of its results;
            none for an end.
        limit: Most states.

    Raises:
        InputError: There are more states than the limit.
    """
    found: dict[_S, Mapping[_M, tuple[tuple[Number, _S, Number], ...]]] = {start: {}}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        found[state] = {
            move: tuple(step for step in steps if step[0]) for move, steps in moves(state).items()
        }
        for steps in found[state].values():
            for _, reached, _ in steps:
                if reached not in found:
                    if len(found) == limit:
                        raise InputError(
                            f"limit: more than {limit} states are not accepted; give a smaller "
                            "problem or a higher limit"
                        )
                    found[reached] = {}
                    waiting.append(reached)
    return Process(found)


def evaluate(
    process: Process[_S, _M], policy: Mapping[_S, _M] | None = None, *, exact: int = EXACT
) -> Solution[_S, _M]:
    """Return the values of a policy; infinite where it may never come to an end.

    Args:
        process: The process.
        policy: The move of each state; where it has none, the first move is taken.
        exact: Most states to solve in fractions.
    """
    chosen = {s: next(iter(moves)) for s, moves in process.moves.items() if moves}
    chosen |= policy or {}
    value = _values(_chain(process.moves, chosen), exact)
    return Solution(process=process, policy=chosen, value=value, exact=exact)


def solve(
    process: Process[_S, _M], owner: Owner | Callable[[_S], Owner], *, exact: int = EXACT
) -> Solution[_S, _M]:
    """Return the best policy and its values; with two owners, best against each other.

    A run without an end counts as infinite, whatever it costs: a minimiser avoids it, a maximiser
    wants it. Where runs can be endless, costs must not be negative.

    Args:
        process: The process.
        owner: Who chooses, everywhere or by state; a state of nobody has a single move.
        exact: As in `evaluate`.

    Example:
        >>> half = Fraction(1, 2)
        >>> flips = {"one coin": [(half, "up", 1), (half, "down", 1)], "no coin": [(1, "down", 1)]}
        >>> until_up = collect("down", lambda state: flips if state == "down" else {})
        >>> found = solve(until_up, Owner.MINIMISE)
        >>> found.value["down"], found.policy["down"]
        (Fraction(2, 1), 'one coin')
    """
    moves = process.moves
    owners = {s: owner(s) if callable(owner) else owner for s, there in moves.items() if there}
    maximisers = {s for s, side in owners.items() if side is Owner.MAXIMISE}
    minimisers = [s for s in owners if s not in maximisers]
    policy = _ending_policy(moves, maximisers)
    while True:
        # The maximisers' best reply to the minimisers' policy, then a better such policy.
        value = _best_reply(moves, maximisers, policy, exact)
        if not _improve(moves, minimisers, policy, value, -1):
            return Solution(process=process, policy=policy, value=value, exact=exact)


def totals(
    process: Process[_S, _M], policy: Mapping[_S, _M] | None = None, *, tail: float = 1e-12
) -> Distribution[Number]:
    """Return the distribution of the total cost under a policy.

    Args:
        process: The process.
        policy: As in `evaluate`.
        tail: When less probability than this is left, the runs still going on count as infinite,
            as do runs that never end.
    """
    first = {s: next(iter(moves)) for s, moves in process.moves.items() if moves}
    chain = _chain(process.moves, first | dict(policy or {}))
    ending = _ending(chain)
    steps = [step for steps in chain.values() for step in steps]
    if any(isinstance(p, float) for p, _, _ in steps) and all(
        isinstance(cost, int) and cost >= 0 for _, _, cost in steps
    ):
        return _totals_in_floats(chain, process.start, ending, tail)
    alive: dict[tuple[Any, Number], Number] = {(process.start, 0): Fraction(1)}
    done: list[tuple[Number, Number]] = []
    while alive:
        after: dict[tuple[Any, Number], Number] = {}
        for (state, total), weight in alive.items():
            if state not in ending or not chain[state]:
                done.append((total if state in ending else math.inf, weight))
                continue
            for probability, to, cost in chain[state]:
                key = (to, total + cost)
                after[key] = after.get(key, 0) + weight * probability
        alive = after
        if 0 < (left := sum(alive.values())) < tail:
            done.append((math.inf, left))
            break
    return distribution(done)


def _totals_in_floats(
    chain: "_Chain", start: Any, ending: Collection[Any], tail: float
) -> Distribution[Number]:
    """Return the totals of whole costs: one column of probabilities a total, by state."""
    import numpy as np
    from scipy.sparse import csr_matrix

    place = {state: n for n, state in enumerate(s for s in chain if s in ending and chain[s])}
    count = len(place)  # followed by two rows that collect the runs at an end, and the lost ones
    entries: dict[int, list[tuple[float, int, int]]] = {}
    for state, column in place.items():
        for p, to, cost in chain[state]:
            row = place.get(to, count if to in ending else count + 1)
            entries.setdefault(int(cost), []).append((float(p), row, column))
    steps = {}
    for cost, found in entries.items():
        chances, rows, columns = zip(*found, strict=True)
        steps[cost] = csr_matrix((chances, (rows, columns)), shape=(count + 2, count))
    alive = np.zeros((count, 1))
    if start in place:
        alive[place[start], 0] = 1.0
    done = np.zeros(1) if start in place or start not in ending else np.ones(1)
    while alive.sum() >= tail:
        after = np.zeros((count + 2, alive.shape[1] + max(steps)))
        for cost, matrix in steps.items():
            after[:, cost : cost + alive.shape[1]] += matrix @ alive
        done = np.pad(done, (0, max(0, after.shape[1] - len(done))))
        done[: after.shape[1]] += after[count]
        used = np.flatnonzero(after[:count].sum(axis=0))
        alive = after[:count, : used[-1] + 1 if len(used) else 0]
    reached = [(total, p) for total, p in enumerate(done.tolist()) if p]
    return distribution([*reached, (math.inf, max(0.0, 1.0 - float(done.sum())))])


_Chain: TypeAlias = dict[Any, tuple[tuple[Number, Any, Number], ...]]
_Moves: TypeAlias = Mapping[Any, Mapping[Any, tuple[tuple[Number, Any, Number], ...]]]


def _chain(moves: _Moves, policy: Mapping[Any, Any]) -> _Chain:
    return {state: there[policy[state]] if there else () for state, there in moves.items()}


def _improve(
    moves: _Moves,
    states: Iterable[Any],
    policy: dict[Any, Any],
    value: dict[Any, Number],
    sign: int,
) -> bool:
    """Take every move that is better by one step, for the maximiser (sign 1) or minimiser (-1)."""
    changed = False
    for state in states:
        worth = {
            move: sign * sum(p * (cost + value[to]) for p, to, cost in steps)
            for move, steps in moves[state].items()
        }
        now, best = sign * value[state], max(worth, key=worth.__getitem__)
        least = now
        if math.isfinite(now) and isinstance(now + worth[best], float):
            least += _BETTER * max(1.0, abs(now))
        if worth[best] > least:
            policy[state] = best
            changed = True
    return changed


def _best_reply(
    moves: _Moves, maximisers: Collection[Any], policy: dict[Any, Any], exact: int
) -> dict[Any, Number]:
    """Give the maximisers their best moves against the others' policy, and return the values."""
    # States from which they can surely keep a run from its end; elsewhere every policy ends.
    holding = {
        s: [*there] if s in maximisers else [policy[s]] for s, there in moves.items() if there
    }
    size = -1
    while size != sum(map(len, holding.values())):
        size = sum(map(len, holding.values()))
        kept = {
            s: [m for m in there if all(to in holding for _, to, _ in moves[s][m])]
            for s, there in holding.items()
        }
        holding = {s: there for s, there in kept.items() if there}
    policy.update({s: there[0] for s, there in holding.items()})
    while True:
        value = _values(_chain(moves, policy), exact)
        if not _improve(moves, [s for s in maximisers if s not in holding], policy, value, 1):
            return value


def _ending_policy(moves: _Moves, against: Collection[Any]) -> dict[Any, Any]:
    """Return a policy that surely ends wherever one can, whatever is chosen in ``against``."""
    parents = _parents(
        {s: [step for there in m.values() for step in there] for s, m in moves.items()}
    )
    policy = {state: next(iter(there)) for state, there in moves.items() if there}
    hopeful = set(moves)
    while True:
        # Backwards from the ends: moves that stay among the hopeful states and may get nearer.
        nearer = {state for state, there in moves.items() if not there}
        waiting = deque(nearer)
        while waiting:
            for state in parents[waiting.popleft()] - nearer:
                good = [
                    move
                    for move, steps in moves[state].items()
                    if all(to in hopeful for _, to, _ in steps)
                    and any(to in nearer for _, to, _ in steps)
                ]
                if good and (state not in against or len(good) == len(moves[state])):
                    policy[state] = good[0]
                    nearer.add(state)
                    waiting.append(state)
        if nearer == hopeful:
            return policy
        hopeful = nearer


def _parents(steps: Mapping[Any, Iterable[tuple[Number, Any, Number]]]) -> dict[Any, set[Any]]:
    parents: dict[Any, set[Any]] = {state: set() for state in steps}
    for state, there in steps.items():
        for _, to, _ in there:
            parents[to].add(state)
    return parents


def _spread(begin: Iterable[Any], neighbours: Mapping[Any, Iterable[Any]]) -> set[Any]:
    """Return all that can be reached, step by step, through neighbours."""
    reached = set(begin)
    waiting = list(reached)
    while waiting:
        fresh = [state for state in neighbours[waiting.pop()] if state not in reached]
        reached.update(fresh)
        waiting += fresh
    return reached


def _ending(chain: _Chain) -> set[Any]:
    """Return the states from which an end can be reached."""
    return _spread([state for state, steps in chain.items() if not steps], _parents(chain))


def _values(chain: _Chain, exact: int) -> dict[Any, Number]:
    """Return the expected total cost from each state on."""
    endless = _spread(chain.keys() - _ending(chain), _parents(chain))
    value: dict[Any, Number] = dict.fromkeys(endless, math.inf)
    value |= {state: Fraction(0) for state, steps in chain.items() if not steps}
    # x = expected cost of a step + sum of p * x at the next state.
    value |= _linear(
        {
            state: (
                sum(p * cost for p, _, cost in steps),
                [(to, p) for p, to, _ in steps if to not in value],
            )
            for state, steps in chain.items()
            if state not in value
        },
        exact,
    )
    return {state: value[state] for state in chain}


def _visits(chain: _Chain, start: Any, exact: int) -> dict[Any, Number]:
    """Return the expected number of visits to each state; infinite where none can end."""
    reached = _spread([start], {s: [to for _, to, _ in steps] for s, steps in chain.items()})
    ending = _ending(chain)
    visits: dict[Any, Number] = {s: math.inf if s in reached else Fraction(0) for s in chain}
    before: dict[Any, list[tuple[Any, Number]]] = {s: [] for s in chain}
    for state in reached & ending:
        for p, to, _ in chain[state]:
            before[to].append((state, p))
    # Visits of a state = 1 at the start + sum of p * visits of the states before it.
    rows = {s: (Fraction(s == start), before[s]) for s in chain if s in reached & ending}
    return visits | _linear(rows, exact)


_Rows: TypeAlias = Mapping[Any, tuple[Number, list[tuple[Any, Number]]]]


def _linear(rows: _Rows, exact: int) -> dict[Any, Number]:
    """Return the solution of x = b + A x, given each row's b and its entries of A."""
    whole = not any(
        isinstance(number, float)
        for b, row in rows.values()
        for number in (b, *(a for _, a in row))
    )
    return _in_fractions(rows) if whole and len(rows) <= exact else _in_floats(rows)


def _in_fractions(rows: _Rows) -> dict[Any, Number]:
    """Eliminate one unknown after the other, the last first: successors mostly come later."""
    left: dict[Any, tuple[Any, dict[Any, Any]]] = {}
    for state, (constant, entries) in rows.items():
        left[state] = (Fraction(constant), {})
        for to, a in entries:
            left[state][1][to] = left[state][1].get(to, 0) + a
    eliminated = []
    while left:
        state, (b, row) = left.popitem()
        go = Fraction(1) - row.pop(state, 0)
        b, row = b / go, {to: a / go for to, a in row.items()}
        eliminated.append((state, b, row))
        for other, (other_b, other_row) in left.items():
            if state in other_row:
                weight = other_row.pop(state)
                left[other] = (other_b + weight * b, other_row)
                for to, a in row.items():
                    other_row[to] = other_row.get(to, 0) + weight * a
    found: dict[Any, Number] = {}
    for state, b, row in reversed(eliminated):
        found[state] = b + sum(a * found[to] for to, a in row.items())
    return found


def _in_floats(rows: _Rows) -> dict[Any, Number]:
    import numpy as np
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import spsolve

    if not rows:
        return {}
    place = {state: index for index, state in enumerate(rows)}
    entries = [(place[s], place[to], -float(a)) for s, (_, row) in rows.items() for to, a in row]
    entries += [(index, index, 1.0) for index in place.values()]
    into, of, numbers = zip(*entries, strict=True)
    matrix = csc_matrix((numbers, (into, of)), shape=(len(rows), len(rows)))
    solution = spsolve(matrix, np.array([float(b) for b, _ in rows.values()]))
    return dict(zip(rows, solution.tolist(), strict=True))
