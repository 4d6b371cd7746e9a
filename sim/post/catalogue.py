"""Data files: types, species, moves, conditions, abilities and items, with effects by closed lists.

A file begins with ``schema = 1``; its keys are the names of the fields here. Later files add to
earlier ones and replace what has the same name. docs/battle-by-post.md has an example.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from physics import InputError
from physics.decoding import Form, check_one_of, decode, register_form
from physics.errors import limits, refusal
from physics.facts import fact
from sim.core.files import read_toml
from sim.post.numbers import ONE, Duration, Extension, Stat
from sim.post.pokemon import Nature, Stats, stats_from_base

TYPES = (
    "Normal",
    "Fire",
    "Water",
    "Grass",
    "Electric",
    "Ice",
    "Fighting",
    "Poison",
    "Ground",
    "Flying",
    "Psychic",
    "Bug",
    "Rock",
    "Ghost",
    "Dragon",
    "Dark",
    "Steel",
    "Fairy",
)
SPECIAL_TYPES = ("Typeless", "Stellar", "Shadow")


def _fraction(value: object, where: str) -> Fraction:
    with suppress(ValueError, ZeroDivisionError):
        if abs(number := Fraction(str(value))) <= 1000:
            return number
    raise refusal(where, value, "a number from -1000 to 1000, or a fraction such as '1/3'")


register_form(Fraction, Form(name="a number", read=_fraction, store=str))


When: TypeAlias = Literal[
    "while",
    "execute",  # of a move: once, before the damage
    "hit",
    "check",  # on a hit whose effect check succeeds
    "after",  # after executing; of conditions: after an attack
    "used",  # of an item of the trainer
    "made",  # the condition was made
    "enter",
    "targeted",  # a defender of an action, before the roll to hit
    "struck",  # hit by an attack
    "contact",  # hit with contact
    "weak",  # hit super-effectively
    "raised",  # the stage in "into" was raised
    "start_round",
    "end_turn",
    "end_step",
    "end_round",
]
"""Times of effects; the first is that of ongoing ones."""


Happens: TypeAlias = Literal[
    "heal",
    "energy",
    "lose",
    "inflict",
    "discard",
    "halve",  # counters, rounded down are discarded
    "stage",
    "invert",
    "convert",
    "type",  # one more
    "drop",  # held items
    "consume",  # this item
]
"""Verbs of what happens once."""


Ongoing: TypeAlias = Literal[
    "rank",
    "speed",
    "power",  # bonus or penalty, step f
    "bap",  # becomes, or times: steps a and b
    "damage",  # steps i and j, of own attacks
    "guard",  # the same, of attacks on it
    "screen",
    "accuracy",  # percentage
    "sure",  # hits; by -1: fails
    "critical",  # stage
    "weakness",
    "resistance",
    "immunity",
    "unaffected",  # by a condition
    "shield",  # from others' moves
    "reflect",
    "redirect",
    "forbid",  # attempts
    "prevent",  # execution
    "lapse",  # counters are spent to prevent an execution
    "replace",  # by another action
    "one",  # hits deal 1
    "ignore",  # bad stages of attacks on it
    "twice",  # raising a stage raises others, too
]
"""Verbs of ongoing effects; `stage` may be one, too."""
Do: TypeAlias = Happens | Ongoing


On: TypeAlias = Literal[
    "self",
    "target",  # the defender, or whoever attacked
    "maker",  # of the condition
    "allies",  # and itself
    "opponents",
    "all",
    "team",  # field conditions
    "other_team",
    "battle",
]
"""Whom an effect is for, seen from its owner."""


Per: TypeAlias = Literal[
    "one",
    "counters",
    "damage",
    "user_hp",
    "maximum_hp",
    "healed",  # HP in this round
    "missing_quarters",  # full quarters of Energy
    "fainted_allies",
    "weight",
    "size",
]
"""Measures that an amount is multiplied by."""


def named(table: str, **default: Any) -> Any:
    """Declare a field of names in a table of the data files, which `Catalogue.check` looks up."""
    return field(metadata={"table": table}, **default)


Scope: TypeAlias = Literal[
    "one target",
    "one ally",
    "user",
    "all opponents",
    "all others",
    "all allies",
    "user's team",
    "other team",
    "battlefield",
]
"""Targets of actions."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A statement: when, what, on whom, how much, and on what terms."""

    when: When = "execute"
    do: Do
    on: On = "self"
    amount: Fraction | None = None
    times: Fraction | None = None
    per: Per = "one"
    least: int | None = limits(-1000, 1000, default=None)
    most: int | None = limits(-1000, 1000, default=None)
    up: bool = False  # rounded up
    stat: Stat | None = None
    into: tuple[Stat, ...] = ()  # stats of convert and twice
    condition: str = named("conditions", default="")
    alias: str = ""  # another name of the condition
    counters: int = limits(0, 100, default=0)
    duration: Duration | None = field(default=None, metadata={"key": "for"})
    following: bool = field(default=False, metadata={"key": "next"})  # not the present unit
    extension: Extension = "longer"
    type: str = named("types", default="")
    action: str = named("moves", default="")
    only: tuple[str, ...] = ()  # words of the action, "!word" for not
    needs: str = named("conditions", default="")  # of whom it is for; or hurt, recovery, major
    at_least: int = limits(0, 1000, default=0)  # counters of it
    unless: str = named("conditions", default="")
    but: str = named("conditions", default="")  # is not discarded
    recovery: bool = False  # as a Recovery
    chill: bool = False  # as a Chill
    overheal: bool = False
    then: "tuple[Effect, ...]" = ()

    def __post_init__(self) -> None:
        for name in ("condition", "alias", "action", "needs", "unless", "but"):
            object.__setattr__(self, name, name_key(getattr(self, name)))
        if self.amount is None and self.do in _ONES:
            object.__setattr__(self, "amount", ONE)
        happens, ongoing = self.do in get_args(Happens), self.when == "while"
        if self.do != "stage" and happens == ongoing:
            raise refusal("do", self.do, f"a verb that goes with when = {self.when!r}")
        if happens and self.on in _FIELDS and self.do not in _NEEDS["condition"]:
            raise refusal("on", self.on, f"Pokemon for do = {self.do!r}")
        for name, verbs in _NEEDS.items():
            if self.do in verbs.split() and getattr(self, name) in {None, "", ()}:
                raise InputError(f"{name}: missing beside do = {self.do!r}; give it")

    @cached_property
    def kind(self) -> int:
        """Place of the effect among those of one event (4.7)."""
        own = _KINDS.get(self.do, 8)
        if self.do == "energy" and (self.amount or 0) < 0:
            own = 3
        return min([own, *(effect.kind for effect in self.then)])

    def all(self) -> "Iterator[Effect]":
        """Yield the effect, and those that follow in it."""
        yield self
        for effect in self.then:
            yield from effect.all()


