"""Goals of a search: which pieces are to be where; their text form, and their encoding.

A `Goal` has one or more `Target`s, all to hold at once. The text forms are ``2``, ``all:B``,
``puck:c7``, ``to:d5``, ``to:d5:R``, ``to:d5:b7``, several of these with commas, and ``stop:B:2``;
see `read_goal`.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from pucklab.base.errors import InputError, check_count, shown
from pucklab.base.facts import fact
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
from pucklab.sim.bumpers.moves import Change

MOST_PUCKS = 4
MOST_REPLY = 12
MOST_TARGETS = 16

GONE = -1
"""Stands for the space of a named piece that has left the board."""

_NAMED_SEED = 5
_ACCEPTED = (
    f"1 to {MOST_PUCKS} or all for pucks in, with :B for another colour's; puck:c7 for that puck "
    "in; to:c7 for any piece on that space, with :B for one of a colour or :b2 for the piece on "
    "b2; several of them with commas; stop:B so that blue cannot score in its next turn, with :2 "
    "for a turn of 2 actions"
)


@fact
class Target:
    """Pieces, and where they are to be: in the goals, or one of them on a space.

    Attributes:
        count: The number of pucks to bring in, 1 to 4; None for all on the board. 1 for others.
        colour: The colour of the pucks, or of the piece for a space. By default that of the side
            to move, or, for a space, any.
        piece: The space of the one piece that is meant, or `GONE`; None for any of the colour.
        space: The space to reach; None for the goals, which take pucks only.
    """

    count: int | None = 1
    colour: Colour | None = None
    piece: int | None = None
    space: int | None = None

    def __post_init__(self) -> None:
        if self.count is not None:
            check_count("goal", self.count, 1, MOST_PUCKS)

    def spaces_of(self, position: Position) -> list[int]:
        """Return the spaces of the pieces that count."""
        if self.piece is not None:
            return [self.piece] if self.piece != GONE else []
        if self.space is not None:
            return [s for s, piece in position.pieces if self.colour in (None, piece.colour)]
        puck = Piece(self.colour_in(position), Kind.PUCK)
        return [space for space, piece in position.pieces if piece == puck]

    def colour_in(self, position: Position) -> Colour:
        """Return the colour of the pucks to bring in."""
        colour = position.to_move if self.colour is None else self.colour
        if colour is None:
            raise InputError("goal: nobody is to move; give a colour")
        return colour


@fact
class Goal:
    """Targets that are to hold at the same time; by default one puck of the side to move in.

    Example:
        >>> Goal().targets[0].count, bring_in(None, Colour.BLUE).targets[0].colour.word
        (1, 'blue')
    """

    targets: tuple[Target, ...] = (Target(),)


def bring_in(count: int | None = 1, colour: Colour | None = None) -> Goal:
    """Return the goal of so many pucks in, or of all with None."""
    return Goal(targets=(Target(count=count, colour=colour),))


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
    """Check that a goal fits a position; it may be reached already.

    Whether a defence is needed at all is left to the search.

    Raises:
        InputError: The goal names no piece or space of the position, or asks for two things that
            cannot be at the same time.
    """
    if isinstance(goal, Defence):
        if goal.colour is position.to_move:
            raise InputError(f"goal: {goal.colour.word} is to move; give another colour to stop")
        if not position.count(Piece(goal.colour, Kind.PUCK)):
            raise InputError(f"goal: {goal.colour.word} has no puck on the board")
        return
    check_count("targets of a goal", len(goal.targets), 1, MOST_TARGETS)
    for target in goal.targets:
        _check_target(position, target)
    for one, other in combinations(goal.targets, 2):
        if one.space is not None and one.space == other.space:
            raise InputError(f"goal: two pieces cannot be on {_name(position, one.space)} at once")
        if one.piece is not None and one.piece == other.piece:
            name = _name(position, one.piece)
            raise InputError(f"goal: the piece on {name} cannot be in two places at once")


def _check_target(position: Position, target: Target) -> None:
    board = board_of(position.layout)
    for space in (target.space, target.piece):
        if space is not None and space not in range(len(board.squares)):
            raise InputError(f"goal: there is no space {space}")
    if target.space is not None and board.squares[target.space] in board.pools:
        raise InputError(f"goal: {_name(position, target.space)} is a pool; no piece comes there")
    if target.piece is not None:
        piece, name = position.piece_on(target.piece), _name(position, target.piece)
        wanted = "puck" if target.space is None else "piece"
        if piece is None or (target.space is None and piece.kind is not Kind.PUCK):
            instead = "; it is empty" if piece is None else f", but a {piece}"
            raise InputError(f"goal: no {wanted} stands on {name}{instead}")
    elif target.space is not None:
        if not target.spaces_of(position):
            whose = "" if target.colour is None else f"{target.colour.word} "
            raise InputError(f"goal: no {whose}piece is on the board")
    else:
        colour, there = target.colour_in(position), len(target.spaces_of(position))
        least = target.count or 1
        if there < least and not (target.count is None and position.scored[colour]):
            if there == 0 and position.scored[colour]:
                raise InputError(f"goal: all pucks of {colour.word} are in already")
            count = "no puck" if there == 0 else "1 puck" if there == 1 else f"{there} pucks"
            raise InputError(f"goal: {colour.word} has {count} on the board, {least} wanted")


def goal_after(goal: Goal, before: Position, after: Position, change: Change) -> Goal | None:
    """Return the rest of a goal after a move; None if it is reached.

    Named pieces keep their names where they go, and pucks that are in no longer count.
    """
    left, is_reached = [], True
    for target in goal.targets:
        rest = target
        for movement in change.movements:
            if movement.start == target.piece:
                rest = replace(target, piece=GONE if movement.scored else movement.end)
        if target.space is not None:
            is_reached &= target.space in rest.spaces_of(after)
        elif target.piece is not None:
            if rest.piece == GONE:
                continue
            is_reached = False
        else:
            scored = len(target.spaces_of(before)) - len(target.spaces_of(after))
            missing = len(target.spaces_of(after))
            if target.count is not None:
                missing = target.count - scored
                rest = replace(target, count=max(missing, 1))
            if missing <= 0:
                continue
            is_reached = False
        left.append(rest)
    return None if is_reached else Goal(targets=tuple(left))


def _name(position: Position, space: int) -> str:
    return board_of(position.layout).name_of(space)


def read_goal(position: Position, text: str, *, turn: int | None = 1) -> AnyGoal:
    """Parse a goal; `check_goal` checks that it fits the position.

    Args:
        position: The position to which squares refer.
        text: Targets with commas between them: a number of pucks or ``all``, then perhaps a colon
            and a colour's letter; ``puck:`` and a square; ``to:`` and a square, then perhaps a
            colon and a letter or the square of a piece. Or ``stop:`` and a colour's letter, then
            perhaps a colon and the actions of its turn.
        turn: Actions in the turn of a colour to stop, if the text gives none; None if the text must
            give them.

    Raises:
        InputError: The text is not a goal.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> start = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> read_goal(start, "all:B").targets[0].colour.word
        'blue'
        >>> len(read_goal(start, "1,to:c3").targets)
        2
    """
    kind, *rest = text.strip().split(":")
    if kind != "stop":
        return Goal(targets=tuple(_target(position, text, part) for part in text.split(",")))
    if not 1 <= len(rest) <= 2:
        raise _refusal(text)
    stopped = _colour(text, rest[0])
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


def _target(position: Position, text: str, part: str) -> Target:
    """Return the target of a part of a goal's text."""
    kind, *rest = part.strip().split(":")
    if kind == "puck" and len(rest) == 1:
        return Target(piece=_space(position, rest[0]))
    if kind == "to" and 1 <= len(rest) <= 2:
        space, which = _space(position, rest[0]), rest[1:]
        if which and which[0][:1].islower():
            return Target(space=space, piece=_space(position, which[0]))
        return Target(space=space, colour=_colour(text, which[0]) if which else None)
    if kind not in ("all", *map(str, range(1, MOST_PUCKS + 1))) or len(rest) > 1:
        raise _refusal(text)
    colour = _colour(text, rest[0]) if rest else None
    return Target(count=None if kind == "all" else int(kind), colour=colour)


