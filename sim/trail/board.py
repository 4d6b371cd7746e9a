"""Boards of the drinking trail: facts, and reading them from TOML.

A file begins with ``schema = 1``; its keys are the names of the fields here, with any number of
``[[gym]]``, ``[[square]]`` and ``[[zone]]`` tables. docs/drinking-trail.md has an example.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any

from pucklab.base.decoding import (
    Form,
    check_one_of,
    decode,
    encode,
    register_form,
    register_text,
)
from pucklab.base.errors import check_count, check_limits, limits
from pucklab.base.facts import fact
from pucklab.base.files import read_shipped_text, toml_contents
from pucklab.physics import InputError
from pucklab.sim.trail.duels import Gym, flash_chances

MOST_SQUARES = 200


class Item(StrEnum):
    """Items that a player carries and uses up."""

    POKEBALL = "pokeball"
    SAFARI_BALL = "safari-ball"
    MASTER_BALL = "master-ball"
    REPEL = "repel"
    POTION = "potion"


BALLS = (Item.SAFARI_BALL, Item.POKEBALL, Item.MASTER_BALL)


class Who(StrEnum):
    """Players affected by an effect, as seen by the one who causes it."""

    SELF = "self"
    CHOSEN = "chosen"
    LEFT = "left"
    RIGHT = "right"
    OTHERS = "others"
    ALL = "all"
    LAST = "last"
    FIRST = "first"


class SquareKind(StrEnum):
    """Kinds of squares: balls and Repels work on Pokemon squares."""

    PLAIN = "plain"
    POKEMON = "pokemon"


class When(StrEnum):
    """Times at which a square acts: on landing, or when a turn begins there (ruling DG-21)."""

    LAND = "land"
    START = "start"


@fact
class Effect:
    """An effect of a square, a zone, a caught Pokemon or a Flash: one of five actions."""

    drink: int | None = limits(1, 1000, default=None)  # units
    move: int | None = limits(-MOST_SQUARES, MOST_SQUARES, default=None)  # squares
    skip: int | None = limits(1, 1000, default=None)  # turns
    roll_again: bool | None = None
    item: Item | None = None  # given
    who: Who = Who.SELF

    def __post_init__(self) -> None:
        check_limits(self)
        given = [name for name in ACTIONS if getattr(self, name) is not None]
        if len(given) != 1:
            raise InputError(
                f"{' and '.join(given) or 'no action'}: not accepted; give one of "
                + ", ".join(ACTIONS)
            )
        if self.roll_again is False or (self.roll_again and self.who is not Who.SELF):
            raise InputError("roll_again: not accepted so; give roll_again = true, for self")

    @property
    def action(self) -> str:
        """Name of the action."""
        return next(name for name in ACTIONS if getattr(self, name) is not None)


ACTIONS = ("drink", "move", "skip", "roll_again", "item")


class Flash(tuple[Effect, ...]):
    """Effects of a Flash; a file may give a list, a single effect, or the name of an item."""


@fact
class Square:
    """A square with an effect; ``move`` is its Pokemon's, for whoever caught it."""

    at: int = limits(1, MOST_SQUARES)
    name: str = limits(0, 200, default="square")
    kind: SquareKind = SquareKind.PLAIN
    when: When = When.LAND
    effect: tuple[Effect, ...] = ()
    move: tuple[Effect, ...] = ()

    def __post_init__(self) -> None:
        check_limits(self)


@fact
class GymSquare(Gym):
    """A gold square: a gym that can be won, from square 1 to the last."""

    square: int = limits(1, MOST_SQUARES)
    name: str = limits(0, 200, default="gym")
    faint: int = limits(0, 1000, default=0)  # units for each faint
    flash: Flash = field(default_factory=Flash)  # reward for winning without a faint
    special: str = limits(0, 1000, default="")  # rule for people, not simulated

    def __post_init__(self) -> None:
        check_limits(self)
        if not flash_chances(self)[self.hp]:
            raise InputError(
                f"{self} cannot be won with {self.dice} dice of {self.sides} sides; give a gym "
                "that can"
            )


