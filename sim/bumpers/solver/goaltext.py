"""Goals as text: ``2``, ``all:B``, ``puck:c7``, ``to:d5:R``, ``stop:B:2``."""

from physics import InputError
from physics.checks import shown
from sim.bumpers.board import board_of
from sim.bumpers.pieces import Colour, colour_of
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import MOST_PUCKS, MOST_REPLY, AnyGoal, Defence, Goal

ACCEPTED = (
    f"1 to {MOST_PUCKS} or all for pucks in, with :B for another colour's; puck:c7 for that puck "
    "in; to:c7 for any piece on that space, with :B for one of a colour; stop:B so that blue "
    "cannot score in its next turn, with :2 for a turn of 2 actions"
)


def read_goal(position: Position, text: str, *, turn: int | None = 1) -> AnyGoal:
    """Return the goal of a text; `sim.bumpers.solver.goals.check_goal` says if it makes sense.

    Args:
        position: The position that the text's squares are of.
        text: A number of pucks or ``all``, then perhaps a colon and a colour's letter; ``puck:``
            and a square; ``to:`` and a square, then perhaps a colon and a letter; or ``stop:`` and
            a colour's letter, then perhaps a colon and the actions of its turn.
        turn: Actions of the turn of a colour to stop where the text does not tell them; None where
            it must.

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
    if kind == "stop":
        return _defence(text, rest, turn)
    if kind not in ("all", *map(str, range(1, MOST_PUCKS + 1))) or len(rest) > 1:
        raise _refused(text)
    return Goal(pucks=None if kind == "all" else int(kind), colour=_colour(text, rest))


def goal_text(position: Position, goal: AnyGoal) -> str:
    """Return the text of a goal; of a defence, always with the actions of the other's turn.

    Example:
        >>> from sim.bumpers import parse_position
        >>> start = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> goal_text(start, read_goal(start, "to:a4:R"))
        'to:a4:R'
    """
    if isinstance(goal, Defence):
        return f"stop:{goal.colour.letter}:{goal.actions}"
    whose = "" if goal.colour is None else f":{goal.colour.letter}"
    if goal.puck is not None:
        return f"puck:{_square(position, goal.puck)}"
    if goal.space is not None:
        return f"to:{_square(position, goal.space)}{whose}"
    return f"{goal.pucks or 'all'}{whose}"


def _defence(text: str, rest: list[str], turn: int | None) -> Defence:
    """Return the defence of the parts of a text after ``stop``."""
    if not 1 <= len(rest) <= 2:
        raise _refused(text)
    colour = _colour(text, rest[:1])
    assert colour is not None
    if len(rest) == 2 and not rest[1].isdecimal():
        raise InputError(
            f"goal: {shown(text)}: {shown(rest[1])} is no number of actions; give 1 to {MOST_REPLY}"
        )
    if len(rest) == 1 and turn is None:
        raise InputError(
            f"goal: {shown(text)}: a card in hand changes the actions of every turn; give those of "
            f"the colour to stop, such as stop:{colour.letter}:2"
        )
    actions = int(rest[1][:9]) if len(rest) == 2 else turn
    return Defence(colour=colour, actions=actions or 0)


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
