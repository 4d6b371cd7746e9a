"""What of a battle JSON tells by text: stacks and outcomes of throws."""

from physics import InputError
from physics.checks import shown
from sim.jsonfields import TextForm
from sim.pokepucks.battle.options import MAX_PLAYERS
from sim.pokepucks.battle.places import Place, places
from sim.pokepucks.outcome import Outcome, outcome_text, parse_outcome


def place_text(place: Place) -> str:
    """Return a stack's text: its kind, and the number of its player.

    Example:
        >>> place_text(places(2)[4]), place_text(places(2)[0])
        ('Health 0', 'Arena')
    """
    return place.kind.value if place.player is None else f"{place.kind} {place.player}"


def parse_place(text: str) -> Place:
    """Return the stack of a text.

    Raises:
        InputError: There is none.
    """
    by_text = {place_text(place): place for place in places(MAX_PLAYERS)}
    if text not in by_text:
        raise InputError(f"{shown(text)} is not accepted; give a stack, such as 'Health 0'")
    return by_text[text]


FORMS = (
    TextForm(kind=Place, name="a stack", tell=place_text, read=parse_place),
    TextForm(kind=Outcome, name="an outcome", tell=outcome_text, read=parse_outcome),
)
"""The forms, for `sim.jsonfields`."""
