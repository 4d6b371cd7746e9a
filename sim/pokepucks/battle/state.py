"""The state of a battle: an immutable value that holds everything that can change.

A puck is the index of its entry in ``BattleSetup.pucks``, a player the index of the seat, both from
0. Stacks are tuples of pucks from the floor up: the last one is on top. Every puck is in exactly
one stack at any moment. Only events make a new state from an old one, see
`pucklab.sim.pokepucks.battle.events`.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache, partial
from typing import NamedTuple, Self

from pucklab.base.facts import fact, small_fact
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.battle_setup import MAX_PLAYERS, BattleSetup, Pucks
from pucklab.sim.pokepucks.designs import Design, EnergyType


class Status(StrEnum):
    """A status of a player's slammer; it stays when the player switches slammers (PP-17).

    Attributes:
        text: Its effect, in a sentence.
        attacks: Change of the number of attacks; at least one is left (PP-13).
        top_off: Additional pucks to which the Arena is topped off (PP-16).
        hurts: It harms the attacks or the stacks of its own player.
    """

    __hash__ = str.__hash__  # faster than the hash of an enumeration
    text: str
    attacks: int
    top_off: int
    hurts: bool

    CRITICAL = (  # PP-5 to PP-8
        "Critical",
        (
            "The player before may try to knock the slammer out. The next player's Arena counts as "
            "half its size, and no other status can be gained."
        ),
    )
    PARALYZED = "Paralyzed", "The player has one attack fewer, but at least one.", -1
    SLEEP = (  # PP-14
        "Sleep",
        "The player has one attack and picks nothing up. The first flip wakes the slammer.",
    )
    POISONED = "Poisoned", "The player fills up the Arena with one puck more.", 0, 1
    CONFUSED = (  # PP-15
        "Confused",
        "After a turn without a pick-up, the player pays for the next player's Arena.",
        0,
        0,
        False,
    )

    def __new__(
        cls, name: str, text: str, attacks: int = 0, top_off: int = 0, hurts: bool = True
    ) -> Self:
        """Return a status with its effects."""
        one = str.__new__(cls, name)
        one._value_ = name
        one.text, one.attacks, one.top_off, one.hurts = text, attacks, top_off, hurts
        return one

    @property
    def bit(self) -> int:
        """Its bit in a set of statuses as a whole number."""
        return 1 << tuple(Status).index(self)


class StackKind(StrEnum):
    """The purpose of a stack."""

    __hash__ = str.__hash__  # faster than the hash of an enumeration

    ARENA = "Arena"
    ASIDE = "set aside"
    BOX = "the collection"
    """A collection that nobody owns, as in a training battle."""
    COLLECTION = "collection"
    HEALTH = "Health"
    POWER = "Power"
    PRIZE = "Prize"
    SLAMMER = "slammer"


class Place(NamedTuple):
    """A stack: its kind and its owner; a shared stack has no owner.

    Example:
        >>> Place(StackKind.HEALTH, 1).stack_index, places(2)[9]
        (9, Place(kind=<StackKind.HEALTH: 'Health'>, player=1))
    """

    kind: StackKind
    player: int | None = None

    @property
    def stack_index(self) -> int:
        """Index among the stacks of a state, from 0."""
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


@lru_cache(maxsize=16)
def collection(player: int | None) -> Place:
    """Return a player's collection, or the shared box for None."""
    return BOX if player is None else Place(StackKind.COLLECTION, player)


def _places_of(kind: StackKind) -> Callable[[int], Place]:
    """Return a function that returns the stack of a kind of a player."""
    return lru_cache(maxsize=MAX_PLAYERS)(partial(Place, kind))


health = _places_of(StackKind.HEALTH)
power = _places_of(StackKind.POWER)
prize = _places_of(StackKind.PRIZE)
slammer = _places_of(StackKind.SLAMMER)  # a stack of one


@lru_cache(maxsize=128)
def stack_index(kind: StackKind, player: int | None) -> int:
    """Return the index of a stack among the stacks of a state, from 0."""
    if player is None:
        return _SHARED.index(kind)
    return len(_SHARED) + len(_OWNED) * player + _OWNED.index(kind)


