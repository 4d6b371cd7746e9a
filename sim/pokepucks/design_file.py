"""Designs of pucks from files: the shipped lists, and a user's own.

A file is CSV with a line of column names, lines that begin with ``#`` left out::

    name,kind,rule,type,resistance,weakness,mass_g
    Onix Gold,pokemon,Dig,fighting,fire,water,24
    Rare Potion,item,Potion,,,,1.2

or TOML with ``schema = 1`` and a ``[[pucks]]`` table for each, with the same names for keys:

====================  =============================================================================
name                  what it is called
kind                  pokemon (if not given), ball, slammer, item, trainer or plain
rule                  name of its special rule, of those that pucklab knows; none for plain pucks,
                      balls and other slammers, whose rules come with their kind
type                  grass, fire, water, electric, fighting, psychic or normal; needed for pokemon
resistance, weakness  as type, for pokemon; weakness is needed
mass_g                2 to 24 for a slammer, and needed; 1 to 2 for other pucks, 1.5 if not given
thickness_mm          1.6 to 8 for a slammer, 6 if not given; other pucks have 1.6
cavity                yes (if not given) or no, of a slammer: whether it has room for a steel ring
wing                  yes or no (if not given); in TOML true or false
dex, variant, text    number in the PuckDex, how it differs from another, what it does
====================  =============================================================================

A TOML file may also hold special rules of its own, as ``[[rules]]``: see
`pucklab.sim.pokepucks.special.rule_tables`.

`read_catalogue` returns the shipped designs together with those of a file: the PuckDex lists the
Pokémon slammers, the PuckMart everything else. `Catalogue.find` looks one up by name.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, field, replace
from functools import cache, partial
from pathlib import Path

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import check_number, errors_at, limits, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.files import is_toml, read_shipped_text, read_text, toml_contents
from pucklab.base.parsing import MAX_TOML_CHARS, check_length
from pucklab.base.tables import read_table
from pucklab.physics import InputError, Puck
from pucklab.sim.pokepucks.designs import (
    SLAMMER_THICKNESS_MM,
    Design,
    DesignKind,
    EnergyType,
    RuleTable,
    name_key,
    piece_of,
)
from pucklab.sim.pokepucks.special import check_rules, known_rules

KnownRules = Callable[[DesignKind], Mapping[str, bool]]
"""Returns the special rules for a kind of puck: by name, whether pucks with it have a type."""

_RULED = frozenset({DesignKind.POKEMON, DesignKind.ITEM, DesignKind.TRAINER})
"""The kinds of pucks with a special rule of their own; balls and other slammers share theirs."""

_UNTYPED = frozenset({DesignKind.BALL, DesignKind.SLAMMER})


@fact
class _DesignFile:
    """A design as files have it."""

    name: str = limits(1, 40)
    kind: DesignKind = DesignKind.POKEMON
    rule: str = limits(0, 100, default="")
    type: EnergyType | None = None
    resistance: EnergyType | None = None
    weakness: EnergyType | None = None
    mass_g: float | None = None
    thickness_mm: float | None = None
    cavity: bool = True
    wing: bool = False
    dex: int | None = limits(0, 9999, default=None)
    variant: str = limits(0, 1000, default="")
    text: str = limits(0, 1000, default="")

    def __post_init__(self) -> None:
        """Check the texts, and that kind, rule and types go together."""
        name, kind = self.name, self.kind
        if not name.isprintable() or name != " ".join(name.split()) or "," in name:
            raise refusal("name", name, "printed signs with single blanks, without a comma")
        if not name_key(name):
            raise refusal("name", name, "a name with a letter or digit")
        for key in ("rule", "variant", "text"):
            if not getattr(self, key).isprintable():
                raise refusal(key, getattr(self, key), "a line of text")
        if self.rule and kind not in _RULED:
            raise InputError(f"rule: {self.rule!r} is not accepted; a puck of kind {kind} has none")
        if self.mass_g is None and kind.is_slammer:
            raise InputError("mass_g: missing; give the slammer's mass in g")
        pokemon = kind is DesignKind.POKEMON
        for key in ("type", "weakness"):
            if pokemon and getattr(self, key) is None:
                raise InputError(f"{key}: missing; a Pokémon slammer has one")
        for key in ("resistance", "weakness"):
            if not pokemon and getattr(self, key) is not None:
                raise InputError(f"{key}: a puck of kind {kind} has none")
        if self.type is not None and kind in _UNTYPED:
            raise InputError(f"type: a puck of kind {kind} has none (ruling PP-34)")

    def design(self, where: str, known: KnownRules | None) -> Design:
        """Return the design; ``where`` is its place in errors."""
        rules = None if known is None else known(self.kind)
        if rules is not None and self.rule:
            check_one_of(f"{where} rule", self.rule, tuple(rules))
            if self.type is None and rules[self.rule]:
                raise InputError(f"{where} type: missing; {self.rule} has one")
        usual_mm = SLAMMER_THICKNESS_MM if self.kind.is_slammer else Puck().thickness_mm
        body = {
            "mass_g": Puck().mass_g if self.mass_g is None else self.mass_g,
            "thickness_mm": usual_mm if self.thickness_mm is None else self.thickness_mm,
        }
        design = Design(**(asdict(self) | body))
        check_body(where, design, usual_mm)
        return design


def check_body(where: str, design: Design, usual_mm: float) -> None:
    """Check the mass and the thickness of a design.

    Args:
        where: Its place in errors.
        design: The design.
        usual_mm: Thickness of a puck that is no slammer.

    Raises:
        InputError: They are not those of a puck or slammer.
    """
    slammer = design.kind.is_slammer
    low, high = (2.0, 24.0) if slammer else (1.0, 2.0)
    check_number(f"{where} mass_g", design.mass_g, low, high, unit="g")
    high = 8.0 if slammer else usual_mm
    check_number(f"{where} thickness_mm", design.thickness_mm, 1.6, high, unit="mm")
    with errors_at(where):
        piece_of(design)


EXAMPLE_FILE = "example_pucks.toml"
"""House-made pucks with special rules of their own, which ``pucklab puckdex --example`` prints."""


def example_text() -> str:
    """Return an example file of a user's pucks, as TOML."""
    return read_shipped_text("pucklab.sim.pokepucks", EXAMPLE_FILE)


