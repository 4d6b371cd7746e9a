"""Batches: positions read from a CSV file, each a case of the experiment `SOLVED`.

A row of its table holds the question and the answer, but no times: the same positions give the same
table for any number of processes, unless a limit of seconds or memory ends a search. Begin with
`read_tasks` and `batch_cases`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pucklab.base.errors import errors_at, limits
from pucklab.base.facts import fact
from pucklab.base.files import read_text
from pucklab.base.tables import read_rows
from pucklab.base.values import read_count
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.position_notation import parse_position, position_text
from pucklab.sim.bumpers.solver.cards import Hand, most_actions, read_hand
from pucklab.sim.bumpers.solver.defence import check_threat
from pucklab.sim.bumpers.solver.goals import AnyGoal, Defence, check_goal, goal_text, read_goal
from pucklab.sim.bumpers.solver.search import begin_to_compile_solver, solve
from pucklab.sim.bumpers.solver.solution import MOST_ACTIONS, Limits, line_text
from pucklab.sim.experiments import Answer, Case, Experiment
from pucklab.sim.experiments.experiment import Cell

_MOST = 10**15


@fact
class Task:
    """A position to solve."""

    position: Position
    goal: AnyGoal
    hand: Hand  # cards in hand; the limits already allow for those that change a turn's actions
    limits: Limits
    every: bool  # count all shortest solutions
    one_turn: bool = False  # all actions are in one turn


@fact
class SolverAnswer(Answer):
    """Result of a search; see `pucklab.sim.bumpers.solver.Solution`."""

    status: str
    solution: str
    solutions: int | None = limits(1, _MOST)  # None if they were not asked for
    complete: bool
    lower_bound: int | None = limits(0, MOST_ACTIONS + 1)
    limit: str
    nodes: int = limits(0, _MOST)

    @property
    def is_final(self) -> bool:
        """False if a limit of seconds or memory ended the search."""
        return self.limit not in {"seconds", "memory"}


def batch_cases(tasks: Sequence[Task]) -> list[Case[Task]]:
    """Return a case for each position.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> from pucklab.sim.experiments import run_to_end
        >>> start = parse_position("pb1:small:RPf7:-:R:-")
        >>> cases = batch_cases([task_of(start, {}, Defaults())])
        >>> run_to_end(SOLVED, cases, trials=1).tallies()[0].solution
        'f7N*'
    """
    cases = []
    for task in tasks:
        asked: dict[str, Cell] = {
            "position": position_text(task.position),
            "goal": goal_text(task.position, task.goal),
            "cards": ",".join(task.hand.names),
            "max_actions": task.limits.max_actions,
            "all": _yes(task.every),
            "one_turn": _yes(task.one_turn),
            "max_nodes": "" if task.limits.nodes is None else task.limits.nodes,
        }
        cases.append(Case(subject=task, labels=asked, facts=asked))
    return cases


def answer(task: Task, *_: int) -> SolverAnswer:
    """Return the answer to a task."""
    found = solve(
        task.position,
        task.goal,
        task.limits,
        cards=task.hand.mats,
        one_turn=task.one_turn,
        every=task.every,
    )
    return SolverAnswer(
        status=found.status.value,
        solution=line_text(task.position, found.line),
        solutions=len(found.lines) if task.every and found.line else None,
        complete=found.complete,
        lower_bound=found.lower_bound,
        limit=found.limit,
        nodes=found.nodes,
    )


def _columns(found: SolverAnswer, _: float) -> Mapping[str, Cell]:
    return {
        "status": found.status,
        "actions": len(found.solution.split()) or "",
        "solution": found.solution,
        "solutions": "" if found.solutions is None else found.solutions,
        "complete": _yes(found.complete),
        "lower_bound": "" if found.lower_bound is None else found.lower_bound,
        "limit": found.limit,
        "nodes": found.nodes,
    }


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


SOLVED: Experiment[Task, SolverAnswer] = Experiment(
    name="solutions",
    tally=SolverAnswer,
    run=answer,
    columns=_columns,
    prepare=lambda _: begin_to_compile_solver(),
)


@fact
class Defaults:
    """Values for empty columns of a row, and the settings of all rows."""

    goal: str = "1"
    cards: str | None = None  # none
    max_actions: int | None = None  # the solver's
    rule: int | None = (
        None  # actions in a turn; see `pucklab.sim.bumpers.solver.cards.most_actions`
    )
    limits: Limits = field(default=Limits())  # of each search
    every: bool = False  # count all shortest solutions


def read_tasks(path: Path, defaults: Defaults, field: str = "batch") -> list[Task]:
    """Read the tasks of a CSV file.

    Its columns are ``position`` and, where rows differ from the defaults, ``goal``, ``cards`` and
    ``max_actions``; other columns are ignored, and so are puzzles of a table that were not found.

    Args:
        path: The file.
        defaults: Defaults of empty columns.
        field: Name of the option, for errors.

    Raises:
        InputError: The file cannot be read, or a row is not accepted; the message gives the row.
    """
    tasks = []
    where = f"{field}: {str(path)!r}"
    for row in read_rows(read_text(field, path), where, ["position"]):
        cells = row.cells
        if cells.get("experiment") and not cells["position"]:
            continue
        with errors_at(f"{row.place}, column"):
            position = parse_position(cells["position"])
            task = task_of(position, cells, defaults)
            if isinstance(task.goal, Defence):
                check_threat(position, task.goal)
            tasks.append(task)
    if not tasks:
        raise InputError(f"{where} has no rows; give positions below a header line")
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
    actions = defaults.max_actions
    if text := row.get("max_actions"):
        actions = read_count("max_actions", text, low=1, high=MOST_ACTIONS)
    limits = replace(defaults.limits, max_actions=most_actions(hand, defaults.rule, actions))
    return Task(
        position=position,
        goal=goal,
        hand=hand,
        limits=limits,
        every=defaults.every,
        one_turn=defaults.rule is not None or bool(hand.turn),
    )