@lru_cache(maxsize=16)
def places(players: int) -> tuple[Place, ...]:
    """Return every stack of a battle, in the order of ``BattleState.stacks``."""
    owned = (Place(kind, player) for player in range(players) for kind in _OWNED)
    return (*map(Place, _SHARED), *owned)


class Step(StrEnum):
    """The steps of set-up and of a turn; a battle can be resumed at the beginning of each."""

    __hash__ = str.__hash__  # faster than the hash of an enumeration

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


@fact
class Matchup:
    """The types compared when attacks are counted; special rules may change them.

    Attributes:
        type: Type of the current player's slammer.
        weakness: Weakness of the next player's slammer.
        resistance: Resistance of the next player's slammer.
    """

    type: EnergyType | None = None
    weakness: EnergyType | None = None
    resistance: EnergyType | None = None


@fact
class Grant:
    """An attack in addition to those counted.

    Attributes:
        rule: Name of the special rule that grants it.
        most: Most pucks that may be picked up from it; None for no limit.
        only: The only pucks that may be picked up from it; None for any.
    """

    rule: str
    most: int | None = None
    only: Pucks | None = None


@small_fact
class Used:
    """One use of a special rule in a turn: the player, the name of the rule and the puck."""

    player: int
    rule: str
    puck: int | None


@fact
class Turn:
    """The course of one turn so far.

    Attributes:
        number: Number of the turn in the battle, from 1; 0 during set-up.
        player: The current player.
        matchup: The types compared.
        attacks: Number of attacks counted.
        made: Number of those already made.
        grants: Additional attacks still to be made, the next one first.
        throws: Number of throws made by the current player.
        flipped: Number of pucks flipped by those throws.
        picked: Pucks picked up by the current player.
        used: Uses of special rules, by any player.
        flags: Words by which steps and special rules remember something until the turn ends.
    """

    number: int = 0
    player: int = 0
    matchup: Matchup = Matchup()
    attacks: int = 0
    made: int = 0
    grants: tuple[Grant, ...] = ()
    throws: int = 0
    flipped: int = 0
    picked: Pucks = ()
    used: tuple[Used, ...] = ()
    flags: tuple[str, ...] = ()


ASLEEP = "asleep"
"""Flag of a turn that began in Sleep: nothing is picked up (PP-14)."""

UNREDUCED = "unreduced"
"""Flag of a turn in which special rules that take one attack away do not work (PP-54)."""


@fact
class Attack:
    """The attack or knock-out attempt under way.

    Its pucks stay in the Arena until they are picked up or moved by a rule.

    Attributes:
        player: The thrower.
        slammer: The slammer thrown.
        grant: The grant that allows it; None for an attack that was counted.
        knock_out: True for a knock-out attempt.
        thrown: True once the throw was made, or skipped at an empty Arena.
        hit: True if the throw hit.
        flipped: Pucks face up inside the arena, in the order of the stack.
        inside: All pucks inside the arena, nearest to its centre first, as restacked (PP-19).
        out: Pucks that left the arena, in the order of the stack.
        most: Most pucks that may be picked up; None for no limit.
        only: The only pucks that may be picked up; None for any.
        barred: The reason why nothing may be picked up, such as ``Sleep``; empty if pucks may be.
        picked: Pucks picked up.
        declared: Special rule declared before the throw, such as ``Sing``; empty for none.
    """

    player: int
    slammer: int
    grant: Grant | None = None
    knock_out: bool = False
    thrown: bool = False
    hit: bool = False
    flipped: Pucks = ()
    inside: Pucks = ()
    out: Pucks = ()
    most: int | None = None
    only: Pucks | None = None
    barred: str = ""
    picked: Pucks = ()
    declared: str = ""