def shipped_designs(name: str) -> tuple[Design, ...]:
    """Return the designs of a list that comes with pucklab.

    Args:
        name: Name of the CSV file.
    """
    text = read_shipped_text("pucklab.sim.pokepucks", name)
    return designs_from_csv(name, text)


@fact
class _PucksFile:
    pucks: tuple[_DesignFile, ...]
    rules: tuple[RuleTable, ...] = ()

    def __post_init__(self) -> None:
        if not self.pucks:
            raise InputError("pucks: [] is not accepted; give [[pucks]] tables")


def _read(path: Path) -> tuple[tuple[Design, ...], tuple[RuleTable, ...]]:
    """Return the designs and the special rules of a file."""
    where = f"puckdex: {str(path)!r}"
    text = read_text("puckdex", path)
    if not is_toml(path, text):
        return designs_from_csv(where, text, known_rules), ()
    stored = decode(_PucksFile, toml_contents(where, text), where)
    rules = stored.rules
    check_rules(f"{where} rules", rules)

    texts = {rule.listing: rule.text for rule in rules if rule.text}
    designs = _designs(
        [(f"{where} pucks {n} ({d.name})", d) for n, d in enumerate(stored.pucks, start=1)],
        partial(known_rules, own=rules),
    )
    return tuple(replace(d, text=d.text or texts.get(d.rule, "")) for d in designs), rules


def _designs(
    entries: Iterable[tuple[str, _DesignFile]], known: KnownRules | None
) -> tuple[Design, ...]:
    found: dict[str, Design] = {}
    for where, stored in entries:
        design = stored.design(where, known)
        if design.key in found:
            raise InputError(f"{where} name: it appears twice")
        found[design.key] = design
    return tuple(found.values())


def designs_from_csv(where: str, text: str, known: KnownRules | None = None) -> tuple[Design, ...]:
    """Return the designs of a CSV text; see the module.

    Args:
        where: Its name in errors.
        text: The text.
        known: Returns the special rules for a kind of puck; None to leave rules unchecked.

    Raises:
        InputError: A column or cell that is not accepted, or a name that appears twice.

    Example:
        >>> (design,) = designs_from_csv("own.csv", "name,kind,rule\\nGem,item,Potion\\n")
        >>> design.mass_g
        1.5
        >>> designs_from_csv("a.csv", "name,kind,rule\\nGem,item,Potion\\nGem,plain,\\n")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: a.csv: row 3 (Gem) name: it appears twice
    """
    check_length(text, where, MAX_TOML_CHARS)
    rows = read_table(_DesignFile, text, where)
    designs = _designs([(f"{row.place} ({row.cells.name})", row.cells) for row in rows], known)
    if not designs:
        raise InputError(f"{where}: it has no row; give a line of column names, and rows")
    return designs


_SHOWN = 6
"""Names that an error gives where none is near."""


