"""Solving many positions: tasks from a CSV file, and a row for each answer.

A row has what was asked for and what came of it, but no times: the same tasks give the same rows,
whoever solves them and in whatever order, unless a limit of seconds ends a search.

The files of a batch: tasks to solve, and their answers.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from physics import InputError
from physics.errors import check_count, shown
from sim.bumpers.board import Position
from sim.bumpers.position_notation import parse_position, position_text
from sim.bumpers.solver.cards import Hand, most_actions, read_hand
from sim.bumpers.solver.defence import check_threat
from sim.bumpers.solver.goals import AnyGoal, Defence, check_goal, goal_text, read_goal
from sim.bumpers.solver.search import solve
from sim.bumpers.solver.solution import MOST_ACTIONS, Limits, Solution, line_text
from sim.core.files import read_text, version
from sim.core.ordered_work import in_order

if TYPE_CHECKING:
    from concurrent.futures import Executor

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
    executor: "Executor | None" = None,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What is asked of rows that do not say it, and of all rows.

    Attributes:
        goal: The goal of rows without one.
        cards: The cards of rows without any; None for none.
        max_actions: The most actions of rows without any; None for no wish.
        rule: Actions of the rule in play; see `sim.bumpers.solver.cards.most_actions`.
        limits: How far to go.
        every: All shortest solutions are to be counted.
    """

    goal: str = "1"
    cards: str | None = None
    max_actions: int | None = None
    rule: int | None = None
    limits: Limits = field(default=Limits())
    every: bool = False


def read_tasks(path: Path, defaults: Defaults) -> list[Task]:
    """Return the tasks of a CSV file.

    Its columns are ``position`` and, where rows differ from the defaults, ``goal``, ``cards`` and
    ``max_actions``; others do not matter.

    Args:
        path: The file.
        defaults: What is asked of rows that do not say it.

    Raises:
        InputError: It cannot be read, or a row is none; the message names the line.
    """
    tasks = []
    for line, row in _rows("batch", path):
        try:
            position = parse_position(row["position"] or "")
            task = task_of(position, row, defaults)
            if isinstance(task.goal, Defence):
                check_threat(position, task.goal)
            tasks.append(task)
        except InputError as error:
            raise InputError(f"batch: {str(path)!r}: line {line}: {error}") from None
    if not tasks:
        raise InputError(f"batch: {str(path)!r} has no row; give positions below a line of names")
    return tasks


def task_of(position: Position, row: Mapping[str, str], defaults: Defaults) -> Task:
    """Return the task of a position.

    Args:
        position: The position.
        row: What is asked of it, by column.
        defaults: The rest.

    Raises:
        InputError: Something that is not accepted.
    """
    if position.to_move is None:
        raise InputError("position: nobody is to move; give a colour as the fifth field")
    names = row.get("cards") or defaults.cards
    hand = Hand() if names is None else read_hand(names)
    turn = None if hand.has_take else defaults.rule or 1
    goal = read_goal(position, row.get("goal") or defaults.goal, turn=turn)
    check_goal(position, goal)
    actions = _actions(row.get("max_actions"), defaults.max_actions)
    limits = replace(defaults.limits, actions=most_actions(hand, defaults.rule, actions))
    return Task(position=position, goal=goal, hand=hand, limits=limits, every=defaults.every)


def answers_csv(rows: Iterable[Row]) -> str:
    """Return the text of a CSV file with answers."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_answers(path: Path, tasks: Sequence[Task]) -> dict[tuple[str, ...], Row]:
    """Return the answers of a file that need not be found again, by key.

    Answers of another version or other limits are left out, and so are searches that a limit of
    seconds or memory ended.

    Raises:
        InputError: It is no file of answers, or has some of other tasks.
    """
    asked = {task_key(task)[: len(ASKED)] for task in tasks}
    known: dict[tuple[str, ...], Row] = {}
    for line, row in _rows("out", path):
        where = f"out: {str(path)!r}: line {line}"
        if any(row.get(column) is None for column in COLUMNS):
            raise InputError(f"{where} is no answer; give another file, or leave out --resume")
        if row_key(row)[: len(ASKED)] not in asked:
            raise InputError(
                f"{where} answers what the batch does not ask; give another file, or leave out "
                "--resume"
            )
        if row["limit"] not in ("seconds", "memory"):
            known[row_key(row)] = row
    return known


def _rows(field: str, path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file, each with the number of its last line.

    Raises:
        InputError: It cannot be read, or has no positions.
    """
    reader = csv.DictReader(io.StringIO(read_text(field, path), newline=""))
    if "position" not in (reader.fieldnames or ()):
        raise InputError(f"{field}: {str(path)!r} has no column named position")
    for row in reader:
        yield reader.line_num, row


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
