"""Goals of a search: their data, their text form, and their encoding for the kernel.

The text forms are ``2``, ``all:B``, ``puck:c7``, ``to:d5:R`` and ``stop:B:2``; see `read_goal`.
"""

import numpy as np

from pucklab.base.errors import check_count, shown
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position, board_of
from pucklab.sim.bumpers.kernel.arrays import U8, U16
from pucklab.sim.bumpers.kernel.heuristic import (
    ICE,
    MEEPLE,
    OTHER,
    PUCK,
    EncodedGoal,
    new_scratch,
    with_distances,
)
from pucklab.sim.bumpers.kernel.pattern_database import UNREACHABLE, no_database
from pucklab.sim.bumpers.kernel.position import GOAL, Encoded
from pucklab.sim.bumpers.mats import Colour, Kind, Piece, colour_of

MOST_PUCKS = 4
MOST_REPLY = 12

_NAMED_SEED = 5
_ACCEPTED = (
    f"1 to {MOST_PUCKS} or all for pucks in, with :B for another colour's; puck:c7 for that puck "
    "in; to:c7 for any piece on that space, with :B for one of a colour; stop:B so that blue "
    "cannot score in its next turn, with :2 for a turn of 2 actions"
)


@fact
class Goal:
    """A goal to reach: a number of pucks in, one named puck in, or a piece on a space.

    Attributes:
        pucks: The number of pucks to bring in, 1 to 4; None for all on the board.
        colour: The colour of the pucks or the piece. By default the side to move, or, for a piece
            on a space, any colour.
        puck: The space of the one puck to bring in; ``pucks`` is then ignored.
        space: The space that a piece must reach; ``pucks`` is then ignored.

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
            check_count("goal", self.pucks, 1, MOST_PUCKS)
        if self.puck is not None and self.space is not None:
            raise InputError("goal: a puck and a space are given; give one of them")


@fact
class Defence:
    """The goal that another colour cannot score in its next turn.

    That colour moves next, without cards; nor may the solution itself bring in one of its pucks.

    Attributes:
        colour: The colour to stop.
        turn_actions: Actions in its turn, 1 to 12.

    Raises:
        InputError: The number of actions is not accepted.
    """

    colour: Colour
    turn_actions: int = 1

    def __post_init__(self) -> None:
        check_count("goal", self.turn_actions, 1, MOST_REPLY)


AnyGoal = Goal | Defence


def check_goal(position: Position, goal: AnyGoal) -> None:
    """Check that a goal fits a position and is not reached yet.

    Whether a defence is needed at all is left to the search.

    Raises:
        InputError: The goal names no piece or space of the position, or is reached already.
    """
    if isinstance(goal, Defence):
        if goal.colour is position.to_move:
            raise InputError(f"goal: {goal.colour.word} is to move; give another colour to stop")
        if not position.count(Piece(goal.colour, Kind.PUCK)):
            raise InputError(f"goal: {goal.colour.word} has no puck on the board")
    elif goal.space is not None:
        if not _on_board(position, goal.space):
            raise InputError(f"goal: there is no space {goal.space}")
        board = board_of(position.layout)
        name = _name(position, goal.space)
        if board.squares[goal.space] in board.pools:
            raise InputError(f"goal: {name} is a pool; no piece comes there")
        if not any(goal.colour in (None, piece.colour) for _, piece in position.pieces):
            raise InputError("goal: no piece to come there is on the board")
        piece = position.piece_on(goal.space)
        if piece is not None and goal.colour in (None, piece.colour):
            raise InputError(f"goal: a {piece} is on {name} already")
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
    """Return the colour of the pucks of a goal."""
    return position.to_move if goal.colour is None else goal.colour


def _check_pucks(position: Position, goal: Goal) -> None:
    colour = colour_of_goal(position, goal)
    if colour is None:
        raise InputError("goal: nobody is to move; give a colour")
    there = position.count(Piece(colour, Kind.PUCK))
    if there == 0 and position.scored[colour]:
        raise InputError(f"goal: all pucks of {colour.word} are in already")
    if there < (goal.pucks or 1):
        count = "no puck" if there == 0 else "1 puck" if there == 1 else f"{there} pucks"
        raise InputError(f"goal: {colour.word} has {count} on the board, {goal.pucks or 1} wanted")


def _on_board(position: Position, space: int) -> bool:
    return 0 <= space < len(board_of(position.layout).squares)


def _name(position: Position, space: int) -> str:
    return board_of(position.layout).name_of(space)


def read_goal(position: Position, text: str, *, turn: int | None = 1) -> AnyGoal:
    """Parse a goal; `check_goal` checks that it fits the position.

    Args:
        position: The position to which squares refer.
        text: A number of pucks or ``all``, then perhaps a colon and a colour's letter; ``puck:``
            and a square; ``to:`` and a square, then perhaps a colon and a letter; or ``stop:`` and
            a colour's letter, then perhaps a colon and the actions of its turn.
        turn: Actions in the turn of a colour to stop, if the text gives none; None if the text must
            give them.

    Raises:
        InputError: The text is not a goal.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> read_goal(parse_position("pb1:classic:RPa1.BPa4:-:R:-"), "all:B").colour.word
        'blue'
    """
    kind, *rest = text.strip().split(":")
    if kind in ("puck", "to"):
        if not rest or len(rest) > (1 if kind == "puck" else 2):
            raise _refusal(text)
        space = _space(position, rest[0])
        if kind == "puck":
            return Goal(puck=space)
        return Goal(space=space, colour=_colour(text, rest[1:]))
    if kind == "stop":
        if not 1 <= len(rest) <= 2:
            raise _refusal(text)
        stopped = _colour(text, rest[:1])
        assert stopped is not None
        if len(rest) == 2 and not rest[1].isdecimal():
            raise InputError(
                f"goal: {shown(text)}: {shown(rest[1])} is not a number of actions; "
                f"give 1 to {MOST_REPLY}"
            )
        if len(rest) == 1 and turn is None:
            raise InputError(
                f"goal: {shown(text)}: a card in hand changes the actions of every turn; give "
                f"those of the colour to stop, for example stop:{stopped.letter}:2"
            )
        actions = int(rest[1][:9]) if len(rest) == 2 else turn
        return Defence(colour=stopped, turn_actions=actions or 0)
    if kind not in ("all", *map(str, range(1, MOST_PUCKS + 1))) or len(rest) > 1:
        raise _refusal(text)
    return Goal(pucks=None if kind == "all" else int(kind), colour=_colour(text, rest))


def goal_text(position: Position, goal: AnyGoal) -> str:
    """Return the text of a goal; for a defence always with the actions of the other colour's turn.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> start = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> goal_text(start, read_goal(start, "to:a4:R"))
        'to:a4:R'
    """
    if isinstance(goal, Defence):
        return f"stop:{goal.colour.letter}:{goal.turn_actions}"
    whose = "" if goal.colour is None else f":{goal.colour.letter}"
    if goal.puck is not None:
        return f"puck:{_name(position, goal.puck)}"
    if goal.space is not None:
        return f"to:{_name(position, goal.space)}{whose}"
    return f"{goal.pucks or 'all'}{whose}"


def _refusal(text: str) -> InputError:
    return InputError(f"goal: {shown(text)} is not accepted; give {_ACCEPTED}")


def _space(position: Position, square: str) -> int:
    board = board_of(position.layout)
    space = board.space_named(square)
    if space is None:
        why = board.why_no_space(square)
        raise InputError(f"goal: there is no space {shown(square)}; {why}")
    return space


def _colour(text: str, letters: list[str]) -> Colour | None:
    if not letters:
        return None
    colour = colour_of(letters[0])
    if colour is None:
        known = ", ".join(colour.letter for colour in Colour)
        raise InputError(f"goal: {shown(text)}: {shown(letters[0])} is not a colour; give {known}")
    return colour


def encode_goal(position: Position, goal: Goal, encoded: Encoded, neighbours: U16) -> EncodedGoal:
    """Encode a goal for the kernel.

    Args:
        position: The position.
        goal: A goal that has been checked.
        encoded: The encoded position.
        neighbours: ``neighbours[layout, direction, space]``; layout 0 is the position's.
    """
    pieces = _goal_pieces(position, goal, encoded)
    needed = 1
    if goal.puck is None and goal.space is None:
        needed = len(pieces) if goal.pucks is None else goal.pucks
    # The kind of each row of distances, and the row of each piece.
    game = encoded.game
    kind = np.full(len(encoded.pieces.where), OTHER, np.uint8)
    for piece in pieces:
        kind[piece] = PUCK if piece < game.pucks else ICE if piece < game.slid else MEEPLE
    kinds = np.array(sorted({OTHER, *kind.tolist()}), np.uint8)
    targets = _targets(goal, encoded, kinds)
    encoded_goal = EncodedGoal(
        pieces=np.array(pieces, np.uint8),
        needed=needed,
        kinds=kinds,
        row=np.searchsorted(kinds, kind).astype(np.uint8),
        targets=targets,
        distances=np.zeros((0, *targets.shape), np.uint16),
        descents=np.zeros((0, targets.shape[1]), np.uint32),
        database=no_database(),
        scratch=new_scratch(targets.shape[1], len(encoded.pieces.where)),
        omits_steps=1,
    )
    return with_distances(encoded_goal, neighbours, encoded.pieces.vacated, 0, 1)


def distinguish_puck(encoded: Encoded, encoded_goal: EncodedGoal, goal: Goal) -> Encoded:
    """Return the position with Zobrist numbers that tell a named puck from others of its colour."""
    if goal.puck is None:
        return encoded
    spaces = encoded.zobrist.shape[1] - 2
    zobrist = encoded.zobrist.copy()
    drawn = np.random.default_rng(_NAMED_SEED).integers(0, 2**64, (spaces, 2), dtype=np.uint64)
    zobrist[encoded_goal.pieces[0], :spaces] = drawn
    return encoded._replace(zobrist=zobrist)


def _goal_pieces(position: Position, goal: Goal, encoded: Encoded) -> list[int]:
    """Return the indices of the pieces that count towards a goal."""
    numbers = {int(space): number for number, space in enumerate(encoded.pieces.where)}
    if goal.puck is not None:
        return [numbers[goal.puck]]
    if goal.space is not None:
        spaces = [s for s, piece in position.pieces if goal.colour in (None, piece.colour)]
    else:
        colour = colour_of_goal(position, goal)
        spaces = [
            space
            for space, piece in position.pieces
            if (piece.kind, piece.colour) == (Kind.PUCK, colour)
        ]
    return sorted(numbers[space] for space in spaces)


def _targets(goal: Goal, encoded: Encoded, kinds: U8) -> U8:
    """Return the target spaces of each kind of piece: 0 there, `UNREACHABLE` elsewhere."""
    vacated = encoded.pieces.vacated
    targets = np.full((len(kinds), len(vacated)), UNREACHABLE, np.uint8)
    for row, kind in enumerate(kinds.tolist()):
        if goal.space is None and kind == PUCK:
            targets[row, vacated == GOAL] = 0
            targets[row, -1] = 0
        elif goal.space is not None and kind != OTHER:
            is_closed = kind == PUCK and vacated[goal.space] == GOAL
            targets[row, goal.space] = UNREACHABLE if is_closed else 0
    return targets
