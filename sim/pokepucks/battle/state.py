"""The state of a battle: all that can change, as an immutable value.

Stacks are tuples of numbers of pucks, from the floor up: the last is on top.

Statuses of slammers, by name. What they do is told where it happens in the turn.

Stacks: where pucks are. Every puck is in exactly one of them at any moment.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import Design, EnergyType


class Status(StrEnum):
    """A status; it belongs to the place of the slammer, whatever puck lies there (PP-17)."""

    __hash__ = str.__hash__  # quicker than that of enumerations

    CRITICAL = "Critical"
    """No other status; the Arena's max size is halved in the next player's turn (PP-5 to PP-8)."""
    PARALYZED = "Paralyzed"
    """One attack fewer, at least one (PP-13)."""
    SLEEP = "Sleep"
    """One attack, and nothing is picked up; the first flip ends it (PP-14)."""
    POISONED = "Poisoned"
    """Its player tops off to one puck more (PP-16)."""
    CONFUSED = "Confused"
    """After a turn that picked up nothing, its player pays the next top-off (PP-15)."""


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


class Step(StrEnum):
    """The named steps of set-up and turn. A battle can be taken up at the beginning of any."""

    __hash__ = str.__hash__  # quicker than that of enumerations

    FILL_HEALTH = "set-up 3: Health"
    BUILD_ARENA = "set-up 5: Arena"
    CHOOSE_SLAMMERS = "set-up 6: slammers"
    FILL_PRIZE = "set-up 7: Prize"
    FIX_SIZES = "set-up 8: max sizes"
    BEFORE_TOP_OFF = "before top-off"
    TOP_OFF = "1: top-off"
    AFTER_TOP_OFF = "after top-off"
    KNOCK_OUT = "2: knock-out"
    BEFORE_COUNTING = "before counting"
    COUNT = "3: count attacks"
    ATTACK = "4: attacks"
    AFTER_ATTACKS = "after attacks"
    DISCARD = "5: discards"
    END = "6: end of the turn"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup:
    """The types that are compared when attacks are counted; special rules may change them.

    Attributes:
        type: Of the current player's slammer.
        weakness: Of the next player's slammer.
        resistance: Of the next player's slammer.
    """

    type: EnergyType | None = None
    weakness: EnergyType | None = None
    resistance: EnergyType | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """An attack beyond those that were counted.

    Attributes:
        rule: The special rule that grants it.
        most: Most pucks that may be picked up from it; None for no limit.
        only: Numbers of the only pucks that may be picked up from it; None for any.
    """

    rule: str
    most: int | None = None
    only: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """A use of a special rule in a turn: by whom, which rule, of which puck."""

    player: int
    rule: str
    puck: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What happened in the turn under way.

    Attributes:
        number: Which turn of the battle, from 1; 0 in set-up.
        player: The current player.
        matchup: Types that are compared.
        attacks: Attacks that were counted.
        made: Attacks of those that were made.
        grants: Attacks beyond them that are still to be made, the next one first.
        throws: Throws that the current player made.
        flipped: Pucks that they flipped.
        picked: Pucks that the current player picked up.
        used: Special rules that acted, of any player.
        flags: Words for what the turn must remember.
    """

    number: int = 0
    player: int = 0
    matchup: Matchup = Matchup()
    attacks: int = 0
    made: int = 0
    grants: tuple[Grant, ...] = ()
    throws: int = 0
    flipped: int = 0
    picked: tuple[int, ...] = ()
    used: tuple[Used, ...] = ()
    flags: tuple[str, ...] = ()


ASLEEP = "asleep"
"""Flag of a turn: its attacks began in Sleep, so nothing is picked up (PP-14)."""

