"""Finite decision processes: moves with random results, their costs, and the best policies.

A process is a dictionary from each state to its moves, the first state first; a state without moves
is an end. A state's value is the expected total cost from there to the end. Small processes with
fractions are solved in fractions, others in floats by sparse linear algebra.

The best policy, of least cost, is found by policy iteration (R. A. Howard, "Dynamic Programming and
Markov Processes", 1960).
"""

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from pucklab.physics import InputError
from pucklab.sim.chance.distribution import Distribution, Number, distribution

Step: TypeAlias = tuple[Number, Any, Number]
"""A result of a move: its probability, the next state, and the cost."""
Process: TypeAlias = Mapping[Any, Mapping[Any, tuple[Step, ...]]]
_Chain: TypeAlias = Mapping[Any, tuple[Step, ...]]

LIMIT = 200_000
EXACT = 250
"""Most states that are solved in fractions."""
_BETTER = 1e-10
"""Relative difference of floats that counts as an improvement; below is rounding."""


class Solution(NamedTuple):
    """Moves of a policy, and the expected total cost from each state to the end."""

    policy: Mapping[Any, Any]
    value: Mapping[Any, Number]


def collect(
    start: Any, moves: Callable[[Any], Mapping[Any, Iterable[Step]]], *, limit: int = LIMIT
) -> Process:
    """Return the process of all states that can be reached, found breadth first.

    Args:
        start: The first state.
        moves: Returns a state's moves, each with (probability, next state, cost) of its results;
            none for an end.
        limit: Most states.

    Raises:
        InputError: There are more states than the limit.
    """
    found: dict[Any, Mapping[Any, tuple[Step, ...]]] = {start: {}}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        found[state] = {
            move: tuple(step for step in steps if step[0]) for move, steps in moves(state).items()
        }
        for _, reached, _ in (step for steps in found[state].values() for step in steps):
            if reached not in found:
                if len(found) == limit:
                    raise InputError(
                        f"limit: more than {limit} states are not accepted; give a smaller "
                        "problem or a higher limit"
                    )
                found[reached] = {}
                waiting.append(reached)
    return found


def evaluate(
    process: Process, policy: Mapping[Any, Any] | None = None, *, exact: int = EXACT
) -> Solution:
    """Return the values of a policy; infinite where it may never come to an end.

    Where the policy has no move for a state, its first one is taken.
    """
    return solve(_under(process, policy), exact=exact)


def solve(process: Process, *, exact: int = EXACT) -> Solution:
    """Return the policy of least total cost, and its values.

    A run without an end counts as infinite, whatever it costs. If runs can be endless, costs must
    not be negative.

    Args:
        process: The process.
        exact: Most states to solve in fractions.

    Example:
        >>> half = Fraction(1, 2)
        >>> flips = {"one coin": [(half, "up", 1), (half, "down", 1)], "no coin": [(1, "down", 1)]}
        >>> found = solve(collect("down", lambda state: flips if state == "down" else {}))
        >>> found.value["down"], found.policy["down"]
        (Fraction(2, 1), 'one coin')
    """
    # States from which the end is sure, and a policy by which it is.
    policy: dict[Any, Any] = {}
    ending, states = process.keys(), 0
    while len(ending) != states:
        states, nearing = len(ending), _find_nearing_states(process, ending)
        policy |= {s: good[0] for s, good in nearing.items() if good}
        ending = nearing.keys()
    # A move that may leave them costs infinitely much.
    inside = {
        s: {m: steps for m, steps in process[s].items() if all(to in ending for _, to, _ in steps)}
        for s in ending
    }
    improved = True
    while improved:
        improved, value = False, _values(_chain(inside, policy), exact)
        for state in (s for s, moves in inside.items() if moves):
            worth = {
                move: sum(p * (cost + value[to]) for p, to, cost in steps)
                for move, steps in inside[state].items()
            }
            now: Any = value[state]
            best = min(worth, key=worth.__getitem__)
            gain = now - worth[best]
            if gain > (_BETTER * max(1.0, abs(now)) if isinstance(gain, float) else 0):
                policy[state], improved = best, True
    first = {s: next(iter(moves)) for s, moves in process.items() if moves}
    return Solution(first | policy, {state: value.get(state, math.inf) for state in process})


def visits(
    process: Process, policy: Mapping[Any, Any] | None = None, *, exact: int = EXACT
) -> dict[Any, Number]:
    """Return the expected number of visits to each state, from the first on, under a policy."""
    start = next(iter(process))
    reached = collect(start, _under(process, policy).__getitem__)
    passing = _find_nearing_states(reached, reached)  # the others never end
    # Visits of a state = 1 at the start + sum of p * visits of the states before it.
    rows: _Rows = {s: (Fraction(s == start), []) for s in reached if s in passing}
    for state, steps in _chain(reached).items():
        for p, to, _ in steps if state in rows else ():
            if to in rows:
                rows[to][1].append((state, p))
    found = {s: math.inf if s in reached else Fraction(0) for s in process}
    return found | _linear(rows, exact)


