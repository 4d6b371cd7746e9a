"""Goals as text: ``2``, ``all:B``, ``puck:c7``, ``to:d5:R``."""

from physics import InputError
from physics.checks import shown
from sim.bumpers.board import board_of
from sim.bumpers.pieces import Colour, colour_of
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import MOST_PUCKS, Goal

ACCEPTED = (
    f"1 to {MOST_PUCKS} or all for pucks in, with :B for another colour's; puck:c7 for that puck "
    "in; to:c7 for any piece on that space, with :B for one of a colour"
)


def read_goal(position: Position, text: str) -> Goal:
    """Return the goal of a text; `sim.bumpers.solver.goals.check_goal` says if it makes sense.

    Args:
        position: The position that the text's squares are of.
        text: A number of pucks or ``all``, then perhaps a colon and a colour's letter; ``puck:``
            and a square; or ``to:`` and a square, then perhaps a colon and a letter.

    Raises:
        InputError: It says no goal.

    Example:
        >>> from sim.bumpers import parse_position
        >>> read_goal(parse_position("pb1:classic:RPa1.BPa4:-:R:-"), "all:B").colour.word
        'blue'
    """
    kind, *rest = text.strip().split(":")
    if kind in ("puck", "to"):
        if not rest or len(rest) > (1 if kind == "puck" else 2):
            raise _refused(text)
        space = _space(position, rest[0])
        if kind == "puck":
            return Goal(puck=space)
        return Goal(space=space, colour=_colour(text, rest[1:]))
    if kind not in ("all", *map(str, range(1, MOST_PUCKS + 1))) or len(rest) > 1:
        raise _refused(text)
    return Goal(pucks=None if kind == "all" else int(kind), colour=_colour(text, rest))


def goal_text(position: Position, goal: Goal) -> str:
    """Return the text of a goal.

    Example:
        >>> from sim.bumpers import parse_position
        >>> start = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> goal_text(start, read_goal(start, "to:a4:R"))
        'to:a4:R'
    """
    whose = "" if goal.colour is None else f":{goal.colour.letter}"
    if goal.puck is not None:
        return f"puck:{_square(position, goal.puck)}"
    if goal.space is not None:
        return f"to:{_square(position, goal.space)}{whose}"
    return f"{goal.pucks or 'all'}{whose}"


def _refused(text: str) -> InputError:
    return InputError(f"goal: {shown(text)} is not accepted; give {ACCEPTED}")


def _square(position: Position, space: int) -> str:
    board = board_of(position.layout)
    return board.name(board.squares[space])


def _space(position: Position, square: str) -> int:
    board = board_of(position.layout)
    space = board.space_named(square)
    if space is None:
        last = board.name((0, board.columns - 1))
        raise InputError(f"goal: there is no space {shown(square)}; the board is a1 to {last}")
    return space


def _colour(text: str, letters: list[str]) -> Colour | None:
    if not letters:
        return None
    colour = colour_of(letters[0])
    if colour is None:
        known = ", ".join(colour.letter for colour in Colour)
        raise InputError(f"goal: {shown(text)}: {shown(letters[0])} is no colour; give {known}")
    return colour
