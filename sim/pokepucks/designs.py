"""Designs of pucks, and special rules of a user's own: facts only.

A design is the print and the make of a puck. A `RuleTable` is a special rule as it stands in a
file; `pucklab.sim.pokepucks.special.rule_tables` reads it and carries it out.
"""

import unicodedata
from dataclasses import field
from enum import StrEnum
from functools import lru_cache

from pucklab.base.facts import fact
from pucklab.physics import Piece, Puck, Slammer, puckdex_slammer
from pucklab.physics.pieces import PUCKDEX_THICKNESS_MM


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


@fact
class Design:
    """A design of pucks, listed in the PuckDex, the PuckMart or a file of a user's own.

    Attributes:
        name: Its name, different from all others even without case, accents and punctuation.
        kind: Its use in the game.
        rule: Name of its special rule, under which the PuckMart lists it; empty for none.
        type: Its energy type; None for none.
        resistance: Energy type that a Pokémon slammer resists; None for none.
        weakness: Energy type that it is weak to; None if it is no Pokémon slammer.
        mass_g: Mass.
        thickness_mm: Total thickness.
        cavity: True if a slammer has a ring-shaped cavity for steel; else it is of one material.
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
    cavity: bool = True
    wing: bool = False
    dex: int | None = None
    variant: str = ""
    text: str = ""

    @property
    def key(self) -> str:
        """Its name in the form used for look-ups."""
        return name_key(self.name)


@fact
class Deed:
    """One verb of a special rule; see `pucklab.sim.pokepucks.special.rule_tables`."""

    verb: str
    conditions: tuple[str, ...] = field(default=(), metadata={"key": "if"})  # all must hold
    player: str = "owner"
    status: str = ""
    effect: str = ""
    word: str = ""
    by: int | None = None
    to: int | str | None = None
    source: str = field(default="", metadata={"key": "from"})
    most: int | None = None
    least: int | None = None
    only: str = ""
    what: str = ""
    facing: EnergyType | None = None


@fact
class RuleTable:
    """A special rule, as a table of a file."""

    name: str  # different from those of all other rules
    listing: str = ""  # the ``rule`` of the designs that have it; its name if not given
    kind: str  # a value of `pucklab.sim.pokepucks.battle.rule_book.Source`
    when: str  # a value of `pucklab.sim.pokepucks.battle.rule_book.Point`
    conditions: tuple[str, ...] = field(default=(), metadata={"key": "if"})  # all must hold
    does: tuple[Deed, ...]
    optional: bool = True  # the owner decides whether it acts
    acts: str = "once a turn"  # how often
    out_of_turn: bool = False  # also on attacks and pick-ups of the owner in another's turn
    pucks: tuple[DesignKind, ...] = ()  # kinds that all have it, whatever they are listed under
    of_type: bool = False  # its pucks have a type, and give an attack to slammers of that type
    wanted: bool = True  # the greedy player uses it whenever it can, or never
    wanted_if: tuple[str, ...] = ()  # it uses it only if all of these hold, too
    value: int | None = None  # of a puck with it, from 0; None for that of its kind
    cures: tuple[str, ...] = ()  # statuses that a puck with it protects its owner from
    as_shield: bool = True  # a puck with it may be given away as a shield
    needs_one: str = ""  # the rule of which its owner wants exactly one puck in Power
    many: bool | None = None  # several pucks are worth as many times as much; None if discarded
    why: str = ""  # its name in transcripts; its name if not given
    text: str = ""

    def __post_init__(self) -> None:
        """List it under its name."""
        object.__setattr__(self, "listing", self.listing or self.name)


@lru_cache(maxsize=4096)
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
    """Return the rigid body of a slammer, built like the authors' models of slammers.

    Raises:
        InputError: Its mass or thickness is outside the rulebook's.

    Example:
        >>> heavy = Design(name="Rock", kind=DesignKind.SLAMMER, mass_g=20.0, thickness_mm=6.0)
        >>> slammer_of(heavy).insert_g
        16.0
    """
    if design.cavity:
        return puckdex_slammer(design.mass_g, design.thickness_mm)
    return Slammer(
        mass_g=design.mass_g, thickness_mm=design.thickness_mm, fill_fraction=_MODELS_FILL
    )


_MODELS_FILL = 0.25
"""Filled share of the recess in the face of a slammer without a cavity. It puts the centre of mass
.26 mm below the middle, as measured on 22 of the authors' models (.22 to .28 mm)."""


SLAMMER_THICKNESS_MM = PUCKDEX_THICKNESS_MM
"""Thickness of a slammer whose listing gives none."""
