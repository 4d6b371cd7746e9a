"""Searching for a defence: actions after which another colour cannot score in its turn.

Breadth-first over the distinct positions that actions lead to, so that the first defence is a
shortest one. Of each position it is proved, by the other search, whether the other colour can
score from it.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from physics import InputError
from sim.bumpers.moves import Move, PieceMove, Shift, Swap, Turn
from sim.bumpers.position import Position
from sim.bumpers.rules import legal_moves, play
from sim.bumpers.solver.defencerun import DefenceRun, State
from sim.bumpers.solver.goals import Defence
from sim.bumpers.solver.hand import MatCard
from sim.bumpers.solver.replies import Replies
from sim.bumpers.solver.solution import Limits, Solution, Status

_CARD_OF = {Turn: MatCard.TWIST, Swap: MatCard.SWAP, Shift: MatCard.SHIFT}
_CHECK_NODES = 1_000_000


def defence_states(
    position: Position, goal: Defence, limits: Limits, cards: tuple[MatCard, ...], most: int
) -> Iterator[Solution]:
    """Search for a defence, and yield what is known so far; the last is the answer.

    Args:
        position: The position.
        goal: A goal that was checked.
        limits: How far to go.
        cards: The mat cards in hand.
        most: How many solutions are wanted.

    Raises:
        InputError: The other colour cannot score in its turn as it is.
    """
    run = _new_run(position, goal, limits)
    _refuse_if_safe(run.can_score(position), goal)
    start: State = (position, tuple(sorted(cards, key=lambda card: card.value)))
    run.met.add(start)
    front = [start]
    safe: list[State] = []
    limit = run.limit()
    yield run.state()
    while front and run.depth <= limits.actions and not (safe or limit):
        came: dict[State, list[tuple[State, Move]]] = {}
        run.came.append(came)
        for before in front:
            limit = _tried(run, before, safe, most)
            yield run.state()
            if limit or len(safe) >= most:
                break
        else:
            run.met |= came.keys()
            run.depth += not safe
            front = list(came)
    state = run.state()
    if safe:
        yield _solved(run, state, safe, limit, most)
    elif limit:
        yield replace(state, limit=limit)
    else:
        bound = state.lower_bound if front else None
        yield replace(state, status=Status.PROVED_UNSOLVABLE, lower_bound=bound)


def check_threat(position: Position, goal: Defence) -> None:
    """Check that a defence is needed; a colour that takes very long to be stopped is not checked.

    Raises:
        InputError: The other colour cannot score in its turn as it is.
    """
    run = _new_run(position, goal, Limits(nodes=_CHECK_NODES))
    _refuse_if_safe(run.can_score(position), goal)


def _new_run(position: Position, goal: Defence, limits: Limits) -> DefenceRun:
    replies = Replies(start=position, goal=goal, memory_mb=limits.memory_mb / 2)
    return DefenceRun(replies=replies, limits=limits)


def _refuse_if_safe(can_score: bool | None, goal: Defence) -> None:
    if can_score is False:
        actions = "1 action" if goal.actions == 1 else f"{goal.actions} actions"
        raise InputError(f"goal: {goal.colour.word} cannot score within {actions} as it is")


def _tried(run: DefenceRun, before: State, safe: list[State], most: int) -> str:
    """Try all moves of a state; return which limit is reached.

    States that are new at this depth are added to where they come from, and to ``safe`` if the
    other colour cannot score from them.
    """
    came = run.came[-1]
    for move, after in _followers(run.replies.goal, before):
        run.moves += 1
        if after in run.met:
            continue
        if after in came:
            came[after].append((before, move))
            continue
        came[after] = [(before, move)]
        can_score = run.can_score(after[0])
        if can_score is None:
            return run.limit()
        if not can_score:
            safe.append(after)
            if len(safe) >= most:
                return ""
    return run.limit()


def _followers(goal: Defence, state: State) -> Iterator[tuple[Move, State]]:
    """Yield the moves of a state, but those that bring a puck of the other colour in."""
    position, hand = state
    for move in legal_moves(position, mats=bool(hand)):
        rest = list(hand)
        if not isinstance(move, PieceMove):
            card = _CARD_OF[type(move)]
            if card not in rest:
                continue
            rest.remove(card)
        after, _ = play(position, move)
        if after.scored[goal.colour] == position.scored[goal.colour]:
            yield move, (after, tuple(rest))


def _solved(run: DefenceRun, state: Solution, safe: list[State], limit: str, most: int) -> Solution:
    lines = tuple(islice(chain.from_iterable(map(run.lines_to, safe)), most))
    complete = not limit and len(lines) < most
    return replace(
        state,
        status=Status.SOLVED,
        line=lines[0],
        lines=lines,
        complete=complete,
        limit="" if complete or most == 1 else limit or "lines",
    )