@fact
class BattleState:
    """A battle at one moment.

    Attributes:
        table: The set-up, which never changes.
        stacks: Every stack, from the floor up, in the order of `places`.
        max_sizes: Max size of each stack, in the same order; None for none.
        statuses: For each player the statuses of the slammer, in the order they were gained: those
            of `Status`, and statuses that rules from a file define.
        effects: For each player the names of the pending special rules (PP-48).
        playing: Players still in the battle, in turn order.
        step: The current step of set-up or turn.
        turn: The turn under way.
        turns: For each player the last complete turn; None before the first.
        attack: The attack under way; None for none.
        payer: The player who pays for the next top-off; None for the current player (PP-15).
        throws: Number of throws so far.
        winner: The winner; None for a draw, or as long as the battle goes on.
    """

    table: BattleSetup
    stacks: tuple[Pucks, ...]
    max_sizes: tuple[int | None, ...]
    statuses: tuple[tuple[str, ...], ...]
    effects: tuple[tuple[str, ...], ...]
    playing: tuple[int, ...]
    step: Step = Step.FILL_HEALTH
    turn: Turn = Turn()
    turns: tuple[Turn | None, ...] = ()
    attack: Attack | None = None
    payer: int | None = None
    throws: int = 0
    winner: int | None = None

    def stack(self, place: Place) -> Pucks:
        """Return the pucks of a stack, from the floor up."""
        return self.stacks[place.stack_index]

    def max_size(self, place: Place) -> int | None:
        """Return the max size of a stack; None for none."""
        return self.max_sizes[place.stack_index]

    @property
    def arena(self) -> Pucks:
        """The Arena stack."""
        return self.stacks[0]

    @property
    def player(self) -> int:
        """The current player."""
        return self.turn.player

    @property
    def now(self) -> Attack:
        """The attack under way.

        Raises:
            InputError: There is none.
        """
        if self.attack is None:
            raise InputError("event: there is no attack that it could change")
        return self.attack

    def health(self, player: int) -> Pucks:
        """Return a player's Health stack."""
        return self.stacks[stack_index(StackKind.HEALTH, player)]

    def power(self, player: int) -> Pucks:
        """Return a player's Power stack."""
        return self.stacks[stack_index(StackKind.POWER, player)]

    def prize(self, player: int) -> Pucks:
        """Return a player's Prize stack."""
        return self.stacks[stack_index(StackKind.PRIZE, player)]

    def collection(self, player: int) -> Pucks:
        """Return a player's collection."""
        return self.stacks[stack_index(StackKind.COLLECTION, player)]

    def slammer(self, player: int) -> int | None:
        """Return a player's slammer; None while it is elsewhere, or if the player is out."""
        stack = self.stacks[stack_index(StackKind.SLAMMER, player)]
        return stack[0] if stack else None

    def design(self, puck: int) -> Design:
        """Return the design of a puck."""
        return self.table.pucks[puck].design

    def has(self, player: int, status: str) -> bool:
        """Return whether a player's slammer has a status."""
        return status in self.statuses[player]

    def known_statuses(self, player: int) -> list[Status]:
        """Return the statuses of a player's slammer, those from a file left out."""
        own = self.statuses[player]
        return [status for status in Status if status in own] if own else []

    def next_player(self, player: int) -> int:
        """Return the next player still in the battle (PP-12)."""
        return self._neighbour(player, 1)

    def previous_player(self, player: int) -> int:
        """Return the previous player still in the battle (PP-12)."""
        return self._neighbour(player, -1)

    def _neighbour(self, player: int, direction: int) -> int:
        players = self.table.players
        other = (player + direction) % players
        while other not in self.playing:
            other = (other + direction) % players
        return other

    def health_room(self, player: int) -> int:
        """Return how many more pucks a player's Health may hold (PP-42)."""
        size = self.max_sizes[stack_index(StackKind.HEALTH, player)]
        return 0 if size is None else max(size - len(self.health(player)), 0)

    def by_place(self) -> Iterator[tuple[Place, Pucks]]:
        """Return each place with its stack."""
        return zip(places(self.table.players), self.stacks, strict=True)

    def place_of(self, puck: int) -> Place:
        """Return the stack that a puck is in."""
        for place, stack in self.by_place():
            if puck in stack:
                return place
        raise KeyError(puck)


def place_name(state: BattleState, place: Place) -> str:
    """Return the name of a stack in a sentence, with the name of its player."""
    if place.player is None:
        return "the Arena" if place.kind is StackKind.ARENA else place.kind.value
    return f"the {place.kind} of {state.table.names[place.player]}"
