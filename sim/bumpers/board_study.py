"""Statistics of a board: how long the solutions of random positions are, and what happens in them.

Each random position is a case of the experiment `STUDY`; `summarise` puts the answers together.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from pucklab.base.errors import limits
from pucklab.base.facts import fact
from pucklab.physics import trial_generator
from pucklab.sim.bumpers.board import Position, make_position, open_spaces
from pucklab.sim.bumpers.position_notation import position_text
from pucklab.sim.bumpers.puzzle_rating import ways_of
from pucklab.sim.bumpers.puzzle_themes import is_hit
from pucklab.sim.bumpers.puzzles import Draft, PuzzleSpec, first_draft
from pucklab.sim.bumpers.solver import Goal, Limits, Question, Target, solve
from pucklab.sim.bumpers.solver.goals import goal_text
from pucklab.sim.bumpers.solver.solution import line_steps, line_text
from pucklab.sim.experiments import Answer, Case, Experiment, Proportion, wilson
from pucklab.sim.experiments.experiment import Cell

_MOST = 10**15


@fact
class BoardStudy:
    """What is drawn at random: positions as puzzles begin, or the pieces of a position."""

    spec: PuzzleSpec  # its goal and board
    position: Position | None = None  # whose pieces are placed anew
    nodes: int = 100_000  # most nodes of a search

    def draw(self, rng: np.random.Generator) -> Draft:
        """Return a random position and its goal, which is not reached yet."""
        if self.position is None:
            return first_draft(self.spec, rng)
        pieces = [piece for _, piece in self.position.pieces]
        drawn = rng.choice(open_spaces(self.position.layout), len(pieces) + 1, replace=False)
        placed = dict(zip(drawn[1:].tolist(), pieces, strict=True))
        position = self.position
        start = make_position(
            position.layout, placed, to_move=position.to_move, rules=position.rules
        )
        own = [space for space, piece in start.pieces if piece.colour is start.to_move]
        target = Target(count=None if self.spec.goal == "all" else 1)
        if self.spec.goal == "to":
            target = Target(space=int(drawn[0]), piece=int(rng.choice(own)))
        elif self.spec.goal != "all":
            target = Target(count=int(self.spec.goal))
        return Draft(position=start, goal=Goal(targets=(target,)))


Asked = tuple[BoardStudy, int, int]
"""A study, its seed, and the number of a position."""


@fact
class StudyAnswer(Answer):
    """A random position, and its shortest solution."""

    position: str
    goal: str
    solution: str
    actions: int | None = limits(0, 64)  # None without a solution
    lower_bound: int | None = limits(0, 65)  # None if there is no solution of any length
    movers: int = limits(0, 64)  # pieces that set out in the solution
    hits: int = limits(0, 64)  # actions that set another piece in motion
    nodes: int = limits(0, _MOST)


def answer(asked: Asked, *_: int) -> StudyAnswer:
    """Draw a position by its seed and number, and solve it."""
    study, seed, number = asked
    draft = study.draw(trial_generator(seed, number))
    start = draft.position
    found = solve(Question(start, draft.goal, Limits(nodes=study.nodes)))
    return StudyAnswer(
        position=position_text(start),
        goal=goal_text(start, draft.goal),
        solution=line_text(start, found.line),
        actions=len(found.line) if found.lines else None,
        lower_bound=found.lower_bound,
        movers=ways_of(start, [found.line]).movers,
        hits=sum(is_hit(step.move, step.change) for step in line_steps(start, found.line)),
        nodes=found.nodes,
    )


def study_cases(study: BoardStudy, count: int, seed: int) -> list[Case[Asked]]:
    """Return a case for each random position of a seed."""
    setup = study.spec.setup
    board = study.position
    if board is None and setup is not None:
        board = make_position(setup.layout, {}, rules=setup.rules)
    facts = ["" if board is None else position_text(board), study.spec.goal, study.nodes, seed]
    return [
        Case(subject=(study, seed, number), labels={"number": number + 1}, facts=[*facts, number])
        for number in range(count)
    ]


def _columns(found: StudyAnswer, _: float) -> Mapping[str, Cell]:
    return {
        "position": found.position,
        "goal": found.goal,
        "actions": "" if found.actions is None else found.actions,
        "lower_bound": "" if found.lower_bound is None else found.lower_bound,
        "solution": found.solution,
        "movers": found.movers,
        "hits": found.hits,
        "nodes": found.nodes,
    }


STUDY: Experiment[Asked, StudyAnswer] = Experiment(
    name="study of a board",
    tally=StudyAnswer,
    run=answer,
    columns=_columns,
)


@fact
class Summary:
    """The answers of a study together; shares have 95 % intervals."""

    positions: int
    mean: float  # actions of those with a solution
    standard_error: float
    spread: float  # standard deviation of the actions
    lengths: Mapping[int, Proportion]  # share of all positions with solutions of each length
    movers: Mapping[int, Proportion]  # share of the solutions that move so many pieces
    with_hits: Proportion  # share of the solutions in which a piece is hit
    unsolved: Proportion  # not solved within the nodes
    unsolvable: Proportion  # proved to have no solution of at most 20 actions
    hardest: StudyAnswer | None


def summarise(answers: Sequence[StudyAnswer]) -> Summary:
    """Return the statistics of some answers, at least one."""
    solved = [one for one in answers if one.actions is not None]
    lengths = [one.actions or 0 for one in solved]
    total, few = len(answers), max(len(solved), 1)
    most = Limits().max_actions
    is_proved = [(one.lower_bound or most + 1) > most for one in answers if one.actions is None]
    spread = float(np.std(lengths, ddof=1)) if len(lengths) > 1 else 0.0
    return Summary(
        positions=total,
        mean=float(np.mean(lengths)) if lengths else 0.0,
        standard_error=spread / few**0.5,
        spread=spread,
        lengths={n: wilson(k, total) for n, k in sorted(Counter(lengths).items())},
        movers={
            n: wilson(k, few) for n, k in sorted(Counter(one.movers for one in solved).items())
        },
        with_hits=wilson(sum(one.hits > 0 for one in solved), few),
        unsolved=wilson(is_proved.count(False), total),
        unsolvable=wilson(is_proved.count(True), total),
        hardest=max(solved, key=lambda one: (one.actions or 0, one.nodes), default=None),
    )