@fact
class Zone:
    """A stretch of coloured squares, both ends included."""

    name: str = limits(0, 200, default="zone")
    first: int = limits(1, MOST_SQUARES, key="from")
    last: int = limits(1, MOST_SQUARES, key="to")
    catch: int = limits(1, 6, default=4)  # lowest roll for a Safari Ball (ruling DG-15)
    effect: tuple[Effect, ...] = ()  # on landing, before the square's own

    def __post_init__(self) -> None:
        check_limits(self)
        check_count("to", self.last, self.first, MOST_SQUARES)


@dataclass(frozen=True, kw_only=True)
class Board:
    """A board.

    Raises:
        InputError: Things beyond the last square, on the same square, or zones that overlap.
    """

    name: str = limits(0, 200, default="my trail")
    last: int = limits(1, MOST_SQUARES)  # the finish; 0 is the start
    units_per_cup: int = limits(1, 1000, default=10)  # ruling DG-1
    starting_items: tuple[Item, ...] = ()  # of each player
    house_made: bool = False  # nobody's official board
    gym: tuple[GymSquare, ...] = ()
    square: tuple[Square, ...] = ()
    zone: tuple[Zone, ...] = ()

    def __post_init__(self) -> None:
        check_limits(self)
        things = [
            (f"gym {one.name!r}: square", one.square, one.name, self.last) for one in self.gym
        ]
        things += [
            (f"square {one.name!r}: at", one.at, one.name, self.last - 1) for one in self.square
        ]
        taken: dict[int, str] = {}
        for place, at, name, last in things:
            check_count(place, at, 1, last)
            if at in taken:
                raise InputError(
                    f"square {at}: {name!r} is not accepted beside {taken[at]!r}; give one thing a "
                    "square"
                )
            taken[at] = name
        zones = sorted(self.zone, key=lambda zone: zone.first)
        for one in zones:
            check_count(f"zone {one.name!r}: to", one.last, 1, self.last)
        for one, other in pairwise(zones):
            if other.first <= one.last:
                raise InputError(
                    f"zone {other.name!r}: from {other.first} is not accepted; {one.name!r} "
                    f"reaches to {one.last}, and zones must not overlap"
                )

    @cached_property
    def gyms(self) -> Mapping[int, GymSquare]:
        """Gyms by place."""
        return {one.square: one for one in self.gym}

    @cached_property
    def squares(self) -> Mapping[int, Square]:
        """Squares with an effect by place."""
        return {one.at: one for one in self.square}

    def zone_at(self, place: int) -> Zone | None:
        """Return the zone of a square."""
        return next((zone for zone in self.zone if zone.first <= place <= zone.last), None)


def house_board() -> Board:
    """Return the board that comes with pucklab: house-made, with the game's own Pewter Gym.

    Example:
        >>> house_board().last, house_board().house_made
        (40, True)
    """
    return board_from(
        toml_contents("board", read_shipped_text("pucklab.sim.trail", "house_trail.toml"))
    )


def board_from(table: Mapping[str, Any], where: str = "board:") -> Board:
    """Return the board of a file's table; ``where`` is its name in errors.

    Raises:
        InputError: A key or value that is not accepted.
    """
    return decode(Board, table, where)


def _item(text: str) -> Item:
    """Return an item; case, blanks and signs between the parts of its name do not matter."""
    name = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    if name not in tuple(Item):
        check_one_of("item", text, tuple(Item))
    return Item(name)


def _flash(value: object, where: str) -> Flash:
    if isinstance(value, str):
        value = {"item": value} if value else []
    one_or_more = value if isinstance(value, list) else [value]
    return Flash(decode(tuple[Effect, ...], one_or_more, where))


register_form(
    Flash, Form(name="a list of effects", read=_flash, store=lambda flash: encode(tuple(flash)))
)
register_text(Item, "an item", str, _item)
