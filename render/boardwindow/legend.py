"""The legend of the board window: every symbol on the board, with a sentence on it."""

from collections.abc import Iterator
from functools import cache

from pygame import Rect, Surface

from render.boardwindow.picture import board_palette, picture_of_piece
from render.bumpers.sprites import mat_sprite
from render.palette import Palette
from render.viewer import Symbol, Text
from render.viewer.panels import Part
from render.viewer.widgets import Picture
from sim.bumpers import Colour, MatFace, Piece, parse_position
from sim.bumpers.puzzle_solving import HOW_TO_MOVE

_SPACES = {
    (1, 1, 2, 1): "goal: open on the side without a wall",
    (0, 0, 1, 1): "pool: no piece crosses it",
    (1, 0, 3, 1): "start spaces of puck, meeple and ice block",
}
"""Piece at a column and a row of the sample mat, and its width and height in spaces."""

_NOTATION = (
    "",
    "c7N: the piece on c7 moves north; x: it sends others on; *: a puck scores",
    "line with a dot: where a piece came from; dark rim: a mat that moved",
    "ring: chosen; green: a hint",
)


@cache
def _sample() -> MatFace:
    line = "pb1:X1:-:-:-:mats=X1/opmi/.ss./..../....:-"
    return parse_position(line).layout.faces[0]


def legend_parts() -> Iterator[Part]:
    """Return the parts of a panel that is the legend."""
    yield Text(lines=["Symbols"], height=1.5)
    for kind, text in HOW_TO_MOVE.items():
        yield Symbol(picture=picture_of_piece(Piece(Colour.RED, kind)), text=text)
    for (column, row, width, height), text in _SPACES.items():
        yield Symbol(picture=_picture_of_spaces(column, row, width, height), text=text)
    yield Text(lines=_NOTATION, size=0.8, height=9.0)


def _picture_of_spaces(column: int, row: int, width: int, height: int) -> Picture:
    """Return the function that draws spaces of the sample mat."""

    def draw(surface: Surface, box: Rect, palette: Palette) -> None:
        side = min(box.width // width, box.height // height)
        sprite = mat_sprite(_sample(), 0, side, board_palette(palette))
        part = sprite.subsurface((column * side, row * side, width * side, height * side))
        surface.blit(part, part.get_rect(center=box.center))

    return draw
