"""What the rulings leave to choose."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from sim.bumpers.pieces import OLD_SCHOOL_PIECES_EACH, PIECES_EACH, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which reading of the rules a position is played by. The defaults are the rulings'.

    The size of a mat (PB-1) is the mats' own.

    Attributes:
        pass_through: A hit puck that touches another passes the momentum on (PB-4).
        one_piece: A mat move must leave the board one piece (PB-12).
        old_school: The old-school variant: two pucks and two ice blocks each, no meeples (PB-17).
        old_school_chains: Pucks send each other sliding in the old-school variant, too (PB-17).
        slippery_ice: An ice block that steps slides instead: the house card of that name (PB-14).
    """

    pass_through: bool = False
    one_piece: bool = False
    old_school: bool = False
    old_school_chains: bool = False
    slippery_ice: bool = False

    @property
    def chains(self) -> bool:
        """Whether a sliding piece sends a puck that it hits sliding."""
        return not self.old_school or self.old_school_chains

    @property
    def pieces_each(self) -> Mapping[Kind, int]:
        """How many pieces of each kind a colour has, scored pucks among them."""
        return OLD_SCHOOL_PIECES_EACH if self.old_school else PIECES_EACH


RULE_NAMES: Mapping[str, str] = MappingProxyType(
    {field.name.replace("_", "-"): field.name for field in fields(Rules)}
)
"""The options as notation writes them, to the fields' names."""
