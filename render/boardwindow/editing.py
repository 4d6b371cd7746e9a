"""Edits of a board: pieces put and taken, the side to move, what is scored, a line pasted.

An edit whose outcome is no legal position is refused, and it is told why.
"""

from collections.abc import Mapping
from dataclasses import replace

from physics import InputError
from render.boardwindow.desk import Desk, told
from render.boardwindow.history import Entry, with_entry
from sim.bumpers import (
    Colour,
    Piece,
    Position,
    board_of,
    make_position,
    parse_position,
    position_problems,
)


def edited(desk: Desk, position: Position, text: str, *, glides: bool = False) -> Desk:
    """Return the desk after an edit, if what comes of it is a legal position."""
    if position == desk.position:
        return desk
    problems = position_problems(position)
    if problems:
        return told(desk, "; ".join(problems))
    entry = Entry(position=position, text=text, glides=glides)
    return replace(desk, history=with_entry(desk.history, entry), space=None, told="")


def pasted(desk: Desk, text: str) -> Desk:
    """Return the desk with the position of a line."""
    try:
        return replace(edited(desk, parse_position(text), "pasted"), mat=None)
    except InputError as error:
        return told(desk, str(error))


def with_side(desk: Desk, colour: Colour | None) -> Desk:
    """Return the desk with another side to move."""
    word = "nobody" if colour is None else colour.word
    return edited(desk, replace(desk.position, to_move=colour), f"{word} to move")


def with_next_side(desk: Desk) -> Desk:
    """Return the desk with the next colour to move, of those with a piece on the board."""
    there = sorted({piece.colour for _, piece in desk.position.pieces})
    if not there:
        return told(desk, "there is no piece on the board")
    now = desk.position.to_move
    later = [colour for colour in there if now is not None and colour > now]
    return with_side(desk, (later or there)[0])


def with_scored(desk: Desk, change: int) -> Desk:
    """Return the desk with more or fewer pucks scored by the side to move."""
    colour = desk.position.to_move
    if colour is None:
        return told(desk, "choose who is to move first")
    scored = list(desk.position.scored)
    scored[colour] += change
    text = f"{colour.word}: {scored[colour]} scored"
    return edited(desk, replace(desk.position, scored=tuple(scored)), text)


def placed(desk: Desk, space: int, piece: Piece | None) -> Desk:
    """Return the desk with a piece put on a space, or taken from it."""
    board = board_of(desk.position.layout)
    name = board.name(board.squares[space])
    pieces = {other: there for other, there in desk.position.pieces if other != space}
    if piece is not None:
        pieces[space] = piece
    text = f"{name} empty" if piece is None else f"{piece.code} on {name}"
    return edited(desk, with_pieces(desk.position, pieces), text)


def carried(desk: Desk, start: int, end: int) -> Desk:
    """Return the desk with a piece taken from a space and put on another."""
    pieces = dict(desk.position.pieces)
    piece = pieces.pop(start)
    pieces[end] = piece
    board = board_of(desk.position.layout)
    text = f"{piece.code} to {board.name(board.squares[end])}"
    return edited(desk, with_pieces(desk.position, pieces), text)


def with_pieces(position: Position, pieces: Mapping[int, Piece]) -> Position:
    """Return a position with other pieces, by space."""
    bare = make_position(position.layout, pieces)
    return replace(position, pieces=bare.pieces)
