"""Colours of boards: of pieces by their player, of mats, marks and the page around them.

Player colours differ in lightness too, and every piece carries the letter of its colour, so that
colour-blind eyes can tell them apart; the kind of a piece is its shape.
"""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType

from pucklab.base.facts import fact
from pucklab.render.palette import DARK, LIGHT, Palette, Rgb
from pucklab.sim.bumpers import Colour

PLAYERS: Mapping[Colour, Rgb] = MappingProxyType(
    {
        Colour.RED: (190, 40, 30),
        Colour.ORANGE: (240, 150, 40),
        Colour.YELLOW: (245, 232, 80),
        Colour.GREEN: (0, 158, 115),
        Colour.BLUE: (0, 90, 181),
        Colour.VIOLET: (204, 121, 200),
    }
)
"""The colour of each player's pieces."""

_DARK_LETTER, _LIGHT_LETTER = (20, 22, 26), (255, 255, 255)
_LIGHT_FROM = 140.0
"""Luma, 0 to 255, from which a colour needs a dark letter."""

_LUMA = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in the perceived brightness of a colour (ITU-R BT.601)."""


@fact
class BoardPalette:
    """The colours of a board.

    Attributes:
        page: Colours around the board: background and text.
        mat: Open spaces.
        grid: Lines between the spaces of a mat.
        rim: The edge of a mat.
        pool: Pools.
        wave: Waves of pools.
        goal: The spaces of goals.
        wall: Walls, and the sides and backs of goals.
        start: Marks of start spaces, and names of mats.
        edge: Outlines of pieces.
        trail: Trails of the pieces that moved.
        moved: The rim of a mat that has moved.
    """

    page: Palette
    mat: Rgb
    grid: Rgb
    rim: Rgb
    pool: Rgb
    wave: Rgb
    goal: Rgb
    wall: Rgb
    start: Rgb
    edge: Rgb
    trail: Rgb
    moved: Rgb

    @property
    def colours(self) -> tuple[Rgb, ...]:
        """The colours of the board and of all pieces, without the page."""
        own = (getattr(self, field.name) for field in fields(self) if field.name != "page")
        return (*own, *PLAYERS.values())


LIGHT_BOARD = BoardPalette(
    page=LIGHT,
    mat=(242, 238, 228),
    grid=(218, 212, 198),
    rim=(168, 158, 138),
    pool=(150, 200, 226),
    wave=(96, 156, 190),
    goal=(128, 124, 116),
    wall=(44, 42, 40),
    start=(176, 168, 150),
    edge=(30, 34, 40),
    trail=(88, 84, 78),
    moved=(20, 20, 20),
)
"""Dark on white, for pages."""

DARK_BOARD = BoardPalette(
    page=DARK,
    mat=(64, 66, 70),
    grid=(82, 85, 90),
    rim=(118, 122, 128),
    pool=(36, 84, 110),
    wave=(84, 142, 172),
    goal=(28, 29, 31),
    wall=(226, 224, 218),
    start=(122, 126, 132),
    edge=(12, 14, 17),
    trail=(206, 203, 196),
    moved=(255, 255, 255),
)
"""Light on black, for screens."""


def letter_colour(behind: Rgb) -> Rgb:
    """Return the colour of a letter that is readable on a background colour."""
    luma = sum(weight * part for weight, part in zip(_LUMA, behind, strict=True))
    return _DARK_LETTER if luma > _LIGHT_FROM else _LIGHT_LETTER