UNREDUCED = "unreduced"
"""Flag of a turn: special rules that reduce the attacks by one do not work (PP-54)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """The attack, or knock-out attempt, under way.

    Its pucks are in the Arena until they are picked up or moved by a rule.

    Attributes:
        player: Who throws.
        slammer: What is thrown.
        grant: What granted it, if it is none of those that were counted.
        knock_out: It is a knock-out attempt.
        thrown: The throw was made.
        hit: It hit.
        flipped: Pucks that lie face up inside the arena, in the order of the stack.
        inside: All pucks inside the arena, nearest to its centre first, as restacked (PP-19).
        out: Pucks that left the arena, in the order of the stack.
        most: Most pucks that may be picked up; None for no limit.
        only: Only pucks that may be picked up; None for any.
        barred: What lets nothing be picked up, such as ``Sleep``; empty for nothing.
        picked: Pucks that were picked up.
        declared: What its thrower declared before the throw, such as ``Sing``.
    """

    player: int
    slammer: int
    grant: Grant | None = None
    knock_out: bool = False
    thrown: bool = False
    hit: bool = False
    flipped: tuple[int, ...] = ()
    inside: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    most: int | None = None
    only: tuple[int, ...] | None = None
    barred: str = ""
    picked: tuple[int, ...] = ()
    declared: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleState:
    """A battle at a moment. Only events change it: see `sim.pokepucks.battle.ledger.apply`.

    Attributes:
        table: What stays the same.
        stacks: Every stack, from the floor up, in the order of `places.places`.
        max_sizes: Max size of each stack, in the same order; None for none.
        statuses: Each player's slammer's statuses, in the order they were gained.
        effects: Names of the special rules that are pending on each player (PP-48).
        playing: Players still in the battle, in turn order.
        step: Where in set-up or turn it is.
        turn: The turn under way.
        turns: Each player's last whole turn; None before it.
        attack: The attack under way.
        payer: Who pays the next top-off, if it is not the current player (PP-15).
        throws: Throws so far.
        winner: Who won.
    """

    table: Table
    stacks: tuple[tuple[int, ...], ...]
    max_sizes: tuple[int | None, ...]
    statuses: tuple[tuple[Status, ...], ...]
    effects: tuple[tuple[str, ...], ...]
    playing: tuple[int, ...]
    step: Step = Step.FILL_HEALTH
    turn: Turn = Turn()
    turns: tuple[Turn | None, ...] = ()
    attack: Attack | None = None
    payer: int | None = None
    throws: int = 0
    winner: int | None = None

    def stack(self, place: Place) -> tuple[int, ...]:
        """Return the pucks of a stack, from the floor up."""
        return self.stacks[place.number]

    def max_size(self, place: Place) -> int | None:
        """Return the max size of a stack; None for none."""
        return self.max_sizes[place.number]

    def is_face_up(self, place: Place) -> bool:
        """Return whether a stack is face up: all may see it, and its owner may rearrange it.

        Whatever is laid or restacked in the Arena is face down (PP-38).
        """
        if place.kind is StackKind.HEALTH:
            return self.table.options.health_face == "up"
        return place.kind not in {StackKind.ARENA, StackKind.ASIDE}

    @property
    def arena(self) -> tuple[int, ...]:
        """The Arena stack."""
        return self.stacks[0]

    @property
    def player(self) -> int:
        """The current player."""
        return self.turn.player

    def health(self, player: int) -> tuple[int, ...]:
        """Return a player's Health stack."""
        return self.stacks[stack_index(StackKind.HEALTH, player)]

    def power(self, player: int) -> tuple[int, ...]:
        """Return a player's Power stack."""
        return self.stacks[stack_index(StackKind.POWER, player)]

    def prize(self, player: int) -> tuple[int, ...]:
        """Return a player's Prize stack."""
        return self.stacks[stack_index(StackKind.PRIZE, player)]

    def collection(self, player: int) -> tuple[int, ...]:
        """Return a player's collection."""
        return self.stacks[stack_index(StackKind.COLLECTION, player)]

    def slammer(self, player: int) -> int | None:
        """Return a player's slammer; None while it lies elsewhere, or for who is out."""
        stack = self.stacks[stack_index(StackKind.SLAMMER, player)]
        return stack[0] if stack else None

    def design(self, puck: int) -> Design:
        """Return the design of a puck."""
        return self.table.pucks[puck].design

    def has(self, player: int, status: Status) -> bool:
        """Return whether a player's slammer has a status."""
        return status in self.statuses[player]

    def next_player(self, player: int) -> int:
        """Return who follows a player, of those still in the battle (PP-12)."""
        return self._neighbour(player, 1)

    def previous_player(self, player: int) -> int:
        """Return who goes before a player, of those still in the battle (PP-12)."""
        return self._neighbour(player, -1)

    def _neighbour(self, player: int, way: int) -> int:
        players = self.table.players
        other = (player + way) % players
        while other not in self.playing:
            other = (other + way) % players
        return other

    def health_room(self, player: int) -> int:
        """Return how many more pucks a player's Health may hold (PP-42)."""
        size = self.max_sizes[stack_index(StackKind.HEALTH, player)]
        return 0 if size is None else max(size - len(self.health(player)), 0)

    def place_of(self, puck: int) -> Place:
        """Return the stack that a puck is in."""
        for place, stack in zip(places(self.table.players), self.stacks, strict=True):
            if puck in stack:
                return place
        raise KeyError(puck)
