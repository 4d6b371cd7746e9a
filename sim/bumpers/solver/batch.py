"""Solving many positions: tasks from a CSV file, and a row for each answer.

A row has what was asked for and what came of it, but no times: the same tasks give the same rows,
whoever solves them and in whatever order, unless a limit of seconds ends a search.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from sim.bumpers.notation import position_text
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import AnyGoal
from sim.bumpers.solver.goaltext import goal_text
from sim.bumpers.solver.hand import Hand
from sim.bumpers.solver.linesteps import line_text
from sim.bumpers.solver.search import solve
from sim.bumpers.solver.solution import Limits, Solution
from sim.ordered import in_order
from sim.version import version

Row = Mapping[str, str]
"""A row of answers, by column."""

ASKED = ("position", "goal", "cards", "max_actions")
"""Columns that say what was asked for."""

ALLOWED = ("all", "max_nodes", "version")
"""Columns that an answer depends on, too."""

FOUND = (
    "status",
    "actions",
    "solution",
    "solutions",
    "complete",
    "lower_bound",
    "limit",
    "nodes",
)
COLUMNS = (*ASKED, *ALLOWED, *FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A position to solve.

    Attributes:
        position: The position.
        goal: What is wanted.
        hand: The cards in hand; those that change a turn's actions are in the limits already.
        limits: How far to go.
        every: All shortest solutions are to be counted.
    """

    position: Position
    goal: AnyGoal
    hand: Hand
    limits: Limits
    every: bool


def solve_batch(
    tasks: Sequence[Task],
    known: Mapping[tuple[str, ...], Row],
    *,
    executor: Executor | None = None,
    window: int = 8,
) -> Iterator[Row]:
    """Solve tasks, and yield the rows of their answers in the order of the tasks.

    Args:
        tasks: The tasks.
        known: Rows that need not be found again, by `task_key`.
        executor: Where to work; None for here.
        window: Tasks in the executor at a time.

    Raises:
        KeyboardInterrupt: Ctrl-C; a search that it ended has no row.
    """
    keys = [task_key(task) for task in tasks]
    wanted = {key: task for key, task in zip(keys, tasks, strict=True) if key not in known}
    answers = in_order(answer, ((task,) for task in wanted.values()), executor, window)
    found = dict(known)
    for key in keys:
        if key not in found:
            found[key] = next(answers)
        yield found[key]


def answer(task: Task) -> Row:
    """Return the row of a task's answer.

    Example:
        >>> from sim.bumpers import parse_position
        >>> from sim.bumpers.solver import Goal
        >>> start = parse_position("pb1:small:RPf7:-:R:-")
        >>> task = Task(position=start, goal=Goal(), hand=Hand(), limits=Limits(), every=False)
        >>> answer(task)["solution"]
        'f7N*'
    """
    found = solve(task.position, task.goal, task.limits, cards=task.hand.mats, every=task.every)
    if found.limit == "stopped":
        raise KeyboardInterrupt
    return _asked(task) | _found(task, found)


def task_key(task: Task) -> tuple[str, ...]:
    """Return what an answer depends on: `ASKED` and `ALLOWED`."""
    return tuple(_asked(task).values())


def row_key(row: Row) -> tuple[str, ...]:
    """Return the key of the task that a row answers."""
    return tuple(row[column] for column in (*ASKED, *ALLOWED))


def _asked(task: Task) -> dict[str, str]:
    values = (
        position_text(task.position),
        goal_text(task.position, task.goal),
        ",".join(task.hand.names),
        task.limits.actions,
        "yes" if task.every else "no",
        _shown(task.limits.nodes),
        version(),
    )
    return dict(zip((*ASKED, *ALLOWED), map(str, values), strict=True))


def _found(task: Task, found: Solution) -> dict[str, str]:
    values = (
        found.status.value,
        len(found.line) or "",
        line_text(task.position, found.line),
        len(found.lines) if task.every and found.line else "",
        "yes" if found.complete else "no",
        _shown(found.lower_bound),
        found.limit,
        found.nodes,
    )
    return dict(zip(FOUND, map(str, values), strict=True))


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)
