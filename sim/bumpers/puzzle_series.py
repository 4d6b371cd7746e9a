"""Series of puzzles: of a pack, of days or of a specification; and the experiment that makes them.

A `PuzzleSource` has the puzzles; `PUZZLES` is the experiment that makes them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, field, replace
from datetime import date
from itertools import count
from pathlib import Path

from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position, make_position
from pucklab.sim.bumpers.position_notation import VERSION, parse_position, position_text
from pucklab.sim.bumpers.puzzle_rating import DIFFICULTIES, Rating
from pucklab.sim.bumpers.puzzle_solving import Study, puzzle_at, puzzle_key, study_of
from pucklab.sim.bumpers.puzzle_themes import NO_CARD, TWIST
from pucklab.sim.bumpers.puzzles import Puzzle, PuzzleSpec, make_puzzle
from pucklab.sim.bumpers.setups import Setup
from pucklab.sim.bumpers.solver import Goal, Hand
from pucklab.sim.bumpers.solver.batch import read_questions
from pucklab.sim.bumpers.solver.cards import read_hand
from pucklab.sim.bumpers.solver.goals import Defence, goal_text, read_goal
from pucklab.sim.bumpers.solver.question import Defaults, Question, question_of
from pucklab.sim.bumpers.solver.solution import line_text, parse_line
from pucklab.sim.experiments import Answer, Case, Experiment
from pucklab.sim.experiments.experiment import Cell

LEVELS = ("children", *DIFFICULTIES)
"""Levels of puzzles; beside that for children, the words of their difficulty."""

_LEVEL_ACTIONS = {"easy": (2, 3), "medium": (4, 5), "hard": (6, 7), "expert": (8, 9)}
_LEVEL_GOALS = ("1", "2", "1", "to")
"""Actions of the puzzles of each level, and goals, one after another."""

_CHILDREN = PuzzleSpec(actions=2, movers=2, unique=True)
_CHILDREN_PIECES = 4
"""Puzzles for children, and the most pieces on their boards."""

_TRIES = 37
"""Puzzles made to find one of a level; each next one for children begins on another board."""

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

THEMES_FROM = date(2026, 12, 7)
"""The first day whose puzzle has the theme of its weekday; those before stay as they were."""

_DAILY_THEMES = ("chain", "bump", "blocker", "mat", "ice", "long-chain", "")
"""Themes of the puzzle of the day, from Monday to Saturday; Sunday is free."""

WEEK = 7
"""Puzzles of a day's series that are puzzles of days: that of the day, then those before it."""

_AFTER_WEEK = "medium"
"""Level of the puzzles after those of the week."""


@fact
class PuzzleSource:
    """A series of puzzles: of a pack, of days, of a level, or made to a specification.

    Attributes:
        spec: The specification.
        seed: The seed of those that are made.
        level: One of `LEVELS`, instead of the specification.
        day: The day with which a series begins: its puzzle, those of the six days before, and then
            others without end.
        pack: Positions and goals of a pack; empty for others.
        name: Name of the pack; empty for one position.
    """

    spec: PuzzleSpec = field(default=PuzzleSpec())
    seed: int = 1
    level: str = ""
    day: date | None = None
    pack: tuple[tuple[Position, Goal, Hand], ...] = ()
    name: str = ""

    @property
    def most(self) -> int | None:
        """Number of puzzles; None if there is no end."""
        return len(self.pack) or None

    def day_of(self, number: int) -> date | None:
        """Return the day of a puzzle; None if it is no puzzle of a day."""
        if self.day is None or number >= WEEK:
            return None
        return date.fromordinal(max(self.day.toordinal() - number, 1))

    def puzzle(self, number: int) -> Puzzle | str:
        """Return a puzzle by its number, from 0, or a sentence on why none was found.

        Raises:
            InputError: A row of a pack is no puzzle.
        """
        if self.pack:
            try:
                return puzzle_at(*self.pack[number])
            except InputError as error:
                where = f"pack: {self.title(number)}" if self.name else "position"
                raise InputError(f"{where}: {error}") from None
        day = self.day_of(number)
        if day is not None:
            spec = daily_spec(day)
            made = (make_puzzle(spec, day.toordinal(), index) for index in count())
            return next(puzzle for puzzle in made if isinstance(puzzle, Puzzle))
        if self.day is not None:
            return _puzzle_of_level(_AFTER_WEEK, self.day.toordinal(), number - WEEK)
        if self.level:
            return _puzzle_of_level(self.level, self.seed, number)
        return make_puzzle(self.spec, self.seed, number)

    def study(self, number: int) -> Study | str:
        """Return a puzzle with all its solutions, or a sentence on why none was found."""
        puzzle = self.puzzle(number)
        if isinstance(puzzle, str):
            return f"{self.title(number)}: {puzzle}"
        return study_of(puzzle, self.title(number), self.day_of(number))

    def title(self, number: int) -> str:
        """Return the title of a puzzle."""
        day = self.day_of(number)
        if day is not None:
            return f"puzzle of {day:%A}, {day.isoformat()}"
        return f"{self.name or 'puzzle'} {number + 1 - (WEEK if self.day else 0)}"

    def numbers(self, solved_days: Collection[str] = ()) -> Iterator[int]:
        """Yield the numbers of its puzzles; those of solved days before its own are left out."""
        for number in count() if self.most is None else range(self.most):
            day = self.day_of(number)
            if number == 0 or day is None or day.isoformat() not in solved_days:
                yield number