_FIELDS = ("battle", "team", "other_team")
_KINDS = {"heal": 0, "energy": 1, "lose": 2, "discard": 4, "halve": 5, "inflict": 6}
_ONES = ("stage", "critical", "sure", "weakness", "resistance", "immunity")
_NEEDS = {
    "amount": "heal energy lose accuracy power lapse",
    "condition": "inflict discard halve unaffected",
    "stat": "stage convert rank twice",
    "type": "type weakness resistance immunity",
    "action": "replace",
    "into": "convert twice",
}


@fact
class Combo:
    """What lets a move combine."""

    level: int = limits(1, 9, default=1)
    classes: tuple[str, ...]
    subclasses: tuple[str, ...]


@fact
class Thing:
    """An ability or an item, or what else has effects."""

    name: str = ""
    effects: tuple[Effect, ...] = ()
    house_made: bool = False


@dataclass(frozen=True, kw_only=True)
class Move(Thing):
    """An action."""

    type: str = named("types", default="Typeless")
    category: Literal["physical", "special", "other"]
    bap: int | None = limits(0, 1000, default=None)  # None is no attack
    accuracy: int | None = limits(1, 100, default=None)  # None always hits
    energy: int = limits(0, 1000)
    hp_cost: int = limits(0, 1000, default=0)
    priority: int = limits(-12, 12, default=0)
    effect_chance: int | None = limits(1, 100, default=None)
    hits: tuple[int, int] = (1, 1)
    weights: Mapping[str, int] = field(default_factory=dict)  # of numbers of hits
    contact: bool = False
    reflectable: bool = False
    is_fixed: bool = field(default=False, metadata={"key": "fixed"})
    critical: int = limits(-1, 3, default=0)  # stage added; -1 is never critical
    target: Scope = "one target"
    level: int = limits(0, 4, default=0)
    command: bool = False  # known to everybody
    combo: Combo | None = None
    tags: tuple[str, ...] = ()
    needs: str = ""  # of the user, to execute
    max_type: str = named("types", default="")  # of a Max Move
    parts: tuple[str, ...] = ()  # names of a combination's components

    def __post_init__(self) -> None:
        if not 1 <= self.hits[0] <= self.hits[1] <= 20:
            raise refusal("hits", list(self.hits), "[least, most] from 1 to 20")
        if self.bap is None and self.category != "other":
            raise InputError("bap: missing; give it, or category = 'other'")
        odds = {str(n): 0 for n in range(self.hits[0], self.hits[1] + 1)} | dict(self.weights)
        if len(odds) > 1 + self.hits[1] - self.hits[0] or (
            self.weights and (min(odds.values()) < 0 or not sum(odds.values()))
        ):
            raise refusal("weights", dict(self.weights), "0 or more for each of the hits")

    @cached_property
    def words(self) -> frozenset[str]:
        """Words that effects may ask for."""
        kinds = ("attack" if self.is_attack else "non-attack", "contact" if self.contact else "")
        named = (self.category, self.type, self.name, *self.parts, *self.tags)
        return frozenset(word.lower() for word in (*kinds, *named))

    @cached_property
    def ongoing(self) -> bool:
        """Whether it has ongoing effects of its own."""
        return any(effect.when == "while" for effect in self.effects)

    @property
    def is_attack(self) -> bool:
        """Whether the move deals damage."""
        return self.bap is not None