def totals(
    process: Process,
    policy: Mapping[Any, Any] | None = None,
    *,
    tail: float = 1e-12,
    exact: int = EXACT,
) -> Distribution[Number]:
    """Return the distribution of the total cost under a policy; costs are whole, 0 or more.

    Runs that never end count as infinite, and so does the rest when less probability than ``tail``
    is left. Processes of more than ``exact`` states are computed in floats.
    """
    import numpy as np

    kind: Any = float if len(process) > exact else object
    under = _under(process, policy)
    passing, place = (
        _find_nearing_states(under, under),
        {state: row for row, state in enumerate(process)},
    )
    steps = [
        [(p if kind is object else float(p), place[to], int(cost)) for p, to, cost in there]
        for there in _chain(under).values()
    ]
    ends = [row for row, there in enumerate(steps) if not there]
    most = max((cost for there in steps for _, _, cost in there), default=0)
    # Probabilities of the runs under way by state and total, and of those at an end by total.
    alive, done = np.zeros((len(steps), 1), kind), np.zeros(1, kind)
    alive[0, 0] = Fraction(1) if kind is object else 1.0
    while True:
        done = np.pad(done, (0, max(0, alive.shape[1] - len(done))))
        done[: alive.shape[1]] += alive[ends].sum(axis=0)
        alive[ends] = alive[[place[s] for s in process if s not in passing]] = 0
        if alive.sum() < tail or not alive.any():
            break
        width = 1 + np.flatnonzero((alive != 0).any(axis=0))[-1]
        after = np.zeros((len(steps), width + most), kind)
        for row in np.flatnonzero((alive != 0).any(axis=1)):
            for p, to, cost in steps[row]:
                after[to, cost : cost + width] += p * alive[row, :width]
        alive = after
    rest = 1 - done.sum()
    return distribution([*enumerate(done.tolist()), (math.inf, max(0 * rest, rest))])


def _under(process: Process, policy: Mapping[Any, Any] | None) -> Process:
    """Return the process with the moves of a policy only, the first ones where it has none."""
    chosen = {s: next(iter(there)) for s, there in process.items() if there} | dict(policy or {})
    return {s: {chosen[s]: there[chosen[s]]} if there else {} for s, there in process.items()}


def _chain(process: Process, policy: Mapping[Any, Any] | None = None) -> _Chain:
    under = _under(process, policy)
    return {s: next(iter(there.values()), ()) for s, there in under.items()}


def _find_nearing_states(process: Process, hopeful: Collection[Any]) -> dict[Any, list[Any]]:
    """Return the states from which an end can be reached within the hopeful ones, and the moves."""
    before: dict[Any, set[Any]] = {state: set() for state in process}
    for state, moves in process.items():
        for _, to, _ in (step for steps in moves.values() for step in steps):
            before[to].add(state)
    nearing: dict[Any, list[Any]] = {state: [] for state, moves in process.items() if not moves}
    waiting = deque(nearing)
    while waiting:
        for state in before[waiting.popleft()] - nearing.keys():
            good = [
                move
                for move, steps in process[state].items()
                if all(to in hopeful for _, to, _ in steps)
                and any(to in nearing for _, to, _ in steps)
            ]
            if good:
                nearing[state] = good
                waiting.append(state)
    return nearing


def _values(chain: _Chain, exact: int) -> dict[Any, Number]:
    """Return the expected total cost from each state of a chain that surely ends."""
    ends = {state: Fraction(0) for state, steps in chain.items() if not steps}
    # x = expected cost of a step + sum of p * x at the next state.
    rows: _Rows = {
        s: (
            sum(p * cost for p, _, cost in steps),
            [(to, p) for p, to, _ in steps if to not in ends],
        )
        for s, steps in chain.items()
        if steps
    }
    return {**ends, **_linear(rows, exact)}


_Rows: TypeAlias = Mapping[Any, tuple[Number, list[tuple[Any, Number]]]]


def _linear(rows: _Rows, exact: int) -> dict[Any, Number]:
    """Return the solution of x = b + A x, given each row's b and its entries of A."""
    numbers = (number for b, row in rows.values() for number in (b, *(a for _, a in row)))
    if len(rows) <= exact and not any(isinstance(number, float) for number in numbers):
        return _in_fractions(rows)
    return _in_floats(rows)


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