def daily_spec(day: date) -> PuzzleSpec:
    """Return the requirements on the puzzle of a day.

    Example:
        >>> daily_spec(date(2026, 12, 8)).theme, daily_spec(date(2026, 12, 6)).theme
        ('bump', '')
    """
    theme = _DAILY_THEMES[day.weekday()] if day >= THEMES_FROM else ""
    actions = _DAILY_ACTIONS[day.weekday()]
    return PuzzleSpec(actions=actions, movers=2, unique=True, theme=theme)


def harder_source(puzzle: Puzzle, seed: int) -> PuzzleSource:
    """Return puzzles of the level above that of a puzzle, or of the highest."""
    above = min(LEVELS.index(puzzle.rating.difficulty) + 1, len(LEVELS) - 1)
    return PuzzleSource(level=LEVELS[above], seed=seed)


def calendar_text(day: date, solved_days: Collection[str]) -> str:
    """Return the week that ends with a day as text, with marks on the days that are solved.

    Example:
        >>> calendar_text(date(2026, 11, 25), ["2026-11-25", "2026-11-23"])
        'Thu -  Fri -  Sat -  Sun -  Mon solved  Tue -  Wed solved'
    """
    week = (date.fromordinal(max(day.toordinal() - back, 1)) for back in reversed(range(WEEK)))
    marks = (f"{d:%a} {'solved' if d.isoformat() in solved_days else '-'}" for d in week)
    return "  ".join(marks)


def source_of_pack(path: Path) -> PuzzleSource:
    """Return the puzzles of a CSV file, such as ``pucklab puzzle --out`` writes.

    Its columns are ``position`` and, if other than 1, ``goal``; solutions are found anew.

    Raises:
        InputError: The file cannot be read, or a row is no position with a goal.
    """
    questions = enumerate(read_questions(path, Defaults(), "pack"), start=1)
    pack = [
        _asked(question, f"pack: {str(path)!r}: puzzle {number}") for number, question in questions
    ]
    return PuzzleSource(pack=tuple(pack), name=path.stem)


def source_of_position(position: Position, goals: Iterable[str], cards: str = "") -> PuzzleSource:
    """Return one position as a puzzle, or as one for each of several goals.

    Args:
        position: The position.
        goals: The goals, each as `pucklab.sim.bumpers.solver.goals.read_goal` reads it.
        cards: The card in hand, ``twist``, or empty.

    Raises:
        InputError: Nobody is to move, or the goal does not fit.
    """
    asked = [{"goal": goal, "cards": cards} for goal in goals]
    questions = [question_of(position, one, Defaults()) for one in asked]
    return PuzzleSource(pack=tuple(_asked(one, "goal: the puzzle") for one in questions))


def _asked(question: Question, where: str) -> tuple[Position, Goal, Hand]:
    if isinstance(question.goal, Defence) or question.hand not in (NO_CARD, TWIST):
        raise InputError(
            f"{where} has a colour to stop, or other cards than one twist; give goals such as 1, "
            "all, puck:c7 or to:c7"
        )
    return question.position, question.goal, question.hand


