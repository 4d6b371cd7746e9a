"""Designs of pucks, and special rules of a user's own: facts only.

A design is what is printed on a puck and what it is made of. An `OwnRule` is a special rule from a
file; `sim.pokepucks.special.own_rules` reads it and carries it out.
"""

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
    """The use of a puck in the game."""

    POKEMON = "pokemon"
    """A Pokémon slammer, listed in the PuckDex."""
    BALL = "ball"
    """A Pokéball slammer: it has no types (ruling PP-34)."""
    SLAMMER = "slammer"
    """A slammer that is neither: a MissingNo."""
    ITEM = "item"
    TRAINER = "trainer"
    PLAIN = "plain"
    """Neither a slammer nor listed: it has no special rule."""

    @property
    def is_slammer(self) -> bool:
        """Whether it may be thrown."""
        return self in (DesignKind.POKEMON, DesignKind.BALL, DesignKind.SLAMMER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A design of pucks, listed in the PuckDex, the PuckMart or a file of a user's own.

    Attributes:
        name: Its name, different from all others even without case, accents and punctuation.
        kind: Its use in the game.
        rule: Name of its special rule, under which the PuckMart lists it; empty for none.
        type: Its energy type; None for none.
        resistance: Energy type that a Pokémon slammer resists; None for none.
        weakness: Energy type that it is weak to; None for what is no Pokémon slammer.
        mass_g: Mass.
        thickness_mm: Total thickness.
        wing: True if it has wings.
        dex: Its number in the PuckDex; None for none.
        variant: The difference from the design of which it is a variant; empty for none.
        text: Its effect in a sentence; may be empty.

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
        """Its name in the form used for look-ups."""
        return name_key(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One effect of a special rule from a file.

    Attributes:
        verb: The effect, one of `sim.pokepucks.special.own_rules.VERBS`.
        player: Whom it affects: ``owner``, ``next`` or ``previous`` player.
        status: The status to give or to remove; empty for other verbs.
        number: Number of attacks or pucks; None for no limit, or for verbs without one.
        source: The stack that pucks leave; empty unless they move.
        target: The stack that pucks go to; empty unless they move.
    """

    verb: str
    player: str = "owner"
    status: str = ""
    number: int | None = None
    source: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRule:
    """A special rule of a user's own, from a file.

    Attributes:
        name: Its name, different from those of all other rules.
        listing: The ``rule`` of the designs that have it; several rules may share one.
        kind: Its carrier, a value of `sim.pokepucks.battle.rules.Source`.
        when: When it acts, a value of `sim.pokepucks.battle.rules.Point`.
        conditions: All must hold; of `sim.pokepucks.special.own_rules.CONDITIONS`.
        does: Its effects, in order.
        optional: The owner decides whether it acts; otherwise it acts whenever it can.
        wanted: Whether the greedy player uses it whenever it can, or never.
        text: Its effect in a sentence; may be empty.
    """

    name: str
    listing: str
    kind: str
    when: str
    conditions: tuple[str, ...] = ()
    does: tuple[Deed, ...]
    optional: bool = True
    wanted: bool = True
    text: str = ""


def name_key(name: str) -> str:
    """Return a name without case, accents and punctuation, the form used for look-ups.

    Example:
        >>> name_key(" Mr. Smith"), name_key("Poké Ball")
        ('mrsmith', 'pokeball')
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def piece_of(design: Design) -> Piece:
    """Return the rigid body of a design.

    Raises:
        InputError: Its mass or thickness is outside the rulebook's.

    Example:
        >>> piece_of(Design(name="Stone", kind=DesignKind.PLAIN)).mass_g
        1.5
    """
    return slammer_of(design) if design.kind.is_slammer else Puck(mass_g=design.mass_g)


def slammer_of(design: Design) -> Slammer:
    """Return the rigid body of a slammer, built like those of the PuckDex.

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
