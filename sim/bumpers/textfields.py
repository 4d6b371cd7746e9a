"""The fields of a position's line, and reading those of pieces, scores and the side to move."""

import re
from dataclasses import dataclass

from sim.bumpers.board import board_of
from sim.bumpers.layout import Layout
from sim.bumpers.marking import Problem
from sim.bumpers.notation import NONE
from sim.bumpers.pieces import Colour, Kind, Piece, colour_of

_GROUP = re.compile(r"([ROYGBV])([PIM])((?:[a-z]+[0-9]+)+)")
_SQUARE = re.compile(r"[a-z]+[0-9]+")
_SCORED = re.compile(r"([ROYGBV])([0-9]+)")
_COLOURS = ", ".join(f"{colour.letter} ({colour.word})" for colour in Colour)


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a text, and where it begins in the whole."""

    text: str
    start: int

    def problem(self, message: str, start: int = 0, end: int | None = None) -> Problem:
        """Return a problem of this part, or of a piece of it."""
        until = len(self.text) if end is None else end
        return Problem(message, self.start + start, self.start + until)

    def split(self, separator: str) -> list["Field"]:
        """Return the parts between separators."""
        parts, start = [], self.start
        for part in self.text.split(separator):
            parts.append(Field(part, start))
            start += len(part) + len(separator)
        return parts


def read_pieces(
    field: Field, layout: Layout, problems: list[Problem], places: dict[int, Field]
) -> dict[int, Piece]:
    """Return the pieces of a field by space; problems, and where each space was read, are added."""
    board = board_of(layout)
    last = board.name((0, board.columns - 1))
    pieces: dict[int, Piece] = {}
    for group in field.split(".") if field.text != NONE else []:
        match = _GROUP.fullmatch(group.text)
        if match is None:
            problems.append(
                group.problem(
                    "give a colour (R O Y G B V), a kind (P I M) and squares, such as RPc7d9"
                )
            )
            continue
        colour = colour_of(match[1])
        assert colour is not None
        for square in _SQUARE.finditer(group.text, 2):
            space = board.space_named(square.group())
            name, span = square.group(), square.span()
            if space is None:
                message = f"there is no space {name}; the board is a1 to {last}"
                problems.append(group.problem(message, *span))
            elif space in pieces:
                problems.append(group.problem(f"two pieces stand on {name}", *span))
            else:
                pieces[space] = Piece(colour, Kind(match[2]))
                places[space] = Field(name, group.start + span[0])
    return pieces


def read_scored(field: Field, problems: list[Problem]) -> dict[Colour, int]:
    """Return the scores of a field by colour; problems are added."""
    scored: dict[Colour, int] = {}
    if field.text == NONE:
        return scored
    end = 0
    for match in _SCORED.finditer(field.text):
        colour = colour_of(match[1])
        if match.start() != end or colour is None or colour in scored:
            break
        scored[colour] = int(match[2][:9])
        end = match.end()
    if end != len(field.text) or not scored:
        message = "give each colour once with its scored pucks, such as R1B2, or -"
        problems.append(field.problem(message, end))
    return scored


def read_colour(field: Field, problems: list[Problem]) -> Colour | None:
    """Return the colour to move of a field; problems are added."""
    colour = colour_of(field.text)
    if colour is None and field.text != NONE:
        problems.append(field.problem(f"give the colour to move, {_COLOURS}, or -"))
    return colour