def _puzzle_of_level(level: str, seed: int, number: int) -> Puzzle | str:
    """Make a puzzle of a level; one for children has few pieces and a small board."""
    for index in range(_TRIES * number, _TRIES * (number + 1)):
        if level == "children":
            mats = _CHILDREN_BOARDS[index % len(_CHILDREN_BOARDS)]
            board = parse_position(f"{VERSION}:{mats}:-:-:-:-")
            setup = Setup(name=mats, about="", layout=board.layout, rules=board.rules)
            puzzle = make_puzzle(replace(_CHILDREN, setup=setup), seed, index)
            if isinstance(puzzle, Puzzle) and len(puzzle.position.pieces) <= _CHILDREN_PIECES:
                return puzzle
        else:
            actions = _LEVEL_ACTIONS[level][index % 2]
            goal = _LEVEL_GOALS[index // 2 % len(_LEVEL_GOALS)]
            spec = PuzzleSpec(actions=actions, goal=goal, movers=2, unique=True)
            puzzle = make_puzzle(spec, seed, index)
            if isinstance(puzzle, Puzzle) and puzzle.rating.difficulty == level:
                return puzzle
    return f"none of {_TRIES} was {level}; ask for the next one, or for another seed"


@fact
class PuzzleAnswer(Answer):
    """A puzzle that was made, or a sentence on why none was found."""

    position: str = ""
    goal: str = ""
    solution: str = ""
    rating: Rating | None = None
    missing: str = ""
    cards: str = ""

    def puzzle(self) -> Puzzle | None:
        """Return the puzzle; None if none was found."""
        if self.rating is None:
            return None
        start = parse_position(self.position)
        goal = read_goal(start, self.goal)
        if not isinstance(goal, Goal):
            raise InputError(f"goal: {self.goal} is not one of a puzzle")
        line = parse_line(start, self.solution)
        hand = read_hand(self.cards) if self.cards else NO_CARD
        return Puzzle(position=start, goal=goal, line=line, rating=self.rating, hand=hand)

    def check(self, *_: object) -> None:
        """Check that the puzzle can be read, and that no number of its rating is below 0."""
        puzzle = self.puzzle()
        if puzzle is not None and min(astuple(puzzle.rating)) < 0:
            raise InputError("rating: a number is below 0")


def puzzle_cases(source: PuzzleSource, count: int) -> list[Case[tuple[PuzzleSource, int]]]:
    """Return the cases of the first puzzles of a source.

    Example:
        >>> from pucklab.sim.experiments import run_to_end
        >>> cases = puzzle_cases(PuzzleSource(spec=PuzzleSpec(actions=2)), 1)
        >>> answer = run_to_end(PUZZLES, cases, trials=1).tallies()[0]
        >>> len(answer.puzzle().line)
        2
    """
    asked, facts = _describe_source(source)
    return [
        Case(
            subject=(source, number),
            labels={"puzzle": number + 1, "asked": asked},
            facts=[facts, puzzle_key(*source.pack[number]) if source.pack else number],
        )
        for number in range(count)
    ]


def _describe_source(source: PuzzleSource) -> tuple[str, object]:
    """Return a description of the puzzles asked for, and everything that they depend on."""
    if source.pack:
        return source.name, "pack"
    if source.day is not None:
        return source.day.isoformat(), source.day.isoformat()
    if source.level:
        return source.level, [source.level, source.seed]
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
    if isinstance(puzzle, str):
        return PuzzleAnswer(missing=puzzle)
    position = puzzle.position
    return PuzzleAnswer(
        position=position_text(position),
        goal=goal_text(position, puzzle.goal),
        solution=line_text(position, puzzle.line),
        rating=puzzle.rating,
        cards=",".join(puzzle.hand.names),
    )


def _columns(answer: PuzzleAnswer, _: float) -> Mapping[str, Cell]:
    rating = answer.rating
    found: dict[str, Cell] = {"position": answer.position, "goal": answer.goal}
    if answer.cards:
        found["cards"] = answer.cards
    if rating is None:
        return found
    return found | {
        "difficulty": rating.difficulty,
        "points": rating.points,
        "actions": len(answer.solution.split()),
        "solution": answer.solution,
        **{name: round(value, 3) for name, value in asdict(rating).items()},
    }


PUZZLES: Experiment[tuple[PuzzleSource, int], PuzzleAnswer] = Experiment(
    name="puzzles",
    tally=PuzzleAnswer,
    run=make_answer,
    columns=_columns,
    chunk=1,
)
