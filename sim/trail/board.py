"""Boards of the drinking trail: facts, and reading them from TOML.

A file begins with ``schema = 1``; its keys are the names of the fields here, with any number of
``[[gym]]``, ``[[square]]`` and ``[[zone]]`` tables. docs/drinking-trail.md has an example.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cached_property
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

from physics import InputError
from physics.errors import check_count, shown
from sim.core.files import read_toml
from sim.core.json_reading import TextForm, from_json
from sim.trail.duels import Gym, check_ranges, flash_chances, ranged

MOST_SQUARES = 200


class Item(StrEnum):
    """Things that a player carries and uses up."""

    POKEBALL = "pokeball"
    SAFARI_BALL = "safari-ball"
    MASTER_BALL = "master-ball"
    REPEL = "repel"
    POTION = "potion"


BALLS = (Item.SAFARI_BALL, Item.POKEBALL, Item.MASTER_BALL)


class Who(StrEnum):
    """Players whom an effect is for, seen from the one who causes it."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """An effect of a square, a zone, a caught Pokemon or a Flash: one of five actions."""

    drink: int | None = ranged(1, 1000, default=None)  # units
    move: int | None = ranged(-MOST_SQUARES, MOST_SQUARES, default=None)  # squares
    skip: int | None = ranged(1, 1000, default=None)  # turns
    roll_again: bool | None = None
    item: Item | None = None  # given
    who: Who = Who.SELF

    def __post_init__(self) -> None:
        check_ranges(self)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """A square with an effect: ``move`` is the one of its Pokemon, for whoever caught it."""

    at: int = ranged(1, MOST_SQUARES)
    name: str = "square"
    kind: SquareKind = SquareKind.PLAIN
    when: When = When.LAND
    effect: tuple[Effect, ...] = ()
    move: tuple[Effect, ...] = ()

    def __post_init__(self) -> None:
        check_ranges(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class GymSquare(Gym):
    """A gold square: a gym that can be won, from square 1 to the last."""

    square: int = ranged(1, MOST_SQUARES)
    name: str = "gym"
    faint: int = ranged(0, 1000, default=0)  # units for each faint
    flash: tuple[Effect, ...] = ()  # reward for winning without a faint
    special: str = ""  # rule for people, not simulated

    def __post_init__(self) -> None:
        check_ranges(self)
        if not flash_chances(self)[self.hp]:
            raise InputError(
                f"{self} cannot be won with {self.dice} dice of {self.sides} sides; give a gym "
                "that can"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A stretch of coloured squares, both ends included."""

    name: str = "zone"
    first: int = ranged(1, MOST_SQUARES, key="from")
    last: int = ranged(1, MOST_SQUARES, key="to")
    catch: int = ranged(1, 6, default=4)  # lowest roll for a Safari Ball (ruling DG-15)
    effect: tuple[Effect, ...] = ()  # on landing, before the square's own

    def __post_init__(self) -> None:
        check_ranges(self)
        check_count("to", self.last, low=self.first, high=MOST_SQUARES)


@dataclass(frozen=True, kw_only=True)
class Board:
    """A board.

    Raises:
        InputError: Things beyond the last square, on the same square, or zones that overlap.
    """

    name: str = "my trail"
    last: int = ranged(1, MOST_SQUARES)  # the finish; 0 is the start
    units_per_cup: int = ranged(1, 1000, default=10)  # ruling DG-1
    starting_items: tuple[Item, ...] = ()  # of each player
    house_made: bool = False  # nobody's official board
    gym: tuple[GymSquare, ...] = ()
    square: tuple[Square, ...] = ()
    zone: tuple[Zone, ...] = ()

    def __post_init__(self) -> None:
        check_ranges(self)
        things = [
            (f"gym {one.name!r}: square", one.square, one.name, self.last) for one in self.gym
        ]
        things += [
            (f"square {one.name!r}: at", one.at, one.name, self.last - 1) for one in self.square
        ]
        taken: dict[int, str] = {}
        for field, at, name, last in things:
            check_count(field, at, low=1, high=last)
            if at in taken:
                raise InputError(
                    f"square {at}: {name!r} is not accepted beside {taken[at]!r}; give one thing a "
                    "square"
                )
            taken[at] = name
        zones = sorted(self.zone, key=lambda zone: zone.first)
        for one in zones:
            check_count(f"zone {one.name!r}: to", one.last, low=1, high=self.last)
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
    with as_file(files("sim.trail").joinpath("data", "house_trail.toml")) as path:
        return board_from(read_toml("board", path))


def read_board(path: Path) -> Board:
    """Return the board of a TOML file.

    Raises:
        InputError: It cannot be read, or holds something that is not accepted.
    """
    from sim.trail.odds import check_finish  # plays turns, so it stands above the board

    table = read_toml("board", path)
    try:
        board = board_from(table)
        check_finish(board)
    except InputError as error:
        raise InputError(f"board: {str(path)!r}: {error}") from None
    return board


def board_from(table: Mapping[str, Any]) -> Board:
    """Return the board of a file's table.

    Raises:
        InputError: A key or value that is not accepted.
    """
    board: Board = _read(Board, table, "")
    return board


def _read(kind: Any, table: object, where: str) -> Any:
    """Return a dataclass of this module from a table; keys with a default may be left out."""
    names = {one.metadata.get("key") or one.name: one for one in fields(kind)}
    if not isinstance(table, Mapping):
        raise InputError(
            f"{where}{shown(table)} is not accepted; give a table of {', '.join(names)}"
        )
    for key in table:
        if key not in names:
            raise InputError(f"{where}{shown(key)}: no such key; give {', '.join(names)}")
    hints, values = get_type_hints(kind), {}
    for key, one in names.items():
        if key not in table and one.default is MISSING:
            low, high = one.metadata["range"]
            raise InputError(f"{where}{key}: missing; give a whole number from {low} to {high}")
        if key in table:
            whole = "range" in one.metadata  # checked by the dataclass
            value = table[key]
            values[one.name] = value if whole else _value(hints[one.name], value, f"{where}{key}")
    try:
        return kind(**values)
    except InputError as error:
        raise InputError(f"{where}{error}") from None


def _value(hint: Any, value: Any, field: str) -> Any:
    (part, *_) = get_args(hint) or (hint,)
    if not is_dataclass(part):
        if isinstance(value, str) and not value.isprintable():
            raise InputError(f"{field}: {shown(value)} is not accepted; give a line of text")
        return from_json(hint, value, field, _FORMS)
    if field.endswith("flash") and isinstance(value, str | Mapping):
        # A Flash may be a single effect, or the name of an item.
        value = [{"item": value}] if isinstance(value, str) and value else [value] * bool(value)
    if not isinstance(value, list):
        raise InputError(f"{field}: {shown(value)} is not accepted; give a list of tables")
    return tuple(
        _read(part, entry, f"{field} {_label(entry) or place}: ")
        for place, entry in enumerate(value, start=1)
    )


def _label(entry: object) -> str:
    return shown(entry["name"]) if isinstance(entry, Mapping) and "name" in entry else ""


def _item(text: str) -> Item:
    """Return an item; case, blanks and signs between the parts of its name do not matter."""
    name = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    if name not in tuple(Item):
        raise InputError(f"{shown(text)} is not accepted; give one of {', '.join(Item)}")
    return Item(name)


_FORMS = (TextForm(kind=Item, name="an item", to_text=str, from_text=_item),)
