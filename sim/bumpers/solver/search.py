"""Searching for a shortest solution: iterative deepening A*, or breadth-first for a defence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from physics import InputError
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import AnyGoal, Defence, Goal, check_goal
from sim.bumpers.solver.hand import MatCard, counted
from sim.bumpers.solver.solution import Limits, Solution, Status

if TYPE_CHECKING:
    from sim.bumpers.moves import Move

MOST_LINES = 10_000
"""Most solutions that are listed when all are asked for."""


def solve(
    position: Position,
    goal: AnyGoal | None = None,
    limits: Limits | None = None,
    *,
    cards: Sequence[MatCard] = (),
    every: bool = False,
    most: int = MOST_LINES,
    watch: Callable[[Solution], None] | None = None,
) -> Solution:
    """Return a shortest list of actions of the side to move that reaches a goal, or what is proved.

    The side to move makes all moves; PB-10, which is about turns, is not applied. Same position,
    goal and limits, same answer and node count, but for a limit of seconds. Ctrl-C ends the
    search as a limit does.

    With a `Defence` for a goal, a solution ends where the other colour cannot score in its turn,
    which is proved for each position tried.

    Args:
        position: A legal position.
        goal: What is wanted; by default one puck of the side to move in.
        limits: How far to go; see `Limits` for the defaults.
        cards: Mat moves in hand, each one action and used once, up to 3 of a kind.
        every: Find all shortest solutions.
        most: Stop at so many of them.
        watch: Called now and then with what is known so far, and at last with the answer.

    Raises:
        InputError: Nobody is to move, there are too many cards, or the goal is none of the
            position or reached already.

    Example:
        >>> from sim.bumpers import move_text, parse_position
        >>> start = parse_position("pb1:small:RPb7.BPe7:-:R:-")
        >>> found = solve(start)
        >>> found.status.value, len(found.line)
        ('solved', 3)
    """
    known = None
    states = _states(position, goal or Goal(), limits or Limits(), cards, most if every else 1)
    try:
        for state in states:
            known = state
            if watch is not None:
                watch(state)
    except KeyboardInterrupt:
        if known is None:
            raise
        return replace(known, limit="stopped")
    assert known is not None
    return known


def _states(
    position: Position, goal: AnyGoal, limits: Limits, cards: Sequence[MatCard], most: int
) -> Iterator[Solution]:
    """Search as `solve` does, and yield what is known so far; the last is the answer."""
    from sim.bumpers.solver.defence import defence_states

    if position.to_move is None:
        raise InputError("position: nobody is to move; give a colour as the fifth field")
    hand = counted(cards)
    check_goal(position, goal)
    if isinstance(goal, Defence):
        return defence_states(position, goal, limits, tuple(cards), most)
    return _search_states(position, goal, limits, hand, most)


def _search_states(
    position: Position, goal: Goal, limits: Limits, hand: tuple[int, int, int], most: int
) -> Iterator[Solution]:
    """Search by iterative deepening A*, and yield what is known so far."""
    from sim.bumpers.kernel.solving import FOUND, NONE
    from sim.bumpers.solver.running import begun

    run = begun(position, goal, limits, hand)
    lines: list[tuple[Move, ...]] = []
    limit = ""
    ended = FOUND
    yield run.state()
    while run.depth <= limits.actions and not lines and not limit:
        run.begin_depth()
        ended = FOUND
        while ended != NONE and not limit and len(lines) < most:
            ended = run.go_on()
            if ended == FOUND:
                lines.append(run.line())
            else:
                yield run.state()
            limit = "" if ended == NONE else run.make_room(ended) or run.limit()
        run.depth += ended == NONE and not lines
    state = run.state()
    if lines:
        complete = ended == NONE
        yield replace(
            state,
            status=Status.SOLVED,
            line=lines[0],
            lines=tuple(lines),
            complete=complete,
            limit="" if complete or most == 1 else limit or "lines",
        )
    elif limit:
        yield replace(state, limit=limit)
    else:
        yield replace(state, status=Status.PROVED_UNSOLVABLE)
