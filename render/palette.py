"""Colours by their meaning, chosen to be distinct for colour-blind eyes too.

The hues are those of M. Okabe and K. Ito, "Color Universal Design" (2008). No meaning depends on
hue alone: a face-up puck has a ring on it, every mark has a shape of its own, and energy types
have letters.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pucklab.base.facts import fact

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


def hex_code(colour: Rgb) -> str:
    """Return a colour as pages write it.

    Example:
        >>> hex_code((255, 0, 51))
        '#ff0033'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)


def blend(colour: Rgb, other: Rgb, share: float) -> Rgb:
    """Return a colour with a share of another one in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue


_ORANGE = (230, 159, 0)
_SKY_BLUE = (86, 180, 233)
_GREEN = (0, 158, 115)
_BLUE = (0, 114, 178)
_VERMILLION = (213, 94, 0)
_PURPLE = (204, 121, 167)
_YELLOW = (240, 228, 66)
_GREY = (176, 184, 194)
_BLACK = (0, 0, 0)
_WHITE = (255, 255, 255)

SERIES: tuple[Rgb, ...] = (_BLUE, _VERMILLION, _GREEN, _PURPLE, _ORANGE, _SKY_BLUE)
"""Colours of the lines of a plot, in the order of use."""


@fact
class EnergyBadge:
    """The badge of an energy type: a colour, with a letter on it.

    Attributes:
        letter: The letter.
        colour: Colour behind the letter.
        ink: Colour of the letter.
    """

    letter: str
    colour: Rgb
    ink: Rgb


ENERGIES: Mapping[str, EnergyBadge] = MappingProxyType(
    {
        "grass": EnergyBadge(letter="G", colour=_GREEN, ink=_WHITE),
        "fire": EnergyBadge(letter="R", colour=_VERMILLION, ink=_WHITE),
        "water": EnergyBadge(letter="W", colour=_BLUE, ink=_WHITE),
        "electric": EnergyBadge(letter="E", colour=_YELLOW, ink=_BLACK),
        "fighting": EnergyBadge(letter="F", colour=_ORANGE, ink=_BLACK),
        "psychic": EnergyBadge(letter="P", colour=_PURPLE, ink=_BLACK),
        "normal": EnergyBadge(letter="N", colour=_GREY, ink=_BLACK),
    }
)
"""The badge of each energy type, on light and dark alike. R is the red of fire; F is fighting."""


KINDS: Mapping[str, EnergyBadge] = MappingProxyType(
    {
        "item": EnergyBadge(letter="ITEM", colour=(226, 232, 240), ink=(44, 62, 96)),
        "trainer": EnergyBadge(letter="TRAINER", colour=(72, 78, 92), ink=_WHITE),
        "plain": EnergyBadge(letter="", colour=(214, 206, 190), ink=(120, 112, 98)),
    }
)
"""The faces of pucks without an energy type: the word on them, and their colours."""


@fact
class Palette:
    """The colours of a picture.

    Attributes:
        background: Background around the views.
        arena: Floor in the top view.
        floor: Table that the box stands on, in space, and grids of plots.
        wall: Walls.
        puck_back: Back of a puck.
        puck_face: Face of a puck: on top once it has flipped.
        slammer: Back of the thrown slammer.
        on_slammer: Text on a slammer.
        edge: Outlines of pieces.
        path: Paths of pieces in the top view.
        flipped: Mark of a piece that ended face up.
        leaning: Mark of a piece that ended leaning.
        out: Mark of a piece that left the arena.
        text: Text.
        faint: Text of less importance.
        panel: Panels below text and buttons.
        control: Buttons.
        accent: Selected buttons, and the chosen part of a slider.
        on_accent: Text on the accent colour.
    """

    background: Rgb
    arena: Rgb
    floor: Rgb
    wall: Rgb
    puck_back: Rgb
    puck_face: Rgb
    slammer: Rgb
    on_slammer: Rgb
    edge: Rgb
    path: Rgb
    flipped: Rgb
    leaning: Rgb
    out: Rgb
    text: Rgb
    faint: Rgb
    panel: Rgb
    control: Rgb
    accent: Rgb
    on_accent: Rgb


LIGHT = Palette(
    background=(255, 255, 255),
    arena=(243, 245, 248),
    floor=(222, 227, 233),
    wall=(150, 160, 172),
    puck_back=_SKY_BLUE,
    puck_face=_ORANGE,
    slammer=(52, 58, 66),
    on_slammer=(255, 255, 255),
    edge=(40, 52, 66),
    path=(196, 204, 214),
    flipped=_GREEN,
    leaning=_PURPLE,
    out=_VERMILLION,
    text=(28, 34, 42),
    faint=(96, 106, 118),
    panel=(243, 245, 248),
    control=(220, 226, 233),
    accent=_BLUE,
    on_accent=(255, 255, 255),
)
"""Dark text on white, for pages."""

DARK = Palette(
    background=(22, 26, 31),
    arena=(34, 39, 46),
    floor=(54, 61, 70),
    wall=(118, 128, 140),
    puck_back=_SKY_BLUE,
    puck_face=_ORANGE,
    slammer=(226, 230, 235),
    on_slammer=(20, 24, 28),
    edge=(14, 17, 21),
    path=(78, 87, 98),
    flipped=(64, 214, 168),
    leaning=_PURPLE,
    out=_VERMILLION,
    text=(236, 239, 243),
    faint=(158, 167, 178),
    panel=(32, 37, 44),
    control=(56, 64, 74),
    accent=_SKY_BLUE,
    on_accent=(16, 20, 26),
)
"""Light text on black, for screens."""
