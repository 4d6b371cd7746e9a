"""Batches: tasks read from a CSV file, solved, and written as one row for each answer.

A row holds the question and the answer, but no times: the same tasks give the same rows in any
order and any number of processes, unless a limit of seconds ends a search. Begin with `read_tasks`
and `solve_batch`.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from physics import InputError
from physics.errors import check_count, shown
from physics.parsing import parse_csv, read_cells
from sim.bumpers.board import Position
from sim.bumpers.position_notation import parse_position, position_text
from sim.bumpers.solver.cards import Hand, most_actions, read_hand
from sim.bumpers.solver.defence import check_threat
from sim.bumpers.solver.goals import AnyGoal, Defence, check_goal, goal_text, read_goal
from sim.bumpers.solver.search import solve
from sim.bumpers.solver.solution import MOST_ACTIONS, Limits, Solution, line_text
from sim.core.files import read_text, version
from sim.core.ordered_work import in_order

Row = Mapping[str, str]
"""A row of answers, by column."""

QUESTION_COLUMNS = ("position", "goal", "cards", "max_actions")
"""Columns of the question."""

LIMIT_COLUMNS = ("all", "one_turn", "max_nodes", "version")
"""Columns of the limits, on which an answer depends, too."""

ANSWER_COLUMNS = (
    "status",
    "actions",
    "solution",
    "solutions",
    "complete",
    "lower_bound",
    "limit",
    "nodes",
)
COLUMNS = (*QUESTION_COLUMNS, *LIMIT_COLUMNS, *ANSWER_COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A position to solve.

    Attributes:
        position: The position.
        goal: The goal.
        hand: The cards in hand; the limits already allow for those that change a turn's actions.
        limits: The limits of the search.
        every: True to count all shortest solutions.
        one_turn: True if all actions are in one turn.
    """

    position: Position
    goal: AnyGoal
    hand: Hand
    limits: Limits
    every: bool
    one_turn: bool = False


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
        known: Answers already known, by `task_key`.
        executor: The executor to work in; None for this process.
        window: Maximum number of tasks submitted at a time.

    Raises:
        KeyboardInterrupt: Ctrl-C; the search it interrupted yields no row.
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
    found = solve(
        task.position,
        task.goal,
        task.limits,
        cards=task.hand.mats,
        one_turn=task.one_turn,
        every=task.every,
    )
    return _asked(task) | _found(task, found)


def task_key(task: Task) -> tuple[str, ...]:
    """Return the values that an answer depends on: `QUESTION_COLUMNS` and `LIMIT_COLUMNS`."""
    return tuple(_asked(task).values())


def row_key(row: Row) -> tuple[str, ...]:
    """Return the key of the task that a row answers."""
    return tuple(row[column] for column in (*QUESTION_COLUMNS, *LIMIT_COLUMNS))


def _asked(task: Task) -> dict[str, str]:
    values = (
        position_text(task.position),
        goal_text(task.position, task.goal),
        ",".join(task.hand.names),
        task.limits.max_actions,
        "yes" if task.every else "no",
        "yes" if task.one_turn else "no",
        _shown(task.limits.nodes),
        version(),
    )
    return dict(zip((*QUESTION_COLUMNS, *LIMIT_COLUMNS), map(str, values), strict=True))


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
    return dict(zip(ANSWER_COLUMNS, map(str, values), strict=True))


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """Defaults of rows that leave a column empty, and settings of all rows.

    Attributes:
        goal: The default goal.
        cards: The default cards; None for none.
        max_actions: The default maximum length; None for the solver's.
        rule: Actions in a turn by the rule in play; see `sim.bumpers.solver.cards.most_actions`.
        limits: The limits of each search.
        every: True to count all shortest solutions.
    """

    goal: str = "1"
    cards: str | None = None
    max_actions: int | None = None
    rule: int | None = None
    limits: Limits = field(default=Limits())
    every: bool = False


def read_tasks(path: Path, defaults: Defaults, field: str = "batch") -> list[Task]:
    """Read the tasks of a CSV file.

    Its columns are ``position`` and, where rows differ from the defaults, ``goal``, ``cards`` and
    ``max_actions``; other columns are ignored.

    Args:
        path: The file.
        defaults: Defaults of empty columns.
        field: Name of the option, for errors.

    Raises:
        InputError: The file cannot be read, or a row is not accepted; the message gives the line.
    """
    tasks = []
    for line, row in _rows(field, path):
        try:
            position = parse_position(row["position"] or "")
            task = task_of(position, row, defaults)
            if isinstance(task.goal, Defence):
                check_threat(position, task.goal)
            tasks.append(task)
        except InputError as error:
            raise InputError(f"{field}: {str(path)!r}: line {line}: {error}") from None
    if not tasks:
        raise InputError(f"{field}: {str(path)!r} has no rows; give positions below a header line")
    return tasks


def task_of(position: Position, row: Mapping[str, str], defaults: Defaults) -> Task:
    """Return the task of a position.

    Args:
        position: The position.
        row: The question, by column.
        defaults: Defaults of missing or empty columns.

    Raises:
        InputError: A value is not accepted.
    """
    if position.to_move is None:
        raise InputError("position: nobody is to move; give a colour as the fifth field")
    names = row.get("cards") or defaults.cards
    hand = Hand() if names is None else read_hand(names)
    turn = None if hand.has_take else defaults.rule or 1
    goal = read_goal(position, row.get("goal") or defaults.goal, turn=turn)
    check_goal(position, goal)
    actions = _actions(row.get("max_actions"), defaults.max_actions)
    limits = replace(defaults.limits, max_actions=most_actions(hand, defaults.rule, actions))
    return Task(
        position=position,
        goal=goal,
        hand=hand,
        limits=limits,
        every=defaults.every,
        one_turn=defaults.rule is not None or bool(hand.turn),
    )


def answers_csv(rows: Iterable[Row]) -> str:
    """Return answers as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_answers(path: Path, tasks: Sequence[Task]) -> dict[tuple[str, ...], Row]:
    """Read the answers of an earlier run that are still valid, by key.

    Answers of another version or under other limits are left out, and so are searches ended by a
    limit of seconds or memory.

    Raises:
        InputError: The file is not a file of answers, or answers other tasks.
    """
    asked = {task_key(task)[: len(QUESTION_COLUMNS)] for task in tasks}
    known: dict[tuple[str, ...], Row] = {}
    for line, row in _rows("out", path):
        where = f"out: {str(path)!r}: line {line}"
        if any(row.get(column) is None for column in COLUMNS):
            raise InputError(f"{where} is not an answer; give another file, or leave out --resume")
        if row_key(row)[: len(QUESTION_COLUMNS)] not in asked:
            raise InputError(
                f"{where} answers a question that is not in the batch; give another file, or "
                "leave out --resume"
            )
        if row["limit"] not in ("seconds", "memory"):
            known[row_key(row)] = row
    return known


def _rows(field: str, path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file, each with the number of its last line.

    Raises:
        InputError: The file cannot be read, or has no column of positions.
    """
    where = f"{field}: {str(path)!r}"
    text = read_text(field, path)
    _, names = next(read_cells(text, where), (0, []))
    if "position" not in names:
        raise InputError(f"{where} has no column named position")
    yield from parse_csv(text, where)


def _actions(text: str | None, default: int | None) -> int | None:
    if not text:
        return default
    try:
        actions = int(text)
    except ValueError:
        raise InputError(
            f"max_actions: {shown(text)} is not accepted; give a whole number"
        ) from None
    check_count("max_actions", actions, low=1, high=MOST_ACTIONS)
    return actions