@fact
class Catalogue:
    """Designs, no two of the same name.

    Attributes:
        designs: The designs, in order.
        rules: A user's special rules, under which some of the designs are listed.
        proxies: Designs by another name, under which `find` looks first.
    """

    designs: tuple[Design, ...]
    rules: tuple[RuleTable, ...] = ()
    proxies: Mapping[str, Design] = field(default_factory=dict, compare=False)
    _by_key: Mapping[str, Design] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the designs by key."""
        by_key = {design.key: design for design in self.designs} | dict(self.proxies)
        object.__setattr__(self, "_by_key", by_key)

    def rules_of(self, designs: Iterable[Design]) -> tuple[RuleTable, ...]:
        """Return the user's rules that some designs have, and the rules of their statuses."""
        listings = {design.rule for design in designs}
        while more := {name for rule in self.rules if rule.listing in listings
                       for deed in rule.does
                       for name in (deed.status, deed.effect)} - {"", *listings}:  # fmt: skip
            listings |= more
        return tuple(rule for rule in self.rules if rule.listing in listings)

    @property
    def slammers(self) -> tuple[Design, ...]:
        """The slammers among the designs."""
        return tuple(design for design in self.designs if design.kind.is_slammer)

    def find(self, name: str, what: str = "puck") -> Design:
        """Return the design of that name; case, accents and signs between words do not matter.

        Args:
            name: Its name.
            what: Name of the option or field in an error.

        Raises:
            InputError: There is none; the message gives the nearest names.

        Example:
            >>> shipped_catalogue().find("poke ball").mass_g
            4.0
            >>> shipped_catalogue().find("poition")
            Traceback (most recent call last):
                ...
            pucklab.base.errors.InputError: puck: 'poition' is not in any list; did you mean Potion?
        """
        found = self._by_key.get(name_key(name))
        return found or find_design(what, name, self.designs, "any list")

    def find_slammer(self, name: str, what: str = "slammer") -> Design:
        """Return the slammer of that name, as `find` does.

        Raises:
            InputError: There is none; the message gives the nearest names of slammers.

        Example:
            >>> shipped_catalogue().find_slammer("moon stone")
            Traceback (most recent call last):
                ...
            pucklab.base.errors.InputError: slammer: 'Moon Stone' is no slammer but of kind item
        """
        found = self._by_key.get(name_key(name))
        if found is None:
            return find_design(what, name, self.slammers, "any list of slammers")
        if not found.kind.is_slammer:
            raise InputError(f"{what}: {found.name!r} is no slammer but of kind {found.kind}")
        return found


def with_designs(
    catalogue: Catalogue, designs: Iterable[Design], rules: tuple[RuleTable, ...] = ()
) -> Catalogue:
    """Return a catalogue with more designs; a new one replaces a design of the same name."""
    by_key = {design.key: design for design in (*catalogue.designs, *designs)}
    return Catalogue(designs=tuple(by_key.values()), rules=(*catalogue.rules, *rules))


@cache
def shipped_catalogue() -> Catalogue:
    """Return the PuckDex and the PuckMart (ruling PP-26).

    Example:
        >>> len(shipped_catalogue().designs), len(shipped_catalogue().slammers)
        (58, 26)
    """
    designs = (*puckdex(), *shipped_designs("puckmart.csv"))
    return Catalogue(designs=designs)


def read_catalogue(path: Path | None) -> Catalogue:
    """Return the shipped designs together with those of a file; None for the shipped ones alone.

    Raises:
        InputError: The file cannot be read, or holds what is not accepted.
    """
    shipped = shipped_catalogue()
    return shipped if path is None else with_designs(shipped, *_read(path))


def find_design(what: str, name: str, designs: Iterable[Design], where: str) -> Design:
    """Return the design of that name.

    Args:
        what: Name of the option or field in an error.
        name: Its name; case, accents and signs between words do not matter.
        designs: The designs to search.
        where: Name of the list in an error.

    Raises:
        InputError: There is none; the message gives the nearest names.
    """
    by_key = {design.key: design for design in designs}
    design = by_key.get(name_key(name))
    if design is not None:
        return design
    names = {key: design.name for key, design in by_key.items()}
    near = _nearest(name, names, 3, least=0.65)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    else:
        some = _nearest(name, names, _SHOWN)
        more = f" and {len(names) - len(some)} more" * (len(names) > len(some))
        hint = f"give one of {', '.join(some)}{more}, which 'pucklab puckdex' lists"
    raise InputError(f"{what}: {shown(name)} is not in {where}; {hint}")


def _nearest(name: str, names: Mapping[str, str], most: int, least: float = 0.0) -> list[str]:
    """Return the names that are most like a name, by their keys, the likest first."""
    keys = difflib.get_close_matches(name_key(name), names, n=most, cutoff=least)
    return [names[key] for key in keys]


@cache
def puckdex() -> tuple[Design, ...]:
    """Return every entry, in the order of the PuckDex.

    Example:
        >>> len(puckdex()), sorted({entry.mass_g for entry in puckdex()})
        (21, [4.0, 8.0, 20.0])
    """
    return shipped_designs("puckdex.csv")


def find_slammer(name: str) -> Design:
    """Return the entry of that name; case, accents and signs between words do not matter.

    Raises:
        InputError: There is none; the message gives the nearest names.

    Example:
        >>> find_slammer("onix").mass_g
        20.0
        >>> find_slammer("onyx")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: slammer: 'onyx' is not in the PuckDex; did you mean Onix?
    """
    return find_design("slammer", name, puckdex(), "the PuckDex")
