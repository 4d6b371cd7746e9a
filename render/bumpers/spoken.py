"""Boards and moves in words, for ears and for lists: what a screen reader says of them."""

import re
from collections.abc import Sequence

from pucklab.render.bumpers.history import History
from pucklab.sim.bumpers import Colour, Direction, Kind, Movement, Piece, Position, board_of
from pucklab.sim.bumpers.moves import MatMove, MatShift, MatSwap, MatTurn, Move, PieceMove
from pucklab.sim.bumpers.puzzle_solving import count_text

WAYS = ("north", "east", "south", "west")
_TURNS = ("", "a quarter turn right", "half a turn", "a quarter turn left")
_MOVE = re.compile(r"([a-z]+[0-9]+)([NESW])x?\*?")


def board_words(position: Position) -> str:
    """Return a board in a sentence.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> board_words(parse_position("pb1:small:RPb7f5.RMe7.BPd7:-:R:-"))
        '12 mats, red to move, 2 red pucks, 1 red meeple and 1 blue puck'
    """
    side = "nobody" if position.to_move is None else position.to_move.word
    counts = {
        piece: position.count(piece)
        for piece in (Piece(colour, kind) for colour in Colour for kind in Kind)
    }
    pieces = [count_text(number, str(piece)) for piece, number in counts.items() if number]
    told = " and ".join(filter(None, (", ".join(pieces[:-1]), *pieces[-1:]))) or "no pieces"
    mats = count_text(len(position.layout.faces), "mat")
    scored = [f"{position.scored[c]} of {c.word} scored" for c in Colour if position.scored[c]]
    return ", ".join((mats, f"{side} to move", told, *scored))


def square_words(position: Position, space: int) -> str:
    """Return a square with what is on it, such as ``e4, red puck``."""
    board, piece = board_of(position.layout), position.piece_on(space)
    square = board.squares[space]
    ground = "pool" if square in board.pools else "goal" if square in board.goals else ""
    return ", ".join(filter(None, (board.name(square), str(piece or ""), ground))) + (
        "" if piece or ground else ", empty"
    )


def move_words(position: Position, move: Move, movements: Sequence[Movement] = ()) -> str:
    """Return a move in words.

    Args:
        position: The position before it.
        move: The move.
        movements: The pieces that it moves.

    Example:
        >>> from pucklab.sim.bumpers import parse_move, parse_position, play
        >>> start = parse_position("pb1:classic:RPa1.BPa4:-:R:-")
        >>> move = parse_move(start, "a1N")
        >>> move_words(start, move, play(start, move)[1].movements)
        'red puck a1 north to a3; blue puck a4 to a9'
    """
    if not isinstance(move, PieceMove):
        return _mat_words(position, move)
    board, parts = board_of(position.layout), list[str]()
    own = next((one for one in movements if one.start == move.space), None)
    name, way = board.name_of(move.space), WAYS[move.direction]
    if own is None:
        parts.append(f"{position.piece_on(move.space)} {name} bumps {way}")
    for one in sorted(movements, key=lambda one: one is not own):
        end = "into a goal" if one.scored else f"to {board.name_of(one.end)}"
        go = f"{way} {end}" if one is own else end
        parts.append(f"{one.piece} {board.name_of(one.start)} {go}")
    return "; ".join(parts)


def _mat_words(position: Position, move: MatMove) -> str:
    names = [face.name for face in position.layout.faces]
    if isinstance(move, MatTurn):
        return f"mat {names[move.mat]}, {_TURNS[move.quarters]}"
    if isinstance(move, MatSwap):
        return f"mats {names[move.first]} and {names[move.second]} change places"
    assert isinstance(move, MatShift)
    return f"mat {names[move.mat]} to another place"


def entry_words(history: History) -> str:
    """Return the step that led to the position shown, in words; empty for the first one."""
    entry = history.entry
    found = _MOVE.fullmatch(entry.text)
    if not history.index or found is None:
        return entry.text
    before = history.entries[history.index - 1].position
    space = board_of(before.layout).space_named(found[1])
    if space is None or before.piece_on(space) is None:
        return entry.text
    return move_words(before, PieceMove(space, Direction[found[2]]), entry.movements)
