"""What a solution must reach."""

from dataclasses import dataclass

from physics import InputError
from physics.checks import check_count
from sim.bumpers.board import board_of
from sim.bumpers.pieces import Colour, Kind, Piece
from sim.bumpers.position import Position

MOST_PUCKS = 4
MOST_REPLY = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What is wanted: pucks in, one named puck in, or a piece on a space.

    Attributes:
        pucks: How many more pucks must come in, 1 to 4; None for all that are on the board.
        colour: Whose pucks, or whose piece; by default those of the side to move, and on a space
            anyone's.
        puck: The space of the puck that must come in; ``pucks`` says nothing then.
        space: The space that a piece must come to; ``pucks`` says nothing then.

    Raises:
        InputError: A field is not accepted.

    Example:
        >>> Goal().pucks, Goal(pucks=None, colour=Colour.BLUE).colour.word
        (1, 'blue')
    """

    pucks: int | None = 1
    colour: Colour | None = None
    puck: int | None = None
    space: int | None = None

    def __post_init__(self) -> None:
        if self.pucks is not None:
            check_count("goal", self.pucks, low=1, high=MOST_PUCKS)
        if self.puck is not None and self.space is not None:
            raise InputError("goal: a puck and a space are given; give one of them")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defence:
    """What is wanted: that another colour cannot score in its next turn.

    That colour moves next, without cards; its pucks must not come in on the way to it either.

    Attributes:
        colour: The colour to stop.
        actions: Actions of its turn, 1 to 12.

    Raises:
        InputError: The number of actions is not accepted.
    """

    colour: Colour
    actions: int = 1

    def __post_init__(self) -> None:
        check_count("goal", self.actions, low=1, high=MOST_REPLY)


AnyGoal = Goal | Defence


def check_goal(position: Position, goal: AnyGoal) -> None:
    """Check that a goal is one of a position, and not reached yet.

    Whether a defence is needed is for a search to say.

    Raises:
        InputError: It names no piece or space, or is reached; the message says which.
    """
    if isinstance(goal, Defence):
        _check_defence(position, goal)
    elif goal.space is not None:
        _check_space(position, goal.space, goal.colour)
    elif goal.puck is not None:
        if not _on_board(position, goal.puck):
            raise InputError(f"goal: there is no space {goal.puck}")
        piece = position.piece_on(goal.puck)
        if piece is None or piece.kind is not Kind.PUCK:
            name = _name(position, goal.puck)
            raise InputError(f"goal: no puck stands on {name}; give the space of one")
    else:
        _check_pucks(position, goal)


def colour_of_goal(position: Position, goal: Goal) -> Colour | None:
    """Return whose pucks a goal is about."""
    return position.to_move if goal.colour is None else goal.colour


def _check_defence(position: Position, goal: Defence) -> None:
    if goal.colour is position.to_move:
        raise InputError(f"goal: {goal.colour.word} is to move; give another colour to stop")
    if Piece(goal.colour, Kind.PUCK) not in (piece for _, piece in position.pieces):
        raise InputError(f"goal: {goal.colour.word} has no puck on the board")


def _check_pucks(position: Position, goal: Goal) -> None:
    colour = colour_of_goal(position, goal)
    if colour is None:
        raise InputError("goal: nobody is to move; give a colour")
    there = sum(piece == Piece(colour, Kind.PUCK) for _, piece in position.pieces)
    if there == 0 and position.scored[colour]:
        raise InputError(f"goal: all pucks of {colour.word} are in already")
    if there < (goal.pucks or 1):
        count = "no puck" if there == 0 else "1 puck" if there == 1 else f"{there} pucks"
        raise InputError(f"goal: {colour.word} has {count} on the board, {goal.pucks or 1} wanted")


def _check_space(position: Position, space: int, colour: Colour | None) -> None:
    if not _on_board(position, space):
        raise InputError(f"goal: there is no space {space}")
    board = board_of(position.layout)
    name = _name(position, space)
    if board.squares[space] in board.pools:
        raise InputError(f"goal: {name} is a pool; no piece comes there")
    if not any(colour in (None, piece.colour) for _, piece in position.pieces):
        raise InputError("goal: no piece to come there is on the board")
    piece = position.piece_on(space)
    if piece is not None and colour in (None, piece.colour):
        raise InputError(f"goal: a {piece} is on {name} already")


def _on_board(position: Position, space: int) -> bool:
    return 0 <= space < len(board_of(position.layout).squares)


def _name(position: Position, space: int) -> str:
    board = board_of(position.layout)
    return board.name(board.squares[space])
