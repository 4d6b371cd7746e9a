"""What of a game JSON tells by text: positions by lines, colours by words."""

from physics import InputError
from physics.checks import shown
from sim.bumpers.notation import position_text
from sim.bumpers.parsing import parse_position
from sim.bumpers.pieces import Colour
from sim.bumpers.position import Position
from sim.jsonfields import TextForm


def _parse_colour(word: str) -> Colour:
    """Return the colour that a word names.

    Raises:
        InputError: There is none.
    """
    colours = {colour.word: colour for colour in Colour}
    if word not in colours:
        raise InputError(f"{shown(word)} is not accepted; give one of {', '.join(colours)}")
    return colours[word]


FORMS = (
    TextForm(
        kind=Position,
        name="a position",
        tell=position_text,
        read=lambda text: parse_position(text, temporary=True),
    ),
    TextForm(kind=Colour, name="a colour", tell=lambda colour: colour.word, read=_parse_colour),
)
"""The forms, for `sim.jsonfields`."""
