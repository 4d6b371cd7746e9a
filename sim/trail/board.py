"""Boards of the drinking trail: facts, and reading them from TOML.

A file begins with ``schema = 1`` and has ``name``, ``last`` (the finish), and where wanted
``units_per_cup``, ``starting_items`` and ``house_made``, then any number of ``[[gym]]``,
``[[square]]`` and ``[[zone]]`` tables. docs/drinking-trail.md has an example with every field.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from physics import InputError
from physics.errors import check_count, shown
from sim.core.files import read_toml
from sim.trail.gym import Gym, flash_chances

MOST_SQUARES = 200
_Word = TypeVar("_Word", bound=StrEnum)


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


class Action(StrEnum):
    """Things that an effect does."""

    DRINK = "drink"
    MOVE = "move"
    SKIP = "skip"
    ROLL_AGAIN = "roll_again"
    ITEM = "item"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """An effect of a square, a zone, a caught Pokemon or a Flash.

    Attributes:
        action: What it does.
        amount: Units, squares (negative: back) or turns.
        item: The item that is given.
        who: Who drinks, moves and so on.
    """

    action: Action
    amount: int = 0
    item: Item | None = None
    who: Who = Who.SELF


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """A square with an effect.

    Attributes:
        at: Its place, from 1 to the last but one.
        name: What it is called.
        pokemon: A Pokemon square: balls and Repels work here.
        at_start: It acts at the start of a turn on it, instead of on landing (ruling DG-21).
        effects: What it does.
        move: What its Pokemon does once for the player who caught it.
    """

    at: int
    name: str
    pokemon: bool = False
    at_start: bool = False
    effects: tuple[Effect, ...] = ()
    move: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GymSquare:
    """A gold square.

    Attributes:
        at: Its place, from 1 to the last.
        name: What it is called.
        gym: The fight.
        faint: Units for each faint.
        flash: Reward for winning without a faint.
        special: Rule for people; it is not simulated.
    """

    at: int
    name: str
    gym: Gym
    faint: int = 0
    flash: tuple[Effect, ...] = ()
    special: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A stretch of coloured squares, both ends included.

    Attributes:
        name: What it is called.
        first: Its first square.
        last: Its last square.
        catch: Lowest roll that catches with a Safari Ball here (ruling DG-15).
        effects: What landing on any of its squares does, before the square's own effect.
    """

    name: str
    first: int
    last: int
    catch: int = 4
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board.

    Attributes:
        name: What it is called.
        last: The finish; 0 is the start.
        units_per_cup: Units that empty a cup (ruling DG-1).
        starting_items: What each player begins with.
        gyms: Gyms by square.
        squares: Squares with an effect, by place.
        zones: Zones, none overlapping another.
        house_made: The board is nobody's official one.
    """

    name: str = "empty trail"
    last: int = 40
    units_per_cup: int = 10
    starting_items: tuple[Item, ...] = ()
    gyms: Mapping[int, GymSquare]
    squares: Mapping[int, Square]
    zones: tuple[Zone, ...] = ()
    house_made: bool = False

    def zone_at(self, place: int) -> Zone | None:
        """Return the zone of a square."""
        return next((zone for zone in self.zones if zone.first <= place <= zone.last), None)


def plain_board(last: int, *gyms: GymSquare) -> Board:
    """Return a trail without anything on it but gyms."""
    return Board(last=last, gyms={gym.at: gym for gym in gyms}, squares={})


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
        InputError: It cannot be read, or holds what is not accepted; the message is one line with
            the field, the value and what is accepted.
    """
    from sim.trail.odds import check_finish  # plays turns, so it stands above the board

    field = f"board: {str(path)!r}"
    try:
        board = board_from(read_toml("board", path))
        check_finish(board)
    except InputError as error:
        message = str(error)
        raise InputError(
            message if message.startswith("board:") else f"{field}: {message}"
        ) from None
    return board


