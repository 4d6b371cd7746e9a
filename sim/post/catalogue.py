"""Data files: types, species, moves, conditions, abilities, items, techniques; effects by 10 verbs.

A file begins with ``schema = 1``; its keys are the names of the fields here. Later files add to
earlier ones and replace what has the same name. docs/battle-by-post.md has examples.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from pucklab.base.decoding import Form, check_one_of, decode, register_form
from pucklab.base.errors import limits, refusal
from pucklab.base.facts import fact
from pucklab.base.files import read_toml
from pucklab.physics import InputError
from pucklab.sim.post.numbers import STATS, Duration, Extension
from pucklab.sim.post.pokemon import Nature, Stats, stats_from_base
from pucklab.sim.post.values import Test, name_key, nearest_names, read_test

TYPES = (
    *("Normal", "Fire", "Water", "Grass", "Electric", "Ice", "Fighting", "Poison", "Ground"),
    *("Flying", "Psychic", "Bug", "Rock", "Ghost", "Dragon", "Dark", "Steel", "Fairy"),
    *("Typeless", "Stellar", "Shadow"),
)
"""The last three are special."""


def _fraction(value: object, where: str) -> Fraction:
    with suppress(ValueError, ZeroDivisionError):
        if abs(number := Fraction(str(value))) <= 1000:
            return number
    raise refusal(where, value, "a number from -1000 to 1000, or a fraction such as '1/3'")


register_form(Fraction, Form(name="a number", read=_fraction, store=str))

When: TypeAlias = Literal[
    "while",
    "attempt",
    "execute",  # of a move: once, before the damage
    "hit",
    "check",  # on a hit whose effect check succeeds
    "after",  # after executing
    "used",  # of an item of the trainer
    "made",  # the condition was made
    "enter",
    "leave",
    "faint",
    "targeted",  # a defender of an action, before the roll to hit
    "struck",  # hit by an attack
    "contact",  # each hit with contact
    "raised",  # the stage in "into" was raised
    "start_round",
    "end_turn",
    "end_step",
    "end_round",
]
"""Times of effects; the first is that of ongoing ones."""
Do: TypeAlias = Literal[
    "change", "make", "remove", "copy", "item", "order", "modify", "forbid", "instead", "retarget"
]
"""Verbs; the last four are of ongoing effects."""
ONGOING = get_args(Do)[-4:]
On: TypeAlias = Literal[
    "self",
    "target",  # the defender, or the other Pokemon of the event
    "maker",  # of the condition
    "allies",  # and itself
    "opponents",
    "all",
    "named",  # the Pokemon that the order names, in play or not
    "team",  # field conditions
    "other_team",
    "battle",
]
"""Those whom an effect is for, seen from its owner."""
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
Kind: TypeAlias = Literal["major", "minor", "marker", "field", "weather", "terrain"]
"""Kinds of conditions; markers have any number of counters."""
_SCOPES: Mapping[Kind, tuple[str, ...]] = {
    "major": ("",),
    "minor": ("", "team", "battle"),
    "marker": (),  # not observable (10.4)
    "field": ("team",),
    "weather": ("battle",),
    "terrain": ("battle",),
}
RANKS = tuple(stat.replace("_", " ") for stat in STATS)
STAGES = tuple(f"{stat} stage" for stat in RANKS)
_OBJECTS: Mapping[str, tuple[str, ...]] = {
    "change": (
        *("hp", "energy", "maximum hp", "maximum energy", "recoveries", "chills"),
        *("types", "stages", *STAGES),
    ),
    "make": (),
    "remove": get_args(Kind),
    "copy": ("stages", "types", "abilities", *STAGES),
    "item": ("drop", "consume", "take"),
    "order": ("now",),
    "modify": (
        *(*RANKS[:5], *STAGES, "power", "bap", "damage", "damage taken", "screen", "accuracy"),
        *("sure", "critical", "weakness", "resistance", "immunity", "stages ignored", "each hit"),
    ),
    "forbid": ("attempt", "execute", "harm", "switch", *get_args(Kind)),
    "instead": ("action", "order", *STAGES),
    "retarget": ("reflect", "draw"),
}
"""Objects of verbs, besides conditions."""
_WITH_CONDITIONS = {"change", "make", "remove", "forbid"}


def named(table: str, **default: Any) -> Any:
    """Declare a field of names in a table of the data files, which `Catalogue.check` looks up."""
    return field(metadata={"table": table}, **default)


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A statement: when, what, on whom, how much, and on what terms."""

    when: When = "execute"
    do: Do
    what: str = ""
    on: On = "self"
    amount: Fraction | None = None
    times: Fraction | None = None
    to: Fraction | None = None  # set, not changed
    per: str = ""  # value that the amount is multiplied by, such as "user's healed"
    least: int | None = limits(-1000, 1000, default=None)
    most: int | None = limits(-1000, 1000, default=None)
    up: bool = False  # rounded up
    into: tuple[str, ...] = ()  # stages that are raised instead, or types that are set
    alias: str = ""  # another name of the condition
    duration: Duration | None = field(default=None, metadata={"key": "for"})
    following: bool = field(default=False, metadata={"key": "next"})  # not the present unit
    extension: Extension = "longer"
    type: str = named("types", default="")
    action: str = ""  # a move; or "declared", the one that the order names
    only: tuple[str, ...] = ()  # words of the action, "!word" for not
    of: Literal["self", "allies", "opponents", "all"] = "self"  # whose events
    terms: str = field(default="", metadata={"key": "if"})
    but: str = named("conditions", default="")  # is not removed
    swap: bool = False
    use: Literal["", "recovery", "chill"] = field(default="", metadata={"key": "as"})
    overheal: bool = False
    then: "tuple[Effect, ...]" = ()

    def __post_init__(self) -> None:
        for name in ("what", "alias", "action", "but"):
            object.__setattr__(self, name, name_key(getattr(self, name)))
        if (self.when == "while") != (self.do in ONGOING):
            raise refusal("do", self.do, f"a verb that goes with when = {self.when!r}")
        if self.on in get_args(On)[-3:] and self.do not in {"make", "remove"}:
            raise refusal("on", self.on, f"Pokemon for do = {self.do!r}")
        given = (self.amount, self.times, self.to) != (None,) * 3 or self.type or self.into
        needs = {
            "what": True,
            "amount": self.do == "change" and not given,
            "type": self.what in {"weakness", "resistance"},
            "action": self.do == "order" or (self.do == "instead" and "stage" not in self.what),
            "into": self.do == "instead" and "stage" in self.what,
        }
        for name, needed in needs.items():
            if needed and not getattr(self, name):
                raise InputError(f"{name}: missing beside do = {self.do!r}; give it")

    @cached_property
    def key(self) -> str:
        """Verb and object of an ongoing effect, else its time."""
        return f"{self.do} {self.what}" if self.when == "while" else self.when

    @cached_property
    def kind(self) -> int:
        """Rank of the effect among the effects of one event (4.7)."""
        down = (self.amount or 0) < 0
        own = {"hp": 2 * down, "energy": 1 + 2 * down}.get(self.what, 8)
        own = {"remove": 4, "make": 6, "change": own}.get(self.do, 8)
        return min([own, *(effect.kind for effect in self.then)])

    def all(self) -> "Iterator[Effect]":
        """Yield the effect and the effects in its ``then``."""
        yield self
        for effect in self.then:
            yield from effect.all()


