"""Stacks: where pucks are. Every puck is in exactly one of them at any moment."""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class StackKind(StrEnum):
    """What a stack is for."""

    __hash__ = str.__hash__  # quicker than that of enumerations

    ARENA = "Arena"
    ASIDE = "set aside"
    BOX = "the collection"
    """A collection that no player owns, as in a training battle."""
    COLLECTION = "collection"
    HEALTH = "Health"
    POWER = "Power"
    PRIZE = "Prize"
    SLAMMER = "slammer"


class Place(NamedTuple):
    """A stack: its kind, and whose it is; shared stacks are nobody's.

    Example:
        >>> Place(StackKind.HEALTH, 1).number, places(2)[Place(StackKind.HEALTH, 1).number].player
        (9, 1)
    """

    kind: StackKind
    player: int | None = None

    @property
    def number(self) -> int:
        """Its place among the stacks of a state."""
        return stack_index(self.kind, self.player)


_SHARED = (StackKind.ARENA, StackKind.ASIDE, StackKind.BOX)
_OWNED = (
    StackKind.COLLECTION,
    StackKind.HEALTH,
    StackKind.POWER,
    StackKind.PRIZE,
    StackKind.SLAMMER,
)

ARENA = Place(StackKind.ARENA)
ASIDE = Place(StackKind.ASIDE)
BOX = Place(StackKind.BOX)


def collection(player: int | None) -> Place:
    """Return a player's collection; the shared box for nobody's."""
    return BOX if player is None else Place(StackKind.COLLECTION, player)


def health(player: int) -> Place:
    """Return a player's Health stack."""
    return Place(StackKind.HEALTH, player)


def power(player: int) -> Place:
    """Return a player's Power stack."""
    return Place(StackKind.POWER, player)


def prize(player: int) -> Place:
    """Return a player's Prize stack."""
    return Place(StackKind.PRIZE, player)


def slammer(player: int) -> Place:
    """Return the stack of one that a player's slammer is."""
    return Place(StackKind.SLAMMER, player)


@lru_cache(maxsize=128)
def stack_index(kind: StackKind, player: int | None) -> int:
    """Return the place of a stack among the stacks of a state."""
    if player is None:
        return _SHARED.index(kind)
    return len(_SHARED) + len(_OWNED) * player + _OWNED.index(kind)


@lru_cache(maxsize=16)
def places(players: int) -> tuple[Place, ...]:
    """Return every stack of a battle, in the order in which a state has them."""
    owned = (Place(kind, player) for player in range(players) for kind in _OWNED)
    return (*map(Place, _SHARED), *owned)
