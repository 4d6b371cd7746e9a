"""Batches: positions read from a CSV file, each a case of the experiment `SOLVED`.

A row of its table holds the question and the answer, but no times: the same positions give the same
table for any number of processes, unless a limit of seconds or memory ends a search. Begin with
`read_questions` and `batch_cases`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pucklab.base.errors import errors_at, limits
from pucklab.base.facts import fact
from pucklab.base.files import read_text
from pucklab.base.tables import read_rows
from pucklab.physics import InputError
from pucklab.sim.bumpers.position_notation import parse_position, position_text
from pucklab.sim.bumpers.solver.defence import check_threat
from pucklab.sim.bumpers.solver.goals import Defence, goal_text
from pucklab.sim.bumpers.solver.question import (
    MOST_ACTIONS,
    Defaults,
    Question,
    question_of,
)
from pucklab.sim.bumpers.solver.search import solve
from pucklab.sim.bumpers.solver.solution import line_text
from pucklab.sim.experiments import Answer, Case, Experiment
from pucklab.sim.experiments.experiment import Cell

_MOST = 10**15


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


def batch_cases(questions: Sequence[Question]) -> list[Case[Question]]:
    """Return a case for each position.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> from pucklab.sim.experiments import run_to_end
        >>> start = parse_position("pb1:small:RPf7:-:R:-")
        >>> cases = batch_cases([question_of(start, {}, Defaults())])
        >>> run_to_end(SOLVED, cases, trials=1).tallies()[0].solution
        'f7N*'
    """
    cases = []
    for question in questions:
        asked: dict[str, Cell] = {
            "position": position_text(question.position),
            "goal": goal_text(question.position, question.goal),
            "cards": ",".join(question.hand.names),
            "max_actions": question.limits.max_actions,
            "all": _yes(question.solutions > 1),
            "one_turn": _yes(question.one_turn),
            "max_nodes": "" if question.limits.nodes is None else question.limits.nodes,
        }
        cases.append(Case(subject=question, labels=asked, facts=asked))
    return cases


def answer(question: Question, *_: int) -> SolverAnswer:
    """Return the answer to a question."""
    found = solve(question)
    return SolverAnswer(
        status=found.status.value,
        solution=line_text(question.position, found.line),
        solutions=len(found.lines) if question.solutions > 1 and found.lines else None,
        complete=found.complete,
        lower_bound=found.lower_bound,
        limit=found.limit,
        nodes=found.nodes,
    )


def _columns(found: SolverAnswer, _: float) -> Mapping[str, Cell]:
    return {
        "status": found.status,
        "actions": len(found.solution.split()) or ("" if found.lower_bound else 0),
        "solution": found.solution,
        "solutions": "" if found.solutions is None else found.solutions,
        "complete": _yes(found.complete),
        "lower_bound": "" if found.lower_bound is None else found.lower_bound,
        "limit": found.limit,
        "nodes": found.nodes,
    }


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


SOLVED: Experiment[Question, SolverAnswer] = Experiment(
    name="solutions",
    tally=SolverAnswer,
    run=answer,
    columns=_columns,
)


def read_questions(path: Path, defaults: Defaults, field: str = "batch") -> list[Question]:
    """Read the questions of a CSV file.

    Its columns are ``position`` and, where rows differ from the defaults, ``goal``, ``cards`` and
    ``max_actions``; other columns are ignored, and so are puzzles of a table that were not found.

    Args:
        path: The file.
        defaults: Defaults of empty columns.
        field: Name of the option, for errors.

    Raises:
        InputError: The file cannot be read, or a row is not accepted; the message gives the row.
    """
    questions = []
    where = f"{field}: {str(path)!r}"
    for row in read_rows(read_text(field, path), where, ["position"]):
        cells = row.cells
        if cells.get("experiment") and not cells["position"]:
            continue
        with errors_at(f"{row.place}, column"):
            position = parse_position(cells["position"])
            question = question_of(position, cells, defaults)
            if isinstance(question.goal, Defence):
                check_threat(position, question.goal)
            questions.append(question)
    if not questions:
        raise InputError(f"{where} has no rows; give positions below a header line")
    return questions
