"""Puzzles one after another: of a pack, a day or a specification, and the experiment of them.

A `PuzzleSource` has the puzzles; `PUZZLES` is the experiment that makes them.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import date
from itertools import count
from pathlib import Path

from physics import InputError
from physics.facts import fact
from sim.bumpers.board import Position, make_position
from sim.bumpers.position_notation import VERSION, parse_position, position_text
from sim.bumpers.puzzle_rating import Rating
from sim.bumpers.puzzle_solving import Study, puzzle_at, puzzle_key, study_of
from sim.bumpers.puzzles import Puzzle, PuzzleSpec, make_puzzle
from sim.bumpers.setups import Setup
from sim.bumpers.solver import Goal
from sim.bumpers.solver.batch import Defaults, read_tasks
from sim.bumpers.solver.goals import Defence, goal_text, read_goal
from sim.bumpers.solver.search import begin_to_compile_solver
from sim.bumpers.solver.solution import line_text, parse_line
from sim.experiments import Answer, Case, Experiment
from sim.experiments.experiment import Cell

_CHILDREN = PuzzleSpec(actions=2, movers=2, unique=True)
_CHILDREN_PIECES = 4
"""Puzzles for children, and the most pieces on their boards."""

_TRIES = 37
"""Puzzles made to find one with so few; each next one begins on another board."""

_CHILDREN_BOARDS = (
    "G3@270/K4@90",
    "K6/G3",
    "G2@270/B5",
    "B1.G4/K2.B3",
    "G1.B4@270/K3@180.B1",
    "K1.B2/G4@90.K5",
    "K3.G1f@90/-.B3@90",
    "B2@180.-/G1.B1@90",
)

_DAILY_ACTIONS = (3, 3, 4, 4, 5, 5, 6)
"""Actions of the puzzle of the day, from Monday to Sunday."""


@fact
class PuzzleSource:
    """Puzzles, one after another: of a pack, of a day, or made to a specification.

    Attributes:
        spec: The specification.
        seed: The seed of those that are made.
        few: True to take only puzzles with few pieces and mats, for children.
        day: The day whose puzzle it is; None for others.
        pack: Positions and goals of a pack; empty for others.
        name: Name of the pack.
    """

    spec: PuzzleSpec = field(default=PuzzleSpec())
    seed: int = 1
    few: bool = False
    day: date | None = None
    pack: tuple[tuple[Position, Goal], ...] = ()
    name: str = ""

    @property
    def most(self) -> int | None:
        """Number of puzzles; None if there is no end."""
        return len(self.pack) or (None if self.day is None else 1)

    def puzzle(self, number: int) -> Puzzle | None:
        """Return a puzzle by its number, from 0; None if none was found.

        Raises:
            InputError: That of a pack is none.
        """
        if self.pack:
            try:
                return puzzle_at(*self.pack[number])
            except InputError as error:
                raise InputError(f"pack: {self.title(number)}: {error}") from None
        if self.day is not None:
            made = (make_puzzle(self.spec, self.seed, index) for index in count())
            return next(puzzle for puzzle in made if puzzle is not None)
        make = easy_puzzle if self.few else make_puzzle
        return make(self.spec, self.seed, number)

    def study(self, number: int) -> Study | None:
        """Return a puzzle with all its solutions; None if none was found."""
        puzzle = self.puzzle(number)
        return None if puzzle is None else study_of(puzzle, self.title(number))

    def title(self, number: int) -> str:
        """Return the title of a puzzle."""
        if self.day is not None:
            return f"puzzle of {self.day:%A}, {self.day.isoformat()}"
        return f"{self.name or 'puzzle'} {number + 1}"


def source_of_day(day: date) -> PuzzleSource:
    """Return the puzzle of a day, the same for everybody; longer towards the end of the week."""
    spec = PuzzleSpec(actions=_DAILY_ACTIONS[day.weekday()], movers=2, unique=True)
    return PuzzleSource(spec=spec, seed=day.toordinal(), day=day)


def source_for_children(seed: int) -> PuzzleSource:
    """Return puzzles of two actions with few pieces on small boards."""
    return PuzzleSource(spec=_CHILDREN, seed=seed, few=True)


def source_of_pack(path: Path) -> PuzzleSource:
    """Return the puzzles of a CSV file, such as ``pucklab puzzle --out`` writes.

    Its columns are ``position`` and, if other than 1, ``goal``; solutions are found anew.

    Raises:
        InputError: The file cannot be read, or a row is no position with a goal.
    """
    pack = []
    for number, task in enumerate(read_tasks(path, Defaults(), "pack"), start=1):
        if isinstance(task.goal, Defence) or task.hand.names:
            raise InputError(
                f"pack: {str(path)!r}: puzzle {number} has a colour to stop, or cards; give goals "
                "such as 1, all, puck:c7 or to:c7"
            )
        pack.append((task.position, task.goal))
    return PuzzleSource(pack=tuple(pack), name=path.stem)


def easy_puzzle(spec: PuzzleSpec, seed: int, index: int) -> Puzzle | None:
    """Make a puzzle with at most four pieces on a small board; None if none was found.

    Args:
        spec: The requirements, of few actions.
        seed: The seed.
        index: The puzzle's number among those of the seed, from 0.
    """
    for number in range(_TRIES * index, _TRIES * (index + 1)):
        mats = _CHILDREN_BOARDS[number % len(_CHILDREN_BOARDS)]
        board = parse_position(f"{VERSION}:{mats}:-:-:-:-")
        setup = Setup(name=mats, about="", layout=board.layout, rules=board.rules)
        puzzle = make_puzzle(replace(spec, setup=setup), seed, number)
        if puzzle is not None and len(puzzle.position.pieces) <= _CHILDREN_PIECES:
            return puzzle
    return None


@fact
class PuzzleAnswer(Answer):
    """A puzzle that was made; empty if none was found."""

    position: str = ""
    goal: str = ""
    solution: str = ""
    rating: Rating | None = None

    def puzzle(self) -> Puzzle | None:
        """Return the puzzle; None if none was found."""
        if self.rating is None:
            return None
        start = parse_position(self.position)
        goal = read_goal(start, self.goal)
        assert isinstance(goal, Goal)
        line = parse_line(start, self.solution)
        rating = self.rating
        return Puzzle(position=start, goal=goal, line=line, rating=rating)


def puzzle_cases(source: PuzzleSource, count: int) -> list[Case[tuple[PuzzleSource, int]]]:
    """Return the cases of the first puzzles of a source.

    Example:
        >>> from sim.experiments import run_to_end
        >>> cases = puzzle_cases(PuzzleSource(spec=PuzzleSpec(actions=2)), 1)
        >>> answer = run_to_end(PUZZLES, cases, trials=1).tallies()[0]
        >>> len(answer.puzzle().line)
        2
    """
    asked, facts = _asked(source)
    return [
        Case(
            subject=(source, number),
            labels={"puzzle": number + 1, "asked": asked},
            facts=[facts, puzzle_key(*source.pack[number]) if source.pack else number],
        )
        for number in range(count)
    ]


def _asked(source: PuzzleSource) -> tuple[str, object]:
    """Return what puzzles were asked for, in words, and all that they depend on."""
    if source.pack:
        return source.name, "pack"
    if source.day is not None:
        return source.day.isoformat(), source.day.isoformat()
    if source.few:
        return "children", ["children", source.seed]
    spec, setup = source.spec, source.spec.setup
    words = {"actions": spec.actions, "goal": spec.goal, "movers": spec.movers}
    words |= {
        name: word for name, word in (("decoys", spec.decoys), ("unique", spec.unique)) if word
    }
    board = ""
    if setup is not None:
        words["setup"] = setup.name
        board = position_text(make_position(setup.layout, {}, rules=setup.rules))
    asked = ", ".join(name if word is True else f"{name} {word}" for name, word in words.items())
    return asked, [words, board, source.seed]


def make_answer(asked: tuple[PuzzleSource, int], *_: int) -> PuzzleAnswer:
    """Make a puzzle of a source."""
    source, number = asked
    puzzle = source.puzzle(number)
    if puzzle is None:
        return PuzzleAnswer()
    position = puzzle.position
    return PuzzleAnswer(
        position=position_text(position),
        goal=goal_text(position, puzzle.goal),
        solution=line_text(position, puzzle.line),
        rating=puzzle.rating,
    )


def _columns(answer: PuzzleAnswer, _: float) -> Mapping[str, Cell]:
    rating = answer.rating
    found: dict[str, Cell] = {"position": answer.position, "goal": answer.goal}
    if rating is None:
        return found
    return found | {
        "difficulty": rating.difficulty,
        "actions": len(answer.solution.split()),
        "solution": answer.solution,
        "solutions": rating.solutions,
        "branching": round(rating.branching, 3),
        "decoys": rating.decoys,
        "movers": rating.movers,
        "difficulty_bits": round(rating.difficulty_bits, 3),
        "nodes": rating.nodes,
    }


PUZZLES: Experiment[tuple[PuzzleSource, int], PuzzleAnswer] = Experiment(
    name="puzzles",
    tally=PuzzleAnswer,
    run=make_answer,
    columns=_columns,
    chunk=1,
    prepare=lambda _: begin_to_compile_solver(),
)
