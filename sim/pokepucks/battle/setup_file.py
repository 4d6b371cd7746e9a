"""Set-ups: from a file, or with a house collection for each player.

`read_setup` reads a TOML file with ``schema = 1``, such as::

    [options]                      # any of BattleOptions; missing ones have the default
    mode = "battle"
    length = "first"               # several options at once: first, short, simple or full

    [[players]]                    # in turn order
    name = "Ash"
    slammers = ["Pikachu", "Onix"]
    pucks = { "Plain Puck" = 10, "Potion" = 2, "Electric Energy" = 2 }

    [box]                          # pucks shared by all, as in a training battle; optional
    slammers = []
    pucks = { "Sandbag" = 40 }
    home = "Ash"                   # whose collection they go to after the battle; optional
    homes = { "Potion" = "Misty" } # the same by puck or kind; the others go by ``home``

    [legal]                        # pucks that may be brought; optional
    only = ["item", "Plain Puck"]  # names of pucks or kinds; all if not given
    banned = ["Pidgeot"]
    per_player = { "Potion" = { most = 2 }, trainer = { least = 1, most = 3 } }
    per_battle = { "Full Heal" = { most = 2 } }

    [proxies]                      # pucks that stand for others; optional
    "Bottle Cap" = "Mr. Saia"
    "Big Washer" = { for = "Onix", mass_g = 18, thickness_mm = 5 }

A player who takes pucks from the box needs no ``pucks``. A proxy has the rule and the types of the
puck that it stands for, but its own mass and thickness; limits count it as that puck.

`house_setup` gives every player the same pucks, except for the slammer and whatever suits its type.
House data: the rulebook leaves it to the players which pucks they bring. They are plain ones where
Items and Trainers have no rules. `read_deck` reads what one
player brings from a file of its own, and `deck_table` makes a set-up of such decks.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import check_count, errors_at, limits, refusal
from pucklab.base.facts import fact
from pucklab.base.files import read_toml
from pucklab.base.parsing import toml_text
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.battle_setup import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    BattleOptions,
    BattleSetup,
    Mode,
    Puck,
    with_length,
)
from pucklab.sim.pokepucks.design_file import Catalogue, check_body, shipped_catalogue
from pucklab.sim.pokepucks.designs import (
    SLAMMER_THICKNESS_MM,
    Design,
    DesignKind,
    EnergyType,
    name_key,
)

_MOST_BROUGHT = 10_000
"""More pucks than a battle can have: no limit."""

_MAX_NAME = 40

_PROXY = "a proxy: "
"""Beginning of the variant of a proxy; the proxy's own name follows."""

_HOUSE_PUCKS = (
    "{type} Energy",
    "{type} Focus Energy",
    "Potion",
    "Berry",
    "Full Heal",
    "Mr. Merkert",
    "{type} Energy",
    "Poké Flute",
    "Potion",
    "Berry",
    "Silph Scope",
    "Focus Sash",
    "Mr. Saia",
    "Switch",
    "Sandbag",
)
"""The first pucks of a house collection; plain pucks follow."""

_PLAIN = "Plain Puck"

FIRST_PAIR = ("Pikachu", "Eevee")
"""The slammers of a first battle: of the same mass, and neither is weak to the other."""

SIMPLE_PAIR = ("Great Ball", "Ultra Ball")
"""The slammers of the rulebook's simple game."""

_SIMPLE_PUCK = "Sandbag"

_WILD_PUCKS = ("Switch", "Full Heal", _PLAIN, _PLAIN, _PLAIN, "Poké Ball")
"""The house collection in a wild battle."""


@fact
class _Brought:
    """The pucks of a player, of a deck or of the box, as files have them."""

    slammers: tuple[str, ...] = ()
    pucks: Mapping[str, int] = limits(1, 200, default_factory=dict)

    def of(self, owner: int | None, where: str, catalogue: Catalogue) -> list[Puck]:
        """Return the pucks; ``where`` is their place in errors."""
        designs = [catalogue.find_slammer(name, f"{where} slammers") for name in self.slammers]
        for name, count in self.pucks.items():
            designs += [catalogue.find(name, f"{where} pucks")] * count
        return [Puck(design=design, owner=owner) for design in designs]