@fact
class Combo:
    """Combo Level, classes and subclasses of a move, by which it combines with others."""

    level: int = limits(1, 9, default=1)
    classes: tuple[str, ...]
    subclasses: tuple[str, ...]


@fact
class Thing:
    """A named thing with effects, such as an ability or an item."""

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
    needs: str = ""  # terms without which it fails
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
        """Words that effects and substitutions may ask for."""
        kinds = ("attack" if self.is_attack else "non-attack", "contact" if self.contact else "")
        named = (self.category, self.type, *self.tags)
        plain = frozenset(word.lower() for word in (*kinds, *named) if word)
        names = {name_key(name) for name in (self.name, *self.parts)}
        return plain | names | ({f"{self.type.lower()} attack"} if self.is_attack else set())

    @cached_property
    def ongoing(self) -> bool:
        """Whether it has ongoing effects of its own."""
        return any(effect.when == "while" for effect in self.effects)

    @property
    def is_attack(self) -> bool:
        """Whether the move deals damage."""
        return self.bap is not None


@fact
class Condition(Thing):
    """A condition or a marker; it leaves with its subject unless it is major."""

    kind: Kind = "minor"
    also: tuple[str, ...] = ()  # words for it, such as asleep
    duration: Duration | None = field(default=None, metadata={"key": "for"})
    unaffected: tuple[str, ...] = named("types", default=())
    tags: tuple[str, ...] = ()  # such as hazard and screen
    once: bool = False  # a Pokemon and round
    lends: bool = False  # the noted moves are known to the subject
    replaces: bool = False  # others of its kind, as weathers do


@fact
class Technique:
    """A change of an action's fields, such as a Z-Move's."""

    needs: Literal["", "attack", "non-attack"] = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, int] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    widen: Mapping[str, str] = field(default_factory=dict)  # targets
    twin: bool = False  # stages doubled, conditions made twice