Kind: TypeAlias = Literal["major", "minor", "marker", "field", "weather", "terrain"]
"""Kinds of conditions; markers have any number of counters."""


@fact
class Condition(Thing):
    """A condition or a marker; it leaves with its subject unless it is major."""

    kind: Kind = "minor"
    also: tuple[str, ...] = ()  # words for it, such as asleep
    duration: Duration | None = field(default=None, metadata={"key": "for"})
    unaffected: tuple[str, ...] = named("types", default=())
    once: bool = False  # a Pokemon and round


@fact
class TypeRow:
    """Types that a type is weak to, resists and is immune to, and its Max Move."""

    weak: tuple[str, ...] = named("types", default=())
    resists: tuple[str, ...] = named("types", default=())
    immune: tuple[str, ...] = named("types", default=())


@dataclass(frozen=True, kw_only=True)
class Species:
    """A species."""

    name: str = ""
    types: tuple[str, ...] = named("types")
    stats: Stats | None = None
    base: tuple[int, ...] = limits(1, 255, default=())
    size: int = limits(1, 20, default=1)
    weight: int = limits(1, 20, default=1)
    moves: tuple[str, ...] = named("moves", default=())
    signature: tuple[str, ...] = named("moves", default=())  # known at any Level
    abilities: tuple[str, ...] = named("abilities", default=())
    hidden: tuple[str, ...] = named("abilities", default=())  # from Level 2 on
    energy: int = limits(1, 1000, default=100)
    actions: int = limits(1, 3, default=1)  # a step
    house_made: bool = False

    def __post_init__(self) -> None:
        if (self.stats is None) == (not self.base):
            raise InputError("stats: give either stats or base")
        if len(set(self.types)) < len(self.types) or not self.types:
            raise refusal("types", list(self.types), "one or more different types")
        self.line  # noqa: B018 - base stats are checked

    @cached_property
    def line(self) -> Stats:
        """The stat line."""
        return self.stats or stats_from_base(self.base)