@fact
class _Named(_Brought):
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _check_name("name", self.name))


@fact
class _Box(_Brought):
    home: str | None = None
    homes: Mapping[str, str] = field(default_factory=dict)

    def with_homes(self, where: str, names: Sequence[str], catalogue: Catalogue) -> list[Puck]:
        """Return the pucks with the homes that the players decided on (PP-60)."""
        usual = _seat(f"{where} home", self.home, names)
        seats: dict[str, int | None] = {}
        for name, player in self.homes.items():
            # A proxy's home may be given by its own name or by that of the puck it stands for.
            is_kind = name in tuple(DesignKind)
            keys = {name} if is_kind else legal_names(catalogue.find(name, f"{where} homes"))
            seat = _seat(f"{where} homes {name}", player, names)
            seats |= dict.fromkeys(keys if is_kind else keys - set(DesignKind), seat)
        found = []
        for puck in self.of(None, where, catalogue):
            home = usual
            # A puck's own name counts more than its kind.
            for key in sorted(legal_names(puck.design), key=lambda key: key not in set(DesignKind)):
                home = seats.get(key, home)
            found.append(replace(puck, home=home))
        return found


@fact
class CountLimit:
    """Fewest and most of a puck or kind."""

    least: int = limits(0, _MOST_BROUGHT, default=0)
    most: int = limits(0, _MOST_BROUGHT, default=_MOST_BROUGHT)

    def __post_init__(self) -> None:
        """Check that they do not contradict each other."""
        check_count("most", self.most, self.least, _MOST_BROUGHT)


@fact
class LegalPucks:
    """The pucks that may be brought to a battle, and how many (rulebook, Battle Setup 2).

    Pucks and kinds are given by their names. A proxy counts as the puck that it stands for.
    """

    only: tuple[str, ...] = ()  # pucks and kinds that may be brought; empty for all
    banned: tuple[str, ...] = ()  # pucks and kinds that may not
    # Limits of a puck or kind for each player; the pucks of a box belong to no player.
    per_player: Mapping[str, CountLimit] = field(default_factory=dict)
    per_battle: Mapping[str, CountLimit] = field(default_factory=dict)  # in the whole battle

    def with_listed_names(self, where: str, catalogue: Catalogue) -> "LegalPucks":
        """Return the same limits with names as a catalogue spells them.

        Raises:
            InputError: It lists no such puck; ``where`` is the place of the table in errors.
        """

        def name_of(name: str, key: str) -> str:
            is_kind = name in tuple(DesignKind)
            return name if is_kind else catalogue.find(name, f"{where} {key}").name

        return LegalPucks(
            only=tuple(name_of(name, "only") for name in self.only),
            banned=tuple(name_of(name, "banned") for name in self.banned),
            per_player={name_of(n, "per_player"): each for n, each in self.per_player.items()},
            per_battle={name_of(n, "per_battle"): each for n, each in self.per_battle.items()},
        )

    def forbids(self, design: Design) -> str:
        """Return the key of the table that forbids a design in any number; empty if none does."""
        keys = legal_names(design)
        if self.only and keys.isdisjoint(map(name_key, self.only)):
            return "only"
        return "" if keys.isdisjoint(map(name_key, self.banned)) else "banned"

    def check_design(self, field: str, design: Design, named: str) -> None:
        """Check that a design is allowed at all; ``named`` is its name in an error."""
        key = self.forbids(design)
        if key:
            what = "is not in the list" if key == "only" else "is"
            raise InputError(f"{field} {key}: {named} {what}")

    def check(self, field: str, pucks: Sequence[Puck], names: Sequence[str]) -> None:
        """Check the pucks that players bring.

        Args:
            field: Name of the table in an error.
            pucks: The pucks.
            names: The players.

        Raises:
            InputError: A puck is not legal, or there are too few or too many; the message names the
                rule, the puck and the player.
        """
        for puck in pucks:
            whose = "the box" if puck.owner is None else names[puck.owner]
            self.check_design(field, puck.design, f"{puck.name} of {whose}")
        for player, name in enumerate(names):
            own = [puck for puck in pucks if puck.owner == player]
            _check_limits(f"{field} per_player", self.per_player, own, name)
        _check_limits(f"{field} per_battle", self.per_battle, pucks, "the battle")


