"""Designs of pucks: what is printed on one, and what it is made of; facts only."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from physics import Piece, Puck, Slammer, puckdex_slammer
from physics.pieces import PUCKDEX_THICKNESS_MM


class EnergyType(StrEnum):
    """The seven types (rulebook, Parts of a Game)."""

    GRASS = "grass"
    FIRE = "fire"
    WATER = "water"
    ELECTRIC = "electric"
    FIGHTING = "fighting"
    PSYCHIC = "psychic"
    NORMAL = "normal"


class DesignKind(StrEnum):
    """What a puck is used as."""

    POKEMON = "pokemon"
    """A Pokémon slammer, listed in the PuckDex."""
    BALL = "ball"
    """A Pokéball slammer: it has no types (ruling PP-34)."""
    SLAMMER = "slammer"
    """A slammer that is neither: a MissingNo."""
    ITEM = "item"
    TRAINER = "trainer"
    PLAIN = "plain"
    """No slammer, and in no list: it has no special rule."""

    @property
    def is_slammer(self) -> bool:
        """Whether it may be thrown."""
        return self in (DesignKind.POKEMON, DesignKind.BALL, DesignKind.SLAMMER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A design of pucks, listed in the PuckDex, the PuckMart or a file of a user's own.

    Attributes:
        name: Its name; unlike all others, whatever its case, accents and signs between words.
        kind: What it is used as.
        rule: Name of its special rule, under which the PuckMart lists it; empty for none.
        type: Its energy type; None for none.
        resistance: Energy type that a Pokémon slammer resists; None for none.
        weakness: Energy type that it is weak to; None for what is no Pokémon slammer.
        mass_g: Mass.
        thickness_mm: Total thickness.
        wing: It has wings.
        dex: Its number in the PuckDex; None for none.
        variant: How it differs from the design that it is a variant of; empty for none.
        text: What it does, in a sentence; may be empty.

    Example:
        >>> energy = Design(name="Fire Energy", kind=DesignKind.ITEM, rule="Energy",
        ...                 type=EnergyType.FIRE)
        >>> energy.mass_g
        1.5
    """

    name: str
    kind: DesignKind
    rule: str = ""
    type: EnergyType | None = None
    resistance: EnergyType | None = None
    weakness: EnergyType | None = None
    mass_g: float = Puck().mass_g
    thickness_mm: float = Puck().thickness_mm
    wing: bool = False
    dex: int | None = None
    variant: str = ""
    text: str = ""

    @property
    def key(self) -> str:
        """Its name as it is looked up."""
        return name_key(self.name)


def name_key(name: str) -> str:
    """Return a name without case, accents and signs between words, as it is looked up.

    Example:
        >>> name_key(" Mr. Smith"), name_key("Poké Ball")
        ('mrsmith', 'pokeball')
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def piece_of(design: Design) -> Piece:
    """Return a design as physics knows it.

    Raises:
        InputError: Its mass or thickness is outside the rulebook's.

    Example:
        >>> piece_of(Design(name="Stone", kind=DesignKind.PLAIN)).mass_g
        1.5
    """
    return slammer_of(design) if design.kind.is_slammer else Puck(mass_g=design.mass_g)


def slammer_of(design: Design) -> Slammer:
    """Return a design's slammer as physics knows it, built as the PuckDex's.

    Raises:
        InputError: Its mass or thickness is outside the rulebook's.

    Example:
        >>> heavy = Design(name="Rock", kind=DesignKind.SLAMMER, mass_g=20.0, thickness_mm=6.0)
        >>> slammer_of(heavy).insert_g
        16.0
    """
    return puckdex_slammer(design.mass_g, design.thickness_mm)


SLAMMER_THICKNESS_MM = PUCKDEX_THICKNESS_MM
"""Thickness of a slammer whose listing gives none."""