def goal_text(position: Position, goal: AnyGoal) -> str:
    """Return the text of a goal; for a defence always with the actions of the other colour's turn.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> start = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> goal_text(start, read_goal(start, "to:a4:R,to:b4:a4"))
        'to:a4:R,to:b4:a4'
    """
    if isinstance(goal, Defence):
        return f"stop:{goal.colour.letter}:{goal.turn_actions}"
    texts = []
    for target in goal.targets:
        which = "" if target.colour is None else f":{target.colour.letter}"
        if target.piece is not None:
            which = ":" + _name(position, target.piece)
        if target.space is not None:
            texts.append(f"to:{_name(position, target.space)}{which}")
        elif target.piece is not None:
            texts.append(f"puck{which}")
        else:
            texts.append(f"{target.count or 'all'}{which}")
    return ",".join(texts)


def _refusal(text: str) -> InputError:
    return InputError(f"goal: {shown(text)} is not accepted; give {_ACCEPTED}")


def _space(position: Position, square: str) -> int:
    board = board_of(position.layout)
    space = board.space_named(square)
    if space is None:
        why = board.why_no_space(square)
        raise InputError(f"goal: there is no space {shown(square)}; {why}")
    return space


def _colour(text: str, letter: str) -> Colour:
    colour = colour_of(letter)
    if colour is None:
        known = ", ".join(colour.letter for colour in Colour)
        raise InputError(f"goal: {shown(text)}: {shown(letter)} is not a colour; give {known}")
    return colour


