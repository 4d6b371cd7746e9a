"""The legend of the board window: every symbol on the board, with a sentence on it."""

from collections.abc import Iterator

from pygame import Rect, Surface

from render.boardwindow.picture import board_palette, picture_of_piece
from render.bumpers.board import NOTES_OF_LEGEND, SPACES_OF_SAMPLE, sample_mat
from render.bumpers.sprites import mat_sprite
from render.palette import Palette
from render.viewer import Symbol, Text
from render.viewer.panels import Part
from render.viewer.widgets import Picture
from sim.bumpers import Colour, Piece
from sim.bumpers.puzzle_solving import HOW_TO_MOVE

_START_SPACES = {(1, 0, 3, 1): "start spaces of puck, meeple and ice block"}


def legend_parts() -> Iterator[Part]:
    """Return the parts of a panel that is the legend."""
    yield Text(lines=["Symbols"], height=1.5)
    for kind, text in HOW_TO_MOVE.items():
        yield Symbol(picture=picture_of_piece(Piece(Colour.RED, kind)), text=text)
    for (column, row, width, height), text in (SPACES_OF_SAMPLE | _START_SPACES).items():
        yield Symbol(picture=_picture_of_spaces(column, row, width, height), text=text)
    yield Text(lines=["", *NOTES_OF_LEGEND], size=0.8, height=9.0)


def _picture_of_spaces(column: int, row: int, width: int, height: int) -> Picture:
    """Return the function that draws spaces of the sample mat."""

    def draw(surface: Surface, box: Rect, palette: Palette) -> None:
        side = min(box.width // width, box.height // height)
        sprite = mat_sprite(sample_mat(), 0, side, board_palette(palette))
        part = sprite.subsurface((column * side, row * side, width * side, height * side))
        surface.blit(part, part.get_rect(center=box.center))

    return draw
