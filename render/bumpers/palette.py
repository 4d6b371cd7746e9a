"""The colours of boards and of players, told apart by colour-blind eyes too.

Players' colours differ in lightness where colour-blind eyes see no hue, and every piece also
carries its colour's letter; its kind is its shape.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from render.palette import DARK, LIGHT, Palette, Rgb
from sim.bumpers import Colour

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


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPalette:
    """The colours of a board.

    Attributes:
        page: Those of what is around it: background and words.
        mat: Open spaces.
        grid: Lines between the spaces of a mat.
        rim: The edge of a mat.
        pool: Water.
        wave: Lines on it.
        goal: The spaces of a goal.
        wall: Walls, and the sides and backs of goals.
        start: Marks of start spaces, and names of mats.
        edge: Outlines of pieces.
        way: Where a piece has come from in a move.
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
    way: Rgb
    moved: Rgb

    @property
    def colours(self) -> tuple[Rgb, ...]:
        """The colours of the board and of all pieces, without those of the page."""
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
    way=(88, 84, 78),
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
    way=(206, 203, 196),
    moved=(255, 255, 255),
)
"""Light on black, for screens."""