def encode_goal(position: Position, goal: Goal, encoded: Encoded, neighbours: U16) -> EncodedGoal:
    """Encode a goal for the kernel.

    Args:
        position: The position.
        goal: A goal that has been checked.
        encoded: The encoded position.
        neighbours: ``neighbours[layout, direction, space]``; layout 0 is the position's.
    """
    game, vacated = encoded.game, encoded.pieces.vacated
    numbers = {int(space): number for number, space in enumerate(encoded.pieces.where)}
    kinds, targets = [OTHER], [np.full(len(vacated), UNREACHABLE, np.uint8)]
    pieces: list[int] = []
    rows: list[int] = []
    first, needed = [0], []
    for target in goal.targets:
        wanted = sorted(numbers[space] for space in target.spaces_of(position))
        row_of: dict[int, int] = {}
        for piece in wanted:
            kind = PUCK if piece < game.pucks else ICE if piece < game.slid else MEEPLE
            if kind not in row_of:
                row_of[kind] = len(kinds)
                kinds.append(kind)
                spaces = np.full(len(vacated), UNREACHABLE, np.uint8)
                if target.space is None:
                    spaces[vacated == GOAL] = spaces[-1] = 0
                elif kind != PUCK or vacated[target.space] != GOAL:
                    spaces[target.space] = 0
                targets.append(spaces)
            rows.append(row_of[kind])
        pieces += wanted
        first.append(len(pieces))
        needed.append(len(wanted) if target.count is None else target.count)
    into_goals = sum(target.space is None for target in goal.targets)
    is_asked = np.zeros(len(encoded.pieces.where), np.uint8)
    is_asked[pieces] = 1
    spaces_to = np.stack(targets)
    encoded_goal = EncodedGoal(
        pieces=np.array(pieces, np.uint8),
        rows=np.array(rows, np.uint8),
        first=np.array(first),
        needed=np.array(needed),
        is_asked=is_asked,
        kinds=np.array(kinds, np.uint8),
        targets=spaces_to,
        distances=np.zeros((0, *spaces_to.shape), np.uint16),
        descents=np.zeros((0, len(vacated)), np.uint32),
        database=no_database(),
        scratch=new_scratch(len(vacated), len(encoded.pieces.where)),
        omits_steps=1,
        adds=int(not game.chains and into_goals < 2),
    )
    return with_distances(encoded_goal, neighbours, vacated, 0, 1)


def distinguish_pieces(position: Position, goal: Goal, encoded: Encoded, is_asked: U8) -> Encoded:
    """Return the position with Zobrist numbers that tell named pieces from others of their kind.

    Where every piece slides and moves, colours that the goal does not ask for make no difference.
    """
    named = [target.piece for target in goal.targets if target.piece not in (None, GONE)]
    spaces, where = encoded.zobrist.shape[1] - 2, encoded.pieces.where.tolist()
    zobrist, rng = encoded.zobrist.copy(), np.random.default_rng(_NAMED_SEED)
    if position.rules.slide:
        (others,) = np.nonzero(is_asked[: encoded.game.pucks] == 0)
        zobrist[others] = zobrist[others[:1]]
    for space in named:
        drawn = rng.integers(0, 2**64, (spaces, 2), dtype=np.uint64)
        zobrist[where.index(space), :spaces] = drawn
    return encoded._replace(zobrist=zobrist)