@fact
class _Proxy:
    meant: str = field(metadata={"key": "for"})
    mass_g: float | None = None
    thickness_mm: float | None = None


@fact
class _SetupFile:
    players: tuple[_Named, ...]
    options: BattleOptions = field(default_factory=BattleOptions)
    box: _Box = field(default_factory=_Box)
    legal: LegalPucks = field(default_factory=LegalPucks)
    proxies: Mapping[str, str | _Proxy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_count("number of players", len(self.players), MIN_PLAYERS, MAX_PLAYERS)


def read_setup(path: Path, catalogue: Catalogue) -> BattleSetup:
    """Read the set-up of a battle from a file.

    Args:
        path: The file.
        catalogue: The designs that it may name.

    Raises:
        InputError: The file cannot be read, or a key or value is not accepted.
    """
    where = f"setup: {str(path)!r}"
    stored = read_toml("setup", path)
    if isinstance(options := stored.get("options"), dict):
        stored["options"] = with_length(options, f"{where} options")
    setup = decode(_SetupFile, stored, where)
    proxies: dict[str, Design] = {}
    for name, entry in setup.proxies.items():
        place = f"{where} proxies {name}"
        if not name_key(name) or not name.isprintable() or "," in name or len(name) > _MAX_NAME:
            raise InputError(f"{place}: give a name of at most {_MAX_NAME} signs without a comma")
        if name_key(name) in proxies:
            raise InputError(f"{place}: it appears twice; a proxy stands for one puck (PP-61)")
        meant = _Proxy(meant=entry) if isinstance(entry, str) else entry
        proxies[name_key(name)] = _proxy(place, name, meant, catalogue)
    known = replace(catalogue, proxies=proxies)
    pucks: list[Puck] = []
    for index, player in enumerate(setup.players):
        pucks += player.of(index, f"{where} players {index + 1} ({player.name})", known)
    names = tuple(player.name for player in setup.players)
    pucks += setup.box.with_homes(f"{where} box", names, known)
    setup.legal.with_listed_names(f"{where} legal", catalogue).check(f"{where} legal", pucks, names)
    with errors_at(f"{where}:"):
        return BattleSetup(
            pucks=tuple(pucks),
            names=names,
            options=setup.options,
            rules=catalogue.rules_of(puck.design for puck in pucks),
        )


def _check_name(where: str, name: str) -> str:
    if not name.isprintable() or not name.strip():
        raise refusal(where, name, "a name")
    return name.strip()


def is_proxy(design: Design) -> bool:
    """Return whether a design is that of a proxy."""
    return design.variant.startswith(_PROXY)


def _proxy(where: str, name: str, stored: _Proxy, catalogue: Catalogue) -> Design:
    design = catalogue.find(stored.meant, where)
    bodies = {name_key(d.name): d for d in catalogue.designs}
    body = bodies.get(name_key(name), Design(name=name, kind=DesignKind.PLAIN))
    is_slammer = design.kind.is_slammer
    if is_slammer and stored.mass_g is None and not body.kind.is_slammer:
        raise InputError(f"{where} mass_g: missing; give the slammer's mass in g")
    usual_mm = SLAMMER_THICKNESS_MM if is_slammer else body.thickness_mm
    proxy = replace(
        design,
        name=f"{design.name} ({name})",
        mass_g=body.mass_g if stored.mass_g is None else stored.mass_g,
        thickness_mm=usual_mm if stored.thickness_mm is None else stored.thickness_mm,
        variant=f"{_PROXY}{name}",
    )
    check_body(where, proxy, usual_mm)
    return proxy


def legal_names(design: Design) -> set[str]:
    """Return the names by which a limit may mean a design: its own and that of its kind."""
    name = design.name
    if is_proxy(design):
        name = name[: name.rindex(f" ({design.variant.removeprefix(_PROXY)})")]
    return {name_key(name), design.kind.value}


def _check_limits(
    field: str, limits: Mapping[str, CountLimit], pucks: Sequence[Puck], whose: str
) -> None:
    for name, limit in limits.items():
        count = sum(name_key(name) in legal_names(puck.design) for puck in pucks)
        if not limit.least <= count <= limit.most:
            least, most = f"at least {limit.least}", f"at most {limit.most}"
            wanted = least if count < limit.least else most
            raise InputError(f"{field} {name}: {whose} has {count}; {wanted} is legal")


def read_legal(path: Path, catalogue: Catalogue) -> LegalPucks:
    """Return the legal pucks of a set-up file.

    Raises:
        InputError: The file cannot be read, or its ``[legal]`` is not accepted.
    """
    setup, where = read_toml("setup", path), f"setup: {str(path)!r} legal"
    return decode(LegalPucks, setup.get("legal", {}), where).with_listed_names(where, catalogue)


def _seat(field: str, name: str | None, names: Sequence[str]) -> int | None:
    if name is None:
        return None
    check_one_of(field, name, names)
    return list(names).index(name)


@fact
class Deck:
    """Everything that a player brings to a battle.

    Attributes:
        name: Its name, after which its player is called.
        slammers: The slammers.
        pucks: The other pucks.
    """

    name: str
    slammers: tuple[Design, ...]
    pucks: tuple[Design, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of each of the other pucks, by name, in the order in which they come."""
        return dict(Counter(puck.name for puck in self.pucks))


def house_deck(
    slammer: Design, count: int, catalogue: Catalogue, options: BattleOptions | None = None
) -> Deck:
    """Return a slammer with its house collection.

    Args:
        slammer: The slammer.
        count: Number of other pucks; in a wild battle there are always six. In a training battle
            a Pokéball slammer comes with Sandbags, as in the rulebook's simple game.
        catalogue: Source of the pucks.
        options: Options of the battle; the defaults if None.

    Raises:
        InputError: The design is no slammer.

    Example:
        >>> catalogue = shipped_catalogue()
        >>> list(house_deck(catalogue.find("lapras"), 5, catalogue).counts)
        ['Water Energy', 'Water Focus Energy', 'Potion', 'Berry', 'Full Heal']
    """
    if not slammer.kind.is_slammer:
        raise InputError(f"slammer: {slammer.name!r} is no slammer; give one")
    options = options or BattleOptions()
    kind = (slammer.type or EnergyType.NORMAL).capitalize()
    ruled = _HOUSE_PUCKS[:count] if options.puckmart else ()
    names = (*ruled, *[_PLAIN] * (count - len(ruled)))
    if options.is_wild:
        names = _WILD_PUCKS
    elif options.mode is Mode.TRAINING and slammer.kind is DesignKind.BALL:
        names = (_SIMPLE_PUCK,) * count
    pucks = tuple(catalogue.find(name.format(type=kind)) for name in names)
    return Deck(name=slammer.name, slammers=(slammer,), pucks=pucks)


def read_deck(path: Path, catalogue: Catalogue, field: str = "deck") -> Deck:
    """Read a deck from a TOML file with ``schema = 1``, and ``slammers`` and ``pucks`` as a player.

    Without a ``name``, the deck has that of the file.

    Args:
        path: The file.
        catalogue: The designs that it may name.
        field: Name of the option in an error.

    Raises:
        InputError: The file cannot be read, or a key or value is not accepted.
    """
    where = f"{field}: {str(path)!r}"
    stored = decode(_Named, {"name": path.stem, **read_toml(field, path)}, where)
    pucks = [puck.design for puck in stored.of(None, where, catalogue)]
    return Deck(
        name=stored.name,
        slammers=tuple(design for design in pucks if design.kind.is_slammer),
        pucks=tuple(design for design in pucks if not design.kind.is_slammer),
    )


def deck_toml(deck: Deck) -> str:
    """Return a deck as the text of a file that `read_deck` reads; its name is that of the file.

    Example:
        >>> catalogue = shipped_catalogue()
        >>> print(deck_toml(house_deck(catalogue.find("onix"), 2, catalogue)))
        schema = 1
        slammers = ["Onix"]
        <BLANKLINE>
        [pucks]
        "Fighting Energy" = 1
        "Fighting Focus Energy" = 1
        <BLANKLINE>
    """
    slammers = ", ".join(toml_text(design.name) for design in deck.slammers)
    lines = [f"{toml_text(name)} = {count}" for name, count in deck.counts.items()]
    return "\n".join(("schema = 1", f"slammers = [{slammers}]", "", "[pucks]", *lines, ""))


def deck_table(
    decks: Sequence[Deck],
    options: BattleOptions | None = None,
    catalogue: Catalogue | None = None,
    names: Sequence[str] = (),
) -> BattleSetup:
    """Return the set-up of a battle between decks.

    In a training battle all pucks but the slammers are one collection.

    Args:
        decks: The deck of each player, in turn order.
        options: Mode and rulings; the defaults if None.
        catalogue: Source of special rules from a file; the shipped designs if None.
        names: Names of the players; those of their decks if empty.

    Raises:
        InputError: The number of players or of names is not accepted.
    """
    options = options or BattleOptions()
    catalogue = catalogue or shipped_catalogue()
    options.check_players(len(decks))
    pucks = []
    for player, deck in enumerate(decks):
        owner = None if options.mode is Mode.TRAINING else player
        pucks += [Puck(design=design, owner=player) for design in deck.slammers]
        pucks += [Puck(design=design, owner=owner) for design in deck.pucks]
    if names and len(names) != len(decks):
        given = ", ".join(names)
        raise InputError(f"names: {given!r} is not accepted; give {len(decks)} names")
    return BattleSetup(
        pucks=tuple(pucks),
        names=tuple(_check_name("names", name) for name in names)
        or number_names([d.name for d in decks]),
        options=options,
        rules=catalogue.rules_of(puck.design for puck in pucks),
    )


def house_setup(
    slammers: Sequence[Design],
    options: BattleOptions | None = None,
    catalogue: Catalogue | None = None,
    names: Sequence[str] = (),
) -> BattleSetup:
    """Return a set-up in which each player has one slammer and a house collection.

    Args:
        slammers: The slammer of each player, in turn order.
        options: Mode and rulings; the defaults if None.
        catalogue: Source of the pucks; the shipped designs if None.
        names: Names of the players; those of their slammers if empty.

    Raises:
        InputError: One of the designs is no slammer, or the number of players is not accepted.

    Example:
        >>> find = shipped_catalogue().find
        >>> table = house_setup([find("pikachu"), find("onix"), find("onix")])
        >>> table.names, len(table.pucks)
        (('Pikachu', 'Onix', 'Onix 2'), 42)
        >>> table.pucks[1].name
        'Electric Energy'
    """
    options = options or BattleOptions()
    catalogue = catalogue or shipped_catalogue()
    options.check_players(len(slammers))
    decks = [
        house_deck(slammer, options.buy_in_of(player, len(slammers)), catalogue, options)
        for player, slammer in enumerate(slammers)
    ]
    return deck_table(decks, options, catalogue, names)


def number_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that are all different: a number follows a name that is taken.

    Example:
        >>> number_names(["Onix", "Eevee", "Onix"])
        ('Onix', 'Eevee', 'Onix 2')
    """
    found: list[str] = []
    for first in names:
        name, number = first, 1
        while name in found:
            number += 1
            name = f"{first} {number}"
        found.append(name)
    return tuple(found)