def board_from(table: Mapping[str, Any]) -> Board:
    """Return the board of a file's table.

    Raises:
        InputError: A key or value that is not accepted.
    """
    names = ("name", "last", "units_per_cup", "starting_items", "house_made")
    _check_keys("", table, (*names, "gym", "square", "zone"))
    last = _count("", table, "last", 1, MOST_SQUARES)
    items = table.get("starting_items", [])
    if not isinstance(items, list):
        raise InputError(f"starting_items: {shown(items)} is not accepted; give a list of items")
    gyms = [_gym(where, entry, last) for where, entry in _entries(table, "gym")]
    squares = [_square(where, entry, last) for where, entry in _entries(table, "square")]
    zones = [_zone(where, entry, last) for where, entry in _entries(table, "zone")]
    taken: dict[int, str] = {}
    things: list[GymSquare | Square] = [*gyms, *squares]
    for thing in things:
        if thing.at in taken:
            raise InputError(
                f"square {thing.at}: {thing.name!r} is not accepted beside {taken[thing.at]!r}; "
                "give one thing a square"
            )
        taken[thing.at] = thing.name
    zones.sort(key=lambda zone: zone.first)
    for one, other in pairwise(zones):
        if other.first <= one.last:
            raise InputError(
                f"zone {other.name!r}: from {other.first} is not accepted; {one.name!r} reaches to "
                f"{one.last}, and zones must not overlap"
            )
    return Board(
        name=_text("", table, "name", "my trail"),
        last=last,
        units_per_cup=_count("", table, "units_per_cup", 1, 1000, 10),
        starting_items=tuple(_word("starting_items", item, Item) for item in items),
        gyms={gym.at: gym for gym in gyms},
        squares={square.at: square for square in squares},
        zones=tuple(zones),
        house_made=_flag("", table, "house_made"),
    )


def _gym(where: str, entry: Mapping[str, Any], last: int) -> GymSquare:
    numbers = ("attack", "hp", "dice", "sides", "attack_bonus", "defence_bonus")
    _check_keys(where, entry, ("square", "name", *numbers, "faint", "flash", "special"))
    for key in ("attack", "hp"):
        if key not in entry:
            raise InputError(f"{where}{key}: missing; a gym has attack and hp")
    try:
        gym = Gym(**{key: entry[key] for key in numbers if key in entry})
    except InputError as error:
        raise InputError(f"{where}{error}") from None
    at = _count(where, entry, "square", 1, last)
    if not flash_chances(gym)[gym.hp]:
        raise InputError(
            f"{where}{gym} cannot be won with {gym.dice} dice of {gym.sides} sides; give a gym "
            "that can"
        )
    flash = entry.get("flash", [])
    if isinstance(flash, str):
        flash = [{"item": flash}] if flash else []
    return GymSquare(
        at=at,
        name=_text(where, entry, "name", "gym"),
        gym=gym,
        faint=_count(where, entry, "faint", 0, 1000, 0),
        flash=_effects(where, "flash", [flash] if isinstance(flash, Mapping) else flash),
        special=_text(where, entry, "special"),
    )


def _square(where: str, entry: Mapping[str, Any], last: int) -> Square:
    _check_keys(where, entry, ("at", "name", "kind", "when", "effect", "move"))
    if last == 1:
        raise InputError(f"{where}at: {shown(entry.get('at'))} is not accepted; the board is full")
    return Square(
        at=_count(where, entry, "at", 1, last - 1),
        name=_text(where, entry, "name", "square"),
        pokemon=_word(f"{where}kind", entry.get("kind", "plain"), _Kind) is _Kind.POKEMON,
        at_start=_word(f"{where}when", entry.get("when", "land"), _When) is _When.START,
        effects=_effects(where, "effect", entry.get("effect", [])),
        move=_effects(where, "move", entry.get("move", [])),
    )


