"""Search for a shortest solution by iterative deepening A*.

`solve` is the entry point; it leaves a `Defence` to `pucklab.sim.bumpers.solver.defence` and the
kernel's arrays to a `Run`, which searches one share of nodes after the other.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pucklab.sim.bumpers.kernel.search import EXHAUSTED, FOUND, PAUSED
from pucklab.sim.bumpers.solver.defence import defence_states
from pucklab.sim.bumpers.solver.goals import Defence
from pucklab.sim.bumpers.solver.parallel import split_iteration
from pucklab.sim.bumpers.solver.question import Question
from pucklab.sim.bumpers.solver.run import Run, new_run
from pucklab.sim.bumpers.solver.solution import Solution, Status, with_lines


def solve(question: Question, watch: Callable[[Solution], None] | None = None) -> Solution:
    """Find a shortest line of actions of the side to move that reaches a goal.

    The side to move makes all moves; PB-10, which is about turns, is not applied. The same
    question gives the same answer and node count, except under a limit of seconds. A goal that is
    reached already takes no action.

    With a `Defence` as the goal, a solution ends in a position from which the other colour provably
    cannot score in its turn.

    Args:
        question: The question.
        watch: Called from time to time with the result so far, and finally with the answer.

    Raises:
        InputError: The question is not accepted; see `Question.check`.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> found = solve(Question(parse_position("pb1:small:RPb7.BPe7:-:R:-")))
        >>> found.status.value, len(found.line)
        ('solved', 3)
    """
    known = None
    for state in solution_states(question):
        known = state
        if watch is not None:
            watch(state)
    assert known is not None
    return known


def solution_states(question: Question) -> Iterator[Solution]:
    """Search as `solve` does, and yield the result so far; the last one is the answer."""
    question.check()
    if isinstance(question.goal, Defence):
        return defence_states(question)
    run = new_run(question)
    if run.depth == 0:
        return iter((with_lines(run.state(), [()], "", 1, complete=True),))
    most = question.solutions
    run.encoded_goal = run.encoded_goal._replace(omits_steps=int(most == 1))
    run.use_patterns()
    return _search_states(run, most, question.cores)


def _search_states(run: Run, most: int, cores: int) -> Iterator[Solution]:
    """Search by iterative deepening A*, and yield the result so far."""
    limits = run.limits
    lines = list(run.state().lines)  # none yet
    limit = ""
    ended = FOUND
    yield run.state()
    while run.depth <= limits.max_actions and not lines and not limit:
        run.begin_depth()
        ended = FOUND
        if cores > 1 and most == 1 and run.may_split():
            for state in split_iteration(run, cores):
                yield replace(state, line=())
            lines, limit = [state.line] if state.line else [], state.limit
            run.depth += not (lines or limit)
            continue
        while ended != EXHAUSTED and not limit and len(lines) < most:
            ended = run.advance()
            if ended == FOUND:
                lines.append(run.line())
            else:
                yield run.state()
            limit = "" if ended == EXHAUSTED else run.make_room(ended) or run.limit()
            if ended == PAUSED and not (lines or limit) and run.use_patterns():
                break  # and begin again with a better bound, at this depth or a greater one
        run.depth += ended == EXHAUSTED and not lines
        if ended == EXHAUSTED:
            yield run.state()
    state = run.state()
    if lines:
        yield with_lines(state, lines, limit, most, complete=ended == EXHAUSTED)
    elif limit:
        yield replace(state, limit=limit)
    else:
        yield replace(state, status=Status.PROVED_UNSOLVABLE)
