"""Positions, solutions and puzzles of Puck Bumpers for Python."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pucklab.api.common import Shown
from pucklab.base.decoding import check_one_of
from pucklab.base.errors import InputError
from pucklab.base.files import check_writable
from pucklab.base.values import read_seed
from pucklab.sim.bumpers import Position, legal_moves, move_text, position_text, setup_named
from pucklab.sim.bumpers.board_file import position_of
from pucklab.sim.bumpers.drawing import draw_position
from pucklab.sim.bumpers.puzzle_solving import study_of
from pucklab.sim.bumpers.puzzle_themes import FREE
from pucklab.sim.bumpers.puzzles import Puzzle as MadePuzzle
from pucklab.sim.bumpers.puzzles import PuzzleSpec, make_puzzle
from pucklab.sim.bumpers.solver import Limits, Status
from pucklab.sim.bumpers.solver import solve as search
from pucklab.sim.bumpers.solver.batch import SolverAnswer
from pucklab.sim.bumpers.solver.cards import cards_to_play
from pucklab.sim.bumpers.solver.goals import goal_text
from pucklab.sim.bumpers.solver.question import Defaults, Question, question_of
from pucklab.sim.bumpers.solver.solution import Solution, line_steps, line_text, line_texts


def position(text: str) -> "Board":
    """Return a position of Puck Bumpers, which prints as a board.

    Args:
        text: The line of a position, the name of a set-up for its empty board, or a file name.

    Raises:
        InputError: It is not a legal position, or the file cannot be read.

    Example:
        >>> board = position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
        >>> board.moves()
        ['b7N', 'b7E', 'b7S', 'b7W', 'e7N', 'e7E', 'e7S', 'e7Wx']
    """
    return Board(position=position_of(text))


@dataclass(frozen=True, kw_only=True, repr=False)
class Board:
    """A position of Puck Bumpers."""

    position: Position

    @property
    def line(self) -> str:
        """The position in one line, with its checksum."""
        return position_text(self.position)

    def moves(self) -> list[str]:
        """Return the legal moves of the side to move in notation."""
        return [move_text(self.position, move) for move in legal_moves(self.position)]

    def draw(self, path: str | Path) -> None:
        """Write a picture of the board (.png)."""
        _draw_line(Path(path), self.position, (), "")

    def __str__(self) -> str:
        return draw_position(self.position)

    def __repr__(self) -> str:
        return f"{self}\n{self.line}"

    def _repr_html_(self) -> str:
        """Return the drawn board for a notebook."""
        from pucklab.render.bumpers.svg import position_svg

        return position_svg(self.position)


def solve(
    position: "str | Board",
    *,
    goal: str | None = None,
    cards: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    max_actions: int | None = None,
    every: bool = False,
) -> "Solved":
    """Find a shortest solution of a Puck Bumpers position, with proof.

    Args:
        position: As for `position`.
        goal: The goal, such as ``all`` or ``puck:c7``; see ``pucklab solve --help``.
        cards: Cards in hand with commas between them.
        seconds: Time after which the search ends.
        nodes: Number of positions after which the search ends.
        max_actions: Longest solution to look for.
        every: Find all shortest solutions.

    Raises:
        InputError: A value is not accepted.

    Example:
        >>> solved = solve("pb1:small:RPb7.RMe7.BPd7:-:R:-")
        >>> solved.actions, solved.proved
        (4, True)
    """
    own = position.position if isinstance(position, Board) else position_of(position)
    given = {"goal": goal, "cards": cards, "max_actions": max_actions}
    defaults = Defaults(
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
        limits=Limits(nodes=nodes, seconds=seconds),
        every=every,
    )
    question = question_of(own, {}, defaults)
    return Solved(question=question, solution=search(question))


@dataclass(frozen=True, kw_only=True, repr=False)
class Solved(Shown):
    """The answer to a position."""

    question: Question
    solution: Solution
    rule: int = 1  # actions in a turn without cards

    @property
    def text(self) -> str:
        """The solution in notation; empty if there is none."""
        return line_text(self.question.position, self.solution.line)

    @property
    def actions(self) -> int | None:
        """Number of actions of the solution; None if there is none."""
        return len(self.solution.line) if self.solution.status is Status.SOLVED else None

    @property
    def proved(self) -> bool:
        """Whether the answer is proved, rather than ended by a limit."""
        return not self.solution.limit

    @property
    def cards_first(self) -> tuple[str, ...]:
        """The cards to play first, which give the turn enough actions."""
        cards = cards_to_play(self.question.hand.turn, len(self.solution.line), self.rule)
        return tuple(card.name for card in cards)

    @property
    def caption(self) -> str:
        """The question in a line."""
        start = self.question.position
        assert start.to_move is not None
        return f"{start.to_move.word} to move, goal {goal_text(start, self.question.goal)}"

    def draw(self, path: str | Path) -> None:
        """Write a picture of each board (.png), a film (.gif, .mp4) or a web page (.html)."""
        _draw_line(Path(path), self.question.position, self.solution.line, self.caption)

    def facts(self) -> dict[str, Any]:
        """Return the answer for JSON."""
        start, found = self.question.position, self.solution
        return {
            "position": position_text(start),
            "goal": goal_text(start, self.question.goal),
            "cards": list(self.question.hand.names),
            "play": list(self.cards_first),
            "max_actions": self.question.limits.max_actions,
            "status": found.status.value,
            "actions": self.actions,
            "line": line_texts(start, found.line),
            "lines": [line_texts(start, line) for line in found.lines],
            "complete": found.complete,
            "lower_bound": found.lower_bound,
            "limit": found.limit or None,
            "nodes": found.nodes,
            "legal_moves": found.legal_moves,
            "seconds": round(found.seconds, 6),
            "table_hits": found.table_hits,
            "table_used": found.table_used,
            "table_size": found.table_size,
            "without_tables": found.without_tables or None,
        }

    def tell(self, *, boards: bool = False) -> str:
        """Return the answer and its proof as text, with the boards before and after it.

        Args:
            boards: Draw the board after each action.
        """
        start, found = self.question.position, self.solution
        nodes = "1 node" if found.nodes == 1 else f"{found.nodes:,} nodes"
        proof = "\nno fewer actions will do" * bool(found.line)
        work = f" ({nodes}, {found.seconds:.3g} s)" * (found.lower_bound is not None)
        lines = [answer_text(found, self.text, self.question.limits.max_actions) + proof + work]
        if found.without_tables:
            lines.append(found.without_tables)
        if cards := self.cards_first:
            lines.append(
                f"play {' and '.join(cards)} first, for {_actions(len(found.line))} in a turn"
            )
        steps = line_steps(start, found.line)
        if boards:
            lines += [f"\n{index}. {step.text}\n{draw_position(step.after)}"
                      for index, step in enumerate(steps, start=1)]  # fmt: skip
        elif steps:
            after = draw_position(steps[-1].after)
            lines.append(f"\nbefore\n{draw_position(start)}\n\nafter\n{after}")
        if self.question.solutions > 1 and found.line:
            counted = f"{len(found.lines)}" if found.complete else f"{len(found.lines)} or more"
            lines.append(f"\nsolutions of {_actions(len(found.line))}: {counted}")
            lines += [line_text(start, line) for line in found.lines]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.tell()

    def _repr_html_(self) -> str:
        """Return the boards of the solution for a notebook, to step through."""
        from pucklab.render.bumpers.motion import line_of
        from pucklab.render.bumpers.page import board_frame, line_item

        start = self.question.position
        line = line_of(start, line_steps(start, self.solution.line))
        caption = f"{self.caption}: {self.text or str(self).splitlines()[-1]}"
        return board_frame([line_item(line, caption)], caption)


def answer_text(found: Solution | SolverAnswer, line: str, most: int) -> str:
    """Return a line with the solution, or with the bound that is proved without one.

    Args:
        found: The answer.
        line: The solution in notation; empty if there is none.
        most: Most actions that were searched.
    """
    if found.lower_bound == 0:
        return "solved in 0 actions: the goal is reached already"
    if line:
        return f"solved in {len(line.split())}: {line}"
    if found.lower_bound is None:
        return "proved: no solution of any length"
    if not found.limit:
        return f"proved: no solution of at most {_actions(most)}"
    why = "stopped" if found.limit == "stopped" else f"limit of {found.limit} reached"
    return f"{why}; proved: a solution has at least {_actions(found.lower_bound)}"


def _actions(number: int) -> str:
    return "1 action" if number == 1 else f"{number} actions"


def puzzle(
    *,
    actions: int = 4,
    goal: str = "1",
    unique: bool = False,
    setup: str = "",
    theme: str = "",
    cards: str = "",
    seed: int = 1,
) -> "Puzzle":
    """Make a Puck Bumpers puzzle of a given length.

    Args:
        actions: Length of a shortest solution, 1 to 20 actions.
        goal: 1 to 4 or ``all`` for pucks in, ``puck`` or ``to``.
        unique: There must be exactly one shortest solution.
        setup: Name of the board's set-up; boards of all sizes if empty.
        theme: What every shortest solution has, such as ``chain``; see ``pucklab puzzle --help``.
        cards: ``twist`` for a card that turns one mat, which every shortest solution needs.
        seed: The seed.

    Raises:
        InputError: A value is not accepted, or no such puzzle was found.

    Example:
        >>> made = puzzle(actions=3, seed=2)
        >>> made.solution == solve(made.board).text
        True
    """
    if cards:
        check_one_of("cards", cards, ("twist",))
    spec = PuzzleSpec(
        actions=actions,
        goal=goal,
        movers=min(2, actions),
        unique=unique,
        setup=setup_named(setup) if setup else None,
        theme="" if theme == FREE else theme,
        card=bool(cards),
    )
    made = make_puzzle(spec, read_seed(seed), 0)
    if isinstance(made, str):
        raise InputError(f"actions: {actions} is not accepted with seed {seed}: {made}")
    return Puzzle(made=made)


@dataclass(frozen=True, kw_only=True, repr=False)
class Puzzle(Shown):
    """A position to solve, which prints without its solution."""

    made: MadePuzzle  # with its solution and its difficulty

    @property
    def board(self) -> Board:
        """The position to solve."""
        return Board(position=self.made.position)

    @property
    def goal(self) -> str:
        """The goal in words of the command's ``--goal``."""
        return goal_text(self.made.position, self.made.goal)

    @property
    def cards(self) -> str:
        """The card in hand, ``twist``, or empty."""
        return ",".join(self.made.hand.names)

    @property
    def solution(self) -> str:
        """The solution in notation."""
        return line_text(self.made.position, self.made.line)

    def draw(self, path: str | Path) -> None:
        """Write a picture (.png), a page to solve it in (.html) or a card (.svg)."""
        from pucklab.render.bumpers.cards import SUFFIXES, save_puzzles

        own = Path(path)
        check_writable("path", own, (".png", *SUFFIXES))
        if own.suffix.lower() == ".png":
            self.board.draw(own)
            return
        save_puzzles(own, [study_of(self.made)])

    def __str__(self) -> str:
        return f"{self.board!r}\n{self._task}"

    @property
    def _task(self) -> str:
        task = f"goal {self.goal}, in {_actions(len(self.made.line))}"
        return f"{task}, cards {self.cards}" if self.cards else task

    def _repr_html_(self) -> str:
        """Return the puzzle for a notebook, to solve in it."""
        from pucklab.render.bumpers.page import board_frame, puzzle_item

        return board_frame([puzzle_item(study_of(self.made))], self._task)


def _draw_line(path: Path, start: Position, line: Iterable[Any], caption: str) -> None:
    from pucklab.render.bumpers.film import check_export, export_line

    check_export("path", path)
    export_line(path, start, tuple(line_steps(start, line)), caption=caption)