def _zone(where: str, entry: Mapping[str, Any], last: int) -> Zone:
    _check_keys(where, entry, ("name", "from", "to", "catch", "effect"))
    first = _count(where, entry, "from", 1, last)
    return Zone(
        name=_text(where, entry, "name", "zone"),
        first=first,
        last=_count(where, entry, "to", first, last),
        catch=_count(where, entry, "catch", 1, 6, 4),
        effects=_effects(where, "effect", entry.get("effect", [])),
    )


class _Kind(StrEnum):
    PLAIN = "plain"
    POKEMON = "pokemon"


class _When(StrEnum):
    LAND = "land"
    START = "start"


def _effects(where: str, key: str, entries: object) -> tuple[Effect, ...]:
    if not isinstance(entries, list):
        raise InputError(f"{where}{key}: {shown(entries)} is not accepted; give a list of effects")
    return tuple(_effect(f"{where}{key} {n}: ", entry) for n, entry in enumerate(entries, start=1))


def _effect(where: str, entry: object) -> Effect:
    accepted = ", ".join(Action)
    if not isinstance(entry, Mapping):
        raise InputError(
            f"{where}{shown(entry)} is not accepted; give a table with one of {accepted}"
        )
    _check_keys(where, entry, (*Action, "who"))
    actions = [key for key in entry if key != "who"]
    if len(actions) != 1:
        raise InputError(f"{where}{shown(dict(entry))} is not accepted; give one of {accepted}")
    action, value = Action(actions[0]), entry[actions[0]]
    who = _word(f"{where}who", entry.get("who", "self"), Who)
    if action is Action.ITEM:
        return Effect(action=action, item=_word(f"{where}item", value, Item), who=who)
    if action is Action.ROLL_AGAIN:
        if value is not True or who is not Who.SELF:
            raise InputError(f"{where}{shown(dict(entry))} is not accepted; give roll_again = true")
        return Effect(action=action)
    low, high = (-MOST_SQUARES, MOST_SQUARES) if action is Action.MOVE else (1, 1000)
    return Effect(action=action, amount=_count(where, entry, action, low, high), who=who)


def _entries(table: Mapping[str, Any], key: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of a kind, with what to call each in an error."""
    entries = table.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise InputError(f"{key}: {shown(entries)} is not accepted; give [[{key}]] tables")
    return [
        (f"{key} {shown(entry['name']) if 'name' in entry else place}: ", entry)
        for place, entry in enumerate(entries, start=1)
    ]


def _check_keys(where: str, entry: Mapping[str, Any], accepted: tuple[str, ...]) -> None:
    for key in entry:
        if key not in accepted:
            raise InputError(f"{where}{shown(key)}: no such key; give {', '.join(accepted)}")


def _count(
    where: str, entry: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None
) -> int:
    value = entry.get(key, default)
    if value is None:
        raise InputError(f"{where}{key}: missing; give a whole number from {low} to {high}")
    check_count(f"{where}{key}", value, low=low, high=high)
    return int(value)


def _text(where: str, entry: Mapping[str, Any], key: str, default: str = "") -> str:
    value = entry.get(key, default)
    if not isinstance(value, str) or not value.isprintable():
        raise InputError(f"{where}{key}: {shown(value)} is not accepted; give a line of text")
    return value


def _flag(where: str, entry: Mapping[str, Any], key: str) -> bool:
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise InputError(f"{where}{key}: {shown(value)} is not accepted; give true or false")
    return value


def _word(field: str, value: object, kind: Callable[[str], _Word]) -> _Word:
    """Return the word of an enumeration; case, blanks and signs between its parts do not matter."""
    name = "-".join(str(value).lower().replace("_", " ").replace("-", " ").split())
    try:
        if isinstance(value, str):
            return kind(name)
    except ValueError:
        pass
    accepted = ", ".join(kind)  # type: ignore[arg-type]
    raise InputError(f"{field}: {shown(value)} is not accepted; give one of {accepted}")
