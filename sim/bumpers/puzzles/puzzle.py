"""What puzzles are wanted, and what a puzzle is."""

from dataclasses import dataclass

from physics import InputError
from physics.checks import check_count, shown
from sim.bumpers.board import board_of, open_spaces
from sim.bumpers.house import Setup
from sim.bumpers.moves import Move
from sim.bumpers.pieces import Kind
from sim.bumpers.position import Position
from sim.bumpers.puzzles.rating import Rating
from sim.bumpers.solver import Goal
from sim.bumpers.solver.goals import MOST_PUCKS

MOST_ACTIONS = 20
MOST_MOVERS = 4
GOALS = (*(str(pucks) for pucks in range(1, MOST_PUCKS + 1)), "all", "puck", "to")


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleSpec:
    """What puzzles are wanted.

    Attributes:
        actions: Actions of a shortest solution, 1 to 20.
        goal: The kind of goal: 1 to 4 or ``all`` for pucks of the side to move in, ``puck`` for a
            named one, ``to`` for a piece of the side to move on a named space.
        movers: At least so many pieces set out in a solution; 1 to 4.
        unique: There must be exactly one shortest solution; two orders of the same actions are
            two.
        setup: The board and its rules; None for house boards of all sizes.

    Raises:
        InputError: A field is not accepted.
    """

    actions: int = 4
    goal: str = "1"
    movers: int = 1
    unique: bool = False
    setup: Setup | None = None

    def __post_init__(self) -> None:
        check_count("actions", self.actions, low=1, high=MOST_ACTIONS)
        check_count("movers", self.movers, low=1, high=min(MOST_MOVERS, self.actions))
        if self.goal not in GOALS:
            raise InputError(f"goal: {shown(self.goal)} is not accepted; give {', '.join(GOALS)}")
        if self.actions < self.pucks:
            raise InputError(
                f"actions: {self.actions} is not accepted; {self.pucks} pucks need at least "
                f"{self.pucks}"
            )
        if self.setup is not None:
            _check_setup(self.setup, self.pucks, wants_goal=self.goal != "to")

    @property
    def pucks(self) -> int:
        """Pucks of the side to move that are needed at least."""
        return int(self.goal) if self.goal.isdigit() else 1


def _check_setup(setup: Setup, pucks: int, *, wants_goal: bool) -> None:
    """Check that a board has what puzzles need.

    Raises:
        InputError: It has not.
    """
    each = setup.rules.pieces_each[Kind.PUCK]
    if pucks > each:
        raise InputError(f"goal: {pucks} pucks; each colour has {each} on {setup.name!r}")
    if wants_goal and not board_of(setup.layout).goals:
        raise InputError(f"setup: {setup.name!r} has no goal for pucks")
    if len(open_spaces(setup.layout)) <= pucks:
        raise InputError(f"setup: {setup.name!r} has too few open spaces for {pucks} pucks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position to solve, with its solution.

    Attributes:
        seed: The seed it was made from.
        index: Its number among the puzzles of that seed, from 0.
        position: The position.
        goal: What must be reached.
        line: A shortest solution, the first that the solver finds.
        rating: How hard it is.
    """

    seed: int
    index: int
    position: Position
    goal: Goal
    line: tuple[Move, ...]
    rating: Rating