@fact
class TypeRow:
    """Types that a type is weak to, resists and is immune to."""

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


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """The contents of data files, by lower-case names."""

    source: str = limits(0, 300, default="")
    types: Mapping[str, TypeRow] = field(default_factory=dict)
    natures: Mapping[str, Nature] = field(default_factory=dict)
    species: Mapping[str, Species] = field(default_factory=dict)
    moves: Mapping[str, Move] = field(default_factory=dict)
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    abilities: Mapping[str, Thing] = field(default_factory=dict)
    items: Mapping[str, Thing] = field(default_factory=dict)
    techniques: Mapping[str, Technique] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of actions, by name

    def find(self, table: str, text: str, where: str = "") -> Any:
        """Return an entry by its name; case, blanks and hyphens do not matter.

        Raises:
            InputError: There is none; the message gives the nearest.
        """
        where, entries = where or table, getattr(self, table)
        found = entries.get(name_key(text))
        if table == "types":
            check_one_of(where, text, TYPES)
        elif found is None:
            check_one_of(where, text, nearest_names(text, entries))
        return found

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Names of states by the words that players use for them."""
        tables = self.items, self.abilities, self.species, self.moves, self.conditions
        types = {name.lower(): f"{name.lower()} type" for name in TYPES}
        kinds = {f"{kind} status": kind for kind in get_args(Kind) if kind != "marker"}
        tags = (tag for own in self.conditions.values() for tag in own.tags)
        plain = [*types.values(), *(name for table in tables for name in table)]
        also = {name_key(w): name for name, own in self.conditions.items() for w in own.also}
        return (
            types | {w: w for w in plain} | also | kinds | {w: w for w in (*kinds.values(), *tags)}
        )

    @cached_property
    def scopes(self) -> Mapping[str, frozenset[str]]:
        """Scopes in which the word of a state can hold, as in `Test`; "" is a Pokemon's own."""
        found: dict[str, set[str]] = {}
        for name, own in self.conditions.items():
            for word in (name, own.kind, *own.tags):
                found.setdefault(word, set()).update(_SCOPES[own.kind])
        for name in self.items:
            found.setdefault(name, set()).update(("", "backpack"))
        return {word: frozenset(scopes) for word, scopes in found.items()}

    def test(self, text: str) -> tuple[Test, ...]:
        """Return the terms of an effect, which must all hold; they are read once.

        Raises:
            InputError: They cannot be read.
        """
        if text not in self._tests:
            self._tests[text] = tuple(
                read_test(part, self.words) for part in text.lower().split(" and ") if part
            )
        return self._tests[text]

    @cached_property
    def _tests(self) -> dict[str, tuple[Test, ...]]:
        return {}

    def check(self, entry: Any, where: str) -> None:
        """Check that every name in an entry exists.

        Raises:
            InputError: One is not.
        """
        for one in fields(entry):
            value, table = getattr(entry, one.name), one.metadata.get("table", "")
            names = (value,) if isinstance(value, str) else value
            for text in names if table and value else ():
                self.find(table, text, f"{where} {one.name}")
            if one.name in {"terms", "needs"} and not isinstance(entry, Technique):
                self.test(value)
            for effect in value if one.name in {"effects", "then"} else ():
                self.check(effect, where)
        if not isinstance(entry, Effect):
            return
        if entry.per:
            self.test(f"{entry.per} is 0")
        if entry.action not in {"", "declared"}:
            self.find("moves", entry.action, f"{where} action")
        objects = _OBJECTS[entry.do]
        more = self.conditions if entry.do in _WITH_CONDITIONS else ()
        if entry.what not in objects and entry.what.removesuffix(" duration") not in more:
            check_one_of(f"{where} what", entry.what, nearest_names(entry.what, (*objects, *more)))


TABLES = tuple(one.name for one in fields(Catalogue) if one.name != "source")


def catalogue_from(
    tables: Sequence[tuple[str, Mapping[str, Any]]], whole: Catalogue | None = None
) -> Catalogue:
    """Return a catalogue with files' tables, each with its name in errors; later ones replace.

    Entries that are added to a ``whole`` are not house-made, even if they are copies that say so.

    Raises:
        InputError: A key, value or name that is not accepted.
    """
    is_house, whole = whole is None, whole or Catalogue()
    for where, table in tables:
        part = decode(Catalogue, table, where)
        merged = {}
        for name in TABLES:
            own = {
                name_key(key): replace(entry, name=key, house_made=entry.house_made and is_house)
                if hasattr(entry, "house_made")
                else entry
                for key, entry in getattr(part, name).items()
            }
            merged[name] = {**getattr(whole, name), **own}
        whole = Catalogue(source=part.source or whole.source, **merged)
        for table_name in TABLES:
            for name, entry in getattr(whole, table_name).items():
                if table_name == "types":
                    whole.find(table_name, name.title(), f"{where} types")
                if is_dataclass(entry):
                    whole.check(entry, f"{where} {table_name} {name}")
    return whole


@cache
def _house() -> Catalogue:
    with as_file(files("pucklab.sim.post").joinpath("data", "house.toml")) as house:
        return catalogue_from([("house data:", read_toml("data", house))])


def read_catalogue(paths: Sequence[Path] = ()) -> Catalogue:
    """Return the shipped data with the data of more files.

    Raises:
        InputError: A file cannot be read, or holds what is not accepted.

    Example:
        >>> read_catalogue().find("moves", "Slam").bap
        12
    """
    read = [(f"data: {str(path)!r}", read_toml("data", path)) for path in paths]
    return catalogue_from(read, _house())