@fact
class Catalogue:
    """All that data files hold, by lower-case names."""

    source: str = limits(0, 300, default="")
    types: Mapping[str, TypeRow] = field(default_factory=dict)
    natures: Mapping[str, Nature] = field(default_factory=dict)
    species: Mapping[str, Species] = field(default_factory=dict)
    moves: Mapping[str, Move] = field(default_factory=dict)
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    abilities: Mapping[str, Thing] = field(default_factory=dict)
    items: Mapping[str, Thing] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of actions, by name

    def find(self, table: str, text: str, where: str = "") -> Any:
        """Return an entry by its name; case, blanks and hyphens do not matter.

        Raises:
            InputError: There is none; the message gives the nearest.
        """
        where, entries = where or table, getattr(self, table)
        found = entries.get(name_key(text))
        if table == "types":
            check_one_of(where, text, (*TYPES, *SPECIAL_TYPES))
        elif found is None:
            check_one_of(where, text, _near(text, entries))
        return found

    def check(self, entry: Any, where: str) -> None:
        """Check that all names that an entry uses are there.

        Raises:
            InputError: One is not.
        """
        for one in fields(entry):
            value, table = getattr(entry, one.name), one.metadata.get("table")
            for text in (value,) if isinstance(value, str) else value if table else ():
                if table and text and not (table == "conditions" and text in STATES):
                    self.find(table, text, f"{where} {one.name}")
            for effect in value if one.name in {"effects", "then"} else ():
                self.check(effect, where)

    def check_all(self, where: str) -> None:
        """Check the names that all entries use."""
        for table in TABLES:
            for name, entry in getattr(self, table).items():
                if table == "types":
                    self.find(table, name.title(), f"{where} types")
                if is_dataclass(entry):
                    self.check(entry, f"{where} {table} {name}")

    def row(self, type_: str) -> TypeRow:
        """Return a row of the type chart; an empty one if no file has it."""
        return self.types.get(name_key(type_), TypeRow())


STATES = ("hurt", "recovery", *get_args(Kind))
"""States of a Pokemon that effects may need, besides conditions."""


def name_key(text: str) -> str:
    """Return a name without case and punctuation.

    Example:
        >>> name_key("G-Max Steelsurge"), name_key(" U-turn")
        ('g max steelsurge', 'u turn')
    """
    plain = text.lower().replace("é", "e").replace("-", " ").replace("_", " ").replace("'", "")
    return " ".join(plain.split())


def _near(text: str, entries: Mapping[str, Any]) -> list[str]:
    """Return the names that an error lists: all of a few, else those with the same beginning."""
    if len(entries) <= 12:
        return list(entries)
    return get_close_matches(name_key(text), entries, n=3, cutoff=0.3) or list(entries)[:5]


TABLES = tuple(one.name for one in fields(Catalogue) if one.name != "source")


def catalogue_from(
    tables: Sequence[tuple[str, Mapping[str, Any]]], whole: Catalogue | None = None
) -> Catalogue:
    """Return a catalogue with files' tables, each with its name in errors; later ones replace.

    Raises:
        InputError: A key, value or name that is not accepted.
    """
    whole = whole or Catalogue()
    for where, table in tables:
        part = decode(Catalogue, table, where)
        merged = {}
        for name in TABLES:
            own = {
                name_key(key): replace(entry, name=key) if hasattr(entry, "name") else entry
                for key, entry in getattr(part, name).items()
            }
            merged[name] = {**getattr(whole, name), **own}
        whole = Catalogue(source=part.source or whole.source, **merged)
        whole.check_all(where)
    return whole


@cache
def _house() -> Catalogue:
    with as_file(files("sim.post").joinpath("data", "house.toml")) as house:
        return catalogue_from([("house data:", read_toml("data", house))])


def read_catalogue(paths: Sequence[Path] = ()) -> Catalogue:
    """Return the shipped data with those of files.

    Raises:
        InputError: A file cannot be read, or holds what is not accepted.

    Example:
        >>> read_catalogue().find("moves", "Slam").bap
        12
    """
    read = [(f"data: {str(path)!r}", read_toml("data", path)) for path in paths]
    return catalogue_from(read, _house())
